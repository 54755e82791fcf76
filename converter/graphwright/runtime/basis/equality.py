"""`==` and `!=` of tensors in a plain `tf.Graph`, where TensorFlow compares identities: in converted code, the values.

Code of libraries compares as it does without Graphwright. What else differs in such a graph isn't decided here.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import Any

from graphwright.libraries import is_library_module
from graphwright.runtime.basis.tensorflow import EagerTensor, tf
from graphwright.runtime.basis.tensorflow_internals import override_operators, tensors

building: ContextVar[Any] = ContextVar("graphwright_building", default=None)
"""The plain graph in which converted code is running."""


@contextlib.contextmanager
def compares_by_value(graph: Any) -> Generator[None, None, None]:
    """Compare the values of tensors while converted code runs in a plain graph."""
    _install()
    token = building.set(graph)
    try:
        yield
    finally:
        building.reset(token)


@functools.cache
def _install() -> None:
    for kind in (tf.Tensor, tf.Variable):
        kind.__eq__ = _comparing(kind.__eq__, tf.raw_ops.Equal, False)
        kind.__ne__ = _comparing(kind.__ne__, tf.raw_ops.NotEqual, True)


def _comparing(by_identity: Callable[[Any, Any], Any], operation: Any, of_none: bool) -> Callable[[Any, Any], Any]:
    @functools.wraps(by_identity)
    def compare(self: Any, other: Any) -> Any:
        if building.get() is None:
            return by_identity(self, other)
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        if not _is_by_value(self, frame.f_globals.get("__name__")):
            return by_identity(self, other)
        if other is None:
            return of_none
        one, two = override_operators.maybe_promote_tensors(self, other)
        return operation(x=one, y=two, incompatible_shape_error=False)

    return compare


def _is_by_value(value: Any, module: Any) -> bool:
    if tf.executing_eagerly() or isinstance(value, EagerTensor) or not tensors.Tensor._USE_EQUALITY:
        return False
    name = str(module or "")
    return name.startswith("graphwright.") or not is_library_module(name)
