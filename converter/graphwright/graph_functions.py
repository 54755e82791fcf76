"""`gw.function`: what tf.function takes and gives, on converted code, with an account of the traces.

TensorFlow is loaded when a function is decorated, not before; `runtime.functions.graph_function` makes the object.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from graphwright.features import chosen

IGNORED = ("experimental_follow_type_hints",)
FEATURES = ("experimental_autograph_options", "experimental_optional_features")
RENAMED = {"experimental_relax_shapes": "reduce_retracing", "experimental_compile": "jit_compile"}
PASSED = ("experimental_implements", "experimental_attributes")


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    *,
    promote: bool = False,
    max_traces: int | None = None,
    **experimental: Any,
) -> Any:
    """Makes a graph function of a Python function, as `tf.function` does, and accounts for its traces.

    With `autograph=False` nothing is converted. `promote` casts tensors of different dtypes where branches or
    iterations of a loop differ. More than `max_traces` traces raise
    RetraceError. What is made has `traces` and `explain()` beside all that a tf.function has.
    """
    options = {"input_signature": input_signature, "jit_compile": jit_compile, "reduce_retracing": reduce_retracing}
    options["max_traces"] = max_traces
    given = [value for name in FEATURES if (value := experimental.pop(name, None)) is not None]
    features = given[0] if given else None
    options.update(experimental_options(experimental))
    converting = functools.partial(converted, promote=promote)
    if chosen(features):
        converting = functools.partial(converting, features=features)
    conversion = converting if autograph else None
    if func is None:
        return functools.partial(made, conversion=conversion, options=options)
    return made(func, conversion, options)


def made(func: Callable[..., Any], conversion: Callable[..., Any] | None, options: dict[str, Any]) -> Any:
    from graphwright.runtime.functions import graph_function

    return graph_function.decorated(func, conversion or graph_function.unconverted, options)


def converted(func: Callable[..., Any], promote: bool, features: Any = None) -> Callable[..., Any]:
    from graphwright.conversion import to_graph

    return to_graph(func, experimental_optional_features=features, promote=promote)


def experimental_options(given: dict[str, Any]) -> dict[str, Any]:
    """TensorFlow's experimental parameters: passed on, under the name they have now, or ignored with a warning."""
    options: dict[str, Any] = {}
    for name, value in given.items():
        if name in PASSED:
            options[name] = value
        elif name in RENAMED:
            if value is not None:
                options[RENAMED[name]] = value
        elif name in IGNORED:
            if value is not None:
                warnings.warn(f"gw.function ignores {name}.", stacklevel=3)
        else:
            raise TypeError(f"function() got an unexpected keyword argument {name!r}")
    return options
