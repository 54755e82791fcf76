"""`return` where a graph can't have it: carried out of a loop by a name, or added to the side that has none."""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import ReturnInLoop, ReturnMissing
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Tensor, Value, python_kind

from . import insertion
from .parsed import BlockTree, Edits, Function, names, parsed, stored
from .starting_values import CHOICE, choice_title

_NAMES = ("found", "result", "returned")
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def carried_out(returned: ReturnInLoop, tensorflow: str | None) -> tuple[Repair, ...]:
    """Bind the value, `break`, and return the name after the loop, where the last `return` gives a plain seed."""
    tree = parsed(returned.place)
    node = None if tree is None else tree.at(returned.place)
    if tree is None or not isinstance(node, ast.Return) or node.value is None or tensorflow is None:
        return ()
    loops = [each for each in _within_function(tree, node) if isinstance(each, _LOOPS)]
    function = tree.function_of(node)
    if len(loops) != 1 or not isinstance(function, ast.FunctionDef) or loops[0] not in function.body:
        return ()
    loop = loops[0]
    behind = function.body[function.body.index(loop) + 1 :]
    inside = [each for each in ast.walk(loop) if isinstance(each, ast.Return)]
    last = behind[0] if len(behind) == 1 else None
    if loop.orelse or len(inside) != 1 or not isinstance(last, ast.Return) or last.value is None:
        return ()
    seed = _seed(tree, last.value, node, returned.value, tensorflow)
    taken = names(function) | {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
    name = next((each for each in _NAMES if each not in taken), None)
    if seed is None or name is None or names(last.value) & stored(loop):
        return ()
    edits = _carried(returned.place, tree, loop, node, last, name, seed)
    return () if edits is None else (Repair("Use `break`, and return after the loop", edits),)


def _within_function(tree: BlockTree, node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for each in tree.around(node):
        if isinstance(each, Function):
            break
        found.append(each)
    return found


def _carried(
    place: Place, tree: BlockTree, loop: ast.stmt, node: ast.Return, last: ast.Return, name: str, seed: str
) -> Edits | None:
    assert node.value is not None
    assert last.value is not None
    span, block = tree.span(node), place.block
    line = tree.text.rfind("\n", 0, span.start) + 1
    indent = tree.text[line : span.start]
    separator = "; " if indent.strip() else f"\n{indent}"
    before = insertion.line_before(Place(block, tree.span(loop)), f"{name} = {seed}")
    if before is None:
        return None
    bound = f"{name} = {tree.source(node.value)}{separator}break"
    return before, (Place(block, span), bound), (Place(block, tree.span(last.value)), name)


def _seed(tree: BlockTree, last: ast.expr, node: ast.Return, value: Value | None, tensorflow: str) -> str | None:
    """What the name begins with: what the last `return` gives, in the dtype and shape of what the loop gives."""
    text, number = tree.source(last), _number(last)
    kind = python_kind(value) if value is not None else None
    if number is not None and kind in (bool, int, float):
        return text if type(number) is kind else None
    if not isinstance(value, Tensor) or value.dtype is None or node.value is None:
        return None
    if text in (f"{tensorflow}.{maker}_like({tree.source(node.value)})" for maker in ("zeros", "ones")):
        return None if names(node.value) & stored(_loop_of(tree, node)) else text
    if value.shape != ():
        return None
    if number is not None:
        return _constant(number, text, value.dtype, tensorflow)
    return text if _dtype_made(tree, last, tensorflow) == value.dtype else None


def _loop_of(tree: BlockTree, node: ast.AST) -> ast.AST:
    return next(each for each in tree.around(node) if isinstance(each, _LOOPS))


def _number(node: ast.expr) -> bool | int | float | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    return value if isinstance(value, (bool, int, float)) else None


_DEFAULT = {bool: "bool", int: "int32", float: "float32"}


def _constant(number: bool | int | float, text: str, dtype: str, tensorflow: str) -> str | None:
    if _DEFAULT[type(number)] == dtype:
        return f"{tensorflow}.constant({text})"
    fits = dtypes.FLOATS | dtypes.INTEGERS if type(number) is int else dtypes.FLOATS
    if isinstance(number, bool) or dtype not in fits or (number < 0 and dtype.startswith("u")):
        return None
    return f"{tensorflow}.constant({text}, {tensorflow}.{dtype})"


def _dtype_made(tree: BlockTree, node: ast.expr, tensorflow: str) -> str | None:
    """The dtype of `tf.constant(number)` or `tf.constant(number, tf.dtype)`."""
    if not isinstance(node, ast.Call) or tree.source(node.func) != f"{tensorflow}.constant" or not node.args:
        return None
    number = _number(node.args[0])
    more = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "dtype")]
    if number is None or len(more) != len(node.args) - 1 + len(node.keywords) or len(more) > 1:
        return None
    return tree.source(more[0]).removeprefix(f"{tensorflow}.") if more else _DEFAULT[type(number)]


def added(missing: ReturnMissing) -> tuple[Repair, ...]:
    """A `return` after an `if` that is the last statement of its function; the user chooses what it returns."""
    tree = parsed(missing.returned)
    node = None if tree is None else tree.at(missing.returned)
    statement = None if tree is None else tree.at(missing.statement)
    if tree is None or not isinstance(node, ast.Return) or node.value is None:
        return ()
    function = tree.function_of(node)
    if missing.side != "orelse" or not isinstance(statement, ast.If) or not isinstance(function, ast.FunctionDef):
        return ()
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
    if statement.orelse or function.body[-1] is not statement or returns != [node]:
        return ()
    span = tree.span(statement)
    indent = tree.text[tree.text.rfind("\n", 0, span.start) + 1 : span.start]
    end = tree.text.find("\n", span.end)
    if indent.strip():
        return ()
    at = Place(missing.returned.block, Range(*(2 * [len(tree.text) if end < 0 else end])))
    return (
        Repair(choice_title("Return a value after the `if`"), ((at, f"\n{indent}return {CHOICE}"),), incomplete=True),
    )
