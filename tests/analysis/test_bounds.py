"""Files that nobody writes by hand: each costs what is bounded, and says so where it isn't looked at."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from pathlib import Path

import gast
import pytest
from graphwright_analysis import Project, Settings, Unreadable, hover
from graphwright_analysis.project_files import MOST_CHARACTERS, MOST_LINES
from graphwright_analysis.tracing.functions import retracing
from graphwright_analysis.tracing.machine import run

HEAD = "import tensorflow as tf\n\n"
GRAPH = f"{HEAD}@tf.function\ndef f(x):\n"


def checked(text: str) -> Project:
    project = Project(None, Settings())
    project.set_text("model.py", text)
    project.check("model.py")
    return project


@pytest.mark.parametrize(
    "text", ["x = 1\n" * (MOST_LINES + 1), "x = 1\r" * (MOST_LINES + 1), "#" * (MOST_CHARACTERS + 1)]
)
def test_a_file_without_end_is_refused_in_words(text: str) -> None:
    with pytest.raises(Unreadable, match=r"has [\d,]+ (lines|characters); files of more than [\d,]+ aren't checked"):
        checked(text)


def test_what_imports_it_is_checked_all_the_same() -> None:
    project = Project(None, Settings())
    project.set_text("/nowhere/long.py", "x = 1\n" * (MOST_LINES + 1))
    project.set_text(
        "/nowhere/model.py", f"import long\nfrom long import x\n{GRAPH}    if x > 0:\n        y = 1\n    return y\n"
    )
    project.check("/nowhere/model.py")


@pytest.mark.parametrize(
    "statement",
    ["s = f'{s}{s}'", "s = s + s", "s = s * 2", "s = '%s%s' % (s, s)", "s = ''.join([s, s])", "s = f'{s}' f'{s}'"],
)
@pytest.mark.parametrize("start", ["'ab'", "('a', 'b')", "['a', 'b']", "b'ab'", "10 ** 4000"])
def test_what_doubles_isnt_followed_for_ever(start: str, statement: str) -> None:
    body = f"    s = {start}\n" + f"    {statement}\n" * 60
    tracemalloc.start()
    try:
        checked(f"{GRAPH}{body}    return x\n\nf(tf.constant(1))\n")
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One item for each step."""
    steps: list[None] = []
    step = run.Run.step
    monkeypatch.setattr(run.Run, "step", lambda self: (steps.append(None), step(self))[1])
    return steps


def test_a_recursion_that_says_no_more_isnt_followed(steps: list[None]) -> None:
    """A walk over something unknown: what it gives itself is as unknown."""
    walks = "".join(f"    found.append(walk(tree[{i}], depth))\n" for i in range(20))
    checked(f"{HEAD}def walk(tree, depth):\n    found = []\n{walks}    return found\n\nwalk(tf.unknown.tree, 1)\n")
    assert len(steps) < 600


def test_a_recursion_that_counts_is_followed() -> None:
    text = f"""{HEAD}
def widened(x, n):
    return x if n == 0 else widened(tf.concat([x, x], 0), n - 1)

@tf.function
def f(x):
    return tf.matmul(widened(x, 1), x)

f(tf.ones([1, 3]))
"""
    assert [each.rule for each in checked(text).check("model.py")] == ["op-shape-mismatch"]


def test_diamonds_of_classes(steps: list[None]) -> None:
    """Each class once, in Python's order; with forty diamonds there are a million million ways up."""
    classes = "class A0:\n    def m(self, x): return x\nclass B0(A0): pass\nclass C0(A0): pass\n"
    for i in range(1, 40):
        classes += f"class A{i}(B{i - 1}, C{i - 1}): pass\nclass B{i}(A{i}): pass\nclass C{i}(A{i}): pass\n"
    text = (
        f"{HEAD}{classes}\n@tf.function\ndef f(x):\n    o = A39()\n    return o.m(x) + o.missing\n\nf(tf.constant(1))\n"
    )
    project = checked(text)
    project.set_text("model.py", text.replace("return x\n", "return x + 1\n"))
    project.check("model.py")
    assert len(steps) < 20_000


def test_the_order_of_a_diamond() -> None:
    text = f"""{HEAD}
class Base:
    def m(self, x): return x
class Left(Base): pass
class Right(Base):
    def m(self, x): return tf.cast(x, tf.float32)
class Both(Left, Right): pass

@tf.function
def f(x):
    if x > 0:
        y = Both().m(x)
    else:
        y = 0.5
    return y

f(tf.constant(1))
"""
    project = checked(text)
    assert not project.check("model.py")


def test_calls_are_compared_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[None] = []
    differences = retracing.differences
    monkeypatch.setattr(retracing, "differences", lambda *pair: (compared.append(None), differences(*pair))[1])
    calls = "".join(f"f(tf.constant(1.0), {i})\n" for i in range(600))
    checked(f"{HEAD}@tf.function\ndef f(x, n):\n    return x * n\n\n{calls}")
    assert 1_000 < len(compared) <= retracing.MOST_CALLS**2


BRANCH = f"""{GRAPH}    if x > 0:
        y = x
    return y

f(tf.constant(1))
"""


def test_line_ends_of_the_old_kind() -> None:
    """CR alone ends a line of Python: the same is found in the same places, and mended by the same edits."""
    plain, old = checked(BRANCH), checked(BRANCH.replace("\n", "\r"))
    found = plain.check("model.py")
    assert found and found[0].fixes
    assert old.check("model.py") == found
    assert plain.check("model.py") != checked(BRANCH.replace("\n", "\r\n")).check("model.py")


@pytest.mark.thorough
def test_a_trace_is_freed_without_looking_for_garbage() -> None:
    """The command line and the server look for it seldom; scopes and graphs of the control flow alone wait for that."""
    examples = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
    pages = sorted((Path(__file__).parent / "mdtest").glob("*.md"))
    texts = [path.read_text("utf-8") for path in examples]
    texts += [part.partition("```")[0] for page in pages for part in page.read_text("utf-8").split("```python\n")[1:]]
    checked(texts[0])
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for text in texts:
            checked(text)
        gc.collect()
        left = {type(each) for each in gc.garbage if not isinstance(each, gast.AST)}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    ours = {each.__qualname__ for each in left if each.__module__.startswith("graphwright_analysis")}
    assert ours <= {"Scope", "Scopes", "Node", "Graph", "_After"}, ours


def test_a_file_that_is_set_aside_leaves_no_garbage_and_is_what_it_was(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(f"{HEAD}class Base:\n    def one(self, x):\n        return [y for y in x]\n")
    user = tmp_path / "user.py"
    user.write_text(
        f"from helper import Base\n{GRAPH}    if x > 0:\n        y = 1\n    return y, Base()\n\n\nf(tf.constant(1))\n"
    )
    project = Project(tmp_path, Settings())
    found = project.check(str(user))
    assert [each.rule for each in found] == ["undefined-in-branch"]
    gc.collect()
    gc.disable()
    try:
        project.set_aside(str(user))
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert project.check(str(user)) == found
    assert [found for _, found in project.sources.destinations(str(user))] == [(str(tmp_path / "helper.py"), "Base")]


def test_nobody_keeps_the_trace_of_a_file_that_is_set_aside(tmp_path: Path) -> None:
    helper, user = tmp_path / "helper.py", tmp_path / "user.py"
    helper.write_text(f"{HEAD}def step(x):\n    if x > 0:\n        y = 1\n    return y\n")
    user.write_text("import tensorflow as tf\nfrom helper import step\n\n\ntf.function(step)(tf.constant(1))\n")
    project = Project(tmp_path, Settings())
    project.run_reports(str(helper))
    project.set_aside(str(helper))
    assert project.run_reports(str(user)).others.keys() == {str(helper)}
    trace = weakref.ref(project.trace(str(user)))
    project.set_aside(str(user))
    project.look_again()
    project.check(str(helper))
    assert trace() is None


DECORATED = """import tensorflow as tf

def compiled(function):
    def call(self, x):
        return tf.function(function)(self, x)
    return call

class Model(tf.keras.Model):
    @compiled
    def first(self, x):
        return x + 1

    @compiled
    def second(self, x):
        return x + 2

    def call(self, x):
        if tf.reduce_sum(x) > 0:
            y = x
        return y
"""


def test_what_a_comment_leaves_as_it_is_isnt_run_again_for_findings_or_for_what_is_shown(steps: list[None]) -> None:
    project = Project(None, Settings())
    for number, comment in enumerate(("", "# one\n", "# two\n")):
        steps.clear()
        text = DECORATED.replace("    return call\n", f"    return call\n{comment}")
        project.set_text("file.py", text)
        project.check("file.py")
        shown = hover(project, "file.py", text.index("tf.reduce_sum"))
        assert shown is not None
        assert not steps or number == 0


LONG = """def counted(function):
    def decorated(self, x):
        total = 0
        return function(self, x) * total

    return decorated
""".replace("total = 0\n", "total = 0\n" + 200 * "        total = total + self.size * 2\n")


def test_functions_under_one_decorator_stay_traced(steps: list[None], tmp_path: Path) -> None:
    """They are told apart by what is decorated: the decorator makes one function of all, which is followed in part."""
    methods = "".join(f"    @counted\n    def step{number}(self, x):\n        return x\n" for number in range(3))
    user = "import tensorflow as tf\nfrom wrapped import counted\n\n\nclass Model(tf.Module):\n" + methods
    (tmp_path / "wrapped.py").write_text(LONG)
    (tmp_path / "user.py").write_text(user)
    project, path = Project(tmp_path, Settings()), str(tmp_path / "user.py")
    project.trace(path)
    assert len(steps) > 200
    steps.clear()
    project.set_text(path, user + "\n\nnumber = 1\n")
    project.trace(path)
    assert len(steps) < 20
