"""Abstract tracing: run a module over abstract values as TensorFlow would trace it, and note what is seen.

The door is `trace_module`; the rules judge the `facts` that it returns.
"""

from .decisions import Decided, Decision
from .driver import Trace, exports_of, trace_module
from .facts import Fact
from .imports import Exports, Import, Imported, imports_in, may_begin_a_graph
from .run import FlowCache
from .state import Place

__all__ = [
    "Decided",
    "Decision",
    "Exports",
    "Fact",
    "FlowCache",
    "Import",
    "Imported",
    "Place",
    "Trace",
    "exports_of",
    "imports_in",
    "may_begin_a_graph",
    "trace_module",
]
