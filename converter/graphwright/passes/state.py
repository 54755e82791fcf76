"""One piece of state: how it goes into a generated function and comes out of it. Which there are isn't decided here.

A local name goes in as a parameter and comes out as a result.
An attribute, a global, or a variable shared with another function is set from its parameter first, so that
all that runs inside sees it, and its value is given back at the end.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece of state.

    `text` is how it is read and assigned, `parameter` the name under which it goes in, `declare` the word
    (`global`, `nonlocal`) that makes an inner function share it.
    `always` says that it must come out whether or not it is read later, if it went in.
    `store` is a statement that sets it, where it may not exist and a plain assignment won't do.
    """

    text: str
    parameter: str
    declare: str = ""
    always: bool = False
    store: str = ""
    root: str = ""

    @property
    def is_local(self) -> bool:
        """Whether it is a name that only this function knows."""
        return not self.declare and self.text == self.root

    @property
    def target(self) -> str:
        """What a result is assigned to."""
        return self.parameter if self.store else self.text

    @property
    def prologue(self) -> tuple[str, ...]:
        """What a generated function does first."""
        if self.text == self.parameter:
            return ()
        declaration = (f"{self.declare} {self.root}",) if self.declare else ()
        return (*declaration, self.store or f"{self.text} = {self.parameter}")
