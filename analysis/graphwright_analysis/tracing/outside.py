"""Notes calls of what the project doesn't define, for the rules to judge.

What such a call gives is in `library_calls` and `builtin_calls`.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.values.domain import Api, ApiInstance, DType, Method, Object, Tensor, Tuple, Value

from . import iterators, variables
from .facts import Argument, OutsideCall
from .run import Frame, Run, place_of

Given = tuple[Value, gast.AST, "str | None"]
"""An argument as written: its value, its expression, and the keyword it is given by."""

WATCHED_EAGERLY = frozenset({"tf.config.run_functions_eagerly", "tf.config.experimental_run_functions_eagerly"})
"""The calls that a rule judges though they run eagerly."""


def note_call(run: Run, frame: Frame, callee: Value, given: Sequence[Given], node: gast.Call) -> None:
    """Note the call, if it is one of something outside and somebody may ask for it."""
    if isinstance(callee, DType) and callee.name is not None:
        callee = Api(f"np.{callee.name}")
    if not isinstance(callee, (Api, ApiInstance, Method)):
        return
    if isinstance(callee, Api):
        variables.note_made(run, frame, callee.name, [value for value, _, name in given if name is None], node)
    likely = run.for_keras and not run.graph and callee.name.startswith(("random.", "np.random."))
    likely = likely and not any(isinstance(value, Tensor) for value, _, _ in given)
    if not (run.graph or likely) and callee.name not in WATCHED_EAGERLY:
        return
    if callee == Api("next"):
        iterators.note_next(run, frame, given, node)
    receiver = laid_open(run, callee.receiver) if isinstance(callee, Method) else None
    arguments = tuple(
        Argument(laid_open(run, value), place_of(frame, at), name, _is_outside(frame, at)) for value, at, name in given
    )
    attempted = bool(run.attempts) or isinstance(run.statement, (gast.Raise, gast.Assert))
    # Under NumPy's behaviour tensors have the methods of arrays.
    attempted = attempted or (run.numpy_behavior and isinstance(callee, Method) and callee.name != "numpy")
    dropped = isinstance(run.statement, gast.Expr) and run.statement.value is node
    run.note(
        OutsideCall(
            place_of(frame, node),
            callee.name,
            receiver,
            arguments,
            place_of(frame, node.func),
            place_of(frame, run.statement or node),
            run.graph or likely,
            dropped,
            attempted,
            bool(run.uncertain),
            Confidence.LIKELY if likely else Confidence.CERTAIN,
        )
    )


def _is_outside(frame: Frame, node: gast.AST) -> bool:
    if isinstance(node, gast.Attribute):
        return True
    return isinstance(node, gast.Name) and node.id not in frame.scope.bound | frozenset(frame.scope.parameters)


def laid_open(run: Run, value: Value, depth: int = 3) -> Value:
    """The value with lists and dicts as tuples of what they hold now, where that is known."""
    if isinstance(value, Tuple):
        return Tuple(tuple(laid_open(run, item, depth) for item in value.items), value.fields) if depth else value
    if not isinstance(value, Object) or not depth:
        return value
    items, entries = run.state.items(value.id), run.state.entries(value.id)
    if items is not None and items.known is not None and len(items.known) <= 64:
        return Tuple(tuple(laid_open(run, item, depth - 1) for item in items.known))
    if entries is not None and entries.closed:
        return Tuple(tuple(laid_open(run, held, depth - 1) for _, held in entries.known))
    return value
