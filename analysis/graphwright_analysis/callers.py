"""What the files that use a file see of it and tell of it.

Those that are open are run whenever they are asked. The others are remembered as they were run last, which costs
nothing, and brought up to date when there is time (`renew`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

import gast

from .checking import called_in
from .importers import Importers, Listing
from .project_files import is_python
from .reports import Report
from .syntax import Block, Module
from .tracing import StartRecording, Trace
from .user_files import Unreadable

MOST_USERS = 32
"""How many files are run to see what they call in another one, those that import it themselves first."""
MOST_TEXT = 1_000_000
"""How many characters of files are followed for it, of those that are run and of those that these ask."""


class CallingFiles(Listing, Protocol):
    """What the project knows of its files."""

    @property
    def opened(self) -> Iterable[str]: ...
    def imported_files(self, path: str) -> Set[str]: ...
    def module(self, path: str) -> Module: ...
    def judged(self, path: str) -> Trace: ...
    def told(self, runner: str, path: str, trace: Trace) -> Report: ...
    def lengths_of_followed(self, path: str) -> Mapping[str, int]: ...
    def check_cancelled(self) -> None: ...


@dataclass(slots=True, eq=False)
class CallerReport:
    """What the run of one file tells of another one, and what it has seen of it."""

    trace: Trace
    module: Module
    """Of the file that it is told of."""
    called: Set[str]
    """The functions of that file's top level that it surely calls, by their qualified names."""
    report: Report
    inside: StartRecording | None = None
    """What was seen in it, once that is asked for."""


@dataclass(slots=True)
class Callers:
    """What is known of each file by those that use it, and who uses it."""

    files: CallingFiles
    importers: Importers = field(default_factory=Importers)
    _heard: dict[str, dict[str, CallerReport]] = field(default_factory=dict[str, "dict[str, CallerReport]"])
    _renewed: dict[str, Module] = field(default_factory=dict[str, Module])
    """What files were when all that was heard of them was renewed."""
    _left_out: dict[str, int] = field(default_factory=dict[str, int])
    """How many users of files were too many then."""
    _whole: dict[str, tuple[Sequence[object], Trace]] = field(
        default_factory=dict[str, "tuple[Sequence[object], Trace]"]
    )
    _nodes: dict[str, dict[Block, Set[gast.AST]]] = field(default_factory=dict[str, "dict[Block, Set[gast.AST]]"])

    def beside(self, files: CallingFiles) -> Callers:
        """The same for other files that are mostly the same."""
        return Callers(files, self.importers, {path: dict(heard) for path, heard in self._heard.items()})

    def of(self, path: str) -> Mapping[str, CallerReport]:
        """What is heard of a file, by those who tell it: the open ones as they are now."""
        heard = self._heard.get(path, {})
        users = self._open_users(path)
        if users:
            for user in users:
                with suppress(Unreadable):
                    heard[user] = self._heard_from(user, path)
            # In an order that doesn't tell which was opened first.
            opened = {user: heard.pop(user) for user in users if user in heard}
            heard = self._heard[path] = {**heard, **opened}
        return {user: each for user, each in heard.items() if user in users or not self._is_open(user)}

    def reports(self, path: str) -> tuple[list[Report], Set[str]]:
        """What others tell of a file, and which of its functions they call."""
        heard, told = self.of(path), list[Report]()
        for user, each in heard.items():
            if each.report.diagnostics:
                with suppress(Unreadable):
                    told.append(self.files.told(user, path, each.trace))
        return told, frozenset[str]().union(*(each.called for each in heard.values()))

    def whole(self, path: str, own: Trace) -> Trace:
        """What the names and constructs of a file are in its own run and in those of the files that use it."""
        heard = self.of(path)
        if not heard:
            return own
        inside = [self._inside(path, each) for each in heard.values()]
        key, known = (own, *inside), self._whole.get(path)
        if known is None or len(known[0]) != len(key) or any(a is not b for a, b in zip(known[0], key, strict=True)):
            known = self._whole[path] = key, own.with_others(inside)
        return known[1]

    def traces(self, path: str) -> Mapping[str, Trace]:
        """Those of the files that use one, which are programs of their own."""
        return {user: heard.trace for user, heard in self.of(path).items()}

    def look(self) -> None:
        """Who imports whom may have changed."""
        self.importers.look(self.files, self.files.check_cancelled)

    def is_imported(self, path: str) -> bool:
        """Whether any file of the project imports one, as of the last look."""
        if not self.importers.has_looked:
            self.look()
        return any(self.importers.users_of(path))

    def left_out(self, path: str) -> int:
        """How many files use one as well and weren't run for it."""
        return self._left_out.get(path, 0)

    def renew(self, path: str) -> bool:
        """Run the files that use one as far as they would see something else; whether any of them does."""
        users, followed, read = [*self.importers.users_of(path)], list[str](), dict[str, int]()
        changed = self._keep(path, users[:MOST_USERS])
        for user in users[:MOST_USERS]:
            if sum(read.values()) > MOST_TEXT:
                break
            self.files.check_cancelled()
            followed.append(user)
            with suppress(Unreadable):
                changed |= self._refresh_caller(user, path)
                read.update(self.files.lengths_of_followed(user))
        changed |= self._keep(path, followed)
        self._left_out[path] = len({*users} - self._heard[path].keys() - {*followed})
        self._renewed[path] = self.files.module(path)
        return changed

    def _keep(self, path: str, users: Sequence[str]) -> bool:
        """Forget what others than these, and than the open files, told of a file; whether there was anything."""
        known = self._heard.get(path, {})
        kept = [user for user in dict.fromkeys((*users, *self._open_users(path))) if user in known]
        self._heard[path] = {user: known[user] for user in kept}
        return len(kept) < len(known)

    def _refresh_caller(self, user: str, path: str) -> bool:
        """Run a file that uses another one; whether it tells anything else of it."""
        heard = self._heard[path]
        known = heard.get(user)
        told = None if known is None else known.report
        new = self._heard_from(user, path)
        inside = self._inside(path, new)
        # What is found out is kept, though the rest be given up.
        heard[user] = new
        if known is new:
            return new.report != told
        return known is None or not _same_report(new, known, inside, self._inside(path, known))

    def is_refreshed(self, path: str) -> bool:
        """Whether what is heard of a file is of the text that it has now."""
        return self._renewed.get(path) is self.files.module(path)

    def refers_to(self, path: str) -> bool:
        """Whether anything is heard of a file, or by it: what was heard is told by the nodes of both."""
        return path in self._heard or any(path in heard for heard in self._heard.values())

    def forget(self, path: str) -> None:
        """Nobody asks about the file any more."""
        for known in (self._heard, self._renewed, self._left_out, self._whole, self._nodes):
            known.pop(path, None)

    def _open_users(self, path: str) -> Sequence[str]:
        """The open files that import a file, be it by others that are open."""
        led = {each: self.files.imported_files(each) for each in self.files.opened if each != path and is_python(each)}
        found: dict[str, None] = {}
        pending = [path]
        while pending and len(found) < MOST_OPEN_USERS:
            wanted = pending.pop(0)
            new = [user for user, imported in led.items() if wanted in imported and user not in found]
            found.update(dict.fromkeys(new))
            pending += new
        return sorted(found)

    def _is_open(self, path: str) -> bool:
        return path in self.files.opened

    def _heard_from(self, user: str, path: str) -> CallerReport:
        trace, module, known = self.files.judged(user), self.files.module(path), self._heard.get(path, {}).get(user)
        # Where it points into other files, these may have changed alone.
        report = self.files.told(user, path, trace)
        if known is not None and known.trace is trace and known.module is module:
            known.report = report
            return known
        return CallerReport(trace, module, called_in(module, trace), report)

    def _inside(self, path: str, heard: CallerReport) -> StartRecording:
        if heard.inside is None:
            module = heard.module
            blocks = {*module.starts_of, *module.report_blocks}
            heard.inside = heard.trace.inside(self._nodes_of(path, module), blocks)
        return heard.inside

    def _nodes_of(self, path: str, module: Module) -> Set[gast.AST]:
        before = self._nodes.get(path, {})
        known = {piece: before.get(piece) or frozenset(_nodes_in(piece)) for piece in module.pieces}
        self._nodes[path] = known
        return frozenset[gast.AST]().union(*known.values())


MOST_OPEN_USERS = 16
"""The same for those that are open, which are run while somebody waits."""


def _nodes_in(piece: Block) -> Iterator[gast.AST]:
    for statement in piece.statements:
        yield from gast.walk(statement)


def _same_report(one: CallerReport, other: CallerReport, inside: StartRecording, before: StartRecording) -> bool:
    return (one.called, one.report, inside.values, inside.decided) == (
        other.called,
        other.report,
        before.values,
        before.decided,
    )
