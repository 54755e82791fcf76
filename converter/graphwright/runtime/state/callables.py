"""Functions and other callables as values of which the graph chooses one: which they are, and which are one made again.

What calls the chosen one isn't here.
"""

from __future__ import annotations

import functools
import types
from typing import Any, cast

from graphwright.runtime.basis.context import is_tensor
from graphwright.twins import Twin

FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinMethodType, functools.partial)
"""What holds variables of the functions around it, arguments, or the object whose method it is."""


def is_callable(value: Any) -> bool:
    """Whether a value can be called, and isn't a class or one of our own things."""
    if not callable(value) or isinstance(value, type) or is_tensor(value):
        return False
    return not cast("type[Any]", type(value)).__module__.startswith("graphwright.")


def key_of(value: Any) -> Any:
    """Tells a value from others; each trace makes functions of the same code and the same variables again."""
    if isinstance(value, types.FunctionType) and not vars(value).keys() - {Twin.KEY}:
        held = (*(value.__closure__ or ()), *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
        return (value.__code__, *map(id, held))
    return (value.__func__, id(value.__self__)) if isinstance(value, types.MethodType) else id(value)
