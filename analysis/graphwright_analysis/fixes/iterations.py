"""Python iteration over a tensor whose length isn't known, written as TensorFlow's operations and loops."""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import PythonIteration
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Tensor, Variable

from .parsed import BlockTree, names, parsed, stored

_GATHERERS = ("stack", "convert_to_tensor", "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
_ALIKE = ("abs", "negative", "sign", "square", "sqrt", "exp", "tanh", "sin", "cos", "sigmoid", "floor", "nn.relu")
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult)


def mapped(use: PythonIteration, tensorflow: str | None) -> tuple[Repair, ...]:
    """A comprehension that is made a tensor at once, as `tf.map_fn`; what it computes keeps the dtype."""
    tree = parsed(use.place)
    node = None if tree is None or use.iterated is None else tree.at(use.iterated)
    around = [] if tree is None or node is None else list(tree.around(node))[:3]
    value = use.value
    if tree is None or tensorflow is None or len(around) < 3 or not isinstance(value, (Tensor, Variable)):
        return ()
    made, call = around[1], around[2]
    if not isinstance(made, (ast.ListComp, ast.GeneratorExp)) or not isinstance(call, ast.Call):
        return ()
    generator = made.generators[0]
    one = len(made.generators) == 1 and not generator.ifs and isinstance(generator.target, ast.Name)
    function = tree.source(call.func).removeprefix(f"{tensorflow}.")
    if not one or isinstance(made, ast.GeneratorExp) or function not in _GATHERERS or len(call.args) != 1:
        return ()
    target, text = tree.source(generator.target), tree.source(made.elt)
    if made is not call.args[0] or not _keeps_dtype(tree, made.elt, target, value.dtype, tensorflow):
        return ()
    array = tree.source(generator.iter) if text == target else f"{tensorflow}.map_fn(lambda {target}: {text}, "
    array += "" if text == target else f"{tree.source(generator.iter)})"
    plain = function in ("stack", "convert_to_tensor") and not call.keywords
    replaced = call if plain else made
    if "\n" in array:
        return ()
    return (Repair(f"Use {tensorflow}.map_fn", ((Place(use.place.block, tree.span(replaced)), array),)),)


def _keeps_dtype(tree: BlockTree, node: ast.expr, target: str, dtype: str | None, tensorflow: str) -> bool:
    """Whether an expression surely has the dtype of the element that it is computed from."""
    if isinstance(node, ast.Name):
        return node.id == target
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _keeps_dtype(tree, node.operand, target, dtype, tensorflow)
    if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
        sides = (node.left, node.right)
        fit = [_keeps_dtype(tree, side, target, dtype, tensorflow) for side in sides]
        return any(fit) and all(keeps or _fits(side, dtype) for side, keeps in zip(sides, fit, strict=True))
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        function = tree.source(node.func).removeprefix(f"{tensorflow}.").removeprefix("math.")
        return function in _ALIKE and _keeps_dtype(tree, node.args[0], target, dtype, tensorflow)
    return False


def _fits(node: ast.expr, dtype: str | None) -> bool:
    """Whether a literal takes on the dtype."""
    kind = type(node.value) if isinstance(node, ast.Constant) else None
    return (kind is int and dtype in dtypes.FLOATS | dtypes.INTEGERS) or (kind is float and dtype in dtypes.FLOATS)


def of_numbers(use: PythonIteration, tensorflow: str | None) -> tuple[Repair, ...]:
    """`tf.range(x.shape[0])` as Python's own, whose numbers are indices and keys as well."""
    tree = parsed(use.place)
    node = None if tree is None or use.iterated is None else tree.at(use.iterated)
    if tree is None or tensorflow is None or not isinstance(node, ast.Call) or use.iterated is None:
        return ()
    if tree.source(node.func) != f"{tensorflow}.range" or node.keywords or not all(map(_is_static, node.args)):
        return ()
    return (Repair("Use range", ((Place(use.place.block, tree.span(node.func)), "range"),)),)


def _is_static(node: ast.expr) -> bool:
    """Whether an expression is surely a Python number: a literal, or a size of a static shape."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.BinOp):
        return _is_static(node.left) and _is_static(node.right)
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def counted(use: PythonIteration, tensorflow: str | None) -> tuple[Repair, ...]:
    """`for i, x in enumerate(xs)` as a loop over `tf.range`, where `i` is only cast and what is carried stays alike."""
    tree = parsed(use.place)
    call = None if tree is None else tree.at(use.place)
    loop = None if tree is None or call is None else tree.parents.get(call)
    if tree is None or tensorflow is None or not isinstance(call, ast.Call) or not isinstance(loop, ast.For):
        return ()
    target = loop.target
    if loop.iter is not call or len(call.args) != 1 or call.keywords or not isinstance(target, ast.Tuple):
        return ()
    if len(target.elts) != 2 or not all(isinstance(element, ast.Name) for element in target.elts):
        return ()
    (count, element), iterated = map(tree.source, target.elts), tree.source(call.args[0])
    if not iterated.isidentifier() or iterated in stored(loop) or loop.orelse:
        return ()
    if not _is_only_cast(tree, loop, count, tensorflow) or not _stays_alike(tree, loop, use, tensorflow):
        return ()
    first, head = tree.span(loop.body[0]), tree.span(loop)
    line = tree.text.rfind("\n", 0, first.start) + 1
    indent, iter_end = tree.text[line : first.start], tree.span(call).end
    if indent.strip() or line <= head.start:
        return ()
    bound = Range(tree.span(target).start, iter_end)
    counter = f"{count} in {tensorflow}.range({tensorflow}.shape({iterated})[0])"
    edits = (
        (Place(use.place.block, bound), counter),
        (Place(use.place.block, Range(first.start, first.start)), f"{element} = {iterated}[{count}]\n{indent}"),
    )
    return (Repair(f"Loop over {tensorflow}.range", edits),)


def _is_only_cast(tree: BlockTree, loop: ast.For, count: str, tensorflow: str) -> bool:
    for node in (child for each in loop.body for child in ast.walk(each)):
        if isinstance(node, ast.Name) and node.id == count:
            call = tree.parents[node]
            if (
                not isinstance(call, ast.Call)
                or tree.source(call.func) != f"{tensorflow}.cast"
                or call.args[0] is not node
            ):
                return False
    return True


def _stays_alike(tree: BlockTree, loop: ast.For, use: PythonIteration, tensorflow: str) -> bool:
    """Whether the body consists of assignments, and all that it hands on begins as a tensor and isn't Python state."""
    siblings = tree.siblings(loop)
    if loop not in siblings or not isinstance(use.value, (Tensor, Variable)):
        return False
    at = siblings.index(loop)
    before, behind = siblings[:at], siblings[at + 1 :]
    targets: list[ast.expr] = []
    for each in loop.body:
        if not isinstance(each, (ast.Assign, ast.AugAssign)):
            return False
        targets += each.targets if isinstance(each, ast.Assign) else [each.target]
    if not all(isinstance(target, ast.Name) for target in targets):
        return False
    later = {name for each in behind for name in names(each)}
    elements = stored(loop.target)
    for symbol in {target.id for target in targets if isinstance(target, ast.Name)}:
        seeds = [each for each in before if symbol in stored(each)]
        if symbol in elements or (not seeds and symbol in later):
            return False
        if seeds and not _is_tensor(tree, seeds[-1], use.value.dtype, tensorflow):
            return False
    return not elements & later


def _is_tensor(tree: BlockTree, statement: ast.stmt, dtype: str | None, tensorflow: str) -> bool:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    value = statement.value
    if isinstance(value, ast.Constant):
        return type(value.value) is float and dtype == "float32"
    return isinstance(value, ast.Call) and tree.source(value.func) in (
        f"{tensorflow}.zeros", f"{tensorflow}.ones", f"{tensorflow}.constant",
    )  # fmt: skip
