"""State of branches and loops: lists, dicts, objects, None, undefined names."""

from __future__ import annotations

import collections
import dataclasses

import pytest

tf = pytest.importorskip("tensorflow")

import graphwright  # noqa: E402
import graphwright.runtime as gw  # noqa: E402
from agreement import agree, c, in_graph  # noqa: E402


def adopt(x):
    return gw.if_(x > 0, lambda: 0, lambda: x)


def none(xs):
    def turn(x, best):
        return gw.if_(gw.or_(gw.is_none(best), lambda: x > best), lambda best: x, gw.unchanged, best)

    best = gw.for_(xs, turn, None, names=("best",))
    return gw.read(best)


def nested(x):
    def turn(i, s):
        d = gw.for_(tf.range(i), lambda j, a: a + j, 0)
        return {"a": s["a"] + d, "b": (s["b"][0] + 1,)}

    return gw.for_(tf.range(x), turn, {"a": 0, "b": (0,)})


def prevread(n):
    def turn(i, prev, d):
        d = gw.if_(i > 0, lambda d: i - gw.read(prev), gw.unchanged, d)
        return i, d

    prev, d = gw.for_(tf.range(n), turn, gw.undefined("prev"), 0, names=("prev", "d"))
    return gw.read(prev), d


def strs(x):
    return gw.for_(tf.range(x), lambda i, s: tf.strings.join([s, "a"]), "", names=("s",))


def sp(x):
    s = tf.sparse.from_dense(x)
    s = gw.if_(x[0] > 0, lambda s: tf.sparse.map_values(tf.add, s, 1), gw.unchanged, s)
    return tf.sparse.to_dense(s)


def dictst(x):
    d = {"k": x}

    def then(d):
        d["k"] = d["k"] * 2
        return d

    d = gw.if_(x > 0, then, gw.unchanged, d)
    return d["k"]


def noneif(x):
    y = gw.if_(x > 0, lambda: None, lambda: x * 2, names=("y",))
    return gw.if_(gw.is_none(y), lambda: c(-1), lambda: y + 1)


def itemafter(n):
    def turn(i, last):
        return i

    return gw.read(gw.for_(tf.range(n), turn, gw.undefined("i"), names=("i",)))


def evil(x):
    return gw.for_(tf.range(x), lambda i, a, b: (b, a + 1), 0, 1, names=("a", "b"))


def listloop(x):
    return gw.for_(tf.range(x), lambda i, p: [p[1], p[0] + i], [0, 1])


def listprev(n):
    def turn(i, xs, d):
        d = gw.if_(i > 1, lambda d: gw.get_item(xs, i - 1) + d, gw.unchanged, d)
        xs = gw.append(xs, i)
        return xs, d

    _, d = gw.for_(tf.range(n), turn, [], 0, names=("xs", "d"))
    return d


def grow(n):
    def turn(i, xs):
        return gw.append(xs, i * 2)

    xs = gw.for_(tf.range(n), turn, [], names=("xs",))
    return gw.stack(xs)


def growif(n):
    def turn(i, xs):
        def then(xs):
            return gw.append(xs, tf.cast(i, tf.float32))

        return gw.if_(i % 2 == 0, then, gw.unchanged, xs)

    xs = gw.for_(tf.range(n), turn, [], names=("xs",))
    return gw.stack(xs), gw.len(xs)


def lif(x):
    xs = [x]

    def then(xs):
        return gw.append(xs, x * 2)

    xs = gw.if_(x > 0, then, gw.unchanged, xs)
    return gw.stack(xs)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (adopt, [c(1, tf.int64)]),
        (adopt, [c(-1, tf.int64)]),
        (none, [c([3, 5, 2])]),
        (none, [c([3.0, 5, 7])]),
        (nested, [c(5)]),
        (prevread, [c(4)]),
        (strs, [c(3)]),
        (sp, [c([1, 0, 2])]),
        (dictst, [c(2)]),
        (dictst, [c(-2)]),
        (noneif, [c(3)]),
        (noneif, [c(-3)]),
        (itemafter, [c(3)]),
        (evil, [c(5)]),
        (listloop, [c(5)]),
        (listprev, [c(5)]),
        (grow, [c(4)]),
        (growif, [c(5)]),
        (lif, [c(5)]),
        (lif, [c(-5)]),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_eager_and_graph_agree(function, arguments):
    agree(function, *arguments)


class Plain:
    def __init__(self, a):
        self.a = a


@dataclasses.dataclass
class Record:
    x: object
    k: int = 3


Pair = collections.namedtuple("Pair", "x y")


def test_objects_are_rebuilt_and_never_changed():
    def function(x):
        before = Plain(x)
        after = gw.for_(tf.range(3), lambda i, o: Plain(o.a + i), before, names=("o",))
        record = gw.for_(tf.range(x), lambda i, d: Record(d.x + i), Record(c(0)))
        pair = gw.if_(x > 0, lambda: Pair(x, 1), lambda: Pair(x * 2, 2))
        return after.a, before.a, record.x, record.k, pair

    agree(function, c(2))


def test_plain_objects_of_python_numbers():
    agree(lambda x: gw.if_(x > 0, lambda: Plain(1), lambda: Plain(2)).a, c(2))


def test_variables_are_the_same_or_read():
    v, w = tf.Variable(1), tf.Variable(2)
    agree(lambda x: gw.if_(x > 0, lambda: v, lambda: w) + 1, c(-1))
    seen = []
    in_graph(lambda x: seen.append(gw.if_(x > 0, lambda: v, lambda: v)) or x, c(1))
    assert seen[0] is v


def test_none_and_a_tensor_returned_is_an_error():
    def function(x):
        result = gw.if_(x > 0, lambda: gw.returned(None), lambda: gw.returned(x), names=("result",))
        return result.or_else(lambda: x)

    with pytest.raises(TypeError, match="'result' is None"):
        in_graph(function, c(1))


def test_ragged_rows_that_grow_with_promotion():
    def function(x):
        ragged = tf.RaggedTensor.from_row_lengths(x, [1, 2])
        ragged = gw.for_(tf.range(3), lambda i, r: tf.concat([r, r], 1), ragged, names=("r",))
        return ragged.to_tensor()

    agree(function, c([1, 2, 3]))


def test_a_counter_whose_counts_the_graph_changes():
    @graphwright.function
    def counted(xs):
        counts = collections.Counter({"small": 0, "large": 0})
        for x in xs:
            if x > 2.0:
                counts["large"] += 1
            else:
                counts["small"] += 2
        return counts, counts["large"]

    counts, large = counted(c([1.0, 3.0, 4.0]))
    assert ({name: int(count) for name, count in counts.items()}, int(large)) == ({"small": 2, "large": 2}, 2)


def test_a_number_is_in_no_collection_of_texts():
    @graphwright.function
    def found(x):
        return x in {"a": 1}, x in ["a", 2.0], "a" in [x]

    assert [bool(each) for each in found(c(2.0))] == [False, True, False]


class Settings:
    """An object with an attribute that only the graph sets, or deletes."""


def attributes(condition):
    thing = Settings()
    thing.sure, thing.deleted = 1, 2
    if condition:
        thing.added = 3
    else:
        del thing.deleted
    return "sure" in vars(thing), "added" in vars(thing), "deleted" in thing.__dict__, len(vars(thing))


def test_names_of_attributes_that_the_graph_sets():
    for condition in (True, False):
        staged = graphwright.function(attributes)(tf.constant(condition))
        assert [int(each) for each in staged] == [int(each) for each in attributes(condition)]


def test_attributes_that_the_graph_sets_are_not_listed():
    def listed(condition):
        thing = Settings()
        if condition:
            thing.added = 3
        found = []
        for name in vars(thing):
            found.append(name)
        return len(found)

    with pytest.raises(TypeError, match=r"whether there is thing\.added, so this can't go over the keys"):
        graphwright.function(listed)(tf.constant(True))
