"""What of a file counts for those that import it, so that a change in it concerns only those that it can reach.

An outline is made by the tracing, which knows what running a file leaves behind, and kept under the file's digest.
Two versions of a file are the same to an importer where the same parts of both count for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .imports import Import, leads_outside

COUNTS, BEGINS = "counts", "begins"
"""What may be asked of a file about some of its names: what counts in it for whoever runs what they stand for, and
whether a graph may begin in what they lead to."""


class Part(NamedTuple):
    """A top-level statement: the names that it binds, those of the file's that it mentions, and its code."""

    names: tuple[str, ...]
    """`*` stands for any that an import may have bound."""
    mentions: tuple[str, ...] | None
    """None where it may use any."""
    uses: tuple[str, ...] | None
    """Those of them that are used when the file is run, and not when what the part defines is called; None where these
    may be any."""
    bases: tuple[str, ...]
    """Those that a class has its methods from."""
    code: str
    """A digest."""
    effects: bool
    """Whether running it may change more than the names that it binds."""
    begins: bool
    """Whether anything in it may be traced on its own account."""
    fixed: bool
    """Whether nothing changes what it binds: it imports, or is a function that keeps nothing and is only called."""


@dataclass(frozen=True)
class Outline:
    """The parts of a file in their order, and what counts of the file whatever is asked of it."""

    patched: tuple[str, ...]
    """The attributes that it stores on TensorFlow's classes."""
    imports: tuple[tuple[str, str, int, str | None], ...]
    """The names that it has from elsewhere, each with the module, level and name that are asked for."""
    parts: tuple[Part, ...]

    def answer(self, question: str, asked: Set[str] | None) -> object:
        """What there is to say of these names, or of any; it stays the same where nothing that counts is changed."""
        return self.counting_for(asked) if question == COUNTS else self.beginning_for(asked)

    def counting_for(self, asked: Set[str] | None) -> object:
        """All of it that may count for whoever asks for these names, or for any, and runs what they stand for.

        What a function or method mentions is asked for when it's run, so only the names count here.
        """
        reached = self._reached(asked, self._defined_with)
        mentioned = sorted(_mentioned_in(reached))
        return self.patched, self._imports_in(reached, asked), mentioned, [part.code for part in reached]

    def beginning_for(self, asked: Set[str] | None) -> object:
        """All of it that tells whether a graph may begin in what whoever asks for these names, or for any, gets hold
        of, be it in other files."""
        return self.begins_for(asked), self.imported_for(asked)

    def imported_for(self, asked: Set[str] | None) -> Iterable[tuple[str, int, str | None]]:
        """What the file imports that whoever asks for these names, or for any, gets hold of."""
        return [each[1:] for each in self._imports_in(self._reached(asked, self._followed), asked)]

    def begins_for(self, asked: Set[str] | None) -> bool:
        """Whether a graph may begin in what whoever asks for these names, or for any, gets hold of."""
        return any(part.begins for part in self._reached(asked, self._followed))

    def _imports_in(self, parts: Sequence[Part], asked: Set[str] | None) -> list[tuple[str, str, int, str | None]]:
        """The imports that parts mention, or that are asked for themselves."""
        anything = asked is None or any(part.mentions is None for part in parts)
        names = {"*", *_mentioned_in(parts), *(asked or ())}
        return [each for each in self.imports if anything or each[0] in names]

    def _reached(self, asked: Set[str] | None, along: Callable[[Iterable[int]], set[int]]) -> list[Part]:
        """The parts that whoever asks for these names gets hold of, from those that define them along what these lead
        to.

        What has effects is among them where it gets at any of the others: it may have changed them.
        """
        # What uses any name may as well set it.
        if asked is None or any(part.effects and part.mentions is None for part in self.parts):
            return list(self.parts)
        found = along(self._defining([*asked, "*"])) | self._outward
        waiting = self._effects
        while touching := [reach for reach, changeable in waiting if not found.isdisjoint(changeable)]:
            waiting = [each for each in waiting if found.isdisjoint(each[1])]
            found = found.union(*touching)
        return [self.parts[index] for index in sorted(found)]

    def _defined_with(self, begin: Iterable[int]) -> set[int]:
        """Parts, with those that running the file needs to define them."""
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
        """Parts, with those that define what is mentioned in them."""
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
        """The parts with effects that get at what is imported, which they may change for everybody."""
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
        """What each part that has effects gets at, and what of that it may change."""
        changeable = frozenset(index for index, part in enumerate(self.parts) if not part.fixed)
        reached = [self._followed([index]) for index, part in enumerate(self.parts) if part.effects]
        return [(each, each & changeable) for each in reached]


def _mentioned_in(parts: Iterable[Part]) -> Set[str]:
    return {name for part in parts for name in part.mentions or ()}


@dataclass(frozen=True, slots=True)
class Text:
    """What a text may ask of the files that it imports."""

    words: tuple[Set[str], ...]
    """Those of its parts, each for itself: which they are altogether is seldom asked."""
    attributes: tuple[Set[str], ...]
    computes_names: bool
    asks_any: bool
    """Whether it may get at names that aren't in it."""

    @staticmethod
    def of(text: str) -> Text:
        by_name, words = _BY_CONSTANT_NAME.findall(text), words_in(text)
        attributes = frozenset(_ATTRIBUTE.findall(text)).union(by_name)
        computes_names = len(_BY_NAME.findall(text)) > len(by_name)
        return Text((words,), (attributes,), computes_names, not words.isdisjoint(_ANY_NAME_OF_A_MODULE))

    @staticmethod
    def together(texts: Sequence[Text]) -> Text:
        """What any of them may ask."""
        words = tuple(part for each in texts for part in each.words)
        attributes = tuple(part for each in texts for part in each.attributes)
        return Text(words, attributes, any(each.computes_names for each in texts), any(each.asks_any for each in texts))

    def asks(self, name: str | None) -> frozenset[str] | None:
        """The names that it may ask for of a file of which it has this name, or the file itself; None for any."""
        if self.asks_any or (name is None and self.computes_names):
            return None
        if name is None or name == "*":
            return frozenset[str]().union(*(self.attributes if name is None else self.words))
        return frozenset({name})

    def asks_of(self, asked: Iterable[tuple[str, str | None]]) -> dict[str, Set[str] | None]:
        """The names that it may ask for of files, of each of which it has some names, or the file itself."""
        meant, found = dict[str | None, "frozenset[str] | None"](), dict[str, Set[str] | None]()
        for file, name in asked:
            if name not in meant:
                meant[name] = self.asks(name)
            names, known = meant[name], found.get(file, frozenset[str]())
            # One name's set serves all files: most have no other.
            found[file] = None if names is None or known is None else known | names if known else names
        return found


def words_in(text: str) -> frozenset[str]:
    """Everything in a text that may be a name, strings and comments included."""
    return frozenset(_WORD.findall(text))


def names_among(words: Set[str], names: Set[str]) -> tuple[str, ...] | None:
    """Those of the names that are among the words of a text, in order; None where any may be meant."""
    return tuple(sorted(words & names)) if words.isdisjoint(_ANY_NAME) else None


_WORD = re.compile(r"[^\W\d]\w*")
_ANY_NAME_OF_A_MODULE = frozenset({"vars", "eval", "exec", "__dict__", "__globals__"})
_ANY_NAME = _ANY_NAME_OF_A_MODULE | {"globals"}
"""Words by which code may get at names that aren't in its text."""
_ATTRIBUTE = re.compile(r"\.(?:\s|\\\n|#[^\n]*\n)*([^\W\d]\w*)")
_BY_NAME = re.compile(r"\b(?:get|set|has|del)attr\b")
_BY_CONSTANT_NAME = re.compile(r"""\b(?:get|set|has|del)attr\(\s*[\w.]+\s*,\s*["'](\w+)["']\s*[,)]""")
