"""hasattr and getattr with a default: attributes that the graph sets or deletes in one branch only are refused.

Attributes that are read without a default fail when the graph runs, as in Python.
"""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.attributes import attributes_of, chosen_from
from graphwright.runtime.state.undefined import Maybe, held


def has_attribute(owner: Any, name: str) -> bool:
    """`hasattr(owner, name)`."""
    _refuse_unsure(owner, name)
    return hasattr(owner, name)


def get_attribute(owner: Any, name: str, *default: Any) -> Any:
    """`getattr(owner, name, default)`."""
    if default:
        _refuse_unsure(owner, name)
    return getattr(owner, name, *default)


def _refuse_unsure(owner: Any, name: str) -> None:
    for each in chosen_from(owner) or (owner,):
        value = attributes_of(each).get(name)
        if isinstance(value, Maybe) and not held(value).none:
            text = held(value).name
            raise TypeError(
                f"only the graph knows, when it runs, whether `{text}` is set: set it to None first, as in "
                f"`{text} = None`, and ask `{text} is None`"
            )
