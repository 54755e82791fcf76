"""From a graph's operations to the boxes of a picture: source lines, and control flow with boxes inside.

It knows no places and no colours.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from graphwright.agent.wire import Operation, ReportedGraph

from graphwright_server.graph_lines import BRANCHES, CALLS, LOOPS, PLUMBING

Key = tuple[str, "int | None"]


BoxKind = Literal["line", "loop", "branch", "call", "argument", "result"]


@dataclass(slots=True)
class Box:
    """What one line put into a graph.

    `parts` are the graphs inside, each with its name; `times` says how many such boxes it stands for.
    """

    kind: BoxKind
    file: str = ""
    line: int | None = None
    label: str = ""
    nodes: list[Operation] = field(default_factory=list[Operation])
    parts: list[tuple[str, Boxes]] = field(default_factory=list["tuple[str, Boxes]"])
    condition: list[Operation] = field(default_factory=list[Operation])
    times: int = 1
    guards: bool = False
    """Whether it is what skips the rest of a loop's turn once the loop has been left."""

    @property
    def is_empty(self) -> bool:
        return self.kind == "line" and not self.nodes


@dataclass(slots=True)
class Boxes:
    """The boxes of one graph in the order of the program, and what flows between them, by their indices."""

    boxes: list[Box] = field(default_factory=list[Box])
    edges: dict[tuple[int, int], list[str]] = field(default_factory=dict[tuple[int, int], "list[str]"])

    @property
    def operations(self) -> int:
        inner = sum(part.operations for box in self.boxes for _, part in box.parts)
        return inner + sum(len(box.nodes) + len(box.condition) for box in self.boxes)


def boxes_of(graph: ReportedGraph) -> Boxes:
    """The picture's boxes."""
    inside: dict[tuple[str | None, str], list[Operation]] = defaultdict(list)
    for node in graph.nodes:
        inside[node.parent, node.branch].append(node)
    branches: dict[str, list[str]] = defaultdict(list)
    for parent, branch in inside:
        if parent is not None:
            branches[parent].append(branch)
    return _Builder(inside, branches).boxes(None, "")


_SIZES = frozenset({"Const", "Shape", "ShapeN", "Size", "Rank"})
"""Operations whose results aren't the data that a reader follows."""


def is_variable(node: Operation) -> bool:
    """Whether a node stands for a variable that the graph gets from outside."""
    return node.op == "Placeholder" and node.shape.startswith("resource")


@dataclass(slots=True)
class _Builder:
    inside: Mapping[tuple[str | None, str], list[Operation]]
    branches: Mapping[str, list[str]]

    def boxes(self, parent: str | None, branch: str) -> Boxes:
        nodes = self.inside.get((parent, branch), [])
        result, box_of, by_key = Boxes(), dict[str, int](), dict[tuple[BoxKind, Key], int]()
        for node in nodes:
            box = self._box(node, parent)
            if box is None:
                continue
            key = (_sort(node), (node.file, node.line))
            index = by_key.get(key) if box.kind in ("line", "loop", "branch", "call") else None
            if index is None:
                index = by_key[key] = len(result.boxes)
                result.boxes.append(box)
            else:
                _merge(result.boxes[index], box)
            box_of[node.id] = index
        _join_conditions(result, by_key, box_of)
        _connect(result, nodes, box_of)
        return result

    def _box(self, node: Operation, parent: str | None) -> Box | None:
        sort = _sort(node)
        if is_variable(node):
            return None
        if sort in ("argument", "result"):
            # What a function returns is copied once; the copy stands for the way out.
            return Box(sort, label=f"{node.name}: {node.shape}" if sort == "argument" else node.shape)
        if node.op in PLUMBING:
            return None
        if sort == "line":
            return Box("line", node.file, node.line, nodes=[node])
        box = Box(sort, node.file, node.line)
        for branch in self.branches.get(node.id, ()):
            part = self.boxes(node.id, branch)
            if branch == "body":
                box.nodes += _own_line(part, box)
                for inner in part.boxes:
                    inner.guards = inner.kind == "branch" and (inner.file, inner.line) == (box.file, box.line)
            elif sort == "branch":
                _own_line(part, box)
            if branch == "condition":
                box.condition = [each for inner in part.boxes for each in inner.nodes]
            else:
                box.parts.append((branch, part))
        return box


def _own_line(part: Boxes, around: Box) -> list[Operation]:
    """Take out what the line of a loop or an `if` does inside: counts turns, fetches elements, sets flags."""
    place = around.file, around.line
    own = [
        index
        for index, box in enumerate(part.boxes)
        if box.kind == "line"
        and (box.file, box.line) == place
        and (around.kind == "loop" or all(node.op == "Const" for node in box.nodes))
    ]
    nodes = [node for index in own for node in part.boxes[index].nodes]
    _keep(part, [index for index in range(len(part.boxes)) if index not in own])
    return nodes


def _keep(result: Boxes, order: list[int]) -> None:
    """Leave only these boxes, in this order."""
    place = {index: position for position, index in enumerate(order)}
    result.boxes[:] = [result.boxes[index] for index in order]
    edges = result.edges.items()
    result.edges = {(place[a], place[b]): texts for (a, b), texts in edges if a in place and b in place}


def _sort(node: Operation) -> BoxKind:
    if node.detail == "argument" or (node.detail == "result" and node.op in PLUMBING):
        return node.detail
    if node.op in LOOPS:
        return "loop"
    if node.op in BRANCHES:
        return "branch"
    return "call" if node.op in CALLS else "line"


def _merge(known: Box, other: Box) -> None:
    known.nodes += other.nodes
    known.condition += [] if known.condition else other.condition
    if other.parts:
        known.times += 1


def _join_conditions(result: Boxes, by_key: dict[tuple[BoxKind, Key], int], box_of: dict[str, int]) -> None:
    """What the line of an `if` or a loop computes for it belongs to its box."""
    for (sort, key), index in by_key.items():
        owner = next((by_key[kind, key] for kind in ("loop", "branch") if (kind, key) in by_key), None)
        if sort == "line" and owner is not None and key[1] is not None:
            result.boxes[owner].nodes += result.boxes[index].nodes
            result.boxes[index].nodes = []
            for node, at in box_of.items():
                box_of[node] = owner if at == index else at


def _connect(result: Boxes, nodes: list[Operation], box_of: dict[str, int]) -> None:
    """Note what flows from box to box, then leave out the boxes that have become empty."""
    known = {node.id: node for node in nodes}
    found: dict[tuple[int, int], list[str]] = defaultdict(list)
    for node in nodes:
        target = box_of.get(node.id)
        if target is None:
            continue
        for source_id, port in zip(node.inputs, node.ports or (0,) * len(node.inputs), strict=False):
            source, text = _source(known, source_id, port)
            index = box_of.get(source.id) if source is not None else None
            if index is None or index == target or source is None or text.startswith("resource"):
                continue
            labels = found[index, target]
            if source.op not in _SIZES and text not in labels:
                labels.append(text)
    order = [index for index, box in enumerate(result.boxes) if not box.is_empty]
    order = _downwards(result.boxes, order, [*found])
    result.edges = dict(found)
    _keep(result, order)


def _downwards(boxes: list[Box], order: list[int], edges: list[tuple[int, int]]) -> list[int]:
    """Arguments first and results last; between them what is needed first, in the order of the program.

    A line that runs several times may need what it gives: then the program's order alone decides.
    """
    rank = {"argument": 0, "result": 2}
    left = sorted(order, key=lambda index: (rank.get(boxes[index].kind, 1), index))
    needs: dict[int, set[int]] = defaultdict(set)
    for source, target in edges:
        needs[target].add(source)
    found: list[int] = []
    while left:
        waiting = set(left)
        ready = next((index for index in left if not needs[index] & (waiting - {index})), left[0])
        left.remove(ready)
        found.append(ready)
    return found


def _source(known: Mapping[str, Operation], source: str, port: int) -> tuple[Operation | None, str]:
    """The operation that really makes an input, behind those that only hand it on."""
    node = known.get(source)
    for _ in range(50):
        if node is None or node.op not in PLUMBING or node.detail == "argument" or not node.inputs:
            break
        port = node.ports[0] if node.ports else 0
        node = known.get(node.inputs[0])
    if node is None:
        return None, ""
    return node, node.outputs[port] if port < len(node.outputs) else node.shape


def scopes_of(nodes: list[Operation]) -> dict[str, Counter[str]]:
    """Operations by the first name scope in which they differ; one empty scope where they don't."""
    names = {node.name for node in nodes}
    paths = [_scope_path(node, names) for node in nodes]
    shared = 0
    while paths and all(len(path) > shared for path in paths) and len({path[shared] for path in paths}) == 1:
        shared += 1
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for node, path in zip(nodes, paths, strict=True):
        found[path[shared] if len(path) > shared else ""][node.op] += 1
    return dict(found)


def _scope_path(node: Operation, names: set[str]) -> list[str]:
    """The scopes around an operation; that of another one's own constants is none."""
    path = node.name.split("/")[:-1]
    while path and "/".join(path) in names:
        path.pop()
    return path
