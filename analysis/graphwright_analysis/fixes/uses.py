"""Which number changes nothing in what is computed with a name, an attribute or an item of a dict.

Reads the text around a statement only: where anything else may happen to the value, no number is known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphwright_analysis.tracing import Place

from .parsed import BlockTree, parsed

_Symbol = ast.Name | ast.Attribute | ast.Subscript


def neutral_number(statement: Place, symbol: str) -> int | None:
    """Return 1 for what is only a factor, 0 for what is only a summand, else None.

    After an `if` that may leave the symbol unbound, the uses outside of the `if` decide. For a symbol that a loop only
    accumulates, such as `total = total + x`, the accumulation decides.
    """
    tree = parsed(statement)
    node = None if tree is None else tree.at(statement)
    if tree is None or node is None:
        return None
    if isinstance(node, (ast.For, ast.While)) and (number := _accumulated(tree, node, symbol)) is not None:
        return number
    around = _readers(tree, node, symbol)
    if around is None or _escapes(tree, around, symbol):
        return None
    inside = set(ast.walk(node)) if isinstance(node, ast.If) else set[ast.AST]()
    numbers = {_neutral_in(each, tree.parents[each]) for each in _uses(tree, around, symbol) if each not in inside}
    return numbers.pop() if len(numbers) == 1 else None


def _readers(tree: BlockTree, node: ast.AST, symbol: str) -> ast.AST | None:
    """The code that can read a symbol: a name's function; for what other functions share, all the text."""
    function = tree.function_of(node)
    if function is None or not symbol.isidentifier():
        return tree.tree
    shared = [n for n in ast.walk(function) if isinstance(n, (ast.Global, ast.Nonlocal)) and symbol in n.names]
    if any(isinstance(each, ast.Global) for each in shared):
        return None
    return tree.tree if shared else function


def _uses(tree: BlockTree, around: ast.AST, symbol: str) -> Iterator[_Symbol]:
    """The places that read a symbol, the targets of `+=` among them."""
    for each in ast.walk(around):
        if not isinstance(each, _Symbol) or ast.unparse(each) != symbol:
            continue
        if isinstance(each.ctx, ast.Load) or isinstance(tree.parents[each], ast.AugAssign):
            yield each


def _escapes(tree: BlockTree, around: ast.AST, symbol: str) -> bool:
    """Whether what holds the symbol, an object or a dict, is used as a whole: then anything may read the symbol."""
    part = ast.parse(symbol, mode="eval").body
    while isinstance(part, (ast.Attribute, ast.Subscript)):
        used = [tree.parents[each] for each in _uses(tree, around, ast.unparse(part.value))]
        if not all(_is_part(tree, each, type(part)) for each in used):
            return True
        part = part.value
    return False


def _is_part(tree: BlockTree, use: ast.AST, kind: type[ast.AST]) -> bool:
    """Whether this use of a holder reads one item or attribute, or calls a method whose text is here as well."""
    if isinstance(use, ast.Subscript):
        return kind is ast.Subscript and isinstance(use.slice, ast.Constant)
    if not isinstance(use, ast.Attribute) or kind is not ast.Attribute:
        return False
    caller = tree.parents[use]
    is_called = isinstance(caller, ast.Call) and caller.func is use
    return not is_called or any(isinstance(n, ast.FunctionDef) and n.name == use.attr for n in ast.walk(tree.tree))


def _accumulated(tree: BlockTree, loop: ast.For | ast.While, symbol: str) -> int | None:
    """What a symbol begins with that the loop binds only to sums, or only to products, of itself."""
    bound = [n for n in ast.walk(loop) if isinstance(n, _Symbol) and not isinstance(n.ctx, ast.Load)]
    numbers = {_accumulating(tree.parents[each], symbol) for each in bound if ast.unparse(each) == symbol}
    return numbers.pop() if len(numbers) == 1 else None


def _accumulating(binding: ast.AST, symbol: str) -> int | None:
    if isinstance(binding, ast.AugAssign):
        return _neutral_of(binding.op)
    if not isinstance(binding, ast.Assign) or len(binding.targets) != 1 or not isinstance(binding.value, ast.BinOp):
        return None
    value = binding.value
    operands = [operand for operand in (value.left, value.right) if ast.unparse(operand) == symbol]
    if len(operands) != 1 or (operands[0] is value.right and not _commutes(value.op)):
        return None
    return _neutral_of(value.op)


def _neutral_in(operand: ast.expr, parent: ast.AST) -> int | None:
    """The number that, as this operand, leaves the other one as it is."""
    if isinstance(parent, ast.BinOp):
        return _neutral_of(parent.op) if _commutes(parent.op) or parent.right is operand else None
    return _neutral_of(parent.op) if isinstance(parent, ast.AugAssign) else None


def _commutes(operator: ast.operator) -> bool:
    return isinstance(operator, (ast.Add, ast.Mult))


def _neutral_of(operator: ast.operator) -> int | None:
    if isinstance(operator, (ast.Add, ast.Sub)):
        return 0
    return 1 if isinstance(operator, (ast.Mult, ast.Div)) else None
