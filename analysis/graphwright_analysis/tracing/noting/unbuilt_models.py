"""The variables of a Keras model that are asked for before the model has made any: on its first call it makes them.

Judged are models of which everything is known: a Sequential without an Input, or a subclass that holds nothing but
layers, and that nobody has called, built, or handed to code which isn't followed.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.tracing.facts import SnapshotUsed
from graphwright_analysis.tracing.machine import marks, open_instances
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import class_bases, name_lookup
from graphwright_analysis.values.domain import (
    NONE,
    Api,
    ApiInstance,
    Bound,
    Class,
    Constant,
    Function,
    KerasObject,
    Method,
    Object,
    Partial,
    Scalar,
    Traced,
    Tuple,
    Value,
    VariablesSnapshot,
)

from . import lazy_variables, made_variables
from .outside_calls import Given

_READ = frozenset({"trainable_variables", "trainable_weights", "variables", "weights"})
_FOLLOWED = (Function, Bound, Class, Partial, Traced)


def read(run: Run, frame: Frame, node: gast.Attribute, owner: Value, found: Value) -> Value:
    """What an attribute read gives: a snapshot of no variables, where the model surely has none yet."""
    if node.attr not in _READ or not run.context.graph or not isinstance(owner, (KerasObject, Object)):
        return found
    key = _key(run, owner)
    if key is None or not lazy_variables.is_bare(run, owner):
        return found
    run.state.set(key, marks.VARIABLES_READ, NONE, place_of(frame, node))
    return VariablesSnapshot(key)


def note_call(run: Run, frame: Frame, callee: Value, given: Sequence[Given], node: gast.Call) -> None:
    """Remember which models a call may build, and note an optimizer that is given what was read before."""
    if isinstance(callee, Bound):
        lazy_variables.doubt(run, callee.receiver)
    if not isinstance(callee, _FOLLOWED) and not _leaves_models(callee):
        for value, _, _ in given:
            lazy_variables.doubt(run, value)
    if isinstance(callee, Method) and callee.name == "apply_gradients" and isinstance(callee.receiver, ApiInstance):
        _note_applied(run, frame, node)


def _leaves_models(callee: Value) -> bool:
    """Whether what a class of TensorFlow's is given to hold stays as it is."""
    return isinstance(callee, Api) and callee.name.startswith(("tf.train.", "tf.keras.Sequential", "tf.keras.Model"))


def _note_applied(run: Run, frame: Frame, node: gast.Call) -> None:
    for argument in node.args:
        for child in gast.walk(argument):
            if not isinstance(child, gast.Name):
                continue
            around = name_lookup.enclosing(frame, child.id)
            value = None if around is None else run.state.value(around.id, child.id)
            if not isinstance(value, VariablesSnapshot):
                continue
            if (place := run.state.place((value.model, marks.VARIABLES_READ))) is not None:
                run.note(SnapshotUsed(place, place_of(frame, node), child.id))


def _key(run: Run, owner: KerasObject | Object) -> int | None:
    """What the model is known by, if it surely makes its variables when it is first called."""
    parts: tuple[object, ...]
    if isinstance(owner, KerasObject):
        layers = dict(owner.settings).get("layers")
        parts = layers.items if isinstance(layers, Tuple) else ()
    elif (
        owner.type is None
        or class_bases.outside_base(owner.type) != "tf.keras.Model"
        or open_instances.is_open(run, owner)
    ):
        return None
    else:
        held = [value for name, value in run.state.owned(owner.id).items() if not name.startswith(marks.SIGN)]
        parts = tuple(v for v in held if not isinstance(v, (Constant, Scalar)))
    return lazy_variables.identity(owner) if parts and all(map(_is_late, parts)) and any(map(_owns, parts)) else None


def _is_late(layer: object) -> bool:
    if not isinstance(layer, KerasObject) or not layer.name.startswith("tf.keras.layers."):
        return False
    shaped = lazy_variables.SHAPED | (
        frozenset[str]() if layer.name.endswith("Embedding") else frozenset({"input_dim"})
    )
    return not shaped & {name for name, _ in layer.settings} and "Input" not in layer.name


def _owns(layer: object) -> bool:
    return isinstance(layer, KerasObject) and "Dropout" not in layer.name and made_variables.owns_variables(layer.name)
