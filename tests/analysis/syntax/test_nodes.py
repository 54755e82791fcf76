"""Parsed nodes are gast's, in less memory, and can be copied."""

from __future__ import annotations

import copy
import sys
from typing import Any

import gast
from graphwright_analysis.syntax.tree import parse_source

TEXT = """\
@traced
def mean(xs: list, *rest, start=0, **options) -> float:
    try:
        total, (first, *others) = start, xs
        return [x.value[1:] for x in xs if x][0] or f"{total!r:>{first}}"
    except ValueError as error:
        raise TypeError("none") from error
"""


def test_they_are_what_gast_parses():
    parsed, expected = parse_source(TEXT), gast.parse(TEXT).body
    assert [gast.dump(node, include_attributes=True) for node in parsed] == [
        gast.dump(node, include_attributes=True) for node in expected
    ]
    for node, other in zip(gast.walk(parsed[0]), gast.walk(expected[0]), strict=True):
        assert isinstance(node, type(other)) and type(node).__name__ == type(other).__name__


def test_they_need_no_dictionary():
    assert not any(node.__dict__ for node in gast.walk(parse_source(TEXT)[0]))
    (name,) = [node for node in gast.walk(parse_source("some_name")[0]) if isinstance(node, gast.Name)]
    (other,) = [node for node in gast.walk(gast.parse("some_name")) if isinstance(node, gast.Name)]
    assert 2 * sys.getsizeof(name) < sys.getsizeof(other) + sys.getsizeof(other.__dict__)


def test_copies_have_what_the_node_has():
    node: Any = parse_source(TEXT)[0]
    node.body[0].seen = True
    for copied in (copy.copy(node), copy.deepcopy(node)):
        assert type(copied) is type(node) and copied is not node
        assert gast.dump(copied, include_attributes=True) == gast.dump(node, include_attributes=True)
    assert copy.copy(node).body is node.body
    deep = copy.deepcopy(node)
    assert deep.body[0] is not node.body[0] and deep.body[0].seen
