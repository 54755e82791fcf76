"""Applying fixes to a text: again and again until nothing changes, then written as the file was.

Which findings there are is the analysis' business, what is printed the caller's.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_analysis import Diagnostic, Edit, Source, Unreadable, apply_edits, decode_source, immutable, read_bytes

if TYPE_CHECKING:
    from graphwright_analysis import Project

MOST_ROUNDS = 50
_LINE_END = re.compile(r"\r\n|\n|\r")


Wanted = Callable[[str, Sequence[Diagnostic]], Sequence[Diagnostic]]
"""Which of the findings in a text are to be fixed."""


def all_of(text: str, diagnostics: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    return diagnostics


class CannotFix(Exception):
    """The fixed text can't be made or written; the message says why."""


@immutable
class Fixed:
    """What a text became, and how many fixes that took."""

    text: str
    count: int


def fix(project: Project, path: str, text: str, unsafe: bool = False, wanted: Wanted = all_of) -> Fixed:
    """Apply the fixes of wanted findings, of which unsafe ones only if asked; the project's buffer holds the result."""
    seen = {text}
    parsed = _parses(text)
    count = 0
    project.set_text(path, text)
    for _ in range(MOST_ROUNDS):
        edits, applied = next_edits(project, path, unsafe, wanted)
        if not applied:
            break
        changed = apply_edits(text, with_line_ends_of(text, edits))
        if changed in seen:
            break
        if parsed and not _parses(changed):
            raise CannotFix("a fix would leave code that doesn't parse; this is a bug in Graphwright")
        seen.add(changed)
        text = changed
        count += applied
        project.set_text(path, text)
    return Fixed(text, count)


def next_edits(project: Project, path: str, unsafe: bool, wanted: Wanted) -> tuple[tuple[Edit, ...], int]:
    """The edits that can be made now to the text that the project has, and the number of fixes that they are."""
    from graphwright_analysis import applicable_edits  # it loads the analysis

    project.refresh_callers(path)
    return applicable_edits(project, path, wanted(project.text(path), project.check(path)), unsafe)


def read(path: Path) -> bytes:
    """Return the file that is to be fixed as it is now; raises `CannotFix`."""
    try:
        return read_bytes(path)
    except Unreadable as problem:
        raise CannotFix(problem.reason) from None


def decode(data: bytes) -> Source:
    """Return the text of what was read; raises `CannotFix`."""
    try:
        return decode_source(data)
    except (SyntaxError, LookupError) as problem:
        raise CannotFix(f"can't be decoded: {problem}") from None


def write(path: Path, text: str, encoding: str, before: bytes) -> None:
    """Replace the file in one step, keeping its encoding, byte order mark and mode."""
    try:
        data = text.encode(encoding)
    except UnicodeError:
        raise CannotFix(f"a fix needs characters that its encoding ({encoding}) doesn't have") from None
    replace_file(path, data, before)


def replace_file(path: Path, data: bytes, before: bytes) -> None:
    """Put other bytes into a file in one step, keeping its mode, if it still holds those that were fixed."""
    target = Path(os.path.realpath(path))
    try:
        if not os.stat(target).st_mode & 0o222:
            raise CannotFix("is read-only; nothing was written")
        _replace(target, data, before)
    except OSError as error:
        raise CannotFix(f"can't be written: {error.strerror or error}") from None


def unified_diff(shown: str, before: str, after: str) -> str:
    """What would change, as `diff -u` puts it."""
    old, new = _lines(before), _lines(after)
    output: list[str] = []
    for line in difflib.unified_diff(old, new, fromfile=shown, tofile=shown):
        output.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(output)


def with_line_ends_of(text: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    first = _LINE_END.search(text)
    line_end = first[0] if first else "\n"
    return tuple(Edit(edit.range, _LINE_END.sub(lambda _: line_end, edit.text)) for edit in edits)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _replace(target: Path, data: bytes, expected: bytes) -> None:
    import tempfile  # only who writes needs it

    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        before = os.stat(target)
        os.chmod(temporary, before.st_mode & 0o7777)
        if hasattr(os, "chown") and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            with contextlib.suppress(OSError):
                os.chown(temporary, before.st_uid, before.st_gid)
        # The last thing before it: whoever saves the file meanwhile keeps what was saved.
        if read(target) != expected:
            raise CannotFix("changed while it was being fixed; nothing was written")
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
