"""Which expressions of a function are tests, so that only their truth matters; what is written isn't decided here."""

from __future__ import annotations

from typing import Any

import gast

from graphwright.passes.unit import walk

_TESTING = (gast.If, gast.While, gast.IfExp, gast.Assert)


def tested_in(function: gast.AST) -> set[Any]:
    """The tests of statements, expressions and comprehensions, and the operands of `and`, `or` and `not` in them."""
    tests = [part.test for part in walk(function) if isinstance(part, _TESTING)]
    tests += [test for part in walk(function) if isinstance(part, gast.comprehension) for test in part.ifs]
    found = set[Any]()
    while tests:
        test = tests.pop()
        found.add(test)
        if isinstance(test, gast.BoolOp):
            tests += test.values
        elif isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            tests.append(test.operand)
    return found
