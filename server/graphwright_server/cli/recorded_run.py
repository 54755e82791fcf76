"""`graphwright trace RUN.json --html PAGE`: the page of a run that GRAPHWRIGHT_TRACES recorded. It runs nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphwright_analysis import Unreadable, read_text

from graphwright_server import pages


def is_recorded(target: str) -> bool:
    return target.endswith(".json")


def page_of(target: str) -> str:
    """Return the page; raise ValueError with a message if the file can't be read or isn't a recorded run."""
    try:
        run: Any = json.loads(read_text(target))
        files = {function["file"] for function in run["functions"]}
        return pages.page_of_run(run, {file: _text(file) for file in files})
    except Unreadable as error:
        raise ValueError(f"{target}: {error.reason}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{target}: not a run recorded with GRAPHWRIGHT_TRACES") from error


def write(page: str, file: str) -> str:
    """Write the page or picture; return an error message, empty on success."""
    try:
        Path(file).write_text(page, "utf-8")
    except OSError as error:
        return f"{file}: {error.strerror}"
    return ""


def _text(file: str) -> str:
    try:
        return read_text(file)
    except Unreadable:
        return ""
