"""A context manager sets and restores options of a library; a decorator traces or runs eagerly by them."""

import contextlib
import functools

import tensorflow as tf


class TemporarilySet:
    def __init__(self, value, setter, getter):
        self.setter, self.old_value = setter, getter()
        setter(value)

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.setter(self.old_value)


class Run:
    def __init__(self):
        self.graph = True

    def set_graph(self, value):
        def setter(new):
            self.graph = new

        return TemporarilySet(value, setter, lambda: self.graph)


run = Run()


class DoNotCompile(Exception):
    pass


def function(func=None, **kwargs):
    if func is None:
        return functools.partial(function, **kwargs)
    traced, currently_traced, state = tf.function(func, **kwargs), set(), {"compile": True}

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        if not run.graph or func in currently_traced or not tf.executing_eagerly() or not state["compile"]:
            return func(*args, **kwargs)
        currently_traced.add(func)
        try:
            return traced(*args, **kwargs)
        except DoNotCompile:
            state["compile"] = False
            return func(*args, **kwargs)
        finally:
            with contextlib.suppress(KeyError):
                currently_traced.remove(func)

    return wrapper


@function(autograph=False)
def integral(x):
    return tf.reduce_sum(0.5 * (x[1:] + x[:-1]))


@function(reduce_retracing=True)
def normalized(x):
    return x / integral(x)


@function(autograph=False)
def numerically(x):
    if not tf.executing_eagerly():
        raise DoNotCompile
    return tf.constant(x.numpy().sum())


def drive():
    x = tf.ones([4])
    assert float(integral(normalized(x))) == 1.0
    with run.set_graph(False):
        assert not run.graph and float(normalized(x)[0]) > 0.3
    assert run.graph and float(numerically(x)) == 4.0 and float(numerically(x)) == 4.0
