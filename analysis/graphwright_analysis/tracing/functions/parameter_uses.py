"""Whether a function that gets a Python number would take a tensor in its place.

Judged by every use of the parameter in the function's body; a use that isn't known to be safe makes it unsafe.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Api, Constant, Function, Scalar, Value, dtype_of, is_tensor_like

Values = Mapping[gast.AST, Value]
_CASTS = frozenset({"tf.cast", "tf.saturate_cast"})


def takes_tensor(function: Function, parameter: str, dtype: str, values: Values) -> bool:
    """Whether each use of the parameter works on a scalar tensor of the dtype and gives what the number gave."""
    body = function.node.body if isinstance(function.node.body, list) else [function.node.body]
    used = False
    for statement in body:
        for parent in gast.walk(statement):
            for name in gast.iter_child_nodes(parent):
                if not isinstance(name, gast.Name) or name.id != parameter:
                    continue
                used = True
                if not isinstance(name.ctx, gast.Load) or not _safe(parent, name, dtype, values):
                    return False
    return used


def _safe(parent: gast.AST, name: gast.Name, dtype: str, values: Values) -> bool:
    match parent:
        case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult() | gast.Div()):
            other = values.get(parent.right if parent.left is name else parent.left)
            if isinstance(other, (Constant, Scalar)):
                return False
            floats = not isinstance(parent.op, gast.Div) or dtype in dtypes.FLOATS
            return other is not None and is_tensor_like(other) and dtype_of(other) == dtype and floats
        case gast.Call(func=function, args=[first, *_]):
            called = values.get(function)
            return first is name and isinstance(called, Api) and called.name in _CASTS
        case _:
            return False
