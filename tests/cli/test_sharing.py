"""Files shared out among processes, and findings taken from the cache: the report is the same."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from graphwright_analysis import Cache, Folder, Project, RunReports, Settings, all_rules
from graphwright_analysis.cache import KEPT_FOR, NOTED_EVERY
from graphwright_server.cli import sharing
from graphwright_server.cli.main import main
from graphwright_server.cli.targets import Target, projects


@pytest.fixture
def many(folder: Path, bad: str, good: str) -> Path:
    for number in range(sharing.ALONE + 10):
        (folder / f"a{number:02}.py").write_text(bad if number % 7 == 0 else good)
    (folder / "broken.py").write_text("def f(:\n")
    (folder / "binary.py").write_bytes(b"\0\1\2")
    return folder


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", *arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_the_report_is_the_same_however_many_processes(many: Path, capsys: pytest.CaptureFixture[str]):
    alone = report(capsys, "--no-cache", "--jobs", "1")
    assert report(capsys, "--no-cache", "--jobs", "3") == alone
    assert alone[1].count("undefined-in-branch") == 5
    assert "broken.py:1: can't be parsed" in alone[2] and "binary.py: is binary" in alone[2]


SHADOWS = ("re", "json", "multiprocessing", "__future__", "concurrent", "dataclasses", "graphwright_analysis")


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_no_process_loads_modules_from_the_current_folder(folder: Path, tmp_path_factory: Any, method: str):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("there are no such processes here")
    for name in SHADOWS:
        (folder / f"{name}.py").write_text(f"raise SystemExit('{name} was loaded')\n")
    for number in range(sharing.ALONE):
        (folder / f"a{number}.py").write_text("")
    script = tmp_path_factory.mktemp("bin") / "graphwright.py"
    script.write_text(
        "import multiprocessing, sys\nfrom graphwright_server.cli.main import main\n"
        f"if __name__ == '__main__':\n    multiprocessing.set_start_method({method!r})\n    sys.exit(main())\n"
    )
    command = [sys.executable, str(script), "check", "--jobs", "2", "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == (f"No problems in {sharing.ALONE + len(SHADOWS)} files.\n", "")


SLOW = (
    "import os, signal, sys, time\n"
    "from graphwright_analysis import Project\n"
    "def run_reports(self, path):\n"
    "    os.write(1, f'{os.getpid()}\\n'.encode())\n"
    "    time.sleep(300)\n"
    "Project.run_reports = run_reports\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from graphwright_server.cli.main import main\n"
    "sys.exit(main(['check', '--jobs', '2', '--no-cache']))\n"
)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="other processes don't inherit the change")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_processes_end_with_the_one_that_started_them(many: Path, ending: signal.Signals):
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", SLOW], cwd=many, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        workers = {int(process.stdout.readline()) for _ in range(2)}
        assert process.pid not in workers and len(workers) == 2
        process.send_signal(ending)
        # The pipe is closed once none of them is left.
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130 if ending == signal.SIGINT else -ending, "")


def test_the_report_is_the_same_from_the_cache(many: Path, capsys: pytest.CaptureFixture[str]):
    first = report(capsys)
    assert (Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]) / "findings.sqlite").is_file()
    assert report(capsys) == first


def _rewritten(change: Callable[[str], object]) -> Callable[[Path], None]:
    """All entries of the cache with other values."""

    def damage(file: Path) -> None:
        with sqlite3.connect(file) as connection:
            values = connection.execute("SELECT key, value FROM findings").fetchall()
            assert values
            connection.executemany("UPDATE findings SET value = ? WHERE key = ?", [(change(v), k) for k, v in values])
        connection.close()

    return damage


def _in_json(change: Callable[[Any], object]) -> Callable[[Path], None]:
    return _rewritten(lambda value: value[:-1] if "[" not in value else json.dumps(change(json.loads(_json(value)))))


def _json(value: str) -> str:
    return value[value.index("[") :]


def _nested(change: Callable[[Any], object]) -> Callable[[Any], object]:
    """Change everything that isn't a list."""
    return lambda value: [_nested(change)(each) for each in value] if isinstance(value, list) else change(value)


def _at(place: float, data: bytes) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        held = bytearray(file.read_bytes())
        start = int(len(held) * place)
        held[start : start + len(data)] = data
        file.write_bytes(held)

    return damage


def _instead(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        file.unlink()
        make(file)

    return damage


def _statement(*statements: str) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        with sqlite3.connect(file) as connection:
            for each in statements:
                connection.execute(each)
        connection.close()

    return damage


DAMAGE: dict[str, Callable[[Path], None]] = {
    "empty": _instead(Path.touch),
    "a folder": _instead(Path.mkdir),
    "a device": _instead(lambda file: file.symlink_to("/dev/zero")),
    "a named pipe": _instead(os.mkfifo),
    "a link to itself": _instead(lambda file: file.symlink_to(file.name)),
    "text": _instead(lambda file: file.write_text("no database " * 1000)),
    "zeros": _instead(lambda file: file.write_bytes(bytes(100_000))),
    "no permissions": lambda file: file.chmod(0),
    "no permissions for the folder": lambda file: file.parent.chmod(0),
    "cut": lambda file: os.truncate(file, file.stat().st_size // 2),
    "cut in its head": lambda file: os.truncate(file, 50),
    "other bytes at the start": _at(0, b"\xff" * 64),
    "other bytes in the first page": _at(0.05, b"\xff" * 2000),
    "other bytes in the middle": _at(0.5, b"\xff" * 6000),
    "other bytes at the end": _at(0.7, b"\x07" * 20_000),
    "another table": _statement("DROP TABLE findings", "CREATE TABLE findings (key TEXT)"),
    "a view": _statement("DROP TABLE findings", "CREATE VIEW findings AS SELECT 'a' AS key, 'b' AS used, 'c' AS value"),
    "other keys": _statement("UPDATE findings SET used = 'never', key = rowid"),
    "values of each other": _statement("UPDATE findings SET value = (SELECT max(value) FROM findings)"),
    "null": _rewritten(lambda value: None),
    "bytes": _rewritten(lambda value: value.encode()),
    "bytes that are no text": _rewritten(lambda value: b"\xff\xfe" * 50),
    "a number": _rewritten(lambda value: 7),
    "cut values": _rewritten(lambda value: value[: len(value) // 2]),
    "huge values": _rewritten(lambda value: value + "[" * 10_000_000),
    "deep values": _rewritten(lambda value: "[" * 100_000 + "]" * 100_000),
    "an empty list": _in_json(lambda value: []),
    "an object": _in_json(lambda value: {"a": value}),
    "a string": _in_json(lambda value: "abcdef"),
    "numbers as strings": _in_json(_nested(lambda each: str(each) if isinstance(each, int) else each)),
    "strings as numbers": _in_json(_nested(lambda each: 3 if isinstance(each, str) else each)),
    "nothing for anything": _in_json(_nested(lambda each: None)),
    "numbers far too large": _in_json(_nested(lambda each: 10**30 if isinstance(each, int) else each)),
    "numbers below zero": _in_json(_nested(lambda each: -5 if isinstance(each, int) else each)),
    "lists for anything": _in_json(_nested(lambda each: [each, [each]])),
    "other names of files": _in_json(_nested(lambda each: "\0/nowhere" if isinstance(each, str) else each)),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_whatever_happens_to_the_cache_the_report_is_the_same(
    folder: Path, bad: str, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], None]
):
    (folder / "a.py").write_text(bad)
    (folder / "helper.py").write_text("import tensorflow as tf\n\n\ndef half(x):\n    return x / 2\n")
    (folder / "user.py").write_text(
        f"from helper import half\n\n{bad}\n\n@tf.function\ndef g(x):\n    return half(x)\n"
    )
    first = report(capsys)
    file = Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]) / "findings.sqlite"
    damage(file)
    try:
        assert report(capsys) == first
        assert report(capsys) == first
    finally:
        file.parent.chmod(0o700)


@pytest.mark.parametrize("kind", ["other bytes in the middle", "text", "cut in its head", "numbers as strings"])
def test_a_cache_that_was_damaged_is_used_again(
    many: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: str
):
    (many / "binary.py").unlink()
    first = report(capsys, "--jobs", "1")
    DAMAGE[kind](Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]) / "findings.sqlite")
    assert [report(capsys, "--jobs", "1") for _ in range(2)] == [first, first]
    monkeypatch.setattr(Project, "run_reports", None)
    assert report(capsys, "--jobs", "1") == first


def test_what_is_remembered_is_not_checked_again(
    many: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    first = report(capsys, "--jobs", "1")
    checked: list[str] = []
    check = Project.run_reports
    monkeypatch.setattr(Project, "run_reports", lambda self, path: (checked.append(path), check(self, path))[1])
    (many / "a03.py").write_text((many / "a00.py").read_text() + "# changed\n")
    second = report(capsys, "--jobs", "1")
    assert [Path(path).name for path in checked] == ["a03.py", "binary.py"]
    assert second[1].count("undefined-in-branch") == first[1].count("undefined-in-branch") + 1
    report(capsys, "--jobs", "1", "--ignore", all_rules()[0].name)
    assert len(checked) > 20, "other settings, other findings"


def test_a_comment_counts_as_unused_only_while_nobody_imports_its_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    (folder / "used.py").write_text(
        "import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    return x  # graphwright: allow[print-at-trace]\n\n\n"
        "f(tf.constant(1.0))\n"
    )
    assert "unused-allow" in report(capsys)[1]
    (folder / "user.py").write_text("from used import f\n")
    assert "unused-allow" not in report(capsys)[1]
    (folder / "user.py").write_text("import used_not\n")
    assert "unused-allow" in report(capsys)[1]
    monkeypatch.setattr(Project, "run_reports", None)
    assert "unused-allow" in report(capsys)[1], "it is stored"
    (folder / "user.py").unlink()
    assert "unused-allow" in report(capsys)[1]


def test_what_changes_during_a_check_is_not_remembered_for_what_it_was(
    folder: Path, bad: str, good: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    changing = folder / "changing.py"
    changing.write_text(good)
    first, check = report(capsys, "--no-cache"), Project.run_reports

    def changed_meanwhile(self: Project, path: str) -> RunReports:
        changing.write_text(bad)
        return check(self, path)

    monkeypatch.setattr(Project, "run_reports", changed_meanwhile)
    assert report(capsys, "--jobs", "1") != first
    monkeypatch.setattr(Project, "run_reports", check)
    changing.write_text(good)
    assert report(capsys, "--jobs", "1") == first


def test_a_file_is_checked_again_when_what_it_imports_changes(folder: Path, capsys: pytest.CaptureFixture[str]):
    helper = "import tensorflow as tf\n\ndef other(x):\n    return tf.cast(x, tf.{})\n"
    (folder / "user.py").write_text(
        "import tensorflow as tf\nfrom helper import other\n\n@tf.function\ndef f(x: tf.Tensor):\n"
        "    return other(x) if tf.reduce_sum(x) > 0 else 1.0\n"
    )
    assert report(capsys)[0] == 0
    for dtype, code in (("float16", 1), ("float32", 0), ("float16", 1), ("float16", 1)):
        (folder / "helper.py").write_text(helper.format(dtype))
        assert report(capsys)[0] == code
    (folder / "helper.py").unlink()
    assert report(capsys)[0] == 0


def test_a_change_of_a_file_concerns_those_that_it_can_reach(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    hub = (
        "import tensorflow as tf\n\ndef first(x):\n    return tf.cast(x, tf.float16)\n\ndef second(x):\n    return x\n"
    )
    (folder / "hub.py").write_text(hub)
    (folder / "door.py").write_text("from hub import first as entry\n")
    for name, imported in (("a", "hub import first"), ("b", "hub import second"), ("c", "door import entry")):
        called = imported.split()[-1]
        (folder / f"{name}.py").write_text(
            f"import tensorflow as tf\nfrom {imported}\n\n@tf.function\ndef f(x: tf.Tensor):\n"
            f"    return {called}(x) if tf.reduce_sum(x) > 0 else 1.0\n"
        )
    assert report(capsys, "--jobs", "1")[1].count("branch-dtype-mismatch") == 2
    checked: list[str] = []
    check = Project.run_reports
    monkeypatch.setattr(Project, "run_reports", lambda self, path: (checked.append(path), check(self, path))[1])

    def checked_after(text: str) -> str:
        (folder / "hub.py").write_text(text)
        checked.clear()
        told = report(capsys, "--jobs", "1")
        found = " ".join(sorted(Path(path).stem for path in checked))
        assert report(capsys, "--jobs", "1", "--no-cache") == told
        return found

    assert checked_after(f"# Casts.\n{hub}") == "hub"
    assert checked_after(hub.replace("float16", "float64")) == "a c hub"
    assert checked_after(hub.replace("float16", "float32")) == "a c hub"
    hub = hub.replace("float16", "float32").replace("return x", "return x + 1")
    assert checked_after(hub) == "b hub"
    assert checked_after(hub.replace("second", "third")) == "b hub"
    assert checked_after(hub.replace("def second", "import os\n\ndef second")) == "b hub"
    assert checked_after(f"{hub}print(tf)\n") == "hub"
    assert checked_after(f"{hub}print(first)\n") == "a c hub"
    assert checked_after(f"{hub}globals()[tf.name] = 1\n") == "a b c hub"


HUB = """\
import tensorflow as tf
import registry
from {shapes} import size
KIND = {kind}


class Base:
    kind = KIND

    def made(self, x):
        return tf.cast(x, self.kind)


class Layer(Base):
    def call(self, x):
        return self.made(x) + {result}


def entry(x):
    from {lazy} import late
    return late(Layer().call(x))
{more}
"""
USER = """\
{imports}
import tensorflow as tf

@tf.function
def f(x):
    if x > 0:
        y = {value}
    else:
        y = 1.0
    return y

f(tf.constant(1.0))
"""
OTHERS = {
    "registry.py": "REGISTERED = []\n",
    "shapes.py": "def size(x):\n    return 1\n",
    "forms.py": "def size(x):\n    return 1.0\n",
    "late.py": "import tensorflow as tf\n\n@tf.function\ndef late(x):\n    return tf.cast(x, tf.float64)\n",
    "early.py": "def late(x):\n    return x\n",
    "idle.py": "import hub\n\ndef idle():\n    return hub.size(3)\n",
    "calling.py": USER.format(imports="import hub", value="hub.entry(x)"),
    "making.py": USER.format(imports="from hub import Layer", value="Layer().made(x)"),
    "stepping.py": USER.format(imports="from hub import Layer", value="Layer().call(x)"),
    "reading.py": USER.format(imports="import hub", value="hub.KIND"),
    "asking.py": USER.format(imports="import hub, registry", value="registry.REGISTERED[0](x) if hub else x"),
}
CHOICES = {
    "shapes": ["shapes", "forms"],
    "lazy": ["late", "early"],
    "kind": ["tf.float32", "tf.int32", "tf.float16", "size(2)"],
    "result": ["x", "1", "size(x)", "made"],
    "more": ["", "registry.REGISTERED.append(size)", "KIND = size(1)", "Base.kind = tf.int64", "def size(x): return 2"],
}


def test_what_is_remembered_is_what_a_fresh_look_finds(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """After any edit of a file that others run, read and register with."""
    edits, chosen = random.Random(7), {name: each[0] for name, each in CHOICES.items()}
    for name, text in OTHERS.items():
        (folder / name).write_text(text)
    looked: list[str] = []
    check = Project.run_reports
    monkeypatch.setattr(Project, "run_reports", lambda self, path: (looked.append(path), check(self, path))[1])
    again = 0
    for _ in range(40):
        name = edits.choice([*CHOICES])
        chosen[name] = edits.choice(CHOICES[name])
        (folder / "hub.py").write_text(HUB.format(**chosen))
        looked.clear()
        remembered = _tellings(folder, Cache(folder))
        again += len(looked)
        assert remembered == _tellings(folder, Cache(None)), chosen
    assert again < 40 * len(OTHERS) / 2, "what an edit can't reach is not checked again"


def _tellings(folder: Path, cache: Cache) -> dict[str, RunReports]:
    """What each file tells."""
    projects.clear()
    targets = [Target(Folder(folder, Settings()), each, each.name) for each in sorted(folder.glob("*.py"))]
    found = [*sharing.outcomes(targets, 1, cache)]
    cache.close()
    return {target.shown: each.checked.reports for target, each in zip(targets, found, strict=True)}


def test_whoever_has_findings_in_a_file_is_concerned_by_what_stands_before_them(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    bad = "import tensorflow as tf\n\ndef made(x):\n    if x > 0:\n        y = 1\n    return y\n"
    (folder / "hub.py").write_text(bad)
    (folder / "user.py").write_text("import tensorflow as tf\nfrom hub import made\n\ntf.function(made)(tf.ones([]))\n")
    looked: list[str] = []
    check = Project.run_reports
    monkeypatch.setattr(Project, "run_reports", lambda self, path: (looked.append(path), check(self, path))[1])

    def lines_after(text: str) -> tuple[list[str], list[str]]:
        """The files that are checked again, and the places of findings."""
        (folder / "hub.py").write_text(text)
        looked.clear()
        told = report(capsys, "--jobs", "1")[1]
        checked = sorted(Path(path).stem for path in looked)
        assert report(capsys, "--jobs", "1", "--no-cache")[1] == told
        return checked, re.findall(r"hub.py:(\d+)", told)

    assert lines_after(bad) == (["hub", "user"], ["4"])
    assert lines_after(f"{bad}\n\ndef more(x):\n    return x\n") == (["hub"], ["4"])
    assert lines_after(f"# A line more.\n{bad}\n# The end.\n") == (["hub", "user"], ["5"])
    assert lines_after(f"# A line more.\n{bad}\n# graphwright: allow-file\n") == (["hub", "user"], [])


LIBRARY = """\
import tensorflow as tf


@tf.function
def scaled(x, training):
    if training:
        y = x * 2
    return y
"""
MAIN = "import tensorflow as tf\nfrom library import scaled\n\nscaled(tf.constant(1.0), {})\n"


def test_what_one_file_calls_in_another_is_told_there(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "library.py").write_text(LIBRARY)
    (folder / "main.py").write_text(MAIN.format("tf.constant(True)"))
    found = "library.py:6:8: error[undefined-in-branch]"
    for _ in "fresh", "from the cache":
        assert report(capsys)[1].count(found) == 1
    (folder / "main.py").write_text(MAIN.format("True"))
    assert report(capsys)[1] == "No problems in 2 files.\n"
    (folder / "library.py").write_text(f"# Longer.\n{LIBRARY}")
    (folder / "main.py").write_text(MAIN.format("tf.constant(True)"))
    assert found.replace(":6:", ":7:") in report(capsys)[1]
    (folder / "library.py").write_text(f"# Longer still.\n\n{LIBRARY}")
    assert found.replace(":6:", ":8:") in report(capsys)[1]


@pytest.mark.skipif(sys.platform == "win32", reason="a process is ended the POSIX way")
def test_a_process_that_dies_costs_the_file_that_killed_it(
    many: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    check = Project.run_reports

    def deadly(self: Project, path: str):  # type: ignore[no-untyped-def]
        if path.endswith("a05.py"):
            os._exit(9)
        return check(self, path)

    monkeypatch.setattr(Project, "run_reports", deadly)
    code, out, err = report(capsys, "--no-cache", "--jobs", "2")
    assert code == 2
    assert out.count("undefined-in-branch") == 5
    assert [line for line in err.splitlines() if "died" in line] == [
        "graphwright: a05.py: could not be checked; this is a bug in Graphwright (the process that did it died)"
    ]


def test_a_cache_that_is_no_database_is_done_without(many: Path, capsys: pytest.CaptureFixture[str]):
    first = report(capsys, "--no-cache")
    Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]).mkdir()
    (Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]) / "findings.sqlite").write_bytes(
        b"this is not a database, but it is as long as one" * 100
    )
    assert report(capsys) == first


def test_an_entry_of_another_shape_is_no_entry(tmp_path: Path):
    cache = Cache(tmp_path)
    cache.close()
    with sqlite3.connect(tmp_path / "findings.sqlite") as connection:
        connection.execute("INSERT INTO findings VALUES ('k', 9999999999, '[[[1, 2]], []]')")
    assert Cache(tmp_path).get("k") is None


def test_an_outline_is_kept_as_it_was(tmp_path: Path):
    project = Project(None)
    project.set_text("/hub.py", "from .a import b\nX = 1\n\ndef f(x):\n    return X\n\ndef g():\n    return vars()\n")
    outline = project.sources.outline("/hub.py")
    cache = Cache(tmp_path)
    cache.put_outline("digest", outline)
    cache.close()
    assert Cache(tmp_path).outline("digest") == outline
    assert Cache(tmp_path).outline("other") is None


def test_no_processes_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["check", "--jobs", "0"])
    assert "must be at least 1" in capsys.readouterr().err


def test_what_is_remembered_is_written_only_when_it_was_not_used_for_days(
    many: Path, capsys: pytest.CaptureFixture[str]
):
    file = Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]) / "findings.sqlite"
    first = report(capsys, "--jobs", "1")
    written = file.stat().st_mtime_ns
    assert report(capsys, "--jobs", "1") == first
    assert file.stat().st_mtime_ns == written
    _statement(f"UPDATE findings SET used = used - {2 * NOTED_EVERY}")(file)
    assert report(capsys, "--jobs", "1") == first
    with sqlite3.connect(file) as connection:
        used = [used for (used,) in connection.execute("SELECT used FROM findings")]
    connection.close()
    assert all(abs(time.time() - each) < NOTED_EVERY for each in used)


def test_what_nobody_has_used_for_a_month_is_deleted(many: Path, capsys: pytest.CaptureFixture[str]):
    file = Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]) / "findings.sqlite"
    report(capsys, "--jobs", "1")
    _statement(f"UPDATE findings SET used = used - {2 * KEPT_FOR}, key = rowid")(file)
    (many / "new.py").write_text("import tensorflow as tf\n")
    report(capsys, "--jobs", "1")
    with sqlite3.connect(file) as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM findings")]
    connection.close()
    assert keys
    assert not any(map(str.isdigit, keys))
