"""What a trace saw, as plain facts for the rules to judge: one module for each family of facts.

A fact states what happens, never whether that's good.
"""

from .branches import RESULT, RETURNED, BranchName, StagedBranch, StagedCondition
from .calls import Argument, OutsideCall
from .collections import ListChanged
from .effects import ErrorAwaited, IteratorAdvanced, TensorFormatted
from .fact import Fact
from .leaving import PythonLoopLeft, RaiseTraced, ReturnInLoop, ReturnMissing
from .loops import LoopName, LoopOptionsMisplaced, StagedLoop
from .mutation import (
    ArgumentChanged,
    CaptureStale,
    DynamicKeyStored,
    HiddenChange,
    StateChanged,
    TensorLeaked,
    VariableReplaced,
)
from .objects import ArrayCrossed, ArrayWritten, SourceUnwatched, StateMade, TapeUsed
from .operations import ItemAssigned, Operand, OperationRefused, SizeMissing
from .python_use import NeverAFunction, PythonIndex, PythonIteration, PythonKey, PythonTruth, Unconverted
from .retracing import FunctionMade
from .unbound import LambdaOutdated, UnboundRead, UnseededName, UnsetInTurn

__all__ = [
    "RESULT",
    "RETURNED",
    "Argument",
    "ArgumentChanged",
    "ArrayCrossed",
    "ArrayWritten",
    "BranchName",
    "CaptureStale",
    "DynamicKeyStored",
    "ErrorAwaited",
    "Fact",
    "FunctionMade",
    "HiddenChange",
    "ItemAssigned",
    "IteratorAdvanced",
    "LambdaOutdated",
    "ListChanged",
    "LoopName",
    "LoopOptionsMisplaced",
    "NeverAFunction",
    "Operand",
    "OperationRefused",
    "OutsideCall",
    "PythonIndex",
    "PythonIteration",
    "PythonKey",
    "PythonLoopLeft",
    "PythonTruth",
    "RaiseTraced",
    "ReturnInLoop",
    "ReturnMissing",
    "SizeMissing",
    "SourceUnwatched",
    "StagedBranch",
    "StagedCondition",
    "StagedLoop",
    "StateChanged",
    "StateMade",
    "TapeUsed",
    "TensorFormatted",
    "TensorLeaked",
    "UnboundRead",
    "Unconverted",
    "UnseededName",
    "UnsetInTurn",
    "VariableReplaced",
]
