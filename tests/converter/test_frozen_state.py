"""Python state that a trace counts up and reads: the graph keeps the value of its trace, and a warning says so."""

from __future__ import annotations

import collections
import itertools
import warnings

import graphwright as gw
import pytest
import tensorflow as tf

total = 0


class Counter:
    """State of Python."""

    def __init__(self):
        self.calls, self.average, self.traces = 0, 0.0, 0
        self.kernel = None
        self.made = []

    def counted(self, x):
        self.calls += 1
        return x * self.calls

    def averaged(self, x):
        self.average = 0.9 * self.average + 0.1 * x
        return self.average

    def traced(self, x):
        self.traces += 1
        print("trace", self.traces)
        return x

    def listed_once(self, x):
        if not self.made:
            self.made.append(tf.Variable(2.0))
        return x * self.made[0]

    def made_once(self, x):
        if self.kernel is None:
            self.kernel = tf.Variable(2.0)
        return x * self.kernel


history = []
memo = {}


class Stream:
    """State of Python that isn't counted."""

    def __init__(self):
        self.counts, self.items, self.first, self.last = {"n": 0}, [], True, None
        self.best, self.waiting, self.queue, self.names = float("inf"), 0, collections.deque([0.0]), set()
        self.log, self.mode, self.longest, self.numbers = [], "train", 0, itertools.count(1)

    def item(self, x):
        self.counts["n"] += 1
        return x * self.counts["n"]

    def counted_items(self, x):
        for key in ("a", "b"):
            self.counts[key] = self.counts.get(key, 0) + 1
        return x * sum(self.counts.values())

    def grown(self, x):
        self.items.append(1.0)
        return x + sum(self.items)

    def first_call(self, x):
        if self.first:
            self.first = False
            x = x * 10
        return x

    def difference(self, x):
        if self.last is None:
            self.last = x * 0
        difference = x - self.last
        self.last = x
        return difference

    def delayed(self, x):
        self.queue.append(x)
        return self.queue.popleft()

    def new_name(self, x, name="a"):
        is_new = name not in self.names
        self.names.add(name)
        return x * 10 if is_new else x

    def waited(self, loss):
        if loss < self.best:
            self.best, self.waiting = loss, 0
        else:
            self.waiting += 1
        return self.waiting

    def numbered(self, x):
        return x * next(self.numbers)

    def reset(self):
        self.items = []
        self.counts.clear()

    def after_reset(self, x):
        self.reset()
        self.counts["n"] = 0
        return self.grown(x) + self.item(x)

    def balanced(self, x):
        self.items.append(2.0)
        x = x * len(self.items)
        self.items.pop()
        return x

    def restored(self, x):
        before, self.mode = self.mode, "eval"
        x = x * 2 if self.mode == "eval" else x
        self.mode = before
        return x

    def logged(self, x):
        self.log.append("call")
        if len(self.log) > 100:
            self.log.pop(0)
        return x

    def longest_length(self, x):
        if x.shape[0] > self.longest:
            self.longest = x.shape[0]
        return x * self.longest


def appended(x):
    history.append(x)
    return x + len(history)


def first_kept(x):
    if "square" not in memo:
        memo["square"] = x * x
    return x + memo["square"]


def with_default(x, seen=[0]):  # noqa: B006
    seen[0] = seen[0] + 1
    return x * seen[0]


def by_default(x):
    return with_default(x)


def pure_memo(x, key, known={}):  # noqa: B006
    if key not in known:
        known[key] = key * key
    return x * known[key]


def by_pure_memo(x):
    return pure_memo(x, 3) + pure_memo(x, 3)


def own_list(x):
    def add(values, value):
        values.append(value)
        return len(values)

    return x * add([], 1) * add([], 2)


def summed(x):
    global total
    total += 1
    return x + total


def test_state_that_is_counted_and_read():
    counter = Counter()
    functions = [counter.counted, counter.averaged, summed]
    for function, name in zip(functions, ("self.calls", "self.average", "total"), strict=True):
        with pytest.warns(gw.FrozenStateWarning) as caught:
            gw.function(function)(tf.constant(1.0))
        assert [str(each.message).split("`")[1] for each in caught] == [name]
        assert caught[0].filename == __file__
    with pytest.warns(gw.FrozenStateWarning) as caught:
        gw.function(Counter().counted)(tf.constant(1.0))
    assert caught[0].lineno == Counter.counted.__code__.co_firstlineno + 1


def test_state_in_loops_of_the_graph():
    counter = Counter()

    @gw.function
    def looped(xs):
        for _ in xs:
            counter.calls += 1
        return counter.calls

    with pytest.warns(gw.FrozenStateWarning) as caught:
        assert int(looped(tf.constant([1, 2, 3]))) == 3
    assert len(caught) == 1


STREAM = {
    "item": "self.counts['n']",
    "counted_items": "self.counts[key]",
    "grown": "self.items",
    "first_call": "self.first",
    "difference": "self.last",
    "delayed": "self.queue",
    "new_name": "self.names",
    "waited": "self.best",
    "numbered": "next(self.numbers)",
}


@pytest.mark.parametrize("name", STREAM)
def test_state_of_an_object(name):
    stream, eager = Stream(), Stream()
    with pytest.warns(gw.FrozenStateWarning) as caught:
        function = gw.function(getattr(stream, name))
        graph = [float(function(tf.constant(value))) for value in (3.0, 4.0, 5.0)]
    assert [str(each.message).split("`")[1] for each in caught] == [STREAM[name]]
    assert caught[0].filename == __file__
    assert graph != [float(getattr(eager, name)(tf.constant(value))) for value in (3.0, 4.0, 5.0)]


@pytest.mark.parametrize(
    ("function", "name"), [(appended, "history"), (first_kept, "memo['square']"), (by_default, "seen[0]")]
)
def test_state_outside_of_objects(function, name):
    with pytest.warns(gw.FrozenStateWarning) as caught:
        gw.function(function)(tf.constant(3.0))
    assert [str(each.message).split("`")[1] for each in caught] == [name]


@pytest.mark.parametrize("name", ["after_reset", "balanced", "restored", "logged", "longest_length"])
def test_state_that_is_the_same_in_the_next_call(name):
    stream, eager, values = Stream(), Stream(), tf.constant([3.0, 4.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error", gw.FrozenStateWarning)
        function = gw.function(getattr(stream, name))
        for _ in range(2):
            assert function(values).numpy().tolist() == getattr(eager, name)(values).numpy().tolist()


class Module(tf.Module):
    """TensorFlow wraps the lists and dicts of a module."""

    def __init__(self):
        super().__init__()
        self.items, self.counts = [], {"n": 0}

    def changed(self, x):
        self.items.append(1.0)
        self.counts["n"] += 1
        return x + len(self.items) * self.counts["n"]


def test_lists_and_dicts_of_modules():
    with pytest.warns(gw.FrozenStateWarning) as caught:
        gw.function(Module().changed)(tf.constant(3.0))
    assert [str(each.message).split("`")[1] for each in caught] == ["self.items", "self.counts['n']"]


class Reads(dict):
    """A dict that counts how often it is read."""

    reads = 0

    def __getitem__(self, key):
        self.reads += 1
        return super().__getitem__(key)


def test_asking_reads_nothing_with_an_effect():
    known, missing = Reads(n=0), collections.defaultdict(int)

    def changed(x):
        known["n"] += 1
        missing["n"] += 1
        del missing["n"]
        return x + known["n"] + missing.get("n", 0)

    with pytest.warns(gw.FrozenStateWarning) as caught:
        gw.function(changed)(tf.constant(1))
    assert [str(each.message).split("`")[1] for each in caught] == ["known['n']"]
    assert known.reads == 2
    assert not missing


@pytest.mark.parametrize("function", [by_pure_memo, own_list])
def test_state_of_the_trace_alone(function):
    with warnings.catch_warnings():
        warnings.simplefilter("error", gw.FrozenStateWarning)
        graph = gw.function(function)
        for value in (3.0, 4.0):
            assert float(graph(tf.constant(value))) == float(function(tf.constant(value)))


def test_what_is_deliberate_says_nothing():
    counter, variable = Counter(), tf.Variable(0.0)
    counter.step = variable

    @gw.function
    def silent(x):
        own = Counter()
        x = own.counted(own.counted(x))
        counter.step.assign_add(1.0)
        counts = [0]
        counts[0] += 1
        return counter.listed_once(counter.made_once(counter.traced(x))) + counts[0] + own.calls + counter.step

    with warnings.catch_warnings():
        warnings.simplefilter("error", gw.FrozenStateWarning)
        assert float(silent(tf.constant(1.0))) == 12.0
