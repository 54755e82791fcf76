"""Where we are: building a graph or not, in how many staged constructs, under which options.

It never touches values.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import Any, cast
from weakref import WeakKeyDictionary

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.error_words import words_of
from graphwright.runtime.basis.sums_of_arguments import mend_sums_of_arguments
from graphwright.runtime.basis.tensorflow import EagerTensor, tf
from graphwright.runtime.basis.tensorflow_internals import construct_graphs, control_flow, tensor_classes

promote: ContextVar[bool] = ContextVar("graphwright_promote", default=False)
features: ContextVar[frozenset[str]] = ContextVar("graphwright_features", default=frozenset())
"""The optional features of the function that is being traced, by their names."""
_texts_while_tracing: ContextVar[bool] = ContextVar("graphwright_texts_while_tracing", default=False)
_depth: ContextVar[int] = ContextVar("graphwright_staged_depth", default=0)


def is_staging() -> bool:
    """Whether a graph is being built."""
    return not tf.executing_eagerly()


def is_writing() -> bool:
    """Whether a graph is being built that can make text of numbers when it runs: what XLA compiles can't."""
    return is_staging() and not _texts_while_tracing.get() and not is_for_xla()


@contextlib.contextmanager
def text_while_tracing() -> Generator[None, None, None]:
    """Trace functions as `tf.function` does: `print` and f-strings run once, while tracing, and show tensors by name.

    TensorFlow Lite has no operations for text. A trace that was made before stays as it is.
    """
    token = _texts_while_tracing.set(True)
    try:
        yield
    finally:
        _texts_while_tracing.reset(token)


def function_graph() -> Any:
    """The graph of the function that is being traced, outside of the branches and loops that are being built."""
    graph: Any = tf.compat.v1.get_default_graph()
    while isinstance(graph, construct_graphs):
        graph = graph.outer_graph
    return graph


def is_in_loop() -> bool:
    """Whether the body of a loop of the graph is being traced, or what a branch in it does."""
    graph: Any = tf.compat.v1.get_default_graph()
    while isinstance(graph, construct_graphs[:1]):
        graph = graph.outer_graph
    return isinstance(graph, construct_graphs)


def is_for_xla() -> bool:
    """Whether the graph that is being built is one that XLA compiles."""
    return control_flow.GraphOrParentsInXlaContext(tf.compat.v1.get_default_graph())


def is_symbolic(value: Any) -> bool:
    """Whether a value is only known when the graph runs."""
    kind = cast("Callable[[Any], type[Any]]", type)(value)
    if kind is bool or kind is str or kind is int or kind is list or kind is dict or kind is tuple or value is None:
        return False  # Said at once: it is asked of each condition and each item.
    if issubclass(kind, EagerTensor) or tf.executing_eagerly() or not is_tensor(value):
        return False
    if isinstance(value, EagerTensor):
        return False
    if isinstance(value, (tf.Tensor, tf.Variable)):
        return True
    if hasattr(value, "is_tensor_like") and not has_member(value.__class__, "is_tensor_like"):
        return False  # Its `__getattr__` answers to every name, and TensorFlow takes it for a tensor.
    parts = tf.nest.flatten(value, expand_composites=True)
    return any(not isinstance(part, EagerTensor) for part in parts)


def by_graph(test: Any) -> bool:
    """Whether the graph decides a test: of a SparseTensor, Python knows the truth as of any object."""
    if type(test) in SIMPLE:
        return False
    return is_symbolic(test) and not isinstance(test, PYTHON_JUDGES)


SIMPLE: frozenset[type] = frozenset({bool, int, float, complex, str, bytes, type(None)})
"""Classes whose values are Python's and hold nothing: most tests of Python's are of one."""
PYTHON_JUDGES = (tf.SparseTensor, tf.RaggedTensor, tf.IndexedSlices)
"""Tensors of several parts, whose truth is Python's; a RaggedTensor has none."""


def is_tensor(value: Any) -> bool:
    """Whether TensorFlow takes a value for a tensor; remembers of which classes it takes none.

    `tf.is_tensor` checks a protocol, which takes long and looks the attribute up in the value.
    """
    kind = cast("Callable[[Any], type[Any]]", type)(value)
    if type(kind).__hash__ is not type.__hash__:
        return tf.is_tensor(value)
    known = _may_act_as_tensors.get(kind)
    if known is None:
        known = _may_act_as_tensors[kind] = (
            has_member(kind, "is_tensor_like")
            or issubclass(kind, tensor_classes[:-1])
            or any("__class__" in vars(base) for base in kind.__mro__[:-1])
        )
    return known and tf.is_tensor(value)


_may_act_as_tensors: WeakKeyDictionary[type[Any], bool] = WeakKeyDictionary()


_doubts: ContextVar[list[Exception] | None] = ContextVar("graphwright_doubts", default=None)


@contextlib.contextmanager
def doubting() -> Generator[list[Exception], None, None]:
    """A loop's turn is traced, perhaps before its state's types are known: collect what branches fail from."""
    doubts: list[Exception] = []
    token = _doubts.set(doubts)
    try:
        yield doubts
    finally:
        _doubts.reset(token)


def is_doubting() -> bool:
    """Whether what is traced is a loop's turn, whose state may not be known yet."""
    return _doubts.get() is not None


def doubts_of(error: Exception) -> list[Exception] | None:
    """Where to note an error of a branch that may be gone when more is known of a loop's state."""
    missing = isinstance(error, (UnboundLocalError, IndexError))
    if not missing and not (isinstance(error, (TypeError, ValueError, AttributeError)) and "None" in words_of(error)):
        return None
    return _doubts.get()


def staged_depth() -> int:
    """In how many staged branches and loop bodies of ours the code that runs is being traced."""
    return _depth.get()


@contextlib.contextmanager
def staged() -> Generator[None, None, None]:
    """The body is traced as a branch or a turn of a loop."""
    token = _depth.set(_depth.get() + 1)
    try:
        yield
    finally:
        _depth.reset(token)
    mend_sums_of_arguments(tf.compat.v1.get_default_graph())


@contextlib.contextmanager
def having(names: frozenset[str]) -> Generator[None, None, None]:
    """Trace with optional features."""
    token = features.set(names)
    try:
        yield
    finally:
        features.reset(token)


@contextlib.contextmanager
def promoting(enabled: bool) -> Generator[None, None, None]:
    """Allow (or forbid) dtypes and shapes to widen where eager code would go on."""
    token = promote.set(enabled)
    try:
        yield
    finally:
        promote.reset(token)
