"""What a function returns out of a loop or a branch: a value that is given, or one that is still to come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphwright.runtime.basis.outcomes import ReturnOutcome, never
from graphwright.runtime.control.conditionals import if_
from graphwright.runtime.state.places import Places


@dataclass(frozen=True, eq=False)
class Result(ReturnOutcome):
    """What a function returns, if it has returned yet, and how it goes on if it hasn't."""

    def or_else(self, rest: Callable[..., Any], places: Places | None = None) -> Any:
        """The value that was returned, or what the rest of the function returns, which may set `places`.

        The rest's defaults are the state that it changes, and that nothing reads after it.
        """

        def returned_before(*_: Any) -> Any:
            return self.value

        names = ("the returned value",)
        return if_(self.given, returned_before, rest, *(rest.__defaults__ or ()), names=names, places=places)


pending = Result(False, never)


def returned(value: Any) -> Result:
    """The function returns a value."""
    return Result(True, value)
