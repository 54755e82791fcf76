"""Calls of Graphwright's own functions but for `gw.function`, which is `tf.function` with another converter, and of
AutoGraph's.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Api,
    Bound,
    Constant,
    Function,
    Partial,
    Scalar,
    Tensor,
    Value,
    Variable,
)
from graphwright_analysis.values.tensorflow import functions

Named = dict[str, Value]
Handler = Callable[[Run, Frame, list[Value], Named, "gast.AST | None"], Value]


def _convert(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`gw.convert()`, which is a decorator, and `gw.convert(function)` and `gw.to_graph(entity)`."""
    entity = positional[0] if positional else named.get("entity")
    if entity is None:
        return Partial(Api("graphwright.convert"), (), tuple(sorted(named.items())))
    promote = named.get("promote", positional[2] if len(positional) > 2 else NONE)
    plain = promote in (NONE, Constant(False))
    return conversion.converted_by(Converter.GRAPHWRIGHT if plain else Converter.PROMOTING, entity)


def _autograph(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`tf.autograph.to_graph(entity)`."""
    entity = positional[0] if positional else named.get("entity", UNKNOWN)
    return conversion.converted_by(Converter.AUTOGRAPH, entity) if isinstance(entity, (Function, Bound)) else UNKNOWN


def _set_element_type(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    return positional[0] if positional else UNKNOWN


def _stack(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """`gw.stack`: a list as `tf.stack` has it, a tensor as it is."""
    given = positional[0] if positional else UNKNOWN
    if isinstance(given, (Tensor, Variable)):
        return given
    if (stacked := held_values.stacked_list(run, given)) is not None:
        return stacked
    found = functions.call("stack", [given], {}, lambda value: held_values.elements_of(run, value), run.tensorflow)
    return found if isinstance(found, Value) else UNKNOWN


def _text(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    return Scalar(str)


def _nothing(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    return NONE


HANDLERS: dict[str, Handler] = {
    "graphwright.convert": _convert,
    "graphwright.to_graph": _convert,
    "tf.autograph.to_graph": _autograph,
    "graphwright.to_code": _text,
    "graphwright.stack": _stack,
    "graphwright.set_element_type": _set_element_type,
    "graphwright.set_loop_options": _nothing,
}
