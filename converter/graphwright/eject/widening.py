"""Loops whose tensors change their shape: what stays the same of it is written out, which tf.while_loop asks for.

Before:

    while tf.size(xs) < 10:
        xs = tf.concat([xs, xs], 0)

After, as an argument of `tf.while_loop`:

    shape_invariants=[tf.TensorShape([None])]
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.tracing.facts import StagedLoop
from graphwright_analysis.values.domain import Tensor, Tuple, Value, Variable, shape_of

from graphwright.eject import records
from graphwright.eject.bindings import named
from graphwright.eject.observations import StateObject, joined
from graphwright.passes.state import Slot

if TYPE_CHECKING:
    from graphwright.passes.facts import Facts


def invariants(
    lowering: Any, node: gast.For | gast.While, carried: Sequence[str], slots: Sequence[Slot], differ: bool
) -> list[str]:
    """The argument that a loop needs, if one of its tensors has a different shape after an iteration."""
    style = lowering.unit.style
    header = node.iter if isinstance(node, gast.For) else node.test
    fact = style.known.staged.get(lowering.unit.span(header))
    names = fact.names if isinstance(fact, StagedLoop) else ()
    shapes = {name.symbol: _shape(name.before, name.after) for name in names}
    for slot in slots:
        if slot.text in style.stacks:
            element, length = style.stacks[slot.text][1], style.lengths.get(slot.text)
            sizes = None if element is None else [length, *element]
            shapes[slot.text] = str(sizes), length is None
    if not differ and not any(shape is not None and shape[1] for shape in shapes.values()):
        return []
    tf = style.tf
    texts = [*carried]
    for slot in slots:
        shape = shapes.get(slot.text) or _seen(style, lowering.facts, slot.text)
        whole = f"{tf}.nest.map_structure(lambda part: {tf}.convert_to_tensor(part).shape, {slot.text})"
        if slot.text in style.arrays:
            whole = "None"
        texts.append(whole if shape is None else _written(tf, records.packed(style, slot.text), shape[0]))
    joined = f"[{texts[0]}]" if len(texts) == 1 else f"({', '.join(texts)})"
    return [f"shape_invariants={joined}"]


def of_results(style: Any, values: Sequence[Value]) -> tuple[str, bool]:
    """The shapes of what a function returns from a loop, as they are written, and whether some size is unknown."""
    held = functools.reduce(joined, values)
    sizes = [size for leaf in _leaves(held) for size in shape_of(leaf) or ()]
    return _shapes_in(style.tf, held), None in sizes


def _shapes_in(tf: str, held: Value) -> str:
    parts = [_shapes_in(tf, item) for item in getattr(held, "items", ())]
    if isinstance(held, Tuple):
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if isinstance(held, StateObject) and held.kind == "list":
        return f"[{', '.join(parts)}]"
    if isinstance(held, StateObject):
        pairs = zip(held.names, parts, strict=True)
        return "{" + ", ".join(f'"{name}": {part}' for name, part in pairs) + "}"
    shape = shape_of(held) if isinstance(held, (Tensor, Variable)) else ()
    return f"{tf}.TensorShape({shape if shape is None else list(shape)})"


def _seen(style: Any, facts: Facts, text: str) -> tuple[str, bool] | None:
    """What a trace has shown of the shape of a tensor, wherever it is read."""
    values = [style.value(part) for part in facts.statements if named(part) == text and isinstance(part.ctx, gast.Load)]
    values = values or list(_read_elsewhere(style, facts, *text.rpartition(".")[::2]))
    held = functools.reduce(joined, values) if values else None
    if style.known.seen is None or not isinstance(held, Tensor) or held.shape is None:
        return None
    return str(list(held.shape)), False


def _read_elsewhere(style: Any, facts: Any, owner: str, attribute: str) -> Iterator[Value]:
    """What other functions read in an attribute of such objects."""
    seen = style.known.seen
    kinds = (
        {seen.classes[part] for part in facts.statements if named(part) == owner and part in seen.classes}
        if seen
        else ()
    )
    for other in style.observations.functions.values() if len(kinds) == 1 else ():
        for node, value in other.values.items():
            if isinstance(node, gast.Attribute) and node.attr == attribute and other.classes.get(node.value) in kinds:
                yield value


def _written(tf: str, name: str, shapes: Any) -> str:
    if isinstance(shapes, str):
        return f"{tf}.TensorShape({shapes})"
    return f"{tf}.nest.pack_sequence_as({name}, [{', '.join(f'{tf}.TensorShape({each})' for each in shapes)}])"


def _shape(before: Any, after: Any) -> tuple[str | list[str], bool] | None:
    """What two values' shapes have in common, as it is written, and whether they surely differ; a list for several."""
    parts, others = _leaves(before), _leaves(after)
    if len(parts) != len(others):
        return None
    found = [_shape_of_one(*pair) for pair in zip(parts, others, strict=True)]
    known = [shape for shape in found if shape is not None]
    if len(known) != len(found):
        return None
    differ = any(changes for _, changes in known)
    return ([text for text, _ in known], differ) if isinstance(after, (Tuple, StateObject)) else (known[0][0], differ)


def _leaves(value: Any) -> list[Any]:
    """The tensors in a structure, in TensorFlow's order."""
    if isinstance(value, Tuple):
        return [leaf for item in value.items for leaf in _leaves(item)]
    if isinstance(value, StateObject):
        pairs = list(zip(value.names, value.items, strict=True))
        if value.kind == "dict":
            pairs.sort(key=lambda pair: str(pair[0]))
        return [leaf for _, item in pairs for leaf in _leaves(item)]
    return [value]


def _shape_of_one(before: Any, after: Any) -> tuple[str, bool] | None:
    first, second = shape_of(before), shape_of(after)
    if isinstance(before, Variable) or first is None or second is None:
        return None
    if len(first) != len(second):
        return "None", True
    sizes = [str(one if one == other else None) for one, other in zip(first, second, strict=True)]
    return f"[{', '.join(sizes)}]", first != second
