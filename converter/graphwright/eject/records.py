"""Dataclasses that staged code carries: their fields go in and come out as a tuple, and the object is made of it again.

Before:

    for _ in range(n):
        state = State(state.x + 1, state.n)

After:

    def turn(index, state):
        state = State(*state)
        state = State(state.x + 1, state.n)
        return index + 1, (state.x, state.n)
    _, state = tf.while_loop(lambda index, state: index < n, turn, (0, (state.x, state.n)))
    state = State(*state)
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.tracing.facts import StagedLoop
from graphwright_analysis.values.domain import UNKNOWN, Value

from graphwright.eject.observations import StateObject, joined
from graphwright.passes.state import Slot

if TYPE_CHECKING:
    from graphwright.passes.facts import Facts


def prepare(style: Any, facts: Any) -> None:
    """Find the names that staged code carries and that hold such an object."""
    for fact in style.known.visits:
        for name in fact.names:
            values = [name.before, name.after] if isinstance(fact, StagedLoop) else [name.body, name.orelse]
            value = joined(values[0], values[1])
            value = value if isinstance(value, StateObject) else _seen(style, facts, name.symbol)
            if name.symbol in facts.own and isinstance(value, StateObject) and value.rebuilds:
                style.records[name.symbol] = value


def _seen(style: Any, facts: Facts, name: str) -> Value:
    """What a trace has shown of a name, wherever it is read."""
    values: Any = style.known.seen.values if style.known.seen is not None else {}
    found = [
        values[part] for part in facts.statements if isinstance(part, gast.Name) and part.id == name and part in values
    ]
    return functools.reduce(joined, found) if found else UNKNOWN


def packed(style: Any, text: str) -> str:
    """What goes in or comes out for a name."""
    record = style.records.get(text)
    return text if record is None else packed_parts(record, text)


def rebuilt(style: Any, name: str) -> str:
    """The expression that makes the object again."""
    return _rebuilt(style.records[name], name)


def entering(style: Any, slot: Slot) -> Slot:
    """The state of a loop, as its function has it."""
    if slot.text not in style.records:
        return slot
    return replace(slot, rebuilt=rebuilt(style, slot.text).replace(f"*{slot.text})", f"*{slot.parameter})"))


def after(lowering: Any, names: list[str], line: int) -> None:
    """Write what makes the objects again after a construct."""
    for name in names:
        if name in lowering.unit.style.records:
            lowering.line(f"{name} = {rebuilt(lowering.unit.style, name)}", line)


def packed_parts(record: StateObject, text: str) -> str:
    """The fields of an object as a tuple."""
    parts = [
        packed_parts(item, f"{text}.{name}") if isinstance(item, StateObject) and item.rebuilds else f"{text}.{name}"
        for name, item in zip(record.names, record.items, strict=True)
    ]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _rebuilt(record: StateObject, text: str) -> str:
    if not any(isinstance(item, StateObject) and item.rebuilds for item in record.items):
        return f"{record.kind}(*{text})"
    parts = [
        _rebuilt(item, f"{text}[{number}]") if isinstance(item, StateObject) and item.rebuilds else f"{text}[{number}]"
        for number, item in enumerate(record.items)
    ]
    return f"{record.kind}({', '.join(parts)})"
