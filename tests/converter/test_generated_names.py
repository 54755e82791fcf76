"""Generated code reads no name that nothing has bound, for any function of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from scan_generated_names import scanned

ROOT = Path(__file__).parent.parent.parent

FOLDERS = ("analysis", "converter", "server", "tests/converter/programs", "examples", "tools")


@pytest.mark.thorough
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_names_are_bound(folder: str) -> None:
    found: list[str] = []
    count = 0
    for file in sorted((ROOT / folder).rglob("*.py")):
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
