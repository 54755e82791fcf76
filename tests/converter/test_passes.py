"""What the passes say of themselves is true, and generated code keeps the user's lines and Python's limits."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import textwrap

import graphwright as gw
import pytest
from graphwright.pipeline import FunctionSource, Generated, generate
from graphwright_analysis.syntax.tree import parse_source

PAGES = (
    *("branches", "calls", "comprehensions", "formatting", "logic", "loops", "patterns"),
    *("simple_statements", "compound_statements"),
)


def _generated(text: str) -> Generated:
    return generate(FunctionSource(text, parse_source(text)[0], 1, "example.py", library=frozenset({"tf"})))


@pytest.mark.parametrize("page", PAGES)
def test_pages_of_passes_show_what_is_generated(page: str) -> None:
    module = importlib.import_module(f"graphwright.passes.{page}")
    _, _, examples = inspect.cleandoc(module.__doc__ or "").partition("Before:\n")
    before, _, behind = examples.partition("After:\n")
    example, after = _indented(before), _indented(behind)
    made = ast.parse(_generated(_in_function(example, example)).text)
    wanted = ast.parse(_in_function(after, example))
    assert ast.unparse(made) == ast.unparse(wanted)


def _indented(text: str) -> str:
    """The first block of code in a page."""
    lines = itertools.takewhile(lambda line: not line or line.startswith("    "), text.splitlines())
    return "\n".join(lines).strip("\n").rstrip()


def _in_function(body: str, example: str) -> str:
    """Names that the example reads are parameters, names that it assigns are given back."""
    tree = ast.parse(textwrap.dedent(example))
    items = {node.target.id for node in ast.walk(tree) if isinstance(node, ast.For)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in items | {"tf", "len"}]
    augmented = {ast.unparse(node.target) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    read = sorted({node.id for node in names if isinstance(node.ctx, ast.Load)} | augmented | {"y"})
    results = sorted({node.id for node in names if isinstance(node.ctx, ast.Store)})
    ending = "" if "return" in example else f"    return {', '.join(results) or 'x'}\n"
    return f"def f({', '.join(read)}):\n{body}\n{ending}"


def _guards(count: int) -> str:
    return "".join(f"    if x == {k}:\n        return {k}\n" for k in range(count)) + "    return -1\n"


def _chain(count: int) -> str:
    links = "".join(f"    elif x == {k}:\n        y = y + {k}\n" for k in range(count))
    return f"    y = 0\n    if x < 0:\n        y = 2\n{links}    return y\n"


def _skips(count: int) -> str:
    skips = "".join(f"        if i == {k}:\n            continue\n        y += i\n" for k in range(count))
    return f"    y = 0\n    for i in x:\n{skips}    return y\n"


def _holes(count: int) -> str:
    holes = "".join(f"    if x == {k}:\n        y += 1\n    elif x < {k}:\n        return {k}\n" for k in range(count))
    return f"    y = 0\n{holes}    return y\n"


@pytest.mark.parametrize("body", [_guards, _chain, _skips, _holes])
def test_a_hundred_branches_stay_within_the_limits_of_python(body) -> None:
    small, large = (_generated(f"def f(x):\n{body(count)}").text for count in (50, 100))
    compile(large, "example.py", "exec")
    assert large.count("\n") < 3 * small.count("\n")


STATEMENTS = [
    "y = 1 // x",
    "return 1 // x",
    "y += 1 // x",
    "y = [1, 1 // x]",
    "y = fail(\n    x,\n)",
    "if 1 // x > 0:\n    y = 1",
    "if y == 0:\n    y = 1 // x",
    "if y == 1:\n    y = 3\nelse:\n    y = 1 // x",
    "if y == 1:\n    return 3\nelif y == 2:\n    y = 5\ny = 1 // x",
    "for i in range(3):\n    y = 1 // x",
    "for i in [1, 1 // x]:\n    y = i",
    "for i in range(3):\n    if i == 1:\n        return 1 // x\n    y += 1",
    "while y < 10:\n    y += 1\n    if y > 4:\n        y = 1 // x",
    "while 1 // x > 0:\n    y += 1",
    "for i in range(2):\n    if i > 5:\n        break\nelse:\n    y = 1 // x",
    "y = 1 if x else 1 // x",
    "y = x or 1 // x",
    "y = not x and (\n    1 // x\n)",
    "y = 0 <= x < 1 // x",
    "y = f'{1 // x}'",
    "y = [1 // k for k in [x]]",
    "y = (lambda: 1 // x)()",
    "def g():\n    return 1 // x\ny = g()",
    "def g(k):\n    if k == 0:\n        return 1 // k\n    return k\ny = g(x)",
    "try:\n    y = 2\nfinally:\n    y = 1 // x",
    "try:\n    if y == 0:\n        y = 1 // x\nexcept KeyError:\n    y = 2",
    "match x:\n    case 0:\n        y = 1 // x\n    case _:\n        y = 2",
    "match y:\n    case k if 1 // x > k:\n        y = 2",
    "assert 1 // x > 0",
    "if y == 0:\n    raise ValueError(1 // x)",
    "if y == 0:\n    y = 1\n    raise ZeroDivisionError",
    "data = {}\ndata[1 // x] = y",
    "xs = [1]\nxs[0] = 1 // x",
    "xs = []\nxs.append(1 // x)",
    "(y := 1 // x)",
    "if (z := x) == 0 and 1 // z:\n    y = z",
    "a, b = 1, 1 // x",
    "print(1 // x)",
    "for i in range(2):\n    for j in range(2):\n        if j == 1:\n            break\n        y = 1 // x",
    "y = max(\n    1,\n    1 // x,\n)",
]


@pytest.mark.truth
@pytest.mark.parametrize("statements", STATEMENTS)
@pytest.mark.parametrize("make", [gw.to_graph, gw.function])
def test_errors_are_at_the_line_and_in_the_function_of_the_user(statements, make, tmp_path, monkeypatch) -> None:
    body = textwrap.indent(statements, "    ")
    name = f"lines_{abs(hash((statements, str(make))))}"
    head = "def fail(k):\n    return 1 // k\n\n\ndef user(x):\n    y = 0\n"
    (tmp_path / f"{name}.py").write_text(f"{head}{body}\n    return y\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module(name)
    assert _frames(make(module.user), str(tmp_path)) == _frames(module.user, str(tmp_path))


def _frames(function, folder: str) -> list[tuple[str, int]]:
    with pytest.raises(ZeroDivisionError) as caught:
        function(0)
    found, trace = [], caught.value.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(folder) and (code.co_name, trace.tb_lineno) not in found[-1:]:
            found.append((code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    return found[-1:]
