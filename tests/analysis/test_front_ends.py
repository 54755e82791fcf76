"""Programs under Graphwright's decorators: what is told of them, and what they do when they are run."""

from __future__ import annotations

import ast
import functools
import re
import runpy
from pathlib import Path

import called_programs
import gast
import pytest
from graphwright_analysis import Project, Settings, Severity
from graphwright_analysis.mdtest import Section, sections
from graphwright_analysis.values.domain import KerasTensor

DOCUMENT = Path(__file__).parent / "mdtest/graphwright_function.md"
SECTIONS = [pytest.param(each, id=each.title) for each in sections(DOCUMENT.read_text("utf-8"))]
PROGRAMS = [
    pytest.param(name, section.blocks[0][1], id=f"{stem}: {name}")
    for stem, found in called_programs.documents()
    for name, section in found.items()
]
FAILING_CALLS = {
    "guarded_subscript",
    "index_of",
    "first_over_sum_else",
}
"""Those that are called with an empty list here, which is a tensor of float32 where the others are of int32."""


@pytest.mark.truth
@pytest.mark.parametrize("section", SECTIONS)
def test_a_program_fails_exactly_where_something_is_marked(section: Section, tmp_path: Path):
    [(_, text)] = section.blocks
    path = tmp_path / "program.py"
    path.write_text(re.sub(r"^ *reveal\(.*\n", "", text, flags=re.MULTILINE), "utf-8")
    fails = any(sign in text for sign in ("# error", "unset-after-branch", "[loop-shape-change]"))
    try:
        runpy.run_path(str(path))
    except Exception:
        assert fails
    else:
        assert not fails


@pytest.mark.parametrize(("name", "text"), PROGRAMS)
def test_what_the_converter_takes_gets_no_error(name: str, text: str):
    text, refused = _under_graphwright(name, text)
    project = Project(None)
    project.set_text("program.py", text)
    told = [each.message for each in project.check("program.py") if each.severity is Severity.ERROR]
    if name in FAILING_CALLS:
        assert told
    elif not refused:
        assert told == []


def _under_graphwright(name: str, text: str) -> tuple[str, bool]:
    """The program under `gw.function` with the options that it is tested with, and whether it is to be refused."""
    options = {keyword.arg: keyword.value for keyword in _registered()[name].keywords}
    promote = ast.unparse(options.get("promote", ast.Constant(False)))
    decorator = f"gw.function(promote={promote})"
    text = text.replace("@tf.function", f"@{decorator}").replace("= tf.function(", f"= {decorator}(")
    return f"import graphwright as gw\n{text}", "refused" in options


@functools.cache
def _registered() -> dict[str, ast.Call]:
    """The decorators of the programs that say how they are tested."""
    trees = [ast.parse(path.read_text("utf-8")) for path in called_programs.PROGRAMS.glob("*.py")]
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    found = {each.name: [call for call in each.decorator_list if isinstance(call, ast.Call)] for each in functions}
    return {name: calls[0] for name, calls in found.items() if len(calls) == 1}


def test_what_keras_operations_make_of_placeholders_are_placeholders():
    project = Project(None, Settings())
    text = "import keras\nfrom keras import ops\n\nx = keras.Input((3,))\n"
    project.set_text("a.py", text + "y = ops.sum(ops.concatenate([x, ops.relu(x)]), axis=-1)\nz = ops.sum(3)\n")
    values = project.trace("a.py").values
    named = {node.id: value for node, value in values.items() if isinstance(node, gast.Name)}
    assert isinstance(named["y"], KerasTensor)
    assert not isinstance(named["z"], KerasTensor)
