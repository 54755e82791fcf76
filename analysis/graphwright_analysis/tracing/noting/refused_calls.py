"""Calls that TensorFlow or Python surely refuses: operands that don't fit, a Variable's new value, sizes that are None.

Each is noted once, and its result is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.tracing.facts import Operand, SymbolGiven, WeightPassed
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Api,
    Array,
    KerasObject,
    KerasTensor,
    Method,
    Object,
    StaticShape,
    Tensor,
    Tuple,
    UnknownSize,
    Value,
    Variable,
    dtype_of,
    is_tensor_like,
    python_kind,
)
from graphwright_analysis.values.keras_variables import KerasVariable
from graphwright_analysis.values.lost_shapes import RanklessTensor
from graphwright_analysis.values.tensorflow import functions, refusals, tables

from . import lazy_variables, refused_operations
from .outside_calls import Given


def noted(run: Run, frame: Frame, callee: Value, given: Sequence[Given], node: gast.Call) -> bool:
    """Whether the call is refused, which is noted."""
    if isinstance(callee, Api) and _symbols_given(run, frame, callee.name, given, node):
        return True
    if not refused_operations.is_judged(run):
        return False
    if any(isinstance(at, gast.Starred) or name == "**" for _, at, name in given):
        return False
    if isinstance(callee, Api):
        missing = _size_missing(run, frame, callee.name, given, node)
        return missing or _unfit(run, frame, callee.name, given, node)
    if isinstance(callee, KerasObject):
        return _misfit(run, frame, callee, given, node)
    if not isinstance(callee, Method) or callee.name not in _ASSIGNING or isinstance(callee.receiver, KerasVariable):
        return False
    if run.numpy_behavior:
        return False
    receiver = callee.receiver
    return isinstance(receiver, Variable) and _assigned(run, frame, receiver, callee.name, given, node)


def _symbols_given(run: Run, frame: Frame, name: str, given: Sequence[Given], node: gast.Call) -> bool:
    """A placeholder of Keras' among what a function gets that computes; Keras 2 makes a layer of the function."""
    if not name.startswith(("tf.", "np.")) or run.keras_converts or run.tensorflow < tables.OLDEST:
        return False
    table = name[3:] if name.startswith("tf.") and not name.startswith("tf.keras.") else name
    if name not in _TAKING_TENSORS and (not functions.is_known(table) or name == "np.shape"):
        return False
    for value, at, _ in given:
        inside = held_values.elements_of(run, value) if isinstance(value, (Object, Tuple)) else None
        if any(isinstance(each, KerasTensor) for each in inside or (value,)):
            if not run.context.attempts:
                run.note(SymbolGiven(place_of(frame, at), name, place_of(frame, node)))
            return True
    return False


_TAKING_TENSORS = frozenset(
    {
        "tf.py_function", "tf.numpy_function", "tf.map_fn", "tf.vectorized_map", "tf.scan", "tf.foldl", "tf.foldr",
        "tf.cond", "tf.switch_case", "tf.while_loop", "tf.ensure_shape", "tf.Variable",
        "tf.data.Dataset.from_tensors", "tf.data.Dataset.from_tensor_slices",
    }
)  # fmt: skip
"""What refuses a placeholder of Keras' as well, though the table of functions doesn't have it."""


def _unfit(run: Run, frame: Frame, name: str, given: Sequence[Given], node: gast.Call) -> bool:
    if not name.startswith("tf.") or run.numpy_behavior:
        return False
    positional = [value for value, _, keyword in given if keyword is None]
    named = {keyword: value for value, _, keyword in given if keyword is not None}
    eager = not run.context.graph
    found = refusals.refusal(name[3:], positional, named, lambda value: held_values.elements_of(run, value), eager)
    if found is None or (
        found.kind == "dtype" and run.context.by_graphwright and _casts(run, (*positional, *named.values()))
    ):
        return False
    second = None if found.second is None else _operand(run, frame, found.second, found.second_at, given, node)
    first = _operand(run, frame, found.first, found.first_at, given, node)
    refused_operations.note_refused(run, frame, node, name, found.kind, first, second, found.words)
    return True


def _casts(run: Run, given: Sequence[Value]) -> bool:
    """Whether Graphwright casts one of the arguments for what is beside it."""
    held = [part for value in given for part in held_values.elements_of(run, value) or () if not is_tensor_like(value)]
    return any(isinstance(value, Tensor) and value.number for value in (*given, *held))


def _operand(run: Run, frame: Frame, value: Value, at: int | str, given: Sequence[Given], node: gast.Call) -> Operand:
    positional = [expression for _, expression, keyword in given if keyword is None]
    if isinstance(at, int):
        expression = positional[at] if at < len(positional) else node
    else:
        expression = next((expression for _, expression, keyword in given if keyword == at), node)
    return refused_operations.operand(run, frame, value, expression)


def _misfit(run: Run, frame: Frame, callee: KerasObject, given: Sequence[Given], node: gast.Call) -> bool:
    """A layer that gets an input of another rank than it wants, or without the size that its weights have."""
    words = _misfitting(callee, given[0][0]) if given else None
    if words is None and given and lazy_variables.is_bare(run, callee):
        words = _without_last_size(callee, given[0][0])
    if words is None:
        return False
    first = _operand(run, frame, given[0][0], 0, given, node)
    refused_operations.note_refused(run, frame, node, callee.name, "shape", first, None, words)
    return True


def _misfitting(callee: Value, value: Value) -> str | None:
    """Why a layer refuses its input, or None where that isn't sure."""
    if isinstance(callee, KerasObject) and isinstance(value, RanklessTensor):
        known = callee.name.rpartition(".")[2] in {*_RANKS, "Flatten", "Embedding", "BatchNormalization"}
        return "the rank of its input depends on which branch is taken" if known else None
    shaped = isinstance(value, (Tensor, Variable, Array, KerasTensor))
    if not isinstance(callee, KerasObject) or not shaped or value.shape is None:
        return None
    wanted = _RANKS.get(callee.name.rpartition(".")[2])
    if wanted is None or len(value.shape) == wanted or (wanted < 0 and len(value.shape) >= -wanted):
        return None
    least = "at least " if wanted < 0 else ""
    return f"its input has shape {shapes.text(value.shape)}, but it requires {least}{abs(wanted)} axes"


def _without_last_size(callee: KerasObject, value: Value) -> str | None:
    """Why a layer can't make its weights for an input, or None where it can or that isn't known."""
    if callee.name.rpartition(".")[2] not in _BY_LAST_AXIS or {"axis", "data_format"} & dict(callee.settings).keys():
        return None
    if not isinstance(value, (Tensor, KerasTensor)) or not value.shape or value.shape[-1] is not None:
        return None
    return f"its input has shape {shapes.text(value.shape)}, but it requires a last axis of known size"


_BY_LAST_AXIS = frozenset(
    {
        "Dense", "LSTM", "GRU", "SimpleRNN", "Conv1D", "Conv2D", "Conv3D", "Conv1DTranspose", "Conv2DTranspose",
        "Conv3DTranspose", "SeparableConv1D", "SeparableConv2D", "DepthwiseConv1D", "DepthwiseConv2D",
        "BatchNormalization", "LayerNormalization", "GroupNormalization",
    }
)  # fmt: skip
"""The layers whose weights have the size of the input's last axis."""
_RANKS = {
    "LSTM": 3, "GRU": 3, "SimpleRNN": 3, "Conv1D": -3, "Conv2D": -4, "Conv3D": -5, "Dense": -2,
    "MaxPooling1D": 3, "MaxPooling2D": 4, "MaxPool2D": 4, "AveragePooling2D": 4,
    "GlobalAveragePooling1D": 3, "GlobalAveragePooling2D": 4, "GlobalMaxPooling1D": 3, "GlobalMaxPooling2D": 4,
}  # fmt: skip
"""How many axes a layer's input must have; at least so many where negative."""


# Variables


def note_weights_passed(run: Run, call: Call) -> None:
    """Note that a traced function is called in a graph with variables of Keras', whose values it would read."""
    if not run.context.graph or not isinstance(call.node, gast.Call):
        return
    for value in call.values:
        entries = run.state.entries(value.id) if isinstance(value, Object) else None
        held = [part for _, part in entries.known] if entries is not None else held_values.elements_of(run, value)
        if isinstance(value, KerasVariable) or any(isinstance(part, KerasVariable) for part in held or ()):
            span = call.frame.block.range_of(call.node.func)
            name = call.frame.block.text[span.start : span.end]
            refused_operations.note(run, WeightPassed(call.place, name))
            return


_ASSIGNING = frozenset({"assign", "assign_add", "assign_sub"})


def _assigned(run: Run, frame: Frame, variable: Variable, method: str, given: Sequence[Given], node: gast.Call) -> bool:
    value = next(((v, at) for v, at, keyword in given if keyword in (None, "value", "delta")), None)
    if value is None or value[0] == UNKNOWN or not isinstance(node.func, gast.Attribute):
        return False
    words, kind = _other_dtype(run, variable, value[0]), "assigned dtype"
    if words is None:
        words, kind = _other_shape(run, variable, value[0]), "assigned shape"
    if words is None:
        return False
    first, second = (refused_operations.operand(run, frame, *side) for side in ((variable, node.func.value), value))
    refused_operations.note_refused(run, frame, node, method, kind, first, second, words)
    return True


def _other_dtype(run: Run, variable: Variable, value: Value) -> str | None:
    wanted, has = variable.dtype, dtype_of(value)
    if wanted is None or has is None:
        return None
    if is_tensor_like(value):
        return f"{has}, but the variable is {wanted}" if has != wanted else None
    if python_kind(value) is float and wanted in dtypes.INTEGERS:
        return f"a Python float, but the variable is {wanted}"
    return None


def _other_shape(run: Run, variable: Variable, value: Value) -> str | None:
    has, wanted = held_values.as_tensor(run, value).shape, variable.shape
    if wanted is None or has is None:
        return None
    fits = len(wanted) == len(has) and all(refused_operations.may_equal(a, b) for a, b in zip(wanted, has, strict=True))
    return None if fits else f"shape {shapes.text(has)}, but the variable has shape {shapes.text(wanted)}"


# Sizes that are None


def _size_missing(run: Run, frame: Frame, name: str, given: Sequence[Given], node: gast.Call) -> bool:
    for position, (value, expression, keyword) in enumerate(given):
        if _wants_number(run, name, value, position if keyword is None else keyword):
            found = _none_in(run, value, expression)
            if found is not None:
                refused_operations.note_missing_size(run, frame, name, found, node)
                return True
    return False


def _wants_number(run: Run, name: str, value: Value, parameter: int | str) -> bool:
    """Whether a function refuses a size that is None in an argument, given by position or keyword."""
    if name == "tf.TensorArray":
        return parameter in (1, "size")
    if name == "tf.keras.layers.Reshape":
        # It leaves out one size, as with -1.
        elements = held_values.elements_of(run, value) or ()
        return sum(isinstance(element, UnknownSize) for element in elements) > 1
    if name.startswith("tf.keras.layers."):
        return name.rpartition(".")[2] in _SIZED_LAYERS and parameter in _LAYER_SIZES
    return name in _WANTS_NUMBERS and parameter not in ("name", "dtype", "seed", "axis")


def _none_in(run: Run, value: Value, expression: gast.AST) -> tuple[UnknownSize, gast.AST] | None:
    """The first size that is None in an argument, with the expression that gives it."""
    if isinstance(value, UnknownSize):
        return value, expression
    if not isinstance(value, (Tuple, Object, StaticShape)):
        return None
    elements = held_values.elements_of(run, value) or ()
    written = expression.elts if isinstance(expression, (gast.List, gast.Tuple)) else ()
    for position, element in enumerate(elements):
        if isinstance(element, UnknownSize):
            exact = len(written) == len(elements) and not any(isinstance(e, gast.Starred) for e in written)
            return element, written[position] if exact else expression
    return None


_WANTS_NUMBERS = frozenset(
    {
        "range", "int", "float", "min", "max", "abs", "round", "tf.zeros", "tf.ones", "tf.fill", "tf.reshape",
        "tf.broadcast_to", "tf.tile", "tf.range", "tf.one_hot", "tf.random.normal", "tf.random.uniform",
        "tf.random.truncated_normal", "tf.random.stateless_uniform", "tf.random.stateless_normal", "tf.cast",
        "tf.constant", "tf.convert_to_tensor", "tf.eye", "tf.split", "tf.slice", "tf.repeat", "tf.linspace", "tf.pad",
        "tf.stack", "tf.maximum", "tf.minimum", "tf.math.maximum", "tf.math.minimum", "tf.sqrt", "tf.math.sqrt",
        "tf.scatter_nd", "tf.math.unsorted_segment_sum", "tf.image.resize", "np.zeros", "np.ones", "np.arange",
        "tf.keras.ops.zeros", "tf.keras.ops.ones", "tf.keras.ops.full", "tf.keras.ops.empty", "tf.keras.ops.eye",
        "tf.keras.ops.reshape", "tf.keras.ops.broadcast_to", "tf.keras.ops.tile", "tf.keras.ops.repeat",
        "tf.keras.ops.arange", "tf.keras.ops.linspace", "tf.keras.ops.one_hot", "tf.keras.ops.cast",
        "tf.keras.ops.maximum", "tf.keras.ops.minimum", "tf.keras.ops.sqrt", "tf.keras.ops.convert_to_tensor",
        "tf.keras.random.normal", "tf.keras.random.uniform", "tf.keras.random.truncated_normal",
    }
)  # fmt: skip
"""Functions in whose arguments a size that is None is refused."""
_SIZED_LAYERS = frozenset(
    {
        "Dense", "LSTM", "GRU", "SimpleRNN", "Conv1D", "Conv2D", "Conv3D", "Conv1DTranspose", "Conv2DTranspose",
        "Conv3DTranspose", "SeparableConv1D", "SeparableConv2D", "Embedding", "RepeatVector", "UpSampling1D",
        "UpSampling2D", "UpSampling3D", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "MaxPool2D",
        "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "Cropping1D", "Cropping2D",
    }
)  # fmt: skip
"""Layers that refuse a size that is None as their first argument."""
_LAYER_SIZES = (
    0, "units", "filters", "kernel_size", "input_dim", "output_dim", "n", "size", "pool_size", "cropping",
)  # fmt: skip
