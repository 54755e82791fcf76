"""Symbols: how they are written, ordered and found in expressions."""

from __future__ import annotations

import gast
import pytest
from graphwright_analysis.syntax.names import Symbol, symbol_of


def _expression(text: str) -> gast.AST:
    return gast.parse(text).body[0].value


@pytest.mark.parametrize(
    "text",
    ["x", "self.x", "d['k']", "d['k'].y[0]", "x[-1]", "a.b.c.d", "d['it\\'s']"],
)
def test_a_symbol_reads_as_it_is_written(text: str) -> None:
    symbol = symbol_of(_expression(text))
    assert symbol is not None
    assert symbol_of(_expression(str(symbol))) == symbol
    assert gast.unparse(_expression(str(symbol))) == gast.unparse(_expression(text))


@pytest.mark.parametrize(
    "text",
    [
        "f()",
        "f().x",
        "d[i]",
        "d[i].x",
        "x[1:2]",
        "x[0, 1]",
        "d[True]",
        "d[None]",
        "d[1.5]",
        "(a, b)",
        "1",
        "-x",
    ],
)
def test_what_is_no_symbol(text: str) -> None:
    assert symbol_of(_expression(text)) is None


def test_nothing_has_no_symbol() -> None:
    assert symbol_of(None) is None


def test_the_parts_of_a_symbol() -> None:
    symbol = Symbol("d", ("['k']", ".y", "[0]"))
    assert str(symbol) == "d['k'].y[0]"
    assert symbol.is_composite
    assert [str(parent) for parent in symbol.parents()] == ["d", "d['k']", "d['k'].y"]
    assert not Symbol("d").is_composite
    assert Symbol("d").parents() == ()


def test_symbols_sort_by_name_then_path() -> None:
    symbols = [Symbol("b"), Symbol("a", (".y",)), Symbol("a"), Symbol("a", (".x",))]
    assert [str(symbol) for symbol in sorted(symbols)] == ["a", "a.x", "a.y", "b"]


def test_a_long_chain_is_no_problem() -> None:
    node: gast.AST = gast.Name("x", gast.Load(), None, None)
    for _ in range(5000):
        node = gast.Attribute(node, "y", gast.Load())
    symbol = symbol_of(node)
    assert symbol is not None
    assert len(symbol.path) == 5000
