"""Comments, and which findings the suppressions among them cover."""

from __future__ import annotations

import pytest
from graphwright_analysis.syntax import parse_module, suppressions
from graphwright_analysis.syntax.comments import comments_in
from graphwright_analysis.text import Range


def test_comments_are_found_where_strings_are_not() -> None:
    text = "# one\nx = '# no'  # two\ny = '''\n# no\n'''\nz = foo(  # three\n    'a' # four\n)\nw = 'broken # no\n# é\n"
    found = comments_in(text)
    assert [comment.text for comment in found] == ["# one", "# two", "# three", "# four", "# é"]
    assert all(text[c.range.start : c.range.end] == c.text for c in found)


def covered_lines(text: str, rule: str) -> list[int]:
    """The 1-based lines at whose first character a finding would be suppressed."""
    module = parse_module(text)
    found = suppressions(module)
    return [
        index + 1
        for index, start in enumerate(module.lines.starts)
        if start < len(text) and found.covers(rule, Range(start, start + 1))
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x = 1\ny = 2  # graphwright: allow[a]\nz = 3\n", [2]),
        ("x = 1\ny = 2  # graphwright: allow[b, a]\nz = 3\n", [2]),
        ("x = 1\ny = 2  # graphwright: allow[b]\nz = 3\n", []),
        ("x = 1\ny = 2  # graphwright: allow\nz = 3\n", [2]),
        ("x = 1\ny = 2  # noqa # graphwright:allow[a]: because\nz = 3\n", [2]),
        ("x = 1\n# graphwright: allow[a]\n\n# more\ny = 2\nz = 3\n", [5]),
        ("def f():\n    # graphwright: allow[a]\n    if (x and\n            y):\n        z\n", [3, 4]),
        ("def f():\n    if (x and\n            y):  # graphwright: allow[a]\n        z\n", [2, 3]),
        ("f(\n  # graphwright: allow[a]\n  x,\n)\ny\n", [1, 2, 3, 4]),
        ("x = 1\ndef f():\n    y\n# graphwright: allow-file[a]\n", [1, 2, 3, 4]),
        ("def f():\n    y\n    # graphwright: allow[a]\nx = 1\n", [4]),
        ("x = 1\n# graphwright: allow[a]\n", []),
        ("x = '# graphwright: allow[a]'\n", []),
        ("x = 1  # graphwright: allowed[a]\n", []),
        ("x = 1  # graphwright: allow-all\n", []),
        ("x = 1  # graphwright: allow[]\n", []),
        ("x = 1  # graphwright: allow[a\ny = 2\n", [1]),
        ("x = (  # graphwright: allow[a]\ny = 2\ndef f(): pass\n", [1]),
    ],
)
def test_what_is_covered(text: str, lines: list[int]) -> None:
    assert covered_lines(text, "a") == lines


def test_what_is_unused_and_unknown() -> None:
    text = "x = 1  # graphwright: allow[a, b]\ny = 2  # graphwright: allow\nz = 3  # graphwright: allow[c]\n"
    found = suppressions(parse_module(text))
    unused = found.unused([("a", Range(0, 5)), ("c", Range(0, 5))])
    names = [[text[n.range.start : n.range.end] for n in idle] for _, idle in unused]
    assert names == [["b"], [], ["c"]]
    assert [name.name for name in found.unknown({"a", "c"})] == ["b"]
    assert text[found.all[0].range.start : found.all[0].range.end] == "# graphwright: allow[a, b]"
