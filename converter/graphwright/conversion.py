"""The converter's front: functions, methods, classes and other callables in, converted ones out.

What the generated code looks like is decided in `pipeline`; what it does at run time in `runtime`, which is loaded
when converted code first runs.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast, overload

from . import cache
from .building import is_loaded
from .calling_generators import calling_twin
from .compiling import compiled, function_from, set_code_docstring, with_operators
from .errors import ConversionError, SourceMissing
from .features import chosen
from .libraries import is_library_class, is_library_function, is_library_value, library_names, names_from_around
from .matching import fingerprint
from .noted_functions import noted_code
from .pipeline import generate
from .python_results import as_written, runs_as_written
from .reporting import full_tracebacks, report
from .sources import REFUSED_FLAGS, class_around, likely_text, refuse_unsupported, source_of
from .special_methods import call_of, special_names
from .twins import Twin, is_left_alone, mark_origin, note_generated, original_of, twin_of, unconverted, update_defaults

AnyCallable = TypeVar("AnyCallable", bound=Callable[..., Any])

_UNTOUCHED = {"__new__", "__init_subclass__", "__class_getitem__", "__del__", "__getattribute__"}


def _at_the_callers_line(door: AnyCallable) -> AnyCallable:
    """A decorator: what can't be converted is refused without frames of ours."""

    @functools.wraps(door)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return door(*args, **kwargs)
        except ConversionError as error:
            if not full_tracebacks():
                error.__traceback__ = error.__cause__ = None
            raise

    return cast(AnyCallable, call)


@overload
def convert(function: AnyCallable, /) -> AnyCallable: ...
@overload
def convert(
    *, recursive: bool = True, promote: bool = False, experimental_optional_features: Any = None
) -> Callable[[AnyCallable], AnyCallable]: ...
@_at_the_callers_line
def convert(
    function: Any = None,
    /,
    *,
    recursive: bool = True,
    promote: bool = False,
    experimental_optional_features: Any = None,
) -> Any:
    """A decorator: the function is converted when it is first called, and with it (`recursive`) what it calls.

    With `promote`, a tensor that changes its dtype in a staged branch or loop is cast; without, that is an error.
    `experimental_optional_features` takes members of `Feature`.
    """
    features = chosen(experimental_optional_features)
    options: dict[str, Any] = {"recursive": recursive, "promote": promote, "features": features, "lazy": True}
    converting = functools.partial(_converted_entity, **options)
    return converting if function is None else converting(function)


@_at_the_callers_line
def to_graph(
    entity: Any, recursive: bool = True, experimental_optional_features: Any = None, *, promote: bool = False
) -> Any:
    """The converted form of a function, method, class, partial or callable object; library code as it is."""
    features = chosen(experimental_optional_features)
    return _converted_entity(entity, recursive=recursive, promote=promote, features=features, lazy=False)


@_at_the_callers_line
def to_code(
    entity: Any,
    recursive: bool = True,
    experimental_optional_features: Any = None,
    *,
    style: str = "graphwright",
    signature: Any = None,
) -> str:
    """The text that a function, method or class is converted to, whatever optional features it is to have.

    With `style="tensorflow"` it is plain TensorFlow; `signature` then says what the arguments are like: specs such
    as `tf.TensorSpec([], tf.float32)`, or values.
    """
    chosen(experimental_optional_features)
    if style == "tensorflow":
        observe = importlib.import_module("graphwright.observing").observe
        return importlib.import_module("graphwright.eject").to_tensorflow(entity, signature, observe)
    if style != "graphwright":
        raise ValueError(f'style is "graphwright" or "tensorflow", not {style!r}')
    if isinstance(entity, type):
        methods = [value for value in vars(entity).values() if _is_convertible_member(value)]
        texts = [to_code(_function_in(method), recursive) for method in methods]
        body = "\n\n".join("\n".join(f"    {line}" if line else "" for line in text.splitlines()) for text in texts)
        return f"class {entity.__name__}:\n{body or '    pass'}\n"
    function = _function_in(entity)
    if not isinstance(function, types.FunctionType):
        raise ConversionError(
            f"{entity!r} has no Python source, so there's nothing to convert; converted code calls it as it is"
        )
    return _shown(cast(Any, function), recursive)


@overload
def do_not_convert(func: AnyCallable) -> AnyCallable: ...
@overload
def do_not_convert(func: None = None) -> Callable[[AnyCallable], AnyCallable]: ...
def do_not_convert(func: Any = None) -> Any:
    """A decorator, with or without brackets: the function is called as it is, here and by TensorFlow's AutoGraph."""
    if func is None:
        return do_not_convert
    code = getattr(func, "__code__", None)
    if code is not None:
        unconverted[code] = "it is decorated with `do_not_convert`; remove that, or use tf.cond or tf.where"
    return _entrance(func, lambda: func)


def converted_function(
    entity: Any, recursive: bool = True, promote: bool = False, features: frozenset[str] = frozenset()
) -> Any:
    """What is called instead of a callable that is to be converted by the user's wish: failing to is an error.

    For a function that is its twin: the same cells, globals and defaults, other code. It is made once.
    """
    function = _requested(entity, recursive)
    if not promote and not features:
        return function
    options: Any = importlib.import_module("graphwright.runtime.functions.options")

    @functools.wraps(function, updated=())
    def running(*args: Any, **kwargs: Any) -> Any:
        return options.run_with(function, promote, features, args, kwargs)

    return running


def _requested(entity: Any, recursive: bool) -> Any:
    if isinstance(entity, types.MethodType):
        inner = _requested(entity.__func__, recursive)
        return entity if inner is entity.__func__ else types.MethodType(inner, entity.__self__)
    if isinstance(entity, functools.partial):
        part = cast("functools.partial[Any]", entity)
        return functools.partial(_requested(part.func, recursive), *part.args, **part.keywords)
    if isinstance(entity, type) or is_library_value(entity) or is_left_alone(entity):
        return entity
    if isinstance(entity, types.FunctionType) and not is_library_function(entity):
        refuse_unsupported(entity)
        return _twin_function(entity, recursive)
    call = call_of(entity)
    if call is not None and not is_library_value(call):
        return _requested(call, recursive)
    return load_runtime().converted(entity)


def _twin_function(function: types.FunctionType, recursive: bool = True) -> types.FunctionType:
    twin = twin_of(function)
    if twin is None:
        twin = Twin(function)
        function.__dict__[Twin.KEY] = twin
    update_defaults(twin)
    made = twin.function if recursive else twin.shallow
    if made is None:
        try:
            made = _new_twin(function, recursive)
        except SourceMissing as error:
            # It runs as tf.function runs it, too. What a tensor decides in it fails with this reason.
            unconverted[function.__code__] = error.reason
            report(1, "%s; it runs as it is", error)
            made = function
        if recursive:
            twin.function = made
        else:
            twin.shallow = made
    return made


def _new_twin(function: types.FunctionType, recursive: bool) -> types.FunctionType:
    code = running_code(function, recursive)
    load_runtime()
    made = function_from(code, function)
    made.__dict__.pop(Twin.KEY, None)
    made.__dict__["autograph_info__"] = {}
    mark_origin(made, function)
    return made


_known: dict[tuple[int, int, bool], tuple[types.CodeType, dict[str, Any], types.CodeType]] = {}


def running_code(function: types.FunctionType, recursive: bool = True) -> types.CodeType:
    """The code that runs in a trace; all functions of one `def` share it.

    It is converted once for each code object.
    """
    code = function.__code__
    known = _known.get((id(code), id(function.__globals__), recursive))
    if known is None:
        special = special_names(function) if recursive else frozenset[str]()
        surroundings = (
            class_around(function),
            sorted(names_from_around(function)),
            sorted(library_names(function)),
            recursive,
        )
        basis = cache.key_of(code.co_filename, fingerprint(code), *surroundings, sorted(special))
        runs_later = code.co_flags & REFUSED_FLAGS
        made = noted_code(function, special) if runs_later else _stored_or_made(function, recursive, basis, special)
        report(1, "%s (%s:%s) is converted", function.__qualname__, code.co_filename, code.co_firstlineno)
        report(2, "%s", _Shown(function, recursive))
        # The code object and the globals are kept with it, so that their ids stay theirs.
        known = code, function.__globals__, with_operators(made, importlib.import_module("graphwright"))
        _known[id(code), id(function.__globals__), recursive] = known
        note_generated(known[2])
    return known[2]


@dataclass(frozen=True)
class _Shown:
    """The text of a conversion, generated if it is printed."""

    function: types.FunctionType
    recursive: bool

    def __str__(self) -> str:
        return _shown(cast(Any, self).function, self.recursive)


def _shown(function: types.FunctionType, recursive: bool) -> str:
    return generate(replace(source_of(function), recursive=recursive)).text.rstrip("\n") + "\n"


def _stored_or_made(
    function: types.FunctionType, recursive: bool, basis: str, special: frozenset[str]
) -> types.CodeType:
    """What the disk has for a function, or a new conversion: it is stored under its source and its code."""
    likely = likely_text(function)
    stored = likely and cache.load(cache.key_of(basis, *likely))
    if stored:
        return stored
    source = replace(source_of(function), recursive=recursive)
    key = cache.key_of(basis, source.text, source.first_line)
    stored = cache.load(key) if (source.text, source.first_line) != likely else None
    if stored:
        return stored
    generated = generate(source, pairs=True)
    made = compiled(generated, function.__code__, source.class_name, special)
    cache.store(key, made)
    return made


@functools.cache
def load_runtime() -> Any:
    """The operators, which then convert what converted code calls."""
    calls: Any = importlib.import_module("graphwright.runtime.functions.calls")
    calls.convert_function = _twin_function
    calls.generator_calls.calling = calling_twin
    return calls


# --- Entities


@_at_the_callers_line
def _converted_entity(entity: Any, *, recursive: bool, promote: bool, features: frozenset[str], lazy: bool) -> Any:
    options: dict[str, Any] = {"recursive": recursive, "promote": promote, "features": features, "lazy": lazy}
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
        raise ConversionError(f"{entity!r} isn't callable, so there's nothing to convert")
    if is_library_value(entity) or is_left_alone(entity):
        return entity
    if isinstance(entity, types.FunctionType) and (not lazy or entity.__code__.co_flags & REFUSED_FLAGS):
        _requested(entity, recursive)
    return _wrapper(entity, recursive, promote, features)


def _wrapper(entity: Any, recursive: bool, promote: bool, features: frozenset[str]) -> Any:
    """What the user calls instead; it converts at its first call."""
    requested: list[Any] = []

    def target() -> Any:
        code = getattr(entity, "__code__", None)
        if not requested or requested[0] is not code:
            requested[:] = code, as_written(entity) or converted_function(entity, recursive, promote, features)
        return requested[1]

    wrapper = _entrance(entity, target)
    is_plain = recursive and not promote and not features and isinstance(entity, types.FunctionType)
    mark_origin(wrapper, entity, is_entrance=is_plain)
    return wrapper


def _entrance(entity: Any, target: Callable[[], Any]) -> types.FunctionType:
    """From the user's code into ours and out again: AutoGraph is off inside, and errors show the user's frames.

    Outside of graphs the user's own code runs, as if there were no converter.
    """

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        """Run the user's function."""
        try:
            try:
                if runs_as_written():
                    return entity(*args, **kwargs)
                return load_runtime().run_without_autograph(target(), args, kwargs)
            except Exception as error:
                if is_loaded():
                    load_runtime().leave_with(error)
                raise
        except Exception as error:
            if is_loaded():
                load_runtime().without_own_frames(error)
            raise  # Bare, which alone doesn't put this frame back into the traceback.

    functools.update_wrapper(wrapper, entity)
    set_code_docstring(wrapper, wrapper.__doc__)
    if isinstance(entity, types.FunctionType):
        # Decorators that write a function anew read the defaults here; the wrapper itself has no use for them.
        wrapper.__defaults__, wrapper.__kwdefaults__ = entity.__defaults__, entity.__kwdefaults__
        with contextlib.suppress(TypeError, ValueError):
            wrapper.__dict__["__signature__"] = inspect.signature(entity, follow_wrapped=False)
    wrapper.__dict__.pop(Twin.KEY, None)
    wrapper.__dict__["autograph_info__"] = {}
    return cast(types.FunctionType, wrapper)


def _converted_class(kind: type[Any], options: dict[str, Any]) -> type[Any]:
    """A subclass with every method that the user wrote, inherited ones too, converted at its first call."""
    methods: dict[str, Any] = {}
    later: dict[str, Any] = {**options, "lazy": True}
    for base in reversed(kind.__mro__):
        for name, member in vars(base).items():
            methods.pop(name, None)
            if not is_library_class(base) and name not in _UNTOUCHED and _is_convertible_member(member):
                methods[name] = _converted_entity(member, **later)
    namespace = {name: getattr(kind, name) for name in ("__module__", "__qualname__", "__doc__")} | methods
    if "__slots__" in vars(kind):
        namespace["__slots__"] = ()
    try:
        return cast(Any, type(kind))(kind.__name__, (kind,), namespace)
    except TypeError as error:
        raise ConversionError(
            f"the class `{kind.__name__}` can't be converted, because it can't be subclassed: {error}. Convert its "
            "methods one by one"
        ) from error


def _is_convertible_member(member: Any) -> bool:
    if type(member) is property:  # One of a class derived from it may do more, and stays as it is.
        return isinstance(member.fget, types.FunctionType)
    function = _function_in(member) if isinstance(member, (staticmethod, classmethod)) else member
    if not isinstance(function, types.FunctionType) or is_library_value(function):
        return False
    return not function.__code__.co_flags & REFUSED_FLAGS and not function.__code__.co_filename.startswith("<string>")


def _function_in(entity: Any) -> Any:
    """The plain function in a method, a partial, a decorator of ours or TensorFlow's, or a callable object."""
    entity = original_of(entity)
    if isinstance(entity, types.FunctionType) and is_library_function(entity) and hasattr(entity, "__wrapped__"):
        return _function_in(cast(Any, entity).__wrapped__)
    for attribute in ("__func__", "func", "python_function", "fget"):
        inner = getattr(entity, attribute, None)
        if not isinstance(entity, (types.FunctionType, type)) and callable(inner):
            return _function_in(inner)
    if not isinstance(entity, types.FunctionType) and callable(entity):
        call = call_of(entity)
        return entity if call is None else getattr(call, "__func__", call)
    return entity
