"""A function from generated text passes for the user's: lines, names, cells, defaults, signature, source."""

from __future__ import annotations

import inspect
import sys
import traceback
import types

import pytest
from graphwright.compiling import compiled, function_from, with_operators
from graphwright.pipeline import Generated


class Operators:
    """What generated text calls, recording what it is told."""

    def __init__(self):
        self.names = []

    def is_noting(self):
        return False

    def changing(self, container, text=""):
        return container

    def _told(self, *args, names=None, **kwargs):
        self.names.append(names)
        return args[-1] if args else None

    if_ = while_ = for_ = _told

    @staticmethod
    def apply(function, *args):
        return function(*args)


def twin(function, text: str, lines: tuple[int, ...] | None = None, alias: str = "gw", class_name=None):
    first = function.__code__.co_firstlineno
    lines = lines or tuple(range(first, first + text.count("\n") + 1))
    code = compiled(Generated(text, lines, alias), function.__code__, class_name)
    operators = Operators()
    return function_from(with_operators(code, operators), function), operators


def evaluated():
    raise AssertionError("a default or an annotation was evaluated again")


def original(x, /, y=[], *args, z: int = 3, **kwargs) -> float:  # noqa: B006
    """What it does."""
    return x / 0


original.note = "kept"


def test_it_has_all_that_the_original_has():
    header = "def original(x, /, y=evaluated(), *args, z: evaluated()=evaluated(), **kwargs) -> evaluated():"
    text = f"{header}\n    return y, z"
    made, _ = twin(original, text)
    assert made(1) == ([], 3)
    assert made(1)[0] is original.__defaults__[0]
    assert inspect.signature(made) == inspect.signature(original)
    assert inspect.getsource(made) == inspect.getsource(original)
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__", "__kwdefaults__", "note"):
        assert getattr(made, name) == getattr(original, name)
    assert made.__globals__ is original.__globals__


def test_cells_are_shared_in_both_directions():
    count = 0

    def bump(step):
        nonlocal count
        count += step

    made, _ = twin(bump, "def bump(step):\n    nonlocal count\n    count = count + step * 10")
    made(1)
    assert count == 10
    count = 5
    made(2)
    assert count == 25


def test_a_cell_may_be_filled_later():
    def outer():
        def first():
            return later()

        made, _ = twin(first, "def first():\n    return later()")

        def later():
            return "here"

        return made

    assert outer()() == "here"


def test_a_nested_function_that_calls_itself():
    def outer():
        def countdown(n):
            return 0 if n == 0 else countdown(n - 1)

        return countdown

    made, _ = twin(outer(), "def countdown(n):\n    return 0 if n == 0 else 1 + countdown(n - 1)")
    assert made(1) == 1


class Parent:
    def name(self):
        return "parent"


class Child(Parent):
    def name(self):  # pyright: ignore[reportIncompatibleMethodOverride]
        return super().name(), __class__, self.__secret

    __secret = 7


def test_class_cell_and_private_names():
    made, _ = twin(
        Child.name, "def name(self):\n    return super().name(), __class__, self.__secret", class_name="Child"
    )
    assert made(Child()) == ("parent", Child, 7)


def test_a_lambda():
    k = 4
    made, _ = twin(lambda x, y=k: x + k, "lambda x, y=evaluated(): gw.apply(lambda: x + k + y)")
    assert made(1) == 9
    assert made.__name__ == "<lambda>"


def failing(x):
    y = x
    return y / 0


def test_lines_and_names_in_tracebacks_are_the_users():
    first = failing.__code__.co_firstlineno
    text = "def failing(x):\n    def then(x):\n        y = x\n        return y / 0\n    return gw.apply(then, x)"
    made, _ = twin(failing, text, (first, first + 1, first + 1, first + 2, first + 2))
    with pytest.raises(ZeroDivisionError) as caught:
        made(1)
    shown = "".join(traceback.format_tb(caught.value.__traceback__))
    assert f'"{__file__}", line {first + 2}, in failing\n    return y / 0\n' in shown
    assert "then" not in shown
    assert "^" not in shown.split("in failing")[-1]
    frames = [frame for frame in traceback.extract_tb(caught.value.__traceback__) if frame.name == "failing"]
    assert [frame.lineno for frame in frames] == [first + 2, first + 2]


def with_inner(x):
    def inner(y):
        raise ValueError(y)

    return inner(x)


def test_the_users_own_inner_functions_keep_their_names():
    first = with_inner.__code__.co_firstlineno
    text = "def with_inner(x):\n    def inner(y):\n        raise ValueError(y)\n    return gw.apply(lambda: inner(x))"
    made, _ = twin(with_inner, text, (first, first + 1, first + 2, first + 4))
    with pytest.raises(ValueError, match="1") as caught:
        made(1)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names[1:] == ["with_inner", "apply", "with_inner", "inner"]
    if sys.version_info >= (3, 11):
        code = next(c for c in made.__code__.co_consts if isinstance(c, types.CodeType) and c.co_name == "inner")
        assert code.co_qualname == "with_inner.<locals>.inner"


def stateful(self, d, x):
    return x


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("x = gw.if_(x, 1, 2, x)", ("x",)),
        ("x, self.count = gw.if_(x, 1, x)", ("x", "self.count")),
        ("d['k'], x = gw.while_(1, 2, x)", ("d['k']", "x")),
        ("x = gw.for_(1, 2, x)", ("x",)),
        ("gw.for_(1, 2)", None),
        ("return gw.if_(1, 2, 3, x)", None),
        ("return gw.while_(1, 2, self.x, x)", ("self.x", "x")),
        ("x = gw.if_(1, 2, 3, names=('given',))", ("given",)),
    ],
)
def test_operators_are_told_the_names(line, names):
    made, operators = twin(stateful, f"def stateful(self, d, x):\n    {line}")
    made(types.SimpleNamespace(count=0, x=1), {}, (1, 2))
    assert operators.names == [names]


def test_another_alias():
    made, operators = twin(stateful, "def stateful(self, d, x):\n    x = gw2.if_(x, x)\n    return x", alias="gw2")
    assert made(0, 0, 5) == 5
    assert operators.names == [("x",)]


def test_functions_on_one_line_keep_their_names():
    def around(v):
        return list(map(lambda q: [p + q for p in (lambda r: r)(v)], v)), (lambda: v)()  # noqa: C417

    text = "def around(v):\n    return list(map(lambda q: [p + q for p in (lambda r: r)(v)], v)), (lambda: v)()"
    first = around.__code__.co_firstlineno
    made, _ = twin(around, text, (first, first + 1))

    def names(code):
        inside = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        return [(each.co_name, getattr(each, "co_qualname", ""), names(each)) for each in inside]

    assert names(made.__code__) == names(around.__code__)
