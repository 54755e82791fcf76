"""Cutting a file into blocks: what belongs together, and what a broken line may not swallow."""

from __future__ import annotations

import sys

import pytest
from graphwright_analysis.syntax.blocks import cut, logical_lines


def pieces(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in cut(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["x = 1\n", "y = 2\n"],
        ["x = 1; y = 2\n", "z = 3"],
        ["x = [\n1,\n2,\n]\n", "y = 2\n"],
        ["x = (a\nif b\nelse c)\n", "y = 2\n"],
        ["x = 1 + \\\n2\n", "y = 2\n"],
        ["if a:\n    b\nelif c:\n    d\nelse:\n    e\n", "f\n"],
        ["for a in b:\n    c\nelse:\n    d\n", "e\n"],
        ["try:\n    a\nexcept E:\n    b\nelse:\n    c\nfinally:\n    d\n", "e\n"],
        ["with a:\n    b\n", "else:\n    c\n"],
        ["def f():\n    a\n\n    # inside\n\n", "# of g\n\n# too\ndef g():\n    b\n"],
        ["def f():\n    a\n# at the margin, yet inside\n    b\n", "c\n"],
        ["@a\n@b(\n1)\n\ndef f():\n    pass\n", "@c\nclass D:\n    pass\n", "e\n"],
        ["@a\n", "x = 1\n"],
        ["# only a comment\n\n"],
        ["\ufeff# mark\nx = 1\n", "y = 2\n"],
        ["\f\nx = 1\n", "\fy = 2\n"],
        ["x = 1\r\n", "y = 2\r", "z = 3\n"],
        ["'''\ndef f():\n'''\n", "x = '''a\nclass B:\n  '''\n", "y = 2\n"],
        ['x = """\\""" """\n', "y = 2\n"],
        ["x = 'it\\\ns' # '''\n", "y = 2\n"],
        ["s = f'{a}{{' # \"\n", "y = 2\n"],
        ["def f():\n    a = 1\n<<<<<<< HEAD\n    b = 2\n=======\n    b = 3\n>>>>>>> other\n    return b\n", "c\n"],
        ["async def f():\n    pass\n", "async with a:\n    b\n"],
    ],
)
def test_what_belongs_to_one_block(expected: list[str]) -> None:
    assert pieces("".join(expected)) == expected


@pytest.mark.skipif(sys.version_info < (3, 12), reason="quotes nest in f-strings since 3.12")
def test_nested_quotes_in_f_strings() -> None:
    expected = ['x = f"{a["("]}"\n', 'y = f"{f"{b["{"]}"}"\n', "z = f'{\na}'\n", "w = 1\n"]
    assert pieces("".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["x = foo(\n", "def g():\n    pass\n"],
        ["x = foo(\n", "y = 1\n", "def g():\n    pass\n"],
        ["x = foo(\n    a,\n    b\n", "y = 1\n"],
        ["def f():\n    x = [1, {\n\n", "class A:\n    pass\n"],
        ["def f():\n    x = (\n", "@tf.function\ndef g():\n    pass\n"],
        ["x = {'a': (\n", "import os\n", "from a import b\n"],
        ["x = foo)\n", "y = 1\n"],
        ["x = 'abc\n", "y = 1\n"],
        ["x = f'{a\n", "y = {1: '}'}\n"],
        ["x = 1 + \\\n", "def f():\n    pass\n"],
        ['def f():\n    """\n    x = 1\n\n', "def g():\n    return 1\n"],
        [
            'def f():\n    """\n    x = 1\n\n',
            'def g():\n    """Doc."""\n    return 1\n\n',
            'def h():\n    """Doc."""\n',
        ],
        ['"""\n', 'def g():\n    """Doc."""\n    return 1\n\n', "x = 1\n"],
        ['def a():\n    """Doc.\n\n    def b():\n        use\n    """\n\n', 'x = """\n', "def c():\n    pass\n"],
    ],
)
def test_what_a_broken_line_leaves_alone(expected: list[str]) -> None:
    assert pieces("".join(expected)) == expected


def test_templates_of_code_stay_strings() -> None:
    text = 'def test():\n    code = """\ndef f():\n    pass\n"""\n    run(code)\n\nx = 1\n'
    assert len(pieces(text)) == 2


def test_logical_lines() -> None:
    text = "\n# c\nif a:  # d\n    b(1,\n  2)\n\n    c = '''\n'''\n"
    assert [text[line.start : line.end] for line in logical_lines(text)] == [
        "if a:  # d\n",
        "    b(1,\n  2)\n",
        "    c = '''\n'''\n",
    ]
    assert [line.width for line in logical_lines("\tx\n  \ty\n \f z\n")] == [8, 8, 1]


def test_many_open_brackets_take_no_square_time() -> None:
    text = "x = (\n" * 20_000
    assert len(pieces(text)) == 20_000
