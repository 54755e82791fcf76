"""What a condition implies for the names in it, in each branch: that they are None, or never None.

If it tests for a type other than the known one, the value becomes unknown. Values are narrowed in the state of the
branch; the program itself stores nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager

import gast

from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import Cell, State
from graphwright_analysis.values.domain import NONE, UNKNOWN, ApiInstance, Class, Object, Unbound, Unknown, Value
from graphwright_analysis.values.optional import OrNone

from . import class_bases, conditions, name_lookup


def told(run: Run, frame: Frame, tests: Sequence[gast.AST], outcome: bool) -> dict[Cell, Value]:
    """The values of cells if all tests have this outcome, as far as that says anything about them."""
    return {cell: held for test in tests for cell, held in _narrowed(run, frame, test, outcome)}


@contextmanager
def during(run: Run, frame: Frame, tests: Sequence[gast.AST], outcome: bool) -> Generator[None]:
    """Evaluate an expression that is reached only if all tests have this outcome."""
    narrowed = told(run, frame, tests, outcome)
    before = {cell: run.state.cells.get(cell) for cell in narrowed}
    run.state.cells.update(narrowed)
    yield
    for cell, held in before.items():
        if run.state.cells.get(cell) is not narrowed[cell]:
            continue
        if held is None:
            del run.state.cells[cell]
        else:
            run.state.cells[cell] = held


def meet(before: State, after: State, narrowed: Iterable[Cell]) -> None:
    """Undo the narrowing of values that are the same again where both branches meet."""
    for cell in narrowed:
        if cell not in before.cells and before.content(cell) == after.cells.get(cell):
            del after.cells[cell]


def _narrowed(run: Run, frame: Frame, test: gast.AST, outcome: bool) -> Iterator[tuple[Cell, Value]]:
    """What the outcome implies for the cells that it is about."""
    for part, holds in _parts(test, outcome):
        asked, kind = _asked_of(part, holds)
        cell = None if asked is None else _cell_of(run, frame, asked)
        if cell is None:
            continue
        value = run.state.value(*cell)
        known = value.inner if isinstance(value, OrNone) else value
        if kind is not None:
            if not isinstance(known, (Unknown, Unbound)):
                yield cell, known if _is_called(known, kind) else UNKNOWN
        elif isinstance(value, OrNone):
            if isinstance(part, gast.Compare):
                yield cell, NONE if isinstance(part.ops[0], (gast.Is, gast.Eq)) is holds else known
            elif holds or _is_never_false(run, known):
                yield cell, known if holds else NONE


def _parts(test: gast.AST, outcome: bool) -> Iterator[tuple[gast.AST, bool]]:
    """The parts of a test, with their outcomes that follow from its own."""
    match test:
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            yield from _parts(operand, not outcome)
        case gast.BoolOp(op=op, values=values):
            for value in values if isinstance(op, gast.And) is outcome else ():
                yield from _parts(value, outcome)
        case _:
            yield test, outcome


def _asked_of(part: gast.AST, holds: bool) -> tuple[gast.AST | None, str | None]:
    """The expression that a test is about, and the last name of its type if it tests for one."""
    match part:
        case gast.Compare(left=left, ops=[_], comparators=[gast.Constant(value=None)]):
            return left, None
        case gast.Name() | gast.Attribute():
            return part, None
        case gast.Call(func=gast.Name(id="isinstance" | "callable"), args=[asked, *kinds]) if holds:
            return asked, _last_name(kinds[0]) if kinds else ""
        case gast.Compare(left=gast.Call(func=gast.Name(id="type"), args=[asked]), ops=[op], comparators=[kind]):
            return (asked, _last_name(kind)) if isinstance(op, (gast.Is, gast.Eq)) is holds else (None, None)
        case _:
            return None, None


def _last_name(node: gast.AST) -> str:
    return node.attr if isinstance(node, gast.Attribute) else getattr(node, "id", "")


def _is_called(value: Value, kind: str) -> bool:
    """True if a type of this name is the type of a value."""
    type_ = value.type if isinstance(value, Object) else None
    return kind in (type(value).__name__, type_.node.name if isinstance(type_, Class) else "")


def _is_never_false(run: Run, value: Value) -> bool:
    """True if a value is true whatever its contents are."""
    if isinstance(value, Object):
        return value.kind == "instance" and not any(
            class_bases.declares(run, value, name) for name in ("__bool__", "__len__")
        )
    return isinstance(value, ApiInstance) or conditions.truth(value) is True


def _cell_of(run: Run, frame: Frame, node: gast.AST) -> Cell | None:
    """The cell of a name or attribute."""
    if isinstance(node, gast.Name):
        owner = name_lookup.owner_of_read(frame, node.id)
        return None if owner is None else (owner.id, node.id)
    if isinstance(node, gast.Attribute):
        cell = _cell_of(run, frame, node.value)
        value: Value | None = None if cell is None else run.state.value(*cell)
        return (value.id, node.attr) if isinstance(value, Object) and value.kind == "instance" else None
    return None
