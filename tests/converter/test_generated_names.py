"""Generated code binds and reads the names of its source, for any function of the repository and of Python's library.

Helpers of the converter's own aside. Whole packages are looked at by `make names`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from compare_names import different_names
from scan_generated_names import scanned, standard

ROOT = Path(__file__).parent.parent.parent

FOLDERS = ("analysis", "converter", "server", "tests/converter/programs", "examples", "tools")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "folder",
    [*FOLDERS, *standard()],
    ids=lambda folder: getattr(folder, "name", folder),
)
def test_names_are_those_of_the_source(folder: str | Path) -> None:
    found: list[str] = []
    count = 0
    place = ROOT / folder
    for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        for name, line, wrong in scanned(file.read_text("utf-8")):
            count += 1
            found += [f"{file}:{line} {name}: {each}" for each in wrong or ()]
    assert count > 20 and not found, "\n".join(found)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("    gw.if_(c, then, other, y)", "`y` is taken for an outer name"),
        ("    global y\n    gw.if_(c, then, other, y)", "`y` is taken for an outer name"),
        ("    y = gw.if_(c, then, other, y)", "`y` has no value in line 2: y = gw.if_(c, then, other, y)"),
    ],
)
def test_what_is_not_bound_is_told(body: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import scan_generated_names
    from graphwright.pipeline import Generated

    generated = Generated(f"def f(c):\n{body}\n", tuple(range(1, body.count("\n") + 3)))
    monkeypatch.setattr(scan_generated_names, "generate", lambda source: generated)
    text = "def f(c):\n    return c\n"
    [(_, _, found)] = scanned(text)
    assert found is not None and told in found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def f(c):\n    n = c", "`n` is bound in the generated code alone"),
        ("def f():\n    return c", "`c` is bound in the source alone"),
        ("def f(c):\n    return gw.abs(c)", "`len` is an outer name in the source alone"),
        ("def f(c):\n    return gw.len(c.size)", "`size` is read as an attribute in the generated code alone"),
        ("def f(c):\n    c.size = gw.len(c)", "`size` is set as an attribute in the generated code alone"),
    ],
)
def test_what_one_side_alone_has_is_told(text: str, told: str) -> None:
    assert told in different_names("def f(c):\n    return len(c)", text, "gw", None)


@pytest.mark.parametrize(
    "text",
    [
        "def f(c):\n    return gw.len(c)",
        "def f(c):\n    def then(c_):\n        last_c = len(c)\n        return c_\n    return then(c)",
        "def f(c):\n    result = gw.if_(len(c))\n    return result.value",
    ],
)
def test_operators_and_helpers_are_the_converters_own(text: str) -> None:
    assert not list(different_names("def f(c):\n    return len(c)", text, "gw", None))
