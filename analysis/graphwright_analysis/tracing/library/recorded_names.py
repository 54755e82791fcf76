"""Whether the code under a gradient tape reads anything that the tape may record: Variables, or what may hold some.

By the names and attributes that the code reads, and by what they were; other functions of the project aren't followed.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values.domain import (
    Api,
    ApiInstance,
    Array,
    Constant,
    Method,
    Object,
    Scalar,
    Tensor,
    Tuple,
    Value,
)

_PLAIN = frozenset(
    {
        "abs", "enumerate", "float", "int", "len", "list", "max", "min", "print", "range", "reversed", "sorted",
        "sum", "tuple", "zip", "tf", "np", "math",
    }
)  # fmt: skip
_LIBRARIES = ("tf.", "np.", "math.")
_WITH_STATE = ("tf.keras.", "tf.compat.", "tf.Variable", "tf.Module", "tf.function", "tf.saved_model", "tf.raw_ops")
_WITHOUT_STATE = ("tf.keras.losses.", "tf.keras.ops.", "tf.keras.backend.")

_READING = (gast.Name, gast.Attribute, gast.Subscript)


def recorded_nothing(run: Run, body: Sequence[gast.stmt]) -> bool:
    """Whether a tape around these statements surely recorded nothing."""
    nodes = [node for statement in body for node in gast.walk(statement)]
    if any(isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)) for node in nodes):
        return False
    read = [node for node in nodes if isinstance(node, _READING) and isinstance(node.ctx, gast.Load)]
    owners = {node.value for node in nodes if isinstance(node, gast.Attribute)}
    values = [(node, run.seen.values.get(node)) for node in read]
    return bool(read) and all(
        _holds_no_variable(run, value) or (node in owners and _is_instance(value)) for node, value in values
    )


def _is_instance(value: Value | None) -> bool:
    return isinstance(value, Object) and value.kind == "instance"


def _holds_no_variable(run: Run, value: Value | None, depth: int = 3) -> bool:
    if isinstance(value, (Tensor, Constant, Scalar, Array)):
        return True
    if isinstance(value, Method):
        return _holds_no_variable(run, value.receiver, depth)
    if isinstance(value, Api):
        return value.name in _PLAIN or (value.name.startswith(_LIBRARIES) and _is_without_state(value.name))
    if isinstance(value, ApiInstance):
        return value.name.startswith("tf.keras.losses.")
    inside = _inside(run, value) if depth else None
    return inside is not None and all(_holds_no_variable(run, each, depth - 1) for each in inside)


def _inside(run: Run, value: Value | None) -> Sequence[Value] | None:
    """What is in a tuple, list or dict, if all of it is known."""
    if isinstance(value, Tuple):
        return value.items
    if not isinstance(value, Object):
        return None
    items, entries = run.state.items(value.id), run.state.entries(value.id)
    if items is not None:
        return (items.element,) if items.known is None else items.known
    return [each for _, each in entries.known] if entries is not None and entries.closed else None


def _is_without_state(name: str) -> bool:
    shown = f"{name}."
    return shown == "tf.keras." or shown.startswith(_WITHOUT_STATE) or not shown.startswith(_WITH_STATE)
