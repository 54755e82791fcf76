"""The record of a call: its arguments, and where it is.

What is called isn't part of it: every function on the way receives that with the type that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import UNKNOWN, Value

from .context import Frame
from .run import place_of


@immutable(eq=False)
class Call:
    """The arguments of a call, by position and by name, and the frame and node of the call."""

    frame: Frame
    positional: Sequence[Value] = ()
    named: Mapping[str, Value] = field(default_factory=dict[str, Value])
    node: gast.AST | None = None
    """None where no expression of the file makes the call, as when Keras calls a layer."""

    @property
    def values(self) -> tuple[Value, ...]:
        """All the arguments."""
        return (*self.positional, *self.named.values())

    @property
    def anchor(self) -> gast.AST:
        """The node of the call, or else of what it is in."""
        return self.node or self.frame.node

    @property
    def place(self) -> Place:
        """The place of that node."""
        return place_of(self.frame, self.anchor)

    def argument(self, position: int, name: str = "", missing: Value = UNKNOWN) -> Value:
        """The argument at a position, or else with a name."""
        return self.positional[position] if len(self.positional) > position else self.named.get(name, missing)

    def by_name(self, *parameters: str) -> dict[str, Value]:
        """The arguments by name; `parameters` are the names of those by position, in order."""
        return {**dict(zip(parameters, self.positional, strict=False)), **self.named}

    def with_arguments(self, positional: Sequence[Value], named: Mapping[str, Value] | None = None) -> Call:
        """A call with other arguments from the same place."""
        return Call(self.frame, positional, {} if named is None else named, self.node)

    def map_arguments(self, change: Callable[[Value], Value]) -> Call:
        """The call with every argument changed."""
        positional = [change(value) for value in self.positional]
        return self.with_arguments(positional, {name: change(value) for name, value in self.named.items()})

    def from_frame(self, frame: Frame) -> Call:
        """The same call from another frame."""
        return Call(frame, self.positional, self.named, self.node)
