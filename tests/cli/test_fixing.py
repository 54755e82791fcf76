"""Applying fixes by themselves: to the end, without collisions, and leaving the rest of the file alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from graphwright_analysis import Diagnostic, Edit, Fix, Project, Range, Severity, decode_source
from graphwright_analysis.tracing import Trace
from graphwright_server.cli import fixing, notebooks
from graphwright_server.cli.main import main


class FakeProject:
    """A project whose findings come from a function of the text."""

    def __init__(self, find: Callable[[str], list[tuple[Edit, ...]]]) -> None:
        self.find = find
        self.texts: dict[str, str] = {}
        self.sources = self.traced = self

    def set_text(self, path: str, text: str) -> None:
        self.texts[path] = text

    def text(self, path: str) -> str:
        return self.texts[path]

    def supposing(self, path: str, text: str, runner: str | None = None) -> FakeProject:
        """Every fix holds."""
        other = FakeProject(lambda text: [])
        other.set_text(path, text)
        return other

    def problems(self, path: str) -> tuple[object, ...]:
        return ()

    def trace_to_judge(self, path: str) -> Trace:
        return Trace((), ())

    def refresh_callers(self, path: str) -> bool:
        return False

    def traces_of_callers(self, path: str) -> dict[str, object]:
        return {}

    def check(self, path: str) -> tuple[Diagnostic, ...]:
        return tuple(
            Diagnostic("some-rule", "some", Severity.ERROR, Range(0, 0), "", fixes=(Fix("", edits, True),))
            for edits in self.find(self.texts[path])
        )


def replace_all(old: str, new: str) -> Callable[[str], list[tuple[Edit, ...]]]:
    def find(text: str) -> list[tuple[Edit, ...]]:
        starts = [index for index in range(len(text)) if text.startswith(old, index)]
        return [(Edit(Range(start, start + len(old)), new),) for start in starts]

    return find


def fixed(find: Callable[[str], list[tuple[Edit, ...]]], text: str) -> fixing.Fixed:
    return fixing.fix(FakeProject(find), "a.py", text)  # type: ignore[arg-type]


def test_it_goes_on_until_nothing_changes():
    result = fixed(replace_all("aaaa", "aa"), "aaaaaaaa\n")
    assert (result.text, result.count) == ("aa\n", 3)


def test_overlapping_fixes_wait_for_the_next_round():
    edits = [(Edit(Range(0, 3), "b"),), (Edit(Range(2, 4), "c"),)]
    result = fixed(lambda text: edits if text == "wxyz\n" else [], "wxyz\n")
    assert (result.text, result.count) == ("bz\n", 1)


def test_an_edit_that_two_fixes_share_is_made_once():
    shared = Edit(Range(0, 0), "import a\n")
    edits = [(shared, Edit(Range(0, 1), "y")), (shared, Edit(Range(2, 3), "z"))]
    assert not fixed(lambda text: [], "x x\n").count
    result = fixed(lambda text: edits[1:] if text == "x;x\n" else [], "x;x\n")
    assert result.text == "import a\nx;z\n"


def test_fixes_that_undo_each_other_end():
    result = fixed(lambda text: replace_all("a", "b")(text) or replace_all("b", "a")(text), "a\n")
    assert result.text in ("a\n", "b\n")


def test_a_fix_that_breaks_the_code_is_refused():
    with pytest.raises(fixing.CannotFix, match="a bug in Graphwright"):
        fixed(replace_all("x", "("), "x\n")


def test_line_ends_are_the_file_s_own():
    result = fixed(lambda text: [] if "a\r\n" in text else [(Edit(Range(0, 0), "a\n"),)], "x\r\ny\r\n")
    assert result.text == "a\r\nx\r\ny\r\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\xef\xbb\xbfx = 1\r\n", b"\xef\xbb\xbfy = 1\r\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", b"# coding: latin-1\ny = '\xe9'\n"),
    ],
)
def test_encoding_and_mark_stay(tmp_path: Path, data: bytes, expected: bytes):
    file = tmp_path / "a.py"
    file.write_bytes(data)
    source = decode_source(data)
    fixing.write(file, source.text.replace("x", "y"), source.encoding, data)
    assert file.read_bytes() == expected


def test_what_the_encoding_cannot_hold_is_not_written(tmp_path: Path):
    file = tmp_path / "a.py"
    file.write_bytes(b"x")
    with pytest.raises(fixing.CannotFix, match="latin-1"):
        fixing.write(file, "🎉", "latin-1", b"x")
    assert file.read_bytes() == b"x"


def test_what_was_saved_meanwhile_stays(tmp_path: Path):
    path = tmp_path / "a.py"
    path.write_bytes(b"new\n")
    path.chmod(0o640)
    with pytest.raises(fixing.CannotFix, match="changed while it was being fixed; nothing was written"):
        fixing.write(path, "fixed\n", "utf-8", b"old\n")
    assert path.read_bytes() == b"new\n"
    assert [*tmp_path.iterdir()] == [path]
    fixing.write(path, "fixed\n", "utf-8", b"new\n")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"fixed\n", 0o640)
    path.unlink()
    with pytest.raises(fixing.CannotFix, match="can't be written: No such file"):
        fixing.write(path, "fixed\n", "utf-8", b"fixed\n")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["a.py", "a.ipynb"])
def test_a_file_that_is_saved_while_it_is_fixed_is_said(
    folder: Path, fixable: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
):
    def text(source: str) -> str:
        return source if name == "a.py" else json.dumps({"cells": [{"cell_type": "code", "source": source}]})

    target, saved = folder / name, text(f"# saved\n{fixable}")
    target.write_text(text(fixable))
    (folder / "b.py").write_text(fixable)
    for module in (fixing, notebooks):
        fix: Callable[..., Any] = module.fix

        def fix_and_save(project: Project, path: str, *more: Any, fix: Callable[..., Any] = fix) -> Any:
            result = fix(project, path, *more)
            if path == str(target):
                target.write_text(saved)
            return result

        monkeypatch.setattr(module, "fix", fix_and_save)
    assert main(["check", "--fix"]) == 2
    output = capsys.readouterr()
    assert output.err == f"graphwright: {name}: changed while it was being fixed; nothing was written\n"
    assert target.read_text() == saved
    assert "Fixed 1 problem" in output.out and (folder / "b.py").read_text() != fixable


def test_a_link_stays_a_link(tmp_path: Path):
    target, link = tmp_path / "a.py", tmp_path / "b.py"
    target.write_text("x")
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("links can't be made here")
    fixing.write(link, "y", "utf-8", b"x")
    assert link.is_symlink() and target.read_text() == "y"
