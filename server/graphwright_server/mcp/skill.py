"""The skill page, which says when and how an agent uses the tools, and their descriptions, which are part of it."""

from __future__ import annotations

import re
from importlib import resources


def skill_page() -> str:
    """The page, with front matter."""
    return resources.files("graphwright_server.mcp").joinpath("SKILL.md").read_text("utf-8")


def tool_descriptions() -> dict[str, str]:
    """The descriptions of the tools by name: what each does, when to call it, what it returns."""
    section = skill_page().partition("## Tools\n")[2].partition("\n## ")[0]
    return {name: " ".join(text.split()) for name, text in _TOOL.findall(section)}


_TOOL = re.compile(r"^- `(\w+)`: (.*?)(?=^- |\Z)", re.MULTILINE | re.DOTALL)
