"""Reads a graph of TensorFlow's into plain data: operations with the user's lines, bodies of control flow inside.

It traces nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, cast

from .places import is_users
from .wire import Count, Operation, ReportedGraph

MOST_NODES = 20_000
"""How many operations are told one by one; all are counted."""
DEEPEST = 24

_BRANCHES = {
    "then_branch": "then",
    "else_branch": "else",
    "cond": "condition",
    "body": "body",
    "branches": "case",
    "f": "function",
}


def graph_of(graph: Any) -> ReportedGraph:
    """The whole graph of a trace."""
    parts = _parts(graph)
    nodes = tuple(
        node if node.parent else replace(node, detail=parts.get(node.name, ""))
        for node in islice(_nodes(graph, "", None, "", 0), MOST_NODES)
    )
    operations = tuple(Count(name, count) for name, count in _counts(graph, {}, 0).most_common())
    return ReportedGraph(nodes, operations, int(graph.as_graph_def().ByteSize()))


def operation_count(graph: Any) -> int:
    """The number of operations of a graph, as every view states it: those in branches and loop bodies included."""
    return _counts(graph, {}, 0).total()


def _counts(graph: Any, known: dict[int, tuple[Any, Counter[str]]], depth: int) -> Counter[str]:
    """The operations by type; those of a function once for each call of it. `known` keeps its graphs alive."""
    if id(graph) not in known:
        counts = Counter[str]()
        for operation in graph.get_operations():
            counts[operation.type] += 1
            for _, inner in bodies(operation) if depth < DEEPEST else ():
                counts += _counts(inner, known, depth + 1)
        known[id(graph)] = graph, counts
    return known[id(graph)][1]


def _parts(graph: Any) -> dict[str, str]:
    """Which operations are arguments, captured from outside, and results."""
    captured = {each.op.name for each in getattr(graph, "internal_captures", ())}
    arguments = {each.op.name for each in getattr(graph, "inputs", ())} - captured
    results = {each.op.name for each in getattr(graph, "outputs", ())} - arguments
    return {
        **dict.fromkeys(results, "result"),
        **dict.fromkeys(captured, "captured"),
        **dict.fromkeys(arguments, "argument"),
    }


def _nodes(graph: Any, prefix: str, parent: str | None, branch: str, depth: int) -> Iterator[Operation]:
    for operation in graph.get_operations():
        node = _node(operation, prefix, parent, branch)
        yield node
        if depth < DEEPEST:
            for inner_branch, inner in bodies(operation):
                yield from _nodes(inner, f"{node.id}/{inner_branch}:", node.id, inner_branch, depth + 1)


def _node(operation: Any, prefix: str, parent: str | None, branch: str) -> Operation:
    file, line = place_of(operation)
    outputs = tuple(shape_text(each.dtype, each.shape) for each in operation.outputs)
    return Operation(
        id=prefix + operation.name,
        op=operation.type,
        name=operation.name,
        line=line,
        file=file,
        scope=operation.name.rpartition("/")[0],
        inputs=tuple(prefix + each.op.name for each in operation.inputs),
        control=tuple(prefix + each.name for each in operation.control_inputs),
        shape=outputs[0] if outputs else "",
        parent=parent,
        branch=branch,
        outputs=outputs,
        ports=tuple(each.value_index for each in operation.inputs),
    )


def bodies(operation: Any) -> Iterator[tuple[str, Any]]:
    """The graphs that an operation runs, each with the part that it plays."""
    for attribute, is_list in _function_attributes(operation):
        value = operation.get_attr(attribute)
        for index, each in enumerate(value if is_list else [value]):
            inner = _function_graph(operation, each.name)
            if inner is not None:
                yield f"{part_of(attribute)} {index}" if is_list else part_of(attribute), inner


_FUNCTION_ATTRIBUTES: dict[str, tuple[tuple[str, bool], ...]] = {}


def _function_attributes(operation: Any) -> tuple[tuple[str, bool], ...]:
    """The attributes of an operation that name functions, and whether each names several; the same for each type."""
    if operation.type not in _FUNCTION_ATTRIBUTES:
        definition = operation.op_def
        attributes = definition.attr if definition is not None else ()
        found = tuple(
            (each.name, each.type == "list(func)") for each in attributes if each.type in ("func", "list(func)")
        )
        _FUNCTION_ATTRIBUTES[operation.type] = found
    return _FUNCTION_ATTRIBUTES[operation.type]


def part_of(attribute: str) -> str:
    """The part that an attribute's graph plays."""
    return _BRANCHES.get(attribute, attribute)


def _function_graph(operation: Any, name: str) -> Any:
    graph = operation.graph
    while graph is not None:
        found = graph._get_function(name)
        if found is not None:
            return getattr(found, "graph", None)
        graph = getattr(graph, "outer_graph", None)
    return None


def place_of(operation: Any) -> tuple[str, int | None]:
    """The user's line that made an operation: the innermost one."""
    for frame in reversed(list(operation.traceback or ())):
        if is_users(str(frame.filename)):
            return str(frame.filename), int(frame.lineno) - 1
    return "", None


def shape_text(dtype: Any, shape: Any) -> str:
    """`float32[?, 3]`; `float32[...]` where not even the rank is known."""
    name = dtype.name.removesuffix("_ref")
    if shape.rank is None:
        return f"{name}[...]"
    return f"{name}[{', '.join('?' if size is None else str(size) for size in shape)}]"


def value_text(value: Any) -> str:
    """What an argument or a result is: its spec, or the specs of what it holds."""
    if hasattr(value, "dtype") and hasattr(value, "shape") and hasattr(value.shape, "rank"):
        text = shape_text(value.dtype, value.shape)
        return f"Variable[{text}]" if "Variable" in type(value).__name__ else text
    if isinstance(value, dict):
        entries = cast("dict[Any, Any]", value).items()
        return "{" + ", ".join(f"{key!r}: {value_text(each)}" for key, each in entries) + "}"
    if isinstance(value, (list, tuple)):
        parts = [value_text(each) for each in cast("list[Any]", value)]
        inner = ", ".join(parts)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(parts) == 1 else ''})"
    literal = getattr(value, "value", None)
    if type(value).__name__ == "Literal":
        return repr(literal)
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
