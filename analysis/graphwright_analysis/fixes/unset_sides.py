"""A neutral value for a name that one side of a branch leaves unbound: before the branch, or on that side."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing.facts import BranchName, StagedBranch
from graphwright_analysis.values.domain import UNDEFINED

from . import defaults, insertion


def repairs(branch: StagedBranch, name: BranchName, tensorflow: str | None) -> Iterator[Repair]:
    default = defaults.neutral(name.orelse if name.body is UNDEFINED else name.body, tensorflow)
    if default is None or name.is_deleted:
        return
    edit = insertion.line_before(branch.statement, f"{name.symbol} = {default}")
    if edit is not None:
        yield Repair(f"Bind `{name.symbol}` to {default} before the `if`", (edit,))
    edit = insertion.added_else(branch.statement, f"{name.symbol} = {default}")
    if edit is not None:
        yield Repair(f"Bind `{name.symbol}` to {default} in an `else`", (edit,))
