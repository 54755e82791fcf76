"""What is noted on functions: their converted twin, the original of a twin, and that one is to be left alone.

The notes are attributes of the functions, so that they live as long. `functools.wraps` copies attributes to
wrappers: a note says whom it is about, and counts for nobody else.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
import weakref
from collections.abc import Callable
from typing import Any, cast

from .libraries import is_library_function

unconverted: dict[types.CodeType, str] = {}
"""Code of the user's that runs as it is, and why."""

_MARKS = ("autograph_info__", "ag_dnc_wrapper__")
_generated: dict[int, types.CodeType] = {}
# The bodies of classes don't have this flag: what is defined there stays as it was written, if it doesn't run later.
_NEW_LOCALS = 0x2
RUNS_LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Twin:
    """The converted forms of a function: with what it calls, and alone; `callee` is what converted code calls.

    They are of the `code` that the function had: one whose code is replaced has no twin.
    The defaults are those that the function had when it was last called: see `update_defaults`.
    """

    KEY = "__graphwright_twin__"
    __slots__ = ("callee", "code", "defaults", "function", "keyword_defaults", "original", "shallow")

    def __init__(self, original: Any) -> None:
        self.original = original
        self.code = getattr(original, "__code__", None)
        self.defaults = getattr(original, "__defaults__", None)
        self.keyword_defaults = getattr(original, "__kwdefaults__", None)
        self.function: Any = None
        self.shallow: Any = None
        self.callee: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Twin, (None,)


class Origin:
    """Says that `owner` was made from `original`; `is_entrance` if it only leads from the user's code into ours."""

    KEY = "__graphwright_origin__"
    __slots__ = ("is_entrance", "original", "owner")

    def __init__(self, owner: Any, original: Any, is_entrance: bool = False) -> None:
        self.owner = owner
        self.original = original
        self.is_entrance = is_entrance

    def __reduce__(self) -> tuple[Any, ...]:
        return Origin, (None, None)


def twin_of(function: types.FunctionType) -> Twin | None:
    twin = function.__dict__.get(Twin.KEY)
    return twin if twin is not None and is_current(twin, function) else None


def is_current(twin: Twin, function: types.FunctionType) -> bool:
    """Whether a twin is this function's, and of the code that it has by now."""
    return twin.original is function and twin.code is function.__code__


def is_up_to_date(twin: Twin, function: types.FunctionType) -> bool:
    """Whether a twin is this function's, and the function has the code and the defaults that it had."""
    return (
        is_current(twin, function)
        and twin.defaults is function.__defaults__
        and twin.keyword_defaults is function.__kwdefaults__
    )


def update_defaults(twin: Twin) -> None:
    """Give the converted forms of a function the defaults that it has by now."""
    original = twin.original
    twin.defaults, twin.keyword_defaults = original.__defaults__, original.__kwdefaults__
    for made in (twin.function, twin.shallow):
        if made is not None and made is not original:
            made.__defaults__, made.__kwdefaults__ = twin.defaults, twin.keyword_defaults


def mark_origin(owner: types.FunctionType, original: Any, is_entrance: bool = False) -> None:
    owner.__dict__[Origin.KEY] = Origin(owner, original, is_entrance)


def entered_by(function: types.FunctionType) -> types.FunctionType | None:
    """The user's function that a wrapper of ours is the entrance to."""
    origin = function.__dict__.get(Origin.KEY)
    if origin is None or origin.owner is not function or not origin.is_entrance:
        return None
    return origin.original


def original_of(entity: Any) -> Any:
    """What the user wrote, if this is a twin or a wrapper of ours."""
    while isinstance(entity, types.FunctionType):
        origin = entity.__dict__.get(Origin.KEY)
        if origin is None or origin.owner is not entity:
            break
        entity = origin.original
    return entity


def note_generated(code: types.CodeType) -> None:
    """Remember that a code object, with all inside it, is generated: functions made from it are converted already."""
    _generated[id(code)] = code
    is_class = not code.co_flags & _NEW_LOCALS
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            is_method = is_class and constant.co_flags & _NEW_LOCALS
            if not is_method or constant.co_flags & RUNS_LATER:
                note_generated(constant)


def codes_below(code: types.CodeType) -> list[types.CodeType]:
    """The code of all functions and classes inside a function."""
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return inner + [deeper for each in inner for deeper in codes_below(each)]


def is_generated(function: types.FunctionType) -> bool:
    return _generated.get(id(function.__code__)) is function.__code__


def is_left_alone(entity: Any) -> bool:
    """Whether somebody said that it isn't to be converted, or it is converted already: AutoGraph's own mark.

    A user's wrapper around such a function has the mark by `functools.wraps` only.
    """
    if type(entity) is types.FunctionType and is_generated(entity):
        return True
    if not _is_marked(entity):
        return False
    if type(entity) is types.FunctionType and hasattr(entity, "__wrapped__") and original_of(entity) is entity:
        return is_library_function(entity)
    return True


def _is_marked(entity: Any) -> bool:
    """Whether an object or its class has AutoGraph's mark; a `__getattr__` of the user's isn't asked."""
    if type(entity) is types.MethodType:
        return _is_marked(entity.__func__)
    kind = cast("Callable[[Any], type[Any]]", type)(entity)
    places: list[Any] = [vars(base) for base in kind.__mro__]
    with contextlib.suppress(AttributeError):
        places.append(object.__getattribute__(entity, "__dict__"))
    return any(mark in place for place in places for mark in _MARKS)


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
