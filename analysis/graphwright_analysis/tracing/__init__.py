"""Abstract tracing: run a module over abstract values as TensorFlow would trace it, and note what is seen.

The door is `trace_module`; the rules judge the `facts` that it returns.
"""

from .driver.library_changes import changes_in, may_change, may_extend
from .driver.modules import exports_of, trace_module
from .driver.outlining import outline_of
from .driver.relocating import blocks_in
from .driver.traces import Trace
from .facts import Fact
from .facts.decisions import Decided, Decision
from .facts.place import Place
from .machine.context import Sites
from .machine.flow_cache import FlowCache
from .machine.imports import imports_in, may_begin_a_graph
from .machine.links import CellsOfOthers, Exports, Links, StarLookup
from .machine.starts import ANY_NAME, StartRecording, names_read_in

__all__ = [
    "ANY_NAME",
    "CellsOfOthers",
    "Decided",
    "Decision",
    "Exports",
    "Fact",
    "FlowCache",
    "Links",
    "Place",
    "Sites",
    "StarLookup",
    "StartRecording",
    "Trace",
    "blocks_in",
    "changes_in",
    "exports_of",
    "imports_in",
    "may_begin_a_graph",
    "may_change",
    "may_extend",
    "names_read_in",
    "outline_of",
    "trace_module",
]
