"""What Keras calls of the project's code, and how: in a graph of its own, with AutoGraph switched off.

Models that are fitted, layers on symbolic tensors, losses, schedules; what layers compute isn't known.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial

from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import added_losses, keras_leaks, refused_fits, trace_effects
from graphwright_analysis.tracing.reading import class_bases, held_values, nested_values
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    UNKNOWN,
    ApiInstance,
    Array,
    Bound,
    Class,
    Constant,
    Dataset,
    Function,
    KerasObject,
    Object,
    StaticShape,
    Tensor,
    Tuple,
    Value,
    Variable,
    dtype_of,
    shape_of,
)
from graphwright_analysis.values.keras_variables import KerasVariable
from graphwright_analysis.values.shapes import ANY
from graphwright_analysis.values.tensorflow.special_functions import named_dtype

from . import keras_arguments, keras_callbacks

Named = dict[str, Value]

STEPS = {
    "fit": "train_step",
    "train_on_batch": "train_step",
    "evaluate": "test_step",
    "test_on_batch": "test_step",
    "predict": "predict_step",
    "predict_on_batch": "predict_step",
}
_SCHEDULE = "tf.keras.optimizers.schedules.LearningRateSchedule"
_COMPILED = ("optimizer", "loss", "metrics", "run_eagerly")


def method(run: Run, model: Object, name: str, call: Call) -> Value | None:
    """Follow what a method of a Keras model or layer calls back; what it gives, if that is known."""
    if name == "add_weight":
        return _weight(run, model, call)
    if name == "add_loss":
        added_losses.note_added(run, model)
    if name == "compile":
        given = call.by_name("optimizer", "loss")
        for option in _COMPILED:
            run.state.set(
                model.id, f"{marks.COMPILED}{option}", nested_values.laid_open(run, given.get(option, Constant(None)))
            )
        return NONE
    if name in STEPS and not run.context.graph and not run.is_untraced:
        eager = [run.state.value(model.id, name) for name in (f"{marks.COMPILED}run_eagerly", "run_eagerly")]
        if all(each in (UNDEFINED, NONE, Constant(False)) for each in eager):
            _step(run, model, name, call)
            keras_callbacks.follow(run, call.frame, model, name, call.named.get("callbacks", NONE))
    return None


def constructed(run: Run, layer: Value, call: Call) -> Value:
    """Keep the dtype that Keras' own constructor was given for a layer or metric, or finds itself."""
    if call.positional or not isinstance(layer, Object) or layer.type is None or not class_bases.is_keras(layer.type):
        return NONE
    dtype = call.named.get("dtype", NONE if run.keras_dtype is None else Constant(run.keras_dtype))
    if named_dtype(dtype) is not None and class_bases.declared(run, layer.type, "dtype") is None:
        run.state.set(layer.id, "dtype", dtype)
    return NONE


def _weight(run: Run, layer: Object, call: Call) -> Variable:
    """What `add_weight` gives."""
    names = ("name", "shape") if run.keras_converts else ("shape", "initializer", "dtype")
    given = call.by_name(*names)
    shape = held_values.shape_given(run, given["shape"]) if given.get("shape", NONE) != NONE else ()
    dtype = given.get("dtype", NONE)
    name = named_dtype(run.state.value(layer.id, "dtype") if dtype == NONE else dtype)
    return Variable(name, shape) if run.keras_converts else KerasVariable(name, shape)


def _step(run: Run, model: Object, name: str, call: Call) -> None:
    x, y = batches(run, name, call)
    step = run.interpreter.attribute(run, call.frame, model, STEPS[name], UNDEFINED)
    if not isinstance(step, Bound):
        note_data(run, name, call)
    with traced(run, step):
        if isinstance(step, Bound):
            given = call.by_name("x", "y")
            data = Tuple((x, y)) if "y" in given or isinstance(given.get("x"), Dataset) else Tuple((x,))
            run_by_keras(run, step, Call(call.frame, [x if name.startswith("predict") else data]))
            return
        predicted = UNKNOWN
        forward = run.interpreter.attribute(run, call.frame, model, "call", UNDEFINED)
        if isinstance(forward, Bound):
            training = {"training": Constant(STEPS[name] == "train_step")}
            predicted = call_layer(run, forward, Call(call.frame, [x], training))
        if not name.startswith("predict"):
            added_losses.note_read(run, model, added_losses.call_place(run))
            if isinstance(forward, Bound) and STEPS[name] == "train_step":
                refused_fits.note_cut_in_model(run, forward)
            trains, loss = STEPS[name] == "train_step", run.state.value(model.id, marks.COMPILED + "loss")
            compared(run, call.frame, loss, "call", y, predicted, trains=trains)
            metrics = run.state.value(model.id, marks.COMPILED + "metrics")
            for metric in metrics.items if isinstance(metrics, Tuple) else ():
                compared(run, call.frame, metric, "update_state", y, predicted)
        optimizer = run.state.value(model.id, marks.COMPILED + "optimizer")
        if STEPS[name] == "train_step" and isinstance(optimizer, ApiInstance):
            apply(run, call.frame, optimizer)


def note_data(run: Run, name: str, call: Call) -> None:
    """Note the data with which a method of a compiled model surely fails."""
    for data in (*call.positional[:1], *(call.named[each] for each in ("x", "validation_data") if each in call.named)):
        refused_fits.note_data(run, name, data)


def batches(run: Run, name: str, call: Call) -> tuple[Value, Value]:
    """One batch of the `x` and the `y` that a method of a model is given."""
    parameters = ("x", "batch_size") if name == "predict" else ("x", "y", "batch_size")
    given = call.by_name(*parameters)
    x, y = (_batch(run, given.get(each, UNKNOWN), name, given) for each in ("x", "y"))
    if isinstance(given.get("x"), Dataset):
        return (x.items[0], x.items[1]) if isinstance(x, Tuple) and len(x.items) > 1 else (x, UNKNOWN)
    return x, y


def compared(
    run: Run, frame: Frame, judge: Value, name: str, true: Value, predicted: Value, *, trains: bool = False
) -> None:
    """Keras calls a loss or a metric: a function, or an object that has the method; it may train by the loss.

    Of several for a model's outputs each is called; what they get isn't told apart.
    """
    if isinstance(judge, Tuple):
        for each in judge.items:
            compared(run, frame, each, name, UNKNOWN, UNKNOWN)
        return
    is_metric = isinstance(judge, Object) and name != "call"
    pair: list[Value] = [value if isinstance(value, Tensor) else Tensor() for value in (true, predicted)]
    if name == "call":
        pair = [keras_arguments.compared(run, value) for value in pair]
    if run.keras_converts or (name == "call" and isinstance(judge, Function)):
        pair = _of_one_rank(*pair)
    if isinstance(judge, Function) and run.keras_converts:
        # Keras 2 may squeeze one of the two, and casts what a metric compares to the dtype of the prediction.
        pair = [Tensor(dtype_of(value) if name == "call" else None) for value in pair]
    if isinstance(judge, Object):
        if judge.type is None or not class_bases.is_keras(judge.type):
            return
        judge = run.interpreter.attribute(run, frame, judge, name, UNDEFINED)
    if isinstance(judge, (Bound, Function)):
        given = run_by_keras(run, judge, Call(frame, pair))
        if not is_metric:
            refused_fits.note_result(run, judge, given, trains=trains)


def _of_one_rank(true: Value, predicted: Value) -> list[Value]:
    """Both with their shapes where these have the same number of axes; else Keras may squeeze or expand one of them."""
    shapes = shape_of(true), shape_of(predicted)
    if shapes[0] is None or shapes[1] is None or len(shapes[0]) != len(shapes[1]):
        return [Tensor(dtype_of(true)), Tensor(dtype_of(predicted))]
    return [true, predicted]


def holding(run: Run, name: str, call: Call) -> ApiInstance:
    """An object of Keras; an optimizer holds the learning rate schedule that it will call."""
    if not name.startswith("tf.keras.optimizers."):
        return ApiInstance(name)
    given = call.by_name("learning_rate", "momentum")
    held = tuple(value for value in given.values() if _is_schedule(value))
    return KerasObject(name, held, run.fresh(), tuple(given.items()))


def _is_schedule(value: Value) -> bool:
    if not isinstance(value, Object) or value.type is None:
        return False
    return (class_bases.outside_base(value.type) or "") == _SCHEDULE


def apply(run: Run, frame: Frame, optimizer: ApiInstance) -> None:
    """An optimizer that changes variables in a graph calls its schedule there."""
    if not run.context.graph:
        return
    for schedule in optimizer.held:
        assert isinstance(schedule, Object)
        called = run.interpreter.attribute(run, frame, schedule, "__call__", UNDEFINED)
        if isinstance(called, Bound):
            # The optimizer's iterations; some versions of Keras 2 cast them to float32 before.
            step = Tensor(None, ()) if run.keras_converts else KerasVariable("int64", ())
            run_by_keras(run, called, Call(frame, [step]))


def call_layer(run: Run, forward: Bound, call: Call) -> Value:
    """Return what a layer or model of the project gives, whose `call` is `forward`.

    On placeholders Keras traces `call` to learn that.
    """
    if keras_arguments.has_placeholder(run, *call.values):
        if run.context.graph:
            return UNKNOWN
        with traced(run, symbolic=True):
            tensors = call.map_arguments(partial(keras_arguments.as_tensors, run))
            result, inside = call_layer(run, forward, tensors), run.state
        earlier = keras_arguments.layers_of(run, *call.values)
        layers = (*earlier, keras_arguments.layer_call(forward.receiver, tensors))
        return keras_arguments.as_placeholders(run, result, layers, inside)
    added_losses.note_called(run, forward.receiver)
    _build(run, forward.receiver, call)
    call = call.map_arguments(partial(keras_arguments.autocast, run))
    passed, training = keras_arguments.populated(run, forward, call)
    with run.within(training=training):
        return run_layer(run, forward, Call(call.frame, call.positional, passed))


def _build(run: Run, layer: Value, call: Call) -> None:
    """Run the `build` of a layer or model before its first call, as Keras does; what that makes is counted apart."""
    if not isinstance(layer, Object) or layer.type is None or not call.positional:
        return
    build = class_bases.declared(run, layer.type, "build")
    if not isinstance(build, Function) or run.state.value(layer.id, "built") not in (UNDEFINED, Constant(False)):
        return
    counted = run.seen.opaque, run.seen.makings
    with run.within(graph=False, entry=None, journal=None, constructs=()):
        run.interpreter.call_value(run, Bound(build, layer), Call(call.frame, [_input_shape(run, call.positional[0])]))
    run.seen.opaque, run.seen.makings = counted
    run.state.set(layer.id, "built", Constant(True))


def _input_shape(run: Run, value: Value) -> Value:
    """What `build` is told of an input."""
    shape = shape_of(value) if isinstance(value, (Tensor, Variable, Array)) else None
    if shape is None:
        return UNKNOWN
    return StaticShape(shape) if run.keras_converts else Tuple(held_values.sizes(shape))


def call_loss(run: Run, forward: Bound, call: Call) -> Value:
    """Return what a loss of the project gives, whose `call` is `forward`: as a rule one number."""
    named = {name: value for name, value in call.named.items() if name != "sample_weight"}
    pair = call.with_arguments(call.positional[:2], named).map_arguments(partial(keras_arguments.compared, run))
    found = run_by_keras(run, forward, Call(call.frame, pair.positional, pair.named))
    number = isinstance(found, Tensor) and found.shape == ()
    return Tensor(None if run.keras_converts else run.keras_dtype, () if number else None)


def run_layer(run: Run, layer: Value, call: Call) -> Value:
    """What is the code of a layer runs as it is where Keras calls it, and converted where Graphwright's code does."""
    if run.context.by_graphwright:
        return run.interpreter.call_value(run, layer, call)
    return run_by_keras(run, layer, call)


def run_by_keras(run: Run, callee: Value, call: Call) -> Value:
    """Keras runs a function as it is; Keras 2 has some of them converted."""
    if isinstance(callee, Bound) and isinstance(callee.target, Function):
        callee = Bound(conversion.called_by_keras(run, callee.target), callee.receiver)
    elif isinstance(callee, Function):
        callee = conversion.called_by_keras(run, callee)
    elif isinstance(callee, Object):
        return run_by_keras(run, run.interpreter.attribute(run, call.frame, callee, "__call__", UNDEFINED), call)
    elif not isinstance(callee, Bound):
        return UNKNOWN
    return run.interpreter.call_value(run, callee, call)


def _batch(run: Run, value: Value, name: str, given: Named) -> Value:
    """One batch of what a method of a model is given."""
    if isinstance(value, Dataset):
        return value.element
    if isinstance(value, (Tensor, Variable, Array)):
        arrays = isinstance(value, Array) or not run.keras_converts
        as_it_is = value.dtype not in dtypes.FLOATS or name.endswith("_on_batch") or not arrays
        dtype = value.dtype if as_it_is else "float32"
        return Tensor(dtype, (_rows(value.shape[0], name, given), *value.shape[1:]) if value.shape else None)
    return UNKNOWN


_BATCH_SIZE = 32
"""How many rows Keras puts into a batch where nobody says."""


def _rows(whole: int | None, name: str, given: Named) -> int | None:
    """How many rows a batch has by its static shape: None where the last one is smaller than those before."""
    wanted = given.get("batch_size", NONE)
    size = _BATCH_SIZE if wanted == NONE else wanted.value if isinstance(wanted, Constant) else None
    if whole is None or whole == ANY or not isinstance(size, int) or size < 1:
        return ANY
    if name.endswith("_on_batch") or "validation_split" in given:
        return ANY
    if name == "predict" and whole < size:
        return whole
    return None if whole % size else size


@contextmanager
def graph(run: Run) -> Generator[None]:
    """Trace a graph of Keras' own; what it leaves behind isn't known, so nothing of it is kept.

    On another backend it is no graph of TensorFlow's.
    """
    if run.context.graph:
        yield
        return
    with run.beside(), run.within(graph=not run.keras_is_foreign, constructs=(), loops=()):
        run.state.outside = dict(run.state.cells)
        yield


@contextmanager
def traced(run: Run, function: Value = UNKNOWN, symbolic: bool = False) -> Generator[None]:
    """Trace a graph of Keras' own, at whose end is told what it leaves behind: numbers that froze, and tensors."""
    with graph(run):
        with trace_effects.recorded(run, function, [], {}, symbolic=symbolic) as seen:
            yield
        inside = run.state
    for past in seen:
        keras_leaks.keep(run, past, inside)


def is_input(name: str) -> bool:
    return name in ("tf.keras.Input", "tf.keras.layers.Input")


_IN_A_STEP = frozenset({"call", "train_step", "test_step", "predict_step", "compute_loss", "update_state"})
_CALLED_IN_A_STEP = (_SCHEDULE, "tf.keras.regularizers.", "tf.keras.constraints.")
"""The classes whose instances Keras calls in a step."""


def is_called_by_fit(run: Run, function: Function) -> bool:
    """Whether it is a method of a layer, model, loss, metric and the like that Keras calls in the graph of a step."""
    owner, name = function.owner, getattr(function.node, "name", "")
    base = class_bases.outside_base(owner) if isinstance(owner, Class) else None
    if not isinstance(owner, Class) or base is None or not base.startswith("tf.keras."):
        return False
    by_name = name in _IN_A_STEP or (name == "result" and base.startswith("tf.keras.metrics."))
    called = name == "__call__" and base.startswith(_CALLED_IN_A_STEP)
    return (by_name or called) and name not in class_bases.set_by_new(run, owner)


def steps(run: Run, class_: Class) -> list[Function]:
    """The methods of a class, or of the project's that it inherits from, that Keras calls in the graph of a step."""
    if not class_bases.is_keras(class_):
        return []
    held = [class_bases.declared(run, class_, name) for name in sorted({*_IN_A_STEP, "result", "__call__"})]
    return [value for value in held if isinstance(value, Function) and is_called_by_fit(run, value)]
