"""Gradients of functions as functions, and the other names of tensorflow.contrib.eager on top of TensorFlow 2.

It converts nothing.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Variable: Any

__all__ = [
    "Iterator",
    "Variable",
    "defun",
    "enable_eager_execution",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "make_template",
    "value_and_gradients_function",
]

Parameters = Sequence[int] | Sequence[str] | None


def gradients_function(f: Callable[..., Any], params: Parameters = None) -> Callable[..., list[Any]]:
    """A function of f's arguments that gives the list of f's gradients, one for each of `params` (indexes or names)."""
    both = value_and_gradients_function(f, params)

    @functools.wraps(f, updated=())
    def gradients(*args: Any, **kwargs: Any) -> list[Any]:
        return both(*args, **kwargs)[1]

    return gradients


def value_and_gradients_function(
    f: Callable[..., Any], params: Parameters = None
) -> Callable[..., tuple[Any, list[Any]]]:
    """A function that gives f's value as well; `dy` weights the value's elements, which are added otherwise."""

    @functools.wraps(f, updated=())
    def value_and_gradients(*args: Any, dy: Any = None, **kwargs: Any) -> tuple[Any, list[Any]]:
        tf = _tensorflow()
        if kwargs:
            raise ValueError("functions to be differentiated cannot receive keyword arguments; pass them by position")
        positions = _positions(f, params, args)
        arguments = [
            tf.nest.map_structure(_own_tensor, value) if index in positions else value
            for index, value in enumerate(args)
        ]
        sources = [arguments[position] for position in positions]
        with tf.GradientTape() as tape:
            tape.watch([source for source in tf.nest.flatten(sources) if not isinstance(source, tf.Variable)])
            value = _value(f, arguments)
        return value, tape.gradient(value, sources, output_gradients=dy)

    return value_and_gradients


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., list[tuple[Any, Any]]]:
    """A function of f's arguments that gives (gradient, variable) for each trainable variable that f uses."""
    both = implicit_value_and_gradients(f)

    @functools.wraps(f, updated=())
    def gradients(*args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        return both(*args, **kwargs)[1]

    return gradients


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., tuple[Any, list[tuple[Any, Any]]]]:
    """A function that gives f's value as well."""

    @functools.wraps(f, updated=())
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        with _tensorflow().GradientTape() as tape:
            value = _value(f, args, kwargs)
        variables = tape.watched_variables()
        if not variables:
            raise ValueError("no trainable variables were accessed while the function was being computed")
        gradients = tape.gradient(value, variables)
        return value, list(zip(gradients, variables, strict=True))

    return value_and_gradients


def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
    """Turn eager execution on, as TensorFlow 2 has it from the start."""
    _tensorflow().compat.v1.enable_eager_execution(config, device_policy, execution_mode)


def make_template(name_: str, func_: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A function that creates its variables in its first call and shares them from then on."""
    return _tensorflow().compat.v1.make_template(name_, func_, *args, **kwargs)


def defun(func: Callable[..., Any] | None = None, input_signature: Any = None, **options: Any) -> Any:
    """`gw.function` under its first name."""
    return importlib.import_module("graphwright.graph_functions").function(func, input_signature, **options)


def Iterator(dataset: Any) -> Any:
    """An iterator over a dataset: `next(it)`, `it.next()` and `it.get_next()` give its elements."""
    return iter(dataset)


def __getattr__(name: str) -> Any:
    if name == "Variable":
        return _tensorflow().Variable
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _tensorflow() -> Any:
    return importlib.import_module("tensorflow")


def _own_tensor(value: Any) -> Any:
    """A tensor of its own for each argument: f(x, x) has two partial derivatives. Variables stay themselves."""
    tf = _tensorflow()
    return value if isinstance(value, tf.Variable) else tf.identity(tf.convert_to_tensor(value))


def _value(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
    value = f(*args, **(kwargs or {}))
    if value is None:
        name = getattr(f, "__name__", repr(f))
        raise ValueError(
            f"cannot differentiate a function that returns None; did you forget to return a value from {name}?"
        )
    return value


def _positions(f: Callable[..., Any], params: Parameters, args: Sequence[Any]) -> list[int]:
    if params is None:
        return list(range(len(args)))
    if all(isinstance(param, int) for param in params):
        return [range(len(args))[int(param)] for param in params]
    if not all(isinstance(param, str) for param in params):
        raise ValueError(f"params must be all strings or all integers; got {params}")
    names = list(inspect.signature(getattr(f, "python_function", f)).parameters)
    missing = [param for param in params if param not in names[: len(args)]]
    if missing:
        raise ValueError(f"{getattr(f, '__name__', f)} has no argument {missing[0]!r} here; it has {', '.join(names)}")
    return [names.index(str(param)) for param in params]
