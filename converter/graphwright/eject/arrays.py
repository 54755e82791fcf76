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

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.values.domain import UNKNOWN, Tensor, Tuple, Variable, dtype_of, shape_of

from graphwright.eject import (
    asked_lengths,
    filters,
    given_lists,
    handing_over,
    held_lists,
    lower_bounds,
    repeated_lists,
    seeds,
    stacks,
    whole_arrays,
)
from graphwright.eject.flags import Flagged
from graphwright.eject.knowledge import WITH_SIGNATURE
from graphwright.eject.observations import StateObject
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.jumps import is_set_first
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.expressions import ExpressionRenderer
    from graphwright.passes.facts import Facts


def prepare(style: TensorFlow, facts: Facts) -> None:
    """Find the lists that staged code changes, and what stands for each: an array, or a tensor if it does more."""
    held_lists.prepare(style, facts)
    known = -1
    while known < len(style.arrays) + len(style.stacks):
        known = len(style.arrays) + len(style.stacks)
        _find(style, facts)
        asked_lengths.note(style, facts)
        # A loop that goes on while a list holds something is staged, too, if the list is.
        facts.known.clear()


def _find(style: TensorFlow, facts: Any) -> None:
    given = given_lists.given(style, facts)
    lists = _lists(facts, given) - {*style.arrays, *style.stacks}
    needed: dict[str, list[Any]] = {name: [] for name in given if name in lists}
    for construct in facts.constructs():
        for call in whole_arrays.appends_in(construct):
            if call.func.value.id in lists and not handing_over.is_own(facts, construct, call.func.value.id):
                needed.setdefault(call.func.value.id, [])
    for part in facts.statements if style.known.seen is not None else ():
        if isinstance(part, gast.Subscript) and style.is_tensor(part.slice) and not style.is_tensor(part.value):
            owner = part.value.value if isinstance(part.value, gast.Subscript) else part.value
            if isinstance(owner, gast.Name) and owner.id in lists:
                needed.setdefault(owner.id, [])
        pairs = seeds.assigned_pairs(part)
        if isinstance(part, gast.Assign) and len(part.targets) > 1:
            pairs = [(target, part.value) for target in part.targets]
        for target, value in pairs:
            if isinstance(target, gast.Name) and target.id in lists and _becomes_tensor(style, value):
                needed.setdefault(target.id, [])
    for target, name in handing_over.pairs(facts):
        if name in lists and (name in needed or style.holds_list(name)) and target in lists:
            needed.setdefault(target, [])
    for name in needed:
        appends = [call for call in whole_arrays.appends_in(facts.node) if call.func.value.id == name]
        if appends and name not in facts.parameters and _only_grows(style, facts, name):
            style.arrays[name] = _made(style, facts, name, appends[0].args[0])
        elif style.known.seen is None:
            _refuse_changes(appends)
            if not appends:
                raise ConversionError(
                    f"`{name}` is another list of the graph here: use one name", line=facts.node.lineno
                )
            style.arrays[name] = _made(style, facts, name, appends[0].args[0])
        else:
            style.stacks[name] = _element(style, facts, name, appends, given.get(name))
            length = None if appends else _length(style, facts, name)
            style.lengths.update({} if length is None else {name: length})


def _becomes_tensor(style: TensorFlow, value: gast.expr) -> bool:
    """Whether the graph decides how many elements a list has that an expression gives."""
    selected = filters.selects(style, value) or filters.has_unknown_length(style, value)
    return selected or repeated_lists.is_repeated(style, value) or _source_of(value) in style.stacks


def _source_of(value: Any) -> str:
    """The name of the list that an expression copies, or takes a part of; empty for any other."""
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) and value.func.attr == "copy":
        value = value.func.value
    else:
        value = stacks.part_of(value)
    return str(value.id) if isinstance(value, gast.Name) else ""


def _length(style: TensorFlow, facts: Facts, name: str) -> int | None:
    """How many elements a list has that is made once and never gets longer or shorter; None for others."""
    parts = walk(facts.node)
    stores = [part for part in parts if _is_name(part, name) and isinstance(part.ctx, gast.Store)]
    made = [value for part in parts for target, value in seeds.assigned_pairs(part) if target in stores]
    methods = [part.attr for part in parts if isinstance(part, gast.Attribute) and _is_name(part.value, name)]
    held = seeds.value_of(style, made[0]) if len(made) == len(stores) == 1 else None
    is_fixed = isinstance(held, StateObject) and held.kind == "list" and not {*methods} - {"reverse", "sort", "index"}
    return len(held.items) or None if isinstance(held, StateObject) and is_fixed else None


def _refuse_changes(calls: list[Any]) -> None:
    for call in calls:
        if call.func.attr != "append":
            raise ConversionError(
                f"`{call.func.value.id}.{call.func.attr}` changes the length of a list in the graph: a "
                "`tf.TensorArray` supports only `append`",
                line=call.lineno,
            )


def _only_grows(style: TensorFlow, facts: Facts, name: str) -> bool:
    """Whether all that is done with a list can be done with an array."""
    uses, is_static = 0, facts.outer is None and _is_static(whole_arrays.shape_of_elements(facts, style, name))
    staged = {part for construct in facts.constructs() for part in walk(construct)}
    for part in facts.statements:
        kind = kind_of(part)
        if kind == "Name" and part.id == name and isinstance(part.ctx, gast.Load):
            uses -= part not in style.tested
        elif kind == "Call" and isinstance(part.func, gast.Attribute) and _is_name(part.func.value, name):
            uses += part.func.attr == "append"
        elif kind == "Call" and part.args and _is_name(part.args[0], name):
            last = (dotted(part.func) or "").rpartition(".")[2]
            plain = len(part.args) == 1 and not part.keywords
            first = last == "concat" and isinstance(part.args[-1], gast.Constant) and part.args[-1].value == 0
            whole = plain and last in ("len", "stack", "convert_to_tensor", "add_n")
            turned = last == "stack" and whole_arrays.order_of(facts, style, part) is not None
            uses += first or whole or turned or last == "set_element_type" or (last == "sum" and plain and is_static)
        elif kind == "Call" and _is_name(whole_arrays.turned(part), name):
            uses += 1
        elif kind == "Return":
            uses += is_static and sum(
                _is_name(each, name) for each in whole_arrays.parts_of(part.value) if part not in staged
            )
        elif kind == "Subscript" and _is_name(part.value, name) and isinstance(part.ctx, gast.Load):
            simple = not isinstance(part.slice, (gast.Slice, gast.Tuple))
            uses += simple and _is_index_of_array(facts, part.slice)
    bound = [part for part in facts.statements if isinstance(part, (gast.Assign, gast.AugAssign))]
    values = [part.value for part in bound for target in getattr(part, "targets", ()) if _is_name(target, name)]
    displays = all(
        isinstance(value, gast.List) or (isinstance(value, gast.Call) and not value.args and not _source_of(value))
        for value in values
    )
    return uses == 0 and displays and any(call.func.value.id == name for call in whole_arrays.appends_in(facts.node))


def _is_index_of_array(facts: Facts, index: gast.AST) -> bool:
    """Whether an array can be read at an index, which it counts from the front: what is written behind is counted."""
    if isinstance(index, gast.UnaryOp):
        return isinstance(index.operand, gast.Constant)
    return lower_bounds.is_never_negative(facts, index)


def _is_name(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def _bound_to(statement: gast.AST, name: str) -> list[Any]:
    """What a statement assigns to a name."""
    if isinstance(statement, gast.Assign) and any(_is_name(target, name) for target in statement.targets):
        return [statement.value]
    return [value for target, value in seeds.assigned_pairs(statement) if _is_name(target, name)]


def _element(style: Any, facts: Any, name: str, appends: list[Any], given: Tensor | None) -> tuple[str, Any]:
    """The dtype and shape of a list's elements."""
    values: list[Any] = [] if given is None else [given]
    for call in appends:
        if call.func.attr in ("append", "insert"):
            values.append(seeds.value_of(style, call.args[-1]))
        held = style.value(call.args[0]) if call.func.attr == "extend" and call.args else None
        if isinstance(held, Tensor) and held.shape:
            values.append(Tensor(held.dtype, held.shape[1:]))
    for part in facts.statements:
        if isinstance(part, gast.Subscript) and _is_name(part.value, name) and isinstance(part.ctx, gast.Load):
            values += [style.value(part)] if not isinstance(part.slice, (gast.Slice, gast.Tuple)) else []
        for value in _bound_to(part, name):
            inner = value.left if isinstance(value, gast.BinOp) else value
            values += [seeds.value_of(style, element) for element in repeated_lists.displays_in(value)]
            each = filters.as_comprehension(inner)
            values += [filters.element(style, each)] if isinstance(each, (gast.ListComp, gast.GeneratorExp)) else []
            copied: Any = inner.args[:1] if isinstance(inner, gast.Call) and given is None else ()
            held = style.value(copied[0]) if copied else None
            source = _source_of(value)
            values += [Tensor(*style.stacks[source])] if source in style.stacks else []
            if isinstance(held, Tensor) and held.shape:
                values.append(Tensor(held.dtype, held.shape[1:]))
    refuse_tuples(style, facts, name, values)
    values = [seeds.stacked(value) for value in values]
    known = [value for value in values if dtype_of(value) is not None]
    tensors = [
        value for value in known if isinstance(value, (Tensor, Variable)) and not getattr(value, "number", False)
    ]
    dtypes = {dtype_of(value) for value in tensors or known}
    if dtypes == {"int32", "float32"} and not tensors:
        dtypes = {"float32"}
    shapes = {shape_of(value) for value in known}
    if len(dtypes) != 1 or len(shapes) != 1:
        raise ConversionError(
            f"the elements of the list `{name}` have different dtypes or shapes, or they are unknown, but the list "
            "becomes one tensor in the graph: convert them to the same",
            line=facts.node.lineno,
        )
    return str(dtypes.pop()), shapes.pop()


def refuse_tuples(style: TensorFlow, facts: Any, name: str, values: list[Any]) -> None:
    """Have a list of tuples be a list for each part; refuse it where that can't be."""
    counts = {len(value.items) if isinstance(value, Tuple) else None for value in values if value != UNKNOWN}
    if not any(counts):
        return
    refusal = ConversionError(
        f"the elements of the list `{name}` are tuples, but the list becomes one tensor in the graph: use a list for "
        "each part",
        line=facts.node.lineno,
    )
    count = counts.pop()
    if counts or not count or style.known.seen is None or facts.outer is not None:
        raise refusal
    for part in facts.statements:
        for value in _bound_to(part, name):
            if isinstance(value, gast.ListComp):
                place = value.lineno, value.col_offset
                raise Flagged({}, refusal, comprehension=place, tf=style.tf)
    raise Flagged({}, refusal, tuples=(name, count), tf=style.tf)


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


def _lists(facts: Any, filled: Collection[str]) -> set[str]:
    """The names that are bound to lists alone, also several at once; those in `filled` by other functions, too."""
    found, others = {*facts.lists, *filled}, set[str]()
    for part in facts.statements:
        if not isinstance(part, gast.Assign):
            continue
        first = part.targets[0]
        if isinstance(first, gast.Tuple) and isinstance(part.value, gast.Tuple):
            pairs = zip(first.elts, part.value.elts, strict=False)
            found |= {
                target.id for target, value in pairs if isinstance(target, gast.Name) and _gives_list(value, target.id)
            }
        for target in part.targets:
            if isinstance(target, gast.Name):
                is_filled = target.id in filled and isinstance(part.value, gast.Call)
                gives_list = is_filled or _gives_list(part.value, target.id) or _source_of(part.value) in found
                (found if gives_list else others).add(target.id)
    for target, name in handing_over.pairs(facts):
        if name in found and target not in set(_bound_otherwise(facts, target)):
            found.add(target)
            others.discard(target)
    given = {name for name in facts.parameters if name not in filled and not is_set_first(facts.node.body, name)}
    return found - (others - set(facts.lists)) - given


def _bound_otherwise(facts: Facts, name: str) -> Iterator[str]:
    """The name, if it is bound to more than lists and names."""
    for part in facts.statements:
        is_bound = isinstance(part, gast.Assign) and any(_is_name(target, name) for target in part.targets)
        if is_bound and not isinstance(part.value, gast.Name) and not _gives_list(part.value, name):
            yield name


def _gives_list(value: gast.AST, name: str) -> bool:
    """Whether an expression is a new list, or another part or order of the list itself."""
    if isinstance(value, gast.BinOp):
        return any(_gives_list(side, name) or _is_name(side, name) for side in (value.left, value.right))
    named = isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id in ("list", "sorted")
    return _source_of(value) == name or named or isinstance(value, (gast.List, gast.ListComp))


def is_array(style: Any, node: gast.AST) -> bool:
    return isinstance(node, gast.Name) and node.id in style.arrays


def creation(style: Any, read: ExpressionRenderer, name: str, value: gast.expr) -> str:
    """What replaces the list that the name is bound to."""
    elements: list[Any] | None = getattr(value, "elts", None)
    if isinstance(value, gast.Call) and not value.args:
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
    if isinstance(index, gast.UnaryOp) and isinstance(index.operand, gast.Constant):
        return f"{name}.read({name}.size() - {index.operand.value})"
    if isinstance(index, (gast.Slice, gast.Tuple)):
        raise ConversionError(f"`{name}` becomes a `tf.TensorArray`, which can't be sliced", line=node.lineno)
    return f"{name}.read({read(index)})"


def refuse(node: Any) -> ConversionError:
    return ConversionError(
        f"the list `{node.id}` grows in the graph and becomes a `tf.TensorArray`, which can't be used like this:"
        f" use `tf.stack({node.id})`",
        line=node.lineno,
    )


def _made(style: TensorFlow, facts: Facts, name: str, element: gast.expr) -> str:
    value = seeds.value_of(style, element)
    refuse_tuples(style, facts, name, [value])
    value = seeds.stacked(value)
    dtype, shape = dtype_of(value), shape_of(value)
    if dtype is None:
        raise ConversionError(
            f"the dtype of `{name}`'s elements is unknown: annotate the parameters that they come from, or "
            + WITH_SIGNATURE,
            line=element.lineno,
        )
    shaped = f", element_shape={list(shape)}" if shape is not None and _is_static(shape) else ""
    read = any(_is_item(part, name) for part in facts.statements)
    kept = ", clear_after_read=False" if read else ""
    return f"{style.tf}.TensorArray({style.tf}.{dtype}, 0, dynamic_size=True{kept}{shaped})"


def _is_static(shape: Any) -> bool:
    return shape is not None and all(size is not None and size >= 0 for size in shape)


def _is_item(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == name
