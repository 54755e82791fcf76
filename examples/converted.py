"""Programs that AutoGraph rejects or gets wrong, converted by Graphwright.

Run it to see each result, the graph code of one function, and why another is traced twice.
"""

import graphwright as gw
import tensorflow as tf


@gw.function
def first_above(prices, limit):
    """A `return` in a loop over a tensor, and an `else` for when the loop finishes."""
    for price in prices:
        if price > limit:
            return price
    else:
        print(f"none of {len(prices)} is above {limit}")
    return limit


@gw.function
def collatz(x):
    """A list that grows while the graph runs."""
    path = [x]
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        path.append(x)
    return path


@gw.convert()
def longest_rise(prices):
    """`previous` is None before the first iteration."""
    best, rise = 0, 0
    previous = None
    for price in prices:
        if previous is not None and price > previous:
            rise += 1
        else:
            rise = 0
        best = max(best, rise)
        previous = price
    return best


@gw.function
def power(x, exponent):
    return x**exponent


prices = tf.constant([3.0, 4.0, 8.0, 2.0])
print("first above 5:", first_above(prices, tf.constant(5.0)).numpy())
print("first above 9:", first_above(prices, tf.constant(9.0)).numpy())
print("collatz of 6:", collatz(tf.constant(6)).numpy())
print("longest rise, eagerly:", longest_rise(prices))
print("longest rise, in a dataset:", [n.numpy() for n in tf.data.Dataset.from_tensors(prices).map(longest_rise)])

print("\nfirst_above is converted to:\n")
print(gw.to_code(first_above))

power(tf.constant(3.0), 2)
power(tf.constant(3.0), 3)
print(power.explain())
