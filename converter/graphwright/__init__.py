"""The converter: the package that users import. Eager Python in, graph code out.

Everything behind this door is loaded when it is first asked for: importing it costs no TensorFlow.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import TYPE_CHECKING, Any

from graphwright_analysis.version import __version__

if TYPE_CHECKING:
    from . import autograph, eager
    from . import previews as previews
    from . import rewrites as rewrites
    from .conversion import convert, do_not_convert, to_code, to_graph
    from .directives import set_loop_options
    from .errors import ConversionError, FrozenRandomWarning, FrozenStateWarning, FrozenTimeWarning, RetraceError
    from .explaining import RetracingWarning
    from .features import Feature
    from .graph_functions import function
    from .reporting import set_verbosity, trace
    from .retraces import no_retrace
    from .runtime import set_element_type, stack, text_while_tracing

_HOMES = {
    "conversion": ("convert", "do_not_convert", "to_code", "to_graph"),
    "directives": ("set_loop_options",),
    "errors": ("ConversionError", "FrozenRandomWarning", "FrozenStateWarning", "FrozenTimeWarning", "RetraceError"),
    "explaining": ("RetracingWarning",),
    "features": ("Feature",),
    "graph_functions": ("function",),
    "reporting": ("set_verbosity", "trace"),
    "retraces": ("no_retrace",),
    "runtime": ("set_element_type", "stack", "text_while_tracing"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "ConversionError",
    "Feature",
    "FrozenRandomWarning",
    "FrozenStateWarning",
    "FrozenTimeWarning",
    "RetraceError",
    "RetracingWarning",
    "__version__",
    "autograph",
    "convert",
    "do_not_convert",
    "eager",
    "function",
    "no_retrace",
    "set_element_type",
    "set_loop_options",
    "set_verbosity",
    "stack",
    "text_while_tracing",
    "to_code",
    "to_graph",
    "trace",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is not None:
        value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    elif name in ("autograph", "eager", "previews", "rewrites"):
        value = importlib.import_module(f"{__name__}.{name}")
    else:
        value = _operator(name)
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext graphwright` calls."""
    importlib.import_module(f"{__name__}.magics").load(shell)


def __dir__() -> list[str]:
    return sorted(__all__)


def _operator(name: str) -> Any:
    """What generated code calls lives in `graphwright.runtime`, which needs TensorFlow."""
    if not name.startswith("_") and importlib.util.find_spec(f"{__name__}.{name}") is None:
        runtime = importlib.import_module(f"{__name__}.runtime")
        if name in runtime.__all__:
            # Shown text that somebody executes may be the first to need it, and calls functions to convert.
            importlib.import_module(f"{__name__}.conversion").load_runtime()
            return getattr(runtime, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if os.environ.get("GRAPHWRIGHT_TRACES", "") not in ("", "0"):
    importlib.import_module(f"{__name__}.watching").start()  # Plain tf.function is recorded from the start.
