"""Watches TensorFlow trace functions, those of plain `tf.function` included.

It imports no TensorFlow and waits until the program does. `runtime.functions` finds out why a function is traced.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from types import ModuleType
from typing import Any

from graphwright import reporting
from graphwright.errors import RetraceError
from graphwright.traces import FunctionTrace

Watcher = Callable[[Any, FunctionTrace], None]
"""Called with the account of a function and its new trace, before TensorFlow stores the trace; may refuse it."""

WATCHERS: list[Watcher] = []
FUNCTIONS = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
COMPILATION = "tensorflow.python.eager.polymorphic_function.tracing_compilation"
CACHES = "tensorflow.core.function.polymorphism.function_cache"

RUNNING = threading.local()
"""When the trace that finished last began, in its thread."""


@contextlib.contextmanager
def watching(watcher: Watcher) -> Generator[None]:
    """Have a watcher called for every trace made inside the block, in any thread."""
    start()
    WATCHERS.append(watcher)
    try:
        yield
    finally:
        WATCHERS.remove(watcher)


def is_recording() -> bool:
    """True if GRAPHWRIGHT_TRACES asks for a record of this process."""
    return os.environ.get("GRAPHWRIGHT_TRACES", "") not in ("", "0")


def start() -> None:
    """Follow plain tf.function from now on, or from when TensorFlow is imported."""
    if FUNCTIONS in sys.modules:
        follow_plain_functions()
    elif not any(isinstance(finder, WaitingFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, WaitingFinder())


class WaitingFinder:
    """Waits for TensorFlow's module of tf.function to be imported; finds no module itself."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != FUNCTIONS:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_follow(module: ModuleType) -> None:
                execute(module)
                follow_plain_functions()

            spec.loader.exec_module = execute_and_follow
        return spec


def follow_plain_functions() -> None:
    """Have TensorFlow's caches report what is added to them; without what this needs, plain functions aren't seen."""
    try:
        cache_class: Any = sys.modules[CACHES].__dict__["FunctionCache"]
        add: Callable[..., None] = cache_class.add
        if not hasattr(add, "follows"):
            cache_class.add = following(add, cache_class)
            compilation: Any = sys.modules[COMPILATION]
            compilation._create_concrete_function = timing(compilation._create_concrete_function)
            if is_recording():
                function_class: Any = sys.modules[FUNCTIONS].__dict__["Function"]
                function_class.__call__ = recording_first(function_class, function_class.__call__)
    except (AttributeError, KeyError) as error:
        reporting.logger.warning("Graphwright can't watch plain tf.function with this version of TensorFlow: %s", error)


def following(add: Callable[..., None], cache_class: type) -> Callable[..., None]:
    @functools.wraps(add)
    def adding(self: Any, fn: Any, context: Any = None) -> None:
        __tracebackhide__ = True
        if (WATCHERS or is_recording()) and type(self) is cache_class:
            note(self, fn, context)
        add(self, fn, context)

    adding.__dict__["follows"] = True
    return adding


def note(cache: Any, fn: Any, context: Any) -> None:
    """Report a trace of a plain tf.function. Only a refusal may fail the user's call."""
    __tracebackhide__ = True
    try:
        importlib.import_module("graphwright.runtime.functions.plain_functions").note(cache, fn, context)
    except RetraceError:
        raise
    except Exception as error:
        reporting.logger.warning("Graphwright couldn't record a trace of a plain tf.function: %s", error)


def timing(create: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(create)
    def creating(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        began = time.perf_counter()
        try:
            made = create(*args, **kwargs)
        except Exception as error:
            if error.__traceback__ is not None:
                error.__traceback__ = error.__traceback__.tb_next
            raise  # Bare, which alone doesn't put this frame back into the traceback.
        RUNNING.finished = began
        return made

    return creating


def recording_first(function_class: Any, call: Callable[..., Any]) -> Callable[..., Any]:
    """`call`, which loads the recorder when something is first called: that needs the whole of TensorFlow."""

    @functools.wraps(call)
    def calling(self: Any, *args: Any, **kwds: Any) -> Any:
        if function_class.__call__ is calling:
            function_class.__call__ = call
            importlib.import_module("graphwright.runtime.functions.recording")
            return function_class.__call__(self, *args, **kwds)
        return call(self, *args, **kwds)

    return calling
