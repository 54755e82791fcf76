"""Shared by the whole suite: TensorFlow kept quiet, helper modules importable, nothing of the user's environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
for folder in ("analysis", "converter", "server"):
    sys.path.insert(0, str(Path(__file__).parent / folder))


@pytest.fixture(scope="session", autouse=True)
def settings_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The cache begins empty, and no setting of the user's environment is in force."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GRAPHWRIGHT_FULL_TRACEBACK", "GRAPHWRIGHT_NO_CACHE", "GRAPHWRIGHT_VERBOSITY"):
            patch.delenv(name, raising=False)
        patch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("user") / "cache"))
        yield
