"""The solver for dataflow problems: one worklist for both directions and any kind of state.

It knows neither statements nor names; a problem brings its states and what a node does to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Literal, TypeVar

from graphwright_analysis.flow.graph import Graph, Node
from graphwright_analysis.immutability import immutable

State = TypeVar("State")

# Bit sets settle in about as many rounds as loops are nested; only states without an end come this far.
ROUNDS = 100


@immutable
class Problem(Generic[State]):
    """What to compute.

    `transfer` takes the state at one side of a node to its other side: from before to after if `direction`
    is forward, from behind to before otherwise.
    It must be monotone, and so must `join`.
    `boundary` holds the states at which the flow begins, by node index: at the entry, or at the exits.
    """

    direction: Literal["forward", "backward"]
    bottom: State
    join: Callable[[State, State], State]
    transfer: Callable[[Node, State], State]
    boundary: dict[int, State]
    # Whether a node that is left by an exception hasn't had any of its effects; else it may have had them.
    is_atomic: Callable[[Node], bool] = lambda node: False


@immutable
class Solution(Generic[State]):
    """The states before and after each node, by its index.

    A node that control can't reach has the bottom state if the flow is forward.
    `complete` is False if the solver gave up after `ROUNDS` rounds over the graph; the states are then a
    step on the way and not a bound of anything.
    """

    before: list[State]
    behind: list[State]
    complete: bool


def solve(graph: Graph, problem: Problem[State]) -> Solution[State]:
    """The least fixpoint of a problem on a graph."""
    if problem.direction == "forward":
        return _solve_forward(graph, problem)
    return _solve_backward(graph, problem)


def depth_first_order(graph: Graph) -> list[Node]:
    """The nodes reachable from the entry, each before its successors but for the back edges of loops."""
    seen = bytearray(len(graph.nodes))
    seen[graph.entry.index] = 1
    finished: list[Node] = []
    stack = [(graph.entry, iter(graph.entry.successors))]
    while stack:
        node, successors = stack[-1]
        for successor in successors:
            if not seen[successor.index]:
                seen[successor.index] = 1
                stack.append((successor, iter(successor.successors)))
                break
        else:
            finished.append(node)
            stack.pop()
    finished.reverse()
    return finished


def positions(bits: int) -> Iterator[int]:
    """Where an int that serves as a set has its bits, from the lowest on."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _solve_forward(graph: Graph, problem: Problem[State]) -> Solution[State]:
    count = len(graph.nodes)
    before, behind = [problem.bottom] * count, [problem.bottom] * count
    join, transfer = problem.join, problem.transfer
    for index, state in problem.boundary.items():
        before[index] = state
    order = depth_first_order(graph)
    waiting = bytearray(b"\1") * count
    for _ in range(ROUNDS):
        changed = False
        for node in order:
            index = node.index
            if not waiting[index]:
                continue
            waiting[index] = 0
            behind[index] = transfer(node, before[index])
            leaving = [(successor, behind[index]) for successor in node.ordinary]
            if node.exceptional:
                raised = before[index] if problem.is_atomic(node) else join(before[index], behind[index])
                leaving += [(successor, raised) for successor in node.exceptional]
            for successor, state in leaving:
                joined = join(before[successor.index], state)
                if joined != before[successor.index]:
                    before[successor.index] = joined
                    waiting[successor.index] = 1
                    changed = True
        if not changed:
            return Solution(before, behind, complete=True)
    return Solution(before, behind, complete=False)


def _solve_backward(graph: Graph, problem: Problem[State]) -> Solution[State]:
    count = len(graph.nodes)
    before, behind = [problem.bottom] * count, [problem.bottom] * count
    join, transfer = problem.join, problem.transfer
    order = depth_first_order(graph)
    reached = {node.index for node in order}
    unreached = [node for node in graph.nodes if node.index not in reached]
    backward = [*reversed(order), *reversed(unreached)]
    waiting = bytearray(b"\1") * count
    for _ in range(ROUNDS):
        changed = False
        for node in backward:
            index = node.index
            if not waiting[index]:
                continue
            waiting[index] = 0
            state = problem.boundary.get(index, problem.bottom)
            for successor in node.successors:
                state = join(state, before[successor.index])
            behind[index] = state
            state = transfer(node, state)
            for successor in node.exceptional:
                state = join(state, before[successor.index])
            if state != before[index]:
                before[index] = state
                for predecessor in node.predecessors:
                    waiting[predecessor.index] = 1
                changed = True
        if not changed:
            return Solution(before, behind, complete=True)
    return Solution(before, behind, complete=False)
