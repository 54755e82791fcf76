"""Tells the user's own files from those of libraries, and finds their lines in stacks and messages."""

from __future__ import annotations

import functools
import linecache
import os
import re
import sysconfig
import traceback
from collections.abc import Iterable, Iterator
from typing import Any

from .wire import INSTALLED, ReportedFrame

_OWN = (os.path.dirname(os.path.abspath(__file__)) + os.sep,)
_IN_TEXT = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<name>[^\n]*))?')


@functools.lru_cache(maxsize=4096)
def is_users(file: str) -> bool:
    """Whether a file is the user's own: neither Python's, nor installed, nor made by AutoGraph, nor ours."""
    if not file or file.startswith("<") or INSTALLED.search(file):
        return False
    if file.startswith((*_OWN, *_library_folders())):
        return False
    return os.path.isabs(file) or os.path.isfile(file)


@functools.cache
def _library_folders() -> tuple[str, ...]:
    import importlib.util

    folders = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    for name in ("graphwright", "graphwright_analysis", "gast"):
        spec = importlib.util.find_spec(name)
        folders += spec.submodule_search_locations or () if spec is not None else ()
    return tuple(os.path.join(folder, "") for folder in folders if folder)


def is_own(file: str) -> bool:
    """Whether a frame is the agent's."""
    return file.startswith(_OWN)


def names_own(line: str) -> bool:
    """Whether a line of a printed stack is about one of the agent's frames."""
    return any(f'File "{folder}' in line for folder in _OWN)


def frames_of(stack: Iterable[Any]) -> Iterator[ReportedFrame]:
    """The user's frames in a stack of Python's or TensorFlow's."""
    for frame in stack:
        file = str(frame.filename)
        if is_users(file):
            yield frame_at(file, int(frame.lineno or 1), str(frame.name))


def frames_in(text: str) -> Iterator[ReportedFrame]:
    """The user's frames in a printed stack."""
    for found in _IN_TEXT.finditer(text):
        if is_users(found["file"]):
            yield frame_at(found["file"], int(found["line"]), (found["name"] or "").strip().rstrip("*").strip())


def frame_at(file: str, line: int, name: str) -> ReportedFrame:
    return ReportedFrame(file, line - 1, name, line_text(file, line))


def line_text(file: str, line: int) -> str:
    """A line of a file, counted from 1."""
    return linecache.getline(file, line).strip()


def stack_of(error: BaseException) -> list[Any]:
    return list(traceback.extract_tb(error.__traceback__))
