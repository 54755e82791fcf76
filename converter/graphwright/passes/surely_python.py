"""What is surely decided in Python, whatever values are given: conditions and iterables that no tensor can be.

Says yes only where the code's own words leave no doubt; most conditions are left to run time.
"""

from __future__ import annotations

from typing import Protocol

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.syntax.names import symbol_of

from graphwright.passes.unit import Unit


class KnownNames(Protocol):
    """What is to be known of names: those that are `bound` in a function, those that something staged sets."""

    unit: Unit
    bound: frozenset[str]
    containers: frozenset[str]
    set_places: frozenset[str]
    staged_names: frozenset[str]


def is_sure(node: gast.AST, facts: KnownNames) -> bool:
    """Whether a condition gives a Python value, and can be left as it is written."""
    known = facts.unit.style.is_python(node, facts)
    return is_sure_by_words(node, facts) if known is None else known


def is_sure_by_words(node: gast.AST, facts: KnownNames) -> bool:
    """Whether the words of a condition alone say that it gives a Python value."""
    if isinstance(node, gast.Constant):
        return True
    if isinstance(node, gast.UnaryOp):
        return is_sure(node.operand, facts)
    if isinstance(node, gast.BoolOp):
        return all(is_sure(value, facts) for value in node.values)
    if isinstance(node, gast.Compare):
        return _is_sure_comparison(node, facts)
    if isinstance(node, gast.Call):
        if not isinstance(node.func, gast.Name) or node.func.id not in _DECIDED or node.func.id in facts.bound:
            return False
        return node.func.id != "isinstance" or not node.args or not _may_be_staged(node.args[0], facts)
    return isinstance(node, gast.Attribute) and node.attr in _DECIDED_ATTRIBUTES


def is_sure_iterable(node: gast.AST, facts: KnownNames) -> bool:
    """Whether a loop over this is surely a loop in Python."""
    known = facts.unit.style.is_python(node, facts)
    if known is not None:
        return known
    if isinstance(node, (gast.Tuple, gast.List, gast.Set, gast.Dict)):
        return True
    if isinstance(node, gast.Constant):
        return isinstance(node.value, str | bytes)
    if not isinstance(node, gast.Call) or node.keywords:
        return False
    if isinstance(node.func, gast.Attribute):
        return node.func.attr in ("items", "keys", "values") and not node.args
    if not isinstance(node.func, gast.Name) or node.func.id in facts.bound:
        return False
    if node.func.id == "range":
        return all(_is_python_number(argument, facts) for argument in node.args)
    if node.func.id in ("enumerate", "zip", "reversed"):
        return bool(node.args) and all(is_sure_iterable(argument, facts) for argument in node.args)
    return False


def has_open_place(node: gast.Call, method: str) -> bool:
    """Whether a call of a method of a list is about a place that may be of the graph."""
    place = node.args[0] if node.args and method in ("pop", "insert") else None
    return place is not None and not is_constant_place(place)


def is_constant_place(place: gast.AST) -> bool:
    """Whether a place is written as a number or a text, such as -1."""
    return isinstance(place.operand if isinstance(place, gast.UnaryOp) else place, gast.Constant)


def _is_sure_comparison(node: gast.Compare, facts: KnownNames) -> bool:
    operands = [node.left, *node.comparators]
    operators = {kind_of(operator) for operator in node.ops}
    if operators <= {"Is", "IsNot"}:
        if any(_may_be_staged(operand, facts) for operand in operands):
            return False
        if len(operands) == 2 and _may_be_lists(operands, facts):
            return False
        asked = _may_be_member(operands[1], facts) or (_is_alone(operands[1]) and _is_asked(node.left, facts))
        return len(operands) > 2 or not (asked and _may_come_from_elsewhere(node.left, facts))
    return any(_is_python_only(operand) for operand in operands) or all(
        _is_python_number(operand, facts) for operand in operands
    )


def _may_be_staged(node: gast.AST, facts: KnownNames) -> bool:
    """Whether something staged sets what is compared with None."""
    if isinstance(node, gast.Attribute):
        return str(symbol_of(node)) in facts.set_places
    return isinstance(node, gast.Name) and node.id in facts.staged_names


def _may_come_from_elsewhere(node: gast.AST, facts: KnownNames) -> bool:
    """Whether a caller may have a value from the graph, or a function that is called."""
    if isinstance(node, gast.Name):
        return node.id not in facts.unit.library
    return isinstance(node, (gast.Call, gast.Subscript, gast.Compare, gast.BoolOp, gast.UnaryOp)) or (
        isinstance(node, gast.Attribute) and node.attr not in _OF_TENSORS
    )


def _is_asked(node: gast.AST, facts: KnownNames) -> bool:
    """Whether `is None` and `is True` are asked through the graph: of what a call gives, of everything in what runs."""
    return facts.unit.pairs or (isinstance(node, gast.Call) and getattr(node.func, "attr", "") != "get")


def _may_be_lists(operands: list[gast.expr], facts: KnownNames) -> bool:
    """Whether both may be a list that the graph makes longer: any in what runs, else where the text says it of one."""
    if any(not isinstance(operand, (gast.Name, gast.Attribute, gast.Subscript)) for operand in operands):
        return False
    return facts.unit.pairs or any(isinstance(each, gast.Name) and each.id in facts.containers for each in operands)


def _is_alone(node: gast.AST) -> bool:
    """Whether it is None, True or False."""
    return isinstance(node, gast.Constant) and (node.value is None or isinstance(node.value, bool))


def _may_be_member(node: gast.AST, facts: KnownNames) -> bool:
    """Whether it is written like a member of an enumeration: `Color.RED`."""
    if not isinstance(node, gast.Attribute):
        return False
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name) and node.id not in facts.unit.library and node.id != "self"


def _is_python_only(node: gast.AST) -> bool:
    """Whether a tensor compared with this gives a Python value, because it is about a tensor's outside."""
    if isinstance(node, gast.Attribute):
        return node.attr in _OUTSIDE or (node.attr == "__name__")
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "type"


def _is_python_number(node: gast.AST, facts: KnownNames) -> bool:
    if isinstance(node, gast.Constant):
        return True
    if isinstance(node, gast.UnaryOp):
        return _is_python_number(node.operand, facts)
    if isinstance(node, gast.BinOp):
        return _is_python_number(node.left, facts) and _is_python_number(node.right, facts)
    if isinstance(node, gast.Subscript):
        return _is_static_shape(node.value)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "len" and node.args:
        argument = node.args[0]
        return isinstance(argument, (gast.Tuple, gast.List)) or _is_static_shape(argument)
    return isinstance(node, gast.Attribute) and node.attr in ("rank", "ndim")


def _is_static_shape(node: gast.AST) -> bool:
    return isinstance(node, gast.Attribute) and node.attr == "shape"


_DECIDED = frozenset({"isinstance", "issubclass", "callable", "hasattr"})
_DECIDED_ATTRIBUTES = frozenset({"built", "TYPE_CHECKING", "is_fully_defined"})
_OUTSIDE = frozenset({"rank", "ndim", "dtype"})
_OF_TENSORS = _OUTSIDE | {"shape", "name"}
