"""Expressions in plain TensorFlow: as the user wrote them, but for what a symbolic tensor can't do by itself.

Before:

    y = a if 0 < x < 1 and not done else b

After:

    y = tf.cond(tf.logical_and(tf.logical_and(0 < x, x < 1), tf.logical_not(done)), lambda: a, lambda: b)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.values.domain import Function, Object, Tensor, Tuple

from graphwright.eject import (
    arrays,
    builtins,
    callees,
    comprehension_loops,
    conditions,
    filters,
    formats,
    list_operators,
    numbers,
    returned_records,
    seeds,
    stacks,
    whole_arrays,
)
from graphwright.eject.layout import as_argument
from graphwright.errors import ConversionError
from graphwright.passes import names
from graphwright.passes.calls import BUILTINS, dotted

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.expressions import ExpressionRenderer


def negation(read: Any, node: gast.UnaryOp) -> str | None:
    if node in read.unit.style.wrapped:
        return constant(read, node)
    if not isinstance(node.op, gast.Not) or read.unit.style.is_python(node.operand, read.facts):
        return None
    if stacks.is_stack(read.unit.style, node.operand):
        return f"{read.unit.style.tf}.shape({read(node.operand)})[0] == 0"
    return f"{read.unit.style.tf}.logical_not({conditions.condition(read, node.operand)})"


def negate_as_python(lowering: Lowering, test: gast.AST) -> None:
    """Have a `not` that the passes have made be Python's, where its operand is."""
    _, parts = lowering.unit.templates.get(test, ("", {}))
    operand = parts.get("test") if isinstance(test, gast.UnaryOp) else None
    if operand is not None and lowering.unit.style.is_python(operand, lowering.facts):
        text = "not {test}" if isinstance(operand, (gast.Name, gast.Attribute, gast.Call)) else "not ({test})"
        lowering.unit.templates[test] = text, parts


def conditional(read: Any, node: gast.IfExp) -> str | None:
    style = read.unit.style
    if style.is_python(node.test, read.facts):
        return None
    conditions.refuse_bindings(read, node)
    values = [style.value(node.body), style.value(node.orelse)]
    seeds.wrap_alike(style, [node.body, node.orelse], values)
    test = as_argument(conditions.condition(read, node.test))
    return f"{style.tf}.cond({test}, lambda: {read(node.body)}, lambda: {read(node.orelse)})"


def constant(read: Any, node: gast.expr) -> str | None:
    style = read.unit.style
    dtype = style.wrapped.get(node)
    return None if dtype is None else seeds.written(style.tf, read.unit.original(*read.unit.span(node)), dtype)


def call(read: Any, node: gast.Call) -> str | None:
    style = read.unit.style
    if node in style.packed_values:
        return returned_records.packed(style, read, node)
    text = whole_arrays.whole(style, read, node) or stacks.whole(style, read, node)
    if text is not None:
        return text
    name = dotted(node.func) or ""
    text = callees.call(read, node)
    if text is not None:
        return text
    root, _, last = name.rpartition(".")
    if root in style.operators:
        return _operator(read, node, last)
    if name in BUILTINS and name not in read.facts.bound and name not in read.unit.free:
        return builtins.call(read, node)
    if (text := formats.joined(read, node)) is not None:
        return text
    if (
        isinstance(node.func, gast.Attribute)
        and node.func.attr == "format"
        and isinstance(node.func.value, gast.Constant)
    ):
        return _formatted(read, node)
    if name == f"{style.tf}.constant" and (text := _constant_of_graph(read, node)) is not None:
        return text
    if name in ("functools.reduce", "reduce") and len(node.args) > 1 and style.is_tensor(node.args[1]):
        return builtins.walked(read, node, [read(argument) for argument in node.args])
    listed = bool(node.args) and isinstance(node.args[0], gast.ListComp)
    if listed and last in ("stack", "convert_to_tensor") and root == style.tf:
        return filters.as_tensor(read, node.args[0]) or _mapped(read, node.args[0])
    return None


def _constant_of_graph(read: Any, node: gast.Call) -> str | None:
    """`tf.constant` of a number or text that the graph has, with at most a dtype; None for any other."""
    given = {"value": None, **dict(zip(("value", "dtype"), node.args, strict=False))}
    given |= {keyword.arg: keyword.value for keyword in node.keywords}
    value, dtype, style = given.pop("value"), given.pop("dtype", None), read.unit.style
    if value is None or given or len(node.args) > 2 or not style.is_tensor(value):
        return None
    return read(value) if dtype is None else f"{style.tf}.cast({read(value)}, {read(dtype)})"


def percent(read: Any, node: gast.BinOp) -> str | None:
    left = node.left
    if (text := list_operators.binary(read, node)) is not None:
        return text
    if (text := numbers.binary(read, node)) is not None:
        return text
    if not isinstance(node.op, gast.Mod) or not isinstance(left, gast.Constant) or not isinstance(left.value, str):
        return None
    given = node.right.elts if isinstance(node.right, gast.Tuple) else [node.right]
    if not any(read.unit.style.is_tensor(value) for value in given):
        return None
    plain = re.sub(r"%[sd]", "{}", left.value)
    if "%" in plain or plain.count("{}") != len(given):
        raise formats.no_format(node)
    return formats.formatted(read.unit.style, plain, [read(value) for value in given])


def subscript(read: Any, node: gast.Subscript) -> str | None:
    style = read.unit.style
    if not isinstance(node.ctx, gast.Load):
        return None
    if arrays.is_array(style, node.value):
        return arrays.item(style, read, node)
    is_display = isinstance(node.value, (gast.List, gast.Tuple))
    held = seeds.value_of(style, node.value) if is_display else style.value(node.value)
    held = seeds.as_list(held) if isinstance(held, Tuple) else held
    if not isinstance(held, Object) or held.kind not in ("list", "dict") or not style.is_tensor(node.slice):
        return None
    if isinstance(seeds.stacked(held), Tensor):
        made = "stack" if seeds.holds_tensors(held) else "constant"
        return f"{style.tf}.{made}({read(node.value)})[{read(node.slice)}]"
    raise ConversionError(
        f"`{read.unit.original(*read.unit.span(node.value))}` is a Python {held.kind}, and the index is a "
        "tensor: stack the elements into a tensor first",
        line=node.lineno,
    )


def spread(read: Any, node: Any) -> str | None:
    """`*xs` of a tensor, which Python can't iterate over."""
    tf = read.unit.style.tf
    return f"*{tf}.unstack({read(node.value)})" if read.unit.style.is_tensor(node.value) else None


def name(read: Any, node: gast.Name) -> str | None:
    style = read.unit.style
    if node in style.packed_values:
        return returned_records.packed(style, read, node)
    if node in style.listed:
        return str(style.listed[node])
    if isinstance(node.ctx, gast.Load) and node.id in style.arrays and node.id not in read.hidden:
        if node in style.tested:
            return f"{node.id}.size() > 0"
        if whole_arrays.is_returned(read.facts, node):
            return f"{node.id}.stack()"
        raise arrays.refuse(node)
    if isinstance(node.ctx, gast.Load) and node.id in style.operators and node.id not in read.facts.bound:
        raise _no_operator(node)
    if style.known.seen is not None:
        return callees.passed(read, node) or names.private(read, node.id)
    held = style.value(node)
    called = getattr(held.node, "name", "") if isinstance(held, Function) else ""
    if called in style.known.functions and node.id not in read.facts.bound and called not in style.called:
        style.called.append(called)
    return names.name(read, node)


def comprehension(read: Any, node: gast.GeneratorExp | gast.ListComp) -> str | None:
    """Over a tensor of a known length it runs over its parts; over any other there is none."""
    style = read.unit.style
    if whole_arrays.is_returned(read.facts, node) and filters.has_unknown_length(style, node):
        text = filters.as_tensor(read, node) or (_mapped(read, node) if isinstance(node, gast.ListComp) else None)
        if text is not None:
            return text
    comprehension_loops.ask(read, node)
    text = read.unit.splice(node, read)
    for generator in node.generators:
        called = generator.iter.func if isinstance(generator.iter, gast.Call) else None
        if dotted(called) in ("zip", "enumerate", "reversed") or style.is_python(generator.iter, read.facts):
            continue
        held = style.value(generator.iter)
        size = held.shape[0] if isinstance(held, Tensor) and held.shape and not held.is_range else None
        if size is None or size < 0:
            reason = "this builds a list from a tensor of unknown length: use `tf.map_fn`, or a loop that appends"
            raise comprehension_loops.request(read, node, ConversionError(reason, line=node.lineno))
        iterable = read(generator.iter)
        text = text.replace(f" in {iterable}", f" in {style.tf}.unstack({iterable})", 1)
    return text


def function(read: ExpressionRenderer, node: gast.expr) -> str | None:
    return names.function(read, node)


def _operator(read: Any, node: Any, last: str) -> str:
    """What the user calls of Graphwright's."""
    if last == "stack" and len(node.args) == 1 and not node.keywords:
        return f"{read.unit.style.tf}.stack({read(node.args[0])})"
    raise _no_operator(node)


def _mapped(read: Any, node: Any) -> str | None:
    generator = node.generators[0]
    style = read.unit.style
    if len(node.generators) > 1 or generator.ifs or not isinstance(generator.target, gast.Name):
        return None
    if style.is_python(generator.iter, read.facts):
        return None
    item, result = style.value(generator.iter), style.value(node.elt)
    before, after = getattr(item, "dtype", None), getattr(result, "dtype", None)
    if after is None:
        raise ConversionError("the dtype of the elements is unknown: annotate the parameters", line=node.lineno)
    signature = "" if before == after else f", fn_output_signature={style.tf}.{after}"
    target = generator.target.id
    inner = read.within(frozenset({target}))
    return f"{style.tf}.map_fn(lambda {target}: {inner(node.elt)}, {read(generator.iter)}{signature})"


def _formatted(read: Any, node: Any) -> str | None:
    if not any(read.unit.style.is_tensor(argument) for argument in node.args):
        return None
    text = node.func.value.value
    if node.keywords or text.count("{}") != len(node.args) or text.count("{") != len(node.args):
        raise formats.no_format(node)
    return formats.formatted(read.unit.style, text, [read(argument) for argument in node.args])


def _no_operator(node: Any) -> ConversionError:
    return ConversionError("plain TensorFlow has no equivalent of this Graphwright function", line=node.lineno)


HANDLERS = {
    "BoolOp": conditions.boolean,
    "UnaryOp": negation,
    "Compare": conditions.comparison,
    "IfExp": conditional,
    "Constant": constant,
    "Call": call,
    "JoinedStr": formats.text_of,
    "BinOp": percent,
    "ListComp": comprehension,
    "SetComp": comprehension,
    "DictComp": comprehension,
    "GeneratorExp": comprehension,
    "Lambda": function,
    "Name": name,
    "Attribute": callees.attribute,
    "Subscript": subscript,
    "Starred": spread,
}
