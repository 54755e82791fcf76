"""Displays and comprehensions: what makes lists, tuples and dicts.

Methods of collections are in `library.builtin_calls`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import gast

from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import common
from graphwright_analysis.tracing.noting import python_use, unrolled_loops
from graphwright_analysis.tracing.reading import conditions, held_values
from graphwright_analysis.values.domain import UNKNOWN, ApiInstance, Constant, Entries, Items, Object, Tuple, Value
from graphwright_analysis.values.domain import Sequence as Elements

from . import expressions, rehearsals, statements


def list_(run: Run, frame: Frame, node: gast.List | gast.Set) -> Value:
    values = _displayed(run, frame, node.elts)
    if isinstance(node, gast.Set):
        for element, value in zip(node.elts, values or (), strict=False):
            python_use.key(run, frame, element, value, "set")
    return allocation.new_list(run, frame, values, node) if isinstance(node, gast.List) else ApiInstance("set")


def tuple_(run: Run, frame: Frame, node: gast.Tuple) -> Value:
    values = _displayed(run, frame, node.elts)
    return UNKNOWN if values is None else Tuple(values)


def _displayed(run: Run, frame: Frame, nodes: Sequence[gast.AST]) -> tuple[Value, ...] | None:
    values: list[Value] = []
    known = True
    for node in nodes:
        if isinstance(node, gast.Starred):
            starred = expressions.evaluate(run, frame, node.value)
            python_use.iteration(run, frame, node, starred, "star", node.value)
            elements = held_values.elements_of(run, starred)
            known = known and elements is not None
            values += elements or ()
        else:
            values.append(expressions.evaluate(run, frame, node))
    return tuple(values) if known else None


def dict_(run: Run, frame: Frame, node: gast.Dict) -> Value:
    entries = Entries()
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = expressions.evaluate(run, frame, value_node)
        if key_node is None:
            inner = run.state.entries(value.id) if isinstance(value, Object) else None
            for key, content in inner.known if inner is not None else ():
                entries = entries.with_entry(key, content)
            if inner is None or not inner.closed:
                entries = Entries(entries.known, closed=False)
            continue
        key = expressions.evaluate(run, frame, key_node)
        python_use.key(run, frame, key_node, key, "dict", looks_up=False)
        if isinstance(key, Constant):
            entries = entries.with_entry(key.value, value)
        else:
            entries = Entries(entries.known, closed=False)
    return allocation.new_dict(run, entries)


def comprehension(run: Run, frame: Frame, node: gast.ListComp | gast.GeneratorExp | gast.SetComp) -> Value:
    found, exact = _comprehended(run, frame, node, node.elt)
    if isinstance(node, gast.ListComp):
        return allocation.new_list(run, frame, tuple(found) if exact else None, node, common(Items(tuple(found))))
    known = tuple(found) if exact and isinstance(node, gast.GeneratorExp) else None
    length = None if known is None else len(known)
    return Elements(common(Items(tuple(found))), length, known)


def dict_comprehension(run: Run, frame: Frame, node: gast.DictComp) -> Value:
    found, exact = _comprehended(run, frame, node, gast.Tuple([node.key, node.value], gast.Load()))
    entries = Entries(closed=exact)
    for pair in found:
        if isinstance(pair, Tuple):
            python_use.key(run, frame, node.key, pair.items[0], "dict", looks_up=False)
        key = pair.items[0] if isinstance(pair, Tuple) else UNKNOWN
        if isinstance(pair, Tuple) and isinstance(key, Constant):
            entries = entries.with_entry(key.value, pair.items[1])
        else:
            return allocation.new_dict(run, Entries(closed=False))
    return allocation.new_dict(run, entries)


def _comprehended(run: Run, frame: Frame, node: Any, element: gast.AST) -> tuple[list[Value], bool]:
    """The elements that a comprehension gives, and whether these are surely all of them."""
    start = rehearsals.mark(run)
    found, sources, exact = _run_through(run, frame, node, element)
    unrolled_loops.note_comprehension(run, frame, node, sources[0], found)
    if not exact:
        known = unrolled_loops.turns_of(run, sources[0]) is not None
        rehearsals.rehearse(run, start, lambda: _run_through(run, frame, node, element)[2], known)
    return found, exact


def _run_through(run: Run, frame: Frame, node: Any, element: gast.AST) -> tuple[list[Value], list[Value], bool]:
    """What a comprehension gives and what its clauses go over, and whether it was run for each element."""
    inner = allocation.new_frame(run, node, frame)
    found: list[Value] = []
    sources: list[Value] = []
    with run.looping(place_of(frame, node)):
        exact = _generate(run, inner, node, element, 0, sources, found)
    run.leave(inner)
    return found, sources, exact


def _generate(
    run: Run, inner: Frame, node: Any, element: gast.AST, position: int, sources: list[Value], found: list[Value]
) -> bool:
    """Run the clauses from one on; what they go over and give is added to `sources` and `found`."""
    if position == len(node.generators):
        found.append(expressions.evaluate(run, inner, element))
        return True
    generator = node.generators[position]
    outer = inner.parent if position == 0 else inner
    assert outer is not None
    iterated = expressions.evaluate(run, outer, generator.iter)
    python_use.iteration(run, inner, generator.iter, iterated, "comprehension", generator.iter)
    elements = held_values.elements_of(run, iterated)
    length = unrolled_loops.turns_of(run, iterated)
    if run.context.rehearsing and elements is None and length is not None:
        elements = tuple(rehearsals.elements(run, iterated, length))
    most = _MANY if run.context.is_eager and _is_arithmetic(element) else _FEW
    exact = elements is not None and (len(elements) <= most or run.context.rehearsing)
    sources.append(iterated)
    for value in elements if elements is not None and exact else (held_values.element_of(run, iterated),):
        statements.bind(run, inner, generator.target, value)
        tests = [_filtered(run, inner, test) for test in generator.ifs]
        if False in tests:
            continue
        sure = exact and None not in tests
        with contextlib.nullcontext() if sure else run.doubting():
            exact = _generate(run, inner, node, element, position + 1, sources, found) and sure
    return exact


_FEW = 16
"""How many elements a comprehension makes one by one."""
_MANY = 256
"""The same where each is only computed."""


def _is_arithmetic(element: gast.AST) -> bool:
    """Whether it calls nothing and looks nothing up."""
    plain = (gast.BinOp, gast.UnaryOp, gast.Name, gast.Constant, gast.operator, gast.unaryop, gast.Load, gast.Tuple)
    return all(isinstance(each, plain) for each in gast.walk(element))


def _filtered(run: Run, inner: Frame, test: gast.AST) -> bool | None:
    value = expressions.evaluate(run, inner, test)
    python_use.truth(run, inner, test, value, "comprehension filter")
    return conditions.truth(value)
