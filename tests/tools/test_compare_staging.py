"""What AutoGraph decides is written down as it happens, and compared with what hovers say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """\
import staging_recorder
import tensorflow as tf

@tf.function
def step(x, flag, times):
    if flag:
        x = x + 1.0
    if tf.reduce_sum(x) > 0.0:
        x = x * 2.0
    y = x if times is None else x * 3.0
    for _ in range(2):
        y = y + 1.0
    for row in x:
        y = y + row
    while tf.reduce_sum(y) < 10.0:
        y = y + 1.0
    count = 0
    while count < 2:
        count += 1
    return y

step(tf.ones([2]), True, None)
step(tf.ones([2]), True, 2)
"""
DECIDED = [(6, "if"), (8, "if"), (10, "ifexp"), (11, "for"), (13, "for"), (15, "while"), (18, "while")]
IN_GRAPH = {8, 13, 15}


@pytest.mark.truth
def test_what_runs_is_written_down_and_compared(tmp_path: Path):
    pytest.importorskip("tensorflow")
    program, record = tmp_path / "program.py", tmp_path / "record.jsonl"
    program.write_text(PROGRAM)
    ran = {**os.environ, "STAGING_RECORD": str(record), "PYTHONPATH": str(ROOT / "tools")}
    subprocess.run([sys.executable, str(program)], env=ran, check=True, capture_output=True)
    found = [json.loads(line) for line in record.read_text().splitlines()]
    assert found == [[str(program), *at, "graph" if at[0] in IN_GRAPH else "python"] for at in DECIDED]
    tool = [sys.executable, str(ROOT / "tools/compare_staging.py"), str(tmp_path)]
    right = subprocess.run([*tool, str(record)], capture_output=True, text=True)
    assert right.stdout == "7 places: 7 right (100.0%)\n" and right.returncode == 0
    turned = {"graph": "python", "python": "graph"}
    record.write_text("".join(json.dumps([*each[:3], turned[each[3]]]) + "\n" for each in found))
    wrong = subprocess.run([*tool, str(record)], capture_output=True, text=True)
    assert "wrong program.py:8 if: python\n" in wrong.stdout and wrong.returncode == 1
