"""A graph by the lines of its source: what each line made, and which control flow holds what.

It knows neither terminals nor pictures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from graphwright.agent.wire import Operation, ReportedGraph

PLUMBING = frozenset({"Identity", "IdentityN", "NoOp", "Placeholder", "StopGradient"})
"""Operations that compute nothing, and that only whoever reads operations one by one cares for."""

LOOPS = frozenset({"While", "StatelessWhile"})
BRANCHES = frozenset({"If", "StatelessIf", "Case", "StatelessCase"})
CALLS = frozenset({"PartitionedCall", "StatefulPartitionedCall", "SymbolicGradient"})


@dataclass(slots=True)
class Line:
    """A line and the operations that it made, plumbing left out; `control` is "loop" or "branch" where it is one."""

    file: str
    line: int
    nodes: list[Operation] = field(default_factory=list[Operation])
    control: str = ""

    @property
    def operations(self) -> Counter[str]:
        return Counter(node.op for node in self.nodes)


def operations_text(count: int) -> str:
    """`1 operation`, `12,345 operations`: those in branches and loop bodies included."""
    return f"{count:,} operation{'' if count == 1 else 's'}"


def size_text(graph: ReportedGraph) -> str:
    """`70 operations, 6.7 kB`, as the extension writes it, too (`graphSize` in `report.ts`)."""
    count = sum(each.count for each in graph.operations)
    size = f"{graph.size / 1e6:,.1f} MB" if graph.size >= 1e6 else f"{graph.size / 1e3:.1f} kB"
    return f"{operations_text(count)}, {size}"


def by_line(graph: ReportedGraph) -> dict[tuple[str, int], Line]:
    """The lines that made operations, each with all of them wherever in the graph they are."""
    found: dict[tuple[str, int], Line] = {}
    for node in graph.nodes:
        if node.line is None:
            continue
        line = found.setdefault((node.file, node.line), Line(node.file, node.line))
        if control := control_of(node):
            line.control = "loop" if "loop" in (control, line.control) else control
        elif node.op not in PLUMBING:
            line.nodes.append(node)
    return {key: line for key, line in sorted(found.items()) if line.nodes or line.control}


def control_of(node: Operation) -> str:
    return "loop" if node.op in LOOPS else "branch" if node.op in BRANCHES else ""


def counted(operations: Counter[str], most: int = 0) -> str:
    """`MatMul, AddV2 ×2`; what computes comes before constants, and what is more than `most` is only counted."""
    names = sorted(operations, key=lambda name: name in _QUIET)
    shown = [name if operations[name] == 1 else f"{name} ×{operations[name]}" for name in names]
    if most and len(shown) > most:
        left = sum(operations[name] for name in names[most:])
        shown = [*shown[:most], f"{left} more"]
    return ", ".join(shown)


_QUIET = frozenset({"Const", "ReadVariableOp", "Cast", "Shape", "Pack", "StridedSlice", "ExpandDims"})


def without_constants(nodes: Iterable[Operation]) -> Counter[str]:
    """The operations that compute, or all of them where none does."""
    operations = Counter(node.op for node in nodes)
    computing = Counter({name: count for name, count in operations.items() if name != "Const"})
    return computing or operations
