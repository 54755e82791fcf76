"""Plain Python that Graphwright converts to a graph."""

import graphwright as gw
import tensorflow as tf


@gw.function
def first_above(prices, limit):
    for price in prices:
        if price > limit:
            return price
    return limit


first_above(tf.constant([3.0, 8.0, 9.0]), tf.constant(5.0))
