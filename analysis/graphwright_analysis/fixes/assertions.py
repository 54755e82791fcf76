"""`assert` written as `tf.debugging.Assert`."""

from __future__ import annotations

import re

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing.facts import PythonTruth
from graphwright_analysis.values.domain import dtype_of, shape_of

from .sources import text_of


def repairs(use: PythonTruth, tensorflow: str | None) -> tuple[Repair, ...]:
    """The statement as an operation, which takes one bool and nothing else."""
    statement, test = use.statement, use.place
    if dtype_of(use.value) not in (None, "bool") or shape_of(use.value) not in (None, ()):
        return ()
    text = text_of(statement)
    head = re.match(r"assert\s*", text)
    if head is None or tensorflow is None or statement.range.start + head.end() != test.range.start:
        return ()
    rest = text[test.range.end - statement.range.start :]
    if not rest.strip():
        message = repr(f"{text_of(test)} does not hold") if "\n" not in text_of(test) else "'assertion failed'"
    elif rest.lstrip().startswith(","):
        message = rest.lstrip()[1:].strip()
    else:
        return ()
    made = f"{tensorflow}.debugging.Assert({text_of(test)}, [{message}])"
    return (Repair(f"Use {tensorflow}.debugging.Assert", ((statement, made),)),)
