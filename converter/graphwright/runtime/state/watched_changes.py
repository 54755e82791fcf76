"""What code sets that is neither a branch nor an iteration: it is run once, and its notes are given.

How things are noted isn't decided here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.births import tracing
from graphwright.runtime.state.journal import StateJournal, current
from graphwright.runtime.state.places import StatePlace


def watched(action: Callable[[], Any], advances: bool = False) -> tuple[Any, StateJournal]:
    """Run something, and give the notes of what it has set."""
    inner = StateJournal(around=(outer := current()), advances=advances)
    token = tracing.set(inner)
    try:
        result = action()
    finally:
        tracing.reset(token)
    if outer is not None:
        outer.born.update(inner.born)
        outer.adopt(inner.fresh)
    return result, inner


def advancing(action: Callable[[], Any]) -> tuple[Any, list[tuple[StatePlace, Any]]]:
    """Take an item of an iterator; gives the places that it has set, with what they held. It is no branch or turn."""
    result, inner = watched(action, advances=True)
    return result, [*inner.carried.values(), *inner.fresh.values()]
