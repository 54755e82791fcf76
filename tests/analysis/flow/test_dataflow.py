"""The solver alone, on problems that aren't about variables."""

from __future__ import annotations

import gast
from graphwright_analysis.flow import Graph, Node, Problem, build_cfg, solve
from graphwright_analysis.flow.dataflow import depth_first_order, positions


def _graph(source: str) -> Graph:
    return build_cfg(gast.parse(source))


def _visited(node: Node, state: frozenset[int]) -> frozenset[int]:
    return state | {node.index}


def test_forward_flow_collects_what_lies_before() -> None:
    graph = _graph("a\nwhile t:\n b\nc\n")
    problem: Problem[frozenset[int]] = Problem("forward", frozenset(), frozenset.union, _visited, {})
    solution = solve(graph, problem)
    assert solution.complete
    everything_but_ends = {node.index for node in graph.nodes if node.kind in ("entry", "statement", "test")}
    assert solution.before[graph.exit.index] == everything_but_ends
    assert solution.behind[graph.entry.index] == {graph.entry.index}


def test_backward_flow_collects_what_lies_behind() -> None:
    graph = _graph("if t:\n a\nelse:\n b\n")
    problem: Problem[frozenset[int]] = Problem("backward", frozenset(), frozenset.union, _visited, {})
    solution = solve(graph, problem)
    assert solution.before[graph.entry.index] == {node.index for node in graph.nodes if node.kind != "raise"}


def test_the_boundary_enters_once() -> None:
    graph = _graph("a\nb\n")
    boundary = {graph.exit.index: frozenset({99})}
    problem: Problem[frozenset[int]] = Problem(
        "backward", frozenset(), frozenset.union, lambda node, state: state, boundary
    )
    assert solve(graph, problem).before[graph.entry.index] == {99}


def test_a_problem_without_an_end_is_given_up() -> None:
    graph = _graph("while t:\n a\n")
    problem: Problem[int] = Problem("forward", 0, max, lambda node, state: state + 1, {})
    assert not solve(graph, problem).complete
    backward: Problem[int] = Problem("backward", 0, max, lambda node, state: state + 1, {})
    assert not solve(graph, backward).complete


def test_an_exception_may_come_before_or_after_the_effects() -> None:
    graph = _graph("try:\n a\nexcept Exception:\n b\n")
    step = next(node for node in graph.nodes if node.exceptional)
    (handler,) = step.exceptional

    def before_handler(problem: Problem[frozenset[int]]) -> frozenset[int]:
        return solve(graph, problem).before[handler.index]

    some = Problem("forward", frozenset[int](), frozenset.union, _visited, {})
    none = Problem("forward", frozenset[int](), frozenset.union, _visited, {}, is_atomic=lambda node: True)
    assert step.index in before_handler(some)
    assert step.index not in before_handler(none)


def test_the_order_puts_each_node_before_its_successors_but_for_back_edges() -> None:
    graph = _graph("while t:\n if u: break\n a\nreturn\nb\n")
    order = depth_first_order(graph)
    place = {node: number for number, node in enumerate(order)}
    back = [(node, after) for node in order for after in node.successors if place[after] <= place[node]]
    assert [after.kind for _, after in back] == ["test"]
    assert len(order) == len(set(order))
    assert not any(gast.unparse(node.statement) == "b" for node in order if node.kind == "statement")


def test_positions_of_bits() -> None:
    assert list(positions(0)) == []
    assert list(positions(0b101001)) == [0, 3, 5]
