"""What is known to be in a list: what a branch has tested, or was read from it. `index` and `remove` find that.

XLA needs to know, since it raises nothing when the graph runs, and would go on with the first item.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Generator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member, is_of
from graphwright.runtime.basis.context import is_for_xla
from graphwright.runtime.basis.tensorflow import tf

_entered: ContextVar[tuple[tuple[Any, bool], ...]] = ContextVar("graphwright_entered_by", default=())
"""The tests of the branches that are being traced, and what each of them is there."""


@dataclass(frozen=True)
class Membership:
    """That a value is among items."""

    value: Any
    items: tuple[Any, ...]


@dataclass(frozen=True)
class Implications:
    """What a test says where it is true, and where it is false."""

    if_true: Membership | None = None
    if_false: Membership | None = None


def note_taken(value: Any, container: Any) -> Any:
    """The value, known to be one that the container holds."""
    if is_for_xla() and _may_be_noted(value):
        items = _items_of(container)
        if items is not None:
            value.graphwright_taken_from = items
    return value


def note_membership(test: Any, value: Any, container: Any) -> Any:
    """The test, known to say whether the container holds the value."""
    items = _items_of(container) if is_of(test, tf.Tensor) else None
    return test if items is None else _noted(test, Implications(if_true=Membership(value, items)))


def note_negation(negation: Any, test: Any) -> Any:
    """The negation of a test, which says the contrary."""
    known = _said_by(test)
    return _noted(negation, Implications(known.if_false, known.if_true))


def note_all(whole: Any, first: Any) -> Any:
    """The whole of an `and`, which says what its first test does where it is true."""
    return _noted(whole, Implications(if_true=_said_by(first).if_true))


def note_any(whole: Any, first: Any) -> Any:
    """The whole of an `or`, which says what its first test does where it is false."""
    return _noted(whole, Implications(if_false=_said_by(first).if_false))


@contextlib.contextmanager
def entered_by(test: Any, truth: bool) -> Generator[None, None, None]:
    """Trace a branch that the graph runs where the test is this."""
    token = _entered.set((*_entered.get(), (test, truth)))
    try:
        yield
    finally:
        _entered.reset(token)


def refuse_perhaps_missing(value: Any, container: Any) -> None:
    """Raise the error for looking for what a list may not hold, in what XLA compiles."""
    items = _items_of(container)
    if _may_be_noted(value) and _are_same(getattr(value, "graphwright_taken_from", ()), items):
        return
    for test, truth in _entered.get() if is_for_xla() else ():
        known = _said_by(test).if_true if truth else _said_by(test).if_false
        if known is not None and known.value is value and _are_same(known.items, items):
            return
    if is_for_xla():
        raise TypeError(
            "XLA raises nothing when the graph runs: if the list doesn't hold this, it would go on with the first "
            "item. Put it into `if x in xs:`"
        )


def _may_be_noted(value: Any) -> bool:
    """Whether it is a tensor, or an object that the graph chooses."""
    return isinstance(value, tf.Tensor) or has_member(cast("Any", type(value)), "graphwright_options")


def _noted(test: Any, said: Implications) -> Any:
    if is_of(test, tf.Tensor) and is_for_xla():
        test._graphwright_implications = said  # pyright: ignore[reportAttributeAccessIssue]
    return test


def _said_by(test: Any) -> Implications:
    return getattr(test, "_graphwright_implications", _NOTHING) if is_of(test, tf.Tensor) else _NOTHING


def _items_of(container: Any) -> tuple[Any, ...] | None:
    if has_member(cast("Any", type(container)), "graphwright_flatten"):
        return tuple(container.graphwright_flatten()[0])
    return tuple(cast("list[Any]", container)) if is_of(container, list, tuple) else None


def _are_same(some: tuple[Any, ...], others: tuple[Any, ...] | None) -> bool:
    return others is not None and len(some) == len(others) and all(map(operator.is_, some, others))


_NOTHING = Implications()
