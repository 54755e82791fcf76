"""Tensors of a size that only the run decides, returned more than once: XLA loses the size of all but one.

Which sizes the run decides is known in `dynamic_sizes`.
"""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.context import is_for_xla
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.dynamic_sizes import has_size_of_run
from graphwright.runtime.lists.graph_lists import GraphList

__all__ = ["without_repeated"]

_Key = tuple[Any, ...]


def without_repeated(result: Any) -> Any:
    """What a traced function returns, in which XLA computes each such tensor once for each time that it is returned."""
    if not is_for_xla():
        return result
    known: dict[int, _Key] = {}
    last: dict[_Key, Any] = {}

    def own(value: Any) -> Any:
        tensor = tf.convert_to_tensor(value) if isinstance(value, GraphList) else value
        if not isinstance(tensor, tf.Tensor) or not has_size_of_run(tensor):
            return value
        key = _computation(tensor, known)
        last[key] = _computed_again(last[key]) if key in last else tensor
        return last[key]

    return tf.nest.map_structure(own, result)


def _computed_again(tensor: Any) -> Any:
    """The same values, which XLA doesn't find to be the same."""
    sizes: Any = tensor.shape
    axis = 0 if sizes.rank is None else next(place for place, size in enumerate(sizes) if size is None)
    return tf.gather(tensor, tf.range(tf.shape(tensor)[axis]), axis=axis)


def _computation(tensor: Any, known: dict[int, _Key]) -> _Key:
    """What computes a tensor: equal for what XLA computes once, though the graph has it twice."""
    operation = tensor.op
    if operation.type == "Identity":
        return _computation(operation.inputs[0], known)
    if id(operation) not in known:
        known[id(operation)] = _of_operation(operation, known)
    return (tensor.value_index, *known[id(operation)])


def _of_operation(operation: Any, known: dict[int, _Key]) -> _Key:
    definition = operation.node_def
    if not operation.inputs and operation.type != "Const":
        return (operation.name,)
    if operation.type in _RUNS_OTHERS or operation.op_def.is_stateful:
        return (operation.name,)
    attributes = {name: definition.attr[name].SerializeToString() for name in definition.attr if name[0] != "_"}
    inputs = tuple(_computation(each, known) for each in operation.inputs)
    return (operation.type, tuple(sorted(attributes.items())), inputs)


_RUNS_OTHERS = ("If", "StatelessIf", "While", "StatelessWhile", "PartitionedCall", "StatefulPartitionedCall", "Case")
