"""Tensors in the place of Python's numbers and texts: what the graph chooses, counts and measures.

Beside a tensor of another dtype such a number takes its dtype, as a Python number does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, cast

from graphwright.runtime.basis.array_tensors import beside_number, is_array
from graphwright.runtime.basis.attributes import is_of
from graphwright.runtime.basis.context import is_staging, is_tensor
from graphwright.runtime.basis.missing_keys import present
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensorflow_internals import symbolic_tensor

_left_to_loops: ContextVar[list[Any] | None] = ContextVar("graphwright_left_to_loops", default=None)
"""The numbers that weren't cast, while a loop may still carry them in the wider dtype that they meet."""


def was_python(value: Any) -> bool:
    """Whether a tensor has the place of a number or a text of Python's."""
    return is_of(value, tf.Tensor) and getattr(value, "_graphwright_weak", False)


def python_kind(value: Any) -> type | None:
    """The class that a number or a text of Python's has eagerly; None for several ones."""
    if value.shape.rank != 0:
        return None
    dtype = value.dtype
    kinds = {bool: dtype.is_bool, int: dtype.is_integer, float: dtype.is_floating, complex: dtype.is_complex}
    return next((kind for kind, is_it in kinds.items() if is_it), str if dtype == tf.string else None)


def as_python(tensor: Any) -> Any:
    """The tensor, marked as a number or a text of Python's: it is written, and takes a dtype, as such."""
    tensor._graphwright_weak = True
    if tensor.shape.rank == 0 and type(tensor) is symbolic_tensor and (_kind(tensor.dtype) or tensor.dtype == tf.bool):
        tensor.__class__ = PythonNumber if _kind(tensor.dtype) else PythonFlag
    return tensor


def as_number(flag: Any) -> Any:
    """False and True, and tensors of flags, as the numbers that they are; anything else as it is."""
    if isinstance(flag, bool):
        return int(flag)
    return as_python(tf.cast(flag, tf.int32)) if is_tensor(flag) and flag.dtype == tf.bool else flag


def factor(value: Any) -> Any:
    """What is multiplied by: a flag that is Python's eagerly as the number that it is; anything else as it is."""
    return as_number(value) if type(value) is PythonFlag else value


def as_only_truth(truth: Any, last: Callable[[], Any] | None) -> Any:
    """The truth of an `and` or `or` whose operands are of different kinds; `last` gives what it is where it is true."""
    if is_tensor(truth):
        truth._graphwright_only_truth = last or _refuse_value
    return truth


def value_if_true(truth: Any) -> Callable[[], Any] | None:
    """What gives the value of an `and` of which only the truth is known, where it is true."""
    return getattr(truth, "_graphwright_only_truth", None) if isinstance(truth, tf.Tensor) else None


def refuse_only_truth(value: Any) -> None:
    """Raise the error for what needs the value of an `and` or `or` of which only the truth is known."""
    if value_if_true(value) is not None:
        _refuse_value()


def _refuse_value() -> Any:
    raise TypeError(
        "the operands of this `and` or `or` are of different kinds, and only the graph knows which one it gives: in a "
        "graph it can only be a condition. Write `a if condition else b`"
    )


def counted(count: Any) -> Any:
    """A number that Python's functions give, which TensorFlow computed; a Python number itself."""
    return as_python(tf.identity(count)) if is_staging() and is_tensor(count) else count


def fitted(first: Any, second: Any) -> tuple[Any, Any]:
    """Two values; a Python number of the graph has the dtype that it takes beside the other."""
    return _fitting(first, [second]), _fitting(second, [first])


def is_number(value: Any) -> bool:
    """Whether a value is a Python number, known or not."""
    return isinstance(value, (PythonNumber, int, float, complex))


def is_flag(value: Any) -> bool:
    """Whether a value is False or True of Python, known or not."""
    return isinstance(value, (bool, PythonFlag))


def carrying_wide(build: Callable[[], Any]) -> Any:
    """What builds a loop of the graph: it may carry a number in a wider dtype, for an int32 or float32 holds less.

    Only if it can't, numbers are cast where they meet that dtype.
    """
    if _left_to_loops.get() is not None:
        return build()
    left: list[Any] = []
    token = _left_to_loops.set(left)
    try:
        return build()
    except (TypeError, ValueError):
        if not left:
            raise
    finally:
        _left_to_loops.reset(token)
    return build()


class PythonNumber(symbolic_tensor):
    """A scalar of the graph that is a Python number eagerly."""

    __hash__ = symbolic_tensor.__hash__

    def __pos__(self) -> Any:
        return counted(self)


class PythonFlag(symbolic_tensor):
    """A scalar of the graph that is False or True eagerly: among numbers, it is 0 or 1."""

    __hash__ = symbolic_tensor.__hash__

    def __pos__(self) -> Any:
        return as_number(self)


# Python's messages name the class; the user knows TensorFlow's.
PythonNumber.__name__ = PythonFlag.__name__ = symbolic_tensor.__name__


_REPEATING = ("__mul__", "__rmul__")
repeat_items: Callable[[Any, Any], Any] | None = None
"""Gives `[0] * n` where the graph knows the number; set by `lists.comprehensions`."""


def _operator(name: str) -> Callable[[Any, Any], Any]:
    of_tensors: Any = getattr(symbolic_tensor, name)

    def operate(number: Any, other: Any) -> Any:
        if name in _REPEATING and isinstance(other, (list, tuple)) and number.dtype.is_integer:
            return cast(Any, repeat_items)(other, number)
        result = of_tensors(*fitted(number, as_number(other) if is_flag(other) else other))
        if is_number(other):
            return as_python(result)
        return beside_number(name, other, result) if is_array(other) else result

    return operate


def _operator_of_flag(name: str) -> Callable[[Any, Any], Any]:
    of_numbers, of_tensors = getattr(PythonNumber, name), getattr(symbolic_tensor, name)

    def operate(flag: Any, other: Any) -> Any:
        if name in ("__eq__", "__ne__") if is_flag(other) else getattr(other, "dtype", None) == tf.bool:
            return of_tensors(flag, other)
        return of_numbers(as_number(flag), as_number(other) if is_flag(other) else other)

    return operate


def _unary(name: str) -> Callable[[Any], Any]:
    of_tensors: Any = getattr(symbolic_tensor, name)
    return lambda number: as_python(of_tensors(as_number(number)))


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
for _name in (*_BINARY, *(f"r{name}" for name in _BINARY), "lt", "le", "gt", "ge", "eq", "ne"):
    setattr(PythonNumber, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(PythonFlag, f"__{_name}__", _operator_of_flag(f"__{_name}__"))
for _kind_of_number in (PythonNumber, PythonFlag):
    for _name in ("neg", "abs", "invert"):
        setattr(_kind_of_number, f"__{_name}__", _unary(f"__{_name}__"))


class _Functions(tf.__internal__.dispatch.GlobalOpDispatcher):
    """Calls a function of TensorFlow again that failed, with Python numbers in the dtype of what is beside them.

    What may be None is asserted to be there.
    """

    def handle(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not is_staging():
            return self.NOT_SUPPORTED
        whole = tf.nest.map_structure(present, (args, kwargs))
        given = tf.nest.flatten(whole)
        numbers = [part for part in given if isinstance(part, (PythonNumber, PythonFlag))]
        changed = {id(part): _fitting(as_number(part), given) for part in numbers}
        fitting = [changed.get(id(part), part) for part in given]
        if list(map(id, fitting)) == list(map(id, tf.nest.flatten((args, kwargs)))):
            return self.NOT_SUPPORTED

        def fit(part: Any) -> Any:
            return changed.get(id(part), part)

        args, kwargs = tf.nest.map_structure(fit, whole)
        try:
            return op(*args, **kwargs)
        except (TypeError, ValueError):
            return self.NOT_SUPPORTED


_Functions().register()


def _fitting(number: Any, others: Iterable[Any]) -> Any:
    """The number in the dtype that it takes beside others: that of the tensors, else the widest of the numbers.

    Anything but a number of the graph stays, and so does one that would lose its fraction.
    """
    if not isinstance(number, PythonNumber):
        return number
    tensors = {part.dtype for part in others if isinstance(part, (tf.Tensor, tf.Variable)) and _kind(part.dtype)}
    tensors -= {part.dtype for part in others if isinstance(part, PythonNumber)}
    numbers = {number.dtype, *filter(None, map(_dtype_of_number, others))}
    dtype = tensors.pop() if len(tensors) == 1 else max(numbers, key=_width)
    if tensors or dtype == number.dtype or _kind(dtype) < _kind(number.dtype) or _is_left_to_loop(number, dtype):
        return number
    return as_python(tf.cast(number, dtype))


def _dtype_of_number(part: Any) -> Any:
    if isinstance(part, PythonNumber):
        return part.dtype
    return tf.float32 if isinstance(part, float) else tf.complex128 if isinstance(part, complex) else None


def _is_left_to_loop(number: Any, dtype: Any) -> bool:
    left = _left_to_loops.get()
    if left is None or _kind(number.dtype) != _kind(dtype):
        return False
    left.append(number)
    return True


def _kind(dtype: Any) -> int:
    """How much a number may be: an integer, a float, a complex number; 0 for what is no number."""
    return dtype.is_integer + 2 * dtype.is_floating + 3 * dtype.is_complex


def _width(dtype: Any) -> tuple[int, int]:
    return _kind(dtype), dtype.size
