"""Methods that Python itself calls for an operator, a subscript or a `with` on an instance of the project.

AutoGraph converts the operator and not the method, so the method runs as it is written.
"""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.library import tapes
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import class_bases
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    UNKNOWN,
    ApiInstance,
    Bound,
    Function,
    Object,
    Value,
    is_tensor_like,
)

from . import calls, objects


def of_operator(run: Run, frame: Frame, operator: str, left: Value, right: Value, node: gast.AST) -> Value | None:
    """What `left operator right` gives, where a method of the project decides; else None."""
    if not isinstance(left, Object) and not isinstance(right, Object):
        return None
    name = operator.strip("_")
    if isinstance(node, gast.AugAssign) and _method(run, frame, left, f"__i{name}__") is not None:
        return None
    method, other = _method(run, frame, left, f"__{name}__"), right
    if method is None and not isinstance(left, Object) and not is_tensor_like(left):
        method, other = _method(run, frame, right, f"__r{name}__"), left
    return None if method is None else _called(run, frame, method, [other])


def of_subscript(run: Run, frame: Frame, owner: Value, key: Value) -> Value | None:
    """What `owner[key]` gives, where a method of the project decides; else None."""
    method = _method(run, frame, owner, "__getitem__")
    return None if method is None else _called(run, frame, method, [key])


def entered(run: Run, frame: Frame, manager: Value) -> Value:
    """What `with manager as name` binds."""
    method = _method(run, frame, manager, "__enter__")
    if method is not None:
        return _called(run, frame, method, [])
    return manager if isinstance(manager, ApiInstance) or tapes.is_tape(manager) else UNKNOWN


def left(run: Run, frame: Frame, manager: Value) -> None:
    """What happens at the end of `with manager`, if nothing is raised in it."""
    method = _method(run, frame, manager, "__exit__")
    if method is not None:
        _called(run, frame, method, [NONE, NONE, NONE])


def _method(run: Run, frame: Frame, owner: Value, name: str) -> Bound | None:
    if not isinstance(owner, Object) or owner.kind != "instance" or not class_bases.declares(run, owner, name):
        return None
    found = objects.attribute(run, frame, owner, name, UNDEFINED)
    return found if isinstance(found, Bound) and isinstance(found.target, Function) else None


def _called(run: Run, frame: Frame, method: Bound, arguments: list[Value]) -> Value:
    return calls.call_value(run, method, Call(conversion.special(run, frame, method.target), arguments))
