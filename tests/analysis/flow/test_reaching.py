"""Which definitions reach, and what may be undefined, at the statement marked with a comment."""

from __future__ import annotations

import gast
import pytest
from graphwright_analysis.flow import Reaching, build_cfg, reaching
from graphwright_analysis.syntax.names import Symbol, symbol_of


def _known(source: str) -> tuple[Reaching, gast.AST]:
    tree = gast.parse(source)
    line = next(number for number, text in enumerate(source.splitlines(), 1) if text.endswith("# here"))
    code = next((node for node in tree.body if isinstance(node, gast.FunctionDef | gast.ClassDef)), tree)
    at = next(node for node in gast.walk(tree) if isinstance(node, gast.stmt) and node.lineno == line)
    return reaching(build_cfg(code)), at


# For the name x (or what stands in front of a colon): the lines whose definitions reach, then "no" if it is
# defined for sure, "maybe" or "surely" if it may be or is undefined.
_CASES = {
    "a parameter": ("def f(x):\n use # here", "1", "no"),
    "assigned": ("def f():\n x = 1\n use # here", "2", "no"),
    "nowhere assigned": ("def f():\n use # here", "", "no"),
    "another name is assigned: y": ("def f():\n x = 1\n use # here", "", "no"),
    "assigned later": ("def f():\n use # here\n x = 1", "", "surely"),
    "assigned twice": ("def f():\n x = 1\n x = 2\n use # here", "3", "no"),
    "one branch": ("def f(c):\n if c:\n  x = 1\n use # here", "3", "maybe"),
    "both branches": ("def f(c):\n if c:\n  x = 1\n else:\n  x = 2\n use # here", "3 5", "no"),
    "one branch leaves": ("def f(c):\n if c:\n  x = 1\n else:\n  return\n use # here", "3", "no"),
    "a loop target": ("def f(s):\n for x in s:\n  use # here", "2", "no"),
    "after a loop": ("def f(s):\n for x in s: pass\n use # here", "2", "maybe"),
    "while True": ("def f():\n while True:\n  x = 1\n  if x: break\n use # here", "3", "no"),
    "around a loop": ("def f(s):\n for i in s:\n  use # here\n  x = 1", "4", "maybe"),
    "a while, when it begins": ("def f(c):\n while c: # here\n  x = 1", "", "surely"),
    "a while, in an outer loop": ("def f(c):\n while c:\n  while c: # here\n   x = 1", "4", "maybe"),
    "loop else": ("def f(s):\n for i in s:\n  x = 1\n  break\n else:\n  x = 2\n use # here", "3 6", "no"),
    "deleted": ("def f(x):\n del x\n use # here", "", "surely"),
    "deleted in a branch": ("def f(x):\n if x: del x\n use # here", "1", "maybe"),
    "in try, at the handler": ("def f():\n try:\n  x = g()\n except E:\n  use # here", "", "surely"),
    "in try, before what fails": ("def f():\n try:\n  x = 1\n  g()\n except E:\n  use # here", "3", "no"),
    "in try, after": ("def f():\n try:\n  x = g()\n except E:\n  pass\n use # here", "3", "maybe"),
    "in finally": ("def f():\n try:\n  x = g()\n finally:\n  use # here", "3", "maybe"),
    "after finally": ("def f():\n try:\n  x = g()\n finally:\n  pass\n use # here", "3", "no"),
    "a handler's name": ("def f():\n try: g()\n except E as x:\n  use # here", "3", "no"),
    "after a handler": ("def f():\n x = 1\n try: g()\n except E as x: pass\n use # here", "2", "maybe"),
    "after a handler that leaves": ("def f():\n x = 1\n try: g()\n except E as x: raise\n use # here", "2", "no"),
    "with": ("def f():\n with g() as x:\n  pass\n use # here", "2", "no"),
    "in with": ("def f():\n with g():\n  x = h()\n use # here", "3", "no"),
    "in suppress": ("def f():\n with suppress(E):\n  x = h()\n use # here", "3", "maybe"),
    "imports": ("def f():\n import x.y\n use # here", "2", "no"),
    "a function": ("def f():\n def x(): pass\n use # here", "2", "no"),
    "a walrus": ("def f(c):\n g((x := 1))\n use # here", "2", "no"),
    "a walrus after and": ("def f(c):\n c and (x := 1)\n use # here", "2", "maybe"),
    "a walrus in a comprehension": ("def f(s):\n [(x := i) for i in s]\n use # here", "2", "maybe"),
    "a walrus in one case": ("def f(c):\n (x := 1) if c else 0\n use # here", "2", "maybe"),
    "a walrus in a test": ("def f(c):\n if (x := c) > 1: pass\n use # here", "2", "no"),
    "a walrus where the test is true": ("def f(c):\n if c and (x := 1):\n  use # here", "2", "no"),
    "a walrus where the test is false": ("def f(c):\n if c and (x := 1): pass\n else:\n  use # here", "2", "maybe"),
    "a walrus where neither is true": ("def f(c):\n if c or (x := 1): pass\n else:\n  use # here", "2", "no"),
    "a walrus where not both are true": (
        "def f(c):\n if not (c and (x := 1)): return\n use # here", "2", "no"),
    "a walrus in a loop": ("def f(c):\n while c and (x := 1):\n  use # here", "2", "no"),
    "a walrus after a loop": ("def f(c):\n while c and (x := 1): pass\n use # here", "2", "maybe"),
    "a walrus in a chain": ("def f(c):\n c < (x := 1) < 2\n use # here", "2", "no"),
    "a walrus later in a chain": ("def f(c):\n c < 2 < (x := 1)\n use # here", "2", "maybe"),
    "a walrus in a message": ("def f(c):\n assert c, (x := 1)\n use # here", "2", "maybe"),
    "a capture": ("def f(s):\n match s:\n  case [x]:\n   use # here", "3", "no"),
    "after a match": ("def f(s):\n match s:\n  case [x]: pass\n use # here", "3", "maybe"),
    "exhaustive": ("def f(s):\n match s:\n  case [x]: pass\n  case x: pass\n use # here", "3 4", "no"),
    "a global": ("def f():\n global x\n use # here\n x = 1", "", "no"),
    "an inner nonlocal": ("def f():\n def g():\n  nonlocal x\n  x = 1\n g()\n use # here\n x = 2", "2", "maybe"),
    "a declaration": ("def f():\n x: int\n use # here\n x = 1", "", "surely"),
    "after assert False": ("def f(c):\n if c:\n  x = 1\n else:\n  assert False\n use # here", "3", "no"),
    "dead code": ("def f():\n return\n use # here\n x = 1", "", "no"),
    "a comprehension": ("def f(s):\n [x for x in s]\n use # here\n x = 1", "", "surely"),
    "a module": ("use # here\nx = 1", "", "surely"),
    "a builtin: len": ("use # here\nlen = 1", "", "no"),
    "a class": ("class C:\n use # here\n x = 1", "", "no"),
    "a star import": ("from m import *\nuse # here\nx = 1", "1", "maybe"),
    "a member: self.x": ("def f(self, c):\n self.x = 1\n if c: self.x = 2\n use # here", "2 3", "no"),
    "a member's parent: self.x": ("def f(self):\n self.x = 1\n self = 2\n use # here", "", "no"),
    "an item: d['k']": ("def f(d):\n d['k'] = 1\n d[i] = 2\n use # here", "2", "no"),
}  # fmt: skip


@pytest.mark.parametrize("name", _CASES)
def test_reaching(name: str) -> None:
    source, lines, undefined = _CASES[name]
    symbol = symbol_of(gast.parse(name.partition(": ")[2] or "x").body[0].value)
    assert symbol is not None
    known, at = _known(source)
    found = {_line(node) for node in known.definitions_at(at, symbol)}
    assert " ".join(map(str, sorted(found))) == lines
    possibly, surely = known.possibly_undefined(at, symbol.root), known.definitely_undefined(at, symbol.root)
    assert (possibly, surely) == (undefined != "no", undefined == "surely")


def test_parameters_define_by_their_own_nodes() -> None:
    function = gast.parse("def f(a, *b):\n pass").body[0]
    known = reaching(build_cfg(function))
    assert known.definitions_at(function.body[0], Symbol("b")) == {function.args.vararg}


def _line(node: gast.AST) -> int:
    """A case has no line of its own in the tree."""
    return (node.pattern if isinstance(node, gast.match_case) else _of_item(node)).lineno


def _of_item(node: gast.AST) -> gast.AST:
    return node.context_expr if isinstance(node, gast.withitem) else node
