"""Programs about early ends in awkward places: chains with holes, else of loops, try, with, loops in loops."""

from __future__ import annotations

import contextlib

import tensorflow as tf
from differential import Python, program


@program(5, -5, 0, 50)
def chain_with_assignments_on_some_sides(x):
    label = 0
    if x > 10:
        label = 3
        extra = 1
    elif x > 0:
        extra = 2
    elif x == 0:
        label = -1
        extra = 4
    else:
        extra = 8
    return label, extra


@program(5, -5, 0, 50)
def one_arm_falls_through(x):
    y = x
    if x > 10:
        return x
    elif x > 0:
        y = x * 2
    elif x == 0:
        return x - 1
    else:
        y = -x
    y += 1
    return y


@program(5, -5, 0, 50)
def nested_arm_falls_through(x):
    if x > 0:
        if x > 10:
            if x > 40:
                return x
            x = x + 100
        elif x == 5:
            return -x
    else:
        if x == 0:
            return x + 7
    return x * 2


@program([1, 5, 9], [1, 2], [9], unknown=True)
def return_in_else_of_for(xs):
    for x in xs:
        if x > 4:
            break
    else:
        return tf.constant(-1)
    return x


@program([1, 5, 9], [1, 2], unknown=True)
def return_in_loop_and_in_else(xs):
    total = 0
    for x in xs:
        if x == 5:
            return total
        total += x
    else:
        return total * 100


@program(10, 3)
def while_else_returns(n):
    i = 0
    while i < n:
        if i == 5:
            break
        i += 1
    else:
        return -i
    return i


@program(10, 3)
def while_true_with_two_ends(n):
    steps = 0
    while True:
        steps += 1
        if n <= 1:
            return steps
        if n % 2 == 0:
            n = n // 2
            continue
        n = 3 * n + 1
        if steps > 4:
            break
    return -steps


@program([[1, 2, 3], [4, -5, 6]], [[1, 2], [3, 4]])
def inner_break_depends_on_outer(rows):
    total = 0
    for row in rows:
        limit = row[0] + 1
        for x in row:
            if x > limit:
                break
            if x < 0:
                return total
            total += x
        else:
            total += 1000
    return total


@program(([1.0, 2.0, 3.0], 2.5), ([1.0], 9.0))
def return_under_a_tensor_in_python_loop(xs, limit):
    total = tf.constant(0.0)
    for i in range(4):
        total += tf.reduce_sum(xs)
        if total > limit * 3:
            return total, i
    return total, -1


@program(5, 1)
def python_loop_else_after_tensor_break(n):
    seen = 0
    for i in [1, 2, 3]:
        if n == i:
            break
        seen += i
    else:
        seen = 100
    return seen


@program(5, -5)
def return_in_try_with_finally(x):
    done = tf.constant(0)
    try:
        if x > 0:
            return x * 2
        done = done + 1
    finally:
        done = done + 10
    return done


@program(5, -5)
def return_in_with(x):
    with tf.name_scope("outer"), tf.name_scope("inner") as name:
        if x > 0:
            return x + len(name) * 0
        x = x - 1
    return x * 3


@program(([3.0, 4.0], 2), ([1.0, 1.0], 0))
def tape_in_a_loop(w, n):
    for i in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_sum(w * w)
        gradient = tape.gradient(loss, w)
        if tf.reduce_max(gradient) < 0.5:
            break
        w = w - 0.25 * gradient
    return w


@program(3, 0)
def tape_around_a_loop_with_break(n):
    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in tf.range(10):
            if i == n:
                break
            y = y * x
    return tape.gradient(y, x)


@program(7, 0, 30)
def dataset_loop_in_a_loop(n):
    total = tf.constant(0, tf.int64)
    for outer in tf.data.Dataset.range(3):
        for inner in tf.data.Dataset.range(10):
            if inner > outer:
                break
            if tf.cast(n, tf.int64) == inner + outer * 10:
                return total
            total += inner
        total += 100
    return total


@program(4, 0)
def loop_in_a_branch_in_a_loop(n):
    total = 0
    for i in tf.range(n):
        if i % 2 == 0:
            for j in tf.range(i):
                if j == 3:
                    continue
                total += j
        else:
            k = i
            while k > 0:
                k -= 2
                total += 10
    return total


@program(5, -5, Python(3))
def return_of_nothing(x):
    if x > 0:
        return
    elif x > -3:
        pass
    return None


@program(5, 2, 0)
def raise_after_a_loop(n):
    for i in tf.range(n):
        if i == 3:
            return i
    if n == 2:
        raise ValueError("too small")
    return n - 1


@program(Python(5), Python(0))
def exception_caught_in_the_function(x):
    try:
        if x == 0:
            raise KeyError("zero")
        y = 10 / x
    except KeyError as error:
        return str(error)
    except (ZeroDivisionError, ValueError):
        return -1
    else:
        y += 1
    finally:
        x = None
    return y


@program(5, -5)
def custom_exception_without_call(x):
    class Refused(ValueError):
        pass

    if tf.size(x) > 3:
        raise Refused
    return x


@program(Python(3), Python(-3))
def custom_exception_raised_from(x):
    try:
        if x < 0:
            raise ValueError("below")
    except ValueError as error:
        raise RuntimeError("wrong") from error
    return x


@program(([1, 2, 3], 2), ([5], 2))
def try_inside_a_loop(xs, n):
    total = 0
    for x in xs:
        try:
            if x == n:
                continue
            total += x
        except ValueError:
            total = -1
        finally:
            total += 100
    return total


@program(([1, 2, 3], 2), ([5], 2), ([2], 2))
def with_inside_a_loop_that_breaks(xs, n):
    total = 0
    for x in xs:
        with tf.name_scope("step"):
            if x == n:
                break
            total += x
        total += 100
    return total


@program(([1, 2, 3], 2), ([5], 2))
def return_in_with_in_a_loop(xs, n):
    for x in xs:
        with tf.name_scope("step"):
            if x > n:
                return x
    return n * 0


@program(5, -1)
def nothing_behind_the_return(x):
    if x > 0:
        return x
        x = 3
    return -x
    return 5


@program(6, 1, -2)
def returns_in_three_loops(n):
    for i in tf.range(3):
        for j in tf.range(3):
            for k in tf.range(3):
                if i + j + k == n:
                    return i * 100 + j * 10 + k
            if j == 2 and n < 0:
                return tf.constant(-7)
    return tf.constant(-1)


@program(Python(3), Python(0))
def python_only_with_jumps(n):
    found = []
    for i in range(10):
        if i % 2:
            continue
        if i > n:
            break
        found.append(i)
    else:
        return None
    while True:
        if not found:
            return []
        found.pop()
        if len(found) == 1:
            return found


@program(3, 9)
def assert_then_return_in_branch(x):
    if x > 5:
        assert x < 100, f"big {x}"
        return x
    assert x != 0
    return -x


@program(2, 40)
def many_guards(x):
    if x == 0:
        return 10
    if x == 1:
        return 11
    if x == 2:
        return 12
    if x == 3:
        return 13
    if x == 4:
        return 14
    if x == 5:
        return 15
    x = x + 1
    if x == 6:
        return 16
    if x == 7:
        return 17
    if x == 8:
        return 18
    if x == 9:
        return 19
    if x == 10:
        return 20
    if x == 11:
        return 21
    if x == 12:
        return 22
    if x == 13:
        return 23
    y = x * 2
    if x == 14:
        return 24
    if x == 15:
        return 25
    if x == 16:
        y = y + 1
    elif x == 17:
        return 27
    if x == 18:
        return 28
    if x == 41:
        return y
    return -y


@program(0, 7, 14, 15, 16, 3, -4)
def long_elif_chain(x):
    if x == 0:
        y = 10
    elif x == 1:
        y = 11
    elif x == 2:
        y = 12
    elif x == 3:
        return tf.constant(-3)
    elif x == 4:
        y = 14
    elif x == 5:
        y = 15
    elif x == 6:
        y = 16
    elif x == 7:
        y = 17
    elif x == 8:
        y = 18
    elif x == 9:
        y = 19
    elif x == 10:
        y = 20
    elif x == 11:
        y = 21
    elif x == 12:
        y = 22
    elif x == 13:
        y = 23
    elif x == 14:
        y = 24
    elif x == 15:
        y = 25
    else:
        y = x
    return y + 1


@program([4, 5, 6], [14, 3], [1, 0, 2])
def many_continues(xs):
    total = 0
    for x in xs:
        if x == 0:
            continue
        total += 1
        if x == 1:
            continue
        total += 1
        if x == 2:
            continue
        total += 1
        if x == 3:
            break
        total += 1
        if x == 4:
            continue
        if x == 5:
            continue
        if x == 6:
            continue
        if x == 7:
            continue
        if x == 8:
            continue
        if x == 9:
            continue
        if x == 10:
            continue
        if x == 11:
            continue
        total += 1
        if x == 12:
            continue
        if x == 13:
            return total
        if x == 14:
            continue
        total += 50
    return total


@program(3, 9, -1)
def a_return_in_finally_wins(x):
    try:
        return x
    finally:
        if x > 0:
            return -x


@program(3, 9, -1)
def a_return_in_finally_wins_over_a_handler(x):
    try:
        if x > 5:
            return x * 100
        return x * 10
    except ValueError:
        x = x * 1000
    finally:
        x = x + 1
        if x > 3:
            return x


@program(Python([9, 1]), Python([-1, 3, 7]), Python([-1]))
def a_break_in_finally_wins_over_a_return(xs):
    count = 0
    for x in xs:
        count += 1
        try:
            if x > 5:
                return 100 + count
        finally:
            if x > 8:
                break
    return count


@program([9, 1], [-1, 3, 7], [-1])
def a_break_in_finally_wins_in_a_graph(xs):
    count = 0
    for x in xs:
        count += 1
        try:
            if x > 5:
                return 100 + count
        finally:
            if x > 8:
                break
    return count


@program(3, -3)
def an_else_of_try_is_not_run_behind_a_return(x):
    try:
        if x > 0:
            return x
    except ValueError:
        pass
    else:
        return x * 100
    return x * 10


@program(Python([1, 2, 3, 4]), Python([1]), Python([5]))
def an_else_of_try_is_not_run_behind_a_break(xs):
    out = []
    for x in xs:
        try:
            if x > 2:
                break
            y = x * 2
        except ValueError:
            out.append("error")
        else:
            out.append(y)
        finally:
            out.append("finally")
    return out


@program(Python(["1", "", "x", "4"]))
def an_else_of_try_is_not_run_behind_a_continue(xs):
    n = 0
    for s in xs:
        try:
            if not s:
                continue
            v = int(s)
        except ValueError:
            n -= 100
        else:
            n += v
    return n


@program(Python(1), Python(0), Python(3))
def a_with_swallows_an_error_beside_a_jump(n):
    with contextlib.suppress(ZeroDivisionError):
        if 1 // n:
            return 1
    return 2


@program((3, 5.0), (4, 5.0), (0, 1.0))
def a_list_grows_after_a_loop_that_returns(n, x):
    xs = [1.0, 3.0]
    for _ in tf.range(n):
        if n % 2 == 0:
            return x + 0.5
        xs.append(x)
    xs.append(2.0)
    return xs[-1] + xs[2]


@program((3, 5, 1.0, 2.0), (1, 5, 1.0, 2.0), (4, -1, 1.0, 2.0))
def a_name_that_is_set_on_the_way_to_continue(n, m, x, y):
    a, z, count = 0, 1.5, 0
    while count < n % 5:
        count += 1
        if m > a:
            if n < 4:
                z = x
                if n < 2:
                    continue
            a -= 7
        z = y
    return a, z


@program((3, 0), (9, 0), (-1, 0), (3, 1))
def a_finally_in_a_try_with_a_finally(x, k):
    try:
        y = 1
        try:
            if k > 0:
                return x
            y = 2
            return y
        finally:
            if x > 5:
                return -x
    finally:
        y = 5
        if x < 0:
            return y


@program(*[(a, Python(k)) for a in (0, 2, 5) for k in range(5)])
def a_finally_overrides_what_python_decides(a, k):
    n = 0
    for i in range(4):
        n += 1
        try:
            if i == k:
                continue
            if k == 3 and i == 1:
                return n
            if k == 4 and i == 2:
                break
            n += 10
        finally:
            n += 100
            if a == i:
                break
        n += 1000
    else:
        n += 5
    return n


@program(*[(a, Python(k)) for a in (0, 2, 5) for k in range(4)])
def a_finally_after_a_handler_that_leaves(a, k):
    n = 0
    for i in range(3):
        try:
            n += 1
            if i == k:
                raise ValueError
        except ValueError:
            n += 10
            if k == 2:
                return n
            continue
        else:
            n += 100
            if k == 3:
                break
        finally:
            if a == i:
                n += 7
                continue
        n += 1000
    return n


@program(*[(a, Python(k)) for a in (0, 5) for k in range(5)])
def a_finally_around_loops_that_are_left(a, k):
    n = 0
    while n < 50:
        n += 1
        try:
            while True:
                n += 1
                if k == 1:
                    break
                if k == 2:
                    return n
                if n > a * 3:
                    break
            if k == 3:
                continue
        finally:
            n += 3
            if a == n - 5:
                return n * 100
            if k == 4:
                break
    return n
