"""What a trace of a function has shown: the value of each expression, what loops and branches carry, what was called.

It is plain data. Who traces, and what is written with it, isn't decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast
from graphwright_analysis.flow.tree import children, kind_of
from graphwright_analysis.immutability import immutable
from graphwright_analysis.tracing.facts import BranchName, LoopName, StagedBranch, StagedLoop
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Composite,
    Constant,
    Dataset,
    Object,
    Scalar,
    Tensor,
    Tuple,
    Value,
    Variable,
    dtype_of,
    python_kind,
    shape_of,
)

from graphwright.eject.flagged_functions import Replacements
from graphwright.errors import ConversionError
from graphwright.pipeline import FunctionSource


@immutable
class StateObject(Object):
    """A list, dict or dataclass, with what is in it; `rebuilds` if its class makes an equal object of its fields."""

    names: tuple[Any, ...] = ()
    items: tuple[Value, ...] = ()
    rebuilds: bool = False


@immutable
class GrownList(Object):
    """A list whose length only the graph knows, with the dtype and shape of its elements."""

    dtype: str = ""
    shape: tuple[int | None, ...] | None = None


GROWN_DEQUE = "deque of the graph"
"""The kind of an object that is a deque whose length only the graph knows."""

Place = tuple[Any, int, int]
"""The code, line and column of a loop's header, in the source of its function."""


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """A function of the user's that a call reached; `receiver` is the object it is bound to, or called through."""

    function: Any
    receiver: Any = None
    by_attribute: bool = False
    """Whether the object is what the method was looked up on, and not what was called itself."""


@dataclass(frozen=True, slots=True)
class FunctionObservations:
    """What was seen in one function; nodes are those of `source`, lines those of its file."""

    function: Any
    source: FunctionSource
    values: Mapping[gast.AST, Value]
    watched: frozenset[gast.AST]
    carried: Mapping[tuple[str, int], Mapping[str, tuple[Value, Value]]]
    """For a `for`, `while` or `if` and its line: the names, with what they are before and after, or on each side."""
    callees: Mapping[gast.AST, tuple[CalledFunction, ...]]
    classes: Mapping[gast.AST, type] = field(default_factory=dict[gast.AST, type])
    """The class of the user's that an expression gave an object of, where it was always the same."""
    mixed: frozenset[gast.AST] = frozenset()
    """The expressions that gave a function of the user's at one time and another callable at others."""
    origins: Mapping[gast.AST, gast.AST] = field(default_factory=dict[gast.AST, gast.AST])
    """For a tree that isn't that of `source`: the nodes of that."""

    def place_of(self, node: gast.AST) -> Place:
        """How an expression is named to whoever traces the function again."""
        origin: Any = self.origins.get(node, node)
        return self.function.__code__, origin.lineno, origin.col_offset


@dataclass(frozen=True, slots=True)
class Observations:
    """What one trace has shown of a function and all that it called; `result` is what the trace gave."""

    functions: Mapping[Any, FunctionObservations] = field(default_factory=dict[Any, FunctionObservations])
    replacements: Replacements = field(default_factory=Replacements)
    """The functions with other texts, which were traced instead of the user's."""
    check: Callable[[str, tuple[int, ...]], None] | None = None
    """Raises ConversionError if the text, with the user's lines, can't be traced or gives something else."""
    failure: Callable[[], ConversionError | None] | None = None
    """Where nothing was seen: why the function can't be traced; None if it can be without probes."""


class Restaged(Exception):
    """A loop that Python counts has to be the graph's: the function is to be traced again so; if not, `refusal`."""

    def __init__(self, place: Place, refusal: ConversionError) -> None:
        super().__init__(place)
        self.place, self.refusal = place, refusal


def joined(first: Value, second: Value) -> Value:
    """What an expression is that was one thing at one time and another at another."""
    if first == second:
        return first
    if isinstance(first, Tensor) or isinstance(second, Tensor):
        return _tensors(first, second)
    if isinstance(first, Tuple) and isinstance(second, Tuple) and len(first.items) == len(second.items):
        pairs = zip(first.items, second.items, strict=True)
        return Tuple(tuple(joined(*pair) for pair in pairs), first.fields)
    if isinstance(first, StateObject) and isinstance(second, StateObject):
        if first.kind != second.kind:
            return UNKNOWN
        if first.names != second.names:
            return replace(first, names=(), items=())
        return replace(first, items=tuple(joined(*pair) for pair in zip(first.items, second.items, strict=True)))
    if isinstance(first, GrownList) and isinstance(second, GrownList) and first.dtype == second.dtype:
        return first if first.shape == second.shape else replace(first, shape=None)
    if isinstance(first, Object) and isinstance(second, Object):
        is_same = type(first) is type(second) and not isinstance(first, GrownList)
        plain = first if is_same else Object(first.id, first.kind)
        return plain if first.kind == second.kind else UNKNOWN
    kinds = python_kind(first), python_kind(second)
    if kinds[0] is not None and kinds[0] is kinds[1] and kinds[0] is not type(None):
        return Scalar(kinds[0])
    if type(first) is type(second) and not isinstance(first, (Constant, Scalar, Dataset, Composite, Variable)):
        return first
    return UNKNOWN


def _tensors(first: Value, second: Value) -> Value:
    known: list[tuple[str | None, Any]] = []
    for value in (first, second):
        if not isinstance(value, (Tensor, Variable)) and python_kind(value) not in (bool, int, float):
            return UNKNOWN
        known.append((dtype_of(value), shape_of(value)))
    tensors = [value.dtype for value in (first, second) if isinstance(value, (Tensor, Variable))]
    dtype = tensors[0] if len(set(tensors)) == 1 else None
    shapes = [shape for _, shape in known]
    if None in shapes or len(shapes[0]) != len(shapes[1]):
        return Tensor(dtype)
    return Tensor(dtype, tuple(a if a == b else None for a, b in zip(*shapes, strict=True)))


def facts_of(seen: FunctionObservations, construct: gast.AST, place: Any) -> StagedBranch | StagedLoop | None:
    """The fact for a `for`, `while` or `if` of which the graph decides."""
    node: Any = seen.origins.get(construct, construct)
    kind = kind_of(node)
    carried = seen.carried.get((kind, seen.source.first_line + node.lineno - 1), {})
    if isinstance(node, gast.If):
        return StagedBranch(place, place, tuple(BranchName(name, UNKNOWN, *both) for name, both in carried.items()))
    names = tuple(LoopName(name, *both) for name, both in carried.items())
    return StagedLoop(place, "condition" if isinstance(node, gast.While) else "tensor", names)


def paired(first: gast.AST, second: gast.AST) -> Iterator[tuple[Any, Any]]:
    """The nodes of two trees of one function; in the second, numbers may be written as tensors."""
    if kind_of(first) != kind_of(second):
        return
    yield first, second
    below, other = children(first), children(second)
    decorators = getattr(first, "decorator_list", None) or getattr(second, "decorator_list", None)
    if decorators:
        left_out = {*getattr(first, "decorator_list", ()), *getattr(second, "decorator_list", ())}
        below, other = [n for n in below if n not in left_out], [n for n in other if n not in left_out]
    for one, another in zip(below, other, strict=False):
        yield from paired(one, another)


def moved(seen: FunctionObservations, node: gast.AST) -> FunctionObservations:
    """The same for another tree of the function."""
    pairs = dict(paired(seen.source.node, node))
    return replace(
        seen,
        values={pairs[old]: value for old, value in seen.values.items() if old in pairs},
        watched=frozenset(pairs[old] for old in seen.watched if old in pairs),
        callees={pairs[old]: called for old, called in seen.callees.items() if old in pairs},
        classes={pairs[old]: kind for old, kind in seen.classes.items() if old in pairs},
        mixed=frozenset(pairs[old] for old in seen.mixed if old in pairs),
        origins={new: old for old, new in pairs.items()},
    )
