"""Programs about functions, lambdas and classes that are defined in the program or used by it."""

from __future__ import annotations

import dataclasses
import functools
import itertools

import graphwright as gw
import tensorflow as tf
from differential import Python, built, program

_COUNT = 0


@program(3, -3)
def closure_over_loop_variable(x):
    functions = []
    for k in range(3):

        def add(y, k=k):
            if y > 0:
                return y + k
            return y - k

        functions.append(add)
    return [f(x) for f in functions]


@program(3, -3)
def late_binding(x):
    functions = [lambda y: y + k if y > 0 else y - k for k in range(3)]
    k = 50
    return [f(x) for f in functions], k


@program(Python(5), Python(0))
def recursive_inner(n):
    def factorial(m):
        return 1 if m <= 1 else m * factorial(m - 1)

    return factorial(n)


@program((3, Python(4)), (-3, Python(2)))
def recursive_inner_with_tensor(x, depth):
    def go(y, d):
        if d == 0:
            return y
        if y > 0:
            y = y * 2
        return go(y + 1, d - 1)

    return go(x, depth)


@program(3, -3)
def decorated_inner(x):
    def doubled(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            result = f(*args, **kwargs)
            if result > 5:
                return result * 2
            return result

        return wrapper

    @doubled
    def g(y, *, plus=0):
        if y > 0:
            return y + plus
        return plus - y

    return g(x, plus=4), g(x)


@program(3, -3)
def defined_in_branches(x):
    if x is None:

        def f(y):
            return y
    else:

        def f(y):
            return y + 1 if y > 0 else y - 1

    return f(x)


@program(3, -3)
def inner_graph_functions(x):
    @tf.function(autograph=False)
    def plain(y):
        return y + 1

    @gw.function
    def converted(y):
        if y > 0:
            return y * 2
        return y

    return plain(x) + converted(x)


@program(3, 0)
def inner_generator_over_python(x):
    def numbers(n):
        for i in range(n):
            yield i

    total = x
    for i in numbers(4):
        total += i
    return total + sum(numbers(3))


@program(3, 0)
def nonlocal_two_levels(n):
    count = 0

    def middle():
        def inner(k):
            nonlocal count
            if k > 0:
                count += k

        inner(n)
        inner(1)

    middle()
    for _ in tf.range(n):
        middle()
    return count


@built(3, -3)
def global_in_a_branch():
    def f(x):
        global _COUNT
        _COUNT = 0
        if x > 0:
            _COUNT = _COUNT + x
        else:
            _COUNT = -x
        return _COUNT * 2

    return f, None


@program(3, -3)
def all_kinds_of_parameters(x):
    def f(a, /, b, c=2, *rest, d, e=5, **more):
        if a > 0:
            return a + b + c + sum(rest) + d + e + sum(more.values())
        return a - b

    return f(x, 1, d=4), f(x, 1, 2, 3, 4, d=x, z=9), f(*[x, 2], **{"d": 3})


@program((3, Python(2)), (-3, Python(2)))
def callbacks_in_containers(x, n):
    table = {"up": lambda y: y + n if y > 0 else y, "down": _lowered}
    steps = [table["up"], table["down"], lambda y: y * n]
    for step in steps:
        x = step(x)
    return x, table["up"](x)


def _lowered(y):
    if y > 2:
        return y - 2
    return y


@program(3, -3)
def functions_returning_functions(x):
    def outer(a):
        def inner(b):
            def innermost(c):
                if a > b:
                    return a + c
                return b - c

            return innermost

        return inner

    return outer(x)(1)(2), outer(1)(x)(3)


class _Shape:
    scale = 2

    def __init__(self, size):
        if size > 0:
            self.size = size
        else:
            self.size = -size
        self.__kept = self.size + 1

    def area(self):
        return self.size * self.scale

    @property
    def kept(self):
        return -self.__kept

    @classmethod
    def make(cls, size):
        return cls(size * cls.scale)

    @staticmethod
    def limit(x):
        if x > 4:
            return x - 4
        return x

    def __call__(self, x):
        if x > self.size:
            return x
        return self.size

    def __add__(self, other):
        return _Sum(self.size + other.size)

    def __getitem__(self, i):
        return self.size + i

    def __len__(self):
        return 3

    def __bool__(self):
        return True


class _Sum(_Shape):
    def __init__(self, size):
        self.size = size


class _Square(_Shape):
    def __init__(self, size):
        super().__init__(size)
        self.side = size

    def area(self):
        if self.size > 3:
            return super().area() + 1
        return super(_Square, self).area() - 1


@program(3, -3, 1)
def class_with_everything(x):
    shape = _Shape.make(x)
    both = shape + _Square(x)
    return shape.area(), both(x), both[x], shape.kept, _Shape.limit(x), len(shape), bool(shape), shape and 1


@program(5, -2)
def super_in_a_branch(x):
    return _Square(x).area()


@program(5, -2)
def class_defined_in_the_program(x):
    class Counter:
        start = 1

        def __init__(self):
            self.__count = self.start

        def add(self, y):
            if y > 0:
                self.__count += y
            else:
                self.__count -= 1
            return self

        def read(self):
            read = lambda: self.__count if self.__count > 0 else 0  # noqa: E731
            return read()

    return Counter().add(x).add(1).read()


@dataclasses.dataclass
class _Point:
    x: object
    y: object = 0

    def moved(self, dx):
        if dx > 0:
            return dataclasses.replace(self, x=self.x + dx)
        return _Point(self.x, self.y - dx)


@program(5, -2)
def dataclass_methods(d):
    point = _Point(d)
    for _ in range(2):
        point = point.moved(d)
    return point.x, point.y


@program(5, -2)
def partials(x):
    def f(a, b, *, c=0):
        if a > b:
            return a - b + c
        return b - a

    g = functools.partial(f, 1, c=10)
    h = functools.partial(functools.partial(f, b=x), c=5)
    return g(x), h(2), functools.reduce(lambda a, b: a if a > b else b, [x, 1, 2])


@program((5, Python(True)), (-2, Python(False)))
def function_picked_by_a_conditional(x, flag):
    f = tf.nn.relu if flag else _lowered
    g = _lowered if x is not None else None
    return f(x) + g(x)


class _Node:
    def __init__(self):
        self.__total = tf.constant(0)
        self.__names = []

    def run(self, xs):
        def inner(x):
            self.__total = self.__total + x
            return self.__scaled(x)

        def __local(y):
            return y + 1

        self.__names.append("a")
        for x in xs:
            if x > 1:
                inner(x)
                self.__total += __local(x)
        del self.__names[0]
        return self.__total, len(self.__names), (lambda: self.__scaled(xs))()

    def __scaled(self, x):
        return x * 2 if tf.reduce_sum(x) > 3 else x


@program([1, 2, 3], [1, 1])
def private_names_everywhere(xs):
    return _Node().run(xs)


@program(5, -2)
def immediately_called(x):
    y = (lambda a: (lambda b: a + b if a > b else a - b)(1))(x)

    def _():
        return y * 2 if y > 0 else y

    return _()


@program(3, 0)
def method_taken_as_a_value(x):
    shape = _Shape(x)
    area = shape.area
    limit = _Shape.limit
    methods = {"a": shape.__call__}
    return area() + limit(x) + methods["a"](x)


@program(3, 0)
def inner_function_with_loop_and_state(n):
    total = tf.constant(0)

    def add(k):
        nonlocal total
        for i in tf.range(k):
            if i == 2:
                continue
            total += i
        return total

    first = add(n)
    if n > 0:
        add(n + 1)
    return first, total


@program(4, -4)
def function_attributes_and_defaults(x):
    def f(y, seen=[0]):  # noqa: B006
        return y + len(seen) if y > 0 else y

    f.scale = 3
    return f(x) * f.scale


@program(4, -4)
def returned_lambda_is_called_later(x):
    def make(k):
        if k > 2:
            return lambda y: y + k
        return lambda y: y - k

    return make(3)(x) + make(1)(x)


@program(Python([1, 2, 3]), Python([4]))
def lambdas_of_a_loop_share_its_variable(xs):
    functions = []
    for i in xs:
        functions.append(lambda: i)
    return [f() for f in functions]


@program(Python([1, 2, 3]))
def functions_of_a_loop_share_its_variables(xs):
    functions = []
    for i in xs:
        doubled = i * 2

        def show():
            return i, doubled

        functions.append(show)
    return [f() for f in functions]


@program(Python([1, 2, 3]))
def a_lambda_sees_what_a_loop_assigns(xs):
    n = 0
    current = lambda: n
    out = []
    for x in xs:
        n += x
        out.append(current())
    return out, current()


@program(Python([1, 2, 3]))
def a_lambda_in_a_list_sees_what_a_loop_assigns(xs):
    n = 0
    functions = {"n": lambda: n}
    out = []
    for x in xs:
        n += x
        out.append(functions["n"]())
    return out


@program(Python([1, 2, 3]))
def a_method_sees_what_a_loop_assigns(xs):
    n = 0

    class Counter:
        def count(self):
            return n

    out = []
    for x in xs:
        n += x
        out.append(Counter().count())
    return out


@program(([1, 2, 3],), ([],))
def a_lambda_sees_what_a_graph_loop_assigns(xs):
    n = 0
    current = lambda: n
    total = 0
    for x in xs:
        n += x
        total += current()
    return total, current()


@program(Python([1, 2, 3]))
def a_lambda_made_in_a_branch_sees_later_values(xs):
    callback = None
    for x in xs:
        if x > 1:
            k = x
            callback = lambda: k
    k = 50
    return callback()


@program((Python([1, 2, 3]), 4))
def lambdas_of_a_comprehension_share_its_variable(xs, y):
    return [f() for f in [lambda: i * y for i in xs]]


@program(Python([3, 4]))
def generators_of_a_loop_share_its_variable(xs):
    made = []
    for i in xs:
        made.append(i * k for k in (1, 2))
    return [list(each) for each in made]


@program(Python(3))
def a_recursive_function_sets_a_variable_around(n):
    r = 0

    def f(k):
        nonlocal r
        if k == 0:
            r = 5
            return True
        return f(k - 1)

    f(n)
    return r


@program(Python(3))
def a_map_sees_what_the_loop_over_it_assigns(n):
    k = 0
    out = []
    for _, v in enumerate(map(lambda v: v + k, [1, 2])):
        k += 10
        out.append(v)
    return out, sum(1 for _ in iter(lambda: k, 20))


@program(Python(3))
def a_generator_sees_what_the_loop_over_it_assigns(n):
    k = 1
    out = []

    def made():
        for i in range(n):
            yield i * k

    for v in made():
        k += 1
        out.append(v)
    return out


@program(Python(3), Python(0))
def a_map_that_is_used_up_in_a_branch(n):
    k = 0
    made = map(lambda v: v + k, range(3))
    out = []
    if n:
        k = 10
        out = list(made)
    return out


@program(Python(1))
def takewhile_sees_what_the_loop_assigns(n):
    limit = 5
    out = []
    for v in itertools.takewhile(lambda v: v < limit, range(10)):
        limit -= n
        out.append(v)
    return out


@program(Python(1), 1)
def a_function_reads_what_a_branch_sets(x):
    def read():
        return y

    if x > 0:
        y = x
    return read()


@program(Python([1, 2, 3]), [1, 2])
def a_function_that_calls_another_sees_what_a_loop_assigns(xs):
    n = 0

    def inner():
        return n

    def outer():
        return inner()

    total = 0
    for x in xs:
        n += x
        total += outer()
    return total


@program(3, -1)
def named_values_where_a_function_begins(x):
    """Keeps what it's called with."""
    given = dict(locals())
    if x > 0:
        x = x * 2
    return x, given["x"], "-".join(given), "-".join(sorted(locals()))


@program(3, -3)
def class_sets_a_variable_in_a_branch(x):
    n = 1
    if x > 0:

        class Named:
            nonlocal n
            n = 2

    return x * n
