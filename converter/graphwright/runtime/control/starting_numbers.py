"""Python numbers and lists of numbers that start a loop: what they are in the graph. It traces nothing.

A number takes another dtype if a turn can't use int32 or float32, and a list in whose place a turn puts a tensor of its
shape is that tensor's first value.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, cast

from graphwright.runtime.basis.error_words import words_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.joining import Join, MismatchError, join, kind_of
from graphwright.runtime.state.nodes import ContainerNode, DenseNode, StateNode


def trials(error: BaseException, nodes: tuple[StateNode, ...]) -> Iterator[tuple[StateNode, ...]]:
    """The nodes with one Python number, which an error about dtypes may come from, as another dtype.

    A list that a branch replaces is tried as a tensor.
    """
    words = words_of(error)
    if _BRANCHES in words:
        yield from _with_a_list_as_a_tensor(words, nodes)
    found = [*_DTYPE.findall(words), *_PYTHON.findall(words)]
    named = dict.fromkeys(tf.as_dtype(_NAMES.get(name, name)) for name in found)
    if len(named) < 2 or not any(word in words for word in _WORDS):
        return
    # An int becomes a float only if no float can become a wider one.
    for same_kind in (True, False):
        yield from _trials(nodes, named, same_kind)


def _with_a_list_as_a_tensor(words: str, nodes: tuple[StateNode, ...]) -> Iterator[tuple[StateNode, ...]]:
    for index, node in enumerate(nodes):
        if isinstance(node, ContainerNode) and f" of length {len(node.keys)}" in words:
            stacked = _stacked(node)
            if stacked is not None:
                yield (*nodes[:index], stacked, *nodes[index + 1 :])


def _trials(nodes: tuple[StateNode, ...], named: Collection[Any], same_kind: bool) -> Iterator[tuple[StateNode, ...]]:
    for index, node in enumerate(nodes):
        for dtype in (tf.int32, tf.float32, tf.complex128):
            # What an int is divided by is a float64, which the error is about then.
            if dtype not in named and not (dtype == tf.int32 and all(other.is_floating for other in named)):
                continue
            for other in named:
                if other == dtype or same_kind != (kind_of(other) == kind_of(dtype)):
                    continue
                if kind_of(other) in _REACHED[kind_of(dtype)]:
                    for changed in _retyped(node, dtype, other):
                        yield (*nodes[:index], changed, *nodes[index + 1 :])


def as_first_value(node: StateNode, after: StateNode) -> StateNode:
    """The node of a list of numbers as that of the tensor that it is replaced by; any other node as it is."""
    if not isinstance(node, ContainerNode) or not isinstance(after, DenseNode) or after.shape is None:
        return node
    stacked = _stacked(node)
    return stacked if stacked is not None and len(stacked.shape or ()) == len(after.shape) else node


def _stacked(node: StateNode) -> DenseNode | None:
    """The tensor that a list or tuple of equal sizes, possibly of such lists, can be; None if there is none."""
    if isinstance(node, DenseNode):
        return node
    if not isinstance(node, ContainerNode) or node.kind not in (list, tuple):
        return None
    items = list(map(_stacked, node.items))
    shapes = {None if item is None else item.shape for item in items}
    shape = shapes.pop() if len(shapes) == 1 else None
    if shape is None:
        return None
    try:
        whole: Any = functools.reduce(lambda one, other: join(one, other, "", Join()), cast("list[StateNode]", items))
    except MismatchError:
        return None
    return replace(whole, shape=(len(items), *shape), origin=None)


def signature(error: BaseException) -> tuple[Any, ...]:
    """What an error says and where, to see whether another trial came further."""
    places: list[tuple[str, int]] = []
    trace = error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in ("tensorflow", "graphwright"):
            places.append((trace.tb_frame.f_code.co_filename, trace.tb_lasti))
        trace = trace.tb_next
    return (words_of(error), *places)


def _retyped(node: StateNode, dtype: Any, other: Any) -> Iterator[StateNode]:
    """The node with each of its Python numbers of a dtype, one at a time, as another."""
    if isinstance(node, ContainerNode):
        for place, item in enumerate(node.items):
            for changed in _retyped(item, dtype, other):
                yield replace(node, items=(*node.items[:place], changed, *node.items[place + 1 :]))
    elif isinstance(node, DenseNode) and node.weak and node.dtype == dtype:
        yield replace(node, dtype=other)


_DTYPE = re.compile(r"\b(?:u?int(?:8|16|32|64)|b?float(?:16|32|64)|half|double|complex(?:64|128))\b")
_PYTHON = re.compile(r"but got \S+ of type '(float|complex)'")
_NAMES = {"half": "float16", "double": "float64", "float": "float32", "complex": "complex128"}
_BRANCHES = "decides which one runs"
_WORDS = (
    "does not match",
    "onversion requested",
    _BRANCHES,
    "nvalid dtype",
    "ncompatible",
    "xpected",
    "same dtype",
)
_REACHED = {"integer": ("integer", "float", "complex"), "float": ("float", "complex"), "complex": ("complex",)}
