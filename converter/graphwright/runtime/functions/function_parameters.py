"""Which arguments of library functions are called: those are converted, also inside lists and dicts.

Other arguments are data, which stays itself even where it could be called. It converts nothing.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

# fmt: off
_TAKES_FUNCTIONS = frozenset(
    (
        "apply", "case", "case_v2", "cond", "cond_for_tf_v2", "filter", "flat_map", "foldl", "foldl_v2", "foldr",
        "foldr_v2", "group_by_window", "interleave", "map", "map_fn", "map_fn_v2", "map_structure",
        "map_structure_with_path", "reduce", "reduce_fn", "run", "scan", "scan_v2", "smart_cond", "switch_case",
        "take_while", "vectorized_map", "while_loop", "while_loop_v2",
    )
)
"""Library functions that take any callable, or hold functions in a list or dict."""

_PARAMETERS = frozenset(
    (
        "body", "branch_fns", "branches", "cond", "condition", "default", "distributed_train_function", "f",
        "false_fn", "fn", "fn1", "fn2", "func", "function", "key_func", "map_func", "pred_fn_pairs", "predicate",
        "reduce_fn", "reduce_func", "scan_func", "transformation_func", "true_fn", "window_size_func",
    )
)
"""Their parameters that are functions or hold them."""
# fmt: on

_FIRST = ("dropwhile", "filter", "filterfalse", "map", "reduce", "starmap")
_OF_C: dict[str, tuple[int | str, ...]] = {
    "accumulate": (1, "func"),
    "groupby": (1, "key"),
    **dict.fromkeys(_FIRST, (0,)),
}
"""The parameters of functions in C that are functions; what they go over is data, as are all other arguments."""


def takes_functions(function: Callable[..., Any]) -> bool:
    return function.__name__ in _TAKES_FUNCTIONS


def function_parameters(function: Callable[..., Any]) -> frozenset[int | str]:
    """The places and names of the arguments that are functions or hold them."""
    if is_in_c(function):
        return frozenset(_OF_C.get(function.__name__, ()))
    parameters = enumerate(inspect.signature(function).parameters)
    return frozenset(place for index, name in parameters if name in _PARAMETERS for place in (index, name))


# fmt: off
_HOLDING = frozenset(
    (
        "__contains__", "__delitem__", "__getitem__", "__setitem__", "_replace", "add", "append", "count", "discard",
        "get", "index", "insert", "pop", "put", "put_nowait", "remove", "setdefault",
    )
)
# fmt: on


def only_holds(function: Callable[..., Any]) -> bool:
    """Whether it is a method of a container of Python's library, which keeps what it is given or looks for it."""
    library = (function.__module__ or "").partition(".")[0]
    return function.__name__ in _HOLDING and library in sys.stdlib_module_names


def is_in_c(function: Any) -> bool:
    """Whether it is one of Python's own functions, which do nothing with data but give it back."""
    return inspect.isbuiltin(function) or isinstance(function, type)
