"""What expressions are worth: names, attributes, items, operators, displays and comprehensions.

Calls are in `calls`; nothing here decides what becomes part of the graph.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

import gast

from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    MAYBE,
    NONE,
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
    Entries,
    Function,
    Items,
    Method,
    Object,
    Scalar,
    StaticShape,
    Super,
    Tensor,
    TensorArray,
    Traced,
    Tuple,
    Value,
    Variable,
    dtype_of,
    is_tensor_like,
    join,
    python_kind,
    shape_of,
)
from graphwright_analysis.values.domain import Sequence as Elements
from graphwright_analysis.values.tensorflow import indexing

from . import calls, definitions, objects, staging, statements
from .run import Frame, Run, place_of
from .state import common


def evaluate(run: Run, frame: Frame, node: gast.AST) -> Value:
    """The value of an expression in the run's current state."""
    run.step()
    handler = _HANDLERS.get(type(node))
    value = handler(run, frame, node) if handler is not None else _others(run, frame, node)
    if isinstance(node, (gast.Name, gast.Attribute, gast.Call, gast.Subscript)):
        run.saw(node, value)
    return value


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
    return lookup(run, frame, node.id)


def lookup(run: Run, frame: Frame, name: str) -> Value:
    owner = statements.module_frame(frame) if name in frame.scope.globals else enclosing(frame, name)
    if owner is not None:
        found = run.state.value(owner.id, name)
        if found is not UNDEFINED or owner.scope.kind in ("function", "lambda", "comprehension"):
            return UNKNOWN if found is UNDEFINED or found == MAYBE else found
    return Api(name) if name in definitions.BUILTINS else UNKNOWN


# Attributes and items


def _attribute(run: Run, frame: Frame, node: gast.Attribute) -> Value:
    return attribute(run, frame, evaluate(run, frame, node.value), node.attr)


def attribute(run: Run, frame: Frame, owner: Value, name: str, missing: Value = UNKNOWN) -> Value:
    """`owner.name`; `missing` where there surely is no such attribute."""
    match owner:
        case Object() | Class() | Super():
            return objects.attribute(run, frame, owner, name, missing)
        case Api():
            return definitions.api_attribute(owner, name)
        case Tensor() | Variable() | Array() | Composite():
            return _tensor_attribute(owner, name)
        case Tuple() if name in owner.fields:
            return owner.items[owner.fields.index(name)]
        case DType():
            return _dtype_attribute(owner, name)
        case StaticShape():
            rank = None if owner.shape is None else len(owner.shape)
            if name in ("rank", "ndims"):
                return Constant(rank) if rank is not None else UNKNOWN
            return Method(owner, name)
        case Dataset() if name == "element_spec":
            return UNKNOWN
        case Constant() | Scalar() | Tuple() | Dataset() | TensorArray() | ApiInstance() | Traced() | Bound():
            return Method(owner, name)
        case _:
            return UNKNOWN


def _tensor_attribute(owner: Tensor | Variable | Array | Composite, name: str) -> Value:
    if name == "dtype":
        return DType(owner.dtype)
    if name == "shape" and not isinstance(owner, Composite):
        if isinstance(owner, Array):
            return UNKNOWN if owner.shape is None else Tuple(tuple(map(_size, owner.shape)))
        return StaticShape(owner.shape)
    if name == "T" and isinstance(owner, Array):
        return Array(owner.dtype)
    if name == "ndim" and not isinstance(owner, Composite):
        return UNKNOWN if owner.shape is None else Constant(len(owner.shape))
    if name in ("name", "device", "graph", "op"):
        return UNKNOWN
    return Method(owner, name)


def _dtype_attribute(owner: DType, name: str) -> Value:
    if owner.name is None:
        return UNKNOWN
    known: dict[str, bool] = {
        "is_floating": owner.name in dtypes.FLOATS,
        "is_integer": owner.name in dtypes.INTEGERS,
        "is_bool": owner.name == "bool",
        "is_complex": owner.name in dtypes.COMPLEX,
    }
    if name in known:
        return Constant(known[name])
    return Constant(owner.name) if name == "name" else UNKNOWN


def _size(size: int | None) -> Value:
    return UNKNOWN if size is None else Constant(size)


def _subscript(run: Run, frame: Frame, node: gast.Subscript) -> Value:
    owner = evaluate(run, frame, node.value)
    if isinstance(owner, (Tensor, Variable, Array)):
        return indexing.sliced(owner, _index(run, frame, node.slice))
    if isinstance(node.slice, gast.Slice):
        _index(run, frame, node.slice)
        return _slice(run, frame, owner, node.slice)
    return item(run, owner, evaluate(run, frame, node.slice))


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
    if isinstance(owner, StaticShape):
        if owner.shape is None or not isinstance(key, Constant) or not isinstance(key.value, int):
            return UNKNOWN
        if not -len(owner.shape) <= key.value < len(owner.shape):
            return UNKNOWN
        return Constant(owner.shape[key.value])
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
    if isinstance(owner, StaticShape) and owner.shape is not None and UNKNOWN not in bounds:
        return StaticShape(owner.shape[slice(*bounds)])
    if elements is not None and UNKNOWN not in bounds:
        part = tuple(elements)[slice(*bounds)]
        return Tuple(part) if isinstance(owner, Tuple) else new_list(run, frame, part, node)
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
    if isinstance(value, Object):
        items = run.state.items(value.id)
        if items is not None:
            return items.known
        entries = run.state.entries(value.id)
        return tuple(Constant(key) for key, _ in entries.known) if entries is not None and entries.closed else None
    if isinstance(value, (Tensor, Array)) and value.shape and value.shape[0] is not None and value.shape[0] <= 8:
        make = Tensor if isinstance(value, Tensor) else Array
        return (make(value.dtype, value.shape[1:]),) * value.shape[0]
    if isinstance(value, StaticShape) and value.shape is not None:
        return tuple(Constant(size) for size in value.shape)
    return None


def element_of(run: Run, value: Value) -> Value:
    """What is known of each element that iterating the value gives."""
    elements = elements_of(run, value)
    if elements is not None:
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


# Operators


def _binary(run: Run, frame: Frame, node: gast.BinOp) -> Value:
    left = evaluate(run, frame, node.left)
    right = evaluate(run, frame, node.right)
    return binary(run, frame, node.op, left, right, node)


def binary(run: Run, frame: Frame, op: gast.AST, left: Value, right: Value, node: gast.AST) -> Value:
    """`left op right`."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return _folded(op, left.value, right.value)
    if is_tensor_like(left) or is_tensor_like(right):
        return _elementwise(op, left, right)
    if isinstance(left, Array) or isinstance(right, Array):
        return _array_operation(op, left, right)
    made = _sequence_operation(run, frame, op, left, right, node)
    return _scalar_operation(op, left, right) if made is None else made


def _sequence_operation(
    run: Run, frame: Frame, op: gast.AST, left: Value, right: Value, node: gast.AST
) -> Value | None:
    """`[a] + [b]`, `(a,) * 3`; None where neither side is a list or tuple."""
    first, second = elements_of(run, left), elements_of(run, right)
    parts: tuple[Value, ...] | None = None
    if isinstance(op, gast.Add) and first is not None and second is not None:
        parts = (*first, *second)
    elif isinstance(op, gast.Mult) and first is not None and isinstance(right, Constant):
        times = right.value if isinstance(right.value, int) else -1
        parts = first * times if 0 <= times * len(first) <= 64 else None
    if isinstance(left, Tuple) and (isinstance(op, gast.Mult) or isinstance(right, Tuple)):
        return UNKNOWN if parts is None else Tuple(parts)
    if isinstance(op, (gast.Add, gast.Mult)) and (_is_list(left) or _is_list(right)):
        return new_list(run, frame, parts, node, element_of(run, left if _is_list(left) else right))
    return None


def _is_list(value: Value) -> bool:
    return isinstance(value, Object) and value.kind == "list"


def _folded(op: gast.AST, left: Any, right: Any) -> Value:
    name = _OPERATORS.get(type(op))
    if name is None:
        return UNKNOWN
    if isinstance(op, (gast.Pow, gast.LShift, gast.Mult)) and _too_large(left, right):
        return UNKNOWN
    try:
        result = getattr(operator, name)(left, right)
    except Exception:
        return UNKNOWN
    large = isinstance(result, (str, bytes)) and len(result) > 4096
    return Scalar(result.__class__) if large else Constant(result)


def _too_large(left: Any, right: Any) -> bool:
    numbers = all(isinstance(value, (int, float)) for value in (left, right))
    return not numbers or abs(left) > 1e9 or (abs(right) > 64 and abs(left) > 1)


def _elementwise(op: gast.AST, left: Value, right: Value) -> Value:
    """An operator on a tensor: a literal follows the tensor's dtype."""
    tensors = [value for value in (left, right) if is_tensor_like(value)]
    known = {value.dtype for value in tensors if isinstance(value, (Tensor, Variable, Array))}
    dtype = next(iter(known)) if len(known) == 1 else None
    shape = shapes.broadcast(shape_of(left), shape_of(right))
    if isinstance(op, gast.MatMult):
        return Tensor(dtype, indexing.multiplied(shape_of(left), shape_of(right)))
    if isinstance(op, gast.Div):
        dtype = dtypes.true_divided(dtype)
    return Tensor(dtype, shape)


def _array_operation(op: gast.AST, left: Value, right: Value) -> Value:
    if isinstance(left, Array) and isinstance(right, Array):
        dtype = left.dtype if left.dtype == right.dtype else None
    else:
        array, other = (left, right) if isinstance(left, Array) else (right, left)
        floats = dtype_of(array) in dtypes.FLOATS
        dtype = dtype_of(array) if floats or python_kind(other) in (int, bool) else None
    if isinstance(op, gast.Div) and dtype not in dtypes.FLOATS:
        dtype = None
    return Array(dtype, shapes.broadcast(shape_of(left), shape_of(right)))


def _scalar_operation(op: gast.AST, left: Value, right: Value) -> Value:
    kinds = python_kind(left), python_kind(right)
    if not all(kind in (bool, int, float) for kind in kinds):
        return Scalar(str) if kinds[0] is str and isinstance(op, (gast.Mod, gast.Add)) else UNKNOWN
    if isinstance(op, gast.Div) or float in kinds:
        return Scalar(float)
    return Scalar(int) if not isinstance(op, gast.Pow) else UNKNOWN


def _unary(run: Run, frame: Frame, node: gast.UnaryOp) -> Value:
    operand = evaluate(run, frame, node.operand)
    if isinstance(node.op, gast.Not):
        if is_tensor_like(operand) and run.graph and frame.converted:
            return Tensor("bool", shape_of(operand))
        known = truth(operand)
        return Constant(not known) if known is not None else Scalar(bool)
    if isinstance(operand, Constant):
        try:
            return Constant(getattr(operator, _UNARY[type(node.op)])(operand.value))
        except Exception:
            return UNKNOWN
    if is_tensor_like(operand):
        return Tensor(dtype_of(operand), shape_of(operand))
    return operand if isinstance(operand, (Scalar, Array)) else UNKNOWN


def _boolean(run: Run, frame: Frame, node: gast.BoolOp) -> Value:
    """`and`/`or`: in the graph a tensor on the left makes the whole a tensor."""
    conjunction = isinstance(node.op, gast.And)
    result: Value | None = None
    for position, part in enumerate(node.values):
        value = evaluate(run, frame, part)
        if result is not None:
            value = _combined(run, frame, result, value)
        known = truth(value)
        last = position == len(node.values) - 1
        if known is not None and known is not conjunction and not last and not isinstance(value, Tensor):
            return value
        skipped = known is not None and known is conjunction and not isinstance(value, Tensor)
        result = None if skipped and not last else value
    return UNKNOWN if result is None else result


def _combined(run: Run, frame: Frame, left: Value, right: Value) -> Value:
    if isinstance(left, (Tensor, Variable)) and run.graph and frame.converted:
        return Tensor("bool", ())
    return join(left, right)


def _compare(run: Run, frame: Frame, node: gast.Compare) -> Value:
    left = evaluate(run, frame, node.left)
    result: Value = Constant(True)
    for op, part in zip(node.ops, node.comparators, strict=True):
        right = evaluate(run, frame, part)
        one = _compared(run, op, left, right)
        if isinstance(one, Constant) and not one.value:
            return one
        result = one if isinstance(result, Constant) else _combined(run, frame, result, one)
        left = right
    return result


def _compared(run: Run, op: gast.AST, left: Value, right: Value) -> Value:
    if isinstance(op, (gast.Is, gast.IsNot)):
        return _identity(left, right, isinstance(op, gast.IsNot))
    if isinstance(op, (gast.In, gast.NotIn)):
        return _membership(run, left, right, isinstance(op, gast.NotIn))
    if is_tensor_like(left) or is_tensor_like(right):
        if isinstance(op, (gast.Eq, gast.NotEq)) and NONE in (left, right):
            return Constant(isinstance(op, gast.NotEq))
        return Tensor("bool", shapes.broadcast(shape_of(left), shape_of(right)))
    if isinstance(left, Constant) and isinstance(right, Constant):
        return _folded(op, left.value, right.value)
    if isinstance(left, (DType, Constant)) and isinstance(right, (DType, Constant)):
        return _same_dtype(op, left, right)
    if isinstance(left, (Array)) or isinstance(right, Array):
        return Array("bool", shapes.broadcast(shape_of(left), shape_of(right)))
    if isinstance(left, StaticShape) or isinstance(right, StaticShape):
        return Scalar(bool)
    known = all(python_kind(side) is not None or isinstance(side, (DType, Tuple)) for side in (left, right))
    return Scalar(bool) if known else UNKNOWN


def _same_dtype(op: gast.AST, left: Value, right: Value) -> Value:
    names = [
        side.name if isinstance(side, DType) else dtypes.named(str(side.value)) if isinstance(side, Constant) else None
        for side in (left, right)
    ]
    if None in names or not isinstance(op, (gast.Eq, gast.NotEq)):
        return Scalar(bool)
    return Constant((names[0] == names[1]) is isinstance(op, gast.Eq))


def _identity(left: Value, right: Value, negated: bool) -> Value:
    if NONE in (left, right):
        other = right if left == NONE else left
        if other == NONE:
            return Constant(not negated)
        return Scalar(bool) if isinstance(other, type(UNKNOWN)) else Constant(negated)
    sides = [side.value for side in (left, right) if isinstance(side, Constant)]
    if len(sides) == 2 and all(isinstance(side, bool) for side in sides):
        return Constant((sides[0] is sides[1]) is not negated)
    return Scalar(bool)


def _membership(run: Run, left: Value, right: Value, negated: bool) -> Value:
    elements = elements_of(run, right)
    if isinstance(left, Constant) and isinstance(right, Constant) and isinstance(right.value, str):
        return Constant((str(left.value) in right.value) is not negated)
    if elements is None or not isinstance(left, Constant) or not all(isinstance(e, Constant) for e in elements):
        return UNKNOWN if is_tensor_like(left) else Scalar(bool)
    found = any(isinstance(e, Constant) and e.value == left.value for e in elements)
    return Constant(found is not negated)


# Displays and comprehensions


def new_list(
    run: Run, frame: Frame, known: tuple[Value, ...] | None, node: gast.AST, element: Value = UNKNOWN
) -> Object:
    """A fresh list in the state."""
    made = run.allocate("list")
    run.state.set_content(made.id, Items(known, element))
    run.state.set(made.id, "created", UNKNOWN, place_of(frame, node))
    return made


def new_dict(run: Run, entries: Entries) -> Object:
    made = run.allocate("dict")
    run.state.set_content(made.id, entries)
    return made


def _list(run: Run, frame: Frame, node: gast.List | gast.Set) -> Value:
    values = _displayed(run, frame, node.elts)
    return new_list(run, frame, values, node) if isinstance(node, gast.List) else UNKNOWN


def _tuple(run: Run, frame: Frame, node: gast.Tuple) -> Value:
    values = _displayed(run, frame, node.elts)
    return UNKNOWN if values is None else Tuple(values)


def _displayed(run: Run, frame: Frame, nodes: Sequence[gast.AST]) -> tuple[Value, ...] | None:
    values: list[Value] = []
    known = True
    for node in nodes:
        if isinstance(node, gast.Starred):
            elements = elements_of(run, evaluate(run, frame, node.value))
            known = known and elements is not None
            values += elements or ()
        else:
            values.append(evaluate(run, frame, node))
    return tuple(values) if known else None


def _dict(run: Run, frame: Frame, node: gast.Dict) -> Value:
    entries = Entries()
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = evaluate(run, frame, value_node)
        if key_node is None:
            inner = run.state.entries(value.id) if isinstance(value, Object) else None
            for key, content in inner.known if inner is not None else ():
                entries = entries.with_entry(key, content)
            if inner is None or not inner.closed:
                entries = Entries(entries.known, closed=False)
            continue
        key = evaluate(run, frame, key_node)
        if isinstance(key, Constant):
            entries = entries.with_entry(key.value, value)
        else:
            entries = Entries(entries.known, closed=False)
    return new_dict(run, entries)


def _comprehension(run: Run, frame: Frame, node: gast.ListComp | gast.GeneratorExp | gast.SetComp) -> Value:
    found, exact = _comprehended(run, frame, node, node.elt)
    if isinstance(node, gast.ListComp):
        return new_list(run, frame, tuple(found) if exact else None, node, common(Items(tuple(found))))
    return Elements(common(Items(tuple(found))))


def _dict_comprehension(run: Run, frame: Frame, node: gast.DictComp) -> Value:
    found, exact = _comprehended(run, frame, node, gast.Tuple([node.key, node.value], gast.Load()))
    entries = Entries(closed=exact)
    for pair in found:
        key = pair.items[0] if isinstance(pair, Tuple) else UNKNOWN
        if isinstance(pair, Tuple) and isinstance(key, Constant):
            entries = entries.with_entry(key.value, pair.items[1])
        else:
            return new_dict(run, Entries(closed=False))
    return new_dict(run, entries)


def _comprehended(run: Run, frame: Frame, node: Any, element: gast.AST) -> tuple[list[Value], bool]:
    """The elements that a comprehension gives, and whether these are surely all of them."""
    inner = objects.new_frame(run, node, frame)
    found: list[Value] = []

    def generate(position: int) -> bool:
        if position == len(node.generators):
            found.append(evaluate(run, inner, element))
            return True
        generator = node.generators[position]
        iterated = evaluate(run, frame if position == 0 else inner, generator.iter)
        elements = elements_of(run, iterated)
        exact = elements is not None and len(elements) <= 16
        for value in elements if elements is not None and exact else (element_of(run, iterated),):
            statements.bind(run, inner, generator.target, value)
            tests = [truth(evaluate(run, inner, test)) for test in generator.ifs]
            if False in tests:
                continue
            exact = generate(position + 1) and exact and None not in tests
        return exact

    exact = generate(0)
    run.leave(inner)
    return found, exact


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


def _formatted(run: Run, frame: Frame, node: gast.AST) -> Value:
    for child in gast.iter_child_nodes(node):
        if isinstance(child, gast.FormattedValue):
            evaluate(run, frame, child.value)
    return Scalar(str)


def _others(run: Run, frame: Frame, node: gast.AST) -> Value:
    """Expressions that nothing is known of, though their parts may have effects (await, yield, starred)."""
    for child in gast.iter_child_nodes(node):
        if isinstance(child, gast.expr):
            evaluate(run, frame, child)
    return UNKNOWN


_OPERATORS: dict[type, str] = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
    gast.BitAnd: "and_",
    gast.BitOr: "or_",
    gast.BitXor: "xor",
    gast.Eq: "eq",
    gast.NotEq: "ne",
    gast.Lt: "lt",
    gast.LtE: "le",
    gast.Gt: "gt",
    gast.GtE: "ge",
}
_UNARY: dict[type, str] = {
    gast.USub: "neg",
    gast.UAdd: "pos",
    gast.Invert: "invert",
}
_HANDLERS: dict[type, Callable[[Run, Frame, Any], Value]] = {
    gast.Name: _name,
    gast.Attribute: _attribute,
    gast.Subscript: _subscript,
    gast.BinOp: _binary,
    gast.UnaryOp: _unary,
    gast.BoolOp: _boolean,
    gast.Compare: _compare,
    gast.List: _list,
    gast.Set: _list,
    gast.Tuple: _tuple,
    gast.Dict: _dict,
    gast.ListComp: _comprehension,
    gast.SetComp: _comprehension,
    gast.GeneratorExp: _comprehension,
    gast.DictComp: _dict_comprehension,
    gast.Lambda: _lambda,
    gast.IfExp: _conditional,
    gast.NamedExpr: _walrus,
    gast.Call: _call,
    gast.Constant: _constant_node,
    gast.JoinedStr: _formatted,
}
