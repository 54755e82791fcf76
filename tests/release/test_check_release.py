"""`make release-check` fails where something is amiss; what it builds and runs is no test's matter."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import check_release
import pytest


def test_a_check_that_fails_is_shown_with_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    def broken(place: Path) -> None:
        """It works."""
        check_release.run([sys.executable, "-c", "print('a reason'); raise SystemExit(3)"])

    assert not check_release.passes(broken, tmp_path / "place")
    shown = capsys.readouterr().out
    assert shown.startswith("FAILED It works. (") and "ended with 3, not 0" in shown and "a reason" in shown


def test_what_a_check_skips_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def skipping(place: Path) -> str:
        """It works."""
        return check_release.skipped("no browser")

    monkeypatch.delenv("GRAPHWRIGHT_E2E", raising=False)
    assert check_release.passes(skipping, tmp_path / "first")
    assert "skipped: no browser" in capsys.readouterr().out
    monkeypatch.setenv("GRAPHWRIGHT_E2E", "require")
    assert not check_release.passes(skipping, tmp_path / "second")


def test_an_archive_without_a_file_is_refused(tmp_path: Path):
    archive = tmp_path / "a.whl"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("package/py.typed", "")
    check_release.contains(archive, ("package/py.typed",))
    with pytest.raises(check_release.CheckFailed, match=r"a\.whl lacks LICENSE"):
        check_release.contains(archive, ("package/py.typed", "LICENSE"))


def test_an_old_build_beside_the_new_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(check_release, "DIST", tmp_path)
    for name in ("a-1.whl", "a-2.whl"):
        (tmp_path / name).touch()
    with pytest.raises(check_release.CheckFailed, match="should have one"):
        check_release.wheel()


def test_a_page_with_a_relative_link_is_refused(tmp_path: Path):
    for name, text in {"good": "[a](https://x.y/b) [c](#d)", "bad": "[a](https://x.y/b) ![c](docs/d.png)"}.items():
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as opened:
            opened.writestr("graphwright-1.dist-info/METADATA", text)
    check_release.links_are_absolute(tmp_path / "good.whl")
    with pytest.raises(check_release.CheckFailed, match=r"relative links: docs/d\.png"):
        check_release.links_are_absolute(tmp_path / "bad.whl")
