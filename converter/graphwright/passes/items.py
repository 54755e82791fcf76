"""Items that are read and set at positions that may be tensors.

Before (where `rows` is surely a list):

    x[i] = v
    rows[i][j] += x[i]

After:

    x = gw.set_item(x, i, v)
    gw.set_inside(gw.get_item(rows, i), j, gw.get_item(rows, i, j) + x[i])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import kind_of, walk

from graphwright.passes.calls import dotted, is_library
from graphwright.passes.name_kinds import filled_defaults
from graphwright.passes.surely_python import is_constant_place
from graphwright.passes.unit import as_alone, as_operand

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.expressions import ExpressionRenderer


def subscript(read: Any, node: gast.Subscript) -> str | None:
    """A position that isn't constant, in a name that is surely a list here, or in what is in that list."""
    if not isinstance(node.ctx, gast.Load):
        return None
    if _is_default(read.facts, node) or _is_asked(read.facts, node):
        return _items(read, node)
    if _has_fixed_position(node):
        return None
    held = _is_held(read.facts, node) and not isinstance(node.slice, (gast.Call, gast.Compare, gast.BoolOp))
    return _items_of_list(read, node) if held or _is_in(read.facts.indexed, node) else None


def _items_of_list(read: ExpressionRenderer, node: gast.AST) -> str:
    """`xs[i][j]` as one call."""
    return _items(read, node, lambda position: not _is_text(position))


def _items(read: ExpressionRenderer, node: gast.AST, has: Callable[[gast.AST], bool] = lambda position: True) -> str:
    """What is at positions that something has, as one call."""
    positions: list[str] = []
    while isinstance(node, gast.Subscript) and has(node.slice):
        positions.insert(0, _key(read, node.slice))
        node = node.value
    return f"{read.gw}.get_item({', '.join([read(node), *positions])})" if positions else read(node)


def _is_default(facts: Any, node: gast.AST) -> bool:
    """Whether it is an item of a `defaultdict`, or in one, which a branch or loop may set: reading may set it as well.

    Code that runs asks that wherever it reads an item.
    """
    base: Any = node
    while isinstance(base, gast.Subscript):
        base = base.value
    is_asked = base is not node and isinstance(base, gast.Name) and not facts.unit.pairs
    return is_asked and base.id in facts.once(filled_defaults)


def _is_asked(facts: Any, node: gast.Subscript) -> bool:
    """Whether it is a slice of a list, or what is deleted of one, that only the graph may find.

    Code that runs asks that of whatever has a place that isn't constant.
    """
    is_open = _is_open_slice(node.slice) or (isinstance(node.ctx, gast.Del) and not _has_fixed_position(node))
    return is_open and not facts.unit.pairs and _is_in(facts.indexed, node.value)


def _is_text(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, str)


def _is_in(names: frozenset[str], node: gast.AST) -> bool:
    """Whether it is an item of one of these names, or of what is in one."""
    while isinstance(node, gast.Subscript) and not isinstance(node.slice, (gast.Slice, gast.Tuple)):
        node = node.value
    return isinstance(node, gast.Name) and node.id in names


def _is_held(facts: Any, node: Any) -> bool:
    """Whether it is an item of what an attribute holds, or what is under a key that is a text."""
    base = node.value
    if isinstance(base, gast.Subscript):
        return _is_text(base.slice)
    name = dotted(base) if isinstance(base, gast.Attribute) else None
    return name is not None and base.attr != "shape" and not is_library(name, facts.unit.library)


def _has_fixed_position(node: gast.Subscript) -> bool:
    return isinstance(node.slice, (gast.Slice, gast.Tuple)) or is_constant_place(node.slice)


def _is_open_slice(position: gast.AST) -> bool:
    """Whether a slice has a bound that isn't constant."""
    bounds = [position.lower, position.upper, position.step] if isinstance(position, gast.Slice) else []
    return any(bound is not None and not is_constant_place(bound) for bound in bounds)


def assigned(lowering: Any, node: Any) -> str | None:
    """The text for `x[i] = v`; None if it stays as it is."""
    target = node.targets[0]
    if len(node.targets) > 1 or not (_is_item_of_local(lowering, target) or _is_inside(lowering, target)):
        return None
    write = _set_item if _is_item_of_local(lowering, target) else _set_inside
    return write(lowering, node, target, lowering.read(node)(node.value))


def deleted(lowering: Any, node: Any) -> str | None:
    """The text for `del x[i]`; None if it stays as it is."""
    target, read = node.targets[0], lowering.read(node)
    if len(node.targets) > 1 or not isinstance(target, gast.Subscript) or not _is_asked(lowering.facts, target):
        return None
    return f"{lowering.gw}.delete_item({_items(read, target.value)}, {_key(read, target.slice)})"


def augmented(lowering: Any, node: Any) -> str | None:
    """The text for `x[i] += v`; None if it stays as it is."""
    target, read = node.target, lowering.read(node)
    if not isinstance(target, gast.Subscript):
        return None
    if _is_default(lowering.facts, target):
        return _set_inside(lowering, node, target, _changed(lowering, node, _items(read, target)))
    if isinstance(target.value, gast.Name) and _is_item_of_local(lowering, target):
        name = target.value.id
        in_place = name in lowering.facts.lists or (lowering.unit.pairs and _can_be_read_twice(node.value))
        extends = in_place and _may_extend(lowering.facts, node)
        if extends or not _can_be_read_twice(target):
            return f"{name} = {_update(lowering, node, 'update_item', name)}"
        item = f"{lowering.gw}.get_item({name}, {_key(read, target.slice)})"
        return _set_item(lowering, node, target, _changed(lowering, node, item))
    if _is_inside(lowering, target) and not isinstance(target.slice, gast.Slice):
        reads_once = lowering.unit.pairs and _can_be_read_twice(node.value)
        if reads_once or _may_extend(lowering.facts, node) or not _can_be_read_twice(target):
            return _update(lowering, node, "update_inside", _items_of_list(read, target.value))
        return _set_inside(lowering, node, target, _changed(lowering, node, str(_items_of_list(read, target))))
    return None


def _changed(lowering: Any, node: Any, item: str) -> str:
    """The item after an augmented assignment: what runs changes it in place if its class does."""
    sign, value = _SIGNS[kind_of(node.op)], lowering.read(node)(node.value)
    if not lowering.unit.pairs:
        return f"{item} {sign} {as_operand(value, node.value, tight=True)}"
    return f'{lowering.gw}.changed("{sign}", {item}, {as_alone(value, node.value)})'


def _update(lowering: Any, node: Any, operator: str, base: str) -> str:
    """The item changed by one call, which reads its position once."""
    read = lowering.read(node)
    key, value = _key(read, node.target.slice), as_alone(read(node.value), node.value)
    return f'{lowering.gw}.{operator}({base}, {key}, "{_SIGNS[kind_of(node.op)]}", {value})'


def _may_extend(facts: Any, node: gast.AugAssign) -> bool:
    """Whether what is added to an item may be a list, so that the item is one that gets longer."""
    value = node.value
    if not isinstance(node.op, gast.Add):
        return False
    while isinstance(value, (gast.Subscript, gast.Attribute)):
        value = value.value
    if isinstance(value, gast.Name):
        return value is not node.value or value.id in facts.containers
    is_number = isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id in _NUMBERS
    return not is_number and isinstance(value, (gast.List, gast.ListComp, gast.Call))


def _is_inside(lowering: Lowering, target: gast.AST) -> bool:
    """Whether it is an item of a dict, of what is in a list or is held, at a position that isn't constant."""
    if not isinstance(target, gast.Subscript) or (_has_fixed_position(target) and not _is_open_slice(target.slice)):
        return False
    facts = lowering.facts
    if isinstance(target.value, gast.Name) and target.value.id in facts.containers - facts.lists:
        return True
    in_list = isinstance(target.value, gast.Subscript) and _is_in(lowering.facts.lists, target)
    return in_list or _is_held(lowering.facts, target)


def _can_be_read_twice(target: gast.AST) -> bool:
    """Whether reading the positions does nothing else."""
    return not any(isinstance(part, (gast.Call, gast.NamedExpr, gast.Await)) for part in walk(target))


def _is_item_of_local(lowering: Lowering, target: gast.AST) -> bool:
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return False
    name, key, facts = target.value.id, target.slice, lowering.facts
    if name not in facts.own or name in facts.declared:
        return False
    if isinstance(key, gast.Constant):
        return not isinstance(key.value, str) and name not in facts.containers
    return name not in facts.containers or name in facts.lists


def _set_item(lowering: Any, node: gast.Assign | gast.AugAssign, target: Any, value: str) -> str:
    name = target.value.id
    key, value = _key(lowering.read(node), target.slice), as_alone(value, node.value)
    return f"{name} = {lowering.gw}.set_item({name}, {key}, {value})"


def _set_inside(lowering: Any, node: gast.Assign | gast.AugAssign, target: gast.Subscript, value: str) -> str:
    read = lowering.read(node)
    items = _items if _is_default(lowering.facts, target) else _items_of_list
    base, value = items(read, target.value), as_alone(value, node.value)
    return f"{lowering.gw}.set_inside({base}, {_key(read, target.slice)}, {value})"


def _key(read: ExpressionRenderer, node: gast.AST) -> str:
    """What stands in square brackets, as an expression."""
    if isinstance(node, gast.Slice):
        parts = [node.lower, node.upper, node.step]
        texts = [read(part) if part is not None else "None" for part in parts]
        return f"slice({', '.join(texts if node.step is not None else texts[:2])})"
    if isinstance(node, gast.Tuple):
        return f"({', '.join(_key(read, part) for part in node.elts)}{',' if len(node.elts) == 1 else ''})"
    return read(node)


_NUMBERS = frozenset({"abs", "float", "int", "len", "max", "min", "round", "sum"})
_SIGNS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "Pow": "**",
    "MatMult": "@",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
    "LShift": "<<",
    "RShift": ">>",
}
