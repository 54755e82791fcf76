"""Whose a file is, by its name alone."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest
from graphwright import libraries


def test_ours():
    assert libraries.is_own_file(libraries.__file__)
    assert not libraries.is_own_file(__file__)
    assert {str(Path(libraries.__file__).resolve())} < libraries.own_files()


def test_pythons_own_library_has_a_folder_of_installed_packages():
    assert libraries.is_standard_file(os.__file__)
    inside = os.path.join(os.path.dirname(os.__file__), "site-packages", "some", "module.py")
    assert not libraries.is_standard_file(inside) and libraries.is_installed_file(inside)
    assert not libraries.is_standard_file(__file__) and not libraries.is_installed_file(__file__)


@pytest.mark.truth
def test_tensorflows_is_what_is_in_its_folder_and_not_what_is_in_one_of_that_name():
    for name in ("tensorflow", "keras"):
        folder = importlib.import_module(name).__path__[0]
        assert libraries.is_tensorflow_file(os.path.join(folder, "src", "ops.py"))
        assert not libraries.is_tensorflow_file(os.path.join(os.sep, "home", "someone", name, "train.py"))


def test_what_autograph_writes():
    assert libraries.is_generated_file("/tmp/__autograph_generated_fileabc.py")
    assert not libraries.is_generated_file(__file__)
