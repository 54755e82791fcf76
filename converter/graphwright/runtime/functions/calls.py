"""What converted code calls for each call of user code: finds, or has made, the converted twin of a callable.

`convert_function` converts, which the source side sets. Library functions are called with converted function arguments.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import sys
import types
import weakref
from collections.abc import Callable, Generator
from typing import Any, cast

from graphwright.errors import ConversionError, SourceMissing
from graphwright.libraries import is_library_class, is_library_function, is_library_value, is_tensorflow_file
from graphwright.runtime.basis import generator_calls
from graphwright.runtime.basis.attributes import users_class
from graphwright.runtime.basis.births import born, note_new
from graphwright.runtime.basis.context import features
from graphwright.runtime.basis.left_iterators import any_left
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import graph_errors, tracebacks
from graphwright.runtime.errors.operation_stacks import OwnFramesFilter
from graphwright.runtime.functions import callers_frames, foreign_changes, tensor_arrays
from graphwright.runtime.functions.builtin_values import builtin_operators, done_by_graph, method_of
from graphwright.runtime.functions.constants import of_graph
from graphwright.runtime.functions.copies import copying
from graphwright.runtime.functions.function_parameters import function_parameters, is_in_c, only_holds, takes_functions
from graphwright.runtime.functions.generic_classes import constructor_of
from graphwright.runtime.functions.graph_callbacks import TRACES_ONCE, called_unchanging
from graphwright.runtime.functions.iterator_readers import asking, over_elements
from graphwright.runtime.functions.keras_layers import is_layer, layer_call
from graphwright.runtime.functions.options import named_after
from graphwright.runtime.functions.session_graphs import call_in_session_graph, is_session_graph
from graphwright.runtime.functions.singledispatch import dispatching
from graphwright.runtime.functions.wrapped_functions import custom_gradient_twin, graph_twin
from graphwright.runtime.lists.growing_arrays import GrowingArray, tensor_array
from graphwright.runtime.lists.stacking import added
from graphwright.runtime.state.noting import is_noting
from graphwright.runtime.text.messages import CHECKS, with_message
from graphwright.special_methods import call_of
from graphwright.twins import (
    Twin,
    codes_below,
    entered_by,
    is_left_alone,
    is_up_to_date,
    twin_of,
    unconverted,
    update_defaults,
)

convert_function: Callable[..., types.FunctionType] | None = None
"""Gives the converted twin of a function, or raises `ConversionError`; set by `graphwright.conversion`."""

class_of = cast("Callable[[Any], Any]", type)
"""`type`, for the type checker's sake: what it says of an untyped value is unknown, not Any."""

_logger = logging.getLogger("graphwright")
_FunctionType = types.FunctionType
_MethodType = types.MethodType
_BuiltinType = types.BuiltinFunctionType
_GraphFunction = class_of(tf.function(lambda: None, autograph=False))
_CustomGradient = class_of(tf.custom_gradient(lambda: None))


_observers: list[Callable[[Any], Any]] = []


@contextlib.contextmanager
def observing_calls(observer: Callable[[Any], Any]) -> Generator[None, None, None]:
    """While a function is traced for ejecting: `observer` gives what is called instead of a callable, or None."""
    _observers.append(observer)
    try:
        yield
    finally:
        _observers.pop()


def converted(function: Any) -> Any:
    """What is to be called instead of a callable: its converted twin where it is user code."""
    observed = _observers[-1](function) if _observers else None
    callee = _callee_for(function) if observed is None else observed
    if any_left:
        callee = asking(function, callee)
    if (is_noting() or foreign_changes.reaches_attributes(function)) and not _has_operator(function):
        callee = foreign_changes.watched(function, callee)
    return named_after(function, callee) if "NAME_SCOPES" in features.get() else callee


def _callee_for(function: Any) -> Any:
    kind = class_of(function)
    if kind is _FunctionType:
        twin = function.__dict__.get(Twin.KEY)
        if twin is not None and twin.callee is not None and is_up_to_date(twin, function):
            return twin.callee
        return _callee_of(function)
    if kind is _BuiltinType:
        return builtin_operators.get(function) or _SPECIAL.get(function) or _method_of(function)
    if kind is type:
        return builtin_operators.get(function) or _SPECIAL.get(function) or _constructor(users_class(function))
    if kind is _MethodType:
        return _converted_method(function)
    return _converted_other(function)


def _method_of(function: Any) -> Any:
    """What is called instead of a method of a built-in class; `items.sort` calls its key."""
    instead = method_of(function)
    if function.__name__ != "sort":
        return instead

    def sort(*args: Any, **options: Any) -> Any:
        if options.get("key") is not None:
            options["key"] = converted(options["key"])
        return instead(*args, **options)

    return sort


def _has_operator(function: Any) -> bool:
    """Whether an operator is called instead of a builtin, which knows what it changes."""
    return class_of(function) is _BuiltinType and (function in builtin_operators or function in _SPECIAL)


def leave_with(error: Exception) -> None:
    """Raise the error as the user is to see it, if that is another one.

    The caller's frame knows neither: the frames of an error lead to it, and so it would keep all of them alive.
    """
    shown = tracebacks.strip(graph_errors.as_users(error))
    if shown is error:
        return
    try:
        raise shown from None
    finally:
        del shown, error


def without_own_frames(error: Exception) -> None:
    """Take the frames that aren't the user's out of the error's traceback."""
    tracebacks.strip(error)


@tf.autograph.experimental.do_not_convert
def run_without_autograph(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function so that AutoGraph converts nothing inside."""
    if tf.executing_eagerly():
        return function(*args, **kwargs)
    with OwnFramesFilter():
        if is_session_graph():
            return call_in_session_graph(function, args, kwargs)
        return function(*args, **kwargs)


# --- Functions and methods


def _callee_of(function: types.FunctionType) -> Any:
    """What is called instead of a function, from now on; converted code needs no entrance into converted code."""
    if (entered := entered_by(function)) is not None:
        return cast(Any, convert_function)(entered)
    twin = twin_of(function)
    if twin is None:
        twin = Twin(function)
        function.__dict__[Twin.KEY] = twin
    update_defaults(twin)
    twin.callee = _new_callee(function)
    return twin.callee


def _new_callee(function: types.FunctionType) -> Any:
    if is_left_alone(function) or _is_inside_converted(function):
        return function
    if is_library_function(function):
        if function.__name__ in _NEVER_CONVERTS or callers_frames.looks_for_frames(function):
            return function
        if function.__name__ in CHECKS and is_tensorflow_file(function.__code__.co_filename):
            return with_message(function)
        instead = dispatching(function, converted) or added(function) or of_graph(function) or copying(function)
        if (instead := builtin_operators.get(function) or instead) is not None:
            return instead
        around = _around_converted(function) if hasattr(function, "__wrapped__") else function
        if around is not function:
            return around
        return function if only_holds(function) else _with_converted_arguments(function, takes_functions(function))
    assert convert_function is not None
    try:
        return generator_calls.noting(function, convert_function(function))
    except ConversionError as error:
        unconverted[function.__code__] = error.reason
        # What has no source may well have no tensor to decide anything: only if there is one, that is an error.
        level = logging.DEBUG if isinstance(error, SourceMissing) else logging.WARNING
        if _is_new(function):
            _logger.log(level, "%s; it is called as it is", error)
        return function


def _is_inside_converted(function: types.FunctionType) -> bool:
    """Whether a function is part of converted code, such as one with a changed copy of that: it has the operators."""
    code = function.__code__
    return any(constant is _OPERATORS for each in (code, *codes_below(code)) for constant in each.co_consts)


_OPERATORS = sys.modules["graphwright"]


def _around_converted(wrapper: types.FunctionType) -> types.FunctionType:
    """A library's wrapper of user code (a method under `with_name_scope`, say) with that code converted."""
    cells = [_converted_cell(cell) for cell in wrapper.__closure__ or ()]
    if all(new is old for new, old in zip(cells, wrapper.__closure__ or (), strict=True)):
        return wrapper
    name, defaults = wrapper.__name__, wrapper.__defaults__
    made = types.FunctionType(wrapper.__code__, wrapper.__globals__, name, defaults, tuple(cells))
    made.__kwdefaults__ = wrapper.__kwdefaults__
    made.__dict__.update(wrapper.__dict__)
    made.__dict__.pop(Twin.KEY, None)
    made.__dict__["autograph_info__"] = {}
    return made


def _converted_cell(cell: types.CellType) -> types.CellType:
    try:
        content = cell.cell_contents
    except ValueError:
        return cell
    if not isinstance(content, _FunctionType) or is_library_function(content):
        return cell
    callee = converted(content)
    return cell if callee is content else types.CellType(callee)


_reported: set[tuple[str, int, str]] = set()


def _is_new(function: types.FunctionType) -> bool:
    code = function.__code__
    place = code.co_filename, code.co_firstlineno, code.co_name
    if place in _reported:
        return False
    _reported.add(place)
    return True


def _converted_method(method: types.MethodType) -> Any:
    function, owner = method.__func__, method.__self__
    if type(owner) is _GraphFunction:
        # f.get_concrete_function and the like trace as a call does.
        return getattr(graph_twin(owner, converted), method.__name__, method)
    if type(owner) in (tf.TensorArray, GrowingArray) and method.__name__ in tensor_arrays.WRITES:
        return tensor_arrays.write_that_counts(method)
    if is_noting() and (instead := done_by_graph(method)) is not None:
        return instead
    callee = converted(function)
    return method if callee is function else _MethodType(callee, owner)


# --- Arguments of library functions

# fmt: off
_NEVER_CONVERTS = frozenset(
    (
        "dispatch_for_api", "do_not_convert", "eager_py_func", "from_generator", "numpy_function", "py_func",
        "py_func_common", "py_function", "register_gradient", "register_tensor_conversion_function", "to_code",
        "set_trace", "to_graph", "update_wrapper", "wraps",
    )
)
# fmt: on
"""Library functions whose arguments run as plain Python or are only read, and debuggers, which stop at their caller."""


def _with_converted_arguments(function: Any, all_kinds: bool) -> Any:
    called = function_parameters(function) if all_kinds else frozenset[int | str]()
    traces_once = getattr(function, "__name__", "") in TRACES_ONCE
    gives_back = all_kinds and is_in_c(function)

    def convert_argument(place: int | str, value: Any) -> Any:
        if place in called:
            return _any_argument(value)
        return value if gives_back else _function_argument(value)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = {name: convert_argument(name, value) for name, value in kwargs.items()}
        values = [convert_argument(place, value) for place, value in enumerate(args)]
        return called_unchanging(function, values, kwargs) if traces_once else function(*values, **kwargs)

    call.__dict__.pop(Twin.KEY, None)
    call.__dict__["autograph_info__"] = {}
    return call


def _function_argument(value: Any) -> Any:
    kind = class_of(value)
    if kind is _FunctionType or kind is _MethodType or kind is functools.partial or kind is _GraphFunction:
        return value if _is_library(value) else converted(value)
    return value


def _any_argument(value: Any) -> Any:
    kind = class_of(value)
    if kind is _FunctionType or kind is _MethodType or kind is functools.partial:
        return value if _is_library(value) else converted(value)
    if kind is list or kind is tuple:
        items = cast("list[Any] | tuple[Any, ...]", value)
        return type(items)([_any_argument(item) for item in items]) if any(map(_holds_function, items)) else value
    if kind is dict:
        return {name: _any_argument(item) for name, item in value.items()}
    if callable(value) and not isinstance(value, type):
        return converted(value)
    return value


def _holds_function(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_function, value))  # pyright: ignore[reportUnknownArgumentType]
    return callable(value)


def _is_library(function: Any) -> bool:
    if isinstance(function, _MethodType):
        function = function.__func__
    return isinstance(function, _FunctionType) and is_library_function(function)


# fmt: off
_ITERATING: tuple[Any, ...] = (
    itertools.accumulate, itertools.chain, itertools.combinations, itertools.compress, itertools.cycle,
    itertools.dropwhile, itertools.filterfalse, itertools.groupby, itertools.pairwise, itertools.permutations,
    itertools.product, itertools.starmap, itertools.zip_longest,
)
# fmt: on
_SPECIAL: dict[Any, Any] = (
    callers_frames.INSTEAD
    | {tf.TensorArray: tensor_array, itertools.islice: generator_calls.sliced}
    | {itertools.takewhile: _with_converted_arguments(generator_calls.taken_while, True)}
    | {functools.reduce: _with_converted_arguments(functools.reduce, True)}
    | {each: over_elements(each, _with_converted_arguments(each, True)) for each in _ITERATING}
)
"""Functions of Python's library that call their arguments, and those that look for their caller's frame."""


_constructors: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()


def _constructor(kind: type) -> Any:
    """The class, or what makes an object of it with the user's `__init__` converted."""
    known = _constructors.get(kind)
    if known is None:
        initial = kind.__init__
        known = _constructors[kind] = (
            class_of(initial) is _FunctionType
            and not is_library_class(kind)
            and cast(Any, initial).__code__.co_filename != "<string>"
        )
    if known and kind.__new__ is object.__new__:
        return functools.partial(_constructed, kind)
    return born(kind) if is_noting() and not is_library_class(kind) else kind


def _constructed(kind: type, /, *args: Any, **kwargs: Any) -> Any:
    made = cast(Any, object.__new__(kind))
    note_new(made)
    result = converted(kind.__init__)(made, *args, **kwargs)
    if result is not None:
        raise TypeError(f"__init__() should return None, not '{class_of(result).__name__}'")
    return made


def _converted_other(function: Any) -> Any:
    kind = class_of(function)
    if issubclass(kind, type):
        if kind.__call__ is type.__call__ and kind.__hash__ is type.__hash__:
            return _constructor(function)
        return born(function) if is_noting() and not is_library_class(function) else function
    if issubclass(kind, functools.partial):
        part = function
        return functools.partial(converted(part.func), *part.args, **part.keywords)
    if kind is _GraphFunction:
        return graph_twin(function, converted)
    if kind is _CustomGradient:
        return custom_gradient_twin(function, converted)
    if (constructor := constructor_of(function, converted)) is not None:
        return constructor
    if kind is types.WrapperDescriptorType or is_left_alone(function):
        return _SPECIAL.get(function, function)
    if is_layer(function):
        return layer_call(function, converted)
    call = call_of(function)
    if call is not None and not is_library_value(call):
        return converted(call)
    if type(getattr(kind, "__call__", None)) is _GraphFunction and not is_library_class(kind):  # noqa: B004
        return converted(function.__call__)
    return function
