"""Attributes that are lists of tuples which the graph changes: objects get a list for each part of the tuples.

Before:

    memory = ReplayMemory()
    ...
        self.items.append((state, reward))

After:

    memory = ReplayMemory()
    memory.items_state = []
    memory.items_reward = []
    ...
        self.items_state.append(state)
        self.items_reward.append(reward)

What is written in a function is decided in `parallel_lists`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast
from graphwright_analysis.values.domain import Tuple

from graphwright.eject.bindings import named
from graphwright.eject.flags import Flagged
from graphwright.eject.observations import FunctionObservations, Observations
from graphwright.eject.parallel_lists import words_in
from graphwright.errors import ConversionError
from graphwright.libraries import is_library_value
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk

TupleList = tuple[type, str]
"""A class and an attribute of its objects."""


def find(observations: Observations, refusal: ConversionError, tf: str) -> list[Flagged]:
    """What has to be written in which functions; nothing if there is no such attribute, or it isn't known well."""
    functions = list(observations.functions.values())
    counts: dict[TupleList, set[int]] = {}
    for seen in functions:
        for held, count in _put_in(seen):
            counts.setdefault(held, set()).add(count)
    for held, known in counts.items():
        requests = _requests(functions, held, known.pop(), refusal, tf) if len(known) == 1 else []
        if any(request.following for request in requests):
            return requests
    return []


def _put_in(seen: FunctionObservations) -> Iterator[tuple[TupleList, int]]:
    """The lists that get tuples, with their length."""
    for part in walk(seen.source.node):
        method = part.func if isinstance(part, gast.Call) and isinstance(part.func, gast.Attribute) else None
        if method is None or method.attr not in ("append", "insert") or not part.args:
            continue
        added = part.args[-1]
        value = seen.values.get(added)
        count = len(added.elts) if isinstance(added, gast.Tuple) else 0
        count = len(value.items) if isinstance(value, Tuple) else count
        held = _held(seen, method.value)
        if held is not None and count:
            yield held, count


def _held(seen: FunctionObservations, node: Any) -> TupleList | None:
    """The attribute that an expression like `self.items` is, by its class."""
    if not isinstance(node, gast.Attribute) or not isinstance(node.value, gast.Name):
        return None
    kind = seen.classes.get(node.value)
    return None if kind is None or is_library_value(kind) or kind.__module__ == "builtins" else (kind, node.attr)


def _requests(
    functions: list[FunctionObservations], held: TupleList, count: int, refusal: ConversionError, tf: str
) -> list[Flagged]:
    """The request for each function that makes such objects or uses the attribute; nothing if one can't be written."""
    used = {seen.function: _names_in(seen, held) for seen in functions}
    if any(len(names) > 1 for names in used.values()):
        return []
    words = [""] * count
    for seen in functions:
        for name in used[seen.function]:
            found = words_in(seen.source.text, seen.source.node, name, count)
            words = [known or word for known, word in zip(words, found, strict=True)]
    words = [word or str(number) for number, word in enumerate(words)]
    requests: list[Flagged] = []
    for seen in functions:
        made = list(_made_in(seen, held))
        name = next(iter([*used[seen.function], *(name for _, _, name in made)]), "")
        if name:
            lists = {line: [f"{indent}{owner}_{word} = []" for word in words] for line, indent, owner in made}
            request = Flagged({}, refusal, following=lists, tuples=(name, count), tf=tf, words=tuple(words))
            request.function = seen.function
            requests.append(request)
    return requests


def _names_in(seen: FunctionObservations, held: TupleList) -> set[str]:
    """What the attribute is called in a function."""
    return {named(part) for part in walk(seen.source.node) if _held(seen, part) == held}


def _made_in(seen: FunctionObservations, held: TupleList) -> Iterator[tuple[int, str, str]]:
    """The lines where a function makes such an object, with their indent, and what the attribute is called there."""
    for part in walk(seen.source.node):
        call: Any = part.value if isinstance(part, gast.Assign) and len(part.targets) == 1 else None
        if not isinstance(call, gast.Call) or not named(part.targets[0]) or seen.classes.get(call) is not held[0]:
            continue
        if (dotted(call.func) or "").rpartition(".")[2] == held[0].__name__:
            yield part.end_lineno, " " * part.col_offset, f"{named(part.targets[0])}.{held[1]}"
