"""Programs about if, elif, else, conditional expressions, and, or, not and comparisons."""

from __future__ import annotations

import tensorflow as tf
from differential import Python, program


@program((2.0, 1.0), (-0.5, 1.0), (1.0, 1.0))
def huber(a, delta):
    if tf.abs(a) <= delta:
        loss = a * a / 2
    else:
        loss = delta * (tf.abs(a) - delta / 2)
    return loss


@program(3.0, -3.0)
def relu_in_place(x):
    if x < 0:
        x = x * 0.0
    return x


@program(95, 85, 75, 10)
def grade(points):
    if points >= 90:
        mark = 1
    elif points >= 80:
        mark = 2
    elif points >= 70:
        mark = 3
    else:
        mark = 5
    return mark


@program(3.0, -3.0, 0.0)
def sign_by_returns(x):
    if x > 0:
        return 1.0
    if x < 0:
        return -1.0
    return 0.0


@program((1.0, 2.0), (2.0, 1.0), (-1.0, -2.0), (-2.0, -1.0))
def quadrant(x, y):
    if x > 0:
        if y > x:
            z = y
        else:
            z = x
    else:
        if y > x:
            z = -x
        else:
            z = -y
    return z


@program((3.0, 1.0), (1.0, 3.0))
def order_two(a, b):
    if a > b:
        a, b = b, a
    return a, b


@program(4, 7)
def halve_or_triple(n):
    return n // 2 if n % 2 == 0 else 3 * n + 1


@program(-5, 5, 15)
def clamp_nested_expression(x):
    return 0 if x < 0 else (10 if x > 10 else x)


@program(5.0, -5.0, 50.0)
def within_bounds(x):
    if 0.0 < x < 10.0:
        return x
    return tf.constant(-1.0)


@program((1, 2, 3), (3, 2, 1), (1, 3, 2))
def sorted_triple(a, b, c):
    ordered = a <= b <= c
    return tf.cast(ordered, tf.int32)


@program((True, True), (True, False), (False, False))
def both(a, b):
    if a and b:
        return 1
    return 0


@program((True, False), (False, False), (False, True))
def either(a, b):
    return 10 if a or b else 20


@program(True, False)
def neither(a):
    if not a:
        x = 1
    else:
        x = 2
    return x


@program((4.0, 2.0), (4.0, 0.0))
def guarded_division(a, b):
    if b != 0.0 and a / b > 1.0:
        return a / b
    return a


@program((1, 2), (2, 2), (3, 5))
def mixed_operators(a, b):
    if (a == b or a > b + 1) and not b == 0:
        return a + b
    return a - b


@program((2.0, Python(True)), (2.0, Python(False)))
def python_flag(x, double):
    if double:
        x = x * 2.0
    return x


@program((2.0, Python(None)), (-2.0, Python(None)), (2.0, 3.0), (-2.0, 3.0))
def optional_scale(x, scale):
    if scale is not None and x > 0:
        x = x * scale
    return x


@program((2.0, Python("relu")), (-2.0, Python("relu")), (-2.0, Python("square")), (-2.0, Python("none")))
def activation_by_name(x, name):
    if name == "relu":
        if x < 0:
            return tf.zeros_like(x)
        return x
    elif name == "square":
        return x * x
    else:
        return x


@program([1.0, 2.0], [-1.0, -2.0], unknown=True)
def on_the_mean(x):
    if tf.reduce_mean(x) > 0:
        x = x / tf.reduce_sum(x)
    else:
        x = -x
    return x


@program([1, 2, 3], [], unknown=True)
def emptiness(x):
    if tf.size(x) == 0:
        return -1
    return tf.reduce_sum(x)


@program(1.0, -1.0)
def side_only_used_there(x):
    if x > 0:
        squared = x * x
        y = squared + x
    else:
        y = x
    return y


@program((5, 3), (3, 5), (4, 4))
def compare_numbers(a, b):
    if a > b:
        bigger, smaller, equal = a, b, False
    elif a == b:
        bigger, smaller, equal = a, b, True
    else:
        bigger, smaller, equal = b, a, False
    return {"bigger": bigger, "smaller": smaller, "equal": equal}


@program(2024, 1900, 2000, 2023)
def leap_year(year):
    if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0):
        return 366
    return 365


@program((1.0, 5.0, 6.0), (1.0, 2.0, 1.0), (1.0, 0.0, 1.0))
def quadratic_roots(a, b, c):
    discriminant = b * b - 4.0 * a * c
    if discriminant > 0:
        root = tf.sqrt(discriminant)
        return (-b + root) / (2.0 * a), (-b - root) / (2.0 * a)
    elif discriminant == 0:
        return -b / (2.0 * a), -b / (2.0 * a)
    else:
        return tf.constant(0.0), tf.constant(0.0)


@program(3, 4, -1)
def parity_message(n):
    if n < 0:
        message = "negative"
    elif n % 2:
        message = "odd"
    else:
        message = "even"
    return tf.constant(message) if isinstance(message, str) else message


@program((2, [1, 2, 3]), (7, [1, 2, 3]))
def membership(x, xs):
    if x in xs:
        return 1
    return 0


@program((2, Python([1, 2, 3])), (7, Python([1, 2, 3])))
def membership_in_python_list(x, allowed):
    return x not in allowed


@program((Python("a"), 1), (Python("z"), 1))
def membership_in_python_dict(key, x):
    table = {"a": 10, "b": 20}
    if key in table:
        return x + table[key]
    return x


@program((1, 1), (1, 2))
def equality_into_a_name(a, b):
    same = a == b
    different = a != b
    if same:
        return a
    if different:
        return a + b
    return 0


@program(3.0, -3.0)
def expression_as_an_argument(x):
    return tf.square(x if x > 0 else x / 2) + (1.0 if x > 0 else 0.0)


@program((3.0, 1.0), (-3.0, 1.0))
def swap_in_expression(x, y):
    x, y = (x, y) if x > y else (y, x)
    return x - y


@program(8, 9, 3)
def conditions_in_a_row(n):
    count = 0
    if n % 2 == 0:
        count += 1
    if n % 3 == 0:
        count += 1
    if n > 5:
        count += 1
    return count


@program((1.0, True), (1.0, False))
def nothing_in_branch(x, flag):
    if flag:
        pass
    else:
        x = x + 1.0
    return x


@program((0.5, 3), (1.5, 3), (0.5, 0))
def learning_rate(rate, step):
    if step == 0:
        return rate
    warm = rate * tf.cast(step, tf.float32) / 10.0
    return warm if rate < 1.0 else 1.0 / warm


@program((3, 5), (5, 3))
def both_sides_return(a, b):
    if a < b:
        result = b - a
        return result * 2
    else:
        result = a - b
        return result * 3


@program((0, 5.0), (1, 5.0), (2, 5.0), (3, 5.0))
def dispatch(op, x):
    if op == 0:
        return x + 1.0
    if op == 1:
        return x - 1.0
    if op == 2:
        return x * 2.0
    return x / 2.0


@program((2.0, 3), (-2.0, 3))
def elif_falls_through(x, n):
    y = x
    if n > 5:
        return x * 10.0
    if x > 0:
        y = x + 1.0
    else:
        y = x - 1.0
    y = y * 2.0
    return y


@program((True, 2.0), (False, 2.0))
def tensor_flag_negated_twice(flag, x):
    return x if flag else -x


@program([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], unknown=True)
def branch_with_matrix_work(x):
    m = tf.tensordot(x, x, 0)
    if x[0] < x[-1]:
        m = tf.linalg.matrix_transpose(m) + 1.0
    else:
        m = m - tf.linalg.diag(x)
    return tf.reduce_sum(m, axis=0)


@program([1.0, -2.0], [-1.0, 3.0], [0.0, 0.0])
def operands_of_different_kinds(xs):
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x)
    n = tf.cast(xs[0], tf.int32)
    text = xs[0] > 0 and "yes" or "no"
    number = (xs[0] > 0 and xs[0]) or 5.0
    others = n or xs[0] < 0, xs[0] > 0 or n, xs[0] > 0 and n, n and xs[0] > 0
    return text, number, sum(kept or [9.0]), [tf.cast(each, tf.int32) for each in others]


@program([1.0], [-1.0])
def truth_of_operands_of_different_kinds(xs):
    name = xs[0] > 0 and "a"
    y = 1.0 if name else 2.0
    return y, not (xs[0] > 0 and "yes")


@program([1.0], refused="TypeError: of different kinds")
def operand_of_another_kind_is_returned(xs):
    return xs[0] > 0 and "yes"


@program([0, 3], [0, 0])
def sparse_tensor_is_true_to_python(x):
    sparse = tf.sparse.from_dense(x)
    total = tf.sparse.reduce_sum(sparse) if sparse else tf.constant(-1)
    if not sparse:
        total += 100
    while sparse and total < 10:
        total += 4
    return total, [total for _ in range(2) if sparse]
