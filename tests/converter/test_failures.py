"""Assertions and exceptions inside graphs come out as the user's own, by type, message and place."""

from __future__ import annotations

import ast
import contextlib
import os
import traceback
from pathlib import Path

import pytest

tf = pytest.importorskip("tensorflow")

import graphwright  # noqa: E402
import graphwright.runtime as gw  # noqa: E402
from graphwright import libraries, reporting  # noqa: E402
from graphwright.runtime.errors import tracebacks  # noqa: E402
from graphwright.runtime.errors.failures import translated  # noqa: E402
from graphwright.runtime.errors.tracebacks import strip  # noqa: E402
from graphwright.runtime.functions.calls import run_without_autograph  # noqa: E402


class Refused(Exception):
    def __init__(self, code, reason="?"):
        super().__init__(code, reason)
        self.code = code

    def __str__(self):
        return f"refused: {self.code}"


def inverse(x):
    gw.assert_(x != 0, lambda: "Do not pass zero!")
    return 1 / x


def bare(x):
    gw.assert_(x != 0)
    return x


def refusing(make):
    def refuse(x):
        gw.raise_if(x == 0, lambda: make(x))
        return x

    return refuse


CASES = [
    (inverse, AssertionError, "Do not pass zero!"),
    (bare, AssertionError, ""),
    (refusing(lambda x: ValueError("negative")), ValueError, "negative"),
    (refusing(lambda x: ValueError(gw.format("{} is nothing", x))), ValueError, "0.0 is nothing"),
    (refusing(lambda x: KeyError('it\'s \n"é"')), KeyError, str(KeyError('it\'s \n"é"'))),
    (refusing(lambda x: FileNotFoundError(2, "no")), FileNotFoundError, "[Errno 2] no"),
    (refusing(lambda x: Refused(3)), Refused, "refused: 3"),
    (refusing(lambda x: RuntimeError), RuntimeError, ""),
]


def failure(call):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        call()
    return caught.value


@pytest.mark.parametrize(("function", "kind", "message"), CASES)
def test_eagerly_it_is_raised_as_it_is(function, kind, message):
    with pytest.raises(kind) as caught:
        function(tf.constant(0.0))
    assert str(caught.value) == message and type(caught.value) is kind


@pytest.mark.parametrize(("function", "kind", "message"), CASES)
def test_a_graph_fails_with_the_users_type_and_message(function, kind, message):
    graph = tf.function(function, autograph=False)
    graph(tf.constant(2.0))
    original = failure(lambda: graph(tf.constant(0.0)))
    users = translated(original)
    assert isinstance(users, kind) and isinstance(users, tf.errors.InvalidArgumentError)
    assert str(users) == message and users.__cause__ is original
    assert f"({os.path.basename(__file__)}:" in original.message


@pytest.mark.parametrize(("function", "kind", "message"), CASES)
def test_sessions_run_assertions(function, kind, message):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.float32, [])
        result = run_without_autograph(function, (x,), {})
        session.run(result, {x: 2.0})
        users = translated(failure(lambda: session.run(result, {x: 0.0})))
    assert isinstance(users, kind) and str(users) == message


def test_sessions_keep_assignments_in_order():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        v, w = (tf.compat.v1.get_variable(name, initializer=1, use_resource=True) for name in "vw")

        def both():
            v.assign(v + 1)
            w.assign(v * 10)
            return w.read_value()

        result = run_without_autograph(both, (), {})
        session.run(tf.compat.v1.global_variables_initializer())
        assert [session.run(result), session.run(result)] == [20, 30]


def test_attributes_of_exceptions_stay():
    graph = tf.function(refusing(lambda x: Refused(3)), autograph=False)
    assert translated(failure(lambda: graph(tf.constant(0.0)))).code == 3


def test_a_saved_model_tells_by_its_text(tmp_path):
    module = tf.Module()
    module.f = tf.function(CASES[3][0], autograph=False, input_signature=[tf.TensorSpec([])])
    tf.saved_model.save(module, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    error = failure(lambda: loaded.f(tf.constant(0.0)))
    assert "ValueError: 0.0 is nothing (test_failures.py:" in error.message
    assert isinstance(translated(error), ValueError)


def test_other_errors_stay():
    error = tf.errors.InvalidArgumentError(None, None, "assertion failed: [x must be positive]")
    assert translated(error) is error
    assert isinstance(translated(ValueError("a")), ValueError)


def test_raise_outside_of_branches_is_at_once():
    with pytest.raises(ValueError, match="now"):
        tf.function(lambda: gw.raise_(ValueError("now")), autograph=False)()


def frames(error):
    return [os.path.basename(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]


def test_tracebacks_show_the_users_frames(monkeypatch):
    def broken(x):
        return gw.int(x, 5)

    graph = tf.function(broken, autograph=False)

    def caught():
        try:
            graph(tf.constant(1.0))
        except TypeError as error:
            return error

    assert set(frames(strip(caught()))) == {"test_failures.py"}
    monkeypatch.setenv("GRAPHWRIGHT_FULL_TRACEBACK", "1")
    assert "arithmetic.py" in frames(strip(caught()))


def test_verbosity(monkeypatch, capsys):
    monkeypatch.setattr(reporting, "_level", None)
    monkeypatch.setenv("GRAPHWRIGHT_VERBOSITY", "2")
    assert reporting.verbosity() == 2 and not reporting.full_tracebacks()
    reporting.set_verbosity(3, alsologtostdout=True)
    reporting.report(1, "converted %s", "f")
    assert reporting.full_tracebacks() and "converted f" in capsys.readouterr().out
    reporting.set_verbosity(0)


def test_every_file_of_ours_is_hidden_in_whatever_folder_it_is():
    files = list(Path(graphwright.__file__).parent.rglob("*.py"))
    assert len({file.parent for file in files}) > 10
    assert libraries.own_files() == {str(file.resolve()) for file in files}
    assert all(tracebacks.is_hidden(str(file)) for file in files)
    assert not tracebacks.is_hidden(__file__)


def test_a_line_that_raises_again_is_not_parsed_again(monkeypatch):
    """Code that catches an error each time isn't slowed down by what a message might say."""
    parse, parsed = ast.parse, []

    def counting(text, *args, **kwargs):
        parsed.append(text)
        return parse(text, *args, **kwargs)

    @graphwright.convert
    def number(text):
        return int(text)

    def traced():
        with pytest.raises(ValueError, match="invalid literal"):
            number("a")

    tf.function(traced, autograph=False)()
    monkeypatch.setattr(ast, "parse", counting)
    tf.function(traced, autograph=False)()
    assert not parsed


def refused(*_):
    raise ValueError("refused")


def suppressed_around_a_cond(x):
    result = x
    with contextlib.suppress(ValueError):
        result += tf.cond(x > 0, refused, lambda: x * 2)
    return result


def caught_around_a_switch(x):
    try:
        return tf.switch_case(tf.cast(x > 0, tf.int32), [lambda: x, refused])
    except ValueError:
        return x * 2


def caught_around_a_while_loop(x):
    try:
        return tf.while_loop(lambda value: value < 0, refused, [x])[0]
    except ValueError:
        return x * 2


@pytest.mark.parametrize("function", [suppressed_around_a_cond, caught_around_a_switch, caught_around_a_while_loop])
def test_a_handler_around_a_branch_of_tensorflows_is_refused(function):
    with pytest.raises(
        TypeError, match=r"`ValueError: refused` \(test_failures\.py:\d+\),? (which )?comes from tracing"
    ):
        graphwright.function(function)(tf.constant(-1.0))


def caught_in_a_branch_of_a_cond(x):
    def tried():
        try:
            return refused()
        except ValueError:
            return x

    return tf.cond(x > 0, tried, lambda: x * 2)


def test_a_handler_in_a_branch_of_tensorflows_catches():
    assert [float(graphwright.function(caught_in_a_branch_of_a_cond)(tf.constant(x))) for x in (1.5, -1.0)] == [
        1.5,
        -2.0,
    ]
