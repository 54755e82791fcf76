"""A class's name means one thing: no two classes share one, in a package or where other packages may see them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("analysis/graphwright_analysis", "converter/graphwright", "server/graphwright_server")

DELIBERATE: dict[str, str] = {}
"""Names that are meant to stand for several things, with the reason."""


def classes(package: str) -> list[tuple[str, str]]:
    """The name of every class of a package and where it is defined."""
    return [
        (node.name, path.relative_to((ROOT / package).parent).as_posix())
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]


def shared(found: Mapping[str, Iterable[tuple[str, str]]]) -> dict[str, list[str]]:
    """The names that several classes have, with or without a leading underscore, and where those are.

    A private class of one package and a class of another never meet.
    """
    public: dict[str, list[str]] = defaultdict(list)
    clashing: dict[str, list[str]] = {}
    for defined in found.values():
        inside: dict[str, list[str]] = defaultdict(list)
        for name, place in defined:
            inside[name.lstrip("_")].append(place)
            if not name.startswith("_"):
                public[name].append(place)
        clashing |= {name: places for name, places in inside.items() if len(places) > 1}
    return clashing | {name: places for name, places in public.items() if len(places) > 1}


def test_no_two_classes_have_one_name():
    found = {package: classes(package) for package in PACKAGES}
    assert sum(map(len, found.values())) > 500
    clashing = shared(found)
    assert {name: places for name, places in clashing.items() if name not in DELIBERATE} == {}
    assert DELIBERATE.keys() <= clashing.keys()


def test_which_classes_share_a_name():
    found = {
        "one": [("Trace", "a"), ("_Trace", "b"), ("Place", "c"), ("_Found", "d")],
        "other": [("Place", "e"), ("Found", "f")],
    }
    assert shared(found) == {"Trace": ["a", "b"], "Place": ["c", "e"]}
