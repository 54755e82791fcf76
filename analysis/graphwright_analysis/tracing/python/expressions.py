"""What expressions are worth: names, attributes and items.

Operators, displays and calls have modules of their own; nothing here decides what becomes part of the graph.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import gast

from graphwright_analysis.tracing.facts import TracedExamined
from graphwright_analysis.tracing.library import structures, tensor_attributes
from graphwright_analysis.tracing.machine import allocation, journal
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.noting import (
    added_losses,
    extended_classes,
    leaks,
    python_use,
    refused_operations,
    unbound_names,
    unbuilt_models,
)
from graphwright_analysis.tracing.reading import held_values, name_lookup
from graphwright_analysis.values import outside_names
from graphwright_analysis.values.domain import (
    STATIC,
    UNKNOWN,
    Api,
    ApiInstance,
    Array,
    Bound,
    Class,
    Composite,
    Constant,
    Dataset,
    DType,
    KerasTensor,
    Leaked,
    Method,
    Object,
    Scalar,
    StaticShape,
    Super,
    Tensor,
    TensorArray,
    Traced,
    Tuple,
    Unknown,
    Value,
    Variable,
    is_likely,
)
from graphwright_analysis.values.domain import Sequence as Elements
from graphwright_analysis.values.keras_variables import KerasVariable
from graphwright_analysis.values.kinds import is_static
from graphwright_analysis.values.tensorflow import indexing

from . import (
    absent_keys,
    calls,
    definitions,
    displays,
    f_strings,
    generators,
    objects,
    operators,
    special_methods,
    staging,
    statements,
)


def evaluate(run: Run, frame: Frame, node: gast.AST) -> Value:
    """The value of an expression in the run's current state."""
    run.step()
    kind = type(node).__name__
    handler = _handlers().get(kind)
    value = handler(run, frame, node) if handler is not None else _others(run, frame, node)
    if isinstance(value, Leaked):
        leaks.leak_read(run, frame, node, value)
    if kind in _SEEN:
        run.seen.saw(node, value)
    return value


_SEEN = frozenset(
    {
        "Name",
        "Attribute",
        "Call",
        "Subscript",
        "BinOp",
        "UnaryOp",
        "Compare",
        "BoolOp",
        "IfExp",
        "Tuple",
        "List",
    }
)
"""The expressions whose values are remembered."""


def looked_at(run: Run, frame: Frame, node: gast.AST) -> Value:
    """The value of an expression that is only asked whether it is another object."""
    if not isinstance(node, (gast.Name, gast.Attribute)):
        return evaluate(run, frame, node)
    found = _handlers()[type(node).__name__](run, frame, node)
    value = Tensor() if isinstance(found, Leaked) else found
    run.seen.saw(node, value)
    return value


# Names


def _name(run: Run, frame: Frame, node: gast.Name) -> Value:
    if run.context.graph and run.context.constructs:
        unbound_names.note_read(run, frame, node)
    owner = name_lookup.owner_of_read(frame, node.id)
    value = name_lookup.value_in(run, frame, owner, node.id)
    journal.name_read(run, frame, owner, node, value)
    return value


# Attributes and items


_OF_SYMBOLS = frozenset({"shape", "dtype", "name", "get_shape"})
"""The attributes that a tensor still has once its graph is gone."""


def _attribute(run: Run, frame: Frame, node: gast.Attribute) -> Value:
    owner = (looked_at if node.attr in _OF_SYMBOLS else evaluate)(run, frame, node.value)
    value = attribute(run, frame, owner, node.attr)
    if node.attr == "losses":
        added_losses.note_read(run, owner, place_of(frame, node))
    journal.attribute_read(run, frame, node, owner, value)
    return unbuilt_models.read(run, frame, node, owner, value)


def attribute(run: Run, frame: Frame, owner: Value, name: str, missing: Value = UNKNOWN) -> Value:
    """`owner.name`; `missing` where there surely is no such attribute."""
    match owner:
        case Object() | Class() | Super():
            return objects.attribute(run, frame, owner, name, missing)
        case Api():
            return outside_names.api_attribute(owner, name)
        case Unknown() if name in _STATIC_ATTRIBUTES or owner.static:
            return STATIC
        case Unknown():
            return Method(owner, name) if owner.likely or name in held_values.VIEWS else UNKNOWN
        case Tensor() | Variable() | Array() | Composite():
            found = tensor_attributes.of_tensor(owner, name)
            return UNKNOWN if extended_classes.may_have(run, name, found) else found
        case KerasTensor():
            return tensor_attributes.of_placeholder(owner, name, keras_converts=run.keras_converts)
        case Tuple() if name in owner.fields:
            return owner.items[owner.fields.index(name)]
        case TensorArray():
            return tensor_attributes.of_tensor_array(owner, name)
        case DType():
            return tensor_attributes.of_dtype(owner, name)
        case StaticShape():
            rank = None if owner.shape is None else len(owner.shape)
            if name in ("rank", "ndims"):
                return Constant(rank) if rank is not None else STATIC
            return Method(owner, name)
        case Dataset() if name == "element_spec":
            return structures.spec(run, owner.element)
        case Traced() if name == "python_function":
            return owner.target
        case ApiInstance() if name == "iterations" and owner.name.startswith("tf.keras.optimizers."):
            return Variable("int64", ()) if run.keras_converts else KerasVariable("int64", ())
        case Constant() | Scalar() | Tuple() | Dataset() | ApiInstance() | Traced() | Bound():
            if isinstance(owner, Traced):
                run.note(TracedExamined(owner.id))
            return Method(owner, name)
        case _:
            return UNKNOWN


_STATIC_ATTRIBUTES = frozenset({"shape", "dtype", "ndim"})
"""What a tensor, an array, a layer and much else has, and nowhere is a tensor."""


def _subscript(run: Run, frame: Frame, node: gast.Subscript) -> Value:
    owner = evaluate(run, frame, node.value)
    if is_likely(owner):
        _index(run, frame, node.slice)
        return owner
    if isinstance(owner, KerasTensor):
        part = indexing.sliced(Tensor(owner.dtype, owner.shape), _index(run, frame, node.slice))
        return KerasTensor(part.dtype, part.shape, owner.layers)
    if isinstance(owner, (Tensor, Variable, Array)):
        index = _index(run, frame, node.slice)
        if refused_operations.item(run, frame, owner, index, node):
            return UNKNOWN
        if isinstance(owner, Array):
            python_use.index_of_array(run, frame, node, owner, list(_values_in(index)))
        return indexing.sliced(owner, index)
    if isinstance(node.slice, gast.Slice):
        for part in _values_in(_index(run, frame, node.slice)):
            python_use.index(run, frame, node, node.value, owner, part, "slice")
        return _slice(run, frame, owner, node.slice)
    key = evaluate(run, frame, node.slice)
    python_use.index(run, frame, node, node.value, owner, key, "index")
    if isinstance(owner, Object) and run.state.entries(owner.id) is not None:
        python_use.key(run, frame, node.slice, key, "dict")
    made = absent_keys.made(run, frame, owner, key, node)
    value = made or special_methods.of_subscript(run, frame, owner, key) or held_values.item(run, owner, key)
    journal.item_read(run, frame, node, owner, key, value)
    return value


def _index(run: Run, frame: Frame, node: gast.AST) -> tuple[indexing.Index, ...]:
    """One entry for each position of a subscript, as far as it matters to the shape."""
    if isinstance(node, gast.Tuple):
        return tuple(_index(run, frame, element)[0] for element in node.elts)
    if isinstance(node, gast.Slice):
        bounds = [None if part is None else evaluate(run, frame, part) for part in (node.lower, node.upper, node.step)]
        return (indexing.Slice(*bounds),)
    value = evaluate(run, frame, node)
    if isinstance(value, Tuple):
        return tuple(value.items) or (UNKNOWN,)
    return (value,)


def _values_in(index: tuple[indexing.Index, ...]) -> Iterator[Value]:
    for each in index:
        parts = (each.lower, each.upper, each.step) if isinstance(each, indexing.Slice) else (each,)
        yield from (part for part in parts if part is not None)


def _slice(run: Run, frame: Frame, owner: Value, node: gast.Slice) -> Value:
    elements = held_values.elements_of(run, owner)
    bounds = slice_of(run, frame, node)
    if isinstance(owner, StaticShape) and owner.shape is not None and bounds is not None:
        return StaticShape(owner.shape[bounds])
    if elements is not None and bounds is not None:
        part = tuple(elements)[bounds]
        return Tuple(part) if isinstance(owner, Tuple) else allocation.new_list(run, frame, part, node)
    if isinstance(owner, (Object, Tuple, Elements)):
        return Elements(held_values.element_of(run, owner))
    return STATIC if is_static(owner) else UNKNOWN


def slice_of(run: Run, frame: Frame, node: gast.Slice) -> slice | None:
    """What is sliced, if that is known and Python takes it."""
    bounds = [_constant(run, frame, part) for part in (node.lower, node.upper, node.step)]
    return None if UNKNOWN in bounds or bounds[2] == 0 else slice(*bounds)


def _constant(run: Run, frame: Frame, node: gast.AST | None) -> Any:
    if node is None:
        return None
    value = evaluate(run, frame, node)
    return value.value if isinstance(value, Constant) and isinstance(value.value, int) else UNKNOWN


# Others


def _lambda(run: Run, frame: Frame, node: gast.Lambda) -> Value:
    return definitions.lambda_(run, frame, node)


def _conditional(run: Run, frame: Frame, node: gast.IfExp) -> Value:
    return staging.conditional_expression(run, frame, node)


def _walrus(run: Run, frame: Frame, node: gast.NamedExpr) -> Value:
    value = evaluate(run, frame, node.value)
    statements.bind(run, frame, node.target, value)
    return value


def _call(run: Run, frame: Frame, node: gast.Call) -> Value:
    return calls.evaluate(run, frame, node)


def _constant_node(run: Run, frame: Frame, node: gast.Constant) -> Value:
    return Constant(node.value)


def _others(run: Run, frame: Frame, node: gast.AST) -> Value:
    """Expressions that nothing is known of, though their parts may have effects (await, starred)."""
    for child in gast.iter_child_nodes(node):
        if isinstance(child, gast.expr):
            evaluate(run, frame, child)
    return UNKNOWN


@functools.cache
def _handlers() -> dict[str, Callable[[Run, Frame, Any], Value]]:
    # The modules of this package need each other; by the first call all are there.
    return {
        "Name": _name,
        "Attribute": _attribute,
        "Subscript": _subscript,
        "BinOp": operators.binary_operation,
        "UnaryOp": operators.unary,
        "BoolOp": operators.boolean,
        "Compare": operators.compare,
        "List": displays.list_,
        "Set": displays.list_,
        "Tuple": displays.tuple_,
        "Dict": displays.dict_,
        "ListComp": displays.comprehension,
        "SetComp": displays.comprehension,
        "GeneratorExp": displays.comprehension,
        "DictComp": displays.dict_comprehension,
        "Lambda": _lambda,
        "IfExp": _conditional,
        "NamedExpr": _walrus,
        "Yield": generators.yield_,
        "YieldFrom": generators.yield_from,
        "Call": _call,
        "Constant": _constant_node,
        "JoinedStr": f_strings.joined_string,
    }
