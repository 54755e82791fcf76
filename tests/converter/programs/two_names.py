"""Programs in which one list, dict or object has two names, or is held twice, and a graph changes it."""

from __future__ import annotations

import tensorflow as tf
from differential import program


@program(1.0, -1.0)
def second_name_of_dict(x):
    d = {"k": x}
    e = d
    if x > 0:
        d["k"] = x + 1
    return e["k"]


@program(1.0, -1.0)
def read_by_other_name_in_branch(x):
    d = {"k": x}
    e = d
    if x > 0:
        d["k"] = x + 1
        y = e["k"] * 2
    else:
        y = x
    return y, d["k"], e["k"]


@program(1.0, -1.0)
def both_names_changed(x):
    d = {"k": x, "m": x}
    e = d
    if x > 0:
        d["k"] = x + 1
        e["m"] = x + 2
    return d["k"], d["m"], e["k"], e["m"]


@program(1.0, -1.0)
def row_of_rows(x):
    rows = [[x, x], [x, x]]
    row = rows[0]
    if x > 0:
        row[0] = x + 5
    return rows[0][0], row[0], rows[1][0]


@program(1.0, -1.0)
def row_changed_through_rows(x):
    rows = [[x, x], [x, x]]
    row = rows[0]
    if x > 0:
        rows[0][0] = x + 5
        z = row[0]
    else:
        z = x
    return rows[0][0], row[0], z


@program(1.0, -1.0)
def same_twice(x):
    d = {"k": x}
    ds = [d, d]
    if x > 0:
        ds[0]["k"] = x + 1
    return ds[1]["k"], d["k"]


@program(3, 0)
def same_twice_in_loop(n):
    d = {"k": tf.constant(0)}
    ds = [d, d]
    for i in tf.range(n):
        ds[0]["k"] = ds[1]["k"] + i
    return ds[1]["k"], d["k"]


@program(3, 0)
def each_in_loop(n):
    ds = [{"k": tf.constant(0)}, {"k": tf.constant(10)}]
    for i in tf.range(n):
        for each in ds:
            each["k"] += 1
    return ds[0]["k"], ds[1]["k"]


@program(3, 0)
def two_names_in_loop(n):
    d = {"k": tf.constant(0)}
    e = d
    for i in tf.range(n):
        d["k"] = d["k"] + 1
        e["k"] = e["k"] * 2
    return d["k"], e["k"]


@program(3, 0)
def other_name_read_in_loop(n):
    d = {"k": tf.constant(1)}
    e = d
    s = tf.constant(0)
    for i in tf.range(n):
        d["k"] = d["k"] + 1
        s += e["k"]
    return s, e["k"]


@program(3, 0)
def while_by_the_other_name(n):
    d = {"k": tf.constant(0)}
    e = d
    while d["k"] < n:
        e["k"] += 1
    return d["k"]


@program(1.0, -1.0)
def list_two_names(x):
    xs = [x, x]
    ys = xs
    if x > 0:
        xs[0] = x * 3
    return ys[0], ys[1]


@program(1.0, -1.0)
def grow_two_names(x):
    xs = [x]
    ys = xs
    if x > 0:
        xs.append(x)
        ys.append(x + 1)
    else:
        xs.append(x - 1)
        ys.append(x - 2)
    return xs[0] + xs[1] + xs[2], len(ys)


@program(1.0, -1.0)
def tuple_holds(x):
    d = {"k": x}
    t = (d, 1)
    if x > 0:
        d["k"] = x + 1
    return t[0]["k"]


@program(1.0, -1.0)
def tuple_in_state(x):
    d = {"k": x}
    t = (d, x)
    if x > 0:
        d["k"] = x + 1
        t = (d, x * 2)
    return t[0]["k"], t[1], d["k"]


@program(1.0, -1.0)
def nested_dict_in_dict(x):
    cfg = {"a": {"v": x}}
    a = cfg["a"]
    if x > 0:
        a["v"] = x + 3
    return cfg["a"]["v"], a["v"]


@program(1.0, -1.0)
def rebind_then_change(x):
    d = {"k": x}
    e = d
    if x > 0:
        d = {"k": x + 7}
        d["k"] += 1
    else:
        d["k"] = x - 1
    return d["k"], e["k"]


@program(1.0, -1.0)
def helper_changes_other(x):
    def put(o):
        o["k"] = o["k"] + 1

    d = {"k": x}
    e = d
    if x > 0:
        put(e)
        y = d["k"]
    else:
        y = x
    return d["k"], y


@program(3, 0)
def row_alias_loop(n):
    rows = [[tf.constant(0), tf.constant(0)], [tf.constant(1), tf.constant(1)]]
    first = rows[0]
    for i in tf.range(n):
        first[0] = first[0] + i
        rows[1][1] = rows[0][0]
    return rows[0][0], rows[1][1], first[0]


@program(3, 0)
def swap_in_loop(n):
    a = [tf.constant(0)]
    b = [tf.constant(1)]
    for i in tf.range(n):
        a, b = b, a
        a[0] = a[0] + 1
    return a[0], b[0]


class Holder:
    def __init__(s, v):
        s.v = v
        s.xs = [v]


@program(1.0, -1.0)
def attribute_list(x):
    o = Holder(x)
    xs = o.xs
    if x > 0:
        xs[0] = x + 1
    return o.xs[0], xs[0]


@program(1.0, -1.0)
def attribute_list_read(x):
    o = Holder(x)
    xs = o.xs
    if x > 0:
        o.xs[0] = x + 1
        y = xs[0]
    else:
        y = x
    return o.xs[0], xs[0], y


@program(1.0, -1.0)
def object_two_names(x):
    o = Holder(x)
    p = o
    if x > 0:
        o.v = x + 1
        y = p.v
    else:
        y = x
    return o.v, p.v, y


@program(3, 0)
def object_in_list(n):
    o = Holder(tf.constant(0))
    both = [o, o]
    for i in tf.range(n):
        both[0].v = both[1].v + 1
    return o.v, both[1].v


@program(3, 0)
def dict_of_lists_append_py(n):
    d = {"a": [], "b": []}
    a = d["a"]
    for i in range(3):
        if n > i:
            a.append(1)
        else:
            a.append(0)
    return d["a"][0], d["a"][1], d["a"][2], len(d["a"])


@program((1.0, 2.0), (-1.0, 2.0))
def given_dict(x, y):
    d = {"k": x}

    def inner(q):
        if y > q["k"]:
            d["k"] = y
        return q["k"]

    r = inner(d)
    return r, d["k"]


@program(1.0, -1.0)
def nested_ifs(x):
    d = {"k": x}
    e = d
    if x > -5:
        if x > 0:
            d["k"] = x + 1
        z = e["k"]
    else:
        z = x
    return z, d["k"]


@program(4, 0)
def loop_with_branch(n):
    d = {"even": tf.constant(0), "odd": tf.constant(0)}
    e = d
    for i in tf.range(n):
        if i % 2 == 0:
            d["even"] = e["even"] + 1
        else:
            e["odd"] = d["odd"] + i
    return d["even"], d["odd"], e["odd"]
