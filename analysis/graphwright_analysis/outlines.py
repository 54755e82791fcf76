"""What of a file counts for those that import it, so that a change in it concerns only those that it can reach.

An outline is made by the tracing, which knows what running a file leaves behind, and kept under the file's digest.
Two versions of a file are the same to an importer where the same parts of both count for it.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import NamedTuple


class Part(NamedTuple):
    """A top-level statement: the names that it binds, those of the file's that it mentions, and its code."""

    names: tuple[str, ...]
    mentions: tuple[str, ...] | None
    """None where it may use any."""
    code: str
    """A digest."""
    always: bool
    """Whether running it may change more than the names that it binds."""


class Outline(NamedTuple):
    """The parts of a file in their order, and what counts of the file whatever is asked of it."""

    whole: tuple[str | bool, ...]
    imports: tuple[tuple[str, str, int, str | None], ...]
    """The names that it has from elsewhere, each with the module, level and name that are asked for."""
    parts: tuple[Part, ...]

    def counting_for(self, asked: Set[str] | None) -> object:
        """All of it that may count for whoever asks for these names, or for any."""
        defining: dict[str, list[int]] = {}
        for index, part in enumerate(self.parts):
            for name in part.names:
                defining.setdefault(name, []).append(index)
        pending = [index for index, part in enumerate(self.parts) if asked is None or part.always]
        pending += [index for name in defining.keys() & (asked or ()) for index in defining[name]]
        mentioned, found = set[str](), set[int]()
        while pending:
            index = pending.pop()
            if index not in found:
                found.add(index)
                mentions = self.parts[index].mentions
                if mentions is None:
                    pending += range(len(self.parts))
                else:
                    mentioned.update(mentions)
                    pending += (at for name in mentions for at in defining.get(name, ()))
        imported = [each for each in self.imports if asked is None or each[0] in asked or each[0] in mentioned]
        return self.whole, imported, sorted(mentioned), [self.parts[index].code for index in sorted(found)]


class Text:
    """What a text may ask of the files that it imports."""

    def __init__(self, text: str) -> None:
        by_name = _BY_CONSTANT_NAME.findall(text)
        self._words = words_in(text)
        self._attributes = frozenset(_ATTRIBUTE.findall(text)).union(by_name)
        self._computes_names = len(_BY_NAME.findall(text)) > len(by_name)

    def asks(self, name: str | None) -> frozenset[str] | None:
        """The names that it may ask for of a file of which it has this name, or the file itself; None for any."""
        if not self._words.isdisjoint(_ANY_NAME):
            return None
        if name is None:
            return None if self._computes_names else self._attributes
        return self._words if name == "*" else frozenset({name})


def words_in(text: str) -> frozenset[str]:
    """Everything in a text that may be a name, strings and comments included."""
    return frozenset(_WORD.findall(text))


def names_among(words: Set[str], names: Set[str]) -> tuple[str, ...] | None:
    """Those of the names that are among the words of a text, in order; None where any may be meant."""
    return tuple(sorted(words & names)) if words.isdisjoint(_ANY_NAME) else None


_WORD = re.compile(r"[^\W\d]\w*")
_ANY_NAME = frozenset(
    {"globals", "locals", "vars", "eval", "exec", "__dict__", "__globals__", "modules", "inspect", "import_module"}
)
"""Words by which code may get at names that aren't in its text."""
_ATTRIBUTE = re.compile(r"\.(?:\s|\\\n|#[^\n]*\n)*([^\W\d]\w*)")
_BY_NAME = re.compile(r"\b(?:get|set|has|del)attr\b")
_BY_CONSTANT_NAME = re.compile(r"""\b(?:get|set|has|del)attr\(\s*[\w.]+\s*,\s*["'](\w+)["']\s*[,)]""")
