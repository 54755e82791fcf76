"""What passes of published packages' own tests passes with every function converted, but for what is accepted.

A part of the packages is tried here; `make peers` tries all.
"""

from __future__ import annotations

import urllib.error

import peers
import pytest


@pytest.mark.truth
@pytest.mark.thorough
@pytest.mark.parametrize("suite", [suite for suite in peers.suites() if suite.is_short], ids=lambda suite: suite.name)
def test_its_own_tests_pass_converted(suite: peers.Suite) -> None:
    try:
        peers.place(suite)
    except urllib.error.URLError as error:
        pytest.skip(f"{suite.name} can't be fetched: {error}")
    runs = {(suite, mode): peers.run(suite, mode) for mode in ("plain", *peers.MODES)}
    assert sum(outcome == "passed" for outcome, _ in runs[suite, "plain"].outcomes.values()) > 100
    wrong = list(peers.complaints(runs, dict(peers.differences(runs))))
    assert not wrong, "\n".join(wrong)


def test_new_differences_and_mended_ones_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = peers.Suite("fine", "python", "-", "fine", ("test_fine.py",), True)
    outcomes = {"plain": ("passed", "passed", "passed", "failed"), "trace": ("passed", "failed", "failed", "failed")}
    runs = {
        (suite, mode): peers.Run({name: (each, "why") for name, each in zip("abcd", found, strict=True)}, 1.0)
        for mode, found in outcomes.items()
    }
    listed = {
        ("fine", "trace", "a"): "",
        ("fine", "trace", "b"): "",
        ("fine", "eager", "d"): "",
        ("other", "trace", "a"): "",
    }
    monkeypatch.setattr(peers, "accepted", lambda: listed)
    found = dict(peers.differences(runs))
    assert list(peers.complaints(runs, found)) == ["new: fine trace c: why", "no longer differs: fine trace a"]
