"""The TensorFlow files that the servers are probed with, and the one-character edits in them.

They are put together from `pieces.txt`, the same for everybody in every run; nothing is measured here.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from real_edits import Edit

PIECES = Path(__file__).with_name("pieces.txt")
HEAD = '"""A generated training file."""\n\nimport tensorflow as tf\n\n\n'
MARK = "\0"
OTHER = "x"
"""What an edit puts in the place of a digit: the name isn't bound anywhere then."""
PLACES = 10
"""At how many places of a file edits are made, at most."""


@dataclass(frozen=True, slots=True)
class Text:
    """A file, and the offsets of the characters that decide whether a name is bound."""

    text: str
    places: tuple[int, ...]


def text_of(lines: int) -> Text:
    """A file of about so many lines: whole pieces, one after the other."""
    pieces = [piece.strip("\n") for piece in PIECES.read_text("utf-8").split("\n---\n")[1:]]
    count = next(count for count in itertools.count(1) if _joined(pieces, count, 1).count("\n") >= lines)
    marked = next(text for step in itertools.count(1) if (text := _joined(pieces, count, step)).count(MARK) <= PLACES)
    before = marked.split(MARK)[:-1]
    offsets = tuple(sum(map(len, before[: at + 1])) for at in range(len(before)))
    return Text(marked.replace(MARK, ""), offsets)


def _joined(pieces: list[str], count: int, step: int) -> str:
    """So many pieces, with a mark in each of those that edits are made in: one of `step` that have a place."""
    text, places = HEAD, 0
    for number in range(count):
        piece, digits = pieces[number % len(pieces)], str(number)
        edited = "{n!}" in piece and places % step == 0
        places += "{n!}" in piece
        lines = [line.removeprefix("?") for line in piece.splitlines() if not (edited and line.startswith("?"))]
        ending = digits[:-1] + MARK + digits[-1] if edited else digits
        text += "\n".join(lines).replace("{n!}", ending).replace("{n}", digits) + "\n\n\n"
    return text


def edits_of(start: Text, count: int) -> Iterator[Edit]:
    """Edits that break a name, or mend it again, each at a place of its own choice."""
    dice, text = random.Random(0), start.text
    for _ in range(count):
        at = dice.choice(start.places)
        character = start.text[at] if text[at] == OTHER else OTHER
        text = text[:at] + character + text[at + 1 :]
        line = text.count("\n", 0, at)
        place = line, at - (text.rfind("\n", 0, at) + 1)
        yield Edit(place, (line, place[1] + 1), character, text, place)
