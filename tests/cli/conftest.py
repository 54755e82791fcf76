"""What the command line's tests share: a file with one finding, and a way to run the command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

BAD = """\
import tensorflow as tf


@tf.function
def clip(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = tf.constant(2.0)
    return y
"""

GOOD = """\
import tensorflow as tf


@tf.function
def clip(x: tf.Tensor):
    y = x
    if tf.reduce_sum(x) > 0:
        y = x + x
    return y
"""

FIXABLE = """\
import tensorflow as tf


@tf.function
def scale(x: tf.Tensor):
    if tf.size(x):
        return 0.5
    else:
        return 1.5
"""


@pytest.fixture
def fixable() -> str:
    """A text with exactly one finding, which a certain fix cures."""
    return FIXABLE


@pytest.fixture
def bad() -> str:
    """A text with exactly one finding, an error of undefined-in-branch."""
    return BAD


@pytest.fixture
def good() -> str:
    return GOOD


@pytest.fixture
def folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project to stand in."""
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache") / "new"))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def command() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run the command in a process of its own."""

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, **dict(options.pop("environment", {}))}  # type: ignore[call-overload]
        return subprocess.run(
            [sys.executable, "-m", "graphwright_server", *arguments],
            capture_output=True,
            timeout=60,
            env=environment,
            **options,  # type: ignore[call-overload]
        )

    return run
