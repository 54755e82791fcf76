"""What the editor is told, as tables in Markdown: each block is a file with what is shown in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graphwright_analysis import Project, Range, Settings, code_lenses, hover, inlay_hints, semantic_tokens, traces_of
from graphwright_analysis.mdtest import Section, sections

FOLDER = Path(__file__).parent / "editor"


def cases(name: str) -> list[object]:
    return [pytest.param(s, id=s.title) for s in sections((FOLDER / name).read_text("utf-8"))]


def project_with(text: str) -> Project:
    project = Project(None, Settings())
    project.set_text("file.py", text)
    return project


@pytest.mark.parametrize("section", cases("inlay_hints.md"))
def test_inlay_hints(section: Section):
    for _, wanted in section.blocks:
        assert with_hints(re.sub("«.*?»", "", wanted), {"types", "control flow"}) == wanted


@pytest.mark.parametrize("section", cases("traces.md"))
def test_hints_at_calls(section: Section):
    for _, wanted in section.blocks:
        assert with_hints(re.sub("«.*?»", "", wanted), {"traces"}) == wanted


@pytest.mark.parametrize("section", cases("trace_counts.md"))
def test_counts_of_traces(section: Section):
    for _, wanted in section.blocks:
        text = re.sub("«.*?»", "", wanted)
        assert with_counts(text) == wanted


@pytest.mark.parametrize("section", cases("semantic_tokens.md"))
def test_semantic_tokens(section: Section):
    for _, wanted in section.blocks:
        text = got = re.sub("[«»]", "", wanted)
        for token in reversed(semantic_tokens(project_with(text), "file.py")):
            start, end = token.range.start, token.range.end
            got = f"{got[:start]}«{got[start:end]}»{got[end:]}"
        assert got == wanted


def with_counts(text: str) -> str:
    """The program with what lenses say of traces at the ends of their lines."""
    got = text
    for lens in reversed(code_lenses(project_with(text), "file.py")):
        if lens.kind == "traces":
            end = got.index("\n", lens.range.start)
            got = f"{got[:end]}«{lens.title}»{got[end:]}"
    return got


def with_hints(text: str, kinds: set[str]) -> str:
    got = text
    for hint in reversed(inlay_hints(project_with(text), "file.py", Range(0, len(text)), frozenset(kinds))):
        got = f"{got[: hint.offset]}«{hint.label.strip()}»{got[hint.offset :]}"
    return got


def test_hints_are_given_for_the_part_that_is_asked_for():
    text = "import tensorflow as tf\nx = tf.zeros([2])\ny = tf.ones([3])\n"
    [hint] = inlay_hints(project_with(text), "file.py", Range(text.index("y ="), len(text)))
    assert (hint.offset, hint.label) == (text.index("y =") + 1, ": float32[3]")


TRACED = """\
import tensorflow as tf

class Model:
    @tf.function
    def step(self, x):
        return x

def loss(x):
    return x

model = Model()
model.step(tf.ones([2]))
model.step(tf.ones([3]))
fast = tf.function(loss)
"""


def test_lenses_stand_at_decorated_and_wrapped_functions():
    lenses = code_lenses(project_with(TRACED), "file.py")
    titles = ["Preview graph code", "Trace", "2 traces", "Time"]
    assert [lens.title for lens in lenses] == [*titles, *(title for title in titles if title != "2 traces")]
    assert {TRACED[lens.range.start : lens.range.end] for lens in lenses} == {"step", "tf.function(loss)"}
    assert {lens.offset for lens in lenses} == {TRACED.index("step("), TRACED.index("loss(")}


MAPPED = """\
import tensorflow as tf

class Parser:
    def parse(self, row):
        return row * 2

def keep(row):
    return row > 0

@tf.function
def decorated(row):
    return row

def first(row):
    return row

def unused(row):
    return row

def main(rows):
    def shift(row):
        return row + 1
    ds = tf.data.Dataset.from_tensor_slices([1, 2]).map(Parser().parse).filter(keep).map(decorated).map(shift)
    return ds.flat_map(lambda row: tf.data.Dataset.from_tensors(row)).map(first).map(first)

main([1])
"""


def test_lenses_stand_at_functions_that_datasets_are_given():
    lenses = code_lenses(project_with(MAPPED), "file.py")
    found = {}
    for lens in lenses:
        found.setdefault(MAPPED[lens.range.start : lens.range.end], []).append(lens.title)
    decorated = found.pop("decorated")
    assert decorated[0] == "Preview graph code" and "1 trace" in decorated
    assert found == {name: ["Preview graph code", "Trace", "Time"] for name in ("parse", "keep", "first", "shift")}
    assert all(lens.offset == lens.range.start for lens in lenses)


def test_lenses_stand_at_functions_that_graphwright_decorates():
    text = (
        "import graphwright as gw\nfrom graphwright import function\n\n@gw.function(promote=True)\ndef step(x):\n"
        "    return x\n\nclass Model:\n    @function\n    def call(self, x):\n        return x\n\ndef plain(x): ...\n"
    )
    lenses = code_lenses(project_with(text), "file.py")
    assert [lens.title for lens in lenses] == ["Preview graph code", "Trace", "Time"] * 2
    assert {text[lens.range.start : lens.range.end] for lens in lenses} == {"step", "call"}


def test_the_traces_of_a_function_are_listed_with_their_calls():
    found = traces_of(project_with(TRACED), "file.py", TRACED.index("return x"))
    assert found is not None and found.count == "2 traces"
    assert [each.signature for each in found.made] == ["step(x: float32[2])", "step(x: float32[3])"]
    assert found.made[1].cause == "`x` changed from float32[2] to float32[3]"
    assert [TRACED[span.start : span.end] for each in found.made for span in each.calls] == [
        "model.step(tf.ones([2]))",
        "model.step(tf.ones([3]))",
    ]


HOVERED = """\
import tensorflow as tf

@tf.function
def total(xs, scale):
    result = 0.0
    for x in xs:
        if x > 0.0:
            result = result + x
    if scale:
        result = result * 2.0
    else:
        pass
    return result

def plain(x):
    if x > 0:
        return x
    return -x

total(tf.ones([3]), True)
total(tf.ones([4]), True)
plain(tf.ones([]))
"""


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("|for x in xs", ("**Part of the graph.** `xs` is a tensor (`float32[", "| `result` |")),
        ("for x |in xs", ("**Part of the graph.**",)),
        ("|if x > 0.0", ("`x > 0.0` is a tensor (`bool[]`): becomes `tf.cond`", "| `result` | `float32[]`")),
        ("|if scale", ("**Decided by Python.** `scale` is `True` in Python",)),
        ("|else:", ("**Decided by Python.**",)),
        ("|if x > 0:", ("**Plain Python.** No call", "In a graph: `x > 0` is a tensor (`bool[]`): becomes `tf.cond`")),
        (
            "in |xs:",
            ("xs: float32[?]", "A parameter, passed on line 20 as `float32[3]`, line 21 as `float32[4]`"),
        ),
        ("result = |result + x", ("Bound on line 5: `result = 0.0`", "the loop on line 6 carries it")),
        ("result |+ x", ("result + x: float32[]",)),
        ("|total(tf.ones([4]), True)", ("tf.function", "`total` is traced again, because `xs` changed from")),
        ("tf.|ones([3])", ("tf.ones([3]): float32[3]",)),
    ],
)
def test_hover(before: str, words: tuple[str, ...]):
    found = hover(project_with(HOVERED), "file.py", HOVERED.index(before.replace("|", "")) + before.index("|"))
    assert found is not None
    for each in words:
        assert each in found.markdown


LAYERS = """\
import tensorflow as tf

class Scaled(tf.keras.layers.Layer):
    def __init__(self, scale=2, mode="twice", groups=None, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale
        self.mode = mode
        self.groups = groups
        self.warm = False

    def call(self, inputs, training=None):
        if self.warm:
            inputs = inputs * 2.0
        if training:
            inputs = inputs * 3.0
        if self.scale != 1 and self.mode == "twice":
            inputs = inputs * 4.0
        if inputs["image"].shape.rank > 3 or inputs["image"].dtype == tf.int32:
            inputs = inputs * 5.0
        for key in inputs.keys():
            inputs = inputs * 6.0
        for name, held in inputs.items():
            inputs = self.moved(held)
        if self.groups:
            inputs = inputs * 7.0
        return inputs

    def warm_up(self):
        self.warm = True

class Inherited(Scaled):
    def moved(self, held):
        if held.shape.rank == self.scale:
            return held
        if self.name_of(held):
            return held * 2.0
        return held

    def name_of(self, held):
        if held:
            return "a"
        return None
"""


@pytest.mark.parametrize("called", ["", "Scaled()({'image': tf.ones([2, 2])})\nInherited()({'image': tf.ones([2])})\n"])
@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("|if self.warm", "**Decided by Python.**"),
        ("|if training", "**Decided by Python.**"),
        ("|if self.scale", "**Decided by Python.**"),
        ('|if inputs["image"]', "**Decided by Python.**"),
        ("|for key", "**Decided by Python.**"),
        ("|for name", "**Decided by Python.**"),
        ("|if held.shape", "**Decided by Python.**"),
        ("|if self.groups", "**Open.**"),
        ("|if held:", "**Open.**"),
    ],
)
def test_what_keras_calls_in_a_graph_is_shown_in_one_though_the_calls_make_none(before: str, words: str, called: str):
    text = LAYERS + called
    found = hover(project_with(text), "file.py", text.index(before.replace("|", "")) + before.index("|"))
    assert found is not None and words in found.markdown
    assert project_with(text).check("file.py") == ()


GENERATOR = """\
import tensorflow as tf
import graphwright as gw

def positive(xs):
    for i in range(2):
        if xs[i] > 0.0:
            yield xs[i]

@{converter}.function
def total(xs):
    return sum(positive(xs))

total(tf.constant([1.0, -2.0]))
"""


@pytest.mark.parametrize(
    ("converter", "words"),
    [("gw", "**Open.** `xs[i] > 0.0` is a tensor"), ("tf", "but `positive` is a generator, which AutoGraph never")],
)
def test_what_a_tensor_decides_in_a_generator_may_be_of_the_graph(converter: str, words: str):
    text = GENERATOR.format(converter=converter)
    found = hover(project_with(text), "file.py", text.index("if xs"))
    assert found is not None and words in found.markdown


BASE = """\
import tensorflow as tf

class Base(tf.keras.layers.Layer):
    def __init__(self, wide=False):
        super().__init__()
        self.wide = wide

    def call(self, x):
        return self.moved(x)
"""

SUB = """\
import tensorflow as tf
from base import Base

class Sub(Base):
    def __init__(self, by=1):
        super().__init__()
        if by == 1:
            self.by = tf.constant(by)

    def moved(self, x):
        if self.wide:
            return x
        if tf.reduce_sum(x) > 0.0:
            return x
        return x + 1.0
"""
CALLS = "\n\nSub(2).moved(tf.ones([2]))\n"


def test_what_is_only_shown_is_that_of_the_newest_texts(tmp_path: Path):
    flagged = BASE.replace("wide=False", "wide=None")
    other = BASE.replace("self.moved(x)", "x")
    turns = [(BASE, SUB), (BASE, SUB + CALLS), (flagged, SUB + CALLS), (other, SUB + CALLS), (other, SUB), (BASE, SUB)]
    used, path = Project(tmp_path, Settings()), str(tmp_path / "sub.py")
    seen = set[str]()
    for base, text in [*turns, *reversed(turns)]:
        told = list[object]()
        for project in (used, Project(tmp_path, Settings())):
            (tmp_path / "base.py").write_text(base)
            project.set_text(str(tmp_path / "base.py"), base)
            project.set_text(path, text)
            hovers = [hover(project, path, at.start()) for at in re.finditer(r"\bif\b|self\b|\bx\b", text)]
            told.append((project.check(path), [each and each.markdown for each in hovers]))
            seen |= {each.markdown for each in hovers if each is not None}
        assert told[0] == told[1]
    assert any("**Decided by Python.** `self.wide`" in each for each in seen)
    assert any("**Open.** `self.wide` is unknown" in each for each in seen)


def test_an_object_made_again_is_told_in_words():
    text = (
        "import tensorflow as tf\n\nclass Config:\n    pass\n\n@tf.function\ndef f(x, by):\n    return x\n\n"
        "first, second = Config(), Config()\nf(tf.constant(1.0), first)\nf(tf.constant(1.0), second)\n"
    )
    hints = inlay_hints(project_with(text), "file.py", Range(0, len(text)))
    told = [hint.tooltip for hint in hints if hint.kind == "traces"]
    assert "because `by` is a new object on every call." in told[-1]
