"""Python's built-in functions on tensors, as TensorFlow has them.

Before:

    print("loss", float(n), max(a, b), len(xs))

After:

    tf.print("loss", tf.cast(n, tf.float32), tf.maximum(a, b), tf.shape(xs)[0])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.values.domain import Constant, Scalar, StaticShape, Tensor, dtype_of, python_kind

from graphwright.eject import callees, extremes, filters, harmless, lower_bounds, sorting
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.passes.expressions import ExpressionRenderer


def call(read: Any, node: Any) -> str | None:
    """A built-in function that is given a tensor; None where it isn't."""
    style = read.unit.style
    name = node.func.id
    if name == "print":
        return _print(read, node)
    if name == "len" and len(node.args) == 1 and (text := callees.special(read, node.args[0], "__len__")) is not None:
        return text
    if name == "sum" and len(node.args) == 1 and (text := filters.counted(read, node.args[0])) is not None:
        return text
    whole = filters.as_tensor(read, node.args[0]) if len(node.args) == 1 and name in filters.CONSUMERS else None
    if whole is not None:
        return _of_whole(read, node, name, whole)
    if name in ("max", "min") and (text := extremes.extreme(read, node)) is not None:
        return text
    parts = node.args[0] if len(node.args) == 1 and not node.keywords else None
    if isinstance(parts, (gast.GeneratorExp, gast.ListComp)) and name in ("any", "all", "max", "min"):
        if style.is_tensor(parts.elt):
            return extremes.of_parts(style, name, parts.elt, f"[{extremes.bare(read(parts))}]")
        return None
    if name == "sorted" and (text := sorting.of_list(read, node)) is not None:
        return text
    given_tensors = any(style.is_tensor(argument) for argument in node.args)
    if name in ("isinstance", "type") or not (given_tensors or _compares_staged(read, node)):
        _refuse_unknown(read, node)
        return None
    handler = _HANDLERS.get(name)
    texts = [rendered(read, argument) for argument in node.args]
    walks = name in ("zip", "enumerate", "reversed", "map")
    text = handler(read, node, texts) if handler and (walks or name in ("sum", "sorted") or not node.keywords) else None
    if text is None and walks:
        raise ConversionError(
            f"`{name}` goes over a tensor here whose length only the graph knows: write it in the `for` statement "
            "itself, or loop over `tf.range(...)` and use the index",
            line=node.lineno,
        )
    if text is None:
        raise ConversionError(f"plain TensorFlow has no simple equivalent of `{name}` on a tensor", line=node.lineno)
    return text


def _of_whole(read: Any, node: Any, name: str, whole: str) -> str:
    """A built-in function of what a comprehension gives as one tensor."""
    style = read.unit.style
    if name in ("any", "all"):
        dtype = dtype_of(filters.element(style, filters.as_comprehension(node.args[0])))
        return f"{style.tf}.reduce_{name}({whole if dtype == 'bool' else f'{style.tf}.cast({whole}, {style.tf}.bool)'})"
    return str(_HANDLERS[name](read, node, [whole]) or f"{style.tf}.reduce_{name}({whole})")


def _compares_staged(read: Any, node: Any) -> bool:
    """Whether `max` or `min` compares a name that staged code sets: a number there may be a tensor by then."""
    if node.func.id not in ("max", "min") or len(node.args) < 2:
        return False
    staged = {name.symbol for fact in read.unit.style.known.visits for name in fact.names}
    return any(isinstance(argument, gast.Name) and argument.id in staged for argument in node.args)


def _refuse_unknown(read: ExpressionRenderer, node: Any) -> None:
    """Refuse to compare a local name by `max` or `min` that may hold a tensor: Python would ask which is greater."""
    for argument in node.args if node.func.id in ("max", "min") and len(node.args) > 1 else ():
        if isinstance(argument, gast.Name) and argument.id in read.facts.own - read.facts.parameters:
            read.unit.style.is_python(argument, read.facts)


def rendered(read: ExpressionRenderer, node: gast.AST) -> str:
    return read(node)


def _print(read: Any, node: gast.Call) -> str | None:
    style = read.unit.style
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if set(named) - {"sep", "end", "flush"}:
        raise ConversionError("`tf.print` can't print to a file object", line=node.lineno)
    arguments = [_argument(read, argument) for argument in node.args] or ['""']
    if len(arguments) > 1 and any(_is_text_of_graph(style, each) for each in node.args):
        parts = [_printed(style, *each) for each in zip(node.args, arguments, strict=True)]
        if all(parts):
            between = read(named.pop("sep")) if "sep" in named else '" "'
            arguments = [f"{style.tf}.strings.join([{', '.join(map(str, parts))}], separator={between})"]
    arguments += [f"{word}={read(named[word])}" for word in ("sep", "end") if word in named]
    return f"{style.tf}.print({', '.join(arguments)})"


def _argument(read: Any, node: gast.expr) -> str:
    """An argument of `print`; TensorFlow would print a shape as the call that makes it."""
    is_shape = isinstance(read.unit.style.value(node), StaticShape)
    return f"str({read(node)})" if is_shape else str(read(node))


def _is_text_of_graph(style: Any, node: gast.AST) -> bool:
    """Whether an argument is a text that the graph makes, which TensorFlow quotes if it prints others with it."""
    if isinstance(node, gast.JoinedStr):
        return any(map(style.is_tensor, walk(node)))
    value = style.value(node)
    return isinstance(value, Tensor) and value.dtype == "string" and value.shape == ()


def _printed(style: Any, node: Any, text: str) -> str | None:
    """An argument of `print` as a text; None for what holds tensors otherwise."""
    is_text = isinstance(node, gast.Constant) and isinstance(node.value, str)
    if is_text or isinstance(node, gast.JoinedStr) or _is_text_of_graph(style, node):
        return text
    if isinstance(style.value(node), StaticShape):
        return text
    if isinstance(style.value(node), (Constant, Scalar)):
        return f'"{node.value}"' if isinstance(node, gast.Constant) else f"str({text})"
    return f'{style.tf}.strings.format("{{}}", [{text}])' if style.is_tensor(node) else None


def _len(read: Any, node: gast.Call, texts: list[str]) -> str | None:
    value = read.unit.style.value(node.args[0])
    size = value.shape[0] if isinstance(value, Tensor) and value.shape and not value.is_range else None
    if (size is not None and size >= 0) or python_kind(read.unit.style.value(node)) is int:
        return f"{texts[0]}.shape[0]"
    return f"{read.unit.style.tf}.shape({texts[0]})[0]"


def _cast(dtype: str) -> Callable[[Any, Any, list[str]], str | None]:
    def cast(read: Any, node: gast.Call, texts: list[str]) -> str | None:
        if len(texts) != 1 or getattr(read.unit.style.value(node.args[0]), "dtype", None) == "string":
            return None
        return f"{read.unit.style.tf}.cast({texts[0]}, {read.unit.style.tf}.{dtype})"

    return cast


def _float(read: Any, node: gast.Call, texts: list[str]) -> str | None:
    """A Python number brings no gradient back, so neither does what stands for it."""
    tf = read.unit.style.tf
    dtype = getattr(read.unit.style.value(node.args[0]), "dtype", None) or ""
    text = texts[0] if dtype in ("float32", "float64") else _cast("float32")(read, node, texts)
    return f"{tf}.stop_gradient({text})" if text is not None and not dtype.startswith(("int", "uint", "bool")) else text


def _extreme(name: str) -> Callable[[Any, Any, list[str]], str | None]:
    def extreme(read: Any, node: gast.Call, texts: list[str]) -> str | None:
        style = read.unit.style
        if len(texts) == 1:
            return (
                extremes.of_parts(style, name[:3], node.args[0], texts[0]) if _rank(read, node.args[0]) == 1 else None
            )
        text = texts[0]
        for other in texts[1:]:
            text = f"{style.tf}.{name}({text}, {other})"
        return text

    return extreme


def _sum(read: Any, node: gast.Call, texts: list[str]) -> str | None:
    tf = read.unit.style.tf
    starts = [*texts[1:], *[read(keyword.value) for keyword in node.keywords]]
    text = f"{tf}.reduce_sum({texts[0]}, axis=0)"
    return f"{tf}.add({text}, {starts[0]})" if starts else text


def _reduced(name: str) -> Callable[[Any, Any, list[str]], str | None]:
    def reduced(read: Any, node: gast.Call, texts: list[str]) -> str | None:
        style = read.unit.style
        if len(texts) != 1 or _rank(read, node.args[0]) != 1:
            return None
        is_bool = getattr(style.value(node.args[0]), "dtype", None) in (None, "bool")
        text = texts[0] if is_bool else f"{style.tf}.cast({texts[0]}, {style.tf}.bool)"
        return f"{style.tf}.reduce_{name}({text})"

    return reduced


def _sorted(read: Any, node: Any, texts: list[str]) -> str | None:
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    direction = sorting.direction_argument(named.pop("reverse", None))
    if named or direction is None:
        return None
    text = f"{read.unit.style.tf}.sort({texts[0]}{direction})"
    return text if read.unit.style.is_tensor(node) else f"{read.unit.style.tf}.unstack({text})"


def _divmod(read: Any, node: Any, texts: list[str]) -> str | None:
    simple = all(isinstance(argument, (gast.Name, gast.Constant)) for argument in node.args)
    return f"({texts[0]} // {texts[1]}, {texts[0]} % {texts[1]})" if simple else None


def _range(read: Any, node: Any, texts: list[str]) -> str | None:
    """`range` as a tensor; TensorFlow refuses one that Python finds empty, since it goes the other way."""
    tf, facts, count = read.unit.style.tf, read.facts, len(node.args)
    if count == 1:
        return f"{tf}.range({lower_bounds.as_count(read, node.args[0], texts[0])})"
    step: Any = node.args[2] if count > 2 else gast.Constant(1, None)
    backwards = isinstance(step, gast.UnaryOp) and isinstance(step.op, gast.USub)
    literal = step.operand if backwards else step
    if not isinstance(literal, gast.Constant) or not harmless.is_repeatable(read, node.args[0]):
        return None
    if not backwards and lower_bounds.is_below(facts, node.args[0], node.args[1]):
        return f"{tf}.range({', '.join(texts)})"
    texts[1] = f"{tf}.{'minimum' if backwards else 'maximum'}({texts[0]}, {texts[1]})"
    return f"{tf}.range({', '.join(texts)})"


def _plain(function: str) -> Callable[[Any, Any, list[str]], str | None]:
    def plain(read: Any, node: gast.AST, texts: list[str]) -> str | None:
        return f"{read.unit.style.tf}.{function}({', '.join(texts)})"

    return plain


def _round(read: Any, node: Any, texts: list[str]) -> str | None:
    tf = read.unit.style.tf
    return f"{tf}.cast({tf}.round({texts[0]}), {tf}.int32)" if len(texts) == 1 else None


def _rank(read: Any, node: gast.expr) -> int | None:
    shape = getattr(read.unit.style.value(node), "shape", None)
    return None if shape is None else len(shape)


_HANDLERS: dict[str, Callable[[Any, Any, list[str]], str | None]] = {
    "len": _len,
    "int": _cast("int32"),
    "float": _float,
    "bool": _cast("bool"),
    "abs": _plain("abs"),
    "pow": lambda read, node, texts: _plain("pow")(read, node, texts) if len(texts) == 2 else None,
    "round": _round,
    "min": _extreme("minimum"),
    "max": _extreme("maximum"),
    "sum": _sum,
    "any": _reduced("any"),
    "all": _reduced("all"),
    "divmod": _divmod,
    "range": lambda read, node, texts: _range(read, node, texts),
    "sorted": lambda read, node, texts: _sorted(read, node, texts),
    "list": lambda read, node, texts: _unstacked(read, node, texts),
    "tuple": lambda read, node, texts: _unstacked(read, node, texts),
    "zip": lambda read, node, texts: walked(read, node, texts),
    "enumerate": lambda read, node, texts: walked(read, node, texts),
    "reversed": lambda read, node, texts: walked(read, node, texts),
    "map": lambda read, node, texts: walked(read, node, texts),
}


def walked(read: Any, node: Any, texts: list[str]) -> str | None:
    """`zip(xs, ys)` where Python can go over what it is given, since each tensor has a known length."""
    name, parts = dotted(node.func) or "", list[str | None]()
    for argument, text in zip(node.args, texts, strict=True):
        counts = (name == "enumerate" and len(parts) == 1) or (name.endswith("reduce") and len(parts) == 2)
        is_tensor = read.unit.style.is_tensor(argument) and not counts
        parts.append(_parts_of(read, argument, text) if is_tensor else text)
    known = [part for part in parts if part is not None]
    options = [f"{keyword.arg}={read(keyword.value)}" for keyword in node.keywords]
    return f"{name}({', '.join([*known, *options])})" if len(known) == len(parts) else None


def _unstacked(read: Any, node: Any, texts: list[str]) -> str | None:
    if isinstance(node.args[0], gast.Call) and getattr(node.args[0].func, "id", "") in ("map", "zip", "enumerate"):
        return f"{node.func.id}({texts[0]})"
    parts = _parts_of(read, node.args[0], texts[0])
    return f"tuple({parts})" if parts is not None and node.func.id == "tuple" else parts


def _parts_of(read: Any, node: Any, text: str) -> str | None:
    """The parts of a tensor of known length."""
    value = read.unit.style.value(node)
    known = isinstance(value, Tensor) and value.shape and value.shape[0] is not None and value.shape[0] >= 0
    return f"{read.unit.style.tf}.unstack({text})" if known else None
