"""What is said of the user's Python and TensorFlow, told from names of files."""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from graphwright_server.environments import Environment, environment_of
from lsprotocol import types
from pytest_lsp import LanguageClient


def make(prefix: Path, *packages: str, version: str = "3.12.4") -> Path:
    """An environment as `venv` makes it, with a program that must never be started."""
    site = prefix / "lib" / "python3.12" / "site-packages"
    for package in packages:
        (site / f"{package}.dist-info").mkdir(parents=True)
    (prefix / "bin").mkdir(parents=True, exist_ok=True)
    (prefix / "pyvenv.cfg").write_text(f"home = /usr/bin\nversion = {version}\n", "utf-8")
    program = prefix / "bin" / "python"
    program.write_text(f"#!/bin/sh\ntouch {prefix}/started\n", "utf-8")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("tensorflow-2.21.0", "2.21.0"),
        ("tensorflow_cpu-2.16.1", "2.16.1"),
        ("tensorflow_macos-2.15.0", "2.15.0"),
        ("tf_nightly-2.22.0.dev20260101", "2.22.0.dev20260101"),
        ("tensorflow_probability-0.25.0", None),
        ("tensorflow_io_gcs_filesystem-0.37.1", None),
    ],
)
def test_the_tensorflow_of_a_folders_environment(tmp_path: Path, package: str, version: str | None):
    program = make(tmp_path / ".venv", "numpy-2.0.0", package)
    packages = (tmp_path / ".venv" / "lib" / "python3.12" / "site-packages",)
    assert environment_of([tmp_path], None, {}) == Environment(".venv", str(program), "3.12.4", version, packages)
    assert not (tmp_path / ".venv" / "started").exists()


def test_words(tmp_path: Path):
    make(tmp_path / ".venv", "tensorflow-2.21.0")
    assert environment_of([tmp_path], None, {}).words == "TensorFlow 2.21.0 in .venv (Python 3.12.4)"
    make(tmp_path / "empty" / "venv")
    assert environment_of([tmp_path / "empty"], None, {}).words == "No TensorFlow in venv (Python 3.12.4)"


def test_the_chosen_interpreter_comes_first_and_the_activated_one_last(tmp_path: Path):
    chosen = make(tmp_path / "chosen")
    make(tmp_path / "project" / "venv")
    make(tmp_path / "activated")
    variables = {"VIRTUAL_ENV": str(tmp_path / "activated")}
    assert environment_of([tmp_path / "project"], str(chosen), variables).name == "chosen"
    assert environment_of([tmp_path / "project"], None, variables).name == "venv"
    assert environment_of([tmp_path], None, variables).name == "activated"


def test_a_half_made_environment_is_passed_over(tmp_path: Path):
    (tmp_path / ".venv").mkdir()
    assert environment_of([tmp_path], None, {}).executable == sys.executable


def test_the_own_environment_agrees_with_its_metadata():
    distributions = ("tensorflow", "tensorflow-cpu")
    versions = {found.version for name in distributions for found in importlib.metadata.distributions(name=name)}
    assert environment_of([], None, {}).tensorflow in (versions or {None})


def test_an_interpreter_that_is_not_there(tmp_path: Path):
    assert environment_of([], str(tmp_path / "nowhere" / "python"), {}).tensorflow is None


@pytest.mark.asyncio
async def test_the_server_is_asked(connect: Callable[..., Awaitable[LanguageClient]], tmp_path: Path):
    make(tmp_path / ".venv", "tensorflow-2.21.0")
    client = await connect(tmp_path)
    answer = await client.protocol.send_request_async("graphwright/environment", {})
    assert answer.words == "TensorFlow 2.21.0 in .venv (Python 3.12.4)"
    assert answer.executable == os.fspath(tmp_path / ".venv" / "bin" / "python")
    wanted = f"{answer.words}: {answer.executable}"
    for _ in range(200):  # it is told once the client's configuration is known
        if any(wanted in message.message for message in client.log_messages):
            return
        await asyncio.sleep(0.1)
    pytest.fail("the log doesn't say what was found")


@pytest.mark.asyncio
async def test_the_client_names_an_interpreter(connect: Callable[..., Awaitable[LanguageClient]], tmp_path: Path):
    program = make(tmp_path / "chosen", "tensorflow_cpu-2.19.0")

    def name_it(params: types.InitializeParams) -> None:
        params.initialization_options = {"interpreter": str(program)}

    client = await connect(tmp_path, initialize=name_it)
    answer = await client.protocol.send_request_async("graphwright/environment", {})
    assert (answer.name, answer.tensorflow) == ("chosen", "2.19.0")
