"""The context of the running code: its frame, and what is around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import gast

from graphwright_analysis.flow import Scope
from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing.facts import TracedCalled, Unconverted
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import NONE, Value

if TYPE_CHECKING:
    from .journal import Journal


@dataclass(slots=True, eq=False)
class Frame:
    """An activation: the names of a function, class body, comprehension or module."""

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
    """The loops that always run as Python."""
    file: str = ""
    """The path of the file, for the frame of a module."""
    yielded: list[Value] = field(default_factory=list[Value])
    """The values that a generator yielded when it ran."""
    yields_more: bool = False
    """True if it may yield more than that, or less."""

    @property
    def in_function(self) -> bool:
        """True if code here runs in a call of a function."""
        return self.scope.kind not in ("module", "class")

    @property
    def converted(self) -> bool:
        """True if AutoGraph converts the control flow here."""
        return self.unconverted is None


Sites = tuple[tuple[Block, gast.AST], ...]
"""Active calls, outermost first."""


@immutable
class StagedConstruct:
    """A staged branch, loop or mapped function that is being traced."""

    id: int
    place: Place
    kind: ConstructKind
    over: str = ""
    uncertain: int = 0
    """The number of enclosing Python branches that may not be taken."""


@immutable
class TraceUnderWay:
    """An active trace that eager code began.

    `called` is the call that began it, `depth` the depth of that call; `again` is True if the function was traced
    before.
    """

    called: TracedCalled | None
    depth: int
    again: bool


@immutable
class Handlers:
    """The handlers of a `try` whose body is being run.

    `names` are the errors that they are for, the last part of each; "" is any. `constructs` is the number of staged
    constructs around it, None outside of a graph.
    """

    place: Place
    names: tuple[str, ...]
    constructs: int | None


class Context(NamedTuple):
    """What is around the running code: it begins and ends with a construct, a call, a trace or a start."""

    constructs: tuple[StagedConstruct, ...] = ()
    loops: tuple[Place, ...] = ()
    calls: tuple[gast.AST, ...] = ()
    """The functions of the active calls, outermost first."""
    given: tuple[tuple[Value, ...], ...] = ()
    """What each of them was given."""
    sites: Sites = ()
    """The calls that led to the running code."""
    unbound_before_loop: frozenset[str] = frozenset()
    turns: int = 1
    widening: int = 0
    rehearsing: bool = False
    """True if the iterations of a loop run one by one only for their calls of traced functions."""
    batches: bool = False
    """True if the innermost such loop has an iteration for a full batch and one for the last."""
    carrying: bool = False
    """True while it is found out in which dtypes a loop carries Python numbers."""
    uncertain: int = 0
    """The number of Python branches in the innermost loop that may not be taken."""
    refused: bool = False
    """True if the condition of one is a tensor that TensorFlow can't use as a bool; then the code never runs."""
    doubts: int = 0
    """What else may prevent the code from running: conditional expressions, exits of outer loops."""
    conditions: int = 0
    """The number of Python conditions with unknown outcome in the current trace that decide whether the code runs.

    Loops count, and so does what follows a `return`.
    """
    attempts: int = 0
    """The number of enclosing constructs that expect any error."""
    guarded: int = 0
    """The number of those that expect a TypeError or ValueError."""
    handlers: tuple[Handlers, ...] = ()
    """Those of the `try` statements around the code, outermost first."""
    graph: bool = False
    compiled: bool = False
    """True if XLA compiles the graph."""
    converter: Converter = Converter.AUTOGRAPH
    """What converts the functions called in a graph."""
    doubted: bool = False
    """True if code that isn't analyzed is between the code and its callers."""
    building: bool = False
    """True in a `build` that Keras runs, once for each layer."""
    journal: Journal | None = None
    entry: TraceUnderWay | None = None
    functions: tuple[int, ...] = ()
    """The traced functions called in the graph, outermost first; each has a graph of its own."""
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
        return self.graph or (self.is_sure and not self.handlers)

    @property
    def by_graphwright(self) -> bool:
        """Whether code that is converted here is Graphwright's."""
        return self.graph and self.converter is not Converter.AUTOGRAPH

    def leaves_generator(self, frame: Frame) -> bool:
        """Whether a frame is left to Python by Graphwright because it is in a generator."""
        why = frame.unconverted
        return self.by_graphwright and why is not None and why.cause is Cause.GENERATOR

    @property
    def is_eager(self) -> bool:
        """Whether no graph is being made around it."""
        return not (self.graph or self.constructs or self.journal is not None or self.entry is not None)

    @property
    def of_calls(self) -> tuple[object, ...]:
        """What of it may be seen in a call that isn't in a graph; which calls and loops are around is asked apart."""
        caught = tuple(each.names for each in self.handlers)
        alike = self._replace(calls=(), given=(), sites=(), loops=(), handlers=())
        return alike, len(self.calls), len(self.loops), caught

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
