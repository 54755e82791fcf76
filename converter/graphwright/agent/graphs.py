"""Reads a graph of TensorFlow's into plain data: operations with the user's lines, bodies of control flow inside.

It traces nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
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
    nodes, counts, parts = list[Operation](), Counter[str](), _parts(graph)
    for node in _nodes(graph, "", None, "", 0):
        counts[node.op] += 1
        if len(nodes) < MOST_NODES:
            nodes.append(node if node.parent else replace(node, detail=parts.get(node.name, "")))
    operations = tuple(Count(name, count) for name, count in counts.most_common())
    return ReportedGraph(tuple(nodes), operations, int(graph.as_graph_def().ByteSize()))


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
    definition = operation.op_def
    for attribute in definition.attr if definition is not None else ():
        if attribute.type == "func":
            inner = _function_graph(operation, operation.get_attr(attribute.name).name)
            if inner is not None:
                yield part_of(attribute.name), inner
        elif attribute.type == "list(func)":
            for index, each in enumerate(operation.get_attr(attribute.name)):
                inner = _function_graph(operation, each.name)
                if inner is not None:
                    yield f"{part_of(attribute.name)} {index}", inner


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
