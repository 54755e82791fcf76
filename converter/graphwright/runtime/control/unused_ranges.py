"""Ranges that loops only count along, in a branch or body that XLA compiles: it would refuse one of unknown length.

What else a range is used for is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphwright.runtime.basis.context import is_for_xla
from graphwright.runtime.basis.graph_notes import GraphNotes
from graphwright.runtime.basis.tensorflow import tf

__all__ = ["drop_unused_ranges", "note_counted"]


def note_counted(tensor: Any) -> None:
    """Remember a range along which a loop counts."""
    if is_for_xla() and tf.get_static_value(tensor) is None:
        _counted.setdefault(tensor.graph, []).append(tensor)


def drop_unused_ranges(results: Iterable[Any]) -> None:
    """Make the ranges empty that nothing uses in the branch or body which is being traced; called at its end."""
    graph = tf.compat.v1.get_default_graph()
    used = {id(result) for result in results}
    for tensor in _counted.pop(graph, ()):
        if tensor.consumers() or id(tensor) in used:
            continue
        with tf.control_dependencies(None):
            for place, number in enumerate((0, 0, 1)):
                tensor.op._update_input(place, tf.constant(number, tensor.dtype))


_counted = GraphNotes()
