"""Programs about list, dict and set comprehensions and generator expressions over tensors."""

from __future__ import annotations

import tensorflow as tf
from differential import Python, program


@program([1.0, 2.0, 3.0], [4.0], unknown=True)
def squares(xs):
    return tf.stack([x * x for x in xs])


@program([3, -1, 4, -1], [1, 2], unknown=True)
def only_positive(xs):
    return tf.stack([x for x in xs if x > 0])


@program([1, 2, 3, 4], [1], unknown=True)
def sum_of_generator(xs):
    return sum(x * 2 for x in xs)


@program([1, -2, 3], [1, 2], unknown=True)
def any_of_generator(xs):
    return any(x < 0 for x in xs)


@program([1, -2, 3], [1, 2], unknown=True)
def all_of_generator(xs):
    return all(x > 0 for x in xs)


@program([[1.0, 2.0], [3.0, 4.0]], unknown=True)
def row_sums(rows):
    return tf.stack([tf.reduce_sum(row) for row in rows])


@program(5, 1)
def over_a_tensor_range(n):
    return tf.stack([i * i for i in range(n)])


@program((2.0, Python([1, 2, 3])), (-2.0, Python([1, 2, 3])))
def conditional_element(x, powers):
    return tf.stack([x**p if x > 0 else -x for p in powers])


@program([1, 2, 3], [-5, 5], unknown=True)
def element_depends_on_item(xs):
    return tf.stack([x if x > 1 else x * 10 for x in xs])


@program((1.0, Python(["a", "b"])))
def dict_of_tensors(x, names):
    return {name: x * number for number, name in enumerate(names)}


@program({"a": 1.0, "b": -2.0})
def dict_comprehension_with_branch(values):
    return {name: (v if v > 0 else v * 0.0) for name, v in values.items()}


@program([1, 2, 3], [7], unknown=True)
def max_of_generator(xs):
    return max((x * 3) % 7 for x in xs)


@program([[1, 2], [3, 4]], unknown=True)
def flattened(rows):
    return tf.stack([x * 2 for row in rows for x in row])


@program([[1, 2], [3, 4]])
def nested_lists(rows):
    return tf.stack([tf.stack([x + 1 for x in row]) for row in rows])


@program(([1, 2, 3], [4, 5, 6]), unknown=True)
def zipped(xs, ys):
    return tf.stack([x * y for x, y in zip(xs, ys)])


@program([5, 6, 7], unknown=True)
def enumerated(xs):
    return tf.stack([i * x for i, x in enumerate(xs)])


@program([1, 2, 3], unknown=True)
def a_list_that_is_summed(xs):
    doubled = [x * 2 for x in xs]
    total = 0
    for d in doubled:
        total += d
    return total


@program([1, 2, 3], [9], unknown=True)
def length_of_filtered(xs):
    return len([x for x in xs if x % 2 == 1])


@program(([1.0, 2.0, 4.0], 3.0))
def loop_name_does_not_leak(xs, x):
    ys = [x / 2.0 for x in xs]
    return tf.stack(ys), x


@program((Python([1, 2, 2, 3]), 1))
def set_of_python_values(sizes, x):
    return x * len({size * 2 for size in sizes})


@program([1, 2, 3, 4, 5, 6], unknown=True)
def two_conditions(xs):
    return tf.stack([x for x in xs if x % 2 == 0 if x > 2])


@program([1.0, 2.0])
def comprehension_calls_a_local_function(xs):
    def damp(v):
        return v / 2.0 if v > 1.0 else v

    return tf.stack([damp(x) for x in xs])


@program([2, 0, 3], unknown=True)
def comprehension_of_loops(xs):
    def triangle(n):
        total = 0
        for i in range(n + 1):
            total += i
        return total

    return tf.stack([triangle(x) for x in xs])


@program(0.5, 2.0)
def tuples_made_anew_until_it_is_left(x):
    pairs = [(x, x)]
    for _ in range(2):
        pairs = [(a + 1, b + 2) for a, b in pairs]
        if x > 1:
            break
    return pairs


@program((0.5, 3), (2.0, 3))
def tuples_made_anew_in_the_graph_until_it_is_left(x, n):
    pairs = [(x, x)]
    for _ in range(n):
        pairs = [(a + 1, b + 2) for a, b in pairs]
        if x > 1:
            break
    return pairs


@program([1, 2, 3], unknown=True)
def comprehension_with_nested_and_repeated_names(xs):
    triples = []
    for x in xs:
        triples.append((x, x * x, -x))
    last = [c for _, _, c in triples]
    products = [i * x * y for i, (x, y) in enumerate(zip(xs, reversed(xs))) if x != y]
    total = sum(a * b - c for _, (a, (b, c)) in enumerate(zip(xs, zip(xs, xs))))
    return tf.stack(last), tf.stack(products), total
