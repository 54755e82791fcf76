"""What a piece of code comes to: a returned value, the state after a turn, or no end at all. It stages nothing."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphwright.twins import codes_below


@dataclass(frozen=True, eq=False)
class ReturnOutcome:
    """What a function returns, if it has returned yet; `given` may be a tensor."""

    given: Any
    value: Any


@dataclass(frozen=True, eq=False)
class Turn:
    """The state after a turn of a loop, and whether it was the last; `stop` may be a tensor."""

    stop: Any
    state: tuple[Any, ...]


@dataclass(frozen=True)
class Never:
    """The result of a path that doesn't come to an end; it merges with anything."""


never = Never()


def more(*state: Any) -> Turn:
    """Go on with the next turn."""
    return Turn(False, state)


def last(*state: Any) -> Turn:
    """This was the last turn."""
    return Turn(True, state)


def unchanged(*state: Any) -> Any:
    """The state as it was."""
    return pack(state)


def pack(state: tuple[Any, ...]) -> Any:
    """One value bare, none as None, several as a tuple."""
    if len(state) == 1:
        return state[0]
    return state or None


def unpack(result: Any, count: int) -> tuple[Any, ...]:
    """The other way round."""
    if count == 0:
        return ()
    return (result,) if count == 1 else tuple(result)


def as_turn(result: Any, state: tuple[Any, ...]) -> Turn:
    """What a turn gave, as a Turn."""
    if isinstance(result, Turn):
        return result
    if isinstance(result, Never):
        return Turn(True, state)
    return Turn(False, unpack(result, len(state)))


def code_of_turn(turn: Callable[..., Any]) -> types.CodeType | None:
    """The generated code of a turn, if it has some."""
    return getattr(inspect.unwrap(turn), "__code__", None)


def mentions_last(turn: Callable[..., Any]) -> bool:
    """Whether generated code can leave the loop: known before it is traced, it needn't be traced again."""
    code = code_of_turn(turn)
    return code is not None and any("last" in each.co_names for each in (code, *codes_below(code)))
