"""Python's `functools.reduce` over tensors, Datasets and other sequences that only the graph can walk through."""

from __future__ import annotations

import functools
from typing import Any

from graphwright.runtime.basis.context import is_staging
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.builtins.given_functions import converted
from graphwright.runtime.control.loops import for_
from graphwright.runtime.lists.staged_sequences import as_sequence, is_staged


def folded(function: Any, iterable: Any, /, *initial: Any) -> Any:
    """`functools.reduce(function, iterable, *initial)`."""
    function = converted(function)
    if not is_staging() or not (is_staged(iterable) or isinstance(iterable, tf.data.Dataset)):
        return functools.reduce(function, iterable, *initial)
    start, rest = (initial[0], iterable) if initial else _first_and_rest(iterable)

    def turn(item: Any, value: Any) -> Any:
        return function(value, item)

    return for_(rest, turn, start, names=("the reduced value",))


def _first_and_rest(iterable: Any) -> tuple[Any, Any]:
    if isinstance(iterable, tf.data.Dataset):
        return next(iter(iterable)), iterable.skip(1)
    sequence = as_sequence(iterable)
    return sequence.get(tf.constant(0)), sequence[1:]
