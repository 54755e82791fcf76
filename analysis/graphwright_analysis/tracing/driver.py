"""Traces a whole module: its top level first, then every function that nothing has called.

What is called with known arguments is judged by those; the rest by its annotations alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType

import gast

from graphwright_analysis.flow import Scope
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.values.domain import (
    ASSUMED,
    UNDEFINED,
    UNKNOWN,
    Bound,
    Class,
    Constant,
    Function,
    Object,
    Partial,
    Traced,
    Value,
)

from . import calls, escapes, objects, statements
from .facts import Fact
from .run import STEPS, FlowCache, Frame, LimitReached, Run
from .state import CONTENT

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trace:
    """What one module's trace saw: the facts in order, and what names and expressions were."""

    facts: tuple[Fact, ...]
    values: Mapping[gast.AST, Value]
    complete: bool


def trace_module(module: Module, flow: FlowCache | None = None) -> Trace:
    """Run a module abstractly; never raises for any tree."""
    run = Run(flow if flow is not None else FlowCache())
    if not any(name in module.text for name in ("tensorflow", "keras")):
        return Trace((), {}, complete=True)
    run.stored_attributes = frozenset(name for block in module.blocks for name in run.stores_in(block))
    run.numpy_behavior = "enable_numpy_behavior" in module.text
    frame = _module_frame(run, module)
    complete = True
    for block in module.blocks:
        if not _bounded(run, lambda block=block: _top_level(run, frame, block)):
            complete = False
            for name in run.scopes_in(block).module.bound:
                run.state.set(frame.id, name, UNKNOWN)
    entries = [value for value in _functions(run, frame) if not _parameters(value)]
    for value in (*entries, *_functions(run, frame)):
        complete &= _bounded(run, lambda value=value: _call_uncalled(run, frame, value))
    for class_ in [value for value in _values(run, frame.id) if isinstance(value, Class)]:
        complete &= _call_methods(run, frame, class_)
    if "run_functions_eagerly(" in module.text:
        # What is traced at all is decided while the program runs.
        return Trace((), run.values, complete)
    return Trace((*run.facts, *run.makings_seen()), run.values, complete)


def _bounded(run: Run, start: Callable[[], None]) -> bool:
    """Run from one start; False where that takes too long or goes too deep."""
    before = run.state
    run.steps = STEPS
    try:
        start()
    except (LimitReached, RecursionError) as limit:
        log.info("a trace stopped early (%s); what lies behind is unknown", type(limit).__name__)
        run.reset(before)
        return False
    return True


def _top_level(run: Run, frame: Frame, block: Block) -> None:
    frame.block = block
    statements.execute(run, frame, block.statements)


def _module_frame(run: Run, module: Module) -> Frame:
    scopes = [scope for block in module.blocks for scope in run.scopes_in(block)]
    names = frozenset(name for scope in scopes for name in (scope.bound if scope.kind == "module" else scope.globals))
    node = scopes[0].node
    scope = Scope(kind="module", node=node, parent=None, bound=names)
    frame = Frame(run.fresh(), scope, module.blocks[0], None, node)
    run.frames[frame.id] = frame
    return frame


def _values(run: Run, owner: int) -> Iterator[Value]:
    return iter(
        [v for (o, name), v in run.state.cells.items() if o == owner and name != CONTENT and isinstance(v, Value)]
    )


def _functions(run: Run, frame: Frame) -> list[Value]:
    return [value for value in _values(run, frame.id) if _function_of(value) is not None]


def _function_of(value: Value) -> Function | None:
    """The project's function behind wrappers, if that is what the value is."""
    while isinstance(value, (Traced, Bound, Partial)):
        if isinstance(value, Partial):
            if not value.positional:
                return None
            value = value.positional[0]
        else:
            value = value.target
    return value if isinstance(value, Function) else None


def _parameters(value: Value) -> list[str]:
    function = _function_of(value)
    return [] if function is None else [a.id for a in function.node.args.args]


def _call_uncalled(run: Run, frame: Frame, value: Value, receiver: Value | None = None) -> None:
    function = _function_of(value)
    if function is None or function.node in run.visited:
        return
    skip = 0 if receiver is None else 1
    arguments = calls.unknown_arguments(run, frame, function, skip)
    if isinstance(value, Traced):
        given = dict(function.defaults)
        arguments = {n: ASSUMED if v == UNKNOWN and n not in given else v for n, v in arguments.items()}
    before = run.state
    run.state = before.fork()
    try:
        calls.call(run, frame, value, [] if receiver is None else [receiver], arguments, None)
    finally:
        run.state = before


def _call_methods(run: Run, frame: Frame, class_: Class) -> bool:
    methods = [value for value in _values(run, class_.id) if _function_of(value) is not None]
    todo = [value for value in methods if (found := _function_of(value)) and found.node not in run.visited]
    if not todo:
        return True
    before = run.state.fork()
    instances: list[Object] = []
    complete = _bounded(run, lambda: instances.append(_some_instance(run, frame, class_)))
    for value in todo if instances else ():
        complete &= _bounded(run, lambda value=value: _call_uncalled(run, frame, value, instances[0]))
    run.state = before
    return complete


def _some_instance(run: Run, frame: Frame, class_: Class) -> Object:
    """An instance made with arguments of which nothing is known."""
    made = run.allocate("instance", class_)
    initializer = objects.attribute(run, frame, made, "__init__", UNDEFINED)
    if isinstance(initializer, Bound) and isinstance(initializer.target, Function):
        arguments = calls.unknown_arguments(run, frame, initializer.target, 1)
        calls.call(run, frame, initializer, [], arguments, None)
    else:
        for name in class_.fields:
            run.state.set(made.id, name, UNKNOWN)
    _doubt(run, class_, made)
    return made


def _doubt(run: Run, class_: Class, made: Object) -> None:
    """Of an instance that nobody was seen to make, only what nothing else in the file touches is known."""
    escapes.mark_open(run, made)
    heirs = [v for v in list(run.state.cells.values()) if isinstance(v, Class) and class_ in objects.lineage(v)]
    overridden = {name for heir in heirs if heir != class_ for (owner, name) in run.state.cells if owner == heir.id}
    for name in run.stored_attributes | overridden:
        run.state.set(made.id, name, UNKNOWN)
    for (owner, name), value in list(run.state.cells.items()):
        if owner == made.id and isinstance(value, Constant) and isinstance(value.value, (bool, NoneType)):
            run.state.set(owner, name, UNKNOWN)
