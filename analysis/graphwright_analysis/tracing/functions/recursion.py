"""Notes traced functions that call themselves while they are traced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.flow.tree import walk
from graphwright_analysis.tracing.facts import Given, RecursiveCall, TracedCalled
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Context
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Bound,
    Constant,
    Method,
    Object,
    Scalar,
    Tensor,
    Traced,
    Unknown,
    Value,
    Variable,
    is_likely,
)
from graphwright_analysis.values.sameness import same

from .cache_keys import function_of


def note_call(run: Run, callee: Traced, call: Call) -> None:
    """Note a call that has just been noted as such, if the function is being traced already."""
    function = function_of(callee)
    if function is None or not isinstance(call.node, gast.Call) or run.context.calls.count(function.node) != 1:
        return
    begun = () if run.context.entry is None or run.context.entry.called is None else (run.context.entry.called,)
    noted = dict.fromkeys((*begun, *run.seen.facts))
    calls = [fact for fact in noted if isinstance(fact, TracedCalled) and fact.traced.id == callee.id]
    if len(calls) < 2 or not isinstance(function.node, gast.FunctionDef):
        return
    inner, outer = calls[-1], calls[0] if calls[0].place is None else calls[-2]
    definition = Place(function.block, function.block.range_of(function.node))
    under_tensor = any(c.kind is ConstructKind.BRANCH and _within(c.place, definition) for c in run.context.constructs)
    confidence = _confidence(function.node, outer, inner, under_tensor)
    if confidence is not None:
        name, place = function.node.name, call.place
        run.note(RecursiveCall(place, name, definition, under_tensor, confidence))


def is_endless(context: Context, node: gast.AST, given: Sequence[Value]) -> bool:
    """True if a recursive call isn't followed: it says no more than the active calls, or has no end in sight."""
    active = context.calls.count(node)
    if not active:
        return False
    if active > 1:
        return not _ends(node, given)
    around = context.given[context.calls.index(node)]
    return len(around) == len(given) and all(map(_says_no_more, given, around))


def _says_no_more(value: Value, than: Value) -> bool:
    """True if nothing is known of a value that isn't known of another one; an object may have changed since then."""
    return value == UNKNOWN or (not isinstance(value, (Object, Bound, Method)) and same(value, than))


def _ends(node: gast.AST, given: Iterable[Value]) -> bool:
    """True if a recursion is followed to its end: one call in the body, given nothing but numbers."""
    if not all(isinstance(value, Constant) and type(value.value) in (int, float) for value in given):
        return False
    name = getattr(node, "name", "")
    called = [each.func for each in walk(node) if isinstance(each, gast.Call)]
    return sum(name in (getattr(each, "id", ""), getattr(each, "attr", "")) for each in called) == 1


def _confidence(
    node: gast.FunctionDef, outer: TracedCalled, inner: TracedCalled, under_tensor: bool
) -> Confidence | None:
    """How sure it is that the recursion hurts; None where it may be meant."""
    if outer.place is None:
        # Nobody is seen to call it: only what makes sense of a tensor counts.
        asks = any(isinstance(each, gast.Name) and each.id in ("isinstance", "len") for each in gast.walk(node))
        likely = bool(inner.arguments) and all(is_likely(given.value) for given in inner.arguments)
        return Confidence.LIKELY if likely and not asks else None
    if under_tensor:
        return Confidence.CERTAIN if _same(outer, inner) else None
    counted = [a for a, b in zip(outer.arguments, inner.arguments, strict=False) if _counts_down(a, b)]
    return Confidence.LIKELY if counted else None


def _same(outer: TracedCalled, inner: TracedCalled) -> bool:
    """Whether both calls have one key, so that tracing the one begins with tracing the other."""
    if len(outer.arguments) != len(inner.arguments) or outer.receiver != inner.receiver:
        return False
    if outer.traced.signature is not None:
        return True
    return all(_alike(a.value, b.value) for a, b in zip(outer.arguments, inner.arguments, strict=True))


def _alike(first: Value, second: Value) -> bool:
    if isinstance(first, (Tensor, Variable)) and isinstance(second, (Tensor, Variable)):
        return first.dtype == second.dtype and (first.shape == second.shape or None in (first.shape, second.shape))
    return first == second and not isinstance(first, (Unknown, Scalar))


def _counts_down(outer: Given, inner: Given) -> bool:
    """Whether a Python number of three or more is handed on as another one."""
    first, second = outer.value, inner.value
    if not isinstance(first, Constant) or not isinstance(second, Constant) or isinstance(first.value, bool):
        return False
    numbers = isinstance(first.value, (int, float)) and isinstance(second.value, (int, float))
    return numbers and first.value >= 3 and 0 <= second.value < first.value


def _within(place: Place, definition: Place) -> bool:
    inside = definition.range.start <= place.range.start < definition.range.end
    return place.block is definition.block and inside
