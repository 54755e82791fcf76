"""Where compiled code reads iterators without an operator, it asks whether a tensor has left one halfway.

`dict(items)`, `[*items]`, `out.extend(items)` and the loops of generators stay as they are written. It changes no
other call: operators and `gw.converted` ask by themselves.
"""

from __future__ import annotations

import ast
from typing import Any, cast

from .calls_later import own_parts, yields
from .syntax_trees import walk

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


def check_iterator_reads(function: ast.AST, alias: str) -> None:
    """Let what a compiled function reads pass through an operator, unless another operator reads it."""
    reads = _Reads(alias)
    nodes = list(walk(function))
    iterated = {name for node in nodes for name in reads.iterated_by(node)}
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and yields(node):
            reads.in_generator(node)
        reads.anywhere(node, iterated)


class _Reads:
    def __init__(self, alias: str) -> None:
        self.alias = alias

    def in_generator(self, function: ast.FunctionDef) -> None:
        """What a generator's statements go over, which no operator does."""
        for node in own_parts(function.body):
            if isinstance(node, (ast.For, ast.comprehension)):
                node.iter = self.asked(node.iter)
            elif isinstance(node, ast.YieldFrom) or (isinstance(node, ast.Assign) and _unpacks(node)):
                node.value = self.asked(node.value)

    def anywhere(self, node: ast.AST, iterated: set[str]) -> None:
        """Arguments of functions that are called as they are written, unpacked ones included."""
        if isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Load):
            node.value = self.asked(node.value)
        elif isinstance(node, ast.Call) and _last_name(node.func) in READERS and not self._is_operator(node.func):
            node.args = [self.asked(argument) for argument in node.args]
        elif isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Name) and node.value.id in iterated:
            node.value = self.asked(node.value)

    def iterated_by(self, node: ast.AST) -> list[str]:
        """The names that an operator goes over."""
        if not isinstance(node, ast.Call) or not self._is_operator(node.func):
            return []
        return [argument.id for argument in node.args if isinstance(argument, ast.Name)] if _goes_over(node) else []

    def asked(self, value: Any) -> Any:
        """A value that may be an iterator from elsewhere, passed through the operator."""
        if not isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)):
            return value
        operator = ast.Attribute(ast.Name(self.alias, ast.Load()), "readable", ast.Load())
        call = ast.Call(operator, [value], [])
        for made in (call, operator, operator.value):
            ast.copy_location(made, value)
        return call

    def _is_operator(self, function: ast.expr) -> bool:
        owner = cast(Any, function).value if isinstance(function, ast.Attribute) else None
        return isinstance(owner, ast.Name) and owner.id == self.alias


def _last_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _unpacks(assignment: ast.Assign) -> bool:
    return any(isinstance(target, (ast.Tuple, ast.List)) for target in assignment.targets)


def _goes_over(call: ast.Call) -> bool:
    return cast(ast.Attribute, call.func).attr in ("walked", "iter", "next", "generate", "collect", "in_", "zip")
