"""Sorting a list of Python's by a key that is a tensor: the graph computes the order, and gathers the parts of each.

Before:

    beams = sorted(beams, key=lambda beam: beam.score, reverse=True)

After:

    order = tf.argsort([beam.score for beam in beams], direction="DESCENDING", stable=True)
    parts = tf.nest.map_structure(lambda *each: tf.gather(each, order), *[(beam.tokens, beam.score) for beam in beams])
    beams = [Beam(*tf.nest.map_structure(lambda part: part[place], parts)) for place in range(len(beams))]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.values.domain import Constant, Object, Tensor, Tuple, Value

from graphwright.eject import copied_items, filters, records
from graphwright.eject.flags import Flagged
from graphwright.eject.observations import FunctionObservations, Observations, StateObject
from graphwright.eject.ordered_items import name_of, named_key, sorts, with_order
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk


def sorted_lines(lowering: Any, node: Any) -> list[str] | None:
    """The lines for `name = sorted(items, key=...)` or `items.sort(key=...)`; None for any other statement."""
    call = node.value
    if not isinstance(call, gast.Call) or lowering.unit.style.known.seen is None:
        return None
    if (
        isinstance(node, gast.Expr)
        and isinstance(call.func, gast.Attribute)
        and call.func.attr == "sort"
        and not call.args
    ):
        items, target = call.func.value, call.func.value
    elif isinstance(node, gast.Assign) and dotted(call.func) == "sorted" and len(call.args) == 1:
        items, target = call.args[0], node.targets[0]
    else:
        return None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if (
        "key" not in named
        or not isinstance(items, gast.Name)
        or not isinstance(target, gast.Name)
        or len(call.args) > 1
    ):
        return None
    return _lines(lowering, call, (items, target.id), named)


def of_list(read: Any, node: gast.Call) -> str | None:
    """`sorted(items)` for a list of numbers, some of which the graph computes; None for any other."""
    style = read.unit.style
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    key: Any = named.pop("key", None)
    reverse = named.pop("reverse", None)
    if key is not None:
        text = _of_tensor(read, node, key, reverse) or _of_unknown_length(read, node, key, reverse)
        if text is not None:
            return text
    if key is not None and isinstance(key, gast.Lambda) and style.is_tensor(key.body):
        raise ConversionError(
            "the graph computes by what this sorts: assign the result to a variable, as in `best = sorted(found, "
            "key=...)`, where `found` is a list that Python makes, or use `tf.argsort` and `tf.gather`",
            line=node.lineno,
        )
    held = style.value(node.args[0]) if len(node.args) == 1 and not named and key is None else None
    if not isinstance(held, StateObject) or held.kind != "list" or not any(map(_is_scalar, held.items)):
        return None
    if not all(_is_scalar(item) or isinstance(item, Constant) for item in held.items):
        return None
    direction = direction_argument(reverse)
    if direction is None:
        return None
    return f"{style.tf}.unstack({style.tf}.sort({read(node.args[0])}{direction}))"


def _of_tensor(read: Any, node: Any, key: Any, reverse: Any) -> str | None:
    """`sorted(xs, key=...)` for a tensor of known length, as a list; None for anything else."""
    style, items, direction = read.unit.style, node.args[0], direction_argument(reverse)
    if not filters.has_known_length(style.value(items)) or style.holds_list(dotted(items) or "") or direction is None:
        return None
    if (scores := filters.scores(read, items, key)) is None:
        return None
    tf = style.tf
    return f"{tf}.unstack({tf}.gather({read(items)}, {tf}.argsort({scores}{direction}, stable=True)))"


def _of_unknown_length(read: Any, node: Any, key: Any, reverse: Any) -> str | None:
    """`sorted(xs, key=...)` for a tensor or range whose length only the graph knows, as one tensor."""
    style, items, direction = read.unit.style, node.args[0], direction_argument(reverse)
    held, tf = style.value(items), style.tf
    if not isinstance(held, Tensor) or filters.has_known_length(held) or direction is None:
        return None
    is_count = isinstance(items, gast.Call) and dotted(items.func) == "range" and len(items.args) == 1
    scores = _items_by_place(read, items.args[0], key) if is_count else None
    if scores is None and (scores := filters.scores(read, items, key)) is None:
        return None
    order = f"{tf}.argsort({scores}{direction}, stable=True)"
    return order if is_count else f"{tf}.gather({read(items)}, {order})"


def _items_by_place(read: Any, count: Any, key: Any) -> str | None:
    """The tensor in `key=lambda i: xs[i]`, where what is sorted is `range(len(xs))`; None for anything else."""
    body: Any = key.body if isinstance(key, gast.Lambda) and len(key.args.args) == 1 else None
    is_item = kind_of(body) == "Subscript" and isinstance(body.value, gast.Name) and read.unit.style.is_tensor(body)
    if not is_item or getattr(body.slice, "id", "") != key.args.args[0].id or not isinstance(count, gast.Call):
        return None
    is_whole = dotted(count.func) == "len" and [getattr(each, "id", "") for each in count.args] == [body.value.id]
    held = read.unit.style.value(body.value)
    return str(read(body.value)) if is_whole and isinstance(held, Tensor) and len(held.shape or ()) == 1 else None


def find(observations: Observations, refusal: ConversionError) -> list[Flagged]:
    """The first call that sorts so in each function where it can be written in front of its statement."""
    found: list[Flagged] = []
    for seen in observations.functions.values():
        places = ((call.lineno, call.col_offset) for call in _calls_in(seen))
        place = next((each for each in places if with_order(seen.source.text, seen.source.node, each)), None)
        if place is not None:
            found.append(Flagged({}, refusal, order=place))
            found[-1].function = seen.function
    return found


def _calls_in(seen: FunctionObservations) -> Iterator[Any]:
    """The calls of `sorted`, `max` and `min` that the graph computes by a key, or of what it selects."""
    for part in walk(seen.source.node):
        named = {keyword.arg: keyword.value for keyword in part.keywords} if isinstance(part, gast.Call) else {}
        if "default" in named and name_of(part) and isinstance(part.args[0], (gast.ListComp, gast.GeneratorExp)):
            yield part
            continue
        key = named.pop("key", None)
        if key is None:
            continue
        if sorts(part) and key in seen.callees and named_key(part) is key:
            yield part
            continue
        if not name_of(part) or not isinstance(key, gast.Lambda) or len(key.args.args) != 1 or len(part.args) != 1:
            continue
        if set(named) - ({"reverse"} if name_of(part) == "sorted" else set[str]()):
            continue
        own = [each for each in walk(key.body) if isinstance(each, gast.Name) and each.id == key.args.args[0].id]
        held = [seen.values.get(each) for each in own[:1]]
        if isinstance(seen.values.get(key.body), Tensor) and isinstance(held[0], (Tensor, Tuple, StateObject)):
            yield part


def direction_argument(reverse: Any) -> str | None:
    """The argument of TensorFlow's for `reverse`; None where that isn't written as True or False."""
    if reverse is None:
        return ""
    if not isinstance(reverse, gast.Constant) or not isinstance(reverse.value, bool):
        return None
    return direction_of(reverse.value)


def direction_of(descending: bool) -> str:
    """The argument for the order in which TensorFlow sorts."""
    return ', direction="DESCENDING"' if descending else ""


def _is_scalar(value: Value) -> bool:
    return isinstance(value, Tensor) and value.shape == () and value.dtype not in ("string", "bool")


def _lines(lowering: Any, call: Any, names: tuple[Any, str], named: dict[Any, Any]) -> list[str] | None:
    style, unit, read = lowering.unit.style, lowering.unit, lowering.read(call)
    tf, key, reverse = style.tf, named["key"], named.get("reverse")
    items, target = names
    is_ours = isinstance(key, gast.Lambda) and len(key.args.args) == 1 and style.is_tensor(key.body)
    held = style.value(items)
    if not is_ours or not isinstance(held, Object) or held.kind != "list" or style.holds_list(items.id):
        return None
    direction = direction_argument(reverse)
    if direction is None:
        raise ConversionError("whether this sorts in reverse has to be written as True or False", line=call.lineno)
    own = key.args.args[0].id
    element = _element(style, key, own)
    if element is None:
        raise ConversionError(
            f"`{items.id}` is sorted by what the graph computes, and its elements are neither tensors nor tuples or "
            "dataclasses of them: sort with `tf.argsort`, and use `tf.gather`",
            line=call.lineno,
        )
    if getattr(style.value(key.body), "dtype", None) in ("string", "bool"):
        raise ConversionError("`tf.argsort` sorts only numbers: sort by a number", line=call.lineno)
    copied_items.check(lowering, call, items.id, element)
    order, parts, place = unit.fresh("order"), unit.fresh("parts"), unit.fresh("place")
    score, text = read.within(frozenset({own}))(key.body), read(items)
    whole = f"*{text}"
    rebuilt = f"{tf}.nest.map_structure(lambda part: part[{place}], {parts})"
    if isinstance(element, StateObject) and element.rebuilds:
        whole = f"*[{records.packed_parts(element, own)} for {own} in {text}]"
        rebuilt = f"{element.kind}(*{rebuilt})"
    first = f"{order} = {tf}.argsort([{score} for {own} in {text}]{direction}, stable=True)"
    if isinstance(element, Tensor):
        return [first, f"{target} = {tf}.unstack({tf}.gather({text}, {order}))"]
    return [
        first,
        f"{parts} = {tf}.nest.map_structure(lambda *each: {tf}.gather(each, {order}), {whole})",
        f"{target} = [{rebuilt} for {place} in range(len({text}))]",
    ]


def _element(style: Any, key: Any, own: str) -> Value | None:
    """What an element of the list is, as the key has seen it; None for what TensorFlow can't take apart."""
    found = [style.value(part) for part in walk(key.body) if isinstance(part, gast.Name) and part.id == own]
    element = found[0] if found else None
    if isinstance(element, StateObject):
        nested = any(isinstance(item, StateObject) and item.kind not in ("list", "dict") for item in element.items)
        return element if (element.rebuilds and not nested) or _is_dict(element) else None
    is_plain_tuple = isinstance(element, Tuple) and all(map(_is_plain, element.items))
    return element if is_plain_tuple or isinstance(element, Tensor) else None


def _is_dict(element: StateObject) -> bool:
    """Whether TensorFlow takes an element apart and puts it together again as the same dict."""
    names = all(isinstance(name, str) for name in element.names)
    return element.kind == "dict" and bool(element.names) and names and all(map(_is_plain, element.items))


def _is_plain(item: Value) -> bool:
    """Whether a part of a tuple is a tensor, or a list or dict, which TensorFlow takes apart if all have one length."""
    return not isinstance(item, StateObject) or item.kind in ("list", "dict")
