"""Random programs, judged by the analysis and by TensorFlow: no false alarm, and nothing missed that is ours."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
from pathlib import Path

import pytest
from graphwright_analysis import Project, Settings

PROGRAMS = 25
NAMES = ("a", "b", "c", "d")
TENSOR_TESTS = ("x > 0.0", "n > 1", "tf.reduce_sum(x) > 0.0", "n == 2", "x > 0.0 and n > 1")
PYTHON_TESTS = ("PY", "not PY", "x.shape.rank == 1", "len(ITEMS) == 2")
HEAD = """\
import tensorflow as tf

PY = True
ITEMS = (1, 2)


class Program:
    @tf.function
    def run(self, x, n):
"""
TAIL = """

def drive():
    return Program().run(tf.constant(1.5), tf.constant(2))
"""
SAYS = {
    "undefined-in-branch": re.compile(r"must also be initialized in the (main|else) branch"),
    "branch-dtype-mismatch": re.compile(r"has dtype \w+ in the main branch, but dtype \w+ in the else branch"),
}


def program(dice: random.Random) -> str:
    """A method of random ifs, loops and assignments; names are only read where some way to them binds them."""
    known = {"x", "n"}
    lines = [*block(dice, 0, known), f"return {dice.choice(sorted(known))}"]
    return HEAD + "".join(f"        {line}\n" for line in lines) + TAIL


def block(dice: random.Random, depth: int, known: set[str]) -> list[str]:
    lines: list[str] = []
    for _ in range(dice.randrange(1, 4)):
        choice = dice.randrange(11)
        if choice < 5 or depth == 3:
            name = dice.choice((*NAMES, *NAMES, "self.state"))
            lines.append(f"{name} = {value(dice, known)}")
            known |= {name} - {"self.state"}
        elif choice < 9:
            body, orelse = set(known), set(known)
            lines += [f"if {test(dice)}:", *indented(block(dice, depth + 1, body))]
            if dice.random() < 0.6:
                lines += ["else:", *indented(block(dice, depth + 1, orelse))]
            known |= body | orelse
        elif choice == 9:
            over = dice.choice(("tf.range(3)", "range(2)", "tf.range(n)"))
            lines += [f"for i in {over}:", *indented(block(dice, depth + 1, known))]
        elif depth == 0:
            lines += [f"if {dice.choice(TENSOR_TESTS)}:", f"    return {value(dice, known)}"]
    return lines or ["pass"]


def test(dice: random.Random) -> str:
    return dice.choice((*TENSOR_TESTS, *PYTHON_TESTS))


test.__test__ = False  # type: ignore[attr-defined]


def value(dice: random.Random, known: set[str]) -> str:
    fixed = ("1", "0.5", "True", "x * 2.0", "n + 1", "tf.reduce_sum(x)", "tf.argmax([x, x])")
    return dice.choice((*fixed, *sorted(known)))


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def outcome(path: Path) -> str:
    """What TensorFlow says when the program runs; empty if it runs well."""
    spec = importlib.util.spec_from_file_location(f"random_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
        module.drive()
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    finally:
        del sys.modules[spec.name]
    return ""


@pytest.mark.truth
@pytest.mark.parametrize("seed", range(4))
def test_the_analysis_agrees_with_tensorflow(seed: int, tmp_path: Path):
    dice = random.Random(seed)
    judged = 0
    for number in range(PROGRAMS):
        path = tmp_path / f"program_{seed}_{number}.py"
        path.write_text(program(dice), "utf-8")
        found = {diagnostic.rule for diagnostic in Project(None, Settings()).check(str(path))}
        said = outcome(path)
        about = f"{path.read_text('utf-8')}\nTensorFlow: {said or 'runs well'}\nfound: {sorted(found)}"
        if not said:
            judged += 1
            assert not found, about
        # What a loop makes of a name that isn't bound before it is another rule's matter.
        elif "AutoGraph tried to define it automatically" not in said:
            for rule, pattern in SAYS.items():
                if pattern.search(said):
                    judged += 1
                    assert rule in found, about
    assert judged >= PROGRAMS // 4
