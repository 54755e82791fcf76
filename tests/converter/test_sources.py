"""A live function's source: the text, the node and the names, however the function came about."""

from __future__ import annotations

import doctest
import functools
import importlib
import linecache
import math
import math as mathematics
import sys
import textwrap
import types
import zipfile
from math import sqrt

import gast
import pytest
from graphwright.errors import ConversionError
from graphwright.pipeline import FunctionSource
from graphwright.sources import class_around, source_of
from graphwright_analysis.flow.tree import kind_of


def line_of(source: FunctionSource) -> int:
    return source.first_line + source.node.lineno - 1


# fmt: off
def plain(x, y=1):
    text = """
not indented
"""
    return text, (
    x + y
)

# fmt: on


# A comment that belongs to nobody.


class Things:
    def method(self, x):
        return self.__hidden(x)

    def __hidden(self, x):
        return x

    def outer(self):
        def inner():
            return self.__hidden(1)

        return inner

    @staticmethod
    def unbound(x):
        return x

    @classmethod
    def made(cls):
        return cls()

    with_parent = lambda self: super().__repr__()  # noqa: E731  # pyright: ignore[reportGeneralTypeIssues]


def test_a_function_at_the_top():
    source = source_of(plain)
    assert isinstance(source.node, gast.FunctionDef)
    assert source.text.startswith("def plain(x, y=1):")
    assert source.text.endswith("    x + y\n)\n")
    assert line_of(source) == plain.__code__.co_firstlineno == source.first_line
    assert source.class_name is None
    assert source.file == __file__


def test_an_indented_function_keeps_its_indentation():
    source = source_of(Things.method)
    assert source.text.startswith("if 1:\n    def method(")
    assert line_of(source) == Things.method.__code__.co_firstlineno
    assert source.class_name == "Things"


@pytest.mark.parametrize("function", [Things.unbound, Things.made.__func__, Things.outer, Things().outer()])
def test_what_a_class_holds(function):
    source = source_of(function)
    assert source.node.name == function.__name__
    assert source.class_name == "Things"


def test_a_parameter_that_is_called_like_an_import():
    def upper(math):
        return math.upper()

    assert "math.upper()" in source_of(upper).text


def test_free_names():
    n, k = 1, 2

    def uses():
        return n + k + len("x")

    assert source_of(uses).free == {"n", "k"}


def test_class_around_by_qualified_name():
    assert class_around(Things.method) == "Things"
    assert class_around(Things().outer()) == "Things"
    assert class_around(plain) is None
    assert class_around(lambda: 0) is None


def doubled(function):
    @functools.wraps(function)
    def wrapper(*args):
        return 2 * function(*args)

    return wrapper


@doubled
@functools.lru_cache
@doubled
def decorated(x=(1, 2)):
    return x


def test_a_decorated_function_is_its_wrapper_and_the_inner_one_is_its_own():
    assert source_of(decorated).node.name == "wrapper"
    inner = decorated.__wrapped__.__wrapped__.__wrapped__
    source = source_of(inner)
    assert source.node.name == "decorated"
    assert [kind_of(item) for item in source.node.decorator_list] == ["Name", "Attribute", "Name"]


LAMBDAS = [lambda x: x + 1, lambda x: x + 2, lambda y: y + 1, lambda x: (lambda x: x - 1)(x)]
SAME = [lambda x: x, lambda x: x]
# fmt: off
LONG = (lambda x,  # noqa: E731
        y=(1, 2):
        # a comment
        x + """
 text""")
# fmt: on


def given(x=None, key=lambda x: x * 3):
    return x, key


def with_argument(function):
    return lambda g: (function, g)


@with_argument(lambda x: x - 7)
def under_lambda():
    return 0


def test_lambdas_on_one_line_are_told_apart():
    found = [source_of(function).text.strip() for function in LAMBDAS]
    assert found == ["(lambda x: x + 1)", "(lambda x: x + 2)", "(lambda y: y + 1)", "(lambda x: (lambda x: x - 1)(x))"]
    assert [source_of(function).text.strip() for function in SAME] == ["(lambda x: x)"] * 2
    assert source_of(LONG).text.startswith("(lambda x,  # noqa: E731\n        y=(1, 2):\n        # a comment")


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (given(key=lambda x: x * 2, x=lambda x: x * 4)[0], "lambda x: x * 4"),
        (given.__defaults__[1], "lambda x: x * 3"),
        (under_lambda[0], "lambda x: x - 7"),
        (functools.partial(lambda x, *, y: x, 1).func, "lambda x, *, y: x"),
        ({"a": (lambda *a, **k: a)}["a"], "lambda *a, **k: a"),
        ([lambda i=i: i for i in range(2)][1], "lambda i=i: i"),
        (Things.with_parent, "lambda self: super().__repr__()"),
    ],
)
def test_lambdas_wherever_they_stand(function, text):
    source = source_of(function)
    assert source.text.strip() == f"({text})"
    assert isinstance(source.node, gast.Lambda)
    assert line_of(source) == function.__code__.co_firstlineno


def test_library_names():
    local_math = math

    def uses(x):
        return math.sin(x), mathematics, sqrt, local_math, plain, Things, types.ModuleType, doctest.NORMALIZE_WHITESPACE

    assert source_of(uses).library == {"math", "mathematics", "sqrt", "local_math", "types", "doctest"}


def test_a_decorated_users_function_is_no_library():
    cached = functools.singledispatch(plain)

    def uses(x):
        return cached(x)

    assert source_of(uses).library == frozenset()


def made(text: str, file: str, **names):
    exec(compile(textwrap.dedent(text), file, "exec"), names)
    return names


def test_exec_with_lines_in_linecache():
    text = "def f(x):\n    if x:\n        return 1\n    return 2\n"
    linecache.cache["<made 1>"] = (len(text), None, text.splitlines(keepends=True), "<made 1>")
    assert source_of(made(text, "<made 1>")["f"]).text == text


def test_exec_with_its_text_beside_it():
    text = "\ndef f(x):\n    return 2\n\nclass C:\n    def m(self): return self.__x\n"
    names = made(text, "<string>", __source__=text)
    assert source_of(names["f"]).text == "def f(x):\n    return 2\n"
    assert source_of(names["C"].m).class_name == "C"


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("<string>", "created from a string"),
        ("<stdin>", "typed at the Python prompt"),
        ("/nowhere/gone.py", "its file doesn't exist"),
    ],
)
def test_a_reason_where_there_is_no_source(file, reason):
    function = made("def f(x):\n    return 2\n", file)["f"]
    with pytest.raises(ConversionError, match=reason) as caught:
        source_of(function)
    assert "`f`" in str(caught.value)
    assert (caught.value.file, caught.value.line) == (file, 1)


def test_an_edited_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "edited_module.py"
    path.write_text("def f(x):\n    return x + 1\n\n\ndef g(x):\n    return x\n")
    module = importlib.import_module("edited_module")
    assert source_of(module.f)
    path.write_text("def f(x):\n    return x + 222\n\n\ndef g(x):\n    return x\n")
    # What was read at first is what was imported.
    assert source_of(module.f).text == "def f(x):\n    return x + 1\n"
    linecache.clearcache()
    assert source_of(module.g)
    with pytest.raises(ConversionError, match="the file was edited after the import"):
        source_of(module.f)


def test_lines_that_were_read_before_the_module_was_reloaded(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "reloaded_module.py"
    path.write_text("def f(x):\n    return x + 1\n")
    module = importlib.import_module("reloaded_module")
    assert source_of(module.f)
    path.write_text("# longer\ndef f(x):\n    return x + 222\n")
    importlib.invalidate_caches()
    module = importlib.reload(module)
    assert source_of(module.f).text == "def f(x):\n    return x + 222\n"


def test_a_module_in_a_zip_file(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        archive.writestr("zipped_module.py", "import math\n\ndef f(x):\n    return math.sin(x)\n")
    monkeypatch.syspath_prepend(tmp_path / "some.zip")
    module = importlib.import_module("zipped_module")
    assert source_of(module.f).text == "def f(x):\n    return math.sin(x)\n"


def test_a_doctest():
    text = ">>> def f(x):\n...     return x\n>>> from graphwright.sources import source_of\n"
    text += ">>> print(source_of(f).text, end='')\ndef f(x):\n    return x\n"
    test = doctest.DocTestParser().get_doctest(text, {}, "example", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_an_assert_that_pytest_rewrote_is_no_edit():
    def checked(x):
        assert x > 0, "positive"
        return x

    assert "assert x > 0" in source_of(checked).text


def generator(n):
    for i in range(n):
        n += 1
        yield i


async def coroutine():
    return 1


async def asynchronous_generator():
    yield 1


@pytest.mark.parametrize(
    ("function", "what", "line"),
    [
        (generator, r"`generator` is a generator \(`yield`\)", 3),
        (coroutine, "`coroutine` is a coroutine", 0),
        (asynchronous_generator, "is an asynchronous generator", 0),
    ],
)
def test_what_runs_later_is_refused(function, what, line):
    with pytest.raises(ConversionError, match=what) as caught:
        source_of(function)
    assert caught.value.line == function.__code__.co_firstlineno + line


def test_two_functions_of_one_name_and_code_that_ends_early():
    # fmt: off
    def first(x): print(x); return (  # noqa: E702
x)
    def second(x): return x + 1
    # fmt: on

    assert source_of(first).text.endswith("x)\n")
    assert source_of(second).text == "if 1:\n    def second(x): return x + 1\n"
