"""Notes calls of what the project doesn't define, for the rules to judge.

What such a call gives is in `library`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import gast

from graphwright_analysis.tracing.facts import Argument, OutsideCall
from graphwright_analysis.tracing.facts.calls import NOT_OF_TENSORS
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import nested_values
from graphwright_analysis.values.domain import Api, ApiInstance, DType, Method, Scalar, Tensor, Value, Variable
from graphwright_analysis.values.lost_shapes import LostShape, ShapelessTensor

from . import expected_uses, iterators, made_variables

Given = tuple[Value, gast.AST, "str | None"]
"""An argument as written: its value, its expression, and the keyword it is given by."""

WATCHED_EAGERLY = frozenset({"tf.config.run_functions_eagerly", "tf.config.experimental_run_functions_eagerly"})
"""The calls that a rule judges though they run eagerly."""

UNTOLD = re.compile(
    r"tf\.(?!(?:cond|while_loop|constant|ensure_shape|TensorShape|TensorSpec|random\.set_seed)$|config\.|summary\.|(?:compat\.v1\.)?logging\.).*"
    r"|six\..*|isinstance|issubclass|hasattr|getattr|setattr|type|id|callable|super|all|any|min|max|sum|abs|iter|next"
    r"|range|zip|enumerate|reversed|sorted|list|tuple|dict|set|frozenset|str|repr|\w*Error"
)
"""The functions whose calls are noted only for what an argument tells: they are most calls, and no rule names them."""

TAKING_FUNCTIONS = frozenset({"tf.cond", "tf.while_loop"})
"""Those that refuse anything but functions, eagerly as well."""

_NOTED_EAGERLY = WATCHED_EAGERLY | TAKING_FUNCTIONS


def note_call(run: Run, frame: Frame, callee: Value, given: Sequence[Given], node: gast.Call) -> None:
    """Note the call, if it is one of something outside and somebody may ask for it."""
    if isinstance(callee, DType) and callee.name is not None:
        callee = Api(f"np.{callee.name}")
    if not isinstance(callee, (Api, ApiInstance, Method)):
        return
    if isinstance(callee, Api):
        made_variables.note_made(run, frame, callee.name, [value for value, _, name in given if name is None], node)
    if not run.context.graph and not _is_noted_eagerly(run, callee):
        return
    if callee == Api("next"):
        iterators.note_next(run, frame, given, node)
    if isinstance(callee, Api) and _is_untold(callee.name) and not any(_tells(value) for value, _, _ in given):
        return
    receiver = nested_values.laid_open(run, callee.receiver) if isinstance(callee, Method) else None
    arguments = tuple(
        Argument(nested_values.laid_open(run, value), place_of(frame, at), name, _is_outside(frame, at))
        for value, at, name in given
    )
    attempted = bool(run.context.attempts) or isinstance(run.statement, (gast.Raise, gast.Assert))
    # Under NumPy's behaviour tensors have the methods of arrays.
    attempted = attempted or (run.numpy_behavior and isinstance(callee, Method) and callee.name != "numpy")
    dropped = isinstance(run.statement, gast.Expr) and run.statement.value is node
    run.note(
        OutsideCall(
            place_of(frame, node),
            callee.name,
            receiver,
            arguments,
            place_of(frame, node.func),
            place_of(frame, run.statement or node),
            run.context.graph,
            dropped,
            attempted,
            bool(run.context.uncertain),
            run.context.conditions > 0 and _is_meant_for_others(run, frame, callee, given, node),
        )
    )


@functools.cache
def _is_untold(name: str) -> bool:
    return UNTOLD.fullmatch(name) is not None


def _tells(value: Value) -> bool:
    """Whether a value is worth a word, whatever it is given to."""
    return isinstance(value, (LostShape, ShapelessTensor)) or (isinstance(value, Scalar) and value.holds_tensor)


def _is_noted_eagerly(run: Run, callee: Api | ApiInstance | Method) -> bool:
    """Whether a rule judges the call though it runs eagerly."""
    if not isinstance(callee, Method):
        return callee.name in _NOTED_EAGERLY
    absent = isinstance(callee.receiver, Tensor) and callee.name in NOT_OF_TENSORS
    return absent and run.context.tells and run.context.conditions == 0


def _is_meant_for_others(
    run: Run, frame: Frame, callee: Api | ApiInstance | Method, given: Sequence[Given], node: gast.Call
) -> bool:
    if isinstance(callee, Method) and isinstance(node.func, gast.Attribute):
        return expected_uses.is_meant_for_others(run, frame, node.func.value, callee.receiver)
    tensors = ((value, at) for value, at, _ in given if isinstance(value, (Tensor, Variable)))
    return any(expected_uses.is_meant_for_others(run, frame, at, value) for value, at in tensors)


def _is_outside(frame: Frame, node: gast.AST) -> bool:
    if isinstance(node, gast.Attribute):
        return True
    return isinstance(node, gast.Name) and node.id not in frame.scope.bound
