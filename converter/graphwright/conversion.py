"""The converter's front: functions, methods, classes and other callables in, converted ones out.

What the generated code looks like is decided in `pipeline`; what it does at run time in `runtime`, which is loaded
when converted code first runs.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import types
from collections.abc import Callable
from typing import Any, TypeVar, cast, overload

from . import cache, tracebacks
from .compiling import compiled, function_from
from .errors import ConversionError
from .libraries import is_library_class, is_library_value
from .matching import fingerprint
from .pipeline import Generated, generate
from .sources import source_of
from .twins import Twin, mark_origin, original_of, twin_of

AnyCallable = TypeVar("AnyCallable", bound=Callable[..., Any])

_UNTOUCHED = {"__new__", "__init_subclass__", "__class_getitem__", "__del__", "__getattribute__", "__setattr__"}


@overload
def convert(function: AnyCallable, /) -> AnyCallable: ...
@overload
def convert(*, recursive: bool = True, promote: bool = False) -> Callable[[AnyCallable], AnyCallable]: ...
def convert(function: Any = None, /, *, recursive: bool = True, promote: bool = False) -> Any:
    """A decorator: the function is converted when it is first called, and with it (`recursive`) what it calls.

    With `promote`, a value that changes its dtype or shape in a staged branch or loop is cast where eager code would
    go on; without, that is an error.
    """
    if function is None:
        return functools.partial(_converted_entity, recursive=recursive, promote=promote, lazy=True)
    return _converted_entity(function, recursive=recursive, promote=promote, lazy=True)


def to_graph(entity: Any, recursive: bool = True, promote: bool = False) -> Any:
    """The converted form of a function, method, class, partial or callable object; library code as it is."""
    return _converted_entity(entity, recursive=recursive, promote=promote, lazy=False)


def to_code(entity: Any, recursive: bool = True, style: str = "graphwright") -> str:
    """The text that a function, method or class is converted to."""
    if style == "tensorflow":
        return importlib.import_module("graphwright.eject").to_tensorflow(entity)
    if style != "graphwright":
        raise ValueError(f'style is "graphwright" or "tensorflow", not {style!r}')
    if isinstance(entity, type):
        methods = [value for value in vars(entity).values() if _is_convertible_member(value)]
        texts = [to_code(_function_in(method), recursive) for method in methods]
        body = "\n\n".join("\n".join(f"    {line}" if line else "" for line in text.splitlines()) for text in texts)
        return f"class {entity.__name__}:\n{body or '    pass'}\n"
    function = _function_in(entity)
    if not isinstance(function, types.FunctionType):
        raise ConversionError(f"{entity!r} has no Python source that could be converted")
    text = _generated(function)[0].text
    return text if text.endswith("\n") else f"{text}\n"


def do_not_convert(function: AnyCallable) -> AnyCallable:
    """A decorator: the function is called as it is, here and by TensorFlow's own AutoGraph."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return _runtime().run_without_autograph(function, args, kwargs)
        except BaseException as error:
            tracebacks.hide_own_frames(error)
            raise

    wrapper.__dict__["autograph_info__"] = {}
    return cast(AnyCallable, wrapper)


def converted_function(function: types.FunctionType, recursive: bool = True) -> types.FunctionType:
    """The converted twin of a function: the same cells, globals and defaults, other code. It is made once."""
    function = cast(types.FunctionType, original_of(function))
    twin = twin_of(function)
    if twin is None:
        twin = Twin(function)
        function.__dict__[Twin.KEY] = twin
    made = twin.function if recursive else twin.shallow
    if made is None:
        made = _new_twin(function, recursive)
        if recursive:
            twin.function = made
        else:
            twin.shallow = made
    return made


def _new_twin(function: types.FunctionType, recursive: bool) -> types.FunctionType:
    generated, code = _generated(function)
    operators: object = importlib.import_module("graphwright") if recursive else _shallow_operators()
    made = function_from(code, function, generated.alias, operators)
    made.__dict__.pop(Twin.KEY, None)
    made.__dict__["autograph_info__"] = {}
    mark_origin(made, function)
    _runtime()
    return made


_known: dict[tuple[int, int], tuple[types.CodeType, dict[str, Any], Generated, types.CodeType]] = {}


def _generated(function: types.FunctionType) -> tuple[Generated, types.CodeType]:
    """Conversion proper, once for each code object; functions made by one `def` or `lambda` share it."""
    code = function.__code__
    known = _known.get((id(code), id(function.__globals__)))
    if known is None:
        source = source_of(function)
        key = cache.key_of(
            source.text,
            source.first_line,
            source.file,
            source.class_name,
            sorted(source.free),
            sorted(source.library),
            fingerprint(code),
        )
        kept = cache.load(key)
        if kept is None:
            generated = generate(source)
            kept = generated, compiled(generated, code, source.class_name)
            cache.store(key, *kept)
        # The code object and the globals are kept with it, so that their ids stay theirs.
        known = code, function.__globals__, *kept
        _known[id(code), id(function.__globals__)] = known
    return known[2], known[3]


@functools.cache
def _runtime() -> Any:
    """The operators; loading them tells them how to convert what converted code calls."""
    calls = importlib.import_module("graphwright.runtime.calls")
    calls.convert_function = converted_function
    return calls


class _ShallowOperators:
    """The operators of a function that is converted without what it calls."""

    @staticmethod
    def converted(function: Any) -> Any:
        return function

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module("graphwright"), name)
        setattr(self, name, value)
        return value


@functools.cache
def _shallow_operators() -> _ShallowOperators:
    return _ShallowOperators()


# --- Entities


def _converted_entity(entity: Any, *, recursive: bool, promote: bool, lazy: bool) -> Any:
    options = {"recursive": recursive, "promote": promote, "lazy": lazy}
    if isinstance(entity, (staticmethod, classmethod)):
        return type(cast(Any, entity))(_converted_entity(cast(Any, entity).__func__, **options))
    if isinstance(entity, property):
        parts = [part and _converted_entity(part, **options) for part in (entity.fget, entity.fset, entity.fdel)]
        return property(*parts, doc=entity.__doc__)
    if isinstance(entity, type):
        return entity if is_library_class(entity) else _converted_class(cast("type[Any]", entity), options)
    if isinstance(entity, functools.partial):
        part = cast("functools.partial[Any]", entity)
        return functools.partial(_converted_entity(part.func, **options), *part.args, **part.keywords)
    if isinstance(entity, types.MethodType):
        inner = _converted_entity(entity.__func__, **options)
        return entity if inner is entity.__func__ else types.MethodType(inner, entity.__self__)
    if not callable(entity):
        raise ConversionError(f"{entity!r} can't be called, so there is nothing to convert")
    if is_library_value(entity) or _is_left_alone(entity):
        return entity
    if isinstance(entity, types.FunctionType):
        if not lazy or inspect.iscoroutinefunction(entity) or inspect.isgeneratorfunction(entity):
            converted_function(entity, recursive)
        return _wrapper(entity, recursive, promote)
    return _wrapper(entity, recursive, promote)


def _is_left_alone(entity: Any) -> bool:
    from .twins import is_left_alone

    return is_left_alone(entity)


def _wrapper(entity: Any, recursive: bool, promote: bool) -> Any:
    """What the user calls instead: it enters the converted code, and leaves no trace of itself in errors."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return _runtime().run_converted(entity, args, kwargs, recursive, promote)
        except BaseException as error:
            tracebacks.hide_own_frames(error)
            raise

    functools.update_wrapper(wrapper, entity)
    wrapper.__dict__.pop(Twin.KEY, None)
    wrapper.__dict__["autograph_info__"] = {}
    mark_origin(wrapper, entity)
    return wrapper


def _converted_class(kind: type[Any], options: dict[str, bool]) -> type[Any]:
    """A subclass with every method that the user wrote, inherited ones too, converted at its first call."""
    namespace: dict[str, Any] = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__doc__": kind.__doc__}
    if not hasattr(kind, "__dict__") or "__slots__" in vars(kind):
        namespace["__slots__"] = ()
    lazily = {**options, "lazy": True}
    for base in reversed(kind.__mro__):
        if not is_library_class(base):
            for name, member in vars(base).items():
                namespace.pop(name, None) if name not in ("__module__", "__qualname__", "__doc__", "__slots__") else None
                if name not in _UNTOUCHED and _is_convertible_member(member):
                    namespace[name] = _converted_entity(member, **lazily)
    try:
        return cast("type[Any]", type(kind)(kind.__name__, (kind,), namespace))
    except TypeError as error:
        raise ConversionError(
            f"the class `{kind.__name__}` can't be converted, since it can't be derived from: {error}; convert its "
            "methods one by one"
        ) from error


def _is_convertible_member(member: Any) -> bool:
    if isinstance(member, property):
        return isinstance(member.fget, types.FunctionType)
    function = _function_in(member) if isinstance(member, (staticmethod, classmethod)) else member
    if not isinstance(function, types.FunctionType) or is_library_value(function):
        return False
    refused = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    return not function.__code__.co_flags & refused and not function.__code__.co_filename.startswith("<string>")


def _function_in(entity: Any) -> Any:
    """The plain function in a method, a partial, a decorator of ours or TensorFlow's, or a callable object."""
    entity = original_of(entity)
    for attribute in ("__func__", "func", "python_function", "fget"):
        inner = getattr(entity, attribute, None)
        if not isinstance(entity, (types.FunctionType, type)) and callable(inner):
            return _function_in(inner)
    if not isinstance(entity, types.FunctionType) and hasattr(type(entity), "__call__") and callable(entity):
        call = type(entity).__call__
        return call if isinstance(call, types.FunctionType) else entity
    return entity
