"""The kinds of code that becomes part of the graph as a whole: a branch, a loop, what is mapped over elements."""

from __future__ import annotations

from enum import Enum


class ConstructKind(Enum):
    """What is staged."""

    BRANCH = "branch"
    CONDITIONAL_EXPRESSION = "conditional expression"
    LOOP = "loop"
    MAPPED_FUNCTION = "mapped function"
