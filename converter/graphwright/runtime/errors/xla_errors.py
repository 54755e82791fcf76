"""What XLA refuses, in the user's terms: it names operations that have no line of the user's, or says it in pages.

What is refused while the graph is built is said where it is built.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.context import is_for_xla
from graphwright.runtime.basis.tensorflow_internals import control_flow, tf
from graphwright.runtime.errors import tracebacks

__all__ = ["explain_xla", "refuse_texts_from_outside"]


def refuse_texts_from_outside(name: str) -> None:
    """Raise the error for a text that the function to be compiled gets as a tensor.

    XLA refuses it when it runs, but for a text that decides a size: of that, it ends the process at the second call.
    """
    graph: Any = tf.compat.v1.get_default_graph()
    around = graph.outer_graph
    if not is_for_xla() or (hasattr(around, "outer_graph") and control_flow.GraphOrParentsInXlaContext(around)):
        return
    texts = [each for each in graph.inputs if each.dtype == tf.string]
    if texts:
        captured = {id(inner) for _, inner in graph.captures}
        which = "the text from outside" if id(texts[0]) in captured else f"`{texts[0].op.name}`"
        text = f"XLA can't compile `{name}`: it has no texts, such as {which}. {_OUTSIDE}"
        raise tf.errors.InvalidArgumentError(None, None, text)


def explain_xla(error: Any, entry: Callable[..., Any] | None) -> bool:
    """Say what XLA needs, if it refuses an operation; whether it does."""
    message = str(error.message)
    found = _of_loop(message) or _of_operation(message)
    if found is None:
        return False
    needs, original = found
    name = getattr(entry, "__name__", "the function")
    error._message = f"XLA can't compile `{name}`: {needs}. (originally: {original})"
    return True


def _of_loop(message: str) -> tuple[str, str] | None:
    original = next((each for each in (_UNBOUNDED, _CROSSING) if each in message), None)
    if original is None:
        return None
    if "[Op:__forward_" in message:
        return "the gradient of a loop in it is taken outside. Take it in the function that XLA compiles, too", original
    what = "the gradient of a loop" if "/accumulator" in message else "a list that gets longer in a loop"
    needs = (
        f"it needs to know the most iterations for {what}. Write `gw.set_loop_options(maximum_iterations=...)` at "
        "the beginning of the loop, or iterate over a range or tensor of known length and `break`"
    )
    return needs, original


def _of_operation(message: str) -> tuple[str, str] | None:
    unsupported, constant = _UNSUPPORTED.search(message), _CONSTANT.search(message)
    place = _place(message)
    if unsupported is not None and unsupported[1] == "FakeParam":
        place = _place(message[message.find(_STACKS[1]) :]) if _STACKS[1] in message else place
        needs = (
            f"it can't take the gradient of a loop in an `if`{place}. Run the loop outside of the `if`, and use what "
            "it gives only where the condition holds"
        )
        return needs, "No registered 'FakeParam' OpKernel"
    if unsupported is not None and _TEXT in message[unsupported.start() :]:
        needs = f"it has no texts{place}. Return numbers, and make the text outside of the function that XLA compiles"
        return needs, f"No registered '{unsupported[1]}' OpKernel"
    if unsupported is not None:
        needs = f"it has no {unsupported[1]}{place}. Do that outside of the function that XLA compiles"
        return needs, f"No registered '{unsupported[1]}' OpKernel"
    if constant is not None:
        needs = (
            f"it must know the size of what {constant[1]} makes{place}. Use the largest size, and mask what doesn't "
            "count: `tf.where(mask, x, 0)`"
        )
        return needs, constant[0]
    return None


def _place(message: str) -> str:
    """The user's line in the first stack of a message."""
    start = min((found for each in _STACKS if (found := message.find(each)) >= 0), default=-1)
    lines = message[start:].split("\n")[1:] if start >= 0 else []
    place = ""
    for line in lines:
        frame = _FRAME.match(line)
        if frame is None:
            break
        if not tracebacks.is_hidden("/" + frame[1].lstrip("/")):
            place = f" ({frame[1].rpartition('/')[2]}:{frame[2]})"
    return place


_OUTSIDE = "Pass numbers or a Python string, and work with texts outside of the function that XLA compiles"
_UNBOUNDED = "XLA compilation requires a fixed tensor list size"
_CROSSING = "Support for TensorList crossing the XLA/TF boundary is not implemented"
_UNSUPPORTED = re.compile(r"Detected unsupported operations .*?: (\w+) \(No registered")
_CONSTANT = re.compile(r"Input \d+ to node `[^`]+` with op (\w+) must be a compile-time constant")
_TEXT = "DT_STRING"
_STACKS = ("The op is created at:", "Stack trace for op definition:")
_FRAME = re.compile(r'\s*File "([^"]+)", line (\d+), in')
