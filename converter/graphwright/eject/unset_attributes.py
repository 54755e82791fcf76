"""Attributes that are None at first: a new object gets a tensor of zeros in each, and a flag for whether it's set.

Before:

    tracker = Tracker()
    ...
        if self.best is None or x > self.best:
            self.best = x

After:

    tracker = Tracker()
    tracker.best, tracker.has_best = 0.0, False
    ...
        if not self.has_best or x > self.best:
            self.best, self.has_best = x, True

What is written in a function is decided in `flags`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.values.domain import UNKNOWN, Constant, Value

from graphwright.eject import seeds
from graphwright.eject.flags import Flagged, flag_of, is_none, named
from graphwright.eject.observations import FunctionObservations, Observations
from graphwright.errors import ConversionError
from graphwright.libraries import is_library_value
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk
from graphwright.sources import source_of

UnsetAttribute = tuple[type, str]
"""A class and an attribute of its objects."""


@dataclass(frozen=True, slots=True)
class _Tensors:
    """How TensorFlow is called in the texts."""

    tf: str


def find(observations: Observations, refusal: ConversionError, tf: str) -> list[Flagged]:
    """What has to be written in which functions; nothing if there are no such attributes, or they aren't known well."""
    functions = list(observations.functions.values())
    given: dict[UnsetAttribute, list[Value]] = {}
    for seen in functions:
        for held, value in _assigned(seen):
            given.setdefault(held, []).append(seen.values.get(value) or seeds.value_of(_Reading(seen), value))
    starts: dict[UnsetAttribute, str] = {}
    for held, values in given.items():
        if _begins_unset(*held) and (start := seeds.zero_of(_Tensors(tf), values)) is not None:
            starts[held] = start
    made = {seen.function: _lines_after(seen, starts) for seen in functions}
    created = {held for lines in made.values() for held, *_ in lines}
    starts = {held: start for held, start in starts.items() if held in created}
    if any(_is_foreign(seen, starts) for seen in functions):
        return []
    return [request for seen in functions if (request := _request(seen, starts, made[seen.function], refusal))]


class _Reading:
    """What a trace has shown, as the values of a style."""

    def __init__(self, seen: FunctionObservations) -> None:
        self._seen = seen

    def value(self, node: Any) -> Value:
        """What an expression gives."""
        return Constant(node.value) if kind_of(node) == "Constant" else self._seen.values.get(node, UNKNOWN)


def _request(seen: FunctionObservations, starts: Any, lines: Any, refusal: ConversionError) -> Flagged | None:
    owners = _owners(seen)
    found = {
        named(part): starts[owners[named(part.value)], part.attr]
        for part in walk(seen.source.node)
        if kind_of(part) == "Attribute" and (owners.get(named(part.value)), part.attr) in starts
    }
    following: dict[int, list[str]] = {}
    for held, line, name, indent in lines:
        if held in starts:
            both = f"{name}.{held[1]}, {flag_of(f'{name}.{held[1]}')} = {starts[held]}, False"
            following.setdefault(line, []).append(f"{indent}{both}")
    if not found and not following:
        return None
    request = Flagged(found, refusal, following=following)
    request.function = seen.function
    return request


def _owners(seen: FunctionObservations) -> dict[str, Any]:
    """The class of the objects that names and attributes hold, by what they are called; None for several."""
    found: dict[str, Any] = {}
    for node, kind in seen.classes.items():
        if name := named(node):
            found[name] = kind if found.get(name, kind) is kind else None
    return found


def _assigned(seen: FunctionObservations) -> Iterator[tuple[UnsetAttribute, Any]]:
    """The attributes that are set to something but None, with that."""
    owners = _owners(seen)
    for part in walk(seen.source.node):
        for target, value in seeds.assigned_pairs(part):
            kind = owners.get(named(target.value)) if kind_of(target) == "Attribute" else None
            if kind is not None and not is_none(value) and not is_library_value(kind):
                yield (kind, target.attr), value


def _lines_after(seen: FunctionObservations, starts: Any) -> list[tuple[UnsetAttribute, int, str, str]]:
    """The attributes of the objects that a function makes: after which line, of what name, how far indented."""
    found: list[tuple[UnsetAttribute, int, str, str]] = []
    for part in walk(seen.source.node):
        for target, value in seeds.assigned_pairs(part):
            kind = seen.classes.get(value) if kind_of(value) == "Call" else None
            called = (dotted(getattr(value, "func", None)) or "").rpartition(".")[2]
            if kind is None or called != kind.__name__ or not named(target) or kind_of(part.targets[0]) == "Tuple":
                continue
            for held in starts:
                if held[0] is kind and not _is_given(kind, held[1], value):
                    found.append((held, part.end_lineno, named(target), " " * part.col_offset))
    return found


def _is_given(kind: Any, attribute: str, call: Any) -> bool:
    """Whether a call of a dataclass gives the attribute a value."""
    fields = list[str](getattr(kind, "__dataclass_fields__", ()))
    given = attribute in fields[: len(call.args)] or any(keyword.arg in (attribute, None) for keyword in call.keywords)
    return attribute in fields and (given or any(kind_of(each) == "Starred" for each in call.args))


def _is_foreign(seen: FunctionObservations, starts: Any) -> bool:
    """Whether a function makes such an object, or reads such an attribute, in a way that can't be written."""
    kinds = {kind for kind, _ in starts}
    attributes = {attribute for _, attribute in starts}
    owners, lines = _owners(seen), {line for _, line, *_ in _lines_after(seen, starts)}
    for part in walk(seen.source.node):
        is_made = kind_of(part) == "Call" and seen.classes.get(part) in kinds
        called = (dotted(part.func) or "").rpartition(".")[2] if is_made else ""
        if is_made and called == seen.classes[part].__name__ and part.end_lineno not in lines:
            return True
        if kind_of(part) == "Attribute" and part.attr in attributes:
            name = named(part.value)
            if owners.get(name) is None and (part in seen.values or part.value in seen.values):
                return True
    return False


def _begins_unset(kind: Any, attribute: str) -> bool:
    """Whether a new object has None in an attribute."""
    fields: dict[str, Any] = getattr(kind, "__dataclass_fields__", {})
    if hasattr(kind, "__slots__"):
        return False
    if attribute in fields:
        return fields[attribute].init and fields[attribute].default is None and not hasattr(kind, "__post_init__")
    try:
        node = source_of(cast(Any, vars(kind)["__init__"])).node
    except (KeyError, TypeError, ConversionError):
        return False
    values = [
        value
        for part in walk(node)
        for target, value in [*seeds.assigned_pairs(part), *_annotated(part)]
        if kind_of(target) == "Attribute" and target.attr == attribute
    ]
    return bool(values) and all(map(is_none, values))


def _annotated(part: Any) -> list[tuple[Any, Any]]:
    return [(part.target, part.value)] if kind_of(part) == "AnnAssign" and part.value is not None else []
