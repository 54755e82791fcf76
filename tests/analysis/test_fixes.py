"""Fixes beyond those of the rules' pages: each gives the code that is written down, and TensorFlow runs it.

The documents in `fixes` have a section for each: a heading `rule: title`, the code before and the code after. What
the last line of the code gives must be the same before (run eagerly, where that is possible) and after (as a graph).
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from graphwright_analysis import Diagnostic, Project, Severity, apply_edits, proved

HEAD = "import tensorflow as tf\n\n\n"
SECTION = re.compile(
    r"^## ([\w-]+): ([^\n]+)\n\n```python\n(.*?)^```\n(?:\n```python\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Example:
    rule: str
    title: str
    before: str
    after: str
    """Empty where nothing is to be offered."""


def examples() -> Iterator[Any]:
    for path in sorted((Path(__file__).parent / "fixes").glob("*.md")):
        for number, match in enumerate(SECTION.finditer(path.read_text("utf-8"))):
            yield pytest.param(Example(*(part or "" for part in match.groups())), id=f"{number}-{match.group(1)}")


def check(text: str) -> tuple[Diagnostic, ...]:
    project = Project(None)
    project.set_text("example.py", text)
    return proved(project, "example.py", project.check("example.py"))


def fixed(text: str, example: Example) -> str:
    """The text with every fix of that title applied, one at a time."""
    for _ in range(5):
        offered = [fix for d in check(text) if d.rule == example.rule for fix in d.fixes if fix.title == example.title]
        if not offered:
            break
        text = apply_edits(text, offered[0].edits)
    return text


@pytest.mark.parametrize("example", list(examples()))
def test_the_fix_gives_what_is_written_down(example: Example):
    found = [d for d in check(HEAD + example.before) if d.rule == example.rule]
    assert found
    if not example.after:
        assert example.title not in [fix.title for d in found for fix in d.fixes]
        return
    after = fixed(HEAD + example.before, example)
    assert after == HEAD + example.after
    assert [d for d in check(after) if d.severity <= Severity.WARNING] == []


@pytest.mark.truth
@pytest.mark.parametrize("example", [each for each in examples() if each.values[0].after])
def test_the_fix_cures(example: Example, tmp_path: Path):
    before, after = HEAD + example.before, HEAD + example.after
    assert result(after, tmp_path / "graph.py") == eager(before, after, tmp_path)


# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false


def eager(before: str, after: str, folder: Path) -> list[Any]:
    """What the code gives without graphs; what it gives after the fix where Python can't run it before."""
    import tensorflow as tf

    tf.config.run_functions_eagerly(True)
    try:
        return result(before, folder / "before.py")
    except (ValueError, TypeError, UnboundLocalError, tf.errors.InvalidArgumentError):
        return result(after, folder / "after.py")
    finally:
        tf.config.run_functions_eagerly(False)


def result(code: str, path: Path) -> list[Any]:
    """What the last expression of a module gives."""
    import numpy as np
    import tensorflow as tf

    lines = code.splitlines()
    start = ast.parse(code).body[-1].lineno - 1
    path.write_text("\n".join([*lines[:start], f"result = ({lines[start]}", *lines[start + 1 :], ")", ""]), "utf-8")
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return [np.asarray(part).tolist() for part in tf.nest.flatten(module.result)]


CHOICES = {
    "used by a function": (
        """
        def f(x):
            if tf.reduce_sum(x) > 0:
                bound = tf.reduce_sum(x)
            return tf.maximum(x, bound)
        """,
        [
            "Bind `bound` before the `if`: choose a value for `...`",
            "Bind `bound` in an `else`: choose a value for `...`",
        ],
    ),
    "a factor that is changed first": (
        """
        def f(x):
            if tf.reduce_sum(x) > 0:
                rate = tf.reduce_sum(x)
            rate += 1.0
            return x * rate
        """,
        ["Bind `rate` before the `if`: choose a value for `...`", "Bind `rate` in an `else`: choose a value for `...`"],
    ),
    "the last of a loop": (
        """
        def f(x):
            for row in tf.data.Dataset.range(3):
                last = row * 2
            return last
        """,
        ["Bind `last` before the loop: choose a value for `...`"],
    ),
    "a flag": (
        """
        def f(x):
            for row in tf.data.Dataset.range(3):
                found = row > 1
            return found
        """,
        ["Bind `found` before the loop: choose a value for `...`"],
    ),
    "a key of a dict that is returned": (
        """
        def f(x):
            out = {}
            if tf.reduce_sum(x) > 0:
                out['b'] = x
            y = x + out['b']
            return out
        """,
        ["Set `out['b']` first: choose a value for `...`"],
    ),
    "None that a function receives": (
        """
        def f(x):
            if tf.reduce_sum(x) > 0:
                bound = x
            else:
                bound = None
            return tf.maximum(x, bound)
        """,
        ["Replace None: choose a value for `...`"],
    ),
    "None that is returned": (
        """
        def f(x):
            if tf.reduce_sum(x) > 0:
                return x
            return None
        """,
        ["Replace None: choose a value for `...`"],
    ),
    "nothing that is returned": (
        """
        def f(x):
            if tf.reduce_sum(x) > 0:
                return x
        """,
        ["Return a value after the `if`: choose a value for `...`"],
    ),
}
CHOSEN = [pytest.param(function, titles, id=name) for name, (function, titles) in CHOICES.items()]


def undecided(function: str) -> str:
    drive = "def drive():\n    return f(tf.constant([1.0]))\n"
    return f"{HEAD}@tf.function\n{textwrap.dedent(function).lstrip()}\n\n{drive}"


@pytest.mark.parametrize(("function", "titles"), CHOSEN)
def test_a_value_that_nothing_decides_is_left_to_choose(function: str, titles: list[str]):
    text = undecided(function)
    [found] = check(text)
    assert [fix.title for fix in found.fixes] == titles
    for fix in found.fixes:
        assert "..." in apply_edits(text, fix.edits)
        assert not fix.certain


@pytest.mark.truth
@pytest.mark.parametrize(("function", "titles"), CHOSEN)
def test_what_is_to_be_chosen_cant_go_unnoticed(function: str, titles: list[str], tmp_path: Path):
    text = undecided(function)
    [found] = check(text)
    for number, fix in enumerate(found.fixes):
        path = tmp_path / f"chosen_{number}.py"
        path.write_text(apply_edits(text, fix.edits), "utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with pytest.raises((TypeError, ValueError)):
            module.drive()
