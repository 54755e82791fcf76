"""Loops in branches in loops, with a break and a continue: control flow and hardly any arithmetic."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def arguments() -> tuple[Any, ...]:
    return tf.range(1, 25), tf.constant(60)


def plain(xs, limit):
    total, skipped = 0, 0
    for x in xs:
        if x % 5 == 0:
            skipped += 1
            continue
        i = x
        while i > 0:
            if i % 2 == 0:
                if i % 3 == 0:
                    total += i
                else:
                    total += 1
            elif total > limit:
                total -= limit
            i -= 3
        if total + skipped > 10 * limit:
            break
    return total, skipped


def handwritten(xs, limit):
    count = tf.shape(xs)[0]

    def inner(i, total):
        def even():
            return tf.cond(i % 3 == 0, lambda: total + i, lambda: total + 1)

        def odd():
            return tf.cond(total > limit, lambda: total - limit, lambda: total)

        return i - 3, tf.cond(i % 2 == 0, even, odd)

    def turn(at, total, skipped, _):
        x = xs[at]

        def body():
            _, after = tf.while_loop(lambda i, _: i > 0, inner, (x, total))
            return after, skipped, after + skipped > 10 * limit

        total, skipped, stop = tf.cond(x % 5 == 0, lambda: (total, skipped + 1, False), body)
        return at + 1, total, skipped, stop

    def more(at, total, skipped, stop):
        return tf.logical_and(at < count, tf.logical_not(stop))

    _, total, skipped, _ = tf.while_loop(more, turn, (0, 0, 0, False))
    return total, skipped
