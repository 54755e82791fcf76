"""Where compiled code reads iterators without an operator, it asks whether a tensor has left one halfway.

`dict(items)`, `[*items]`, `out.extend(items)` and the loops of generators stay as they are written. It changes no
other call: operators and `gw.converted` ask by themselves.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, cast

from .calls_later import own_parts, yields
from .syntax_trees import is_operator, operator_at

_READER_NAMES = """
dict frozenset set list tuple bytes bytearray sum max min sorted any all next enumerate zip map filter
extend extendleft join update union intersection difference symmetric_difference fromkeys writelines
difference_update intersection_update symmetric_difference_update
islice chain from_iterable cycle tee zip_longest pairwise batched accumulate compress product starmap takewhile
dropwhile groupby filterfalse permutations combinations deque Counter OrderedDict defaultdict ChainMap reduce
fromiter fsum prod merge nlargest nsmallest
"""
READERS = frozenset(_READER_NAMES.split())
"""The names of functions that go over an argument, by the last of which a call is recognized."""


_OPERATORS = frozenset(("walked", "iter", "next", "generate", "collect", "in_", "zip"))
"""Operators that go over an argument."""


def check_iterator_reads(nodes: Iterable[ast.AST], alias: str, has_generators: bool) -> None:
    """Let what a compiled function reads pass through an operator, unless another operator reads it.

    The nodes are all of the function's; `has_generators` says whether it, or one inside, is a generator.
    """
    reads = _Reads(alias)
    added: list[ast.AugAssign] = []
    for node in nodes:
        kind = node.__class__
        if kind is ast.Call:
            reads.in_call(cast(ast.Call, node))
        elif kind is ast.Starred and isinstance(cast(ast.Starred, node).ctx, ast.Load):
            cast(ast.Starred, node).value = reads.asked(cast(ast.Starred, node).value)
        elif kind is ast.AugAssign and isinstance(cast(ast.AugAssign, node).value, ast.Name):
            added.append(cast(ast.AugAssign, node))
        elif has_generators and kind is ast.FunctionDef and yields(cast(ast.FunctionDef, node)):
            reads.in_generator(cast(ast.FunctionDef, node))
    for node in added:
        if cast(ast.Name, node.value).id in reads.iterated:
            node.value = reads.asked(node.value)


class _Reads:
    def __init__(self, alias: str) -> None:
        self.alias = alias
        self.iterated: set[str] = set()
        """The names that an operator goes over."""

    def in_generator(self, function: ast.FunctionDef) -> None:
        """What a generator's statements go over, which no operator does; its loops ask `for_python`."""
        for node in own_parts(function.body):
            if isinstance(node, ast.YieldFrom) or (isinstance(node, ast.Assign) and _unpacks(node)):
                node.value = self.asked(node.value)

    def in_call(self, call: ast.Call) -> None:
        """Arguments of functions that are called as they are written; what operators go over is noted."""
        function = call.func
        name = _last_name(function)
        if name in _OPERATORS and is_operator(function, self.alias):
            self.iterated.update(argument.id for argument in call.args if isinstance(argument, ast.Name))
        elif name in READERS and not is_operator(function, self.alias):
            call.args = [self.asked(argument) for argument in call.args]

    def asked(self, value: Any) -> Any:
        """A value that may be an iterator from elsewhere, passed through the operator."""
        if not isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)):
            return value
        return ast.copy_location(ast.Call(operator_at(value, self.alias, "readable"), [value], []), value)


def _last_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _unpacks(assignment: ast.Assign) -> bool:
    return any(isinstance(target, (ast.Tuple, ast.List)) for target in assignment.targets)
