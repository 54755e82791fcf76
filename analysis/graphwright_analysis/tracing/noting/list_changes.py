"""Lists that change their length in control flow that becomes part of the graph.

What is stored in attributes, globals and outer collections while tracing is in `machine.journal`.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.flow.tree import walk
from graphwright_analysis.syntax.names import Symbol, symbol_of
from graphwright_analysis.tracing.facts import ListChanged
from graphwright_analysis.tracing.facts.collections import LengthChange
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine import journal, marks
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import CONTENT, State
from graphwright_analysis.tracing.reading import held_values, nested_values
from graphwright_analysis.values import graph_elements
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import LISTS, UNDEFINED, UNKNOWN, Items, Object, Tensor, Value
from graphwright_analysis.values.graph_elements import Mixture

LIMIT = "maxlen"
"""The cell of a deque that says how many elements it keeps."""


def list_changed(
    run: Run, frame: Frame, node: gast.AST, target: Value, how: LengthChange, element: Value = UNKNOWN
) -> None:
    """Note the fact, if the list was made outside a staged construct that is being traced."""
    if not isinstance(target, Object) or target.kind not in LISTS:
        return
    journal.stored(run, frame, (target.id, CONTENT, journal.WHOLE), node, element, how)
    outer = next(
        (c for i, c in enumerate(run.context.constructs) if i >= len(target.born) or target.born[i] != c.id), None
    )
    if outer is None:
        return
    held = symbol_of(_changed_expression(node))
    if held is not None and not isinstance(element, Tensor) and _is_filled_once(frame, node, held):
        return
    symbol = str(held) if held is not None else _name_of(run, frame, target)
    created = run.state.place((target.id, marks.CREATED))
    compiled, mixture = run.context.compiled, _mixture(run, target, element) if run.context.by_graphwright else None
    fact = ListChanged(place_of(frame, node), how, symbol, created, outer.place, outer.kind, element, compiled, mixture)
    run.seen.list_changes[run.note(fact)] = target.id


def _mixture(run: Run, target: Object, element: Value) -> Mixture | None:
    """What a list holds with an element that is added to it, if a list of the graph can't hold that."""
    held = held_values.elements_of(run, target) or ()
    added = () if element == UNKNOWN else (element,)
    return graph_elements.mixture([nested_values.opened(run.state, each) for each in (*held, *added)])


def forgive_undone(run: Run, place: Place, before: State, ends: Sequence[State]) -> None:
    """A list that every way through a construct leaves as long as it was may change in between.

    After a branch, Graphwright compares only how long both sides leave it.
    """
    inside = [(fact, owner) for fact, owner in run.seen.list_changes.items() if fact.construct == place]
    # One that each turn begins by clearing holds what a turn puts there.
    cleared = {owner for fact, owner in inside if fact.how == "clear"}
    # One that is taken from before anything is put into it is a queue: every turn was to find another one.
    first = {owner: fact.how for fact, owner in reversed(inside)}
    turned = {owner for owner, how in first.items() if how in ("pop", "popleft", "remove", "del")}
    for fact, owner in inside:
        by_autograph = fact.converter is Converter.AUTOGRAPH
        sides_only = not by_autograph and fact.construct_kind is not ConstructKind.LOOP
        contents = [state.items(owner) for state in (ends if sides_only else (before, *ends))]
        lengths = {None if c is None or c.known is None else len(c.known) for c in contents}
        is_queue = by_autograph and (owner in turned or before.value(owner, LIMIT) is not UNDEFINED)
        kept = len(lengths) == 1 and None not in lengths and not (is_queue and _moved(contents))
        unsure = not by_autograph and None in lengths
        only_end = sides_only and len(ends) < 2
        if kept or unsure or only_end or (owner in cleared and not sides_only):
            run.seen.facts.pop(fact, None)


def _moved(contents: Sequence[Items | None]) -> bool:
    """Whether a list holds other things at the end than at the beginning."""
    held = [c.known for c in contents if c is not None and c.known is not None]
    return any(x is not y for known in held[1:] for x, y in zip(held[0], known, strict=True))


def _changed_expression(node: gast.AST) -> gast.AST | None:
    """The expression whose list a call of a method or a `+=` changes."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return node.func.value
    return node.target if isinstance(node, gast.AugAssign) else None


def _is_filled_once(frame: Frame, node: gast.AST, held: Symbol) -> bool:
    """Whether a list is put together where it is found to be empty, once and for all turns."""
    tests = (each for each in walk(frame.node) if isinstance(each, gast.If) and _asks_for_empty(each.test, held))
    return any(node is inside for each in tests for statement in each.body for inside in walk(statement))


def _asks_for_empty(test: gast.AST, held: Symbol) -> bool:
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], gast.Eq):
        nothing = test.comparators[0]
        empty = isinstance(nothing, gast.List) and not nothing.elts
        return (empty or _is_zero(nothing)) and symbol_of(_counted(test.left)) == held
    if not isinstance(test, gast.UnaryOp) or not isinstance(test.op, gast.Not):
        return False
    return symbol_of(_counted(test.operand)) == held


def _is_zero(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and node.value == 0


def _counted(node: gast.AST) -> gast.AST:
    """The list in `len(list)`, or the expression itself."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "len" and node.args:
        return node.args[0]
    return node


def _name_of(run: Run, frame: Frame | None, target: Value) -> str | None:
    """A name that stands for the value here, from the inner scopes outwards."""
    while frame is not None:
        for name, value in run.state.owned(frame.id, type(target)).items():
            if value == target:
                return name
        frame = frame.parent
    return None
