"""Which of Python's builtins and methods test, iterate or index with a tensor: as TensorFlow runs them.

What they give is in `builtin_calls`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import gast

from graphwright_analysis.tracing.facts.python_use import IterationUse, ReadWhole
from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import python_use
from graphwright_analysis.tracing.reading import conditions, held_values
from graphwright_analysis.values.domain import (
    LISTS,
    Constant,
    KerasTensor,
    Object,
    Tensor,
    Value,
    Variable,
    python_kind,
)
from graphwright_analysis.values.domain import Sequence as Elements

_ITERATING: frozenset[ReadWhole] = frozenset(get_args(ReadWhole))
_CALLING: frozenset[Literal["map", "filter"]] = frozenset({"map", "filter"})


def note(run: Run, name: str, call: Call) -> None:
    """Note what a call of a builtin does with tensors."""
    frame, node, arguments = call.frame, call.node, call.positional
    if not isinstance(node, gast.Call) or not arguments:
        return
    at = [n for n in node.args if not isinstance(n, gast.Starred)]
    if not len(at) == len(node.args) == len(arguments):  # unpacked, or from a functools.partial
        return
    first = arguments[0]
    if name == "bool":
        python_use.truth(run, frame, at[0], first, "bool()")
    elif name in ("int", "float"):
        python_use.unconverted_truth(run, frame, at[0], first, "int()" if name == "int" else "float()")
    elif name in _CALLING:
        _call_back(run, name, call)
        for value, place in zip(arguments[1:], at[1:], strict=True):
            python_use.iteration(run, frame, node, value, name, place)
    elif (name in ("any", "all") and isinstance(first, Object | Elements)) or (
        name in ("any", "all") and _elements(run, first)
    ):
        _tests(run, frame, name, first, node)
    elif name in ("min", "max", "sorted") and (len(arguments) > 1 or not _is_tensor(first)):
        _compares(run, name, call)
    elif name in _ITERATING or (name in ("sorted", "range") and not frame.converted):
        for value, place in zip(arguments, at, strict=True):
            if name in ("zip", "range") or place is at[0]:
                _iterates(run, frame, name, value, node, place)


def _iterates(run: Run, frame: Frame, name: IterationUse, value: Value, node: gast.Call, place: gast.AST) -> None:
    if name not in ("sorted", "range"):
        python_use.iteration(run, frame, node, value, name, place)
    elif python_use.is_symbolic(run, value):
        python_use.unconverted_iteration(run, frame, node, value, name)


def _is_tensor(value: Value) -> bool:
    return isinstance(value, (Tensor, Variable, KerasTensor))


def _elements(run: Run, value: Value) -> tuple[Value, ...]:
    return () if _is_tensor(value) else held_values.elements_of(run, value) or ()


def _tests(run: Run, frame: Frame, name: Literal["any", "all"], value: Value, node: gast.Call) -> None:
    """`any` and `all` test one element after the other, until one decides."""
    elements: Sequence[Value] = _elements(run, value)
    if not elements and isinstance(value, Elements):
        elements = (value.element,)
    for element in elements:
        if python_use.is_symbolic(run, element):
            python_use.truth(run, frame, node, element, name)
            return
        if conditions.truth(element) is not (name == "all"):
            return


def _compares(run: Run, name: Literal["min", "max", "sorted"], call: Call) -> None:
    """`min`, `max` and `sorted` compare their arguments, or the elements of the only one."""
    if "key" in call.named:
        _call_back(run, name, call.with_arguments([call.named["key"], *call.positional]))
        return
    arguments = call.positional
    values = arguments if len(arguments) > 1 and name != "sorted" else _elements(run, arguments[0])
    if len(values) < 2:
        return
    numbers = all(_is_tensor(v) or python_kind(v) in (int, float, bool) for v in values[:2])
    tensor = next((v for v in values[:2] if python_use.is_symbolic(run, v)), None)
    if tensor is None and all(_is_tensor(v) for v in values[:2]):
        tensor = values[0]
    if tensor is None or not numbers or (not run.context.graph and not isinstance(tensor, KerasTensor)):
        return
    if name == "sorted":
        python_use.iteration(run, call.frame, call.anchor, tensor, "sorted")
    else:
        tensor = Tensor() if isinstance(tensor, Tensor) else tensor
        python_use.truth(run, call.frame, call.anchor, tensor, name)


def _call_back(run: Run, name: Literal["map", "filter", "min", "max", "sorted"], call: Call) -> None:
    """The function is called as it is, unless it was made by converted code."""
    function, *given = call.positional
    rows = [held_values.elements_of(run, value) for value in given]
    if not run.context.graph or not rows or any(row is None or not row for row in rows):
        return
    before = run.state
    run.state = before.fork()
    first = [row[0] for row in rows if row]
    result = run.interpreter.call_value(run, function, conversion.calling_back(run, name, call.with_arguments(first)))
    run.state = before
    if name == "filter":
        python_use.truth(run, call.frame, call.anchor, result, "filter")
    elif name in ("min", "max", "sorted") and len(rows[0] or ()) > 1:
        if name == "sorted":
            if python_use.is_symbolic(run, result):
                python_use.iteration(run, call.frame, call.anchor, result, "sorted")
        else:
            python_use.truth(run, call.frame, call.anchor, result, name)


def note_method(run: Run, receiver: Value, name: str, call: Call) -> None:
    """Note what a call of a method of a Python collection does with tensors."""
    frame, node, arguments = call.frame, call.node, call.positional
    if not isinstance(node, gast.Call) or not isinstance(receiver, Object) or not isinstance(node.func, gast.Attribute):
        return
    owner, first = node.func.value, arguments[0] if arguments else Constant(None)
    if run.state.entries(receiver.id) is not None:
        if name in ("get", "pop", "setdefault") and arguments:
            python_use.key(run, frame, node.args[0] if node.args else node, first, "dict")
    elif receiver.kind in LISTS:
        if name in ("insert", "pop") and arguments:
            python_use.index(run, frame, node, owner, receiver, first, name)
        elif name == "sort" and "key" not in call.named:
            elements = held_values.elements_of(run, receiver) or ()
            tensors = [element for element in elements[:2] if python_use.is_symbolic(run, element)]
            if len(elements) > 1 and tensors:
                python_use.iteration(run, frame, node, tensors[0], "sort")
        elif name == "sort":
            _call_back(run, "sorted", call.with_arguments([call.named["key"], receiver]))
        elif name in ("index", "count", "remove") and python_use.is_symbolic(run, first):
            elements = held_values.elements_of(run, receiver) or ()
            if elements and python_kind(elements[0]) in (int, float):
                python_use.truth(run, frame, node, first, "list search")
        elif name == "extend" and arguments:
            python_use.iteration(run, frame, node, first, "extend", node.args[0] if node.args else None)
