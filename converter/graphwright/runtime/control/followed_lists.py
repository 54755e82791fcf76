"""The order of a conditional's branches, by which TensorFlow Lite knows what a list is after it.

Its converter follows a list from what the second branch gives to what goes in, through everything but conditionals and
loops. It traces no branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphwright.runtime.basis.context import is_for_xla, is_tensor
from graphwright.runtime.basis.tensorflow import tf

__all__ = ["put_in_order"]


def put_in_order(results: Sequence[Any]) -> None:
    """Exchange the branches that gave these, if lists can be followed in the first one alone."""
    lists = [result for result in results if is_tensor(result) and result.dtype == tf.variant]
    if not lists or is_for_xla() or tf.executing_eagerly():
        return
    outputs = [each.op.inputs[0] if each.op.type == "Identity" else each for each in lists]
    made = outputs[0].op
    graphs: list[Any] = [getattr(made, name, None) for name in _GRAPHS]
    if made.type not in ("If", "StatelessIf") or None in graphs or any(each.op is not made for each in outputs):
        return
    first, second = ([graph.outputs[each.value_index] for each in outputs] for graph in graphs)
    if all(map(_can_be_followed, first)) and not all(map(_can_be_followed, second)):
        _exchange(made, graphs)


def _can_be_followed(handle: Any) -> bool:
    while handle.op.type in ("Identity", "TensorListSetItem"):
        handle = handle.op.inputs[0]
    return handle.op.type == "Placeholder"


def _exchange(conditional: Any, graphs: list[Any]) -> None:
    with conditional.graph.as_default():
        opposite = tf.logical_not(conditional.inputs[0])
    conditional._update_input(0, opposite)
    branches = [conditional.node_def.attr[name] for name in _BRANCHES]
    for name, branch in zip(_BRANCHES, reversed(branches), strict=True):
        conditional._set_attr(name, branch)
    for name, graph in zip(_GRAPHS, reversed(graphs), strict=True):
        setattr(conditional, name, graph)


_BRANCHES = ("then_branch", "else_branch")
_GRAPHS = ("_true_graph", "_false_graph")
