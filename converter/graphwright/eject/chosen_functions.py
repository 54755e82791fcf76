"""Functions that the graph chooses: the condition gets a name, and each call chooses between two calls.

Before:

    activation = tf.nn.relu if scale > 1 else tf.nn.tanh
    return activation(x)

After:

    activation_is_relu = scale > 1
    return tf.nn.relu(x) if activation_is_relu else tf.nn.tanh(x)
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.values.domain import Tensor, Variable

from graphwright.eject.flags import Flagged
from graphwright.eject.observations import FunctionObservations, Observations
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import parents_in, walk

_Texts = dict[tuple[int, int], tuple[int, str]]


def find(observations: Observations, refusal: ConversionError) -> list[Flagged]:
    """The texts to write in each function that calls what the graph has chosen."""
    found: list[Flagged] = []
    for seen in observations.functions.values():
        texts: _Texts = {}
        for part in walk(seen.source.node):
            texts |= _texts_of(seen, part) or {} if isinstance(part, gast.Assign) else {}
        if texts:
            found.append(Flagged({}, refusal, texts=texts))
            found[-1].function = seen.function
    return found


def _texts_of(seen: FunctionObservations, statement: Any) -> _Texts | None:
    """What is written for one choice of a function and the calls of it; None where that can't be done."""
    choice, target, parts = statement.value, statement.targets[0], walk(seen.source.node)
    if not isinstance(choice, gast.IfExp) or not isinstance(target, gast.Name) or len(statement.targets) > 1:
        return None
    sides = [dotted(choice.body), dotted(choice.orelse)]
    is_staged = isinstance(seen.values.get(choice.test), (Tensor, Variable))
    if not is_staged or not all(sides) or not _is_fixed(parts, target.id, [str(side) for side in sides]):
        return None
    flag = f"{target.id}_is_{str(sides[0]).rpartition('.')[2]}"
    lines: list[str] = seen.source.text.splitlines()
    uses = [part for part in parts if _is_named(part, target.id) and part is not target]
    parents = parents_in(seen.source.node)
    calls: list[Any] = [parents[part] for part in uses]
    is_called = [isinstance(call, gast.Call) and call.func is use for call, use in zip(calls, uses, strict=True)]
    inner = [each for call in calls for each in walk(call)[1:] if each in calls]
    several = [each for each in (statement, *calls) if each.lineno != each.end_lineno]
    if not calls or not all(is_called) or inner or several or any(_is_named(part, flag) for part in parts):
        return None
    test = lines[choice.test.lineno - 1][choice.test.col_offset : choice.test.end_col_offset]
    texts: _Texts = {(statement.lineno, statement.col_offset): (statement.end_col_offset, f"{flag} = {test}")}
    for call in calls:
        row: str = lines[int(call.lineno) - 1]
        given = row[int(call.func.end_col_offset) : int(call.end_col_offset)]
        text = f"{sides[0]}{given} if {flag} else {sides[1]}{given}"
        is_whole = isinstance(parents[call], (gast.Assign, gast.Return))
        texts[call.lineno, call.col_offset] = call.end_col_offset, text if is_whole else f"({text})"
    return texts


def _is_fixed(parts: list[Any], name: str, sides: list[str]) -> bool:
    """Whether the name is bound once, and the functions stay what they are."""
    stores = [part for part in parts if isinstance(getattr(part, "ctx", None), (gast.Store, gast.Del))]
    bound = [dotted(part) for part in stores]
    return bound.count(name) == 1 and not any(
        each is not None and (side == each or side.startswith(f"{each}.")) for each in bound for side in sides
    )


def _is_named(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name
