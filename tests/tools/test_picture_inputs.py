"""The pictures of the documentation show what there is to see now."""

from __future__ import annotations

import json

import picture_inputs
import pytest
from picture_inputs import INPUTS, RECORD, digest, outdated, pictures, programs


def test_no_picture_is_older_than_what_it_shows():
    assert outdated() == [], "run `make pictures`, and look at what has changed"


def test_every_picture_has_inputs_and_is_there():
    assert set(pictures().values()) == INPUTS.keys() == json.loads(RECORD.read_text("utf-8")).keys()


def test_the_program_that_is_typed_is_whole():
    scenario = (picture_inputs.ROOT / INPUTS["tour"].scenario).read_text("utf-8")
    typed = next(iter(programs(scenario)))
    assert "    if gradient_norm > 10.0:\n        scale = 10.0 / gradient_norm\n    return loss * scale\n" in typed


def test_another_message_makes_every_picture_of_a_program_old(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(picture_inputs, "shown_of", lambda program: iter(["another finding"]))
    assert outdated() == [*pictures()]


def test_one_changed_source_makes_its_pictures_old(monkeypatch: pytest.MonkeyPatch):
    other = picture_inputs.PictureInputs(INPUTS["hints"].scenario, ("pyproject.toml",))
    monkeypatch.setitem(INPUTS, "hints", other)
    assert digest("hints") != json.loads(RECORD.read_text("utf-8"))["hints"]
    assert outdated() == ["hints-dark.png", "hints-light.png"]
