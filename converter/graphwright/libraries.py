"""Which code is the user's, to be converted, and which belongs to a library that is called as it is.

Like AutoGraph's list it goes by the module's name alone. Everything that isn't named here is user code, installed
packages included; tensorflow_probability and tensorflow_datasets are libraries, as they are to AutoGraph.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from typing import Any

LIBRARIES = frozenset(sys.stdlib_module_names) | {
    "builtins",
    "tensorflow",
    "keras",
    "tf_keras",
    "numpy",
    "scipy",
    "ml_dtypes",
    "h5py",
    "jax",
    "jaxlib",
    "torch",
    "sklearn",
    "pandas",
    "matplotlib",
    "PIL",
    "absl",
    "six",
    "wrapt",
    "google",
    "tqdm",
    "tensorflow_probability",
    "tensorflow_datasets",
    "graphwright",
    "graphwright_analysis",
    "graphwright_server",
    "IPython",
    "ipykernel",
    "_pytest",
    "pytest",
    "pluggy",
    "hypothesis",
}

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodDescriptorType)


@functools.lru_cache(maxsize=4096)
def is_library_module(name: str) -> bool:
    """Whether what a module of this dotted name defines is never converted."""
    return name.partition(".")[0] in LIBRARIES


def is_library_function(function: types.FunctionType) -> bool:
    """Goes by where the code was made: `functools.wraps` lends a wrapper the module of what it wraps."""
    name = function.__globals__.get("__name__")
    return isinstance(name, str) and is_library_module(name)


def is_library_class(kind: type) -> bool:
    name = kind.__module__
    return is_library_module(name) if isinstance(name, str) else False  # pyright: ignore[reportUnnecessaryIsInstance]


def library_names(function: types.FunctionType) -> frozenset[str]:
    """The names that a function finds in its globals or its closure and that stand for library code."""
    free = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return frozenset(
        name
        for name in _names_of(function.__code__)
        if is_library_value(_cell_value(free[name]) if name in free else function.__globals__.get(name))
    )


def is_library_value(value: Any) -> bool:
    """Whether calling this, or anything in it, never runs user code of its own."""
    if isinstance(value, types.ModuleType):
        return is_library_module(value.__name__)
    if isinstance(value, type):
        return is_library_class(value)
    if isinstance(value, types.FunctionType):
        return is_library_function(value) and not _wraps_user_code(value)
    if isinstance(value, types.MethodType):
        return is_library_value(value.__func__)
    if isinstance(value, _FUNCTIONS):
        return True
    # NumPy's functions in C have a type of their own.
    return type(value).__module__ == "numpy" and callable(value)


def _wraps_user_code(function: types.FunctionType) -> bool:
    if not hasattr(function, "__wrapped__"):
        return False
    inner = inspect.unwrap(function)
    return not isinstance(inner, types.FunctionType) or not is_library_function(inner)


def _names_of(code: types.CodeType) -> set[str]:
    names = {*code.co_names, *code.co_freevars}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names_of(constant)
    return names


def _cell_value(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
