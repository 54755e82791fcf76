"""Lists that grow in staged code: they become a `tf.TensorArray`.

Before:

    squares = []
    for x in xs:
        squares.append(x * x)
    return tf.stack(squares)

After:

    squares = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[])
    ...
        squares = squares.write(squares.size(), x * x)
    ...
    return squares.stack()
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphwright_analysis.flow.tree import FUNCTIONS, kind_of
from graphwright_analysis.values.domain import dtype_of, shape_of

from graphwright.eject.knowledge import WITH_SIGNATURE
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk


def prepare(style: Any, facts: Any) -> None:
    """Find the lists that staged code appends to, and how each array of them is made."""
    lists = _lists(facts)
    for construct in facts.constructs():
        for call in _appends(construct):
            name = call.func.value.id
            if name not in lists:
                continue
            if call.func.attr != "append":
                raise ConversionError(
                    f"`{name}.{call.func.attr}` changes the length of a list in the graph: a `tf.TensorArray`"
                    " supports only `append`",
                    line=call.lineno,
                )
            if name not in style.arrays:
                style.arrays[name] = _made(style, facts, name, call.args[0])


def check_type(style: Any, call: Any) -> None:
    """Refuse an element type that isn't that of what is appended."""
    given = dotted(call.args[1]) if len(call.args) > 1 else None
    name = getattr(call.args[0], "id", "") if call.args else ""
    said = f"TensorArray({style.tf}.{(given or '').rpartition('.')[2]},"
    if given and said not in style.arrays.get(name, said):
        raise ConversionError(
            f"the elements of `{name}` are declared as {given}, but the appended value has a different dtype: use "
            "`tf.cast`",
            line=call.lineno,
        )


def _lists(facts: Any) -> set[str]:
    """The names that are bound to lists alone, also several at once."""
    found = set(facts.lists)
    for part in facts.statements:
        if kind_of(part) == "Assign" and kind_of(part.targets[0]) == "Tuple" == kind_of(part.value):
            pairs = zip(part.targets[0].elts, part.value.elts, strict=False)
            found |= {target.id for target, value in pairs if kind_of(target) == "Name" and kind_of(value) == "List"}
    return found


def is_array(style: Any, node: Any) -> bool:
    return kind_of(node) == "Name" and node.id in style.arrays


def creation(style: Any, read: Any, name: str, value: Any) -> str:
    """What replaces the list that the name is bound to."""
    elements: list[Any] | None = getattr(value, "elts", None)
    if kind_of(value) == "Call" and not value.args:
        elements = []
    if elements is None:
        raise ConversionError(
            f"`{name}` grows in the graph, but its initial elements are unknown",
            line=value.lineno,
        )
    text = style.arrays[name]
    for number, element in enumerate(elements):
        text += f".write({number}, {read(element)})"
    return text


def append(style: Any, read: Any, call: Any) -> str:
    """The statement that replaces `name.append(value)`."""
    name = call.func.value.id
    return f"{name} = {name}.write({name}.size(), {read(call.args[0])})"


def item(style: Any, read: Any, node: Any) -> str:
    """`name[index]`."""
    name, index = node.value.id, node.slice
    if kind_of(index) == "UnaryOp" and kind_of(index.operand) == "Constant":
        return f"{name}.read({name}.size() - {index.operand.value})"
    if kind_of(index) in ("Slice", "Tuple"):
        raise ConversionError(f"`{name}` becomes a `tf.TensorArray`, which can't be sliced", line=node.lineno)
    return f"{name}.read({read(index)})"


def whole(style: Any, read: Any, node: Any) -> str | None:
    """`tf.stack(name)` and its like."""
    called = dotted(node.func) or ""
    if not node.args or not is_array(style, node.args[0]):
        return None
    name = node.args[0].id
    last = called.rpartition(".")[2]
    if called == "len":
        return f"{name}.size()"
    if last in ("stack", "convert_to_tensor") and len(node.args) == 1 and not node.keywords:
        return f"{name}.stack()"
    if last == "concat" and kind_of(node.args[-1]) == "Constant" and node.args[-1].value == 0:
        return f"{name}.concat()"
    if last == "add_n":
        return f"{style.tf}.reduce_sum({name}.stack(), 0)"
    return None


def refuse(node: Any) -> ConversionError:
    return ConversionError(
        f"the list `{node.id}` grows in the graph and becomes a `tf.TensorArray`, which can't be used like this:"
        f" use `tf.stack({node.id})`",
        line=node.lineno,
    )


def _appends(construct: Any) -> Iterator[Any]:
    for part in walk(construct, lambda inner: kind_of(inner) not in FUNCTIONS):
        if kind_of(part) != "Call" or kind_of(part.func) != "Attribute" or kind_of(part.func.value) != "Name":
            continue
        if part.func.attr in ("append", "extend", "insert", "pop", "remove", "clear"):
            yield part


def _made(style: Any, facts: Any, name: str, element: Any) -> str:
    value = style.value(element)
    dtype, shape = dtype_of(value), shape_of(value)
    if dtype is None:
        raise ConversionError(
            f"the dtype of `{name}`'s elements is unknown: annotate the parameters that they come from, or "
            + WITH_SIGNATURE,
            line=element.lineno,
        )
    shaped = ", element_shape=" + str(list(shape)) if shape is not None and _is_static(shape) else ""
    read = any(_is_item(part, name) for part in facts.statements)
    kept = ", clear_after_read=False" if read else ""
    return f"{style.tf}.TensorArray({style.tf}.{dtype}, 0, dynamic_size=True{kept}{shaped})"


def _is_static(shape: Any) -> bool:
    return all(size is not None and size >= 0 for size in shape)


def _is_item(node: Any, name: str) -> bool:
    return kind_of(node) == "Subscript" and kind_of(node.value) == "Name" and node.value.id == name
