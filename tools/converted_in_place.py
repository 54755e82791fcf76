"""A pytest plugin: the functions of a package run converted while its own tests call them, each test within a time.

    CONVERTED=toolz python -m pytest -p converted_in_place --pyargs toolz

Every function that a module of the package defines, in its classes as well, is converted when the module is loaded.
What can't be converted, such as a generator, stays as it is. The package's tests themselves aren't converted.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import signal
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

PACKAGES = frozenset(os.environ.get("CONVERTED", "").split())
SECONDS = int(os.environ.get("CONVERTED_SECONDS", "60"))


class Loader(importlib.abc.Loader):
    """Loads a module as its own loader does, and then converts what it defines."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        self.loader.exec_module(module)
        convert_all(module.__dict__, module.__name__)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the packages, but not their tests."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in PACKAGES or "tests" in fullname.split("."):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(spec.loader)
        return spec


def convert_all(namespace: dict[str, Any], module: str) -> None:
    """Convert the functions of a module, and the methods of its classes."""
    for name, value in list(namespace.items()):
        if isinstance(value, types.FunctionType) and value.__module__ == module:
            namespace[name] = converted(value)
        elif isinstance(value, type) and value.__module__ == module:
            for method, member in list(vars(value).items()):
                if isinstance(member, types.FunctionType) and member.__module__ == module:
                    setattr(value, method, converted(member))


def converted(function: types.FunctionType) -> Any:
    import graphwright as gw

    try:
        return gw.to_graph(function)
    except gw.ConversionError:
        return function


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that takes too long, instead of waiting for it."""

    def stop(number: int, frame: Any) -> None:
        raise TimeoutError(f"{item.nodeid} takes more than {SECONDS} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        return (yield)
    finally:
        signal.alarm(0)


sys.meta_path.insert(0, Finder())
