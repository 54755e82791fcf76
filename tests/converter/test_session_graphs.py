"""Converted code in a plain `tf.Graph` does what it does eagerly, though tensors compare by identity there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import graphwright as gw
import pytest
import tensorflow as tf
from graphwright.runtime.basis import graph_notes
from tensorflow.python.framework import composite_tensor

v1 = tf.compat.v1


def fetched(build: Callable[[], Any], feed: Any = None) -> Any:
    with tf.Graph().as_default(), v1.Session() as session:
        tensors = build()
        session.run(v1.global_variables_initializer())
        return session.run(tensors, feed)


@gw.convert()
def is_two(x):
    if x == 2:
        return 1
    if x != 3:
        return 0
    return 10


@pytest.mark.parametrize(("x", "wanted"), [(2, 1), (3, 10), (4, 0)])
def test_tensors_compare_by_value(x: int, wanted: int):
    assert fetched(lambda: is_two(tf.constant(x))) == wanted


def test_tensors_compare_by_value_in_a_function():
    assert fetched(lambda: gw.function(lambda x: x + 1 if x == 2 else x)(tf.constant(2))) == 3


def test_tensors_and_variables_of_the_graph_are_seen():
    def build():
        offset, variable = tf.constant(5), tf.Variable(3)

        @gw.convert()
        def added(x):
            if x == 2:
                x = x + offset
                variable.assign_add(1)
            return x + variable

        return added(tf.constant(2))

    assert fetched(build) == 11


def test_variables_are_made_in_the_graph():
    @gw.convert()
    def scaled(x):
        return x * tf.Variable(2.0) * v1.get_variable("w", [], initializer=v1.ones_initializer())

    def build():
        result = scaled(tf.constant(3.0))
        assert len(v1.global_variables()) == 2
        return result

    assert fetched(build) == 6.0


def test_what_is_no_tensor_stays_what_it_is():
    @gw.convert()
    def parts(x, scale, *, shift):
        return {"sum": x["a"] + x["b"] * scale, "count": 2, "none": None, "shift": shift}

    with tf.Graph().as_default(), v1.Session() as session:
        result = parts({"a": tf.constant(1), "b": 3}, 2, shift=tf.constant(7))
        assert (result["count"], result["none"]) == (2, None)
        assert session.run([result["sum"], result["shift"]]) == [7, 7]


def test_gradients_go_through():
    @gw.convert()
    def cubed(x):
        total = 1.0
        for _ in tf.range(3):
            total *= x
        return total

    def build():
        x = tf.constant(2.0)
        return tf.gradients(cubed(x), [x])

    assert fetched(build) == [12.0]


def test_composite_tensors_go_in_and_out():
    @gw.convert()
    def doubled(ragged):
        return ragged * 2

    result = fetched(lambda: doubled(tf.ragged.constant([[1], [2, 3]])))
    assert result.to_list() == [[2], [4, 6]]


class Box:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def test_what_is_left_on_objects_belongs_to_the_graph():
    @gw.convert()
    def counted(box, n):
        while n > 0:
            n -= 1
            box.count += 2
        if box.count > 3:
            box.large = box.count * 10
        else:
            box.large = 0
        box.seen.append(box.count)
        return n

    def build():
        box = Box(count=tf.constant(1), large=tf.constant(0), seen=[])
        seen = box.seen
        n = counted(box, tf.constant(3))
        assert seen is box.seen
        return n, box.count, box.large, seen

    assert fetched(build) == (0, 7, 70, [7])


def test_values_of_python_left_on_objects_stay_pythons():
    @gw.convert()
    def named(box, x):
        box.name = "named"
        return x + 1

    box = Box(name="")
    assert fetched(lambda: named(box, tf.constant(1))) == 2
    assert box.name == "named"


def test_an_iterator_moves_in_a_function_inside():
    @gw.convert()
    def paired(x):
        items = (part for part in [x, x * 2])

        def following(_):
            return next(items)

        return [following(key) for key in range(2)]

    assert fetched(lambda: paired(tf.constant(2))) == [2, 4]


@pytest.mark.parametrize("decorator", [gw.function, tf.function])
def test_what_a_graph_function_leaves_on_objects_is_its_own(decorator: Any):
    box = Box(cache={})

    @decorator
    def doubled(x):
        if "doubled" not in box.cache:
            box.cache["doubled"] = x * 2
        return box.cache["doubled"]

    assert fetched(lambda: doubled(tf.constant(2))) == 4


def test_a_graph_function_makes_variables_of_values_that_it_computes_at_once():
    box = Box()

    @gw.function
    def counted(x):
        if not hasattr(box, "total"):
            with tf.init_scope():
                start = tf.zeros([]) + 3.0
            box.total = tf.Variable(start)
        return box.total + x

    assert fetched(lambda: counted(tf.constant(2.0))) == 5.0


def test_the_callers_lists_and_dicts_are_changed():
    @gw.convert()
    def noted(x, seen, named):
        seen.append(x * 2)
        named["x"] = x
        return seen

    def build():
        seen, named = [tf.constant(1)], {"scale": 2}
        assert noted(tf.constant(3), seen, named=named) is not None
        return seen, named["x"]

    assert fetched(build) == ([1, 6], 3)


def test_one_object_stays_one_object():
    @gw.convert()
    def first(x, one, other):
        return one if one is other else [x]

    with tf.Graph().as_default():
        numbers = [1, 2]
        assert first(tf.constant(1), numbers, numbers) is numbers


def test_arguments_need_no_order_of_their_keys():
    one, other = Box(), Box()

    @gw.convert()
    def added(x, table):
        return x + table[one] + table[other]

    assert fetched(lambda: added(tf.constant(1), {one: tf.constant(2), other: 3})) == 6


def test_what_python_alone_computes_is_itself_and_adds_nothing_to_the_graph():
    spec = tf.RaggedTensorSpec([None, None], tf.int32)

    @gw.convert()
    def chosen(specs):
        return specs["ragged"]

    with tf.Graph().as_default() as graph:
        assert chosen({"ragged": spec}) is spec
        assert graph.get_operations() == []


def test_operations_are_of_the_graph():
    @gw.convert()
    def counted(variable, n):
        if n > 1:
            variable.assign_add(n)
        return tf.group(variable), variable.initializer

    with tf.Graph().as_default(), v1.Session() as session:
        variable = tf.Variable(1)
        step, initializer = counted(variable, tf.constant(2))
        assert initializer is variable.initializer
        session.run(initializer)
        session.run(step)
        assert session.run(variable) == 3


class Pair(composite_tensor.CompositeTensor):
    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second

    @property
    def _type_spec(self) -> tf.TypeSpec:
        return PairSpec()


class PairSpec(tf.TypeSpec):
    value_type = property(lambda self: Pair)  # pyright: ignore[reportIncompatibleMethodOverride]
    _component_specs = property(lambda self: [tf.TensorSpec([], tf.int32)] * 2)

    def _serialize(self) -> tuple[()]:
        return ()

    @gw.convert()
    def _to_components(self, value: Pair) -> list[Any]:
        return [value.first, value.second]

    @gw.convert()
    def _from_components(self, components: list[Any]) -> Pair:
        first, second = components
        return Pair(first, second)


def test_composite_tensors_are_put_together_by_converted_methods():
    @gw.convert()
    def swapped(pair):
        return Pair(pair.second, pair.first)

    def build():
        pair = swapped(Pair(tf.constant(1), tf.constant(2)))
        return pair.first, pair.second

    assert fetched(build) == (2, 1)


def test_gradients_of_arguments_are_taken_inside():
    @gw.convert()
    def both(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x if x > 1 else x
        return tape.gradient(y, x), tf.gradients(x * x * x, x)[0]

    assert fetched(lambda: both(tf.constant(3.0))) == (6.0, 27.0)


def test_a_session_runs_what_is_computed_inside():
    @gw.convert()
    def known(x):
        return v1.get_default_session().run(x * 2) + 1

    with tf.Graph().as_default(), v1.Session():
        assert known(tf.constant(3)) == 7


def test_an_init_scope_leads_to_the_graph():
    def build():
        offset = tf.constant(7)

        @gw.convert()
        def added(x):
            with tf.init_scope():
                once = offset + 1
            return x + once

        return added(tf.constant(3))

    assert fetched(build) == 11


def test_tensors_are_of_the_graph_wherever_they_are_held():
    class Doubled:
        def __init__(self, x: Any) -> None:
            self.x, self.y, self.operation = x, [x * 2], tf.no_op()

        def later(self) -> Any:
            return self.y[0] + 1

    @gw.convert()
    def held(x):
        return Doubled(x), iter([x * 5]), lambda: x * 4

    def build():
        doubled, items, quadrupled = held(tf.constant(3))
        assert doubled.operation.graph is v1.get_default_graph()
        return doubled.x, doubled.later(), next(items), quadrupled()

    assert fetched(build) == (3, 7, 15, 12)


def test_a_placeholder_made_inside_is_fed():
    @gw.convert()
    def doubled():
        fed = v1.placeholder(tf.float32, [])
        return fed, fed * 2

    with tf.Graph().as_default(), v1.Session() as session:
        fed, result = doubled()
        assert session.run(result, {fed: 4.0}) == 8.0


def test_a_variable_comes_back_as_it_is_assigned():
    def build():
        variable = tf.Variable(1)

        @gw.convert()
        def assigned(x):
            return variable.assign(x), variable.assign_add(1)

        first, second = assigned(tf.constant(3))
        with tf.control_dependencies([first, second]):
            return variable + 0

    assert fetched(build) == 4


def test_variables_that_are_made_inside_are_initialized_once():
    @gw.convert()
    def counted(x):
        variable = tf.Variable(x * 10)
        if x > 0:
            variable.assign_add(1)
        return variable.read_value()

    with tf.Graph().as_default(), v1.Session() as session:
        result = counted(tf.constant(1))
        session.run(v1.global_variables_initializer())
        assert [session.run(result) for _ in range(3)] == [11, 12, 13]


def test_effects_come_before_results():
    @gw.convert()
    def checked(x, seen):
        assert x > 0, "positive"
        for _ in tf.range(2):
            assert x > 1, "more than one"
        seen["x"] = x
        return tf.identity(x), tf.no_op()

    with tf.Graph().as_default(), v1.Session() as session:
        seen: dict[str, Any] = {}
        fed = v1.placeholder(tf.int32, [])
        result, operation = checked(fed, seen)
        assert session.run(result, {fed: 2}) == 2
        for wanted, value in [("positive", 0), ("more than one", 1)]:
            for each in (result, operation, seen["x"]):
                with pytest.raises(tf.errors.InvalidArgumentError, match=wanted):
                    session.run(each, {fed: value})


def test_tensors_compare_by_value_in_branches_and_loops():
    @gw.convert()
    def count(x, variable, known):
        found = 0
        for each in tf.range(4):
            if each == x or variable == each:
                found += 1
            if each != 3:
                found += 10
        return found, x in [2, 5], x == known, known is x, {x: "x"}[x]

    def build():
        x, known = tf.constant(2), tf.constant(2)
        *results, text = count(x, tf.Variable(1), known)
        assert (results.pop(), text) == (False, "x")
        return results

    assert fetched(build) == [32, True, True]


def test_tensors_compare_by_identity_outside_and_in_libraries():
    are_same: Any = eval("lambda one, other: one == other", {"__name__": "tensorflow.library"})

    @gw.convert()
    def is_two(x, other):
        return x == 2, are_same(x, other), are_same(x, x), x.ref() in {x.ref()}

    with tf.Graph().as_default(), v1.Session() as session:
        x, other = tf.constant(2), tf.constant(2)
        result, *in_library = is_two(x, other)
        assert session.run(result)
        assert in_library == [False, True, True]
        assert (x == other) is False
        assert (x != other) is True


_scale = [2]


def test_nothing_is_noted_about_the_graph_after_a_call():
    @gw.convert()
    def scaled(x, n):
        items = []
        for _ in tf.range(n):
            items.append(x * _scale[0])
        return tf.stack(items)

    def build():
        first = scaled(tf.constant(1), tf.constant(2))
        graph, kinds = v1.get_default_graph(), graph_notes._kinds  # pyright: ignore[reportPrivateUsage]
        assert [kind.get(graph) for kind in kinds if kind.get(graph) is not None] == []
        _scale[0] = 3
        return first, scaled(tf.constant(1), tf.constant(2))

    first, second = fetched(build)
    assert (first.tolist(), second.tolist()) == ([2, 2], [3, 3])


def test_an_error_inside_leaves_the_graph_as_it_was():
    @gw.convert()
    def failing(x):
        tf.print(x)
        raise ValueError("no")

    with tf.Graph().as_default() as graph, v1.Session() as session:
        with pytest.raises(ValueError, match="no"):
            failing(tf.constant(1))
        assert (tf.constant(1) == tf.constant(1)) is False
        assert session.run(is_two(tf.constant(2))) == 1
        assert len(graph.get_operations()) > 2


def test_eager_tensors_stay_themselves():
    eager = tf.constant(5)

    @gw.convert()
    def printed(x):
        tf.print(x)
        return x, [eager]

    with tf.Graph().as_default(), v1.Session() as session:
        result, (same,) = printed(tf.constant(1))
        assert same is eager
        assert session.run(result) == 1
