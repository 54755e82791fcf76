"""Dataclasses that a function returns where the graph decides which: their fields are chosen, and make an object again.

Before:

    if position < 0:
        return State(-position, bounces + 1)
    return State(position, bounces)

After:

    outcome = tf.cond(
        position < 0,
        lambda: (-position, bounces + 1),
        lambda: (position, bounces),
    )
    return State(*outcome)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from graphwright.eject import records
from graphwright.eject.observations import StateObject
from graphwright.passes.calls import dotted

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.blocks import Lowering


def record_of(style: TensorFlow, lowering: Lowering) -> StateObject | None:
    """The object that all `return` statements of a function give, if each says what its fields are."""
    values = [part.value for part in style.returns_in(lowering)]
    held = [style.known.value(value) for value in values if value is not None]
    record = held[0] if held and len(held) == len(values) else None
    if not isinstance(record, StateObject) or not record.rebuilds or not lowering.facts.constructs():
        return None
    if any(isinstance(item, StateObject) for item in record.items):
        return None
    alike = all(isinstance(each, StateObject) and each.kind == record.kind for each in held)
    return record if alike and all(_fields(value, record) is not None for value in values) else None


def note(style: Any, lowering: Lowering, value: Any) -> None:
    """Have a value that one side of a choice returns be written as its fields."""
    record = record_of(style, lowering) if lowering.nested and lowering.frame.kind == "function" else None
    if record is not None:
        style.packed_values[value] = record


def packed(style: Any, read: Any, node: Any) -> str:
    """The fields of such a value."""
    record = style.packed_values.pop(node)
    fields = _fields(node, record)
    if not fields:
        return records.packed_parts(record, str(read(node)))[1:-1]
    texts = [str(read(each)) for each in fields]
    return f"{', '.join(texts)}{',' if len(texts) == 1 else ''}"


def targets_of(style: TensorFlow, lowering: Lowering, targets: str) -> tuple[str, str]:
    """What is assigned instead by a choice that ends a function, and the line that follows it, if one does."""
    outcome = lowering.unit.fresh("outcome")
    is_last = targets == "return " or targets.removesuffix(" = ").split(", ")[-1] == outcome
    record = record_of(style, lowering) if is_last and not lowering.nested else None
    if record is None:
        return targets, ""
    if targets == "return ":
        return f"{outcome} = ", f"return {record.kind}(*{outcome})"
    return targets, f"{outcome} = {record.kind}(*{outcome})"


def _fields(node: Any, record: StateObject) -> list[Any] | None:
    """The expressions for the fields; empty for a name, None where they aren't all written here."""
    if isinstance(node, gast.Name):
        return []
    if not isinstance(node, gast.Call) or (dotted(node.func) or "").rpartition(".")[2] != record.kind:
        return None
    given = dict(zip(record.names, node.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in node.keywords}
    whole = len(node.args) <= len(record.names) and set(given) == {*record.names}
    is_plain = not any(isinstance(each, gast.Starred) for each in node.args)
    return [given[name] for name in record.names] if whole and is_plain else None
