"""The ways to run a function that are compared: eager, tf.function, gw.function, XLA, and ejected to plain TensorFlow.

It makes what is called, and calls nothing itself.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import linecache
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from . import measuring
from .subjects import Subject, is_layer_class
from .wire import EAGER, EJECTED, TF_FUNCTION, XLA, Way

EJECTED_FILE = "<ejected>"


@dataclass(frozen=True)
class Callee:
    """The Python behind a function: the plain function, None where there is none, and what it is bound to."""

    call: Callable[..., Any]
    function: Any
    receiver: Any = None
    is_layer: bool = False

    def with_function(self, function: Any) -> Callable[..., Any]:
        """The same, with another function in its place."""
        if self.is_layer:
            # Keras builds a layer when the layer is called.
            self.receiver.call = types.MethodType(function, self.receiver)
            return self.receiver
        return function if self.receiver is None else types.MethodType(function, self.receiver)


def callee_of(subject: Subject) -> Callee:
    """The Python behind what is asked for."""
    call = subject.call
    if is_layer_class(type(call)):
        function = _plain(cast(Any, type(call)).call)
        return Callee(call, function, call, is_layer=True)
    if subject.graph is not None and subject.receiver is not None:
        name = subject.name.rpartition(".")[2]
        function = _plain(inspect.getattr_static(cast("type[Any]", type(subject.receiver)), name))
        if function is not None:
            return Callee(types.MethodType(function, subject.receiver), function, subject.receiver)
    if subject.graph is not None:
        function = _plain(subject.graph)
        return Callee(subject.graph.python_function if function is None else function, function)
    if isinstance(call, types.MethodType):
        return Callee(call, _plain(call.__func__), call.__self__)
    if isinstance(call, types.FunctionType):
        return Callee(call, call)
    return Callee(call, _plain(getattr(type(call), "__call__", None)), call)  # noqa: B004


def made(way: Way, subject: Subject, callee: Callee, specs: list[Any], tf: Any) -> Callable[..., Any]:
    """What to call for a way; `specs` are values or specs like the arguments."""
    if way == EAGER:
        return _eager(callee.call, tf)
    options: dict[str, Any] = {"input_signature": getattr(subject.graph, "input_signature", None)}
    if way == EJECTED:
        return tf.function(ejected(callee, specs), autograph=False, **options)
    return graph_function(way, callee.call, tf, **options)


def graph_function(way: Way, call: Callable[..., Any], tf: Any, **options: Any) -> Callable[..., Any]:
    """A function as a graph, converted by AutoGraph or by Graphwright."""
    if way == TF_FUNCTION:
        return tf.function(call, **options)
    gw: Any = importlib.import_module("graphwright")
    return gw.function(call, jit_compile=True if way == XLA else None, **options)


def ejected(callee: Callee, specs: list[Any]) -> Callable[..., Any]:
    """The function in plain TensorFlow, with the same globals, cells and defaults."""
    function = callee.function
    gw: Any = importlib.import_module("graphwright")
    entity = function if function is None or callee.receiver is None else types.MethodType(function, callee.receiver)
    text = gw.to_code(callee.call if entity is None else entity, style="tensorflow", signature=specs)
    assert function is not None, "what has no Python source isn't ejected"
    return callee.with_function(function_from(text, function, EJECTED_FILE))


def function_from(
    text: str, like: types.FunctionType, file: str, names: Mapping[str, Any] | None = None
) -> types.FunctionType:
    """A function that a text defines, in the place of another one: the same cells, globals, defaults; more names."""
    added = dict(names or {})
    free = [*dict.fromkeys((*like.__code__.co_freevars, *added))]
    around: Any = ast.parse(f"def _around({', '.join(free)}): return {like.__code__.co_name}")
    around.body[0].body[:0] = _Mangled(like).visit(ast.parse(text)).body
    # Whoever reads the source, to convert or eject it, sees the module around it.
    whole = "".join(linecache.getlines(like.__code__.co_filename)) + f"\n\n{ast.unparse(around)}\n"
    linecache.cache[file] = (len(whole), None, whole.splitlines(keepends=True), file)
    place: dict[str, Any] = {}
    only = ast.Module(ast.parse(whole).body[-1:], [])
    exec(compile(only, file, "exec", dont_inherit=True), like.__globals__, place)
    inner: types.FunctionType = place["_around"](*(added.get(name) for name in free))
    cells = dict(zip(inner.__code__.co_freevars, inner.__closure__ or (), strict=True))
    cells |= dict(zip(like.__code__.co_freevars, like.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in inner.__code__.co_freevars)
    function = types.FunctionType(inner.__code__, like.__globals__, like.__name__, like.__defaults__, closure)
    function.__kwdefaults__ = like.__kwdefaults__
    function.__module__ = like.__module__
    return function


class _Mangled(ast.NodeTransformer):
    """Spells a class's private attributes as they are outside of it."""

    def __init__(self, like: types.FunctionType) -> None:
        around = like.__qualname__.split(".")[:-1]
        self._prefix = f"_{around[-1].lstrip('_')}" if around and around[-1] != "<locals>" else ""

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        if self._prefix and node.attr.startswith("__") and not node.attr.endswith("__"):
            node.attr = self._prefix + node.attr
        return node


def _eager(call: Callable[..., Any], tf: Any) -> Callable[..., Any]:
    def eagerly(*args: Any, **kwargs: Any) -> Any:
        with measuring.eagerly(tf):
            return call(*args, **kwargs)

    return eagerly


def _plain(found: Any) -> types.FunctionType | None:
    """The function that the user wrote, in a tf.function or a decorator of Graphwright's."""
    for _ in range(8):
        if hasattr(found, "python_function"):
            found = found.python_function
        elif isinstance(found, types.MethodType):
            found = found.__func__
        else:
            break
    with suppress(ImportError):
        twins: Any = importlib.import_module("graphwright.twins")
        found = twins.original_of(found)
    return found if isinstance(found, types.FunctionType) else None
