"""Functions that can be ejected, each with arguments that it is called with; the first say what it is ejected for."""

# ruff: noqa: B007, E701, RET503, RET505, SIM103, SIM113, B905
from __future__ import annotations

import collections
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import tensorflow as tf

c: Any = tf.constant  # pyright: ignore
PROGRAMS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {}


def program(*calls: Any) -> Callable[..., Any]:
    """The decorated function is called once with each of `calls`."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, [call if isinstance(call, tuple) else (call,) for call in calls]
        return function

    return register


@program((c(1.0), c(2.0)), (c(5.0), c(2.0)))
def huber(a, delta):
    if tf.abs(a) <= delta:  # small errors
        loss = a * a / 2
    else:
        loss = delta * (tf.abs(a) - delta / 2)
    return loss


@program(c(7), c(1))
def collatz(x):
    n = 0
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        n += 1
    return n


@program(c(3), c(-1))
def nested(n):
    if n >= 0:
        while n < 5:
            n += 1
            tf.print(n)
    return n


@program(c([1.0, -2.0, 3.0]), c([1.0, 2.0, 3.0]))
def first_negative(xs):
    for x in xs:
        if x < 0:
            return x
    return -1.0


@program(c([1.0, -2.0, 3.0]), c([1.0, 2.0, 3.0]))
def sum_until(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            break
        total += x
    return total


@program(c(4))
def fill(n):
    xs = []
    for i in range(n):
        xs.append(i * i)
    return tf.stack(xs)


@program((tf.ones([4, 2, 3]), tf.ones([3, 5]), tf.ones([5, 5]), tf.zeros([2, 5])))
def rnn(xs, w, u, state):
    outputs = []
    for x in xs:
        state = tf.tanh(tf.matmul(x, w) + tf.matmul(state, u))
        outputs.append(state)
    return tf.stack(outputs), state


@program(
    (c(3.0),),
)
def line_search(x):
    step = 1.0
    while (x - step * 2 * x) ** 2 > x * x - 0.1 * step * 4 * x * x:
        step = step / 2
    return step


@program(c([3, 1, 2, -1, 5]))
def skip_odd(xs):
    total = 0
    for x in xs:
        if x % 2 == 1:
            continue
        total += x
    return total


@program((c(2.0), c(1.0)), (c(-2.0), c(1.0)), (c(2.0), c(-1.0)))
def elifs(x, y):
    if x > 0 and y > 0:
        return x + y
    elif x > 0 or y > 2.0:
        return x - y
    else:
        return 0.0


@program(c(10), c(0))
def while_true(n):
    i = 0
    while True:
        if i >= n:
            break
        i += 2
    return i


@program(c([[1, 2], [3, 4]]))
def matrix(m):
    total = 0
    for row in m:
        for x in row:
            total += x
    return total


@program(c([[1, 2], [-3, 4]]), c([[1, 2], [3, 4]]))
def find(m):
    for row in m:
        for x in row:
            if x < 0:
                return x
    return 0


@program((c([1.0, 2.0, 3.0]), True), (c([1.0, 2.0, 3.0]), False))
def flag(xs, double):
    total = tf.constant(0.0)
    for x in xs:
        if double:
            total += 2 * x
        else:
            total += x
    return total


@program(c(3.0, tf.float64))
def seeds64(x):
    y = 0.0
    while y < x:
        y = y + 1
    return y


@program(c([1.0, 2.0]), c([-1.0, 2.0]))
def ternary(xs):
    return xs * 2 if xs[0] > 0 else xs


@program(c([5, 1, 3]))
def enumerated(xs):
    best = 0
    at = -1
    for i, x in enumerate(xs):
        if x > best:
            best, at = x, i
    return best, at


@program((c([1.0, 2.0]), c([3.0, 4.0])))
def zipped(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
    return total


@program((c(2.0),), (c(0.5),))
def asserted(x):
    assert x > 0, "must be positive"
    if x > 1:
        x = x * x
    return x


@program((c(2.0),))
def raised(x):
    if x < 0:
        raise ValueError("negative")
    return tf.sqrt(x)


@program((c(5),), (c(0),))
def fib(n):
    a, b = 0, 1
    for _ in tf.range(n):
        a, b = b, a + b
    return a


@program((c(10),), (c(11),))
def is_even(n):
    if n % 2 == 0:
        return True
    return False


@program(
    (c([4.0, 3.0, 2.0]),),
)
def builtin_calls(xs):
    n = len(xs)
    m = max(xs[0], xs[1])
    return float(n) * m + abs(xs[2]) + sum(xs)


@program((c(2.0),), (c(-2.0),))
def one_sided(x):
    y = 1.0
    if x > 0:
        y = x
    return y


@program((c(12), c(18)))
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@program((c(9.0),))
def newton(x):
    y = x
    for i in range(20):
        y = 0.5 * (y + x / y)
    return y


@program((c(9.0),), (c(100.0),))
def newton_until(x):
    y = x
    for i in tf.range(50):
        z = 0.5 * (y + x / y)
        if tf.abs(z - y) < 1e-4:
            break
        y = z
    return y


def step_of(x):
    if x > 10:
        return 2
    return 1


def plain(x):
    return x * 2


@program((c(5),), (c(12),))
def with_callee(x):
    return x + plain(step_of(x))


@program((c(5.0), c(2.0)))
def closure_inside(x, y):
    def g(z):
        if z > y:
            return z - y
        return y - z

    return g(x) + g(y)


@program((c([1.0, 2.0, 3.0]),))
def mapped(xs):
    return tf.map_fn(lambda x: x if x > 1.5 else 2 * x, xs)


@program((c([1, 2, 3]),))
def dataset(xs):
    total = 0
    n = 0
    for x in tf.data.Dataset.from_tensor_slices(xs):
        if x > 1:
            total += x
        n += 1
    return total, n


@program((c(5),))
def countdown(n):
    out = []
    for i in tf.range(n, 0, -1):
        out.append(i)
    return tf.stack(out), len(out)


@program(
    (c(2.0), c(3)),
)
def power(x, n):
    result = 1.0
    while n > 0:
        if n % 2 == 1:
            result = result * x
        x = x * x
        n = n // 2
    return result


@program((c([[3.0, 1.0], [2.0, 5.0]]),))
def row_max(m):
    best = []
    for row in m:
        top = row[0]
        for v in row:
            if v > top:
                top = v
        best.append(top)
    return tf.stack(best)


@program((c(0.1),), (c(3.0),))
def several_returns(x):
    if x < 1:
        y = x * 2
        if y < 0.5:
            return y
        x = x + 1
    z = x * 3
    if z > 5:
        return z
    return x


@program(
    (c(3),),
)
def fizz(n):
    for i in tf.range(n):
        if i % 2 == 0:
            tf.print("even", i)
        else:
            print("odd", i)


@program((c([1.0, 2.0, 3.0]), c(2.0)), (c([1.0, 2.0, 3.0]), c(9.0)))
def index_of(xs, v):
    i = 0
    while i < len(xs) and xs[i] != v:
        i += 1
    return i


@program((c(3.0), None), (c(3.0), c(2.0)))
def optional(x, y):
    if y is None:
        y = tf.constant(1.0)
    if x > y:
        return x
    return y


@program(
    (c(4),),
)
def text(n):
    s = tf.constant("")
    for i in range(n):
        s = s + f"{i},"
    return s


@program((c(1.0),), (c(-1.0),))
def tuple_result(x):
    if x > 0:
        return x, 0
    else:
        return -x, 1


@program((c(-3.0),), (c(0.5),), (c(3.0),))
def chained(x):
    return 1.0 if 0 < x < 1 else 0.0


@program(
    (c(6),),
)
def early_in_while(n):
    i = 0
    while i < n:
        if i * i > n:
            return i
        i += 1
    return -1


@program((c([2, 4, 6]),), (c([2, 3, 6]),))
def all_even(xs):
    ok = True
    for x in xs:
        ok = ok and x % 2 == 0
    return ok


@program(
    (c([1.0, 2.0, 3.0, 4.0]), c(2)),
)
def moving(xs, k):
    out = tf.zeros_like(xs)
    n = tf.shape(xs)[0]
    for i in range(n):
        acc = 0.0
        for j in range(k):
            if i - j >= 0:
                acc += xs[i - j]
        out = tf.tensor_scatter_nd_update(out, [[i]], [acc])
    return out


@program(
    (c([0.5, 0.25]),),
)
def list_state(x):
    xs = [x, x * 2]
    total = tf.zeros_like(x)
    for v in xs:
        total += v
    return total


@program(
    (c(2.0),),
)
def int_seed(x):
    total = 0
    for i in tf.range(3):
        total += x
    return total


@program((c(1.0),), (c(-1.0),))
def effects(x):
    if x > 0:
        tf.print("positive", x)
    return x


@program((c(1.0),), (c(-1.0),))
def annotated(x: tf.Tensor, k: int = 2):
    for i in range(k):
        if x > 0:
            x = x * 2
    return x


@program(c(5), c(0))
def sets_its_loop_variable(n):
    s = 0
    for k in tf.range(n):
        k = k * 2
        s += k
    return s


@program(c(6), c(1))
def a_loop_in_which_the_loop_variable_ends_another(n):
    steps = 0
    for k in tf.range(1, n):
        while k != 1:
            k = k // 2
            steps += 1
    return steps


@program(
    c([1, 2, 3]),
)
def sets_the_counter_of_enumerate(xs):
    s = 0
    for i, x in enumerate(xs):
        i = i + 10
        s += i * x
    return s


@program((c(1), c(0.5)), (c(2), c(0.5)), (c(9), c(0.5)), (c(16), c(0.5)))
def returns_deep_in_a_branch(n, x):
    a = n + 1
    if a % 2 == 0:
        a = a * 3
    elif a > 5:
        a = a - 8
        if n < 2 or a > n - 9:
            return a + 1, x
    return a + 5, x


@program((c([1, 2, 3]), c([2, 3, 3, 4])), (c([5]), c([5])))
def edit_distance(a, b):
    n, m = tf.shape(a)[0], tf.shape(b)[0]
    before = tf.range(m + 1)
    for i in tf.range(n):
        row = [i + 1]
        for j in tf.range(m):
            cost = 0 if a[i] == b[j] else 1
            row.append(tf.minimum(tf.minimum(before[j + 1] + 1, row[-1] + 1), before[j] + cost))
        before = tf.stack(row)
    return before[-1]


# What only a trace shows: methods, dataclasses, lists that do more than grow


class Scaler:
    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.calls = 0.0

    def __call__(self, x: Any) -> Any:
        return self.clipped(x) * 2

    def clipped(self, x: Any) -> Any:
        if x > self.limit:
            return x - x + self.limit
        return x

    def count(self, x: Any) -> Any:
        if x > 0:
            self.calls = self.calls + 1.0
        return x

    def decode(self, xs: Any) -> Any:
        total = 0.0
        for x in xs:
            total += self.clipped(x)
        return total


scaler = Scaler(2.0)


@program(c([1.0, 3.0, 5.0]))
def calls_methods(xs):
    total = 0.0
    for x in xs:
        total += scaler.clipped(x)
    return total + scaler.decode(xs)


@program(c(1.5), c(4.0))
def calls_an_object(x):
    return scaler(x) + 1


@program(c([1.0, -3.0, 5.0]), c([-1.0]))
def a_method_that_sets_an_attribute(xs):
    counter = Scaler(1.0)
    total = 0.0
    for x in xs:
        total += counter.count(x)
    return total, counter.calls


@dataclass
class Walk:
    place: Any
    steps: Any


@program((c(0.0), c(4)), (c(4.5), c(3)))
def carries_a_dataclass(place, n):
    walk = Walk(place, c(0))
    for _ in range(n):
        if walk.place < 3:
            walk = Walk(walk.place + 2, walk.steps + 1)
        else:
            walk = Walk(walk.place + 0.5, walk.steps + 1)
    return walk.place, walk.steps


@program(c(0.3), c(9.0))
def left_in_a_range_of_python(x):
    for k in range(6):
        x = x * 2
        if x > 5:
            break
    return x, k  # pyright: ignore


@program((c([2, 1, 3, 0, 4]),))
def takes_from_a_list(ops):
    stack = []
    for op in ops:
        if op > 1:
            stack.append(op)
        elif len(stack) > 0:
            top = stack.pop()
            stack.append(top * 2)
    return tf.stack(stack)


@program(c([3, 1, 2, 5, 4]))
def inserts_in_order(xs):
    out = [xs[0]]
    for i in range(1, 5):
        x = xs[i]
        out.append(x)
        j = i - 1
        while j >= 0 and out[j] > x:
            out[j + 1] = out[j]
            j -= 1
        out[j + 1] = x
    return tf.stack(out)


@program((c([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),))
def stacks_along_another_axis(xs):
    outputs = []
    for x in xs:
        outputs.append(x * x)
    return tf.stack(outputs, axis=1)


@program((c([1.0, 2.0, 3.0, 4.0]), c(2)))
def rolls(xs, k):
    window: list[Any] = []
    means: list[Any] = []
    for x in xs:
        window.append(x)
        if len(window) > k:
            window.pop(0)
        means.append(sum(window) / tf.cast(len(window), tf.float32))
    return tf.stack(means)


@program(c([1.0, 2.0, 4.0]))
def divides_by_a_count(xs):
    count, mean = 0, 0.0
    for x in xs:
        count += 1
        mean = mean + (x - mean) / count
    return mean


@program((c([1, 3, 5, 7]), c(5)), (c([1, 3, 5, 7]), c(4)))
def searches(xs, wanted):
    low, high = 0, len(xs) - 1
    while low <= high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        if xs[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def add_to(totals, x):
    totals["n"] += 1
    totals["sum"] += x


@program(c([1.0, 2.0, 3.0]))
def a_helper_changes_a_dict(xs):
    totals = {"n": 0, "sum": 0.0}
    for x in xs:
        add_to(totals, x)
    return totals["n"], totals["sum"]


class Pair(NamedTuple):
    tokens: Any
    score: Any


@program((c([0.5, 0.25]), c(3)))
def a_named_tuple_grows(scores, n):
    pair = Pair(tf.zeros([2, 0]), scores)
    for _ in range(n):
        pair = Pair(tf.concat([pair.tokens, pair.score[:, None]], 1), pair.score * 2)
    return pair.tokens, pair.score


@program(c([1.0, 2.0]))
def a_list_is_returned(xs):
    found = []
    for x in xs:
        found.append(x + 1)
    return found


@program((c([1.0, 2.0, 5.0]), c(1e-3)))
def set_in_the_loop_first(xs, tolerance):
    before = 0.0
    for x in xs:
        change = abs(x - before)
        if change < tolerance:
            break
        before = x
    return change  # pyright: ignore


@program((c([1.0, 5.0, 3.0]), c(3)))
def list_that_begins_with_another_name(xs, n):
    best, history = xs[0], []
    for i in tf.range(n):
        if xs[i] > best:
            best = xs[i]
        history.append(best)
    return best, history


@program(c([3, 4, 5]), c([], tf.int32))
def names_read_where_they_are_bound(v):
    total = 0
    for item in v:
        total += (half := item // 2) + half % 3
    return total


@program((c(2.5), c(3)), (c(0.5), c(3)))
def text_of_digits(x, n):
    if x > 1:
        x = x * 2
    return tf.strings.join([f"step {n}: loss {x:.3f} ({x:8.1e})", f"{x:07.2f}"], ", ")


@program(c(2.0), c(-1.5))
def float_without_gradient(x):
    if x > 0:
        x = x * float(x)
    return x + float(x * x)


@program((c(2.5), c(3)), (c(0.5), c(3)))
def text_that_the_graph_chooses(x, n):
    kind = "big" if x > 1 else "small"
    return tf.strings.join([f"{n} {kind}: {n}", "!"])


@program(c([1.0, 3.0, 3.0]), c([2.0, 2.0, 2.0]))
def first_of_equal_extremes(xs):
    if max(xs) > 2.5:
        xs = xs * 2
    return max(xs) - min(xs)


def orbit(x, n):
    for i in range(n):
        x = x * x + 0.5
        if x > 4.0:
            return i, "escaped"
    return n, "inside"


@program((c(0.1), c(4)), (c(2.0), c(4)))
def returns_text_from_a_loop(x, n):
    steps, text = orbit(x, n)
    return steps, tf.strings.join([text, "!"])


@program(c([1, 2, 1, 3, 2, 1]), c([3, 3, 2]))
def the_greatest_by_a_key(xs):
    counts = {}
    for k in range(4):
        counts[k] = 0
    for x in xs:
        for k in counts:
            if x == k:
                counts[k] += 1
    return max(counts, key=lambda k: counts[k]), min(counts, key=counts.get)


@program(c([[0, 1, 0], [1, 0, 0], [0, 1, 0]]), c([[1, 1, 1], [1, 1, 1], [1, 1, 1]]))
def selects_numbers_of_python(links):
    open_rows = [i for i in range(3) if links[i, 0] == 0]
    steps = 0
    while open_rows:
        row = open_rows.pop()
        if links[row, 1] == 0 and steps < 4:
            open_rows.append(row)
        steps += 1
    return steps


@program((c([3, 5, 2, 4]), 6), (c([], tf.int32), 6))
def counts_what_it_selects(xs, limit):
    grown = []
    for x in xs:
        if x < limit:
            grown.append(x)
        while len(grown) > 3:
            grown.pop(0)
    left = sum(limit - g for g in grown)
    large = [x * 2 for x in xs if x > 2 if x < 5]
    return left, len([x for x in xs if x > 3]), any(g == 4 for g in grown), len(large)


def limited(parts, limit):
    norm = tf.sqrt(sum(tf.reduce_sum(part**2) for part in parts))
    if norm > limit:
        parts = [part * limit / norm for part in parts]
    return parts, norm


@program((c([3.0, 4.0]), c(1.0)), (c([3.0, 4.0]), c(100.0)))
def a_branch_makes_another_list(xs, limit):
    params = {"v": xs, "m": xs * 2.0}
    names = sorted(params)
    parts, norm = limited([params[name] for name in names], limit)
    for name, part in zip(names, parts):
        params[name] = params[name] - part
    return params, norm


@program((c([1.0, 5.0, 2.0, 8.0]), 2))
def a_window_of_the_latest(xs, size):
    recent, middles = [], []
    for x in xs:
        recent.append(x)
        if len(recent) > size:
            recent = recent[1:]
        ordered = sorted(recent)
        middles.append(ordered[len(ordered) // 2])
    return tf.stack(middles)


@dataclass(frozen=True)
class Momentum:
    v: tf.Tensor
    t: int = 0

    def step(self, w, g):
        t = self.t + 1
        v = 0.5 * self.v + 0.5 * g
        return w - v / (1 - 0.5**t), Momentum(v, t)


@program(c([1.0, -2.0]), c([8.0, 1.0]))
def an_object_that_each_step_replaces(w):
    optimizer = Momentum(tf.zeros_like(w))
    while True:
        w, optimizer = optimizer.step(w, w - 0.5)
        if tf.reduce_sum((w - 0.5) ** 2) < 0.5 or optimizer.t > 50:
            break
    return w, optimizer.t


@program((c([3, 1, 4]), c([3, 4, 4, 5])), (c([1, 2, 3]), c([9, 2, 3, 4])))
def rows_of_a_table(a, b):
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a):
        current = [i + 1]
        for j, y in enumerate(b):
            current.append(min(current[j], previous[j + 1], previous[j]) + (0 if x == y else 1))
        previous = current
    return previous[-1]


@program((c([1.0, 0.0, 2.0]), c(0.5)), (c([1.0, 5.0, 2.0]), c(4.0)))
def a_list_of_each_iteration(xs, limit):
    values = [0.25 for _ in range(3)]
    rounds = 0
    while sum(values) < limit:
        new = []
        for i in range(3):
            new.append(values[i] * 2.0 if xs[i] > 0.5 else values[i])
        values = new
        if rounds < 2:
            parts = []
            for i in range(3):
                parts.append(values[i])
            xs = tf.stack(parts)
        rounds += 1
        if rounds > 4:
            break
    return tf.stack(values), xs


@program(c([1.0, 3.0, 2.0]), c([5.0, 4.0]))
def the_best_is_none_at_first(xs):
    best, place = None, None
    for i, x in enumerate(xs):
        if best is None or x > best:
            best, place = x, i
    return best, place


@program(c([1, 1, 2, 2, 2, 3]), c([7]))
def lengths_of_runs(xs):
    values, counts = [], []
    current, n = None, 0
    for x in xs:
        if current is None:
            current = x
            n = 1
        elif x == current:
            n += 1
        else:
            values.append(current)
            counts.append(n)
            current, n = x, 1
    values.append(current)
    counts.append(n)
    return tf.stack(values), tf.stack(counts)


@program((c([1.0, 5.0, 2.0]), c(4.0)), (c([9.0, 5.0, 2.0]), c(4.0)))
def finds_nothing_or_something(xs, limit):
    found = []
    for x in xs:
        hit = None
        for k in range(4):
            if x * float(k) > limit:
                hit = (x, k)
                break
        found.append(hit[0] * 2.0 if hit is not None else -1.0)
    previous = None
    for x in xs:
        if previous is not None and abs(x - previous) < 3.5:
            break
        previous = x
    return tf.stack(found), previous


@program(c(["the", "hat", "cat"]), c(["mat"]))
def looks_up_words(words):
    vocabulary = ["the", "cat", "mat"]
    places = []
    for word in words:
        found = -1
        for place, known in enumerate(vocabulary):
            if word == known:
                found = place
                break
        places.append(found)
    return tf.stack(places)


@program(c(1.0), c(7.0), c(100.0))
def leaves_a_loop_of_python(x):
    total = 0.0
    for limit in (2.0, 4.0, 8.0):
        if x < limit:
            total = -limit
            break
    for weight in [1.0, 2.0]:
        if total > 3.0 or x > 50.0:
            total = total + weight
            break
    return total


class Dice:
    def __init__(self, state):
        self.state = state

    def roll(self):
        self.state = (self.state * 1103 + 12345) % 65536
        return tf.cast(self.state, tf.float32) / 65536.0


@program((c(5.0), c(17)), (c(0.1), c(4)))
def changes_an_object_in_a_condition(x, seed):
    dice = Dice(seed)
    accepted, high = 0, 0
    for _ in range(6):
        candidate = x + dice.roll() - 0.5
        if candidate < x or dice.roll() < 0.25:
            x = candidate
            accepted += 1
        if (x > 1.0) and (dice.roll() < 0.5) and dice.roll() < 0.9:
            high += 1
    return x, accepted, high, dice.roll()


@program((c([4.0, 1.0, 7.0]), c(0.5)), (c([2.0, 9.0, 1.0]), c(3.0)))
def only_the_loop_sets_a_name(xs, limit):
    spread = limit + 1.0
    while spread > limit:
        middle = tf.reduce_mean(xs)
        parts = []
        for i in range(3):
            if xs[i] > middle:
                parts.append(xs[i] - 0.5)
            else:
                parts.append(xs[i] + 0.25)
        xs = tf.stack(parts)
        spread = tf.reduce_max(xs) - tf.reduce_min(xs)
    return middle, xs  # pyright: ignore[reportPossiblyUnboundVariable]


@program((c([0.25, 0.5, 1.0]),), (c([1.0, 0.0, 0.75]),))
def starts_as_a_number_of_another_dtype(xs):
    best, highest = 0.0, -1.0
    for limit in (0.25, 0.5, 0.75):
        count = 0
        for x in xs:
            if x >= limit:
                count += 1
        share = count / len(xs)
        if share < 0.9 and share > highest:
            best, highest = limit, share
    return best, highest


class Recent:
    def __init__(self, size):
        self.values = tf.zeros([size])
        self.size = size
        self.place = 0
        self.full = False

    def add(self, x):
        self.values = tf.tensor_scatter_nd_update(self.values, [[self.place]], [x])
        self.place += 1
        if self.place == self.size:
            self.place, self.full = 0, True

    def __len__(self):
        return self.size if self.full else self.place

    @property
    def mean(self):
        if self.full:
            return tf.reduce_mean(self.values)
        return tf.reduce_sum(self.values) / (len(self) + 1.0)


@program((c([1.0, 4.0, 2.0, -3.0]), c(3.5)), (c([1.0, 4.0, 2.0, 5.0]), c(9.0)))
def reads_properties_and_lengths(xs, limit):
    recent = Recent(3)
    for x in xs:
        if x < limit:
            recent.add(x)
    return recent.mean * 2.0, len(recent), recent.values


@dataclass
class Beam:
    tokens: list
    score: tf.Tensor


@program((c([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3], [0.3, 0.4, 0.3]]), c(0)), (c([[0.4, 0.2, 0.4]] * 3), c(2)))
def sorts_by_what_the_graph_computes(transition, start):
    beams = [Beam([start], tf.constant(0.0))]
    for _ in range(3):
        found = []
        for beam in beams:
            row = transition[beam.tokens[-1]]
            for token in range(3):
                found.append(Beam(beam.tokens + [tf.constant(token)], beam.score + row[token]))
        beams = sorted(found, key=lambda each: each.score, reverse=True)
        beams = beams[:2]
    pairs = [(beam.score * 2.0, place) for place, beam in enumerate(beams)]
    pairs.sort(key=lambda pair: pair[0])
    scores = sorted([beam.score for beam in beams])
    ordered = [transition[0, 0], transition[0, 1], transition[0, 2]]
    ordered = sorted(ordered, key=lambda x: -x)
    return tf.stack(beams[0].tokens), pairs[0][1], tf.stack(scores), ordered[0]


class Average:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value):
        self.total += value
        self.count += 1


@program((c([1.0, 5.0, 2.0]), c(1.5)), (c([1.0, 0.0]), c(1.5)))
def changes_objects_in_a_dict(xs, limit):
    metrics = {"all": Average(), "high": Average()}
    for x in xs:
        metrics["all"].update(x)
        if x > limit:
            metrics["high"].update(x)
    return metrics["all"].total, metrics["high"].total, metrics["high"].count


class Pile:
    def __init__(self):
        self.items = []
        self.sums = [0.0, 0.0]

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()

    def note(self, place, x):
        self.sums[place] += x

    def __len__(self):
        return len(self.items)


@program(c([1.0, 2.0, -1.0, 3.0, -1.0]), c([4.0, 5.0]))
def lists_in_objects(xs):
    pile = Pile()
    for x in xs:
        if x >= 0.0:
            pile.push(x)
        else:
            b = pile.pop()
            if len(pile) > 0:
                b += pile.pop()
            pile.push(b)
        pile.note(tf.cast(x > 1.5, tf.int32), x)
    return tf.stack(pile.items), len(pile), tf.stack(pile.sums)


class Best:
    def __init__(self):
        self.value = None
        self.place = None
        self.tried = 0

    def offer(self, value, place):
        self.tried += 1
        if self.value is None or value > self.value:
            self.value = value
            self.place = place
            return True
        return False


@program(c([1.0, 3.0, 2.0]), c([5.0, 3.0, 9.0]))
def attributes_that_are_none_at_first(xs):
    best = Best()
    better = 0
    for place, x in enumerate(xs):
        if best.offer(x * 2.0, place):
            better += 1
    return best.value, best.place, better, best.tried


class Smoothed:
    def __init__(self, decay):
        self.decay, self.value = decay, None

    def __call__(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.decay * self.value + (1 - self.decay) * x
        return self.value


@program(c([1.0, 3.0, 2.0]), c([5.0, 3.0, 9.0]))
def objects_with_a_first_value(xs):
    smoothed = Smoothed(0.5)
    total = 0.0
    for x in xs:
        total += smoothed(x)
    return total, smoothed.value


@dataclass
class Patience:
    most: int = 1
    best: Any = None
    weights: Any = None
    waited: int = 0

    def update(self, loss, weights):
        if self.best is None or loss < self.best:
            self.best = loss
            self.weights = weights
            self.waited = 0
            return False
        self.waited += 1
        return self.waited > self.most


@program((c([2.0, -1.0]), c(0.4)), (c([2.0, -1.0]), c(1.2)))
def dataclasses_with_a_first_value(w, rate):
    patience = Patience()
    steps = 0
    for step in range(9):
        loss = tf.reduce_sum(w**2)
        steps = step + 1
        if patience.update(loss, w):
            break
        w = w - rate * 2.0 * w
    return patience.weights, patience.best, steps


@program(c([1.5, 3.0]), c([-5.0, 3.25]))
def texts_joined_from_numbers(xs):
    results = {"mean": 0.0, "high": 0.0}
    for x in xs:
        results["mean"] += x / 2
        if x > results["high"]:
            results["high"] = x
    text = ", ".join(f"{name}={value:.3f}" for name, value in results.items())
    return tf.strings.length(text), tf.strings.join([text, f"{len(results):3d}"])


@program((c([[0, 1, 0], [0, 0, 0]]), c(0), c(0)), (c([[0, 1, 0], [0, 1, 0]]), c(1), c(0)))
def queues_of_places(walls, y, x):
    h, w = walls.shape
    distance = tf.tensor_scatter_nd_update(tf.fill([h, w], -1), [[y, x]], [0])
    queue = [(y, x)]
    while queue:
        y, x = queue.pop(0)
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            ny, nx = y + dy, x + dx
            if 0 <= ny < h and 0 <= nx < w and walls[ny, nx] == 0 and distance[ny, nx] < 0:
                distance = tf.tensor_scatter_nd_update(distance, [[ny, nx]], [distance[y, x] + 1])
                queue.append((ny, nx))
    return distance


@program(c([1, 2, 2, 3, 3, 3]), c([4, 4, 1]))
def lists_of_pairs(xs):
    kept, groups = [], []
    current, count = xs[0], 0
    for x in xs:
        if x == current:
            count += 1
        else:
            groups.append((current, count))
            current, count = x, 1
        if count > 1:
            kept.append(x)
    groups.append((current, count))
    most, value = groups[0][1], groups[0][0]
    for value_of_group, n in groups:
        if n > most:
            most, value = n, value_of_group
    last, _ = groups[-1]
    counts = [n for _, n in groups]
    return most, value, len(groups), last, tf.stack(kept), tf.stack(counts)


def paired(xs):
    found = []
    total = 0.0
    for number, x in enumerate(xs):
        if x > 0:
            found.append((x, number))
            total += x
    for x, number in reversed(found):
        total = total * 0.5 + x * tf.cast(number, tf.float32)
    return total, len(found)


@program(c([1.0, -2.0, 3.0]), c([1.0, 2.0, 0.5]))
def lists_of_pairs_in_called_functions(xs):
    total, count = paired(xs)
    if total > 1.0:
        total = total + count
    return total


@program(c([1.0, -2.0, 3.0, 4.0]), c([1.0, 2.0, 0.5, 1.0]))
def neighbours_in_a_list(xs):
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x)
    steps = [after - before for before, after in zip(kept, kept[1:])]  # noqa: RUF007
    scores = [x * y if x > 0 else y for x, y in zip(xs, xs[::-1])]
    return tf.stack(steps), sum(scores)


@program(c([1.0, 2.0]), c([0.1, 0.7]))
def lists_in_a_dict(xs):
    log = {"high": [], "all": []}
    for number in range(2):
        if xs[number] > 0.5:
            log["high"].append(xs[number])
        log["all"].append(xs[number] * 2.0)
    return {name: tf.stack(values) for name, values in log.items()}


@program((c([1.0, 2.0, 3.0]), c([0, 1, 0])), (c([1.0, 2.0, 3.0]), c([1, 0, 0])))
def lists_by_number(xs, labels):
    members = {0: [], 1: []}
    for x, label in zip(xs, labels):
        if label == 0:
            members[0].append(x)
        else:
            members[1].append(x)
    return [sum(values) / len(values) for values in members.values()]


@program(c(0.5), c(1.5), c(9.0), c(-5.0))
def python_loops_left_in_the_middle(x):
    for k in (1.0, 2.0, 3.0):
        if x > k:
            x = x * 2.0
            break
        # A step further.
        x = x + 1.0
        if x < -3.0:
            continue
        x = x - 0.25
    return x


class Words:
    def __init__(self, words):
        self.words = words
        self.missed = 0

    def place(self, word):
        for place, known in enumerate(self.words):
            if known == word:
                return place
        self.missed += 1
        return -1


@program(c(["b", "x", "a"]), c(["c", "b", "y"]))
def python_loops_that_return(words):
    known = Words(["a", "b", "c"])
    places = [known.place(word) for word in words]
    return tf.stack(places), known.missed


@program(c("([]{})"), c("([)]"), c("]"))
def python_loops_that_return_in_a_loop(text):
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for char in tf.strings.bytes_split(text):
        if char == "(" or char == "[" or char == "{":
            stack.append(char)
        else:
            if not stack:
                return False
            top = stack.pop()
            for close, opening in pairs.items():
                if char == close and top != opening:
                    return False
    return len(stack) == 0


@program((c([1.0, 2.0, 3.0]), c(2.5)), (c([1.0, 2.0, 3.0]), c(9.0)))
def python_loops_left_or_returned_from(xs, limit):
    total = 0.0
    for scale in (1.0, 2.0, 4.0):
        for shift in (0.0, 0.5):
            if scale * xs[0] + shift > limit:
                return scale, total
            total += shift
        if total > 0.75:
            break
        total += scale
    return 0.0, total


# Objects that branches change


class Swimmer:
    def __init__(self, position):
        self.position = position
        self.best = None

    def move(self, step):
        self.position = self.position + step
        return self.position


@program(c([1.0, -2.0, 3.0]), c([0.5, 0.25, -4.0]))
def objects_in_a_list(xs):
    swimmers = [Swimmer(x) for x in tf.unstack(xs)]
    total = 0.0
    for _ in range(2):
        for swimmer in swimmers:
            if swimmer.best is None or swimmer.position < swimmer.best:
                swimmer.best = swimmer.position
            if swimmer.position > 0:
                total += swimmer.move(-1.5)
    return total, [swimmer.best for swimmer in swimmers]


@program((c(3.0), c(2)), (c(-3.0), c(4)))
def attributes_that_branches_set(x, n):
    swimmer, other = Swimmer(tf.constant(1.0)), Swimmer(tf.constant(2.0))
    if x > 0:
        swimmer.position = other.position * x
    if x > 0:
        swimmer.position = swimmer.position + 1.0
        other.position = x
    else:
        other.position = other.position - 1.0
    if x > 1:
        swimmer.position, other.position = other.position, swimmer.position
    for i in range(n):
        swimmer.position = swimmer.position + other.position
    while swimmer.position > 0.0:
        swimmer.position = swimmer.position - 1.0
    if x > 0:
        y = swimmer.move(x)
    else:
        y = other.position
    return swimmer.position, other.position, y


@program(c([3.0, 1.0, 2.0]), c([1.0, 1.0, 0.0]))
def none_at_first_in_python(xs):
    best, where = None, -1
    for i, x in enumerate(tf.unstack(xs)):
        if best is None or x < best:
            best, where = x, i
    return best, where


class Buffer:
    def __init__(self, size):
        self.size = size
        self.items = []

    def add(self, state, reward):
        self.items.append((state, reward))
        if len(self.items) > self.size:
            self.items.pop(0)

    def total(self):
        return sum(reward for _, reward in self.items)


@program(c([0.5, 1.0, -0.5, 2.0]), c([-1.0, 3.0, 1.0, 4.0]))
def tuples_in_an_attribute(rewards):
    buffer = Buffer(2)
    state = tf.constant(0.0)
    for reward in rewards:
        state = state * 0.9 + reward
        if state > 0.8:
            buffer.add(state, reward)
    return state, buffer.total(), len(buffer.items)


class Clock:
    def __init__(self):
        self.time = 0.0
        self.rings = []

    def tick(self, step):
        self.time += step
        if self.time > 0.5:
            self.rings.append(self.time)


@program(c(0.3), c(0.7))
def a_method_in_several_iterations(step):
    clock = Clock()
    time = 0.0
    while time < 1.0:
        clock.tick(step)
        time += step
    return clock.time, len(clock.rings)


# Lists


@program((c([3.0, 1.0, 2.0]), c(0), c(2)), (c([3.0, 1.0, 2.0]), c(1), c(1)))
def exchanged_items(xs, i, j):
    ys = [x * x for x in tf.unstack(xs)]
    for _ in range(2):
        if ys[i] >= ys[j]:
            ys[i], ys[j] = ys[j], ys[i]
    ys[-1], ys[i] = ys[i], ys[-1]
    ys[j] += 10.0
    return ys[0] * 2.0 + ys[1] + ys[2] * 3.0


@program(c([3, 1, 2, 0]), c([1, 1, 0, 5]))
def selection_sort(xs):
    xs = list(tf.unstack(xs))
    for i in range(len(xs)):
        least = i
        for j in range(i + 1, len(xs)):
            if xs[j] < xs[least]:
                least = j
        xs[i], xs[least] = xs[least], xs[i]
    return tf.stack(xs)


@program((c([[1, 2], [3, 4]]), c(1), c(0)), (c([[5, 0], [0, 4]]), c(1), c(1)))
def lists_of_lists(cells, y, x):
    grid = [[0] * 2 for _ in range(2)]
    for i in range(2):
        for j in range(2):
            if cells[i, j] > 2:
                grid[i][j] = cells[i, j]
    grid[y][x] += 1
    grid[y - 1][x] = 7
    return tf.stack(grid), grid[y][x]


@program((c([[2.0, 1.0], [4.0, 3.0]]), c([1.0, 2.0])), (c([[5.0, 1.0], [4.0, 3.0]]), c([1.0, 2.0])))
def rows_that_are_exchanged(a, b):
    rows = [[a[i, j] for j in range(2)] + [b[i]] for i in range(2)]
    pivot = 0
    if abs(rows[1][0]) > abs(rows[0][0]):
        pivot = 1
    rows[0], rows[pivot] = rows[pivot], rows[0]
    factor = rows[1][0] / rows[0][0]
    rows[1] = [x - factor * y for x, y in zip(rows[1], rows[0])]
    return rows[1][2] / rows[1][1]


@program(c([1.0, -2.0, 3.0]), c([5.0, -2.0, -3.0]))
def lists_in_a_list_that_grows(xs):
    rows = []
    for x in xs:
        if x > 0:
            rows.append([x, x * x])
    return tf.stack(rows), len(rows), rows[-1][1]


@program(c([1.0, -2.0, 3.0]), c([5.0, -2.0, -3.0]))
def a_list_that_becomes_a_tensor(xs):
    values = [0.0] * 3
    values = tf.where(xs > 0, xs, tf.constant(values))
    place = tf.argmax(values)
    return values[place]


@program((c([[0.6, 0.4], [0.2, 0.8]]), c(0)), (c([[0.1, 0.9], [0.7, 0.3]]), c(1)))
def beams_with_lists(transition, start):
    beams = [([start], tf.constant(0.0))]
    for _ in range(2):
        candidates = []
        for sequence, score in beams:
            row = tf.math.log(transition[sequence[-1]])
            for k in range(2):
                candidates.append((sequence + [tf.constant(k)], score + row[k]))
        candidates.sort(key=lambda pair: pair[1], reverse=True)
        beams = candidates[:2]
    best, score = beams[0]
    return tf.stack(best), score


# Functions that return None, generators, and names that a loop's `else` sets


def sum_of_opposites(a, b):
    if a * b > 0:
        return None
    return a + b


class Table:
    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def lookup(self, key):
        for k, v in zip(self.keys, self.values):
            if k == key:
                return v

    def rows(self, size):
        for start in range(0, len(self.values), size):
            yield self.values[start : start + size]


@program((c([1.0, 2.0]), c([-1.0, 3.0])), (c([1.0, 2.0]), c([-1.5, -3.0])))
def calls_that_give_none(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys):
        found = sum_of_opposites(x, y)
        if found is None:
            continue
        total += found
    return total


@program((c([1, 2]), c([5.0, 6.0]), c(2)), (c([1, 2]), c([5.0, 6.0]), c(3)))
def a_method_that_gives_none(keys, values, key):
    found = Table(keys, values).lookup(key)
    return found if found is not None else tf.constant(-1.0)


@program((c([1.0, 2.0, 3.0]), c(1.5)), (c([1.0, 2.0, 3.0]), c(5.0)))
def an_inner_function_that_gives_none(values, limit):
    def search():
        for i, value in enumerate(values):
            if value > limit:
                return i, value
        return None

    found = search()
    if found is None:
        return -1, tf.constant(0.0)
    return found


def windows(xs, size):
    for i in range(len(xs) - size + 1):
        yield i, xs[i : i + size]


def products(xs, ys):
    for x, y in zip(xs, ys):
        yield x * y


@program((c([1.0, 5.0, 2.0, 4.0]), c(2.0)), (c([3.0, 2.0, 2.0, 7.0]), c(9.0)))
def generators_over_tensors(xs, limit):
    found, total = [], 0.0
    for i, window in windows(xs, 2):
        if window[1] < window[0]:
            continue
        found.append(i)
        total += window[1]
    for number, product in enumerate(products(xs, xs)):
        if product > limit:
            total += product * number
    for row in Table(xs, xs).rows(2):
        total += tf.reduce_sum(row)
    return tf.stack(found), total


@program(c(2.0), c(1e6))
def set_with_an_else(a):
    x = a
    while abs(x * x - a) > 1e-3:
        x = 0.5 * (x + a / x)
        if x > 1e5:
            message = -1
            break
    else:
        message = 1
    return x, message


@program(c([0.1, 0.5, 0.3]), c([0.4, 0.1]))
def lines_of_a_report(losses):
    lines = []
    for i, loss in enumerate(losses):
        status = "good" if loss < 0.2 else "bad"
        lines.append(f"{i}: {loss:.2f} {status}")
    return tf.strings.length("; ".join(lines))


@program(c([1.0, -2.0, 3.0]), c([5.0, -2.0, -3.0]))
def parts_of_tuples(xs):
    pairs = []
    for x in xs:
        if x > 0:
            pairs.append((x, x * x))
    return tf.stack([first for first, _ in pairs]), tf.stack([second for _, second in pairs])


@program(c([1.0, -2.0, 3.0]), c([0.5, 0.2, 0.1]))
def tuples_appended_in_one_line(xs):
    trades = []
    for i, x in enumerate(xs):
        if x > 2:
            trades.append((x, i))
        elif x < 0:
            trades.append((-x, i))
            trades.append((x, 0))
    return sum(x * tf.cast(i, tf.float32) for x, i in trades), len(trades)


@program((c([[1, 0], [1, 1]]), c([0, 0])), (c([[0, 0], [1, 1]]), c([1, 1])))
def literal_lists_in_the_graph(grid, start):
    seen, stack, count = tf.zeros_like(grid), [start], 0
    while stack:
        y, x = tf.unstack(stack.pop())
        if y < 0 or x < 0 or y >= 2 or x >= 2:
            continue
        if seen[y, x] == 1 or grid[y, x] == 0:
            continue
        seen = tf.tensor_scatter_nd_update(seen, [[y, x]], [1])
        count += 1
        for dy, dx in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            stack.append(tf.stack([y + dy, x + dx]))
    return count, seen


@program((c([1, 0, 1]), c(1)), (c([2, 2, 0]), c(0)))
def lists_of_counts(xs, wanted):
    counts, table = [0, 0, 0], [[0, 0], [0, 0]]
    for x in xs:
        counts[x] += 1
        table[x % 2][wanted] += x
    return counts, {"table": table}, sum(1 for x in xs if x == wanted)


@program((c([1.0, 5.0, 2.0, 4.0]), c(2.0)), (c([3.0, 2.0, 2.0, 7.0]), c(9.0)))
def generators_left_early(xs, limit):
    total = 0.0
    for _, window in windows(xs, 2):
        if window[0] > limit:
            break
        total += window[1]
    return total


@dataclass(frozen=True)
class Ball:
    position: Any
    velocity: Any
    bounces: int = 0


def bounced(ball, step):
    position = ball.position + ball.velocity * step
    if position < 0:
        return Ball(-position, velocity=-0.8 * ball.velocity, bounces=ball.bounces + 1)
    if position > 2:
        stopped = Ball(position, ball.velocity * 0.0, ball.bounces)
        return stopped  # noqa: RET504
    return Ball(position, ball.velocity - step, ball.bounces)


@program((c(1.0), c(0.1)), (c(1.9), c(0.5)), (c(-3.0), c(0.5)))
def dataclasses_that_are_returned(height, step):
    ball = Ball(height, tf.constant(0.5))
    heights = []
    for _ in range(4):
        ball = bounced(ball, step)
        heights.append(ball.position)
    while ball.bounces < 3:
        ball = bounced(Ball(ball.position - 1.0, ball.velocity, ball.bounces + 1), step)
    return tf.stack(heights), ball.velocity, ball.bounces


@program((c([0, 1, 2, 3]), c([2.0, 3.0, 4.0, 1.0])), (c([3, 0, 9, 1]), c([2.0, 3.0, 4.0, 5.0])))
def machine(ops, args):
    acc = tf.constant(1.0)
    for op, arg in zip(ops, args):
        match op:
            case 0:
                acc = acc + arg
            # A comment between two cases.
            case 1:
                acc = acc * arg
            case 2 if acc > 5.0 or arg > 3.5:
                acc = acc - arg
            case 3: acc = -acc  # fmt: skip
            case _:
                break
    return acc


@program((c(1), c(4.0)), (c(2), c(4.0)), (c(3), c(-4.0)), (c(7), c(4.0)))
def named_cases(kind, x):
    y = x
    match kind - 1:
        case 0 | 1 if x > 2.0:
            y = x * 2.0
        case 2:
            y = x - 1.0
        case other:
            y = x + tf.cast(other, tf.float32)
    return y


@program((c(1), c(2)), (c(2), c(1)), (c(2), c(5)))
def pairs(a, b):
    found = 0
    match a, b:
        case 1, _:
            found = a + b
        case _, 1 | 3:
            found = a - b
    return found


@program(c([1.0, 1.0]), c([0.5, -9.0]))
def descends(w):
    steps = 0
    while (size := tf.norm(slope := 2.0 * (w - 3.0))) > 0.1:
        if steps >= 25:
            break
        w = w - 0.2 * slope
        steps += 1
    return w, size, steps


@program((c([1, 2, 5, 3]), c(2.0)), (c([0, 0, 5]), c(-2.0)), (c([3, 8]), c(6.0)))
def cases_that_the_graph_chooses(ops, x):
    total = 1.0
    for op in ops:
        match op % 4, x:
            case (0, _): total += x  # fmt: skip
            case (k, y) if k == 1 and y > 0.0:
                # only what is positive
                total -= y
            case (2, z):
                if total > 5.0:
                    return total
                total *= z
            case _:
                continue
        match op:
            case 3 | 8 if x > 5.0:
                break
            case other:
                total += tf.cast(other, tf.float32)
    return total


@program(c(8.0), c(1.0), c(0.5))
def names_set_by_a_condition(n):
    while (step := n / 2) > 0.5:
        n = n - step
    return step, n


@program(c(8.0), c(-1.0), c(500.0))
def names_set_before_a_break(n):
    while True:
        step = n / 2
        n = n - step
        if n < 1.0:
            reason = 1
            break
        if n > 100.0:
            reason = 2
            print("too much", reason)
            break
    return step, reason


@program((c(2), c(1.5), True), (c(2), c(1.5), False), (c(1), c(3.0), False), (c(3), c(3.0), True))
def guards_that_choose(kind, x, strict):
    y = x
    match kind:
        case 2 if x > 2.0 if strict else x > 1.0:
            y = x * 2.0
        case 1 | 3 if strict:
            y = x - 1.0
    return y


@program(
    c([1.0, 3.0, 3.0, -1.0, -1.0]), c([float("nan"), 3.0, 3.0, -1.0, -1.0]), c([1.0, float("nan"), 3.0, -1.0, -1.0])
)
def extremes_of_lists(xs):
    doubled = [x * 2 for x in tf.unstack(xs)]
    named = {"first": xs[0] + 1.0, "last": xs[4]}
    best, seen = 0.0, []
    for x in doubled:
        seen.append(x)
        best = max(seen)
    if max([doubled[0], 0.5]) > 1.0:
        best = best + 1
    most = max(x + 2.0 for x in tf.unstack(xs))
    place = max(range(2), key=lambda n: xs[n])
    return best, min(doubled[1:]), max(0.0, *doubled), min(named.values()), most, place


@program((c([3.0, 1.0, 2.0, 5.0]), c(0.5)), (c([3.0, 3.0, 3.0, 3.0]), c(1.0)))
def sorts_in_the_middle_of_a_statement(scores, penalty):
    scored = []
    for place, score in enumerate(tf.unstack(scores)):
        if score > 2.5:
            score = score - penalty
        scored.append((score, place))
    top = sorted(scored, key=lambda pair: pair[0], reverse=True)[:2]
    total = 0.0
    for score, place in sorted(((score * 2, place + 1) for score, place in scored), key=lambda pair: pair[0])[:3]:
        total += score * tf.cast(place, tf.float32)
    named = [{"score": score, "place": place} for score, place in scored]
    if max(named, key=lambda each: each["score"])["score"] > 3.0:
        total = -total
    return (
        [place for _, place in top],
        total,
        max(scored, key=lambda pair: -pair[0])[1],
        min(named, key=lambda n: n["score"]),
    )


@program((c([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3], [0.2, 0.2, 0.6]]), 2), (c([[0.4, 0.2, 0.4]] * 3), 2))
def keeps_the_best_of_what_it_sorts(scores, width):
    beams = [([0], tf.constant(0.0))]
    for step in range(3):
        beams = sorted(
            [(tokens + [k], score + scores[step][k]) for tokens, score in beams for k in range(3)],
            key=lambda beam: beam[1],
            reverse=True,
        )[:width]
    tokens, score = max(beams, key=lambda beam: beam[1])
    return tokens, score


@program((c([1.0, 0.25, 0.5]), c(0.5)), (c([3.0, 0.0, -0.5]), c(0.25)))
def changes_dicts_in_a_list(heights, damping):
    balls = [{"y": height, "v": 0.0, "hits": 0} for height in tf.unstack(heights)]
    for _ in range(4):
        for ball in balls:
            ball["v"] -= 1.0
            ball["y"] += 0.25 * ball["v"]
            if ball["y"] < 0.0:
                ball["y"] = -ball["y"]
                ball["v"] = -ball["v"] * damping
                ball["hits"] += 1
        for a in balls:
            for b in balls:
                if a["y"] < b["y"]:
                    a["v"], b["v"] = b["v"], a["v"] * damping
                elif a["y"] > 0.9:
                    a["y"] -= b["y"]
                    b["y"] += 1.0
    for ball in balls:
        while ball["y"] > 0.0:
            ball["y"] -= 0.5
    return balls


@dataclass
class Particle:
    x: tf.Tensor
    v: tf.Tensor


@program(c([1.0, 0.25, 0.5]), c([0.0, 0.25, -0.5]))
def changes_pairs_that_may_be_one(xs):
    particles = [Particle(x, x + 1.0) for x in tf.unstack(xs)]
    for a in particles:
        for b in particles:
            if a.x + b.x > 0.4:
                a.v, b.v = b.v * 0.5, a.v + 0.25
            if a.x > b.v:
                a.x = a.x - 1.0
                b.x = b.x * 2.0
            elif a.x > 0.0:
                a.x += b.v
                b.x += a.v
    return [each.x for each in particles], [each.v for each in particles]


@program(c(2.0), c(1.0))
def changes_items_with_another_name(x):
    stats = {"a": {"n": tf.constant(0)}, "b": {"n": tf.constant(1)}}
    rows, table = [{"n": x}, {"n": -x}], {"a": [x, x], "b": [x, -x]}
    second, last, row = stats["b"], rows[-1], table["b"]
    if x > 1.5:
        stats["b"]["n"] += 100
        rows[1]["n"] += 100.0
        table["b"][0] = x * 3
    for n in tf.range(3):
        stats["b"]["n"] += n
        if stats["b"]["n"] > 2:
            stats["a"]["n"] += 1
    return second["n"], last["n"], row, stats


class Quoted:
    def __init__(self):
        self.best, self.text = tf.constant(0.0), tf.constant("")
        self.logs = {"best": tf.constant(5.0)}


@program(c(2.0), c(0.7), c(-2.0))
def quotes_what_attributes_are_called(x):
    run = Quoted()
    if x > 0:
        run.text = tf.constant("the best of all")
        run.best = x
    if x > 1.0:
        run.best = run.best + run.logs["best"]
    return run.best, run.text


@program((c([1.0, 3.0, 2.0]), c([4.0, 5.0])), (c([1.0, 1.0, 2.0]), c([4.0, 0.0])))
def leaves_only_inner_loops(xs, ys):
    total, seen = 0.0, 0
    for vs in [xs, ys]:
        for v in vs:
            if v > 2.5:
                break
            total += v
        else:
            total += 100.0
        total *= 2.0
    for vs in (xs, ys):
        for v in tf.unstack(vs):
            seen += 1
            if v > 2.5:
                total += 1.0
                continue
            total += v
    return total, seen


@program((c([1.0, 3.0, 2.0]), c([4.0, 5.0])), (c([1.0, 1.0, 2.0]), c([4.0, 0.0])))
def leaves_a_loop_after_one_without_condition(xs, ys):
    total = 0.0
    for x in tf.unstack(xs):
        while True:
            x = x * 0.5
            if x < 0.3:
                break
            total += x
        for y in tf.unstack(ys):
            if y > x * 4.0:
                total -= y
                break
    return total


@program(c([1, 2, -3]), c([-1, -2, -3]))
def constant_of_a_counter(xs):
    count = 0
    for x in xs:
        if x > 0:
            count += 1
    return tf.constant(count), tf.constant(count, tf.float32)


@program(c(3), c(12))
def constant_of_a_text(n):
    return tf.strings.length(tf.constant(f"v{n}"))


@program(c([[1.0, 2.0], [3.0, 4.0]]), c([[1.0, 1.0], [-3.0, 4.0]]))
def unpacked_tensors(pairs):
    total = 0.0
    for pair in pairs:
        total += tf.maximum(*pair)
    return total, tf.stack([*pairs[0], *pairs[1]])


@program((c([1.0, 2.0, 3.0]), c(2)))
def counts_from_a_start(xs, n):
    total, steps = 0.0, 0
    for i, x in enumerate(xs, start=1):
        if i % 2 == 1:
            total += i * x
    for i, (x, y) in enumerate(zip(xs, xs[::-1]), n):
        if x < y:
            steps += i
        n += 1
    for x, y in zip(xs, xs * 2, strict=True):
        if x > 1:
            total += x * y
    return total, steps, n, [i * x for i, x in enumerate(xs, start=2)]


class RunningMean:
    def __init__(self, decay):
        self.decay = decay
        self.value = None

    def update(self, x):
        self.value = x if self.value is None else self.decay * self.value + (1 - self.decay) * x
        return self.value


@program(c([1.0, 3.0, 2.0]), c([-1.0, -3.0, 0.5]))
def conditional_expressions_with_none(xs):
    low, high, best = None, None, None
    smoothed = RunningMean(0.9)
    total = 0.0
    for x in xs:
        low = x if low is None else tf.minimum(low, x)
        high = x if high is None else x if x > high else high
        best = x if best is None or x * x > best * best else best
        total += smoothed.update(x)
    return low, high, best, total, smoothed.value


@program(c([1.0, 3.0, 2.0]), c([-1.0, -3.0, 0.5]))
def sorts_a_list_in_reverse(xs):
    kept = []
    for x in xs:
        if x < 2.5:
            kept.append(x)
    kept.sort(reverse=True)
    return kept[0], len(kept)


@program(c([1.0, 3.0, 2.0]))
def sums_with_a_start(xs):
    return 2 * sum(xs, 1.0), xs[0] - sum(xs, xs[1] - 1.0), -sum(xs[1:], start=2.0)


@program(c([[1.0, 2.0], [3.0, 4.0]]), c([[-1.0, 2.0], [3.0, 5.0]]))
def unpacks_parts(rows):
    (a, b), scale = rows[0], 2.0
    [low, (high, _)] = [rows, rows]
    (p, *q), (r, s) = rows
    if rows[0, 0] > 0.0:
        (a, b), c = rows, 3.0
        a, b = b[0], a[1]
    else:
        (a, b), c = (rows[0, 1], rows[1, 0]), 4.0
    return a + b * c * scale, low + high, p * q[0] - r * s


@program(c([1.0, -2.0, 3.0]), c([-1.0, -2.0]))
def extremes_with_defaults(xs):
    found = []
    for x in xs:
        if x > 0:
            found.append(x)
    scale = max([x * 2 for x in xs if x > 2], default=tf.constant(1.0))
    nearest = min(found, key=lambda x: abs(x - 2.0), default=xs[0])
    return scale * max(found, default=xs[1]), min(found, default=-1) * xs[0], nearest * max(xs, key=abs)


@program(c([4, 2, 5, 2]), c([1, 2, 3, 4]))
def extremes_of_selected_numbers(xs):
    kept = []
    for x in xs:
        if x > 1:
            kept.append(x)
    return max(kept), min(kept), min(kept, default=7), max((x for x in xs if x > 9), default=0)


@program(c([1.0, -2.0, 3.0]), c([-1.0, 2.0, 0.5]))
def sorts_tensors_by_keys(xs):
    nearest = sorted(xs, key=lambda x: abs(x - 1.0))
    first, *rest = sorted(xs, key=abs, reverse=True)
    return nearest[:2], first, rest, sorted(xs, key=lambda x: -x)[0]


@program(c([1.0, -2.0, 3.0]), c([-1.0, -2.0]), c([-3.0, 1.0, -2.0]))
def choices_that_may_stay_none(xs):
    best = previous = None
    last = None
    for x in xs:
        best = x if x > 2 else previous if x < -1 else best
        last = None if x < 0 else x
        previous = x
    return previous, xs[0] if best is None else best * 2.0, xs[1] if last is None else last * 3.0


class TwoBest:
    def __init__(self):
        self.best = None
        self.second = None

    def see(self, x):
        if self.best is None or x > self.best:
            self.second = self.best
            self.best = x
        elif self.second is None or x > self.second:
            self.second = x


@program(c([1.0, -2.0, 3.0]), c([-1.0, -2.0]), c([-3.0, 1.0, -2.0]))
def copies_of_what_may_be_none(xs):
    two = TwoBest()
    first, second = None, None
    for x in xs:
        two.see(x)
        if first is None or x < first:
            first, second = x, first
        elif second is None or x < second:
            second = x
    return two.best, two.second, first, xs[0] if second is None else second


@program((c([1, 3, 4, 6, 8]), c(10)), (c([1, 3, 4, 6, 8]), c(100)))
def returns_a_list_from_a_loop(xs, target):
    i, j = 0, len(xs) - 1
    while i < j:
        found = xs[i] + xs[j]
        if found == target:
            return [i, j]
        if found < target:
            i += 1
        else:
            j -= 1
    return [-1, -1]


@program(c([1.0, -2.0, 3.0]), c([-1.0, 2.5]))
def returns_a_dict_from_a_loop(xs):
    for i, x in enumerate(xs):
        if x > 2:
            return {"place": i, "value": x}
    return {"place": -1, "value": 0 * xs[0]}


class TwoTotals:
    def __init__(self):
        self.values = {"sum": tf.constant(0.0), "n": tf.constant(0)}
        self.weights = [tf.constant(1.0), tf.constant(2.0)]

    def update(self, x):
        self.values["sum"] = self.values["sum"] + x
        self.values["n"] += 1
        self.weights[0] = self.weights[0] * x

    def mean(self):
        if self.values["n"] == 0:
            return tf.constant(0.0)
        return self.values["sum"] / tf.cast(self.values["n"], tf.float32)


@program(c([1.0, -2.0, 3.0]), c([-1.0, -2.0]))
def items_of_attributes(xs):
    totals = TwoTotals()
    held = totals.values
    for x in xs:
        if x > 0:
            totals.update(x)
            held["n"] += 1
        elif x < -1:
            totals.values["sum"] -= 0.5
    return totals.mean(), totals.values, held, totals.weights


@program(c([1.0, -2.0, 3.0]), c([-1.0, -2.0]))
def keys_that_a_loop_sets(xs):
    info = {"n": 0}
    last = {}
    for x in xs:
        if x > 0:
            info["n"] += 1
        info["square"] = x * x
        last["x"] = x
        last["double"] = 2 * x
    return info, last, info["square"] - last["x"]


@program((c([1.0, 2.0, 3.0]), c(0.9)), (c([1.0, 1.0, 1.0]), c(0.99)))
def first_set_in_a_loop_that_is_left(logits, target):
    temperature = 1.0
    for step in range(8):
        p = tf.nn.softmax(logits / temperature)
        if tf.reduce_max(p) > target:
            break
        temperature *= 0.5
    else:
        return p, -1  # pyright: ignore[reportPossiblyUnboundVariable]
    return p, step  # pyright: ignore[reportPossiblyUnboundVariable]


class Supply:
    def __init__(self, size):
        self.size = size
        self.taken = 0

    def is_empty(self):
        return self.taken >= self.size

    @property
    def left(self):
        return self.size - self.taken

    def next(self):
        self.taken += 1
        return tf.cast(self.taken, tf.float32) * 0.5

    def max(self, x):
        self.taken += 1
        return x if x > 2 else x * 0


@program(c(5), c(0))
def conditions_that_read_attributes(n):
    supply, other, last = Supply(n), Supply(n), Supply(n)

    def is_done():
        return last.taken >= n

    total, taken, largest = 0.0, 0, 0
    while not supply.is_empty():
        total += supply.next()
    while other.left > 0:
        largest = max(largest, other.max(n))
    while not is_done() and taken < 9:
        last.taken += 2
        taken += 1
    return total, supply.taken, largest, other.taken, taken, last.taken


@program((c([1.0, -2.0, 3.0]), c([0.5, 0.5, 0.7])), (c([-1.0, -2.0, 3.0]), c([0.5, 0.5, 0.7])))
def selects_of_pairs(xs, ws):
    weighted = [x * w for x, w in zip(xs, ws) if x > 0]
    places = [i for i, x in enumerate(xs) if x > 0]
    return sum(weighted), len(weighted), places[0], sum(i * x for i, x in enumerate(ws) if x > 0.6)


# Functions that are called by others


def capped(x):
    if x > 2.0:
        return -x
    return x


def added_if_positive(total, x):
    if x > 0.0:
        return total + x
    return total


class Cap:
    def __init__(self, limit):
        self.limit = limit

    def apply(self, x):
        return -x if x > self.limit else x


@program(c([2.0, -1.0, 3.0]), c([1.0]), c([5.0, 4.0]))
def keys_with_names(xs):
    items = [xs[0], xs[-1], c(2.5)]
    lowest = min([xs[0], xs[-1]], key=capped)
    items.sort(key=capped)
    return sorted(xs, key=capped), max(xs, key=capped), lowest, items


@program(c([2.0, -1.0, 3.0]), c([1.0]))
def functions_for_functions(xs):
    total = functools.reduce(added_if_positive, xs, 0.0)
    first = functools.partial(added_if_positive, 1.0)
    return list(map(capped, xs)), tf.map_fn(capped, xs), total, first(xs[0]), tf.foldl(added_if_positive, xs)


@program(c([2.0, -1.0, 3.0]), c([5.0]))
def methods_for_functions(xs):
    cap = Cap(1.5)
    return sorted(xs, key=cap.apply), tf.map_fn(cap.apply, xs)


@program(c(3.0), c(-3.0))
def functions_in_turn(x):
    total = 0.0
    for function in (capped, abs, tf.square):
        total += function(x)
    return total


@program(c([3.0, 1.0, 2.0]), c([0.0]))
def sorted_in_reverse(xs):
    total = 0.0
    for i, x in enumerate(sorted(xs, reverse=True)):
        total += x * i
    return total + sorted(xs)[0]


# Numbers that Python divides, and lengths that it knows


@program(c([2.0, -1.0, 3.0]), c([4.0]), c([1.0, 2.0, 3.0, 4.0]))
def numbers_that_are_divided(xs):
    total, half = 0.0, 0.0
    for start in range(0, len(xs), 2):
        batch = xs[start : start + 2]
        total += tf.reduce_sum(batch) / len(batch)
    for i, x in enumerate(xs):
        total = total + tf.sqrt(x * x) + i / 2
        half += i / 2
    return total, half


@program((c([2.0, -1.0, 3.0]), [c(1.0), c(2.0)]), (c([-1.0]), [c(1.0), c(2.0)]))
def zip_with_lists(xs, ws):
    total = 0.0
    for x, factor, w in zip(xs, (1.0, 2.0, 3.0), ws):
        if x > 0.0:
            total += x * factor + w
    return total


# What `try` returns, and items of lists that objects hold


@program(({"limit": 1.0}, c(2.0)), ({}, c(2.0)), ({}, c(-1.0)))
def returns_in_a_try(settings, x):
    log = []
    try:
        if x > settings["limit"]:
            return x
        return -x
    except KeyError:
        if x > 0.0:
            return 2.0 * x
        return 3.0 * x
    finally:
        log.append("done")


class Weights:
    def __init__(self):
        self.values = [c(1.0), c(-2.0), c(3.0)]
        self.steps = {"low": 0.0, "high": 0.0}

    def shrink(self, limit):
        for i in range(len(self.values)):
            if self.values[i] > limit:
                self.values[i] -= limit
            elif self.values[i] < 0.0:
                self.values[i] = limit
        return sum(self.values)

    def count(self, x):
        for name in ("low", "high"):
            if x > self.steps[name]:
                self.steps[name] = x
        return x


@program(c(2.0), c(-2.0), c(0.5))
def items_that_branches_assign(x):
    weights = Weights()
    total = weights.shrink(x) + weights.count(x)
    return total, weights.values, weights.steps["low"]


@program(c(2.0), c(-2.0))
def returns_in_a_with(x):
    with tf.name_scope("outer"):
        x = x + 1.0
        if x > 0.0:
            return x
        return -x


# The `else` of loops over Python values


@program((c(2), c(3)), (c(0), c(1)), (c(5), c(20)))
def else_after_breaks(wanted, x):
    def doubled(code):
        return code * 2

    total = 0
    for step in (5, 6):
        for code in (1, 2, 3):
            if wanted == code:
                total += step * doubled(code)
                break
            if x > 8:
                total -= 5
        else:
            # Nothing is wanted.
            total -= 1
            if x > 0:
                total += x
    return total


@program((c(2), c(3)), (c(0), c(1)))
def else_after_a_return(wanted, x):
    for code in (1, 2, 3):
        if wanted == code:
            return x * code
    else:
        x = x + 1
    return x


class Disc:
    def __init__(self, radius):
        self.radius = radius

    def area(self, scale=1.0):
        if self.radius < 0:
            return 0.0
        return 3.0 * self.radius**2 * scale


class Rectangle:
    def __init__(self, width):
        self.width = width

    def area(self, scale=1.0):
        return self.width * 2.0 * scale


class Frame(Disc):
    def area(self, scale=1.0):
        return super().area(scale) + 1.0


class Rectified:
    def __call__(self, x):
        return x if x > 0 else 0.0 * x


@program((c(1.0), c(2.0)), (c(-1.0), c(2.0)))
def methods_that_differ_by_class(r, a):
    total = 0.0
    for shape in (Disc(r), Rectangle(a), Frame(a)):
        total += shape.area(scale=2.0)
    for layer in [Rectified(), tf.tanh]:
        total = layer(total)
    return total


@program((c([3.0, 1.0, 2.0]),), (c([0.0, 5.0, -1.0]),))
def a_comparison_that_python_knows_first(xs):
    last = -1
    for i in range(3):
        if last < 0 or xs[i] < xs[last]:
            last = i
    return last


def larger(best, x):
    if best is None:
        return x
    return x if x > best else best


def capped_at(x, limit=None, scale=2.0):
    if limit is not None and x > limit:
        return limit * scale
    return x


def capped_twice(x, limit):
    y = capped_at(x, limit)
    return y * 2


class Smaller:
    def of(self, best, x):
        return x if best is None or x < best else best


@program((c([3.0, 1.0, 7.0, 2.0]),), (c([5.0, 6.0, 1.0, 1.0]),))
def names_that_others_ask_for(xs):
    best, least, limit = None, None, None
    smaller = Smaller()
    total = 0.0
    for x in xs[: tf.size(xs)]:
        best = larger(best, x)
        least = smaller.of(least, x)
        total += (
            capped_at(x, limit=limit)
            + capped_at(x, limit, 3.0)
            + capped_at(x)
            + capped_at(x, None)
            + capped_at(x, x / 2)
        )
        total += capped_twice(x, limit)
        if x > 2:
            limit = x
    return best, least, total


class Thermostat:
    def __init__(self, target):
        self._target = target
        self.changes = 0

    @property
    def target(self):
        return self._target

    @target.setter
    def target(self, value):
        if value > 30.0:
            value = tf.constant(30.0)
        self._target = value
        self.changes += 1


class Counted:
    def __init__(self, value):
        self._value = value
        self.count = 0

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value
        self.count += 1

    def add(self, x):
        if x > 0:
            self.value = self.value + x


@program((c([18.0, 25.0, 40.0]),), (c([29.0, -5.0, 1.0]),))
def properties_that_are_set(xs):
    thermostat, counted = Thermostat(tf.constant(20.0)), Counted(tf.constant(0.0))
    energy = 0.0
    for x in xs[: tf.size(xs)]:
        if x < thermostat.target:
            energy += thermostat.target - x
        else:
            thermostat.target = x
        thermostat.target -= 1.0
        counted.value = x
        if x > 20:
            counted.value *= 2.0 + 1.0
        counted.add(x)
    return energy, thermostat.target, thermostat.changes, counted.value, counted.count


squared = lambda x: x * x  # noqa: E731
positive = lambda x: x if x > 0 else -x  # noqa: E731


@program(c(3.0), c(-3.0))
def lambdas_of_the_file(x):
    return positive(x) + squared(x)


# Lengths of lists that the graph fills, names that a loop or its `else` sets, and chains that compare quotients


@program((c([1.0, 0.0, 2.0]), c(0.9)), (c([5.0]), c(0.5)))
def lengths_that_a_trace_knows(rewards, gamma):
    value, returns = 0.0, []
    for r in reversed(rewards):
        value = r + gamma * value
        returns.insert(0, value)
    returns = tf.stack(returns)
    if len(returns) > 1:
        returns = returns - tf.reduce_mean(returns)
    count = len(returns) - 1
    return returns if count > 1 and returns[0] > 0 else returns * 2.0


@program(c(17), c(21), c(1), c(2))
def set_with_the_else_of_a_while(n):
    if n < 2:
        return False, 0
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            is_prime = False
            break
        divisor += 1
    else:
        is_prime = True
    return is_prime, divisor


@program(c([17, 21, 1]), c([4]))
def set_in_each_iteration_around_a_while(xs):
    total = 0
    for n in xs:
        if n < 2:
            continue
        divisor = 2
        while divisor * divisor <= n:
            if n % divisor == 0:
                is_prime = False
                break
            divisor += 1
        else:
            is_prime = True
        if is_prime:
            total += n
    return total


@program(c([1.0, 2.0, 3.0]), c([0.0, 0.0, 0.0]), c([0.0, 0.0, 90.0]))
def set_in_a_loop_over_python_values(logits):
    for temperature in [0.125, 0.5, 1.0, 2.0]:
        p = tf.nn.softmax(logits / temperature)
        if tf.reduce_max(p) < 0.8:
            chosen = temperature
            break
    else:
        chosen = -1.0
        p = logits
    return chosen, p


@program(c([1.0, 2.0, 3.0]), c([0.0, 0.0, 0.0]), c([0.0, 0.0, 90.0]))
def set_in_a_loop_over_python_values_that_breaks(logits):
    for temperature in (0.1, 0.5):
        q = tf.nn.softmax(logits / temperature)
        if tf.reduce_max(q) < 0.8:
            break
    return q  # pyright: ignore[reportPossiblyUnboundVariable]


@program(c(1.0), c(100.0))
def a_counter_of_a_tensor_range_after_its_loop(x, limit=10):
    for step in tf.range(limit):
        x = x / 2
        if x < 0.3:
            break
    return x, step  # pyright: ignore[reportPossiblyUnboundVariable]


@program(c([0.1, 0.5, 0.9, 0.95]), c([2.0]))
def between_quotients(xs):
    counts, outside, hits = [0] * 4, 0, 0
    for i, x in enumerate(xs):
        for b in range(4):
            low, high = b / 4, (b + 1) / 4
            if low <= x < high:
                counts[b] += 1
                break
        else:
            outside += 1
        if i < x * 4 < i + 2:
            hits += 1
    return counts, outside, hits


# What functions change of their arguments


def noted(stats, xs):
    for x in xs:
        stats["n"] += 1
        if x > stats["most"]:
            stats["most"] = x


def counted(counts, x):
    for i in range(2):
        if x > i:
            counts[i] += 1


def pushed(items, x):
    if x > 0:
        items.append(x)
        return True
    return False


def taken(items):
    return items.pop()


def restarted(tally):
    tally.update(n=0)


@program(c([1.0, -2.0, 3.0]), c([-1.0, -2.0, 0.5]))
def arguments_that_functions_change(xs):
    stats, counts, tally = {"n": 0, "most": xs[0]}, [0, 0], {"n": 0}
    items, halves, hits, total = [], [1.0], 0, 0.0
    for x in xs:
        noted(stats, xs - x)
        counted(counts, x)
        halves.append(x / 2)
        tally["n"] += 1
        if x < 0:
            restarted(tally)
        if pushed(items, x):
            hits += 1
    while len(halves) > 0:
        total = total / 2 + taken(halves)
    return stats, counts, tally, items, hits, total


def item_set(stats, x):
    if x > 0.0:
        stats["a"] = x
    return x


@program(c(1.0), c(-1.0))
def an_argument_with_two_names(x):
    stats = {"a": 0.0}
    other = stats
    return item_set(stats, x) + stats["a"], other


@program((c(1), c(0)), (c(0), c(0)), (c(0), c(3)), (c(4), c(3)), (c(2), c(5)), (c(1), c(1)))
def pairs_that_bind(a, b):
    match (a, b):
        case (0, 0) | (1, 1):
            found = 0
        case (0, y):
            found = y
        case (x, 0):
            found = -x
        case (x, y) if x > y:
            found = x - y
        case _:
            found = 100
    return found


# Lists of numbers that a loop replaces by a tensor


@program((c(3), c(0.1)), (c(0), c(0.1)))
def lists_that_become_tensors(n, step):
    def slope(y):
        return tf.stack([y[1], -y[0]])

    y = [1.0, 0.0]
    twice, z = y + y, [n, 1]
    for _ in range(n):
        y = y + step * slope(y)
    w = [1.0, -1.0]
    while w[0] < step + 3.0:
        w = w * tf.stack([2.0, step])
    return y, twice, z, w


# Names with annotations


@program(c([3.0, -1.0, 4.0]), c([-1.0, -2.0, -3.0]))
def annotated_names(xs):
    best: tf.Tensor | None = None
    last: Any = 0
    length: tf.Tensor = tf.size(xs, tf.int64)
    for x in xs:
        if x > 0 and (best is None or x > best):
            best = x
    while last < length - 1:
        last = max(last + 1, length // 2)
    if best is None:
        best = xs[0]
    return best, last


# What a caller gives to a function that the graph may leave


def noted_unless_large(notes, x):
    if x > 10:
        return 2
    notes.update(last=x)
    return 3


@program((c(1),), (c(12),))
def noted_by_a_function_that_may_end_before(x):
    notes = {"last": x + 4}
    found = noted_unless_large(notes, x)
    return notes, found


@program((c([3, 8, 2, 5]), c(4)), (c([1, 1, 1, 1]), c(4)))
def first_place_over(xs, limit):
    return next((i for i, x in enumerate(xs) if x > limit), -1)


@program((c([1, 2, 3, 4]), c([1, 5, 3, 0])), (c([1, 2, 3, 4]), c([0, 0, 0, 0])))
def places_of_mismatches(a, b):
    return len([i for i, (x, y) in enumerate(zip(a, b)) if x != y])


@program(c([[1.0, 2.0], [3.0, -4.0]]), c([[-1.0, -2.0], [-3.0, 4.0]]))
def sum_of_positive_cells(grid):
    return sum(cell for row in grid for cell in row if cell > 0)


@program((c([3, 1, 5]), c(2)), (c([1, 1, 1]), c(2)))
def names_of_filters_stay_apart(xs, limit):
    x = 100
    total = sum(x for i, x in enumerate(xs) if x > limit)
    return x + total, any(x > 4 for i, x in enumerate(xs) if x > limit)


@program((c([3, 1, 5]), c(2)), (c([1, 1, 1]), c(2)))
def filter_after_a_pop(xs, limit):
    queue = [1, 2, 3]
    queue.pop()
    return sum(x * len(queue) for i, x in enumerate(xs) if x > limit)


@program(c([3.0, -1.0, 2.0]), c([3.0, 4.0, 2.0]))
def sorted_filter(xs):
    return sorted(x for x in xs if x > 0)


@program((c([[0.0, 1.0, 5.0], [1.0, 0.0, 2.0], [5.0, 2.0, 0.0]]), c(2.0)))
def pairs_within(distances, radius):
    pairs = [(i, j) for i in range(3) for j in range(i + 1, 3) if distances[i, j] <= radius]
    total = 0
    for i, j in pairs:
        total += i * 3 + j
    return total, len(pairs)


@program((c([1, 3, 2, 5]), c(2)), (c([5, 4, 3, 2]), c(2)))
def sliding_maximum(xs, width):
    queue = collections.deque()
    largest = []
    for i in range(4):
        while queue and xs[queue[-1]] <= xs[i]:
            queue.pop()
        queue.append(i)
        if queue[0] <= i - width:
            queue.popleft()
        largest.append(xs[queue[0]])
    return tf.stack(largest)


@program((c([3.0, 1.0, 5.0]), c(2.0)), (c([1.0, 2.0, 3.0]), c(9.0)))
def deque_of_both_ends(xs, limit):
    ends = collections.deque([c(7.0)])
    for x in xs:
        if x > limit:
            ends.appendleft(x)
        else:
            ends.append(x)
    return ends[0], ends[-1], len(ends)


@program((c([1.0, 2.0]), c(3.0)), (c([1.0, 2.0]), c(0.0)))
def chosen_activation(x, scale):
    activation = tf.nn.relu if scale > 1.0 else tf.nn.tanh
    scale = scale - 3.0
    return activation(x - 1.5) + activation(x) * scale


@program((c([1.0, 4.0, 5.0]), c(3.0)), (c([1.0, 2.0, 3.0]), c(9.0)))
def index_or_none(xs, limit):
    i = next((i for i, x in enumerate(xs) if x > limit), None)
    return -1 if i is None else i * 2
