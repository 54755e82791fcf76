"""Edits that have a finding allowed: on its line, in its file, or in the whole project."""

from __future__ import annotations

import re

from graphwright_analysis.diagnostics import Diagnostic, Edit
from graphwright_analysis.syntax import Module, suppressions
from graphwright_analysis.syntax.blocks import logical_lines
from graphwright_analysis.text import Range

_WIDTH = 120
_HEAD = re.compile(r"(?:#!.*\r?\n)?(?:[ \t\f]*#.*?coding[:=].*\r?\n)?")
_TABLE = re.compile(r"^[ \t]*\[tool\.graphwright\][ \t]*(?:#.*)?$", re.MULTILINE)
_NEXT_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_IGNORE = re.compile(r"^[ \t]*ignore[ \t]*=[ \t]*\[[ \t]*", re.MULTILINE)


def on_line(module: Module, diagnostic: Diagnostic) -> Edit | None:
    """A comment on the finding's line, or above it where that would be too long or isn't possible."""
    line = _logical_line(module, diagnostic.range.start)
    if line is None:
        return None
    there = _names_there(module, line)
    if there is not None:
        return Edit(Range(there, there), f", {diagnostic.rule}")
    comment = f"# graphwright: allow[{diagnostic.rule}]"
    text = module.text[line.start : line.end].rstrip()
    start = module.text.rfind("\n", 0, line.start) + 1
    end = line.start + len(text)
    if "\n" not in text and not text.endswith("\\") and end - start + len(comment) + 2 <= _WIDTH:
        return Edit(Range(end, end), f"  {comment}")
    indent = re.match(r"[ \t]*", module.text[start:])
    return Edit(Range(start, start), f"{indent.group() if indent else ''}{comment}{_line_end(module.text)}")


def in_file(module: Module, diagnostic: Diagnostic) -> Edit:
    """A comment at the head of the file, after what must come first."""
    head = _HEAD.match(module.text)
    at = head.end() if head else 0
    return Edit(Range(at, at), f"# graphwright: allow-file[{diagnostic.rule}]{_line_end(module.text)}")


def in_project(settings: str, rule: str) -> Edit:
    """The rule among those that the text of a pyproject.toml has ignored."""
    table = _TABLE.search(settings)
    if table is None:
        gap = "" if not settings else "\n" if settings.endswith("\n") else "\n\n"
        return Edit(Range(len(settings), len(settings)), f'{gap}[tool.graphwright]\nignore = ["{rule}"]\n')
    following = _NEXT_TABLE.search(settings, table.end())
    ignore = _IGNORE.search(settings, table.end(), following.start() if following else len(settings))
    if ignore is None:
        return Edit(Range(table.end(), table.end()), f'\nignore = ["{rule}"]')
    empty = settings.startswith("]", ignore.end())
    return Edit(Range(ignore.end(), ignore.end()), f'"{rule}"' if empty else f'"{rule}", ')


def _logical_line(module: Module, offset: int) -> Range | None:
    for block, start in zip(module.blocks, module.starts, strict=True):
        if start <= offset <= start + len(block.text):
            for line in logical_lines(block.text):
                if start + line.start <= offset < start + line.end:
                    return Range(start + line.start, start + line.end)
    return None


def _names_there(module: Module, line: Range) -> int | None:
    """Where another name goes, if a comment allows something on the line already."""
    for suppression in suppressions(module).all:
        covered = suppression.covered
        if suppression.rules and covered is not None and covered.start == line.start and covered.end <= line.end:
            return suppression.rules[-1].range.end
    return None


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
