"""How a `for` counts: which variable, from where to where, and what the user's target is in each turn.

Before:

    for i, (x, y) in enumerate(zip(xs, ys)): ...

After, as parts of a `tf.while_loop`:

    i, 0, i + 1, i < tf.minimum(tf.shape(xs)[0], tf.shape(ys)[0])
    x = xs[i]
    y = ys[i]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.values.domain import Composite, Dataset, Tensor, Tuple, Variable

from graphwright.eject import seeds
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.slots import written_slots
from graphwright.passes.state import Slot

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering


@dataclass(frozen=True, slots=True)
class Plan:
    """The counter's name, its start, its next value, the test; lines in front of the loop and of a turn."""

    name: str
    start: str
    step: str
    test: str
    setup: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    shape: str = ""
    """The shape of what counts, where that isn't a number."""


@dataclass(slots=True)
class _Items:
    """What is found out about what is iterated, part by part."""

    lowering: Any
    node: Any
    state: frozenset[str]
    name: str
    setup: list[str] = field(default_factory=list[str])
    before: list[str] = field(default_factory=list[str])
    lengths: list[str] = field(default_factory=list[str])
    sizes: list[int | None] = field(default_factory=list[int | None])


def plan_of(lowering: Any, node: gast.For, slots: Sequence[Slot]) -> Plan:
    """The plan of a loop over a tensor, a range, or what `enumerate`, `zip` and `reversed` make of them."""
    # What the body sets can't count, and isn't what is walked through, either.
    state = frozenset(slot.text for slot in [*slots, *written_slots(lowering.facts, node.body)])
    if _is_range(lowering, node.iter):
        return _range(lowering, node, state)
    if isinstance(lowering.unit.style.value(dataset_in(lowering, node.iter)), Dataset):
        return _of_dataset(lowering, node)
    name = lowering.unit.fresh("index")
    counted = called(lowering, node.iter) == "enumerate" and _start_of(node.iter) is None
    first = node.target.elts[0] if counted and isinstance(node.target, gast.Tuple) else None
    if isinstance(first, gast.Name) and _is_free(lowering, first, state):
        name = first.id
    found = _Items(lowering, node, state, name)
    _collect(found, node.iter, node.target)
    length = found.lengths[0]
    for other in found.lengths[1:]:
        length = f"{lowering.unit.style.tf}.minimum({length}, {other})"
    return Plan(name, "0", f"{name} + 1", f"{name} < {length}", tuple(found.setup), tuple(found.before))


def _range(lowering: Any, node: Any, state: frozenset[str]) -> Plan:
    call, read, style = node.iter, lowering.read(node), lowering.unit.style
    if call.keywords or not 1 <= len(call.args) <= 3:
        raise ConversionError("this range has keyword arguments: pass them by position", line=node.lineno)
    step = call.args[2] if len(call.args) == 3 else None
    forward = _direction(step)
    setup: list[str] = []
    stop = call.args[0] if len(call.args) == 1 else call.args[1]
    limit = read(stop)
    if not isinstance(stop, (gast.Constant, gast.Name)) or limit in state:
        setup.append(f"{lowering.unit.fresh('limit')} = {limit}")
        limit = lowering.unit.fresh("limit")
    start = read(call.args[0]) if len(call.args) > 1 else "0"
    dtype = getattr(style.value(call), "dtype", None) or "int32"
    if len(call.args) == 1 or isinstance(call.args[0], gast.Constant):
        plain = dtype == "int32" and dotted(call.func) == "range"
        start = start if plain else f"{style.tf}.constant({start}{_dtype(style, start, dtype)})"
    before: tuple[str, ...] = ()
    free = _is_free(lowering, node.target, state)
    unused = free and node.target.id == "_"
    name = node.target.id if free and not unused else lowering.unit.fresh("index")
    if not free:
        before = (f"{lowering.unit.original(*lowering.unit.span(node.target))} = {name}",)
    amount = read(step) if step is not None else "1"
    if forward is None and (not isinstance(step, gast.Name) or amount in state):
        setup.append(f"{lowering.unit.fresh('step')} = {amount}")
        amount = lowering.unit.fresh("step")
    up, down = f"{name} < {limit}", f"{name} > {limit}"
    test = f"{style.tf}.where({amount} > 0, {up}, {down})" if forward is None else up if forward else down
    following = f"{name} - {amount[1:]}" if forward is False else f"{name} + {amount}"
    return Plan(name, start, following, test, tuple(setup), before)


def dataset_in(lowering: Any, node: Any) -> Any:
    """What is enumerated, or the expression itself."""
    return node.args[0] if called(lowering, node) == "enumerate" and node.args else node


def _of_dataset(lowering: Any, node: gast.For) -> Plan:
    """A loop that takes elements off an iterator until there are none."""
    unit, tf, source = lowering.unit, lowering.unit.style.tf, dataset_in(lowering, node.iter)
    held: Any = lowering.unit.style.value(source)
    target: Any = node.target
    is_counted = source is not node.iter
    inner = target.elts[1] if is_counted and isinstance(target, gast.Tuple) else target
    if held.iterator or (inner is target) == is_counted or (is_counted and _start_of(node.iter) is not None):
        raise ConversionError(
            "this loop over a dataset has no simple equivalent: loop over the dataset itself", line=node.lineno
        )
    if isinstance(inner, (gast.Tuple, gast.List)) and not isinstance(held.element, Tuple):
        raise ConversionError(
            "this unpacks the tensors in a dataset: unpack them in the loop with `tf.unstack`", line=node.lineno
        )
    name, items = unit.fresh("item"), unit.fresh("items")
    text = lowering.read(node)(source)
    whole = f"{text}.enumerate()" if is_counted else text
    following = f"{items}.get_next_as_optional()"
    before = [f"{unit.original(*unit.span(target))} = {name}.get_value()"]
    if is_counted:
        counter = unit.original(*unit.span(target.elts[0]))
        before.append(f"{counter} = {tf}.cast({counter}, {tf}.int32)")
    setup = f"{items} = iter({whole})", f"{name} = {following}"
    spec = f"{tf}.OptionalSpec({items}.element_spec)"
    return Plan(name, name, following, f"{name}.has_value()", setup, tuple(before), spec)


def _collect(found: _Items, node: Any, target: Any) -> None:
    function = called(found.lowering, node)
    if function == "enumerate" and isinstance(target, gast.Tuple) and len(target.elts) == 2:
        unit = found.lowering.unit
        counter = unit.original(*unit.span(target.elts[0]))
        first = _start_of(node)
        if first is not None:
            found.before.append(f"{counter} = {found.name} + {_once(found, first)}")
        elif counter != found.name:
            found.before.append(f"{counter} = {found.name}")
        _collect(found, node.args[0], target.elts[1])
    elif function == "zip" and isinstance(target, gast.Tuple) and len(target.elts) == len(node.args):
        before = len(found.sizes)
        for part, inner in zip(node.args, target.elts, strict=True):
            _collect(found, part, inner)
        if any(not isinstance(part.value, gast.Constant) or part.value.value for part in node.keywords):
            _check_strict(found, node, before)
    else:
        _item(found, node, target, backwards=function == "reversed")


def _check_strict(found: _Items, node: Any, before: int) -> None:
    """Refuse a strict `zip` of lengths that may differ; those that are equal in the example may differ elsewhere."""
    if None in found.sizes[before:] or len({*found.sizes[before:]}) > 1:
        raise ConversionError("`zip` is strict here, but the lengths aren't known to be equal", line=node.lineno)
    lengths = [*dict.fromkeys(found.lengths[before:])]
    if len(lengths) > 1:
        found.setup.append(f'assert {" == ".join(lengths)}, "zip() arguments differ in length"')


def _start_of(call: Any) -> Any:
    """What `enumerate` counts from; None if it's 0."""
    return next((part.value for part in call.keywords), call.args[1] if len(call.args) == 2 else None)


def _once(found: _Items, node: Any) -> str:
    """What an expression is before the loop."""
    text = found.lowering.read(found.node)(node)
    if isinstance(node, gast.Constant) or _stays(node, found.state):
        return str(text)
    name = found.lowering.unit.fresh("first")
    found.setup.append(f"{name} = {text}")
    return str(name)


def _item(found: _Items, node: Any, target: gast.AST, backwards: bool) -> None:
    style, unit = found.lowering.unit.style, found.lowering.unit
    value, text = _walked(found, node.args[0] if backwards else node, backwards)
    element = f"{text}[{found.name}]"
    element = f"{style.tf}.unstack({element})" if isinstance(target, (gast.Tuple, gast.List)) else element
    found.before.append(f"{unit.original(*unit.span(target))} = {element}")
    if isinstance(value, Composite):
        found.lengths.append(f"{style.tf}.cast({text}.nrows(), {style.tf}.int32)")
        found.sizes.append(None)
        return
    size = value.shape[0] if value.shape else None
    found.sizes.append(size if size is not None and size >= 0 else None)
    found.lengths.append(f"{style.tf}.shape({text})[0]" if found.sizes[-1] is None else f"{text}.shape[0]")


def _walked(found: _Items, source: Any, backwards: bool) -> tuple[Any, str]:
    """What a loop goes through, item by item, and how the loop reads it."""
    lowering, unit = found.lowering, found.lowering.unit
    style = unit.style
    value = seeds.value_of(style, source) if isinstance(source, (gast.List, gast.Tuple)) else style.value(source)
    whole = None if backwards else _of_list(found, source, value)
    is_range = getattr(value, "kind", "") == "range" and called(lowering, source) == "range" and not backwards
    whole = Tensor("int32", (None,)) if is_range else whole
    ragged = isinstance(value, Composite) and value.kind == "RaggedTensor" and not backwards
    if whole is None and not isinstance(value, (Tensor, Variable)) and not ragged:
        raise ConversionError(
            f"`{unit.original(*unit.span(source))}` can't be indexed in the graph: convert it to a tensor first",
            line=found.node.lineno,
        )
    text = lowering.read(found.node)(source)
    if backwards:
        text = f"{text}[::-1]"
    if is_range:
        text = f"{style.tf}.constant([*{text}], {style.tf}.int32)"
    elif whole is not None:
        text = f"{style.tf}.{'stack' if seeds.holds_tensors(value) else 'constant'}({text})"
    if not backwards and whole is None and _stays(source, found.state):
        return value, text
    name = unit.fresh("items")
    # An inner loop's items aren't those of a loop around it, whose function reads both.
    while name in style.set_around or any(line.startswith(f"{name} =") for line in found.setup):
        name += "_"
    found.setup.append(f"{name} = {text}")
    return whole or value, name


def _of_list(found: _Items, source: Any, value: Any) -> Tensor | None:
    """The tensor that a list or tuple of Python's becomes that is walked through along with a tensor."""
    if isinstance(source, (gast.Name, gast.Attribute)) and not _stays(source, found.state):
        return None
    whole = seeds.stacked(seeds.as_list(value) if isinstance(value, Tuple) else value)
    return whole if isinstance(whole, Tensor) and whole is not value and whole.dtype is not None else None


def _stays(node: gast.AST, state: frozenset[str]) -> bool:
    """Whether a name or attribute holds the same in each iteration."""
    path = dotted(node) if isinstance(node, (gast.Name, gast.Attribute)) else None
    while path:
        if path in state:
            return False
        path = path.rpartition(".")[0]
    return path is not None


def _is_range(lowering: Any, node: gast.expr) -> bool:
    return called(lowering, node) == "range" or (
        isinstance(node, gast.Call) and dotted(node.func) == f"{lowering.unit.style.tf}.range"
    )


def called(lowering: Lowering, node: gast.AST) -> str:
    """The built-in function that is called."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name) or node.func.id in lowering.facts.bound:
        return ""
    return str(node.func.id)


def _is_free(lowering: Lowering, target: gast.AST, state: frozenset[str]) -> bool:
    return isinstance(target, gast.Name) and target.id not in state and target.id not in lowering.facts.declared


def _direction(step: gast.AST | None) -> bool | None:
    """Whether a range with such a step counts up, if that is written."""
    if step is None:
        return True
    if isinstance(step, gast.UnaryOp) and isinstance(step.op, gast.USub) and isinstance(step.operand, gast.Constant):
        return False
    return True if isinstance(step, gast.Constant) and isinstance(step.value, (int, float)) and step.value > 0 else None


def _dtype(style: Any, start: str, dtype: str) -> str:
    if dtype == "int32" or (dtype == "float32" and "." in start):
        return ""
    return f", {style.tf}.{dtype}"
