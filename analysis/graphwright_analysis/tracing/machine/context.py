"""Where a run stands: the activation that the code belongs to, and what is around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import gast

from graphwright_analysis.flow import Scope
from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing.facts import TracedCalled, Unconverted
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import NONE, Value

if TYPE_CHECKING:
    from .journal import Journal


@dataclass(slots=True, eq=False)
class Frame:
    """An activation: where the names of a function, class body, comprehension or module live."""

    id: int
    scope: Scope
    block: Block
    parent: Frame | None
    node: gast.AST
    unconverted: Unconverted | None = None
    owner: Value | None = None
    receiver: Value | None = None
    in_graph: bool = False
    python_loops: tuple[gast.AST, ...] = ()
    """The loops that are being run as Python, for sure."""
    file: str = ""
    """The path of the file that this is the module of."""
    yielded: list[Value] = field(default_factory=list[Value])
    """What a generator gives, as it was run."""
    yields_more: bool = False
    """Whether it may give more than that, or less."""

    @property
    def in_function(self) -> bool:
        """Whether what is made here is made by a call of a function."""
        return self.scope.kind not in ("module", "class")

    @property
    def converted(self) -> bool:
        """Whether AutoGraph converts the control flow here."""
        return self.unconverted is None


Sites = tuple[tuple[Block, gast.AST], ...]
"""Calls under way, the outermost first."""


@dataclass(frozen=True, slots=True)
class StagedConstruct:
    """A staged branch, loop or mapped function that is being traced."""

    id: int
    place: Place
    kind: ConstructKind
    over: str = ""
    uncertain: int = 0
    """How many Python branches, of which nobody knows whether they are taken, are around it."""


@dataclass(frozen=True, slots=True)
class TraceUnderWay:
    """A trace under way that eager code has begun.

    `called` is the call that began it, `depth` how deep that stands, and `again` says that the function was traced
    before.
    """

    called: TracedCalled | None
    depth: int
    again: bool


class Context(NamedTuple):
    """What is around the code that is being run: it begins and ends with a construct, a call, a trace or a start."""

    constructs: tuple[StagedConstruct, ...] = ()
    loops: tuple[Place, ...] = ()
    calls: tuple[gast.AST, ...] = ()
    sites: Sites = ()
    """Where what is being run was called."""
    unbound_before_loop: frozenset[str] = frozenset()
    turns: int = 1
    widening: int = 0
    rehearsing: bool = False
    """Whether the iterations of a loop are run one by one for the calls of traced functions in them alone."""
    batches: bool = False
    """Whether the innermost loop of those has a turn for a whole batch and one for the last."""
    uncertain: int = 0
    """How many Python branches of which nobody knows whether they are taken, the innermost loop's alone."""
    refused: bool = False
    """Whether one of those has a tensor for its condition, which TensorFlow refuses: then none of it is ever run."""
    doubts: int = 0
    """What else may keep the code from being run: a conditional expression, an outer loop's way out."""
    conditions: int = 0
    """How many Python conditions of which nobody knows the outcome decide, in what is being traced, whether the code is
    run, loops and what follows a `return` included."""
    attempts: int = 0
    """How many constructs that expect any error."""
    guarded: int = 0
    """How many that expect a TypeError or ValueError."""
    handled: int = 0
    """How many that have handlers at all."""
    graph: bool = False
    compiled: bool = False
    """Whether XLA compiles the graph."""
    converter: Converter = Converter.AUTOGRAPH
    """Who converts what is called in a graph."""
    doubted: bool = False
    """Whether something that isn't followed stands between the code and those who call it."""
    building: bool = False
    """Whether this is code of a `build` that Keras runs, which it does once for each layer."""
    journal: Journal | None = None
    entry: TraceUnderWay | None = None
    functions: tuple[int, ...] = ()
    """The traced functions that are called in the graph, the outermost first, by which each has a graph of its own."""
    uncalled: bool = False
    """Whether this start traces a function that nothing in the file calls."""
    training: Value = NONE
    """The `training` that the call of a Keras layer around the code passes on to the layers in it."""
    visiting: bool = False
    """Whether a package's function is run, which may take but so many steps."""
    depth: int | None = None
    """How deep eager calls are followed in this start; it is less than elsewhere in code that nothing calls and that
    makes no graph itself."""

    @property
    def is_sure(self) -> bool:
        """Whether the code is surely run, once the start is."""
        return not (self.uncertain or self.doubts or self.attempts or self.guarded)

    @property
    def tells(self) -> bool:
        """Whether what fails here is told: in a graph, or in eager code that surely runs and expects no error."""
        return self.graph or (self.is_sure and not self.handled)

    @property
    def by_graphwright(self) -> bool:
        """Whether code that is converted here is Graphwright's."""
        return self.graph and self.converter is not Converter.AUTOGRAPH

    @property
    def is_eager(self) -> bool:
        """Whether no graph is being made around it."""
        return not (self.graph or self.constructs or self.journal is not None or self.entry is not None)

    @property
    def of_calls(self) -> tuple[object, ...]:
        """What of it may be seen in a call that isn't in a graph; which calls and loops are around is asked apart."""
        return self._replace(calls=(), sites=(), loops=()), len(self.calls), len(self.loops)

    def in_trace(self, entry: TraceUnderWay, compiled: bool, converter: Converter) -> Context:
        """What is around a trace that begins here."""
        none = frozenset[str]()
        return self._replace(
            constructs=(),
            loops=(),
            conditions=0,
            functions=(),
            unbound_before_loop=none,
            entry=entry,
            graph=True,
            compiled=compiled,
            converter=converter,
        )
