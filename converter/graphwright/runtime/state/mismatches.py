"""Error messages for branches or iterations that don't merge. It decides nothing."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable
from typing import Any

from graphwright.libraries import is_own_file
from graphwright.runtime.basis.attributes import chosen_from, has_member
from graphwright.runtime.basis.notation import article, type_text
from graphwright.runtime.basis.outcomes import ReturnOutcome, Turn
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.state.joining import MismatchError
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
    """Return the error for two branches whose results don't merge."""
    left, right = _both(mismatch)
    places = place(then), place(otherwise)
    subject = _subject(mismatch.path)
    if then.__name__ == "returned_before" and otherwise.__code__:
        text = f"the function returns {left} earlier, but {right} at {places[1]}"
    elif not any(places):
        text = f"{subject} is {left} in one case, but {right} in another"
    elif not places[0]:
        text = f"{subject} is {right} in the branch at {places[1]}, but {left} where that isn't taken"
    elif not places[1]:
        text = f"{subject} is {left} in the branch at {places[0]}, but {right} where that isn't taken"
    elif places[0] == places[1]:
        text = f"{subject} is {left} if the condition at {places[0]} is true, but {right} if it is false"
    else:
        text = f"{subject} is {left} in the branch at {places[0]}, but {right} in the other ({places[1]})"
    return TypeError(f"{text}. The graph decides which one runs, so both must match: {_advice(mismatch)}")


def explain_loop(mismatch: MismatchError, turn: Callable[..., Any]) -> Exception:
    """Return the error for a loop whose state changes its type in an iteration."""
    name = mismatch.path
    before, after = _both(mismatch)
    text = f"{_subject(name)} is {before} before the loop, but {after} after one iteration ({place(turn)})"
    if mismatch.reason == "shape":
        return ValueError(
            f"{text}. XLA needs one shape for all iterations: append to a list and write tf.stack or tf.concat after "
            "the loop, or leave out jit_compile=True"
        )
    return TypeError(f"{text}. {_loop_advice(mismatch)}")


def _both(mismatch: MismatchError) -> tuple[str, str]:
    """The two sides in words."""
    left, right = say(mismatch.left), say(mismatch.right)
    return left, re.sub("^an? ", "another ", right) if left == right else right


def say(node: StateNode) -> str:
    """A node in words."""
    if isinstance(node, DenseNode):
        typed = type_text(node.dtype, node.shape)
        number = {tf.int32: "int", tf.int64: "int", tf.float32: "float", tf.bool: "bool", tf.string: "str"}
        if node.weak and node.shape == ():
            return f"a Python {number.get(node.dtype, 'number')} ({typed} in the graph)"
        return typed
    if isinstance(node, ConstantNode):
        return _say_value(node.value)
    if isinstance(node, UnboundNode):
        return "undefined"
    if isinstance(node, OptionalNode):
        return f"{say(node.inner)} or {'None' if node.none else 'undefined'}"
    if isinstance(node, CompositeNode):
        return _say_composite(node)
    if isinstance(node, ContainerNode):
        return _say_container(node)
    if isinstance(node, GrownListNode):
        return "a list of unknown length"
    if not isinstance(node, CooperativeNode):
        return "unreachable"
    kind = node.kind.__name__
    if has_member(node.kind, "graphwright_options"):
        return f"one of {len(node.kind.graphwright_options)} {kind}s, as the graph chooses"
    return f"a {kind} of {len(node.items)} parts"


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
    if isinstance(value, enum.Enum):
        return str(value)
    if options := chosen_from(value):
        return f"one of {len(options)} functions, as the graph chooses"
    name = getattr(value, "__name__", "")
    kind = type(value).__name__
    return f"the {kind} {name}" if name else f"{article(kind)} {_instance(kind)}"


def _instance(kind: str) -> str:
    return kind if kind == "object" else f"{kind} object"


def _say_composite(node: CompositeNode) -> str:
    kind, shape = node.spec.value_type.__name__, getattr(node.spec, "shape", None)
    dtype = getattr(node.spec, "dtype", None)
    return f"{kind}[{type_text(dtype, shape)}]" if hasattr(dtype, "name") else f"{kind} ({node.spec})"


def _say_container(node: ContainerNode) -> str:
    kind: Any = node.kind
    if issubclass(kind, (ReturnOutcome, Turn)):
        return "a returned value" if issubclass(kind, ReturnOutcome) else "an iteration of a loop"
    if issubclass(kind, dict):
        factory = getattr(getattr(node.template, "default_factory", None), "__name__", "")
        name = f"{kind.__name__}({factory})" if factory.isidentifier() else kind.__name__
        keys = f"the key{'s' * (len(node.keys) > 1)} {', '.join(map(repr, node.keys))}"
        return f"a {name} with {keys}" if node.keys else f"an empty {name}"
    if issubclass(kind, (list, tuple, DEQUE)):
        most = getattr(node.template, "maxlen", None)
        size = f"a {kind.__name__} of length {len(node.keys)}" if node.keys else f"an empty {kind.__name__}"
        return size if most is None else f"{size} with maxlen={most}"
    return f"{article(kind.__name__)} {kind.__name__} with the attributes {', '.join(map(str, node.keys))}"


def _advice(mismatch: MismatchError) -> str:
    left, right = mismatch.left, mismatch.right
    if mismatch.reason == "returned":
        return "return a tensor on every path, or None on every path"
    if mismatch.reason == "circle":
        return "objects that refer to each other can't be chosen by the graph, so choose between the tensors in them"
    if mismatch.reason == "dtype":
        target = _wider(left, right)
        if target == "string":
            return "use a string in both (tf.strings.as_string(...)), or a number in both"
        if _mixes_bool(left, right):
            return "use True and False in both, or numbers in both (tf.cast(..., tf.int32) makes one of a bool)"
        other = next(
            side.dtype.name for side in (left, right) if isinstance(side, DenseNode) and side.dtype.name != target
        )
        return f"cast the {other} one with tf.cast(..., tf.{target}), or convert with promote=True"
    functions = [isinstance(side, ConstantNode) and callable(side.value) for side in (left, right)]
    if all(functions):
        return "give them what each branch makes as an argument, or call them in each branch and use the result"
    if any(functions):
        return "call it in each branch and use its result, because a graph can't choose between a function and a tensor"
    if any(isinstance(side, ConstantNode) and isinstance(side.value, enum.Enum) for side in (left, right)):
        return "use members of one enumeration in both, or numbers in both"
    if any(isinstance(side, CompositeNode) for side in (left, right)):
        return "use the same kind of tensor in both (tf.RaggedTensor.from_tensor, tf.sparse.to_dense)"
    if any(isinstance(side, ConstantNode) and not isinstance(side.value, _PLAIN) for side in (left, right)):
        return "a graph can only choose between tensors, so use tensors in each branch and create the object afterwards"
    return "use the same kind of container with the same keys or length in both, or a tensor in both"


def _loop_advice(mismatch: MismatchError) -> str:
    left, right = mismatch.left, mismatch.right
    name = mismatch.path
    if mismatch.reason == "dtype" and _mixes_bool(left, right):
        before, within = ("False", "numbers") if _dtype(right) == tf.bool else ("0", "True and False")
        return f"Write {name} = {before} before the loop, or {within} in it"
    if mismatch.reason == "dtype" and isinstance(right, DenseNode) and right.dtype != tf.string != _dtype(left):
        before = f"{name} = tf.cast({name}, tf.{right.dtype.name}) before the loop"
        if isinstance(left, DenseNode) and left.weak:
            before = f"{name} = tf.constant(..., tf.{right.dtype.name}) before the loop"
        return f"Write {before}, cast it back at the end of the iteration, or convert with promote=True"
    kinds = [side.kind if isinstance(side, ContainerNode) else None for side in (left, right)]
    if kinds[0] is kinds[1] is tuple:
        return f"A tuple can't change its length in a graph, but a list can: write {name} = [] and {name}.append(...)"
    if kinds[0] is not None and kinds[0] is kinds[1] and issubclass(kinds[0], dict):
        return "Set all its keys before the loop"
    advice = _advice(mismatch).replace("each branch", "each iteration")
    return advice[0].upper() + advice[1:]


def _dtype(node: StateNode) -> Any:
    return node.dtype if isinstance(node, DenseNode) else None


def _mixes_bool(left: StateNode, right: StateNode) -> bool:
    """Whether one is a bool and the other a number: no dtype holds both."""
    dtypes = {_dtype(left), _dtype(right)}
    return tf.bool in dtypes and tf.string not in dtypes


def _subject(path: str) -> str:
    return path if path.startswith("the ") else f"'{path}'"


def _wider(left: StateNode, right: StateNode) -> str:
    names = [node.dtype for node in (left, right) if isinstance(node, DenseNode)]
    if tf.string in names:
        return "string"
    floating = [dtype for dtype in names if dtype.is_floating or dtype.is_complex]
    return max(floating or names, key=lambda dtype: dtype.size).name if names else "float32"
