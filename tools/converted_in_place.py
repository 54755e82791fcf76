"""A pytest plugin: a package's own tests call its functions converted, eagerly or while a graph is being built.

    CONVERTED=toolz MODE=trace OUTCOMES=outcomes.json python -m pytest -p converted_in_place --pyargs toolz

Every function of a module of CONVERTED, and of its classes, is loaded with `@gw.convert` above it.
A generator and what else can't be converted stays as it is, and so do the tests. With MODE=plain nothing is
converted. A module of Python's own library is loaded again for its tests; what has loaded it before keeps the old one.
Each test has CONVERTED_SECONDS of the processor's time. Hypothesis tries the same examples in each run, and none has a
deadline: the first one converts what the others find converted.
OUTCOMES is written: what became of each test, and the line that says what it failed with.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib.abc
import importlib.machinery
import json
import os
import random
import signal
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest

CONVERTED = tuple(os.environ.get("CONVERTED", "").split())
MODE = os.environ.get("MODE", "eager")
SECONDS = int(os.environ.get("CONVERTED_SECONDS", "20"))
OUTCOMES = os.environ.get("OUTCOMES")

_NAME = "__converted_in_place__"
_OUTSIDE_CLASSES = {"__new__", "__init_subclass__", "__class_getitem__", "__del__", "__getattribute__", "__setattr__"}


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with `@gw.convert` at each function of it and of its classes, right above the `def`."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        for block in blocks_of(tree):
            for function in block.body:
                if isinstance(function, ast.FunctionDef) and function.name not in _OUTSIDE_CLASSES:
                    function.decorator_list.append(_decorator(function))
        return compile(tree, path, "exec", dont_inherit=True)


def blocks_of(block: Any) -> Iterator[Any]:
    """A module, the classes in it, and the blocks of its `if`s and `try`s; functions in functions are their code."""
    yield block
    for statement in block.body:
        if isinstance(statement, (ast.ClassDef, ast.If, ast.Try)):
            yield from blocks_of(statement)


def _decorator(function: ast.FunctionDef) -> ast.expr:
    name = ast.Name(_NAME, ast.Load())
    # The first decorator's line is the first one of the function's code, which is to be as without it.
    return ast.copy_location(name, function.decorator_list[0] if function.decorator_list else function)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules that are converted, but not their tests."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not is_converted(fullname):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(fullname, spec.loader.path)
        return spec


def is_converted(module: str) -> bool:
    parts = module.split(".")
    return "tests" not in parts and any(".".join(parts[:end]) in CONVERTED for end in range(1, len(parts) + 1))


def converted(function: Any) -> Any:
    import graphwright as gw

    try:
        return gw.convert(function)
    except gw.ConversionError:
        return function


def install() -> None:
    """From now on the modules are loaded converted; all that the converter needs itself has loaded them before."""
    import graphwright as gw
    import tensorflow as tf
    from graphwright import libraries

    tf.function(gw.convert(lambda x: x if x > 0 else -x))(tf.constant(1))
    libraries.LIBRARIES = libraries.LIBRARIES - {module.partition(".")[0] for module in CONVERTED}
    libraries.is_library_module.cache_clear()
    for module in filter(is_converted, list(sys.modules)):
        del sys.modules[module]
    setattr(builtins, _NAME, converted)
    sys.meta_path.insert(0, Finder())


@contextlib.contextmanager
def surroundings(test: str) -> Iterator[None]:
    """A graph that is being built, if tests run in one, the same random numbers, and an end to what takes too long."""

    def stop(number: int, frame: Any) -> None:
        raise TimeoutError(f"{test} takes more than {SECONDS} s")

    random.seed(0)
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        if MODE == "trace":
            from tensorflow.python.framework.func_graph import FuncGraph

            with FuncGraph("test").as_default():
                yield
        else:
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def pytest_sessionstart() -> None:
    """After the package has chosen its profile of Hypothesis, and before its tests are decorated with that."""
    hypothesis.settings.register_profile(_NAME, deadline=None, derandomize=True)
    hypothesis.settings.load_profile(_NAME)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with surroundings(item.nodeid):
        return (yield)


_outcomes: dict[str, tuple[str, str]] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    known = _outcomes.get(report.nodeid)
    if report.failed or (known is None and (report.when == "call" or report.skipped)):
        words = report.longreprtext.strip().splitlines() if report.failed else []
        told = next((line[1:].strip() for line in words if line.startswith("E ")), "".join(words[-1:]))
        _outcomes[report.nodeid] = (report.outcome, told)


def pytest_sessionfinish() -> None:
    if OUTCOMES:
        Path(OUTCOMES).write_text(json.dumps(_outcomes), "utf-8")


if MODE != "plain":
    install()
