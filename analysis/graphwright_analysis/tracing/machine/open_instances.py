"""The mark of instances that code which isn't followed has got hold of: they may have any attributes.

What that code may have changed is forgotten by `noting.escapes`.
"""

from __future__ import annotations

from graphwright_analysis.values.domain import UNDEFINED, UNKNOWN, Object

from . import marks
from .run import Run


def mark_open(run: Run, instance: Object) -> None:
    run.state.set(instance.id, marks.OPEN, UNKNOWN)


def is_open(run: Run, instance: Object) -> bool:
    return run.state.value(instance.id, marks.OPEN) is not UNDEFINED
