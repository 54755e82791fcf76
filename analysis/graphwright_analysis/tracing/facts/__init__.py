"""What a trace saw, as plain facts for the rules to judge: one module for each family of facts.

A fact states what happens, never whether that's good.
"""

from .branches import RESULT, RETURNED, BranchName, StagedBranch, StagedCondition
from .calls import Argument, OutsideCall
from .collections import ListChanged
from .effects import ErrorAwaited, IteratorAdvanced, TensorFormatted, TracingSwitchedOff
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
from .objects import ArrayCrossed, ArrayWritten, SnapshotUsed, SourceUnwatched, StateMade, TapeUsed
from .operations import ItemAssigned, Operand, OperationRefused, SizeMissing
from .python_use import NeverAFunction, PythonIndex, PythonIteration, PythonKey, PythonTruth, Unconverted
from .retracing import (
    CalledOnlyInGraph,
    Event,
    FunctionMade,
    Given,
    Held,
    InstanceEscaped,
    InstanceMade,
    InstancesTraced,
    RecursiveCall,
    Retraced,
    SignatureArgument,
    SignatureCall,
    SignatureDeclared,
    TemporaryReceiver,
    TracedCalled,
    TracedEscaped,
    TracedMade,
    TracedSaved,
    UnrolledLoop,
    VariablesMade,
    Varying,
)
from .unbound import LambdaOutdated, UnboundRead, UnseededName, UnsetInTurn

__all__ = [
    "RESULT",
    "RETURNED",
    "Argument",
    "ArgumentChanged",
    "ArrayCrossed",
    "ArrayWritten",
    "BranchName",
    "CalledOnlyInGraph",
    "CaptureStale",
    "DynamicKeyStored",
    "ErrorAwaited",
    "Event",
    "Fact",
    "FunctionMade",
    "Given",
    "Held",
    "HiddenChange",
    "InstanceEscaped",
    "InstanceMade",
    "InstancesTraced",
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
    "RecursiveCall",
    "Retraced",
    "ReturnInLoop",
    "ReturnMissing",
    "SignatureArgument",
    "SignatureCall",
    "SignatureDeclared",
    "SizeMissing",
    "SnapshotUsed",
    "SourceUnwatched",
    "StagedBranch",
    "StagedCondition",
    "StagedLoop",
    "StateChanged",
    "StateMade",
    "TapeUsed",
    "TemporaryReceiver",
    "TensorFormatted",
    "TensorLeaked",
    "TracedCalled",
    "TracedEscaped",
    "TracedMade",
    "TracedSaved",
    "TracingSwitchedOff",
    "UnboundRead",
    "Unconverted",
    "UnrolledLoop",
    "UnseededName",
    "UnsetInTurn",
    "VariableReplaced",
    "VariablesMade",
    "Varying",
]
