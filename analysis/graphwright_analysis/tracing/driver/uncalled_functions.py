"""What `tf.function` made in a start while a function ran, and nobody in that start has called: it is traced last.

Such a function is returned, kept on an object or given to code that isn't followed, so of its arguments nothing is
known, and of what it shares with other functions only what none of them changes.
"""

from __future__ import annotations

from types import NoneType

from graphwright_analysis.tracing.functions.cache_keys import function_of
from graphwright_analysis.tracing.machine import journal, open_instances
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.starts import Surroundings
from graphwright_analysis.tracing.python import calls
from graphwright_analysis.values.domain import (
    ASSUMED,
    UNDEFINED,
    UNKNOWN,
    Bound,
    Class,
    Constant,
    Entries,
    Function,
    Items,
    Object,
    Traced,
    Value,
)


def trace(run: Run) -> None:
    """Trace what was made and hasn't been traced; what that changes is forgotten."""
    pending, run.start.handed_over = run.start.handed_over, []
    for frame, traced in pending:
        function = function_of(traced)
        if function is None or function.node in run.start.in_graph or run.frame(function.frame) is None:
            continue
        before, run.state = run.state, run.state.fork()
        try:
            with run.within(uncalled=True):
                _doubt_shared(run, traced, function)
                skip = 1 if isinstance(traced.target, Bound) else 0
                calls.call(run, frame, traced, [], arguments(run, frame, traced, function, skip), None)
        finally:
            run.state = before


def arguments(run: Run, frame: Frame, callee: Value, function: Function, skip: int) -> dict[str, Value]:
    """What is known of the arguments of a call that nobody has seen; `skip` parameters are given otherwise."""
    found = calls.unknown_arguments(run, frame, function, skip)
    if not isinstance(callee, Traced):
        return found
    given = dict(function.defaults)
    return {name: ASSUMED if value == UNKNOWN and name not in given else value for name, value in found.items()}


def doubt(run: Run, class_: Class, instance: Object) -> None:
    """Of an instance that other code may have got hold of, only what nothing else in the file touches is known."""
    open_instances.mark_open(run, instance)
    around = run.surroundings
    stored = around.ask(Surroundings.stored_attributes) | around.ask(Surroundings.overridden, class_)
    for name in sorted(stored):
        initially, known = run.state.value(instance.id, name), journal.INITIALLY + name
        if initially is not UNDEFINED and run.state.value(instance.id, known) is UNDEFINED:
            run.state.set(instance.id, known, initially)
        run.state.set(instance.id, name, UNKNOWN)
    for name, value in run.state.owned(instance.id).items():
        if isinstance(value, Constant) and isinstance(value.value, (bool, NoneType)):
            run.state.set(instance.id, name, UNKNOWN)


def _doubt_shared(run: Run, traced: Traced, function: Function) -> None:
    """Between its making and its call, whoever shares its names and objects may have changed them."""
    shared: list[Value] = [traced.target.receiver] if isinstance(traced.target, Bound) else []
    around = run.frame(function.frame)
    while around is not None and around.scope.kind != "module":
        for name in frozenset[str]().union(*(inner.mutated_nonlocals for inner in around.scope.children)):
            run.state.set(around.id, name, UNKNOWN)
        shared += [value for value in run.state.owned(around.id).values() if isinstance(value, Value)]
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
