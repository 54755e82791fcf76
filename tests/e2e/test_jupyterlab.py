"""Drive JupyterLab in headless Chromium through the magics, as a user would.

The steps themselves are in `vscode-extension/e2e/jupyterlab.mjs`. Screenshots are written to `tests/e2e/shots/`.
Skipped where Chromium, Node or JupyterLab are missing; with GRAPHWRIGHT_E2E=require that is a failure.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import pytest

ROOT = Path(__file__).resolve().parents[2]
NODE = ROOT / ".dev" / "node" / "bin" / "node"
DRIVER = ROOT / "vscode-extension" / "e2e" / "jupyterlab.mjs"
PLAYWRIGHT = ROOT / "vscode-extension" / "node_modules" / "playwright-core"
SHOTS = ROOT / "tests" / "e2e" / "shots"

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("vscode")]

CELLS = (
    "%load_ext graphwright\nimport tensorflow as tf",
    """%%gw
@tf.function
def scaled(x, n):
    total = tf.reduce_sum(x) * tf.cast(n, tf.float32)
    return total

for i in range(3):
    scaled(tf.ones([2]), i)
""",
    "def bad(x):\n    if tf.reduce_sum(x) > 0:\n        z = 1\n    return z",
    "%%gw\ncalled = tf.function(bad)\nn = 3",
    "%gw_check",
)


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(tmp_path: Path, theme: str) -> Iterator[str]:
    """The address of a notebook in a JupyterLab with settings of its own."""
    if importlib.util.find_spec("jupyterlab") is None or not NODE.exists() or not PLAYWRIGHT.exists():
        missing("JupyterLab, Node or Playwright isn't installed: `make test` installs them")
    cells = [
        {"cell_type": "code", "id": str(n), "metadata": {}, "execution_count": None, "outputs": [], "source": text}
        for n, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "model.ipynb").write_text(json.dumps(notebook), "utf-8")
    settings = tmp_path / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    name = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[theme]
    (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": name}), "utf-8")
    quiet = json.dumps({"fetchNews": "false", "checkForUpdates": False})
    (settings / "notification.jupyterlab-settings").write_text(quiet, "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    yield from running(tmp_path, folder, port)


def running(home: Path, folder: Path, port: int) -> Iterator[str]:
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--allow-root", "--IdentityProvider.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}"]
    command += [f"--LabApp.user_settings_dir={home / 'settings'}", f"--LabApp.workspaces_dir={home / 'workspaces'}"]
    command += ["--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    environment = {**os.environ, "HOME": str(home), "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment |= {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    log = (home / "server.log").open("w")
    with subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True) as process:
        try:
            wait_for(f"http://127.0.0.1:{port}/api", process, home / "server.log")
            yield f"http://127.0.0.1:{port}/lab/tree/model.ipynb"
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=10).close()
            return
        except (URLError, OSError):
            assert process.poll() is None, log.read_text("utf-8")
            time.sleep(0.2)
    raise AssertionError(log.read_text("utf-8"))


def test_the_magics_in_jupyterlab(server: str, theme: str) -> None:
    search = subprocess.run([ROOT / "tools" / "setup_chromium.sh"], capture_output=True, text=True, check=False)
    if search.returncode != 0:
        missing(search.stderr.strip())
    command = [str(NODE), str(DRIVER), server, str(SHOTS), theme]
    environment = {**os.environ, "CHROMIUM": search.stdout.strip()}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=480, check=False)
    assert done.returncode == 0, done.stderr
    outputs = json.loads(done.stdout)["outputs"]
    assert "scaled: 3 traces" in outputs[1] and "n was int 0 in trace 1 and is int 1 now." in outputs[1]
    assert "total: float32[] = tf.reduce_sum(x)" in outputs[1]
    assert "No findings in this cell." in outputs[3]
    assert "In [2], line 8" in outputs[4]


def missing(reason: str) -> None:
    if os.environ.get("GRAPHWRIGHT_E2E") == "require":
        pytest.fail(f"the end-to-end tests are required here, but {reason}")
    pytest.skip(reason)
