"""How many traces of a function are counted, in words: one text for all places that say it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

import gast

from graphwright_analysis.project import Project

from .accounts import PredictedTraces, accounts

Elsewhere = Mapping[str, Sequence[PredictedTraces]]


def elsewhere(project: Project, path: str) -> Elsewhere:
    """What the calls in other files come to, by file: each is a program of its own."""
    return {user: accounts(each) for user, each in project.traces_of_callers(path).items()}


def told(own: Sequence[PredictedTraces], node: gast.AST | None, elsewhere: Elsewhere) -> str:
    """How many traces of a function the calls in its own file make, and those in others; "" where none is seen."""
    return ", ".join(filter(None, [_count(own), *_counts_elsewhere(node, elsewhere)]))


def _counts_elsewhere(node: gast.AST | None, elsewhere: Elsewhere) -> Iterator[str]:
    found: dict[str, str] = {}
    for user, known in elsewhere.items() if node is not None else ():
        count = _count([account for account in known if account.function is node], f" in {os.path.basename(user)}")
        if count is not None:
            found[user] = count
    yield from [*found.values()][:_MOST_FILES]
    more = len(found) - _MOST_FILES
    if more > 0:
        yield f"and in {more} more file{'s' if more > 1 else ''}"


_MOST_FILES = 2


def _count(accounts: Sequence[PredictedTraces], where: str = "") -> str | None:
    """How many traces the calls in a file make, or how many at least, and why there may be more."""
    number = sum(account.count for account in accounts)
    if not number:
        return None
    told = "1 trace" if number == 1 else f"{number} traces"
    why = next((account.open for account in accounts if account.open), "")
    if not why and not all(account.counted for account in accounts):
        why = "the first call may create variables"
    return f"{told} or more{where}: {why}" if why else f"{told}{where}"
