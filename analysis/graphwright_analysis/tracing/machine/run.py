"""One abstract run over a module: its state, its frames, its limits and the facts it gathers.

What statements and expressions mean is elsewhere; this is what they share.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import gast

from graphwright_analysis.imports import Import
from graphwright_analysis.tracing.facts import Fact, TracedEscaped
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import UNDEFINED, Constant, Object, Traced, Value
from graphwright_analysis.values.elsewhere import Elsewhere
from graphwright_analysis.values.tensorflow.tables import NEWEST, Version

from . import numbering
from .context import Context, Frame, StagedConstruct
from .flow_cache import FlowCache
from .starts import EscapedFunction, Recording, StartRecording
from .state import Cell, FileGround, State
from .surroundings import Past, Surroundings, TraceKey

if TYPE_CHECKING:
    from .interpreter import Interpreter

STEPS = 60_000
"""How many expressions and statements are evaluated from one start that is surely run (a top-level block, a function
without parameters), or from a function in whose text a graph may begin, before the rest of it is taken for unknown."""
SUPPOSED_STEPS = 15_000
"""The same for other starts: methods, the making of instances, functions of whose arguments nothing is known."""
BREATH = 64
"""After how many steps is asked whether to go on."""
VISIT_STEPS = 2_000
"""How many steps a call of a package's function may take; then what it gives is unknown."""
FILE_STEPS = 100_000
"""How many steps the starts of one file may take before those that follow get fewer."""
GRAPH_STEPS = 400_000
"""The same for starts in whose own text a graph may begin."""
HURRIED_STEPS = 300
"""How many those get."""
FEWEST_STEPS = 3_000
"""How many a function gets at least that a start has made for a graph and didn't come to."""
DEPTH = 20
"""How deep calls are followed."""
UNCALLED_DEPTH = 2
"""The same for eager code that nothing calls, unless it comes to code that makes a graph."""
UNMADE_DEPTH = 4
"""The same for the making of an instance that nothing makes; constructors call those of the bases."""
FEW_TURNS = 4
"""How many are followed in a loop inside of others all the same."""
_EAGERLY = "run_functions_eagerly()"
"""The name of the cell that says whether tracing is switched off."""
TURNS = 24
"""How many turns of Python loops over known elements are followed one by one, nested loops multiplied."""


class Within:
    """For as long as a `with` lasts, something else is around the code."""

    __slots__ = ("_before", "_context", "_run")

    def __init__(self, run: Run, context: Context) -> None:
        self._run, self._context, self._before = run, context, run.context

    def __enter__(self) -> None:
        self._run.context = self._context

    def __exit__(self, *error: object) -> None:
        self._run.context = self._before


class LimitReached(Exception):
    """A start has used up its steps; what it has seen so far stands."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        """What was around the code there."""


@dataclass(slots=True, eq=False)
class Run:
    flow: FlowCache
    interpreter: Interpreter
    state: State = field(default_factory=State)
    start: StartRecording = field(default_factory=lambda: StartRecording(0))
    seen: Recording = field(default_factory=lambda: Recording(0))
    """What the stretch that is being run sees: the start, or a call in it that is remembered."""
    context: Context = field(default_factory=Context)
    statement: gast.stmt | None = None
    """The one that is being run."""
    frames: dict[int, Frame] = field(default_factory=dict[int, Frame])
    for_importers: bool = False
    """Whether the file is run for those who import it, so that it isn't the main module."""
    numpy_behavior: bool = False
    tensorflow: Version = NEWEST
    keras_dtype: str | None = "float32"
    keras_converts: bool = False
    """Whether it is Keras 2, which has AutoGraph convert `call`, losses and metrics."""
    keras_is_foreign: bool = False
    """Whether Keras runs on something other than TensorFlow, so that it makes no graph."""
    star_import: bool = False
    patched: frozenset[str] = frozenset()
    """The attributes that the project has stored on TensorFlow's own classes."""
    steps: int = STEPS
    """How many are left to this start."""
    spent: int = 0
    """How many steps the starts of the file have taken before this one."""
    hurried: bool = False
    ids: int = 0
    makers: set[int] = field(default_factory=set[int])
    """The serials of what the file has made itself."""

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise LimitReached(self.context)
        if not self.steps % BREATH:
            self.surroundings.links.check_cancelled()

    def begin(self, before: StartRecording | None) -> StartRecording:
        """A new start, or one made again, from what holds now."""
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

    def leads(self, file: str, asked: Import) -> Elsewhere | None:
        """Where an import in a file leads, if that is in the project."""
        return self.surroundings.ask(Surroundings.leads, file, asked)

    def resolved(self, value: Value) -> Value:
        """What a name stands for, also where another file defines it."""
        while type(value) is Elsewhere:
            value = self.surroundings.ask(Surroundings.defined, value)
        return value

    def starred(self, module: Frame, name: str) -> Value:
        """What a module has under a name that it doesn't bind itself, but has from another by a star."""
        own = module is self.flow.memory.frame
        if own and not self.surroundings.stars:
            return UNDEFINED
        return self.surroundings.ask(Surroundings.starred, None if own else module.file, name)

    def frame(self, number: int) -> Frame | None:
        """An activation that may still be read, of this file or another one."""
        return self.frames.get(number) or self.surroundings.links.frames.get(number)

    def holders_of(self, value: Value) -> tuple[Cell, ...]:
        """The cells that hold a value, or have it in them, where this start begins."""
        return self.surroundings.ask(Surroundings.holders_of, value)

    def known_trace(self, key: TraceKey) -> Past | None:
        """What tracing a traced function with these arguments gave before."""
        found = self.seen.traces.get(key)
        return self.surroundings.ask(Surroundings.trace_of, key) if found is None else found

    def reset(self, state: State) -> None:
        """Back to a state from before, outside of all calls, loops and constructs."""
        self.state, self.context, self.statement = state, Context(), None

    @property
    def is_untraced(self) -> bool:
        """Whether `tf.config.run_functions_eagerly` has surely switched all tracing off."""
        return self.state.value(self.flow.memory.frame.id, _EAGERLY) == Constant(True)

    def switch_tracing(self, off: Value) -> None:
        self.state.set(self.flow.memory.frame.id, _EAGERLY, off)

    def fresh(self) -> int:
        self.ids += 1
        return self.ids

    def allocate(self, kind: str, type_: Value | None = None) -> Object:
        return Object(self.fresh(), kind, type_, tuple(construct.id for construct in self.context.constructs))

    def note(self, fact: Fact) -> None:
        converter, doubted = self.context.converter, self.context.doubted or fact.doubted
        if converter is not fact.converter or doubted is not fact.doubted:
            fact = replace(fact, converter=converter, doubted=doubted)
        self.seen.facts.setdefault(fact, self.context.sites)

    def note_of_tensorflow(self, fact: Fact) -> None:
        """Note what TensorFlow itself does with what it is given, whoever converts the code."""
        self.seen.facts.setdefault(replace(fact, doubted=True) if self.context.doubted else fact, self.context.sites)

    def now(self, **changes: Any) -> None:
        """From here on, to the end of what is being run in, this is around it."""
        self.context = self.context._replace(**changes)

    def within(self, **changes: Any) -> Within:
        """Around code that has this around it as well."""
        return Within(self, self.context._replace(**changes))

    def inside(self, construct: StagedConstruct) -> Within:
        return self.within(constructs=(*self.context.constructs, construct))

    def looping(self, place: Place) -> Within:
        around = self.context
        return self.within(loops=(*around.loops, place), uncertain=0, doubts=around.doubts + around.uncertain)

    def doubting(self) -> Within:
        """Around code that may not be run."""
        return self.within(doubts=self.context.doubts + 1)

    def branching(self, refused: bool = False) -> Within:
        """Around a Python branch of which nobody knows whether it is taken, or which TensorFlow refuses to decide."""
        around = self.context
        refused = around.refused or refused
        return self.within(uncertain=around.uncertain + 1, conditions=around.conditions + 1, refused=refused)

    def construct(self, place: Place, kind: ConstructKind, over: str = "") -> StagedConstruct:
        return StagedConstruct(self.fresh(), place, kind, over, self.context.uncertain)

    def leave(self, frame: Frame) -> None:
        """Forget the names of a frame that has ended, unless a function made in it may still read them."""
        if frame.id in self.seen.captured:
            return
        self.seen.spent += 1
        del self.frames[frame.id]
        self.seen.frames.pop(frame.id, None)
        self.state.drop(frame.id, frame.scope.bound)

    @contextmanager
    def looking_again(self) -> Generator[None]:
        """Around code that is run once more for its values alone: facts are left as they are."""
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
        """Around code that may be run: what it changes is forgotten."""
        before, self.state = self.state, self.state.fork()
        try:
            yield
        finally:
            self.state = before

    def hand_over(self, frame: Frame | None, value: Value, in_graph: bool = False) -> None:
        """Something made while a function ran is out of sight: whoever has it may call it."""
        if frame is not None and frame.in_function:
            self.seen.handed_over.append(EscapedFunction(frame, value, in_graph))

    def escapes(self, traced: Traced) -> None:
        """Code that isn't followed has got hold of it, and may call it as often as it likes."""
        self.note(TracedEscaped(self.fresh(), traced.id))


def place_of(frame: Frame, node: gast.AST, source: gast.AST | None = None) -> Place:
    """Where a node stands; `source` is the expression that it is bound to."""
    value = None if source is None else frame.block.range_of(source)
    return Place(frame.block, frame.block.range_of(node), value)
