"""What an argument is in the calls of a traced function: a number that goes on, a text, one of a few options.

Looks at the values alone; how many traces are reported, `retracing` decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType

from graphwright_analysis.tracing.facts import Held, Varying
from graphwright_analysis.tracing.facts.retracing import Difference
from graphwright_analysis.values.domain import Constant, Scalar, Tuple, Value, python_kind

_SWITCHES = frozenset({bool, NoneType})
_OPTIONS = _SWITCHES | {str, bytes}


def is_counted(varying: Varying) -> bool:
    """Whether the number, or one in a collection, is another one in each turn of a loop."""
    return varying.how is Difference.VALUE and any(_of_one_turn(value) for value in varying.seen)


def _of_one_turn(value: Value) -> bool:
    if isinstance(value, (Tuple, Held)):
        return any(_of_one_turn(item) for item in value.items)
    return isinstance(value, Scalar) and value.turn > 0


def is_text(seen: Sequence[Value]) -> bool:
    """Whether all are texts."""
    return bool(seen) and all(python_kind(value) in (str, bytes) for value in seen)


def is_switch(seen: Sequence[Value]) -> bool:
    """Whether all are flags, or two known values in all: more traces than that can't come of it."""
    return _are_known(seen) and (len(seen) <= 2 or all(python_kind(value) in _SWITCHES for value in seen))


def is_option(seen: Sequence[Value]) -> bool:
    """Whether all are flags or texts, such as the name of an activation, or None for none of them."""
    return is_switch(seen) or (_are_known(seen) and all(python_kind(value) in _OPTIONS for value in seen))


def _are_known(seen: Sequence[Value]) -> bool:
    return bool(seen) and all(isinstance(value, Constant) for value in seen)
