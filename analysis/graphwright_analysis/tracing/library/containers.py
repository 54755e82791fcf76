"""The containers of the `collections` module: dicts that fill themselves, counters, deques that drop what is old.

What their methods do is in `builtin_calls`, as for lists and dicts.
"""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.machine import allocation, marks
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import common
from graphwright_analysis.tracing.noting.list_changes import LIMIT
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import UNKNOWN, Api, Constant, Entries, Function, Items, Object, Value

Named = dict[str, Value]


def default_dict(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`collections.defaultdict(...)`: what it makes of an absent key is known where nothing was put into it yet."""
    factory = positional[0] if positional else named.pop("default_factory", UNKNOWN)
    if len(positional) > 1 or named:
        return UNKNOWN
    # A number that is there by default is there before a loop of the graph too.
    made = allocation.new_dict(
        run, Entries(closed=factory in (Api("list"), Api("dict")) or isinstance(factory, Function))
    )
    run.state.set(made.id, marks.DEFAULT_FACTORY, factory)
    return made


def counter(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    made = allocation.new_dict(run, Entries(closed=False))
    run.state.set(made.id, marks.DEFAULT_FACTORY, Api("int"))
    return made


def deque(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    limit = named.pop("maxlen", positional[1] if len(positional) > 1 else Constant(None))
    if named or not isinstance(limit, Constant):
        return UNKNOWN
    elements = held_values.elements_of(run, positional[0]) if positional else ()
    made = allocation.new_list(run, frame, elements, node or frame.node, kind="deque")
    if isinstance(limit.value, int):
        run.state.set(made.id, LIMIT, limit)
        trim(run, made)
    return made


def trim(run: Run, target: Object) -> None:
    """Drop what is too much in a deque."""
    limit, items = run.state.value(target.id, LIMIT), run.state.items(target.id)
    known = None if items is None else items.known
    if isinstance(limit, Constant) and known is not None and len(known) > limit.value:
        run.state.set_content(target.id, Items(known[len(known) - limit.value :]))


def extend_list(run: Run, target: Object, more: Value) -> None:
    """`target.extend(more)`."""
    items, elements = run.state.items(target.id), held_values.elements_of(run, more)
    if items is None:
        return
    if items.known is not None and elements is not None and len(items.known) + len(elements) <= 256:
        run.state.set_content(target.id, Items((*items.known, *elements)))
        return
    element = common(items, Items(None, held_values.element_of(run, more)))
    run.state.set_content(target.id, Items(None, element))
