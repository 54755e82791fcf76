"""The trace history of a function as plain data: the arguments of each trace, its cause, and whether it was avoidable.

It compares recorded data; it knows nothing of TensorFlow and measures nothing itself.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

KindChange = Literal["none", "structure", "kind"]
"""None or a value, a different container, a tensor or a Python value, a variable or a tensor."""
ObjectChange = Literal["type", "object", "callable", "died"]
"""A different Python type or object; `died` if the earlier object no longer exists."""
PartsChange = Literal["keys", "length"]
ArgumentChange = Literal[
    KindChange, ObjectChange, PartsChange, "value", "dtype", "shape", "rank", "arguments", "alias", "detail"
]
"""How an argument differs: `value` is a different Python value, `arguments` a different number of arguments."""
ChangeKind = Literal[ArgumentChange, "first", "variables", "instance", "instance died", "context", "same"]

UNBOUNDED: frozenset[ChangeKind] = frozenset(
    {"value", "shape", "length", "keys", "arguments", "died", "callable", "instance died"}
)
"""The kinds of change that can repeat with every call."""


@dataclass(frozen=True)
class TracedArgument:
    """One argument of a trace.

    `kind` is "tensor", "variable", "value", "object", "callable", the name of a container ("list", "tuple", "dict",
    a class with fields), or that of another TensorFlow type ("RaggedTensor").
    """

    name: str
    kind: str
    words: str
    type: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    parts: tuple[TracedArgument, ...] = ()
    detail: str = ""
    referent: weakref.ref[Any] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """Return `x: float32[2]`, or `factor=2` for a Python value."""
        if self.kind == "value":
            return f"{self.name}={self.words.partition(' ')[2] or self.words}"
        return f"{self.name}: {without_article(self.words)}"


@dataclass(frozen=True)
class Change:
    """How an argument, or the context of the call, differs from the most similar earlier trace."""

    kind: ChangeKind
    argument: str = ""
    before: str = ""
    now: str = ""
    relaxes: bool = False

    @property
    def avoidable(self) -> bool:
        return self.kind in UNBOUNDED and not self.relaxes


@dataclass(frozen=True)
class TraceCause:
    """Why a function was traced: the first change decides; `earlier` is the number of the trace it is compared with."""

    changes: tuple[Change, ...]
    earlier: int | None = None

    @property
    def kind(self) -> ChangeKind:
        return self.changes[0].kind

    @property
    def argument(self) -> str:
        return self.changes[0].argument

    @property
    def before(self) -> str:
        return self.changes[0].before

    @property
    def now(self) -> str:
        return self.changes[0].now


@dataclass(frozen=True)
class FunctionTrace:
    """One trace: a run of the Python code that built a graph."""

    number: int
    function: str
    signature: tuple[TracedArgument, ...]
    cause: TraceCause
    avoidable: bool
    seconds: float
    operations: int
    file: str
    line: int
    requested: bool = False
    """Requested by `get_concrete_function` or by saving."""
    decorator: str = "gw.function"
    surroundings: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def counts(self) -> bool:
        """True if limits apply to it: not to requested traces, nor to the second one after variables were created."""
        return not self.requested and self.cause.kind != "variables"

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.signature))})"


SurroundingKeys = tuple[tuple[str, str], ...]


def cause(
    signature: tuple[TracedArgument, ...], surroundings: SurroundingKeys, earlier: Sequence[FunctionTrace]
) -> TraceCause:
    """Return the smallest set of changes from an earlier trace to this one; on a tie, from the latest trace."""
    if not earlier:
        return TraceCause((Change("first"),))
    return min((cause_after(trace, signature, surroundings) for trace in reversed(earlier)), key=distance)


def cause_after(
    trace: FunctionTrace, signature: tuple[TracedArgument, ...], surroundings: SurroundingKeys
) -> TraceCause:
    changes = (*surrounding_changes(trace, surroundings), *signature_changes(trace.signature, signature))
    return TraceCause(changes or (Change("same"),), trace.number)


def distance(found: TraceCause) -> tuple[int, int]:
    """Sort key: a different context is closer than different arguments."""
    return sum(bool(change.argument) for change in found.changes), len(found.changes)


def surrounding_changes(trace: FunctionTrace, surroundings: SurroundingKeys) -> Iterator[Change]:
    before, now = dict(trace.surroundings), dict(surroundings)
    for name in now:
        if before.get(name) != now[name]:
            kind = "variables" if name == "variables" else "context"
            yield Change(kind, "", name, name)


def signature_changes(before: Sequence[TracedArgument], now: Sequence[TracedArgument]) -> Iterator[Change]:
    earlier = {argument.name: argument for argument in before}
    for argument in now:
        if argument.name in earlier:
            yield from argument_changes(earlier.pop(argument.name), argument)
        else:
            yield Change("arguments", argument.name, "not passed", argument.words)
    for argument in earlier.values():
        yield Change("arguments", argument.name, argument.words, "not passed")


def argument_changes(before: TracedArgument, now: TracedArgument) -> Iterator[Change]:
    kind = change_kind(before, now)
    if kind == "parts":
        for earlier, later in zip(before.parts, now.parts, strict=True):
            yield from argument_changes(earlier, later)
    elif kind:
        yield Change(kind, now.name, before.words, now.words)


def change_kind(before: TracedArgument, now: TracedArgument) -> ArgumentChange | Literal["parts"] | None:
    """Return how the two differ; "parts" if their contents have to be compared."""
    if before.kind != now.kind:
        return "none" if "NoneType" in (before.type, now.type) else other_kind(before, now)
    if before.referent is not None or now.referent is not None:
        return object_change(before, now)
    if before.type != now.type:
        return "none" if "NoneType" in (before.type, now.type) else "type" if now.kind == "value" else "structure"
    if before.dtype != now.dtype:
        return "dtype"
    if before.shape != now.shape:
        return shape_change(before.shape, now.shape)
    if before.parts or now.parts or now.kind in ("list", "tuple", "dict"):
        return parts_change(before, now)
    if before.detail != now.detail:
        return "value" if now.kind == "value" else "alias" if now.kind == "variable" else "detail"
    return None


def other_kind(before: TracedArgument, now: TracedArgument) -> KindChange:
    containers = bool(before.parts or now.parts) or {before.kind, now.kind} & {"list", "tuple", "dict"}
    return "structure" if containers else "kind"


def object_change(before: TracedArgument, now: TracedArgument) -> ObjectChange | None:
    earlier = before.referent() if before.referent is not None else None
    later = now.referent() if now.referent is not None else None
    if earlier is not None and earlier is later:
        return None
    if earlier is not None and before.type != now.type:
        return "type"
    if now.kind == "callable":
        return "callable"
    return "died" if earlier is None else "object"


def shape_change(before: tuple[int | None, ...] | None, now: tuple[int | None, ...] | None) -> Literal["shape", "rank"]:
    same_rank = before is not None and now is not None and len(before) == len(now)
    return "shape" if same_rank else "rank"


def without_article(words: str) -> str:
    return words.removeprefix("the ").removeprefix("an ").removeprefix("a ")


def parts_change(before: TracedArgument, now: TracedArgument) -> PartsChange | Literal["parts"]:
    names = [part.name for part in before.parts], [part.name for part in now.parts]
    if names[0] == names[1]:
        return "parts"
    return "keys" if now.kind == "dict" else "length"
