"""Objects of the user's classes of which the graph chooses one.

What is read from such an object is read from all of them, and the graph chooses between the values; what is set in it
is set in each, to what it was or to the new value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from graphwright.runtime.basis.attributes import attributes_of, has_member, is_slot, is_users
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import opposite
from graphwright.runtime.state.choices import Choice, Kind, chosen_class, is_same_object, made, select
from graphwright.runtime.state.containers import parts, remake
from graphwright.runtime.state.describing import describe
from graphwright.runtime.state.nodes import ContainerNode, StateNode
from graphwright.runtime.state.noting import changes
from graphwright.runtime.state.undefined import Undefined


class ChosenObject(Choice):
    """One of a few objects of a class of the user's; it has a class of its own, which is derived from that one."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("graphwright_"):
            return object.__getattribute__(self, name)
        options = type(self).graphwright_options
        if name == "__class__":
            return cast("type[Any]", type(options[0]))
        if name == "__dict__":
            return _ChosenAttributes((key, getattr(self, key)) for key, _ in parts(options[0]))
        if any(_holds(option, name) for option in options):
            return select(self.graphwright_place, [getattr(option, name) for option in options], name)
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("graphwright_") or _is_set_by_class(type(self), name):
            object.__setattr__(self, name, value)
        else:
            set_in_each(self, setattr, name, value)

    def __delattr__(self, name: str) -> None:
        raise TypeError(f"the graph chooses the object, so its `{name}` can't be deleted: set it to None")

    def __hash__(self) -> int:
        raise TypeError(f"the graph chooses which {self.__class__.__name__} it is, so it can't be a key or in a set")

    def graphwright_copied(self, copy_of: Callable[[Any], Any]) -> Any:
        options = type(self).graphwright_options
        copies = tuple(map(copy_of, options))
        if all(copy is option for copy, option in zip(copies, options, strict=True)):
            return self
        return made(chosen_class(copies), self.graphwright_place)

    def graphwright_taken_apart(self) -> StateNode:
        """The node of its parts, for a graph that can't choose it by its place."""
        first = type(self).graphwright_options[0]
        items = tuple(describe(getattr(self, key)) for key, _ in parts(first))
        return ContainerNode(type(first), tuple(key for key, _ in parts(first)), items, first)


def set_in_each(chosen: Choice, setter: Callable[[Any, str, Any], None], name: str, value: Any) -> None:
    """Set an attribute in the option that is chosen; in the others it is set to what it was."""
    for place, option in enumerate(type(chosen).graphwright_options):
        changes(option, name)
        before = getattr(option, name, Undefined(name))
        is_it = tf.cast(tf.equal(chosen.graphwright_place, place), tf.int32)
        setter(option, name, select(is_it, [before, value], name))


class _ChosenAttributes(dict[str, Any]):
    """What is in the attributes of an object that the graph chooses; they are set in the object."""


def _refuse_changing(*_: Any, **__: Any) -> Any:
    raise TypeError("the graph chooses the object, so its `__dict__` can't change: set its attributes one by one")


for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(_ChosenAttributes, _name, _refuse_changing)


def _derived(options: Sequence[Any]) -> type[Choice]:
    kind = cast("type[Any]", type(options[0]))
    members: dict[str, Any] = {"graphwright_options": options, "__module__": kind.__module__, "__slots__": ()}
    for name, method in _METHODS:
        if getattr(kind, name, None) is getattr(object, name, None):
            members[name] = method
    members["__hash__"] = ChosenObject.__hash__
    return cast("type[Choice]", type(kind.__name__, (ChosenObject, kind), members))


def is_other_object(left: Any, right: Any) -> Any:
    return opposite(is_same_object(left, right))


def _text(value: Any) -> str:
    return f"a {value.__class__.__name__} that the graph chooses"


def _copied(value: Any) -> Any:
    return remake(cast("Any", type(value)).graphwright_options[0], dict(parts(value)))


_METHODS = (("__eq__", is_same_object), ("__ne__", is_other_object), ("__repr__", _text), ("__copy__", _copied))
"""What those say that are chosen, where their class says nothing."""


def _holds(option: Any, name: str) -> bool:
    return name in attributes_of(option)


def _is_set_by_class(kind: type, name: str) -> bool:
    member = getattr(kind, name, None)
    return hasattr(member, "__set__") and not is_slot(member)


def _family(value: Any) -> Any:
    """The object's class, if one derived from that can stand for it: it has no way of its own to read, set or make."""
    kind = cast("Any", type(value))
    if not is_users(value) or type(kind) is not type or isinstance(value, _COMPOSITE):
        return None
    usual = kind.__getattribute__ is object.__getattribute__ and kind.__new__ is object.__new__
    stores = all(_only_stores(kind, name) for name in ("__setattr__", "__delattr__"))
    own = has_member(kind, "__getattr__") or hasattr(kind.__init_subclass__, "__func__")
    return kind if usual and stores and not own else None


def _only_stores(kind: type, name: str) -> bool:
    """Whether a class doesn't say how an attribute is set; a frozen dataclass only says that it can't be."""
    base: Any = next(base for base in kind.__mro__ if name in base.__dict__)
    return base is object or ("__dataclass_params__" in base.__dict__ and base.__dataclass_params__.frozen)


_COMPOSITE: Any = tf.__internal__.CompositeTensor
OBJECTS = Kind(_family, _derived)
