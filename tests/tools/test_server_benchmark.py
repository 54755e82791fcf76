"""The benchmark of language servers runs from one end to the other; how fast anything is, is no test's matter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[2] / "benchmarks/server/run.py"


@pytest.mark.thorough
def test_a_short_run_as_json():
    # A turn of eleven edits ends with one alone, of which no CPU can be told.
    options = ["--sizes", "100", "--files", "no such file", "--only", "bare", "--edits", "11", "--starts", "1"]
    run = subprocess.run(
        [sys.executable, str(RUN), *options, "--no-load", "--json"], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert (found["real"], found["load"], list(found["generated"])) == ({}, {}, ["100"])
    assert list(found["generated"]["100"]) == ["bare pygls", "bare pygls, asked"]
    for server in found["generated"]["100"].values():
        assert len(server["taken"]["name"]["edits"]) == 9
        assert len(server["taken"]["name"]["cpu"]) == 1
        assert server["stale"] == 0
