"""What may be a tensor where it is unpacked: names and what is in them, arithmetic, some of TensorFlow's functions.

Other calls give tuples when they are unpacked, as a rule, and stay as they are written.
"""

from __future__ import annotations

import gast

from graphwright.passes.calls import dotted


def may_be_tensor(node: gast.AST) -> bool:
    """Whether an expression may give a tensor, rather than several in a tuple or list."""
    if isinstance(node, gast.Attribute):
        return node.attr != "shape"
    if isinstance(node, gast.Call):
        return (dotted(node.func) or "").rpartition(".")[2] in _GIVES_ONE
    return isinstance(node, (gast.Name, gast.Subscript, gast.BinOp, gast.UnaryOp))


_GIVES_ONE = frozenset(
    {
        *("abs", "cast", "clip_by_value", "concat", "constant", "convert_to_tensor", "divide", "expand_dims", "floor"),
        *("gather", "identity", "linspace", "matmul", "maximum", "minimum", "multiply", "normal", "pad", "range"),
        *("reduce_max", "reduce_mean", "reduce_min", "reduce_sum", "reshape", "reverse", "roll", "round", "shape"),
        *("sort", "squeeze", "stack", "stop_gradient", "subtract", "tile", "transpose", "uniform", "where", "zeros"),
    }
)
"""Functions whose result is one tensor, of those that people unpack."""
