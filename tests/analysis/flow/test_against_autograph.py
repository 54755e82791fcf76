"""Our activity, liveness and reaching definitions are held against those of TensorFlow's own AutoGraph.

Where they differ on purpose, the case says so: `more` if we find more live, `less` if less.
"""

from __future__ import annotations

import importlib.util
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gast
import pytest
from graphwright_analysis.flow import build_cfg, liveness, reaching, total_activity
from graphwright_analysis.syntax.names import Symbol, symbol_of

pytest.importorskip("tensorflow")

from tensorflow.python.autograph.pyct import anno, cfg, naming, qual_names, transformer
from tensorflow.python.autograph.pyct.static_analysis import (
    activity,
    annos,
    reaching_definitions,
    reaching_fndefs,
)
from tensorflow.python.autograph.pyct.static_analysis import (
    liveness as autograph_liveness,
)

# Modules of TensorFlow itself, full of ordinary functions.
_MODULES = (
    "tensorflow.python.ops.image_ops_impl",
    "tensorflow.python.ops.math_ops",
    "tensorflow.python.ops.nn_impl",
    "tensorflow.python.ops.linalg.linalg_impl",
    "tensorflow.python.ops.ragged.ragged_tensor",
)

_CASES = {
    "branches": (
        "equal",
        "def f(a, c):\n if c:\n  x = a\n  self.y = x\n else:\n  z = 2\n  d['k'] = z\n return x + d['k']",
    ),
    "elif": ("equal", "def f(a):\n if a:\n  x = 1\n elif b:\n  y = x\n else:\n  x = y\n return x, y"),
    "while": ("equal", "def f(n):\n i = s = 0\n while i < n:\n  if i > k:\n   s += i\n  i += 1\n  t = s\n return s"),
    "loops in loops": (
        "equal",
        "def f(n):\n while a:\n  while b:\n   x = y\n   y = n\n  if c: z = x\n return z",
    ),
    "break and continue": (
        "equal",
        "def f(n):\n while n:\n  if a: break\n  if b: continue\n  x = y\n  n -= 1\n else:\n  e\n return x",
    ),
    "return in a branch": ("equal", "def f(a):\n if a:\n  if b:\n   return c\n  d = 1\n else:\n  raise e\n return d"),
    "members": (
        "equal",
        "def f(self):\n if self.a:\n  self.b.c = self.d\n while self.b.c:\n  self.b.c -= 1\n return self",
    ),
    "augmented": ("equal", "def f(x, d):\n if x:\n  x += 1\n  d['k'] += x\n  d[0] -= 1\n return x, d['k']"),
    "comprehensions": (
        "equal",
        "def f(xs):\n if xs:\n  y = [x * k for x in xs if x > m]\n  z = {a: b for a, b in y}\n return z",
    ),
    "with": ("equal", "def f(x):\n if x:\n  with a(x) as b, c:\n   y = b\n return y"),
    "deleting": ("equal", "def f(x):\n y = x\n if x:\n  del y\n return z"),
    "calls": ("equal", "def f(x):\n if g(x, *a, k=b, **c):\n  x.append(y)\n  h(x[0], x.y['k'])\n return x"),
    "lambda in place": ("equal", "def f(xs):\n if xs:\n  y = map(lambda x: x + k, xs)\n return y"),
    "imports and definitions": ("equal", "def f(a):\n if a:\n  import b.c\n  from d import e as g\n return b, g"),
    "an assertion": ("equal", "def f(a):\n if a:\n  assert a > b, c\n return d"),
    "slices": ("equal", "def f(a, i):\n if a[i:]:\n  b = a[1:n, ..., 0]\n return b"),
    # A `for` reads its iterable once, AutoGraph's at each turn.
    "for": ("less", "def f(xs):\n for x in xs:\n  if x: y = x\n return y"),
    "for with else": ("less", "def f(xs):\n for a, b in xs:\n  if a: break\n else:\n  b = 1\n return b"),
    # Binding a name ends the life of its members.
    "a new parent": ("less", "def f(a):\n if a: b\n o = g()\n return o.x"),
    "a function that isn't used again": ("equal", "def f(a):\n def g(): return b\n g()\n if a: c = 1\n return c"),
    "a nested function": ("equal", "def f(a):\n def g(): return b + self.c\n if a: b = 1\n return g()"),
    "a nested function defined later": ("equal", "def f(a):\n if a: b = 1\n def g(): return b\n return g()"),
    # AutoGraph takes lambdas to be called where they stand.
    "a lambda with a name": ("more", "def f(a):\n g = lambda: b\n if a: b = 1\n return g()"),
    "an exception": ("more", "def f(a):\n x = 1\n try:\n  if a: b(c)\n  x = 2\n except E:\n  return x\n return d"),
    # Others see a global when the function has ended.
    "a global": ("more", "def f(a):\n global g\n if a:\n  g = 1\n return b"),
}  # fmt: skip


@pytest.mark.parametrize("name", _CASES)
def test_liveness(name: str) -> None:
    relation, source = _CASES[name]
    ours, theirs = _live_by_us(source), _live_by_autograph(_analysed(source))
    assert ours.keys() == theirs.keys()
    more = {key: ours[key] - theirs[key] for key in ours}
    less = {key: theirs[key] - ours[key] for key in ours}
    found = (any(more.values()), any(less.values()))
    expected = {"equal": (False, False), "more": (True, False), "less": (False, True)}[relation]
    assert found == expected, f"more: {more}, less: {less}"


@pytest.mark.parametrize("name", _CASES)
def test_activity(name: str) -> None:
    source = _CASES[name][1]
    for statement, theirs in zip(_compounds(_parse(source)), _compounds(_analysed(source)), strict=True):
        for ours, autographs in _activities(statement, theirs):
            assert ours == autographs


@pytest.mark.parametrize("name", [name for name in _CASES if name not in ("a new parent", "a global")])
def test_definitions(name: str) -> None:
    source = _CASES[name][1]
    function = _parse(source)
    known = reaching(build_cfg(function))
    for statement, theirs in zip(_compounds(function), _compounds(_analysed(source)), strict=True):
        defined = {symbol for symbol in _mentioned(function) if known.definitions_at(statement, symbol)}
        assert defined == _symbols(anno.getanno(theirs, anno.Static.DEFINED_VARS_IN))


def _mentioned(function: gast.AST) -> set[Symbol]:
    """All symbols that a function reads, writes or defines."""
    parts = list(gast.walk(function))
    names = {name for part in parts for field in ("name", "asname") if isinstance(name := getattr(part, field, 0), str)}
    return {symbol for part in parts if (symbol := symbol_of(part))} | set(map(Symbol, names))


@pytest.mark.parametrize("module", _MODULES)
def test_functions_of_tensorflow(module: str) -> None:
    """On functions without what we treat differently on purpose, both find the same names.

    AutoGraph also takes members for live that come to life with their parent, and for read that belong to a
    lambda's parameter.
    """
    compared = 0
    for source in _functions(module):
        try:
            analysed = _analysed(source)
        except (ValueError, NotImplementedError, AssertionError, AttributeError):
            # What AutoGraph can't analyse itself.
            continue
        function = _parse(source)
        for statement, theirs in zip(_compounds(function), _compounds(analysed), strict=True):
            for ours, autographs in _activities(statement, theirs):
                assert ours <= autographs, source
                assert all(symbol.is_composite for symbol in autographs - ours), source
        if not _is_treated_alike(function):
            continue
        live, autographs_live = _live_by_us(source), _live_by_autograph(analysed)
        for side in live:
            assert live[side] <= autographs_live[side], source
            assert all(symbol.is_composite for symbol in autographs_live[side] - live[side]), source
        compared += 1
    assert compared > 5


def _activities(statement: Any, theirs: Any) -> Iterator[tuple[frozenset[Symbol], frozenset[Symbol]]]:
    """What the blocks of a statement write and read: by us and by AutoGraph."""
    blocks = [(statement.body, annos.NodeAnno.BODY_SCOPE), (statement.orelse, annos.NodeAnno.ORELSE_SCOPE)]
    for block, key in blocks:
        scope, known = anno.getanno(theirs, key), total_activity(block)
        yield _known_to_autograph(known.writes), _symbols(scope.modified)
        # A global statement reads nothing.
        yield _known_to_autograph(known.reads), _symbols(scope.read - scope.globals)


def _live_by_us(source: str) -> dict[str, frozenset[Symbol]]:
    function = _parse(source)
    live = liveness(build_cfg(function))
    sides: dict[str, frozenset[Symbol]] = {}
    for number, statement in enumerate(_compounds(function)):
        sides[f"in {number}"] = live.live_in(statement)
        sides[f"out {number}"] = live.live_out(statement)
    return {side: _known_to_autograph(symbols) for side, symbols in sides.items()}


def _live_by_autograph(analysed: Any) -> dict[str, frozenset[Symbol]]:
    sides: dict[str, frozenset[Symbol]] = {}
    for number, statement in enumerate(_compounds(analysed)):
        sides[f"in {number}"] = _symbols(anno.getanno(statement, anno.Static.LIVE_VARS_IN))
        sides[f"out {number}"] = _symbols(anno.getanno(statement, anno.Static.LIVE_VARS_OUT))
    return sides


def _known_to_autograph(symbols: frozenset[Symbol]) -> frozenset[Symbol]:
    """Without items under negative positions, which AutoGraph doesn't tell apart from computed ones."""
    return frozenset(symbol for symbol in symbols if not any(part.startswith("[-") for part in symbol.path))


def _symbols(names: Any) -> frozenset[Symbol]:
    """AutoGraph's names as symbols, without those under keys that aren't constant."""
    found = (symbol_of(gast.parse(str(name)).body[0].value) for name in names)
    return frozenset(symbol for symbol in found if symbol is not None)


def _parse(source: str) -> Any:
    return gast.parse(source).body[0]


def _analysed(source: str) -> Any:
    """A function with AutoGraph's annotations."""
    node = _parse(source)
    info = transformer.EntityInfo(name="f", source_code=source, source_file=None, future_features=(), namespace={})
    context = transformer.Context(info, naming.Namer({}), None)
    graphs = cfg.build(node)
    node = activity.resolve(qual_names.resolve(node), context, None)
    node = reaching_definitions.resolve(node, context, graphs)
    node = reaching_fndefs.resolve(node, context, graphs)
    return autograph_liveness.resolve(node, context, graphs)


def _compounds(function: Any) -> list[Any]:
    """The branches and loops of a function, but not of functions inside it."""
    found: list[Any] = []
    stack = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.FunctionDef | gast.ClassDef):
            continue
        if isinstance(node, gast.If | gast.For | gast.While):
            found.append(node)
        stack.extend(child for child in gast.iter_child_nodes(node) if not isinstance(child, gast.expr))
    return found


def _functions(module: str) -> Iterator[str]:
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    text = Path(spec.origin).read_text(encoding="utf-8")
    for node in gast.parse(text).body:
        if isinstance(node, gast.FunctionDef):
            lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
            yield textwrap.dedent("\n".join(lines)) + "\n"


_TREATED_OTHERWISE = (gast.For, gast.Try, gast.Lambda, gast.FunctionDef, gast.ClassDef, gast.Global)


def _is_treated_alike(function: gast.AST) -> bool:
    inner = [node for node in gast.walk(function) if node is not function]
    return not any(isinstance(node, _TREATED_OTHERWISE) for node in inner)
