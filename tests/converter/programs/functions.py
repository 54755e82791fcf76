"""Programs about closures, nonlocal, global, recursion, lambdas, partials, methods, classes and callable objects."""

from __future__ import annotations

import functools
import operator

import graphwright as gw
import tensorflow as tf
from differential import Python, built, program

LIMIT = 10.0
calls = 0
total = 0


def damped(x):
    if x > LIMIT:
        return LIMIT
    return x


def first_negative(xs):
    for x in xs:
        if x < 0:
            return x
    return tf.zeros([])


def twice(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2.0

    return wrapper


@twice
def decorated(x):
    if x > 0:
        return x + 1.0
    return x - 1.0


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        if x > 0:
            return x * self.factor
        return x

    def iterate(self, x, n):
        for _ in range(n):
            x = self(x)
        return x

    @staticmethod
    def clip(x):
        return x if x < 5.0 else 5.0 + 0.0 * x

    @classmethod
    def doubled(cls, x):
        return cls(2.0)(x)


@program(3.0, 30.0)
def calls_a_helper(x):
    return damped(x) + 1.0


@program([1.0, -2.0, 3.0], [1.0], unknown=True)
def calls_a_helper_with_a_loop(xs):
    return first_negative(xs) * 2.0


@program(3.0, -3.0)
def calls_a_decorated_function(x):
    return decorated(x)


@program(3.0, -3.0)
def inner_function(x):
    def half(v):
        if v > 0:
            return v / 2.0
        return v

    return half(x) + half(-x)


@program((3.0, 2.0), (-3.0, 2.0))
def closure_reads(x, y):
    def choose():
        if x > 0:
            return x
        return y

    return choose() * y


@program(4, 0)
def nonlocal_in_a_loop(n):
    total = 0

    def add(x):
        nonlocal total
        total = total + x

    for i in range(n):
        add(i)
    return total


@program(3.0, -3.0)
def nonlocal_in_a_branch(x):
    count = 0

    def note():
        nonlocal count
        count += 1

    if x > 0:
        note()
    else:
        note()
        note()
    return count


@program(3.0, -3.0)
def nonlocal_assigned_inside(x):
    result = x

    def update():
        nonlocal result
        if result > 0:
            result = result * 2.0

    update()
    return result


@built(2.0)
def global_python_counter():
    def call(x):
        global calls
        calls = 5
        if x > 0:
            x = x * calls
        return x

    return call, lambda: calls


@program(4, 0)
def global_in_a_loop(n):
    global total
    total = 0
    for i in range(n):
        total = total + i
    return total


@program((2.0, Python(3)), (2.0, Python(0)))
def python_recursion(x, depth):
    def grow(v, d):
        if d == 0:
            return v
        if v > 10.0:
            return v
        return grow(v * 2.0, d - 1)

    return grow(x, depth)


@program(3.0, -3.0)
def lambda_with_condition(x):
    pick = lambda v: v * 2.0 if v > 0 else v
    return pick(x)


@program(3.0, -3.0)
def two_lambdas_on_one_line(x):
    f, g = (lambda v: v if v > 0 else -v), (lambda v: v * 2.0 if v > 0 else v)
    return f(x) + g(x)


@program((3.0, 4.0), (-3.0, 4.0))
def partial_of_a_function(x, y):
    def combine(a, b, sign):
        if a > 0:
            return a + sign * b
        return a - sign * b

    add = functools.partial(combine, sign=1.0)
    return add(x, y)


@program((3.0, 3), (-3.0, 3))
def callable_object(x, n):
    scale = Scale(1.5)
    return scale(x) + scale.iterate(x, n)


@program(3.0, 30.0, -3.0)
def static_and_class_methods(x):
    return Scale.clip(x) + Scale.doubled(x)


@program((3.0, Python("clip")), (-3.0, Python("doubled")))
def method_by_name(x, name):
    return getattr(Scale, name)(x)


@program([1.0, -2.0, 3.0], unknown=True)
def higher_order(xs):
    def apply(function, values):
        total = 0.0
        for v in values:
            total += function(v)
        return total

    return apply(lambda v: v if v > 0 else 0.0, xs)


@program([1.0, -2.0, 3.0], unknown=True)
def map_fn_of_a_function(xs):
    def rectify(x):
        if x < 0:
            return 0.0 * x
        return x

    return tf.map_fn(rectify, xs)


@program((1.0, 2.0), (2.0, 1.0))
def branches_of_cond(a, b):
    def larger():
        if a > 1.5:
            return a * 2.0
        return a

    return tf.cond(a > b, larger, lambda: b)


@program((3, 4), (0, 4))
def default_and_keyword_arguments(n, m):
    def power(base, times=2, *, start=1):
        for _ in range(times):
            start = start * base
        return start

    return power(n) + power(m, times=3) + power(n, start=2)


@program((1.0, 2.0, 3.0), (-1.0, 2.0, 3.0))
def star_arguments(a, b, c):
    def total(*values, scale=1.0, **extra):
        result = 0.0
        for v in values:
            if v > 0:
                result += v * scale
        for v in extra.values():
            result -= v
        return result

    return total(a, b, scale=2.0, c=c)


@program(3.0, -3.0)
def function_in_a_dict(x):
    table = {"double": lambda v: v * 2.0, "damp": damped}
    if x > 0:
        return table["double"](x)
    return table["damp"](x)


@program(3.0, -3.0)
def functions_chosen_in_a_branch(x):
    if x > 0:
        y = tf.square(x)
    else:
        y = tf.abs(x)
    return y


@program(([1.0, 2.0, 3.0, 4.0],), unknown=True)
def scan_with_a_function(xs):
    def step(carry, x):
        if x > 2.0:
            return carry * x
        return carry + x

    return tf.scan(step, xs)


@program((5, 3), (3, 5))
def mutual_helpers(a, b):
    def is_even(n):
        while n > 1:
            n = n - 2
        return n == 0

    def choose(n, m):
        return n if is_even(n) else m

    return choose(a, b)


@program(2.0, 20.0)
def nested_tf_function(x):
    @tf.function(autograph=False)
    def inner(v):
        return v * 2.0

    if x > 10.0:
        return inner(x)
    return inner(x) + 1.0


@program((2.0, 3), (2.0, 0))
def factory_of_functions(x, n):
    def make(factor):
        def multiply(v):
            return v * factor if v < 10.0 else v

        return multiply

    step = make(2.0)
    for _ in range(n):
        x = step(x)
    return x


@program((3.0, 4.0), (-3.0, 4.0))
def class_defined_inside(x, y):
    class Line:
        def __init__(self, slope, offset):
            self.slope = slope
            self.offset = offset

        def at(self, t):
            if t < 0:
                return self.offset
            return self.slope * t + self.offset

    return Line(y, 1.0).at(x)


@program((7, 3), (3, 7))
def operator_functions(a, b):
    if operator.gt(a, b):
        return operator.sub(a, b)
    return operator.add(a, b)


@program([1.0, 2.0, 3.0])
def reduce_of_a_python_list(xs):
    return functools.reduce(lambda a, b: a * b if a > 1.0 else a + b, [xs[0], xs[1], xs[2]])


@program((3.0, 2), (0.5, 2))
def custom_gradient_is_kept(x, n):
    @tf.custom_gradient
    def clipped(v):
        def grad(dy):
            return tf.clip_by_value(dy, -0.1, 0.1)

        return v * v, grad

    for _ in range(n):
        if x > 1.0:
            x = clipped(x)
    return x


@program((1.0, 4), (1.0, 0))
def late_binding_of_closures(x, n):
    factor = 1.0

    def scaled(v):
        return v * factor

    for _ in range(n):
        factor = factor + 1.0
    return scaled(x)


class Layer(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(2.0)

    @tf.Module.with_name_scope
    def __call__(self, x):
        if tf.reduce_sum(x) > 0:
            return x * self.weight
        return x


@built([1.0, 2.0], [-1.0, -2.0], unknown=True)
def module_layer():
    layer = Layer()

    def call(x):
        return layer(x) + 1.0

    return call, layer.weight


@built([1.0, 2.0], [-1.0, -2.0])
def keras_model():
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.scale = 2.0

        def call(self, x):
            if tf.reduce_mean(x) > 0:
                return x * self.scale
            return x - self.scale

    model = Model()

    def call(x):
        return model(x)

    return call, None


@built([1.0, 2.0], [-1.0, -2.0])
def keras_model_with_a_converted_call():
    class Model(tf.keras.Model):
        @gw.convert()
        def call(self, x):
            if tf.reduce_mean(x) > 0:
                return x * 2.0
            return x - 2.0

    model = Model()

    def call(x):
        return model(x)

    return call, None


@program([3.0, 1.0, 2.0])
def function_that_yields(xs):
    def positive(values):
        for v in [values[0], values[1]]:
            yield v * 2.0

    total = 0.0
    for x in positive(xs):
        total += x
    return total


@program([3.0, 1.0, 2.0], refused="ConversionError: yield")
def generator(xs):
    for x in xs:
        yield x


@program(3.0, refused="ConversionError: async")
async def coroutine(x):
    return x


@program(([1, 2, 3],), unknown=True)
def builtins_under_other_names(x):
    size, numbers, whole = len, range, int
    total = 0
    for k in numbers(size(x)):
        total += k
    return total, whole(x[0] * 2)


def _counted(numbers, n):
    total = 0
    for k in numbers(n):
        total += k
    return total


@program(4, 0, Python(3))
def a_builtin_as_an_argument(n):
    return _counted(range, n)


@program((3, Python(True), Python(True)), (3, Python(False), Python(True)), (-3, Python(True), Python(False)))
def a_global_declared_in_an_inner_if(x, first, second):
    if first:
        if second:
            global _TIMES
            _TIMES = 7
    if x > 0:
        if second:
            x = x * _TIMES
    return x


_TIMES = 0


@program((3, Python(False)), (3, Python(True)))
def a_global_that_is_not_there_yet(x, first):
    if first:
        global _LATE
        _LATE = 3
        del _LATE
    return x


@program([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
def unpacked_tensors_as_arguments(pairs):
    def scaled(a, b=1.0, *, by=1.0):
        return (a - b) * by

    def counted(*values):
        return scaled(*values) * len(values)

    total = 0.0
    for pair in pairs:
        total += scaled(*pair, by=2.0) + counted(*pair)
    each = [scaled(*pair) for pair in pairs]
    first, second = (*pairs[0],), [*pairs[1], 7.0]
    return total, each, first, second, max(*pairs[2])
