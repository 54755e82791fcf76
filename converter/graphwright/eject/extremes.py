"""`max` and `min` of one list or tensor, with a key or a default.

Before:

    best = max(names, key=score)
    last = max(found, default=0.0)

After:

    best = tf.gather(names, tf.argsort([score(key) for key in names], direction="DESCENDING", stable=True)[0])
    last = tf.cond(tf.shape(found)[0] > 0, lambda: tf.sort(found, direction="DESCENDING")[0], lambda: 0.0)

The larger of two values isn't decided here.
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.values.domain import Object, Tensor, Tuple

from graphwright.eject import filters, harmless, seeds, sorting
from graphwright.eject.bindings import is_none
from graphwright.passes.calls import dotted


def extreme(read: Any, node: Any) -> str | None:
    """What replaces `max(items, key=..., default=...)`; None where TensorFlow has no simple word for it."""
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if len(node.args) != 1 or set(named) - {"key", "default"}:
        return _of_starred(read, node)
    if (text := _of_vector(read, node, named)) is not None:
        return text
    if "key" in named:
        return _by_key(read, node, named["key"]) if "default" not in named else None
    return _of_list(read, node, named.get("default"))


def of_parts(style: Any, name: str, element: gast.AST, text: str) -> str:
    """What `any`, `all`, `max` or `min` gives for a vector, or for a list of tensors that is made there."""
    if name in ("max", "min") and str(getattr(style.value(element), "dtype", "")).startswith("float"):
        return _first_extreme(style.tf, name, text)
    return f"{style.tf}.reduce_{name}({text})"


def _of_vector(read: Any, node: Any, named: dict[str, Any]) -> str | None:
    """The extreme of a tensor that may be empty, or that has a key; None for any other."""
    style, items = read.unit.style, node.args[0]
    tf, descending = style.tf, sorting.direction_of(node.func.id == "max")
    made = isinstance(items, (gast.ListComp, gast.GeneratorExp))
    element = style.value(items.elt) if made else _element(style.value(items))
    if not _is_number(element) or is_none(named.get("default")):
        return None
    whole = filters.as_tensor(read, items) if made else read(items)
    if whole is None or (made and named):
        return None
    first = f"{tf}.sort({whole}{descending})[0]"
    if "key" in named:
        scores = filters.scores(read, items, named["key"])
        if scores is None:
            return None
        first = f"{tf}.gather({whole}, {tf}.argsort({scores}{descending}, stable=True)[0])"
    if "default" in named:
        default = _default(read, named["default"], element)
        return default and f"{tf}.cond({tf}.shape({whole})[0] > 0, lambda: {first}, lambda: {default})"
    return first if made or "key" in named or not filters.has_known_length(style.value(items)) else None


def bare(text: str) -> str:
    """A comprehension without its brackets."""
    return text[1:-1] if text[0] in "([" and text[-1] in ")]" else text


def _element(held: Any) -> Tensor | None:
    """An element of a vector; None for anything else."""
    is_vector = isinstance(held, Tensor) and not held.is_range and held.shape is not None and len(held.shape) == 1
    return Tensor(held.dtype, ()) if is_vector else None


def _default(read: Any, node: Any, element: Any) -> str | None:
    """What there is instead of an element of nothing; None where Python's evaluating it could be noticed."""
    seeds.wrap(read.unit.style, node, element.dtype)
    return str(read(node)) if harmless.has_no_effects(read.unit.style, node) else None


def _by_key(read: Any, node: Any, key: gast.expr) -> str | None:
    """`max(names, key=score)` where Python has the names and the graph their scores; of equal ones it's the first."""
    style = read.unit.style
    items, tf = node.args[0], style.tf
    held = style.value(items)
    is_range = isinstance(items, gast.Call) and dotted(items.func) == "range" and style.is_python(items, read.facts)
    if not style.is_tensor(node) or (
        not is_range and (not isinstance(items, gast.Name) or not isinstance(held, (Object, Tuple)))
    ):
        return None
    text, own = read(items), "key"
    if isinstance(key, gast.Lambda) and len(key.args.args) == 1:
        own = key.args.args[0].id
        score = read.within(frozenset({own}))(key.body)
    else:
        score = f"{read(key)}({own})"
    listed = f"list({text})" if is_range or (isinstance(held, Object) and held.kind != "list") else text
    direction = sorting.direction_of(node.func.id == "max")
    return f"{tf}.gather({listed}, {tf}.argsort([{score} for {own} in {text}]{direction}, stable=True)[0])"


def _of_starred(read: Any, node: Any) -> str | None:
    """`max(*scores, 1.0)`."""
    style = read.unit.style
    has_starred = any(isinstance(each, gast.Starred) for each in node.args)
    if node.keywords or not has_starred or not _is_number(style.value(node)):
        return None
    return _first_extreme(style.tf, node.func.id, f"[{', '.join(map(read, node.args))}]")


def _of_list(read: Any, node: Any, default: Any) -> str | None:
    """`max(scores)` for numbers that Python holds, some of which the graph computes; None for anything else."""
    style, first = read.unit.style, node.args[0]
    if isinstance(first, gast.Starred):
        return _of_starred(read, node)
    if isinstance(first, (gast.ListComp, gast.GeneratorExp)):
        return None
    if not _is_number(style.value(node)) or style.is_tensor(first) or style.holds_list(dotted(first) or ""):
        return None
    if not style.is_python(first, read.facts):
        return None
    held = style.value(first)
    is_list = isinstance(held, Tuple) or (isinstance(held, Object) and held.kind == "list")
    listed = read(first) if is_list else f"[*{read(first)}]"
    if default is not None:
        seeds.wrap(style, default, style.value(node).dtype)
        listed = f"{listed} or [{read(default)}]"
    return _first_extreme(style.tf, node.func.id, listed)


def _is_number(value: Tensor | None) -> bool:
    return isinstance(value, Tensor) and value.shape == () and value.dtype not in (None, "string", "bool")


def _first_extreme(tf: str, name: str, text: str) -> str:
    """Of several equal elements, Python takes the first, which alone gets the gradient; TensorFlow sorts it first.

    As in Python, a NaN that comes first stays first, and later ones don't come there.
    """
    return f"{tf}.sort({text}{sorting.direction_of(name == 'max')})[0]"
