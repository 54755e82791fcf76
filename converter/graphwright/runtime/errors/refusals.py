"""Why Python can't have a tensor's value at a line, as the error says it: who runs there unconverted.

It raises nothing.
"""

from __future__ import annotations

import inspect
import re
import types
from typing import Any

from graphwright import reporting
from graphwright.runtime.basis.error_words import words_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import tracebacks
from graphwright.twins import unconverted

_SOURCE = re.compile(r"the source of `[^`]*`")
_EXPLAINED = "is only known when the graph runs"


def explain_refusal(error: Any) -> None:
    """Say in TensorFlow's error about a tensor as a Python bool (or iterated over) which function isn't converted."""
    if not isinstance(error, tf.errors.OperatorNotAllowedInGraphError) or _EXPLAINED in words_of(error):
        return
    code = _users_code(error.__traceback__)
    said = words_of(error).partition(" You can attempt the following")[0].rstrip(".:")
    if reporting.full_tracebacks() or code is None:
        return
    place = f"{code.co_filename}:{code.co_firstlineno}"
    reason = unconverted.get(code)
    is_inside = "<locals>" in getattr(code, "co_qualname", "<locals>")  # Python 3.10 doesn't tell.
    if reason is None and code.co_flags & inspect.CO_GENERATOR and is_inside:
        text = (
            f"`{code.co_name}` ({place}) is a generator (`yield`) that is defined in a function, so it runs as plain "
            "Python. Define it at the top level of the module, or collect the values in a list and return that"
        )
    elif reason is None:
        text = (
            f"`{code.co_name}` ({place}) needs a tensor's value here while the graph is built. Write it with if, while "
            "and for in a function that is converted, or with tf.cond, tf.while_loop, tf.where"
        )
    else:
        reason = reason.partition(", or decorate it with")[0]
        reason = _SOURCE.sub("its source", reason).replace(f"`{code.co_name}`", "it", 1)
        text = f"`{code.co_name}` ({place}) isn't converted, but runs as plain Python: {reason}"
    error.args = (f"{said}, since it {_EXPLAINED}. {text}",)


def _users_code(trace: types.TracebackType | None) -> types.CodeType | None:
    """The code of the user's innermost frame."""
    found = None
    while trace is not None:
        if not tracebacks.is_hidden(trace.tb_frame.f_code.co_filename):
            found = trace.tb_frame.f_code
        trace = trace.tb_next
    return found
