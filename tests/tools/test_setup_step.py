"""The setup does what is out of date, says how far it is, and finishes what was interrupted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def setup_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    sys.modules.pop("setup_step", None)
    import setup_step

    monkeypatch.setattr(setup_step, "ROOT", tmp_path)
    monkeypatch.setattr(setup_step, "DEV", tmp_path / ".dev")
    return setup_step


def step_that_writes(module: ModuleType, name: str, needs: tuple[str, ...] = (), fails: bool = False) -> object:
    product = module.DEV / name
    source = module.ROOT / f"{name}.txt"
    source.write_text("1")

    def build() -> None:
        if fails:
            raise module.SetupFailed("no room on the disk")
        product.write_text(source.read_text())

    sources: Callable[[], list[Path]] = lambda: [source]  # noqa: E731
    return module.Step(f"the {name}", 30, 700, needs, sources, lambda: product, build)


def test_says_how_much_is_to_be_done_and_how_far_it_is(
    setup_step: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = {
        "engine": step_that_writes(setup_step, "engine"),
        "car": step_that_writes(setup_step, "car", ("engine",)),
        "road": step_that_writes(setup_step, "road"),
    }

    assert setup_step.set_up(["car", "road"], steps) == 0

    lines = capsys.readouterr().err.splitlines()
    assert lines[:4] == [
        "setup: 3 steps, about 2.1 GB, 1.5 minutes",
        "setup: step 1 of 3: the engine (about 700 MB, 30 seconds)",
        "setup: step 2 of 3: the car (about 700 MB, 30 seconds)",
        "setup: step 3 of 3: the road (about 700 MB, 30 seconds)",
    ]
    assert lines[4].startswith("setup: done in ")

    assert setup_step.set_up(["car", "road"], steps) == 0
    assert capsys.readouterr().err == ""


def test_does_again_only_what_has_changed(setup_step: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    steps = {"engine": step_that_writes(setup_step, "engine"), "road": step_that_writes(setup_step, "road")}
    setup_step.set_up(["engine", "road"], steps)
    capsys.readouterr()

    (setup_step.ROOT / "road.txt").write_text("2")
    assert setup_step.set_up(["engine", "road"], steps) == 0

    assert capsys.readouterr().err == "setup: the road (about 700 MB, 30 seconds)\n"
    assert (setup_step.DEV / "road").read_text() == "2"


def test_goes_on_where_it_failed(setup_step: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    steps = {"engine": step_that_writes(setup_step, "engine"), "car": step_that_writes(setup_step, "car", fails=True)}
    assert setup_step.set_up(["engine", "car"], steps) == 1
    assert "setup: no room on the disk" in capsys.readouterr().err

    steps["car"] = step_that_writes(setup_step, "car")
    assert setup_step.set_up(["engine", "car"], steps) == 0
    assert capsys.readouterr().err == "setup: the car (about 700 MB, 30 seconds)\n"
