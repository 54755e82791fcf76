"""Makes README.md the package's page: links and pictures lead to the repository, at the tag of the version.

hatchling runs it whenever it builds the package; see `[tool.hatch.metadata.hooks.custom]` in pyproject.toml.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURES = (".gif", ".png", ".svg")
RELATIVE = re.compile(r"\]\((?!https?://|mailto:|#)([^)\s]+)\)")


class PackagePage(MetadataHookInterface):
    """What hatchling asks for the fields of the metadata that pyproject.toml leaves out."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        package = root / "analysis" / "graphwright_analysis"
        repository = constant(package / "addresses.py", "REPOSITORY")
        version = constant(package / "version.py", "__version__")
        text = absolute((root / "README.md").read_text("utf-8"), repository, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def absolute(page: str, repository: str, version: str) -> str:
    """The page with every relative target replaced by its address."""

    def address(found: re.Match[str]) -> str:
        kind = "raw" if found[1].endswith(PICTURES) else "blob"
        return f"]({repository}/{kind}/v{version}/{found[1]})"

    return RELATIVE.sub(address, page)


def constant(module: Path, name: str) -> str:
    """The text that a module assigns to a name, read without importing it."""
    found = re.search(rf'^{name} = "([^"]+)"$', module.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise LookupError(f"{module.name} has no line {name} = ...")
    return found[1]
