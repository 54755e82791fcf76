"""Tuples and dicts in attributes of a `tf.Module`, in whose place TensorFlow puts objects of its own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import tensorflow as tf
from differential import built, program


class Pair(NamedTuple):
    first: tf.Variable
    second: float


class Scales(tf.Module):
    def __init__(self):
        super().__init__()
        self.low = tf.Variable(1.0)
        self.bounds = (self.low, 2.0)
        self.pair = Pair(self.low, 2.0)


class Layer(tf.Module):
    def __init__(self):
        super().__init__()
        self.sizes = {"a": 1.0, "b": 2.0}
        self.nested = {"inner": {"a": 1.0}}


def popped(**given):
    bounds = given.pop("bounds", None)
    return bounds[0] * bounds[1]


@built(2.0, -2.0, unknown=True)
def a_tuple_that_is_popped_in_a_branch():
    scales = Scales()

    def scaled(x):
        given = {"bounds": scales.bounds}
        if x > 0:
            rest = dict(given)
            x = x * rest.pop("bounds")[1]
        return x

    return scaled, scales.low


@built(3, 0, unknown=True)
def a_tuple_that_a_function_pops_in_a_loop():
    scales = Scales()

    def summed(n):
        total = 0.0
        for _ in tf.range(n):
            total += popped(bounds=scales.bounds)
        return total

    return summed, scales.low


@built(2.0, -2.0, unknown=True)
def a_tuple_of_a_module_or_another():
    scales = Scales()

    def weighed(x):
        if x > 0:
            weights = scales.bounds
        else:
            weights = x, 3.0
        return x * weights[0] - weights[1]

    return weighed, scales.low


@built(3, 0, unknown=True)
def a_named_tuple_of_a_module_that_is_replaced():
    scales = Scales()

    def counted(n):
        pair = scales.pair
        for _ in tf.range(n):
            pair = pair._replace(second=pair.second + 1.0)
        return pair.first + pair.second

    return counted, scales.low


@built(2.0, -2.0, unknown=True)
def a_tuple_next_to_an_array_that_changes():
    scales = Scales()

    def scaled(x):
        if x > 0:
            row = np.zeros(2)
            row[0] = 2.0
            x = x * row[0].item() * scales.bounds[0]
        return x

    return scaled, scales.low


@program(2.0, -2.0)
def a_dict_of_a_module_or_another(x):
    sizes = Layer().sizes
    if x > 0:
        sizes = {"a": x, "b": x}
    return sizes["a"] + sizes["b"]


@program(2.0, -2.0)
def an_item_of_a_modules_dict_that_a_branch_sets(x):
    layer = Layer()
    if x > 0:
        layer.sizes["a"] = 5.0
        layer.nested["inner"]["a"] = x
    return layer.sizes["a"], layer.nested["inner"]["a"]


@program(3, 0)
def items_of_a_modules_dict_that_a_loop_counts(n):
    layer = Layer()
    for _ in tf.range(n):
        layer.sizes["a"] += 2.0
    return layer.sizes["a"], layer.sizes["b"]


@program(3, 0, refused="TypeError: `sizes` is a dict of a tf.Module")
def a_modules_dict_that_a_loop_changes_by_a_name(n):
    layer = Layer()
    sizes = layer.sizes
    for _ in tf.range(n):
        sizes["a"] = sizes["a"] + 1.0
    return layer.sizes["a"]


def put(sizes, size):
    sizes["a"] = size


@program(2.0, -2.0, refused="TypeError: the module's dict `sizes` changes in a branch")
def a_modules_dict_that_a_function_changes(x):
    layer = Layer()
    if x > 0:
        put(layer.sizes, 5.0)
    return layer.sizes["a"]
