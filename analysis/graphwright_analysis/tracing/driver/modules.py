"""Traces a whole module: its top level first, then every function that nothing has called.

What is called with known arguments is judged by those; the rest by its annotations alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial

import gast

from graphwright_analysis.flow import Scope
from graphwright_analysis.stack_space import with_stack_space
from graphwright_analysis.syntax import NAMES_FROM_OUTSIDE, Block, Module
from graphwright_analysis.tracing import python
from graphwright_analysis.tracing.functions import conversion, retracing
from graphwright_analysis.tracing.functions.decorators import function_behind
from graphwright_analysis.tracing.library import keras_arguments, keras_code
from graphwright_analysis.tracing.machine import numbering
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.flow_cache import FlowCache, stored_in
from graphwright_analysis.tracing.machine.imports import imports_in, may_begin_a_graph
from graphwright_analysis.tracing.machine.links import Exports, Links, NoLinks
from graphwright_analysis.tracing.machine.run import (
    FILE_STEPS,
    GRAPH_STEPS,
    UNCALLED_DEPTH,
    UNMADE_DEPTH,
    Run,
)
from graphwright_analysis.tracing.machine.starts import ChangeSet, Key, StartRecording
from graphwright_analysis.tracing.machine.state import CONTENT, Cell, Content, FileGround, State
from graphwright_analysis.tracing.machine.surroundings import OF_CLASSES, OF_NAMES, OF_OTHER_FILES, ModuleNames
from graphwright_analysis.tracing.python import calls, statements
from graphwright_analysis.values import keras_choice
from graphwright_analysis.values.domain import UNKNOWN, Class, Function, Object, Traced, Value
from graphwright_analysis.values.keras_choice import NO_CHOICE, KerasChoice
from graphwright_analysis.values.sameness import kept
from graphwright_analysis.values.tensorflow.tables import NEWEST, Version

from . import budgets, uncalled_functions
from .library_changes import (
    NUMPY_BEHAVIOR,
    OTHER_DTYPE,
    TRACING_ON,
    changes_in,
    extended_in,
    switched_off,
)
from .relocating import ToldInFiles, blocks_in, relocated
from .traces import Trace


@with_stack_space
def trace_module(
    module: Module,
    flow: FlowCache | None = None,
    links: Links | None = None,
    tensorflow: Version = NEWEST,
    file: str = "",
    shown: bool = False,
    keras: KerasChoice = NO_CHOICE,
) -> Trace:
    """Run a module abstractly; never raises for any tree. What the flow cache remembers isn't run again.

    Where it is to be `shown`, what the file calls outside of a graph alone is run in those that Keras makes as well.
    """
    run = Run(flow if flow is not None else FlowCache(), python, tensorflow=tensorflow)
    links = NoLinks() if links is None else links
    report_blocks = ToldInFiles(module, module.report_blocks, links.report_blocks)
    if not any(name in module.text for name in ("tensorflow", "keras", "graphwright")) and not any(
        links.destination_in_project(file, imported) for _, imported in imports_in(module, run.flow)
    ):
        return Trace((), (), report_blocks)
    own = changes_in(module, run.flow)
    changes = own | links.patched(file)
    memory, starts = run.flow.memory, _run(module, run, links, file, shown, changes | run.flow.memory.extended, keras)
    for _ in range(_LOOKS - 1):
        # What is stored on TensorFlow's classes is there for all code, also for what comes before it in the file.
        if (extended := extended_in(starts)) == memory.extended:
            break
        memory.extended, run = extended, Run(run.flow, python, tensorflow=tensorflow)
        starts = _run(module, run, links, file, shown, changes | extended, keras)
    trace = Trace(starts, (), report_blocks)
    switched = () if TRACING_ON in own else switched_off(trace.starts)
    facts = (*switched, *retracing.summed_up(trace.starts))
    return replace(trace, gathered=tuple(relocated(fact, trace.moved) for fact in facts))


def _run(
    module: Module,
    run: Run,
    links: Links,
    file: str,
    shown: bool,
    changes: frozenset[str],
    keras: KerasChoice,
) -> tuple[StartRecording, ...]:
    """Run a module in which all this is changed of TensorFlow and Keras."""
    run.patched, run.numpy_behavior = changes, NUMPY_BEHAVIOR in changes
    run.keras_converts = keras_choice.converts(keras, changes)
    run.keras_is_foreign = keras_choice.is_foreign(keras, changes)
    run.keras_dtype = None if OTHER_DTYPE in changes else run.keras_dtype
    starred = any(name == "*" for name, _ in imports_in(module, run.flow))
    run.star_import = starred or NAMES_FROM_OUTSIDE in module.text
    memory, ran = run.flow.memory, (module.pieces, shown)
    # This may be given up, and then the surroundings have to be those of the last run still.
    resumes, named = links.resume(memory.used), run.surroundings.names
    frame = _surroundings(run, module, links, file)
    order = memory.order if resumes else ()
    if not order or memory.ran != ran:
        sure = OF_OTHER_FILES | OF_CLASSES
        if run.surroundings.names == named:
            sure |= OF_NAMES
        _remember(run, _Starts(run, frame, shown, ChangeSet(order, frame.id, sure=sure)).of_file(module))
        memory.order, memory.ran, memory.used = tuple(memory.starts.values()), ran, links.used
    return memory.order


@with_stack_space
def exports_of(
    module: Module, flow: FlowCache, links: Links | None = None, tensorflow: Version = NEWEST, file: str = ""
) -> Exports:
    """What running the top level of a module leaves behind for those who import it."""
    run = Run(flow, python, tensorflow=tensorflow, for_importers=True)
    links = NoLinks() if links is None else links
    frame = _surroundings(run, module, links, file)
    exports = Exports(
        frame,
        run.ground.cells,
        run.frames,
        module.starts_of.keys(),
        module.report_blocks,
        run.surroundings.names,
        run.surroundings.stars,
        makers=run.makers,
    )
    links.begun(file, exports)
    _remember(run, (((block.head, None), _run_block(run, frame, block, ChangeSet())) for block in module.blocks))
    exports.extended = extended_in(run.flow.memory.starts.values())
    return exports


def _remember(run: Run, starts: Iterable[tuple[Key, StartRecording]]) -> None:
    """Run the starts and keep what they have seen; of a run that is given up, beside what is left from before."""
    memory, done = run.flow.memory, dict[Key, StartRecording]()
    memory.order = ()
    try:
        for key, seen in starts:
            done[key] = seen
    except BaseException:
        memory.starts = memory.starts | done
        raise
    finally:
        run.surroundings.links = NoLinks()
    memory.starts, memory.edited = done, {}


_LOOKS = 3
"""How often a file is run at most to see what it stores on TensorFlow's classes."""


@dataclass(slots=True)
class _Starts:
    """The starts of a file, one after the other, and what they have run."""

    run: Run
    frame: Frame
    shown: bool
    since: ChangeSet
    visited: set[gast.AST] = field(default_factory=set[gast.AST])
    in_graph: set[gast.AST] = field(default_factory=set[gast.AST])

    def of_file(self, module: Module) -> Iterator[tuple[Key, StartRecording]]:
        for block in module.blocks:
            yield (block.head, None), self._met(_run_block(self.run, self.frame, block, self.since))
        for value in sorted(_functions(self.run, self.frame), key=lambda value: bool(_parameters(value))):
            function = function_behind(value)
            if function is not None and function.node not in self.visited:
                yield self._call(function, value, conversion.name_of(function))
        for class_ in [value for value in _held(self.run, self.frame.id) if isinstance(value, Class)]:
            yield from self._of_class(class_)

    def _of_class(self, class_: Class) -> Iterator[tuple[Key, StartRecording]]:
        """Call the methods that nothing has called, and then show those that nothing has called in a graph."""
        own = [(f, v) for v in _held(self.run, class_.id) if (f := function_behind(v))]
        uncalled = [(f, v) for f, v in own if f.node not in self.visited]
        shown = self.shown and any(f.node not in self.in_graph for f, _ in own)
        if not uncalled and not shown:
            return
        with self.run.surroundings.supposing(), self.since.undoing():
            name, body = class_.node.name, partial(_make_instance, self.run, self.frame, class_)
            key = class_.block, class_.node
            seen = self._met(_start(self.run, self.since, key, name, class_, body, silent=not uncalled))
            yield key, seen
            for function, value in uncalled if seen.made is not None else ():
                if function.node not in self.visited:
                    yield self._call(function, value, f"{name}.{conversion.name_of(function)}", seen.made, key)
            if shown and seen.made is not None:
                body, key = partial(_call_steps, self.run, self.frame, class_, seen.made), (*key, "steps")
                name = f"{name}, in a graph"
                yield key, _start(self.run, self.since, key, name, (class_, seen.made), body, silent=True)

    def _call(
        self, function: Function, value: Value, name: str, receiver: Value | None = None, together: object = None
    ) -> tuple[Key, StartRecording]:
        key, subject = (function.block, function.node), value if receiver is None else (value, receiver)
        body = partial(_call_uncalled, self.run, self.frame, value, receiver)
        return key, self._met(_start(self.run, self.since, key, name, subject, body, together))

    def _met(self, seen: StartRecording) -> StartRecording:
        self.visited |= seen.visited
        self.in_graph |= seen.in_graph
        return seen


def _run_block(run: Run, frame: Frame, block: Block, since: ChangeSet) -> StartRecording:
    """Run a statement of the top level."""
    body = partial(_top_level, run, frame, block.traced)
    return _start(run, since, (block.head, None), _first_line(block.text), block.pieces, body)


def _first_line(text: str) -> str:
    end = text.find("\n")
    return text if end < 0 else text[:end]


def _start(
    run: Run,
    since: ChangeSet,
    key: Key,
    name: str,
    subject: object,
    body: Callable[[], None],
    together: object = None,
    silent: bool = False,
) -> StartRecording:
    """Run a start, unless it would see what it saw the last time; it is found by its name if its text has changed."""
    memory = run.flow.memory
    seen, same_text = memory.last(key, name)
    run.hurried = run.spent > GRAPH_STEPS or (run.spent > FILE_STEPS and not may_begin_a_graph(key[0], run.flow))
    like_now = same_text and seen is not None and (seen.hurried, seen.silent) == (run.hurried, silent)
    since.comes(seen)
    if seen is None or not like_now or not seen.holds(subject, run.surroundings, since):
        last = seen
        before: Mapping[Cell, Content] = {} if last is None else last.cells
        seen = run.begin(last)
        seen.subject, seen.name, seen.hurried, seen.at_top = subject, name, run.hurried, key[1] is None
        seen.block, seen.node, seen.silent = key[0], key[1], silent
        body()
        seen.facts = {fact: seen.facts[fact] for fact in conversion.first_refusals(seen.facts)}
        seen.blocks = blocks_in(seen.facts)
        seen.together = key if together is None else together
        # What is as it was stays the same object, so that those who read it need no second look.
        seen.cells = {cell: kept(before.get(cell), held) for cell, held in run.state.cells.items()}
        seen.places, seen.earlier = run.state.written, {}
        seen.charged, seen.finished = set(), set()
        since.ran(last, seen)
    run.frames.update(seen.frames)
    run.makers |= {seen.serial, *seen.makers}
    memory.surroundings.settle(seen)
    run.spent += seen.steps
    return seen


def _top_level(run: Run, frame: Frame, block: Block) -> None:
    frame.block, before = block, run.state.fork()
    followed = budgets.bounded(run, lambda: statements.execute(run, frame, block.statements))
    if followed:
        if block.parts or not any(map(_is_main, block.statements)):
            # The next block may call what this one has made.
            run.start.handed_over = [each for each in run.start.handed_over if isinstance(each.value, Function)]
        budgets.trace_the_rest(run)
        return
    names = run.flow.scopes_in(block).module.bound
    budgets.forget_names(run, frame, names, block.statements)
    _trace_rest_of_cut(run, before)
    for name in names:
        run.state.set(frame.id, name, UNKNOWN)


def _is_main(statement: gast.stmt) -> bool:
    """Whether this is what a file does when it isn't imported."""
    return isinstance(statement, gast.If) and any(
        isinstance(node, gast.Name) and node.id == "__name__" for node in gast.walk(statement.test)
    )


def _surroundings(run: Run, module: Module, links: Links, file: str) -> Frame:
    """The frame of the module's names; it is the same as long as the file is known, since functions hold on to it."""
    memory = run.flow.memory
    around = memory.surroundings
    around.now = around.ground = FileGround(foreign=links.cells)
    around.traces, around.links = {}, links
    around.file, around.stars = file, tuple(imported for name, imported in imports_in(module, run.flow) if name == "*")
    pieces = module.pieces
    around.stores = functools.cache(partial(stored_in, pieces, run.flow.stores))
    around.names = frozenset(name for piece in pieces for name in run.flow.names_in(piece))
    told_by_text = (
        run.keras_converts,
        run.keras_is_foreign,
        run.numpy_behavior,
        run.star_import,
        run.keras_dtype,
        run.patched,
    )
    memory.under((around.stars, run.tensorflow, *told_by_text))
    if memory.frame is None:
        node = gast.Module([], [])
        scope = Scope(kind="module", node=node, parent=None, bound=ModuleNames(around))
        number = numbering.first_of(numbering.next_serial())
        memory.frame = Frame(number, scope, module.blocks[0], None, node, file=file)
    run.frames[memory.frame.id] = memory.frame
    run.makers.add(numbering.serial_of(memory.frame.id))
    return memory.frame


def _held(run: Run, owner: int) -> list[Value]:
    """What an owner's cells hold where the next start begins."""
    owned = run.ground.cells.get(owner, {})
    return [value for name, value in owned.items() if name != CONTENT and isinstance(value, Value)]


def _functions(run: Run, frame: Frame) -> list[Value]:
    return [value for value in _held(run, frame.id) if function_behind(value) is not None]


def _parameters(value: Value) -> list[str]:
    function = function_behind(value)
    return [] if function is None else [a.id for a in function.node.args.args]


def _call_uncalled(run: Run, frame: Frame, value: Value, receiver: Value | None = None) -> None:
    function = function_behind(value)
    if function is None or function.node in run.start.visited:
        return
    frame.block = function.block
    traced = isinstance(value, Traced)
    aside = not traced and bool(function.node.args.args) and not may_begin_a_graph(function.block, run.flow)
    depth = UNCALLED_DEPTH if aside else None
    keras = not traced and keras_code.is_called_by_fit(run, function)
    if keras:
        value = conversion.called_by_keras(run, function)
    # Keras calls such a method in a graph wherever a model is fitted, which isn't seen here.
    around = keras_code.graph(run) if keras else nullcontext()
    training = keras_arguments.unseen_training(function.owner)
    with run.beside(), around, run.within(uncalled=traced, depth=depth, doubted=keras, training=training):
        _run_bounded(run, lambda: _call_with_unknown(run, frame, value, function, receiver))


def _call_steps(run: Run, frame: Frame, class_: Class, receiver: Value) -> None:
    """Call what Keras calls in a graph of a class, and has from another one."""
    for step in keras_code.steps(run, class_):
        _call_uncalled(run, frame, step, receiver)


def _call_with_unknown(run: Run, frame: Frame, value: Value, function: Function, receiver: Value | None) -> None:
    arguments = uncalled_functions.arguments(run, frame, value, function, 0 if receiver is None else 1)
    result = calls.call(run, frame, value, [] if receiver is None else [receiver], arguments, None)
    uncalled_functions.returned(run, result)


def _run_bounded(run: Run, body: Callable[[], None]) -> None:
    """Call or make what nothing calls or makes, and trace what that has made for a graph."""
    before = run.state.fork()
    if budgets.bounded(run, body):
        budgets.trace_the_rest(run)
    else:
        _trace_rest_of_cut(run, before)


def _trace_rest_of_cut(run: Run, before: State) -> None:
    """Trace what a start has made that was cut, and forget the rest of it."""
    budgets.forget_unfinished(run)
    budgets.trace_the_rest(run)
    run.state = before


def _make_instance(run: Run, frame: Frame, class_: Class) -> None:
    """What the methods that nothing calls are called on."""
    frame.block = class_.block
    made: list[Object] = []

    def make() -> None:
        with run.within(depth=UNMADE_DEPTH):
            made.append(uncalled_functions.some_instance(run, frame, class_))

    _run_bounded(run, make)
    # Of an instance whose making was cut nothing is known, but its methods are run all the same.
    run.start.made = made[0] if made else uncalled_functions.open_instance(run, class_)
