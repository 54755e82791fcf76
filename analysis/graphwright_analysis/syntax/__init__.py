"""Text to trees: block-wise, incremental, forgiving of code that is only half typed.

Nothing here knows scopes or TensorFlow.
"""

from __future__ import annotations

from .comments import Comment, RuleName, Suppression, Suppressions, suppressions
from .parse import Block, Module, parse_module
from .standins import SyntaxProblem

__all__ = [
    "Block",
    "Comment",
    "Module",
    "RuleName",
    "Suppression",
    "Suppressions",
    "SyntaxProblem",
    "parse_module",
    "suppressions",
]
