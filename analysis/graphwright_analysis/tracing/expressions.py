"""What expressions are worth: names, attributes and items.

Operators, displays and calls have modules of their own; nothing here decides what becomes part of the graph.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any

import gast

from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    MAYBE,
    UNDEFINED,
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
    Function,
    Items,
    KerasTensor,
    Leaked,
    Method,
    Object,
    RanklessShape,
    Scalar,
    StaticShape,
    Super,
    Tensor,
    TensorArray,
    Traced,
    Tuple,
    Unknown,
    UnknownSize,
    Value,
    Variable,
    is_likely,
)
from graphwright_analysis.values.domain import Sequence as Elements
from graphwright_analysis.values.shapes import Shape
from graphwright_analysis.values.tensorflow import functions, indexing

from . import (
    absent_keys,
    aftermath,
    calls,
    definitions,
    displays,
    escapes,
    formatting,
    journal,
    objects,
    operators,
    python_use,
    refused,
    snapshots,
    special_methods,
    staging,
    statements,
    structures,
    tensor_attributes,
    unbound,
)
from .run import Frame, Run
from .state import common


def evaluate(run: Run, frame: Frame, node: gast.AST) -> Value:
    """The value of an expression in the run's current state."""
    run.step()
    handler = _handlers().get(type(node))
    value = handler(run, frame, node) if handler is not None else _others(run, frame, node)
    if isinstance(value, Leaked):
        aftermath.leak_read(run, frame, node, value)
    if type(node) in _SEEN:
        run.saw(node, value)
    return value


_SEEN = frozenset(
    {
        gast.Name,
        gast.Attribute,
        gast.Call,
        gast.Subscript,
        gast.BinOp,
        gast.UnaryOp,
        gast.Compare,
        gast.BoolOp,
        gast.IfExp,
        gast.Tuple,
        gast.List,
    }
)
"""The expressions whose values are remembered."""


def looked_at(run: Run, frame: Frame, node: gast.AST) -> Value:
    """The value of an expression that is only asked whether it is another object."""
    if not isinstance(node, (gast.Name, gast.Attribute)):
        return evaluate(run, frame, node)
    value = _handlers()[type(node)](run, frame, node)
    return Tensor() if isinstance(value, Leaked) else value


def truth(value: Value) -> bool | None:
    """Whether a Python test on the value is surely true or surely false."""
    if isinstance(value, Constant):
        return bool(value.value)
    if isinstance(value, Tuple):
        return bool(value.items)
    if isinstance(value, (Function, Class, Traced, Bound, DType)):
        return True
    return None


# Names


def enclosing(frame: Frame | None, name: str) -> Frame | None:
    """The function frame around, from `frame` outwards, that binds the name."""
    first = True
    while frame is not None:
        if (name in frame.scope.bound or name in frame.scope.parameters) and (first or frame.scope.kind != "class"):
            return frame
        first = False
        frame = frame.parent
    return None


def _name(run: Run, frame: Frame, node: gast.Name) -> Value:
    if run.graph and run.constructs:
        unbound.note_read(run, frame, node)
    value = lookup(run, frame, node.id)
    journal.name_read(run, frame, owner_of_read(frame, node.id), node, value)
    return value


def owner_of_read(frame: Frame, name: str) -> Frame | None:
    return statements.module_frame(frame) if name in frame.scope.globals else enclosing(frame, name)


def lookup(run: Run, frame: Frame, name: str) -> Value:
    owner = owner_of_read(frame, name)
    if owner is not None:
        found = run.state.value(owner.id, name)
        if found is not UNDEFINED or owner.scope.kind in ("function", "lambda", "comprehension"):
            return UNKNOWN if found is UNDEFINED or found == MAYBE else found
    if name == "__name__" and owner is None and not run.for_importers:
        return Constant("__main__")
    return Api(name) if name in definitions.BUILTINS and not run.star_import else UNKNOWN


# Attributes and items


def _attribute(run: Run, frame: Frame, node: gast.Attribute) -> Value:
    owner = evaluate(run, frame, node.value)
    value = attribute(run, frame, owner, node.attr)
    journal.attribute_read(run, frame, node, owner, value)
    return snapshots.read(run, frame, node, owner, value)


def attribute(run: Run, frame: Frame, owner: Value, name: str, missing: Value = UNKNOWN) -> Value:
    """`owner.name`; `missing` where there surely is no such attribute."""
    match owner:
        case Object() | Class() | Super():
            return objects.attribute(run, frame, owner, name, missing)
        case Api():
            return definitions.api_attribute(owner, name)
        case Tensor() | Variable() | Array() | Composite():
            return UNKNOWN if name in run.patched else tensor_attributes.of_tensor(owner, name)
        case Tuple() if name in owner.fields:
            return owner.items[owner.fields.index(name)]
        case TensorArray():
            return tensor_attributes.of_tensor_array(owner, name)
        case DType():
            return tensor_attributes.of_dtype(owner, name)
        case StaticShape():
            rank = None if owner.shape is None else len(owner.shape)
            if name in ("rank", "ndims"):
                return Constant(rank) if rank is not None else UNKNOWN
            return Method(owner, name)
        case Dataset() if name == "element_spec":
            return structures.spec(run, owner.element)
        case Traced() if name in ("get_concrete_function", "python_function"):
            run.escapes(owner)
            return UNKNOWN
        case Unknown(likely=True):
            return Method(owner, name)
        case Constant() | Scalar() | Tuple() | Dataset() | ApiInstance() | Traced() | Bound():
            return Method(owner, name)
        case _:
            return UNKNOWN


def size(entry: int | None, axis: int | None = None) -> Value:
    """One entry of a static shape as Python sees it."""
    if entry is None:
        return UnknownSize(None, axis)
    return UNKNOWN if entry == shapes.ANY else Constant(entry)


def sizes(shape: tuple[int | None, ...]) -> tuple[Value, ...]:
    """A static shape as a tuple or list of Python values."""
    return tuple(size(entry, axis) for axis, entry in enumerate(shape))


def shape_given(run: Run, value: Value) -> Shape:
    """The static shape that an argument such as `[None, 3]` or a TensorShape stands for."""
    elements = elements_of(run, value)
    static = value.shape if isinstance(value, StaticShape) else None
    return indexing.given(value, elements) if elements is not None else static


def _subscript(run: Run, frame: Frame, node: gast.Subscript) -> Value:
    owner = evaluate(run, frame, node.value)
    if is_likely(owner):
        _index(run, frame, node.slice)
        return owner
    if isinstance(owner, KerasTensor):
        _index(run, frame, node.slice)
        return owner
    if isinstance(owner, (Tensor, Variable, Array)):
        index = _index(run, frame, node.slice)
        if refused.item(run, frame, owner, index, node):
            return UNKNOWN
        return indexing.sliced(owner, index)
    if isinstance(node.slice, gast.Slice):
        for bound in _index(run, frame, node.slice):
            for part in (bound.lower, bound.upper, bound.step) if isinstance(bound, indexing.Slice) else ():
                python_use.index(run, frame, node, node.value, owner, part or UNKNOWN, "slice")
        return _slice(run, frame, owner, node.slice)
    key = evaluate(run, frame, node.slice)
    python_use.index(run, frame, node, node.value, owner, key, "index")
    if isinstance(owner, Object) and run.state.entries(owner.id) is not None:
        python_use.key(run, frame, node.slice, key, "dict")
    made = absent_keys.made(run, frame, owner, key, node)
    value = made or special_methods.of_subscript(run, frame, owner, key) or item(run, owner, key)
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


def item(run: Run, owner: Value, key: Value, missing: Value = UNKNOWN) -> Value:
    """`owner[key]`."""
    if isinstance(owner, RanklessShape):
        return UnknownSize(None, key.value if isinstance(key, Constant) and isinstance(key.value, int) else None)
    if isinstance(owner, StaticShape):
        if owner.shape is None or not isinstance(key, Constant) or not isinstance(key.value, int):
            return UNKNOWN
        if not -len(owner.shape) <= key.value < len(owner.shape):
            return UNKNOWN
        return size(owner.shape[key.value], key.value)
    if isinstance(owner, Object) and (entries := run.state.entries(owner.id)) is not None:
        if not isinstance(key, Constant):
            return UNKNOWN
        found = entries.get(key.value)
        return missing if found is UNDEFINED else found
    elements = elements_of(run, owner)
    if elements is not None and isinstance(key, Constant) and isinstance(key.value, int):
        if -len(elements) <= key.value < len(elements):
            return elements[key.value]
        return missing
    if isinstance(owner, (Object, Tuple, Elements)):
        return element_of(run, owner)
    return UNKNOWN


def constant_key(step: str) -> Constant:
    """The key that a symbol's step such as `['k']` or `[0]` names."""
    return Constant(ast.literal_eval(step[1:-1]))


def _slice(run: Run, frame: Frame, owner: Value, node: gast.Slice) -> Value:
    elements = elements_of(run, owner)
    bounds = [_constant(run, frame, part) for part in (node.lower, node.upper, node.step)]
    if bounds[2] == 0:
        return UNKNOWN
    if isinstance(owner, StaticShape) and owner.shape is not None and UNKNOWN not in bounds:
        return StaticShape(owner.shape[slice(*bounds)])
    if elements is not None and UNKNOWN not in bounds:
        part = tuple(elements)[slice(*bounds)]
        return Tuple(part) if isinstance(owner, Tuple) else displays.new_list(run, frame, part, node)
    return Elements(element_of(run, owner)) if isinstance(owner, (Object, Tuple, Elements)) else UNKNOWN


def _constant(run: Run, frame: Frame, node: gast.AST | None) -> Any:
    if node is None:
        return None
    value = evaluate(run, frame, node)
    return value.value if isinstance(value, Constant) and isinstance(value.value, int) else UNKNOWN


def elements_of(run: Run, value: Value) -> tuple[Value, ...] | None:
    """The elements that iterating the value in Python gives, where all are known."""
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Elements):
        return value.known
    if isinstance(value, Object):
        items = run.state.items(value.id)
        if items is not None:
            return items.known
        entries = run.state.entries(value.id)
        return tuple(Constant(key) for key, _ in entries.known) if entries is not None and entries.closed else None
    if isinstance(value, (Tensor, Array)) and value.shape and value.shape[0] is not None and 0 <= value.shape[0] <= 8:
        make = Tensor if isinstance(value, Tensor) else Array
        return (make(value.dtype, value.shape[1:]),) * value.shape[0]
    if isinstance(value, StaticShape) and value.shape is not None:
        return sizes(value.shape)
    return None


def as_tensor(run: Run, value: Value) -> Tensor:
    """What `tf.convert_to_tensor` makes of a value, collections in the state included."""
    return functions.converted(value, lambda part: elements_of(run, part))


def element_of(run: Run, value: Value) -> Value:
    """What is known of each element that iterating the value gives."""
    elements = elements_of(run, value)
    if elements is not None:
        if len(elements) > 1:
            escapes.lose(run, *elements)
        return common(Items(elements))
    if isinstance(value, Object):
        items = run.state.items(value.id)
        return items.element if items is not None else UNKNOWN
    if isinstance(value, Elements):
        return value.element
    if isinstance(value, (Tensor, Variable, Array)):
        rest = value.shape[1:] if value.shape else None
        return Array(value.dtype, rest) if isinstance(value, Array) else Tensor(value.dtype, rest)
    return value.element if isinstance(value, Dataset) else UNKNOWN


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
    """Expressions that nothing is known of, though their parts may have effects (await, yield, starred)."""
    for child in gast.iter_child_nodes(node):
        if isinstance(child, gast.expr):
            evaluate(run, frame, child)
    return UNKNOWN


@functools.cache
def _handlers() -> dict[type, Callable[[Run, Frame, Any], Value]]:
    # The modules of this package need each other; by the first call all are there.
    return {
        gast.Name: _name,
        gast.Attribute: _attribute,
        gast.Subscript: _subscript,
        gast.BinOp: operators.binary_operation,
        gast.UnaryOp: operators.unary,
        gast.BoolOp: operators.boolean,
        gast.Compare: operators.compare,
        gast.List: displays.list_,
        gast.Set: displays.list_,
        gast.Tuple: displays.tuple_,
        gast.Dict: displays.dict_,
        gast.ListComp: displays.comprehension,
        gast.SetComp: displays.comprehension,
        gast.GeneratorExp: displays.comprehension,
        gast.DictComp: displays.dict_comprehension,
        gast.Lambda: _lambda,
        gast.IfExp: _conditional,
        gast.NamedExpr: _walrus,
        gast.Call: _call,
        gast.Constant: _constant_node,
        gast.JoinedStr: formatting.joined_string,
    }
