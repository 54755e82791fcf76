"""Facts about the comments that allow findings."""

from __future__ import annotations

from graphwright_analysis.immutability import immutable

from .fact import Fact
from .place import Place


@immutable
class RuleUnknown(Fact):
    """A comment allows a rule that doesn't exist; `nearest` is the most similar name, if one is similar."""

    place: Place
    name: str
    nearest: str | None


@immutable
class AllowUnused(Fact):
    """A comment allows findings that aren't there: those of `names`, or of any rule if that is empty.

    `removed` and `text` are the edit that removes what is of no use.
    """

    place: Place
    names: str
    removed: Place
    text: str
