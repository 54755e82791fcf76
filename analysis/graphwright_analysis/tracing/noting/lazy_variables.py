"""Variables that objects of Keras make when they are first called.

A trace that makes variables is made twice: whether a call makes some decides how many traces there are. Which objects
do so was asked of Keras, class by class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import Literal

import gast

from graphwright_analysis.tracing.facts import StateMade
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import class_bases
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    UNKNOWN,
    ApiInstance,
    Class,
    Constant,
    Function,
    KerasObject,
    KerasTensor,
    Object,
    Tuple,
    Unknown,
    Value,
)
from graphwright_analysis.values.lineage import lineage


class Making(Enum):
    """Whether a call makes variables."""

    NEVER = "never"
    PERHAPS = "perhaps"
    SURELY = "surely"


def note(run: Run, making: Making) -> None:
    """Note what a call makes."""
    if making is Making.SURELY and not run.context.uncertain:
        run.seen.makings += 1
    elif making is not Making.NEVER:
        run.seen.opaque += 1


# What has its variables


def identity(value: Value) -> int | None:
    """The number by which an object is told from others that were made alike."""
    if isinstance(value, Object):
        return value.id if value.kind == "instance" else None
    return value.made or None if isinstance(value, KerasObject) else None


def built(run: Run, value: Value) -> None:
    """From here on a model or layer, and what it is made of, has its variables."""
    _set(run, value, NONE)
    for part in _parts(value):
        built(run, part)


def doubt(run: Run, value: Value) -> None:
    """From here on nobody knows whether it has its variables."""
    if not isinstance(value, (Tuple, Object, KerasObject)):
        return
    for held in value.items if isinstance(value, Tuple) else (value,):
        key = identity(held)
        if key is not None and run.state.value(key, marks.BUILT) is UNDEFINED:
            _set(run, held, UNKNOWN)
            for part in _parts(held):
                doubt(run, part)


def is_bare(run: Run, value: Value) -> bool:
    """Whether it surely has none yet of the variables that it makes when it is called."""
    key = identity(value)
    return key is not None and run.state.value(key, marks.BUILT) is UNDEFINED


def _set(run: Run, value: Value, content: Value) -> None:
    key = identity(value)
    if key is not None:
        run.state.set(key, marks.BUILT, content)


def _has_been_built(run: Run, value: Value) -> bool:
    key = identity(value)
    return key is not None and run.state.value(key, marks.BUILT) == NONE


def _parts(value: Value) -> Iterable[Value]:
    """The layers that a model of Keras's own is made of."""
    settings = dict(value.settings) if isinstance(value, KerasObject) else {}
    layers = settings.get("layers", settings.get("added"))
    return layers.items if isinstance(layers, Tuple) else ()


# What a call makes


def called(run: Run, callee: Value, call: Call) -> None:
    """Note a call of one of Keras's objects, after which it has its variables."""
    _note_first(run, _making(run, callee), callee, call)
    built(run, callee)


def _note_first(run: Run, making: Making, maker: Value, call: Call) -> None:
    """Note what a first call makes, and that it does so in a later trace of a function than its first."""
    note(run, making)
    entry = run.context.entry
    late = entry is not None and entry.again and run.context.graph and not run.context.uncertain
    if making is not Making.SURELY or not late or call.node is None:
        return
    type_ = maker.type if isinstance(maker, Object) else None
    name = type_.node.name if isinstance(type_, Class) else maker.name if isinstance(maker, ApiInstance) else ""
    statement = place_of(call.frame, run.statement or call.node)
    run.note(StateMade(call.place, statement, name, again=True, in_loop=False, hoist=None))


def method_called(run: Run, receiver: Value, name: str, call: Call) -> None:
    """Note a call of a method whose code isn't followed."""
    if isinstance(receiver, Object):
        keras = receiver.type is not None and class_bases.is_keras(receiver.type)
        note(run, Making.PERHAPS if keras else Making.NEVER)
        return
    if not isinstance(receiver, ApiInstance):
        note(run, Making.PERHAPS if isinstance(receiver, Unknown) else Making.NEVER)
        return
    if name in _WITHOUT_VARIABLES or (receiver.name.startswith("tf.random.") and name != "split"):
        return
    if name in _UPDATING and receiver.name.startswith(_OPTIMIZERS):
        _note_first(run, _of_optimizer(run, receiver), receiver, call)
        built(run, receiver)
    elif name in _JUDGING and receiver.name.startswith(_METRICS):
        note(run, _making(run, receiver))
        built(run, receiver)
    else:
        note(run, Making.PERHAPS)
        if name in _BUILDING:
            built(run, receiver)
        elif name != "compile":
            doubt(run, receiver)


def layer_called(run: Run, layer: Object, call: Call) -> None:
    """Note a call of a layer or model of the project: its `build` runs first, and its `call` is followed."""
    assert layer.type is not None
    if class_bases.outside_base(layer.type) not in _FOLLOWED_BASES:
        making = Making.NEVER if _has_been_built(run, layer) else Making.PERHAPS
    elif (body := _build_of(run, layer.type)) is None or _has_been_built(run, layer):
        making = Making.NEVER
    else:
        names = {each.attr for each in gast.walk(body) if isinstance(each, gast.Attribute)}
        making = Making.SURELY if is_bare(run, layer) and names & {"add_weight", "Variable"} else Making.PERHAPS
    _note_first(run, making, layer, call)
    _set(run, layer, NONE)


def _making(run: Run, callee: Value) -> Making:
    """Whether calling it here makes variables."""
    if not isinstance(callee, ApiInstance):
        return Making.PERHAPS
    if _has_been_built(run, callee) or callee.name.startswith(_WITHOUT):
        return Making.NEVER
    kind = callee.name.rpartition(".")[2]
    if callee.name.startswith(_METRICS):
        return Making.PERHAPS if kind in _LATE_METRICS else Making.NEVER
    if kind in ("Sequential", "Model"):
        return _of_model(run, callee, kind)
    if not callee.name.startswith("tf.keras.layers."):
        return Making.PERHAPS
    if _NEVER.fullmatch(kind):
        return Making.NEVER
    return Making.SURELY if _AT_FIRST.fullmatch(kind) and is_bare(run, callee) else Making.PERHAPS


def _of_model(run: Run, model: ApiInstance, kind: Literal["Sequential", "Model"]) -> Making:
    settings = dict(model.settings) if isinstance(model, KerasObject) else {}
    if kind == "Model":
        return Making.NEVER if "inputs" in settings else Making.PERHAPS
    parts = [*_parts(model)]
    if "layers" not in settings or not parts:
        return Making.PERHAPS
    first = parts[0]
    told = {name for name, _ in first.settings} if isinstance(first, KerasObject) else set[str]()
    if isinstance(first, KerasTensor) or told & SHAPED:
        return Making.NEVER
    makings = {_making(run, part) for part in parts}
    if Making.SURELY in makings:
        return Making.SURELY
    return Making.PERHAPS if Making.PERHAPS in makings else Making.NEVER


def _of_optimizer(run: Run, optimizer: ApiInstance) -> Making:
    if _has_been_built(run, optimizer):
        return Making.NEVER
    if not is_bare(run, optimizer) or not isinstance(optimizer, KerasObject):
        return Making.PERHAPS
    settings, kind = dict(optimizer.settings), optimizer.name.rpartition(".")[2]
    if kind == "SGD":
        momentum = settings.get("momentum", Constant(0))
        if not isinstance(momentum, Constant) or "use_ema" in settings:
            return Making.PERHAPS
        return Making.SURELY if momentum.value else Making.NEVER
    return Making.SURELY if kind in _WITH_SLOTS else Making.PERHAPS


def _build_of(run: Run, type_: Value) -> gast.AST | None:
    """The `build` that a class of the project brings."""
    held = (run.state.value(each.id, "build") for each in lineage(type_) if isinstance(each, Class))
    return next((value.node for value in held if isinstance(value, Function)), None)


SHAPED = frozenset({"input_shape", "batch_input_shape", "batch_shape", "input_length"})
"""Settings of a layer by which a model knows the shape of what it is given."""

_WITHOUT = ("tf.keras.losses.", "tf.types.experimental.ConcreteFunction")
"""What never makes variables when it is called."""
_OPTIMIZERS = "tf.keras.optimizers."
_METRICS = "tf.keras.metrics."
_FOLLOWED_BASES = frozenset({"tf.keras.Model", "tf.keras.layers.Layer", "tf.keras.Layer"})
_WITHOUT_VARIABLES = frozenset(
    {
        "result",
        "reset_state",
        "reset_states",
        "get_config",
        "summary",
        "as_default",
        "scope",
        "run",
        "reduce",
        "experimental_local_results",
        "get_initial_state",
        "experimental_distribute_dataset",
        "distribute_datasets_from_function",
    }
)
_UPDATING = frozenset({"apply_gradients", "apply", "minimize", "build"})
_JUDGING = frozenset({"update_state", "__call__"})
_BUILDING = frozenset({"build", "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch"})
_WITH_SLOTS = frozenset({"Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion", "Nadam", "RMSprop"})
_LATE_METRICS = frozenset({"F1Score", "FBetaScore", "R2Score"})
_AT_FIRST = re.compile(
    r"""(Separable|Depthwise)?Conv(olution)?[123]D(Transpose)?|ConvLSTM[123]D|(Einsum)?Dense|Embedding|PReLU
    |(Batch|Group|Layer|RMS)Normalization|(GRU|LSTM|SimpleRNN)(Cell)?|MultiHeadAttention""",
    re.VERBOSE,
)
_NEVER = re.compile(
    r"""(Global)?(Average|Avg|Max)Pool(ing)?[123]D|(ZeroPadding|UpSampling|Cropping)[123]D|CenterCrop
    |(Spatial|Alpha|Gaussian)?Dropout([123]D)?|GaussianNoise|Random(Crop|Flip|Rotation|Translation|Zoom|Contrast|Brightness)
    |Activation|ActivityRegularization|(Leaky)?ReLU|ELU|Softmax|UnitNormalization|Rescaling|Resizing|CategoryEncoding
    |Add|Average|Concatenate|Dot|Maximum|Minimum|Multiply|Subtract|Attention
    |Flatten|Identity|InputLayer|Lambda|Masking|Permute|RepeatVector|Reshape""",
    re.VERBOSE,
)
