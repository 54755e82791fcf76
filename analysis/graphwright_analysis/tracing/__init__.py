"""Abstract tracing: run a module over abstract values as TensorFlow would trace it, and note what is seen.

The door is `trace_module`; the rules judge the facts that it returns.
"""

from .driver import Trace, trace_module
from .facts import (
    RESULT,
    RETURNED,
    BranchName,
    Fact,
    FunctionMade,
    ListChanged,
    LoopName,
    StagedBranch,
    StagedLoop,
)
from .state import Place

__all__ = [
    "RESULT",
    "RETURNED",
    "BranchName",
    "Fact",
    "FunctionMade",
    "ListChanged",
    "LoopName",
    "Place",
    "StagedBranch",
    "StagedLoop",
    "Trace",
    "trace_module",
]
