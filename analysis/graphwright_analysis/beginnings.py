"""Whether a graph may begin in what a file asks of others: by outlines and texts alone, nothing is run for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set

from .imports import Import
from .outlines import Text
from .queries import question
from .sources import REMEMBERED, Sources
from .user_files import Unreadable
from .values.elsewhere import Elsewhere

Searched = frozenset[tuple[str, str | None]]
"""The files that were looked at, each with the name that was looked up; None is the file itself."""


@question()
def begins_beyond(sources: Sources, path: str) -> tuple[bool, Searched]:
    """Whether a graph may begin in what a file asks of others, and what was analyzed for it; False is sure."""
    met = dict[Elsewhere, None]()
    pending = deque[tuple[str, Text, Iterable[Import]]]([(path, sources.asking(path), sources.imports(path))])
    while pending:
        file, text, imports = pending.popleft()
        for imported in imports:
            what = sources.destination_in_project(file, imported)
            if what is None or what in met:
                continue
            met[what] = None
            try:
                begins, further = _reached_in(sources, what.file, text.asks(what.name))
            except Unreadable:
                continue
            if begins:
                return True, _searched(met)
            pending.append((what.file, sources.asking(what.file), further))
    return False, _searched(met)


@question(REMEMBERED)
def _reached_in(sources: Sources, file: str, names: frozenset[str] | None) -> tuple[bool, tuple[Import, ...]]:
    """Whether a graph may begin in what these names of a file, or any, lead to, and the imports that this reaches."""
    outline = sources.outline(file)
    return outline.begins_for(names), tuple(Import(*each) for each in outline.imported_for(names))


def _searched(met: Iterable[Elsewhere]) -> Searched:
    return frozenset((each.file, each.name) for each in met)


def names_searched(sources: Sources, path: str, lookups: Searched) -> Mapping[str, Set[str] | None]:
    """What was looked up in each file, by all that the texts of those that did may mean; None is any name."""
    texts = [sources.asking(path), *map(sources.asking, dict.fromkeys(file for file, _ in lookups))]
    return Text.together(texts).asks_of(lookups)
