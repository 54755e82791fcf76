"""Notes where a tensor of the graph is used as Python would use a number or a list.

What the tensor is used for is known where this is called; here is decided whether it is one of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.tracing.facts import Event, PythonIndex, PythonIteration, PythonKey, PythonTruth, Unconverted
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.facts.python_use import (
    ConvertedTest,
    IndexUse,
    IterationUse,
    KeyUse,
    NumberUse,
    TruthUse,
)
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import held_values, nested_values
from graphwright_analysis.values import graph_elements
from graphwright_analysis.values.domain import (
    Array,
    Constant,
    KerasTensor,
    Object,
    Scalar,
    Tensor,
    Tuple,
    Value,
    Variable,
    dtype_of,
    python_kind,
)
from graphwright_analysis.values.python_numbers import is_number

from . import expected_uses


def is_symbolic(run: Run, value: Value) -> bool:
    """Whether it is surely a tensor without a number behind it."""
    if isinstance(value, KerasTensor):
        return True
    return run.context.graph and (isinstance(value, Variable) or (isinstance(value, Tensor) and not value.eager))


def truth(run: Run, frame: Frame, node: gast.AST, value: Value, how: TruthUse) -> None:
    """A value is tested by Python, where AutoGraph never converts the test."""
    if is_symbolic(run, value) and not _is_no_trouble(run, frame, value, how):
        fact = PythonTruth(place_of(frame, node), statement_of(run, frame, node), how, value)
        expected_uses.note(run, frame, fact, node, value)


def unconverted_truth(run: Run, frame: Frame, node: gast.AST, value: Value, how: ConvertedTest | NumberUse) -> bool:
    """A value is tested by Python, or asked for its number, where AutoGraph would convert that; True if it is
    refused.
    """
    if isinstance(value, KerasTensor):
        truth(run, frame, node, value, how)
        return True
    if frame.unconverted is None or not is_symbolic(run, value):
        return False
    why = frame.unconverted
    fact = PythonTruth(place_of(frame, node), statement_of(run, frame, node), how, value, why)
    expected_uses.note(run, frame, fact, node, value)
    return True


def iteration(
    run: Run, frame: Frame, node: gast.AST, value: Value, how: IterationUse, at: gast.AST | None = None
) -> bool:
    """A value is iterated by Python, whatever is converted; True if that is noted."""
    found = isinstance(value, (Tensor, Variable, KerasTensor)) and (run.context.graph or isinstance(value, KerasTensor))
    if run.keras_converts and isinstance(value, KerasTensor) and _may_be_iterated(value):
        return False
    if how != "star" and _generated_by_length(run, frame, value):
        return False
    if found and not _is_no_trouble(run, frame, value, how):
        iterated = None if at is None else place_of(frame, at)
        fact = PythonIteration(place_of(frame, node), statement_of(run, frame, node), how, value, iterated)
        expected_uses.note(run, frame, fact, node if at is None else at, value)
    return found


def _may_be_iterated(value: KerasTensor) -> bool:
    """True if Keras 2 may iterate it: it does where the first axis has a size."""
    return value.shape is None or value.shape[:1] not in ((), (None,))


def unconverted_iteration(run: Run, frame: Frame, node: gast.AST, value: Value, how: IterationUse) -> None:
    """A `for` over a value that AutoGraph would convert."""
    if isinstance(value, KerasTensor):
        iteration(run, frame, node, value, how, node)
    elif frame.unconverted is not None and run.context.graph and isinstance(value, (Tensor, Variable)):
        if _generated_by_length(run, frame, value):
            return
        place = place_of(frame, node)
        why: Unconverted = frame.unconverted
        fact = PythonIteration(place, statement_of(run, frame, node), how, value, place, why)
        expected_uses.note(run, frame, fact, node, value)


def _generated_by_length(run: Run, frame: Frame, value: Value) -> bool:
    """Whether a generator goes over a tensor of known length: under Graphwright it gives one row after the other."""
    if not run.context.leaves_generator(frame) or not isinstance(value, (Tensor, Variable)):
        return False
    return bool(value.shape) and value.shape[:1] != (None,)


def index(
    run: Run, frame: Frame, node: gast.AST, owner_node: gast.AST, owner: Value, key: Value, how: IndexUse
) -> None:
    """A value indexes or slices a Python list, tuple or string, or fills a place where a number is due."""
    if not is_symbolic(run, key) or not _is_python_sequence(run, owner):
        return
    if _by_graphwright(run, frame, key) and _may_be_chosen_from(run, owner, key, how):
        return
    defined = run.state.written.get((owner.id, marks.CREATED)) if isinstance(owner, Object) else None
    opened = _laid_open(run, owner)
    fact = PythonIndex(place_of(frame, node), place_of(frame, owner_node), how, key, opened, defined)
    expected_uses.note(run, frame, fact, node, key)


def index_of_array(run: Run, frame: Frame, node: gast.Subscript, owner: Array, keys: Sequence[Value]) -> None:
    """Values index or slice an array of NumPy's."""
    found = next((each for each in keys if is_symbolic(run, each)), None)
    if found is not None and not _by_graphwright(run, frame, found):
        how: IndexUse = "slice" if isinstance(node.slice, gast.Slice) else "index"
        fact = PythonIndex(place_of(frame, node), place_of(frame, node.value), how, found, owner)
        expected_uses.note(run, frame, fact, node, found)


def _is_no_trouble(run: Run, frame: Frame, value: Value, how: TruthUse | IterationUse) -> bool:
    """Whether Graphwright converts what is done with the value, or it is done for the words of an error."""
    left = how == "star" and not _may_be_spread(value)
    return (_by_graphwright(run, frame, value) and not left) or isinstance(run.statement, gast.Raise)


def _may_be_spread(value: Value) -> bool:
    """Whether Graphwright may unpack a tensor: its length is known, or may be."""
    return isinstance(value, (Tensor, Variable)) and (value.shape is None or value.shape[:1] not in ((), (None,)))


def _by_graphwright(run: Run, frame: Frame, value: Value) -> bool:
    """Whether Graphwright converts the code that uses the value here."""
    return run.context.by_graphwright and frame.converted and not isinstance(value, KerasTensor)


def _may_be_chosen_from(run: Run, owner: Value, key: Value, how: IndexUse) -> bool:
    """Whether Graphwright takes the elements of a list, tuple or string that a tensor stands for."""
    if dtype_of(key) == "bool" and not is_number(key):
        return False
    if not isinstance(owner, (Tuple, Object)):
        return how == "index" and python_kind(owner) is str
    elements = [nested_values.opened(run.state, each) for each in held_values.elements_of(run, owner) or ()]
    mixture = (graph_elements.mixture if how == "slice" else graph_elements.choice_mixture)(elements)
    return mixture is None or (how == "store" and mixture.kind != "object")


def _is_python_sequence(run: Run, value: Value) -> bool:
    if isinstance(value, Object):
        return run.state.items(value.id) is not None
    return isinstance(value, Tuple) or python_kind(value) in (str, bytes)


def _laid_open(run: Run, value: Value) -> Value:
    items = run.state.items(value.id) if isinstance(value, Object) else None
    return Tuple(items.known) if items is not None and items.known is not None and len(items.known) <= 64 else value


def key(run: Run, frame: Frame, node: gast.AST, value: Value, how: KeyUse, looks_up: bool = True) -> None:
    """A value is hashed: a tensor can't be, eager or not. Graphwright finds the item under a number or a text."""
    named = is_number(value) or dtype_of(value) == "string"
    if how == "dict" and looks_up and named and _by_graphwright(run, frame, value):
        return
    if run.context.graph and isinstance(value, (Tensor, Variable)):
        expected_uses.note(run, frame, PythonKey(place_of(frame, node), how, value), node, value)


def membership(
    run: Run, frame: Frame, node: gast.Compare, left: Value, right: Value, operands: Sequence[gast.AST], negated: bool
) -> None:
    """`left in right`: every element is compared, and Python wants a bool of each comparison."""
    if not run.context.graph or _by_graphwright(run, frame, left):
        return
    first, second = operands
    fails = False
    tensor: Value = left
    if isinstance(left, (Tensor, Variable)):
        hashed = isinstance(right, Object) and run.state.entries(right.id) is not None
        fails = hashed or isinstance(right, (Tensor, Variable)) or _compares(run, right)
    elif isinstance(right, (Tensor, Variable)) and (isinstance(left, Scalar) or _is_number(left)):
        fails, tensor = True, right
    if fails:
        among = _laid_open(run, right)
        places = place_of(frame, first), place_of(frame, second)
        fact = PythonKey(place_of(frame, node), "in", tensor, places[0], among, places[1], negated)
        expected_uses.note(run, frame, fact, first if tensor is left else second, tensor)


def element_wise(run: Run, frame: Frame, op: gast.AST, sides: tuple[Value, Value], node: gast.AST) -> None:
    """`(a, b) == (1, 2)`: Python compares the elements one by one, until two differ."""
    first, second = sides
    if not isinstance(op, (gast.Eq, gast.NotEq)) or not isinstance(first, Tuple) or not isinstance(second, Tuple):
        return
    if len(first.items) == len(second.items) and first.items and first.fields == second.fields:
        tensors = [value for value in (first.items[0], second.items[0]) if is_symbolic(run, value)]
        other = second.items[0] if is_symbolic(run, first.items[0]) else first.items[0]
        if tensors and _is_number(other):
            truth(run, frame, node, tensors[0], "tuple comparison")


def _compares(run: Run, right: Value) -> bool:
    """Whether the first element that can't be the tensor itself makes a tensor of the comparison."""
    elements = held_values.elements_of(run, right)
    return bool(elements) and (_is_number(elements[0]) or python_kind(elements[0]) in (int, float))


def _is_number(value: Value) -> bool:
    return isinstance(value, Constant) and isinstance(value.value, (int, float))


def statement_of(run: Run, frame: Frame, node: gast.AST) -> Place:
    """The statement that an expression stands in, if it is known to."""
    statement = run.statement
    if statement is None:
        return place_of(frame, node)
    span, own = frame.block.range_of(statement), frame.block.range_of(node)
    return place_of(frame, statement if span.start <= own.start and own.end <= span.end else node)


def forgive_caught(run: Run, frame: Frame, node: gast.Try, seen: int) -> None:
    """What a `try` body does that its handlers may be there for isn't held against it."""
    caught = {name for handler in node.handlers for name in names_of_errors(handler.type)}
    if caught & {"", "Exception", "BaseException", "TypeError", "OperatorNotAllowedInGraphError", "ValueError"}:
        forgive(run, seen)


def forgive(run: Run, seen: int) -> None:
    """What was noted since then is expected to fail."""
    for fact in list(run.seen.facts)[seen:]:
        if isinstance(fact, (PythonTruth, PythonIteration, PythonIndex, PythonKey)):
            del run.seen.facts[fact]


def forgive_unreached(run: Run, seen: int) -> None:
    """What a handler does is hardly ever traced."""
    for fact in list(run.seen.facts)[seen:]:
        if not isinstance(fact, Event):
            del run.seen.facts[fact]


def names_of_errors(node: gast.AST | None) -> Sequence[str]:
    """The last part of the name of each error that a handler is for; "" for any."""
    if node is None:
        return ("",)
    if isinstance(node, gast.Tuple):
        return [name for element in node.elts for name in names_of_errors(element)]
    return (node.attr,) if isinstance(node, gast.Attribute) else (getattr(node, "id", "other"),)
