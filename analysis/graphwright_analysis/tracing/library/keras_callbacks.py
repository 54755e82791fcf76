"""The callbacks of the project that Keras calls around its steps, eagerly, once what the steps run has been traced."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import keras_leaks
from graphwright_analysis.tracing.reading import class_bases, held_values
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    ApiInstance,
    Bound,
    Function,
    KerasObject,
    Object,
    Scalar,
    Value,
)

_BASE = "tf.keras.callbacks.Callback"
_OF_LAMBDAS = "tf.keras.callbacks.LambdaCallback"
_HOOKS = {
    "fit": (
        "on_train_begin", "on_epoch_begin", "on_train_batch_begin", "on_batch_begin", "on_train_batch_end",
        "on_batch_end", "on_epoch_end", "on_train_end",
    ),
    "evaluate": ("on_test_begin", "on_test_batch_begin", "on_test_batch_end", "on_test_end"),
    "predict": ("on_predict_begin", "on_predict_batch_begin", "on_predict_batch_end", "on_predict_end"),
}  # fmt: skip


def follow(run: Run, frame: Frame, model: Value, name: str, given: Value) -> None:
    """Follow what the callbacks do that a method of a model is given; what they change is known no longer."""
    if given == NONE:
        return
    callbacks = held_values.elements_of(run, given)
    called_eagerly = callbacks is None
    for callback in callbacks or ():
        before = run.state
        with run.beside():
            if isinstance(callback, Object):
                run.state.set(callback.id, "model", model)
            for hook, target in _hooks(run, frame, callback, name):
                run.interpreter.call_value(run, target, Call(frame, _arguments(hook)))
            followed = isinstance(callback, ApiInstance) or _is_callback(callback)
            called_eagerly |= not followed or keras_leaks.are_replaced(run, before)
    if called_eagerly:
        keras_leaks.doubt(run)


def _hooks(run: Run, frame: Frame, callback: Value, name: str) -> Iterator[tuple[str, Value]]:
    settings = dict(callback.settings) if isinstance(callback, KerasObject) and callback.name == _OF_LAMBDAS else {}
    for hook in _HOOKS.get(name, ()):
        found = settings.get(hook)
        if isinstance(callback, Object) and _is_callback(callback):
            found = run.interpreter.attribute(run, frame, callback, hook, UNKNOWN)
        if isinstance(found, (Bound, Function)):
            yield hook, found


def _is_callback(value: Value) -> bool:
    return isinstance(value, Object) and value.type is not None and class_bases.outside_base(value.type) == _BASE


def _arguments(hook: str) -> list[Value]:
    numbered = "batch" in hook or "epoch" in hook
    return [Scalar(int), UNKNOWN] if numbered else [UNKNOWN]
