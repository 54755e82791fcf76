"""A value for a name that one branch of an `if` leaves unbound: before the `if`, or in that branch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing.facts import BranchName, StagedBranch
from graphwright_analysis.values.domain import UNDEFINED

from . import insertion
from .parsed import parsed
from .starting_values import CHOICE, fix_title, starting_value


def repairs(branch: StagedBranch, name: BranchName, tensorflow: str | None) -> Iterator[Repair]:
    bound = name.orelse if name.body is UNDEFINED else name.body
    source = starting_value(branch.statement, name.symbol, bound, tensorflow)
    if source is None or name.is_deleted:
        return
    verb = f"Bind `{name.symbol}`"
    before = insertion.line_before(branch.statement, f"{name.symbol} = {source}")
    if before is not None:
        yield Repair(fix_title(verb, source, "before the `if`"), (before,), incomplete=source == CHOICE)
    other = insertion.added_else(branch.statement, f"{name.symbol} = {source}")
    if other is not None and not _is_announced(branch, name.symbol):
        yield Repair(fix_title(verb, source, "in an `else`"), (other,), incomplete=source == CHOICE)


def _is_announced(branch: StagedBranch, symbol: str) -> bool:
    """Whether there is a `symbol: type` without a value: AutoGraph takes the symbol for bound from there on."""
    tree = parsed(branch.statement)
    nodes = [] if tree is None else [each for each in ast.walk(tree.tree) if isinstance(each, ast.AnnAssign)]
    return any(each.value is None and ast.unparse(each.target) == symbol for each in nodes)
