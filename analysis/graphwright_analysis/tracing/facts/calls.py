"""Calls of what lies outside the project, seen while tracing."""

from __future__ import annotations

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import Value

from .fact import Fact
from .place import Place

ONLY_OF_VARIABLES = frozenset({"assign_add", "assign_sub"})
"""Methods of variables that a slice of one doesn't have, other than `assign`."""
NOT_OF_TENSORS = ONLY_OF_VARIABLES.union(
    {"item", "tolist", "astype", "reshape", "mean", "sum", "max", "min", "copy", "flatten", "ravel", "squeeze", "std"},
    {"transpose", "argmax", "argmin", "any", "all", "fill", "dot", "clip", "round", "cumsum", "split", "decode"},
    {"detach", "append", "lower", "upper", "strip", "startswith", "endswith", "replace", "join", "items", "keys"},
    {"values", "repeat", "tobytes", "prod", "view", "size", "permute", "unsqueeze", "to", "rsplit"},
)
"""Methods of arrays, strings, collections and variables, and of other libraries' tensors, that TensorFlow's lack."""
ONLY_OF_EAGER_TENSORS = frozenset({"numpy", "cpu"})


@immutable
class Argument:
    """An argument of a call; `name` is None for a positional one. Lists and dicts are laid open as tuples."""

    value: Value
    place: Place
    name: str | None = None
    outside: bool = False
    """Whether it is read from outside of the function: a name bound there, or an attribute."""


@immutable
class OutsideCall(Fact):
    """Something that the project doesn't define is called.

    `name` is a dotted name (`tf.print`, `np.sqrt`, `time.time`, `print`), or a method's name with its receiver.
    `in_graph` is False where the call runs eagerly; such calls are noted only where a rule asks for them.
    """

    place: Place
    name: str
    receiver: Value | None
    arguments: tuple[Argument, ...]
    function: Place
    statement: Place
    in_graph: bool
    dropped: bool
    """Whether the call is a statement of its own, so that its result is lost."""
    attempted: bool = False
    """Whether it stands in a `try` that takes what tracing may raise, or is made for an error's message."""
    uncertain: bool = False
    """Whether it depends on a Python condition that isn't known."""
    meant_for_others: bool = False
    """Whether such a condition may have asked for another kind of what it is called on, or with."""
    confidence: Confidence = Confidence.CERTAIN
