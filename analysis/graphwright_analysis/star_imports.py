"""Which files bind the names that star imports bring, found without running any of them.

A file in which a name isn't written can't bind it, so that most files needn't be parsed either.
"""

from __future__ import annotations

import re
from collections import deque
from contextlib import suppress

from .immutability import immutable
from .imports import Import
from .project_files import refuse_long
from .queries import question
from .sources import Sources
from .tracing import FlowCache, StarLookup, imports_in
from .user_files import Unreadable

MOST_FILES = 256
"""How many files are searched for one name before it is unknown."""
_MOST_TEXTS = 512
_STAR = re.compile(r"\bimport[ \t\\\n]*\*")


@immutable
class _SearchedText:
    text: str
    has_stars: bool


@immutable
class _Top:
    """What the top level of a file binds, as it is written."""

    names: frozenset[str]
    stars: tuple[Import, ...]


@question()
def binders_of(sources: Sources, file: str, stars: tuple[Import, ...], name: str) -> StarLookup:
    """The files that bind a name which star imports in a file may bring, the nearest on each way."""
    pending, searched = deque([(file, stars)]), dict[str, None]()
    binding, outside = dict[str, None](), set[frozenset[str]]()
    while pending:
        here, stars = pending.popleft()
        modules = [(each, Import(each.module, each.level, None)) for each in stars]
        reached = [(each, sources.destination_in_project(here, module)) for each, module in modules]
        outside.add(frozenset(each.absolute for each, there in reached if there is None))
        for found in [there.file for _, there in reached if there is not None]:
            if found in searched or found == file:
                continue
            if len(searched) == MOST_FILES:
                return StarLookup((), searched=tuple(searched), is_cut=True)
            searched[found] = None
            sources.check_cancelled()
            binds, further = _top_of(sources, found, name)
            if binds:
                binding[found] = None
            elif further:
                pending.append((found, further))
    return StarLookup(tuple(binding), frozenset(outside), tuple(searched))


@question()
def _top_of(sources: Sources, path: str, name: str) -> tuple[bool, tuple[Import, ...]]:
    """Whether a file binds a name itself, and its star imports."""
    with suppress(Unreadable):
        searched = _searched(sources, path)
        if name in searched.text or searched.has_stars:
            top = _top(sources, path)
            return name in top.names, top.stars
    return False, ()


@question(_MOST_TEXTS)
def _searched(sources: Sources, path: str) -> _SearchedText:
    text = sources.text(path)
    refuse_long(path, text)
    return _SearchedText(text, _STAR.search(text) is not None)


@question()
def _top(sources: Sources, path: str) -> _Top:
    module, flow = sources.module(path), FlowCache()
    names = frozenset(name for piece in module.pieces for name in flow.names_in(piece))
    return _Top(names, tuple(imported for name, imported in imports_in(module, flow) if name == "*"))
