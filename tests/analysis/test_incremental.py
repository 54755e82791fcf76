"""The same text gives the same findings, whatever edits led to it; and no text, however cut up, raises."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphwright_analysis import (
    Project,
    Range,
    Settings,
    all_rules,
    code_actions,
    code_lenses,
    hover,
    inlay_hints,
    semantic_tokens,
)
from graphwright_analysis.mdtest import sections
from graphwright_analysis.tracing.driver import budgets
from graphwright_analysis.values.tensorflow.tables import NEWEST
from pages import CATALOGUE, read_entries, read_page
from random_edits import edited, typed_again
from tiers import part, sampled

HEAD = "import numpy as np\nimport tensorflow as tf\n"
ROOT = Path(__file__).resolve().parents[2]


def sources() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "examples").glob("*.py")):
        yield f"{path.stem} (example)", path.read_text("utf-8")
    for rule in all_rules():
        yield rule.name, read_page(rule).bad
    for entry in (entry for page in CATALOGUE for entry in read_entries(page)):
        yield f"{entry.rule} (catalogue)", entry.bad + "\n\n" + entry.cured
    # Real code of another kind, with every construct of the language: our own.
    for name in ("tracing/library/tensor_arrays.py", "syntax/headers.py"):
        yield name, "import tensorflow as tf\n" + (ROOT / "analysis/graphwright_analysis" / name).read_text("utf-8")


SOURCES = dict(sources())


@pytest.fixture(autouse=True)
def _no_rule_fails(caplog: pytest.LogCaptureFixture) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """A rule that fails is only logged; here that counts."""
    yield
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def equals_fresh(project: Project, text: str, dice: random.Random, path: str = "file.py") -> bool:
    """Whether the project says of a text what one that never saw another says."""
    fresh = Project(project.sources.root, project.sources.settings)
    project.set_text(path, text)
    fresh.set_text(path, text)
    everything = Range(0, len(text))
    offsets = [dice.randrange(len(text) + 1) for _ in range(3)]
    return (
        project.check(path) == fresh.check(path)
        and all(hover(project, path, at) == hover(fresh, path, at) for at in offsets)
        and code_actions(project, path, everything) == code_actions(fresh, path, everything)
        and inlay_hints(project, path, everything) == inlay_hints(fresh, path, everything)
        and semantic_tokens(project, path) == semantic_tokens(fresh, path)
        and code_lenses(project, path) == code_lenses(fresh, path)
    )


@pytest.mark.parametrize("name", sampled(sorted(SOURCES), 4))
def test_edits_lead_to_what_a_fresh_look_finds(name: str):
    dice = random.Random(f"edits of {name}")
    project, texts = Project(None, Settings()), [SOURCES[name]]
    coming: list[str] = []
    for step in range(6 if len(texts[0]) < 8000 else 4):
        assert equals_fresh(project, texts[-1], dice), f"after {step} edits"
        if not coming:
            chance = dice.random()
            if chance < 0.1:
                coming = list(typed_again(texts[-1], dice))[-3:]
            elif chance < 0.2:
                # Back to an earlier text, as an undo does.
                coming = [dice.choice(texts)]
            else:
                coming = [edited(texts[-1], dice)]
        texts.append(coming.pop(0))


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_prefix_can_be_checked(name: str):
    """What an editor shows while a file is typed from its first character on."""
    project, text = Project(None, Settings()), SOURCES[name]
    stride = max(1, len(text) // 8)
    for end in range(stride, len(text), stride):
        project.set_text("file.py", text[:end])
        project.check("file.py")


def test_findings_elsewhere_stay_while_a_statement_is_half_typed():
    text = SOURCES["undefined_in_branch (example)"] + "\n\nresult = scaled_loss(tf.constant(1.0), "
    project = Project(None, Settings())
    whole = Project(None, Settings())
    whole.set_text("file.py", SOURCES["undefined_in_branch (example)"])
    project.set_text("file.py", text)
    assert {d.rule for d in project.check("file.py")} >= {d.rule for d in whole.check("file.py")} != set()


TRACED = "\n@tf.function\ndef f(x):\n    return x\n\n"
LAST_BATCH = "ds = tf.data.Dataset.range({}).batch(4)\n" + TRACED + "for batch in ds:\n    f(batch)\n"
REBOUND = "rate = 0.1\n" + TRACED.replace("return x", "return x * rate") + "f(tf.ones([]))\nrate = {}\nf(tf.ones([]))\n"
COUNTED = "start = {}\n" + TRACED + "for number in range(start, 9):\n    f(number)\n"
EITHER = "if start:\n    def zeta(x):\n        return g(x)\n    def alpha(x):\n        return g(x)\n"


@pytest.mark.parametrize(
    "texts",
    [
        # What `==` of values leaves out counts as well.
        pytest.param([LAST_BATCH.format(n) for n in (8, 10, 8, "n", 11)], id="count of a dataset"),
        pytest.param([COUNTED.format(n) for n in (5, 8, "n", 0, 5)], id="known and unknown numbers"),
        pytest.param([REBOUND.format(n) for n in ("0.2", "0.1 + 0.1")], id="where a name was bound"),
        pytest.param(
            [EITHER + TRACED.replace("f(", "g("), TRACED.replace("f(", "g(") + EITHER], id="order of functions"
        ),
    ],
)
def test_what_is_told_apart(texts: list[str]):
    project, dice = Project(None, Settings()), random.Random("told apart")
    for text in texts:
        assert equals_fresh(project, "import tensorflow as tf\n" + text, dice)


def test_edits_in_another_file_are_seen(tmp_path: Path):
    dice = random.Random("another file")
    user = (
        HEAD
        + "from layers import step, SCALE\nimport layers as l\n\nstep(tf.constant(1) * SCALE)\nl.step(3)\nl.step(4)\n"
    )
    layers = (
        "import tensorflow as tf\nSCALE = 2\n@tf.function\ndef step(x):\n"
        "    if x > 0:\n        y = x\n    else:\n        y = 1.0\n    return y\n"
    )
    path, other = str(tmp_path / "user.py"), tmp_path / "layers.py"
    (tmp_path / "more.py").write_text("from layers import step as scale\nSCALE = 1.5\n")
    other.write_text(layers)
    project = Project(tmp_path, Settings())
    for number in range(25):
        assert equals_fresh(project, user, dice, path), f"after {number} edits"
        if dice.random() < 0.2:
            user = user.replace("from layers", "from more") if "from layers" in user else user.replace("more", "layers")
        layers = layers if dice.random() < 0.2 else edited(layers, dice)
        other.write_text(layers, "utf-8", newline="")
        if dice.random() < 0.1:
            other.write_bytes(b"\xff\0\xfe")


def test_files_that_come_and_go_are_seen(tmp_path: Path):
    """An import leads elsewhere once a file is there, be it in a folder that wasn't there either."""
    (tmp_path / "between.py").write_text(
        "try:\n    from deep.parts.scales import scale\nexcept ImportError:\n    pass\n"
    )
    path, dice = str(tmp_path / "user.py"), random.Random("come and go")
    user = HEAD + "from between import scale\n@tf.function\ndef f(x):\n    return scale(x)\nf(tf.constant(1))\n"
    (tmp_path / "deep").mkdir()
    project = Project(tmp_path, Settings())
    for text in (user, user + "\n"):
        assert equals_fresh(project, text, dice, path)
    assert project.check(path) == ()
    (tmp_path / "deep/parts").mkdir()
    (tmp_path / "deep/parts/scales.py").write_text("def scale(x):\n    return bool(x)\n")
    for text in (user, user + "\n"):
        assert equals_fresh(project, text, dice, path)
    assert project.run_reports(path).others
    (tmp_path / "deep/parts/scales.py").unlink()
    assert equals_fresh(project, user, dice, path)
    assert not project.run_reports(path).others


PROGRAMS = {
    section.title.rpartition(" / ")[2]: [text for _, text in section.blocks]
    for section in sections((Path(__file__).parent / "mdtest/whole_program.md").read_text("utf-8"))
}


@pytest.mark.parametrize("name", sorted(PROGRAMS))
@pytest.mark.parametrize("seed", sampled([102, 103, 118, 5007], 4))
def test_edits_in_a_program_of_several_files_are_seen_in_each(name: str, seed: int):
    """Of hundreds of seeds that were tried, some that have shown mistakes."""
    dice = random.Random(f"{seed} {name}")
    texts = {f"block{number}.py": text for number, text in enumerate(PROGRAMS[name], 1)}
    written = dict(texts)
    project = Project(None, Settings())
    for path, text in texts.items():
        project.set_text(path, text)
    for _ in range(14):
        fresh = Project(None, Settings())
        for path, text in texts.items():
            fresh.set_text(path, text)
        assert {path: project.check(path) for path in texts} == {path: fresh.check(path) for path in texts}
        assert {path: project.run_reports(path) for path in texts} == {path: fresh.run_reports(path) for path in texts}
        path = dice.choice(sorted(texts))
        # Mistakes are mostly taken back, so that the files have something to do with each other.
        back = texts[path] != written[path] and dice.random() < 0.7
        texts[path] = written[path] if back else edited(texts[path], dice)
        project.set_text(path, texts[path])


def test_what_an_imported_file_stores_on_tensors_is_seen_to_change():
    project = Project(None, Settings())
    user = f"{HEAD}import patches\n\n\n@tf.function\ndef f(x: tf.Tensor):\n    return x.mean()\n"
    project.set_text("user.py", user)
    project.set_text("patches.py", f"{HEAD}tf.Tensor.mean = tf.reduce_mean\n")
    assert project.check("user.py") == ()
    project.set_text("patches.py", HEAD)
    assert [each.rule for each in project.check("user.py")] == ["eager-only-call"]
    project.set_text("patches.py", f"{HEAD}tf.Tensor.mean = tf.reduce_mean\n")
    assert project.check("user.py") == ()


GROWN = f"""{HEAD}
CODE


def held():
    return made


@tf.function
def run(n):
    for i in tf.range(n):
        held().append(i)


run(tf.constant(3))
"""
INHERITED = f"""{HEAD}
class Model:
    def __init__(self):
        self.width = 3

    @tf.function
    def step(self, x):
        y = tf.zeros([self.width])
        if x > 0:
            y = tf.zeros([3])
        return y + tf.zeros([4])

CODE"""
HEIR = "\nclass Wide(Model):\n    width = 4\n"


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        # By which of its names a list is told of.
        (GROWN, ["first = 1\nmade = []", "first = 1\nmade = []\nfirst = made", "first = 1\nmade = []"]),
        # Whether an attribute is bound by a class that inherits from it.
        (INHERITED, ["", HEIR, HEIR.replace("width", "height"), HEIR, ""]),
    ],
    ids=["names", "heirs"],
)
def test_what_is_found_by_looking_through_all_names_or_classes_is_seen_to_change(text: str, edits: list[str]):
    project, told = Project(None, Settings()), set[tuple[str, ...]]()
    for edit in edits:
        assert equals_fresh(project, text.replace("CODE", edit), random.Random(edit))
        told.add(tuple(finding.message for finding in project.check("file.py")))
    assert len(told) == 2


def test_what_a_value_that_came_by_other_files_reads_is_seen_to_change():
    texts = {
        "one.py": f"{HEAD}KIND = tf.float16\n\n\ndef cast(x):\n    return tf.cast(x, KIND)\n",
        "two.py": "import one\n\nnarrow = one.cast\n",
        "three.py": f"{HEAD}from two import narrow\n\nSTART = narrow(tf.constant(1))\n",
        "four.py": f"{HEAD}from three import START\n\n\n@tf.function\ndef f(x: tf.Tensor):\n"
        "    return START if tf.reduce_sum(x) > 0 else 1.0\n",
    }
    project = Project(None, Settings())
    for path, text in texts.items():
        project.set_text(path, text)
    assert [each.rule for each in project.check("four.py")] == ["branch-dtype-mismatch"]
    project.set_text("one.py", texts["one.py"].replace("float16", "float32"))
    assert project.check("four.py") == ()
    project.set_text("one.py", texts["one.py"])
    assert [each.rule for each in project.check("four.py")] == ["branch-dtype-mismatch"]


def test_an_import_that_leads_elsewhere_is_followed_there(tmp_path: Path):
    (tmp_path / "ops.py").write_text("def first(x):\n    return x\n\ndef second(x):\n    return bool(x)\n")
    between = tmp_path / "between.py"
    path, dice = str(tmp_path / "user.py"), random.Random("elsewhere")
    user = HEAD + "from between import op\n\n@tf.function\ndef f(x):\n    return op(x)\n\nf(tf.constant(1))\n"
    project = Project(tmp_path, Settings())
    for name in ("first", "second", "first"):
        between.write_text(f"from ops import {name} as op\n\n# {name}\n")
        assert equals_fresh(project, user, dice, path)


def test_settings_may_change_between_two_looks():
    text, dice = SOURCES["branch_dtype_mismatch (example)"], random.Random("settings")
    project = Project(None, Settings())
    for table in (
        {},
        {"tensorflow-version": "2.16"},
        {"select": ["effects"]},
        {"tensorflow-version": f"{NEWEST[0]}.{NEWEST[1]}"},
    ):
        project.sources.settings = Settings.from_mapping(table, "pyproject.toml")
        assert equals_fresh(project, text, dice)


STRANGE = {
    "async for": "@tf.function\nasync def f(x):\n    async for i in x:\n        y = i\n    return y\nf(tf.zeros(3))\n",
    "no step": "x = [1, 2][::0], range(3)[::0], (1,)[::False], tf.zeros([3])[::0], tf.zeros([3]).shape[::0]\n",
    "huge numbers": "for i in range(10**30): tf.range(i)\nx = 1 << 10**10, pow(2, 10**10), '%1000000000d' % 3\n",
    "huge literal": f"x = 0x{'f' * 6000}\n@tf.function\ndef f(y):\n    return y\nf(x)\n",
    "tuples in tuples": "x = (1, 2)\n" + "x = (x, x)\n" * 40 + "@tf.function\ndef f(y):\n    return y\nf(x)\n",
    "doubled lists": "x = [1]\n" + "x = x + x\n" * 40 + "x += x\n" * 40 + "y = 'a'\n" + "y = y + y\n" * 60,
    "lists in themselves": "x = []\nx.append(x)\n@tf.function\ndef f(y):\n    return y\nf(x)\nf((x, [x]))\nlist(x)\n",
    "own bases": "class A(B): pass\nclass B(A): pass\nclass C(C):\n    f = tf.function(lambda s, x: x)\nC().f(1)\n",
    "deep brackets": "@tf.function\ndef f(x):\n    return " + "(" * 150 + "x" + ")" * 150 + "\n",
    "long sum": "@tf.function\ndef f(x):\n    return " + " + ".join(["x"] * 5000) + "\n",
    "deep blocks": "@tf.function\ndef f(x):\n"
    + "".join("    " * n + "if x > 0:\n" for n in range(1, 90))
    + "    " * 90
    + "y = 1\n",
    "line ends": "@tf.function\r\ndef f(x):\r    if x:\n        y = 1\r\n    return y\x0c\n\x0c\nf(1)\x0b\n\u2028x = 1",
    "emoji": "@tf.function\ndef ñandú(変数, 𝐱):\n    if 変数 > 0:  # 😀\n        y = 1\n    return y\nñandú(1, 2)",
    "code in text": "exec('@tf.function\\ndef f(x):\\n  return f(x)')\neval('f(3)')\nexec('(' * 500)\nexec()\neval()\n",
}


@pytest.mark.parametrize("name", sorted(STRANGE))
def test_strange_code_is_checked(name: str):
    assert equals_fresh(Project(None, Settings()), HEAD + STRANGE[name], random.Random(name))


def test_files_that_import_themselves_and_each_other(tmp_path: Path):
    files = {
        "one.py": "from one import f\nimport two\nfrom two import g\nimport tensorflow as tf\ntf.function(g)(1)\n",
        "two.py": "from one import *\nfrom one import f as g\nfrom . import two\nimport tensorflow as tf\ng(2)\n",
        "three.py": "from broken import x\nimport tensorflow as tf\n@tf.function\ndef f(y):\n    return x + y\nf(1)\n",
        "tensorflow/__init__.py": "from tensorflow import function\nimport tensorflow as tf\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "broken.py").write_bytes(b"x = '\xff'\0")
    (tmp_path / "loop").symlink_to(tmp_path)
    project = Project(tmp_path, Settings())
    for path in project.sources.files([tmp_path]):
        if path.name != "broken.py":
            project.check(str(path))


PROGRAM = '''import tensorflow as tf

LIMIT = 3  # of turns


class Model(tf.Module):
    """A model."""

    def __init__(self):
        self.scale = tf.Variable(2.0)

    @tf.function
    def step(self, x):
        if x > LIMIT:
            y = x * self.scale
        return y

    def other(self, x):
        # Of no interest.
        return self.step(x) + 1


@tf.function
def double(x):
    for i in tf.range(LIMIT):
        x = (
            x * 2
        )
    return x


def main():
    model = Model()
    print(model.other(tf.constant(1.0)), double(tf.constant(2)))


if __name__ == "__main__":
    main()
'''


def starts_after(texts: list[str]) -> list[set[object]]:
    """What the starts of each of the texts have seen, as they are typed one after the other into one project."""
    project, found = Project(None, Settings()), list[set[object]]()
    for text in texts:
        project.set_text("file.py", text)
        assert [finding.rule for finding in project.check("file.py")] == ["undefined-in-branch"]
        found.append(set(project.trace("file.py").starts))
    return found


@pytest.mark.parametrize("said", ["\n", "# a comment\n", "        # deeper\n", "  \n\n"])
def test_blank_lines_and_comments_trace_nothing(said: str):
    lines = PROGRAM.splitlines(keepends=True)
    outside = [at for at in range(len(lines)) if "x * 2" not in lines[at] and lines[at] != "        )\n"]
    texts = [PROGRAM, *("".join([*lines[:at], said, *lines[at:]]) for at in outside), PROGRAM]
    found = starts_after(texts)
    assert all(each == found[0] for each in found)


def test_a_comment_at_the_end_of_a_line_traces_nothing():
    texts = [PROGRAM, PROGRAM.replace("# of turns", "# of all"), PROGRAM.replace("return y", "return y  # here")]
    found = starts_after([*texts, PROGRAM])
    assert all(each == found[0] for each in found)


def test_an_edit_in_a_method_traces_what_it_changes():
    before, after = starts_after([PROGRAM, PROGRAM.replace("self.step(x) + 1", "self.step(x) + 2")])
    # The class, which has another method now, and the program that calls it.
    assert len(after - before) == 2
    before, after = starts_after([PROGRAM, PROGRAM.replace("for i in", "for k in")])
    assert len(after - before) == 2


FAMILY = """import tensorflow as tf


class A{base}:
    pass


class B(A):
    pass


class C(B):
    def call(self, inputs):
        if tf.reduce_sum(inputs) > 0:
            inputs = inputs * 2.0
        return inputs


model = C()
model.compile(optimizer="sgd", loss="mse")
model.fit(tf.zeros([4, 2]), tf.zeros([4, 1]))
"""


def test_what_a_class_inherits_counts_however_far_up_it_stands():
    project = Project(None, Settings())
    told = [rules_of(project, FAMILY.format(base=base)) for base in ("", "(tf.keras.Model)", "", "(tf.Module)")]
    assert told == [set(), {"autograph-disabled"}, set(), set()]


WRAPPED = """import tensorflow as tf


def counted(function):
    @tf.function
    def decorated(self, x):
        if x > 0:
            y = x
        return function(self, x)

    return decorated
"""
USER = """import tensorflow as tf

from scales import SCALE
from wrapped import counted


class Model:
    @counted
    def step(self, x):
        return x


def scaled(x):
    return x * SCALE


def other(x):
    return x + 1
"""


def traced_again(folder: Path, name: str, old: str, new: str) -> list[str]:
    """The starts of `user.py` that are traced again once a file of its folder has one text in place of another."""
    for file, text in (("wrapped", WRAPPED), ("scales", "SCALE = 2\n"), ("user", USER)):
        (folder / f"{file}.py").write_text(text)
    project, user, changed = Project(folder, Settings()), str(folder / "user.py"), str(folder / name)
    before = project.trace(user).starts
    assert "Model.step" in [seen.name for seen in before]
    assert old in project.text(changed)
    project.set_text(changed, project.text(changed).replace(old, new))
    return [seen.name for seen in project.trace(user).starts if seen not in before]


def test_what_another_file_has_stays_traced_over_an_edit(tmp_path: Path):
    assert traced_again(tmp_path, "user.py", "x + 1", "x + 2") == ["def other(x):", "other"]
    assert traced_again(tmp_path, "user.py", "\n\n\nclass", "\n\nclass") == []


def test_an_import_is_traced_again_with_what_uses_it(tmp_path: Path):
    edited = ["from nowhere import SCALE", "scaled"]
    assert traced_again(tmp_path, "user.py", "from scales", "from nowhere") == edited
    assert traced_again(tmp_path, "scales.py", "2", "3") == ["scaled"]
    assert traced_again(tmp_path, "scales.py", "2", "2  # turns") == []


CALLS = """import random

import tensorflow as tf

made = 0
steps = []


class Counter:
    def __init__(self, first):
        self.count = first
        self.seen = []
        self.limit = 10
        self.name = "counter"
        self.scale = tf.constant(2.0)

    def add(self, by):
        self.count += by
        self.seen.append(by)
        if self.count > self.limit:
            self.count = 0
        return self.count


def traced_by(scale):
    @tf.function
    def times(x):
        if x > scale:
            y = x * scale
        return y

    name = "times"
    print(name)
    print(scale)
    return times


def kept(scale):
    @tf.function
    def plus(x):
        while x < scale:
            z = x + scale
            x = z
        return z

    name = "plus"
    print(name)
    print(scale)
    steps.append(plus)


def step(x, flag):
    global made
    made = made + 1
    total = 0
    for part in [1, 2]:
        total += part
    if flag:
        total = str(total)
    if random.random() > 0.5:
        total = [part for part in "ab"]
    return x, total


@tf.function
def loss(x):
    if tf.reduce_sum(x) > 0:
        value = x * 2
    total = tf.constant(0.0)
    for row in x:
        total += tf.reduce_sum(row)
    return value, total


rate = 0.1


@tf.function
def scaled(x):
    return x * rate


def slower(by):
    global rate
    before = rate
    rate = before / by
    if rate < 0.01:
        print("slow")
    return before


def numbered(times):
    found = []
    for number in range(times):
        found.append(scaled(number))
    last = found[-1]
    print(last)
    return found


def deep(n):
    a = n
    b = a + 1
    c = b + 1
    if n > 0:
        return deep(n - 1)
    return c


def through(counter, x):
    first = loss(x)
    second = loss(tf.constant([1, 2]))
    counter.add(1)
    more = step(x, counter.count > 1)
    deep(2)
    return first, second, more


def main():
    counter = Counter(1)
    times = traced_by(tf.constant(3.0))
    kept(tf.constant(4.0))
    times(tf.constant(1.0))
    for name in ["a", "b"]:
        through(counter, tf.ones([2, 3]))
        print(name)
    for _ in range(random.randint(1, 3)):
        through(counter, tf.ones([2, 3]))
    if random.random() > 0.5:
        step(tf.constant(1), True)
    try:
        through(Counter(7), tf.ones([4, 3]))
    except ValueError:
        print("again")
    values = [counter.add(each) for each in (1, 2)]
    loss(tf.zeros([made, 2]))
    scaled(tf.constant(1.0))
    slower(2)
    scaled(tf.constant(1.0))
    numbered(5)
    for part in (1, 2):
        numbered(part)
        for other in (3, 4):
            numbered(part)
    for scale in (1.0, 2.0, 3.0):
        traced_by(tf.constant(scale))(tf.constant(scale))
    return counter, values


if __name__ == "__main__":
    main()
"""


def simple_statements(text: str) -> list[int]:
    """The lines after which another statement can be written."""
    lines = text.splitlines()
    return [at for at, line in enumerate(lines) if line.strip() and line.strip()[-1] not in ":,{[(" and "@" not in line]


def with_statement(text: str, at: int, statement: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:at], lines[at].rstrip("\n"), f"; {statement}\n", *lines[at + 1 :]])


def rules_of(project: Project, text: str) -> set[str]:
    project.set_text("file.py", text)
    return {finding.rule for finding in project.check("file.py")}


@pytest.mark.thorough
@pytest.mark.parametrize(("statement", "first"), [("_ = 0", 0), ("spare = [made]", 2)])
def test_what_is_remembered_of_calls_is_what_a_fresh_look_finds(statement: str, first: int):
    dice, project = random.Random(statement), Project(None, Settings())
    assert len(rules_of(project, CALLS)) == 6
    for at in part(simple_statements(CALLS), 4, first):
        if not CALLS.splitlines()[at].startswith("import"):
            assert equals_fresh(project, with_statement(CALLS, at, statement), dice), f"line {at + 1}"
    assert equals_fresh(project, CALLS, dice)


PADDING = "    first = 1\n    second = first + 1\n    third = second + 1\n    print(third)\n"
TWO_CALLERS = (
    "import tensorflow as tf\n\n\ndef made():\n" + PADDING + "    found = []\n    return {}\n\n\n"
    "def ones():\n" + PADDING + "    return made()\n\n\ndef twos():\n" + PADDING + "    return made()\n\n\n"
    "a = ones()\nb = twos()\na.append(tf.constant(1.0))\nb.append(tf.constant(1))\n"
    "a_0 = a[0]\nb_0 = b[0]\n\n\n@tf.function\ndef f(x):\n    return x + a_0, x + b_0\n\n\nf(tf.constant(1.0))\n"
)


def test_what_two_callers_have_taken_over_is_made_twice_once_it_is_something():
    dice, project = random.Random("two callers"), Project(None, Settings())
    for gives in ("None", "found", "None", "[]"):
        assert equals_fresh(project, TWO_CALLERS.format(gives), dice), gives
    assert rules_of(project, TWO_CALLERS.format("found")) == {"op-dtype-mismatch"}


@pytest.mark.parametrize("steps", sampled([150, 1300, 900, 450, 600, 300], 6))
def test_what_is_remembered_counts_against_the_limits(steps: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(budgets, "STEPS", steps)
    monkeypatch.setattr(budgets, "SUPPOSED_STEPS", steps)
    dice, project = random.Random(steps), Project(None, Settings())
    for at in part(simple_statements(CALLS)[-12:], 3, steps // 50 % 3):
        assert equals_fresh(project, with_statement(CALLS, at, "_ = 0"), dice), f"line {at + 1}"


RUNS = [
    (CALLS, "    b = a + 1", "    _ = 0\n    b = a + 1", 17),
    (CALLS, "    print(last)", "    _ = 0\n    print(last)", 10),
    (CALLS, "    values = [", "    _ = 0\n    values = [", 3),
    # One more call in front of the others: `through`, which has them, is run again wherever it is called.
    (CALLS, "    deep(2)", "    deep(4)\n    deep(2)", 32),
    # Nothing calls it, and its own text is changed.
    (
        CALLS.replace("def main():", "def main(given):").replace("    main()\n", "    pass\n"),
        "    values = [",
        "    _ = 0\n    values = [",
        2,
    ),
]


@pytest.mark.parametrize(("text", "line", "edited_to", "runs"), RUNS)
def test_an_edit_runs_the_calls_that_would_see_it(text: str, line: str, edited_to: str, runs: int):
    project = Project(None, Settings())
    rules_of(project, text)
    before = set(project.trace("file.py").stretches)
    rules_of(project, text.replace(line, edited_to))
    assert len(set(project.trace("file.py").stretches) - before) == runs
