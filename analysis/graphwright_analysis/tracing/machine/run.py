"""One abstract run over a module: its state, frames, limits and facts.

Other modules evaluate statements and expressions; this is what they share.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import gast

from graphwright_analysis.imports import Import
from graphwright_analysis.tracing.facts import Fact, TracedEscaped
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import UNDEFINED, Constant, Object, Traced, Value
from graphwright_analysis.values.elsewhere import Elsewhere
from graphwright_analysis.values.tensorflow.tables import NEWEST, Version

from . import marks, numbering
from .context import Context, Frame, StagedConstruct
from .flow_cache import FlowCache
from .recordings import EscapedFunction, Recording
from .starts import StartRecording
from .state import Cell, FileGround, State
from .surroundings import Past, Surroundings, TraceKey

if TYPE_CHECKING:
    from .interpreter import Interpreter

STEPS = 60_000
"""The number of expressions and statements evaluated from one start; everything after that is unknown.

Applies to starts that surely run (a top-level block, a function without parameters) and to functions whose text may
begin a graph.
"""
SUPPOSED_STEPS = 15_000
"""The same for other starts: methods, creating instances, functions with unknown arguments."""
BREATH = 64
"""The number of steps between two checks for cancellation."""
VISIT_STEPS = 2_000
"""The number of steps for a call into an installed package or another file; after that, its result is unknown."""
SUPPOSED_VISIT_STEPS = 200
"""The same for calls into other files from code that no visible code runs."""
SUPPOSED_VISITS_STEPS = 100
"""The same for all of these calls of a start together."""
GRAPH_VISITS_STEPS = 300
"""The same if the text of what is called may begin a graph."""
FILE_STEPS = 100_000
"""The number of steps for all starts of a file, after which the following starts get fewer."""
GRAPH_STEPS = 400_000
"""The same for starts whose own text may begin a graph."""
HURRIED_STEPS = 300
"""The number of steps that these get."""
FEWEST_STEPS = 3_000
"""The minimum number of steps for a function that a start created for a graph and didn't reach."""
DEPTH = 20
"""The maximum depth of analyzed calls."""
UNCALLED_DEPTH = 2
"""The same for eager code without visible calls, unless it reaches code that creates a graph."""
UNMADE_DEPTH = 4
"""The same for creating an instance that no visible code creates; constructors call those of their bases."""
FEW_TURNS = 4
"""The number of iterations that are always analyzed in a nested loop."""
"""The name of the cell that says whether tracing is disabled."""
TURNS = 24
"""The maximum number of analyzed iterations of Python loops over known elements; those of nested loops are multiplied.
"""


class Within:
    """Changes the context of the code for the duration of a `with`."""

    __slots__ = ("_before", "_context", "_run")

    def __init__(self, run: Run, context: Context) -> None:
        self._run, self._context, self._before = run, context, run.context

    def __enter__(self) -> None:
        self._run.context = self._context

    def __exit__(self, *error: object) -> None:
        self._run.context = self._before


class LimitReached(Exception):
    """A start has used up its steps; what it has seen so far is valid."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        """The context at that point."""


NotedFact = TypeVar("NotedFact", bound=Fact)


@dataclass(slots=True, eq=False)
class Run:
    flow: FlowCache
    interpreter: Interpreter
    state: State = field(default_factory=State)
    start: StartRecording = field(default_factory=lambda: StartRecording(0))
    seen: Recording = field(default_factory=lambda: Recording(0))
    """The recording of the current part of the run: the start, or a cached call in it."""
    context: Context = field(default_factory=Context)
    statement: gast.stmt | None = None
    """The current statement."""
    frames: dict[int, Frame] = field(default_factory=dict[int, Frame])
    for_importers: bool = False
    """True if the file runs for its importers, so it isn't the main module."""
    numpy_behavior: bool = False
    tensorflow: Version = NEWEST
    keras_dtype: str | None = "float32"
    keras_converts: bool = False
    """True for Keras 2, which uses AutoGraph to convert `call`, losses and metrics."""
    keras_is_foreign: bool = False
    """True if Keras uses a backend other than TensorFlow, so it creates no graph."""
    star_import: bool = False
    patched: frozenset[str] = frozenset()
    """The attributes that the project has stored on TensorFlow's own classes."""
    steps: int = STEPS
    """The number of steps that this start has left."""
    withheld: int = 0
    """The number of further steps that the start has left, but not for the current visit."""
    spent: int = 0
    """The number of steps used by the earlier starts of the file."""
    hurried: bool = False
    ids: int = 0
    makers: set[int] = field(default_factory=set[int])
    """The serials of what the file created itself."""

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise LimitReached(self.context)
        if not self.steps % BREATH:
            self.surroundings.links.check_cancelled()

    @contextmanager
    def in_full(self) -> Generator[None]:
        """Run a trace that begins in a visit, which isn't cut for the visit's sake; it is charged to the visit."""
        self.steps, self.withheld, withheld = self.steps + self.withheld, 0, self.withheld
        try:
            yield
        finally:
            self.steps, self.withheld = self.steps - withheld, withheld

    def begin(self, before: StartRecording | None) -> StartRecording:
        """Begin a start, new or repeated, with the current state."""
        seen = self.start = self.seen = StartRecording(numbering.next_serial() if before is None else before.serial)
        if before is not None:
            seen.again(before)
        self.ids, self.steps = numbering.first_of(seen.serial), STEPS
        self.ground.reads, self.surroundings.now = seen.reads, self.ground
        self.reset(State(self.ground))
        return seen

    @property
    def surroundings(self) -> Surroundings:
        return self.flow.memory.surroundings

    @property
    def ground(self) -> FileGround:
        return self.flow.memory.surroundings.ground

    def destination_in_project(self, file: str, imported: Import) -> Elsewhere | None:
        """Return where an import in a file leads, if that is in the project."""
        return self.surroundings.ask(Surroundings.destination_in_project, file, imported)

    def resolved(self, value: Value) -> Value:
        """Return the value of a name, even if another file defines it."""
        while type(value) is Elsewhere:
            value = self.surroundings.ask(Surroundings.defined, value)
        return value

    def starred(self, module: Frame, name: str) -> Value:
        """Return the value of a name that a module doesn't bind itself but star-imports."""
        own = module is self.flow.memory.frame
        if own and not self.surroundings.stars:
            return UNDEFINED
        return self.surroundings.ask(Surroundings.starred, None if own else module.file, name)

    def frame(self, number: int) -> Frame | None:
        """Return a frame that may still be read, of this file or another one."""
        return self.frames.get(number) or self.surroundings.links.frames.get(number)

    def holders_of(self, value: Value) -> tuple[Cell, ...]:
        """The cells that contain a value, directly or nested, where this start begins."""
        return self.surroundings.ask(Surroundings.holders_of, value)

    def known_trace(self, key: TraceKey) -> Past | None:
        """The earlier result of tracing a traced function with these arguments."""
        found = self.seen.traces.get(key)
        return self.surroundings.ask(Surroundings.trace_of, key) if found is None else found

    def reset(self, state: State) -> None:
        """Restore an earlier state, outside of all calls, loops and constructs."""
        self.state, self.context, self.statement = state, Context(), None

    @property
    def is_untraced(self) -> bool:
        """True if `tf.config.run_functions_eagerly` has disabled all tracing."""
        return self.state.value(self.flow.memory.frame.id, marks.RUNS_EAGERLY) == Constant(True)

    def switch_tracing(self, off: Value) -> None:
        self.state.set(self.flow.memory.frame.id, marks.RUNS_EAGERLY, off)

    def fresh(self) -> int:
        self.ids += 1
        return self.ids

    def allocate(self, kind: str, type_: Value | None = None) -> Object:
        return Object(self.fresh(), kind, type_, tuple(construct.id for construct in self.context.constructs))

    def note(self, fact: NotedFact) -> NotedFact:
        """Record a fact, and return it with what is known of where it is recorded."""
        converter, doubted = self.context.converter, self.context.doubted or fact.doubted
        if converter is not fact.converter or doubted is not fact.doubted:
            fact = replace(fact, converter=converter, doubted=doubted)
        self.seen.facts.setdefault(fact, self.context.sites)
        return fact

    def note_of_tensorflow(self, fact: Fact) -> None:
        """Record what TensorFlow itself does with its arguments, whatever converts the code."""
        self.seen.facts.setdefault(replace(fact, doubted=True) if self.context.doubted else fact, self.context.sites)

    def now(self, **changes: Any) -> None:
        """Change the context from here to the end of the enclosing `within`."""
        self.context = self.context._replace(**changes)

    def within(self, **changes: Any) -> Within:
        """Change the context for the duration of a `with`."""
        return Within(self, self.context._replace(**changes))

    def inside(self, construct: StagedConstruct) -> Within:
        return self.within(constructs=(*self.context.constructs, construct))

    def calling(self, function: gast.AST, given: tuple[Value, ...]) -> Within:
        around = self.context
        return self.within(calls=(*around.calls, function), given=(*around.given, given))

    def looping(self, place: Place) -> Within:
        around = self.context
        return self.within(loops=(*around.loops, place), uncertain=0, doubts=around.doubts + around.uncertain)

    def doubting(self) -> Within:
        """Run code that may not be reached."""
        return self.within(doubts=self.context.doubts + 1)

    def branching(self, refused: bool = False) -> Within:
        """Run a Python branch that may not be taken; `refused` if TensorFlow can't use its condition as a bool."""
        around = self.context
        refused = around.refused or refused
        return self.within(uncertain=around.uncertain + 1, conditions=around.conditions + 1, refused=refused)

    def construct(self, place: Place, kind: ConstructKind, over: str = "") -> StagedConstruct:
        return StagedConstruct(self.fresh(), place, kind, over, self.context.uncertain)

    def leave(self, frame: Frame) -> None:
        """Drop the names of a finished frame, unless a function created in it may still read them."""
        if frame.id in self.seen.captured:
            return
        self.seen.spent += 1
        del self.frames[frame.id]
        self.seen.frames.pop(frame.id, None)
        self.state.drop(frame.id, frame.scope.bound)

    @contextmanager
    def looking_again(self) -> Generator[None]:
        """Run code again only for its values: its facts and changes are dropped."""
        seen = self.seen
        kept = seen.facts, seen.list_changes, self.state
        seen.facts, seen.list_changes = dict(seen.facts), dict(seen.list_changes)
        try:
            with self.within(journal=None):
                yield
        finally:
            seen.facts, seen.list_changes, self.state = kept

    @contextmanager
    def beside(self) -> Generator[None]:
        """Run code on a fork of the state: its changes are undone."""
        before, self.state = self.state, self.state.fork()
        try:
            yield
        finally:
            self.state = before

    def hand_over(self, frame: Frame | None, value: Value, in_graph: bool = False) -> None:
        """Note that what a function creates is out of sight: code that isn't analyzed may call it."""
        if frame is not None and frame.in_function:
            self.seen.handed_over.append(EscapedFunction(frame, value, in_graph))

    def escapes(self, traced: Traced) -> None:
        """Note that a traced function escaped to code that isn't analyzed, which may call it any number of times."""
        self.note(TracedEscaped(self.fresh(), traced.id))


def place_of(frame: Frame, node: gast.AST, source: gast.AST | None = None) -> Place:
    """The place of a node; `source` is the expression that it is bound to."""
    value = None if source is None else frame.block.range_of(source)
    return Place(frame.block, frame.block.range_of(node), value)
