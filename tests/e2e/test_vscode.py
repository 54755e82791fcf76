"""Drive a real VS Code with the packaged extension in headless Chromium, as a user would.

The steps themselves are in `vscode-extension/e2e/scenarios/`, one file for each scenario.
Screenshots are written to `tests/e2e/shots/`.
Skipped where Chromium, Node or VS Code are missing; with GRAPHWRIGHT_E2E=require that is a failure.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NODE = ROOT / ".dev" / "node" / "bin" / "node"
CODE_SERVER = ROOT / ".dev" / "code-server" / "node_modules" / "code-server"
BARE_PYTHON = ROOT / ".dev" / "pip" / "bin"
EXAMPLE = ROOT / "examples" / "undefined_in_branch.py"
SHOTS = ROOT / "tests" / "e2e" / "shots"
PATIENCE_SECONDS = 480

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("vscode")]


@dataclass(frozen=True, slots=True)
class Machine:
    """What the scenarios run with."""

    chromium: str
    vsix: Path
    installed: Path
    """Where the extension is installed once, to be copied for each scenario."""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    search = subprocess.run([ROOT / "tools" / "setup_chromium.sh"], capture_output=True, text=True, check=False)
    if search.returncode != 0:
        missing(search.stderr.strip())
    if not NODE.exists() or not CODE_SERVER.exists():
        missing("VS Code and its Node aren't installed: `make test` installs them where Node 18 or newer is")
    packages = sorted((ROOT / "dist").glob("graphwright-*.vsix"))
    if not packages:
        missing("the extension isn't packaged: `make extension`")
    return Machine(search.stdout.strip(), packages[-1], tmp_path_factory.mktemp("installed").resolve())


SCENARIOS = sorted(path.stem for path in (ROOT / "vscode-extension" / "e2e" / "scenarios").glob("*.mjs"))
# What has colours of its own is looked at in a light theme, too.
BOTH_THEMES = ("fix", "hints", "preview", "trace")


@pytest.mark.parametrize(
    ("scenario", "theme"),
    [*((name, "dark") for name in SCENARIOS), *((name, "light") for name in BOTH_THEMES)],
)
def test_in_a_real_vs_code(scenario: str, theme: str, machine: Machine) -> None:
    command = [NODE, ROOT / "vscode-extension" / "e2e" / "run.mjs", scenario, machine.vsix, EXAMPLE, SHOTS, theme]
    # A Python with nothing installed comes first on the PATH: the bundle must suffice.
    # Where the user's code is run, this Python and its TensorFlow do it.
    path = f"{BARE_PYTHON}{os.pathsep}{os.environ['PATH']}"
    environment = {
        **os.environ,
        "CHROMIUM": machine.chromium,
        "PATH": path,
        "GRAPHWRIGHT_E2E_PYTHON": sys.executable,
        "GRAPHWRIGHT_E2E_INSTALLED": str(machine.installed),
    }
    code, output = run_group([str(part) for part in command], environment)
    assert code == 0, f"{scenario} failed; the screenshots are in {SHOTS.relative_to(ROOT)}\n{output}"


def run_group(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run a program in its own process group, which is ended as one when it takes too long."""
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            output, _ = process.communicate()
            output += f"\nNot finished after {PATIENCE_SECONDS} seconds."
    return process.returncode, output


def missing(reason: str) -> None:
    if os.environ.get("GRAPHWRIGHT_E2E") == "require":
        pytest.fail(f"the end-to-end tests are required here, but {reason}")
    pytest.skip(reason)
