"""Published code runs by changing its import: AutoGraph's names, its optional features and the names of operations."""

from __future__ import annotations

import bdb
import contextlib
import inspect
import io
import pdb

import pytest

tf = pytest.importorskip("tensorflow")

import graphwright as gw  # noqa: E402
import graphwright.autograph as ag  # noqa: E402
from graphwright import autograph  # noqa: E402
from graphwright.features import chosen  # noqa: E402

TF_FEATURE = tf.autograph.experimental.Feature


def public(module):
    return {name for name in dir(module) if not name.startswith("_")}


def test_every_public_name_of_autograph_is_there():
    assert public(tf.autograph) <= {*ag.__all__}
    assert public(tf.autograph.experimental) <= {*ag.experimental.__all__}
    assert autograph is ag
    for name in ag.__all__:
        assert getattr(ag, name) is not None
    assert ag.stack is gw.stack
    assert ag.set_element_type is gw.set_element_type
    with pytest.raises(AttributeError, match="no attribute 'more'"):
        ag.more  # noqa: B018


@pytest.mark.parametrize("name", ["to_graph", "to_code", "set_verbosity", "trace"])
def test_parameters_have_autographs_names_and_places(name):
    theirs = list(inspect.signature(getattr(tf.autograph, name)).parameters)
    ours = list(inspect.signature(getattr(ag, name)).parameters)
    assert ours[: len(theirs)] == theirs


def test_published_code_runs():
    @ag.experimental.do_not_convert()
    def left_alone(x):
        return x + 1

    def collatz(x):
        n = tf.constant(0)
        while x > 1:
            ag.experimental.set_loop_options(maximum_iterations=100)
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            n = left_alone(n)
        return n

    converted = tf.function(autograph.to_graph(collatz), autograph=False)
    assert int(converted(tf.constant(27))) == 100
    assert "gw.while_" in ag.to_code(collatz, True, ag.experimental.Feature.ALL)


def test_stack_has_autographs_parameters():
    def filled(n):
        values = []
        ag.set_element_type(values, tf.int32)
        for i in range(n):
            values.append(i)
        return ag.stack(values, strict=False)

    assert gw.function(filled)(tf.constant(3)).numpy().tolist() == [0, 1, 2]
    assert ag.stack([1, 2], strict=False) == [1, 2]
    assert ag.stack([1, 2], tf.float32).dtype == tf.float32


def test_features_are_tensorflows():
    assert {feature.name: feature.value for feature in gw.Feature} == {each.name: each.value for each in TF_FEATURE}
    assert [each.name for each in gw.Feature.all()] == [each.name for each in TF_FEATURE.all()]
    for excluded in ("LISTS", "NAME_SCOPES"):
        ours = gw.Feature.all_but(gw.Feature[excluded])
        assert {each.name for each in ours} == {each.name for each in TF_FEATURE.all_but([TF_FEATURE[excluded]])}


@pytest.mark.parametrize(
    ("features", "names"),
    [
        (None, set()),
        ((), set()),
        (gw.Feature.LISTS, set()),
        (TF_FEATURE.NAME_SCOPES, {"NAME_SCOPES"}),
        ((gw.Feature.LISTS, gw.Feature.BUILTIN_FUNCTIONS), {"BUILTIN_FUNCTIONS"}),
        (gw.Feature.ALL, {"BUILTIN_FUNCTIONS", "NAME_SCOPES"}),
    ],
)
def test_which_features_change_something(features, names):
    assert chosen(features) == names


def test_python_prints_with_the_feature_of_builtins():
    def shown(x):
        print("x is", x, end="!\n")
        return x

    for features, expected in ((None, ""), (gw.Feature.BUILTIN_FUNCTIONS, "x is 2!\n")):
        traced = gw.function(shown, experimental_autograph_options=features)
        traced(tf.constant(1))
        with contextlib.redirect_stdout(output := io.StringIO()):
            traced(tf.constant(2))
        assert output.getvalue() == expected


def test_what_is_no_feature_is_refused():
    for take in (gw.to_graph, gw.to_code, lambda f, **options: gw.convert(**options)(f), gw.function):
        with pytest.raises(TypeError, match=r"members of gw\.Feature"):
            take(public, experimental_optional_features="LISTS")
    with pytest.raises(TypeError, match=r"members of gw\.Feature"):
        gw.function(public, experimental_autograph_options=True)


def doubled(x):
    return x * 2.0


def branch(x):
    if x > 0.0:
        x = doubled(x)
    else:
        x = -x
    return x + 1.0


def loops(n):
    s = 0.0
    for _ in tf.range(n):
        s += 1.0
        if s > 3.0:
            s = s * 0.5
    while s < 10.0:
        s = doubled(s)
    return s


def conditional(x):
    return x if x > 0.0 else -x


def names_of(function, argument):
    """All names of operations of a function and of what is in it, but for those that only pass values on."""
    graph = function.get_concrete_function(argument).graph
    found = {operation.name for operation in graph.get_operations()}
    found |= {node.name for inner in graph.as_graph_def().library.function for node in inner.node_def}
    return {name for name in found if "Identity" not in name and "Const" not in name}


@pytest.mark.parametrize("features", [None, (TF_FEATURE.NAME_SCOPES,)], ids=["plain", "name scopes"])
@pytest.mark.parametrize(
    ("function", "argument"),
    [(branch, 1.0), (loops, 3), (conditional, 2.0), (doubled, 1.0)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_operations_have_autographs_names(function, argument, features):
    argument = tf.constant(argument)
    theirs = names_of(tf.function(function, experimental_autograph_options=features), argument)
    ours = names_of(gw.function(function, experimental_autograph_options=features), argument)
    # Both compute the number of iterations of a loop over a range, each in its own way.
    counting = {"sub", "sub_1", "add", "floordiv", "Maximum"}
    assert {name for name in ours if not counting.intersection(name.split("/"))} <= theirs
    users = {"mul", "Neg", "Less", "Greater", "cond", "while", "while_1"}
    assert not [name for name in theirs - ours if name.rpartition("/")[2] in users]


@pytest.mark.parametrize("name", ["_hidden", "shown"])
def test_every_door_names_scopes(name):
    namespace: dict = {"__name__": __name__, "__source__": f"def {name}(x):\n    return x + 1\n"}
    exec(namespace["__source__"], namespace)
    function = namespace[name]
    scope = f"fn{name}" if name.startswith("_") else name
    doors = [
        gw.convert(experimental_optional_features=gw.Feature.NAME_SCOPES)(function),
        gw.to_graph(function, experimental_optional_features=gw.Feature.NAME_SCOPES),
    ]
    for door in doors:
        graph = tf.function(door, autograph=False).get_concrete_function(tf.constant(1)).graph
        assert f"{scope}/add" in {operation.name for operation in graph.get_operations()}


def test_a_debugger_of_any_kind_stops_at_the_users_line():
    seen: list[tuple[str, int]] = []

    class Recorder(bdb.Bdb):
        def user_line(self, frame):
            seen.append((frame.f_code.co_filename, frame.f_lineno - branching.__code__.co_firstlineno))
            self.set_continue()

    stop = Recorder().set_trace

    def branching(x):
        if x > 0:
            stop()
            x += 1
        return x

    gw.function(branching)(tf.constant(1))
    assert seen == [(__file__, 3)]
    output = io.StringIO()

    @gw.function
    def stopping(x):
        pdb.Pdb(stdin=io.StringIO("continue\n"), stdout=output, nosigint=True, readrc=False).set_trace()
        return x + 1

    stopping(tf.constant(1))
    assert "stopping()\n-> return x + 1" in output.getvalue()


def test_print_without_tensors_runs_once_per_trace(capfd):
    @gw.function
    def traced(x, n):
        print("Tracing with", n)
        print("value", x)
        for _ in tf.range(2):
            print("iteration")
        return x

    traced(tf.constant(1), 7)
    traced(tf.constant(2), 7)
    said = capfd.readouterr().out
    assert (said.count("Tracing with 7"), said.count("iteration")) == (1, 4)
    assert "value 1" in said
    assert "value 2" in said
