"""Traced functions: what is converted, which calls trace again, and what `tf.function` makes."""
