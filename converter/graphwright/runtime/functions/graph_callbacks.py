"""Functions that TensorFlow traces once and runs as often as a graph wants: what they change would change once.

Which functions are converted isn't decided here.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, cast

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors.branch_errors import left_branch, settling
from graphwright.runtime.state.journal import StateJournal
from graphwright.runtime.state.places import StatePlace
from graphwright.runtime.state.undefined import Undefined
from graphwright.runtime.state.watched_changes import watched

# fmt: off
TRACES_ONCE = {
    "case": "if", "case_v2": "if", "cond": "if", "cond_for_tf_v2": "if", "foldl": "for", "foldl_v2": "for",
    "foldr": "for", "foldr_v2": "for", "map_fn": "for", "map_fn_v2": "for", "scan": "for", "scan_v2": "for",
    "switch_case": "if", "vectorized_map": "for", "while_loop": "while", "while_loop_v2": "while",
}
# fmt: on
"""TensorFlow's functions that run others in a graph, and the statement that does the same."""

_SEQUENCES: Any = (list, tuple)
_FUNCTIONS: Any = (types.FunctionType, types.MethodType, functools.partial)
_compares: ContextVar[bool] = ContextVar("graphwright_compares_traces", default=False)
"""Whether this is the second trace of such a function: those inside of it were compared in the first."""


@settling
def called_unchanging(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call such a function; raises TypeError if the functions that it is given change what is around them.

    What those raise while they are traced, nobody outside may catch: eagerly, they may not even run.
    """
    args = [_marking(value) for value in args]
    kwargs = {name: _marking(value) for name, value in kwargs.items()}
    if _compares.get():
        return function(*args, **kwargs)
    result, first = watched(lambda: function(*args, **kwargs))
    if all(_counted(place, snapshot) is None for place, snapshot in first.fresh.values()):
        return result
    # What is changed to the same again may change once.
    again = _second_trace(lambda: function(*args, **kwargs))
    for key, (place, snapshot) in again.fresh.items():
        # What only one of the traces has was made in it.
        if key in first.fresh and _counted(place, snapshot) is not None:
            name = function.__name__.removesuffix("_for_tf_v2").removesuffix("_v2")
            raise TypeError(
                f"'{place.text}' is changed by a function that tf.{name} runs in the graph: it is traced once, however "
                f"often it runs, so '{place.text}' would change once. Return the value from the function, or write "
                f"`{TRACES_ONCE[function.__name__]}` instead of tf.{name}"
            )
    return result


def _marking(value: Any) -> Any:
    """Functions, also in a list or dict, whose errors are marked as those of branches."""
    if isinstance(value, _FUNCTIONS):

        @functools.wraps(value)
        def branch(*args: Any, **kwargs: Any) -> Any:
            return left_branch(lambda: value(*args, **kwargs))

        return branch
    kind: Any = cast("Any", type)(value)
    if kind is dict:
        return {key: _marking(each) for key, each in value.items()}
    return kind(map(_marking, value)) if kind in _SEQUENCES else value


def _second_trace(action: Callable[[], Any]) -> StateJournal:
    """The notes of what is set if something is traced again, in a graph that nobody runs."""
    graph: Any = tf.__internal__.FuncGraph("scratch")
    token = _compares.set(True)
    try:
        with graph.as_default():
            return watched(action)[1]
    finally:
        _compares.reset(token)


def _counted(place: StatePlace, snapshot: Any) -> Any:
    """What shows how often a change was made: a list of another length, another number; None if nothing does.

    A tensor of the graph that is left somewhere is an error where it is read.
    """
    before, inside = snapshot
    if isinstance(before, Undefined):
        # It was the class's.
        before = getattr(cast("Any", type(place.owner)), getattr(place, "name", ""), before)
    now = place.get()
    if now is not before and _is_other_number(before, now):
        return now
    return next((held for held, content in inside if _holds_other(held, content)), None)


def _holds_other(held: Any, content: Any) -> bool:
    if isinstance(held, dict):
        known = cast("dict[Any, Any]", held)
        return any(_is_other_number(content.get(key), item) for key, item in known.items())
    if not isinstance(held, list):
        return False
    items = cast("list[Any]", held)
    return len(items) != len(content) or any(map(_is_other_number, content, items))


def _is_other_number(before: Any, now: Any) -> bool:
    numbers = (int, float, complex)
    if isinstance(before, bool) or not isinstance(before, numbers) or not isinstance(now, numbers):
        return False
    return before != now
