"""Rewrites: each gives the code that is written down, which the analysis finds clean and TensorFlow runs alike.

The documents in `rewrites` have a section for each: a heading `kind: title`, the code before and the code after.
The function or loop is the one on the line that ends in `# here`. What `result` is must be the same before, run
eagerly, and after. A heading `kind: refused: words` has the code alone; `none` means that nothing is offered.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from graphwright.rewrites import REWRITES
from graphwright_analysis import Action, Project, Range, apply_edits, code_actions

HEAD = "import tensorflow as tf\n\n\n"
GRAPHWRIGHT = "import graphwright as gw\n"
SECTION = re.compile(
    r"^## ([\w-]+): ([^\n]+)\n\n(?:[^\n`]+\n\n)?```python\n(.*?)^```\n(?:\n```python\n(.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Example:
    kind: str
    title: str
    before: str
    after: str


def examples() -> list[Any]:
    found = [
        (path.stem, Example(*(part or "" for part in match.groups())))
        for path in sorted((Path(__file__).parent / "rewrites").glob("*.md"))
        for match in SECTION.finditer(path.read_text("utf-8"))
    ]
    return [pytest.param(example, id=f"{stem}-{number}") for number, (stem, example) in enumerate(found)]


def offered(text: str, kind: str) -> list[Action]:
    project = Project(None)
    project.set_text("example.py", text)
    at = text.index("# here")
    line = text.rfind("\n", 0, at) + 1
    # A call is meant by its name, whatever else is by the line.
    cursor = text.index("tf.", line) if kind == "hoist" else line
    found = code_actions(project, "example.py", Range(cursor, cursor), further=REWRITES)
    return [action for action in found if action.kind == f"refactor.rewrite.graphwright.{kind}"]


@pytest.mark.parametrize("example", examples())
def test_a_rewrite_gives_what_is_written_down(example: Example):
    actions = offered(HEAD + example.before, example.kind)
    if example.title == "none":
        assert actions == []
        return
    if example.title.startswith("refused: "):
        (action,) = actions
        assert action.edits == ()
        assert example.title.removeprefix("refused: ") in (action.disabled or "")
        return
    (action,) = [action for action in actions if action.title == example.title]
    assert action.disabled is None
    before, after = HEAD + example.before, apply_edits(HEAD + example.before, action.edits)
    assert after == head_after(example) + example.after
    assert findings(after) <= findings(before)


@pytest.mark.truth
@pytest.mark.parametrize("example", [each for each in examples() if each.values[0].after])
def test_a_rewrite_keeps_what_is_computed(example: Example, tmp_path: Path):
    after = results(tmp_path, "after", head_after(example) + example.after)
    assert after == results(tmp_path, "before", HEAD + example.before)


def head_after(example: Example) -> str:
    return GRAPHWRIGHT + HEAD if example.kind == "gw-function" else HEAD


def findings(text: str) -> set[tuple[str, str]]:
    project = Project(None)
    project.set_text("example.py", text)
    return {(found.rule, found.message) for found in project.check("example.py")}


def results(folder: Path, name: str, text: str) -> list[Any]:
    """What `result` is when the text is run as a module: TensorFlow wants a file to read the source from."""
    path = folder / f"{name}.py"
    path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location(f"{name}_{folder.name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return list(_plain(module.result))


def _plain(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _plain(item)
    else:
        yield str(getattr(value, "dtype", type(value))), getattr(value, "numpy", lambda: value)().tolist()
