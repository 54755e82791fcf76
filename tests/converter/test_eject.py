"""Ejected functions are plain TensorFlow that does the same; what can't be ejected is refused with the reason."""

from __future__ import annotations

import ast
import collections
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf
from agreement import plain
from ejectable import PROGRAMS, c
from graphwright.eject import knowledge, long_lines
from graphwright.eject.texts import ejected
from graphwright.pipeline import FunctionSource, Generated
from graphwright_analysis.syntax.tree import parse_source


def spec(value: Any) -> Any:
    return tf.TensorSpec(value.shape, value.dtype) if isinstance(value, tf.Tensor) else value


def text_of(function: Callable[..., Any], *arguments: Any) -> str:
    return gw.to_code(function, style="tensorflow", signature=[spec(value) for value in arguments])


def made_from(text: str, function: Any, **names: Any) -> Any:
    names = {**function.__globals__, **names}
    exec(compile(text, "<ejected>", "exec"), names)
    return names[function.__name__]


def gradients(function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
    watched = [value for value in arguments if isinstance(value, tf.Tensor) and value.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(watched)
        leaves = [leaf for leaf in tf.nest.flatten(function(*arguments)) if tf.is_tensor(leaf)]
        target = [tf.reduce_sum(leaf) for leaf in leaves if leaf.dtype.is_floating]
    found = tape.gradient(target, watched) if target and watched else [None] * len(watched)
    return [
        np.zeros(value.shape) if each is None else plain(tf.convert_to_tensor(each))
        for each, value in zip(found, watched, strict=True)
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_ejected_functions_do_the_same(name: str) -> None:
    function, calls = PROGRAMS[name]
    text = text_of(function, *calls[0])
    assert "graphwright" not in text and "gw." not in text
    ast.parse(text)
    made = made_from(text, function)
    for arguments in calls:
        expected = plain(function(*arguments))
        for subject in (made, tf.function(made, autograph=False)):
            np.testing.assert_equal(plain(subject(*arguments)), expected)
            for found, wanted in zip(gradients(subject, arguments), gradients(function, arguments), strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 40


def test_a_branch_is_a_cond() -> None:
    function, calls = PROGRAMS["huber"]
    assert text_of(function, *calls[0]) == (
        "def huber(a, delta):\n"
        "    loss = tf.cond(tf.abs(a) <= delta, lambda: a * a / 2, lambda: delta * (tf.abs(a) - delta / 2))\n"
        "    return loss\n"
    )


def test_a_loop_is_a_while_loop() -> None:
    function, calls = PROGRAMS["collatz"]
    assert text_of(function, *calls[0]) == (
        "def collatz(x):\n"
        "    n = 0\n"
        "    x, n = tf.while_loop(\n"
        "        lambda x, n: x != 1,\n"
        "        lambda x, n: (tf.cond(x % 2 == 0, lambda: x // 2, lambda: 3 * x + 1), n + 1),\n"
        "        (x, n),\n"
        "    )\n"
        "    return n\n"
    )


def test_what_is_python_stays() -> None:
    function, calls = PROGRAMS["newton"]
    assert "    for i in range(20):\n        y = 0.5 * (y + x / y)\n" in text_of(function, *calls[0])


# Other sizes than the example's


def doubles_last(xs):
    found = {}
    for x in xs:
        found["last"] = x * 2.0
    return found, tf.reduce_sum(xs)


def sum_of_pairs(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys, strict=True):
        total += x * y
    return total


def test_a_name_without_a_value_fails() -> None:
    made = made_from(text_of(doubles_last, c([1.0, 2.0])), doubles_last)
    for subject in (made, tf.function(made, autograph=False)):
        with pytest.raises(AssertionError, match="`found_last` has no value: the loop has no iterations"):
            subject(tf.zeros([0]))


def test_a_strict_zip_stays_strict() -> None:
    made = made_from(text_of(sum_of_pairs, c([1.0, 2.0]), c([3.0, 4.0])), sum_of_pairs)
    assert plain(made(c([1.0]), c([3.0]))) == 3.0
    with pytest.raises(AssertionError, match="differ in length"):
        made(c([1.0, 2.0]), c([3.0]))


def test_functions_for_others_keep_their_names() -> None:
    function, calls = PROGRAMS["functions_in_turn"]
    assert "    for function in (capped, abs, tf.square):\n        total += function(x)\n" in text_of(
        function, *calls[0]
    )


def test_items_get_names_around_a_branch() -> None:
    function, calls = PROGRAMS["items_that_branches_assign"]
    text = text_of(function, *calls[0])
    assert (
        "        steps_item = self.steps[name]\n"
        "        steps_item = tf.cond(x > steps_item, lambda: x, lambda: steps_item)\n"
        "        self.steps[name] = steps_item\n"
    ) in text


class Pooled:
    def __init__(self):
        self.values = [1.0, 2.0]

    def total(self):
        return self.values[0] + self.values[1]

    def settle(self, x):
        for i in range(2):
            if x > self.values[i]:
                self.values[i] = x
                x = self.total()
        return x


def settles(x):
    return Pooled().settle(x)


def test_items_that_a_branch_reads_elsewhere_are_refused() -> None:
    with pytest.raises(gw.ConversionError, match="this changes in place what is held elsewhere"):
        text_of(settles, c(5.0))


# What is known without a signature


def relu(x: tf.Tensor):
    if x > 0:
        return x
    return 0.0 * x


def test_annotations_are_enough() -> None:
    assert "tf.cond(x > 0, lambda: x, lambda: 0.0 * x)" in gw.to_code(relu, style="tensorflow")


def doubled(x):
    if x > 0:
        x = x * 2
    return x


def calls_doubled():
    return doubled(tf.constant(1.0))


def test_callers_in_the_file_are_enough() -> None:
    assert "x = tf.cond(x > 0, lambda: x * 2, lambda: x)" in gw.to_code(doubled, style="tensorflow")


@tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
def total_of(xs):
    total = 0.0
    for x in xs:
        total += x
    return total


def test_an_input_signature_is_enough() -> None:
    text = gw.to_code(total_of, style="tensorflow")
    assert "total = tf.constant(0.0, tf.float64)" in text
    made = made_from(text, total_of.python_function)
    assert plain(tf.function(made, autograph=False)(c([1.0, 2.0], tf.float64))) == 3.0


@gw.convert()
def converted_fill(n: tf.Tensor):
    squares = []
    gw.set_element_type(squares, tf.int32)
    for i in range(n):
        squares.append(i * i)
    return gw.stack(squares)


def test_graphwrights_own_calls_are_gone() -> None:
    text = text_of(converted_fill, c(3))
    assert "gw" not in text and "squares.stack()" in text
    assert plain(made_from(text, converted_fill, tf=tf)(c(3))) == [0, 1, 4]


class Counter:
    def __init__(self) -> None:
        self.limit = tf.Variable(3.0)
        self.last = tf.constant(0.0)

    def step(self, x):
        if x > self.limit:
            x = x - self.limit
            self.last = x
        return x


def test_methods_know_their_object() -> None:
    counter = Counter()
    text = text_of(counter.step, c(1.0))
    made = made_from(text, Counter.step)
    assert plain(tf.function(made, autograph=False)(counter, c(5.0))) == 2.0
    assert plain(made(Counter(), c(5.0))) == 2.0


def test_closures_know_their_variables() -> None:
    weight = tf.constant(2.0)

    def scaled(x):
        if x > weight:
            x = x * weight
        return x

    text = text_of(scaled, c(3.0))
    made = made_from(text, scaled, weight=weight)
    assert plain(tf.function(made, autograph=False)(c(3.0))) == 6.0


def test_text_alone_is_enough() -> None:
    file = "import tensorflow as t\n\ndef f(x: t.Tensor):\n    if x > 0:\n        x = x + 1\n    return x\n"
    node = parse_source(file)[1]
    text = ejected(FunctionSource(file, node, 1, "f.py"), knowledge.surroundings_of(file))
    assert text == "def f(x: t.Tensor):\n    x = t.cond(x > 0, lambda: x + 1, lambda: x)\n    return x\n"


class Recorder:
    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.last: Any = None

    def record(self, x):
        self.seen.append(x)
        self.last = x
        if x > 0:
            return x
        return -x


def test_tracing_leaves_the_users_objects_as_they_were() -> None:
    recorder = Recorder()
    text = text_of(recorder.record, c(1.0))
    assert "tf.cond(x > 0" in text
    assert recorder.seen == [] and recorder.last is None


def test_methods_come_along_as_functions() -> None:
    function, calls = PROGRAMS["calls_methods"]
    text = text_of(function, *calls[0])
    assert "def clipped(self, x" in text
    assert "total += clipped(scaler, x)" in text


def test_a_dataclass_goes_in_by_its_fields() -> None:
    function, calls = PROGRAMS["carries_a_dataclass"]
    text = text_of(function, *calls[0])
    assert "(0, (walk.place, walk.steps))" in text
    assert "walk = Walk(*walk)" in text


# Refusals


def unknown(x):
    if x > 0:
        return 1
    return 2


def reads_a_changed_list_in_a_function(xs):
    items = [xs[0], xs[1]]

    def total():
        return items[0] + items[1]

    found = 0.0
    for x in xs:
        items[0] = x
        found += total()
    return found


def asks_a_changed_dict_in_a_function(xs):
    counts = {"n": 0}
    is_done = lambda: counts["n"] >= 2  # noqa: E731
    while not is_done():
        counts["n"] += tf.cast(xs[0], tf.int32)
    return counts["n"]


def greater_or_none(best, x):
    return x if x > 0 else best


def seed_of_none(xs):
    best = None
    for x in xs:
        best = greater_or_none(best, x)
    return best


def none_or_a_tensor(xs):
    for x in xs:
        if x > 2:
            return None, x
    return xs, xs[0]


@dataclass
class Pair:
    first: tf.Tensor
    second: tf.Tensor


def sorts_what_it_changes(xs):
    pairs = [Pair(x, -x) for x in tf.unstack(xs)]
    best = max(pairs, key=lambda pair: pair.first)
    best.second += 1.0
    return [pair.second for pair in pairs]


def sorts_what_it_compares(xs):
    pairs = [Pair(x, -x) for x in tf.unstack(xs)]
    ordered = sorted(pairs, key=lambda pair: pair.first)
    return [pair.second for pair in pairs if pair is not ordered[0]]


def sorts_what_a_loop_changes(xs):
    pairs = [Pair(x, -x) for x in tf.unstack(xs)]
    total = 0.0
    for _ in range(2):
        pairs[0].second += 1.0
        ordered = sorted(pairs, key=lambda pair: pair.first)
        total += ordered[0].second
    return total


def changes_what_the_graph_chooses(xs):
    pairs = [Pair(x, -x) for x in tf.unstack(xs)]
    best = pairs[0]
    for pair in pairs:
        if pair.first > best.first:
            best = pair
    best.second += 1.0
    return [pair.second for pair in pairs]


def compares_what_the_graph_chooses(xs):
    pairs = [Pair(x, -x) for x in tf.unstack(xs)]
    best = pairs[0]
    for pair in pairs:
        if pair.first > best.first:
            best = pair
    return [pair.second for pair in pairs if pair is not best]


def changes_what_the_graph_chose_from(xs):
    pairs = [{"first": x, "second": -x} for x in tf.unstack(xs)]
    best = pairs[0]
    for pair in pairs:
        if pair["first"] > best["first"]:
            best = pair
    for pair in pairs:
        pair["second"] += 1.0
    return best["second"]


def changes_an_item_of_what_the_graph_chooses(x):
    one, two = {"k": 1}, {"k": 2}
    chosen = one if x[0] > 0 else two
    chosen["k"] += 5
    return one["k"], two["k"]


def changes_a_deque(x):
    queue = collections.deque([0.0], maxlen=2)
    for _ in x:
        queue.rotate(1)
    return queue[0]


def changes_a_list_that_the_graph_chooses(xs):
    first, second = [xs[0]], [xs[1]]
    chosen = first if xs[0] > xs[1] else second
    chosen[0] = xs[0] * 9.0
    return first[0], second[0]


def changes_what_a_branch_may_replace(xs):
    pair = Pair(xs[0], xs[1])
    first = pair
    if xs[0] > 1:
        pair = Pair(xs[1], xs[0])
    pair.second += 1.0
    return pair.first, first.second


def changes_what_a_loop_may_replace(xs):
    pair = Pair(xs[0], xs[1])
    held = [pair]
    for x in xs:
        if x > 1:
            pair = Pair(x, -x)
    pair.second += 1.0
    return pair.first, held[0].second


def changes_a_dict_that_a_branch_may_replace(xs):
    totals = {"first": xs[0]}
    before = totals
    if xs[0] > 1:
        totals = {"first": xs[1]}
    totals["first"] += 1.0
    return totals, before


def changes_an_item_that_a_branch_may_replace(xs):
    rows = {"first": [xs[0], xs[1]]}
    row = rows["first"]
    if xs[0] > 1:
        rows["first"] = [xs[1], xs[0]]
    rows["first"][0] = xs[1]
    return rows, row


def greater(first, second):
    if first.first > second.first:
        return first
    return second


def changes_what_a_function_chooses(xs):
    first, second = Pair(xs[0], xs[1]), Pair(xs[1], xs[0])
    best = greater(first, second)
    best.second += 1.0
    return first.second, second.second


def one_side(x):
    if x > 0:
        y = x
    return y  # pyright: ignore[reportPossiblyUnboundVariable]


def left_in_python(x):
    k = 0
    for k in (1, 2, 3):
        if x > k:
            break
        x = x + 1
    return x + k


def formatted(x):
    tf.print(f"{x:+.3f}")


def falls_through(xs):  # noqa: RET503
    for x in xs:
        if x > 0:
            return x


def iterator_left(xs):
    total = 0.0
    for x in iter(tf.data.Dataset.from_tensor_slices(xs)):
        if x < 0:
            break
        total += x
    return total


def matched(xs):
    match xs:
        case [first, *_] if first > 0:
            return first
    return xs[1]


def collect(found, x):
    found.append(x)


def changed_by_a_helper(xs):
    found = []
    other = found
    for x in xs:
        collect(found, x)
    return len(found), len(other)


def chosen_dicts(xs):
    counts = {"up": {"n": 0}, "down": {"n": 0}}
    for x in xs:
        chosen = counts["up"] if x > 0 else counts["down"]
        chosen["n"] += 1
    return counts["up"]["n"]


def chosen_names(xs):
    up, down = {"n": 0}, {"n": 0}
    for x in xs:
        chosen = up if x > 0 else down
        chosen["n"] += 1
    return up["n"]


def changed_by_an_inner_function(x):
    found = [1, 2]

    def change():
        found[0] = 7

    if x > 0:
        change()
    return found


def changed_under_a_loops_name(xs):
    groups = [{"n": 0}, {"n": 0}]
    for _ in xs:
        for group in groups:
            group["n"] += 1
    return groups[0]["n"]


class Borrowing:
    def __init__(self, rows, limit) -> None:
        self.rows, self.limit, self.reads = rows, limit, 0

    def add(self, x):
        self.rows.append(x)

    @property
    def is_high(self):
        self.reads += 1
        return self.reads if self.limit > 0 else 0


def grows_a_borrowed_list(xs):
    borrowing = Borrowing([], 1.0)
    for x in xs:
        borrowing.add(x)
    return tf.stack(borrowing.rows)


def read_with_an_effect(xs):
    return Borrowing([], xs[0]).is_high


def calls_itself_up_to_a_depth(x, depth):
    if depth == 0 or x < 1.0:
        return x
    return calls_itself_up_to_a_depth(x / 2, depth - 1) + 1.0


def moving_average():
    value = None

    def update(x):
        nonlocal value
        value = x if value is None else 0.5 * (value + x)
        return value

    return update


def none_in_a_nested_function(xs):
    update, total = moving_average(), 0.0
    for x in xs:
        total += update(x)
    return total


def power_after_a_match(n):
    match n:
        case 3:
            n += 1
        case _:
            n -= 1
    return pow(n, 2, 5)


def power_with_a_modulus(x):
    return pow(x, 2, 5)


def mixed_elements(xs):
    found = [xs]
    for x in xs:
        found.append(x)
    return found[1]


def set_by_a_condition(x):
    recorder = Recorder()
    y = recorder.record(x) if x > 0 else x
    return y, recorder.last


def changed_in_an_attribute(x):
    if x > 0:
        holder.items[0] = 5
        holder.items.append(6)
    return x


class Holder:
    def __init__(self):
        self.items = [1, 2]


holder = Holder()
VECTOR = c([1.0, 2.0])


def sorted_by_halves(xs):
    if len(xs) <= 1:
        return xs
    rest = xs[1:]
    return tf.concat([sorted_by_halves(rest[rest < xs[0]]), xs[:1]], 0)


def sizes_that_are_none(x):
    levels = [x]
    while min(levels[-1].shape) > 1:
        small = levels[-1][::2]
        if tf.reduce_max(small) < 1.0:
            break
        levels.append(small)
    return levels[-1]


def keys_that_the_graph_knows(x):
    log = {"high": [], "all": [x]}
    if x > 0:
        log["high"].append(x)
    return {name: tf.stack(values) for name, values in log.items() if len(values) > 0}


def counting_down(n):
    while n > 0:
        yield n
        n -= 1


def decides_in_a_generator(n):
    return sum(counting_down(n))


class Pairs:
    def __init__(self):
        self.firsts, self.seconds = [], []


def asks_for_none_under_another_name(xs: Any) -> Any:
    found = None
    for x in tf.unstack(xs):
        if x > 1.0:
            found = x
            break
    chosen = found
    return -1.0 if chosen is None else chosen


def zips_lists_of_the_graph(xs):
    pairs = Pairs()
    for x in xs:
        if x > 1:
            pairs.firsts.append(x)
            pairs.seconds.append(-x)
    both = list(zip(pairs.firsts, pairs.seconds))  # noqa: B905
    return len(both)


def appended_unless_left(x, log):
    if x > 1:
        return x
    log.append(x)
    return x + 1


def zips_strictly(xs):
    total = 0.0
    for x, y in zip(xs, xs[:-1], strict=True):
        if x > y:
            total += x
    return total


@pytest.mark.parametrize(
    ("function", "arguments", "reason"),
    [
        (unknown, (), r"`x > 0` may or may not be a tensor: annotate the parameter \(`x: tf.Tensor`"),
        (seed_of_none, (VECTOR,), "`best` is None at first"),
        (none_or_a_tensor, (VECTOR,), "returns None in one place and a tensor in another"),
        (sorts_what_it_changes, (VECTOR,), "`pairs` is sorted .* compared with `is` later: sort their places"),
        (sorts_what_it_compares, (VECTOR,), "compared with `is` later: sort their places"),
        (sorts_what_a_loop_changes, (VECTOR,), "in the next iteration: sort their places"),
        (changes_what_the_graph_chooses, (VECTOR,), "the graph chooses an object here"),
        (compares_what_the_graph_chooses, (VECTOR,), "the graph chooses an object here"),
        (changes_what_the_graph_chose_from, (VECTOR,), "the graph chooses an object here"),
        (changes_a_list_that_the_graph_chooses, (VECTOR,), "the graph chooses an object here"),
        (changes_an_item_of_what_the_graph_chooses, (VECTOR,), "the graph chooses an object here"),
        (changes_a_deque, (VECTOR,), "the graph changes the deque `queue`"),
        (changes_what_a_branch_may_replace, (VECTOR,), "the graph chooses an object here"),
        (changes_what_a_loop_may_replace, (VECTOR,), "`pair` and another name of the `Pair` may be the same"),
        (changes_a_dict_that_a_branch_may_replace, (VECTOR,), "the graph chooses an object here"),
        (changes_an_item_that_a_branch_may_replace, (VECTOR,), "the graph chooses an object here"),
        (reads_a_changed_list_in_a_function, (VECTOR,), "`items` is changed in place in the graph, and a function"),
        (asks_a_changed_dict_in_a_function, (VECTOR,), "`counts` is changed in place in the graph, and a function"),
        (one_side, (c(1.0),), "`y`"),
        (left_in_python, (c(1.0),), "in this loop over Python values"),
        (formatted, (c(1.0),), "doesn't support format specifications"),
        (falls_through, (VECTOR,), "decides whether this function returns a value"),
        (iterator_left, (VECTOR,), "loop over the dataset itself"),
        (matched, (c([1, 2]),), "subject of this `match` is a tensor"),
        (changed_by_a_helper, (VECTOR,), "`collect` changes its arguments or variables around it"),
        (changed_by_an_inner_function, (c(1.0),), "`change` changes its arguments or variables around it"),
        (changed_under_a_loops_name, (VECTOR,), "changes in place what is held elsewhere"),
        (chosen_dicts, (VECTOR,), "changes in place what is held elsewhere"),
        (chosen_names, (VECTOR,), "`up` has another name here and is changed in place in the graph"),
        (changed_in_an_attribute, (c(1.0),), "the list `holder.items` grows in the graph"),
        (grows_a_borrowed_list, (VECTOR,), "the list `Borrowing.rows` changes in the graph: create it in `__init__`"),
        (read_with_an_effect, (VECTOR,), "`is_high` changes its object when it is read"),
        (calls_itself_up_to_a_depth, (c(5.0), 2), "calls itself in a branch of the graph, and plain TensorFlow traces"),
        (power_after_a_match, (c(3),), "no simple equivalent of `pow` on a tensor"),
        (power_with_a_modulus, (c(3),), "no simple equivalent of `pow` on a tensor"),
        (mixed_elements, (VECTOR,), "plain TensorFlow|different dtypes or shapes"),
        (set_by_a_condition, (c(1.0),), "`recorder.record` changes its arguments under a graph condition"),
        (sorted_by_halves, (VECTOR,), "`sorted_by_halves` calls itself in a branch that a tensor decides"),
        (sizes_that_are_none, (c([1.0, 2.0, 3.0, 4.0]),), r"`levels\[-1\].shape` has sizes that are None"),
        (keys_that_the_graph_knows, (c(1.0),), "the graph must know the keys of a dict before"),
        (zips_strictly, (VECTOR,), "`zip` is strict here, but the lengths aren't known to be equal"),
        (asks_for_none_under_another_name, (VECTOR,), "`found` is None at first or in one branch"),
        (zips_lists_of_the_graph, (VECTOR,), "`zip` goes over a tensor here whose length only the graph knows"),
    ],
)
def test_refusals_say_why_and_where(function: Any, arguments: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(gw.ConversionError, match=reason) as caught:
        text_of(function, *arguments)
    first = function.__code__.co_firstlineno
    assert caught.value.file == __file__
    assert first <= caught.value.line <= first + 9


def test_none_in_a_variable_of_a_nested_function_is_refused_there() -> None:
    with pytest.raises(gw.ConversionError, match="such as `value is None` for what a nested function sets") as caught:
        text_of(none_in_a_nested_function, VECTOR)
    assert caught.value.line == moving_average.__code__.co_firstlineno + 5


def test_what_a_function_chooses_is_not_changed() -> None:
    with pytest.raises(gw.ConversionError, match="the graph chooses an object here") as caught:
        text_of(changes_what_a_function_chooses, VECTOR)
    assert caught.value.line == greater.__code__.co_firstlineno + 2


def test_a_generator_in_which_a_tensor_decides_is_refused_there() -> None:
    with pytest.raises(gw.ConversionError, match="a tensor decides something in this generator") as caught:
        text_of(decides_in_a_generator, c(3))
    assert caught.value.line - counting_down.__code__.co_firstlineno in (0, 1)


# How it reads


class Light:
    def __init__(self):
        self.state, self.waited = 0, 0

    def step(self, cars):
        if self.state == 0 and cars > 3:
            self.state = 1
            self.waited = 0
        elif self.state == 1:
            self.state = 2
        else:
            self.waited += 1
        return self.state


def watched_light(cars):
    light = Light()
    for n in cars:
        light.step(n)
    return light.state, light.waited


def test_branches_that_set_attributes_are_expressions() -> None:
    assert (
        "    self.state, self.waited = tf.cond(\n"
        "        tf.logical_and(self.state == 0, cars > 3),\n"
        "        lambda: (1, 0),\n"
        "        lambda: tf.cond(\n"
        "            self.state == 1,\n"
        "            lambda: (2, self.waited),\n"
        "            lambda: (self.state, self.waited + 1),\n"
        "        ),\n"
        "    )\n"
    ) in text_of(watched_light, c([1, 5, 2]))


def test_long_lines_have_an_argument_on_each() -> None:
    line = (
        "    total = tf.concat([first_of_all_values, second_of_all_values], "
        "axis=the_axis_that_was_given_by_the_user, name=name)"
    )
    wrapped = long_lines.wrapped(Generated(line, (7,)), "")
    assert wrapped.text == (
        "    total = tf.concat(\n"
        "        [first_of_all_values, second_of_all_values],\n"
        "        axis=the_axis_that_was_given_by_the_user,\n"
        "        name=name,\n"
        "    )\n"
    )
    assert wrapped.lines == (7, 7, 7, 7, 7)
    assert long_lines.wrapped(Generated(line, (7,)), line).text == f"{line}\n"
    bare = (
        "    return first_of_all_values + second_of_all_values, third_of_all_values, "
        "f(fourth_of_all_values), *fifths_of_all"
    )
    assert long_lines.wrapped(Generated(bare, (7,)), "").text == (
        "    return (\n"
        "        first_of_all_values + second_of_all_values,\n"
        "        third_of_all_values,\n"
        "        f(fourth_of_all_values),\n"
        "        *fifths_of_all,\n"
        "    )\n"
    )


def test_a_result_that_may_be_none_is_asked_for_before_it_is_read() -> None:
    text = text_of(reads_what_may_be_none, VECTOR)
    assert "found, has_found = first_above(xs)\n" in text
    made = made_from(text, reads_what_may_be_none)
    assert plain(tf.function(made, autograph=False)(c([1.0, 4.0]))) == 8.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="`found` is None"):
        tf.function(made, autograph=False)(VECTOR)


def first_above(xs):
    for x in xs:
        if x > 3:
            return x
    return None


def reads_what_may_be_none(xs):
    found = first_above(xs)
    return found * 2  # pyright: ignore[reportOptionalOperand]


def test_a_name_that_is_none_is_not_read() -> None:
    function, _ = PROGRAMS["the_best_is_none_at_first"]
    text = gw.to_code(function, style="tensorflow", signature=[tf.TensorSpec([None])])
    assert "best, place, has_best, has_place = 0.0, 0, False, False\n" in text
    made = made_from(text, function)
    assert plain(made(c([1.0, 2.0]))) == (2.0, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="`best` is None"):
        tf.function(made, autograph=False)(c([], tf.float32))


def prints_texts_with_others(x, name, sizes):
    for step in range(2):
        print(f"{name}: {x}", step, "of", 2, len(sizes))
        print("x", f"{x + step}", sep="=")
    print(f"{x}", name, None, 1.5, x * 2, sep="|", end="!\n")


def test_a_text_of_the_graph_is_printed_without_quotes(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = c(2), "a", [1, 2]
    made = made_from(text_of(prints_texts_with_others, *arguments), prints_texts_with_others)
    capfd.readouterr()
    tf.function(made, autograph=False)(*arguments)
    expected = "a: 2 0 of 2 2\nx=2\na: 2 1 of 2 2\nx=3\n2|a|None|1.5|4!\n"
    assert capfd.readouterr().err == expected


def prints_what_tensorflow_writes_otherwise(x, text, table):
    print(f"{x > 1}: {table.shape}", table.shape)
    print("text", text, x, sep="=")
    print(f"{text}")


def test_texts_truth_values_and_shapes_are_printed_as_in_python(capfd: pytest.CaptureFixture[str]) -> None:
    function, arguments = prints_what_tensorflow_writes_otherwise, (c(2), c("a"), c([[1, 2]]))
    made = made_from(text_of(function, *arguments), function)
    capfd.readouterr()
    tf.function(made, autograph=False)(*arguments)
    assert capfd.readouterr().err == "True: (1, 2) (1, 2)\ntext=a=2\na\n"


def formats_several_texts(texts):
    return f"{texts}"


def test_an_f_string_of_several_texts_is_refused() -> None:
    with pytest.raises(gw.ConversionError, match="a tensor of several texts here"):
        text_of(formats_several_texts, c(["a", "b"]))


def test_assignments_without_spaces_become_expressions() -> None:
    file = "import tensorflow as tf\n\ndef f(a: tf.Tensor, b: tf.Tensor):\n    if a>b:\n        b=a\n    return b\n"
    text = ejected(FunctionSource(file, parse_source(file)[1], 1, "f.py"), knowledge.surroundings_of(file))
    assert "b = tf.cond(a>b, lambda: a, lambda: b)" in text
