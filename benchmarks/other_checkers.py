"""Counts what other checkers, and TensorFlow itself, report of the mistakes that the rule pages show.

Each page has a program with a mistake and the same program without it. A checker that reports anything in the first,
and nothing in the second, has found the mistake. Whether TensorFlow raises an exception is in the
page's evidence, which the tests run.

    python benchmarks/other_checkers.py                     # pyright, from the checkout's Node
    python benchmarks/other_checkers.py --ty "uvx ty"
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYRIGHT = [str(ROOT / ".dev/node/bin/node"), str(ROOT / ".dev/node/node_modules/pyright/index.js")]
Checker = Callable[[Path], set[str]]
"""Returns the names of the files in a folder in which something is reported."""


def main(arguments: list[str]) -> int:
    """Print one row for each checker."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--ty", metavar="COMMAND", help="how ty is run")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        names = write_programs(Path(folder))
        print(f"{len(names)} programs with a mistake, as many without")
        checkers: dict[str, Checker] = {"graphwright": of_graphwright, "pyright": of_pyright}
        if options.ty:
            checkers["ty"] = lambda where: of_ty(where, shlex.split(options.ty))
        for name, checker in checkers.items():
            report(name, names, checker(Path(folder)))
        raising = [name for name in names if "pytest.raises(" in page_of(name).read_text("utf-8")]
        print(f"TensorFlow   raises an exception in {len(raising)}, says nothing in {len(names) - len(raising)}")
    return 0


def write_programs(folder: Path) -> list[str]:
    """Write each page's two programs; return the names of the pages."""
    names: list[str] = []
    for page in sorted((ROOT / "docs" / "rules").glob("*-*.md")):
        text = page.read_text("utf-8")
        blocks = {
            title: re.search(rf"^## {title}\n+```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
            for title in ("Bad", "Good")
        }
        bad, good = blocks["Bad"], blocks["Good"]
        if bad is None or good is None:
            continue
        name = page.stem.replace("-", "_")
        names.append(name)
        (folder / f"bad_{name}.py").write_text(bad.group(1), "utf-8")
        (folder / f"good_{name}.py").write_text(good.group(1), "utf-8")
    return names


def page_of(name: str) -> Path:
    return ROOT / "docs" / "rules" / f"{name.replace('_', '-')}.md"


def report(checker: str, names: list[str], found: set[str]) -> None:
    """Print how many mistakes a checker found, and in how many programs without one it reported something."""
    alarms = [name for name in names if f"good_{name}.py" in found]
    hits = [name for name in names if f"bad_{name}.py" in found and name not in alarms]
    print(f"{checker:12} finds {len(hits)}, reports something in {len(alarms)} programs without a mistake")


def of_graphwright(folder: Path) -> set[str]:
    paths = [str(ROOT / name) for name in ("analysis", "converter", "server")]
    command = [sys.executable, "-m", "graphwright_server", "check", "--no-cache", "--format", "json", "."]
    findings = json.loads(output_of(command, folder, {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}))
    return {Path(each["file"]).name for each in findings if each["severity"] in ("error", "warning")}


def of_pyright(folder: Path) -> set[str]:
    (folder / "pyrightconfig.json").write_text('{"include": ["."]}')
    findings = json.loads(output_of([*PYRIGHT, "--outputjson", "--pythonpath", sys.executable], folder))
    return {
        Path(each["file"]).name for each in findings["generalDiagnostics"] if each["severity"] in ("error", "warning")
    }


def of_ty(folder: Path, program: list[str]) -> set[str]:
    command = [*program, "check", "--output-format", "concise", "--python", sys.prefix, "."]
    return set(re.findall(r"^(?:\./)?(\S+\.py):\d+:\d+: ", output_of(command, folder), re.MULTILINE))


def output_of(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Return what a program prints; that it found something isn't a failure."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=1200)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command[:3])} failed: {done.stderr[-500:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
