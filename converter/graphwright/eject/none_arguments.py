"""Names that are None at first and that functions are given, which ask for it: they are given a flag, too.

Before:

    def better(best, x):
        if best is None:
            return x
        return tf.maximum(best, x)

    best = None
    for x in xs:
        best = better(best, x)

After:

    def better(best, has_best, x):
        return tf.cond(has_best, lambda: tf.maximum(best, x), lambda: x)

    best, has_best = 0.0, False
    for x in xs:
        best, has_best = better(best, has_best, x), True

What is written instead of the names themselves is decided in `flags`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
from graphwright_analysis.values.domain import Value, dtype_of

from graphwright.eject import seeds
from graphwright.eject.assuming import parameter_names
from graphwright.eject.bindings import bindings_of, is_none, returns_of, sides_of
from graphwright.eject.flags import Flagged, flag_of
from graphwright.eject.none_guards import NoneGuards
from graphwright.eject.observations import FunctionObservations, Observations
from graphwright.eject.unset_attributes import Reading, Tensors
from graphwright.errors import ConversionError
from graphwright.passes.jumps import completes
from graphwright.passes.unit import parents_in, walk


@dataclass(slots=True)
class _FlagEdits:
    """What is to be written in one function: names with what they start with, and texts by position."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    texts: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict[tuple[int, int], tuple[int, str]])


def find(observations: Observations, refusal: ConversionError, tf: str) -> list[Flagged]:
    """What has to be written in which functions; nothing if there is no such name, or a call can't be written."""
    functions = list(observations.functions.values())
    edits = {seen.function: _FlagEdits(_unset_names(observations, seen, tf)) for seen in functions}
    given: dict[tuple[Any, str], str] = {}
    known = -1
    while known < len(given):
        known = len(given)
        for seen in functions:
            names = edits[seen.function].names
            for callee, parameter, argument in _asked(observations, seen):
                if (start := names.get(getattr(argument, "id", ""))) is not None:
                    given[callee.function, parameter] = start
                    edits[callee.function].names[parameter] = start
    if any(_gives_back(observations.functions[function.__code__], name) for function, name in given):
        return []
    if not given or not all(_write(observations, edits, *each) for each in given.items()):
        return []
    requests: list[Flagged] = []
    for function, wanted in edits.items():
        if wanted.names or wanted.texts:
            request = Flagged(wanted.names, refusal, texts=wanted.texts)
            request.function = function
            requests.append(request)
    return requests


def is_asked(observations: Observations, function: Any, name: str) -> bool:
    """Whether a function passes a name to another one that asks whether it's None."""
    seen = observations.functions[function.__code__]
    return any(getattr(argument, "id", "") == name for *_, argument in _asked(observations, seen))


def _asked(
    observations: Observations, seen: FunctionObservations
) -> Iterator[tuple[FunctionObservations, str, gast.AST]]:
    """The arguments of calls whose functions ask whether they are None: the function, the parameter, the argument."""
    for call, callee, parameters in _calls_in(observations, seen):
        pairs = [*zip(parameters, call.args, strict=False), *((word.arg, word.value) for word in call.keywords)]
        for parameter, argument in pairs:
            if parameter in parameters and _asks(observations, callee, parameter):
                yield callee, parameter, argument


def _calls_in(
    observations: Observations, seen: FunctionObservations
) -> Iterator[tuple[Any, FunctionObservations, list[str]]]:
    """The calls of functions that were seen, with the parameters that get their arguments."""
    for call in walk(seen.source.node):
        found = seen.callees.get(call.func, ()) if isinstance(call, gast.Call) else ()
        if len(found) != 1 or found[0].function.__code__ not in observations.functions:
            continue
        callee = observations.functions[found[0].function.__code__]
        names = parameter_names(callee.source.node)
        yield call, callee, names[found[0].receiver is not None :]


def _asks(
    observations: Observations, seen: FunctionObservations, name: str, around: tuple[FunctionObservations, ...] = ()
) -> bool:
    """Whether a function asks if a name is None, or passes it on to one that does."""
    parts = walk(seen.source.node)
    tests = [part for part in parts if isinstance(part, gast.Compare) and is_none(part.comparators[0])]
    if any(getattr(test.left, "id", "") == name for test in tests):
        return True
    for call, callee, parameters in _calls_in(observations, seen) if seen not in around else ():
        pairs = [*zip(parameters, call.args, strict=False), *((word.arg, word.value) for word in call.keywords)]
        for parameter, argument in pairs:
            if getattr(argument, "id", "") == name and _asks(observations, callee, parameter, (*around, seen)):
                return True
    return False


def _unset_names(observations: Observations, seen: FunctionObservations, tf: str) -> dict[str, str]:
    """The names that are None in one place and a tensor in others, with zeros."""
    parts = walk(seen.source.node)
    found: dict[str, str] = {}
    for name in {part.id for part in parts if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store)}:
        sides = [side for _, value in bindings_of(parts, name) for side in sides_of(value)]
        given = [side for side in sides if not is_none(side) and getattr(side, "id", "") != name]
        if given and any(map(is_none, sides)) and not any(_may_give_none(observations, seen, each) for each in given):
            values = [value for side in given for value in _values_of(observations, seen, side)]
            start = seeds.zero_of(Tensors(tf), values) if values else None
            found |= {} if start is None else {name: start}
    return found


def _gives_back(seen: FunctionObservations, name: str) -> bool:
    """Whether a function may return a parameter that is None."""
    node = seen.source.node
    guards = NoneGuards(node, parents_in(node), frozenset(), {name: flag_of(name)})
    returned = [side for part in returns_of(node) for side in sides_of(part.value)]
    return any(getattr(side, "id", "") == name and not guards.is_guarded(name, side) for side in returned)


def _may_give_none(observations: Observations, seen: FunctionObservations, node: Any) -> bool:
    """Whether an expression calls a function that returns None in some place."""
    for callee in (each for call, each, _ in _calls_in(observations, seen) if call is node):
        sides: list[Any] = [side for part in returns_of(callee.source.node) for side in sides_of(part.value) or [None]]
        body: Any = getattr(callee.source.node, "body", None)
        ends = isinstance(callee.source.node, gast.FunctionDef) and completes(body, ())
        if ends or any(side is None or is_none(side) for side in sides):
            return True
    return False


def _values_of(observations: Observations, seen: FunctionObservations, node: Any) -> list[Value]:
    """What an expression gives; a call that may give None, what its function returns otherwise."""
    value = seeds.value_of(Reading(seen), node)
    found = seen.callees.get(node.func, ()) if isinstance(node, gast.Call) else ()
    callee = observations.functions.get(found[0].function.__code__) if len(found) == 1 else None
    if callee is None or dtype_of(value) is not None:
        return [value]
    sides = [side for part in returns_of(callee.source.node) for side in sides_of(part.value)]
    values = [seeds.value_of(Reading(callee), side) for side in sides if not is_none(side)]
    return [value for value in values if dtype_of(value) is not None]


def _write(observations: Observations, edits: dict[Any, _FlagEdits], place: tuple[Any, str], start: str) -> bool:
    """Give a parameter a flag, in its function and in all calls; False where that can't be written."""
    function, parameter = place
    flag = flag_of(parameter)
    for seen in observations.functions.values():
        wanted = edits[seen.function]
        if seen.function is function and not _declare(wanted, seen.source.node, parameter, start):
            return False
        for call, callee, parameters in _calls_in(observations, seen):
            if callee.function is function and not _pass(wanted, call, parameters, parameter, start):
                return False
    return not any(function in {each.function for each in found} for found in _passed_on(observations)) and bool(flag)


def _passed_on(observations: Observations) -> Iterator[Any]:
    """The functions that something else than a call reads."""
    for seen in observations.functions.values():
        called = {part.func for part in walk(seen.source.node) if isinstance(part, gast.Call)}
        yield from (found for node, found in seen.callees.items() if node not in called)


def _declare(wanted: _FlagEdits, function: Any, name: str, start: str) -> bool:
    """Have a function take the flag after the parameter."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    place = next((place for place, each in enumerate(positional) if each.id == name), None)
    if place is None:
        return False
    default_place = place - (len(positional) - len(arguments.defaults))
    default = arguments.defaults[default_place] if default_place >= 0 else None
    if default is not None:
        wanted.texts[default.lineno, default.col_offset] = default.end_col_offset, f"{start}, {flag_of(name)}=False"
        return is_none(default)
    last = positional[place].annotation or positional[place]
    wanted.texts[last.end_lineno, last.end_col_offset] = last.end_col_offset, f", {flag_of(name)}"
    return True


def _pass(wanted: _FlagEdits, call: Any, parameters: list[str], name: str, start: str) -> bool:
    """Have a call give the flag after the argument."""
    if any(isinstance(each, gast.Starred) for each in call.args) or any(word.arg is None for word in call.keywords):
        return False
    place = parameters.index(name)
    given = call.args[place] if place < len(call.args) else None
    word = next((word for word in call.keywords if word.arg == name), None)
    argument = given if given is not None else word and word.value
    if argument is None:
        return True
    before = f", {flag_of(name)}=" if given is None else ", "
    if is_none(argument):
        wanted.texts[argument.lineno, argument.col_offset] = argument.end_col_offset, f"{start}{before}False"
        return True
    own = getattr(argument, "id", "")
    flag = flag_of(own) if own in wanted.names else "True"
    if flag == "True" and not isinstance(argument, (gast.Name, gast.Constant, gast.Subscript, gast.BinOp, gast.Call)):
        return False
    wanted.texts[argument.end_lineno, argument.end_col_offset] = argument.end_col_offset, f"{before}{flag}"
    return True
