"""Correct programs in the shape of published code: TensorFlow runs them, and the analysis has nothing to report.

Each is a file in `silent/` with a function `drive()`, which does what the program's author does with it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphwright_analysis import Project, Severity

FOLDER = Path(__file__).parent / "silent"
PROGRAMS = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_nothing_above_a_hint_is_reported(path: Path):
    project = Project(FOLDER)
    found = [each for each in project.check(str(path)) if each.severity < Severity.HINT]
    lines = project.module(str(path)).lines
    assert [f"{lines.line_of(each.range.start) + 1}: {each.message}" for each in found] == []


@pytest.fixture
def own_classes() -> Iterator[None]:
    """Around a program that may store methods on TensorFlow's classes: the next one doesn't have them."""
    import tensorflow as tf

    before = {cls: set(vars(cls)) for cls in (tf.Tensor, tf.Variable)}
    yield
    for cls, names in before.items():
        for name in set(vars(cls)) - names:
            delattr(cls, name)


@pytest.mark.truth
@pytest.mark.usefixtures("own_classes")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_tensorflow_runs_it(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.argv", [str(path)])
    spec = importlib.util.spec_from_file_location(f"silent_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.drive()
