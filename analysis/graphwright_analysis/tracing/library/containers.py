"""The containers of the `collections` module: dicts that fill themselves, counters, deques that drop what is old.

What their methods do is in `builtin_calls`, as for lists and dicts.
"""

from __future__ import annotations

from graphwright_analysis.tracing.machine import allocation, marks
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import common
from graphwright_analysis.tracing.noting.list_changes import LIMIT
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import UNKNOWN, Api, Constant, Entries, Function, Items, Object, Value


def default_dict(run: Run, call: Call) -> Value:
    """`collections.defaultdict(...)`: what it makes of an absent key is known where nothing was put into it yet."""
    factory = call.argument(0, "default_factory")
    if len(call.values) > 1 or call.named.keys() - {"default_factory"}:
        return UNKNOWN
    # A number that is there by default is there before a loop of the graph too.
    made = allocation.new_dict(
        run, Entries(closed=factory in (Api("list"), Api("dict")) or isinstance(factory, Function))
    )
    run.state.set(made.id, marks.DEFAULT_FACTORY, factory)
    return made


def counter(run: Run, call: Call) -> Value:
    made = allocation.new_dict(run, Entries(closed=False))
    run.state.set(made.id, marks.DEFAULT_FACTORY, Api("int"))
    return made


def deque(run: Run, call: Call) -> Value:
    limit = call.argument(1, "maxlen", Constant(None))
    if call.named.keys() - {"maxlen"} or not isinstance(limit, Constant):
        return UNKNOWN
    elements = held_values.elements_of(run, call.positional[0]) if call.positional else ()
    made = allocation.new_list(run, call.frame, elements, call.anchor, kind="deque")
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
