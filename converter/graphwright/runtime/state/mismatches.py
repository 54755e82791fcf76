"""What to tell the user when two sides of a branch or loop don't merge. It decides nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from graphwright.libraries import is_own_file
from graphwright.runtime.basis.outcomes import ReturnOutcome, Turn
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.joining import MismatchError, join_shapes
from graphwright.runtime.state.nodes import (
    CompositeNode,
    ConstantNode,
    ContainerNode,
    CooperativeNode,
    DenseNode,
    GrownListNode,
    OptionalNode,
    StateNode,
    UnboundNode,
)

_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def explain_branches(mismatch: MismatchError, then: Callable[..., Any], otherwise: Callable[..., Any]) -> TypeError:
    """The error for two branches whose results don't merge."""
    left, right = say(mismatch.left), say(mismatch.right)
    places = place(then), place(otherwise)
    subject = _subject(mismatch.path)
    if then.__name__ == "returned_before" and otherwise.__code__:
        text = f"the function returns {left} earlier, but {right} at {places[1]}"
    elif not places[0]:
        text = f"{subject} is {right} in the branch at {places[1]}, but {left} where that isn't taken"
    elif not places[1]:
        text = f"{subject} is {left} in the branch at {places[0]}, but {right} where that isn't taken"
    elif places[0] == places[1]:
        text = f"{subject} is {left} if the test at {places[0]} is true, but {right} if it is false"
    else:
        text = f"{subject} is {left} in the branch at {places[0]}, but {right} in the other ({places[1]})"
    return TypeError(f"{text}: which one is taken is only known when the graph runs. {_advice(mismatch)}")


def explain_loop(mismatch: MismatchError, turn: Callable[..., Any]) -> Exception:
    """The error for a loop whose state after a turn isn't what it was before."""
    name = mismatch.path
    before, after = say(mismatch.left), say(mismatch.right)
    text = f"{_subject(name)} is {before} before the loop, but {after} after one iteration ({place(turn)})"
    if mismatch.reason == "shape":
        root = name.split(".")[0].split("[")[0]
        shape = _grown_shape(mismatch)
        return ValueError(
            f"{text}. Write gw.set_loop_options(shape_invariants=[({root}, tf.TensorShape({shape}))]) as the loop's "
            "first statement if its shape is to change, or convert with promote=True"
        )
    return TypeError(f"{text}. {_loop_advice(mismatch)}")


def explain_seed(error: Exception, name: str, before: Any, after: Any) -> TypeError:
    """The error for a Python number that a turn uses together with another kind of number."""
    kind = "int" if before.is_integer else "float"
    text = f"'{name}' starts the loop as a Python {kind}, so it is a tensor of {before.name} in it"
    reason = str(error).rstrip(".")
    return TypeError(
        f"{text}, but an iteration needs {after.name}: {reason}. "
        f"Start with {name} = tf.constant(..., tf.{after.name}), or convert with promote=True"
    )


def say(node: StateNode) -> str:
    """A node in words."""
    if isinstance(node, DenseNode):
        shape = "unknown rank" if node.shape is None else f"shape {node.shape}"
        number = {tf.int32: "int", tf.int64: "int", tf.float32: "float", tf.bool: "bool"}
        if node.weak and node.shape == ():
            return f"a Python {number.get(node.dtype, 'number')} (a tensor of {node.dtype.name} here)"
        return (
            f"a tensor of {node.dtype.name} and {shape}"
            if node.shape != ()
            else f"{_article(node.dtype.name)} {node.dtype.name} scalar"
        )
    if isinstance(node, ConstantNode):
        return _say_value(node.value)
    if isinstance(node, UnboundNode):
        return "undefined"
    if isinstance(node, OptionalNode):
        return f"{say(node.inner)} or {'None' if node.none else 'undefined'}"
    if isinstance(node, CompositeNode):
        return f"a {type(node.origin).__name__} ({node.spec})"
    if isinstance(node, ContainerNode):
        return _say_container(node)
    if isinstance(node, GrownListNode):
        return "a list whose length is known when the graph runs"
    return f"a {node.kind.__name__} of {len(node.items)} parts" if isinstance(node, CooperativeNode) else "unreachable"


def place(function: Callable[..., Any]) -> str:
    """File and line of a branch or turn; empty if the user wrote none."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or is_own_file(code.co_filename):
        return ""
    return f"{code.co_filename}:{code.co_firstlineno}"


def _say_value(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, (bool, int, float, complex, str, bytes)):
        return f"the Python {type(value).__name__} {value!r}"
    name = getattr(value, "__name__", "")
    return f"the {type(value).__name__} {name}" if name else f"a {type(value).__name__} object"


def _say_container(node: ContainerNode) -> str:
    kind: Any = node.kind
    if issubclass(kind, (ReturnOutcome, Turn)):
        return "a returned value" if issubclass(kind, ReturnOutcome) else "an iteration of a loop"
    if issubclass(kind, dict):
        return (
            f"a {kind.__name__} with the keys {', '.join(map(repr, node.keys))}"
            if node.keys
            else f"an empty {kind.__name__}"
        )
    if issubclass(kind, (list, tuple)):
        return f"a {kind.__name__} of length {len(node.keys)}" if node.keys else f"an empty {kind.__name__}"
    return f"a {kind.__name__} with the attributes {', '.join(map(str, node.keys))}"


def _advice(mismatch: MismatchError) -> str:
    left, right = mismatch.left, mismatch.right
    if mismatch.reason == "returned":
        return "Return a tensor on every path, or None on every path"
    if mismatch.reason == "dtype":
        target = _wider(left, right)
        if target == "string":
            return "Give both a text (tf.strings.as_string(...)) or both a number"
        other = next(
            side.dtype.name for side in (left, right) if isinstance(side, DenseNode) and side.dtype.name != target
        )
        return f"Write tf.cast(..., tf.{target}) around the {other} one, or convert with promote=True"
    if any(isinstance(side, ConstantNode) and callable(side.value) for side in (left, right)):
        return "Call it in both branches and keep the tensor that it gives: a graph can only choose between tensors"
    if any(isinstance(side, CompositeNode) for side in (left, right)):
        return "Give both the same kind of tensor (tf.RaggedTensor.from_tensor, tf.sparse.to_dense and the like)"
    if any(isinstance(side, ConstantNode) and not isinstance(side.value, _PLAIN) for side in (left, right)):
        return "A graph can only choose between tensors: keep tensors in both, and make the object afterwards"
    return "Give both the same structure: the same kind of container with the same keys or length, or a tensor on both"


def _loop_advice(mismatch: MismatchError) -> str:
    left, right = mismatch.left, mismatch.right
    name = mismatch.path
    if mismatch.reason == "dtype" and isinstance(right, DenseNode) and right.dtype != tf.string != _dtype(left):
        before = f"{name} = tf.cast({name}, tf.{right.dtype.name}) before the loop"
        if isinstance(left, DenseNode) and left.weak:
            before = f"{name} = tf.constant(..., tf.{right.dtype.name}) before the loop"
        return f"Write {before}, or cast it back at the end of the iteration, or convert with promote=True"
    kinds = [side.kind if isinstance(side, ContainerNode) else None for side in (left, right)]
    if kinds[0] is kinds[1] is tuple:
        return f"A tuple keeps its length in a graph: write {name} = [] and {name}.append(...), lists may grow"
    if kinds[0] is not None and kinds[0] is kinds[1] and issubclass(kinds[0], dict):
        return "Give it all its keys before the loop"
    return _advice(mismatch).replace("in both branches", "in every iteration")


def _dtype(node: StateNode) -> Any:
    return node.dtype if isinstance(node, DenseNode) else None


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def _subject(path: str) -> str:
    return path if path.startswith("the ") else f"'{path}'"


def _wider(left: StateNode, right: StateNode) -> str:
    names = [node.dtype for node in (left, right) if isinstance(node, DenseNode)]
    if tf.string in names:
        return "string"
    floating = [dtype for dtype in names if dtype.is_floating or dtype.is_complex]
    return max(floating or names, key=lambda dtype: dtype.size).name if names else "float32"


def _grown_shape(mismatch: MismatchError) -> str:
    if isinstance(mismatch.left, DenseNode) and isinstance(mismatch.right, DenseNode):
        shape = join_shapes(mismatch.left.shape, mismatch.right.shape)
        return "None" if shape is None else str(list(shape))
    return "None"
