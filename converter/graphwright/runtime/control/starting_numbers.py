"""Python numbers that start a loop: the dtype they take if a turn can't use int32 or float32. It traces nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.joining import kind_of
from graphwright.runtime.state.nodes import ContainerNode, DenseNode, StateNode


@dataclass(frozen=True)
class Seed:
    """A Python number in the state, as which dtype it may be tried, and whether that's what eager code does."""

    index: int
    before: Any
    after: Any
    nodes: tuple[StateNode, ...]

    @property
    def widens(self) -> bool:
        """Whether an int is to become a float."""
        return kind_of(self.before) != kind_of(self.after)


def trials(error: BaseException, nodes: tuple[StateNode, ...]) -> Iterator[Seed]:
    """The seeds that an error about dtypes may come from, one at a time."""
    named = dict.fromkeys(tf.as_dtype(_NAMES.get(name, name)) for name in _DTYPE.findall(str(error)))
    if len(named) < 2 or not any(word in str(error) for word in _WORDS):
        return
    for index, node in enumerate(nodes):
        for dtype in (tf.int32, tf.float32, tf.complex128):
            if dtype not in named or not _has_seed(node, dtype):
                continue
            for other in named:
                if other != dtype and kind_of(other) in _REACHED[kind_of(dtype)]:
                    changed = (*nodes[:index], _retyped(node, dtype, other), *nodes[index + 1 :])
                    yield Seed(index, dtype, other, changed)


def signature(error: BaseException) -> tuple[Any, ...]:
    """What an error says and where, to see whether another trial came further."""
    places: list[tuple[str, int]] = []
    trace = error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in ("tensorflow", "graphwright"):
            places.append((trace.tb_frame.f_code.co_filename, trace.tb_lasti))
        trace = trace.tb_next
    return (str(error), *places)


def _has_seed(node: StateNode, dtype: Any) -> bool:
    if isinstance(node, ContainerNode):
        return any(_has_seed(item, dtype) for item in node.items)
    return isinstance(node, DenseNode) and node.weak and node.dtype == dtype


def _retyped(node: StateNode, dtype: Any, other: Any) -> StateNode:
    if isinstance(node, ContainerNode):
        return replace(node, items=tuple(_retyped(item, dtype, other) for item in node.items))
    if isinstance(node, DenseNode) and node.weak and node.dtype == dtype:
        return replace(node, dtype=other, weak=False)
    return node


_DTYPE = re.compile(r"\b(?:u?int(?:8|16|32|64)|b?float(?:16|32|64)|half|double|complex(?:64|128))\b")
_NAMES = {"half": "float16", "double": "float64"}
_WORDS = (
    "does not match",
    "onversion requested",
    "expected to be",
    "decides which one runs",
    "nvalid dtype",
    "ncompatible",
)
_REACHED = {"integer": ("integer", "float", "complex"), "float": ("float", "complex"), "complex": ("complex",)}
