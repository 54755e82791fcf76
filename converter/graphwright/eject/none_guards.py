"""Which tests and assignments show that a name isn't None where it is read, and which flag it has after an assignment.

What is written with that is decided in `flags`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import gast

from graphwright.eject.bindings import bindings_of, is_none, named, sides_of
from graphwright.passes.unit import walk


@dataclass(frozen=True, slots=True)
class NoneGuards:
    """What is known of the names in a function that have a flag; at `calls`, functions give one with their result."""

    node: Any
    parents: Mapping[Any, Any]
    calls: frozenset[tuple[int, int]]
    flags: Mapping[str, str]

    def flag_for(self, value: gast.AST) -> str:
        """What a flag is after its name gets a value; empty where no simple expression says so."""
        if isinstance(value, gast.IfExp):
            return "True" if all(map(self.is_set, sides_of(value))) else ""
        if isinstance(value, (gast.BoolOp, gast.NamedExpr)):
            return ""
        return "False" if is_none(value) else self.flags.get(named(value), "True")

    def is_set(self, value: Any) -> bool:
        """Whether a part of a conditional expression surely isn't None."""
        if (value.lineno, value.col_offset) in self.calls:
            return False
        flag = self.flag_for(value)
        return flag == "True" or (flag not in ("", "False") and self.is_guarded(named(value), value))

    def is_guarded(self, name: str, part: gast.AST) -> bool:
        """Whether tests, or assignments before it, show that a name isn't None."""
        below = part
        while below is not self.node:
            parent = self.parents[below]
            if self._guards(name, parent, below):
                return True
            for earlier in self._before_in_suite(parent, below):
                if self.sets(name, earlier):
                    return not self._is_unset_in(name, parent, below)
            below = parent
        return False

    def sets(self, name: str, statement: gast.AST) -> bool:
        """Whether a name surely isn't None after a statement."""
        if isinstance(statement, gast.If):
            suites = [(statement.body, True), (statement.orelse, False)]
            return all(
                any(self.sets(name, each) for each in suite)
                or self.says(name, statement.test, is_set=is_set)
                or (suite and isinstance(suite[-1], (gast.Return, gast.Raise, gast.Continue, gast.Break)))
                for suite, is_set in suites
            )
        given = [value for _, value in bindings_of([statement], name)]
        if given and given[-1] is not None and (given[-1].lineno, given[-1].col_offset) in self.calls:
            return False
        return bool(given) and given[-1] is not None and self.flag_for(given[-1]) == "True"

    def _before_in_suite(self, parent: gast.AST, below: gast.AST) -> Iterator[Any]:
        for field in SUITES:
            suite: Any = getattr(parent, field, None)
            if is_suite(parent, field) and below in suite:
                yield from suite[: suite.index(below)]

    def _is_unset_in(self, name: str, parent: Any, below: Any) -> bool:
        """Whether something in these suites sets a name to None again."""
        parts = [part for each in [*self._before_in_suite(parent, below), below] for part in walk(each)]
        return any(is_none(value) for _, value in bindings_of(parts, name)[1:])

    def _guards(self, name: str, parent: Any, below: Any) -> bool:
        if isinstance(parent, gast.BoolOp):
            earlier = parent.values[: parent.values.index(below)]
            return any(self.says(name, value, is_set=isinstance(parent.op, gast.And)) for value in earlier)
        if not isinstance(parent, (gast.If, gast.IfExp)):
            return False
        bodies = [parent.body, parent.orelse] if isinstance(parent, gast.If) else [[parent.body], [parent.orelse]]
        for suite, is_set in zip(bodies, (True, False), strict=True):
            unset = any(is_none(value) for _, value in bindings_of((p for s in suite for p in walk(s)), name))
            if below in suite and not unset and self.says(name, parent.test, is_set=is_set):
                return True
        return False

    def says(self, name: str, test: gast.AST, *, is_set: bool) -> bool:
        """Whether a test that is true (or false, if not `is_set`) shows that a name isn't None."""
        if isinstance(test, gast.BoolOp) and (isinstance(test.op, gast.And)) == is_set:
            return any(self.says(name, value, is_set=is_set) for value in test.values)
        if not isinstance(test, gast.Compare) or len(test.ops) > 1 or not is_none(test.comparators[0]):
            return False
        return named(test.left) == name and isinstance(test.ops[0], gast.IsNot if is_set else gast.Is)


SUITES = ("body", "orelse", "finalbody")


def is_suite(node: Any, field: str) -> bool:
    """Whether a field of a node is a list of statements."""
    return isinstance(getattr(node, field, None), list)
