"""Changes the analysis and the converter on purpose, a little each time, and says which changes no test notices.

    .dev/venv/bin/python tools/mutate.py --count 60 --seed 1
    .dev/venv/bin/python tools/mutate.py --sets
    .dev/venv/bin/python tools/mutate.py --again survivors.json

Mutants stand in a copy, never in the checkout. Which changes there are is `mutants.py`'s; what a survivor means is
for a person to say: a hole in the tests, or a change that changes nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mutants import SETS, Mutant, SetMutant, sample

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("analysis", "converter", "server")
ANALYSIS = "analysis/graphwright_analysis"
CONVERTER = "converter/graphwright"

KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"


@dataclass(frozen=True, slots=True)
class Stage:
    """Tests that are run together, the fast and run_reports ones before the others."""

    arguments: tuple[str, ...]
    tensorflow: bool = True


_A, _C = "tests/analysis", "tests/converter"
ANALYSIS_STAGES = (
    Stage((f"{_A}/test_snapshots.py",), False),
    Stage((*(f"{_A}/test_{name}.py" for name in ("catalogue", "editor", "imports", "bounds", "names")),), False),
    Stage((f"{_A}/test_rules.py", "-k", "not evidence"), False),
    Stage((f"{_A}/flow", f"{_A}/test_incremental.py", f"{_A}/test_specs.py", f"{_A}/test_against_tensorflow.py")),
    Stage((_A, f"--ignore={_A}/syntax", f"--ignore={_A}/flow")),
)
GENERATED = Stage((f"{_C}/test_generated_text.py",), False)
_FLOW = ("activity", "cfg", "dataflow", "liveness", "reaching", "scopes")
FLOW = Stage(tuple(f"{_A}/flow/test_{name}.py" for name in _FLOW), False)
STAGES: dict[str, tuple[Stage, ...]] = {
    f"{ANALYSIS}/flow": (FLOW, ANALYSIS_STAGES[0], GENERATED, *ANALYSIS_STAGES[1:]),
    f"{ANALYSIS}/values": ANALYSIS_STAGES,
    f"{ANALYSIS}/tracing": ANALYSIS_STAGES,
    f"{CONVERTER}/passes": (
        GENERATED,
        Stage((f"{_C}/test_passes.py", f"{_C}/test_programs.py")),
        Stage((_C,)),
    ),
    f"{CONVERTER}/runtime": (Stage((f"{_C}/test_programs.py",)), Stage((_C,))),
}
"""What is mutated, and what must notice it."""

SLOWEST = 3
"""How many times as long as without a change a stage may take."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant, and in how many seconds."""

    mutant: Mutant
    verdict: str
    stage: int
    seconds: float
    noticed_by: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="how many mutants (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--only", default="", help="only in folders whose path has this in it, such as tracing")
    parser.add_argument("--sets", action="store_true", help="the changes of everything, that hundreds must notice")
    parser.add_argument("--again", type=Path, help="only the survivors of this report")
    parser.add_argument("--report", type=Path, help="write what became of each as JSON")
    parser.add_argument("--show", action="store_true", help="run nothing, show the changes")
    parser.add_argument("--stages", type=int, default=9, help="only so many stages of each folder's tests")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time (default: 1)")
    options = parser.parse_args()
    for folder in STAGES:
        STAGES[folder] = STAGES[folder][: options.stages]
    folders = [folder for folder in STAGES if options.only in folder]
    chosen = _survivors(options.again) if options.again else sample(_files(folders), options.count, options.seed)
    if options.show:
        for mutant in chosen:
            print(described(mutant))
        return 0
    with tempfile.TemporaryDirectory(prefix="graphwright-mutants-") as scratch:
        if options.sets:
            return _run_sets(Path(scratch))
        results: list[Result] = []
        for result in _run_all(chosen, Path(scratch), options.jobs):
            results.append(result)
            if options.report:
                options.report.write_text(json.dumps([asdict(each) for each in results], indent=1), "utf-8")
    _summarise(results)
    return 0


def described(mutant: Mutant) -> str:
    """Where a mutant is, and what it changes."""
    before = (ROOT / mutant.path).read_text("utf-8")
    after = mutant.applied(before)
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "a", "b", lineterm="", n=2)
    diff = "\n".join(f"    {line}" for line in [*lines][2:])
    return f"{mutant.path}:{mutant.line}: {mutant.operator}\n{diff}"


def _files(folders: Sequence[str]) -> dict[str, str]:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def _survivors(report: Path) -> list[Mutant]:
    """Those of an earlier run, as far as their files have stayed as they were where the change is."""
    entries = json.loads(report.read_text("utf-8"))
    return [Mutant(**entry["mutant"]) for entry in entries if entry["verdict"] != KILLED]


# Running


def _run_all(chosen: Sequence[Mutant], scratch: Path, jobs: int) -> Iterator[Result]:
    copies: queue.SimpleQueue[Copy] = queue.SimpleQueue()
    for number in range(jobs):
        copies.put(Copy(scratch / str(number)))
    first = copies.get()
    used = {_folder(mutant.path) for mutant in chosen}
    stages = dict.fromkeys(stage for folder in sorted(used) for stage in STAGES[folder])
    limits = {stage: first.unchanged(stage) for stage in stages}
    copies.put(first)

    def run(mutant: Mutant) -> Result:
        copy = copies.get()
        try:
            return copy.judged(mutant, limits)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(jobs) as pool:
        for number, result in enumerate(pool.map(run, chosen), 1):
            by = f", stage {result.stage}: {result.noticed_by}" if result.noticed_by else ""
            where = f"{result.mutant.path}:{result.mutant.line}"
            print(f"{number}/{len(chosen)} {result.verdict} in {result.seconds:.0f} s: {where}{by}", flush=True)
            if result.verdict != KILLED:
                print(described(result.mutant), flush=True)
            yield result


class Copy:
    """A copy of the sources, and a process that runs the checkout's tests on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in SOURCES:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(folder)], check=True)
        command = [sys.executable, str(ROOT / "tools/mutation_runner.py")]
        self._runner = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self) -> None:
        """End the process."""
        self._runner.communicate()

    def unchanged(self, stage: Stage) -> float:
        """How long a stage may take; it must pass on what nobody has changed."""
        code, seconds, log = self.run(stage, 3600, "-x")
        if code != 0:
            raise SystemExit(f"without any change, {' '.join(stage.arguments)} fails:\n{log[-3000:]}")
        print(f"{seconds:.0f} s without a change: {' '.join(stage.arguments)}", flush=True)
        return 20 + SLOWEST * seconds

    def judged(self, mutant: Mutant, limits: dict[Stage, float]) -> Result:
        """What becomes of a mutant."""
        began = time.monotonic()
        with self.changed(mutant.path, mutant.applied((ROOT / mutant.path).read_text("utf-8"))):
            for number, stage in enumerate(STAGES[_folder(mutant.path)], 1):
                code, _, log = self.run(stage, limits[stage], "-x")
                if code != 0:
                    verdict = TIMED_OUT if code is None else KILLED
                    return Result(mutant, verdict, number, time.monotonic() - began, _first_failure(log))
        return Result(mutant, SURVIVED, 0, time.monotonic() - began)

    @contextlib.contextmanager
    def changed(self, path: str, text: str) -> Iterator[None]:
        """The copy with another text for a file, until the end of the block."""
        there = self.folder / path
        before = there.read_text("utf-8")
        for compiled in (there.parent / "__pycache__").glob(f"{there.stem}.*.pyc"):
            compiled.unlink()
        there.write_text(text, "utf-8")
        try:
            yield
        finally:
            there.write_text(before, "utf-8")

    def run(self, stage: Stage, seconds: float, *more: str) -> tuple[int | None, float, str]:
        """Exit code (None: it took too long), seconds and output of a stage's tests."""
        log = self.folder / "log.txt"
        request = {
            "arguments": [*stage.arguments, "-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:randomly", *more],
            "path": [str(self.folder / name) for name in SOURCES],
            "seconds": seconds,
            "log": str(log),
            "tensorflow": stage.tensorflow,
        }
        assert self._runner.stdin is not None
        assert self._runner.stdout is not None
        print(json.dumps(request), file=self._runner.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._runner.stdout.readline())
        return answer["code"], answer["seconds"], log.read_text("utf-8", "replace")


def _folder(path: str) -> str:
    return next(folder for folder in STAGES if path.startswith(f"{folder}/"))


def _first_failure(log: str) -> str:
    found = re.search(r"^(?:FAILED|ERROR) (.{0,120})", log, re.MULTILINE)
    return found.group(1) if found else ""


# Reporting


def _run_sets(scratch: Path) -> int:
    copy = Copy(scratch / "0")
    weak = 0
    for mutant in SETS:
        path = _defining(mutant)
        with copy.changed(path, (ROOT / path).read_text("utf-8") + mutant.text):
            failed = _failures(copy.run(ANALYSIS_STAGES[0], 3600)[2])
        weak += failed < mutant.least
        print(f"{mutant.name}: {failed} tests fail, at least {mutant.least} must", flush=True)
    return int(weak > 0)


def _defining(mutant: SetMutant) -> str:
    """The one module of the analysis that defines its function."""
    [path] = [p for p in (ROOT / ANALYSIS).rglob("*.py") if f"\n{mutant.definition}" in p.read_text("utf-8")]
    return path.relative_to(ROOT).as_posix()


def _failures(log: str) -> int:
    return sum(int(count) for count in re.findall(r"(\d+) (?:failed|errors?)\b", log.splitlines()[-1]))


def _summarise(results: Sequence[Result]) -> None:
    print()
    for folder in [*STAGES, ""]:
        counts = Counter(each.verdict for each in results if each.mutant.path.startswith(folder))
        total = sum(counts.values())
        if total:
            caught = total - counts[SURVIVED]
            parts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in (KILLED, TIMED_OUT, SURVIVED))
            print(f"{folder or 'together'}: {total} mutants, {parts}: {100 * caught / total:.0f}% caught")


if __name__ == "__main__":
    sys.exit(main())
