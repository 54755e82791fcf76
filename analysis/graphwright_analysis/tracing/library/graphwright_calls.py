"""Calls of Graphwright's own functions but for `gw.function`, which is `tf.function` with another converter, and of
AutoGraph's.
"""

from __future__ import annotations

from collections.abc import Callable

from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
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

Handler = Callable[[Run, Call], Value]


def _convert(run: Run, call: Call) -> Value:
    """`gw.convert()`, which is a decorator, and `gw.convert(function)` and `gw.to_graph(entity)`."""
    entity = call.positional[0] if call.positional else call.named.get("entity")
    if entity is None:
        return Partial(Api("graphwright.convert"), (), tuple(sorted(call.named.items())))
    promote = call.argument(2, "promote", NONE)
    plain = promote in (NONE, Constant(False))
    return conversion.converted_by(Converter.GRAPHWRIGHT if plain else Converter.PROMOTING, entity)


def _autograph(run: Run, call: Call) -> Value:
    """`tf.autograph.to_graph(entity)`."""
    entity = call.argument(0, "entity")
    return conversion.converted_by(Converter.AUTOGRAPH, entity) if isinstance(entity, (Function, Bound)) else UNKNOWN


def _set_element_type(run: Run, call: Call) -> Value:
    return call.argument(0)


def _stack(run: Run, call: Call) -> Value:
    """`gw.stack`: a list as `tf.stack` has it, a tensor as it is."""
    given = call.argument(0)
    if isinstance(given, (Tensor, Variable)):
        return given
    if (stacked := held_values.stacked_list(run, given)) is not None:
        return stacked
    found = functions.call("stack", [given], {}, lambda value: held_values.elements_of(run, value), run.tensorflow)
    return found if isinstance(found, Value) else UNKNOWN


def _text(run: Run, call: Call) -> Value:
    return Scalar(str)


def _nothing(run: Run, call: Call) -> Value:
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
