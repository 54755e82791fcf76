"""Members of enumerations between which the graph chooses: their place among the members is known when it runs."""

from __future__ import annotations

import enum
import functools
from typing import Any, ClassVar, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.python_values import was_python
from graphwright.runtime.basis.separated_lists import refuse_comparing
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import opposite
from graphwright.runtime.lists.moving_lists import MovingList


class ChosenMember:
    """One of the members of an enumeration, which has a class of its own here."""

    members: ClassVar[tuple[Any, ...]] = ()

    def __init__(self, place: Any) -> None:
        self.place = place

    def __eq__(self, other: object) -> Any:
        if isinstance(other, ChosenMember):
            return type(self) is type(other) and tf.equal(self.place, other.place)
        return other in self.members and tf.equal(self.place, self.members.index(other))

    def __ne__(self, other: object) -> Any:
        return opposite(self == other)

    def __hash__(self) -> int:
        raise TypeError(f"{self!r} can't be a key or in a set: compare it with each member")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "is_tensor_like":
            raise AttributeError(name)
        values: list[Any] = [getattr(member, name) for member in self.members]
        if any(callable(value) or not isinstance(value, (bool, int, float, str)) for value in values):
            raise TypeError(f"`{name}` of {self!r} isn't a number or a text: compare it with each member")
        return tf.gather(tf.constant(values), self.place)

    def __repr__(self) -> str:
        return f"a member of {type(self.members[0]).__name__} that the graph chooses"

    def __str__(self) -> str:
        raise TypeError(f"{self!r} has no text: write its `.name`")

    def graphwright_is(self, other: Any) -> Any:
        return self == other

    def graphwright_flatten(self) -> Any:
        def rebuild(places: list[Any]) -> ChosenMember:
            return type(self)(places[0])

        return [self.place], rebuild

    def graphwright_adopt(self, value: Any) -> Any:
        return type(self)(self.members.index(value)) if value in self.members else None


def is_member(value: Any) -> bool:
    """Whether it is a member of an enumeration and nothing more: no number, no text, no flag."""
    return isinstance(value, enum.Enum) and not isinstance(value, (int, float, str, bytes, enum.Flag))


def as_chosen(member: Any) -> ChosenMember:
    """The member as one that the graph may choose."""
    kind = _chosen_class(cast("type[enum.Enum]", type(member)))
    return kind(kind.members.index(member))


def is_(left: Any, right: Any) -> Any:
    """`left is right`, a tensor for what the graph chooses."""
    refuse_comparing(left, right)
    left, right = current(left), current(right)
    for one, other in ((left, right), (right, left)):
        if has_member(cast("Any", type(one)), "graphwright_is"):
            return one.graphwright_is(other)
        if (other is True or other is False) and is_tensor(one) and was_python(one) and one.dtype == tf.bool:
            return tf.equal(one, other)
    if all(issubclass(cast("type[Any]", type(each)), MovingList) for each in (left, right)):
        return left.last() is right.last()
    return left is right


@functools.cache
def _chosen_class(kind: type[enum.Enum]) -> type[ChosenMember]:
    made: Any = type(kind.__name__, (ChosenMember,), {"members": tuple(kind)})
    return cast("type[ChosenMember]", made)
