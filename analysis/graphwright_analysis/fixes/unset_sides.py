"""A value for a name that one side of a branch leaves unbound: before the branch, or on that side.

It is the neutral element of what is done with the name; where there is none, the user chooses.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing.facts import BranchName, StagedBranch
from graphwright_analysis.values.domain import UNDEFINED

from . import defaults, insertion
from .uses import neutral_number

CHOICE = "..."
"""Stands for a value that is to be chosen: neither Python nor TensorFlow computes with it, so it can't go unnoticed."""


def repairs(branch: StagedBranch, name: BranchName, tensorflow: str | None) -> Iterator[Repair]:
    value = name.orelse if name.body is UNDEFINED else name.body
    if defaults.neutral(value, tensorflow) is None or name.is_deleted:
        return
    number = neutral_number(branch.statement, name.symbol)
    default = None if number is None else defaults.number(value, number, tensorflow)
    before = insertion.line_before(branch.statement, f"{name.symbol} = {default or CHOICE}")
    if before is not None:
        yield Repair(_title(name, default, "before the `if`"), (before,))
    other = insertion.added_else(branch.statement, f"{name.symbol} = {default or CHOICE}")
    if other is not None:
        yield Repair(_title(name, default, "in an `else`"), (other,))


def _title(name: BranchName, default: str | None, where: str) -> str:
    if default is None:
        return f"Bind `{name.symbol}` {where}: choose a value for `{CHOICE}`"
    return f"Bind `{name.symbol}` to {default} {where}"
