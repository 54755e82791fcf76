"""What to tell the user when two sides of a branch or loop don't merge. It decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.joining import MismatchError
from graphwright.runtime.nodes import Composite, Constant, Container, Cooperative, Dense, Grown, Missing, Node, Optional
from graphwright.runtime.results import Result, Turn
from graphwright.runtime.tensorflow import tf


def explain_branches(mismatch: MismatchError, then: Callable[..., Any], otherwise: Callable[..., Any]) -> TypeError:
    """The error for two branches whose results don't merge."""
    left, right = say(mismatch.left), say(mismatch.right)
    text = f"'{mismatch.path}' is {left} in the branch at {place(then)}, but {right} in the other ({place(otherwise)})"
    if mismatch.path.startswith("the "):
        text = text.replace(f"'{mismatch.path}'", mismatch.path, 1)
    return TypeError(f"{text}: which one is taken is only known when the graph runs. {_advice(mismatch)}")


def explain_loop(mismatch: MismatchError, turn: Callable[..., Any]) -> Exception:
    """The error for a loop whose state after a turn isn't what it was before."""
    name = mismatch.path
    before, after = say(mismatch.left), say(mismatch.right)
    text = f"'{name}' is {before} before the loop, but {after} after a turn ({place(turn)})"
    if mismatch.reason == "shape":
        root = name.split(".")[0].split("[")[0]
        shape = _grown_shape(mismatch)
        return ValueError(
            f"{text}. Write gw.set_loop_options(shape_invariants=[({root}, tf.TensorShape({shape}))]) as the loop's "
            "first statement if its shape is to change, or convert with promote=True"
        )
    return TypeError(f"{text}. {_advice(mismatch)}")


def explain_seed(error: Exception, name: str, before: Any, after: Any) -> TypeError:
    """The error for a Python number that a turn uses together with another kind of number."""
    kind = "int" if before.is_integer else "float"
    text = f"'{name}' starts the loop as a Python {kind}, so it is a tensor of {before.name} in it"
    reason = str(error).rstrip(".")
    return TypeError(
        f"{text}, but a turn needs {after.name}: {reason}. "
        f"Start with {name} = tf.constant(..., tf.{after.name}), or convert with promote=True"
    )


def say(node: Node) -> str:
    """A node in words."""
    if isinstance(node, Dense):
        shape = "unknown rank" if node.shape is None else f"shape {node.shape}"
        number = {tf.int32: "int", tf.int64: "int", tf.float32: "float", tf.bool: "bool"}
        if node.weak and node.shape == ():
            return f"a Python {number.get(node.dtype, 'number')} (a tensor of {node.dtype.name} here)"
        return f"a tensor of {node.dtype.name} and {shape}"
    if isinstance(node, Constant):
        return _say_value(node.value)
    if isinstance(node, Missing):
        return "undefined"
    if isinstance(node, Optional):
        return f"{say(node.inner)} or {'None' if node.none else 'undefined'}"
    if isinstance(node, Composite):
        return f"a {type(node.origin).__name__} ({node.spec})"
    if isinstance(node, Grown):
        return "a list whose length is known when the graph runs"
    if isinstance(node, Container):
        return _say_container(node)
    if isinstance(node, Grown):
        return "a list whose length is known when the graph runs"
    return f"a {node.kind.__name__} of {len(node.items)} parts" if isinstance(node, Cooperative) else "unreachable"


def place(function: Callable[..., Any]) -> str:
    """File and line of a branch or turn."""
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code is not None else "no code"


def _say_value(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, (bool, int, float, complex, str, bytes)):
        return f"the Python {type(value).__name__} {value!r}"
    return f"a {type(value).__name__}"


def _say_container(node: Container) -> str:
    kind: Any = node.kind
    if issubclass(kind, (Result, Turn)):
        return "a returned value" if issubclass(kind, Result) else "a turn of a loop"
    if issubclass(kind, dict):
        return f"a {kind.__name__} with the keys {', '.join(map(repr, node.keys)) or '(none)'}"
    if issubclass(kind, (list, tuple)):
        return f"a {kind.__name__} of {len(node.keys)}"
    return f"a {kind.__name__} with the attributes {', '.join(map(str, node.keys))}"


def _advice(mismatch: MismatchError) -> str:
    left, right = mismatch.left, mismatch.right
    if mismatch.reason == "returned":
        return "Return a tensor on every path, or None on every path"
    if mismatch.reason == "dtype":
        target = _wider(left, right)
        return f"Cast one of them (tf.cast(..., tf.{target})), or start with tf.constant(..., tf.{target})"
    return "Give both the same structure: the same kind of container with the same keys or length, or a tensor on both"


def _wider(left: Node, right: Node) -> str:
    names = [node.dtype for node in (left, right) if isinstance(node, Dense)]
    floating = [dtype for dtype in names if dtype.is_floating or dtype.is_complex]
    return max(floating or names, key=lambda dtype: dtype.size).name if names else "float32"


def _grown_shape(mismatch: MismatchError) -> str:
    from graphwright.runtime.joining import join_shapes

    if isinstance(mismatch.left, Dense) and isinstance(mismatch.right, Dense):
        shape = join_shapes(mismatch.left.shape, mismatch.right.shape)
        return "None" if shape is None else str(list(shape))
    return "None"
