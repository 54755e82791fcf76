"""Comparisons of lists, tuples and data that hold tensors: element by element, as Python compares them."""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Collection
from typing import Any, cast

from graphwright.runtime.basis.attributes import attributes_of
from graphwright.runtime.basis.context import SIMPLE, is_staging
from graphwright.runtime.basis.plain_containers import LISTS
from graphwright.runtime.basis.separated_lists import has_separated
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import elements_of, holds_tensor, is_sequence, opposite, truth
from graphwright.runtime.functions.special_methods import FUNCTIONS
from graphwright.runtime.state.chosen_lists import ChosenContents, contents_of
from graphwright.runtime.state.chosen_members import is_
from graphwright.runtime.state.identities import compare_by_identity, may_hold_same, same_or_equal

_OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compared(left: Any, sign: str, right: Any) -> Any:
    """`left == right`, `left < right` and so on."""
    if type(left) in SIMPLE or type(right) in SIMPLE or not is_staging():
        return _OPERATORS[sign](left, right)
    left, right = (contents_of(side) if isinstance(side, ChosenContents) else side for side in (left, right))
    left, right = _as_tuples(left, right, sign)
    if not _is_by_elements(left, right):
        if sign in ("==", "!=") and has_separated() and compare_by_identity(left, right):
            return is_(left, right) if sign == "==" else opposite(is_(left, right))
        return _OPERATORS[sign](left, right)
    if sign in ("==", "!="):
        same = equal(left, right)
        return same if sign == "==" else opposite(same)
    found = less(left, right) if sign in ("<", ">=") else less(right, left)
    return found if sign in ("<", ">") else opposite(found)


def less(left: Any, right: Any, around: Pairs = frozenset()) -> Any:
    """`left < right`; tuples and lists that hold tensors are compared element by element, as Python does."""
    inside = _within(around, left, right)
    left, right = _as_tuples(left, right, "<")
    if not _is_by_elements(left, right):
        return left < right
    result: Any = len(left) < len(right)
    for pair in reversed(list(zip(left, right, strict=False))):
        result = tf.logical_or(truth(less(*pair, inside)), tf.logical_and(truth(equal(*pair, inside)), result))
    return result


def equal(left: Any, right: Any, around: Pairs = frozenset()) -> Any:
    """`left == right`, in the same way."""
    inside = _within(around, left, right)
    left, right = _as_tuples(left, right, "==")
    if not _is_by_elements(left, right):
        return same_or_equal(left, right)
    if len(left) != len(right):
        return False
    parts = [truth(equal(first, second, inside)) for first, second in zip(left, right, strict=True)]
    return functools.reduce(tf.logical_and, parts, True)


def _within(around: Pairs, left: Any, right: Any) -> Pairs:
    """The pairs of values that are being compared, with another one; Python would stop where two differ."""
    pair = id(left), id(right)
    if pair in around:
        raise TypeError(_CIRCLE.format(left.__class__.__name__))
    return around | {pair}


Pairs = frozenset[tuple[int, int]]
"""What is being compared, by ids."""
_CIRCLE = (
    "the graph compares all that is inside, and what is compared here (a `{0}`) is inside itself: compare parts of it, "
    "such as `a.value == b.value`"
)


def _in_order(sign: str, left: Any, right: Any) -> Any:
    return compared(left, sign, right)


def _is_by_elements(left: Any, right: Any) -> bool:
    """Whether Python would ask for the truth of what a graph compares; those of different kinds it doesn't compare."""
    if not is_sequence(left) or not is_sequence(right):
        return False
    are_alike = all(isinstance(left, kind) == isinstance(right, kind) for kind in LISTS)
    return are_alike and (holds_tensor([left, right], _inside) or may_hold_same([left, right]))


def _inside(value: Any) -> Collection[Any] | None:
    """What is looked at for tensors: elements, and what is in the attributes of data."""
    if dataclasses.is_dataclass(value.__class__):
        return attributes_of(value).values()
    return value if is_sequence(value) else elements_of(value)


def _as_tuples(left: Any, right: Any, sign: str) -> tuple[Any, Any]:
    """Two objects of a dataclass as the tuples that its own methods compare; anything else as it is."""
    kind: Any = left.__class__
    if kind is not right.__class__ or not dataclasses.is_dataclass(kind) or not _compares_fields(kind, sign):
        return left, right
    names = [field.name for field in dataclasses.fields(kind) if field.compare]
    one, other = (tuple(getattr(side, name) for name in names) for side in (left, right))
    return one, other


def _compares_fields(kind: Any, sign: str) -> bool:
    """Whether `dataclass` has made the method that compares the objects of a class."""
    method = "__eq__" if sign in ("==", "!=") else f"__{_OPERATORS[sign].__name__}__"
    owner: Any = next(base for base in kind.__mro__ if method in vars(base))
    code = getattr(cast("Any", vars(owner)[method]), "__code__", None)
    return "__dataclass_params__" in vars(owner) and code is not None and code.co_filename == "<string>"


for _sign, _name in (("==", "eq"), ("!=", "ne"), ("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge")):
    FUNCTIONS[_name] = functools.partial(_in_order, _sign)
