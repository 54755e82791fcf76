"""Small random programs are run, and what happens to their variables is held against the analyses."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
import pytest
from graphwright_analysis.flow import build_cfg, build_scopes, liveness, reaching
from graphwright_analysis.syntax.names import Symbol

_NAMES = ("a", "b", "c", "e")
_PROGRAMS_PER_SEED = 40
_RUNS = 8


@pytest.mark.parametrize("seed", range(10))
def test_what_variables_hold_was_foreseen(seed: int) -> None:
    rng = random.Random(seed)
    undefined_seen = 0
    for _ in range(_PROGRAMS_PER_SEED):
        source = _Writer(rng).program()
        tree = gast.parse(source)
        known = reaching(build_cfg(tree.body[0]))
        uses = _uses(tree)
        for (use, name), seen in _observe(source, rng).items():
            at, place = uses[use], f"{name} at use {use} in\n{source}"
            undefined_seen += None in seen
            if None in seen:
                assert known.possibly_undefined(at, name) or _never_bound(tree, name), place
            if seen != {None}:
                assert not known.definitely_undefined(at, name), place
            # A value is the line that assigned it; what binds otherwise gives 0.
            lines = {node.lineno for node in known.definitions_at(at, Symbol(name)) if hasattr(node, "lineno")}
            assert seen - {None, 0} <= lines, f"{seen} from {lines}, {place}"
    assert undefined_seen > 20


@pytest.mark.parametrize("seed", range(10))
def test_what_is_dead_may_be_overwritten(seed: int) -> None:
    rng = random.Random(1000 + seed)
    overwritten = 0
    for _ in range(_PROGRAMS_PER_SEED):
        source = _Writer(rng).program()
        tree = gast.parse(source)
        live = liveness(build_cfg(tree.body[0]))
        choices = [rng.random() for _ in range(100)]
        read = _run(source, choices).read
        pairs = [(use, statement, name) for use, statement in _uses(tree).items() for name in _NAMES]
        for use, statement, name in rng.sample(pairs, min(30, len(pairs))):
            if Symbol(name) in live.live_out(statement) or _never_bound(tree, name):
                continue
            changed = source.replace(f"use({use})", f"{name} = -1; use({use})")
            assert _run(changed, choices).read == read, f"{name} isn't dead after use {use} in\n{source}"
            overwritten += 1
    assert overwritten > 50


# In a finally block only the first, since `continue` there could go on for ever.
_LOOP = ("break", "continue")


class _Writer:
    """Writes one random function; every use of variables is a numbered call of its own."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.uses = 0

    def program(self) -> str:
        lines = self.block(self.rng.randint(1, 2), jumps=())
        numbered = ["def program(use, read, coin, turns, fail, a):", *("    " + line for line in lines)]
        return "\n".join(line.replace("LINE", str(number)) for number, line in enumerate(numbered, 1))

    def use(self) -> list[str]:
        self.uses += 1
        return [f"use({self.uses})"]

    def block(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        lines = self.use()
        for _ in range(self.rng.randint(1, 3)):
            lines += self.statement(depth, jumps=jumps) + self.use()
        return lines

    def statement(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        name = self.rng.choice(_NAMES)
        simple = [
            [f"{name} = LINE"],
            [f"{name} = LINE"],
            [f"{name} = fail(LINE)"],
            [f"read({name})"],
            [f"del {name}"],
            ["fail(0)"],
            ["if coin(): return"],
            ["return"],
            [f"coin() and ({name} := LINE)"],
        ]
        simple += [[jump] for jump in jumps] + [[f"if coin(): {jump}"] for jump in jumps]
        if depth == 0 or self.rng.random() < 0.4:
            return self.rng.choice(simple)
        kinds = ["if", "else", "while", "for", "try", "finally", "both", "with", "match"]
        return getattr(self, "_" + self.rng.choice(kinds))(depth - 1, jumps)

    def inner(self, head: str, depth: int, jumps: tuple[str, ...]) -> list[str]:
        return [head, *("    " + line for line in self.block(depth, jumps=jumps))]

    def _if(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        name = self.rng.choice(_NAMES)
        tests = ["coin()", "coin()", f"coin() and ({name} := LINE)", f"not (coin() or ({name} := LINE))"]
        return self.inner(f"if {self.rng.choice(tests)}:", depth, jumps)

    def _else(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        return self._if(depth, jumps) + self.inner("else:", depth, jumps)

    def _while(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        head = self.rng.choice(["while coin():", "while coin() and (a := LINE):", "while True:"])
        loop = self.inner(head, depth, _LOOP)
        if head == "while True:":
            loop.append("    if coin(): break")
        return loop + (self.inner("else:", depth, jumps) if self.rng.random() < 0.4 else [])

    def _for(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        loop = self.inner(f"for {self.rng.choice(_NAMES)} in turns():", depth, _LOOP)
        return loop + (self.inner("else:", depth, jumps) if self.rng.random() < 0.4 else [])

    def _try(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        lines = self.inner("try:", depth, jumps)
        if self.rng.random() < 0.3:
            lines += self.inner("except ValueError:", 0, jumps)
        lines += self.inner(f"except Exception as {self.rng.choice(_NAMES)}:", depth, jumps)
        return lines + (self.inner("else:", depth, jumps) if self.rng.random() < 0.4 else [])

    def _finally(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        return self.inner("try:", depth, jumps) + self.inner("finally:", depth, jumps[:1])

    def _both(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        return self._try(depth, jumps) + self.inner("finally:", depth, jumps[:1])

    def _with(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        return self.inner(f"with suppress(Exception) as {self.rng.choice(_NAMES)}:", depth, jumps)

    def _match(self, depth: int, jumps: tuple[str, ...]) -> list[str]:
        names = self.rng.sample(_NAMES, 2)
        guard = self.rng.choice(["", " if coin()"])
        arms = self.inner(f"case [{names[0]}]{guard}:", depth, jumps)
        last = self.inner(f"case {names[1]}:", depth, jumps) if self.rng.random() < 0.5 else []
        return ["match [0] if coin() else 0:", *("    " + line for line in arms + last)]


class _Over(BaseException):
    """The run has used up its choices."""


@dataclass
class _Run:
    """One run of a program: what its variables held at each use, and what it read."""

    choices: Iterator[float]
    held: list[tuple[int, dict[str, int | None]]] = field(default_factory=list)
    read: list[object] = field(default_factory=list)
    is_over: bool = False

    def choice(self) -> float:
        number = next(self.choices, None)
        if number is None:
            self.is_over = True
            raise _Over
        return number

    def coin(self) -> bool:
        return self.choice() < 0.5

    def turns(self) -> Iterator[int]:
        while self.coin():
            yield 0

    def fail(self, value: int) -> int:
        if self.coin():
            raise ValueError if self.coin() else KeyError
        return value

    def note(self, use: int, values: dict[str, object]) -> None:
        self.is_over = self.is_over or len(self.held) > 300
        if not self.is_over:
            self.held.append((use, {name: _shown(values, name) for name in _NAMES}))
        else:
            raise _Over

    def note_read(self, value: object) -> None:
        if not self.is_over:
            self.read.append(value if isinstance(value, int) else 0)


class _Suppress(contextlib.suppress):
    def __enter__(self) -> int:  # type: ignore[override]
        return 0


def _run(source: str, choices: list[float]) -> _Run:
    run = _Run(iter(choices))
    namespace: dict[str, Any] = {"suppress": _Suppress}
    exec(compile(source, "<random program>", "exec"), namespace)
    with contextlib.suppress(Exception, _Over):
        namespace["program"](
            lambda use, values=None: run.note(use, values or {}),
            run.note_read,
            run.coin,
            run.turns,
            run.fail,
            1,
        )
    return run


def _shown(values: dict[str, object], name: str) -> int | None:
    if name not in values:
        return None
    value = values[name]
    return value if isinstance(value, int) else 0


def _observe(source: str, rng: random.Random) -> dict[tuple[int, str], set[int | None]]:
    """What each name held at each use in some runs, None where it was undefined."""
    for use in _uses(gast.parse(source)):
        source = source.replace(f"use({use})", f"use({use}, locals())")
    observed: dict[tuple[int, str], set[int | None]] = {}
    for _ in range(_RUNS):
        for use, values in _run(source, [rng.random() for _ in range(100)]).held:
            for name, value in values.items():
                observed.setdefault((use, name), set()).add(value)
    return observed


def _uses(tree: gast.AST) -> dict[int, gast.AST]:
    """The statements `use(1)`, `use(2)`... of a program."""
    calls = [node for node in gast.walk(tree) if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call)]
    return {call.value.args[0].value: call for call in calls if call.value.func.id == "use"}


def _never_bound(tree: gast.AST, name: str) -> bool:
    return name not in build_scopes(tree).of(tree.body[0]).bound
