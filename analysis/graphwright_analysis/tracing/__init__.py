"""Abstract tracing: run a module over abstract values as TensorFlow would trace it, and note what is seen.

The door is `trace_module`; the rules judge the `facts` that it returns.
"""

from .driver import Trace, trace_module
from .facts import Fact
from .state import Place

__all__ = ["Fact", "Place", "Trace", "trace_module"]
