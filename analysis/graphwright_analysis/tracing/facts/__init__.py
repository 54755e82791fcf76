"""What a trace saw, as plain facts for the rules to judge: one module for each family of facts.

A fact states what happens, never whether that's good.
"""

from .branches import RESULT, RETURNED, BranchName, StagedBranch
from .calls import Argument, OutsideCall
from .collections import ListChanged
from .fact import Fact
from .loops import LoopName, StagedLoop
from .python_use import NeverAFunction, PythonIndex, PythonIteration, PythonKey, PythonTruth, Unconverted
from .retracing import FunctionMade

__all__ = [
    "RESULT",
    "RETURNED",
    "Argument",
    "BranchName",
    "Fact",
    "FunctionMade",
    "ListChanged",
    "LoopName",
    "NeverAFunction",
    "OutsideCall",
    "PythonIndex",
    "PythonIteration",
    "PythonKey",
    "PythonTruth",
    "StagedBranch",
    "StagedLoop",
    "Unconverted",
]
