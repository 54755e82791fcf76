"""`==` of objects whose classes have no `__eq__`: it asks which objects they are, which the graph may decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from graphwright.runtime.basis.separated_lists import has_separated
from graphwright.runtime.basis.tensors import is_sequence
from graphwright.runtime.state.choices import Choice, is_same_object
from graphwright.runtime.state.chosen_members import is_
from graphwright.runtime.state.undefined import behind


def compare_by_identity(*values: Any) -> bool:
    """Whether `==` of these asks which objects they are."""
    kinds = [cast("Any", type(behind(value))) for value in values]
    return all(kind.__eq__ is object.__eq__ or kind.__eq__ is is_same_object for kind in kinds)


def same_or_equal(left: Any, right: Any) -> Any:
    """`left == right`."""
    return is_(left, right) if compare_by_identity(left, right) else left == right


def may_hold_same(values: Iterable[Any]) -> bool:
    """Whether only the graph may know which of the user's objects some in a list or tuple are."""
    return has_separated() or any(map(is_chosen, values))


def is_chosen(value: Any) -> bool:
    """Whether the graph chooses which of a few objects it is, or one in it."""
    return any(map(is_chosen, value)) if is_sequence(value) else isinstance(value, Choice)
