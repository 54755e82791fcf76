"""The parts of a file that matter to its importers, so that a change affects only what it can reach.

The tracing creates an outline, because it knows the exports of a file, and stores it under the file's digest. Two
versions of a file are the same for an importer if the same parts of both matter to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from .immutability import immutable
from .imports import Import, leads_outside


class Interest(str, Enum):
    """Why a file looks up names in another one."""

    RUNS = "runs"
    """It runs what they refer to."""
    BEGINS = "begins"
    """A graph may begin there."""


class Part(NamedTuple):
    """A top-level statement: the names that it binds, the file's names that it mentions, and its code."""

    names: tuple[str, ...]
    """`*` is any name that an import may have bound."""
    mentions: tuple[str, ...] | None
    """None if it may use any name."""
    uses: tuple[str, ...] | None
    """The mentioned names used when the file runs, not in calls of what it defines; None if these may be any."""
    bases: tuple[str, ...]
    """The bases from which a class inherits its methods."""
    code: str
    """A digest."""
    effects: bool
    """True if running it may change more than the names that it binds."""
    begins: bool
    """True if something in it may be traced without a caller."""
    fixed: bool
    """True if nothing changes what it binds: it is an import, or a function that stores nothing and is only called."""


@immutable(slots=False)
class Outline:
    """The parts of a file in order, and what always matters."""

    patched: tuple[str, ...]
    """The attributes that it stores on TensorFlow's classes."""
    imports: tuple[tuple[str, str, int, str | None], ...]
    """The imported names, each with its module, level and original name."""
    parts: tuple[Part, ...]

    def fingerprint(self, interest: Interest, names: Set[str] | None) -> object:
        """A value that changes only if something changes that matters to the interest in these names, or any."""
        return self.run_fingerprint(names) if interest is Interest.RUNS else self.begin_fingerprint(names)

    def run_fingerprint(self, names: Set[str] | None) -> object:
        """Everything that may matter to code that requests these names, or any, and runs what they refer to.

        The names that a function or method mentions are requested when it runs, so only the names count here.
        """
        reached = self._reached(names, self._defined_with)
        mentioned = sorted(_mentioned_in(reached))
        return self.patched, self._imports_in(reached, names), mentioned, [part.code for part in reached]

    def begin_fingerprint(self, names: Set[str] | None) -> object:
        """Everything that determines whether a graph may begin in code reachable from these names, or any."""
        return self.begins_for(names), self.imported_for(names)

    def imported_for(self, names: Set[str] | None) -> Iterable[tuple[str, int, str | None]]:
        """The imports that code reaches by requesting these names, or any."""
        return [each[1:] for each in self._imports_in(self._reached(names, self._followed), names)]

    def begins_for(self, names: Set[str] | None) -> bool:
        """True if a graph may begin in code reachable from these names, or from any."""
        return any(part.begins for part in self._reached(names, self._followed))

    def _imports_in(self, parts: Sequence[Part], names: Set[str] | None) -> list[tuple[str, str, int, str | None]]:
        """The imports that the parts mention, or that are requested themselves."""
        anything = names is None or any(part.mentions is None for part in parts)
        mentioned = {"*", *_mentioned_in(parts), *(names or ())}
        return [each for each in self.imports if anything or each[0] in mentioned]

    def _reached(self, names: Set[str] | None, along: Callable[[Iterable[int]], set[int]]) -> list[Part]:
        """The parts reachable from these names: their definitions and what those lead to.

        A part with effects is included if it can reach any of the others, because it may have changed them.
        """
        # What uses any name may as well set it.
        if names is None or any(part.effects and part.mentions is None for part in self.parts):
            return list(self.parts)
        found = along(self._defining([*names, "*"])) | self._outward
        waiting = self._effects
        while touching := [reach for reach, changeable in waiting if not found.isdisjoint(changeable)]:
            waiting = [each for each in waiting if found.isdisjoint(each[1])]
            found = found.union(*touching)
        return [self.parts[index] for index in sorted(found)]

    def _defined_with(self, begin: Iterable[int]) -> set[int]:
        """The parts, and those that the file needs to run to define them."""
        pending, found, used = list(begin), set[int](), set[str]()
        while pending:
            index = pending.pop()
            if index not in found:
                found.add(index)
                part = self.parts[index]
                used.update(part.uses or ())
                pending += range(len(self.parts)) if part.uses is None else self._defining(part.bases)
        return found | self._followed(self._defining(used))

    def _followed(self, begin: Iterable[int]) -> set[int]:
        """The parts, and those that define the names mentioned in them."""
        pending, found = list(begin), set[int]()
        while pending:
            index = pending.pop()
            if index not in found:
                found.add(index)
                mentions = self.parts[index].mentions
                pending += range(len(self.parts)) if mentions is None else self._defining(mentions)
        return found

    def _defining(self, names: Iterable[str]) -> Iterator[int]:
        return (index for name in names for index in self._by_name.get(name, ()))

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for index, part in enumerate(self.parts):
            for name in part.names:
                found.setdefault(name, []).append(index)
        return found

    @cached_property
    def _outward(self) -> set[int]:
        """The parts with effects on imported objects, which they may change for all files."""
        inside = {
            bound for bound, module, level, name in self.imports if not leads_outside(Import(module, level, name))
        }
        changing = (reach for reach, _ in self._effects)
        return {
            index
            for reach in changing
            if not inside.isdisjoint(_mentioned_in(self.parts[each] for each in reach))
            for index in reach
        }

    @cached_property
    def _effects(self) -> list[tuple[Set[int], Set[int]]]:
        """For each part with effects, what it can reach and which of that it may change."""
        changeable = frozenset(index for index, part in enumerate(self.parts) if not part.fixed)
        reached = [self._followed([index]) for index, part in enumerate(self.parts) if part.effects]
        return [(each, each & changeable) for each in reached]


def _mentioned_in(parts: Iterable[Part]) -> Set[str]:
    return {name for part in parts for name in part.mentions or ()}


@immutable
class Text:
    """What a text may look up in the files that it imports."""

    words: tuple[Set[str], ...]
    """The words of each part separately; the union is rarely needed."""
    attributes: tuple[Set[str], ...]
    computes_names: bool
    asks_any: bool
    """True if it may look up names that aren't in its text."""

    @staticmethod
    def of(text: str) -> Text:
        by_name, words = _BY_CONSTANT_NAME.findall(text), words_in(text)
        attributes = frozenset(_ATTRIBUTE.findall(text)).union(by_name)
        computes_names = len(_BY_NAME.findall(text)) > len(by_name)
        return Text((words,), (attributes,), computes_names, not words.isdisjoint(_ANY_NAME_OF_A_MODULE))

    @staticmethod
    def together(texts: Sequence[Text]) -> Text:
        """Return what any of the texts may look up."""
        words = tuple(part for each in texts for part in each.words)
        attributes = tuple(part for each in texts for part in each.attributes)
        return Text(words, attributes, any(each.computes_names for each in texts), any(each.asks_any for each in texts))

    def asks(self, name: str | None) -> frozenset[str] | None:
        """The names that it may look up in a file imported under this name; None for any."""
        if self.asks_any or (name is None and self.computes_names):
            return None
        if name is None or name == "*":
            return frozenset[str]().union(*(self.attributes if name is None else self.words))
        return frozenset({name})

    def asks_of(self, lookups: Iterable[tuple[str, str | None]]) -> dict[str, Set[str] | None]:
        """The names that it may look up in files of which it has these names."""
        meant, found = dict[str | None, "frozenset[str] | None"](), dict[str, Set[str] | None]()
        for file, name in lookups:
            if name not in meant:
                meant[name] = self.asks(name)
            names, known = meant[name], found.get(file, frozenset[str]())
            # One name's set serves all files: most have no other.
            found[file] = None if names is None or known is None else known | names if known else names
        return found


def words_in(text: str) -> frozenset[str]:
    """All words in a text that may be a name, including those in strings and comments."""
    return frozenset(_WORD.findall(text))


def names_among(words: Set[str], names: Set[str]) -> tuple[str, ...] | None:
    """The names that are among the words of a text, sorted; None if any name may be meant."""
    return tuple(sorted(words & names)) if words.isdisjoint(_ANY_NAME) else None


_WORD = re.compile(r"[^\W\d]\w*")
_ANY_NAME_OF_A_MODULE = frozenset({"vars", "eval", "exec", "__dict__", "__globals__"})
_ANY_NAME = _ANY_NAME_OF_A_MODULE | {"globals"}
"""Words by which code may look up names that aren't in its text."""
_ATTRIBUTE = re.compile(r"\.(?:\s|\\\n|#[^\n]*\n)*([^\W\d]\w*)")
_BY_NAME = re.compile(r"\b(?:get|set|has|del)attr\b")
_BY_CONSTANT_NAME = re.compile(r"""\b(?:get|set|has|del)attr\(\s*[\w.]+\s*,\s*["'](\w+)["']\s*[,)]""")
