"""Setters of properties in which the graph decides something: setting the property becomes a call of the setter.

Before, where `target` is a property of `Thermostat`:

    thermostat.target = reading

After:

    Thermostat.target.fset(thermostat, reading)

That is a call like any other: the setter is written along as a function, and what it sets is carried by loops.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import gast

from graphwright.eject.bindings import named
from graphwright.eject.flags import Flagged
from graphwright.eject.observations import FunctionObservations, Observations
from graphwright.eject.unset_attributes import owners_in
from graphwright.errors import ConversionError
from graphwright.libraries import is_library_value
from graphwright.passes.unit import walk


def find(observations: Observations, refusal: ConversionError, tf: str) -> list[Flagged]:
    """What has to be written in which functions; nothing if no property is set."""
    requests: list[Flagged] = []
    for seen in observations.functions.values():
        texts = dict(_calls_in(seen))
        if texts:
            requests.append(Flagged({}, refusal, tf=tf, texts=texts))
            requests[-1].function = seen.function
    return requests


def refuse(lowering: Any, target: Any) -> None:
    """Refuse to set a property where the graph decides: Python would run its setter once, while the graph is made."""
    seen: FunctionObservations | None = lowering.unit.style.known.seen
    if seen is None or not lowering.nested:
        return
    for part in getattr(target, "elts", [target]):
        kind = owners_in(seen).get(named(part.value)) if isinstance(part, gast.Attribute) else None
        if kind is not None and setter_of(kind, part.attr) is not None:
            raise ConversionError(
                f"`{part.attr}` is a property that a branch or loop of the graph sets, and plain TensorFlow would run "
                "its setter once, while the graph is made: make it a method, and call it",
                line=part.lineno,
            )


def setter_of(kind: Any, name: str) -> types.FunctionType | None:
    """The function of the user's that sets a property of a class; None for any other attribute."""
    found = getattr(kind, name, None) if isinstance(kind, type) else None
    setter = found.fset if type(found) is property else None
    return setter if isinstance(setter, types.FunctionType) and not is_library_value(setter) else None


def _calls_in(seen: FunctionObservations) -> Iterator[tuple[tuple[int, int], tuple[int, str]]]:
    """The statements that set properties, each with the call of its setter."""
    owners, lines = owners_in(seen), seen.source.text.splitlines()
    for part in walk(seen.source.node):
        targets: list[Any] = part.targets if isinstance(part, gast.Assign) else []
        target: Any = targets[0] if len(targets) == 1 else part.target if isinstance(part, gast.AugAssign) else None
        if not isinstance(target, gast.Attribute) or part.lineno != part.end_lineno or not named(target.value):
            continue
        kind: Any = owners.get(named(target.value))
        is_known = isinstance(kind, type) and seen.function.__globals__.get(kind.__name__) is kind
        if not is_known or setter_of(kind, target.attr) is None or not lines[part.lineno - 1].isascii():
            continue
        row = lines[part.lineno - 1]
        value = row[part.value.col_offset : part.value.end_col_offset]
        if isinstance(part, gast.AugAssign):
            sign = row[target.end_col_offset : part.value.col_offset].strip().rstrip("=")
            is_simple = isinstance(part.value, (gast.Name, gast.Constant, gast.Attribute, gast.Call, gast.Subscript))
            value = f"{named(target)} {sign} {value if is_simple else f'({value})'}"
        text = f"{kind.__name__}.{target.attr}.fset({named(target.value)}, {value})"
        yield (part.lineno, part.col_offset), (part.end_col_offset, text)
