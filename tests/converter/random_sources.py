"""Draws the source of small random programs of nested control flow. It runs none.

A name keeps its kind (whole number, float, flag, list, pair, ...), loops have counters of their own, and numbers stay
small, so no program is refused, loops for ever or overflows. What a program costs to trace is bounded by a budget of
constructs that become part of a graph; each program has two or three of the features besides nested control flow.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PARAMETERS = ("n", "m", "x", "y", "v")
PREAMBLE = """import tensorflow as tf


class State:
    def __init__(self):
        self.count = 0
        self.size = 0.5
"""


@dataclass(frozen=True)
class Compound:
    """A statement with bodies: each part is its lines up to the body, and the body."""

    parts: tuple[tuple[tuple[str, ...], Block], ...]


Block = tuple[str | Compound, ...]


@dataclass(frozen=True)
class Drawn:
    """A program; those parameters of it that stay Python values have them as their defaults."""

    python: dict[str, str]
    body: Block
    preamble: str = PREAMBLE


def draw(seed: int) -> Drawn:
    """The seed's program."""
    rng = random.Random(seed)
    return Writer(rng, rng.sample(sorted(FEATURES), rng.choice((2, 3, 3, 4)))).program()


def source(drawn: Drawn) -> str:
    lines = "\n".join(_lines(drawn.body, "    "))
    given = [name for name in PARAMETERS if name not in drawn.python]
    parameters = [*given, *(f"{name}={value}" for name, value in drawn.python.items())]
    return f"{drawn.preamble}\n\ndef program({', '.join(parameters)}):\n{lines}\n"


def _lines(block: Block, indent: str) -> Iterator[str]:
    for statement in block or ("pass",):
        if isinstance(statement, str):
            yield from (indent + line for line in statement.splitlines())
            continue
        for head, body in statement.parts:
            yield from (indent + line for line in head)
            yield from _lines(body, head_indent(head, indent))


def head_indent(head: tuple[str, ...], indent: str) -> str:
    """The body of `case` stands deeper than that of `match`."""
    return indent + ("        " if head[-1].startswith("    case") else "    ")


FEATURES = {
    "list": "xs = [a, 3]",
    "pair": "p = (a, z)",
    "dict": 'd = {"k": 1, "t": 0.25}',
    "object": "s = State()",
    "nonlocal": "def bump(k):\n    nonlocal a\n    a = (a + k) % 13",
    "choice": "def larger(k):\n    if k > a:\n        return k\n    return a + 1",
    "none": "best = None",
    "late": "seen = False",
    "flag": "done = n > m",
    "second": "b = n - m",
    "match": "",
    "walrus": "",
    "comprehension": "",
    "try": "",
    "assert": "",
    "else": "",
}


class Writer:
    """Writes one program. `ints` and `floats` are the names that can be read; `budget` is what may still be staged."""

    def __init__(self, rng: random.Random, features: Iterable[str]) -> None:
        self.rng = rng
        self.features = set(features)
        self.ints = ["n", "m", "a"] + ["b"] * ("second" in self.features)
        self.set_ints = ["a"] + ["b"] * ("second" in self.features)
        self.floats = ["x", "y", "z"]
        self.loops = 0
        self.budget, self.turns = rng.choice((2, 3, 3, 4)), 1
        self.early = rng.random() < 0.5
        self.has_late = False
        self.returns = rng.choice(["{i}", "{i}, {x}", "({i}, {x}), {i}", "{x}"])

    def program(self) -> Drawn:
        pick = self.rng.choice
        python = {"n": "4", "m": "2", "x": "1.5", "y": "-0.5"}
        kept = self.rng.sample(sorted(python), pick((0, 0, 1, 1, 2, 3)))
        body: list[str | Compound] = [f"a = {pick(['0', '1', 'n', 'm + 1'])}", f"z = {pick(['0.0', '1.5', 'x'])}"]
        body += [FEATURES[each] for each in sorted(self.features) if FEATURES[each]]
        body.append(self.compound(2, in_loop=False))
        while self.budget > 0:
            body.append(self.compound(2, in_loop=False) if self.rng.random() < 0.6 else self.simple(in_loop=False))
        body.append("return " + (self.result() if self.early else self.shown()))
        return Drawn({name: python[name] for name in sorted(kept)}, tuple(body))

    def spend(self, constructs: int) -> None:
        """Each turn of a loop that Python runs is traced."""
        self.budget -= constructs * self.turns

    def shown(self) -> str:
        """All that the program has changed."""
        pick = self.rng.choice
        shown = ["a", "z", *self.set_ints[1:]]
        more = {
            "list": pick(["len(xs)", "xs[-1]", "sum(xs)", "xs"]),
            "pair": "p",
            "dict": pick(["d", 'd["k"]']),
            "object": "s.count, s.size",
            "none": "-1 if best is None else best",
            "late": "late if seen else -2",
            "flag": "done",
        }
        if not self.has_late:
            del more["late"]
        return ", ".join([*shown, *(text for name, text in more.items() if name in self.features)])

    def result(self) -> str:
        """Of the same kind at every return."""
        return self.returns.format(i=self.integer(), x=self.float())

    def block(self, depth: int, in_loop: bool) -> Block:
        statements: list[str | Compound] = []
        for _ in range(self.rng.choice((1, 1, 2, 2, 3))):
            nested = depth > 0 and self.budget > 0 and self.rng.random() < 0.5
            statements.append(self.compound(depth - 1, in_loop) if nested else self.simple(in_loop))
        jumps = ["break", "continue"] * in_loop + [f"return {self.result()}"] * self.early
        if jumps and self.rng.random() < 0.35:
            guarded = Compound((((f"if {self.test()}:",), (self.rng.choice(jumps),)),))
            self.spend(1)
            statements.insert(self.rng.randint(0, len(statements)), guarded)
        return tuple(statements)

    def compound(self, depth: int, in_loop: bool) -> Compound:
        kinds = [self.conditional, self.conditional, self.for_loop, self.for_loop, self.while_loop]
        kinds += [self.match] * ("match" in self.features) + [self.tried] * ("try" in self.features)
        kinds += [self.late] * ("late" in self.features) + [self.sought] * 2 * ("none" in self.features)
        return self.rng.choice(kinds)(depth, in_loop)

    def conditional(self, depth: int, in_loop: bool) -> Compound:
        self.spend(1)
        parts = [((f"if {self.test()}:",), self.branch(depth, in_loop))]
        for _ in range(self.rng.choice((0, 0, 0, 1))):
            self.spend(1)
            parts.append(((f"elif {self.test()}:",), self.branch(depth, in_loop)))
        if self.rng.random() < 0.5:
            parts.append((("else:",), self.branch(depth, in_loop)))
        return Compound(tuple(parts))

    def branch(self, depth: int, in_loop: bool) -> Block:
        block = self.block(depth, in_loop)
        jumps = ["break", "continue"] * in_loop + [f"return {self.result()}"] * self.early
        return (*block, self.rng.choice(jumps)) if jumps and self.rng.random() < 0.15 else block

    def match(self, depth: int, in_loop: bool) -> Compound:
        self.spend(2)
        name = self.rng.choice(self.ints)
        cases = ["case 0:", "case 1 | 2:", f"case k if {self.comparison()}:", "case 3:"]
        parts: list[tuple[tuple[str, ...], Block]] = []
        for case in self.rng.sample(cases, 2):
            head = (f"match {name}:", f"    {case}") if not parts else (f"    {case}",)
            parts.append((head, self.branch(depth, in_loop)))
        if self.rng.random() < 0.6:
            parts.append((("    case _:",), self.branch(depth, in_loop)))
        return Compound(tuple(parts))

    def tried(self, depth: int, in_loop: bool) -> Compound:
        return Compound(((("try:",), self.block(depth, in_loop)), (("finally:",), (self.simple(in_loop),))))

    def late(self, depth: int, in_loop: bool) -> Compound:
        """A variable that is set in some cases, and a flag that says so."""
        self.spend(1)
        self.has_late = True
        return Compound((((f"if {self.test()}:",), (f"late = {self.integer()}", "seen = True")),))

    def sought(self, depth: int, in_loop: bool) -> Compound:
        """A variable that is None at first."""
        self.spend(1)
        value = self.rng.choice(self.ints)
        tests = [f"best is None or {value} < best", "best is None", f"{self.comparison()}"]
        found = Compound((((f"if {self.rng.choice(tests)}:",), (f"best = {value}",)),))
        return self.rng.choice([found, found, Compound(((("if best is not None:",), ("a = best % 7",)),))])

    def for_loop(self, depth: int, in_loop: bool) -> Compound:
        self.loops += 1
        self.spend(1)
        item, other = f"i{self.loops}", f"j{self.loops}"
        target = self.rng.choice([item, item, "a"])
        over = ["range(n % 4)", "tf.range(m % 3)", "range(3)", "v", "v", "v", "range(1, m % 5)", "(2, 5)"]
        over += ["range(5, n % 3, -2)", "range(0, m % 7, 2)", "reversed(range(n % 3))"]
        over += ["xs"] * ("list" in self.features and not in_loop)
        pairs = ["enumerate(v)", "zip(v, v)", "zip(range(3), v)", "enumerate(range(n % 3))", "((1, 2), (4, 3))"]
        new = [target]
        chosen = self.rng.choice(over)
        if self.rng.random() < 0.25:
            chosen, target, new = self.rng.choice(pairs), f"{item}, {other}", [item, other]
        kept, features = list(self.ints), set(self.features)
        self.ints += new
        if chosen == "xs":
            self.features.discard("list")  # it would grow for ever
        body = self.body(depth, 2 if chosen[0] in "(e" or chosen == "range(3)" else 1)
        self.ints, self.features = kept, features
        return self.with_else((f"for {target} in {chosen}:",), body, in_loop)

    def while_loop(self, depth: int, in_loop: bool) -> Compound:
        self.loops += 1
        self.spend(1)
        name, limit = f"w{self.loops}", self.rng.randint(1, 3)
        tests = [f"{name} < {limit} {word}" for word in ("and", "and not")]
        tests = [
            f"{name} < {limit}",
            "True",
            "",
            f"{tests[0]} {self.comparison()}",
            f"{tests[1]} ({self.comparison()})",
        ]
        if "walrus" in self.features:
            tests += [f"({name} := {name} + 1) < {limit}"] * 3
        test = self.rng.choice(tests) or f"{name} < n % 5"
        start = self.rng.choice(("0", "0", "tf.constant(0)"))
        head = [f"{name} = {start}", f"while {test}:"]
        if test == "True":
            self.spend(1)
            head += [f"    if {name} >= {limit} or {self.comparison()}:", "        break"]
        if ":=" not in test:
            head.append(f"    {name} += 1")
        turns = limit if start == "0" and ":=" not in test and "n %" not in test else 1
        return self.with_else(tuple(head), self.body(depth, turns), in_loop)

    def body(self, depth: int, turns: int) -> Block:
        """The body of a loop of which Python may take so many turns."""
        before, self.turns = self.turns, self.turns * turns
        block = self.block(depth, in_loop=True)
        self.turns = before
        return block

    def with_else(self, head: tuple[str, ...], body: Block, in_loop: bool) -> Compound:
        if "else" in self.features and self.rng.random() < 0.6:
            return Compound(((head, body), (("else:",), self.block(0, in_loop))))
        return Compound(((head, body),))

    def simple(self, in_loop: bool) -> str:
        kinds = [self.integers, self.integers, self.real]
        kinds += [self.special] * min(3, len(self.special_features()))
        return self.rng.choice(kinds)(in_loop)

    def special_features(self) -> list[str]:
        return sorted(self.features - {"match", "try", "else", "second"})

    def special(self, in_loop: bool) -> str:
        """A statement of one of the program's features."""
        pick = self.rng.choice
        i, name = self.integer(), pick(self.ints)
        feature = pick(self.special_features())
        self.has_late |= feature == "late"
        texts = {
            "list": [f"xs.append({name})", f"xs.append({i})", "a = xs[-1]", "a = len(xs)", "a = xs[n % len(xs)]"],
            "pair": ["p = (p[0] + 1, p[1])", "p = (a, z)", "a, z = p", "a = p[0]", f"p = ({i}, {self.float()})"],
            "dict": ['d["k"] += 2', f'd["k"] = {i}', 'a = d["k"]', 'd["t"] = z', 'z = d["t"] + 0.5'],
            "object": ["s.count += 1", f"s.count = {i}", "a = s.count", "s.size = z", "z = s.size - 0.5"],
            "nonlocal": ["bump(2)", f"bump({name})", "bump(a)"],
            "choice": [f"a = larger({name}) % 19", "a = larger(2)"],
            "none": ["best = None", f"best = {name}"],
            "late": [f"late = {name}\nseen = True"],
            "flag": ["done = not done", "done = True", f"done = {self.comparison()}", "done = a > 2"],
            "walrus": [f"a = (b{self.loops} := {name}) + b{self.loops} % 3"],
            "comprehension": [f"a = sum([i + {name} for i in v]) % 9", "a = sum([i * 2 for i in range(3)])"]
            + [f"a = len([i for i in v if i > {name}])", "a = sum(i for i in range(n % 4))", "a = sum([i for i in v])"]
            + [f"done_{self.loops} = any([i > 3 for i in v])", f"a = max([i + {name} for i in (1, 2)])"],
            "assert": [f"assert {name} >= 2 or {name} < 2", f'assert {name} == {name}, "never"'],
        }
        return pick(texts[feature])

    def integers(self, in_loop: bool) -> str:
        name, other = self.rng.choice(self.set_ints), self.rng.choice(self.ints)
        number = self.rng.randint(1, 9)
        texts = [f"{name} += {number}", f"{name} -= {number}", f"{name} = {other}", f"{name} = {other} - {number}"]
        texts += [f"{name} = ({name} * {number} + {other}) % 17", f"{name} = ({name} + {other}) % 11"]
        texts += [f"{name} = min({name}, {other})", f"{name} = abs({other}) // 2", f"{name} = max({other}, {number})"]
        if self.budget > 0 and self.rng.random() < 0.2:
            self.spend(1)
            return f"{name} = {number} if {self.comparison()} else {other}"
        if "second" in self.features and self.rng.random() < 0.1:
            return "a, b = b, a"
        return self.rng.choice(texts)

    def real(self, in_loop: bool) -> str:
        number = self.rng.choice((0.25, 0.5, 1.0))
        texts = [f"z += {number}", f"z = x - {number}", "z = -z", "z = y", f"z = {self.float()}", "z = abs(y)"]
        texts += ["z = z * 0.5 + x", "z = (x + y) * 0.5"] * (not in_loop)
        return self.rng.choice(texts)

    def integer(self) -> str:
        return self.rng.choice((*self.ints, *(f"{name} + {self.rng.randint(1, 5)}" for name in self.ints)))

    def float(self) -> str:
        return self.rng.choice((*self.floats, "x + 0.5", "y - 1.0"))

    def test(self) -> str:
        kind = self.rng.random()
        if kind < 0.15:
            self.spend(1)
            return f"{self.comparison()} {self.rng.choice(('and', 'or'))} {self.comparison()}"
        if kind < 0.22:
            return f"not ({self.comparison()})"
        if kind < 0.4 and "flag" in self.features:
            return self.rng.choice(("done", "not done"))
        if kind < 0.3 and "walrus" in self.features:
            return f"(t{self.loops} := {self.rng.choice(self.ints)}) > 2"
        return self.comparison()

    def comparison(self) -> str:
        pick, number = self.rng.choice, self.rng.randint(0, 6)
        name, other = pick(self.ints), pick(self.ints)
        texts = [f"{name} < {number}", f"{name} > {other}", f"{name} % 2 == 0", f"{name} == {number}"]
        texts += [f"{pick(self.floats)} > {pick(self.floats)}", f"z < {number}.5", f"{name} > {number}"]
        texts += ["len(xs) > 2", f"xs[-1] > {name}"] if "list" in self.features else []
        return pick(texts)
