"""What is known no longer once code that isn't followed has got hold of a value.

Only what that code could change is forgotten; nothing is said of what it does.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphwright_analysis.tracing.facts import InstanceEscaped
from graphwright_analysis.tracing.machine import marks, open_instances
from graphwright_analysis.tracing.machine.imports import may_begin_a_graph
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import CONTENT
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Bound,
    Constant,
    Entries,
    Function,
    Items,
    KerasObject,
    Leaked,
    Method,
    Object,
    Partial,
    Scalar,
    Tensor,
    Traced,
    Tuple,
    Value,
)
from graphwright_analysis.values.optional import OrNone

from . import keras_leaks, lazy_variables


def forget(run: Run, *values: Value) -> None:
    """Code that isn't followed has these values: it may call the functions and change the objects among them."""
    pending = list(values)
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        if not isinstance(value, _CONCERNED) or value in seen:
            continue
        seen.add(value)
        match value:
            case Traced():
                run.escapes(value)
                pending.append(value.target)
            case Bound():
                pending += [value.target, value.receiver]
            case Method():
                pending.append(value.receiver)
            case Partial():
                pending += [value.target, *value.positional, *(held for _, held in value.named)]
            case Tuple():
                pending += value.items
            case Function():
                _hand_over(run, value)
                pending += _forget_outside(run, value)
            case Object():
                pending += _forget_object(run, value)
            case OrNone():
                pending.append(value.inner)
            case KerasObject():
                lazy_variables.doubt(run, value)
                keras_leaks.doubt(run)
            case _:
                pass


_CONCERNED = (Traced, Bound, Method, Partial, Tuple, Function, Object, OrNone, KerasObject)
"""What may be changed by whoever has got it, or has such things in it."""


def _hand_over(run: Run, function: Function) -> None:
    """A function made in another one may be called by whoever has got it; others are looked at in any case.

    Eager code that makes no graph is left alone.
    """
    if run.context.graph or may_begin_a_graph(function.block, run.flow):
        run.hand_over(run.frame(function.frame), function, run.context.graph)


def _forget_object(run: Run, value: Object) -> Iterable[Value]:
    items, entries = run.state.items(value.id), run.state.entries(value.id)
    if items is not None:
        run.state.set_content(value.id, Items(None))
        return items.known or ()
    if entries is not None:
        run.state.set_content(value.id, Entries(closed=False))
        return [content for _, content in entries.known]
    open_instances.mark_open(run, value)
    run.note(InstanceEscaped(value.id))
    held: list[Value] = []
    for name, content in run.state.owned(value.id).items():
        if name in (marks.OPEN, CONTENT) or not isinstance(content, Value):
            continue
        if isinstance(content, (Constant, Leaked, Scalar, Tensor, Tuple)):
            run.state.set(value.id, name, UNKNOWN)
        held.append(content)
    return held


def _forget_outside(run: Run, function: Function) -> Iterable[Value]:
    """What a function binds or reaches outside of itself."""
    frame = run.frame(function.frame)
    if frame is None:
        return ()
    scope = run.flow.scopes_of(function.block, function.node)
    for name in sorted(scope.mutated_nonlocals | frozenset(scope.globals)):
        around = name_lookup.enclosing(frame, name)
        if around is not None:
            run.state.set(around.id, name, UNKNOWN)
    held = [
        run.state.value(around.id, name)
        for name in sorted(scope.free)
        if (around := name_lookup.enclosing(frame, name))
    ]
    return [v for v in held if isinstance(v, Traced) or (isinstance(v, Object) and v.kind != "instance")]
