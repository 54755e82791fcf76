"""Programs in which a dict gets a key in a branch or a loop, so that only the run knows whether it is there."""

from __future__ import annotations

import tensorflow as tf
from differential import program


@program([1.0, -2.0, 3.0], [-1.0, 2.0], unknown=True)
def set_in_each_turn(xs):
    logs = {}
    for x in xs:
        logs["loss"] = x * 2
    return logs["loss"]


@program([1.0, -2.0, 3.0], [-1.0, 2.0], unknown=True)
def set_in_some_turns(xs):
    logs = {}
    for x in xs:
        if x > 0:
            logs["positive"] = x
    return logs["positive"]


@program(1.0, -1.0)
def read_without_being_there(x):
    d = {}
    if x > 0:
        d["k"] = x + 1
    return d["k"]


@program(1.0, -1.0)
def asked_for(x):
    d = {"a": x}
    if x > 0:
        d["k"] = x + 1
    if "k" in d:
        y = d["k"]
    else:
        y = d["a"] * 2
    return y, "k" in d, "k" not in d, len(d)


@program(1.0, -1.0)
def got_with_default(x):
    d = {}
    if x > 0:
        d["k"] = x + 1
    found = d.get("k")
    if found is None:
        found = x - 1
    return d.get("k", x), d.get("k", 3.0), found


@program(2.0)
def remembered(x):
    cache = {}
    total = x * 0
    for _ in tf.range(3):
        if "v" not in cache:
            cache["v"] = x * 3
        total += cache["v"]
    return total


@program([1.0, -2.0, 3.0], [-1.0, -2.0], unknown=True)
def counted(xs):
    counts = {}
    for x in xs:
        if x > 0:
            counts["positive"] = counts.get("positive", 0) + 1
        else:
            counts["negative"] = counts.get("negative", 0) + 1
    return counts.get("positive", 0), counts.get("negative", 0), len(counts)


@program([1.0, -2.0, 3.0], unknown=True)
def first_and_last(xs):
    d = {}
    for x in xs:
        d.setdefault("first", x)
        d["last"] = x
    return d["first"], d["last"]


@program(1.0, -1.0)
def truth_of_the_dict(x):
    d = {}
    if x > 0:
        d["a"] = x
    if d:
        y = d["a"] + 1
    else:
        y = x
    if not d:
        y = y * 2
    return y


@program(1.0, -1.0)
def taken_out(x):
    d = {"a": x, "b": x}
    if x > 0:
        d.pop("a")
    else:
        del d["b"]
    return d.pop("a", x * 5), len(d), "b" in d


@program(1.0, -1.0)
def in_a_dict_in_a_dict(x):
    d = {"inner": {}}
    if x > 0:
        d["inner"]["k"] = x
    return d["inner"].get("k", -x)


@program(1.0, -1.0)
def one_or_the_other(x):
    d = {}
    if x > 0:
        d["a"] = x
    else:
        d["b"] = x
    return d["a"] + 1 if "a" in d else d["b"] - 1


class Logs:
    """What a model notes."""

    def __init__(self):
        self.logs = {}

    def note(self, x):
        if x > 0:
            self.logs["positive"] = x
        return "positive" in self.logs


@program(1.0, -1.0)
def on_an_object(x):
    model = Logs()
    found = model.note(x)
    return found, model.logs.get("positive", x - 1)


@program(3.0)
def set_in_a_while(x):
    d = {}
    n = 0
    while x < 6:
        d["v"] = d["v"] + 1 if "v" in d else x
        x = x + 1
        n += 1
    return d["v"], n


@program([1.0, -2.0, 3.0], [-1.0, 2.0], unknown=True)
def set_before_a_break(xs):
    d = {}
    for x in xs:
        if x < 0:
            break
        d["x"] = x
    return d["x"] if "x" in d else -1.0


@program(1.0, -1.0, refused="TypeError: so this can't go over the keys")
def gone_over(x):
    d = {"a": x}
    if x > 0:
        d["b"] = x
    total = x * 0
    for k in d:
        total += d[k]
    return total


@program(1.0, -1.0, refused="TypeError: so this can't go over the keys")
def items_in_a_comprehension(x):
    d = {"a": x}
    if x > 0:
        d["b"] = x
    return sum([v for _, v in d.items()])


@program(1.0, -1.0, refused="TypeError: so this can't go over the keys")
def keys_in_order(x):
    d = {"a": x}
    if x > 0:
        d["b"] = x
    return len(sorted(d))


@program(-1.0, refused="TypeError: returns a dict without 'b' here and with it elsewhere")
def returned_as_it_is(x):
    d = {"a": x}
    if x > 0:
        d["b"] = x
    return d
