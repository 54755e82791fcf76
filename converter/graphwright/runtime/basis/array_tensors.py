"""Tensors in the place of NumPy's arrays: what the graph carries, chooses and changes of them.

An array changes in place under each of its names, a tensor only under one: what changes it asks whether there are more.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from dis import opname
from typing import Any, cast

from graphwright.runtime.basis.tensorflow import NumpyArray, may_share_memory, tf
from graphwright.runtime.basis.tensorflow_internals import symbolic_tensor

check_array: Callable[[Any], None] = lambda array: None  # noqa: E731
"""Raises the error if an array that a tensor changes has other names; `array_names` says how."""


@dataclass(eq=False)
class ArrayMemory:
    """What an array is made of: an array's memory, one of its own, or that which it has on a side of a merge."""

    owner: Any = field(default_factory=object)
    sides: tuple[ArrayMemory | None, ...] = ()
    is_kept: bool = False
    """Whether a list of the graph has it as well."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayMemory) and self.is_kept == other.is_kept

    __hash__ = None  # type: ignore[assignment]

    def may_be(self, other: ArrayMemory) -> bool:
        """Whether two arrays may be one, or share some of their elements."""
        if self.sides and other.sides and self.owner is other.owner:
            pairs = zip(self.sides, other.sides, strict=True)
            return any(mine.may_be(its) for mine, its in pairs if mine is not None and its is not None)
        if self.sides:
            return any(side.may_be(other) for side in self.sides if side is not None)
        if other.sides:
            return other.may_be(self)
        arrays = isinstance(self.owner, NumpyArray) and isinstance(other.owner, NumpyArray)
        return self.owner is other.owner or (arrays and bool(may_share_memory(self.owner, other.owner)))

    def known(self) -> dict[int, Any]:
        """The known arrays that it may be, by id."""
        if self.sides:
            return {key: array for side in self.sides if side is not None for key, array in side.known().items()}
        return {id(self.owner): self.owner} if isinstance(self.owner, NumpyArray) else {}


def merged(sides: tuple[ArrayMemory | None, ...], merge: object) -> ArrayMemory | None:
    """What a value is made of which is one of others; None if none of them is an array."""
    kept = [side.is_kept for side in sides if side is not None]
    return ArrayMemory(merge, sides, any(kept)) if kept else None


class ArrayTensor(symbolic_tensor):
    """A tensor of the graph that is an array of NumPy eagerly."""

    __hash__ = symbolic_tensor.__hash__

    def __getitem__(self, index: Any) -> Any:
        item: Any = symbolic_tensor.__getitem__(self, index)
        return as_array(item, memory_of(self) if _gives_view(index) else None) if item.shape.rank != 0 else item


# Python's messages name the class; the user knows TensorFlow's.
ArrayTensor.__name__ = symbolic_tensor.__name__


def as_array(tensor: Any, memory: ArrayMemory | None = None) -> Any:
    """The tensor, marked as an array that has the memory of others, or one of its own."""
    if type(tensor) is symbolic_tensor:
        tensor.__class__ = ArrayTensor
        tensor._graphwright_memory = ArrayMemory() if memory is None else memory
    return tensor


def carried(tensor: Any, memory: ArrayMemory) -> Any:
    """The same for a tensor that a branch or loop gives: what is done with it isn't known of those that went in."""
    return as_array(tensor, replace(memory))


def memory_of(value: Any) -> ArrayMemory | None:
    """What an array is made of, or a tensor in the place of one; None for anything else."""
    if isinstance(value, NumpyArray):
        return ArrayMemory(value)
    return value._graphwright_memory if type(value) is ArrayTensor else None


def note_kept(values: Iterable[Any]) -> None:
    """A list of the graph gets values: an array would change in it as well."""
    for value in values:
        if type(value) is ArrayTensor:
            value._graphwright_memory.is_kept = True


def is_array(value: Any) -> bool:
    """Whether a value is an array, known or not."""
    return isinstance(value, (ArrayTensor, NumpyArray))


def beside_number(name: str, array: Any, result: Any) -> Any:
    """What an operator gives of an array and a number of the graph; a known array itself changes in `array += n`."""
    is_in_place = name.startswith("__r") and _changes_in_place(sys._getframe(2))  # pyright: ignore[reportPrivateUsage]
    return _changed(array, result) if is_in_place else as_array(result)


def changed_by(operate: Callable[[Any, Any], Any], array: Any, value: Any) -> Any:
    """What an operator in place gives of an array and something else."""
    result = operate(array, value)
    return result if _is_tensor_eagerly(value) else _changed(array, result)


def _changed(array: Any, result: Any) -> Any:
    check_array(array)
    return as_array(result, memory_of(array))


def _changes_in_place(frame: types.FrameType) -> bool:
    """Whether the operator that a frame waits for is one like `+=`."""
    code, place = frame.f_code.co_code, frame.f_lasti
    name: str = opname[code[place]]
    return name.startswith("INPLACE_") or (name == "BINARY_OP" and code[place + 1] >= _FIRST_IN_PLACE)


def _gives_view(index: Any) -> bool:
    parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    return not any(isinstance(part, list) or getattr(getattr(part, "shape", None), "rank", 0) for part in parts)


def _is_tensor_eagerly(value: Any) -> bool:
    """Whether it is a tensor eagerly as well: an array that takes it gives a tensor, and doesn't change in place."""
    kinds = (tf.Tensor, tf.Variable, tf.__internal__.CompositeTensor)
    return isinstance(value, kinds) and (type(value) is symbolic_tensor or not isinstance(value, symbolic_tensor))


def _operator(name: str) -> Callable[[Any, Any], Any]:
    of_tensors: Any = getattr(symbolic_tensor, name)

    def operate(array: Any, other: Any) -> Any:
        result = of_tensors(array, other)
        return result if _is_tensor_eagerly(other) else as_array(result)

    return operate


def _operator_in_place(name: str) -> Callable[[Any, Any], Any]:
    of_tensors: Any = getattr(symbolic_tensor, name)
    return lambda array, other: changed_by(of_tensors, array, other)


_FIRST_IN_PLACE = 13
"""From Python 3.11 on, the operators in place come after the 13 others."""
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
for _name in _BINARY:
    setattr(ArrayTensor, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(ArrayTensor, f"__r{_name}__", _operator(f"__r{_name}__"))
    setattr(ArrayTensor, f"__i{_name}__", _operator_in_place(f"__{_name}__"))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(ArrayTensor, f"__{_name}__", _operator(f"__{_name}__"))
