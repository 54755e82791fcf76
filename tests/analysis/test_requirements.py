"""Which Keras a project is for, by its requirements, its settings and its own code."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_analysis import Project, Settings, SettingsError
from graphwright_analysis.assumed_keras import says_which_keras
from graphwright_analysis.requirements import decided, requirements_in
from graphwright_analysis.settings_files import load_settings
from keras_texts import LAYER

RANDOM = """
import random

import keras
import tensorflow as tf


class Scaled(keras.layers.Layer):
    def call(self, x):
        return x * random.random()
"""


def generation(name: str, text: str) -> int | None:
    found = decided(requirements_in(name, text))
    return None if found is None else found.generation


def rules_of(project: Project, path: Path) -> set[str]:
    return {each.rule for each in project.check(str(path))}


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("tensorflow<2.16", 2),
        ("tensorflow < 2.16.0", 2),
        ("tensorflow<=2.15", 2),
        ("tensorflow<=2.16", None),
        ("tensorflow==2.8.*", 2),
        ("tensorflow==2.*", None),
        ("tensorflow~=2.11.0", 2),
        ("tensorflow~=2.11", None),
        ("tensorflow (==2.6.0)", 2),
        ("tensorflow[and-cuda]>=2.9,<2.13  # for now", 2),
        ("tensorflow_gpu==2.3.0rc0", 2),
        ("tf-nightly==2.12.0.dev20230101", 2),
        ("tensorflow", None),
        ("tensorflow>=2.4", None),
        ("tensorflow>=2.16", 3),
        ("tensorflow~=2.18.0", 3),
        ("tensorflow==2.16", 3),
        ("keras<3", 2),
        ("keras==2.*", 2),
        ("keras>=3.0", 3),
        ("keras>=2.9", None),
        ("tf_keras", None),
        ("tensorflow-probability<0.20", None),
        ("tensorflow @ https://example.org/tensorflow-2.8.0.whl", None),
        ("tensorflow<2.16; python_version < '3.9'", None),
        ("tensorflow<2.16; sys_platform == 'darwin'\ntensorflow<2.12; sys_platform != 'darwin'", 2),
        ("tensorflow<2.16; sys_platform == 'darwin'\ntensorflow; sys_platform != 'darwin'", None),
        ("tensorflow<2.16\nkeras>=3", None),
        ("tensorflow<2.16\nkeras", 2),
        ("# tensorflow<2.16", None),
    ],
)
def test_requirements_that_leave_one_keras_decide(line: str, meant: int | None):
    assert generation("requirements.txt", line) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ('tensorflow = "2.9.1"', 2),
        ('tensorflow = "^2.8"', None),
        ('tensorflow = "~2.8"', 2),
        ('tensorflow = ">=2.8,<2.14"', 2),
        ('tensorflow = "*"', None),
        ('tensorflow = {version = "2.9.1", extras = ["and-cuda"]}', 2),
        ('tensorflow = [{version = "2.9.1", platform = "linux"}, {version = "2.17", platform = "darwin"}]', None),
        ('keras = "^2.8"', 2),
    ],
)
def test_what_poetry_means_by_a_version(said: str, meant: int | None):
    assert generation("pyproject.toml", f"[tool.poetry.dependencies]\n{said}\n") == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('[project]\ndependencies = ["tensorflow<2.16"]\n', 2),
        ('[project.optional-dependencies]\ntf = ["tensorflow<2.16"]\n', 2),
        ('[project]\ndependencies = ["tensorflow"]\n[project.optional-dependencies]\ntf = ["tensorflow<2.16"]\n', None),
        ('[project]\ndependencies = ["tensorflow>=2.16"]\n[dependency-groups]\ndev = ["tensorflow<2.16"]\n', 3),
        ('[dependency-groups]\na = ["tensorflow<2.16"]\nb = ["tensorflow==2.18.*"]\n', None),
        ("[project\n", None),
        ("project = 5\n", None),
    ],
)
def test_groups_count_where_the_main_requirements_say_nothing(text: str, meant: int | None):
    assert generation("pyproject.toml", text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("setup(install_requires=['tensorflow<2.16'])", 2),
        ("REQUIRED = ['numpy', 'tensorflow<2.16']\nsetup(install_requires=REQUIRED + ['x'])", 2),
        ("setup(extras_require={'tf': ['tensorflow<2.16']})", 2),
        ("V = '2.8'\nsetup(install_requires=[f'tensorflow<{V}'])", None),
        ("V = '2.8'\nsetup(install_requires=['tensorflow==%s' % V])", None),
        ("setup(description='tensorflow<2.16')", None),
        ("R = R\nsetup(install_requires=R)", None),
        ("setup(", None),
    ],
)
def test_a_setup_is_read_and_not_run(text: str, meant: int | None):
    assert generation("setup.py", text) == meant


def test_a_setup_cfg_is_read():
    assert generation("setup.cfg", "[options]\ninstall_requires =\n  numpy\n  tensorflow<2.16\n") == 2
    assert generation("setup.cfg", "[options.extras_require]\ntf = tensorflow<2.16\n") == 2
    assert generation("setup.cfg", "no section\n") is None


@pytest.mark.parametrize(
    "files",
    [
        {"requirements.txt": "tensorflow<2.16"},
        {"requirements.txt": "-r more.txt", "more.txt": "-r requirements.txt\ntensorflow<2.16"},
        {"requirements/base.txt": "tensorflow<2.16"},
        {"requirements-gpu.txt": "tensorflow<2.16"},
        {"source/setup.py": "setup(install_requires=['tensorflow<2.16'])"},
        {"source/requirements.txt": "tensorflow<2.16", "requirements.txt": "tensorflow>=2.16"},
        {"name-1.0.dist-info/METADATA": "Name: name\nRequires-Dist: tensorflow<2.16\n\nIt was tensorflow>=2.16."},
        {"PKG-INFO": "Name: name\nRequires-Dist: numpy\nRequires-Dist: tensorflow<2.16\n"},
    ],
)
def test_code_is_judged_by_the_keras_that_is_required_around_it(tmp_path: Path, files: dict[str, str]):
    source = tmp_path / "source" / "layer.py"
    source.parent.mkdir()
    source.write_text(LAYER)
    assert rules_of(Project(tmp_path), source)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    project = Project(tmp_path)
    assert not rules_of(project, source)
    assert "tensorflow<2.16" in project.sources.assumed_keras(str(source)).words


def test_what_is_above_the_root_or_in_another_folder_does_not_count(tmp_path: Path):
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    for folder in (tmp_path, root / "docs"):
        (folder / "requirements.txt").write_text("tensorflow<2.16")
    (root / "layer.py").write_text(LAYER)
    assert rules_of(Project(root), root / "layer.py")


def test_of_several_installed_packages_none_speaks_for_the_others(tmp_path: Path):
    for name in ("one", "other"):
        (tmp_path / f"{name}-1.0.dist-info").mkdir()
        (tmp_path / f"{name}-1.0.dist-info" / "METADATA").write_text("Requires-Dist: tensorflow<2.16\n")
    (tmp_path / "layer.py").write_text(LAYER)
    assert rules_of(Project(tmp_path), tmp_path / "layer.py")


def test_a_change_of_the_requirements_is_noticed(tmp_path: Path):
    source, required = tmp_path / "layer.py", tmp_path / "requirements.txt"
    source.write_text(LAYER)
    project = Project(tmp_path)
    before = project.check(str(source))
    required.write_text("tensorflow<2.16")
    project.look_again()
    assert before and not project.check(str(source))
    required.unlink()
    project.look_again()
    assert project.check(str(source)) == before


@pytest.mark.parametrize(
    ("settings", "required", "converts"),
    [
        ('keras = "2"', "", True),
        ('keras = "3"', "tensorflow<2.16", False),
        ('tensorflow-version = "2.8"', "", True),
        ('tensorflow-version = "2.8"', "tensorflow>=2.16", True),
        ('tensorflow-version = "2.18"', "tensorflow<2.16", False),
        ('tensorflow-version = "2.8"\nkeras = "3"', "", False),
    ],
)
def test_settings_win_over_requirements(tmp_path: Path, settings: str, required: str, converts: bool):
    (tmp_path / "pyproject.toml").write_text(f"[tool.graphwright]\n{settings}\n")
    (tmp_path / "requirements.txt").write_text(required)
    source = tmp_path / "layer.py"
    source.write_text(LAYER)
    assert rules_of(Project(tmp_path), source) == (set() if converts else {"autograph-disabled"})


@pytest.mark.parametrize(
    ("written", "required", "converts"),
    [
        ('os.environ["TF_USE_LEGACY_KERAS"] = "1"', "tensorflow>=2.16", True),
        ('os.environ["TF_USE_LEGACY_KERAS"] = "0"', "tensorflow<2.16", False),
        ('os.environ.setdefault("TF_USE_LEGACY_KERAS", "True")', "", True),
    ],
)
def test_the_code_wins_over_requirements(tmp_path: Path, written: str, required: str, converts: bool):
    (tmp_path / "requirements.txt").write_text(required)
    source = tmp_path / "layer.py"
    source.write_text(f"import os\n\n{written}\n{LAYER}")
    assert bool(rules_of(Project(tmp_path), source)) != converts
    opposite = Settings(keras=3 if converts else 2)
    assert bool(rules_of(Project(tmp_path, opposite), source)) == converts


def test_a_package_says_it_for_its_modules(tmp_path: Path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "layer.py").write_text(LAYER)
    (package / "__init__.py").write_text("")
    project = Project(tmp_path)
    assert rules_of(project, package / "layer.py")
    (package / "__init__.py").write_text('import os\nos.environ["TF_USE_LEGACY_KERAS"] = "1"\n')
    project.look_again()
    assert not rules_of(project, package / "layer.py")


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_under_another_backend_keras_code_makes_no_graph(tmp_path: Path, backend: str):
    source = tmp_path / "layer.py"
    source.write_text(RANDOM)
    assert rules_of(Project(tmp_path), source) == {"frozen-random"}
    assert not rules_of(Project(tmp_path, Settings(keras_backend=backend)), source)
    source.write_text(f'import os\nos.environ["KERAS_BACKEND"] = "{backend}"\n{RANDOM}')
    assert not rules_of(Project(tmp_path), source)
    assert rules_of(Project(tmp_path, Settings(keras_backend="tensorflow")), source)
    source.write_text(RANDOM)
    (tmp_path / "keras.json").write_text(f'{{"backend": "{backend}"}}')
    assert not rules_of(Project(tmp_path), source)


def test_under_another_backend_traced_functions_are_judged_as_ever(tmp_path: Path):
    traced = "@tf.function\ndef step(x: tf.Tensor):\n    print(x)\n\n\nstep(tf.ones([2]))\n"
    source = tmp_path / "layer.py"
    source.write_text(f"{RANDOM}\n\n{traced}")
    found = Project(tmp_path, Settings(keras_backend="jax")).check(str(source))
    assert [each.rule for each in found] == ["print-at-trace"]


def test_a_backend_that_the_code_chooses_itself_is_tensorflow_unless_it_is_another_for_sure(tmp_path: Path):
    source = tmp_path / "layer.py"
    for chosen in ('"jax" if fast else "tensorflow"', '"tensorflow"'):
        source.write_text(f'import os\nos.environ["KERAS_BACKEND"] = {chosen}\n{RANDOM}')
        assert rules_of(Project(tmp_path), source)


@pytest.mark.parametrize("said", ['keras = "4"', "keras = 3", 'keras-backend = "numpy"', "keras-backend = []"])
def test_a_keras_that_is_none_is_refused(tmp_path: Path, said: str):
    (tmp_path / "pyproject.toml").write_text(f"[tool.graphwright]\n{said}\n")
    with pytest.raises(SettingsError, match=said.partition(" ")[0]):
        load_settings(tmp_path)


def test_the_files_that_count_are_known_by_their_names():
    assert all(
        map(says_which_keras, map(Path, ("a/setup.py", "requirements-dev.txt", "requirements/x.txt", "PKG-INFO")))
    )
    assert not any(map(says_which_keras, map(Path, ("a/setup2.py", "notes.txt", "a/package.json"))))
