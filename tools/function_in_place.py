"""A pytest plugin: the tests run with `gw.function` where their package says `tf.function`, if they are told to.

    FUNCTION=graphwright python -m pytest -p function_in_place ...

It is loaded before any package that decorates with `tf.function`.
"""

from __future__ import annotations

import os

if os.environ.get("FUNCTION") == "graphwright":
    import graphwright as gw
    import tensorflow as tf

    tf.function = gw.function
