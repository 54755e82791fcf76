"""Checks published TensorFlow code and compares what is found with the list of reviewed findings.

The packages are pinned in tests/corpus/packages.txt, fetched into .dev/corpus/ and unpacked there; nothing of them is
installed or run. `--update` rewrites the list, new findings marked `?` for somebody to look at.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.parse
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "tests/corpus/packages.txt"
FOLDER = ROOT / ".dev/corpus"
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


def pins(packages: list[str], listed: Path = PINS) -> list[tuple[str, str]]:
    """The archives to fetch, by file name and digest."""
    rows = [line.split() for line in listed.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    wanted = {name.lower().replace("_", "-") for name in packages}
    return [(name, digest) for name, digest in rows if not wanted or project_of(name) in wanted]


def project_of(archive: str) -> str:
    return re.split(r"-\d", archive)[0].lower().replace("_", "-")


# Fetching


def fetched(archive: str, digest: str) -> Path:
    """The folder that the archive is unpacked in."""
    folder = FOLDER / project_of(archive)
    if (folder / ".whole").is_file() and (folder / ".whole").read_text() == digest:
        return folder
    print(f"fetching {archive}", flush=True)
    raw = download(archive)
    if hashlib.sha256(raw).hexdigest() != digest:
        raise SystemExit(f"{archive} isn't what is pinned")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    packed = folder / archive
    packed.write_bytes(raw)
    if archive.endswith(".whl"):
        with zipfile.ZipFile(packed) as wheel:
            wheel.extractall(folder)
    else:
        with tarfile.open(packed) as source:
            source.extractall(folder, filter="data")
    packed.unlink()
    (folder / ".whole").write_text(digest)
    return folder


def download(archive: str) -> bytes:
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
    page = f"{index}/{project_of(archive)}/"
    with urllib.request.urlopen(page, timeout=60) as answer:
        links = Links()
        links.feed(answer.read().decode("utf-8"))
    for link in links.found:
        if urllib.parse.unquote(urllib.parse.urlsplit(link).path.rpartition("/")[2]) == archive:
            with urllib.request.urlopen(urllib.parse.urljoin(page, link), timeout=300) as answer:
                return answer.read()
    raise SystemExit(f"{page} has no {archive}")


class Links(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]


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
        (f"{each['file'].replace(os.sep, '/')}:{each['line']}", each["rule"]): each["severity"]
        for each in told
        if each["severity"] in ("error", "warning")
    }
    return found, failures


def count_lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))


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
