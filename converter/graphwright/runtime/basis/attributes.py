"""What an object's attributes hold, read as Python stores them, and which objects are the user's.

No code of the object's class is asked.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import sys
import types
from collections.abc import Sequence
from typing import Any, cast
from weakref import WeakKeyDictionary

from graphwright.runtime.basis.tensorflow import tf


def is_record(value: Any) -> bool:
    """Whether a value is no more than its attributes: an object of the user's, or one of ours that may hold some."""
    kind = cast("type[Any]", type(value))
    library = kind.__module__.partition(".")[0]
    if library in _LIBRARIES or isinstance(value, (type, tf.Module, tf.TypeSpec, enum.Enum)) or callable(value):
        return False
    # A number or a path of Python's has slots, too.
    return held_attributes(value) is not None or (library not in sys.stdlib_module_names and bool(slots_of(kind)))


def is_data(value: Any) -> bool:
    """Whether it is an object of a dataclass."""
    return dataclasses.is_dataclass(cast("type[Any]", type(value)))


def is_users(value: Any) -> bool:
    """Whether a value is an object of the user's that is no more than its attributes, and none of ours."""
    return is_record(value) and not cast("type[Any]", type(value)).__module__.startswith("graphwright.")


def attributes_of(value: Any, itself: bool = False) -> dict[str, Any]:
    """Return the attributes that an object holds itself, those in its slots as well.

    One that the graph chooses has those of the objects that it may be, unless it is asked for what it holds `itself`.
    """
    held = dict(held_attributes(value, itself) or {})
    for name in slots_of(cast("type[Any]", type(value))):
        with contextlib.suppress(AttributeError):
            held.setdefault(name, object.__getattribute__(value, name))
    return held


def held_attributes(value: Any, itself: bool = False) -> dict[str, Any] | None:
    """Return the attributes that an object holds itself, or None if it has no place for any but its slots."""
    if not itself and chosen_from(value):
        return value.__dict__
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None


def slots_of(kind: type) -> Sequence[str]:
    """The names of a class's slots and those of its bases; a private one has its class's name in front."""
    found = _slots.get(kind)
    if found is None:
        members = {name: member for base in reversed(kind.__mro__) for name, member in base.__dict__.items()}
        found = [name for name, each in members.items() if is_slot(each) and "__slots__" in vars(each.__objclass__)]
        _slots[kind] = found
    return found


_slots: WeakKeyDictionary[type, Sequence[str]] = WeakKeyDictionary()


def is_slot(member: Any) -> bool:
    """Whether a member of a class only stores an attribute."""
    return isinstance(member, types.MemberDescriptorType)


def users_class(kind: Any) -> Any:
    """The class, or that of the objects of which the graph chooses one that is of this class."""
    return cast("Any", type)(kind.graphwright_options[0]) if has_member(kind, "graphwright_options") else kind


def chosen_from(value: Any) -> tuple[Any, ...]:
    """Those of which the graph chooses one, which the value stands for; none for any other value."""
    kind = cast("Any", type(value))
    return kind.graphwright_options if has_member(kind, "graphwright_options") else ()


def is_of(value: Any, *kinds: Any) -> bool:
    """Whether the class of a value is one of these or made from one; unlike `isinstance`, it doesn't ask the value."""
    return issubclass(cast("Any", type(value)), kinds)


def has_member(kind: type, name: str) -> bool:
    """Whether a class has a member, its own or inherited; a metaclass that answers to every name isn't asked."""
    if type(kind) is type:
        return hasattr(kind, name)
    return any(name in base.__dict__ for base in kind.__mro__)


_LIBRARIES = ("tensorflow", "keras", "numpy", "builtins")
