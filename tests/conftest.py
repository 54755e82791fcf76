"""Shared by the whole suite: tiers, TensorFlow kept quiet, helper modules importable, nothing of the user's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
for folder in ("../tools", "analysis", "converter", "server", ""):
    sys.path.insert(0, str(Path(__file__).parent / folder))

from tiers import TIERS, block_tensorflow, imports_tensorflow, try_all  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier", choices=TIERS, help="only this tier; in `check`, TensorFlow can't be imported")
    parser.addoption("--whole", action="store_true", help="tests that try very many things try all of them")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("tier") == "check":
        block_tensorflow()
    if config.getoption("whole"):
        try_all()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """In `check`, what imports TensorFlow isn't even imported."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    left_out = config.getoption("tier") == "check" and is_test and imports_tensorflow(collection_path)
    return True if left_out else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("tier")
    found: dict[str, list[pytest.Item]] = {tier: [] for tier in TIERS}
    for item in items:
        if imports_tensorflow(item.path):
            item.add_marker("truth")
        marks = {mark.name for mark in item.iter_markers()}
        found["editor" if "e2e" in marks else "truth" if marks & {"truth", "thorough"} else "check"].append(item)
    if wanted:
        config.hook.pytest_deselected(items=[item for tier in TIERS if tier != wanted for item in found[tier]])
        items[:] = found[wanted]


@pytest.fixture(scope="session", autouse=True)
def settings_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The cache begins empty, and no setting of the user's environment is in force."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GRAPHWRIGHT_FULL_TRACEBACK", "GRAPHWRIGHT_NO_CACHE", "GRAPHWRIGHT_VERBOSITY"):
            patch.delenv(name, raising=False)
        patch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("user") / "cache"))
        yield
