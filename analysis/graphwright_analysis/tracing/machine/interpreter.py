"""What the rooms below `python` may ask of the evaluator, which they don't know.

Whoever makes a run gives it one; nothing else leads from a lower room to the evaluation of Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import gast

from graphwright_analysis.values.domain import UNKNOWN, Value

if TYPE_CHECKING:
    from .call import Call
    from .context import Frame
    from .run import Run


class Interpreter(Protocol):
    def evaluate(self, run: Run, frame: Frame, node: gast.AST, /) -> Value:
        """The value of an expression in the run's current state."""
        ...

    def attribute(self, run: Run, frame: Frame, owner: Value, name: str, missing: Value = UNKNOWN, /) -> Value:
        """`owner.name`, a property run; `missing` where there surely is no such attribute."""
        ...

    def call_value(self, run: Run, callee: Value, call: Call, /) -> Value:
        """What calling a value gives."""
        ...

    def bind(self, run: Run, frame: Frame, target: gast.AST, value: Value, /) -> None:
        """Assign a value to a target expression."""
        ...
