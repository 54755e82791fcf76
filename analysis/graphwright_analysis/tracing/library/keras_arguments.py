"""What Keras makes of the arguments of a call before code of the project receives them.

Placeholders become tensors, floats get the layer's dtype, and Keras passes `training` and masks by itself. Nothing is
called here.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from graphwright_analysis.flow.tree import walk
from graphwright_analysis.immutability import immutable
from graphwright_analysis.tracing.functions.decorators import function_behind
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import State
from graphwright_analysis.tracing.reading import class_bases
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Bound,
    Composite,
    KerasTensor,
    LayerCall,
    Object,
    Tensor,
    Value,
    Variable,
)

from . import structures

Named = dict[str, Value]


# Placeholders


def has_placeholder(run: Run, *values: Value) -> bool:
    """True if any of the values is a placeholder of a functional model, or has one in it."""
    return any(isinstance(leaf, KerasTensor) for value in values for leaf in structures.leaves(run, value))


def as_tensors(run: Run, value: Value) -> Value:
    """Return the structure with a tensor for each placeholder, as `call` receives it."""
    return structures.rebuilt(run, value, _as_tensor) if has_placeholder(run, value) else value


def as_placeholders(run: Run, value: Value, layers: tuple[LayerCall, ...] = (), source: State | None = None) -> Value:
    """Return the structure with a placeholder for each tensor; `source` is the state that holds its content."""

    def placeholder(leaf: Value) -> Value:
        if isinstance(leaf, (Tensor, Variable)):
            return KerasTensor(leaf.dtype, leaf.shape, layers)
        return leaf if isinstance(leaf, KerasTensor) else UNKNOWN

    return structures.rebuilt(run, value, placeholder, source)


def layers_of(run: Run, *values: Value) -> tuple[LayerCall, ...]:
    """Return the project's layers that the placeholders among the values have come through, the first ones first."""
    found = (call for value in values for leaf in structures.leaves(run, value) for call in _layers_of(leaf))
    return tuple(islice(dict.fromkeys(found), _MOST_LAYERS))


def layer_call(layer: Value, call: Call) -> LayerCall:
    """Return the call of a layer on tensors; of what may change by then nothing is known."""
    lasting = [UNKNOWN if isinstance(value, Object) else value for value in call.positional]
    named = tuple((name, value) for name, value in call.named.items() if not isinstance(value, Object))
    return LayerCall(layer, tuple(lasting), named)


_MOST_LAYERS = 64
"""How many layers of the project are remembered of a placeholder."""


def _layers_of(leaf: Value) -> tuple[LayerCall, ...]:
    return leaf.layers if isinstance(leaf, KerasTensor) else ()


def _as_tensor(leaf: Value) -> Value:
    return Tensor(leaf.dtype, leaf.shape) if isinstance(leaf, KerasTensor) else leaf


# Dtypes


def autocast(run: Run, value: Value) -> Value:
    """Return an argument as Keras passes it to `call`: floats in the layer's own dtype, new lists and dicts."""

    def cast(leaf: Value) -> Value:
        if isinstance(leaf, (Tensor, Array)) and leaf.dtype in dtypes.FLOATS:
            return Tensor("float32" if leaf.dtype == run.keras_dtype else None, leaf.shape)
        if isinstance(leaf, Composite) and leaf.dtype != run.keras_dtype and leaf.dtype in dtypes.FLOATS:
            return Composite(leaf.kind)
        return leaf

    return structures.rebuilt(run, value, cast)


def compared(run: Run, value: Value) -> Value:
    """Return what a loss receives for one of the structures that it compares: Keras 3 makes floats of all numbers."""

    def cast(leaf: Value) -> Value:
        if not isinstance(leaf, (Tensor, Array, Variable)) or leaf.dtype == "string":
            return leaf
        return Tensor(run.keras_dtype, leaf.shape)

    return value if run.keras_converts else structures.rebuilt(run, value, cast)


# What Keras passes by itself


@immutable
class Parameters:
    """The parameters of `call` that a caller may pass, without `self`."""

    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    defaults: Named
    takes_any: bool
    """True if it has `**kwargs`."""
    of_another: bool
    """True if `functools.wraps` has Keras read the signature of a different function."""

    def __contains__(self, name: str) -> bool:
        return name in self.positional or name in self.keyword_only

    def argument(self, name: str, call: Call) -> Value | None:
        """Return what a call passes for a parameter, if it does."""
        given = dict(zip(self.positional, call.positional, strict=False))
        return call.named.get(name, given.get(name))


def parameters_of(forward: Bound) -> Parameters | None:
    """Return the parameters of a method, or None where a decorator hides them."""
    function = function_behind(forward.target)
    if function is None:
        return None
    arguments = function.node.args
    names = [argument.id for argument in (*arguments.posonlyargs, *arguments.args)][1:]
    only = tuple(argument.id for argument in arguments.kwonlyargs)
    decorators = getattr(function.node, "decorator_list", ())
    wraps = any(getattr(node, "id", getattr(node, "attr", "")) == "wraps" for each in decorators for node in walk(each))
    return Parameters(tuple(names), only, dict(function.defaults), arguments.kwarg is not None, wraps)


def populated(run: Run, forward: Bound, call: Call) -> tuple[Mapping[str, Value], Value]:
    """Return the arguments by name that `call` receives, and `training` for the layers that it calls.

    Keras drops a `training` that `call` doesn't accept, passes that of the layer around where none is given, and passes
    the masks that its inputs carry.
    """
    parameters = parameters_of(forward)
    if parameters is None:
        return call.named, call.named.get("training", STATIC)
    training = _training(run, parameters, call)
    passed = {**call.named, **_masks(run, parameters, call)}
    if "training" in parameters.positional[: len(call.positional)]:
        return passed, training
    passed.pop("training", None)
    if "training" in parameters:
        undeclared = run.keras_converts and "training" not in parameters.defaults
        if training != NONE or "training" in call.named or undeclared:
            passed["training"] = training
    elif "training" in call.named and parameters.takes_any and (run.keras_converts or parameters.of_another):
        passed["training"] = training
    return passed, training


def unseen_training(owner: Value | None) -> Value:
    """Return the `training` that is in force in a method that nothing is seen to call."""
    return STATIC if owner is not None and class_bases.is_layer(owner) else NONE


def _training(run: Run, parameters: Parameters, call: Call) -> Value:
    """Return the value that is in force in a call: the caller's, that of the layer around, or the default."""
    given = parameters.argument("training", call)
    if given is not None and not (run.keras_converts and given == NONE):
        return given
    around = run.context.training
    return around if around != NONE else parameters.defaults.get("training", NONE)


def _masks(run: Run, parameters: Parameters, call: Call) -> Named:
    """Return the masks that Keras may pass where the caller passes none: nobody knows which inputs carry one."""
    names = (*parameters.positional[len(call.positional) :], *parameters.keyword_only)
    masks = [name for name in names if name == "mask" or (name.endswith("_mask") and name[:-5] in parameters)]
    if run.keras_converts:
        # Keras 2 takes None for an answer.
        masks = [name for name in masks if name not in call.named]
    return {name: UNKNOWN for name in masks if {**parameters.defaults, **call.named}.get(name) == NONE}
