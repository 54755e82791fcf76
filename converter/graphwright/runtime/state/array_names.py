"""NumPy arrays that the graph changes in place under one of their names: the others wouldn't see it.

A tensor takes the place of such an array. What changes arrays without tensors is Python's.
"""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.tensorflow import NumpyArray, may_share_memory
from graphwright.runtime.lists import subscripts
from graphwright.runtime.state.reachability import reached_by_live_names


def has_other_names(array: Any) -> bool:
    """Whether the user's code has an array, or another one with the same memory, under a name that may be read."""
    return bool(reached_by_live_names(lambda one: isinstance(one, NumpyArray) and _share_memory(one, array)))


def refuse_with_names(array: Any) -> None:
    """Raise the error for an array that a tensor is about to change."""
    if has_other_names(array):
        raise TypeError(_REFUSAL)


def _share_memory(one: Any, other: Any) -> bool:
    return one is other or bool(may_share_memory(one, other))


_REFUSAL = (
    "a tensor changes a NumPy array in place here, and the array has another name, which wouldn't see that: copy it "
    "before (`.copy()`), return the array to its other name, or use a tensor"
)
subscripts.check_array = refuse_with_names
