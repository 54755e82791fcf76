"""How constructs are spelt in generated code: by Graphwright's operators, unless a style says otherwise.

Which constructs are rewritten, and what their state is, isn't decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.syntax.names import Symbol

from graphwright.passes.exits import ExitFrame

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.expressions import ExpressionRenderer
    from graphwright.passes.facts import Facts
    from graphwright.passes.state import Slot
    from graphwright.passes.unit import Unit


class Style:
    """Graphwright's own spelling; another style overrides what it spells differently.

    `expressions` and `statements` hold a function for each kind of node that is written in another way.
    """

    expressions: Mapping[str, Callable[[Any, Any], str | None]] = {}
    statements: Mapping[str, Callable[[Any, Any, Sequence[Any], bool], bool]] = {}
    frame_type: type[ExitFrame] = ExitFrame

    def is_python(self, node: gast.AST, facts: Any) -> bool | None:
        """Whether a condition or an iterable is Python's own; None to go by the code's own words."""
        return None

    def noted(self, read: ExpressionRenderer, node: gast.AST, text: str) -> str:
        """The text of an expression, which a style may wrap in something."""
        return text

    def changed_in_call(self, node: gast.AST) -> list[Any] | None:
        """The symbols that a call changes, where this style knows; None to go by the call's own words."""
        return None

    def begin(self, lowering: Lowering) -> None:
        """Look at a function of the user's before it is written."""

    def frame(self, lowering: Any, kind: Any, results: tuple[str, ...] = (), **rest: Any) -> ExitFrame:
        """What a generated function gives back."""
        return self.frame_type(kind, lowering.gw, results, **rest)

    def at_end(self, lowering: Lowering, line: int | None) -> None:
        """The user's function can be left at its end, here."""

    def flag(self, unit: Unit, jump: str) -> str:
        """The variable, or variables, that tell after a construct whether a jump was taken in it."""
        return unit.fresh({"return": "result", "break": "stop", "continue": "skip"}[jump])

    def flag_test(self, jump: str, flag: str) -> str:
        """The condition that the jump was taken."""
        return f"{flag}.given" if jump == "return" else flag

    def flag_value(self, flag: str, frame: ExitFrame) -> str:
        """What the user's code returned there."""
        return f"{flag}.value" if frame.kind == "function" else flag

    keeps_match = False
    """Whether `match` stays, instead of becoming a row of `if`s."""

    keeps_swaps = False
    """Whether an exchange of two items stays one statement."""

    says_undefined = True
    """Whether a name that a construct carries before it has a value is said to be undefined."""

    has_results = True
    """Whether what is returned is an object with a method for what else is to be returned."""

    def argument(self, lowering: Lowering, slot: Slot, line: int) -> str:
        """What a generated function is given for a piece of state."""
        return str(slot.text)

    def attribute(self, unit: Unit, holder: str, name: str) -> str:
        """The place that an attribute is; empty where it goes in and comes out as a value.

        What runs says how the user writes it.
        """
        words = f', "{holder}.{name}"' if unit.pairs and '"' not in holder else ""
        return f'{unit.alias}.attribute({holder}, "{name}"{words})'

    def variable(self, alias: str, name: str) -> str:
        """The place that a global, or a variable shared with another function, is; empty as above."""
        return f'{alias}.variable(lambda: {name}, "{name}")'

    def carried_length(self, facts: Facts, symbol: Symbol) -> int:
        """How much of the path to what is changed goes in and comes out by itself: the attributes at its beginning."""
        return next((n for n, part in enumerate(symbol.path) if not part.startswith(".")), len(symbol.path))

    def spelled(self, symbol: Symbol) -> str:
        """How what is carried by itself is read and assigned."""
        return str(symbol)

    def parameter_name(self, path: Sequence[str]) -> str:
        """What an attribute is called where it goes in."""
        return path[-1].lstrip("._")

    negation = "{alias}.not_({{test}})"

    def collapsed(self, lines: Sequence[tuple[str, int]]) -> str | None:
        """The one expression that the lines of a function come down to, where this style knows better."""
        return None

    def call(
        self,
        lowering: Lowering,
        targets: str,
        operator: str,
        pieces: Sequence[Any],
        arguments: Sequence[str],
        line: int,
    ) -> bool:
        """Write a construct in another way; False to write it as a call of an operator."""
        return False


GRAPHWRIGHT = Style()
