"""Counters and logs that tell of traces on purpose."""

from __future__ import annotations

import re
from collections.abc import Sequence

import gast

from graphwright_analysis.text import words_of
from graphwright_analysis.tracing.machine.journal import JournalEntry

_OF_TRACES = re.compile(r"(?:n|num)?(?:re)?trac(?:e|es|ed|ing|ings)(?:count|counter)?")
_MAKING = (gast.Return, gast.Assign, gast.AnnAssign, gast.AugAssign)


def counts_traces(entry: JournalEntry, reads: Sequence[JournalEntry]) -> bool:
    """Whether it counts or lists the traces on purpose: it's named after them, and no value in the graph is made of it.

    The name alone says little: reinforcement learning has traces that are data.
    """
    if not any(map(_OF_TRACES.fullmatch, words_of(entry.target))):
        return False
    if any(read.statement is not entry.statement and isinstance(read.statement, _MAKING) for read in reads):
        return False
    return not entry.how.endswith("=") or _adds_a_constant(entry.statement)


def _adds_a_constant(statement: gast.stmt | None) -> bool:
    match statement:
        case gast.AugAssign(op=gast.Add(), value=gast.Constant(value=int())):
            return True
        case gast.Assign(value=gast.BinOp(left=left, op=gast.Add(), right=right)):
            return any(isinstance(each, gast.Constant) and isinstance(each.value, int) for each in (left, right))
        case _:
            return False
