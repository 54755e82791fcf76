"""The assumptions under which a function is ejected, as source that is read by the analysis and never run.

A call of the function, with a value like those that it is assumed to be given, is written after a copy of it.
What follows from the assumptions isn't decided here.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, cast

import gast
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Constant,
    Dataset,
    Function,
    Scalar,
    Tensor,
    Tuple,
    Value,
    Variable,
    python_kind,
)

TRUE = "_yes"
"""A condition that is decided in the graph, as long as the word `True`."""

PRELUDE = f"import tensorflow as _tf; {TRUE} = _tf.constant(True)\n"
"""What goes in front of everything, so that the names in `spelled` mean something."""

CALL = "_assumed"
"""The function that calls the one to eject; nobody looks at what stands after its `def`."""

_KINDS = (bool, int, float, complex, str, bytes)


def call_of(name: str, node: Any, values: Mapping[str, Value], receiver: str = "") -> str:
    """A call of the function within a graph, on values like these."""
    specs: list[str] = []
    arguments = [_argument(parameter.id, values, specs, keyword=False) for parameter in _positional(node)]
    arguments[:1] = [receiver or argument for argument in arguments[:1]]
    arguments += [_argument(parameter.id, values, specs, keyword=True) for parameter in node.args.kwonlyargs]
    if getattr(node.args, "vararg", None) is not None:
        arguments.append("*_unknown")
    if getattr(node.args, "kwarg", None) is not None:
        arguments.append("**_unknown")
    parameters = ", ".join(f"_{number}" for number in range(len(specs)))
    return (
        f"@_tf.function(input_signature=[{', '.join(specs)}])\n"
        f"def {CALL}({parameters}):\n    return {name}({', '.join(arguments)})\n"
        f"{CALL}({', '.join(['_unknown'] * len(specs))})\n"
    )


def parameters_in(node: Any) -> list[Any]:
    """The parameters that a call may be given one by one."""
    return [*_positional(node), *node.args.kwonlyargs]


def parameter_names(node: Any) -> list[str]:
    """The names of the parameters that a call may be given one by one."""
    return [each.id for each in parameters_in(node)]


def value_like(given: Any) -> Value:
    """What the analysis may take for known of a live object: a `tf.TensorSpec`, a tensor, a number, a text..."""
    if given is None:
        return NONE
    if isinstance(given, _KINDS):
        return Scalar(type(given))
    if isinstance(given, (tuple, list)):
        return Tuple(tuple(value_like(item) for item in cast("list[Any]", given)))
    if hasattr(given, "element_spec"):
        return Dataset(value_like(given.element_spec))
    dtype = getattr(getattr(given, "dtype", None), "name", None)
    if not isinstance(dtype, str) or not hasattr(given, "shape"):
        return UNKNOWN
    shape = getattr(given.shape, "rank", 0) is not None and tuple(given.shape)
    known = tuple(size if size is None else int(size) for size in shape) if shape is not False else None
    kind = Variable if hasattr(given, "assign_add") else Tensor
    return kind(dtype, known)


def binding_of(name: str, held: Any) -> str:
    """A statement that gives a name what is like what it holds."""
    if isinstance(held, types.ModuleType):
        return f"import {held.__name__} as {name}\n"
    text = spelled(value_like(held), [])
    return "" if text == "_unknown" else f"{name} = {text}\n"


def operators_of(alias: str) -> str:
    """What the analysis is to think of the name of Graphwright."""
    return (
        f"class {alias}:\n"
        "    @staticmethod\n    def stack(values, strict=True):\n        return _tf.stack(values)\n"
        "    @staticmethod\n    def set_element_type(values, dtype, shape=None):\n        pass\n"
        "    @staticmethod\n    def set_loop_options(**options):\n        pass\n"
    )


def spelled(value: Value | None, specs: list[str]) -> str:
    """An expression for a value; what only a `tf.TensorSpec` can say is added to `specs`."""
    if isinstance(value, Tensor):
        if value.dtype is None:
            return "_tf.convert_to_tensor(_unknown)"
        if value.shape is not None and None not in value.shape:
            return f"_tf.zeros({list(value.shape)}, _tf.{value.dtype})"
        specs.append(_spec(value))
        return f"_{len(specs) - 1}"
    if isinstance(value, Variable) and value.dtype is not None and value.shape is not None and None not in value.shape:
        return f"_tf.Variable(_tf.zeros({list(value.shape)}, _tf.{value.dtype}))"
    if isinstance(value, Tuple) and not value.fields:
        return f"({''.join(f'{spelled(item, specs)}, ' for item in value.items)})"
    if isinstance(value, Dataset) and not value.iterator:
        return f"_tf.data.Dataset.from_generator(_unknown, output_signature={_spec(value.element)})"
    if isinstance(value, Function) and isinstance(value.node, gast.FunctionDef):
        return getattr(value.node, "name", "_unknown")
    if isinstance(value, Constant) and value.value is None:
        return "None"
    kind = python_kind(value) if value is not None else None
    return f"{kind.__name__}(_unknown)" if kind in _KINDS else "_unknown"


def _positional(node: gast.FunctionDef) -> list[Any]:
    return [*node.args.posonlyargs, *node.args.args]


def _argument(name: str, values: Mapping[str, Value], specs: list[str], keyword: bool) -> str:
    text = _as_specified(values.get(name), specs)
    return f"{name}={text}" if keyword else text


def _as_specified(value: Value | None, specs: list[str]) -> str:
    """A tensor as a parameter of the graph, so that nothing but its dtype and shape is known of it."""
    if isinstance(value, Tensor) and value.dtype is not None:
        specs.append(_spec(value))
        return f"_{len(specs) - 1}"
    return spelled(value, specs)


def _spec(value: Value) -> str:
    if isinstance(value, Tuple):
        return f"({''.join(f'{_spec(item)}, ' for item in value.items)})"
    if not isinstance(value, Tensor) or value.dtype is None:
        return "_unknown"
    shape = None if value.shape is None else list(value.shape)
    return f"_tf.TensorSpec({shape}, _tf.{value.dtype})"
