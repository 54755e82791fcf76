"""The table of what TensorFlow's functions return, read once, by public name and TensorFlow minor.

An entry may tell minors apart: `since` and `until` are the first and the last that have the function, and `before` has
what was otherwise up to and including a minor, such as parameters that came later. From 2.16 on only such parameters
differ, of a few functions. What an entry means for arguments is in `functions`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from graphwright_analysis.immutability import immutable

Version = tuple[int, int]

NEWEST: Version = (2, 21)
"""The minor that is taken where nothing else is said, which is the one that the table was asked of."""
OLDEST: Version = (2, 16)


@immutable
class FunctionEntry:
    """What the table says of one function: its parameters, those whose values decide, and what it gives.

    `dtypes` is `same`, a dtype or a mapping, `shape` a family; both are lists where a tuple comes out.
    """

    parameters: tuple[str, ...]
    deciding: tuple[str, ...]
    dtypes: Any
    shape: Any = None
    gives_list: bool = False
    fields: tuple[str, ...] = ()
    refuses: frozenset[str] = frozenset()
    promotes: str = ""
    """Who brings operands of different dtypes to one, `keras` or `numpy`."""
    forms: tuple[Any, ...] = ()
    """What else than `dtypes` and `shape` says what it gives; read by `forms`."""
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])


@functools.cache
def _table() -> dict[str, Any]:
    return json.loads(Path(__file__).with_name("table.json").read_text("utf-8"))


def canonical(name: str) -> str:
    """The name by which the table has a function: `reduce_sum` for `math.reduce_sum`."""
    return _table()["aliases"].get(name, name)


def promoted(by: str, first: str, second: str) -> str | None:
    """The dtype that `keras` or `numpy` finds for two operands, of which the second may be a kind of Python numbers."""
    return _table()["promotions"][by].get(f"{first} {second}")


@functools.cache
def entry(name: str, version: Version = NEWEST) -> FunctionEntry | None:
    """The table's entry for `reduce_sum`, `math.log`..., by any of its public names; None where that minor has none."""
    found = _table()["functions"].get(canonical(name))
    if found is None or not _minor(found.get("since"), OLDEST) <= version <= _minor(found.get("until"), (99, 0)):
        return None
    for older in found.get("before", ()):
        if version <= _minor(older["until"], NEWEST):
            found = {**found, **older}
            break
    parameters = tuple(found["params"])
    return FunctionEntry(
        parameters,
        tuple(found.get("of") or parameters[:1]),
        found.get("dtypes"),
        found.get("shape"),
        bool(found.get("list")),
        tuple(found.get("fields", ())),
        frozenset(found.get("refuses", ())),
        found.get("promotes", ""),
        tuple(found.get("forms", ())),
        found.get("defaults", {}),
    )


def _minor(text: str | None, default: Version) -> Version:
    if text is None:
        return default
    major, minor = text.split(".")[:2]
    return int(major), int(minor)
