"""tf.autograph's names for Graphwright's functions: published code runs by changing its import.

    from graphwright import autograph      # was: from tensorflow import autograph
    import graphwright.autograph as ag     # was: import tensorflow.compat.v2.autograph as ag

It adds nothing. The names that AutoGraph's early versions had next to these are here as well.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from graphwright.autograph import experimental
from graphwright.autograph.experimental import Feature, do_not_convert, set_loop_options
from graphwright.conversion import convert, to_code, to_graph
from graphwright.errors import ConversionError as AutoGraphError
from graphwright.reporting import set_verbosity, trace

if TYPE_CHECKING:
    set_element_type: Any
    stack: Any

__all__ = [
    "AutoGraphError",
    "Feature",
    "convert",
    "do_not_convert",
    "experimental",
    "set_element_type",
    "set_loop_options",
    "set_verbosity",
    "stack",
    "to_code",
    "to_graph",
    "trace",
]


def __getattr__(name: str) -> Any:
    """What works on lists of a graph needs TensorFlow, and is loaded when it is first asked for."""
    if name in ("set_element_type", "stack"):
        return getattr(importlib.import_module("graphwright.runtime"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
