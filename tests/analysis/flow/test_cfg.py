"""Graphs: the ways through a function, written as the lines that a walk can take."""

from __future__ import annotations

import itertools
import sys
import textwrap

import gast
import pytest
from graphwright_analysis.flow import Graph, Node, build_cfg, liveness, reaching


def _graph(source: str) -> Graph:
    body = "def f():\n" + textwrap.indent(textwrap.dedent(source), "    ")
    return build_cfg(gast.parse(body).body[0])


def _label(node: Node) -> str:
    """Calls `a()` stand for themselves; headers show their kind."""
    if node.kind in ("entry", "exit", "raise"):
        return node.kind
    statement = node.statement
    if node.kind in ("handler", "unbind"):
        return node.kind
    if node.kind == "case":
        return f"case {gast.unparse(statement.pattern).strip()}"
    if isinstance(statement, gast.FunctionDef):
        return f"def {statement.name}"
    text = gast.unparse(statement).strip().removesuffix("()")
    return text if node.kind in ("statement", "test") else f"{node.kind} {text}"


def _edges(source: str) -> set[str]:
    graph = _graph(source)
    return {f"{_label(node)} > {_label(after)}" for node in graph.nodes for after in node.successors}


def _expected(text: str) -> set[str]:
    """Chains `a > b > c` are read as their edges."""
    edges: set[str] = set()
    for line in text.strip().splitlines():
        parts = [part.strip() for part in line.split(">")]
        edges.update(f"{one} > {two}" for one, two in itertools.pairwise(parts))
    return edges


_CASES = {
    "straight": ("a()\nb()", "entry > a > b > exit"),
    "if": ("if t:\n a()\nb()", "entry > t > a > b > exit\n t > b"),
    "elif": (
        "if t:\n a()\nelif u:\n b()\nelse:\n c()\nd()",
        "entry > t > a > d > exit\n t > u > b > d\n u > c > d",
    ),
    "while": ("while t:\n a()\nelse:\n b()\nc()", "entry > t > a > t > b > c > exit"),
    "while true": ("while True:\n if t: break\nb()", "entry > True > t > break > b > exit\n t > True"),
    "while true for ever": ("while 1:\n a()\nb()", "entry > 1 > a > 1\n b > exit"),
    "while break, continue": (
        "while t:\n if u: break\n if v: continue\n a()\nelse:\n b()\nc()",
        "entry > t > u > break > c > exit\n u > v > continue > t\n v > a > t > b > c",
    ),
    "for": (
        "for i in s:\n a()\nelse:\n b()\nc()",
        "entry > iterate s > target i > a > target i\n iterate s > b > c > exit\n a > b",
    ),
    "for break, continue": (
        "for i in s:\n if t: break\n if u: continue\n a()\nb()",
        "entry > iterate s > target i > t > break > b > exit\n t > u > continue > target i\n"
        "u > a > target i\n iterate s > b\n continue > b\n a > b",
    ),
    "loops in loops": (
        "while t:\n for i in s:\n  break\n continue\na()",
        "entry > t > iterate s > target i > break > continue > t > a > exit\n iterate s > continue",
    ),
    "return": ("if t: return a()\nb()", "entry > t > return a > exit\n t > b > exit"),
    "dead code": ("return\na()", "entry > return > exit\n a > exit"),
    "raise": ("if t: raise E\na()", "entry > t > raise E > raise\n t > a > exit"),
    "assert": ("assert t\na()", "entry > assert t > a > exit\n assert t > raise"),
    "assert false": ("assert False\na()", "entry > assert False > raise\n a > exit"),
    "with": ("with c as d, e:\n a()\nb()", "entry > with c as d > with e > a > b > exit"),
    "suppress": (
        "with suppress(E):\n a()\n b()\nc()",
        "entry > with suppress(E) > a > b > c > exit\n a > c\n a > raise\n b > raise",
    ),
    "try except": (
        "try:\n a()\n b()\nexcept E:\n c()\nd()",
        "entry > a > b > d > exit\n a > handler > c > d\n b > handler\n a > raise\n b > raise",
    ),
    "try except, what can't raise": (
        "try:\n x = 1\n a()\nexcept:\n c()\nd()",
        "entry > x = 1 > a > d > exit\n a > handler > c > d",
    ),
    "try else": (
        "try:\n a()\nexcept Exception:\n b()\nelse:\n c()\nd()",
        "entry > a > c > d > exit\n a > handler > b > d",
    ),
    "try finally": ("try:\n a()\nfinally:\n b()\nc()", "entry > a > b > c > exit\n b > raise"),
    "try except finally": (
        "try:\n a()\nexcept Exception:\n b()\nfinally:\n c()\nd()",
        "entry > a > c > d > exit\n a > handler > b > c > raise\n handler > c",
    ),
    "nested try": (
        "try:\n try:\n  a()\n except E:\n  b()\nexcept Exception:\n c()",
        "entry > a > exit\n a > handler > b > exit\n b > handler\n handler > c > exit\n handler > handler",
    ),
    "handler with a name": (
        "try:\n a()\nexcept Exception as e:\n b()\nc()",
        "entry > a > c > exit\n a > handler > b > unbind > c",
    ),
    "return through finally": (
        "try:\n return a()\nfinally:\n b()\nc()",
        "entry > return a > b > exit\nb > raise\n c > exit",
    ),
    "break through finally": (
        "while t:\n try:\n  break\n finally:\n  b()\nc()",
        "entry > t > break > b > c > exit\n t > c",
    ),
    "return in finally": ("try:\n a()\nfinally:\n return", "entry > a > return > exit"),
    "match": (
        "match s:\n case 1: a()\n case x: b()\nc()",
        "entry > subject s > case 1 > a > c > exit\n case 1 > case x > b > c",
    ),
    "match without a last case": (
        "match s:\n case 1: a()\nc()",
        "entry > subject s > case 1 > a > c > exit\ncase 1 > c",
    ),
    "guard": (
        "match s:\n case x if t: a()\n case 1 | _: b()\nc()",
        "entry > subject s > case x > a > c > exit\n case x > case 1 | _ > b > c",
    ),
    "nested function": ("def g(): return\na()", "entry > def g > a > exit"),
    "loose jumps": ("break\ncontinue\na()", "entry > break > exit\n continue > exit\n a > exit"),
}


@pytest.mark.parametrize("name", _CASES)
def test_edges(name: str) -> None:
    source, expected = _CASES[name]
    assert _edges(source) == _expected(expected)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the syntax is of 3.11")
def test_handlers_of_groups_may_run_one_after_the_other() -> None:
    edges = _edges("try:\n a()\nexcept* E:\n b()\nexcept* F:\n c()\nd()")
    assert {"b > handler", "b > d", "a > handler", "c > d"} <= edges


def test_async_statements() -> None:
    source = "async def f():\n async for i in s:\n  async with c as d: await a()\n"
    graph = build_cfg(gast.parse(source).body[0])
    assert [node.kind for node in graph.nodes[3:]] == ["iterate", "target", "with", "statement"]


def test_before_after_and_inside_of_statements() -> None:
    graph = _graph("a()\nif t:\n while u:\n  b()\n  return\nc()")
    first, branch, last = graph.tree.body
    loop = branch.body[0]
    assert _label(graph.before[branch]) == "t"
    assert _label(graph.before[loop]) == "u"
    ((start, end),) = graph.spans[branch]
    assert [_label(node) for node in graph.nodes[start:end]] == ["t", "u", "b", "return"]
    assert {_label(node) for node in graph.after[branch]} == {"c", "exit"}
    assert {_label(node) for node in graph.after[loop]} == {"c", "exit"}
    assert [_label(node) for node in graph.after[first]] == ["t"]
    assert [_label(node) for node in graph.after[last]] == ["exit"]
    assert graph.after[gast.Pass()] == ()


def test_statements_in_finally_have_copies() -> None:
    graph = _graph("try:\n if t: return a()\nfinally:\n if u: b()\nc()")
    attempt = graph.tree.body[0]
    (branch,) = attempt.finalbody
    assert len(graph.starts_of(branch)) == 3
    assert {_label(node) for node in graph.after[branch]} == {"c", "exit", "raise"}


def test_finally_in_finally_does_not_explode() -> None:
    source = "a()"
    for depth in range(12):
        source = f"try:\n if t{depth}: return\nfinally:\n" + textwrap.indent(source, " ")
    graph = _graph(source)
    assert len(graph.nodes) < 500
    assert any(_label(node) == "a" for node in graph.nodes)


def test_predecessors_mirror_successors() -> None:
    for source, _ in _CASES.values():
        graph = _graph(source)
        for node in graph.nodes:
            assert set(node.exceptional) | set(node.ordinary) == set(node.successors)
            assert all(node in after.predecessors for after in node.successors)
            assert all(node in before.successors for before in node.predecessors)


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("x = 1\nif x: y = 2", ["statement", "test", "statement"]),
        ("class C:\n x = 1\n def m(self): pass", ["statement", "statement"]),
        ("lambda x: x + y", ["statement"]),
    ],
)
def test_modules_classes_and_lambdas(source: str, kinds: list[str]) -> None:
    module = gast.parse(source)
    first = module.body[0]
    tree = {"x": module, "c": first}.get(source[0]) or first.value
    graph = build_cfg(tree)
    assert [node.kind for node in graph.nodes[3:]] == kinds
    assert graph.exit.predecessors


def test_statements_on_their_own() -> None:
    module = gast.parse("a()\nreturn\nb()\nif c: break\nyield d")
    graph = build_cfg(module.body)
    assert graph.tree is None
    assert {_label(node) for node in graph.exit.predecessors} == {"return", "break", "yield d"}
    nothing = build_cfg([])
    assert nothing.entry.successors == [nothing.exit]


def test_a_long_chain_of_elif() -> None:
    arms: list[gast.stmt] = []
    for number in range(900):
        name = gast.Name(f"x{number}", gast.Store(), None, None)
        assign = gast.Assign([name], gast.Constant(number, None), None)
        arms = [gast.If(gast.Name(f"c{number}", gast.Load(), None, None), [assign], arms)]
    graph = build_cfg([*arms])
    assert len(graph.nodes) == 3 + 2 * 900
    live, known = liveness(graph), reaching(graph)
    assert len(live.live_in(arms[0])) == 900
    assert known.complete and live.complete


def test_many_statements() -> None:
    source = "".join(f"x{number} = x{number - 1} + a.b\n" for number in range(1, 5001))
    module = gast.parse(source)
    graph = build_cfg(module)
    assert len(graph.nodes) == 5003
    assert {str(symbol) for symbol in liveness(graph).live_in(module.body[0])} == {"x0", "a", "a.b"}
    assert not reaching(graph).possibly_undefined(module.body[-1], "x4999")


@pytest.mark.parametrize(
    "statement",
    [
        gast.If(gast.Constant(1, None), [], []),
        gast.While(gast.Constant(1, None), [], []),
        gast.For(gast.Name("x", gast.Store(), None, None), gast.Constant(1, None), [], [], None),
        gast.Try([], [gast.ExceptHandler(None, None, [])], [], []),
        gast.Try([], [], [], [gast.Break()]),
        gast.With([], [], None),
        gast.Match(gast.Constant(1, None), []),
        gast.Delete([]),
        gast.Return(None),
    ],
    ids=lambda node: type(node).__name__,
)
def test_trees_that_no_parser_makes_do_no_harm(statement: gast.AST) -> None:
    graph = build_cfg([statement, gast.Pass()])
    assert liveness(graph).complete
    assert reaching(graph).complete


def test_shared_statements_do_no_harm() -> None:
    """A generated tree may hold the same node twice."""
    statement = gast.parse("x = y").body[0]
    graph = build_cfg([statement, gast.If(gast.Constant(1, None), [statement], [])])
    assert len(graph.starts_of(statement)) == 2
    assert {str(symbol) for symbol in liveness(graph).live_in(statement)} == {"y"}
