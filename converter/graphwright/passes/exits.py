"""How generated functions end: what they give back at their end and for each jump of the user's.

A *frame* is a generated function that is being written.
The user's own function gives back what it returns; a turn of a loop gives the loop's state back, by
`gw.more` and `gw.last` where the loop can be left early; a branch gives what it has changed, after one flag for
each kind of jump that may be taken in it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from graphwright.passes.state import Slot

Jump = Literal["end", "break", "continue", "return"]


@dataclass(frozen=True, slots=True)
class ExitFrame:
    """The function that is being written, as far as its end is concerned.

    `results` is what comes back; in a turn `result` names the variable among them that holds what the user's
    function returns.
    `flags` are the jumps that a branch reports in front of its results.
    `extra` are places that a function at the end of another gives back in front of all else.
    `parameters` are the local names that go in.
    """

    kind: Literal["function", "turn", "branch"]
    gw: str
    results: tuple[str, ...] = ()
    result: str = ""
    leaves: bool = False
    flags: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    in_native_loop: bool = False
    parameters: frozenset[str] = frozenset()

    def with_extra(self, places: list[Slot]) -> ExitFrame:
        new = tuple(slot.text for slot in places if slot.text not in self.results and slot.text not in self.extra)
        return replace(self, extra=new + self.extra)

    def without(self, names: Collection[str]) -> ExitFrame:
        """The same where some results have no value, which is nobody's concern."""
        results = tuple(f"{self.gw}.never" if name in names else name for name in self.results)
        return replace(self, results=results)

    def leaving(self, jump: Jump, value: str = "") -> str:
        """What the generated function returns for a jump; `value` is what the user returns, or a Result's name."""
        inner = self._leaving(jump, value)
        return joined([*self.extra, inner]) if self.extra else inner

    def _leaving(self, jump: Jump, value: str) -> str:
        if self.kind == "function":
            return value or "None"
        if self.kind == "turn":
            return self._of_turn(jump, value)
        flags = [self._flag(flag, jump, value) for flag in self.flags]
        return joined([*flags, *self.results])

    def _of_turn(self, jump: Jump, value: str) -> str:
        results = [value if jump == "return" and name == self.result else name for name in self.results]
        if not self.leaves:
            return joined(results)
        return f"{self.gw}.{'last' if jump in ('break', 'return') else 'more'}({', '.join(results)})"

    def _flag(self, flag: str, jump: Jump, value: str) -> str:
        if flag == "return":
            return value if jump == "return" else f"{self.gw}.pending"
        return str(flag == jump)

    def given(self, value: str) -> str:
        """How a value that the user returns is given back: as it is, or as a Result."""
        return value if self.kind == "function" else f"{self.gw}.returned({value})"


def joined(parts: list[str]) -> str:
    """Values as one: bare if there is one, a tuple if there are more."""
    return ", ".join(parts) if parts else "None"


def as_value(text: str, count: int) -> str:
    """Such values where only an expression can stand."""
    return f"({text})" if count > 1 else text
