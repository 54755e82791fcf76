"""No text that a person reads has a word or phrase that plain technical English says otherwise.

Messages are held as the snapshots show them, other texts as they are written; code in them doesn't count.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

ROOT = Path(__file__).resolve().parents[2]

WORDS = {
    r"(?:each|every|one|a|the|per|last|next|first|number of|of many|two) turns?\b(?! (?:off|on))": "iteration",
    r"(?:is|are|be) told\b|\btells of\b|\btells? (?:what|which|who)\b": "is reported; shows",
    r"mended|cures?\b|cured|the way out\b": "is fixed; the fix",
    r"behind (?:it|them|the (?:first|last|next|loop|branch|cursor))\b": "after, following",
    r"anew\b|once more\b|again and again\b": "again; repeatedly",
    r"another (?:dtype|shape|structure)\b|from call to call\b": "a different value; between calls",
    r"(?:is|are|was|were) given\b": "receives; pass",
    r"(?:is|are) asked\b": "runs",
    r"wants\b": "requires, accepts",
    r"refuses (?:it|the|a|any|other|`)|refuses to (?:build|trace)\b|will refuse\b": "raises; can't build; rejects",
    r"(?:one|either|other|both|which|taken) sides?\b|sides? of (?:an?|the) (?:`if`|if|branch)": "branch",
    r"stands (?:in|beside|there|here|alone|under)\b|may stand for\b": "is in; applies to",
    r"beside\b": "next to, besides, along with",
    r"who decides\b": "decided by the graph, decided by Python",
    r"looked (?:at|through|into)\b": "is analyzed, is followed",
    r"nothing that is followed\b": "unreachable in the analyzed calls",
    r"whoever\b|be it\b|as far as\b|thereby\b|to that end\b": "rewrite",
    r"account of (?:its|their|all) traces\b|keeps? an account\b": "trace history",
    r"hand(?:s|ed)? (?:over|on)\b": "pass, pass on",
    r"speaks? for\b|counts? for more\b": "applies to; overrides",
    r"done without\b": "ignored, skipped",
    r"is remembered\b|what is kept\b|is kept\b": "store, cache",
    r"it's wished\b|may be wanted\b|isn't wanted\b": "the user asked for it",
    r"of (?:its|their) own name\b|a trace of its own\b": "another trace",
    r"(?:is|are) no finding\b|nothing is said\b|nothing says so\b": "isn't reported",
    r"shape \((?:\d|None|\))|Tensor\[(?:\w+|\?), |tensor of \w+ and shape\b": "float32[8, ?, 3]",
}
"""Phrases, as patterns that no good sentence fits, with what to write instead."""

_PATTERN = re.compile("|".join(rf"\b(?:{phrase})" for phrase in WORDS))


def documents() -> list[Path]:
    """Pages that users and contributors read."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("*/README.md")]
    for folder in ("docs", "changelog.d", "vscode-extension/media"):
        pages += (ROOT / folder).rglob("*.md")
    return sorted(set(pages))


def found_in(text: str) -> list[str]:
    """Return each phrase that is in a text outside of its code."""
    prose = re.sub(r"```.*?```|^(?: {4}|\t).*?$|`[^`\n]*`", "…", text, flags=re.DOTALL | re.MULTILINE)
    return [
        f"{match.group()!r} in {line.strip()[:110]!r}"
        for line in prose.splitlines()
        for match in _PATTERN.finditer(line)
    ]


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_documents(page: Path) -> None:
    assert found_in(page.read_text("utf-8")) == []


def test_messages_as_they_are_shown() -> None:
    """Findings, their notes and the titles of their fixes."""
    shown: set[str] = set()
    for snapshot in (ROOT / "tests/analysis/snapshots").rglob("*.findings.txt"):
        for line in snapshot.read_text("utf-8").splitlines():
            if line.startswith("    ") and not line.startswith("        "):
                shown.add(re.sub(r"^\d+:\d+-\d+:\d+ ", "", line.strip()))
    assert len(shown) > 300
    assert found_in("\n".join(sorted(shown))) == []


def test_what_the_converter_shows() -> None:
    """Errors, warnings and trace histories, as the pages of its tests pin them."""
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "tests/converter/messages").glob("*.md"))
    shown = [line for text in re.findall(r"```text\n(.*?)```", pages, re.DOTALL) for line in text.splitlines()]
    assert len(shown) > 500
    assert found_in("\n".join(shown)) == []


def test_texts_of_the_extension() -> None:
    package = json.loads((ROOT / "vscode-extension/package.json").read_text("utf-8"))
    texts = [text for text in _strings(package) if " " in text]
    assert len(texts) > 50
    assert found_in("\n".join(text.replace("\n", " ") for text in texts)) == []


@pytest.mark.parametrize(
    "folder",
    [
        "analysis/graphwright_analysis/rules",
        "analysis/graphwright_analysis/fixes",
        "analysis/graphwright_analysis/ide",
        "server/graphwright_server",
        "converter/graphwright",
    ],
)
def test_texts_in_code(folder: str) -> None:
    """Every string of several words but docstrings: messages, titles, hovers, help, errors."""
    found = {
        path.relative_to(ROOT).as_posix(): phrases
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (phrases := found_in("\n".join(_texts(ast.parse(path.read_text("utf-8"))))))
    }
    assert found == {}


def test_a_phrase_is_found_and_code_is_not() -> None:
    assert found_in("The list is handed on from turn to turn.") == [
        "'handed on' in 'The list is handed on from turn to turn.'"
    ]
    assert found_in("`x` is a float32 tensor of shape (2,)") == ["'shape (2' in '… is a float32 tensor of shape (2,)'"]
    assert found_in("Write `x behind y`.\n\n    beside\n") == []


def _texts(tree: ast.Module) -> Iterator[str]:
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            words = node.value.strip()
            yield from [words] if " " in words and "\n" not in words else []


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for each in cast("dict[str, Any]", value).values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _strings(each)
    elif isinstance(value, str):
        yield value
