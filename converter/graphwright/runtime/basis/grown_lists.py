"""Python lists whose place a list of the graph has taken: what other names still hold leads to it, or refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import ItemsView, ValuesView
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.context import SIMPLE
from graphwright.runtime.basis.graph_notes import GraphNotes
from graphwright.runtime.basis.plain_containers import DEQUE, LISTS, refill
from graphwright.runtime.basis.python_values import refuse_only_truth
from graphwright.runtime.basis.tensorflow import tf

_REFUSAL = (
    "the graph makes this list longer under another name, and code can't see that which goes over it in Python, takes "
    "an item by a number, or isn't converted: use the name under which it gets longer, or return the list from the "
    "function"
)


class Grown:
    """Stands in such a list for each of its elements, at least once, and knows the list of the graph."""

    __slots__ = ("count", "list")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, grown: Any, count: int) -> None:
        self.list = grown
        self.count = count

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(_REFUSAL)


def _refuse(*_: Any, **__: Any) -> Any:
    raise TypeError(_REFUSAL)


for _name in (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "rfloordiv", "mod", "rmod"),
    *("pow", "rpow", "matmul", "rmatmul", "neg", "abs", "lt", "le", "gt", "ge", "eq", "ne", "bool", "len", "iter"),
    *("getitem", "setitem", "contains", "call", "int", "float", "index", "repr"),
):
    setattr(Grown, f"__{_name}__", _refuse)
tf.register_tensor_conversion_function(Grown, _refuse)
_forwarded = GraphNotes()
"""The lists whose place lists of the graph have taken, once for each time."""


def forward(container: Any, grown: Any) -> None:
    """Let a Python list lead to the list that has taken its place."""
    count = len(container) + 1  # No fewer, or a loop that goes over the list in Python would just end.
    most = getattr(container, "maxlen", None)
    count = count if most is None else min(count, most)
    refill(container, [Grown(grown, count)] * count)
    _forwarded.setdefault(tf.compat.v1.get_default_graph(), []).append(container)


def is_forwarded(value: Any) -> bool:
    """Whether a list of the graph has taken the place of a Python list."""
    return type(value) in LISTS and bool(value) and Grown in (type(value[0]), type(value[-1]))


def current(value: Any) -> Any:
    """The list of the graph that has taken a list's place; anything else as it is."""
    kind = cast("Any", type(value))
    if kind in SIMPLE:
        return value
    if kind not in LISTS:
        return value.graphwright_now() if has_member(kind, "graphwright_now") else value
    if not is_forwarded(value):
        return value
    if value[0] is not value[-1] or len(value) != value[0].count:
        _refuse()  # Of a full deque, what is put at one end takes the place of what was at the other.
    return value[0].list


def with_current(view: Any) -> Any:
    """The items or values of a dict, with lists of the graph in the place of those that lead to them."""
    kind = cast("Any", type(view))
    if issubclass(kind, ItemsView) and any(is_forwarded(value) for _, value in view):
        return ((key, current(value)) for key, value in view)
    return map(current, view) if issubclass(kind, ValuesView) and any(map(is_forwarded, view)) else view


def returned(value: Any) -> Any:
    """What a traced function returns, with the lists of the graph that have taken the place of others in it."""
    containers = _forwarded.pop(tf.compat.v1.get_default_graph(), ())
    for container in containers:
        if is_forwarded(container):
            current(container)  # Something may have been appended to the list itself.
    for container in containers:  # One that was traced twice is there twice, and an element longer for each.
        if len(container) > 1:
            del container[-1]  # TensorFlow compares what it has called the function with.
            if is_forwarded(container):
                container[0].count -= 1
    return all_current(value)


def all_current(value: Any) -> Any:
    """A result with the lists of the graph, and what is in lists and dicts that it chooses."""
    value = current(value)
    refuse_only_truth(value)
    kind: Any = cast("Any", type)(value)
    if has_member(kind, "graphwright_base"):
        value, kind = kind.graphwright_base(value), kind.graphwright_base
    if issubclass(kind, Counter):
        value, kind = dict(value), dict  # TensorFlow can't make one again: it would count the tensors.
    if kind is DEQUE:
        value, kind = list(value), list  # Nor does it know deques.
    if kind not in (list, tuple, dict):
        return value
    parts: list[Any] = list(value.values() if kind is dict else value)
    made = [all_current(part) for part in parts]
    if all(one is part for one, part in zip(made, parts, strict=True)):
        return value
    return cast("Any", dict(zip(value, made, strict=True)) if kind is dict else kind(made))
