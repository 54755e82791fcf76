"""Traces the functions that `tf.function` created in a start and that nothing in that start called.

Such a function is returned, stored on an object or passed to code that isn't analyzed. Its arguments are unknown, and
so is everything that it shares with functions that may change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import NoneType

from graphwright_analysis.tracing.functions.decorators import function_behind
from graphwright_analysis.tracing.library import keras_arguments, keras_code
from graphwright_analysis.tracing.machine import marks, open_instances
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.imports import may_begin_a_graph
from graphwright_analysis.tracing.machine.recordings import EscapedFunction
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.surroundings import Surroundings
from graphwright_analysis.tracing.python import calls, objects
from graphwright_analysis.values.domain import (
    ASSUMED,
    NONE,
    STATIC,
    UNDEFINED,
    UNKNOWN,
    Bound,
    Class,
    Constant,
    Entries,
    Function,
    Items,
    Object,
    Scalar,
    Traced,
    Tuple,
    Value,
    python_kind,
)

_GENERATIONS = 3
"""The number of times that functions traced in this way may create further ones."""


def left(run: Run) -> Iterator[Callable[[], None]]:
    """Yield, for each function created and not traced yet, a call that traces it and undoes its changes."""
    for _ in range(_GENERATIONS):
        pending, run.start.handed_over = run.start.handed_over, []
        for each in pending:
            yield partial(_trace_left, run, each)


def _trace_left(run: Run, each: EscapedFunction) -> None:
    if isinstance(each.value, Class):
        _trace_class(run, each.frame, each.value)
        return
    function = function_behind(each.value)
    traced = isinstance(each.value, Traced)
    met = run.start.in_graph if traced or each.in_graph else run.start.visited
    if function is None or function.node in met or run.frame(function.frame) is None:
        return
    around = keras_code.graph(run) if each.in_graph else run.beside()
    with around, run.within(uncalled=True, doubted=not traced):
        _trace(run, each, function)


def _trace_class(run: Run, frame: Frame, class_: Class) -> None:
    """Trace the methods of a class that a function creates and nothing calls."""
    methods = [(v, f) for v in run.state.owned(class_.id).values() if (f := _uncalled(run, v)) is not None]
    if not methods:
        return
    with run.beside(), run.within(doubted=True, training=keras_arguments.unseen_training(class_)):
        made = some_instance(run, frame, class_)
        for value, function in methods:
            if isinstance(value, Value) and function.node not in run.start.visited:
                with run.beside():
                    calls.call_value(run, value, Call(frame, [made], arguments(run, frame, value, function, 1)))


def _uncalled(run: Run, value: object) -> Function | None:
    function = function_behind(value) if isinstance(value, Value) else None
    return None if function is None or function.node in run.start.visited else function


def some_instance(run: Run, frame: Frame, class_: Class) -> Object:
    """Return an instance created with unknown arguments."""
    made = run.allocate("instance", class_)
    initializer = objects.attribute(run, frame, made, "__init__", UNDEFINED)
    if isinstance(initializer, Bound) and isinstance(initializer.target, Function):
        given = calls.unknown_arguments(run, frame, initializer.target, 1)
        calls.call_value(run, initializer, Call(frame, [], given))
    else:
        for name in class_.fields:
            run.state.set(made.id, name, UNKNOWN)
    doubt(run, class_, made)
    return made


def open_instance(run: Run, class_: Class) -> Object:
    """Return an unknown instance."""
    made = run.allocate("instance", class_)
    open_instances.mark_open(run, made)
    return made


def _trace(run: Run, each: EscapedFunction, function: Function) -> None:
    target = each.value.target if isinstance(each.value, Traced) else each.value
    skip = 1 if isinstance(target, Bound) else 0
    _doubt_shared(run, target, function)
    calls.call_value(run, each.value, Call(each.frame, [], arguments(run, each.frame, each.value, function, skip)))


def returned(run: Run, value: Value) -> None:
    """Trace what a function without visible calls returns, because its callers may call that."""
    for each in value.items if isinstance(value, Tuple) else (value,):
        if isinstance(each, Function) and may_begin_a_graph(each.block, run.flow):
            run.hand_over(run.frame(each.frame), each)


def arguments(run: Run, frame: Frame, callee: Value, function: Function, skip: int) -> dict[str, Value]:
    """The arguments of an unseen call, as far as they are known; `skip` parameters are passed in another way."""
    found = calls.unknown_arguments(run, frame, function, skip)
    if not isinstance(callee, Traced):
        return found
    given = dict(function.defaults)
    return {name: ASSUMED if value == UNKNOWN and name not in given else value for name, value in found.items()}


def doubt(run: Run, class_: Class, instance: Object) -> None:
    """Forget the attributes of an instance that other code in the file may set, because others may have it."""
    open_instances.mark_open(run, instance)
    around = run.surroundings
    stored = around.ask(Surroundings.stored_attributes) | around.ask(Surroundings.overridden, class_)
    for name in sorted(stored):
        initially, known = run.state.value(instance.id, name), marks.INITIALLY + name
        if initially is not UNDEFINED and run.state.value(instance.id, known) is UNDEFINED:
            run.state.set(instance.id, known, initially)
        # A flag is set to another one.
        flag = python_kind(initially) in (bool, str)
        run.state.set(instance.id, name, STATIC if flag else UNKNOWN)
    for name, value in run.state.owned(instance.id, Constant).items():
        if isinstance(value, Constant) and isinstance(value.value, (bool, NoneType)):
            run.state.set(instance.id, name, UNKNOWN if value == NONE else Scalar(bool))


def _doubt_shared(run: Run, target: Value, function: Function) -> None:
    """Forget shared names and objects that may have changed between its creation and its call."""
    shared: list[Value] = [target.receiver] if isinstance(target, Bound) else []
    around = run.frame(function.frame)
    while around is not None and around.scope.kind != "module":
        for name in frozenset[str]().union(*(inner.mutated_nonlocals for inner in around.scope.children)):
            run.state.set(around.id, name, UNKNOWN)
        shared += [value for value in run.state.owned(around.id, Object).values() if isinstance(value, Value)]
        around = around.parent
    for value in shared:
        if not isinstance(value, Object):
            continue
        if run.state.items(value.id) is not None:
            run.state.set_content(value.id, Items(None))
        elif run.state.entries(value.id) is not None:
            run.state.set_content(value.id, Entries(closed=False))
        elif isinstance(value.type, Class):
            doubt(run, value.type, value)
