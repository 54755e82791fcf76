"""What names hold before staged code changes them, and what stands for a value that isn't there yet.

A Python number that becomes a tensor of another dtype than it would by itself is written as one of that dtype.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS, kind_of
from graphwright_analysis.tracing.facts import StagedLoop
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    Constant,
    Object,
    Scalar,
    Tensor,
    Tuple,
    Unknown,
    Value,
    Variable,
    dtype_of,
    python_kind,
    shape_of,
)
from graphwright_analysis.values.joining import staged

from graphwright.eject import arrays, containers, records, shared_values
from graphwright.eject.observations import StateObject, joined
from graphwright.errors import ConversionError
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.facts import Facts


def prepare(style: Any, lowering: Any) -> None:
    """Find the arrays and the dtypes of a function; refuse what no staged code can carry."""
    facts = lowering.facts
    if isinstance(facts.node, gast.Lambda):
        return
    arrays.prepare(style, facts)
    records.prepare(style, facts)
    containers.refuse_deques(style, facts)
    shared_values.refuse_aliases(style, facts)
    shared_values.refuse_closures(style, facts)
    _note_tests(style, facts)
    needed: dict[str, str] = {}
    for fact in style.known.visits:
        for name in fact.names:
            if name.symbol in facts.own and not style.holds_list(name.symbol):
                _refuse_unseeded(style, facts, name, isinstance(fact, StagedLoop))
    for fact in style.known.staged.values():
        for name in fact.names:
            values = [name.before, name.after] if isinstance(fact, StagedLoop) else [name.body, name.orelse]
            if name.symbol in facts.own and not style.holds_list(name.symbol):
                _need(style, facts, needed, name.symbol, values)
    for part in facts.statements:
        for target, value in assigned_pairs(part):
            wrap(style, value, needed.get(getattr(target, "id", "")))
    if facts.constructs():
        returned = [part.value for part in style.returns_in(lowering) if part.value is not None]
        for values in _alike(returned):
            dtype = _common([style.value(value) for value in values])
            for value in values:
                wrap(style, value, dtype)


def assigned_pairs(part: gast.AST) -> list[tuple[Any, Any]]:
    """What a statement assigns to, each with the expression that it gets."""
    if isinstance(part, gast.AnnAssign) and part.value is not None and isinstance(part.target, gast.Name):
        return [(part.target, part.value)]
    if not isinstance(part, gast.Assign) or len(part.targets) != 1:
        return []
    target, value = part.targets[0], part.value
    pairs = [(target, value)]
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    return pairs


def _note_tests(style: TensorFlow, facts: Facts) -> None:
    """A test is first evaluated in front of the loop, on numbers that are tensors whenever the graph evaluates it."""
    for part in facts.statements:
        fact = style.known.staged.get(facts.unit.span(part.test)) if isinstance(part, gast.While) else None
        if not isinstance(fact, StagedLoop):
            continue
        carried = {name.symbol for name in fact.names if isinstance(staged(name.after), Tensor)}
        for inner in walk(part.test):
            if not isinstance(style.value(inner), Unknown) or not names_in(inner) & carried:
                continue
            if isinstance(inner, (gast.Compare, gast.BoolOp)):
                style.in_tests[inner] = Tensor("bool")
            elif isinstance(inner, (gast.UnaryOp, gast.BinOp, gast.Name)):
                style.in_tests[inner] = Tensor(None)


def zero(style: Any, lowering: Lowering) -> str:
    """What stands for the value of a function that hasn't returned."""
    returned = list(style.returns_in(lowering))
    values = [value_of(style, part.value) for part in returned if part.value is not None]
    if not values:
        return "0"
    text = zero_of(style, values, of_any_size=True)
    if text is None and len({_holds_none(value) for value in values}) > 1:
        raise ConversionError(
            "this function returns None in one place and a tensor in another, but a graph has no None: return a "
            "tensor in both, and a flag for whether it's set",
            line=returned[0].lineno,
        )
    if text is None:
        raise ConversionError(
            "the dtype and shape of the value returned inside the loop are unknown: pass a `signature` with full "
            "shapes, or set a variable, `break`, and return after the loop",
            line=returned[0].lineno,
        )
    return text


def _holds_none(value: Value) -> tuple[bool, ...]:
    """Which parts of a value are None."""
    items = value.items if isinstance(value, Tuple) else (value,)
    return tuple(item == NONE for item in items)


def value_of(style: Any, node: gast.AST) -> Value:
    """What is returned; a trace shows only the parts of a tuple."""
    if isinstance(node, gast.Tuple) and not any(isinstance(part, gast.Starred) for part in node.elts):
        return Tuple(tuple(value_of(style, part) for part in node.elts))
    if isinstance(node, gast.List) and not any(isinstance(part, gast.Starred) for part in node.elts):
        items = tuple(value_of(style, part) for part in node.elts)
        return StateObject(0, "list", names=tuple(range(len(items))), items=items)
    if isinstance(node, gast.Dict):
        names = tuple(key.value for key in node.keys if isinstance(key, gast.Constant) and isinstance(key.value, str))
        if len(names) == len(node.keys):
            return StateObject(0, "dict", names=names, items=tuple(value_of(style, part) for part in node.values))
    return style.value(node)


def zero_of(style: Any, values: Sequence[Value], of_any_size: bool = False) -> str | None:
    """What stands for values that aren't there yet; None where they aren't alike, or have no size, unless any does."""
    if _is_of_parts(values[0]):
        return _zero_of_parts(style, values, of_any_size)
    if all(python_kind(value) is str or getattr(value, "dtype", None) == "string" for value in values):
        return '""' if all(getattr(value, "shape", ()) == () for value in values) else None
    dtype = _common(values) or next((dtype_of(value) for value in values if _is_number(value)), None)
    shapes: list[Any] = [value.shape if isinstance(value, (Tensor, Variable)) else () for value in values]
    if of_any_size and None not in shapes and len({len(shape) for shape in shapes}) == 1:
        # A dimension that differs has no elements yet.
        sizes = [set(column) for column in zip(*shapes, strict=True)]
        shapes = [tuple(0 if len(each) > 1 or None in each else each.pop() for each in sizes)]
    if dtype is None or any(shape != shapes[0] for shape in shapes):
        return None
    if any(not isinstance(value, (Tensor, Variable)) and not _is_number(value) for value in values):
        return None
    return zeros(style, dtype, shapes[0])


def _is_of_parts(value: Value) -> bool:
    """Whether a value is a tuple, or a list or dict that isn't empty."""
    if isinstance(value, StateObject):
        return value.kind in ("list", "dict") and bool(value.items)
    return isinstance(value, Tuple)


def _zero_of_parts(style: TensorFlow, values: Sequence[Any], of_any_size: bool) -> str | None:
    """What stands for tuples, lists or dicts that aren't there yet; None where they aren't alike."""
    first = values[0]
    kinds = {(type(value).__name__, getattr(value, "kind", ""), len(getattr(value, "items", ()))) for value in values}
    names = {value.names for value in values if isinstance(value, StateObject) and value.kind == "dict"}
    if len(kinds) > 1 or len(names) > 1:
        return None
    texts = [zero_of(style, column, of_any_size) for column in zip(*(value.items for value in values), strict=True)]
    known = [text for text in texts if text is not None]
    if len(known) < len(texts):
        return None
    if names:
        pairs = zip(first.names, known, strict=True)
        return "{" + ", ".join(f'"{name}": {text}' for name, text in pairs) + "}"
    is_list = isinstance(first, StateObject)
    return f"[{', '.join(known)}]" if is_list else f"({', '.join(known)}{',' if len(known) == 1 else ''})"


def zeros(style: TensorFlow, dtype: str, shape: Any) -> str | None:
    """A tensor of zeros."""
    if shape is None or None in shape or any(size < 0 for size in shape):
        return None
    if shape == () and dtype in _LITERALS:
        return _LITERALS[dtype]
    if shape == () and dtype != "string":
        return f"{style.tf}.constant(0, {style.tf}.{dtype})"
    return f"{style.tf}.zeros({list(shape)}, {style.tf}.{dtype})"


def none_at_first(name: str, line: int) -> ConversionError:
    """The refusal of a name that is None in one iteration or branch, and a tensor in others."""
    reason = (
        f"`{name}` is None at first or in one branch, and a tensor otherwise, but a graph has no None. "
        "Start with a tensor, and use a flag for whether it's set"
    )
    return ConversionError(reason, line=line)


def wrap_alike(style: Any, nodes: Sequence[gast.expr], values: Sequence[Value]) -> None:
    """Write the numbers among expressions that give the same thing as what the tensors among them are."""
    for node in nodes:
        wrap(style, node, _common(values))


def stacked(value: Value) -> Value:
    """The tensor that a list of tensors or numbers becomes; any other value as it is."""
    items = [stacked(item) for item in value.items] if isinstance(value, StateObject) and value.kind == "list" else []
    tensors = {item.dtype for item in items if isinstance(item, (Tensor, Variable))}
    dtypes = tensors or {dtype_of(item) for item in items}
    shapes = {shape_of(item) for item in items if dtype_of(item) is not None}
    if len(dtypes) != 1 or len(shapes) != 1 or any(dtype_of(item) is None for item in items):
        return value
    shape = shapes.pop()
    return Tensor(dtypes.pop(), None if shape is None else (len(items), *shape))


def as_list(value: Tuple) -> StateObject:
    """A list of what is in a tuple."""
    return StateObject(0, "list", names=tuple(range(len(value.items))), items=value.items)


def holds_tensors(value: Any) -> bool:
    """Whether tensors are among the items of a list or tuple."""
    return any(isinstance(item, (Tensor, Variable)) for item in value.items)


def written(tf: str, text: str, dtype: str) -> str:
    """A number as a tensor of a dtype, or as the literal that becomes one by itself."""
    if dtype == "float32":
        return text if "." in text or "e" in text else f"{text}.0"
    return f"{tf}.constant({text}, {tf}.{dtype})"


def _need(style: TensorFlow, facts: Any, needed: dict[str, str], symbol: str, values: Sequence[Value]) -> None:
    dtype = _common(values)
    if dtype is None:
        return
    if needed.setdefault(symbol, dtype) != dtype:
        raise ConversionError(
            f"`{symbol}` is {needed[symbol]} in one place and {dtype} in another: cast it with `tf.cast`",
            line=facts.node.lineno,
        )


def _common(values: Iterable[Value]) -> str | None:
    """The dtype that values come to, numbers being whatever the tensors are."""
    known = list(values)
    tensors = {value.dtype for value in known if isinstance(value, (Tensor, Variable)) and value.dtype is not None}
    if len(tensors) == 1:
        return tensors.pop()
    kinds = {python_kind(value) for value in known if _is_number(value)}
    return "float32" if not tensors and kinds == {int, float} else None


def _is_number(value: Value) -> bool:
    return isinstance(value, (Constant, Scalar)) and python_kind(value) in (int, float, bool)


def wrap(style: Any, node: gast.expr, dtype: str | None) -> None:
    """Note that a literal is to be written as a tensor of a dtype, if it isn't one by itself."""
    literal = node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, (gast.USub, gast.UAdd)) else node
    if (
        dtype is None
        or not isinstance(literal, gast.Constant)
        or isinstance(literal.value, (bool, str, bytes, complex))
    ):
        return
    if literal.value is None or literal.value is Ellipsis or dtype_of(Constant(literal.value)) == dtype:
        return
    if isinstance(literal.value, float) and not dtype.startswith(("float", "bfloat", "complex", "half")):
        raise ConversionError(
            f"{literal.value} is a float, but the other operand in the graph is {dtype}: convert one of them",
            line=node.lineno,
        )
    style.wrapped[node] = dtype


def _alike(returned: Sequence[Any]) -> list[list[Any]]:
    """The expressions that give the same part of a result."""
    kinds = {kind_of(value) for value in returned}
    if len(returned) > 1 and len(kinds) == 1 and kinds <= {"Tuple", "List", "Dict"}:
        rows = [value.values if isinstance(value, gast.Dict) else value.elts for value in returned]
        is_alike = len({len(row) for row in rows}) == 1 and len({_keys_of(value) for value in returned}) == 1
        return [list(column) for column in zip(*rows, strict=True)] if is_alike else []
    return [list(returned)]


def _keys_of(node: gast.AST) -> tuple[Any, ...]:
    return tuple(getattr(key, "value", None) for key in node.keys) if isinstance(node, gast.Dict) else ()


def read_as(style: Any, facts: Facts, name: str) -> Tensor | None:
    """What a name is wherever it is a tensor."""
    named = [part for part in facts.statements if isinstance(part, gast.Name) and part.id == name]
    values = [value for part in named if isinstance(value := style.value(part), Tensor)]
    # A trace shows what a loop goes over without its dtype, if that is a `tf.range`.
    known = [value for value in values if value.dtype is not None] or values
    found = functools.reduce(joined, known) if known else None
    return found if isinstance(found, Tensor) else None


def _refuse_unseeded(style: Any, facts: Any, name: Any, over_loop: bool) -> None:
    sides = [name.before, name.after] if over_loop else [name.body, name.orelse]
    line = facts.node.lineno
    for part in facts.statements:
        if isinstance(part, gast.Name) and part.id == name.symbol and isinstance(part.ctx, gast.Store):
            line = part.lineno
            break
    if NONE in sides and (over_loop or any(side != NONE for side in sides)):
        raise none_at_first(name.symbol, line)
    if UNDEFINED in sides and not over_loop:
        raise ConversionError(
            f"`{name.symbol}` is set in only one branch of an `if` that becomes part of the graph: set it before",
            line=line,
        )
    if _holds_none_at_first(*sides):
        raise ConversionError(
            f"`{name.symbol}` holds None at first or in one branch, and a tensor otherwise, but a graph has no None. "
            "Start with a tensor, and use a flag for whether it's set",
            line=line,
        )
    if name.symbol in style.records or _changes_by_attributes(style, facts, name.symbol):
        return
    if any(isinstance(side, Object) and side.kind not in ("list", "dict") for side in sides) and name.before != getattr(
        name, "after", name.before
    ):
        raise ConversionError(
            f"`{name.symbol}` is a Python object that changes in the graph: use tensors or separate variables",
            line=line,
        )


def _changes_by_attributes(style: TensorFlow, facts: Facts, name: str) -> bool:
    """Whether a name holds the same object throughout staged code, which carries the attributes that change."""
    inside = [part for construct in facts.constructs() for part in walk(construct)]
    bound = any(isinstance(part, gast.Name) and part.id == name and isinstance(part.ctx, gast.Store) for part in inside)
    return style.known.seen is not None and not bound


def _holds_none_at_first(first: Value, second: Value) -> bool:
    """Whether one of two containers holds None where the other holds something else."""
    if not isinstance(first, StateObject) or not isinstance(second, StateObject) or first.names != second.names:
        return False
    return any((one == NONE) != (other == NONE) for one, other in zip(first.items, second.items, strict=True))


def names_in(node: Any) -> set[str]:
    """The names that an expression reads."""
    parts = walk(node, lambda part: not isinstance(part, FUNCTIONS))
    return {part.id for part in parts if isinstance(part, gast.Name)}


_LITERALS = {"float32": "0.0", "int32": "0", "bool": "False", "string": '""'}
