"""What a trace saw, as plain facts for the rules to judge: one module for each family of facts.

A fact states what happens, never whether that's good.
"""

from .branches import RESULT, RETURNED, BranchName, StagedBranch
from .calls import Argument, OutsideCall
from .collections import ListChanged
from .fact import Fact
from .loops import LoopName, StagedLoop
from .mutation import (
    ArgumentChanged,
    CaptureStale,
    DynamicKeyStored,
    HiddenChange,
    StateChanged,
    TensorLeaked,
    VariableReplaced,
)
from .retracing import FunctionMade

__all__ = [
    "RESULT",
    "RETURNED",
    "Argument",
    "ArgumentChanged",
    "BranchName",
    "CaptureStale",
    "DynamicKeyStored",
    "Fact",
    "FunctionMade",
    "HiddenChange",
    "ListChanged",
    "LoopName",
    "OutsideCall",
    "StagedBranch",
    "StagedLoop",
    "StateChanged",
    "TensorLeaked",
    "VariableReplaced",
]
