"""Imports in a file without a folder, where the current folder is itself a package."""

from __future__ import annotations

from graphwright_analysis import project_files
from graphwright_analysis.imports import Import


def test_a_package_without_a_folder_above_it_is_no_endless_search() -> None:
    asked: list[str] = []

    def is_file(path: str) -> bool:
        asked.append(path)
        return path in ("__init__.py", "helpers.py")

    found, name = project_files.destination_of("ejected.py", Import("helpers", 0, "scale"), None, is_file)
    assert (found, name) == ("helpers.py", "scale")
    assert len(asked) < 20
