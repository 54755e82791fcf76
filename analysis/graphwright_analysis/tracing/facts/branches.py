"""Branches that become part of the graph."""

from __future__ import annotations

from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import MAYBE, UNDEFINED, Value

from .fact import Fact
from .place import Place

RETURNED = "<returned>"
RESULT = "<result>"

BranchStatement = Literal["if", "conditional expression"]
BranchFunction = Literal["tf.cond", "tf.case", "tf.switch_case"]
"""A function that creates branches in the graph."""
ConditionRole = Literal[
    "if", "while", "conditional expression", "and", "or", "not", "predicate", "tf.cond", "tf.while_loop"
]
"""What a condition belongs to; a predicate is that of a Dataset's `filter`."""


@immutable
class BranchName:
    """One name that a staged branch sets: its value before, after each branch, and after the whole statement.

    `body` or `orelse` is `UNDEFINED` if that branch leaves the name unbound. `read` is the first place after it that
    reads the name, `surely_read` the first that is always reached. `shape_read` is the first place after it that reads
    the static shape, if that differs between the branches.
    """

    symbol: str
    before: Value
    body: Value
    orelse: Value
    body_place: Place | None = None
    orelse_place: Place | None = None
    read: Place | None = None
    deleted: Place | None = None
    shape_read: Place | None = None
    surely_read: Place | None = None

    @property
    def sides(self) -> tuple[Value, Value]:
        return self.body, self.orelse

    @property
    def is_bound_once(self) -> bool:
        """True if it is a name or attribute that one branch always leaves unbound, and the other doesn't."""
        is_plain = self.symbol not in (RETURNED, RESULT) and "[" not in self.symbol
        return is_plain and MAYBE not in self.sides and self.sides.count(UNDEFINED) == 1

    @property
    def is_deleted(self) -> bool:
        return self.before is not UNDEFINED

    @property
    def bound(self) -> str:
        """Return in words how only one branch binds it."""
        if self.is_deleted:
            return "is deleted in only one branch of this `if`"
        taken = "is" if self.orelse is UNDEFINED else "isn't"
        return f"is bound only if the branch {taken} taken"


@immutable
class StagedBranch(Fact):
    """An `if` or conditional expression that becomes part of the graph.

    `names` are those that must match. The value that a function returns or a conditional expression has is listed under
    `RETURNED` or `RESULT`.
    """

    place: Place
    statement: Place
    names: tuple[BranchName, ...]
    confidence: Confidence = Confidence.CERTAIN
    kind: BranchStatement | BranchFunction = "if"

    @property
    def called(self) -> str:
        """Return its name in messages: the code in backquotes, or words."""
        return self.kind if " " in self.kind else f"`{self.kind}`"


@immutable
class StagedCondition(Fact):
    """A tensor decides in the graph: the condition of an `if` or `while`, or an operand of `and`, `or`, `not`.

    The right operands of `and` and `or` need not be scalars: `decides` is False for them. `wanted` is True for an
    operand of `and` or `or` whose own value may be used.
    """

    place: Place
    role: ConditionRole
    value: Value
    decides: bool = True
    wanted: bool = False
    confidence: Confidence = Confidence.CERTAIN


def subject(symbol: str) -> str:
    """The beginning of a sentence about the name."""
    return {RETURNED: "The returned value", RESULT: "The value"}.get(symbol, f"`{symbol}`")
