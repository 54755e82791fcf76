"""The control-flow graph as plain data: nodes, their edges, and which nodes belong to which statement.

How a graph comes from a tree is in `flow.cfg`, what it says about variables in the analyses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import gast

NodeKind = Literal[
    "entry", "exit", "raise", "statement", "test", "iterate", "target",
    "with", "handler", "unbind", "subject", "case",
]  # fmt: skip


@dataclass(eq=False, slots=True)
class Node:
    """One step of execution; compared by identity, not changed once `build_cfg` has returned.

    `statement` is the simple statement or the part of a compound one that is executed: a test, an iterable,
    a target, a with item, a handler, a subject, a case. At an `entry` it is what the graph was built from.
    `unbind` is the end of a handler, where its name is deleted.
    `ordinary` successors are reached when the node has had its effects, `exceptional` ones possibly before
    that; a successor may be both.
    """

    index: int
    kind: NodeKind
    statement: gast.AST | None
    successors: list[Node] = field(default_factory=lambda: list[Node](), repr=False)
    predecessors: list[Node] = field(default_factory=lambda: list[Node](), repr=False)
    ordinary: list[Node] = field(default_factory=lambda: list[Node](), repr=False)
    exceptional: list[Node] = field(default_factory=lambda: list[Node](), repr=False)


class _After(dict[gast.AST, tuple[Node, ...]]):
    """Where control goes on after a statement, found when first asked."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.nodes, self.spans = graph.nodes, graph.spans

    def __missing__(self, statement: gast.AST) -> tuple[Node, ...]:
        found: dict[Node, None] = {}
        for start, end in self.spans.get(statement, ()):
            for node in self.nodes[start:end]:
                found.update((after, None) for after in node.successors if not start <= after.index < end)
        self[statement] = tuple(found)
        return self[statement]


class Graph:
    """A control-flow graph.

    `before[statement]` is the node at which a statement begins (the first, if it has copies).
    `after[statement]` are the nodes outside a statement that follow a node inside it.
    Both also know handlers, match cases and the parts of headers.
    """

    def __init__(self, tree: gast.AST | None, body: list[gast.AST]) -> None:
        self.tree = tree
        self.body = body
        self.nodes: list[Node] = []
        self.spans: dict[gast.AST, list[tuple[int, int]]] = {}
        self.entry = self.add("entry", tree)
        self.exit = self.add("exit", None)
        self.raised = self.add("raise", None)
        self.before: dict[gast.AST, Node] = {}
        self.after = _After(self)

    def dissolve(self) -> None:
        """Leave nothing that only the garbage collector would find: nodes hold one another."""
        for node in self.nodes:
            for edges in (node.successors, node.predecessors, node.ordinary, node.exceptional):
                edges.clear()

    def starts_of(self, statement: gast.AST) -> tuple[Node, ...]:
        """The nodes at which a statement begins: one, or one per copy of a `finally` block around it."""
        return tuple(self.nodes[start] for start, _ in self.spans.get(statement, ()))

    def add(self, kind: NodeKind, statement: gast.AST | None) -> Node:
        node = Node(len(self.nodes), kind, statement)
        self.nodes.append(node)
        return node
