"""Random programs that change lists, dicts and objects under two names, in loops and branches that a tensor leaves.

Not all can be converted, so a program may be refused; none may give another value. It runs none.
"""

from __future__ import annotations

import random
import re

from random_sources import Compound, Drawn


def draw(seed: int) -> Drawn:
    """The seed's program."""
    return _Writer(random.Random(f"changes {seed}")).program()


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.in_turn = False

    def program(self) -> Drawn:
        body = [*_SETUP, *self.changes(1)]
        for _ in range(self.rng.choice((1, 1, 2))):
            body.append(self.loop() if self.rng.random() < 0.75 else self.branch())
            body += self.changes(1)
        return Drawn({}, (*body, _RESULT), _PREAMBLE)

    def loop(self, counter: str = "i") -> Compound:
        head, setup, step = self.rng.choice(_LOOPS)
        before, self.in_turn = self.in_turn, True
        leave = self.rng.choice(("break", "break", "break", "continue", _RESULT))
        left = Compound((((f"if {self.test()}:",), (*self.changes(1), leave)),))
        body = (*self.changes(3), left, *self.changes(2))
        if not before and self.rng.random() < 0.15:
            body = (*body, self.loop("j"))
        self.in_turn = before
        counted = [re.sub(r"\bi\b", counter, line) for line in (*setup, head, *step)]
        parts = [(tuple(counted[: len(setup) + 1]), (*counted[len(setup) + 1 :], *body))]
        if self.rng.random() < 0.15:
            parts.append((("else:",), tuple(self.changes(1))))
        return Compound(tuple(parts))

    def branch(self) -> Compound:
        leave = (_RESULT,) if self.rng.random() < 0.3 else ()
        parts = [((f"if {self.test()}:",), (*self.changes(2), *leave))]
        if self.rng.random() < 0.6:
            parts.append((("else:",), tuple(self.changes(2))))
        return Compound(tuple(parts))

    def changes(self, most: int) -> list[str | Compound]:
        made: list[str | Compound] = []
        for _ in range(self.rng.randint(0, most)):
            change = self.rng.choice(_CHANGES).replace("$", self.value())
            guarded = self.in_turn and self.rng.random() < 0.1
            made.append(Compound((((f"if {self.test()}:",), (change,)),)) if guarded else change)
        return made

    def value(self) -> str:
        return self.rng.choice((*_VALUES, *(("i", "i + 1", "m + i") if self.in_turn else ())))

    def test(self) -> str:
        return self.rng.choice((*_TESTS, *(("m > i", "m == i", "m > i and i > 0") if self.in_turn else ())))


_PREAMBLE = """from collections import deque

import tensorflow as tf


class Held:
    def __init__(self):
        self.items = [0, 1]
        self.n = 0


def put(d, value):
    d["k"] = value


def push(xs, value):
    xs.append(value)
    return len(xs)
"""
_SETUP = (
    'd = {"k": 1, "t": 2}',
    "e = d",
    "xs = [0, 5]",
    "ys = xs",
    "a = 1",
    'row = [d, {"k": 4, "t": 3}]',
    "grid = [[0, 1], [2, 3]]",
    "q = deque([1, 2], maxlen=3)",
    "o = Held()",
    'def set_d(value):\n    d["t"] = value',
)
_RESULT = "return d, e, xs, ys, a, row, grid, list(q), o.items, o.n"
_CHANGES = (
    'd["k"] = $',
    "xs[0] = $",
    "xs.append($)",
    "a = $",
    'd = {"k": $, "t": a}',
    "put(d, $)",
    'row[0]["k"] = $',
    'e["t"] = $',
    "d.update(k=$)",
    "push(xs, $)",
    "o.items[0] = $",
    "o.n = $",
    'd["t"] += 1',
    "xs = [a, $]",
    "grid[0][1] = $",
    "ys.append($)",
    "q.append($)",
    "set_d($)",
    "a += 1",
)
_VALUES = ("7", "m", 'd["k"]', "xs[0]", "len(xs)", "a")
_TESTS = ("m > 2", 'd["k"] > m', "a > m", "len(xs) > m")
_LOOPS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("for i in range(3):", (), ()),
    ("for i in range(4):", (), ()),
    ("for i in (1, 0, 2):", (), ()),
    ("while i < 3:", ("i = -1",), ("i += 1",)),
    ("for i in tf.range(3):", (), ()),
    ("while i < n % 4:", ("i = 0",), ("i += 1",)),
)
