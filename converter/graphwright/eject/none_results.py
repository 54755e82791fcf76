"""Functions that return None where the graph decides so: they return a flag with what they return.

Before:

    def root_of(a, b):
        if f(a) * f(b) > 0:
            return None
        return (a + b) / 2

    root = root_of(a, b)
    if root is not None:
        roots.append(root)

After:

    def root_of(a, b):
        if f(a) * f(b) > 0:
            return 0.0, False
        return (a + b) / 2, True

    root, has_root = root_of(a, b)
    if has_root:
        roots.append(root)

What is written instead of a name that may be None is decided in `flags`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from graphwright.eject import seeds
from graphwright.eject.bindings import is_none, returns_of
from graphwright.eject.flags import Flagged
from graphwright.eject.observations import FunctionObservations, Observations
from graphwright.eject.unset_attributes import Reading, Tensors
from graphwright.errors import ConversionError
from graphwright.passes.jumps import completes
from graphwright.passes.unit import walk


@dataclass(slots=True)
class _Edits:
    """What is to be written in one function: for names that are given such a result, and where it is returned."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    calls: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    definitions: dict[int, str] = field(default_factory=dict[int, str])


def find(observations: Observations, refusal: ConversionError, tf: str) -> list[Flagged]:
    """What has to be written in which functions; nothing if there is no such function, or it is called otherwise."""
    functions = list(observations.functions.values())
    edits = {seen.function: _Edits() for seen in functions}
    found = [each for seen in functions for each in _returning_none(seen, tf)]
    for owner, node, start in found:
        calls = [(seen, call) for seen in functions for call in _calls_of(seen, owner, node)]
        targets = [(seen, call, _target_of(seen, call)) for seen, call in calls]
        if not targets or not all(target for *_, target in targets):
            continue
        edits[owner.function].definitions[node.lineno] = start
        for seen, call, target in targets:
            edits[seen.function].names[str(target)] = start
            edits[seen.function].calls.add((call.lineno, call.col_offset))
    requests: list[Flagged] = []
    for function, wanted in edits.items():
        if wanted.names or wanted.definitions:
            request = Flagged(wanted.names, refusal, results=(frozenset(wanted.calls), wanted.definitions))
            request.function = function
            requests.append(request)
    return requests


def _returning_none(seen: FunctionObservations, tf: str) -> Iterator[tuple[FunctionObservations, Any, str]]:
    """The functions in a text that return None in one place and something else in another, with zeros."""
    for node in walk(seen.source.node):
        if not isinstance(node, gast.FunctionDef):
            continue
        values = [part.value for part in returns_of(node)]
        given = [value for value in values if value is not None and not is_none(value)]
        if not given or (len(given) == len(values) and not completes(node.body, ())):
            continue
        start = seeds.zero_of(Tensors(tf), [seeds.value_of(Reading(seen), value) for value in given])
        if start is not None:
            yield seen, node, start


def _calls_of(seen: FunctionObservations, owner: FunctionObservations, function: Any) -> Iterator[Any]:
    """The calls of a function in a text; `owner` is what it was seen in."""
    is_whole = function is owner.source.node
    for part in walk(seen.source.node):
        if not isinstance(part, gast.Call):
            continue
        if is_whole and any(each.function is owner.function for each in seen.callees.get(part.func, ())):
            yield part
        if not is_whole and seen is owner and getattr(part.func, "id", "") == function.name:
            yield part


def _target_of(seen: FunctionObservations, call: Any) -> str | None:
    """The name that gets the result of a call; None where it's used otherwise."""
    for part in walk(seen.source.node):
        if isinstance(part, gast.Assign) and part.value is call and len(part.targets) == 1:
            return getattr(part.targets[0], "id", None)
    return None
