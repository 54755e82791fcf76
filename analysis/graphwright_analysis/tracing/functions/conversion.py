"""What AutoGraph converts and what it leaves as it is: the reason that each frame carries.

The constructs that stop a whole function are found in `machine.conversion_obstacles`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import gast

from graphwright_analysis.tracing.facts import Fact, NeverAFunction, PythonIteration, PythonTruth, Unconverted
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import class_bases
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import Api, Bound, Class, Function, Partial, Value


def of_call(run: Run, frame: Frame, function: Function) -> Unconverted | None:
    """Why a function that is called from this frame isn't converted; None where it is."""
    if function.native:
        return None
    if function.unconverted is not None:
        return function.unconverted
    if frame.unconverted is not None and function.converter is None and not _converts_calls(run, frame):
        return frame.unconverted
    place, name = defined(function), name_of(function)
    shape = run.flow.shape_of(function.block, function.node)
    if shape.generator:
        return Unconverted(Cause.GENERATOR, name, place)
    if run.context.converter is not Converter.AUTOGRAPH:
        return None
    if isinstance(function.owner, Class) and Api("typing.NamedTuple") in function.owner.bases:
        return Unconverted(Cause.SPECIAL_METHOD, name, place)
    if shape.obstacle is not None:
        cause, node = shape.obstacle
        return Unconverted(cause, name, place, Place(function.block, function.block.range_of(node)))
    if shape.twin is not None:
        return Unconverted(Cause.TWIN_LAMBDA, name, place, Place(function.block, shape.twin))
    return None


def _converts_calls(run: Run, frame: Frame) -> bool:
    """Whether a frame is that of a generator, in which Graphwright converts nothing but the functions that it calls."""
    return run.context.leaves_generator(frame) and run.flow.shape_of(frame.block, frame.node).generator


def defined(function: Function) -> Place:
    return Place(function.block, function.block.range_of(function.node))


def name_of(function: Function) -> str:
    return getattr(function.node, "name", "lambda")


def without(function: Function, cause: Cause, place: Place | None = None) -> Function:
    """The function as one that is never converted, unless its own decorator has it converted."""
    if function.converter is not None and cause is not Cause.DO_NOT_CONVERT:
        return function
    return replace(function, unconverted=Unconverted(cause, name_of(function), defined(function), place))


def called_by_keras(run: Run, function: Function) -> Function:
    """The function as Keras calls it: as it is.

    Keras 2 has what layers, losses and metrics compute converted, and who makes the functions of the steps himself may
    have those converted as well.
    """
    if run.keras_converts and name_of(function) not in _AS_THEY_ARE:
        return function
    maker = _MAKERS.get(name_of(function))
    if maker is not None and isinstance(function.owner, Class) and class_bases.declared(run, function.owner, maker):
        return function
    return without(function, Cause.KERAS)


_MAKERS = {f"{kind}_step": f"make_{kind}_function" for kind in ("train", "test", "predict")}


_AS_THEY_ARE = frozenset(
    {"train_step", "test_step", "predict_step", "compute_loss", "compute_metrics", "__call__", "build"}
)
"""What Keras 2 leaves as it is: steps, and `__call__` of schedules, regularizers, constraints."""


SWITCHED_OFF_BY = frozenset({"tf.autograph.experimental.do_not_convert", "graphwright.do_not_convert"})
"""The decorators under which a function is left as it is."""


def converted_by(converter: Converter, value: Value) -> Value:
    """What `gw.convert` and the two `to_graph` make of a value: its functions are converted whoever calls them."""
    match value:
        case Function():
            return replace(value, converter=converter)
        case Bound() | Partial():
            return replace(value, target=converted_by(converter, value.target))
        case _:
            return value


def calling_back(run: Run, name: str, call: Call) -> Call:
    """The call as code outside the project makes it: of a function as it is."""
    if not run.context.graph or call.frame.unconverted is not None or run.context.by_graphwright:
        return call
    return call.from_frame(replace(call.frame, unconverted=Unconverted(Cause.CALLBACK, name, call.place)))


def special(run: Run, frame: Frame, function: Value) -> Frame:
    """The frame from which Python itself calls a constructor, a property or an operator's method.

    AutoGraph leaves these as they are; Graphwright converts them.
    """
    if not run.context.graph or frame.unconverted is not None or not isinstance(function, Function):
        return frame
    if run.context.by_graphwright:
        return frame
    return replace(frame, unconverted=Unconverted(Cause.SPECIAL_METHOD, name_of(function), defined(function)))


def note_never(run: Run, target: Value) -> None:
    """Note that `tf.function` is applied to a generator or a coroutine."""
    function = target.target if isinstance(target, Bound) else target
    if not isinstance(function, Function):
        return
    if isinstance(function.node, gast.AsyncFunctionDef):
        run.note(NeverAFunction(defined(function), name_of(function), Cause.ASYNC))
    elif run.flow.shape_of(function.block, function.node).generator:
        run.note(NeverAFunction(defined(function), name_of(function), Cause.GENERATOR))


def switched_off(run: Run, frame: Frame) -> Unconverted | None:
    """Why even what TensorFlow would convert isn't: AutoGraph is switched off around it."""
    why = frame.unconverted
    off = why is not None and why.cause in (Cause.AUTOGRAPH_OFF, Cause.DO_NOT_CONVERT)
    return why if run.context.graph and off else None


def is_nested(frame: Frame, conditional: gast.IfExp) -> bool:
    """Whether a conditional expression is part of another one in the same function."""
    while isinstance(frame.node, _COMPREHENSIONS) and frame.parent is not None:
        frame = frame.parent
    return any(
        isinstance(outer, gast.IfExp)
        and outer is not conditional
        and any(inner is conditional for inner in gast.walk(outer))
        for outer in gast.walk(frame.node)
    )


_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def first_refusals(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts without the second and later uses that one reason is to blame for: tracing ends at the first."""
    seen: set[Unconverted] = set()
    for fact in facts:
        if isinstance(fact, (PythonTruth, PythonIteration)) and fact.why is not None:
            if fact.why in seen:
                continue
            seen.add(fact.why)
        yield fact
