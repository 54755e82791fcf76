"""What `set_loop_options` says of a loop in the graph: shapes that may change, if it stands where it is heard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import gast

from graphwright_analysis.syntax.names import symbol_of
from graphwright_analysis.tracing.facts import LoopOptionsMisplaced
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import nested_values
from graphwright_analysis.values.domain import Api, StaticShape, Tensor, Tuple, Value

from . import expressions

_NAMES = frozenset({"tf.autograph.experimental.set_loop_options", "graphwright.set_loop_options"})


def invariants(run: Run, frame: Frame, node: gast.For | gast.While) -> Mapping[str, Value]:
    """The shapes that the first statement of the body declares, by symbol."""
    call = _call_in(run, frame, node.body[0]) if node.body else None
    given = {keyword.arg: keyword.value for keyword in call.keywords} if call is not None else {}
    pairs = given.get("shape_invariants")
    if call is not None and len(call.args) > 3:
        pairs = call.args[3]
    found: dict[str, Value] = {}
    for pair in pairs.elts if isinstance(pairs, (gast.List, gast.Tuple)) else ():
        if isinstance(pair, (gast.Tuple, gast.List)) and len(pair.elts) == 2:
            symbol = symbol_of(pair.elts[0])
            if symbol is not None:
                found[str(symbol)] = nested_values.opened(run.state, expressions.evaluate(run, frame, pair.elts[1]))
    return found


def relaxed(value: Value, declared: Value) -> Value:
    """What a value is when a turn begins, given what is declared of its shape, or of those of its parts."""
    if isinstance(value, Tensor):
        return Tensor(value.dtype, declared.shape if isinstance(declared, StaticShape) else None)
    if isinstance(value, Tuple) and isinstance(declared, Tuple) and len(value.items) == len(declared.items):
        return Tuple(tuple(map(relaxed, value.items, declared.items)), value.fields)
    return value


def unheard(run: Run, frame: Frame, node: gast.For | gast.While) -> LoopOptionsMisplaced | None:
    """The call that isn't the first statement of the body; for it AutoGraph leaves the whole function as it is."""
    for statement in _statements(node.body):
        call = _call_in(run, frame, statement)
        if call is not None and statement is not node.body[0]:
            header = node.iter if isinstance(node, gast.For) else node.test
            called, whole = place_of(frame, call), place_of(frame, statement)
            return LoopOptionsMisplaced(called, whole, place_of(frame, header), place_of(frame, node.body[0]))
    return None


def _statements(body: list[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements of a loop's body and of its `if`s and `with`s, but not of loops and functions in it."""
    for statement in body:
        yield statement
        if isinstance(statement, (gast.If, gast.With)):
            yield from _statements([*statement.body, *getattr(statement, "orelse", ())])


def _call_in(run: Run, frame: Frame, statement: gast.stmt) -> gast.Call | None:
    if not isinstance(statement, gast.Expr) or not isinstance(statement.value, gast.Call):
        return None
    name = statement.value.func
    spelled = name.attr if isinstance(name, gast.Attribute) else name.id if isinstance(name, gast.Name) else ""
    if spelled != "set_loop_options":
        return None
    called = expressions.evaluate(run, frame, name)
    return statement.value if isinstance(called, Api) and called.name in _NAMES else None
