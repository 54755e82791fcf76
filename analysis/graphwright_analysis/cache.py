"""Caches findings on the disk between runs, keyed by a digest of everything that they depend on.

If the cache can't be opened, read or written, it behaves like an empty one, without a message. Each entry has a
checksum, so only what was stored is ever used. A damaged database is deleted.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .diagnostics import Diagnostic, Edit, Fix, Related, Severity, Tag
from .immutability import immutable
from .outlines import Interest, Outline, Part
from .reports import CutRun, Report, RunReports
from .text import Range
from .user_files import Unreadable, read_bytes

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

log = logging.getLogger(__name__)

KEPT_FOR = 30 * 24 * 3600
"""The number of seconds after which an unused entry is deleted."""
NOTED_EVERY = 24 * 3600
"""The number of seconds after which it is noted again that an entry is used: most runs write nothing."""


class ImportDestination(NamedTuple):
    """An import of a file, the file that it led to, and the name requested from that file."""

    module: str
    level: int
    name: str | None
    file: str | None
    name_there: str | None


class FileDependency(NamedTuple):
    """The interest of a file in names of another one (None is any), and that file's digest.

    `destinations` is a digest of where the other file's own imports lead.
    """

    interest: Interest
    file: str
    names: tuple[str, ...] | None
    digest: str
    destinations: str


class Shown(NamedTuple):
    """Another file that findings are in or refer to: the length of text they need, and its digest."""

    file: str
    length: int
    digest: str


@immutable
class Checked:
    """The result of checking a file: its reports on itself and others, and the lines that can't be parsed, with
    reasons.
    """

    reports: RunReports = field(default_factory=RunReports)
    unparsed: tuple[tuple[int, str], ...] = ()
    imports: tuple[ImportDestination, ...] = ()
    dependencies: tuple[FileDependency, ...] = ()
    shown: tuple[Shown, ...] = ()


class Cache:
    """The entries in one folder. Only one process should write; any number may read."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / "findings.sqlite"
        self._connection = None if self._file is None else _open(self._file)
        self._damaged = False
        self._used: list[str] = []
        self._new: list[tuple[str, str]] = []
        self._outlines: dict[str, Outline | None] = {}

    @property
    def is_open(self) -> bool:
        """True if something can be stored."""
        return self._connection is not None

    def get(self, key: str) -> Checked | None:
        return self._read(key, _decoded)

    def put(self, key: str, checked: Checked) -> None:
        if self._connection is not None:
            self._new.append((key, _with_checksum(key, _encoded(checked))))

    def outline(self, digest: str) -> Outline | None:
        """The outline of the file that has, or had, this digest."""
        if digest not in self._outlines:
            self._outlines[digest] = self._read(_outline_key(digest), _decoded_outline)
        return self._outlines[digest]

    def put_outline(self, digest: str, outline: Outline) -> None:
        if self._connection is not None and digest:
            self._outlines[digest] = outline
            key = _outline_key(digest)
            self._new.append((key, _with_checksum(key, [outline.patched, outline.imports, outline.parts])))

    def _read(self, key: str, decoded: Callable[[Any], T]) -> T | None:
        if self._connection is not None:
            with self._forgiving():
                query = "SELECT value, used FROM findings WHERE key = ?"
                stored, used = self._connection.execute(query, (key,)).fetchone() or (None, 0)
                value = _verified(key, stored)
                if value is not None:
                    if not 0 <= time.time() - used < NOTED_EVERY:
                        self._used.append(key)
                    return decoded(value)
        return None

    def close(self) -> None:
        """Write new entries and delete old ones."""
        if self._connection is None:
            return
        if self._new or self._used:
            self._write(self._connection, int(time.time()))
        with self._forgiving():
            self._connection.close()
        self._connection = None
        if self._damaged and self._file is not None:
            _remove(self._file)

    def _write(self, connection: sqlite3.Connection, now: int) -> None:
        with self._forgiving(), connection as transaction:
            transaction.executemany("UPDATE findings SET used = ? WHERE key = ?", ((now, key) for key in self._used))
            transaction.executemany(
                "INSERT OR REPLACE INTO findings VALUES (?, ?, ?)", ((key, now, value) for key, value in self._new)
            )
            transaction.execute("DELETE FROM findings WHERE used < ?", (now - KEPT_FOR,))

    @contextlib.contextmanager
    def _forgiving(self) -> Generator[None]:
        """Within this context, errors of the cache are ignored."""
        try:
            yield
        except Exception as problem:
            log.debug("the cache can't be used: %s", problem)
            self._damaged = self._damaged or _means_damage(problem)


def key_of(*parts: object) -> str:
    """Return a digest of everything that findings depend on, including the analysis itself."""
    digest = hashlib.blake2b(_analysis(), digest_size=20)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


@functools.lru_cache(maxsize=4096)
def digest_of(path: str) -> str:
    """Return a digest of a file as of the first request; empty if it can't be read."""
    try:
        return hashlib.blake2b(read_bytes(path), digest_size=20).hexdigest()
    except Unreadable:
        return ""


@functools.cache
def _analysis() -> bytes:
    """Return a digest of the analysis (its files by name, size and time) and of the Python version."""
    digest = hashlib.blake2b(repr(sys.version_info).encode(), digest_size=20)
    for folder, below, names in os.walk(os.path.dirname(__file__)):
        below.sort()
        for name in sorted(names):
            if name.endswith((".py", ".json")):
                status = os.stat(os.path.join(folder, name))
                digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.digest()


def _open(file: Path) -> sqlite3.Connection | None:
    """Return a connection to the database, and recreate the file if it isn't one; None if that is impossible."""
    import sqlite3

    for _ in range(2):
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(file, timeout=2)
            connection.execute("CREATE TABLE IF NOT EXISTS findings (key TEXT PRIMARY KEY, used INTEGER, value TEXT)")
            return connection
        except (OSError, sqlite3.Error) as problem:
            log.debug("the cache can't be opened: %s", problem)
            if not _means_damage(problem):
                break
            _remove(file)
    return None


def _means_damage(problem: Exception) -> bool:
    """True if the database itself is damaged; SQLite raises a subclass if it is only locked or inaccessible."""
    import sqlite3

    return type(problem) is sqlite3.DatabaseError


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.unlink()


def _with_checksum(key: str, value: Any) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return _checksum(key, text) + text


def _verified(key: str, stored: Any) -> Any:
    """Return the content stored under a key; None if it belongs to a different key or has changed."""
    if not isinstance(stored, str) or stored[:_LENGTH] != _checksum(key, stored[_LENGTH:]):
        return None
    return json.loads(stored[_LENGTH:])


def _checksum(key: str, text: str) -> str:
    data = f"{key} {text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=_LENGTH // 2).hexdigest()


_LENGTH = 16
"""The length of a checksum, in characters."""


def _encoded(checked: Checked) -> list[Any]:
    run_reports = checked.reports
    return [
        _report_encoded(run_reports.own),
        [[path, _report_encoded(report)] for path, report in run_reports.others.items()],
        [[path, sorted(functions)] for path, functions in run_reports.called.items()],
        [[each.name, _span(each.range), each.line, each.reached, each.hurried] for each in run_reports.cut],
        checked.unparsed,
        [list(each) for each in checked.imports],
        [list(each) for each in checked.dependencies],
        [list(shown) for shown in checked.shown],
    ]


def _report_encoded(report: Report) -> list[Any]:
    sure, perhaps = ([*map(_diagnostic_encoded, found)] for found in (report.diagnostics, report.unless_imported))
    return [sure, report.supposed, perhaps]


def _diagnostic_encoded(diagnostic: Diagnostic) -> list[Any]:
    return [
        diagnostic.rule,
        diagnostic.family,
        int(diagnostic.severity),
        _span(diagnostic.range),
        diagnostic.message,
        [[_span(each.range), each.message, each.path, each.is_call] for each in diagnostic.related],
        [[f.title, [[_span(e.range), e.text] for e in f.edits], f.certain, f.incomplete] for f in diagnostic.fixes],
        [tag.value for tag in diagnostic.tags],
    ]


def _decoded(value: Any) -> Checked:
    own, others, called, cut, unparsed, imports, dependencies, shown = value
    return Checked(
        RunReports(
            _report_decoded(own),
            {path: _report_decoded(report) for path, report in others},
            {path: frozenset(functions) for path, functions in called},
            tuple(CutRun(name, Range(*span), *rest) for name, span, *rest in cut),
        ),
        tuple((line, message) for line, message in unparsed),
        tuple(ImportDestination(*each) for each in imports),
        tuple(_dependency(*each) for each in dependencies),
        tuple(Shown(*each) for each in shown),
    )


def _dependency(interest: str, file: str, names: list[str] | None, digest: str, destinations: str) -> FileDependency:
    return FileDependency(Interest(interest), file, _optional(names), digest, destinations)


def _report_decoded(value: Any) -> Report:
    sure, supposed, perhaps = value
    return Report(tuple(map(_diagnostic_decoded, sure)), tuple(supposed), tuple(map(_diagnostic_decoded, perhaps)))


def _diagnostic_decoded(value: Any) -> Diagnostic:
    rule, family, severity, span, message, related, fixes, tags = value
    return Diagnostic(
        rule,
        family,
        Severity(severity),
        Range(*span),
        message,
        tuple(Related(Range(*at), *rest) for at, *rest in related),
        tuple(Fix(title, _edits(edits), *rest) for title, edits, *rest in fixes),
        tuple(Tag(tag) for tag in tags),
    )


def _outline_key(digest: str) -> str:
    return key_of("outline", digest)


def _decoded_outline(value: Any) -> Outline:
    patched, imports, parts = value
    return Outline(
        tuple(patched),
        tuple((name, module, level, original) for name, module, level, original in imports),
        tuple(
            Part(tuple(names), _optional(mentions), _optional(uses), tuple(bases), *rest)
            for names, mentions, uses, bases, *rest in parts
        ),
    )


def _optional(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _edits(edits: Iterable[Any]) -> tuple[Edit, ...]:
    return tuple(Edit(Range(*span), text) for span, text in edits)


def _span(range: Range) -> tuple[int, int]:
    return range.start, range.end
