"""What a trace saw, as plain facts for the rules to judge: one module for each family of facts.

A fact states what happens, never whether that's good.
"""

from .branches import RESULT, RETURNED, BranchName, StagedBranch
from .calls import Argument, OutsideCall
from .collections import ListChanged
from .fact import Fact
from .loops import LoopName, StagedLoop
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
    UnrolledLoop,
    Varying,
)

__all__ = [
    "RESULT",
    "RETURNED",
    "Argument",
    "BranchName",
    "CalledOnlyInGraph",
    "Event",
    "Fact",
    "FunctionMade",
    "Given",
    "Held",
    "InstanceEscaped",
    "InstanceMade",
    "InstancesTraced",
    "ListChanged",
    "LoopName",
    "OutsideCall",
    "RecursiveCall",
    "Retraced",
    "SignatureArgument",
    "SignatureCall",
    "SignatureDeclared",
    "StagedBranch",
    "StagedLoop",
    "TemporaryReceiver",
    "TracedCalled",
    "TracedEscaped",
    "TracedMade",
    "UnrolledLoop",
    "Varying",
]
