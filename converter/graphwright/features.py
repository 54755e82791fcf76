"""AutoGraph's optional features, so that code which names them runs: most are always on here."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, cast

EFFECTIVE = frozenset({"BUILTIN_FUNCTIONS", "NAME_SCOPES"})


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


def chosen(features: Any) -> frozenset[str]:
    """The features that change something: scopes named after functions, and `print` by Python, as AutoGraph has it.

    Anything but features is a TypeError.
    """
    names = _names(features)
    return EFFECTIVE if "ALL" in names else EFFECTIVE & names


def _names(features: Any) -> set[str]:
    several = isinstance(features, (list, tuple, set, frozenset))
    given = cast("Iterable[Any]", features if several else () if features is None else (features,))
    names = {getattr(feature, "name", "") for feature in given}
    if not names <= Feature.__members__.keys():
        raise TypeError(f"optional features are members of gw.Feature, or several in a tuple; not {features!r}")
    return names
