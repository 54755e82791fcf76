"""Whether a graph may begin in what a file asks of others: by outlines and texts alone, nothing is run for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from .imports import Import
from .outlines import Text
from .sources import Sources
from .user_files import Unreadable
from .values.elsewhere import Elsewhere

Lookups = set[tuple[str, str | None]]
"""The files that were looked at, each with the name that was looked up; None is the file itself."""


@dataclass(slots=True)
class Beginnings:
    """Looks for the nearest beginning of a graph in other files, first where one was found the last time."""

    sources: Sources
    _ways: dict[str, Set[Elsewhere]] = field(default_factory=dict[str, "Set[Elsewhere]"])
    """For each file what lies on the way from it to where a graph begins."""

    def beyond(self, path: str) -> tuple[bool, Lookups]:
        """Whether a graph may begin in what a file asks of others, and what was analyzed for it; False is sure."""
        known = self._ways.pop(path, None)
        found, lookups = (None, Lookups()) if known is None else self._way(path, known)
        if found is None:
            found, lookups = self._way(path)
        if found is not None:
            self._ways[path] = found
        return found is not None, lookups

    def names_looked_up(self, path: str, lookups: Lookups) -> Mapping[str, Set[str] | None]:
        """What was looked up in each file, by all that the texts of those that did may mean; None is any name."""
        texts = [self.sources.asking(path), *map(self.sources.asking, dict.fromkeys(file for file, _ in lookups))]
        return Text.together(texts).asks_of(lookups)

    def _way(self, path: str, along: Set[Elsewhere] | None = None) -> tuple[Set[Elsewhere] | None, Lookups]:
        """The way to the nearest beginning, if there is one, and what was looked at: only what is along, if given."""
        came: dict[Elsewhere, Elsewhere | None] = {}
        pending = deque[tuple[Elsewhere | None, str, Text, Iterable[Import]]]()
        pending.append((None, path, self.sources.asking(path), self.sources.imports(path)))
        while pending:
            here, file, text, imports = pending.popleft()
            for imported in imports:
                what = self.sources.destination_in_project(file, imported)
                if what is None or what in came or (along is not None and what not in along):
                    continue
                came[what] = here
                try:
                    outline, names = self.sources.outline(what.file), text.asks(what.name)
                except Unreadable:
                    continue
                if outline.begins_for(names):
                    return frozenset(_back(what, came)), {(each.file, each.name) for each in came}
                further = [Import(module, level, name) for module, level, name in outline.imported_for(names)]
                pending.append((what, what.file, self.sources.asking(what.file), further))
        return None, {(each.file, each.name) for each in came}


def _back(what: Elsewhere | None, came: Mapping[Elsewhere, Elsewhere | None]) -> Iterator[Elsewhere]:
    while what is not None:
        yield what
        what = came[what]
