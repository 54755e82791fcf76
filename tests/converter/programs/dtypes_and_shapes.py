"""Programs about dtypes and shapes that differ between branches or change from turn to turn."""

from __future__ import annotations

import graphwright as gw
import tensorflow as tf
from differential import program


@program([1.5, 2.5], [1.0], unknown=True)
def int_seed_float_body(xs):
    total = 0
    for x in xs:
        total += x
    return total


@program([1.5, -2.5, 3.0])
def one_int_seed_of_several(xs):
    found = {"sum": 0, "count": 0, "last": [0, 0]}
    for x in xs:
        found["sum"] += x
        found["count"] += 1
        if x > 0:
            found["last"] = [x, found["count"]]
    return found["sum"] / tf.cast(found["count"], tf.float32), tf.range(found["count"]), found["last"]


@program([1.5, 12.0])
def int_returned_where_no_float_is(xs):
    for x in xs:
        if x > 10.0:
            return x
    return -1


@program([1.5, -2.0, 3.0])
def int_and_float_elements(xs):
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x)
        else:
            kept.append(0)
    return tf.stack(kept)


@program([1.5], refused="OverflowError: can't hold it exactly")
def int_too_long_for_the_float(xs):
    best = 2**31 - 1
    for x in xs:
        if x < best:
            best = x
    return best


@program([1.5, 2.5])
def a_long_int_beside_another(xs):
    smallest, total = 2**31 - 1, 0
    for x in xs:
        smallest = min(smallest, tf.cast(x, tf.int32))
        total += x
    return smallest, total


@program((True, 2), refused="TypeError: y")
def a_tensor_keeps_its_dtype(flag, x):
    if flag:
        y = x
    else:
        y = 0.5
    return y


@program(3, 5)
def int64_counter(n):
    n = tf.cast(n, tf.int64)
    i = 0
    total = tf.constant(0, tf.int64)
    while i < n:
        total += i
        i += 1
    return total


@program((True, 2.0), (False, 2.0))
def literal_follows_the_other_side(flag, x):
    if flag:
        y = x
    else:
        y = 0.0
    return y


@program((True, 2.0), (False, 2.0))
def int_literal_and_float(flag, x):
    if flag:
        y = x
    else:
        y = 0
    return y + 1.0


@program((True, 2.0), refused="TypeError: y")
def dtypes_differ(flag, x):
    if flag:
        y = x
    else:
        y = tf.constant(1)
    return y


@program((True, 2.0), refused="Error: y")
def structures_differ(flag, x):
    if flag:
        y = (x, x)
    else:
        y = x
    return y


@program((True, 2.0), refused="Error: d")
def keys_differ(flag, x):
    if flag:
        d = {"a": x}
    else:
        d = {"b": x}
    return d


@program(3, 0)
def float_seed(n):
    total = 0.0
    for i in range(n):
        total += tf.cast(i, tf.float32) / 2.0
    return total


@program((True, [1.0, 2.0]), (False, [1.0, 2.0]))
def shapes_differ_between_branches(flag, x):
    if flag:
        y = x
    else:
        y = tf.concat([x, x], 0)
    return y


@program(([1.0], 3), ([1.0], 0))
def growing_shape(x, n):
    for _ in range(n):
        x = tf.concat([x, x[-1:] * 2.0], 0)
    return x


@program(([1.0], 3))
def growing_shape_with_options(x, n):
    for _ in tf.range(n):
        gw.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
        x = tf.concat([x, x[-1:] * 2.0], 0)
    return x


@program(([[1.0, 2.0], [3.0, 4.0]],))
def rows_after_rows(xs):
    rows = tf.zeros([0, 2])
    i = 0
    while i < len(xs):
        rows = tf.concat([rows, xs[i][None], rows], 0)
        i += 1
    return rows


@program([[1.0, 2.0], [3.0, 4.0]], unknown=True)
def static_shape_as_python(x):
    if x.shape.rank == 2:
        total = tf.zeros([])
        for i in range(2):
            total += x[i, i]
        return total
    return tf.reduce_sum(x)


@program(2.0)
def dtype_as_python(x):
    if x.dtype == tf.float32:
        return x * 2.0
    return x


@program((5, 2), (4, 2))
def integer_division(a, b):
    if a % b == 0:
        return a // b
    return -(a // b)


@program((True, 3), (False, 3))
def bool_state(flag, n):
    for _ in range(n):
        flag = not flag
    return flag


@program(["a", "b", "c"])
def string_state(words):
    text = ""
    for word in words:
        text = text + word
    return text


@program(([1.0, 2.0, 3.0], 2), unknown=True)
def broadcasting_state(x, n):
    y = tf.zeros_like(x)
    for _ in range(n):
        y = y + x * 2.0
    return y


@program((1.0, 3))
def double_precision(x, n):
    y = tf.cast(x, tf.float64)
    for _ in range(n):
        y = y / 3
        if y < 0.1:
            y = y + 1
    return y


@program(3)
def complex_state(n):
    z = tf.complex(0.0, 1.0)
    for _ in range(n):
        z = z * tf.complex(0.0, 1.0)
    return z


@program((1.0, True), (1.0, False))
def float_literals_on_both_sides(x, flag):
    rate = 0.1 if flag else 0.01
    return x * rate


@program(5, 1)
def bool_from_comparison_as_state(n):
    odd = False
    i = 0
    while i < n:
        odd = i % 2 == 0
        i += 1
    return odd


@program(lambda: tf.constant([1 + 2j, 3 - 1j], tf.complex64), unknown=True)
def complex_seed(vs):
    total = 0j
    for v in vs:
        total = total + v
    return total


@program([1.0, 2.0, 3.0], unknown=True)
def growing_acc(vs):
    acc = tf.zeros([0])
    for v in vs:
        acc = tf.concat([acc, [v]], 0)
    return acc


@program((lambda: tf.constant([1.0, 2.5], tf.float64),), unknown=True)
def int_seed_double_promoted(xs):
    total = 0
    for x in xs:
        total += x
    return total


@program((10,))
def int_becomes_quotient_staged(n):
    x = 16
    for i in range(n):
        x = x / 2
    return x
