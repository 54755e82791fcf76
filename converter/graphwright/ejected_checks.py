"""Checks ejected code: TensorFlow has to trace it, and what it gives has to be what the user's function gives.

It is traced on the values or specs that it was ejected for, and run only where that has no effects.
"""

from __future__ import annotations

import importlib
import re
import traceback
import types
from collections.abc import Sequence
from typing import Any

from .closures import closure_of
from .errors import ConversionError
from .restoring import undisturbed

_FILE = "<ejected>"
_HARMLESS = frozenset(
    [
        "Assert",
        "Case",
        "If",
        "NoOp",
        "PartitionedCall",
        "Placeholder",
        "PlaceholderWithDefault",
        "ReadVariableOp",
        "StatefulPartitionedCall",
        "While",
        "StatelessCase",
        "VariableShape",
    ]
)

_FEWER = "Lengths of branch outputs of cond must match"
_KNOWN = {
    "as a Python `bool`": "Python asks here whether a tensor of the graph is true, as `sorted`, `in` and functions of "
    "packages do: compute it with TensorFlow (`tf.argsort`, `tf.reduce_any`, `tf.cond`)",
    "Iterating over a symbolic": "Python goes over a tensor of the graph here: use `tf.map_fn`, a `for` statement, or "
    "`tf.unstack` if its length is known",
    "len is not well defined": "Python asks here how long a tensor of the graph is: use `tf.shape(x)[0]`, or "
    "`x.shape[0]` if the length is known",
    "is out of scope": "an object or list gets here what a branch or loop of the graph computes, and is read outside "
    "of it: return the value, and assign it to a variable",
    "None values not supported": "a branch or loop of the graph has None here in one case and a tensor in another: "
    "start with a tensor, and use a flag for whether it's set",
    _FEWER: "one branch of the graph has None or fewer values here than the "
    "other: give all names and attributes a tensor at first, and use a flag for whether it's set",
    "Failed to convert elements of": "a branch or loop of the graph changes an object here, but it can only change "
    "tensors: keep what changes in variables",
    "don't have the same nested structure": "a container has other keys or another length after a branch or iteration "
    "of the graph than before it: give it all its elements at first, or begin with a tensor if one takes its place",
    "which is not a Tensor or ExtensionType": "the graph chooses an object here, but it can only choose tensors: "
    "choose what is read of it instead",
    "expected str instance": "Python joins texts here, and some of them are of the graph: use `tf.strings.join`, and "
    "`tf.strings.as_string` for numbers",
    "enters the loop with shape": "a loop of the graph has a tensor whose shape plain TensorFlow doesn't see, such as "
    "`tf.stack` of a list that gets longer in branches: state it with `tf.ensure_shape`",
    "list indices must be integers": "a list of Python's is read or set here at a place that the graph computes: make "
    "it a tensor with `tf.stack` before",
    "same number, type, and overall structure of return values": "the branches of the graph give different dtypes or "
    "containers here: write numbers alike (`1.0` for `1`), and use the same containers in both",
    "maximum recursion depth exceeded": "a function calls itself in a branch of the graph, and plain TensorFlow traces "
    "both branches, so it never ends: write a loop, or let Python alone decide (`if depth == 0:` before the tensor)",
    "pred must not be a Python bool": "Python alone decides a condition in plain TensorFlow that the graph decides "
    "here, such as `value is None` for what a nested function sets: start with a tensor, and use a flag for whether "
    "it's set",
    "unsupported format string": "an f-string has a tensor of the graph with a format specification here: use "
    "`tf.strings.as_string(x, precision=3)`, and `tf.strings.join`",
}
"""What TensorFlow says, and what it means for the user's code."""
_LENGTHS = (
    "a list or dict has another length after a branch of the graph than before it: give it all its elements at first, "
    "keep each list in a variable of its own, or begin with a tensor if one takes its place"
)
"""The same where it says two lengths and nothing else."""

_NONE = (
    "a function returns None on one path and something else on another, but a graph has no None: return the same on "
    "each path, and a flag for whether it's set"
)
"""The same where a path of the text gives None."""


def check(
    text: str, lines: Sequence[int], function: types.FunctionType, arguments: Sequence[Any], specs: Any, wanted: Any
) -> None:
    """Raise ConversionError if the text can't be traced, or gives something else than the graph in `wanted`."""
    tf = importlib.import_module("graphwright.runtime.basis.tensorflow").tf
    names = {**function.__globals__, **closure_of(function)}
    exec(compile(text, _FILE, "exec"), names)
    made, file, line = names[function.__name__], function.__code__.co_filename, function.__code__.co_firstlineno
    receiver, given = specs

    def ejected(*parts: Any) -> Any:
        return made(*receiver, *parts)

    with undisturbed(function, [*receiver, *given]):
        try:
            graph = tf.function(ejected, autograph=False).get_concrete_function(*given)
        except Exception as error:
            found = _reason(error)
            gives_none = found in (_LENGTHS, _KNOWN[_FEWER]) and re.search(r"(return|lambda:) None\b", text)
            raise ConversionError(_NONE if gives_none else found, file, _line_of(error, lines) or line) from None
    if wanted is None:
        return
    first, second = _outputs(tf, wanted), _outputs(tf, graph)
    if [spec.dtype for spec in first] != [spec.dtype for spec in second]:
        raise ConversionError(
            f"in plain TensorFlow this function would return {_dtypes(second)} instead of {_dtypes(first)}: "
            "convert with `tf.cast`",
            file,
            line,
        )
    if all(_is_known(tf, part) for part in tf.nest.flatten(list(arguments))) and _is_pure(wanted) and _is_pure(graph):
        _compare(tf, wanted, graph, arguments, file, line)


def _compare(tf: Any, wanted: Any, graph: Any, arguments: Sequence[Any], file: str, line: int) -> None:
    """Refuse code that gives other values for the arguments."""
    np = importlib.import_module("numpy")
    try:
        expected = tf.nest.flatten(wanted(*arguments), expand_composites=True)
    except Exception:
        return
    try:
        found = tf.nest.flatten(graph(*arguments), expand_composites=True)
    except Exception as error:
        raise ConversionError(_reason(error), file, line) from None
    for one, other in zip(expected, found, strict=False):
        first, second = np.asarray(one), np.asarray(other)
        is_close = first.dtype.kind in "fc" and first.shape == second.shape
        same = np.allclose(first, second, 1e-3, 1e-5, equal_nan=True) if is_close else np.array_equal(first, second)
        if not same:
            raise ConversionError("in plain TensorFlow this function would compute different values", file, line)


def _reason(error: BaseException) -> str:
    whole = str(error)
    known = next((reason for said, reason in _KNOWN.items() if said in whole), None)
    if known is not None:
        return known
    if isinstance(error, AssertionError) and re.fullmatch(r"\[\d+(, \d+)+\]", whole):
        return _LENGTHS
    text = next((line.strip() for line in whole.splitlines() if line.strip()), type(error).__name__)
    return f"plain TensorFlow can't build this: {text.partition('. ')[0].rstrip('.')}"


def _line_of(error: BaseException, lines: Sequence[int]) -> int | None:
    places = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == _FILE]
    known = [place for place in places if place and place <= len(lines)]
    return lines[known[-1] - 1] if known else None


def _outputs(tf: Any, graph: Any) -> list[Any]:
    parts = tf.nest.flatten(graph.structured_outputs, expand_composites=True)
    return [part for part in parts if hasattr(part, "dtype")]


def _dtypes(specs: Sequence[Any]) -> str:
    return ", ".join(f"{spec.dtype.name}" for spec in specs) or "nothing"


def _is_known(tf: Any, part: Any) -> bool:
    return not isinstance(part, (tf.TypeSpec, tf.Variable))


def _is_pure(graph: Any) -> bool:
    """Whether running a graph changes nothing and prints nothing."""
    registry: Any = importlib.import_module("tensorflow.python.framework.op_def_registry")
    definition = graph.graph.as_graph_def()
    nodes = [*definition.node, *(node for part in definition.library.function for node in part.node_def)]
    for name in {node.op for node in nodes}:
        known = registry.get(name)
        if known is not None and known.is_stateful and name not in _HARMLESS:
            return False
    return True
