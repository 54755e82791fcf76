"""AutoGraph's optional features, so that code which names them runs: all but name scopes are always on here."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, cast


class Feature(enum.Enum):
    """What `experimental_optional_features` may name. TensorFlow's own members are accepted as well."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All features."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """All features but one or several, without ALL itself."""
        excluded = {*_names(exclude), "ALL"}
        return tuple(feature for feature in cls if feature.name not in excluded)


def uses_name_scopes(features: Any) -> bool:
    """Whether the operations of each function are to be named after it; anything but features is a TypeError."""
    return not {"NAME_SCOPES", "ALL"}.isdisjoint(_names(features))


def _names(features: Any) -> set[str]:
    several = isinstance(features, (list, tuple, set, frozenset))
    given = cast("Iterable[Any]", features if several else () if features is None else (features,))
    names = {getattr(feature, "name", "") for feature in given}
    if not names <= Feature.__members__.keys():
        raise TypeError(f"optional features are members of gw.Feature, or several in a tuple; not {features!r}")
    return names
