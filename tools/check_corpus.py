"""Checks published TensorFlow code and compares what is found with the list of reviewed findings.

The packages are pinned in tests/corpus/packages.txt, and `archives` fetches them; nothing of them is installed or run.
`--update` rewrites the list, new findings marked `?` for somebody to look at.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archives import FOLDER, ROOT, fetched, pins
from graphwright_analysis.notebooks import python_cells

REVIEWED = ROOT / "tests/corpus/reviewed.txt"
HEAD = """\
# What is found in the packages of tests/corpus/packages.txt, as tools/check_corpus.py tells it.
# Each line: verdict (`true`, `false`, `?` for not looked at), place, rule; the reason is indented below it.
"""
LINES_FOR_AN_ERROR = 20_000


@dataclass(frozen=True)
class Reviewed:
    verdict: str
    note: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="only these; all if none is named")
    parser.add_argument("--update", action="store_true", help="rewrite the list of reviewed findings")
    options = parser.parse_args()
    folders = [fetched(name, digest) for name, digest in pins(options.packages)]
    started = time.monotonic()
    found, messages = checked(folders)
    seconds = time.monotonic() - started
    lines = sum(count_lines(folder) for folder in folders)
    errors = sum(1 for severity in found.values() if severity == "error")
    print(f"{lines:,} lines in {seconds:.1f} s: {len(found)} findings, {errors} errors, {len(messages)} failures")
    for message in messages:
        print(f"FAILED {message}")
    reviewed = {key: r for key, r in read(REVIEWED).items() if any(key[0].startswith(f.name + "/") for f in folders)}
    for key in sorted(found.keys() - reviewed.keys()):
        print(f"NEW    {key[0]} {key[1]}")
    for key in sorted(reviewed.keys() - found.keys()):
        print(f"GONE   {key[0]} {key[1]} ({reviewed[key].verdict})")
    verdicts = collections.Counter(reviewed[key].verdict if key in reviewed else "?" for key in found)
    print("reviewed: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    if options.update:
        write(REVIEWED, {key: reviewed.get(key, Reviewed("?")) for key in found})
        return 0
    return 1 if messages or found.keys() != reviewed.keys() or errors * LINES_FOR_AN_ERROR > lines else 0


# Checking

Key = tuple[str, str]


def checked(folders: list[Path]) -> tuple[dict[Key, str], list[str]]:
    """Severities of errors and warnings by place and rule, and what went wrong."""
    command = [sys.executable, "-m", "graphwright_server", "check", "--no-cache", "--format", "json", "--exit-zero"]
    done = subprocess.run([*command, *(folder.name for folder in folders)], cwd=FOLDER, capture_output=True, text=True)
    failures = [line for line in done.stderr.splitlines() if "bug in Graphwright" in line]
    if "Traceback" in done.stderr:
        failures.append(done.stderr[done.stderr.index("Traceback") :][:2000])
    if done.returncode != 0 and not failures:
        failures = [f"exit code {done.returncode}: {done.stderr[-500:]}"]
    told = json.loads(done.stdout or "[]")
    found = {
        (place_of(each), each["rule"]): each["severity"] for each in told if each["severity"] in ("error", "warning")
    }
    return found, failures


def place_of(finding: dict[str, Any]) -> str:
    """A file and line, or a notebook, cell and line."""
    cell = f"#{finding['cell']}" if finding.get("cell") else ""
    return f"{finding['file'].replace(os.sep, '/')}{cell}:{finding['line']}"


def count_lines(folder: Path) -> int:
    """Lines of code, those of notebooks' cells among them."""
    cells = (cell for path in folder.rglob("*.ipynb") for cell in python_cells(path.read_bytes()))
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py")) + sum(
        cell.source.count("\n") + 1 for cell in cells
    )


# The list


def read(path: Path) -> dict[Key, Reviewed]:
    found: dict[Key, Reviewed] = {}
    last: Key | None = None
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(" ") and last is not None:
            before = found[last]
            found[last] = Reviewed(before.verdict, f"{before.note} {line.strip()}".strip())
            continue
        verdict, place, rule = line.split()
        last = (place, rule)
        found[last] = Reviewed(verdict)
    return found


def write(path: Path, rows: dict[Key, Reviewed]) -> None:
    def order(key: Key) -> tuple[str, int, str]:
        file, _, line = key[0].rpartition(":")
        return file, int(line), key[1]

    text = HEAD
    for key in sorted(rows, key=order):
        text += f"{rows[key].verdict:5} {key[0]} {key[1]}\n"
        if rows[key].note:
            text += f"      {rows[key].note}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
