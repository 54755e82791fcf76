"""What a trace saw, as plain facts for the rules to judge: one module for each family of facts.

A fact states what happens, never whether that's good.
"""

from .branches import RESULT, RETURNED, BranchName, StagedBranch, StagedCondition
from .calls import Argument, OutsideCall
from .collections import ListChanged
from .fact import Fact
from .loops import LoopName, LoopOptionsMisplaced, StagedLoop
from .operations import ItemAssigned, Operand, OperationRefused, SizeMissing
from .retracing import FunctionMade

__all__ = [
    "RESULT",
    "RETURNED",
    "Argument",
    "BranchName",
    "Fact",
    "FunctionMade",
    "ItemAssigned",
    "ListChanged",
    "LoopName",
    "LoopOptionsMisplaced",
    "Operand",
    "OperationRefused",
    "OutsideCall",
    "SizeMissing",
    "StagedBranch",
    "StagedCondition",
    "StagedLoop",
]
