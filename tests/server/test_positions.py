"""Offsets to positions and back in every encoding, on lines that hold what is hard to count."""

from __future__ import annotations

import pytest
from graphwright_analysis import LineIndex, Range
from graphwright_server.lsp.columns import Encoding
from graphwright_server.lsp.from_lsp import changed_text, offset_of, range_of
from graphwright_server.lsp.to_lsp import position_of
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

TEXT = "a🎉b\r\né日\rx\x0cy\u2028z\n"
texts = st.text(alphabet="aé日🎉\n\r\x0c\u2028 \ud800", max_size=30)


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [(Encoding.UTF8, [0, 1, 5, 6]), (Encoding.UTF16, [0, 1, 3, 4]), (Encoding.UTF32, [0, 1, 2, 3])],
)
def test_an_emoji_is_as_wide_as_agreed(encoding: Encoding, columns: list[int]):
    lines = LineIndex(TEXT)
    assert [position_of(offset, lines, encoding).character for offset in range(4)] == columns
    assert [offset_of(types.Position(0, column), lines, encoding) for column in columns] == [0, 1, 2, 3]


def test_only_the_protocol_s_line_ends_count():
    lines = LineIndex(TEXT)
    assert position_of(TEXT.index("é"), lines, Encoding.UTF16) == types.Position(1, 0)
    assert position_of(TEXT.index("x"), lines, Encoding.UTF16) == types.Position(2, 0)
    assert position_of(TEXT.index("z"), lines, Encoding.UTF16) == types.Position(2, 4)
    assert position_of(len(TEXT), lines, Encoding.UTF16) == types.Position(3, 0)


def test_half_a_character_counts_as_none():
    lines = LineIndex(TEXT)
    assert offset_of(types.Position(0, 2), lines, Encoding.UTF16) == 1
    assert offset_of(types.Position(0, 4), lines, Encoding.UTF8) == 1


def test_what_is_outside_is_taken_as_the_nearest_inside():
    lines = LineIndex(TEXT)
    assert offset_of(types.Position(0, 99), lines, Encoding.UTF16) == 3
    assert offset_of(types.Position(99, 99), lines, Encoding.UTF16) == len(TEXT)
    backwards = types.Range(types.Position(1, 0), types.Position(0, 0))
    assert range_of(backwards, lines, Encoding.UTF16) == Range(0, 5)


@given(texts, st.sampled_from(Encoding))
def test_there_and_back(text: str, encoding: Encoding):
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        position = position_of(offset, lines, encoding)
        between = text[offset - 1 : offset + 1] == "\r\n"  # no position means that place
        assert between or offset_of(position, lines, encoding) == offset


@given(texts, texts, st.data(), st.sampled_from(Encoding))
def test_a_change_is_what_slicing_does(text: str, new: str, data: st.DataObject, encoding: Encoding):
    places = [place for place in range(len(text) + 1) if text[place - 1 : place + 1] != "\r\n"]
    first, last = sorted((data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))))
    lines = LineIndex(text)
    span = types.Range(position_of(first, lines, encoding), position_of(last, lines, encoding))
    change = types.TextDocumentContentChangePartial(range=span, text=new)
    assert changed_text(lines, change, encoding) == text[:first] + new + text[last:]
