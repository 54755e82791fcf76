"""A half-typed statement costs that statement and nothing else."""

from __future__ import annotations

import sys
import textwrap
import warnings

import gast
import pytest
from graphwright_analysis.syntax import Module, parse_module

FRAME = """\
def f(x):
    a = 1
    {}
    b = 2
    if b:
        return b
"""


def typed(statement: str) -> Module:
    return parse_module(FRAME.format(statement))


def shown(module: Module) -> str:
    return gast.unparse(gast.Module([s for block in module.blocks for s in block.statements], [])).strip()


def broken_texts(module: Module) -> list[str]:
    return [
        block.text[part.start : part.end] for block in module.blocks for part in block.broken if part.end > part.start
    ]


# What is typed in the middle of a function, and what stands for it.
TABLE = [
    ("x.", "x"),
    ("x.foo(", "x.foo()"),
    ("y = x +", "y = x + ..."),
    ("y = foo(", "y = foo()"),
    ("self.y = foo(", "self.y = foo()"),
    ("y = foo(a b, c=d.e)", "y = (foo, a, b, d.e)"),
    ("y = x ?", "y = x"),
    ("y = = x", "y = x"),
    ("y: int =", "y: int = ..."),
    ("y +=", "y += ..."),
    ("y += x x", "y += (x, x)"),
    ("y = x if", "y = x if ... else ..."),
    ("y = x if a", "y = x if a else ..."),
    ("y = lambda", "y = lambda: ..."),
    ("lambda", "lambda: ..."),
    ("y = [x for x in", "y = [x for x in ...]"),
    ("d = {a:", "d = {a: ...}"),
    ("return x +", "return x + ..."),
    ("return x x", "return (x, x)"),
    ("return foo(a, b", "return foo(a, b)"),
    ("foo(a, b", "foo(a, b)"),
    ("foo(a,\n        b=c", "foo(a, b=c)"),
    ("foo(a))", "foo(a)"),
    ("d['k'", "d['k']"),
    ('"abc', "'abc'"),
    ('y = """abc', "y = 'abc'"),
    ('f"{x', "f'{x}'"),
    (")", "..."),
    ("print x", "(print, x)"),
    ("import os.", "import os"),
    ("from os import", "pass"),
    ("from os import a,", "from os import a"),
    ("async", "pass"),
    ("$", "pass"),
    ("1a = 3", "pass"),
    ("y = 1 +\\\n", "y = 1 + ..."),
    ("y = x; z = (; w = 2", "y = x\n    z = ..."),
    ("if x >", "if x > ...:\n        pass"),
    ("if x = 3:\n        z = 1", "if x:\n        z = 1"),
    ("if x\n        z = 1", "if x:\n        z = 1"),
    ("if foo(x:\n        z = 1", "if foo(x):\n        z = 1"),
    ("if x: y =", "if x:\n        y = ..."),
    ("if x:\n        z = 1\n    elif\n        w = 2", "if x:\n        z = 1\n    elif ...:\n        w = 2"),
    ("if x:\n        z = 1\n    elif x >:\n        w = 2", "if x:\n        z = 1\n    elif x > ...:\n        w = 2"),
    ("if x:\n        z = 1\n    else\n        w = 2", "if x:\n        z = 1\n    else:\n        w = 2"),
    ("elif x:\n        z = 1", "if x:\n        z = 1"),
    ("while\n        z = 1", "while ...:\n        z = 1"),
    ("for i in\n        z = i", "for i in ...:\n        z = i"),
    ("for\n        z = i", "while ...:\n        z = i"),
    ("for i in x:\n        z = i\n    else\n        w = 1", "for i in x:\n        z = i\n    else:\n        w = 1"),
    ("with\n        z = 1", "with ...:\n        z = 1"),
    ("with a as\n        z = 1", "with a:\n        z = 1"),
    ("try:\n        z = 1", "try:\n        z = 1\n    finally:\n        pass"),
    ("try:\n        z = 1\n    except E as:\n        w = 1", "try:\n        z = 1\n    except E:\n        w = 1"),
    ("match x", "match x:\n        case _ if ...:\n            pass"),
    ("match x:\n        case [1, :\n            z = x", "match x:\n        case [1]:\n            z = x"),
    ("match = x = ", "match = x = ..."),
    ("def\n        z = 1", "\n    def _():\n        z = 1"),
    ("def g(\n    y = 1", "\n    def g():\n        pass\n    y = 1"),
    ("def g(p, q=:\n        z = 1", "\n    def g(p, q):\n        z = 1"),
    ("def g(p q):\n        z = 1", "\n    def g(p):\n        z = 1"),
    ("class A(\n        z = 1", "\n    class A(z=1):\n        pass"),
    ("class A\n        z = 1", "\n    class A:\n        z = 1"),
    ("@", ""),
    ("@tf.\n    def g():\n        pass", "\n    @tf\n    def g():\n        pass"),
    ("@tf.function(\n    def g():\n        pass", "\n    @tf.function()\n    def g():\n        pass"),
    ("@ +\n    def g():\n        pass", "\n    @+...\n    def g():\n        pass"),
    ("        z = 3", "z = 3"),
    ("  z = 3", "z = 3"),
    ("\tz = 3", "z = 3"),
    ("\n  z = 3", "z = 3"),
]


@pytest.mark.parametrize(("statement", "stands_for_it"), TABLE)
def test_the_rest_of_the_function_stays(statement: str, stands_for_it: str) -> None:
    module = typed(statement)
    text = FRAME.format("HERE").replace("    HERE\n", f"    {stands_for_it}\n" if stands_for_it else "")
    if statement == "\n  z = 3":
        # A dedent to a column in between belongs to the function still.
        assert "z = 3" in shown(module)
    assert shown(module).split() == text.split()
    assert module.errors, "Python's own complaint is kept"
    for problem in module.errors:
        assert 0 <= problem.range.start <= problem.range.end <= len(module.text)
        assert problem.message
    survivors = [node for block in module.blocks for s in block.statements for node in gast.walk(s)]
    kept = [node for node in survivors if isinstance(node, gast.Assign) and gast.unparse(node.targets[0]) in ("a", "b")]
    assert len(kept) >= 2
    assert not any(module.blocks[0].is_broken(node) for node in kept)


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("y = x +", ["y = x +"]),
        ("if x >:\n        z = 1", ["if x >"]),
        ("y = x; z = (; w = 2", ["z = (; w = 2"]),
        ("foo(a,\n        b=c", ["foo(a,\n        b=c"]),
        ("else if x:\n        z = 1", ["else if x"]),
        ("z = 3", []),
    ],
)
def test_what_is_listed_as_broken(statement: str, broken: list[str]) -> None:
    assert broken_texts(typed(statement)) == broken


def test_broken_nodes_are_known_as_such() -> None:
    module = typed("if x >:\n        z = 1")
    block = module.blocks[0]
    function = block.statements[0]
    assert isinstance(function, gast.FunctionDef)
    header = function.body[1]
    assert isinstance(header, gast.If)
    assert block.is_broken(header.test)
    assert not block.is_broken(header)
    assert not block.is_broken(header.body[0])


def test_conflict_markers_keep_both_sides() -> None:
    module = parse_module("def f():\n    a = 1\n<<<<<<< HEAD\n    b = 2\n=======\n    b = 3\n>>>>>>> x\n    return b\n")
    assert shown(module) == "def f():\n    a = 1\n    b = 2\n    b = 3\n    return b"
    assert len(module.errors) == 3


def test_positions_stay_true() -> None:
    text = 'def f():\n    é = "ö" + (\n    s = "💥"; name = s +\n    other = é\n'
    module = parse_module(text)
    block = module.blocks[0]
    names = [node for s in block.statements for node in gast.walk(s) if isinstance(node, gast.Name)]
    assert [(node.id, text[slice(*_ends(module, node))]) for node in names] == [(n.id, n.id) for n in names]
    assert {node.id for node in names} == {"é", "s", "name", "other"}


def _ends(module: Module, node: gast.AST) -> tuple[int, int]:
    span = module.range_of(module.blocks[0], node)
    return span.start, span.end


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\ufeff",
        "\ufeffx = 1",
        "\0",
        "x = '\0'\ny = 1\n",
        "x = '\ud800'\ny = \udfff\nz = 1\n",
        "\f x = 1\n\fy = 2\r\rz = 3",
        "    x = 1\n  y = 2\nz = 3\n",
        "\t" * 5_000 + "x",
        "(" * 5_000,
        "(" * 5_000 + ")" * 5_000,
        "[" * 150 + "]" * 150,
        "-" * 5_000 + "1",
        "x = " + "a + " * 5_000 + "a",
        "x = a" + ".b" * 5_000,
        "not " * 5_000 + "x",
        "".join(" " * depth + "if x:\n" for depth in range(5_000)),
        "if x:\n  a\n" + "elif x:\n  a\n" * 5_000,
        "if x:\n  a\n" + "elif x:\n  a\n" * 5_000 + "else\n  b",
        'x = """' + "a" * 1_000_000,
        'f"' + "{" * 5_000,
        "f'{" * 2_000,
        "lambda: " * 3_000 + "1",
        "x = 0" + "1" * 10_000,
        "\\\n" * 1_000,
        "\\",
        "'\\",
        "@\n" * 1_000,
        "else:\n" * 300,
        "try:\n" * 300,
        "match x:\n" * 100,
        "\x0b\x1c\x85\u2028x = 1",
    ],
    ids=range(33),
)
def test_nothing_raises(text: str) -> None:
    module = parse_module(text)
    assert "".join(block.text for block in module.blocks) == text
    for block in module.blocks:
        for statement in block.statements:
            for node in gast.walk(statement):
                assert block.range_of(node).end <= len(block.text)
    assert all(problem.range.end <= len(text) for problem in module.errors)


def test_a_statement_of_ten_million_characters_is_stood_in_for() -> None:
    text = "x = [" + "1, " * 3_400_000 + "]\ny = 2\n"
    module = parse_module(text)
    assert len(module.blocks) == 2
    first = module.blocks[0].statements[0]
    assert isinstance(first, gast.Assign)
    assert module.blocks[0].is_broken(first)
    assert module.errors == (), "it is Python all the same"
    assert not module.blocks[1].broken


def test_trees_are_no_deeper_than_walkers_can_follow() -> None:
    module = parse_module("def f(x):\n    y = " + "x + " * 900 + "x\n    return y\n")
    assert module.blocks[0].broken
    assert module.errors == ()
    function = module.blocks[0].statements[0]
    assert isinstance(function, gast.FunctionDef)
    assert isinstance(function.body[1], gast.Return)
    gast.dump(function)
    elifs = parse_module("if x:\n    a = 1\n" + "elif x:\n    a = 2\n" * 400).blocks[0].statements[0]
    gast.dump(elifs)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("a = b.c = d[0] = 1", {"a"}),
        ("a, (*b, c.d) = e", {"a", "b"}),
        ("a += 1; b: int = 2", {"a", "b"}),
        ("for a, b in c:\n  pass", {"a", "b"}),
        ("with a as b, c as (d, e):\n  f = 1", {"b", "d", "e", "f"}),
        ("def a(b):\n  c = 1", {"a"}),
        ("class a:\n  c = 1", {"a"}),
        ("import a.b, c as d", {"a", "d"}),
        ("from a import b, c as d", {"b", "d"}),
        ("while (a := b):\n  c = 1", {"a", "c"}),
        ("try:\n  a = 1\nfinally: b = 2", {"a", "b"}),
        ("match a:\n  case [b, *c]: d = 1\n  case {'e': f, **g} as h:\n    i = 1", set("bcdfghi")),
        ("[a for a in b]", set()),
    ],
)
def test_what_is_too_deep_binds_its_names(line: str, names: set[str]) -> None:
    """A chain of `elif`s is nested as deep as it is long."""
    inside = textwrap.indent(line, "    ")
    module = parse_module("def f(x):\n  if x:\n    pass\n" + "  elif x:\n    pass\n" * 200 + f"  else:\n{inside}\n")
    block = module.blocks[0]
    assert not module.errors
    bound = [node for node in gast.walk(block.statements[0]) if isinstance(node, gast.Assign)]
    assert {target.id for node in bound for target in node.targets if isinstance(target, gast.Name)} == names
    assert all(block.is_broken(node) for node in bound)


def test_pythons_warnings_are_kept_off() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parse_module("x = '\\d'\n")
        warnings.simplefilter("error")
        assert not parse_module("x = '\\w'\n").errors
    assert caught == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* since 3.11")
def test_except_star_is_kept() -> None:
    module = typed("try:\n        z = (\n    except* E:\n        w = 1")
    assert any(isinstance(node, gast.TryStar) for node in gast.walk(module.blocks[0].statements[0]))
