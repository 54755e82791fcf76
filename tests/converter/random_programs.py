"""Draws small random programs of nested control flow and holds three ways of running them against each other.

A name keeps its kind (whole number, float, flag, list of whole numbers, pair), loops have counters of their own, and
numbers stay small, so no program is refused, loops for ever or overflows. One seed is run again, shrunk, by

    python tests/converter/random_programs.py SEED [SEED ...]
"""

from __future__ import annotations

import importlib.util
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import differential
import numpy as np
import tensorflow as tf

PARAMETERS = ("n", "m", "x", "y", "v")
SIGNATURE = [
    tf.TensorSpec([], tf.int32),
    tf.TensorSpec([], tf.int32),
    tf.TensorSpec([], tf.float32),
    tf.TensorSpec([], tf.float32),
    tf.TensorSpec([None], tf.int32),
]
CALLS = ((3, 5, 1.5, -0.25, (2, 7, 4)), (4, 0, -2.0, 3.0, ()), (-3, 9, 0.5, 0.5, (6,)))


@dataclass(frozen=True)
class Compound:
    """An if, a for or a while: each part is its lines up to the body, and the body."""

    parts: tuple[tuple[tuple[str, ...], Block], ...]


Block = tuple[str | Compound, ...]


def draw(seed: int) -> Block:
    """The body of the seed's program."""
    return _Writer(random.Random(seed)).program()


def source(body: Block) -> str:
    lines = "\n".join(_lines(body, "    "))
    return f"import tensorflow as tf\n\n\ndef program({', '.join(PARAMETERS)}):\n{lines}\n"


def _lines(block: Block, indent: str) -> Iterator[str]:
    for statement in block or ("pass",):
        if isinstance(statement, str):
            yield indent + statement
            continue
        for head, body in statement.parts:
            yield from (indent + line for line in head)
            yield from _lines(body, indent + "    ")


def disagreement(body: Block, subject: differential.Subject, folder: Path, name: str) -> str | None:
    """What the converted program does differently, or None. A program that fails as written raises."""
    function = load(source(body), folder, name)
    wanted = [_plain(function(*_arguments(call))) for call in CALLS]
    ways = [("graph", lambda f: subject.graph(f, input_signature=SIGNATURE))]
    if subject.eager is not None:
        ways.insert(0, ("converted eager", subject.eager))
    for way, convert in ways:
        try:
            converted = convert(function)
            for call, expected in zip(CALLS, wanted, strict=True):
                seen = _plain(converted(*_arguments(call)))
                if not differential.same(expected, seen):
                    return f"{way}, called with {call}: {seen!r} instead of {expected!r}"
        except Exception as error:
            return f"{way}: {type(error).__name__}: {error}"
    return None


def load(text: str, folder: Path, name: str) -> Callable[..., Any]:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.program


def _arguments(call: Any) -> list[Any]:
    return [tf.constant(np.array(each, spec.dtype.as_numpy_dtype)) for each, spec in zip(call, SIGNATURE, strict=True)]


def _plain(value: Any) -> Any:
    return differential.plain(value)


def shrunk(body: Block, subject: differential.Subject, folder: Path) -> Block:
    """The program with everything left out that isn't needed for it to be converted wrong."""
    tried = 0
    smaller = True
    kind = _kind(disagreement(body, subject, folder, "shrunk_0"))
    while smaller:
        smaller = False
        for candidate in _smaller(body):
            tried += 1
            if tried > 400:
                return body
            try:
                failing = disagreement(candidate, subject, folder, f"shrunk_{tried}")
            except Exception:
                continue
            if failing and _kind(failing) == kind:
                body, smaller = candidate, True
                break
    return body


def _kind(found: str | None) -> str:
    """What stays the same of a failure while its program is made smaller."""
    if found is None or " instead of " in found:
        return "another result"
    return re.sub(r"[^a-z ]|\b\w\b", "", found.partition(": ")[2].lower())[:45]


def _smaller(block: Block) -> Iterator[Block]:
    for at, statement in enumerate(block):
        before, after = block[:at], block[at + 1 :]
        yield before + after
        if isinstance(statement, str):
            continue
        for _, body in statement.parts:
            yield before + body + after
        if len(statement.parts) > 1:
            yield (*before, Compound(statement.parts[:-1]), *after)
        for number, (head, body) in enumerate(statement.parts):
            for less in _smaller(body):
                parts = (*statement.parts[:number], (head, less), *statement.parts[number + 1 :])
                yield (*before, Compound(parts), *after)


class _Writer:
    """Writes one program. `ints`, `floats`, `flags`, `lists` and `pairs` are the names of each kind."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.ints, self.floats, self.flags = ["n", "m", "a", "b"], ["x", "y", "z"], ["done"]
        self.lists = ["xs"] if rng.random() < 0.35 else []
        self.pairs = ["p"] if rng.random() < 0.35 else []
        self.loops = 0
        self.returns = rng.choice(["{i}", "{i}, {x}", "({i}, {x}), {f}", "{x}"])
        self.early = rng.random() < 0.5

    def program(self) -> Block:
        pick = self.rng.choice
        seeds = [f"a = {pick(['0', '1', 'n', 'm + 1'])}", f"b = {pick(['2', '7', 'n - m'])}"]
        seeds += [f"z = {pick(['0.0', '1.5', 'x'])}", f"done = {pick(['False', 'True', 'n > m'])}"]
        seeds += [f"xs = {pick(['[1]', '[a, b]', '[n, 3]'])}" for _ in self.lists]
        seeds += [f"p = {pick(['(a, z)', '(1, 0.5)', '(n, x)'])}" for _ in self.pairs]
        body: list[str | Compound] = list(seeds)
        for _ in range(self.rng.randint(2, 3)):
            body.append(self.compound(2, in_loop=False))
            if self.rng.random() < 0.5:
                body.append(self.simple(in_loop=False))
        shown = ["a", "b", "z", "done", *self.pairs]
        shown += [pick(["len(xs)", "xs[-1]", "sum(xs)", "xs[0]"]) for _ in self.lists]
        body.append("return " + (self.result() if self.early else ", ".join(shown)))
        return tuple(body)

    def result(self) -> str:
        # Parameters and sums of them, so that the kind of a result is the same at every return.
        return self.returns.format(i=self.integer(), x=self.float(), f=self.rng.choice(self.flags))

    def block(self, depth: int, in_loop: bool) -> Block:
        count = self.rng.choice((1, 1, 2, 2, 3))
        statements: list[str | Compound] = []
        for _ in range(count):
            nested = depth > 0 and self.rng.random() < 0.4
            statements.append(self.compound(depth - 1, in_loop) if nested else self.simple(in_loop))
        if in_loop and self.rng.random() < 0.35:
            jump = self.rng.choice(("break", "continue"))
            guarded = Compound((((f"if {self.test()}:",), (jump,)),))
            statements.insert(self.rng.randint(0, len(statements)), guarded)
        if self.early and self.rng.random() < 0.2:
            guarded = Compound((((f"if {self.test()}:",), (f"return {self.result()}",)),))
            statements.insert(self.rng.randint(0, len(statements)), guarded)
        return tuple(statements)

    def compound(self, depth: int, in_loop: bool) -> Compound:
        return self.rng.choice((self.conditional, self.conditional, self.for_loop, self.while_loop))(depth, in_loop)

    def conditional(self, depth: int, in_loop: bool) -> Compound:
        parts = [((f"if {self.test()}:",), self.branch(depth, in_loop))]
        for _ in range(self.rng.choice((0, 0, 0, 1, 2))):
            parts.append(((f"elif {self.test()}:",), self.branch(depth, in_loop)))
        if self.rng.random() < 0.55:
            parts.append((("else:",), self.branch(depth, in_loop)))
        return Compound(tuple(parts))

    def branch(self, depth: int, in_loop: bool) -> Block:
        block = self.block(depth, in_loop)
        if in_loop and self.rng.random() < 0.15:
            return (*block, self.rng.choice(("break", "continue")))
        if self.early and self.rng.random() < 0.12:
            return (*block, f"return {self.result()}")
        return block

    def for_loop(self, depth: int, in_loop: bool) -> Compound:
        self.loops += 1
        item = self.rng.choice([f"i{self.loops}", f"i{self.loops}", "a", "b"])
        over = ["range(n % 4)", "tf.range(m % 3)", "range(3)", "v", "v", "range(1, m % 5)", "(2, 5)"]
        if self.lists and not in_loop:
            over.append("xs")
        chosen = self.rng.choice(over)
        head = (f"for {item} in {chosen}:",)
        self.ints.append(item)
        lists, self.lists = self.lists, [] if chosen == "xs" else self.lists  # it would grow for ever
        body = self.block(depth, in_loop=True)
        self.lists = lists
        self.ints.pop()
        return self.with_else(head, body, depth, in_loop)

    def while_loop(self, depth: int, in_loop: bool) -> Compound:
        self.loops += 1
        counter, limit = f"w{self.loops}", self.rng.randint(1, 4)
        test = self.rng.choice((f"{counter} < {limit}", f"{counter} < {limit} and {self.test()}", "True"))
        head = [f"{counter} = 0", f"while {test}:"]
        if test == "True":
            head += [f"    if {counter} >= {limit} or {self.test()}:", "        break"]
        head.append(f"    {counter} += 1")
        return self.with_else(tuple(head), self.block(depth, in_loop=True), depth, in_loop)

    def with_else(self, head: tuple[str, ...], body: Block, depth: int, in_loop: bool) -> Compound:
        if self.rng.random() < 0.15:
            return Compound(((head, body), (("else:",), self.block(min(depth, 0), in_loop))))
        return Compound(((head, body),))

    def simple(self, in_loop: bool) -> str:
        kinds = [self.set_int, self.set_int, self.set_float, self.set_flag]
        kinds += [self.use_list] * (2 * len(self.lists)) + [self.use_pair] * len(self.pairs)
        return self.rng.choice(kinds)(in_loop)

    def set_int(self, in_loop: bool) -> str:
        name, other = self.rng.choice(("a", "b")), self.rng.choice(self.ints)
        number = self.rng.randint(1, 9)
        texts = [f"{name} += {number}", f"{name} -= {number}", f"{name} = {other}", "a, b = b, a"]
        texts += [f"{name} = ({name} * {number} + {other}) % 17", f"{name} = {number} if {self.test()} else {other}"]
        texts += [f"{name} = ({name} + {other}) % 11", f"{name} = {other} - {number}"]
        return self.rng.choice(texts)

    def set_float(self, in_loop: bool) -> str:
        number = self.rng.choice((0.25, 0.5, 1.0))
        texts = [f"z += {number}", f"z = x - {number}", "z = -z", "z = y", f"z = {self.float()}"]
        texts += [f"z = {self.float()} if {self.test()} else {number}"]
        if not in_loop:
            texts += ["z = z * 0.5 + x", "z = (x + y) * 0.5"]
        return self.rng.choice(texts)

    def set_flag(self, in_loop: bool) -> str:
        return f"done = {self.rng.choice(('True', 'False', 'not done', self.comparison(), self.comparison()))}"

    def use_list(self, in_loop: bool) -> str:
        append = f"xs.append({self.rng.choice(self.ints)})"
        return self.rng.choice((append, append, "a = xs[-1]", "b = len(xs)", "a = xs[0]", "b = xs[n % len(xs)]"))

    def use_pair(self, in_loop: bool) -> str:
        texts = ["p = (p[0] + 1, p[1])", "p = (a, z)", "a, z = p", "b = p[0]", f"p = (b, {self.float()})"]
        return self.rng.choice(texts)

    def integer(self) -> str:
        return self.rng.choice((*self.ints, *(f"{name} + {self.rng.randint(1, 5)}" for name in self.ints)))

    def float(self) -> str:
        return self.rng.choice((*self.floats, "x + 0.5", "y - 1.0"))

    def test(self) -> str:
        kind = self.rng.random()
        if kind < 0.12:
            return f"{self.comparison()} and {self.comparison()}"
        if kind < 0.24:
            return f"{self.comparison()} or {self.comparison()}"
        if kind < 0.34:
            return self.rng.choice((f"not ({self.comparison()})", "done", "not done"))
        return self.comparison()

    def comparison(self) -> str:
        pick, number = self.rng.choice, self.rng.randint(0, 6)
        name, other = pick(self.ints), pick(self.ints)
        texts = [f"{name} < {number}", f"{name} > {other}", f"{name} % 2 == 0", f"{name} == {number}"]
        texts += [f"{pick(self.floats)} > {pick(self.floats)}", f"z < {number}.5", f"0 < {name} < {number + 2}"]
        texts += ["len(xs) > 2", f"xs[-1] > {name}"] if self.lists else []
        return pick(texts)


def main(seeds: list[int], subject: differential.Subject) -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            body = draw(seed)
            found = disagreement(body, subject, Path(folder), f"program_{seed}")
            if found:
                wrong += 1
                small = shrunk(body, subject, Path(folder))
                said = disagreement(small, subject, Path(folder), "smallest")
                print(f"seed {seed}: {found}\n{source(body)}\nshrunk: {said}\n{source(small)}", flush=True)
            elif len(seeds) == 1:
                print(source(body))
    print(f"{wrong} of {len(seeds)} programs are converted wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    import graphwright as gw

    sys.exit(main([int(each) for each in sys.argv[1:]], differential.Subject(gw.function, gw.to_graph)))
