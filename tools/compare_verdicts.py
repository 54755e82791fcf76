"""Runs published packages' own tests as they are and with `gw.function` in place of `tf.function`: verdicts must agree.

    python tools/compare_verdicts.py [--package gpflow] [--all] [-n 2] [PYTEST_ARGUMENT ...]

The packages are those of requirements/others.txt, installed in .dev/others with TensorFlow. A chosen part of their
tests runs, or all with `--all`. A test whose verdict differs, or that runs on one side only, is told: the exit code
is 1.
"""

from __future__ import annotations

import argparse
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".dev/others/bin/python"


@dataclass(frozen=True)
class Tests:
    """A package's tests: the folder in site-packages that holds them, and what of it runs by default."""

    folder: str
    chosen: tuple[str, ...]


PACKAGES = {
    "sonnet": Tests(
        "sonnet/src",
        ("base_test.py", "batch_norm_test.py", "conv_test.py", "dropout_test.py", "group_norm_test.py")
        + ("linear_test.py", "metrics_test.py", "moving_averages_test.py", "nets", "once_test.py", "optimizers")
        + ("recurrent_test.py", "regularizers_test.py", "sequential_test.py"),
    ),
    "gpflow": Tests(
        "tests/gpflow",
        ("test_base.py", "test_base_training.py", "test_functions.py", "test_inducing_variables.py")
        + ("test_initial_value.py", "test_monitor.py", "conditionals/test_util.py", "kernels/test_hierarchical.py")
        + ("models/test_gpr.py", "optimizers", "posteriors/test_bo_integration.py")
        + ("utilities/test_multipledispatch.py",),
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=[*PACKAGES], action="append")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-n", default="2", metavar="PROCESSES")
    parser.add_argument("--python", type=Path, default=PYTHON, help=argparse.SUPPRESS)
    options, others = parser.parse_known_args()
    failed = 0
    for package in options.package or PACKAGES:
        tests = PACKAGES[package]
        chosen = [tests.folder] if options.all else [f"{tests.folder}/{part}" for part in tests.chosen]
        with tempfile.TemporaryDirectory() as scratch:
            copied(options.python, tests.folder, Path(scratch))
            command = [options.python, "-m", "pytest", "-q", "-p", "function_in_place", "-p", "no:cacheprovider"]
            command += ["-n", options.n, *chosen, *others]
            failed += told(package, *(verdicts(command, scratch, name) for name in ("tensorflow", "graphwright")))
    return 1 if failed else 0


def copied(python: Path, folder: str, target: Path) -> None:
    """Tests of their own, beside what they test, get a folder where they hide no package of the same name."""
    if not folder.startswith("tests/"):
        (target / Path(folder).parts[0]).symlink_to(site_of(python) / Path(folder).parts[0])
        return
    shutil.copytree(site_of(python) / folder, target / folder)
    (target / "tests" / "__init__.py").touch()


def site_of(python: Path) -> Path:
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip())


def verdicts(command: list[str | Path], folder: str, function: str) -> dict[str, str]:
    """What became of each test."""
    paths = [ROOT / "tools", ROOT / "analysis", ROOT / "converter"]
    around = {"PYTHONPATH": os.pathsep.join(map(str, paths)), "FUNCTION": function, "TF_CPP_MIN_LOG_LEVEL": "3"}
    report = Path(folder, f"{function}.xml")
    done = subprocess.run(
        [*command, f"--junitxml={report}"], env={**os.environ, **around}, cwd=folder, capture_output=True, text=True
    )
    if not report.is_file():
        raise SystemExit(f"pytest ended with {done.returncode} and no report:\n{(done.stdout + done.stderr)[-3000:]}")
    cases = ET.parse(report).getroot().iter("testcase")
    return {f"{case.get('classname')}::{case.get('name')}": verdict_of(case) for case in cases}


def verdict_of(case: ET.Element) -> str:
    kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
    return kinds[0] if kinds else "passed"


def told(package: str, before: dict[str, str], after: dict[str, str]) -> int:
    """How many verdicts differ; each is printed."""
    different = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    for name in different:
        print(
            f"{package}: {name}: {before.get(name, 'not run')} as it is, {after.get(name, 'not run')} with gw.function"
        )
    counts = collections.Counter(before.values())
    counted = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items()))
    print(f"{package}: {len(before)} tests ({counted}): {len(different)} verdicts differ with gw.function", flush=True)
    return len(different)


if __name__ == "__main__":
    sys.exit(main())
