"""What containers and objects are made of, and how they are made again. It knows nothing of graphs' control flow."""

from __future__ import annotations

import copy
import types
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from graphwright.runtime.basis.attributes import attributes_of, is_data, is_record
from graphwright.runtime.basis.births import note_new
from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.basis.outcomes import ReturnOutcome, Turn
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.tensorflow import tf


def is_numpy(value: Any) -> bool:
    """Whether it is an array or a scalar of NumPy."""
    return type(value).__module__ == "numpy" and hasattr(value, "dtype") and hasattr(value, "shape")


def is_dense(value: Any) -> bool:
    """Whether it is a tensor and not a composite one, a variable or a Python value."""
    return isinstance(value, tf.Tensor)


def is_container(value: Any) -> bool:
    """Whether a value is taken apart: its parts may differ between the sides."""
    if isinstance(value, (list, tuple, dict, ReturnOutcome, Turn)) or type(value) is DEQUE:
        return True
    if is_data(value) or not is_record(value):
        return is_data(value)
    return any(
        isinstance(item, list) or (is_tensor(item) and not isinstance(item, tf.Variable))
        for item in attributes_of(value).values()
    )


def is_tracked(kind: type) -> bool:
    """Whether it is the class of the lists that TensorFlow puts in the place of those in a `tf.Module`."""
    return kind.__name__ == "ListWrapper" and kind.__module__.startswith("tensorflow.")


def is_of_module(value: Any) -> bool:
    """Whether it is what TensorFlow puts in the place of a list or dict in a `tf.Module`."""
    return is_tracked(cast("Any", type(value))) or is_module_dict(value)


def is_module_dict(value: Any) -> bool:
    """Whether it is what TensorFlow puts in the place of a dict in a `tf.Module`."""
    kind = cast("type[Any]", type(value))
    return kind.__name__ == "_DictWrapper" and kind.__module__.startswith("tensorflow.")


def parts(value: Any) -> list[tuple[Any, Any]]:
    """Keys and what is under them."""
    if isinstance(value, dict):
        return list(value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, (list, tuple, DEQUE)):
        return list(enumerate(value))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return list(attributes_of(value).items())


def remake(template: Any, values: Mapping[Any, Any]) -> Any:
    """A container like another with other things in it."""
    made = _remade(template, values)
    note_new(made)
    return made


def _remade(template: Any, values: Mapping[Any, Any]) -> Any:
    if isinstance(template, tuple):
        kind = cast(Any, template).__class__  # The tuples of a module say of what class they are.
        return kind._make(values.values()) if hasattr(kind, "_make") else kind(values.values())
    kind = cast(Any, type(template))
    if kind is dict:
        return dict(values)
    if kind is DEQUE:
        return DEQUE(values.values(), template.maxlen)
    if kind is list or is_tracked(kind):
        return list(values.values())  # An attribute of a module that is set to a list tracks it.
    made: Any = object.__new__(kind) if kind.__new__ is object.__new__ else copy.copy(template)
    if isinstance(template, list):
        made[:] = values.values()
    elif isinstance(template, dict):
        # A Counter's own `update` adds to what is there.
        (_DICT if issubclass(kind, Counter) else kind).update(made, values)
    else:
        for name, value in {**attributes_of(template), **values}.items():
            object.__setattr__(made, name, value)
    return made


def same(left: Any, right: Any) -> bool:
    """Whether two Python values are one as far as a program can tell."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, _PLAIN) or type(left).__module__.startswith("tensorflow.python.framework"):
        return bool(left == right) or (left != left and right != right)
    if isinstance(left, types.MethodType):
        return left.__func__ is right.__func__ and left.__self__ is right.__self__
    return False


_DICT: Any = dict
_PLAIN = (bool, int, float, complex, str, bytes, range, slice, tf.DType, tf.TensorShape)
