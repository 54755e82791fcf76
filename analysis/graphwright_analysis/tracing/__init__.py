"""Abstract tracing: run a module over abstract values as TensorFlow would trace it, and note what is seen.

The door is `trace_module`; the rules judge the `facts` that it returns.
"""

from .driver.modules import Trace, exports_of, trace_module
from .driver.outlining import outline_of
from .facts import Fact
from .facts.decisions import Decided, Decision
from .facts.place import Place
from .machine.flow_cache import FlowCache
from .machine.imports import Exports, Imported, imports_in, may_begin_a_graph

__all__ = [
    "Decided",
    "Decision",
    "Exports",
    "Fact",
    "FlowCache",
    "Imported",
    "Place",
    "Trace",
    "exports_of",
    "imports_in",
    "may_begin_a_graph",
    "outline_of",
    "trace_module",
]
