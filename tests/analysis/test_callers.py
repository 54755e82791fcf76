"""What files that nobody has open see of one that is: found out bit by bit, and given up at any moment."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest
from graphwright_analysis import (
    Cancelled,
    Project,
    Range,
    Settings,
    callers,
    code_lenses,
    file_coverage,
    hover,
    inlay_hints,
    proved,
    semantic_tokens,
    sources,
)
from graphwright_analysis.callers import MOST_CALLERS
from graphwright_analysis.tracing.machine import run
from random_edits import edited
from test_incremental import PROGRAMS
from tiers import sampled
from told_in_full import by_itself

LIBRARY = "import tensorflow as tf\n\n\n@tf.function\ndef double(x):\n    return x + x\n"
PROGRAM = "import tensorflow as tf\nfrom library import double\n\nprint(double(tf.constant({value})))\n"


@pytest.mark.parametrize("seed", sampled([11, 26, 38, 30012, 30098], 5))
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_what_was_given_up_goes_on_where_it_was(name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    check_given_up(name, seed, tmp_path, monkeypatch)


def check_given_up(name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits of a program of which one file is open, its callers given up at random: the end is as if they never were.

    Run with other seeds by whoever changes what is remembered.
    """
    monkeypatch.setattr(run, "BREATH", 1)
    dice = random.Random(f"{seed} {name}")
    written = {tmp_path / f"block{number}.py": text for number, text in enumerate(PROGRAMS[name], 1)}
    texts = dict(written)
    for path, text in texts.items():
        path.write_text(text)
    opened = dice.choice(sorted(texts))
    project = Project(tmp_path, Settings())
    project.set_text(str(opened), texts[opened])
    for _ in range(8):
        for patience in (10, 100, 1_000, 1_000_000):
            left = dice.randrange(patience)

            def is_given_up() -> bool:
                nonlocal left
                left -= 1
                return left < 0

            with project.sources.cancelled_when(is_given_up if patience < 1_000_000 else lambda: False):
                try:
                    project.refresh_importers()
                    project.refresh_callers(str(opened))
                    project.check(str(opened))
                    break
                except Cancelled:
                    pass
        fresh = Project(tmp_path, Settings())
        fresh.set_text(str(opened), texts[opened])
        fresh.refresh_importers()
        fresh.refresh_callers(str(opened))
        assert shown(project, opened) == shown(fresh, opened)
        path = dice.choice(sorted(texts))
        back = texts[path] != written[path] and dice.random() < 0.7
        texts[path] = written[path] if back else edited(texts[path], dice)
        if path == opened:
            project.set_text(str(path), texts[path])
        else:
            path.write_text(texts[path])


def shown(project: Project, path: Path) -> object:
    text, key = project.text(str(path)), str(path)
    whole = Range(0, len(text))
    hovers = [hover(project, key, at) for at in range(0, len(text), 7)]
    beside = inlay_hints(project, key, whole), semantic_tokens(project, key), code_lenses(project, key)
    return project.check(key), hovers, beside, file_coverage(project, key)


def test_nothing_is_new_where_nothing_has_changed(tmp_path: Path):
    project = with_programs(tmp_path, 1)
    key = str(tmp_path / "library.py")
    assert not project.callers_are_refreshed(key)
    assert project.refresh_callers(key)
    assert project.callers_are_refreshed(key)
    assert not project.refresh_callers(key)
    # Another call of the same kind is no news of what it calls.
    (tmp_path / "program0.py").write_text(PROGRAM.format(value="2.0") + "\n# the end\n")
    assert not project.refresh_callers(key)
    (tmp_path / "program0.py").write_text(PROGRAM.format(value="[2.0]"))
    assert project.refresh_callers(key)
    project.set_text(key, LIBRARY + "\n")
    assert not project.callers_are_refreshed(key)


def test_what_another_question_has_found_out_is_still_news(tmp_path: Path):
    """An edit of a third file changes how an open file calls this one, and a hover asks before anybody is told."""
    library, program, amounts = (tmp_path / name for name in ("library.py", "program.py", "amounts.py"))
    amounts.write_text("import tensorflow as tf\n\nVALUE = tf.constant(1.0)\n")
    library.write_text(LIBRARY)
    program.write_text("from library import double\nfrom amounts import VALUE\n\ndouble(VALUE)\n")
    project = Project(tmp_path, Settings())
    for path in (library, program, amounts):
        project.set_text(str(path), path.read_text())
    project.refresh_importers()
    project.check(str(library))
    key = str(library)
    project.refresh_callers(key)
    assert not project.refresh_callers(key)
    for value in ("[1.0]", "True"):
        project.set_text(str(amounts), amounts.read_text().replace("1.0", value))
        shown(project, library)
        assert project.refresh_callers(key)
        assert not project.refresh_callers(key)
    assert project.check(key) != ()


def test_open_callers_are_told_of_in_one_order(tmp_path: Path):
    project, key = Project(tmp_path, Settings()), str(tmp_path / "library.py")
    project.set_text(key, LIBRARY)
    for name in ("two.py", "one.py"):
        project.set_text(str(tmp_path / name), PROGRAM.format(value="1.0"))
        project.check(key)
    assert counts(project, key) == ["1 trace in one.py, 1 trace in two.py"]


@pytest.mark.parametrize("patience", range(12))
def test_a_look_that_is_given_up_at_its_beginning_hides_no_name(tmp_path: Path, patience: int):
    (tmp_path / "stars.py").write_text("")
    key, head = str(tmp_path / "user.py"), "import tensorflow as tf\nfrom stars import *\n\n\n"
    texts = [
        head + text + "def f(x):\n    return x + _hidden\n" for text in ("", "def _hidden(x):\n    return x\n\n\n")
    ]
    project, fresh, steps = Project(tmp_path, Settings()), Project(tmp_path, Settings()), iter(range(1000))
    project.set_text(key, texts[0])
    project.trace(key)
    project.set_text(key, texts[1])
    with project.sources.cancelled_when(lambda: next(steps) >= patience), suppress(Cancelled):
        project.trace(key)
    fresh.set_text(key, texts[1])
    assert by_itself(project, key) == by_itself(fresh, key)


def test_those_that_are_too_many_are_counted(tmp_path: Path):
    project = with_programs(tmp_path, MOST_CALLERS + 3)
    key = str(tmp_path / "library.py")
    project.refresh_callers(key)
    assert project.callers_left_out(key) == 3


def test_no_more_text_is_followed_than_there_is_time_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    project = with_programs(tmp_path, 4)
    key = str(tmp_path / "library.py")
    program = PROGRAM.format(value="1.0")
    # What the programs ask counts once: the first one stays within the bound, and the second passes it.
    monkeypatch.setattr(callers, "MOST_TEXT", len(LIBRARY) + len(program) + 1)
    assert project.refresh_callers(key)
    assert [Path(user).name for user in project.traces_of_callers(key)] == ["program0.py", "program1.py"]
    assert project.callers_left_out(key) == 2
    # Those of which something was known already are dropped as well.
    monkeypatch.setattr(callers, "MOST_TEXT", 1)
    assert project.refresh_callers(key)
    assert [Path(user).name for user in project.traces_of_callers(key)] == ["program0.py"]
    assert project.callers_left_out(key) == 3
    monkeypatch.undo()
    assert project.refresh_callers(key)
    assert project.callers_left_out(key) == 0


def with_programs(folder: Path, count: int) -> Project:
    (folder / "library.py").write_text(LIBRARY)
    for number in range(count):
        (folder / f"program{number}.py").write_text(PROGRAM.format(value="1.0"))
    project = Project(folder, Settings())
    project.set_text(str(folder / "library.py"), LIBRARY)
    project.refresh_importers()
    return project


def test_how_often_a_function_is_traced_is_told_of_each_program(tmp_path: Path):
    project = with_programs(tmp_path, 1)
    key = str(tmp_path / "library.py")
    assert counts(project, key) == []
    project.refresh_callers(key)
    assert counts(project, key) == ["1 trace in program0.py"]
    again = PROGRAM.format(value="1.0") + "double(tf.constant([1.0]))\n"
    for name in ("more.py", "other.py", "program1.py"):
        (tmp_path / name).write_text(again)
    project.refresh_importers()
    project.refresh_callers(key)
    assert counts(project, key) == ["2 traces in more.py, 2 traces in other.py, and in 2 more files"]
    project.set_text(key, LIBRARY + "\ndouble(tf.constant(1))\n")
    project.refresh_callers(key)
    assert counts(project, key) == ["1 trace, 2 traces in more.py, 2 traces in other.py, and in 2 more files"]


def counts(project: Project, key: str) -> list[str]:
    return [lens.title for lens in code_lenses(project, key) if lens.kind == "traces"]


def test_what_is_looked_at_is_kept_however_many_others_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "REMEMBERED", 3)
    failing = LIBRARY.replace("    return x + x\n", "    if x > 0:\n        y = x\n    return y\n")
    (tmp_path / "library.py").write_text(failing)
    alone = [f"alone{number}" for number in range(8)]
    for name in alone:
        (tmp_path / f"{name}.py").write_text("import tensorflow as tf\n\nx = 1\n")
    program = tmp_path / "program.py"
    program.write_text("".join(f"import {name}\n" for name in alone) + PROGRAM.format(value="1.0"))
    project = Project(tmp_path, Settings(), still=True)
    ((_, report),) = project.run_reports(str(program)).others.items()
    assert report.diagnostics[0].related[-1].path == str(program)


def test_what_is_heard_of_a_file_is_told_of_it_however_many_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sources, "REMEMBERED", 1)
    failing = LIBRARY.replace("    return x + x\n", "    if x > 0:\n        y = x\n    return y\n")
    project = with_programs(tmp_path, 3)
    key = str(tmp_path / "library.py")
    project.set_text(key, failing)
    project.refresh_callers(key)
    for name in ("program1.py", "program2.py"):
        (tmp_path / name).unlink()
    (tmp_path / "alone.py").write_text("import tensorflow as tf\n\nx = 1\n")
    project.check(str(tmp_path / "alone.py"))
    (finding,) = project.check(key)
    assert finding.related[-1].path == str(tmp_path / "program0.py")


def test_a_file_that_came_while_it_was_given_up_is_found_by_others(tmp_path: Path):
    (tmp_path / "program.py").write_text(PROGRAM.format(value="1.0"))
    project = Project(tmp_path, Settings())
    project.refresh_importers()
    (tmp_path / "library.py").write_text(LIBRARY)
    steps = iter(range(100))
    with project.sources.cancelled_when(lambda: next(steps) == 2), pytest.raises(Cancelled):
        project.refresh_importers()
    project.refresh_importers()
    key = str(tmp_path / "library.py")
    project.set_text(key, LIBRARY)
    assert project.refresh_callers(key)
    assert counts(project, key) == ["1 trace in program.py"]


def test_a_caller_that_cannot_be_read_any_more_costs_nothing(tmp_path: Path):
    failing = LIBRARY.replace("    return x + x\n", "    if x > 0:\n        y = x\n    return y\n")
    project = with_programs(tmp_path, 1)
    key, program = str(tmp_path / "library.py"), tmp_path / "program0.py"
    project.set_text(key, failing)
    project.refresh_callers(key)
    assert [each.rule for each in project.check(key)] == ["undefined-in-branch"]
    program.unlink()
    project.set_text(key, failing + "\n")
    assert len(project.check(key)) <= 1
    # Nor does one that is open and too long.
    project.set_text(str(program), "from library import double\n" + "x = 1\n" * 60_000)
    assert len(project.check(key)) <= 1
    assert inlay_hints(project, key, Range(0, len(failing))) is not None


SHOWING = "import tensorflow as tf\n\n\n@tf.function\ndef show(x):\n    print(x)\n    return x\n"
SHOWN = "import tensorflow as tf\nfrom library import show\n\nshow(1)\n"


def test_a_deleted_caller_refutes_nothing(tmp_path: Path):
    library, program = tmp_path / "library.py", tmp_path / "program.py"
    library.write_text(SHOWING)
    program.write_text(SHOWN)
    project = Project(tmp_path, Settings())
    assert [each.rule for each in project.check(str(library))] == ["print-at-trace"]
    project.refresh_importers()
    project.refresh_callers(str(library))
    assert project.check(str(library)) == ()
    program.unlink()
    assert [each.rule for each in project.check(str(library))] == ["print-at-trace"]


def test_supposing_changes_no_report(tmp_path: Path):
    """All rules speak there."""
    project = with_programs(tmp_path, 1)
    project.sources.settings = Settings.from_mapping({"ignore": ["undefined-in-branch"]}, "pyproject.toml")
    key = str(tmp_path / "library.py")
    project.set_text(key, LIBRARY.replace("    return x + x\n", "    if x > 0:\n        y = x\n    return y\n"))
    project.set_text(str(tmp_path / "program0.py"), PROGRAM.format(value="1.0"))
    project.refresh_callers(key)
    assert [each.rule for each in project.supposing(key, project.text(key)).check(key)] == ["undefined-in-branch"]
    assert not project.refresh_callers(key)


def test_a_run_that_is_given_up_is_still_to_be_made_for_other_versions(tmp_path: Path):
    file = tmp_path / "model.py"
    file.write_text(LIBRARY)
    project = Project(tmp_path, Settings())
    before = project.trace(str(file))
    project.sources.settings = Settings.from_mapping({"tensorflow-version": "2.4"}, "pyproject.toml")
    project.look_again()
    with project.sources.cancelled_when(lambda: True), pytest.raises(Cancelled):
        project.trace(str(file))
    assert project.trace(str(file)) is not before


def test_fixes_are_proved_in_a_file_that_closed_files_call(tmp_path: Path):
    """The text of the file changes, and what is known of its callers is of the text before."""
    (tmp_path / "helpers.py").write_text(
        "import tensorflow as tf\n\n\ndef clip(x):\n    if tf.reduce_sum(x) > 0:\n        y = x\n    return y\n\n\n"
        "def show(x):\n    print(x)\n    return clip(x)\n"
    )
    (tmp_path / "train.py").write_text(
        "import tensorflow as tf\nfrom helpers import show\n\n\n@tf.function\ndef step(x):\n    return show(x)\n\n\n"
        "step(tf.ones([3]))\n"
    )
    project = Project(tmp_path)
    path = str(tmp_path / "helpers.py")
    project.set_text(path, project.text(path))
    project.refresh_importers()
    project.refresh_callers(path)
    found = {each.rule: each.fixes for each in proved(project, path, project.check(path))}
    assert [fix.title for fix in found["print-at-trace"]] == ["Replace with tf.print"]
