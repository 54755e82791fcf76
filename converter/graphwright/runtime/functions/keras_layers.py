"""Keras layers called from converted code: their user-written `call` runs converted, nested layers' too.

Keras itself never converts `call`. Nothing of a layer stays changed once the call is over.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any, cast

from graphwright.libraries import is_library_function
from graphwright.runtime.basis.tensorflow import tf


def is_layer(entity: Any) -> bool:
    return _is_layer_class(cast("Any", type(entity)), "keras" in sys.modules or "tf_keras" in sys.modules)


@functools.lru_cache(maxsize=4096)
def _is_layer_class(kind: type, keras_loaded: bool) -> bool:
    if not keras_loaded:
        return False
    modules = [(base.__module__.partition(".")[0], base.__name__) for base in kind.__mro__]
    return ("keras", "Layer") in modules or ("tf_keras", "Layer") in modules


def layer_call(layer: Any, converted: Callable[[Any], Any]) -> Any:
    """What to call instead of a layer. Eager calls need nothing: converted code would do the same."""
    if tf.executing_eagerly():
        return layer

    def call(*args: Any, **kwargs: Any) -> Any:
        changed = [(each, *_converted_call(each, converted)) for each in _with_user_code(layer)]
        for each, own, _ in changed:
            each.__dict__["call"] = own
        try:
            return layer(*args, **kwargs)
        finally:
            for each, _, before in changed:
                if before is None:
                    each.__dict__.pop("call", None)
                else:
                    each.__dict__["call"] = before

    return call


def _converted_call(layer: Any, converted: Callable[[Any], Any]) -> tuple[Any, Any]:
    attributes: dict[str, Any] = layer.__dict__
    return converted(layer.call), attributes.get("call")


def _with_user_code(layer: Any) -> list[Any]:
    """The layers in a layer, itself included, whose `call` isn't the library's."""
    layers: list[Any] = list(layer._flatten_layers()) if hasattr(layer, "_flatten_layers") else [layer]
    return [each for each in layers if _is_users(each.__class__.call)]


def _is_users(call: Any) -> bool:
    if isinstance(call, types.FunctionType):
        return not is_library_function(call)
    inner = getattr(call, "python_function", None)
    return isinstance(inner, types.FunctionType) and not is_library_function(inner)
