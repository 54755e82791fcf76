"""Retraces that aren't allowed: `max_traces`, `no_retrace()`, and plain tf.function, followed as gw.function is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

import graphwright as gw
import keras
import pytest
import tensorflow as tf
from graphwright import watching
from graphwright.runtime.functions import plain_functions


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


KINDS = {"gw": gw.function, "tf": tf.function}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest):
    return KINDS[request.param]


class Owner(tf.Module):
    """Makes its variable at the first call, which TensorFlow traces twice."""

    weight = None

    def step(self, x):
        if self.weight is None:
            self.weight = tf.Variable(2.0)
        return x * self.weight


def test_a_limit_names_the_argument_and_what_to_write():
    @gw.function(max_traces=1)
    def scaled(x, factor):
        return x * factor

    scaled(tf.ones([2]), 2)
    with pytest.raises(gw.RetraceError) as raised:
        scaled(tf.ones([2]), 3)
    words = str(raised.value)
    assert words.startswith("`scaled` was traced twice; the limit is `max_traces=1`.")
    assert "`factor` was int 2 in trace 1 and is int 3 now." in words
    assert "`factor=tf.constant(3)`" in words
    assert raised.value.trace is not None and raised.value.trace.cause.argument == "factor"


def test_the_traceback_ends_at_the_callers_line():
    @gw.function(max_traces=1)
    def same(x):
        return x

    same(1)
    with pytest.raises(gw.RetraceError) as raised:
        same(2)
    [frame] = traceback.extract_tb(raised.value.__traceback__)
    assert frame.filename == __file__ and frame.line == "same(2)"


def test_a_refused_trace_isnt_stored():
    @gw.function(max_traces=2)
    def same(x):
        return x

    same(1)
    same(2)
    for _ in range(2):
        with pytest.raises(gw.RetraceError):
            same(3)
    assert len(same.traces) == same.experimental_get_tracing_count() == 2
    assert (same(1).numpy(), same(2).numpy()) == (1, 2)


def test_variables_instances_and_requested_traces_dont_count():
    class Model(Owner):
        step = gw.function(Owner.step, max_traces=1)

    for model in (Model(), Model()):
        model.step(tf.ones([2]))
        model.step(tf.ones([2]))
        model.step.get_concrete_function(tf.TensorSpec([None]))
        with pytest.raises(gw.RetraceError):
            model.step(1.0)


def test_a_limit_holds_while_another_function_is_traced():
    @gw.function(max_traces=1)
    def inner(x, n):
        return x + n

    @gw.function
    def outer(x, n):
        if tf.reduce_sum(x) > 0:
            x = inner(x, n)
        return x

    outer(tf.ones([2]), 1)
    with pytest.raises(gw.RetraceError, match="`n` was int 1"):
        outer(tf.ones([2]), 2)


def test_the_first_trace_is_allowed_in_the_block(kind):
    @kind
    def same(x):
        return x

    with gw.no_retrace():
        same(tf.ones([2]))
        same(tf.zeros([2]))
        with pytest.raises(gw.RetraceError, match="float32\\[3\\] now"):
            same(tf.ones([3]))
    same(tf.ones([4]))


def test_first_traces_are_refused_on_demand(kind):
    @kind
    def same(x):
        return x

    with gw.no_retrace(first=False), pytest.raises(gw.RetraceError, match="inside `no_retrace\\(first=False\\)`"):
        same(tf.ones([2]))
    assert same(tf.ones([2])).shape == [2]


def test_traces_from_before_the_block_are_known(kind):
    @kind
    def shifted(x, by=1):
        return x + by

    shifted(tf.ones([2]))
    with gw.no_retrace():
        shifted(tf.zeros([2]))
        with pytest.raises(gw.RetraceError, match="`by` was int 1 in trace 1 and is int 5 now"):
            shifted(tf.ones([2]), by=5)


def test_methods_and_variables_are_no_retrace(kind):
    class Model(Owner):
        step = kind(Owner.step)

    with gw.no_retrace():
        for model in [Model(), Model()]:
            model.step(tf.ones([2]))
            model.step(tf.ones([2]))


def test_a_function_made_in_a_loop_is_a_retrace(kind):
    def once():
        return kind(lambda x: x + 1)(tf.ones([2]))

    def run():
        for _ in range(3):
            once()

    with gw.no_retrace(), pytest.raises(gw.RetraceError, match="Create it once, outside the loop"):
        run()


def test_functions_that_live_side_by_side_are_no_retrace(kind):
    def make(n):
        return kind(lambda x: x + n)

    with gw.no_retrace():
        made = [make(n) for n in range(3)]
        for function in made:
            function(tf.ones([2]))


def test_a_breach_of_the_block_shows_the_users_frames_only():
    @tf.function
    def same(x):
        return x

    same(1)
    with pytest.raises(gw.RetraceError) as raised, gw.no_retrace():
        same(2)
    assert {frame.filename for frame in traceback.extract_tb(raised.value.__traceback__)} == {__file__}


def test_it_decorates():
    @tf.function
    def same(x):
        return x

    @gw.no_retrace()
    def train():
        same(1)
        same(2)

    with pytest.raises(gw.RetraceError):
        train()


def test_the_remedy_names_the_functions_own_decorator():
    @tf.function
    def same(x):
        return x

    same(tf.ones([2]))
    with pytest.raises(gw.RetraceError, match=r"@tf\.function\(reduce_retracing=True\)"), gw.no_retrace():
        same(tf.ones([3]))


def test_keras_is_followed_and_tensorflow_itself_isnt():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.predict(tf.ones([4, 2]), verbose=0)
    with gw.no_retrace():
        model.predict(tf.zeros([4, 2]), verbose=0)
        list(tf.data.Dataset.range(3).map(lambda x: x + 1))
    names = {account.name for account in plain_functions.ACCOUNTS.values()}
    assert not any("map" in name for name in names)


def test_what_tensorflow_no_longer_has_is_logged_once(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, watching.CACHES, sys)
    watching.follow_plain_functions()
    assert "can't watch plain tf.function" in caplog.text


def test_a_failure_to_follow_fails_no_call(monkeypatch, caplog):
    monkeypatch.setattr(plain_functions, "account_of", None)
    with gw.no_retrace():
        assert tf.function(lambda x: x + 1)(1).numpy() == 2
    assert "couldn't record a trace" in caplog.text


PROGRAM = """\
import {first}
import {second}
import graphwright as gw
import tensorflow as tf


@tf.function
def plain(x, n):
    return x * n


@gw.function
def ours(x):
    return x


for n in range(3):
    plain(tf.ones([2]), n)
    ours(tf.ones([2]))
"""


@pytest.mark.parametrize("order", [("graphwright", "tensorflow"), ("tensorflow", "graphwright")], ids=str)
def test_plain_functions_are_recorded(tmp_path: Path, order: tuple[str, str]):
    (tmp_path / "train.py").write_text(PROGRAM.format(first=order[0], second=order[1]), "utf-8")
    environment = {**os.environ, "GRAPHWRIGHT_TRACES": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    subprocess.run([sys.executable, "train.py"], cwd=tmp_path, env=environment, check=True, timeout=300)
    [file] = (tmp_path / ".graphwright" / "traces").glob("*.json")
    functions = {each["name"]: each for each in json.loads(file.read_text("utf-8"))["functions"]}
    plain, ours = functions["plain"], functions["ours"]
    assert (plain["traced"], plain["calls"]) == (3, 3)
    assert (ours["traced"], ours["calls"]) == (1, 3)
    assert plain["traces"][1]["cause"] == "`n` was int 0 in trace 1 and is int 1 now."
    assert plain["traces"][1]["seconds"] > 0
