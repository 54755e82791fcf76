"""Scopes by Python's own rules; `symtable` is the judge where it knows."""

from __future__ import annotations

import symtable
import sys
import textwrap

import gast
import pytest
from graphwright_analysis.flow import Scope, Scopes, build_scopes, resolve


def _tree(source: str) -> gast.AST:
    return gast.parse(textwrap.dedent(source))


def _named(tree: gast.AST, name: str) -> Scope:
    """The scope of the function or class called `name`, or of the first lambda or comprehension."""
    for scope in build_scopes(tree):
        if getattr(scope.node, "name", None) == name and scope.kind != "type parameters":
            return scope
        if scope.kind == name:
            return scope
    raise KeyError(name)


@pytest.mark.parametrize(
    ("source", "name", "bound", "free"),
    [
        ("def f(a, /, b, *c, d=e, **g): return a + h", "f", "a b c d g", "h"),
        ("def f():\n x = 1\n def g(): return x + y\n", "f", "x g", "y"),
        ("def f():\n x = 1\n def g(): return x + y\n", "g", "", "x y"),
        ("def f():\n global x\n x = 1\n return x", "f", "", "x"),
        ("def f():\n x = 1\n def g():\n  global x\n  return x\n", "f", "x g", ""),
        ("def f():\n import a.b, c as d\n from e import g, h as i\n from j import *", "f", "a d g i", ""),
        ("def f():\n try: pass\n except E as e: pass", "f", "e", "E"),
        ("def f():\n with a as (b, *c): pass\n for d.e, g in h: del i", "f", "b c g i", "a d h"),
        (
            "def f():\n match s:\n  case [a, *b] | {'k': a, **b}: pass\n  case C(x=d) as e: pass",
            "f",
            "a b d e",
            "s C",
        ),
        ("def f(): return [x for x in y if z]", "f", "", "y z"),
        ("def f(): return [w := x for x in y]", "f", "w", "y"),
        ("def f(): return [x for x in x]", "f", "", "x"),
        ("def f(): return lambda a, b=c: a + b + d + (e := 1)", "f", "", "c d"),
        ("lambda a: (b := a) + c", "lambda", "a b", "c"),
        ("def f():\n x: int\n y += 1", "f", "x y", "int"),
        ("def f(): return [[a for a in b] for b in c]", "f", "", "c"),
        ("async def f():\n async for a in b:\n  async with c as d: await e", "f", "a d", "b c e"),
        ("class C:\n x = y\n def m(self): return x", "C", "x m", "x y"),
        ("def f():\n x = 1\n class C:\n  def m(self): return x", "f", "x C", ""),
        ("def f():\n def g():\n  def h(): return x\n x = 1", "g", "h", "x"),
    ],
)
def test_bound_and_free_names(source: str, name: str, bound: str, free: str) -> None:
    scope = _named(_tree(source), name)
    assert (set(scope.bound), set(scope.free)) == (set(bound.split()), set(free.split()))


def test_parameters_keep_their_order() -> None:
    scope = _named(_tree("def f(a, /, b, *c, d, **e): pass"), "f")
    assert scope.parameters == ("a", "b", "c", "d", "e")


def test_nonlocals_that_inner_functions_change() -> None:
    tree = _tree(
        """
        def f():
            x = y = 0
            def g():
                nonlocal x
                def h():
                    nonlocal x, y
                    x = 1
                    del y
                return x
        """
    )
    assert _named(tree, "h").mutated_nonlocals == {"x", "y"}
    assert _named(tree, "g").mutated_nonlocals == {"x", "y"}
    assert _named(tree, "f").mutated_nonlocals == frozenset()
    scopes = build_scopes(tree)
    assert resolve(_only(scopes, "h"), "x") is _only(scopes, "f")


def test_names_resolve_by_pythons_rules() -> None:
    tree = _tree(
        """
        top = 1
        def f(a):
            b = 2
            class C:
                c = 3
                d = [c for _ in a]
                def m(self):
                    return a, b, c, top, len
            def g():
                global b
                return [x for x in b]
            return g
        """
    )
    scopes = build_scopes(tree)
    module, function, method = scopes.module, _only(scopes, "f"), _only(scopes, "m")
    assert resolve(method, "a") is function
    assert resolve(method, "b") is function
    assert resolve(method, "c") is None
    assert resolve(method, "top") is module
    assert resolve(method, "len") is None
    assert resolve(_only(scopes, "C"), "c") is _only(scopes, "C")
    in_class, in_g = [scope for scope in scopes if scope.kind == "comprehension"]
    assert resolve(in_class, "c") is None
    assert resolve(in_class, "a") is function
    assert resolve(in_g, "b") is None
    assert resolve(_only(scopes, "g"), "b") is None
    assert resolve(_only(scopes, "g"), "C") is function


def test_a_global_bound_in_a_function_lives_in_the_module() -> None:
    scopes = build_scopes(_tree("def f():\n global x\n x = 1\ndef g(): return x"))
    assert resolve(_only(scopes, "g"), "x") is scopes.module
    assert resolve(_only(scopes, "f"), "x") is scopes.module


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of 3.12")
def test_type_parameters() -> None:
    tree = _tree("class A:\n t = 1\n def f[T: int](self, x: T, y: t = t) -> T:\n  return T, t\n")
    scopes = build_scopes(tree)
    function = _only(scopes, "f")
    around = function.parent
    assert around is not None
    assert around.bound == {"T"}
    assert resolve(function, "T") is around
    assert resolve(around, "t") is _only(scopes, "A")
    assert resolve(function, "t") is None


def test_a_function_on_its_own() -> None:
    function = _tree("def f(): return x").body[0]
    scopes = build_scopes(function)
    assert scopes.of(function).free == {"x"}
    assert scopes.module.bound == {"f"}


def test_odd_declarations_do_no_harm() -> None:
    scopes = build_scopes(_tree("nonlocal x\nx = 1\nglobal y\ny = 2\nclass C:\n nonlocal z\n z = 1\n"))
    assert "y" in scopes.module.bound


_AGREE = [
    "def f(a, *b, c=1, **d):\n x = a\n def g(y):\n  nonlocal x\n  x = y\n  return z\n return g",
    "def f():\n try:\n  import os.path as p\n except (A, B) as e:\n  raise e\n with o() as q: pass\n del r\n",
    "def f():\n class C(base):\n  k = v\n  def m(self): return w\n return C",
    "def f(xs):\n if (n := len(xs)) > 1: pass\n return n",
    "def f(v):\n match v:\n  case {'a': x, **rest}: return x\n  case [1, *others] if others: return rest\n",
    "def f():\n global g1\n g1 = 2\n g2 += 1\n for i, (j, k) in z: pass\n else: l = 1\n",
]


@pytest.mark.parametrize("source", _AGREE)
def test_symtable_agrees(source: str) -> None:
    ours = {scope.node.lineno: scope for scope in build_scopes(_tree(source)) if scope.kind == "function"}
    seen = 0
    for table in _tables(symtable.symtable(source, "<test>", "exec")):
        if table.get_type() != "function" or table.get_name() in ("lambda", "listcomp"):
            continue
        scope = ours[table.get_lineno()]
        assert scope.bound == set(table.get_locals())
        outside = {s.get_name() for s in table.get_symbols() if not s.is_local() and s.is_referenced()}
        # symtable lists what only inner functions need from further out as well.
        assert {name for name in scope.reads if name not in scope.bound} <= outside
        assert outside <= scope.free
        seen += 1
    assert seen


def _tables(table: symtable.SymbolTable) -> list[symtable.SymbolTable]:
    return [table, *(inner for child in table.get_children() for inner in _tables(child))]


def _only(scopes: Scopes, name: str) -> Scope:
    (scope,) = [
        scope for scope in scopes if getattr(scope.node, "name", None) == name and scope.kind in ("function", "class")
    ]
    return scope
