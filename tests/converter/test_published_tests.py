"""A published package's own tests pass with every function of it converted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.error
from pathlib import Path

import archives
import pytest

HERE = Path(__file__).parent
TOOLS = HERE.parent.parent / "tools"


@pytest.mark.truth
@pytest.mark.thorough
@pytest.mark.parametrize(("package", "count"), [("toolz", 192)])
def test_its_own_tests_pass_converted(package: str, count: int) -> None:
    (pin,) = archives.pins([package], HERE / "packages.txt")
    try:
        folder = archives.fetched(*pin)
    except urllib.error.URLError as error:
        pytest.skip(f"{package} can't be fetched: {error}")
    paths = os.pathsep.join([str(TOOLS), str(folder), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "converted_in_place", "-p", "no:cacheprovider", package]
    around = {**os.environ, "PYTHONPATH": paths, "CONVERTED": package}
    done = subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    found = re.search(r"(\d+) passed", done.stdout)
    assert found is not None and int(found[1]) == count
