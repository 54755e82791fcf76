"""Text to trees: block-wise, incremental, forgiving of code that is only half typed.

Nothing here knows scopes or TensorFlow.
"""

from __future__ import annotations

from .block import Block, Module
from .cells import NAMES_FROM_OUTSIDE, code_for_cell, parse_cells, python_of_cell
from .comments import RuleName, Suppression, suppressions
from .parse import parse_module
from .same_code import Moves, code_of
from .standins import SyntaxProblem

__all__ = [
    "NAMES_FROM_OUTSIDE",
    "Block",
    "Module",
    "Moves",
    "RuleName",
    "Suppression",
    "SyntaxProblem",
    "code_for_cell",
    "code_of",
    "parse_cells",
    "parse_module",
    "python_of_cell",
    "suppressions",
]
