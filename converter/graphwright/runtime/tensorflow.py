"""TensorFlow as an untyped module, for the runtime. It adds nothing to TensorFlow."""

from __future__ import annotations

import importlib
from typing import Any, cast

tf: Any = importlib.import_module("tensorflow")
EagerTensor: Any = (
    cast(Any, type(tf.constant(0)))
    if tf.executing_eagerly()
    else importlib.import_module("tensorflow.python.framework.ops").EagerTensor
)
