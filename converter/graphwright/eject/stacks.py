"""Lists that do more than grow in staged code: each becomes one tensor, its elements along the first axis.

Before:

    stack = [x]
    while len(stack) < n:
        top = stack.pop()
        stack.append(top + 1)
        stack.append(top)

After, with `stack` carried by the loop:

    top = stack[-1]
    stack = stack[:-1]
    stack = tf.concat([stack, [top + 1]], 0)
    stack = tf.concat([stack, [top]], 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.values.domain import Tensor

from graphwright.eject import filters, lower_bounds, repeated_lists, seeds, sorting
from graphwright.eject.observations import StateObject
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.expressions import ExpressionRenderer


def is_stack(style: Any, node: gast.AST | None) -> bool:
    return name_of(node) in style.stacks


def is_part(style: TensorFlow, node: gast.AST) -> bool:
    """Whether an expression is a slice of such a list, or its elements the other way round."""
    return is_stack(style, part_of(node))


def part_of(node: Any) -> Any:
    """The list in `name[start:end]` or `list(reversed(name))`; None for anything else."""
    if kind_of(node) == "Subscript" and isinstance(node.slice, gast.Slice):
        return node.value
    is_list = kind_of(node) == "Call" and dotted(node.func) in ("list", "tuple") and len(node.args) == 1
    inner: Any = node.args[0] if is_list else None
    if kind_of(inner) == "Call" and dotted(inner.func) == "reversed" and len(inner.args) == 1:
        return inner.args[0]
    return None


def _part(read: Any, node: Any) -> str:
    """The text of such a part."""
    return read(node) if isinstance(node, gast.Subscript) else f"{name_of(part_of(node))}[::-1]"


def is_item(style: Any, node: gast.AST) -> bool:
    """Whether an expression is an element of such a list."""
    return (
        isinstance(node, gast.Subscript)
        and not isinstance(node.slice, (gast.Slice, gast.Tuple))
        and is_stack(style, node.value)
    )


def is_within(style: Any, node: gast.AST) -> bool:
    """Whether an expression is an element of such a list, or an element of that."""
    return is_item(style, node) or (isinstance(node, gast.Subscript) and is_item(style, node.value))


def element(style: TensorFlow, name: str) -> Tensor:
    """What an element of the tensor is."""
    return Tensor(*style.stacks[name])


def name_of(node: gast.AST | None) -> str:
    """What a list is called: a name, or an attribute of one; empty for anything else."""
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
        return f"{node.value.id}.{node.attr}"
    return str(node.id) if isinstance(node, gast.Name) else ""


def root_of(node: gast.AST) -> str:
    """The name of the list that an expression is an element of."""
    while isinstance(node, gast.Subscript):
        node = node.value
    return name_of(node)


def value(style: TensorFlow, name: str) -> Tensor:
    """What the tensor is."""
    dtype, shape = style.stacks[name]
    return Tensor(dtype, None if shape is None else (style.lengths.get(name), *shape))


def creation(style: Any, read: Any, name: str, node: Any) -> str:
    """What replaces a list that is bound to the name."""
    dtype, shape = style.stacks[name]
    tf, kind = style.tf, kind_of(node)
    is_empty = (kind == "List" and not node.elts) or (
        kind == "Call" and not node.args and isinstance(node.func, gast.Name)
    )
    if is_empty:
        if shape is None or None in shape:
            raise ConversionError(
                f"the shape of `{name}`'s elements is unknown when it is created empty: pass a `signature` with full "
                "shapes",
                line=node.lineno,
            )
        return f"{tf}.zeros({[0, *shape]}, {tf}.{dtype})"
    if kind == "List":
        for element in node.elts:
            seeds.wrap(style, element, dtype)
        if any(isinstance(element, gast.Starred) for element in node.elts):
            raise refuse(name, node)
        return f"{tf}.stack({read(node)})"
    is_comprehension = kind == "ListComp" or filters.as_comprehension(node) is not node
    if is_comprehension and (whole := filters.as_tensor(read, node)) is not None:
        return whole
    if kind == "BinOp":
        for element in repeated_lists.displays_in(node):
            seeds.wrap(style, element, dtype)
        is_of_graph = repeated_lists.is_repeated(style, node) or any(is_stack(style, part) for part in walk(node))
        return str(read(node)) if is_of_graph else f"{tf}.convert_to_tensor({read(node)}, {tf}.{dtype})"
    if kind == "ListComp":
        return f"{tf}.convert_to_tensor({read(node)}, {tf}.{dtype})"
    if is_part(style, node):
        return _part(read, node)
    if kind == "Call" and dotted(node.func) == "list" and not style.is_tensor(node.args[0]):
        return f"{tf}.{read(node.args[0])}" if _is_range(node.args[0]) else _listed(style, read, node)
    if kind == "Call" and dotted(node.func) in ("list", "sorted"):
        return str(read(node.args[0] if dotted(node.func) == "list" else node))
    return str(read(node))


def _listed(style: Any, read: Any, node: Any) -> str:
    """`list(items)` as a tensor."""
    items = node.args[0]
    is_unstacked = isinstance(items, gast.Call) and dotted(items.func) == f"{style.tf}.unstack" and not items.keywords
    if is_unstacked and len(items.args) == 1:
        return str(read(items.args[0]))
    is_list = isinstance(style.value(items), StateObject) and style.value(items).kind == "list"
    return f"{style.tf}.convert_to_tensor({read(items if is_list else node)})"


def _is_range(node: gast.AST) -> bool:
    return isinstance(node, gast.Call) and dotted(node.func) == "range"


def changed(style: Any, read: Any, call: Any) -> list[str]:
    """The statements that replace `name.append(value)` and its like; the value may be taken off a list."""
    name, lines = name_of(call.func.value), list[str]()
    if call.func.attr == "append" and call.args and pops_in(style, call.args[0]):
        lines = after_pops(style, call.args[0])
    own = [text for text in lines if text.startswith(f"{name} = ")]
    kept = own[0].partition(" = ")[2] if own else name
    return [_changed(style, read, call, kept), *(text for text in lines if text not in own)]


def _changed(style: Any, read: Any, call: Any, kept: str) -> str:
    name, method, arguments = name_of(call.func.value), call.func.attr, call.args
    tf, dtype = style.tf, style.stacks[name][0]
    for argument in arguments if method in ("append", "remove") else arguments[1:]:
        seeds.wrap(style, argument, dtype)
    texts = [read(argument) for argument in arguments]
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    direction = sorting.direction_argument(named.pop("reverse", None)) if method == "sort" else ""
    if named or direction is None:
        raise refuse(name, call)
    if method == "append":
        return f"{name} = {tf}.concat([{kept}, [{texts[0]}]], 0)"
    if method == "extend":
        return f"{name} = {tf}.concat([{name}, {texts[0]}], 0)"
    if method == "insert":
        first = [] if texts[0] == "0" else [f"{name}[:{texts[0]}]"]
        rest = name if texts[0] == "0" else f"{name}[{texts[0]}:]"
        return f"{name} = {tf}.concat([{', '.join([*first, f'[{texts[1]}]', rest])}], 0)"
    if method == "remove" and len(texts) == 1 and element(style, name).shape == ():
        others = f"{tf}.range({tf}.shape({name})[0], dtype={tf}.int64) != {_place_of(style, name, texts[0])}"
        return f"{name} = {tf}.boolean_mask({name}, {others})"
    simple = {"clear": f"{name}[:0]", "reverse": f"{name}[::-1]", "sort": f"{tf}.sort({name}{direction})"}
    if method in simple and not arguments:
        return f"{name} = {simple[method]}"
    raise refuse(name, call)


def extended(style: Any, read: Any, node: Any) -> str:
    """The statement that replaces `name += [value]`."""
    name = name_of(node.target)
    if not isinstance(node.op, gast.Add):
        raise refuse(name, node)
    for element in repeated_lists.displays_in(node.value):
        seeds.wrap(style, element, style.stacks[name][0])
    return f"{name} = {style.tf}.concat([{name}, {read(node.value)}], 0)"


def pops_in(style: Any, node: gast.AST) -> list[Any]:
    """The calls `name.pop()` in a statement, in order."""
    calls = [
        part
        for part in walk(node)
        if isinstance(part, gast.Call)
        and isinstance(part.func, gast.Attribute)
        and part.func.attr == "pop"
        and is_stack(style, part.func.value)
    ]
    return sorted(calls, key=lambda part: (part.lineno, part.col_offset))


def after_pops(style: Any, node: Any) -> list[str]:
    """The lines that follow a statement with pops: the lists without what was taken."""
    taken: dict[tuple[str, bool], int] = {}
    pops = pops_in(style, node)
    for call in pops:
        first = _is_first(call)
        key = name_of(call.func.value), first
        taken[key] = taken.get(key, 0) + 1
        style.popped[call] = f"{key[0]}[{taken[key] - 1 if first else -taken[key]}]"
    inside = [part for part in walk(node) if is_stack(style, part)]
    if len(inside) != len(pops) or (len(taken) > 1 and len({name for name, _ in taken}) < len(taken)):
        raise ConversionError(
            "this statement takes an element off a list and uses the list in another way: write two statements",
            line=node.lineno,
        )
    return [
        f"{name} = {name}[{count}:]" if first else f"{name} = {name}[:-{count}]"
        for (name, first), count in taken.items()
    ]


def _is_first(call: Any) -> bool:
    """Whether a pop takes the first element; the last one otherwise."""
    if not call.args:
        return False
    if isinstance(call.args[0], gast.Constant) and call.args[0].value == 0:
        return True
    raise refuse(name_of(call.func.value), call)


def set_item(style: Any, read: Any, target: Any, text: str) -> str:
    """The statement that replaces `name[index] = value`, or `name[index][another] = value`."""
    indices = [target.slice] if not isinstance(target.value, gast.Subscript) else [target.value.slice, target.slice]
    name = root_of(target)
    if any(isinstance(index, (gast.Slice, gast.Tuple)) for index in indices):
        raise refuse(name, target)
    place = ", ".join(_counted(style, read, name, index, number) for number, index in enumerate(indices))
    return f"{name} = {style.tf}.tensor_scatter_nd_update({name}, [[{place}]], [{text}])"


def exchanged(style: Any, read: Any, targets: Sequence[Any]) -> str:
    """The statement that exchanges two elements; where both are the same, a scatter would have each gradient twice."""
    name, tf = root_of(targets[0]), style.tf
    first, second = (_counted(style, read, name, target.slice, 0) for target in targets)
    shape = style.value(targets[0].value).shape
    length = f"{tf}.shape({name})[0]" if not shape or shape[0] is None else f"{name}.shape[0]"
    order = f"{tf}.tensor_scatter_nd_update({tf}.range({length}), [[{first}], [{second}]], [{second}, {first}])"
    return f"{name} = {tf}.gather({name}, {order})"


def _counted(style: TensorFlow, read: Any, name: str, index: gast.AST, axis: int) -> str:
    """An index from the front."""
    key = str(read(index))
    length = f"{name}.shape[0]" if axis == 0 and name in style.lengths else f"{style.tf}.shape({name})[{axis}]"
    if isinstance(index, gast.UnaryOp) and isinstance(index.operand, gast.Constant):
        return f"{length} {key.replace('-', '- ')}"
    if not style.is_tensor(index) or lower_bounds.is_never_negative(read.facts, index):
        return key
    return f"{style.tf}.where({key} < 0, {key} + {length}, {key})"


def whole(style: Any, read: ExpressionRenderer, node: gast.Call) -> str | None:
    """`tf.stack(name, axis=1)` and its like."""
    called = dotted(node.func) or ""
    if node in style.popped:
        return str(style.popped[node])
    if is_part(style, node):
        return _part(read, node)
    is_stacked = (
        called.rpartition(".")[2] in ("stack", "convert_to_tensor") and len(node.args) == 1 and not node.keywords
    )
    if is_stacked and is_part(style, node.args[0]):
        return _part(read, node.args[0])
    if isinstance(node.func, gast.Attribute) and is_stack(style, node.func.value):
        return _asked(style, read, node)
    if not node.args or not is_stack(style, node.args[0]) or dotted(node.func) is None:
        return None
    name, last, tf = name_of(node.args[0]), called.rpartition(".")[2], style.tf
    shape = style.stacks[name][1]
    if called in ("len", "bool"):
        length = f"{name}.shape[0]" if name in style.lengths else f"{tf}.shape({name})[0]"
        return length if called == "len" else f"{length} > 0"
    if called in ("list", "tuple"):
        return name
    if last == "convert_to_tensor" or (last == "stack" and _axis(node, 0) == 0):
        return name
    if last == "stack" and shape is not None and isinstance(axis := _axis(node, 0), int):
        order = list(range(1, len(shape) + 1))
        order.insert(axis if axis >= 0 else axis + len(shape) + 1, 0)
        return f"{tf}.transpose({name}, {order})"
    if last == "concat" and shape is not None and isinstance(axis := _axis(node, None), int):
        return _concatenated(tf, name, shape, axis % max(len(shape), 1))
    if last == "add_n":
        return f"{tf}.reduce_sum({name}, 0)"
    return None


def _asked(style: Any, read: ExpressionRenderer, node: Any) -> str | None:
    """`name.copy()`, `name.count(value)` and `name.index(value)`."""
    method, given = node.func.attr, node.args
    if method == "copy" and not given:
        return name_of(node.func.value)
    name, tf = name_of(node.func.value), style.tf
    if method not in ("count", "index") or len(given) != 1 or element(style, name).shape != ():
        return None
    if method == "count":
        return f"{tf}.math.count_nonzero({tf}.equal({name}, {read(given[0])}), dtype={tf}.int32)"
    return f"{tf}.cast({_place_of(style, name, read(given[0]))}, {tf}.int32)"


def _place_of(style: Any, name: str, text: str) -> str:
    """Where a list holds a value for the first time; the graph fails where it doesn't."""
    return f"{style.tf}.where({style.tf}.equal({name}, {text}))[0, 0]"


def with_length(style: Any, read: ExpressionRenderer, target: gast.AST, node: gast.AST) -> str | None:
    """`tf.stack(name)`, where a loop carries it and the list has the same length each time; None for anything else."""
    held = style.value(node)
    if (
        not isinstance(target, gast.Name)
        or not isinstance(node, gast.Call)
        or not node.args
        or not isinstance(node.args[0], gast.Name)
    ):
        return None
    if not style.holds_list(node.args[0].id):
        return None
    carried = any(name.symbol == target.id for fact in style.known.staged.values() for name in fact.names)
    if not carried or not isinstance(held, Tensor) or not held.shape or None in held.shape:
        return None
    return f"{style.tf}.ensure_shape({read(node)}, {list(held.shape)})"


def _concatenated(tf: str, name: str, shape: Sequence[int | None], axis: int) -> str:
    order = list(range(1, len(shape) + 1))
    order.insert(axis, 0)
    text = name if axis == 0 else f"{tf}.transpose({name}, {order})"
    sizes: list[Any] = list(shape)
    sizes[axis] = -1
    if None in sizes:
        return f"{tf}.concat({tf}.unstack({name}), {axis})"
    return f"{tf}.reshape({text}, {sizes})"


def _axis(node: gast.Call, default: int | None) -> int | None:
    given = [keyword.value for keyword in node.keywords if keyword.arg == "axis"] or node.args[1:2]
    if not given:
        return default
    value = given[0]
    sign = -1 if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub) else 1
    value = value.operand if isinstance(value, gast.UnaryOp) else value
    return sign * value.value if isinstance(value, gast.Constant) and isinstance(value.value, int) else None


def note_returned(style: Any, node: Any) -> None:
    """Have lists that never change their length be returned as lists, where a trace has shown that they are."""
    if isinstance(node, (gast.Tuple, gast.Dict)):
        for part in node.values if isinstance(node, gast.Dict) else node.elts:
            note_returned(style, part)
    if not isinstance(node, gast.Name) or node.id not in style.lengths:
        return
    held = style.known.value(node)
    if isinstance(held, StateObject) and held.kind == "list":
        nested = any(isinstance(item, StateObject) for item in held.items)
        rows = f"[{style.tf}.unstack(row) for row in {style.tf}.unstack({node.id})]"
        style.listed[node] = rows if nested else f"{style.tf}.unstack({node.id})"


def refuse(name: str, node: Any) -> ConversionError:
    return ConversionError(
        f"the list `{name}` changes in the graph and becomes a tensor, which can't be used like this",
        line=node.lineno,
    )
