"""An immutable class is what a frozen dataclass would be, but for changes at run time."""

from __future__ import annotations

import ast
import copy
import pickle
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import graphwright_analysis
import graphwright_server
import pytest
from graphwright_analysis.immutability import immutable


@immutable
class Base:
    """Has a parameter that is named only."""

    number: int
    note: str = field(default="", kw_only=True, compare=False)


@immutable
class Heir(Base):
    name: str = "none"
    items: list[int] = field(default_factory=lambda: [7])
    hidden: tuple[int, ...] = field(default=(), repr=False)
    later: dict[str, int] = field(default_factory=lambda: {}, init=False, compare=False)


@dataclass(frozen=True, slots=True)
class PlainBase:
    number: int
    note: str = field(default="", kw_only=True, compare=False)


@dataclass(frozen=True, slots=True)
class PlainHeir(PlainBase):
    name: str = "none"
    items: list[int] = field(default_factory=lambda: [7])
    hidden: tuple[int, ...] = field(default=(), repr=False)
    later: dict[str, int] = field(default_factory=lambda: {}, init=False, compare=False)


@immutable(slots=False)
class Remembering:
    size: int

    @cached_property
    def double(self) -> int:
        return self.size * 2


@immutable(eq=False)
class Alone:
    size: int


@immutable
class Itself:
    """Is equal by its first field, and shown in its own way."""

    first: int
    second: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.first == self.first

    def __hash__(self) -> int:
        return self.first

    def __repr__(self) -> str:
        return f"<{self.first}>"


ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "a"), {"note": "b"}),
    ((1, "a", [2], (3,)), {"note": "c"}),
    ((), {"number": 4, "items": []}),
]


@pytest.mark.parametrize(("given", "named"), ARGUMENTS)
def test_an_immutable_class_holds_and_shows_what_a_dataclass_does(given: tuple[Any, ...], named: dict[str, Any]):
    ours, plain = Heir(*given, **named), PlainHeir(*given, **named)
    assert [getattr(ours, each.name) for each in fields(ours)] == [getattr(plain, each.name) for each in fields(plain)]
    assert repr(ours) == repr(plain).replace("Plain", "")
    assert Heir.__match_args__ == PlainHeir.__match_args__
    again = replace(ours, number=9)
    assert (again.number, again.items) == (9, ours.items)
    assert pickle.loads(pickle.dumps(ours)) == copy.deepcopy(ours) == ours


@pytest.mark.parametrize("given", [(), (1, "a", [], (), {}), (1, "a", [], (), "note")])
def test_wrong_arguments_are_refused(given: tuple[Any, ...]):
    for made in (Heir, PlainHeir):
        with pytest.raises(TypeError):
            made(*given)


def test_what_is_compared_is_equal_and_hashed_alike():
    assert Base(1, note="a") == Base(1, note="b")
    assert hash(Base(1, note="a")) == hash(Base(1, note="b")) == hash(PlainBase(1))
    assert Base(1) != Base(2)
    assert Base(1) != PlainBase(1)
    # Another class isn't equal, though it has the same fields: both sides leave the answer to the other.
    assert Base.__eq__(Base(1), Heir(1)) is NotImplemented


def test_each_object_gets_a_new_default():
    one, other = Heir(1), Heir(1)
    assert one.items == other.items
    assert one.items is not other.items
    assert one.later is not other.later


def test_options_and_methods_of_its_own_hold():
    assert Remembering(2).double == 4
    assert not hasattr(Base(1), "__dict__")
    assert Alone(1) != Alone(1)
    assert (Itself(1, 2) == Itself(1, 3), hash(Itself(5, 1)), repr(Itself(6, 1))) == (True, 5, "<6>")


def test_what_contains_itself_can_be_shown():
    around: list[Any] = []
    around.append(Heir(1, items=around))
    assert "items=[...]" in repr(around[0])


@pytest.mark.parametrize("package", [graphwright_analysis, graphwright_server])
def test_there_are_no_other_immutable_dataclasses(package: ModuleType):
    root = Path(str(package.__file__)).parent
    frozen = [
        f"{path.name}:{node.lineno}"
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "dataclass"
        if any(keyword.arg == "frozen" for keyword in node.keywords)
    ]
    assert frozen == []
