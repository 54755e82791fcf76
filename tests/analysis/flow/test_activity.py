"""What statements read, write, delete and change inside."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import gast
import pytest
from graphwright_analysis.flow import (
    activities,
    activity_of,
    build_cfg,
    build_scopes,
    closure_reads,
    closure_symbols,
    closure_writes,
    total_activity,
)


def _statements(source: str) -> list[gast.AST]:
    return [*gast.parse(textwrap.dedent(source)).body]


def _words(symbols: Iterable[object]) -> str:
    return " ".join(sorted(map(str, symbols)))


@pytest.mark.parametrize(
    ("source", "reads", "writes", "deletes", "mutates"),
    [
        ("x = y", "y", "x", "", ""),
        ("x += y", "x y", "x", "", ""),
        ("self.x = 1", "self", "self.x", "", ""),
        ("self.x += 1", "self self.x", "self.x", "", ""),
        ("a = self.x.y", "self self.x self.x.y", "a", "", ""),
        ("d['k'] = v", "d v", "d['k']", "", ""),
        ("d[-1] = v", "d v", "d[-1]", "", ""),
        ("d[i] = v", "d i v", "", "", "d"),
        ("d[i] += v", "d i v", "", "", "d"),
        ("self.d[i]['k'] = v", "i self self.d v", "", "", "self.d"),
        ("x[1:n] = v", "n v x", "", "", "x"),
        ("f(y)[0] = v", "f v y", "", "", ""),
        ("a = d[i].x", "d i", "a", "", ""),
        ("x.append(y)", "x x.append y", "", "", ""),
        ("del x, self.y, d[i]", "d i self self.y x", "", "self.y x", "d"),
        ("a, (b, *c), self.d = e", "e self", "a b c self.d", "", ""),
        ("x: int = y", "int y", "x", "", ""),
        ("x: int", "int", "", "", ""),
        ("self.x: int", "int self", "", "", ""),
        ("(x := y) + z", "y z", "x", "", ""),
        ("r = [x + a for x in xs if x > b]", "a b xs", "r", "", ""),
        ("r = [x for x in x]", "x", "r", "", ""),
        ("r = {k: v for k, v in d for w in k}", "d", "r", "", ""),
        ("r = [w := x for x in xs]", "xs", "r w", "", ""),
        ("r = [x.y for x in xs]", "xs", "r", "", ""),
        ("r = (x for x in xs)", "xs", "r", "", ""),
        ("import a.b, c as d", "", "a d", "", ""),
        ("from a import b, c as d", "", "b d", "", ""),
        ("from a import *", "", "", "", ""),
        ("global x", "", "", "", ""),
        ("raise E(x) from y", "E x y", "", "", ""),
        ("assert x, y", "x y", "", "", ""),
        ("return f'{x!r:{w}}'", "w x", "", "", ""),
        ("await x", "x", "", "", ""),
        ("y = yield x", "x", "y", "", ""),
        ("f = lambda a, b=c: a + d", "c", "f", "", ""),
        ("@deco\ndef f(a: T = v) -> R: return z", "R T deco v", "f", "", ""),
        ("class C(B, metaclass=M):\n x = y\n z = x\n def m(self): return w", "B M y", "C", "", ""),
        ("class C:\n reg['a'] = 1", "reg", "C reg['a']", "", ""),
        # Headers of compound statements.
        ("if (a := b): c = d", "b", "a", "", ""),
        ("while a: b = c", "a", "", "", ""),
        ("for a, self.b in c: d = e", "c self", "a self.b", "", ""),
        ("with a as b, c as d[i]: e = f", "a c d i", "b", "", "d"),
        ("try: a = b\nexcept C as d: e = f", "", "", "", ""),
        ("match a:\n case b: c = d", "a", "", "", ""),
    ],
)
def test_one_statement(source: str, reads: str, writes: str, deletes: str, mutates: str) -> None:
    (statement,) = _statements(source)
    known = activity_of(statement)
    found = tuple(map(_words, (known.reads, known.writes, known.deletes, known.mutates)))
    assert found == (reads, writes, deletes, mutates)


def test_handlers_and_cases() -> None:
    attempt, match = _statements(
        """
        try: pass
        except (A, b.B) as e: c = d
        match s:
            case {'k': [x, *y], **z} | C(w.V, u=v) if g: c = d
        """
    )
    handler = activity_of(attempt.handlers[0])
    assert (_words(handler.reads), _words(handler.writes)) == ("A b b.B", "e")
    case = activity_of(match.cases[0])
    assert (_words(case.reads), _words(case.writes)) == ("C g w w.V", "v x y z")


@pytest.mark.parametrize(
    ("source", "reads", "writes"),
    [
        ("if a:\n b = c\nelse:\n self.d = e", "a c e self", "b self.d"),
        ("for i in xs:\n s += i\nelse:\n t = 1", "i s xs", "i s t"),
        ("try: a = b\nexcept E as e: f(e)\nfinally: g = h", "E b f h", "a g"),
        ("f = lambda a: a + self.s", "self self.s", "f"),
        ("map(lambda a: (w := a) + w + b, c)", "b c map", ""),
        ("def f(a):\n self.x = a\n nonlocal n\n n = 1\n b = c.d\n return b", "c c.d self", "f"),
        ("def f():\n def g(): return x + y\n x = 1", "y", "f"),
        ("class C:\n k = 1\n def m(self): return k + [j for j in o]", "k o", "C"),
        ("with a as b:\n while c: del d", "a c d", "b"),
    ],
)
def test_whole_statements(source: str, reads: str, writes: str) -> None:
    known = total_activity(_statements(source))
    assert (_words(known.reads), _words(known.writes)) == (reads, writes)


def test_several_statements_are_the_sum_of_each() -> None:
    statements = _statements("a = b\ndel c\nd[i] = e")
    first, second, third = statements
    together = total_activity(statements)
    assert together == total_activity([first]) | total_activity([second]) | total_activity([third])
    assert _words(together.deletes) == "c"
    assert _words(together.mutates) == "d"


_CLOSURES = [
    ("def f(a): return a + b.c", "b", "b b.c", ""),
    ("def f():\n def g():\n  nonlocal x\n  x = y\n  return z\n", "y z", "y z", "x"),
    ("def f():\n global g\n return g", "", "", ""),
    ("class C:\n x = a\n def m(self): return x, self.y, b", "b x", "b x", ""),
    ("def f(x=a) -> b: pass", "", "", ""),
]


@pytest.mark.parametrize(("source", "names", "symbols", "written"), _CLOSURES)
def test_closures(source: str, names: str, symbols: str, written: str) -> None:
    (statement,) = _statements(source)
    assert _words(closure_reads(statement)) == names
    assert _words(closure_symbols(statement)) == symbols
    assert _words(closure_writes(statement)) == written


@pytest.mark.parametrize("source", [source for source, *_ in _CLOSURES if source.startswith("def")])
def test_closures_read_what_scopes_call_free(source: str) -> None:
    (statement,) = _statements(source)
    scope = build_scopes(statement).of(statement)
    assert closure_reads(statement) == scope.free - scope.globals


def test_the_nodes_of_a_graph() -> None:
    (function,) = _statements("def f(a, *b):\n try:\n  for i in a: c = i\n except E as e: pass")
    graph = build_cfg(function)
    of_kind = {
        node.kind: known for node, known in zip(graph.nodes, activities(graph), strict=True) if node.kind != "statement"
    }
    assert _words(of_kind["entry"].writes) == "a b"
    assert _words(of_kind["iterate"].reads) == "a"
    assert _words(of_kind["target"].writes) == "i"
    assert _words(of_kind["handler"].writes) == "e"
    assert _words(of_kind["unbind"].deletes) == "e"
    assert activities(graph) is activities(graph)


def test_a_deep_expression_is_no_problem() -> None:
    node: gast.AST = gast.Name("x", gast.Load(), None, None)
    for _ in range(5000):
        node = gast.BinOp(node, gast.Add(), gast.Name("y", gast.Load(), None, None))
    assert _words(activity_of(gast.Expr(node)).reads) == "x y"
    assert build_scopes(gast.Expr(node)).module.reads == {"x", "y"}
