"""Settings: what they change, and how they say that they can't be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphwright_analysis import Project, Settings, SettingsError, hover
from graphwright_analysis.settings_files import load_settings

LATER = (
    "import tensorflow as tf\n\n"
    'made = tf.scatter_nd([[0]], tf.ones([1, 3]), [8, 3], bad_indices_policy="IGNORE")\n'
    "print(made)\n"
)


def written(folder: Path, text: str) -> Settings:
    (folder / "pyproject.toml").write_text(f"[tool.graphwright]\n{text}\n")
    return load_settings(folder)


def shown(text: str, name: str, settings: Settings) -> str:
    project = Project(None, settings)
    project.set_text("a.py", text)
    found = hover(project, "a.py", text.rindex(name))
    return "" if found is None else str(found)


def test_the_tensorflow_version_is_that_of_the_newest_table_unless_said():
    assert Settings().table_version == Settings.from_mapping({"tensorflow-version": "2.21"}, "here").table_version


@pytest.mark.parametrize(("said", "meant"), [("2.16", (2, 16)), ("2.19.1", (2, 19)), ("2.18.0rc1", (2, 18))])
def test_a_tensorflow_version_is_a_minor(tmp_path: Path, said: str, meant: tuple[int, int]):
    assert written(tmp_path, f'tensorflow-version = "{said}"').tensorflow_version == meant


@pytest.mark.parametrize("names", ['"effects"', "[1]", "true"])
def test_a_pattern_with_anything_but_names_is_named(tmp_path: Path, names: str):
    with pytest.raises(SettingsError, match=r"`a/\*` in `per-file-ignores` must be a list of strings"):
        written(tmp_path, f'per-file-ignores = {{ "a/*" = {names} }}')


@pytest.mark.parametrize("said", ["2.18", '"2"', '"newest"', '"1.15"', '"3.0"', '""', '["2.18"]'])
def test_a_tensorflow_version_that_is_none_is_refused(tmp_path: Path, said: str):
    with pytest.raises(SettingsError, match="tensorflow-version"):
        written(tmp_path, f"tensorflow-version = {said}")


@pytest.mark.parametrize("version", ["2.16", "2.17"])
def test_the_tensorflow_version_changes_what_is_known(tmp_path: Path, version: str):
    older = written(tmp_path, f'tensorflow-version = "{version}"')
    assert "[8, 3]" in shown(LATER, "made", Settings())
    assert "[8, 3]" in shown(LATER, "made", written(tmp_path, 'tensorflow-version = "2.18"'))
    assert "[8, 3]" not in shown(LATER, "made", older)
    plain = LATER.replace(', bad_indices_policy="IGNORE"', "")
    assert "[8, 3]" in shown(plain, "made", older)


def test_a_folder_is_for_other_libraries_than_the_one_above(tmp_path: Path):
    written(tmp_path, 'tensorflow-version = "2.18"\nkeras = "3"\nfollow-packages = false')
    for name, text in {
        "old": 'tensorflow-version = "2.15"',
        "two": 'keras = "2"',
        "more": "follow-packages = true",
    }.items():
        (tmp_path / name / "deep").mkdir(parents=True)
        written(tmp_path / name, text)
        (tmp_path / name / "deep" / "a.py").write_text(LATER)
    project = Project(tmp_path)

    def meant(folder: str) -> tuple[object, ...]:
        path = str(tmp_path / folder / "deep" / "a.py")
        settings = project.sources.settings_of(path)
        return project.sources.tensorflow_of(path), project.sources.keras_of(path).generation, settings.follow_packages

    assert meant("") == ((2, 18), 3, False)
    assert meant("old") == ((2, 16), 2, False)
    assert meant("two") == ((2, 18), 2, False)
    assert meant("more") == ((2, 18), 3, True)
    (tmp_path / "old" / "deep" / "pyproject.toml").write_text("[tool.graphwright]\nignore = ['effects']\n")
    project.look_again()
    assert meant("old") == ((2, 16), 2, False)


def test_a_file_is_run_for_the_tensorflow_of_its_folder(tmp_path: Path):
    (tmp_path / "old").mkdir()
    written(tmp_path / "old", 'tensorflow-version = "2.16"')
    written(tmp_path, "")
    for folder in (tmp_path, tmp_path / "old"):
        (folder / "a.py").write_text(LATER)
    project = Project(tmp_path)
    now, before = (hover(project, str(folder / "a.py"), LATER.index("made")) for folder in (tmp_path, tmp_path / "old"))
    assert "[8, 3]" in str(now) and "[8, 3]" not in str(before)


def test_an_unknown_setting_is_told_with_the_one_that_was_meant():
    with pytest.raises(SettingsError, match="tensorflow-version"):
        Settings.from_mapping({"tensorflow_version": "2.18"}, "here")


@pytest.mark.parametrize(
    "text", ["tool = 5", "tool = []", 'tool = "x"', "[tool]\ngraphwright = 5", "[[tool.graphwright]]"]
)
def test_what_is_no_table_is_said_to_be_none(tmp_path: Path, text: str):
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(SettingsError, match="is not a table"):
        load_settings(tmp_path)


@pytest.mark.parametrize(("said", "meant"), [("true", True), ("false", False)])
def test_packages_are_followed_unless_that_is_not_wanted(tmp_path: Path, said: str, meant: bool):
    assert written(tmp_path, f"follow-packages = {said}").follow_packages is meant
    with pytest.raises(SettingsError, match="follow-packages"):
        written(tmp_path, f'follow-packages = "{said}"')


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 20_000 + "]" * 20_000,
        "x = " + "9" * 5_000,
        "[tool.graphwright.severity]\n" + ".".join(["a"] * 20_000) + " = 1",
    ],
    ids=["brackets", "digits", "keys"],
)
def test_what_is_nested_too_deeply_is_said(tmp_path: Path, text: str):
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(SettingsError):
        load_settings(tmp_path)
