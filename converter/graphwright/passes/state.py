"""One piece of state: how it goes into a generated function and comes out of it. Which there are isn't decided here.

A local name goes in as a parameter and comes out as a result.
An attribute, a global, or a variable shared with another function is a place: generated functions set it where the
user's code does, and an operator is told of it, for a graph to carry it.
A style without places has it go in as a parameter, from which it is set first, and come out as a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece of state.

    `text` is how it is read and assigned, `parameter` the name under which it goes in, `declare` the word
    (`global`, `nonlocal`) that makes an inner function share it.
    `always` says that it must come out whether or not it is read later, if it went in.
    `place` is the expression that names it to an operator, where it doesn't go in and come out as a value.
    """

    text: str
    parameter: str
    declare: str = ""
    always: bool = False
    place: str = ""
    root: str = ""
    rebuilt: str = ""
    """The expression that makes of the parameter what the name is to hold, where it isn't the parameter itself."""

    @property
    def is_local(self) -> bool:
        """Whether it is a name that only this function knows."""
        return not self.declare and self.text == self.root

    @property
    def is_set_first(self) -> bool:
        """Whether it is an attribute that a generated function sets to its parameter, and no more than that."""
        return bool(self.prologue) and not self.declare and not self.rebuilt

    @property
    def prologue(self) -> tuple[str, ...]:
        """What a generated function that has it as a parameter does first."""
        if self.text == self.parameter and not self.rebuilt:
            return ()
        declaration = (f"{self.declare} {self.root}",) if self.declare else ()
        return (*declaration, f"{self.text} = {self.rebuilt or self.parameter}")


def places_argument(slots: Sequence[Slot]) -> list[str]:
    """The argument by which an operator is told which places may be set in its functions."""
    named = [slot.place for slot in slots if slot.place]
    return [f"places=lambda: [{', '.join(named)}]"] if named else []


def prologue(slots: Sequence[Slot]) -> list[str]:
    """What a function that has slots as its parameters does first."""
    return [text for slot in slots for text in slot.prologue]
