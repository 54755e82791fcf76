"""Programs about break, continue and return anywhere, and about else after loops."""

from __future__ import annotations

import tensorflow as tf
from differential import Python, program


@program([1, 3, 8, 5], [1, 3], [], unknown=True)
def first_even(xs):
    for x in xs:
        if x % 2 == 0:
            return x
    return -1


@program([1.0, 2.0, -3.0, 4.0], [1.0], [-1.0, 2.0], unknown=True)
def sum_until_negative(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            break
        total += x
    return total


@program([1.0, -2.0, 3.0], [-1.0], unknown=True)
def sum_of_positive(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            continue
        total += x
    return total


@program(10, 3)
def search_with_while_true(limit):
    n = 1
    while True:
        n = n * 2
        if n > limit:
            break
    return n


@program(30, 7, 1)
def return_from_while_true(n):
    d = 2
    while True:
        if d >= n:
            return n
        if n % d == 0:
            return d
        d += 1


@program(7, 1)
def return_from_the_first_iteration(n):
    while n > 0:
        return n


@program(7, 9, 2)
def is_prime_with_else(n):
    for d in range(2, n):
        if n % d == 0:
            prime = False
            break
    else:
        prime = True
    return prime


@program((5, 3), (5, 100), (0, 3))
def while_else(n, limit):
    total = 0
    while n > 0:
        total += n
        n -= 1
        if total > limit:
            break
    else:
        total = -total
    return total


@program(([3, 4, 5], 4), ([3, 4, 5], 9), ([], 1), unknown=True)
def index_of(xs, wanted):
    at = 0
    for x in xs:
        if x == wanted:
            return at
        at += 1
    return -1


@program(([1, 2, 3], 4), ([1, 2, 3], 40), ([], 4), unknown=True)
def first_over_sum_else(xs, limit):
    total = 0
    for x in xs:
        total += x
        if total >= limit:
            break
    else:
        return -1
    return total


@program(5, 20, 0)
def skip_multiples(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        if i > 10:
            break
        total += i
    return total


@program([[1, 2, 3], [4, 0, 6], [7, 8, 9]], [[1, 2, 3]], unknown=True)
def break_inner(rows):
    total = 0
    for row in rows:
        for x in row:
            if x == 0:
                break
            total += x
    return total


@program(([[1, 2], [3, 4]], 3), ([[1, 2], [3, 4]], 9), unknown=True)
def return_from_two_loops(rows, wanted):
    at = 0
    for row in rows:
        for x in row:
            if x == wanted:
                return at
            at += 1
    return -1


@program(([[1, 2], [-3, 4], [5, 6]],), ([[1, 2]],), unknown=True)
def continue_outer_by_flag(rows):
    total = 0
    for row in rows:
        bad = False
        for x in row:
            if x < 0:
                bad = True
                break
        if bad:
            continue
        total += tf.reduce_sum(row)
    return total


@program((3.0, 2.0), (-3.0, 2.0), (3.0, -2.0), (-3.0, -2.0))
def nested_one_sided_returns(x, y):
    if x > 0:
        if y > 0:
            return x * y
        x = x + 10.0
    if y > 0:
        return x
    return x - y


@program((1, 5), (3, 5), (9, 5), (-1, 5))
def elif_that_falls_through(n, m):
    if n < 0:
        return -1
    if n < 2:
        m += 1
    elif n < 5:
        return m
    else:
        m -= 1
    return m * 2


@program((1.0, Python([1.0, 5.0, 10.0])), (7.0, Python([1.0, 5.0, 10.0])), (70.0, Python([1.0, 5.0, 10.0])))
def bucket(x, edges):
    for number, edge in enumerate(edges):
        if x < edge:
            return number
    return len(edges)


@program((1.0, Python(5)), (9.0, Python(5)))
def tensor_break_in_python_loop(x, times):
    for _ in range(times):
        if x > 10.0:
            break
        x = x * 2.0
    return x


@program((1.0, Python(4)), (-3.0, Python(4)))
def tensor_continue_in_python_loop(x, times):
    for i in range(times):
        if x < i:
            x = x + 2.0
            continue
        x = x + 0.5
    return x


@program((2.0, Python(3)), (0.0, Python(3)))
def python_break_in_tensor_loop(x, stop):
    for i in range(10):
        if i == stop:
            break
        x = x + 1.0
    return x


@program([3, 1, 2], [0, 5], [], unknown=True)
def returns_two_values(xs):
    at = 0
    for x in xs:
        if x < 1:
            return at, x
        at += 1
    return at, -1


@program((10, 3), (2, 3), (0, 3))
def break_after_assignment(n, limit):
    last = 0
    while n > 0:
        last = n
        n = n - limit
        if n < 2:
            last = n
            break
    return last


@program([1, 2, 3, 4], [5], [], unknown=True)
def continue_then_break(xs):
    seen = 0
    for x in xs:
        seen += 1
        if x == 2:
            continue
        if x == 3:
            break
        seen += 10
    return seen


@program((20,), (1,))
def two_loops_with_breaks(n):
    a = 0
    for i in range(n):
        if i * i > n:
            break
        a = i
    b = 0
    for i in range(n):
        if i > a:
            break
        b += i
    return a, b


@program(([1.0, 2.0, 4.0], 0.1), ([1.0, 1.0, 1.0], 0.1), unknown=True)
def early_stopping(losses, tolerance):
    best = 1e9
    patience = 0
    epoch = 0
    for loss in losses:
        epoch += 1
        if loss < best - tolerance:
            best = loss
            patience = 0
            continue
        patience += 1
        if patience >= 2:
            break
    return best, epoch


@program((0.5, 100), (3.0, 100), (0.5, 3))
def escape_time(c, limit):
    z = 0.0
    for i in range(limit):
        z = z * z + c
        if z > 2.0:
            return i
    return limit


@program(([1, 3, 5, 7], 5), ([1, 3, 5, 7], 4), ([], 1), unknown=True)
def binary_search(xs, wanted):
    low, high = 0, len(xs)
    while low < high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        elif xs[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return -1


@program((3, 4), (0, 4), (3, 0))
def else_after_nested_loops(n, m):
    found = 0
    for i in range(n):
        for j in range(m):
            if i * j == 4:
                found = i + j
                break
        else:
            continue
        break
    return found


@program((4,), (0,))
def return_without_condition(n):
    for i in range(n):
        return i + 10
    return -1


@program([1, 2, 0, 4], [1, 2], unknown=True)
def product_or_zero(xs):
    product = 1
    for x in xs:
        if x == 0:
            product = 0
            break
        product *= x
    return product


@program(10, 1)
def while_with_continue(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 2 == 0:
            continue
        total += n
    return total


@program((1, 2, 3), (0, 2, 3), (0, 0, 3), (0, 0, 0))
def chain_of_early_returns(a, b, c):
    if a > 0:
        return a
    if b > 0:
        return b * 10
    if c > 0:
        return c * 100
    return -1


@program((4.0,), (-4.0,), (0.0,))
def return_in_try(x):
    try:
        if x > 0:
            return tf.sqrt(x)
        x = x - 1.0
    finally:
        y = 2.0
    return x * y


@program((5.0, 3), (-5.0, 3), (0.5, 3))
def return_from_loop_in_branch(x, n):
    if x > 0:
        for i in range(n):
            x = x - 1.0
            if x < 0:
                return x * 100.0
        return x
    return -x


@program(([1, 2, 3, 4], Python(2)), ([1, 2, 3, 4], Python(9)), unknown=True)
def stop_after_python_count(xs, count):
    taken = 0
    total = 0
    for x in xs:
        if taken >= count:
            break
        taken += 1
        total += x
    return total


@program([4, 9, 16], [4, -1, 16], [-1], unknown=True)
def invalid_aborts(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            return tf.constant(-1.0)
        total += tf.sqrt(tf.cast(x, tf.float32))
    return total


@program((6,), (3,), (0,))
def else_of_loop_without_break(n):
    total = 0
    for i in range(n):
        total += i
    else:
        total += 100
    return total


@program((6, 2), (6, 10), (0, 1))
def three_ways_out(n, limit):
    i = 0
    while True:
        if i >= n:
            return i
        i += 1
        if i == limit:
            break
        if i % 2 == 0:
            continue
        i += 1
    return i * 100


@program(([2, 3], [3, 4]), ([1, 2], [3, 4]), unknown=True)
def have_common_element(xs, ys):
    for x in xs:
        for y in ys:
            if x == y:
                return True
    return False


@program(([[1.0, 2.0], [3.0, 4.0]], 2.5), ([[1.0, 2.0], [3.0, 4.0]], 20.0), unknown=True)
def first_row_over(rows, limit):
    for row in rows:
        if tf.reduce_mean(row) > limit:
            return row
    return tf.zeros([2])


@program((3, 1.0), (9, 1.0), (9, -1.0))
def overwritten_unless_continued(n, x):
    z = x
    count = 0
    while count < 3 and n > 0:
        count += 1
        if z < -2.0:
            break
        if n > 5:
            z = x - 4.0
            if x < 0.0 and n == 9:
                continue
        else:
            n = n - 1
        z = abs(x) + 0.5
    return n, z


@program((3, 1), (1, 5), (2, 9))
def finally_reads_what_a_return_leaves(n, m):
    a = m + 1
    try:
        a = abs(n) * 2
        if m < 3:
            return a, n
    finally:
        a = abs(a) // 2
    return a, m


@program(3, 1, 9)
def else_of_a_loop_on_a_walrus(n):
    total, turn = 0, 0
    while (turn := turn + 1) < 4:
        if n + turn == 4:
            break
        total += n
    else:
        total = max(total, 8)
    return total, turn


@program((8, 1), (4, 3), (4, 1), (1, 1))
def return_deep_in_a_branch_before_what_it_sets(x, y):
    if x > 5:
        e = x + 5
    else:
        if x > 3:
            if y > 2:
                return y
            m = y
        else:
            m = x
        e = m + 1
    return e * 2


@program(4, 2, 0)
def return_from_a_loop_over_a_bare_tuple(x):
    total = 0
    for low, high in (1, 2), (3, 4):
        if x < low:
            return total
        total += high
    return total


@program(4, 1)
def break_out_of_a_loop_over_a_bare_tuple(x):
    total = 0
    for part in 1, x, 2:
        total += part
        if total > 3:
            break
    return total
