"""How generated functions end in plain TensorFlow: a turn of a loop says by flags whether it was left.

Before:

    for x in xs:
        if x < 0:
            return x

After, each turn gives back the index of the next one, whether the function has returned, and what:

    return index + 1, True, x
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from graphwright.errors import ConversionError
from graphwright.passes.exits import ExitFrame, Jump, joined


@dataclass(frozen=True, slots=True)
class TensorFrame(ExitFrame):
    """`zero` stands for what is returned where nothing has been, `returns` says whether the user returns anything.

    In a turn, `steps` is what comes first, `going` is True where there is a flag for `break`, and `returned` is the
    variable that says whether the user's function has returned.
    """

    zero: str = ""
    returns: bool = False
    line: int = 0
    steps: tuple[str, ...] = ()
    going: bool = False
    returned: str = ""
    is_reduction: bool = False
    packed: Callable[[str], str] = str
    """What comes back for a name."""

    def without(self, names: Collection[str]) -> TensorFrame:
        """The same: plain TensorFlow needs a value for every result, read or not."""
        return self

    def _leaving(self, jump: Jump, value: str = "") -> str:
        if self.kind == "function":
            if jump == "end" and self.returns:
                raise ConversionError(
                    "the graph decides whether this function returns a value: return one on every path, with the "
                    "same dtype and structure",
                    line=self.line,
                )
            return value or "None"
        if self.kind == "turn":
            return self._of_turn(jump, value)
        return joined([*[self._flag(flag, jump, value) for flag in self.flags], *map(self.packed, self.results)])

    def _of_turn(self, jump: Jump, value: str) -> str:
        parts = list(self.steps)
        if self.going:
            parts.append(str(jump != "break"))
        if self.returned:
            parts += ["True", value] if jump == "return" else [self.returned, self.result]
        parts += map(self.packed, self.results)
        if self.is_reduction:
            return joined(parts)
        return f"[{parts[0]}]" if len(parts) == 1 else joined(parts)

    def _flag(self, flag: str, jump: Jump, value: str) -> str:
        if flag == "return":
            return f"True, {value}" if jump == "return" else f"False, {self.zero}"
        return str(flag == jump)

    def given(self, value: str) -> str:
        return value
