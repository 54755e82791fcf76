"""Notebook files: the Python in their cells, and the same file with other code in them.

What only IPython understands in a cell is `syntax.cells`' matter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

NOTEBOOK = ".ipynb"
CELL_SEAM = "\n"
"""What stands after each cell in a notebook's text."""


class Cell(NamedTuple):
    """A cell of Python: its number among all cells, from one on, and its source."""

    number: int
    source: str


def is_notebook(path: str) -> bool:
    return path.endswith(NOTEBOOK)


def python_cells(raw: bytes) -> tuple[Cell, ...]:
    """The cells of a notebook that hold Python; none where its language is another. Raises `ValueError`."""
    notebook = _read(raw)
    if _language(notebook) not in ("python", "ipython", ""):
        return ()
    cells = enumerate(notebook["cells"], 1)
    return tuple(Cell(number, _source(cell)) for number, cell in cells if cell.get("cell_type") == "code")


def notebook_with(raw: bytes, sources: Mapping[int, str]) -> bytes:
    """The notebook with other code in the cells of these numbers, and everything else as it was."""
    notebook, text = _read(raw), raw.decode("utf-8")
    for number, source in sources.items():
        cell = notebook["cells"][number - 1]
        cell["source"] = source.splitlines(keepends=True) if isinstance(cell["source"], list) else source
    indent = re.search(r"\A\{\r?\n([ \t]+)", text)
    separators = None if indent else ((", ", ": ") if '": ' in text[:200] else (",", ":"))
    made = json.dumps(notebook, indent=indent and indent.group(1), separators=separators, ensure_ascii=text.isascii())
    return (made + text[len(text.rstrip()) :]).encode("utf-8")


def _read(raw: bytes) -> dict[str, Any]:
    try:
        found: Any = json.loads(raw.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("isn't a notebook: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"isn't a notebook: {error}") from None
    cells: Any = cast("dict[str, Any]", found).get("cells") if isinstance(found, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cast("list[Any]", cells)):
        raise ValueError("isn't a notebook of version 4: it has no list of cells")
    return cast("dict[str, Any]", found)


def _language(notebook: Mapping[str, Any]) -> str:
    metadata: Any = notebook.get("metadata")
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        part: Any = cast("dict[str, Any]", metadata).get(key) if isinstance(metadata, dict) else None
        if isinstance(part, dict):
            return str(cast("dict[str, Any]", part).get(name, "")).lower()
    return ""


def _source(cell: Mapping[str, Any]) -> str:
    source: Any = cell.get("source", "")
    return "".join(map(str, cast("list[Any]", source))) if isinstance(source, list) else str(source)
