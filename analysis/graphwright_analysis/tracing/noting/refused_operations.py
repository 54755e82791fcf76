"""Operators, indices and item assignments that TensorFlow surely refuses for the dtypes or shapes at hand.

Nothing here says what an operation gives; what is refused is noted once, and its result is unknown.
"""

from __future__ import annotations

import gast

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.tracing.facts import Fact, ItemAssigned, Operand, OperationRefused, SizeMissing
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.operations import RefusalKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import held_values, name_lookup
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    NONE,
    Array,
    Composite,
    Constant,
    Object,
    Tensor,
    Tuple,
    UnknownSize,
    Value,
    Variable,
    dtype_of,
    is_likely,
    is_tensor_like,
    python_kind,
    shape_of,
)
from graphwright_analysis.values.dtypes import with_article
from graphwright_analysis.values.keras_variables import keras_casts
from graphwright_analysis.values.shapes import ANY, Shape
from graphwright_analysis.values.tensorflow import indexing

from . import expected_uses

Side = tuple[Value, gast.AST]


def binary(run: Run, frame: Frame, op: gast.AST, left: Value, right: Value, node: gast.AST) -> bool:
    """Whether `left op right` is refused, which is noted."""
    if isinstance(node, gast.BinOp):
        sides = (left, node.left), (right, node.right)
    elif isinstance(node, gast.AugAssign) and not isinstance(left, Variable):
        sides = (left, node.target), (right, node.value)
    else:
        return False
    return _operation(run, frame, op, *sides, node)


def comparison(run: Run, frame: Frame, op: gast.AST, left: Side, right: Side, node: gast.AST) -> bool:
    """Whether one of the comparisons in `a < b < c` is refused, which is noted."""
    return type(op) in SYMBOLS and _operation(run, frame, op, left, right, node)


def unary(run: Run, frame: Frame, operand: Value, node: gast.UnaryOp) -> bool:
    """Whether `-x` is refused, which is noted."""
    if not isinstance(operand, UnknownSize) or isinstance(node.op, gast.Not):
        return False
    note_missing_size(run, frame, "-", (operand, node.operand), node)
    return True


def item(
    run: Run, frame: Frame, owner: Tensor | Variable | Array, index: tuple[indexing.Index, ...], node: gast.Subscript
) -> bool:
    """Whether `owner[index]` lies outside of the static shape, which is noted."""
    if owner.shape is None or isinstance(owner, Array) or not is_judged(run):
        return False
    words = _outside(owner.shape, index)
    if words is None:
        return False
    _note(run, frame, "[]", "index", (owner, node.value), None, words, node)
    return True


def item_assignment(run: Run, frame: Frame, owner: Value, key: Value, value: Value, target: gast.Subscript) -> None:
    """Note `owner[key] = value`, if the owner is a tensor or may well be one, or an array that can't hold the value."""
    if isinstance(owner, Array):
        if _is_numeric(owner) and any(_has_no_number(run, each) for each in (key, value)):
            note(run, _assigned(run, frame, owner, key, value, target))
        return
    if not (isinstance(owner, (Tensor, Variable)) or (is_likely(owner) and run.context.graph)):
        return
    if not is_judged(run):
        return
    named = python_kind(key) is str and is_likely(owner)  # What has names for its items is a dict.
    if named or expected_uses.is_meant_for_others(run, frame, target.value, owner):
        return
    run.note(_assigned(run, frame, owner, key, value, target))


def _assigned(run: Run, frame: Frame, owner: Value, key: Value, value: Value, target: gast.Subscript) -> ItemAssigned:
    statement = run.statement if isinstance(run.statement, gast.Assign) else None
    return ItemAssigned(
        place_of(frame, target),
        target.value.id if isinstance(target.value, gast.Name) else None,
        owner,
        key,
        place_of(frame, target.slice),
        value,
        place_of(frame, statement.value) if statement is not None and statement.targets == [target] else None,
        place_of(frame, run.statement or target),
        Confidence.LIKELY if is_likely(owner) else Confidence.CERTAIN,
    )


def _is_numeric(array: Array) -> bool:
    return array.dtype in dtypes.FLOATS | dtypes.INTEGERS | {"bool"}


def _has_no_number(run: Run, value: Value) -> bool:
    """Whether NumPy asks a value in vain for its numbers."""
    converted = run.context.by_graphwright or run.numpy_behavior
    symbolic = isinstance(value, Variable) or (isinstance(value, Tensor) and not value.eager)
    return run.context.graph and symbolic and not converted


# What is refused


def _operation(run: Run, frame: Frame, op: gast.AST, left: Side, right: Side, node: gast.AST) -> bool:
    symbol = SYMBOLS.get(type(op))
    if symbol is None or not is_judged(run):
        return False
    equality = symbol in ("==", "!=")
    if not equality:
        for side, other in ((left, right), (right, left)):
            if isinstance(side[0], UnknownSize) and _is_number(other[0]):
                note_missing_size(run, frame, symbol, side, node)
                return True
    if run.numpy_behavior:
        return False
    if not (is_tensor_like(left[0]) or is_tensor_like(right[0])) or NONE in (left[0], right[0]):
        return False
    operands = _as_operand(run, left[0]), _as_operand(run, right[0])
    words = None if keras_casts(left[0], right[0]) else _dtypes_differ(symbol, *operands)
    kind = "dtype"
    if words is None and not equality:
        words, kind = shapes_differ(symbol, shape_of(operands[0]), shape_of(operands[1])), "shape"
    if words is None:
        return False
    _note(run, frame, symbol, kind, left, right, words, node)
    return True


def _is_number(value: Value) -> bool:
    return python_kind(value) in (int, float) or is_tensor_like(value) or isinstance(value, UnknownSize)


def _as_operand(run: Run, value: Value) -> Value:
    """A list or tuple that holds tensors as the tensor that an operator makes of it."""
    if isinstance(value, (Tuple, Object)) and held_values.elements_of(run, value):
        made = held_values.as_tensor(run, value)
        return Tensor(None, made.shape)
    return value


def _dtypes_differ(symbol: str, left: Value, right: Value) -> str | None:
    """What TensorFlow minds about the dtypes of an operator's sides, or None."""
    first, second = dtype_of(left), dtype_of(right)
    if first is None or second is None or any(isinstance(side, Composite) for side in (left, right)):
        return None
    number_first = not is_tensor_like(left) and python_kind(left) in (int, float)
    if symbol == "*" and "bool" in (first, second) and not number_first:
        # TensorFlow takes it for `and`.
        return None
    if is_tensor_like(left) and is_tensor_like(right):
        return f"{first} and {second}" if first != second else _not_for(symbol, first)
    tensor, other = (first, right) if is_tensor_like(left) else (second, left)
    kind = python_kind(other)
    refused = (
        (kind is float and tensor in dtypes.INTEGERS)
        or (kind in (int, float) and tensor == "bool" and symbol not in ("&", "|", "^"))
        or (kind in (int, float, bool) and tensor == "string" and symbol in ("+", "-", "*", "/"))
        or (kind is str and tensor != "string" and not (symbol == "%" and tensor == second))
    )
    if kind is None or not refused:
        return None
    python = "a string" if kind is str else with_article(kind.__name__)
    return f"{tensor} and {python}" if tensor == first else f"{python} and {tensor}"


def _not_for(symbol: str, dtype: str) -> str | None:
    """What is refused though both sides have one dtype."""
    arithmetic = symbol not in ("==", "!=", "&", "|", "^", "*")
    if (dtype == "bool" and arithmetic) or (symbol in ("&", "|", "^") and dtype in dtypes.FLOATS):
        return f"both {dtype}, which `{symbol}` doesn't support"
    return None


def shapes_differ(symbol: str, left: Shape, right: Shape) -> str | None:
    """In what the shapes of an operator's sides don't fit each other, or None."""
    if left is None or right is None:
        return None
    both = f"shapes {shapes.text(left)} and {shapes.text(right)}"
    if symbol != "@":
        return f"{both} don't broadcast" if not _broadcast(left, right) else None
    if len(left) < 2 or len(right) < 2:
        return f"both operands need at least two axes, but have {both}"
    if not may_equal(left[-1], right[-2]):
        return f"{both} don't match ({left[-1]} columns, {right[-2]} rows)"
    return None if _broadcast(left[:-2], right[:-2]) else f"{both} don't broadcast"


def _broadcast(left: tuple[int | None, ...], right: tuple[int | None, ...]) -> bool:
    pairs = zip(reversed(left), reversed(right), strict=False)
    return all(1 in (a, b) or may_equal(a, b) for a, b in pairs)


def may_equal(a: int | None, b: int | None) -> bool:
    """Whether two sizes may be equal."""
    return a == b or None in (a, b) or ANY in (a, b)


def _outside(shape: tuple[int | None, ...], index: tuple[indexing.Index, ...]) -> str | None:
    """What is wrong with a subscript of a tensor of this shape, or None."""
    ellipsis = Constant(Ellipsis)
    plain = [entry for entry in index if entry != NONE and entry != ellipsis]
    if not all(isinstance(entry, indexing.Slice) or _is_position(entry) for entry in plain):
        return None
    if len(plain) > len(shape):
        return f"{len(plain)} indices are too many for shape {shapes.text(shape)}"
    rest = len(shape) - len(plain)
    axis = 0
    for entry in index:
        if entry == ellipsis:
            axis += rest
        elif entry != NONE:
            size = shape[axis]
            position = entry.value if isinstance(entry, Constant) else None
            if size is None or size == ANY or not isinstance(position, int):
                pass
            elif not -size <= position < size:
                return f"index {position} is out of bounds for an axis of size {size}"
            axis += 1
    return None


def _is_position(entry: Value | indexing.Slice) -> bool:
    whole = python_kind(entry) is int if isinstance(entry, Value) else False
    return whole or (isinstance(entry, (Tensor, Variable)) and entry.shape == () and entry.dtype in dtypes.INTEGERS)


# Noting


def _note(
    run: Run,
    frame: Frame,
    operation: str,
    kind: RefusalKind,
    left: Side,
    right: Side | None,
    words: str,
    node: gast.AST,
) -> None:
    second = None if right is None else operand(run, frame, *right)
    note_refused(run, frame, node, operation, kind, operand(run, frame, *left), second, words)


def note_refused(
    run: Run,
    frame: Frame,
    node: gast.AST,
    operation: str,
    kind: RefusalKind,
    first: Operand,
    second: Operand | None,
    words: str,
) -> None:
    """Note that TensorFlow refuses the operation that a node is, where it is sure to matter."""
    branch, eager = _branch_around(run), not run.context.graph
    note(run, OperationRefused(place_of(frame, node), operation, kind, first, second, words, branch, eager))


def _branch_around(run: Run) -> Place | None:
    """The condition of the innermost branch of the graph that is being traced."""
    kinds = (ConstructKind.BRANCH, ConstructKind.CONDITIONAL_EXPRESSION)
    return next((construct.place for construct in reversed(run.context.constructs) if construct.kind in kinds), None)


def note(run: Run, fact: Fact) -> None:
    """Note the fact where it is sure to matter.

    It isn't where the refusal is expected, where a function that nothing calls gets there through another, which may
    serve others well, or under a Python condition that may well go with another dtype or shape.
    """
    others = run.context.uncalled and len(run.context.calls) > 1
    if is_judged(run) and not (run.context.guarded or run.context.refused or run.context.conditions or others):
        run.note(fact)


def is_judged(run: Run) -> bool:
    """Whether what is refused here is told: in a graph, a `build` that Keras runs, or eager code that surely runs."""
    return run.context.building or run.context.tells


def expects_refusal(manager: gast.AST) -> bool:
    """Whether a `with` of this expression expects an error inside, as a test does."""
    called = manager.func if isinstance(manager, gast.Call) else manager
    name = called.attr if isinstance(called, gast.Attribute) else getattr(called, "id", "")
    return name in ("raises", "suppress") or name.startswith("assertRaises")


def catches_refusal(handler: gast.ExceptHandler) -> bool:
    """Whether an `except` is there for what TensorFlow raises when it refuses an operation."""
    named = [] if handler.type is None else [*gast.walk(handler.type)]
    return any(isinstance(node, gast.Name) and node.id in ("TypeError", "ValueError") for node in named)


def operand(run: Run, frame: Frame, value: Value, node: gast.AST) -> Operand:
    """A value as the side of an operation that it is written as."""
    return Operand(value, place_of(frame, node, node), bound_at(run, frame, node))


def bound_at(run: Run, frame: Frame, node: gast.AST) -> Place | None:
    """Where a name got the value that it has now."""
    if not isinstance(node, gast.Name):
        return None
    owner = name_lookup.enclosing(frame, node.id) or name_lookup.owner_of(run, frame, node.id)
    return run.state.place((owner.id, node.id))


def note_missing_size(run: Run, frame: Frame, operation: str, side: Side, node: gast.AST) -> None:
    """Note that a size that is None is used as a number; in eager code only placeholders of Keras' have such sizes."""
    size, expression = side
    assert isinstance(size, UnknownSize)
    source = bound_at(run, frame, expression) or place_of(frame, expression, expression)
    stage = "build" if run.context.building else "trace" if run.context.graph else "model"
    note(run, SizeMissing(place_of(frame, node), operation, size.axis, source, stage))


SYMBOLS: dict[type, str] = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.FloorDiv: "//", gast.Mod: "%", gast.Pow: "**",
    gast.MatMult: "@", gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^",
    gast.Eq: "==", gast.NotEq: "!=", gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=",
}  # fmt: skip
