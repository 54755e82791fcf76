"""Builds what a release consists of, installs each part where nothing else is, and runs it: `make release-check`.

It publishes nothing. The extension is packaged and VS Code installed before: that is the Makefile's.
The hook is run from a clone, which has what is committed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import release_facts

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
NODE = ROOT / ".dev" / "node" / "bin" / "node"
CODE_SERVER = ROOT / ".dev" / "code-server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
EXAMPLE = ROOT / "examples" / "undefined_in_branch.py"
RULE = "undefined-in-branch"
IN_THE_WHEEL = (
    *("graphwright/py.typed", "graphwright_analysis/py.typed", "graphwright_server/py.typed"),
    *("dist-info/sboms/graphwright.cdx.json", "dist-info/licenses/LICENSE"),
)
IN_THE_VSIX = ("extension/THIRD_PARTY_NOTICES.txt", "extension/sbom.cdx.json", "extension/LICENSE.txt")
IMPORTS = "import graphwright, graphwright_analysis, graphwright_server; print(graphwright_analysis.__version__)"
RELATIVE_TARGET = re.compile(r"\]\((?!https?://|#)([^)\s]+)\)")
PATIENCE_SECONDS = 600

Check = Callable[[Path], "str | None"]
"""A check of a release: it gets a folder, and says what it has to say beside that it passed."""


class CheckFailed(Exception):
    """Something isn't ready to be released; the text says what."""


def main() -> int:
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="graphwright-release-") as folder:
        passed = [passes(check, Path(folder) / check.__name__) for check in CHECKS]
    print(f"{sum(passed)} of {len(passed)} passed in {time.monotonic() - started:.0f} s")
    return 0 if all(passed) else 1


def passes(check: Check, place: Path) -> bool:
    """Run one check, in a folder of its own, and print how it went."""
    started = time.monotonic()
    place.mkdir()
    try:
        said, word = check(place) or "", "ok"
    except (CheckFailed, subprocess.TimeoutExpired) as failure:
        said, word = str(failure), "FAILED"
    print(f"{word:6} {check.__doc__} ({time.monotonic() - started:.0f} s)", flush=True)
    for line in said.strip().splitlines():
        print(f"       {line}", flush=True)
    return word == "ok"


# The checks


def statements(place: Path) -> None:
    """Version, addresses, bills of materials and licenses are up to date."""
    run([sys.executable, ROOT / "tools" / "release_facts.py", "--check"])
    run([sys.executable, ROOT / "tools" / "bundled.py", "--check"])
    run([sys.executable, ROOT / "tools" / "check_locks.py"])


def workflows(place: Path) -> None:
    """actionlint and zizmor have nothing to say of the workflows and the action."""
    run([program("actionlint")])
    run([program("zizmor"), "--offline", "--quiet", "."])


def distributions(place: Path) -> None:
    """The wheel and the source distribution are built, and have what belongs in them."""
    for stale in [*DIST.glob("*.whl"), *DIST.glob("*.tar.gz")]:
        stale.unlink()
    run([sys.executable, "-m", "hatchling", "build", "-d", DIST])
    run([program("twine"), "check", "--strict", wheel(), source()])
    contains(wheel(), IN_THE_WHEEL)
    contains(vsix(), IN_THE_VSIX)
    links_are_absolute(wheel())


def wheel_runs(place: Path) -> None:
    """The wheel, with the language server, in a clean environment."""
    python = clean_environment(place, f"{wheel()}[server]")
    imports_and_checks(python)
    answers(python.with_name("graphwright"))


def source_runs(place: Path) -> None:
    """The source distribution, without the language server, in a clean environment."""
    imports_and_checks(clean_environment(place, str(source())))


def extension_runs(place: Path) -> str:
    """The extension in a new VS Code: it is listed, and a finding has its fix."""
    if missing := [str(path.relative_to(ROOT)) for path in (NODE, CODE_SERVER) if not path.exists()]:
        return skipped(f"{' and '.join(missing)} not installed")
    folders = [*("--user-data-dir", place / "user"), *("--extensions-dir", place / "extensions")]
    quiet = {"HOME": str(place), "XDG_CONFIG_HOME": str(place), "EXTENSIONS_GALLERY": "{}"}
    run([NODE, CODE_SERVER, *folders, "--install-extension", vsix(), "--force"], environment=quiet)
    listed = run([NODE, CODE_SERVER, *folders, "--list-extensions", "--show-versions"], environment=quiet)
    wanted = f"graphwright.graphwright@{release_facts.facts()['version']}"
    if wanted not in listed.split():
        raise CheckFailed(f"{wanted} isn't listed:\n{listed}")
    search = subprocess.run([ROOT / "tools" / "setup_chromium.sh"], capture_output=True, text=True, check=False)
    if search.returncode:
        return skipped(search.stderr)
    scenario = [ROOT / "vscode-extension" / "e2e" / "run.mjs", "fix", vsix(), EXAMPLE, place / "shots"]
    run([NODE, *scenario], environment={"CHROMIUM": search.stdout.strip()})
    return ""


def hook_runs(place: Path) -> None:
    """pre-commit runs both hooks of a clone."""
    clone, project = place / "clone", place / "project"
    run(["git", "clone", "--quiet", ROOT, clone])
    revision = run(["git", "rev-parse", "HEAD"], clone).strip()
    project.mkdir()
    shutil.copyfile(EXAMPLE, project / "bad.py")
    (project / "good.py").write_text("import tensorflow as tf\n")
    (project / "pyproject.toml").write_text("[tool.graphwright]\n")
    hooks = json.dumps([{"id": "graphwright"}, {"id": "graphwright-project"}])
    (project / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {clone}\n    rev: {revision}\n    hooks: {hooks}\n"
    )
    run(["git", "init", "--quiet"], project)
    run(["git", "add", "."], project)
    environment = {"PRE_COMMIT_HOME": str(place / "cache"), "GRAPHWRIGHT_CACHE_DIR": str(place / "findings")}
    command = [program("pre-commit"), "run", "--color=never"]
    found = run([*command, "--all-files"], project, environment, code=1)
    if found.count(f"bad.py:22:14: error[{RULE}]") != 2:
        raise CheckFailed(f"not both hooks have found {RULE}:\n{found}")
    run([*command, "graphwright", "--files", "good.py"], project, environment)


CHECKS = (statements, workflows, distributions, wheel_runs, source_runs, extension_runs, hook_runs)


# What the checks are made from


def clean_environment(place: Path, package: str) -> Path:
    """The Python of a new environment that has a package and what that needs."""
    run([sys.executable, "-m", "venv", place / "venv"])
    python = place / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", package])
    run([python, "-m", "pip", "check", "--disable-pip-version-check"])
    return python


def imports_and_checks(python: Path) -> None:
    """What is installed has the version, and finds what an example is about."""
    version = release_facts.facts()["version"]
    if run([python, "-I", "-c", IMPORTS]).strip() != version:
        raise CheckFailed(f"{python} has another version than {version}")
    found = run([python.with_name("graphwright"), "check", "--no-cache", EXAMPLE], code=1)
    if f"error[{RULE}]" not in found:
        raise CheckFailed(f"{RULE} was not found in {EXAMPLE.name}:\n{found}")


def answers(graphwright: Path) -> None:
    """The language server starts, says what it is, and ends when it is told to."""
    initialize = {"processId": None, "rootUri": None, "capabilities": {}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown", "params": None},
        {"jsonrpc": "2.0", "method": "exit", "params": None},
    ]
    texts = [json.dumps(message) for message in messages]
    said = run(
        [graphwright, "server", "--stdio"],
        text="".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in texts),
    )
    if '"serverInfo"' not in said or '"hoverProvider"' not in said:
        raise CheckFailed(f"the language server said:\n{said[:2000]}")


def contains(archive: Path, names: tuple[str, ...]) -> None:
    with zipfile.ZipFile(archive) as opened:
        there = opened.namelist()
    if missing := [name for name in names if not any(each.endswith(name) for each in there)]:
        raise CheckFailed(f"{archive.name} lacks {', '.join(missing)}")


def links_are_absolute(package: Path) -> None:
    """The page of a package has no link or picture that only works in the repository."""
    with zipfile.ZipFile(package) as opened:
        (metadata,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        left = RELATIVE_TARGET.findall(opened.read(metadata).decode("utf-8"))
    if left:
        raise CheckFailed(f"the package's page has relative links: {', '.join(left)}")


def skipped(reason: str) -> str:
    if os.environ.get("GRAPHWRIGHT_E2E") == "require":
        raise CheckFailed(reason)
    return f"skipped: {reason}"


def wheel() -> Path:
    return only("*.whl")


def source() -> Path:
    return only("*.tar.gz")


def vsix() -> Path:
    return only("*.vsix")


def only(pattern: str) -> Path:
    found = list(DIST.glob(pattern))
    if len(found) != 1:
        raise CheckFailed(f"dist/ has {len(found)} files {pattern}, and should have one")
    return found[0]


def program(name: str) -> Path:
    """A program of the environment that this one runs in."""
    return Path(sys.executable).with_name(name)


def run(
    command: list[str | Path],
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    code: int = 0,
    text: str = "",
) -> str:
    """What a program prints; another exit code is a failure."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=inherited | dict(environment or {}),
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    if done.returncode != code:
        shown = " ".join(Path(part).name if isinstance(part, Path) else part for part in command[:5])
        raise CheckFailed(f"`{shown}` ended with {done.returncode}, not {code}:\n{done.stdout[-3000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
