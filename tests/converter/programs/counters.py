"""Programs in which the graph changes Counters and defaultdicts: under other names, by helpers, and with new keys."""

from __future__ import annotations

from collections import Counter, defaultdict

import tensorflow as tf
from differential import program


class Statistics:
    def __init__(self):
        self.counts = defaultdict(int, seen=0)

    def see(self, x):
        if x > 0:
            self.counts["seen"] += 1


def bump(counts, key):
    counts[key] += 1


@program([1.0, -2.0, 3.0], [-1.0])
def known_keys(xs):
    counts, sums = Counter(a=1, b=2), defaultdict(float, below=0.0, above=0.0)
    for x in xs:
        if x > 0:
            counts["a"] += 1
            sums["above"] += x
        else:
            bump(counts, "b")
            sums["below"] -= x
    return counts["a"], counts["b"], counts["never"], sum(counts.values()), sums["above"], sums["below"]


@program([1.0, -2.0, 3.0], [-1.0])
def another_name(xs):
    counts, statistics = Counter(a=1), Statistics()
    same = counts
    if xs[0] > 0:
        counts["a"] += 1
    for x in xs:
        statistics.see(x)
    return same["a"], same is counts, isinstance(counts, Counter), statistics.counts["seen"]


@program([1.0, -2.0, 3.0], [-1.0], [2.0])
def new_keys(xs):
    counts, more = Counter(), Counter()
    for x in xs:
        if x > 0:
            counts["above"] += 1
    if xs[0] > 1:
        more["a"] += 1
    else:
        more["b"] += 2
    return counts["above"], counts["below"], len(counts), more["a"] * 10 + more["b"], "a" in more


@program(1.0, -1.0)
def lists_by_key(x):
    groups = defaultdict(list, above=[], below=[])
    for y in tf.stack([x, x * 2, -x]):
        if y > 0:
            groups["above"].append(y)
        else:
            groups["below"].append(y)
    return len(groups["above"]), groups["below"][0], len(groups)


@program(1.0, -1.0)
def a_new_key_of_a_defaultdict(x):
    sums = defaultdict(float)
    if x > 0:
        sums["a"] += x
    before = len(sums), "a" in sums
    return before, sums["a"], len(sums)


@program(4, 0)
def new_keys_in_a_loop(n):
    sums, groups = defaultdict(int), defaultdict(list)
    for i in tf.range(n):
        sums["all"] += i
        if i % 2 == 0:
            groups["even"].append(i)
        else:
            groups["odd"].append(i)
            sums[1, 2] += 1
    groups["even"].append(9)
    return sums["all"], sums[1, 2], groups["even"], groups["odd"], len(sums)


@program(3, 0)
def new_keys_of_new_keys(n):
    sums = defaultdict(lambda: defaultdict(int))
    for i in tf.range(n):
        sums["a"]["b"] += i
    return sums["a"]["b"], len(sums["a"]), len(sums["c"])


@program(2, 0)
def made_for_a_new_key(n):
    made = []

    def make():
        made.append(1)
        return [0, 0]

    found = defaultdict(make)
    if n > 1:
        found["a"][0] += n
    found["a"][1] += 1
    return found["a"], len(made)


def add_to(sums, key, value):
    sums[key] += value


@program(3, 0)
def new_keys_that_a_helper_sets(n):
    sums = defaultdict(int)
    other = sums
    for i in tf.range(n):
        add_to(sums, "x", i)
        if i > 1:
            add_to(sums, "y", 1)
        if sums["x"] > 2:
            return other["x"], other["z"]
    return other["x"], other["y"]


@program(1, 0)
def another_one_of_the_same_kind(n):
    counts, sums = Counter(a=1), defaultdict(int, a=1)
    if n > 0:
        counts, sums = Counter(b=2), defaultdict(int, b=2)
    return counts["a"], counts["b"], "a" in counts, sums["a"], sums["b"], len(sums)


@program(1, refused="TypeError: 'd' is an empty defaultdict(int) in the branch")
def one_that_makes_something_else(n):
    if n > 0:
        d = defaultdict(int)
    else:
        d = defaultdict(list)
    return d["a"]


@program(1, refused="TypeError: in one case, but a Python str")
def something_else_for_a_new_key(n):
    d = defaultdict(str)
    if n > 0:
        d["a"] = n
    return d["a"]


@program([1.0, 2.0], refused="TypeError: and another name of the Counter may be the same Counter here")
def of_which_the_graph_chooses_one(xs):
    one, two = Counter(k=1), Counter(k=2)
    chosen = one if xs[0] > 5 else two
    chosen["k"] += 5
    return one["k"], two["k"]


@program(4.0, 1.0)
def set_by_reading(x):
    d, y = defaultdict(float, a=1.0), x
    if x > 2:
        y = d["b"]
    return y, len(d)


@program(4.0, 1.0)
def set_by_reading_in_any_case(x):
    d, sizes = defaultdict(float, a=1.0), defaultdict(int)
    for i in range(3):
        sizes[i] += 1
    if x > 2:
        y = d["b"] + d["a"]
        sizes[0] += sizes[1]
    else:
        y = d["b"]
    return y, len(d), "b" in d, sizes[0], sizes["new"]
