"""The checks of `tf.debugging` accept messages that are made of tensors."""

from __future__ import annotations

import warnings

import graphwright as gw
import pytest
import tensorflow as tf

CHECKS = {
    "assert_non_negative": lambda x, n: tf.debugging.assert_non_negative(x, f"not {n}"),
    "assert_non_positive": lambda x, n: tf.debugging.assert_non_positive(-x, message="not {}".format(n)),  # noqa: UP032
    "assert_positive": lambda x, n: tf.debugging.assert_positive(x, message="not %s" % n),  # noqa: UP031
    "assert_negative": lambda x, n: tf.compat.v1.assert_negative(-x, message="not " + str(n)),
    "Print": lambda x, n: tf.compat.v1.Print(x, [x], f"not {n}"),
    "assert_near": lambda x, n: tf.debugging.assert_near(x, x, message=f"not {n:.2f}"),
    "assert_rank": lambda x, n: tf.debugging.assert_rank(x, 0, f"not {n}"),
    "assert_rank_in": lambda x, n: tf.debugging.assert_rank_in(x, [0], f"not {n}"),
    "assert_rank_at_least": lambda x, n: tf.debugging.assert_rank_at_least(x, 0, f"not {n}"),
    "assert_scalar": lambda x, n: tf.debugging.assert_scalar(x, f"not {n}"),
    "assert_shapes": lambda x, n: tf.debugging.assert_shapes([(x, ())], message=f"not {n}"),
    "assert_type": lambda x, n: tf.debugging.assert_type(x, tf.float32, f"not {n}"),
    "assert_integer": lambda x, n: tf.debugging.assert_integer(n, f"not {n}"),
    "assert_all_finite": lambda x, n: tf.debugging.assert_all_finite(x, f"not {n}"),
    "check_numerics": lambda x, n: tf.debugging.check_numerics(x, f"not {n}"),
    "verify_tensor_all_finite": lambda x, n: tf.compat.v1.verify_tensor_all_finite(x, f"not {n}"),
}


@pytest.mark.filterwarnings("ignore:`checked` is created repeatedly")
@pytest.mark.parametrize("check", CHECKS)
def test_checks_accept_texts_of_the_graph(check: str):
    @gw.function
    def checked(x, n):
        CHECKS[check](x, n)
        return x

    assert float(checked(tf.constant(2.0), tf.constant(3))) == 2.0


def test_messages_of_checks_name_what_the_graph_knows():
    @gw.function
    def checked(x, n):
        tf.debugging.assert_non_negative(x, message=f"at most {n} rows, {x.dtype.name}")
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"at most \{n\} rows, int32\."):
        checked(tf.constant(-1), tf.constant(3))


def test_checks_of_two_tensors_show_the_value_in_their_message():
    @gw.function
    def checked(x, n):
        tf.debugging.assert_less(x, n, message=f"at most {n} rows")
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match="at most 3 rows"):
        checked(tf.constant(4), tf.constant(3))


def test_warnings_name_what_the_graph_knows():
    @gw.function
    def warned(x, n):
        warnings.warn(f"{x.dtype.name} with {n} rows", stacklevel=1)
        return x

    with pytest.warns(UserWarning, match=r"^int32 with \{n\} rows$"):
        warned(tf.constant(4), tf.constant(3))
