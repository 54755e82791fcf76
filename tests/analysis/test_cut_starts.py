"""What is too long to follow: the functions that it has made for a graph are traced all the same, and it is named."""

from __future__ import annotations

import pytest
from graphwright_analysis import Project, Settings, file_shortened
from graphwright_analysis.tracing.driver import budgets
from graphwright_analysis.tracing.python import visits

LONG = "".join(f"    rows = [{n}, {n}, ({n}, {n}), [{n}, {n}]]\n" for n in range(80))
"""More than the steps that these tests give to a start."""


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "STEPS", 400)
    monkeypatch.setattr(budgets, "SUPPOSED_STEPS", 400)
    monkeypatch.setattr(budgets, "FEWEST_STEPS", 100)


def project_of(text: str) -> Project:
    project = Project(None, Settings())
    project.set_text("train.py", f"import tensorflow as tf\n\n{text}")
    return project


def found(text: str) -> list[tuple[str, int]]:
    """The rules that speak, each with its line in this text."""
    project = project_of(text)
    lines = project.module("train.py").lines
    return [(each.rule, lines.line_of(each.range.start) - 1) for each in project.check("train.py")]


STEP = """    @tf.function
    def step(x):
        if tf.reduce_sum(x) > 0:
            loss = x * rate
        return loss
"""
FOUND = ["undefined-in-branch"]


def rules(text: str) -> list[str]:
    return [rule for rule, _ in found(text)]


def test_a_step_is_traced_that_its_main_never_comes_to() -> None:
    main = f"def main():\n    rate, rows = 0.1, []\n{STEP}{LONG}    step(rows)\n"
    assert rules(main) == FOUND
    assert rules(f'{main}\nif __name__ == "__main__":\n    main()\n') == FOUND


def test_several_steps_are_traced_though_the_first_is_long() -> None:
    long = STEP.replace("step", "long_step").replace(
        "        return loss\n", LONG.replace("    ", "        ") + "        return rows\n"
    )
    long = long.replace("        if", "        rows = []\n        if").replace(
        "            loss = x * rate", "            pass"
    )
    assert rules(f"def main():\n    rate, rows = 0.1, []\n{long}{STEP}{LONG}    step(rows)\n") == FOUND


def test_a_name_that_is_bound_after_the_cut_is_unknown() -> None:
    step = "    @tf.function\n    def step(x):\n        return x * rate * scale\n"
    loop = "    scale = 1\n    for scale in (tf.constant(2), 3): pass\n"
    assert not found(f"def main():\n    rows = []\n{loop}{step}{LONG}    rate = 0.1\n    step(rows)\n")


def test_what_was_cut_in_a_trace_is_traced_on_its_own() -> None:
    lines = LONG.splitlines(keepends=True)
    work = f"def work(x):\n{''.join(lines[:18])}    return x + 1\n"
    step = (
        "@tf.function\ndef step(x):\n    y = work(x)\n    if tf.reduce_sum(x) > 0:\n        loss = y\n    return loss\n"
    )
    main = f"def main():\n{''.join(lines[:25])}    step(tf.ones(3))\n"
    assert rules(f"{work}\n{step}\n{main}") == FOUND


def test_the_methods_of_a_class_whose_making_is_cut() -> None:
    made = LONG.replace("    ", "        ")
    step = STEP.replace("step(x)", "step(self, x)").replace("* rate", "* self.rate")
    text = f"class Trainer:\n    def __init__(self):\n        rows = []\n{made}        self.rate = 0.1\n\n{step}"
    assert rules(text) == FOUND


def test_what_a_statement_of_the_top_level_made() -> None:
    make = f"def make(rate):\n    rows = []\n{STEP}{LONG}    return step\n"
    assert rules(f"{make}\nstep = make(0.5)\nstep(tf.ones(3))\n") == FOUND


HELPER = f"def helper(a):\n{''.join(LONG.splitlines(keepends=True)[:15])}    return a\n\n"


def test_a_call_that_is_made_again_takes_no_more_steps() -> None:
    text = f"{HELPER}def main():\n    for turn in range(20):\n        helper(0)\n"
    assert project_of(text).trace("train.py").complete


def test_an_endless_loop_takes_the_steps_of_two_turns() -> None:
    body = "".join(f"        a = [{n}, {n}]\n" for n in range(10))
    text = f"def main(read):\n    while True:\n{body}        if read(): break\n"
    assert project_of(text).trace("train.py").complete
    assert project_of(text.replace("if read(): break", "read(a)")).trace("train.py").complete


def test_a_loop_that_ends_by_its_condition_is_followed_to_its_end() -> None:
    step = "@tf.function\ndef step(n):\n    return n\n\n"
    loop = "def main():\n    n = 0\n    while n < 12:\n        step(n)\n        n += 1\n"
    (finding,) = project_of(step + loop).check("train.py")
    assert "12 of the 12 calls" in finding.message


OTHER_FILE = f"""import tensorflow as tf


def prepare(rows):
    rows = [rows]
{LONG}    return tf.zeros([3])


@tf.function
def step(x):
    y = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    return x + tf.zeros([2])


class Trainer:
    def train(self, rows):
        return prepare(rows)


def train(rows):
    step(tf.zeros([3]))
{LONG}    return tf.zeros([3])
"""


def visiting(code: str, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose calls into another file are shorter than what they call."""
    monkeypatch.setattr(budgets, "STEPS", 5_000)
    monkeypatch.setattr(budgets, "SUPPOSED_STEPS", 5_000)
    monkeypatch.setattr(visits, "SUPPOSED_VISIT_STEPS", 200)
    project = Project(None, Settings())
    project.set_text("helper.py", OTHER_FILE)
    project.set_text("train.py", f"import tensorflow as tf\nimport helper\n\n\n{code}")
    return project


def test_a_long_call_into_another_file_costs_its_caller_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    code = f"def main(rows):\n    rate, x = 0.1, helper.Trainer().train(rows)\n{STEP}    step(tf.zeros([2]))\n"
    project = visiting(code, monkeypatch)
    assert FOUND[0] in {each.rule for each in project.check("train.py")}
    assert not project.run_reports("train.py").cut
    assert file_shortened(project, "train.py") == {"Trainer.train"}


def test_a_graph_that_begins_in_a_long_call_is_traced_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    project = visiting("def main(rows):\n    with tf.GradientTape():\n        helper.train(rows)\n", monkeypatch)
    monkeypatch.setattr(visits, "SUPPOSED_VISIT_STEPS", 12)
    assert [each.rule for each in project.run_reports("train.py").others["helper.py"].diagnostics] == [
        "op-shape-mismatch"
    ]


def test_a_function_that_a_call_did_not_finish_is_reported_with_its_own_file(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "tf.function(abs)\nhelper.prepare([])\n"
    assert visiting(code, monkeypatch).run_reports("train.py").called == {"helper.py": {"prepare"}}
    monkeypatch.setattr(visits, "VISIT_STEPS", 200)
    assert not visiting(code, monkeypatch).run_reports("train.py").called


def test_all_calls_of_a_function_that_nobody_calls_have_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    helpers = "".join(f"def rows_{n}(rows):\n    return [{', '.join('12345678')}]\n\n\n" for n in range(4))
    called = "".join(f"    helper.rows_{n}(rows)\n" for n in range(4))
    for limit, shortened in ((100, set[str]()), (25, {"rows_2", "rows_3"})):
        project = visiting(f"def main(rows):\n{called}", monkeypatch)
        monkeypatch.setattr(visits, "SUPPOSED_VISITS_STEPS", limit)
        project.set_text("helper.py", helpers)
        assert file_shortened(project, "train.py") == shortened


def test_what_may_begin_a_graph_is_followed_after_other_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    project = visiting("def main(rows):\n    helper.prepare(rows)\n    helper.begin()\n", monkeypatch)
    project.set_text("helper.py", OTHER_FILE + "\n\ndef begin():\n    return tf.function(step)(tf.zeros([3]))\n")
    assert [each.rule for each in project.run_reports("train.py").others["helper.py"].diagnostics] == [
        "op-shape-mismatch"
    ]
    assert file_shortened(project, "train.py") == {"prepare"}


def test_a_call_that_takes_too_many_steps_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "VISIT_STEPS", 200)
    once = visiting("tf.function(abs)\nhelper.prepare(1)\n", monkeypatch).trace("train.py").starts
    often = visiting("tf.function(abs)\nfor n in range(9):\n    helper.prepare(n)\n", monkeypatch).trace("train.py")
    assert sum(start.steps for start in often.starts) < 2 * sum(start.steps for start in once)


@pytest.mark.parametrize(
    ("code", "unfollowed"),
    [
        ("def main(rows):\n    return helper.prepare(rows)\n", {"prepare"}),
        ("def main(rows):\n    return helper.tiny(rows)\n", set[str]()),
        ("def main(rows):\n    return helper.begin(rows)\n", set[str]()),
        ("def main(rows):\n    return helper.Layer(rows)\n", set[str]()),
        ("def main(rows):\n    with tf.GradientTape():\n        return helper.prepare(rows)\n", set[str]()),
        ("class Mine(tf.keras.Layer):\n    def main(self, n):\n        return helper.prepare(n)\n", set[str]()),
    ],
)
def test_code_that_nothing_calls_follows_what_may_matter_to_a_graph(
    code: str, unfollowed: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = visiting(code, monkeypatch)
    lines = "".join(f"    y = rows + {n}\n" for n in range(5))
    functions = {
        "prepare(rows)": lines,
        "tiny(rows)": "    return rows\n",
        "begin(rows)": f"{lines}    return tf.function(abs)(rows)\n",
    }
    text = "".join(f"def {head}:\n{body}\n\n" for head, body in functions.items())
    layer = f"class Layer(tf.keras.Layer):\n    def __init__(self, rows):\n{lines.replace('    ', '        ')}"
    project.set_text("helper.py", f"import tensorflow as tf\n\n\n{text}{layer}")
    assert file_shortened(project, "train.py") == unfollowed


def test_steps_that_did_not_suffice_are_not_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    call = "    with tf.GradientTape():\n        helper.prepare(rows)\n"
    once = f"def one(rows):\n{call}"
    project = visiting(once, monkeypatch)
    (first,) = [each for each in project.trace("train.py").starts if each.node]
    project.set_text("train.py", f"import tensorflow as tf\nimport helper\n\n\n{once}\n\ndef two(rows):\n{call}")
    _, second = [each for each in project.trace("train.py").starts if each.node]
    assert first.steps > 90 > 20 > second.steps
    # Once the first call is gone, the second is as it would be in a file that was never another.
    project.set_text("train.py", f"import tensorflow as tf\nimport helper\n\n\ndef two(rows):\n{call}")
    (alone,) = [each for each in project.trace("train.py").starts if each.node]
    assert alone.steps == first.steps


def test_a_decorator_whose_call_takes_too_many_steps_is_not_followed_for_each_method(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decorator = f"def timed(f):\n    def decorated(*args):\n        f(*args)\n{LONG.replace('    ', '        ')}"
    methods = "".join(f"    @helper.timed\n    def turn_{n}(self, rows):\n        return rows\n\n" for n in range(2))
    project = visiting(f"class Game:\n{methods}", monkeypatch)
    text = f"import tensorflow as tf\n\n\n{decorator}        return tf.function(f)\n    return decorated\n"
    project.set_text("helper.py", text)
    first, second = [each for each in project.trace("train.py").starts if each.called not in (None, each.node)]
    assert first.steps > 190 > 20 > second.steps


@pytest.mark.parametrize("parameters", ["rows", "*, rows", "*rows", "**rows", "rows, /"])
def test_a_parameter_of_any_kind_is_assumed(parameters: str) -> None:
    (start,) = [
        each
        for each in project_of(f"def main({parameters}):\n    tf.zeros([2])\n").trace("train.py").starts
        if each.node
    ]
    assert not start.is_surely_run
