"""What a trace saw, as plain facts for the rules to judge: one module for each family of facts.

A fact states what happens, never whether that's good.
"""

from .branches import RESULT, RETURNED, BranchName, StagedBranch
from .calls import Argument, OutsideCall
from .collections import ListChanged
from .effects import ErrorAwaited, IteratorAdvanced, TensorFormatted
from .fact import Fact
from .loops import LoopName, StagedLoop
from .objects import ArrayCrossed, ArrayWritten, SourceUnwatched, StateMade, TapeUsed
from .retracing import FunctionMade

__all__ = [
    "RESULT",
    "RETURNED",
    "Argument",
    "ArrayCrossed",
    "ArrayWritten",
    "BranchName",
    "ErrorAwaited",
    "Fact",
    "FunctionMade",
    "IteratorAdvanced",
    "ListChanged",
    "LoopName",
    "OutsideCall",
    "SourceUnwatched",
    "StagedBranch",
    "StagedLoop",
    "StateMade",
    "TapeUsed",
    "TensorFormatted",
]
