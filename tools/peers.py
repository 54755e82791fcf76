"""Runs published packages' own tests as they are, converted and called eagerly, and converted in a trace.

    python tools/peers.py [--only toolz] [--mode eager] [--ci] [--reasons] [-n 2]

The packages are those of tests/peers/suites.txt: archives from PyPI, fetched as `archives` does it, and modules of
Python's own library with CPython's tests of them. What passes as it is must pass converted. Differences that are
accepted stand in tests/peers/accepted.txt with their reason; one that isn't there fails the run, and so does one
that no longer differs.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from archives import ROOT, fetched

PEERS = ROOT / "tests/peers"
MODES = ("eager", "trace")


@dataclass(frozen=True)
class Suite:
    """The tests of a package: where they are, which modules they are of, and whether they take part in CI."""

    name: str
    archive: str
    digest: str
    modules: str
    tests: tuple[str, ...]
    is_short: bool


@dataclass(frozen=True)
class Run:
    """What became of each test of a suite in a mode, and the seconds that it took."""

    outcomes: dict[str, tuple[str, str]]
    seconds: float


Runs = dict[tuple[Suite, str], Run]

Differences = dict[tuple[str, str, str], str]
"""What differs: the suite, the mode and the test, with what the test fails with or the reason to accept it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="SUITE")
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--ci", action="store_true", help="only the suites that take part in CI")
    parser.add_argument("--reasons", action="store_true", help="also say what each test fails with, by how often")
    parser.add_argument("-n", type=int, default=2, metavar="PROCESSES")
    options = parser.parse_args()
    modes = options.mode or list(MODES)
    chosen = [suite for suite in suites() if (suite.is_short or not options.ci) and is_named(suite, options.only)]
    for suite in chosen:
        place(suite)
    each = [(suite, mode) for suite in chosen for mode in ("plain", *modes)]
    with concurrent.futures.ThreadPoolExecutor(options.n) as pool:
        runs = dict(zip(each, pool.map(lambda key: run(*key), each), strict=True))
    print(*table(chosen, modes, runs), sep="\n")
    found = dict(differences(runs))
    if options.reasons:
        counts = collections.Counter(found.values())
        print(*(f"{count:5} {words}" for words, count in counts.most_common(60)), sep="\n")
    wrong = list(complaints(runs, found))
    print(*wrong, sep="\n")
    print(f"{len(found)} differences, {len(wrong)} that aren't as tests/peers/accepted.txt says")
    return 1 if wrong else 0


def is_named(suite: Suite, names: list[str] | None) -> bool:
    return not names or suite.name in names


def suites(listed: Path = PEERS / "suites.txt") -> Iterator[Suite]:
    """The suites, a line each: name, archive and digest or `python -`, modules, `ci` or `long`, tests."""
    for line in listed.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, archive, digest, modules, part, *tests = line.split()
            yield Suite(name, archive, digest, modules, tuple(tests), part == "ci")


def accepted(listed: Path = PEERS / "accepted.txt") -> Differences:
    """The accepted differences; a line that begins with `#` is the reason of those below it."""
    reason, found = "", {}
    for line in listed.read_text("utf-8").splitlines():
        if line.startswith("#"):
            reason = line[1:].strip()
        elif line:
            suite, mode, test = line.split(" ", 2)
            found[suite, mode, test] = reason
    return found


def run(suite: Suite, mode: str) -> Run:
    """Run the tests of a suite in a process of their own."""
    folder, path = place(suite)
    paths = [str(path), *(str(ROOT / part) for part in ("tools", "analysis", "converter"))]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "converted_in_place", "-p", "no:cacheprovider"]
    command += [
        "--continue-on-collection-errors",
        "-o",
        "addopts=",
        "-m",
        "not stress",
        "-W",
        "ignore",
        f"--rootdir={folder}",
        *(str(folder / test) for test in suite.tests),
    ]
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "outcomes.json")
        around = {"CONVERTED": suite.modules.replace(",", " "), "MODE": mode, "OUTCOMES": str(report)}
        quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
        alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        own = {"PYTHONPATH": os.pathsep.join(paths), "GRAPHWRIGHT_CACHE_DIR": scratch}
        begin = time.monotonic()
        done = subprocess.run(
            command,
            cwd=folder if path.is_dir() else scratch,
            env={**os.environ, **around, **quiet, **alone, **own},
            capture_output=True,
            text=True,
        )
        if not report.is_file():
            print(f"{suite.name}, {mode}: no report\n{(done.stdout + done.stderr)[-3000:]}")
            return Run({}, time.monotonic() - begin)
        print(f"{suite.name}, {mode}: {done.stdout.strip().splitlines()[-1]}", file=sys.stderr, flush=True)
        outcomes = {test: tuple(outcome) for test, outcome in json.loads(report.read_text("utf-8")).items()}
    return Run(outcomes, time.monotonic() - begin)


def place(suite: Suite) -> tuple[Path, Path]:
    """The folder of a suite's tests, and the one that its package is imported from."""
    if suite.archive == "python":
        folder = Path(sysconfig.get_path("stdlib"), "test")
        return folder, folder / "no packages"
    folder = fetched(suite.archive, suite.digest)
    inner = [path for path in folder.iterdir() if path.is_dir()]
    folder = inner[0] if suite.archive.endswith(".tar.gz") else folder
    return folder, folder / "src" if (folder / "src").is_dir() else folder


def differences(runs: Runs) -> Iterator[tuple[tuple[str, str, str], str]]:
    """What passes as it is and doesn't pass in another mode."""
    for (suite, mode), run in runs.items():
        for test, (outcome, _) in runs[suite, "plain"].outcomes.items():
            other, words = run.outcomes.get(test, ("not run", "it isn't run"))
            if outcome == "passed" and other != "passed":
                yield (suite.name, mode, test), words or other


def complaints(runs: Runs, found: Differences) -> Iterator[str]:
    """What isn't as the accepted differences say: new ones, and those that are none any more."""
    ran = {(suite.name, mode) for suite, mode in runs}
    listed = {key for key in accepted() if key[:2] in ran}
    yield from (f"new: {' '.join(key)}: {words}" for key, words in found.items() if key not in listed)
    yield from (f"no longer differs: {' '.join(key)}" for key in sorted(listed - found.keys()))


def table(chosen: list[Suite], modes: list[str], runs: Runs) -> Iterator[str]:
    """A line for each suite: how many tests it has, how many pass in each mode, and the seconds of each."""
    columns = ["plain", *modes]
    yield f"{'suite':18}{'tests':>7}" + "".join(f"{column:>8}{'s':>6}" for column in columns)
    for suite in chosen:
        each = [runs[suite, column] for column in columns]
        passed = [sum(outcome == "passed" for outcome, _ in run.outcomes.values()) for run in each]
        counts = "".join(f"{count:8}{run.seconds:6.0f}" for count, run in zip(passed, each, strict=True))
        yield f"{suite.name:18}{len(each[0].outcomes):7}{counts}"


if __name__ == "__main__":
    sys.exit(main())
