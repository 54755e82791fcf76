"""Methods of instances that they don't keep alive, as TensorFlow holds those of a `tf.function`."""

from __future__ import annotations

import functools
import inspect
import weakref
from typing import Any

from graphwright.twins import Twin


def weakly_bound(function: Any, reference: weakref.ref[Any]) -> Any:
    """A method of an instance that the method doesn't keep alive, as TensorFlow holds its own."""

    @functools.wraps(function)
    def method(*args: Any, **kwargs: Any) -> Any:
        return function(reference(), *args, **kwargs)

    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[1:]
    method.__dict__.pop("__wrapped__", None)
    method.__dict__.pop(Twin.KEY, None)
    method.__dict__["__signature__"] = signature.replace(parameters=parameters)
    method.__dict__["autograph_info__"] = {}
    return method
