"""if, and, or, not: plain Python unless the test is only known when the graph runs. Loops are elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from graphwright.runtime.context import doubts_of, is_symbolic, promote, staged
from graphwright.runtime.growable import GraphList
from graphwright.runtime.joining import Join, MismatchError, join
from graphwright.runtime.mismatches import explain_branches
from graphwright.runtime.nodes import Constant, Container, Node
from graphwright.runtime.results import Never, Turn
from graphwright.runtime.state import describe, fresh
from graphwright.runtime.tensorflow import tf
from graphwright.runtime.undefined import Maybe

Branch = Callable[..., Any]


def if_(test: Any, then: Branch, otherwise: Branch, *state: Any, names: Sequence[str] | None = None) -> Any:
    """Run one of two branches on the state and give its results."""
    test = asked(test)
    if not is_symbolic(test):
        return then(*state) if test else otherwise(*state)
    try:
        return staged_if(
            condition(test), lambda: then(*map(fresh, state)), lambda: otherwise(*map(fresh, state)), names
        )
    except MismatchError as mismatch:
        raise explain_branches(mismatch, then, otherwise) from None


def and_(first: Any, second: Callable[[], Any]) -> Any:
    """`first and second()`."""
    first = asked(first)
    if not is_symbolic(first):
        return first and second()
    return _either(condition(first), second, lambda: first)


def or_(first: Any, second: Callable[[], Any]) -> Any:
    """`first or second()`."""
    first = asked(first)
    if not is_symbolic(first):
        return first or second()
    return _either(condition(first), lambda: first, second)


def not_(value: Any) -> Any:
    """`not value`."""
    value = asked(value)
    return tf.logical_not(condition(value)) if is_symbolic(value) else not value


def asked(test: Any) -> Any:
    """What a test is about: the value that may be missing, whether a list that grows holds anything."""
    if isinstance(test, Maybe):
        return test.get()
    return test.graphwright_truth() if isinstance(test, GraphList) else test


def condition(value: Any) -> Any:
    """A tensor as a test: one element, true if it isn't zero or empty."""
    value = asked(value)
    if not is_symbolic(value):
        return bool(value)
    tensor = tf.convert_to_tensor(value)
    if tensor.shape.is_fully_defined() and tensor.shape.num_elements() != 1:
        raise ValueError(
            f"the test has {tensor.shape.num_elements()} elements (shape {tensor.shape}), so whether it is true is "
            "ambiguous: write tf.reduce_all(...) or tf.reduce_any(...)"
        )
    if tensor.shape.rank != 0:
        tensor = tf.reshape(tensor, [])
    if tensor.dtype == tf.bool:
        return tensor
    return tf.not_equal(tf.strings.length(tensor) if tensor.dtype == tf.string else tensor, 0)


def staged_if(test: Any, then: Branch, otherwise: Branch, names: Sequence[str] | None) -> Any:
    """Both branches in the graph, each traced once; their results merged. A mismatch is raised as such."""
    first: list[Any] = []
    merged: list[Node] = []

    def trace_then() -> list[Any]:
        with staged():
            first[:] = [tf.compat.v1.get_default_graph(), _traced(then)]
        return []

    def trace_otherwise() -> list[Any]:
        with staged():
            value = _traced(otherwise)
        merged[:] = [merge(first[1], value, names)]
        _set_outputs(first[0], merged[0], first[1])
        return merged[0].leaves(value)

    leaves: Any = tf.cond(test, trace_then, trace_otherwise)
    single = not isinstance(leaves, (list, tuple))
    return merged[0].build(iter([leaves] if single else cast("list[Any]", leaves)))


def merge(left: Any, right: Any, names: Sequence[str] | None) -> Node:
    """The node of two branches' results, whose paths start with the results' names."""
    rules = Join(promote.get(), identity=True)
    nodes = [describe(left), describe(right)]
    if left is right and not isinstance(left, (list, dict)):
        return Constant(left)
    if isinstance(left, Turn) and isinstance(right, Turn) and len(left.state) == len(right.state):
        stop = join(describe(left.stop), describe(right.stop), "stop", rules)
        states = [describe(left.state), describe(right.state)]
        state = _merge_items(states[0], states[1], names, rules)
        return Container(Turn, ("stop", "state"), (stop, state), left)
    if names is not None and len(names) > 1 and _are_alike(left, right):
        return _merge_items(nodes[0], nodes[1], names, rules)
    return join(nodes[0], nodes[1], names[0] if names else "the result", rules)


def _are_alike(left: Any, right: Any) -> bool:
    return isinstance(left, tuple) and isinstance(right, tuple) and len(cast(Any, left)) == len(cast(Any, right))


def _merge_items(left: Any, right: Any, names: Sequence[str] | None, rules: Join) -> Node:
    count = len(left.items)
    paths = names if names is not None and len(names) == count else [f"result {index + 1}" for index in range(count)]
    items = tuple(join(*sides, rules) for sides in zip(left.items, right.items, paths, strict=True))
    return Container(left.kind, left.keys, items, left.template)


def _traced(branch: Branch) -> Any:
    try:
        return branch()
    except (LookupError, TypeError, ValueError, AttributeError, UnboundLocalError) as error:
        doubts = doubts_of(error)
        if doubts is None:
            raise
        doubts.append(error)
        return Never()


def _set_outputs(graph: Any, node: Node, value: Any) -> None:
    """Give the branch that was traced first its outputs, now that both sides are known."""
    with graph.as_default():
        leaves = node.leaves(value)
        flat = [leaf.flow if isinstance(leaf, tf.TensorArray) else leaf for leaf in leaves]
        outputs = [graph.capture(leaf) for leaf in tf.nest.flatten(flat, expand_composites=True)]
    graph.structured_outputs = leaves
    graph.outputs[:] = outputs


def _either(test: Any, then: Branch, otherwise: Branch) -> Any:
    """The operands may be of different kinds (`n and x > 0`): then only their truth counts."""
    try:
        return staged_if(test, then, otherwise, ("the operand",))
    except MismatchError:
        return staged_if(test, lambda: condition(then()), lambda: condition(otherwise()), ("the operand",))
