"""Which jumps leave a piece of code, and whether it can be left at its end.

What is decided at run time isn't known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphwright_analysis.flow.tree import FUNCTIONS, kind_of

_OPAQUE = FUNCTIONS | {"ClassDef", "Lambda"}


def jumps_out(statements: Iterable[Any]) -> frozenset[str]:
    """The kinds of jumps that lead out of statements: break, continue, return."""
    found: set[str] = set()
    for statement in statements:
        kind = kind_of(statement)
        if kind in ("Break", "Continue", "Return"):
            found.add(kind.lower())
        elif kind in ("For", "While", "AsyncFor"):
            found |= jumps_out(statement.body) & {"return"}
            found |= jumps_out(statement.orelse)
        elif kind not in _OPAQUE:
            for block in blocks_of(statement):
                found |= jumps_out(block)
    return frozenset(found)


def blocks_of(statement: Any) -> list[list[Any]]:
    """The lists of statements directly in a compound statement."""
    blocks: list[Any] = [getattr(statement, field, None) for field in ("body", "orelse", "finalbody")]
    inner: list[Any] = [*(getattr(statement, "handlers", None) or ()), *(getattr(statement, "cases", None) or ())]
    return [block for block in blocks if block is not None] + [part.body for part in inner]


def is_set_first(statements: Iterable[Any], name: str) -> bool:
    """Whether a name is surely assigned before anything can jump out of statements."""
    for statement in statements:
        kind = kind_of(statement)
        if kind == "Assign" and any(kind_of(part) == "Name" and part.id == name for part in statement.targets):
            return True
        if kind == "If" and all(is_set_first(part, name) for part in (statement.body, statement.orelse)):
            return True
        if jumps_out([statement]):
            return False
    return False


def completes(statements: Sequence[Any]) -> bool:
    """Whether control may reach the end of statements."""
    for statement in statements:
        kind = kind_of(statement)
        if kind in ("Return", "Break", "Continue", "Raise"):
            return False
        if kind == "If" and statement.orelse and not completes(statement.body) and not completes(statement.orelse):
            return False
        if kind == "With" and not completes(statement.body) and "break" not in jumps_out(statement.body):
            return False
        if kind == "While" and _is_endless(statement):
            return False
        if kind == "Try" and not _try_completes(statement):
            return False
    return True


def _is_endless(loop: Any) -> bool:
    return kind_of(loop.test) == "Constant" and bool(loop.test.value) and "break" not in _breaks(loop.body)


def _breaks(statements: Iterable[Any]) -> frozenset[str]:
    return jumps_out(statements) & {"break"}


def _try_completes(statement: Any) -> bool:
    if statement.finalbody and not completes(statement.finalbody):
        return False
    handled = any(completes(handler.body) for handler in statement.handlers)
    return handled or completes([*statement.body, *statement.orelse])
