"""One abstract run over a module: its state, its frames, its limits and the facts it gathers.

What statements and expressions mean is elsewhere; this is what they share.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from graphwright_analysis.flow import (
    Activity,
    Liveness,
    Scope,
    Scopes,
    build_cfg,
    build_scopes,
    class_scopes,
    liveness,
    total_activity,
)
from graphwright_analysis.flow.tree import children
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.tracing.facts import Fact, ListChanged, TracedEscaped, Unconverted
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import Object, Traced, Value
from graphwright_analysis.values.tensorflow.tables import NEWEST, Version

from . import conversion_obstacles
from .starts import Memory, Past, Seen, Surroundings, TraceKey, next_serial
from .state import STARTS, Cell, Ground, State

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .journal import Journal

STEPS = 10_000
"""How many expressions and statements are evaluated from one start (a top-level block, or a function that nothing
calls) before the rest of it is taken for unknown."""
FILE_STEPS = 100_000
"""How many steps the starts of one file may take before those that follow get fewer."""
HURRIED_STEPS = 300
"""How many those get."""
DEPTH = 20
"""How deep calls are followed."""
TURNS = 24
"""How many turns of Python loops over known elements are followed one by one, nested loops multiplied."""


Loop = gast.For | gast.While


class LimitReached(Exception):
    """A start has used up its steps; what it has seen so far stands."""


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

    @property
    def converted(self) -> bool:
        """Whether AutoGraph converts the control flow here."""
        return self.unconverted is None


@dataclass(frozen=True, slots=True)
class Construct:
    """A staged branch, loop or mapped function that is being traced."""

    id: int
    place: Place
    kind: str
    over: str = ""
    uncertain: int = 0
    """How many Python branches, of which nobody knows whether they are taken, are around it."""


@dataclass(frozen=True, slots=True)
class TraceUnderWay:
    """A trace under way that eager code has begun.

    `again` says that the function was traced before, `depth` how deep the call that began it stands.
    """

    again: bool
    depth: int


@dataclass(frozen=True, slots=True)
class FunctionShape:
    """What the constructs in a function say of it: whether it yields, and what keeps AutoGraph from converting it."""

    generator: bool
    obstacle: tuple[str, gast.AST] | None


@dataclass(slots=True)
class FlowCache:
    """Scopes and liveness, kept as long as the blocks that the functions stand in."""

    scopes: dict[Block, Scopes] = field(default_factory=dict[Block, Scopes])
    live: dict[gast.AST, Liveness] = field(default_factory=dict[gast.AST, Liveness])
    bodies: dict[gast.stmt, Activity] = field(default_factory=dict["gast.stmt", Activity])
    stores: dict[Block, frozenset[str]] = field(default_factory=dict[Block, "frozenset[str]"])
    names: dict[Block, frozenset[str]] = field(default_factory=dict[Block, "frozenset[str]"])
    functions: dict[gast.AST, FunctionShape] = field(default_factory=dict[gast.AST, "FunctionShape"])
    imports: dict[Block, tuple[tuple[str, Any], ...]] = field(
        default_factory=dict[Block, "tuple[tuple[str, Any], ...]"]
    )
    loops: dict[gast.AST, dict[gast.AST, tuple[Loop, ...]]] = field(
        default_factory=dict[gast.AST, "dict[gast.AST, tuple[Loop, ...]]"]
    )
    memory: Memory = field(default_factory=Memory)

    def kept(self, module: Module) -> FlowCache:
        """What is still of use when only the blocks of this module are left."""
        blocks = module.starts_of
        scopes = {block: self.scopes[block] for block in blocks if block in self.scopes}
        nodes = {scope.node for each in scopes.values() for scope in each}
        live = {node: live for node, live in self.live.items() if node in nodes}
        functions = {node: known for node, known in self.functions.items() if node in nodes}
        inside = {node for each in live.values() for node in each.graph.after}
        bodies = {node: activity for node, activity in self.bodies.items() if node in inside}
        stores = {block: self.stores[block] for block in blocks if block in self.stores}
        names = {block: self.names[block] for block in blocks if block in self.names}
        imports = {block: self.imports[block] for block in blocks if block in self.imports}
        loops = {node: known for node, known in self.loops.items() if node in nodes}
        memory = self.memory.kept(blocks)
        return FlowCache(scopes, live, bodies, stores, names, functions, imports, loops, memory)


@dataclass(slots=True, eq=False)
class Run:
    flow: FlowCache
    interpreter: Interpreter
    state: State = field(default_factory=State)
    seen: Seen = field(default_factory=lambda: Seen(0))
    list_changes: dict[ListChanged, int] = field(default_factory=dict[ListChanged, int])
    constructs: tuple[Construct, ...] = ()
    loops: tuple[Place, ...] = ()
    calls: tuple[gast.AST, ...] = ()
    statement: gast.stmt | None = None
    unbound_before_loop: frozenset[str] = frozenset()
    turns: int = 1
    widening: int = 0
    uncertain: int = 0
    doubts: int = 0
    """What else is around that may keep the code from being run: a conditional expression, an outer loop's way out."""
    opaque: int = 0
    """How many calls were met of which nobody knows whether they make variables."""
    imports: Mapping[Any, Any] = field(default_factory=dict[Any, Any])
    handled: int = 0
    for_importers: bool = False
    """Whether the file is run for those who import it, so that it isn't the main module."""
    numpy_behavior: bool = False
    tensorflow: Version = NEWEST
    keras_dtype: str | None = "float32"
    star_import: bool = False
    patched: frozenset[str] = frozenset()
    """The attributes that the project has stored on TensorFlow's own classes."""
    captured: set[int] = field(default_factory=set[int])
    frames: dict[int, Frame] = field(default_factory=dict[int, Frame])
    journal: Journal | None = None
    graph: bool = False
    compiled: bool = False
    """Whether XLA compiles the graph."""
    guarded: int = 0
    """How many constructs around expect a TypeError or ValueError."""
    uncalled: bool = False
    """Whether this start traces a function that nothing in the file calls."""
    for_keras: bool = False
    """Whether this start runs a method that most likely Keras calls while it traces, though nobody in the file is seen
    to fit the model."""
    traced: set[gast.AST] = field(default_factory=set[gast.AST])
    """The functions that this start has run in a graph."""
    handed_over: list[tuple[Frame, Traced]] = field(default_factory=list[tuple[Frame, Traced]])
    """What `tf.function` has made in this start while a function ran, and from which frame."""
    entry: TraceUnderWay | None = None
    attempts: int = 0
    steps: int = STEPS
    spent: int = 0
    """How many steps the starts of the file have taken before this one."""
    hurried: bool = False
    ids: int = 0

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise LimitReached

    def begin(self, before: Seen | None) -> None:
        """A new start, or one made again, from what holds now."""
        self.seen = Seen(next_serial() if before is None else before.serial)
        self.ids, self.list_changes = self.seen.serial << STARTS, {}
        self.traced, self.handed_over = set(), []
        self.steps = STEPS
        self.ground.reads = self.seen.reads
        self.reset(State(self.ground))

    @property
    def surroundings(self) -> Surroundings:
        return self.flow.memory.surroundings

    @property
    def ground(self) -> Ground:
        return self.flow.memory.surroundings.ground

    def imported(self, asked: object) -> Any:
        """Where an import leads, if that is in the project."""
        return self.surroundings.ask(Surroundings.imported, asked)

    def holders_of(self, value: Value) -> tuple[Cell, ...]:
        """The cells that hold a value, or have it in them, where this start begins."""
        return self.surroundings.ask(Surroundings.holders_of, value)

    def known_trace(self, key: TraceKey) -> Past | None:
        """What tracing a traced function with these arguments gave before."""
        found = self.seen.traces.get(key)
        return self.surroundings.ask(Surroundings.trace_of, key) if found is None else found

    def reset(self, state: State) -> None:
        """Back to a state from before, outside of all calls, loops and constructs."""
        self.state = state
        self.constructs, self.loops, self.calls, self.journal = (), (), (), None
        self.turns, self.widening, self.uncertain, self.graph, self.compiled = 1, 0, 0, False, False
        self.guarded, self.uncalled, self.for_keras = 0, False, False
        self.handled, self.doubts = 0, 0
        self.unbound_before_loop = frozenset()
        self.entry, self.attempts, self.statement = None, 0, None

    def fresh(self) -> int:
        self.ids += 1
        return self.ids

    def allocate(self, kind: str, type_: Value | None = None) -> Object:
        return Object(self.fresh(), kind, type_, tuple(construct.id for construct in self.constructs))

    def note(self, fact: Fact) -> None:
        self.seen.facts.setdefault(fact)

    def saw(self, node: gast.AST, value: Value) -> None:
        """Remember what a name or expression was, over all visits."""
        self.seen.saw(node, value)

    def scopes_in(self, block: Block) -> Scopes:
        found = self.flow.scopes.get(block)
        if found is None and block.parts:
            found = class_scopes(block.statements[0], [self.scopes_in(part) for part in block.pieces[1:]])
        elif found is None:
            found = build_scopes(gast.Module(list(block.statements), []))
        self.flow.scopes[block] = found
        return found

    def scopes_of(self, block: Block, node: gast.AST) -> Scope:
        return self.scopes_in(block).of(node)

    def activity_in(self, statement: gast.If | gast.For | gast.While) -> Activity:
        """What the bodies of a compound statement read and write."""
        found = self.flow.bodies.get(statement)
        if found is None:
            orelse = statement.orelse if isinstance(statement, gast.If) else []
            found = self.flow.bodies[statement] = total_activity([*statement.body, *orelse])
        return found

    def names_in(self, block: Block) -> frozenset[str]:
        """The names of the module that a block binds, be it by `global` in a function."""
        found = self.flow.names.get(block)
        if found is None:
            found = _plainly_bound(block)
            if found is None:
                found = frozenset(
                    name
                    for scope in self.scopes_in(block)
                    for name in (scope.bound if scope.kind == "module" and block.kind != "member" else scope.globals)
                )
            self.flow.names[block] = found
        return found

    def shape_of(self, function: gast.AST) -> FunctionShape:
        found = self.flow.functions.get(function)
        if found is None:
            found = self.flow.functions[function] = FunctionShape(*conversion_obstacles.in_function(function))
        return found

    def loops_around(self, function: gast.AST, statement: gast.stmt) -> tuple[Loop, ...]:
        """The loops of a function around one of its statements, the outermost first."""
        found = self.flow.loops.get(function)
        if found is None:
            found = self.flow.loops[function] = dict(_loops_in(function))
        return found.get(statement, ())

    def liveness_of(self, function: gast.AST) -> Liveness:
        found = self.flow.live.get(function)
        if found is None:
            found = self.flow.live[function] = liveness(build_cfg(function))
        return found

    @contextmanager
    def inside(self, construct: Construct) -> Generator[None]:
        before = self.constructs
        self.constructs = (*before, construct)
        try:
            yield
        finally:
            self.constructs = before

    def construct(self, place: Place, kind: str, over: str = "") -> Construct:
        return Construct(self.fresh(), place, kind, over, self.uncertain)

    def leave(self, frame: Frame) -> None:
        """Forget the names of a frame that has ended, unless a function made in it may still read them."""
        if frame.id in self.captured:
            return
        del self.frames[frame.id]
        self.seen.frames.pop(frame.id, None)
        self.state.drop(frame.id, (*frame.scope.bound, *frame.scope.parameters))

    @contextmanager
    def looping(self, place: Place) -> Generator[None]:
        before, uncertain = self.loops, self.uncertain
        self.loops, self.uncertain = (*before, place), 0
        self.doubts += uncertain
        try:
            yield
        finally:
            self.loops, self.uncertain = before, uncertain
            self.doubts -= uncertain

    @property
    def is_sure(self) -> bool:
        """Whether the code that is being run is surely run, once the start is."""
        return not (self.uncertain or self.doubts or self.attempts or self.guarded or self.handled)

    @contextmanager
    def looking_again(self) -> Generator[None]:
        """Around code that is run once more for its values alone: facts are left as they are."""
        kept = self.seen.facts, self.journal, self.list_changes, self.state
        self.seen.facts, self.journal, self.list_changes = dict(kept[0]), None, dict(kept[2])
        try:
            yield
        finally:
            self.seen.facts, self.journal, self.list_changes, self.state = kept

    @contextmanager
    def doubting(self) -> Generator[None]:
        """Around code that may not be run."""
        self.doubts += 1
        try:
            yield
        finally:
            self.doubts -= 1

    def escapes(self, traced: Traced) -> None:
        """Code that isn't followed has got hold of it, and may call it as often as it likes."""
        self.note(TracedEscaped(self.fresh(), traced.id))


def stored_in(blocks: Sequence[Block], known: dict[Block, frozenset[str]]) -> frozenset[str]:
    """The attributes that blocks set anywhere but in an `__init__`; of each block it is kept."""
    for block in blocks:
        if block not in known:
            known[block] = frozenset(_stored(block.statements))
    return frozenset[str]().union(*[known[block] for block in blocks])


def _plainly_bound(block: Block) -> frozenset[str] | None:
    """The names that a block binds where that can be seen without looking inside; None where it can't."""
    found: set[str] = set()
    if "global" in block.text or ":=" in block.text:
        return None
    if block.kind == "member":
        return frozenset()
    for statement in block.statements:
        if isinstance(statement, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            found.add(statement.name)
        elif isinstance(statement, (gast.Import, gast.ImportFrom)):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in statement.names)
        elif not isinstance(statement, (gast.Expr, gast.Pass)):
            return None
    return frozenset(found - {"*"})


_LEAVES = frozenset({gast.Name, gast.Constant})


def _stored(statements: Sequence[gast.AST]) -> Iterator[str]:
    pending: list[gast.AST] = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, (gast.Store, gast.Del)):
            yield node.attr
        if not (isinstance(node, gast.FunctionDef) and node.name == "__init__"):
            pending += [child for child in children(node) if type(child) not in _LEAVES]


def _loops_in(function: gast.AST) -> Iterator[tuple[gast.AST, tuple[Loop, ...]]]:
    """The branches of a function itself with the loops around them."""
    pending: list[tuple[gast.AST, tuple[Loop, ...]]] = [(child, ()) for child in children(function)]
    while pending:
        node, around = pending.pop()
        if isinstance(node, gast.If):
            yield node, around
        if not isinstance(node, (gast.expr, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            inner = (*around, node) if isinstance(node, (gast.For, gast.While)) else around
            pending += [(child, inner) for child in children(node)]


def place_of(frame: Frame, node: gast.AST, source: gast.AST | None = None) -> Place:
    """Where a node stands; `source` is the expression that it is bound to."""
    value = None if source is None else frame.block.range_of(source)
    return Place(frame.block, frame.block.range_of(node), value)
