"""Reads what the agent reports, which user code may have written: only what has the right types, sizes and characters.

The dataclasses of `wire` are the schema. What fits nothing is refused, with the place in words.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from graphwright.agent import wire

LONGEST_TEXT = 1 << 18
MOST_ITEMS = 200_000
LARGEST_NUMBER = 1 << 53
"""Beyond that, an editor's numbers aren't exact."""

_CONTROLS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, movements of the cursor
    r"|\x1b[P\]X^_].*?(?:\x1b\\|\x07|$)"  # titles, links, the clipboard
    r"|\x1b[ -/]*[0-~]?"
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]",
    re.DOTALL,
)

Checked = TypeVar("Checked")


class Refused(Exception):
    """What was reported doesn't fit; the message says where and why."""


def report_of(value: Any, request: wire.AgentRequest) -> wire.AgentReport:
    """The report on a request; it can't be about another."""
    report = checked(value, wire.AgentReport)
    if report.ok != (report.error is None):
        raise Refused("ok and error contradict each other")
    if report.graph is not None:
        _check_graph(report.graph)
    return replace(report, function=request.function, file=request.file, action=request.action, output="", svg="")


def checked(value: Any, schema: type[Checked]) -> Checked:
    """The value as the dataclass that it describes."""
    return cast("Checked", _reader(schema)(value, ""))


def cleaned(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text without sequences that a terminal or an editor would obey, and not longer than that."""
    plain = text if text.isascii() and text.isprintable() else _CONTROLS.sub("", text)
    return plain if len(plain) <= longest else f"{plain[:longest]} ... (cut)"


_Reader = Callable[[Any, str], Any]


@cache
def _reader(schema: Any) -> _Reader:
    """What reads a value of that type at a place."""
    if is_dataclass(schema):
        return _record_reader(cast("type[Any]", schema))
    origin, parts = get_origin(schema), get_args(schema)
    if origin is Literal:
        return _choice_reader(parts)
    if origin is tuple:
        return _items_reader(_reader(parts[0]))
    if origin in (Union, types.UnionType):
        inner = _reader(next(part for part in parts if part is not type(None)))
        return lambda value, place: None if value is None else inner(value, place)
    return {str: _text, bool: _flag, int: _whole, float: _number}[schema]


def _record_reader(schema: type[Any]) -> _Reader:
    hints = get_type_hints(schema)
    readers = {each.name: _reader(hints[each.name]) for each in fields(schema)}

    def read(value: Any, place: str) -> Any:
        if not isinstance(value, dict):
            raise _wrong(place, f"a {schema.__name__}")
        table = cast("dict[Any, Any]", value)
        if table.keys() != readers.keys():
            raise Refused(f"{place or 'the report'} has unknown or missing fields (expected {schema.__name__})")
        within = f"{place}." if place else ""
        return schema(**{name: reader(table[name], within + name) for name, reader in readers.items()})

    return read


def _items_reader(inner: _Reader) -> _Reader:
    def read(value: Any, place: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise _wrong(place, "a list")
        items = cast("list[Any]", value)
        if len(items) > MOST_ITEMS:
            raise Refused(f"{place} has {len(items):,} items, more than {MOST_ITEMS:,}")
        return tuple(inner(item, f"{place}[{index}]") for index, item in enumerate(items))

    return read


def _choice_reader(choices: tuple[Any, ...]) -> _Reader:
    def read(value: Any, place: str) -> Any:
        if not isinstance(value, str) or value not in choices:
            raise _wrong(place, f"one of {', '.join(choices)}")
        return value

    return read


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise _wrong(place, "a text")
    return cleaned(value)


def _flag(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(place, "true or false")
    return value


def _whole(value: Any, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST_NUMBER:
        raise _wrong(place, "a whole number")
    return value


def _number(value: Any, place: str) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise _wrong(place, "a number")
    if not abs(value) <= LARGEST_NUMBER:  # which no comparison with NaN is
        raise _wrong(place, "a number in range")
    return float(value)


def _wrong(place: str, what: str) -> Refused:
    return Refused(f"{place or 'the report'} isn't {what}")


def _check_graph(graph: wire.ReportedGraph) -> None:
    """Each operation has a name of its own, and stands in one that stands in itself nowhere."""
    parents = {each.id: each.parent for each in graph.nodes}
    if len(parents) != len(graph.nodes):
        raise Refused("two operations of the graph have the same id")
    inside = set[str | None]([None])
    for node in parents:
        path = list[str | None]()
        at: str | None = node
        while at not in inside:
            if at not in parents or at in path or len(path) > 1000:
                raise Refused(f"the operation {node} of the graph belongs to an unknown one")
            path.append(at)
            at = parents[at]
        inside.update(path)
