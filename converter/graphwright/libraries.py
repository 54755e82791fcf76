"""Which code is the user's and which is a library's: what is called as it is, and whose frames are left out.

What is converted goes by the module's name alone, like AutoGraph's list. Everything that isn't named here is user code,
installed packages included; tensorflow_probability and tensorflow_datasets are libraries, as they are to AutoGraph.
Frames go by the file's name. The agent has its own answer, as it may run beside another version of this package.
"""

from __future__ import annotations

import builtins
import functools
import importlib.util
import inspect
import os
import re
import sys
import sysconfig
import types
from pathlib import Path
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

OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
"""All of this package, in whatever folder of it."""

_TENSORFLOW = ("tensorflow", "keras", "tf_keras")
_INSTALLED = re.compile(r"[\\/](site-packages|dist-packages)[\\/]")
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


def names_from_around(function: types.FunctionType) -> frozenset[str]:
    """The names that a function takes from functions around it, or from its globals in place of a builtin."""
    code, found = function.__code__, function.__globals__
    shadowed = (name for name in _names_of(code) if name in found and hasattr(builtins, name))
    return frozenset((*code.co_freevars, *(name for name in shadowed if found[name] is not getattr(builtins, name))))


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


def is_own_file(file: str) -> bool:
    """Whether a file is Graphwright's."""
    return file.startswith(OWN_FOLDER)


@functools.cache
def own_files() -> frozenset[str]:
    return frozenset(str(path) for path in Path(OWN_FOLDER).resolve().rglob("*.py"))


def is_tensorflow_file(file: str) -> bool:
    """Whether a file is TensorFlow's or Keras's."""
    return file.startswith(_folders_of_tensorflow())


def is_installed_file(file: str) -> bool:
    """Whether a file belongs to an installed package."""
    return _INSTALLED.search(file) is not None


def is_standard_file(file: str) -> bool:
    """Whether a file belongs to Python's standard library, in whose folder there may be installed packages."""
    return file.startswith(_folders_of_python()) and not is_installed_file(file)


def is_generated_file(file: str) -> bool:
    """Whether AutoGraph has written a file."""
    return "__autograph_generated_file" in file


@functools.cache
def _folders_of_tensorflow() -> tuple[str, ...]:
    specs = (importlib.util.find_spec(name) for name in _TENSORFLOW)
    places = (spec.submodule_search_locations or () for spec in specs if spec is not None)
    return tuple(os.path.join(os.path.abspath(folder), "") for folders in places for folder in folders)


@functools.cache
def _folders_of_python() -> tuple[str, ...]:
    return tuple(os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "platstdlib"))


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
