"""Loops whose tensors change their shape: what stays the same of it is written out, which tf.while_loop asks for.

Before:

    while tf.size(xs) < 10:
        xs = tf.concat([xs, xs], 0)

After, as an argument of `tf.while_loop`:

    shape_invariants=[tf.TensorShape([None])]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.tracing.facts import StagedLoop
from graphwright_analysis.values.domain import Tensor

from graphwright.passes.state import Slot


def invariants(lowering: Any, node: Any, carried: Sequence[str], slots: Sequence[Slot]) -> list[str]:
    """The argument that a loop needs, if one of its tensors has a different shape after an iteration."""
    style = lowering.unit.style
    header = node.iter if kind_of(node) == "For" else node.test
    fact = style.known.staged.get(lowering.unit.span(header))
    names = fact.names if isinstance(fact, StagedLoop) else ()
    shapes = {name.symbol: _shape(name.before, name.after) for name in names}
    for slot in slots:
        if slot.text in style.stacks:
            element = style.stacks[slot.text][1]
            sizes = None if element is None else [None, *element]
            shapes[slot.text] = str(sizes), True
    if not any(shape is not None and shape[1] for shape in shapes.values()):
        return []
    tf = style.tf
    texts = [f"{tf}.TensorShape([])" for _ in carried]
    for slot in slots:
        shape = shapes.get(slot.text)
        whole = f"{tf}.nest.map_structure(lambda part: {tf}.convert_to_tensor(part).shape, {slot.text})"
        texts.append(whole if shape is None else f"{tf}.TensorShape({shape[0]})")
    joined = f"[{texts[0]}]" if len(texts) == 1 else f"({', '.join(texts)})"
    return [f"shape_invariants={joined}"]


def _shape(before: Any, after: Any) -> tuple[str, bool] | None:
    """What two tensors' shapes have in common, as it is written, and whether they surely differ."""
    if not (isinstance(before, Tensor) and isinstance(after, Tensor)):
        return None
    if before.shape is None or after.shape is None:
        return None
    if len(before.shape) != len(after.shape):
        return "None", True
    sizes = [str(first if first == second else None) for first, second in zip(before.shape, after.shape, strict=True)]
    return f"[{', '.join(sizes)}]", before.shape != after.shape
