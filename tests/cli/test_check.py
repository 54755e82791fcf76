"""`graphwright check` from outside: what it prints where, and how it exits."""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from graphwright_analysis import DOCUMENTATION, Project, RunReports
from graphwright_server.cli.main import main
from keras_texts import LAYER
from tiers import sampled

Command = Callable[..., "subprocess.CompletedProcess[bytes]"]

CHECK = (sys.executable, "-m", "graphwright_server", "check")


def test_a_finding_is_shown_with_its_line_and_exits_with_1(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(bad)
    assert main(["check"]) == 1
    output = capsys.readouterr()
    assert "error[undefined-in-branch]" in output.out
    assert "a.py:" in output.out
    assert "^" in output.out
    assert "\033" not in output.out
    assert output.out.splitlines()[-1].startswith("Found 1 error in 1 file")
    assert output.err == ""


def test_a_clean_folder_exits_with_0(folder: Path, good: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(good)
    (folder / "b.py").write_text("")
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "No problems in 2 files.\n"


def test_no_python_files_is_said(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check"]) == 0
    assert "No Python files found" in capsys.readouterr().err


def test_json_is_one_flat_list(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "pkg").mkdir()
    (folder / "pkg" / "a.py").write_text(bad)
    assert main(["check", "--format", "json", "pkg"]) == 1
    (entry,) = json.loads(capsys.readouterr().out)
    assert entry["file"] == os.path.join("pkg", "a.py")
    assert entry["rule"] == "undefined-in-branch"
    assert entry["severity"] == "error"
    assert set(entry) == {
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "rule",
        "family",
        "severity",
        "message",
        "fixable",
        "fixable_unsafely",
    }
    line = bad.splitlines()[entry["line"] - 1]
    assert line[entry["column"] - 1 : entry["end_column"] - 1] == "tf.reduce_sum(x) > 0"


def test_json_of_nothing_is_an_empty_list(folder: Path, good: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(good)
    assert main(["check", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_missing_path_is_named_and_the_rest_still_checked(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(bad)
    assert main(["check", "nope.py", "a.py"]) == 2
    output = capsys.readouterr()
    assert output.err.splitlines() == ["graphwright: nope.py: no such file or folder"]
    assert "Found 1 error" in output.out


@pytest.mark.parametrize("data", [b"x = '\0'\n", b"# coding: nonsense\n", b"x = '\xff'\n"])
def test_a_file_that_is_no_text_costs_one_line(
    data: bytes, folder: Path, good: str, capsys: pytest.CaptureFixture[str]
):
    (folder / "a.py").write_text(good)
    (folder / "odd.py").write_bytes(data)
    assert main(["check"]) == 0
    output = capsys.readouterr()
    (line,) = output.err.splitlines()
    assert line.startswith("graphwright: odd.py: ")
    assert output.out == "No problems in 1 file; 1 file couldn't be read.\n"
    assert main(["check", "odd.py"]) == 2


@pytest.mark.parametrize("command", ["check", "coverage"])
def test_a_folder_that_cant_be_listed_is_reported(
    command: str, folder: Path, good: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in ("closed", "gone", "open"):
        (folder / "pkg" / name).mkdir(parents=True)
        (folder / "pkg" / name / "a.py").write_text(good)
    scandir, errors = os.scandir, {"closed": errno.EACCES, "gone": errno.ENOENT}

    def listed(path: str):
        if number := errors.get(os.path.basename(path)):
            raise OSError(number, os.strerror(number), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listed)
    assert main([command]) == 0
    output = capsys.readouterr()
    assert output.err.splitlines() == [f"graphwright: {os.path.join('pkg', 'closed')}: permission denied"]
    if command == "check":
        assert output.out == "No problems in 1 file; 1 folder couldn't be read.\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("kind", sampled(["pipe", "device", "large"], 3))
def test_what_is_no_regular_file_is_said_at_once(folder: Path, good: str, command: Command, kind: str):
    (folder / "pkg").mkdir()
    (folder / "user.py").write_text(f"import pkg\nfrom x import y\n{good}")
    names = ["x.ipynb", "x.py", os.path.join("pkg", "__init__.py")]
    said = {name: f"graphwright: {name}: {unreadable(folder / name, kind)}" for name in names}
    for arguments in (["check"], ["check", "--fix"]):
        done = command(*arguments, cwd=folder, preexec_fn=little_memory)
        assert done.stderr.decode().splitlines() == [*said.values()]
        assert (done.stdout, done.returncode) == (b"No problems in 1 file; 3 files couldn't be read.\n", 0)
    for arguments in (["check", "x.py", "user.py"], ["coverage", "x.py"]):
        done = command(*arguments, cwd=folder, preexec_fn=little_memory)
        assert done.stderr.decode().splitlines() == [said["x.py"]]
        assert done.returncode == 2


def unreadable(path: Path, kind: str) -> str:
    """Put something into a folder that nobody should read, and say what is said of it."""
    if kind == "pipe":
        os.mkfifo(path)
        return "is a named pipe, not a regular file"
    if kind == "device":
        path.symlink_to("/dev/zero")
        return "is a device, not a regular file"
    with path.open("wb") as file:
        file.truncate(4_000_000_000)
    return "has 4,000,000,000 bytes; a file of more than 32,000,000 isn't read"


def little_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_standard_input_has_an_end(folder: Path, command: Command):
    with open("/dev/zero", "rb") as zero:
        done = command("check", "-", stdin=zero, preexec_fn=little_memory)
    assert done.stderr.decode() == "graphwright: <stdin>: has more than 32,000,000 bytes, which isn't read\n"
    assert done.returncode == 2


def test_a_link_to_a_file_is_followed(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.txt").write_text(bad)
    (folder / "a.py").symlink_to("a.txt")
    assert main(["check"]) == 1
    assert "Found 1 error in 1 file" in capsys.readouterr().out


def test_what_is_no_python_is_named_and_the_rest_checked(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(f"x = (1,\n{bad}")
    assert main(["check"]) == 1
    output = capsys.readouterr()
    assert (
        output.err == "graphwright: a.py:1: can't be parsed ('(' was never closed); the rest of the file was checked\n"
    )
    assert "undefined-in-branch" in output.out


def test_what_follows_from_one_mistake_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]):
    broken = "def f(:\n    pass\n\n\n" * 5
    (folder / "a.py").write_text(f'"""\n{broken}')
    assert main(["check"]) == 1
    first = capsys.readouterr().err.splitlines()[0]
    assert "a.py:1: can't be parsed (unterminated triple-quoted string literal); the" in first
    (folder / "a.py").write_text(broken)
    assert main(["check"]) == 1
    reported = capsys.readouterr().err.splitlines()
    assert [each.partition(" can't")[0] for each in reported] == [
        *(f"graphwright: a.py:{line}:" for line in (1, 5, 9)),
        "graphwright: a.py: 2 later places",
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["broken.py"], 1), ([], 1), (["a.py", "broken.py"], 1), (["--exit-zero"], 0), (["a.py"], 0)],
)
def test_what_cannot_be_parsed_is_no_success(
    arguments: list[str], code: int, folder: Path, good: str, capsys: pytest.CaptureFixture[str]
):
    (folder / "a.py").write_text(good)
    (folder / "broken.py").write_text("x = (1,\n")
    assert main(["check", *arguments]) == code
    output = capsys.readouterr()
    if arguments != ["a.py"]:
        assert "broken.py:1: can't be parsed" in output.err
        assert "1 file couldn't be fully parsed" in output.out


def test_standard_input_that_cannot_be_parsed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x = (1,\n")))
    assert main(["check", "-"]) == 1
    assert "<stdin>:1: can't be parsed" in capsys.readouterr().err


def test_a_crash_costs_one_file(
    folder: Path, bad: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (folder / "a.py").write_text(bad)
    (folder / "crash.py").write_text("")
    check = Project.run_reports

    def crashing(self: Project, path: str):  # type: ignore[no-untyped-def]
        if path.endswith("crash.py"):
            raise ZeroDivisionError("oh")
        return check(self, path)

    monkeypatch.setattr(Project, "run_reports", crashing)
    assert main(["check"]) == 2
    output = capsys.readouterr()
    (line,) = output.err.splitlines()
    assert "crash.py" in line and "this is a bug in Graphwright" in line
    assert "Found 1 error" in output.out


def test_a_failure_that_the_analysis_survives_is_one_line_too(
    folder: Path, bad: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (folder / "a.py").write_text(bad)
    check = Project.run_reports

    def failing(self: Project, path: str):  # type: ignore[no-untyped-def]
        try:
            raise ZeroDivisionError("oh")
        except ZeroDivisionError:
            logging.getLogger("graphwright_analysis.checking").exception("the rule x failed")
        return check(self, path)

    monkeypatch.setattr(Project, "run_reports", failing)
    assert main(["check"]) == 2
    output = capsys.readouterr()
    expected = "graphwright: a.py: the rule x failed (ZeroDivisionError: oh); this is a bug in Graphwright"
    assert output.err.splitlines() == [expected]
    assert "Found 1 error" in output.out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_progress_bar_comes_with_the_second_second_and_goes(folder: Path, good: str):
    for number in range(4):
        (folder / f"a{number}.py").write_text(good)
    script = (
        "import itertools, sys, types\n"
        "from graphwright_server.cli import terminal\n"
        # The clock is asked at the beginning and after each file.
        "terminal.time = types.SimpleNamespace(monotonic=lambda times=itertools.count(5.0, 0.6): next(times))\n"
        "from graphwright_server.cli.main import main\n"
        "sys.exit(main(['check']))\n"
    )
    output = on_terminal({"TERM": "xterm"}, [sys.executable, "-c", script])
    assert b"] 2/4" in output and b"] 1/4" not in output
    assert output.endswith(b"\r\x1b[KNo problems in 4 files.\r\n")


def test_ignoring_and_selecting(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(bad)
    assert main(["check", "--ignore", "undefined-in-branch"]) == 0
    assert main(["check", "--select", "branch-dtype-mismatch"]) == 0
    assert main(["check", "--select", "undefined-in-branch,branch-dtype-mismatch"]) == 1
    capsys.readouterr()
    assert main(["check", "--select", "nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err


def test_settings_that_cannot_be_read_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "pyproject.toml").write_text("[tool.graphwright\n")
    assert main(["check"]) == 2
    assert "pyproject.toml" in capsys.readouterr().err


def test_a_severity_below_warning_does_not_fail(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "pyproject.toml").write_text("[tool.graphwright.severity]\nundefined-in-branch = 'hint'\n")
    (folder / "a.py").write_text(bad)
    assert main(["check"]) == 0
    assert "hint[undefined-in-branch]" in capsys.readouterr().out


def test_exit_zero_and_statistics(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(bad)
    assert main(["check", "--exit-zero", "--statistics", "--quiet"]) == 0
    output = capsys.readouterr().out
    assert "1  undefined-in-branch" in output
    assert "Found" not in output


def test_fix_rewrites_the_file_and_leaves_it_clean(folder: Path, fixable: str, capsys: pytest.CaptureFixture[str]):
    file = folder / "a.py"
    file.write_text(fixable)
    file.chmod(0o755)
    assert main(["check", "--fix"]) == 0
    assert "Fixed 1 problem. No problems in 1 file." in capsys.readouterr().out
    assert file.read_text() != fixable
    assert file.stat().st_mode & 0o777 == 0o755 or sys.platform == "win32"
    assert sorted(path.name for path in folder.iterdir()) == ["a.py", "pyproject.toml"]


def test_diff_shows_and_writes_nothing(folder: Path, fixable: str, capsys: pytest.CaptureFixture[str]):
    file = folder / "a.py"
    file.write_text(fixable)
    assert main(["check", "--diff"]) == 1
    output = capsys.readouterr()
    assert output.out.startswith("--- a.py\n+++ a.py\n@@")
    assert "1 fix would be applied" in output.err
    assert file.read_text() == fixable


def test_diff_mentions_unsafe_fixes(folder: Path, capsys: pytest.CaptureFixture[str]):
    text = "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    print(x)\n    return x\n\nf(tf.ones([2]))\n"
    (folder / "a.py").write_text(text)
    assert main(["check", "--diff"]) == 0
    assert "0 fixes would be applied; 1 more with --unsafe-fixes." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("x = 1\n".encode("utf-16"), "can't be decoded: Python doesn't read UTF-16; save the file as UTF-8"),
        (b"x = '\xe9'\n", "line 1 isn't utf-8; save the file as UTF-8, or declare its encoding"),
        (b"\n\n\nx = '\xe9'\n", "line 4 isn't utf-8; save the file as UTF-8, or declare its encoding"),
        (b"# coding: ascii\n\nx = '\xe9'\n", "line 3 isn't ascii; save the file as UTF-8, or declare its encoding"),
        (b"# coding: nope\nx = 1\n", "can't be decoded: unknown encoding: nope"),
        (b"\xef\xbb\xbf# coding: latin-1\nx = 1\n", "declares another encoding; remove the declaration"),
        (b"# coding: undefined\nx = 1\n", "undefined encoding"),
        (b"x = 1\0\n", "is binary, not Python source"),
    ],
)
def test_what_is_wrong_with_an_encoding(folder: Path, capsys: pytest.CaptureFixture[str], data: bytes, message: str):
    (folder / "a.py").write_bytes(data)
    assert main(["check"]) == 2
    assert message in capsys.readouterr().err


def test_each_line_with_syntax_errors_is_reported_once(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text("def g(x):\n    for i in range(\n\nclass A(\n")
    assert main(["check"]) == 1
    places = [line.split(" can't")[0] for line in capsys.readouterr().err.splitlines()]
    assert places == ["graphwright: a.py:2:", "graphwright: a.py:4:"]


@pytest.mark.parametrize(
    ("arguments", "usage", "message"),
    [
        (["check", "--jobs", "x"], "check", "'x' isn't a whole number"),
        (["check", "--nope"], "check", "unrecognized arguments: --nope"),
        (["explain", "a", "b"], "explain", "unrecognized arguments: b"),
        (["trace", "a.py::f", "--timeout", "x"], "trace", "'x' isn't a number"),
        (["--nope"], "[-h] [--version]", "unrecognized arguments: --nope"),
    ],
)
def test_wrong_arguments(capsys: pytest.CaptureFixture[str], arguments: list[str], usage: str, message: str):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    error = capsys.readouterr().err
    assert error.startswith(f"usage: graphwright {usage} ") and message in error


def test_an_unknown_rule_is_named_once_with_its_option(folder: Path, capsys: pytest.CaptureFixture[str]):
    for option in ("--select", "--ignore"):
        assert main(["check", option, "undefined-in-brnch"]) == 2
        said = "unknown rule or family `undefined-in-brnch`; did you mean `undefined-in-branch`?"
        assert capsys.readouterr().err == f"graphwright: {option}: {said}\n"


def test_standard_input(folder: Path, bad: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(bad.encode())))
    assert main(["check", "-", "--stdin-filename", "some/model.py"]) == 1
    assert "some/model.py:" in capsys.readouterr().out
    assert main(["check", "-", "a.py"]) == 2


def test_github_and_sarif(folder: Path, bad: str, capsys: pytest.CaptureFixture[str]):
    (folder / "a.py").write_text(bad)
    assert main(["check", "--format", "github"]) == 1
    output = capsys.readouterr().out
    assert output.startswith("::error title=Graphwright (undefined-in-branch),file=a.py,line=")
    assert output.count("\n") == 1
    assert main(["check", "--format", "sarif"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    (result,) = run["results"]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] == "undefined-in-branch"
    assert rule["help"]["markdown"]
    assert rule["helpUri"] == f"{DOCUMENTATION}/rules/undefined-in-branch.html"
    assert run["tool"]["driver"]["informationUri"] == DOCUMENTATION
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "a.py"
    assert location["region"]["startLine"] <= location["region"]["endLine"]


def test_colour_on_demand(folder: Path, bad: str, command: Command):
    (folder / "a.py").write_text(bad)
    assert b"\033[" not in command("check").stdout
    assert b"\033[" in command("check", "--color", "always").stdout
    assert b"\033[" in command("check", environment={"FORCE_COLOR": "1"}).stdout
    assert b"\033[" not in command("check", environment={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_colour_on_a_terminal_unless_it_is_dumb(folder: Path, bad: str):
    (folder / "a.py").write_text(bad)
    assert b"\033[" in on_terminal({"TERM": "xterm"})
    assert b"\033[" not in on_terminal({"TERM": "dumb"})
    assert b"\033[" not in on_terminal({"TERM": "xterm", "NO_COLOR": "1"})


def test_an_output_that_cannot_hold_a_character(folder: Path, bad: str, command: Command):
    (folder / "a.py").write_text(bad.replace("> 0:", '> 0:  # "🎉"'), encoding="utf-8")
    done = command("check", environment={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes and signals")
def test_a_closed_pipe_is_silent(folder: Path, bad: str):
    for number in range(300):
        (folder / f"a{number}.py").write_text(bad)
    shell = f"('{sys.executable}' -m graphwright_server check; echo $? >&2) | head -1"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=120)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b"1\n"  # what it would be if all were read


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes and signals")
def test_an_interrupt_is_quiet(folder: Path, good: str):
    (folder / "a.py").write_text(good)
    # It waits for the signal for as long as that takes, also where whoever runs the tests has it ignored.
    script = (
        "import signal, sys, time\n"
        "from graphwright_analysis import Project\n"
        "def run_reports(self, path):\n"
        "    print('ready', flush=True)\n"
        "    while True:\n"
        "        time.sleep(0.1)\n"
        "Project.run_reports = run_reports\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from graphwright_server.cli.main import main\n"
        "sys.exit(main(['check']))\n"
    )
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", script], stdout=pipe, stderr=pipe)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=300)
    assert (process.returncode, output, errors) == (130, b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_what_an_interrupted_run_has_checked_stays_in_the_cache(
    folder: Path, good: str, monkeypatch: pytest.MonkeyPatch
):
    for name in ("a.py", "b.py"):
        (folder / name).write_text(good)
    checked = list[str]()
    check = Project.run_reports

    def interrupted(self: Project, path: str) -> RunReports:
        checked.append(Path(path).name)
        if checked == ["a.py", "b.py"]:
            raise KeyboardInterrupt
        return check(self, path)

    monkeypatch.setattr(Project, "run_reports", interrupted)
    assert main(["check", "--jobs", "1"]) == 130
    assert main(["check", "--jobs", "1"]) == 0
    assert checked == ["a.py", "b.py", "b.py"]


def test_the_version_costs_nothing(command: Command):
    script = (
        "import sys\n"
        "from graphwright_server.cli.main import main\n"
        "try:\n    main(['--version'])\nexcept SystemExit as done:\n    assert done.code == 0\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "slow = {'pygls', 'lsprotocol', 'tensorflow', 'gast', 'jedi', 'graphwright_analysis'}\n"
        "assert not loaded & slow, loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60)
    assert done.stderr == b""
    assert done.stdout.startswith(b"graphwright ")


def test_a_check_never_loads_the_language_server(folder: Path, good: str):
    (folder / "a.py").write_text(good)
    script = (
        "import sys\n"
        "from graphwright_server.cli.main import main\n"
        "assert main(['check']) == 0\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "assert not loaded & {'pygls', 'lsprotocol', 'asyncio', 'tensorflow'}, loaded\n"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60).stderr == b""


def on_terminal(environment: dict[str, str], command: Sequence[str] = CHECK) -> bytes:
    """What a command prints on a terminal."""
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, env={**os.environ, **environment})
    os.close(theirs)
    output = b""
    try:
        while chunk := os.read(ours, 4096):
            output += chunk
    except OSError:  # Linux says so when the other side is closed
        pass
    process.wait(60)
    os.close(ours)
    return output


def test_packages_of_the_folders_environment_are_looked_into(folder: Path, capsys: pytest.CaptureFixture[str]):
    site = folder / ".venv" / "lib" / "python3.12" / "site-packages"
    info = site / "helpers-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / ".venv" / "pyvenv.cfg").write_text("version = 3.12.4\n")
    (folder / ".venv" / "bin").mkdir()
    (folder / ".venv" / "bin" / "python").write_text("")
    (info / "METADATA").write_text("Name: helpers\nRequires-Dist: tensorflow\n")
    (info / "RECORD").write_text("helpers.py,,\n")
    (site / "helpers.py").write_text("import tensorflow as tf\n\ncompiled = tf.function\n")
    text = "import tensorflow as tf\nfrom helpers import compiled\n\n\n@compiled\ndef f(x: tf.Tensor):\n"
    text += "    if tf.reduce_sum(x) > 0:\n        y = x\n    return y\n"
    (folder / "a.py").write_text(text)
    assert main(["check"]) == 1
    assert "undefined-in-branch" in capsys.readouterr().out
    # What is remembered of a file is forgotten when a package is another one.
    (site / "helpers.py").write_text("def compiled(function):\n    return function\n")
    assert main(["check"]) == 0
    (site / "helpers.py").write_text("import tensorflow as tf\n\ncompiled = tf.function\n")
    assert main(["check"]) == 1
    (folder / "pyproject.toml").write_text("[tool.graphwright]\nfollow-packages = false\n")
    assert main(["check"]) == 0


def test_what_is_remembered_is_forgotten_when_another_keras_is_required(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    for file in folder.glob("*.py"):
        file.unlink()
    (folder / "layer.py").write_text(LAYER)
    for text, code in (("tensorflow", 1), ("tensorflow<2.16", 0), ("tensorflow>=2.16", 1)):
        (folder / "requirements.txt").write_text(text)
        assert [main(["check"]), main(["check"])] == [code, code]
    (folder / "requirements.txt").write_text("tensorflow<2.16")
    capsys.readouterr()
    assert main(["coverage"]) == 0
    assert capsys.readouterr().out.endswith("Assumed: Keras 2 (requirements.txt: tensorflow<2.16).\n")
