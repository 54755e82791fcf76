"""Programs about assignments, unpacking, deleting, match, text and layout of the source."""

from __future__ import annotations

import collections

import tensorflow as tf
from differential import Python, built, program

_Pair = collections.namedtuple("_Pair", "left right")


@program(3, -3)
def targets_of_all_kinds(x):
    a = b = x
    (c, d), [e, *f] = (a, b + 1), [1, 2, x]
    g = h, i = x, x + 1
    data = {"k": [1, 2]}
    data["k"][0], data["n"] = x, 5
    if x > 0:
        a = b = x * 2
        (c, d), *f = (d, c), x, 3
        data["k"][1] = x
        data["n"] += x
    return a, b, c, d, e, f[0], f[1], g[1], h, i, data["k"][1], data["n"]


@program([[1, 2], [3, 4]])
def nested_targets_in_for(rows):
    total = 0
    for i, (a, (b, *c)) in enumerate([(1, (2, 3)), (4, (5, 6))]):
        total += i + a + b + c[0]
    for i, (a, b) in enumerate(rows):
        total += i * a * b
    for (i, a), b in zip(enumerate(rows), rows):
        if i > 0:
            total += tf.reduce_sum(a) * b[0]
    return total


class _Box:
    def __init__(self, value):
        self.value = value
        self.items = [value, value]
        self.inner = None


@program(3, -3)
def augmented_targets(x):
    box = _Box(x)
    box.inner = _Box(x)
    xs = [1, 2, 3]
    if x > 0:
        box.value += 1
        box.items[0] -= x
        box.inner.value *= 2
        xs[-1] += x
    else:
        box.value //= 2
        box.inner.items[1] += 7
    return box.value, box.items[0], box.inner.value, box.inner.items[1], xs[-1]


@program(3, -3)
def deletions(x):
    data = {"a": 1, "b": 2}
    box = _Box(x)
    xs = [1, 2, 3]
    y = x
    del data["a"], xs[0]
    del box.items
    if x > 0:
        z = y
        del y
        w = z + 1
    else:
        w = y
    del x
    return w, len(data), len(xs), hasattr(box, "items")


@program(2, 5, -1, 0)
def match_on_tensor_with_guards(x):
    match x:
        case 0:
            return tf.constant(100)
        case 1 | 2 | 3 as small if small != 3:
            y = small * 2
        case n if n < 0:
            y = -n
        case other:
            y = other
    return y + 1


@program((Python("add"), 3), (Python("neg"), 3), (Python("what"), 3), (Python("add"), -3))
def match_on_text_with_tensor_work(name, x):
    match name:
        case "add" | "plus":
            if x > 0:
                return x + 1
            y = x
        case "neg":
            return -x
        case _:
            y = x * 0
    return y - 1


@program(
    (Python((1, 2)), 3),
    (Python([0, 5, 6]), 3),
    (Python({"k": 7, "z": 1}), 3),
    (Python(_Pair(9, 8)), 3),
    (Python("text"), 3),
    (Python(2.5), 3),
    (Python(None), 3),
    (Python(()), 3),
    (Python(True), 3),
)
def match_of_every_kind(value, x):
    match value:
        case _Pair(left, right=r):
            return left * 10 + r + x
        case (a, b):
            return a + b + x
        case [0, *rest]:
            return len(rest) + x
        case []:
            return x - 100
        case {"k": k, **others}:
            return k + len(others) + x
        case str() as text:
            return len(text) + x
        case True | False:
            return x + 1
        case float(f) if f > 2:
            return x + 50
        case None:
            return x
    return x * 0


@program((Python((0, 1)), 3), (Python((1, 0)), 3), (Python((5, 6)), 4))
def match_or_with_captures(pair, x):
    match pair:
        case (0, n) | (n, 0):
            return x + n
        case (a, b) if x == 3:
            return a * b
        case (a, b):
            return a - b + x


@program(5, 2)
def match_in_loop_with_jumps(n):
    total = 0
    for i in tf.range(10):
        match i:
            case 1:
                continue
            case k if k == n:
                break
            case 7:
                return total + 1000
            case _:
                total += i
        total += 100
    return total


@program(3, 30)
def match_without_a_case(x):
    y = 1
    match x:
        case 3:
            y = 2
        case 4:
            pass
    return y


@program((3, 4), (4, 3), (0, 0))
def match_of_two_tensors(a, b):
    match (a, b):
        case (0, 0):
            return tf.constant(-1)
        case (x, y) if x > y:
            return x - y
        case (x, _):
            return x


@program(3, -3)
def text_of_all_kinds(x):
    n = 3
    name = "größe"
    a = f"{n:>5}|{n!r:<4}|{n=}|{name!s}|{{}}|{n:{'>'}{n + 3}}"
    b = f"{'nested ' + f'{n + 1}'}joined{n}"
    c = (
        """two
  lines"""
        + f"""{n}
    more {n + 1}"""
    )
    d = "%s and %d" % (name, n) + "{0} {k!r}".format(n, k=name)
    return a, b, c, d, x


@program(3, -3)
def layout_of_all_kinds(x):
    y = x
    z = x + 1  # noqa: E702
    # a comment of its own

    w = y + z
    if x > 0:
        y = 1
        z = 2  # noqa: E701, E702
    else:
        y = 3  # noqa: E701
    if (
        x > 1  # first
        and y < 5  # second
    ):
        w = tf.stack(
            [
                y,  # one
                z,
            ]
        )[0]  # behind
    for i in tf.range(3):
        w += i  # noqa: E701
    while w > 100:
        w -= 1  # noqa: E701
    return w + z


@program(3, -3)
def ünïcode(größe):
    """Naïve."""
    π = größe * 2
    if π > 0:
        größe = π + 1
    for ключ in tf.range(2):
        größe += ключ
    return größe, "日本 🎉", f"{'🎉'}é"


@program(3, -3)
def annotations_everywhere(x: tf.Tensor, n: "int" = 2) -> tf.Tensor:
    """Doc.

    Of two paragraphs.
    """
    y: tf.Tensor = x
    z: int
    w: "list[int]" = []
    if x > 0:
        y: tf.Tensor = x * n
        z = 1
    else:
        z = 2
    w.append(z)
    return y + w[0]


@program(3, -3)
def prints_of_all_kinds(x):
    print()
    print("a", 1, sep="-", end="!\n")
    print(*[1, 2], "b", sep="")
    if x > 0:
        print("pos", x)
    return x


@built(3, -3)
def print_into_a_file():
    import io

    file = io.StringIO()

    def f(x):
        print("a", 2, file=file)
        return x if x > 0 else -x

    return f, lambda: file.getvalue()[:4]


@program([1, 2, 3], [4])
def comprehensions_with_branches(xs):
    a = [x if x > 1 else -x for x in xs]
    b = [[i * j if i > j else 0 for j in range(3)] for i in range(2)]
    c = {k: (lambda v: v + 1 if v > 0 else v)(k) for k in (1, -1)}
    d = [f(2) for f in [lambda y, k=k: y + k for k in range(3)]]
    e = sum(x * 2 for x in xs if x != 2)
    return a, b[1][0], c[1], d, e


@program(Python((1, 2)), Python((3, -3)))
def stars_in_places(pair):
    first, *others = pair
    *init, last = [*pair, 5]
    return [first, *others, *init], last, {*pair} == set(pair), (*pair, 1)


@program(3, -3)
def pass_and_ellipsis(x):
    if x > 0:
        pass
    elif x == 0:
        ...
    else:
        """Nothing."""
    for _ in tf.range(2):
        pass
    while x > 100:
        pass
    return x


@program(3, 0)
def state_shadows_builtins(n):
    sum = 0
    len = 1
    for range in tf.range(n):
        sum += range
        len = len + 1 if range > 0 else len
    return sum, len


@program(3, -3)
def names_like_generated_ones(x):
    then, otherwise, turn, result = 1, 2, 3, 4
    gw = 5
    if x > 0:
        then += 1
        result = gw
    else:
        otherwise += x
    for item in tf.range(2):
        if item == x:
            return result
        turn += item
    return then + otherwise + turn + result + gw


@program((3, Python(True)), (-3, Python(False)))
def import_and_class_in_branches(x, flag):
    if flag:
        import math as m

        y = m.floor(2.5)
    else:
        from math import ceil

        y = ceil(2.5)
    if x > 0:
        import math

        x = x + math.floor(1.5)
    return x + y
