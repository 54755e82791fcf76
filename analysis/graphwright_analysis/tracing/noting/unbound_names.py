"""Notes names that are unbound or None where a staged loop or branch needs a value.

TensorFlow traces a turn of a loop to see what such names become, and puts placeholders in their place; it can't
where the turn reads them first, may leave them as they were, or leaves what no placeholder can be made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from graphwright_analysis.syntax.names import symbol_of
from graphwright_analysis.tracing.facts import LoopName, UnboundRead, UnseededName, UnsetInTurn
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.loops import LoopControl
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import State
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values import outside_names
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    Api,
    Array,
    Bound,
    Class,
    Composite,
    Constant,
    Dataset,
    DType,
    Function,
    Object,
    Partial,
    Scalar,
    StaticShape,
    Tensor,
    TensorArray,
    Traced,
    Tuple,
    Unknown,
    Value,
    python_kind,
)

UNSEEDED = (UNDEFINED, NONE)
_INTERACTIVE = frozenset({"display", "get_ipython", "reveal_type"})


def note_read(run: Run, frame: Frame, node: gast.Name) -> None:
    """Note the read of a name that surely isn't bound, inside a staged construct that surely comes to it."""
    construct = run.context.constructs[-1]
    if run.context.handlers or not frame.converted or construct.uncertain != run.context.uncertain:
        return
    owner = name_lookup.enclosing(frame, node.id)
    if owner is None:
        if not (_known_elsewhere(run, frame, node.id) or construct.kind is ConstructKind.LOOP):
            run.note(UnboundRead(node.id, place_of(frame, node), construct.place, construct.kind, None))
        return
    if (
        owner is frame
        and node.id in run.context.unbound_before_loop
        and run.state.value(frame.id, node.id) is UNDEFINED
    ):
        loop = next((c.place for c in reversed(run.context.constructs) if c.kind is ConstructKind.LOOP), None)
        if loop is not None:
            run.note(UnboundRead(node.id, place_of(frame, node), construct.place, construct.kind, loop))


def _known_elsewhere(run: Run, frame: Frame, name: str) -> bool:
    return (
        run.star_import
        or name in outside_names.BUILTINS
        or name in _INTERACTIVE
        or name.startswith("__")
        or name in frame.scope.globals
    )


# Loops


def note_loop(
    run: Run,
    frame: Frame,
    node: gast.For | gast.While,
    over: LoopControl,
    names: Sequence[LoopName],
    after: State | None,
) -> None:
    """Note what a staged loop has to begin with for each name that it carries and that isn't bound before it."""
    iterated = run.seen.values.get(node.iter) if isinstance(node, gast.For) else None
    if after is None or isinstance(iterated, Composite):
        return
    place = place_of(frame, node.iter if isinstance(node, gast.For) else node.test)
    runs = isinstance(iterated, Tensor) and bool(iterated.shape and (iterated.shape[0] or 0) > 0)
    facts = [fact for fact in run.seen.facts if isinstance(fact, (UnsetInTurn, UnboundRead)) and fact.loop == place]
    live = run.flow.liveness_of(name_lookup.frame_function(frame))
    local = {str(symbol) for symbol in live.live_in(node.body[0]) - live.live_in(node) - live.live_out(node)}
    for name in names:
        if name.before not in UNSEEDED or name.symbol in local:
            continue
        known = run.context.by_graphwright and name.symbol.endswith("]")  # The graph knows which keys a dict has.
        if known or (over == "range" and name.symbol in _targets(node)):
            continue
        mine = [fact for fact in facts if fact.symbol == name.symbol]
        run.note(
            UnseededName(
                name.symbol,
                place,
                place_of(frame, node),
                over,
                name.before,
                _after_one(run, node, name),
                name.after_place,
                next((fact.place for fact in mine if isinstance(fact, UnsetInTurn)), None),
                next((fact.place for fact in mine if isinstance(fact, UnboundRead)), None),
                _test_for_none(frame, node, name.symbol) if name.before == NONE else None,
                can_stand_in(after, name.after),
                runs,
            )
        )


def _after_one(run: Run, node: gast.AST, name: LoopName) -> Value:
    """What a name holds after one iteration; for a sum or product of the unbound name itself, the other operand."""
    without_shape = isinstance(name.after, Unknown) or (isinstance(name.after, Tensor) and name.after.shape is None)
    if not without_shape or name.before is not UNDEFINED:
        return name.after
    return _operand(run, node, name.symbol) or name.after


def _operand(run: Run, node: gast.AST, symbol: str) -> Value | None:
    """What one iteration adds to a name or multiplies it by, which has the dtype that the sum or product would have."""
    for child in gast.walk(node):
        if isinstance(child, gast.AugAssign) and str(symbol_of(child.target)) == symbol:
            return run.seen.values.get(child.value)
        if isinstance(child, gast.Assign) and str(symbol_of(child.targets[0])) == symbol:
            sides = (child.value.left, child.value.right) if isinstance(child.value, gast.BinOp) else ()
            others = [side for side in sides if str(symbol_of(side)) != symbol]
            return run.seen.values.get(others[0]) if len(others) == 1 else None
    return None


def _targets(node: gast.For | gast.While) -> frozenset[str]:
    targets = gast.walk(node.target) if isinstance(node, gast.For) else ()
    return frozenset(target.id for target in targets if isinstance(target, gast.Name))


def can_stand_in(state: State, value: Value) -> bool:
    """Whether a placeholder can be made of a value, for all that is known."""
    match value:
        case Constant() | Scalar():
            return python_kind(value) in (int, float, bool)
        case Tuple():
            return all(can_stand_in(state, item) for item in value.items)
        case Object():
            items, entries = state.items(value.id), state.entries(value.id)
            held = (items.known or ()) if items is not None else [v for _, v in entries.known] if entries else ()
            return value.kind != "instance" and all(can_stand_in(state, item) for item in held)
        case TensorArray() | Array() | Dataset() | DType() | StaticShape() | Api():
            return False
        case Function() | Traced() | Bound() | Partial() | Class():
            return False
        case _:
            return True


def _test_for_none(frame: Frame, node: gast.For | gast.While, symbol: str) -> Place | None:
    """A test for None in a turn, unless what is done without a value is what would be done with zero."""
    for child in _conditionals(node):
        tested = _tested(child.test, symbol)
        if tested is None:
            continue
        without, given = (child.body, child.orelse) if tested else (child.orelse, child.body)
        mixed = isinstance(child.test, gast.BoolOp) and tested
        if mixed or _dump(without) != _dump(given, symbol):
            return place_of(frame, child.test)
    return None


def _conditionals(node: gast.AST) -> Iterator[gast.If | gast.IfExp]:
    for child in gast.walk(node):
        if isinstance(child, (gast.If, gast.IfExp)):
            yield child


def _tested(test: gast.AST, symbol: str) -> bool | None:
    """True for `symbol is None`, False for `symbol is not None`, also among others, None for anything else."""
    if isinstance(test, gast.BoolOp):
        return next((found for part in test.values if (found := _tested(part, symbol)) is not None), None)
    if not (isinstance(test, gast.Compare) and len(test.ops) == 1 and str(symbol_of(test.left)) == symbol):
        return None
    right = test.comparators[0]
    if not (isinstance(right, gast.Constant) and right.value is None):
        return None
    return True if isinstance(test.ops[0], gast.Is) else False if isinstance(test.ops[0], gast.IsNot) else None


def _dump(code: gast.AST | list[gast.stmt], zero: str | None = None) -> str:
    """A text that is the same for the same code; what adds or subtracts `zero` is left out."""
    if isinstance(code, list):
        return "\n".join(_dump(statement, zero) for statement in code if not _is_idle(statement, zero))
    if isinstance(code, gast.BinOp) and isinstance(code.op, (gast.Add, gast.Sub)) and zero is not None:
        if str(symbol_of(code.right)) == zero:
            return _dump(code.left, zero)
        if isinstance(code.op, gast.Add) and str(symbol_of(code.left)) == zero:
            return _dump(code.right, zero)
    parts = [type(code).__name__]
    fields: list[tuple[str, Any]] = [*gast.iter_fields(code)]
    for name, value in fields:
        held: list[Any] = [*value] if isinstance(value, list) else [value]
        for part in held:
            parts.append(f"{name}={_dump(part, zero) if isinstance(part, gast.AST) else part!r}")
    return f"({' '.join(parts)})"


def _is_idle(statement: gast.stmt, zero: str | None) -> bool:
    """Whether a statement changes nothing if `zero` is zero."""
    if isinstance(statement, gast.AugAssign):
        return isinstance(statement.op, (gast.Add, gast.Sub)) and str(symbol_of(statement.value)) == zero
    if isinstance(statement, gast.Assign) and len(statement.targets) == 1 and isinstance(statement.value, gast.BinOp):
        target, operation = str(symbol_of(statement.targets[0])), statement.value
        sides = (str(symbol_of(operation.left)), str(symbol_of(operation.right)))
        return sides == (target, zero) and isinstance(operation.op, (gast.Add, gast.Sub))
    return isinstance(statement, gast.Pass)
