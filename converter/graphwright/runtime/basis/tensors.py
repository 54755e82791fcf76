"""Looks at values as tensors: what stands for a tensor, its size and truth. It stages no control flow."""

from collections.abc import Callable, Collection
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.context import PYTHON_JUDGES, is_symbolic, is_tensor
from graphwright.runtime.basis.plain_containers import DEQUE, PLAIN
from graphwright.runtime.basis.python_values import fitted
from graphwright.runtime.basis.tensorflow import EagerTensor, tf

_PLAIN: frozenset[type] = frozenset({int, float, bool, str, bytes, type(None), list, tuple, dict, set, range})

AMBIGUOUS = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"


def acts_as_tensor(value: Any) -> bool:
    """Whether the value is a symbolic tensor, or one of our values that stands for one while a graph is built."""
    if type(value) in _PLAIN:
        return False
    if is_symbolic(value):
        return True
    if tf.executing_eagerly() or issubclass(type(value), EagerTensor):
        return False
    kind = cast(Any, type(value))
    return has_member(kind, "__tf_tensor__") or _is_ours(value)


def _is_ours(value: Any) -> bool:
    """Sequences of ours, values that may be None, lists that grow: TensorFlow's registry, by which they convert to
    tensors, can't be asked."""
    kind = cast(Any, type(value))
    return has_member(kind, "graphwright_items") or has_member(kind, "graphwright_stands_for_tensor")


def dense(value: Any) -> Any:
    """The tensor that the value is or stands for."""
    return tf.convert_to_tensor(value)


def opposite(answer: Any) -> Any:
    """`not answer`, where the graph may be the one that answers."""
    return tf.logical_not(answer) if is_tensor(answer) else not answer


def is_sequence(value: Any) -> bool:
    """Whether Python compares, writes and searches the value element by element: a list, a deque or a tuple."""
    return isinstance(value, (list, tuple, DEQUE))


def is_mapping(value: Any) -> bool:
    """Whether the value is a dict."""
    return isinstance(value, dict)


def elements_of(value: Any) -> Collection[Any] | None:
    """What is inside a list, tuple or dict; None for anything else."""
    kind = kind_to_user(value)
    return None if kind not in _SEARCHED else value.values() if kind is dict else value


_SEARCHED = PLAIN | {tuple}


def holds_tensor(values: Any, inside: Callable[[Any], Collection[Any] | None] = elements_of) -> bool:
    """Whether a value, or anything inside it, is symbolic; `inside` gives what is looked at, or None for the value."""
    held = inside(values)
    if held is None:
        return acts_as_tensor(values)
    return bool(held) and _holds_tensor(values, inside, set())


def _holds_tensor(value: Any, inside: Callable[[Any], Collection[Any] | None], seen: set[int]) -> bool:
    """The same; what is in `seen`, by its id, isn't looked at again: a list may be in itself."""
    held = inside(value)
    if held is None:
        return acts_as_tensor(value)
    if id(value) in seen:
        return False
    seen.add(id(value))
    return any(_holds_tensor(each, inside, seen) for each in held)


def kind_to_user(value: Any) -> Any:
    """The class of a value; that of lists and dicts which the graph chooses is a list's or a dict's."""
    kind = cast(Any, type(value))
    return kind.graphwright_base if has_member(kind, "graphwright_base") else kind


def truth(value: Any) -> Any:
    """What `if value` asks: a bool for a Python value, a bool scalar for a symbolic tensor."""
    if not acts_as_tensor(value) or isinstance(value, PYTHON_JUDGES):
        return bool(value)
    if has_member(value.__class__, "graphwright_truth"):
        return value.graphwright_truth()
    tensor = dense(value)
    if tensor.shape.rank != 0:
        size = tensor.shape.num_elements()
        if size is not None and size != 1:
            raise ValueError(AMBIGUOUS)
        tensor = tf.reshape(tensor, [])
    return nonzero(tensor)


def nonzero(tensor: Any) -> Any:
    """Which elements count as true."""
    if tensor.dtype == tf.bool:
        return tensor
    return tf.not_equal(tensor, tf.constant("" if tensor.dtype == tf.string else 0, tensor.dtype))


def vector(tensor: Any) -> Any:
    """A tensor whose elements Python's iteration would take one by one as scalars; refuses what Python refuses."""
    rank = tensor.shape.rank
    if rank == 1:
        return tensor
    if rank == 0:
        raise TypeError("Cannot iterate over a scalar tensor.")
    if rank is None:
        return tf.ensure_shape(tensor, [None])
    if any(size not in (1, None) for size in tensor.shape[1:]):
        raise ValueError(AMBIGUOUS)
    return tf.reshape(tf.ensure_shape(tensor, [None] + [1] * (rank - 1)), [-1])


def same_dtype(first: Any, second: Any) -> tuple[Any, Any]:
    """Two values as tensors; a Python number takes the dtype of the tensor beside it."""
    first, second = fitted(first, second)
    if acts_as_tensor(first) or is_tensor(first):
        first = dense(first)
        return first, tf.convert_to_tensor(second, first.dtype)
    second = dense(second)
    return tf.convert_to_tensor(first, second.dtype), second
