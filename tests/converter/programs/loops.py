"""Programs about while and for over ranges, tensors and Python values, also nested, without jumps."""

from __future__ import annotations

import tensorflow as tf
from differential import Python, program


@program(6, 1, 27)
def collatz_steps(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@program(5, 0)
def sum_of_range(n):
    total = 0
    for i in range(n):
        total += i
    return total


@program((2, 9), (5, 5))
def sum_between(start, stop):
    total = 0
    for i in tf.range(start, stop):
        total += i
    return total


@program((0, 10, 3), (10, 0, -4), (0, 0, 1))
def stepped_range(start, stop, step):
    last = -1
    for i in range(start, stop, step):
        last = i
    return last


@program([1.0, 2.0, 3.0], [-1.0], unknown=True)
def sum_of_squares(xs):
    total = 0.0
    for x in xs:
        total += x * x
    return total


@program([[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]], unknown=True)
def sum_of_rows(rows):
    total = tf.zeros([2])
    for row in rows:
        total = total + row
    return total


@program([[1, 2], [3, 4], [5, 6]], unknown=True)
def nested_rows(table):
    total = 0
    for row in table:
        for x in row:
            total = total * 2 + x
    return total


@program((48, 18), (7, 0), (17, 5))
def greatest_common_divisor(a, b):
    while b > 0:
        a, b = b, a % b
    return a


@program(10, 1, 0)
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program(2.0, 9.0, 0.25)
def newton_square_root(x):
    guess = x
    while tf.abs(guess * guess - x) > 1e-4:
        guess = (guess + x / guess) / 2.0
    return guess


@program((2.0, 10), (2.0, 0), (3.0, 5))
def power_by_squaring(base, exponent):
    result = 1.0
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base
        base = base * base
        exponent = exponent // 2
    return result


@program((3, 4), (0, 4), (3, 0))
def multiplication_table_sum(rows, columns):
    total = 0
    for i in range(rows):
        for j in range(columns):
            total += i * j
    return total


@program(4, 0)
def triangle(n):
    total = 0
    for i in range(n):
        for j in range(i + 1):
            total += j
    return total


@program([3.0, 1.0, 2.0], [1.0], unknown=True)
def running_maximum(xs):
    best = xs[0]
    for x in xs:
        if x > best:
            best = x
    return best


@program([3, -1, 4, -1, 5], [0], unknown=True)
def signs_apart(xs):
    positive, negative = 0, 0
    for x in xs:
        if x > 0:
            positive += x
        elif x < 0:
            negative += x
    return positive, negative


@program((1.0, Python(4)), (1.0, Python(0)))
def python_count(x, times):
    for _ in range(times):
        x = x * 1.5
    return x


@program((2.0, Python([1.0, 0.5, 2.0])), (2.0, Python([])))
def python_list(x, factors):
    for factor in factors:
        if x > 1.0:
            x = x * factor
    return x


@program((5.0, 2.0), (1.0, 2.0))
def loop_variable_left_alone(x, y):
    while x > 0:
        x = x - y
    return x, y


@program(100, 1)
def digits(n):
    count = 0
    while n > 0:
        n //= 10
        count += 1
    return count


@program(12345, 0)
def reverse_number(n):
    reverse = 0
    while n > 0:
        reverse = reverse * 10 + n % 10
        n = n // 10
    return reverse


@program((1.0, 3), (0.5, 0))
def geometric_series(q, n):
    total = 0.0
    term = 1.0
    for _ in tf.range(n):
        total += term
        term *= q
    return total


@program([1.0, 2.0, 3.0], [4.0], unknown=True)
def mean_and_variance(xs):
    mean = 0.0
    squares = 0.0
    count = 0.0
    for x in xs:
        count += 1.0
        delta = x - mean
        mean += delta / count
        squares += delta * (x - mean)
    return mean, squares / count


@program(([1.0, 2.0], [3.0, 4.0]), ([0.0, 0.0], [1.0, 1.0]))
def dot_by_index(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@program(([1.0, -2.0, 0.5], 2.0), ([], 2.0), unknown=True)
def horner(coefficients, x):
    value = 0.0
    for c in coefficients:
        value = value * x + c
    return value


@program(10, 2, 1)
def count_primes(n):
    primes = 0
    for candidate in range(2, n):
        divisors = 0
        for d in range(2, candidate):
            if candidate % d == 0:
                divisors += 1
        if divisors == 0:
            primes += 1
    return primes


@program((20.0, 0.1), (0.05, 0.1))
def gradient_descent(x, rate):
    while tf.abs(x) > 0.1:
        x = x - rate * 2.0 * x
    return x


@program([[1.0, 2.0], [3.0, 4.0]])
def power_iteration(matrix):
    vector = tf.ones([2])
    for _ in tf.range(10):
        vector = tf.linalg.matvec(matrix, vector)
        vector = vector / tf.norm(vector)
    return vector


@program((3, 2.0), (0, 2.0))
def while_with_two_conditions(n, x):
    i = 0
    while i < n and x < 10.0:
        x = x * 2.0
        i += 1
    return i, x


@program((0, 5), (7, 5))
def while_or(a, b):
    while a < 3 or b < 3:
        a += 1
        b += 1
    return a, b


@program((3, True), (3, False))
def while_not(n, done):
    turns = 0
    while not done:
        turns += 1
        done = turns >= n
    return turns


@program((2, 3), (0, 3))
def while_in_while(n, m):
    total = 0
    i = 0
    while i < n:
        j = 0
        while j < m:
            total += i + j
            j += 1
        i += 1
    return total


@program([5, 2, 8], [1], unknown=True)
def positions(xs):
    at = 0
    smallest_at = 0
    for x in xs:
        if x < xs[smallest_at]:
            smallest_at = at
        at += 1
    return smallest_at


@program(3, 0)
def item_after_the_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


@program((1.0, 4), (1.0, 0))
def continued_fraction(x, depth):
    value = x
    for _ in range(depth):
        value = x + 1.0 / value
    return value


@program(([1.0, 0.0], [0.5, 0.5], 3), ([1.0, 0.0], [0.5, 0.5], 0))
def euler_steps(position, velocity, steps):
    for _ in tf.range(steps):
        position = position + 0.1 * velocity
        velocity = velocity - 0.1 * position
    return position, velocity


@program([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], unknown=True)
def simple_rnn(inputs):
    state = tf.zeros([2])
    for x in inputs:
        state = tf.tanh(x + 0.5 * state)
    return state


@program(6, 1)
def factorial(n):
    result = 1
    for i in range(1, n + 1):
        result *= i
    return result


@program(3, 0)
def tuple_state(n):
    pair = (0, 1)
    for i in range(n):
        pair = (pair[1], pair[0] + i)
    return pair


@program(4, 0)
def state_in_a_dict(n):
    state = {"sum": 0, "product": 1}
    for i in range(1, n + 1):
        state = {"sum": state["sum"] + i, "product": state["product"] * i}
    return state


@program([True, False, True], [False], unknown=True)
def count_true(flags):
    count = 0
    for flag in flags:
        if flag:
            count += 1
    return count


@program(([1, 2, 3], [10, 20]), unknown=True)
def outer_product_sum(xs, ys):
    total = 0
    for x in xs:
        for y in ys:
            if (x + y) % 2 == 0:
                total += x * y
            else:
                total -= 1
    return total


@program(7, 3, Python(7))
def while_true_sets_what_is_read_behind_it(n):
    while True:
        n = n - 1
        half = n * 2
        if half < 4:
            break
    return half


@program([-1, 4, -1, 5], [4, -1, 4, -1], [-1, 0, 0, 0])
def what_a_choice_gives_is_compared(tokens):
    position = 0
    steps = []
    while (tokens[position] if position < 3 else -9) == -1:
        position += 2
        steps.append(position)
        if position > 7:
            break
    else:
        steps.append(100)
    return position, steps


@program(3.0, 0.0)
def what_a_choice_of_numbers_gives(n):
    total = 0.0
    while (total * 2 if total < n else -1.0) >= 0:
        total += 1.0
    return total
