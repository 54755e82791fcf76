"""Evaluating Python: statements, expressions, calls and loops, each of which needs the others.

The package is the `Interpreter` that a run is given; the rooms below reach it by that alone.
"""

from .calls import call_value
from .expressions import attribute, evaluate
from .statements import bind

__all__ = ["attribute", "bind", "call_value", "evaluate"]
