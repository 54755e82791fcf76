"""Which jumps leave a piece of code, and whether it can be left at its end.

What is decided at run time isn't known here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import gast
from graphwright_analysis.flow.tree import kind_of

from graphwright.passes import calls

_WITH_BLOCKS = (gast.If, gast.With, gast.AsyncWith, gast.Try, gast.TryStar, gast.Match)
_NEVER_JUMPING = (gast.Assign, gast.Expr, gast.AugAssign)
"""The commonest statements that have none; most are asked about."""
_SWALLOWING = frozenset({"contextlib", "suppress", "ExitStack"})


def jumps_out(statements: Iterable[Any]) -> frozenset[str]:
    """The kinds of jumps that lead out of statements: break, continue, return."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, _NEVER_JUMPING):
            continue
        if isinstance(statement, (gast.Break, gast.Continue, gast.Return)):
            found.add(kind_of(statement).lower())
        elif isinstance(statement, (gast.For, gast.While, gast.AsyncFor)):
            found |= jumps_out(statement.body) & {"return"}
            found |= jumps_out(statement.orelse)
        elif isinstance(statement, _WITH_BLOCKS):
            for block in blocks_of(statement):
                found |= jumps_out(block)
    return frozenset(found)


def blocks_of(statement: gast.AST) -> list[list[Any]]:
    """The lists of statements directly in a compound statement."""
    blocks: list[Any] = [getattr(statement, field, None) for field in ("body", "orelse", "finalbody")]
    inner: list[Any] = [*(getattr(statement, "handlers", None) or ()), *(getattr(statement, "cases", None) or ())]
    return [block for block in blocks if block is not None] + [part.body for part in inner]


def is_set_first(statements: Iterable[Any], name: str) -> bool:
    """Whether a name is surely assigned before anything can jump out of statements."""
    for statement in statements:
        if isinstance(statement, gast.Assign) and any(
            isinstance(part, gast.Name) and part.id == name for part in statement.targets
        ):
            return True
        if isinstance(statement, gast.If) and all(
            is_set_first(part, name) for part in (statement.body, statement.orelse)
        ):
            return True
        if jumps_out([statement]):
            return False
    return False


def completes(statements: Sequence[Any], library: Collection[str]) -> bool:
    """Whether control may reach the end of statements; `library` are the names of libraries.

    A `with` may swallow an error, and then what follows it runs, even if its body always returns.
    """
    for statement in statements:
        if isinstance(statement, (gast.Return, gast.Break, gast.Continue, gast.Raise)):
            return False
        if (
            isinstance(statement, gast.If)
            and statement.orelse
            and not any(completes(part, library) for part in (statement.body, statement.orelse))
        ):
            return False
        if isinstance(statement, (gast.With, gast.AsyncWith)) and not _with_completes(statement, library):
            return False
        if isinstance(statement, gast.While) and _is_endless(statement):
            return False
        if isinstance(statement, gast.Try) and not _try_completes(statement, library):
            return False
    return True


def _is_endless(loop: gast.While) -> bool:
    return isinstance(loop.test, gast.Constant) and bool(loop.test.value) and "break" not in _breaks(loop.body)


def _breaks(statements: Iterable[gast.stmt]) -> frozenset[str]:
    return jumps_out(statements) & {"break"}


def _with_completes(statement: Any, library: Collection[str]) -> bool:
    swallows = not lets_errors_pass(statement, library)
    return swallows or completes(statement.body, library) or "break" in jumps_out(statement.body)


def lets_errors_pass(statement: gast.AST, library: Collection[str]) -> bool:
    """Whether a `with` surely swallows no error: only contextlib's, and those that the user has written, may."""
    names = [calls.dotted(getattr(item.context_expr, "func", None)) for item in getattr(statement, "items", ())]
    roots = [name.split(".")[0] if name else "" for name in names]
    return bool(names) and all(root in library and root not in _SWALLOWING for root in roots)


def _try_completes(statement: gast.Try, library: Collection[str]) -> bool:
    if statement.finalbody and not completes(statement.finalbody, library):
        return False
    handled = any(completes(handler.body, library) for handler in statement.handlers)
    return handled or completes([*statement.body, *statement.orelse], library)
