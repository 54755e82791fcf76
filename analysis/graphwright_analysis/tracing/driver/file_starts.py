"""The starts of a file, one after the other: its statements at the top level, then what nothing has called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import gast

from graphwright_analysis.flow.tree import parameters_of
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.functions.decorators import AS_WRITTEN, WRAPPERS_OF_METHODS, function_behind
from graphwright_analysis.tracing.library import keras_arguments, keras_code
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.imports import may_begin_a_graph
from graphwright_analysis.tracing.machine.run import (
    FILE_STEPS,
    GRAPH_STEPS,
    UNCALLED_DEPTH,
    UNMADE_DEPTH,
    Run,
)
from graphwright_analysis.tracing.machine.starts import ChangeSet, Key, StartRecording
from graphwright_analysis.tracing.machine.state import CONTENT, Cell, Content, State
from graphwright_analysis.tracing.python import calls, objects, statements
from graphwright_analysis.values.domain import UNKNOWN, Api, Bound, Class, Function, Object, Partial, Traced, Value
from graphwright_analysis.values.sameness import kept

from . import budgets, uncalled_functions
from .relocating import blocks_in


@dataclass(slots=True)
class FileStarts:
    """What is needed to go through them, and what they have run."""

    run: Run
    frame: Frame
    shown: bool
    since: ChangeSet
    visited: set[gast.AST] = field(default_factory=set[gast.AST])
    in_graph: set[gast.AST] = field(default_factory=set[gast.AST])

    def of_file(self, module: Module) -> Iterator[tuple[Key, StartRecording]]:
        for block in module.blocks:
            yield (block.head, None), self._met(run_block(self.run, self.frame, block, self.since))
        for each in sorted(
            _functions(self.run, self.frame.id), key=lambda each: bool(parameters_of(each.function.node))
        ):
            if each.function.node not in self.visited:
                yield self._call(each, conversion.name_of(each.function))
        for class_ in [value for value in _held(self.run, self.frame.id).values() if isinstance(value, Class)]:
            yield from self._of_class(class_)

    def _of_class(self, class_: Class) -> Iterator[tuple[Key, StartRecording]]:
        """Call the methods that nothing has called, and then show those that nothing has called in a graph."""
        own = _functions(self.run, class_.id)
        uncalled = [each for each in own if each.function.node not in self.visited]
        shown = self.shown and any(each.function.node not in self.in_graph for each in own)
        if not uncalled and not shown:
            return
        with self.run.surroundings.supposing(), self.since.undoing():
            name, body = class_.node.name, partial(_make_instance, self.run, self.frame, class_)
            key = class_.block, class_.node
            seen = self._met(_start(self.run, self.since, key, name, class_, body, silent=not uncalled))
            yield key, seen
            for each in uncalled if seen.made is not None else ():
                if each.function.node not in self.visited:
                    yield self._call(each, f"{name}.{conversion.name_of(each.function)}", seen.made, key)
            if shown and seen.made is not None:
                body, key = partial(_call_steps, self.run, self.frame, class_, seen.made), (*key, "steps")
                name = f"{name}, in a graph"
                yield key, _start(self.run, self.since, key, name, (class_, seen.made), body, silent=True)

    def _call(
        self, held: _HeldFunction, name: str, receiver: Value | None = None, together: Key | None = None
    ) -> tuple[Key, StartRecording]:
        function, value = held
        key: Key = function.block, function.node
        if held.is_wrapped:
            key = *key, "decorated"
        subject = value if receiver is None else (value, receiver)
        body = partial(_call_uncalled, self.run, self.frame, held, receiver)
        seen = self._met(_start(self.run, self.since, key, name, subject, body, together))
        behind = function_behind(value)
        seen.called = None if behind is None else behind.node
        return key, seen

    def _met(self, seen: StartRecording) -> StartRecording:
        self.visited |= seen.visited
        self.in_graph |= seen.in_graph
        return seen


def run_block(run: Run, frame: Frame, block: Block, since: ChangeSet) -> StartRecording:
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
    together: Key | None = None,
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
        seen.places = run.state.written
        seen.end()
        since.ran(last, seen)
    run.frames.update(seen.frames)
    run.makers |= {seen.serial, *seen.makers}
    seen.settle(memory.surroundings)
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


def _held(run: Run, owner: int) -> Mapping[str, Value]:
    """What an owner's cells hold where the next start begins."""
    owned = run.ground.cells.get(owner, {})
    return {name: value for name, value in owned.items() if name != CONTENT and isinstance(value, Value)}


class _HeldFunction(NamedTuple):
    """A function as it is written, and what its decorators made of it: this is called."""

    function: Function
    value: Value

    @property
    def is_wrapped(self) -> bool:
        """True if another function is called, which may call this one."""
        behind = function_behind(self.value)
        return behind is None or behind.node is not self.function.node


def _functions(run: Run, owner: int) -> list[_HeldFunction]:
    """What an owner holds that can be called; a decorated function comes before the same without its decorators."""
    held = _held(run, owner)
    found = list[_HeldFunction]()
    for name, value in sorted(held.items(), key=lambda each: each[0].endswith(AS_WRITTEN)):
        behind, written = function_behind(value), held.get(name + AS_WRITTEN)
        if behind is None and not isinstance(value, Object):
            continue
        function = behind if written is None else function_behind(written)
        if function is not None:
            found.append(_HeldFunction(function, value))
    return found


def _call_uncalled(run: Run, frame: Frame, held: _HeldFunction, instance: Value | None = None) -> None:
    value, given = _with_receiver(run, frame, held.value, instance)
    function = function_behind(value)
    if function is None or function.node in run.start.visited:
        return
    frame.block = function.block
    traced = isinstance(value, Traced)
    begins = any(may_begin_a_graph(each.block, run.flow) for each in (function, held.function))
    aside = not traced and bool(parameters_of(held.function.node)) and not begins
    depth = UNCALLED_DEPTH + held.is_wrapped if aside else None
    keras = not traced and keras_code.is_called_by_fit(run, function)
    if keras:
        value = conversion.called_by_keras(run, function)
    # Keras calls such a method in a graph wherever a model is fitted, which isn't seen here.
    around = keras_code.graph(run) if keras else nullcontext()
    training = keras_arguments.unseen_training(function.owner)
    with run.beside(), around, run.within(uncalled=traced, depth=depth, doubted=keras, training=training):
        _run_bounded(run, lambda: _call_with_unknown(run, frame, value, function, given))


def _with_receiver(run: Run, frame: Frame, value: Value, instance: Value | None) -> tuple[Value, list[Value]]:
    """What is called where a function or method is called, or a property read, and what it is given first."""
    if isinstance(value, Object):
        value = objects.attribute(run, frame, value, "__call__", UNKNOWN)
    if isinstance(value, Bound):
        return value.target, [value.receiver]
    if instance is None:
        return value, []
    kind = value.target.name if isinstance(value, Partial) and isinstance(value.target, Api) else ""
    if not isinstance(value, Partial) or kind not in WRAPPERS_OF_METHODS or not value.positional:
        return value, [instance]
    class_ = instance.type if isinstance(instance, Object) else None
    given = {"staticmethod": [], "classmethod": [class_ or UNKNOWN]}.get(kind, [instance])
    return value.positional[0], given


def _call_steps(run: Run, frame: Frame, class_: Class, receiver: Value) -> None:
    """Call what Keras calls in a graph of a class, and has from another one."""
    for step in keras_code.steps(run, class_):
        _call_uncalled(run, frame, _HeldFunction(step, step), receiver)


def _call_with_unknown(run: Run, frame: Frame, value: Value, function: Function, given: list[Value]) -> None:
    arguments = uncalled_functions.arguments(run, frame, value, function, len(given))
    result = calls.call_value(run, value, Call(frame, given, arguments))
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
