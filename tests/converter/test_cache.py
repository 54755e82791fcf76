"""Generated code on the disk: found again, safe among processes, and never in the way."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from graphwright import cache
from graphwright_analysis import folders

CODE = compile("1 + x", "<test>", "eval")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("GRAPHWRIGHT_NO_CACHE", raising=False)
    return tmp_path / "conversions"


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def test_what_is_stored_is_found(folder):
    key = cache.key_of("text", 1)
    assert cache.load(key) is None
    cache.store(key, CODE)
    found = cache.load(key)
    assert found is not None
    assert eval(found, {"x": 2}) == 3
    assert [path.name for path in entries(folder)] == [f"{key}.gw"]


def test_keys_differ_by_every_part():
    assert len({cache.key_of(*parts) for parts in [("a", "b"), ("ab",), ("a", "b", None), ("b", "a"), ("a", 1)]}) == 5


@pytest.mark.parametrize("damage", [b"", b"short", None, b"x" * 500])
def test_a_damaged_entry_is_ignored_and_written_again(folder, damage):
    key = cache.key_of("damaged")
    cache.store(key, CODE)
    path = folder / f"{key}.gw"
    path.write_bytes(path.read_bytes()[:-3] if damage is None else damage)
    assert cache.load(key) is None
    cache.store(key, CODE)
    assert cache.load(key) is not None


@pytest.mark.skipif(sys.platform == "win32", reason="rights are POSIX's")
def test_it_is_the_users_alone(folder, monkeypatch):
    key = cache.key_of("private")
    before = os.umask(0)
    try:
        cache.store(key, CODE)
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert cache.load(key) is not None
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="rights are POSIX's")
def test_a_folder_of_somebody_else_is_not_used(folder, monkeypatch):
    key = cache.key_of("foreign")
    cache.store(key, CODE)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert cache.load(key) is None
    cache.store(cache.key_of("other"), CODE)
    assert [path.name for path in entries(folder)] == [f"{key}.gw"]


@pytest.mark.skipif(sys.platform == "win32", reason="links are POSIX's")
def test_a_link_to_a_folder_is_not_used(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    cache.store(cache.key_of("link"), CODE)
    assert not entries(tmp_path / "elsewhere")


def test_switched_off(folder, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_NO_CACHE", "1")
    key = cache.key_of("off")
    cache.store(key, CODE)
    assert cache.load(key) is None
    assert entries(folder) == []


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "file" / "below"))
    cache.store(cache.key_of("nowhere"), CODE)
    assert cache.load(cache.key_of("nowhere")) is None


def test_the_longest_unused_go(folder):
    keys = [cache.key_of(number) for number in range(6)]
    for age, key in enumerate(keys):
        cache.store(key, CODE)
        os.utime(folder / f"{key}.gw", (1000 - age, 1000 - age))
    (folder / "abandoned.part").write_text("")
    os.utime(folder / "abandoned.part", (1000, 1000))
    cache.prune(folder, most=2)
    assert [path.name for path in entries(folder)] == sorted(f"{key}.gw" for key in keys[:2])


WRITER = """
import sys
from graphwright import cache

for turn in range(100):
    key = cache.key_of("shared", turn % 5)
    file = "text %d" % (turn % 5) * 2000
    found = cache.load(key)
    assert found is None or found.co_filename == file, "half an entry was read"
    cache.store(key, compile("1 + 1", file, "eval"))
"""


def test_many_writers_at_once(folder):
    running = [subprocess.Popen([sys.executable, "-c", WRITER], stderr=subprocess.PIPE) for _ in range(4)]
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()
    assert len(entries(folder)) == 5


PROGRAM = """
def f(x):
    if x > 0:
        x = -x
    return x

import graphwright as gw
from graphwright import pipeline, conversion
calls = []
real = conversion.generate
conversion.generate = lambda source, pairs: calls.append(source) or real(source, pairs=pairs)
code = conversion.running_code(f)
print(len(calls), len(code.co_consts) > 1)
"""


def test_a_new_process_is_served_from_the_disk(folder, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))

    def run(text: str | None = None) -> str:
        if text is not None:
            program.write_text(text)
        command = [sys.executable, str(program)]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()

    assert run() == "1 True"
    assert run() == "0 True"
    assert run(PROGRAM.replace("x > 0", "x > 1")) == "1 True"
    assert run(PROGRAM.replace("def f", "\ndef f")) == "1 True", "the lines are part of it"
    assert run(PROGRAM) == "0 True"


INSTALLED = """
def f(x):
    if x > 0:
        x = -x
    return x

from graphwright.conversion import running_code
print(*running_code(f).co_names)
"""


def converted_by(path: Path, tmp_path: Path) -> str:
    """What an installation of ours at a path converts a program to."""
    program = tmp_path / "program.py"
    program.write_text(INSTALLED)
    command = [sys.executable, str(program)]
    around = {**os.environ, "PYTHONPATH": str(path)}
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=around).stdout


def installed_in(folder: Path) -> Path:
    """A copy of what converts, as an installer would put it there."""
    for package in (Path(cache.__file__).parent, Path(folders.__file__).parent):
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_an_upgrade_under_the_same_version_converts_again(folder, tmp_path):
    site = installed_in(tmp_path / "site-packages")
    branches = site / "graphwright/passes/branches.py"
    before = converted_by(site, tmp_path)
    times = branches.stat()
    text = branches.read_text("utf-8")
    assert '"if_"' in text
    branches.write_text(text.replace('"if_"', '"iF_"'), "utf-8")
    os.utime(branches, ns=(times.st_atime_ns, times.st_mtime_ns))
    shutil.rmtree(branches.parent / "__pycache__", ignore_errors=True)
    after = converted_by(site, tmp_path)
    assert ("if_" in before.split(), "iF_" in after.split()) == (True, True)
    assert len(entries(folder)) == 2


def test_an_archive_and_compiled_files_have_a_cache_too(folder, tmp_path):
    site = installed_in(tmp_path / "plain")
    archive = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", site))
    compiled = installed_in(tmp_path / "compiled")
    compileall.compile_dir(compiled, legacy=True, quiet=1)
    for source in compiled.rglob("*.py"):
        source.unlink()
    for number, path in enumerate((archive, compiled), 1):
        assert "if_" in converted_by(path, tmp_path).split()
        assert len(entries(folder)) == number, path


def test_without_files_of_its_own_it_keeps_nothing(folder, monkeypatch):
    monkeypatch.setattr(cache, "_CONVERTING", ("graphwright.nowhere",))
    cache._converter.cache_clear()
    try:
        key = cache.key_of("frozen")
        cache.store(key, CODE)
        assert cache.load(key) is None
    finally:
        cache._converter.cache_clear()
