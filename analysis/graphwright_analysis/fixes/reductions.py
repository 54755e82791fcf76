"""Python's `any`, `all`, `min`, `max` and `sum` written as TensorFlow's operations."""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.values.domain import shape_of

from .sources import text_of


def repairs(use: PythonTruth, text: str, tensorflow: str | None) -> tuple[Repair, ...]:
    """The call as an operation, where the tensors are known to be scalars."""
    call = _call(text)
    if call is None or tensorflow is None or shape_of(use.value) != ():
        return ()
    parts = [ast.get_source_segment(text, argument) or "" for argument in call.args]
    if use.how in ("any", "all") and len(parts) == 1:
        made = f"{tensorflow}.reduce_{use.how}({_as_list(call.args[0], parts[0])})"
    elif use.how in ("min", "max") and len(parts) == 2:
        made = f"{tensorflow}.{use.how}imum({', '.join(parts)})"
    else:
        return ()
    return (Repair(f"Use {made.partition('(')[0]}", ((use.place, made),)),)


def summed(use: PythonIteration, tensorflow: str | None) -> tuple[Repair, ...]:
    """`sum(x)` as `tf.reduce_sum(x, axis=0)`."""
    text = text_of(use.place)
    call = _call(text)
    if call is None or tensorflow is None or len(call.args) != 1:
        return ()
    made = f"{tensorflow}.reduce_sum({ast.get_source_segment(text, call.args[0])}, axis=0)"
    return (Repair(f"Use {tensorflow}.reduce_sum", ((use.place, made),)),)


def _call(text: str) -> ast.Call | None:
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(node, ast.Call) or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    return node


def _as_list(node: ast.expr, text: str) -> str:
    if not isinstance(node, ast.GeneratorExp):
        return text
    return f"[{text[1:-1]}]" if text.startswith("(") else f"[{text}]"
