"""What is live before (`in`) and after (`out`) the statement marked with a comment."""

from __future__ import annotations

import textwrap

import gast
import pytest
from graphwright_analysis.flow import build_cfg, liveness
from graphwright_analysis.syntax.names import Symbol


def _marked(source: str) -> tuple[gast.AST, gast.AST]:
    """The first function of a source, and the statement on its line that ends with `# here`."""
    source = textwrap.dedent(source)
    tree = gast.parse(source)
    line = next(number for number, text in enumerate(source.splitlines(), 1) if text.endswith("# here"))
    function = next(node for node in gast.walk(tree) if isinstance(node, gast.FunctionDef | gast.Lambda))
    statement = next(node for node in gast.walk(tree) if isinstance(node, gast.stmt) and node.lineno == line)
    return function, statement


def _live(source: str) -> tuple[str, str]:
    function, statement = _marked(source)
    live = liveness(build_cfg(function))
    before, behind = live.live_in(statement), live.live_out(statement)
    return " ".join(sorted(map(str, before))), " ".join(sorted(map(str, behind)))


_CASES = {
    "an if": ("def f(c):\n if c: # here\n  x = 1\n else:\n  y = 2\n return x", "c x", "x"),
    "every way returns": ("def f(c):\n if c: # here\n  return a\n else:\n  return b\n d", "a b c", ""),
    "a loop": ("def f(n):\n s = 0\n while n: # here\n  s += n\n  t = s\n return s", "n s", "s"),
    "the iterable is read once": ("def f(xs):\n for x in xs:\n  y = x # here\n return y", "x", "y"),
    "after a branch in a loop": (
        "def f(xs):\n for x in xs:\n  if x: # here\n   y = 1\n  z = y\n return 0", "x y", "y"),
    "a parent is read with a member": ("def f(o):\n o.x = 1 # here\n return o.x", "o", "o o.x"),
    "binding a parent kills members": ("def f(o):\n o = g() # here\n return o.x + o['k']", "g", "o o.x o['k']"),
    "a dynamic key kills nothing": ("def f(d, i):\n d[i] = 1 # here\n return d['k']", "d d['k'] i", "d d['k']"),
    "an augmented assignment": ("def f(x):\n x += 1 # here\n return x", "x", "x"),
    "a walrus before a reading": ("def f(x):\n x = (n := x) + n # here\n return x", "x", "x"),
    "a walrus after a reading": ("def f(x):\n x = n + (n := x) # here\n return x", "n x", "x"),
    "a walrus that may not run": ("def f(x):\n x = (x and (n := x)) + n # here\n return x", "n x", "x"),
    "a walrus in both cases": ("def f(x):\n x = ((n := 1) if x else (n := 2)) + n # here\n return x", "x", "x"),
    "a walrus in a chain": ("def f(x):\n return 0 < (n := x) < n # here", "x", ""),
    "a walrus and a target": ("def f(x):\n x[n] = (n := 1) # here\n return n", "x", "n"),
    "a walrus under a sum": ("def f(n):\n n += (n := 1) # here\n return n", "n", "n"),
    "a walrus in a test that reads it": ("def f(x):\n while (n := x) < n * 2: # here\n  x += n", "x", ""),
    "a walrus and a key": ("def f(x):\n return {(n := x): n} # here", "x", ""),
    "a walrus and a lambda": ("def f(x):\n return (n := x, lambda: n) # here", "n x", ""),
    "deleting is reading": ("def f(x):\n x = 1 # here\n del x", "", "x"),
    "break and continue": (
        "def f(n):\n while n:\n  if a: # here\n   break\n  if b: continue\n  c\n return d",
        "a b c d n", "a b c d n"),
    "an exception in the body": ("def f():\n try:\n  x = g() # here\n except E:\n  return x\n return y",
                                 "E g x y", "E x y"),
    "through finally": ("def f():\n try:\n  x = 1 # here\n  return g(y)\n finally:\n  h(x)", "g h y", "g h x y"),
    "in finally": ("def f(c):\n try:\n  if c: return a\n finally:\n  x = 1 # here\n return x", "", "x"),
    "globals live on": ("def f():\n global g, h\n g = 1 # here\n return h", "h", "g h"),
    "nonlocals live on": ("def f():\n nonlocal g\n g = 1 # here", "", "g"),
    "a match": ("def f(s):\n match s: # here\n  case [x, y]: r = x\n  case _: r = z\n return r", "s z", "r"),
    "a failed pattern binds nothing": (
        "def f(s):\n match s: # here\n  case [x]: return 1\n return x", "s x", "x"),
    "a comprehension": ("def f(xs, k):\n y = [x * k for x in xs] # here\n return y", "k xs", "y"),
    "while True": ("def f():\n while True: # here\n  x = 1\n return y", "", ""),
    # Closures.
    "a nested function": ("def f():\n def g(): return x\n x = 1 # here\n return g()", "g x", "g x"),
    "before a nested function": ("def f():\n if c: # here\n  x = 1\n def g(): return x\n return g()", "c x", "x"),
    "a nested function that isn't used again": (
        "def f():\n def g(): return x\n g()\n y = 1 # here\n return y", "x", "x y"),
    "a nested function that is replaced": (
        "def f():\n def g(): return x\n g = 1\n y = 1 # here\n return g", "g", "g"),
    "a nested function that is kept": (
        "def f(k):\n def g(): return x\n k.append(g)\n y = 1 # here\n return y", "x", "x y"),
    "a nested function under another name": (
        "def f():\n def g(): return x\n h = g\n y = 1 # here\n return h", "h x", "h x"),
    "a decorated function": ("def f():\n @d\n def g(): return x\n y = 1 # here\n return y", "x", "x y"),
    "a function that calls another": (
        "def f():\n def g(): return x\n def h(): return g()\n y = 1 # here\n return h()", "g h x", "g h x"),
    "methods": ("def f():\n class C:\n  def m(self): return x\n c = C()\n y = 1 # here\n return c", "c x", "c x"),
    "a lambda in place": ("def f(xs):\n y = map(lambda x: x + k, xs) # here\n return y", "k map xs", "y"),
    "a lambda in place, later": ("def f(xs):\n y = map(lambda x: x + k, xs)\n z = 1 # here\n return y", "y", "y"),
    "a lambda with a name": ("def f():\n g = lambda: x\n y = 1 # here\n return g()", "g x", "g x"),
    "a lambda in an attribute": ("def f(o):\n o.g = lambda: x\n y = 1 # here\n return y", "x", "x y"),
    "members in closures": (
        "def f(self):\n def g(): return self.x\n y = 1 # here\n return g()", "g self self.x", "g self self.x"),
    "a recursive function": (
        "def f():\n def g(n): return g(n - x)\n y = 1 # here\n return g(1)", "g x", "g x"),
}  # fmt: skip


@pytest.mark.parametrize("name", _CASES)
def test_live(name: str) -> None:
    source, before, behind = _CASES[name]
    assert _live(source) == (before, behind)


def test_all_names_of_a_module_are_live_at_its_end() -> None:
    module = gast.parse("x = 1\ny = z\n")
    live = liveness(build_cfg(module))
    assert live.live_out(module.body[1]) == {Symbol("x"), Symbol("y")}
    assert live.live_in(module.body[0]) == {Symbol("z")}


def test_the_caller_may_add_to_what_is_live_at_the_end() -> None:
    statements = gast.parse("x = 1\ny = 2").body
    live = liveness(build_cfg(statements), frozenset({Symbol("x")}))
    assert live.live_out(statements[0]) == {Symbol("x")}
    assert live.live_out(statements[1]) == {Symbol("x")}
    assert live.live_in(statements[0]) == frozenset()


def test_other_statements_know_nothing() -> None:
    live = liveness(build_cfg(gast.parse("x = y")))
    assert live.live_in(gast.Pass()) == live.live_out(gast.Pass()) == frozenset()
