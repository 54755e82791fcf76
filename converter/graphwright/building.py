"""Whether a graph is being built, asked without loading TensorFlow."""

from __future__ import annotations

import sys


def executing_eagerly() -> bool:
    """True outside of graphs, and as long as nobody has loaded TensorFlow."""
    context = sys.modules.get("tensorflow.python.eager.context")
    asked = getattr(context, "executing_eagerly", None)
    return asked is None or asked()


def is_loaded() -> bool:
    """True if somebody has loaded TensorFlow."""
    return "tensorflow" in sys.modules
