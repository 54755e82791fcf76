"""The containers of the `collections` module: dicts that fill themselves, counters, deques that drop what is old.

What their methods do is in `builtin_calls`, as for lists and dicts.
"""

from __future__ import annotations

import gast

from graphwright_analysis.values.domain import UNKNOWN, Api, Constant, Entries, Function, Items, Object, Value

from . import absent_keys, displays, expressions
from .changes import LIMIT
from .run import Frame, Run

Named = dict[str, Value]


def default_dict(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`collections.defaultdict(...)`: what it makes of an absent key is known where nothing was put into it yet."""
    factory = positional[0] if positional else named.pop("default_factory", UNKNOWN)
    if len(positional) > 1 or named:
        return UNKNOWN
    # A number that is there by default is there before a loop of the graph too.
    made = displays.new_dict(
        run, Entries(closed=factory in (Api("list"), Api("dict")) or isinstance(factory, Function))
    )
    run.state.set(made.id, absent_keys.FACTORY, factory)
    return made


def counter(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    made = displays.new_dict(run, Entries(closed=False))
    run.state.set(made.id, absent_keys.FACTORY, Api("int"))
    return made


def deque(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    limit = named.pop("maxlen", positional[1] if len(positional) > 1 else Constant(None))
    if named or not isinstance(limit, Constant):
        return UNKNOWN
    elements = expressions.elements_of(run, positional[0]) if positional else ()
    made = displays.new_list(run, frame, elements, node or frame.node, kind="deque")
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
