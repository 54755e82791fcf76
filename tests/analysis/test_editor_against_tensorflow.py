"""What the editor shows of the examples, and of programs that are hard to tell, is what TensorFlow does with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graphwright_analysis.mdtest import Section, sections

from . import editor_truth

pytest.importorskip("tensorflow")

COUNTS = Path(__file__).parent / "editor" / "trace_counts.md"
COUNTED = [s for s in sections(COUNTS.read_text("utf-8")) if not any("elsewhere" in text for _, text in s.blocks)]
TOLD = re.compile(r"def .*«(\d+) traces?»")
EXAMPLES = Path(__file__).parents[2] / "examples"
JUDGED = Path(__file__).parent / "judged"

HARD = """\
import tensorflow as tf

@tf.function
def grown(ds):
    history = tf.zeros([2], tf.int64)
    for x in ds:
        history = tf.concat([history, [x]], axis=0)
    return history

grown(tf.data.Dataset.range(3))

@tf.function
def inner(x):
    return x + 1.0

@tf.function
def outer(x, n=3):
    y = inner(x) * 2.0 if n > 3 else inner(x)
    for scale in (1.0, 0.5):
        y = inner(y) * scale
    for i in range(tf.size(x)):
        y = y + tf.cast(i, tf.float32)
    return tf.reduce_sum(y)

outer(tf.ones([3]))
outer(tf.ones([3]), 3)
outer(tf.ones([4]), n=4)
inner(tf.ones([4]))
inner(tf.ones([5]))

layer = tf.keras.layers.Dense(2)

@tf.function
def layered(x):
    return layer(x)

layered(tf.ones([2, 3]))
layered(tf.ones([2, 3]))
layered(tf.ones([4, 3]))

class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.total = tf.Variable(0.0)

    @tf.function
    def add(self, x, by):
        if by > 1:
            x = x * 2.0
        return self.total.assign_add(x)

first, second = Counter(), Counter()
for by in range(3):
    first.add(tf.constant(1.0), by)
second.add(tf.constant(1.0), 2)
second.add(tf.constant(1.0), tf.constant(2))

def train(steps):
    for step in range(steps):
        outer(tf.ones([3]), step)

def drive():
    train(2)
"""


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples(path: Path, tmp_path: Path):
    found, _ = editor_truth.wrong(path.read_text("utf-8"), tmp_path, path.stem)
    assert found == []


@pytest.mark.parametrize("path", sorted(JUDGED.glob("*.py")), ids=lambda path: path.stem)
def test_programs_about_one_kind_of_value(path: Path, tmp_path: Path):
    """Those whose snapshots say what is known of each name; each ends by binding `finished`."""
    text = path.read_text("utf-8")
    seen = editor_truth.run(text, tmp_path, path.stem)
    assert "finished" in seen.names
    found, compared = editor_truth.held_against(text, seen, path.stem)
    wrong, held = editor_truth.wrong_constants(text, seen)
    assert found + wrong == []
    assert compared + held > 50


def test_hard_programs(tmp_path: Path):
    found, compared = editor_truth.wrong(HARD, tmp_path, "hard")
    assert found == []
    assert compared > 20


@pytest.mark.parametrize("section", [pytest.param(s, id=s.title) for s in COUNTED])
def test_counts_of_traces(section: Section, tmp_path: Path):
    """Programs with the number of traces behind each traced function, where it has one."""
    for number, (_, text) in enumerate(section.blocks):
        counts = editor_truth.counted(re.sub("«.*?»", "", text), tmp_path, f"program{number}")
        told = {n: int(count) for n, line in enumerate(text.splitlines(), 1) for count in TOLD.findall(line)}
        assert told
        assert {line: counts[line] for line in told} == told


def test_a_wrong_hint_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    text = "import tensorflow as tf\nx = tf.zeros([2])\n"
    hint = editor_truth.InlayHint(text.index("x =") + 1, ": int32[2]", "types", "")
    monkeypatch.setattr(editor_truth, "inlay_hints", lambda *arguments: (hint,))
    assert editor_truth.wrong(text, tmp_path, "told") == (
        ["told:2: ': int32[2]' is shown, but it was ['float32[2]']"],
        1,
    )
