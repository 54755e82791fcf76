"""`except` and `contextlib.suppress` around what the running graph raises, which they can't handle."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import graphwright as gw
import pytest
import tensorflow as tf


class Negative(ValueError):
    pass


class Account:
    def checked(self, x):
        if x < 0:
            raise Negative(f"{x} is negative")
        return x * 2


def in_try(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    except ValueError:
        y = -x
    return y


def suppressed(x):
    y = x
    with contextlib.suppress(KeyError, ValueError):
        if x < 0:
            raise Negative
        y = x * 2
    return y


def in_method(x):
    try:
        return Account().checked(x)
    except (LookupError, Negative):
        return -x


def asserted(x):
    try:
        assert x > 0, "not positive"
    except AssertionError:
        return -x
    return x


def in_loop(x):
    total = 0.0
    for y in tf.stack([x, -x]):
        try:
            if y < 0:
                raise ValueError("negative")
            total += y
        except:  # noqa: E722
            continue
    return total


def searched(x):
    try:
        return [1, 2, 3].index(tf.cast(x, tf.int32))
    except ValueError:
        return -1


HANDLED = [in_try, suppressed, in_method, asserted, in_loop, searched]


@pytest.mark.parametrize("program", HANDLED)
def test_xla_refuses_a_handler_that_would_never_run(program: Callable[..., Any]):
    words = r"The `(except|contextlib\.suppress)` \(test_handlers.py:\d+\) can't handle `\w+` \(test_handlers.py:\d+\)"
    with pytest.raises(TypeError, match=words):
        gw.function(program, jit_compile=True)(tf.constant(-3.0))


@pytest.mark.parametrize("program", HANDLED)
def test_a_note_says_that_a_handler_has_run_before_the_graph(program: Callable[..., Any]):
    with pytest.raises(Exception) as caught:
        gw.function(program)(tf.constant(-3.0))
    assert "handles only what is raised while tracing" in "".join(getattr(caught.value, "__notes__", ["handles only"]))


@pytest.mark.parametrize("program", HANDLED)
def test_the_error_that_other_callers_get_says_so_too(program: Callable[..., Any]):
    words = r"The `(except|contextlib\.suppress)` \(test_handlers.py:\d+\) handles only what is raised while tracing"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.function(gw.convert(program), autograph=False)(tf.constant(-3.0))


def of_another_kind(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    except KeyError:
        y = -x
    return y


def raised_again(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = x * 2
    except ValueError as error:
        raise RuntimeError("not positive") from error
    return y


def in_its_else(x):
    try:
        y = x * 2
    except ValueError:
        y = x
    else:
        if x < 0:
            raise ValueError("negative")
    return y


def defined_in_it(x):
    try:

        def double(y):
            if y < 0:
                raise ValueError("negative")
            return y * 2

    except ValueError:
        return x
    return double(x)


@pytest.mark.parametrize("program", [of_another_kind, raised_again, in_its_else, defined_in_it])
def test_a_handler_that_gets_no_such_exception_is_compiled(program: Callable[..., Any]):
    try:
        assert gw.function(program, jit_compile=True)(tf.constant(3.0)).numpy() == 6.0
    except ValueError:
        pytest.fail("handled outside of the graph")
    with pytest.raises(ValueError) as caught:
        gw.function(program)(tf.constant(-3.0))
    assert "while tracing" not in "".join(getattr(caught.value, "__notes__", []))


def test_xla_refuses_texts_from_outside_before_they_end_the_process():
    @gw.function(jit_compile=True)
    def counted(text):
        return tf.range(tf.strings.length(text))

    text = tf.constant("abc")
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="it has no texts, such as `text`"):
            counted(text)
    with pytest.raises(tf.errors.InvalidArgumentError, match="such as the text from outside"):
        gw.function(lambda: tf.range(tf.strings.length(text)), jit_compile=True)()
    assert gw.function(lambda x: x * len("abc"), jit_compile=True)(tf.constant(2)).numpy() == 6
