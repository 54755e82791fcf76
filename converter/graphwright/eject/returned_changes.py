"""Functions that make a list or dict longer that they are given, or set items under keys of the graph: they return it.

Before:

    def log(history, loss):
        if loss > 1:
            history.append(loss)

    log(history, loss)

After:

    def log(history, loss):
        if loss > 1:
            history.append(loss)
        return history

    history = log(history, loss)

Whether nobody sees the difference is decided in `given_back`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast
from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS

from graphwright.eject.assuming import parameter_names
from graphwright.eject.bindings import is_none, returns_of
from graphwright.eject.changes import (
    CHANGED_IN_PLACE,
    CHANGING,
    ArgumentChange,
    arguments_of,
    calls_of,
    changes_of,
    given_to,
)
from graphwright.eject.flags import Flagged
from graphwright.eject.given_back import is_sole_name, parts_of
from graphwright.eject.observations import CalledFunction, FunctionObservations, Observations
from graphwright.eject.shared_values import HELD_ELSEWHERE, has_item
from graphwright.eject.source_edits import free_name
from graphwright.errors import ConversionError
from graphwright.passes.jumps import completes
from graphwright.passes.unit import ancestors, parents_in, walk


@dataclass(slots=True)
class _Texts:
    """What is to be written in one function: edits by position, and lines after a line."""

    edits: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict[Any, Any])
    following: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    def follow(self, line: int, indent: int, text: str) -> None:
        self.following.setdefault(line, []).append(" " * indent + text)


def find(observations: Observations, refusal: ConversionError) -> list[Flagged]:
    """What has to be written in which functions; nothing if the refusal is of something else."""
    if not any(said in refusal.reason for said in (CHANGED_IN_PLACE, HELD_ELSEWHERE)):
        return []
    texts = {seen.function: _Texts() for seen in observations.functions.values()}
    for seen in observations.functions.values():
        calls = list(calls_of(observations, seen))
        names = _changed_parameters(observations, seen)
        if not names or not calls or not all(_is_suited(seen, names, *each) for each in calls):
            continue
        _return(texts[seen.function], seen.source.node, names)
        for caller, call, callee in calls:
            given = arguments_of(seen, call, callee)
            _assign(texts[caller.function], caller, call, [given[names[name]].id for name in names], _kind(seen))
    requests: list[Flagged] = []
    for function, wanted in texts.items():
        if wanted.edits or wanted.following:
            requests.append(Flagged({}, refusal, texts=wanted.edits, following=wanted.following))
            requests[-1].function = function
    return requests


def _changed_parameters(observations: Observations, seen: FunctionObservations) -> dict[str, int]:
    """The parameters that a function changes in place and doesn't return, with their numbers."""
    names = parameter_names(seen.source.node)
    changes = changes_of(observations, CalledFunction(seen.function)) or set()
    changed = {
        change.parameter
        for change in changes
        if change.parameter is not None and not _can_stay(observations, seen, names[change.parameter], change)
    }
    returned = {getattr(part, "id", "") for each in returns_of(seen.source.node) for part in parts_of(each.value)}
    stored = {part.id for part in walk(seen.source.node) if isinstance(part, gast.Name) and _is_stored(part)}
    return {names[number]: number for number in sorted(changed) if names[number] not in returned | stored}


def _can_stay(observations: Observations, seen: FunctionObservations, name: str, change: ArgumentChange) -> bool:
    """Whether a change is of an attribute, or of an item that is there whenever the function is called."""
    if not change.path or not change.path[0].startswith("["):
        return bool(change.path)
    return change.how == "item" and all(
        has_item(held, change.path) for held in given_to(observations, seen.function, name)
    )


def _is_stored(name: gast.Name) -> bool:
    return isinstance(name.ctx, gast.Store)


def _kind(seen: FunctionObservations) -> int:
    """How many values a function returns: 0 for none, -1 for one, whatever that is; -2 where it isn't always alike."""
    node: Any = seen.source.node
    values = [part.value for part in returns_of(node)]
    if all(value is None or is_none(value) for value in values):
        return 0
    if completes(node.body, ()) or any(value is None or is_none(value) for value in values):
        return -2
    counts = {len(value.elts) if isinstance(value, gast.Tuple) else -1 for value in values}
    return counts.pop() if len(counts) == 1 else -2


def _is_suited(seen: FunctionObservations, names: dict[str, int], caller: Any, call: Any, callee: Any) -> bool:
    """Whether a call can assign what it changes to the names that it was given."""
    given = [arguments_of(seen, call, callee).get(number) for number in names.values()]
    held = {each.id for each in given if isinstance(each, gast.Name)}
    parents, kind = parents_in(caller.source.node), _kind(seen)
    around = list(ancestors(call, parents))
    inside = any(isinstance(each, (*FUNCTIONS, *COMPREHENSIONS)) for each in around[:-1])
    if len(held) != len(names) or kind == -2 or inside or len(caller.callees.get(call.func, ())) != 1:
        return False
    if not all(is_sole_name(caller, name) for name in held):
        return False
    parent = around[0]
    if isinstance(parent, gast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], gast.Tuple):
        return kind == len(parent.targets[0].elts)
    if isinstance(parent, gast.Expr):
        return True
    return kind == -1 and _may_be_first(call, around, held, caller.source.text)


def _may_be_first(call: Any, around: list[Any], held: set[str], text: str) -> bool:
    """Whether a call may stand in front of the statement that it is in, and `result` where it was."""
    place = next(number for number, each in enumerate(around) if isinstance(each, gast.stmt))
    statement, inside = around[place], {*walk(call)}
    if any(isinstance(each, (gast.BoolOp, gast.IfExp)) for each in around[:place]) or call.lineno != call.end_lineno:
        return False
    if isinstance(statement, gast.If):
        starts = text.splitlines()[statement.lineno - 1].lstrip().startswith("if ")
        rest = [part for part in walk(statement.test) if part not in inside] if starts else [call]
    else:
        simple = isinstance(statement, (gast.Assign, gast.AugAssign, gast.Return))
        rest = [part for part in walk(statement) if part not in inside] if simple else [call]
    return not any(isinstance(part, (gast.Call, gast.NamedExpr)) or getattr(part, "id", "") in held for part in rest)


def _return(texts: _Texts, function: Any, names: dict[str, int]) -> None:
    """Have a function return what it changes, too."""
    text = ", ".join(names)
    for part in returns_of(function):
        place = part.lineno, part.col_offset
        if part.value is None or is_none(part.value):
            texts.edits[place] = part.end_col_offset, f"return {text}"
        elif any(isinstance(each, gast.Attribute) and each.attr in CHANGING for each in walk(part.value)):
            # What takes an element off a list is a statement of its own.
            result = free_name("result", {each.id for each in walk(function) if isinstance(each, gast.Name)})
            several = [result] if not isinstance(part.value, gast.Tuple) else [f"*{result}"]
            texts.edits[place] = part.value.col_offset, f"{result} = "
            texts.follow(part.end_lineno, part.col_offset, f"return {', '.join([*several, text])}")
        else:
            end = part.value.end_col_offset
            texts.edits[part.value.end_lineno, end] = end, f", {text}"
    if completes(function.body, ()):
        texts.follow(function.body[-1].end_lineno, function.body[-1].col_offset, f"return {text}")


def _assign(texts: _Texts, caller: FunctionObservations, call: Any, names: list[str], kind: int) -> None:
    """Have a call assign what it changes."""
    parents, text = parents_in(caller.source.node), ", ".join(names)
    parent = parents[call]
    if isinstance(parent, gast.Expr):
        skipped = "_, " * (1 if kind == -1 else kind)
        texts.edits[parent.lineno, parent.col_offset] = call.col_offset, f"{skipped}{text} = "
    elif isinstance(parent, gast.Assign):
        target = parent.targets[0]
        texts.edits[target.end_lineno, target.end_col_offset] = target.end_col_offset, f", {text}"
    else:
        statement: Any = next(each for each in ancestors(call, parents) if isinstance(each, gast.stmt))
        taken = {part.id for part in walk(caller.source.node) if isinstance(part, gast.Name)}
        result = free_name("result", taken)
        line = caller.source.text.splitlines()[int(call.lineno) - 1]
        written = line[call.col_offset : call.end_col_offset]
        texts.follow(statement.lineno - 1, statement.col_offset, f"{result}, {text} = {written}")
        texts.edits[call.lineno, call.col_offset] = call.end_col_offset, result
