"""Imports in a file without a folder, where the current folder is itself a package."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_analysis import Project, Settings, project_files
from graphwright_analysis.imports import Import


def test_a_package_without_a_folder_above_it_is_no_endless_search() -> None:
    asked: list[str] = []

    def is_file(path: str) -> bool:
        asked.append(path)
        return path in ("__init__.py", "helpers.py")

    found, name = project_files.destination_of("ejected.py", Import("helpers", 0, "scale"), None, is_file)
    assert (found, name) == ("helpers.py", "scale")
    assert len(asked) < 20


def test_such_a_package_is_around_a_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    project = Project(None, Settings())
    project.set_text("ejected.py", "x = 1\n")
    assert project.trace("ejected.py") is not None
