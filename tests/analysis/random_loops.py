"""Random programs whose loops call a `tf.function` named `f` with a changing argument."""

from __future__ import annotations

from random import Random

_ARGUMENTS = (
    *("i", "i % {n}", "i // {n}", "min(i, {n})", "max(i, {n})", "abs(i - {n})", "round(i / {n})", "pow(i, 2)"),
    *("divmod(i, {n})[0]", "sum([i, 1])", "float(i)", "math.sqrt(i)", "math.floor(i / {n})", "np.float32(i)"),
    *("np.int64(i // {n})", "len(seen)", "str(i % {n})", "i > {n}", "None if i % {n} else i", "(i % {n}, 1)"),
    *("tf.ones([1 + i % {n}])", "tf.constant(i)", "chosen(i)", "rate"),
)
_ITERATED = ("range({n})", "[k * 2 for k in range({n})]", "(k + 1 for k in range({n}))")
_HEAD = """\
import math
import numpy as np
import tensorflow as tf

@tf.function
def f(x, value):
    return x

def chosen(i):
    if i < {n}:
        return 0
    return i

seen, rate = [], 1.0
"""


def program(random: Random) -> str:
    """The text of a random program."""
    small, indent = random.randint(2, 6), "    "
    loop = f"for i in {random.choice(_ITERATED).format(n=random.choice((3, 7, 12, 40, 150)))}:\n"
    if random.random() < 0.3:
        loop = f"for epoch in range({random.choice((1, 2, 4))}):\n    {loop}"
        indent += "    "
    update = random.choice(("rate *= 0.99", f"if i % {small} == 0: rate *= 0.99"))
    call = f"f(tf.constant(1.0), {random.choice(_ARGUMENTS).format(n=small)})"
    return _HEAD.format(n=small) + loop + "".join(f"{indent}{each}\n" for each in ("seen.append(1)", update, call))
