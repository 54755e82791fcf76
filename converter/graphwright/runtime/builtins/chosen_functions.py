"""Functions, layers and other callables of which the graph chooses one: a call is a branch that calls that one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.conditionals import if_
from graphwright.runtime.functions.calls import converted
from graphwright.runtime.state.callables import is_callable
from graphwright.runtime.state.choices import Choice, Kind, is_same_object, select
from graphwright.runtime.state.chosen_objects import is_other_object, set_in_each
from graphwright.runtime.state.nodes import ConstantNode, StateNode


class ChosenFunction(Choice):
    """One of a few callables; what is read of it is read of each."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        options = type(self).graphwright_options

        def call(place: int) -> Any:
            def then() -> Any:
                return converted(options[place])(*arguments, **named)

            def otherwise() -> Any:
                return call(place + 1)

            is_last = place == len(options) - 1
            return then() if is_last else if_(tf.equal(self.graphwright_place, place), then, otherwise)

        return call(0)

    def __getattr__(self, name: str) -> Any:
        values = [getattr(option, name) for option in type(self).graphwright_options]
        if name.startswith("__") and any(value != values[0] for value in values):
            raise AttributeError(f"the graph chooses which function it is, so it has no `{name}`")
        return select(self.graphwright_place, values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("graphwright_"):
            object.__setattr__(self, name, value)
        else:
            set_in_each(self, setattr, name, value)

    def graphwright_taken_apart(self) -> StateNode:
        return ConstantNode(self)

    __eq__ = is_same_object
    __ne__ = is_other_object

    def __hash__(self) -> int:
        raise TypeError("the graph chooses which function it is, so it can't be a key or in a set")

    def __repr__(self) -> str:
        return "a function that the graph chooses"


def _derived(options: Sequence[Any]) -> type[Choice]:
    members: dict[str, Any] = {"graphwright_options": options}
    first, *others = [cast("type[Any]", type(option)) for option in options]
    if all(kind is first for kind in others):
        members["__class__"] = property(lambda _: first)
    return cast("type[Choice]", type("ChosenFunction", (ChosenFunction,), members))


def _family(value: Any) -> str | None:
    return "function" if is_callable(value) else None


FUNCTIONS = Kind(_family, _derived)
