"""Operators, items, properties, `with` and iteration of objects whose classes the user wrote, as Python does them.

What Python would call is converted first. Which code calls these, `graphwright.special_methods` decides.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member, users_class
from graphwright.runtime.basis.context import is_staging
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, opposite, truth
from graphwright.runtime.functions.calls import class_of, converted
from graphwright.runtime.lists import orders
from graphwright.runtime.lists.subscripts import (
    IN_PLACE,
    changed,
    get_item,
    read_item,
    set_inside,
    set_item,
    update_inside,
    update_item,
)
from graphwright.runtime.state.chosen_members import is_
from graphwright.runtime.state.identities import compare_by_identity
from graphwright.runtime.state.undefined import read
from graphwright.special_methods import (
    COMPARISONS,
    OPERATIONS,
    REFLECTED,
    UNARY,
    is_of_total_ordering,
    is_users_method,
    methods_of,
)

__all__ = [
    "adds_itself",
    "attribute_of",
    "changed_of",
    "get_item_of",
    "iterated",
    "managed",
    "operated",
    "read_item_of",
    "set_attribute",
    "set_inside_of",
    "set_item_of",
    "set_special_item",
    "update_inside_of",
    "update_item_of",
]

FUNCTIONS: dict[str, Any] = {
    **{name: getattr(operator, f"__{name}__") for name in (*OPERATIONS.values(), *COMPARISONS.values())},
    **{f"i{name}": getattr(operator, f"__i{name}__") for name in OPERATIONS.values()},
    **{name: getattr(operator, f"__{name}__") for name in (*UNARY.values(), "getitem")},
}
"""What operators do where no class of the user's says it; `comparisons` sets what compares lists and tuples."""
_SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
}


def operated(name: str, left: Any, *others: Any) -> Any:
    """What an operator, or an item, gives: `name` is that of the special method without underscores."""
    if not others or name == "getitem":
        method = _users(left, f"__{name}__")
        return FUNCTIONS[name](left, *others) if method is None else converted(method)(left, *others)
    right, written = others[0], name
    if is_pythons_own(class_of(left)) and is_pythons_own(class_of(right)):
        return FUNCTIONS[name](left, right)  # Said at once: most operands are numbers and texts.
    if name.startswith("i") and name[1:] in _SIGNS and name not in _SIGNS:
        method = _users(left, f"__{name}__")
        if method is not None:
            result = converted(method)(left, right)
            if result is not NotImplemented:
                return result
        elif _member(class_of(left), f"__{name}__") is not None:
            return FUNCTIONS[name](left, right)
        name = name[1:]
    methods = methods_of(name)
    if not any(_is_said(value, f"__{method}__") for value in (left, right) for method in methods):
        asks = name in ("eq", "ne") and compare_by_identity(left, right)
        return _compared_by_identity(name, left, right) if asks else FUNCTIONS[written](left, right)
    return _by_methods(name, methods[1], left, right)


def lesser(left: Any, right: Any) -> Any:
    """`left < right` of objects whose classes the user wrote."""
    return operated("lt", left, right)


def greater(left: Any, right: Any) -> Any:
    """`left > right` of such objects."""
    return operated("gt", left, right)


orders.is_less = lesser


def _compared_by_identity(name: str, left: Any, right: Any) -> Any:
    """What `==` or `!=` gives where no method says it."""
    same = is_(left, right)
    return same if name == "eq" else opposite(same)


def _by_methods(name: str, other: str, left: Any, right: Any) -> Any:
    """The result of the first method that knows one, in Python's order."""
    mine, theirs = (left, f"__{name}__", right), (right, f"__{other}__", left)
    attempts = [mine, theirs]
    kinds = class_of(left), class_of(right)
    if kinds[0] is kinds[1]:
        attempts = [mine, theirs] if name in REFLECTED else [mine]
    elif issubclass(kinds[1], kinds[0]) and _overrides(kinds[1], kinds[0], theirs[1], name in REFLECTED):
        attempts = [theirs, mine]
    for owner, method, argument in attempts:
        result = _result_of(owner, method, argument)
        if result is not NotImplemented:
            return result
    if name in ("eq", "ne"):
        return _compared_by_identity(name, left, right)
    operands = " and ".join(f"'{kind.__name__}'" for kind in kinds)
    if name in REFLECTED:
        raise TypeError(f"'{_SIGNS[name]}' not supported between instances of {operands}")
    raise TypeError(f"unsupported operand type(s) for {_SIGNS[name]}: {operands}")


def _overrides(kind: type, base: type, method: str, always: bool) -> bool:
    found = _member(kind, method)
    return found is not None and (always or found is not _member(base, method))


def _result_of(owner: Any, method: str, argument: Any) -> Any:
    kind = class_of(owner)
    member = _member(kind, method)
    if method == "__ne__" and member is object.__ne__:
        result = _result_of(owner, "__eq__", argument)
        if result is NotImplemented:
            return result
        return opposite(result)
    if member is None:
        return NotImplemented
    if is_users_method(member):
        return converted(member)(owner, argument)
    root = _ROOTS.get(member.__code__.co_name) if is_of_total_ordering(member) else None
    if root is not None and is_staging():
        return _by_total_ordering(method, root, owner, argument)
    return member.__get__(owner, kind)(argument)


_ROOTS = {
    f"_{name}_from_{root}": root
    for root in ("lt", "le", "gt", "ge")
    for name in ("lt", "le", "gt", "ge")
    if name != root
}
"""The functions that `functools.total_ordering` adds to a class, by the method that the user wrote."""


def _by_total_ordering(method: str, root: str, owner: Any, argument: Any) -> Any:
    """What `functools.total_ordering` makes of the user's comparison, which may give a tensor."""
    found = _result_of(owner, f"__{root}__", argument)
    if found is NotImplemented:
        return found
    name = method.strip("_")
    is_opposite = name[0] != root[0]
    found = opposite(found) if is_opposite else found
    if name[1] == ("e" if root[1] == "t" else "t") and is_opposite:
        return found  # The exact opposite, such as `>=` of `<`.
    settles = name[1] == "e"
    if not acts_as_tensor(found):
        return found if bool(found) is settles else operated("eq" if settles else "ne", owner, argument)
    same = truth(operated("eq", owner, argument))
    return tf.logical_or(truth(found), same) if settles else tf.logical_and(truth(found), opposite(same))


def set_special_item(value: Any, owner: Any, key: Any) -> None:
    """`owner[key] = value`."""
    method = _users(owner, "__setitem__")
    if method is None:
        owner[key] = value
    else:
        converted(method)(owner, key, value)


def adds_itself(value: Any) -> bool:
    """Whether the user wrote how an object is added."""
    return any(_users(value, method) is not None for method in ("__add__", "__radd__"))


def get_item_of(owner: Any, *keys: Any) -> Any:
    """`owner[key]` and so on, where a list may be of the graph."""
    for key in keys:
        owner = get_item(owner, key) if _users(owner, "__getitem__") is None else operated("getitem", owner, key)
    return owner


def read_item_of(owner: Any, key: Any) -> Any:
    """`owner[key]` of what may be anything."""
    return read_item(owner, key) if _users(owner, "__getitem__") is None else operated("getitem", owner, key)


def set_item_of(owner: Any, key: Any, value: Any) -> Any:
    """The owner after `owner[key] = value`, which for a tensor is another one."""
    if _users(owner, "__setitem__") is None:
        return set_item(owner, key, value)
    set_special_item(value, owner, key)
    return owner


def set_inside_of(owner: Any, key: Any, value: Any) -> None:
    """`owner[key] = value` for what is an item of something."""
    if _users(owner, "__setitem__") is None:
        set_inside(owner, key, value)
    else:
        set_special_item(value, owner, key)


def update_item_of(owner: Any, key: Any, sign: str, value: Any) -> Any:
    """The owner after `owner[key] += value` or the like."""
    if _users(owner, "__setitem__") is None:
        return update_item(owner, key, sign, value)
    set_special_item(changed_of(sign, get_item_of(owner, key), value), owner, key)
    return owner


def update_inside_of(owner: Any, key: Any, sign: str, value: Any) -> None:
    """The same for what is an item of something."""
    if _users(owner, "__setitem__") is None:
        update_inside(owner, key, sign, value)
    else:
        update_item_of(owner, key, sign, value)


def changed_of(sign: str, item: Any, value: Any) -> Any:
    """What `item += value` or the like gives."""
    name = IN_PLACE[sign]
    methods = [f"__{each}__" for each in (name, *methods_of(name[1:]))]
    if any(_users(each, method) is not None for each in (item, value) for method in methods):
        return operated(name, item, value)
    return changed(sign, item, value)


def attribute_of(owner: Any, name: str) -> Any:
    """`owner.name`, which may be a property."""
    owner = read(owner)
    kind = _users_class(owner)
    member = _member(kind, name)
    if kind.__getattribute__ is object.__getattribute__ and not has_member(kind, "__getattr__"):
        if type(member) is property and is_users_method(member.fget):
            return converted(member.fget)(owner)
        if type(member) is functools.cached_property and is_users_method(member.func):
            known = cast("dict[str, Any]", vars(owner))
            if name not in known:
                known[name] = converted(cast(Any, member).func)(owner)
            return known[name]
    return getattr(owner, name)


def set_attribute(value: Any, owner: Any, name: str) -> None:
    """`owner.name = value`, where the name may be a property's, or the class have its own way to set attributes."""
    owner = read(owner)
    kind = _users_class(owner)
    member = _member(kind, name)
    own = _users(owner, "__setattr__")
    if own is not None:
        converted(own)(owner, name, value)
    elif type(member) is property and is_users_method(member.fset) and kind.__setattr__ is object.__setattr__:
        converted(member.fset)(owner, value)
    else:
        setattr(owner, name, value)


def _users_class(owner: Any) -> Any:
    """Its class, or that of the objects of which the graph chooses it."""
    return users_class(class_of(owner))


class _Managed:
    """A context manager whose methods are converted."""

    def __init__(self, manager: Any) -> None:
        self.manager = manager

    def __enter__(self) -> Any:
        return _called(self.manager, "__enter__")

    def __exit__(self, *error: Any) -> Any:
        return _called(self.manager, "__exit__", *error)


def managed(manager: Any) -> Any:
    """What a `with` enters and leaves."""
    if all(_users(manager, method) is None for method in ("__enter__", "__exit__")):
        return manager
    return _Managed(manager)


class _Iterated:
    """An iterator whose method is converted."""

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if _member(class_of(self.iterator), "__next__") is None:
            raise TypeError(f"'{class_of(self.iterator).__name__}' object is not an iterator")
        return _called(self.iterator, "__next__")


class _Iterable(_Iterated):
    """An iterable whose method is converted; one that is its own iterator may be given to `next`."""

    def __iter__(self) -> Any:
        made = _called(self.iterator, "__iter__")
        if _users(made, "__next__") is not None:
            return _Iterated(made)
        return iter(made) if acts_as_tensor(made) else made  # Python itself refuses what is no iterator.

    def __length_hint__(self) -> int:
        """What `list` and the like ask to make room: the user's `__len__`, if there is one."""
        return operator.length_hint(self.iterator)


def iterated(iterable: Any) -> Any:
    """What a loop goes over, or `next` is called with."""
    own = _users(iterable, "__iter__")
    if own is not None:
        makes_generator = own.__code__.co_flags & inspect.CO_GENERATOR and _users(iterable, "__next__") is None
        return converted(own)(iterable) if makes_generator and is_staging() else _Iterable(iterable)
    return iterable if _users(iterable, "__next__") is None else _Iterated(iterable)


def _called(owner: Any, method: str, *arguments: Any) -> Any:
    member = _users(owner, method)
    if member is not None:
        return converted(member)(owner, *arguments)
    return getattr(class_of(owner), method)(owner, *arguments)


def _users(owner: Any, method: str) -> Any:
    """The user's function that an object's class has for a special method; None if it's another's, or there is none."""
    kind = class_of(owner)
    if is_pythons_own(kind):
        return None
    member = _member(kind, method)
    return member if is_users_method(member) else None


def is_pythons_own(kind: type) -> bool:
    """Whether a class isn't written in Python, so that nobody can have given it a method."""
    return not _flags_of(kind) & _IS_ON_HEAP


_flags_of: Callable[[type], int] = vars(type)["__flags__"].__get__
"""Not by its name: a class may have an attribute that is called so."""
_IS_ON_HEAP = 1 << 9


def _is_said(owner: Any, method: str) -> bool:
    """Whether the user wrote a special method, or `functools.total_ordering` added it to what the user wrote."""
    member = _member(class_of(owner), method)
    return is_users_method(member) or is_of_total_ordering(member)


def _member(kind: type, name: str) -> Any:
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
