"""Lists in attributes that staged code changes, or reads at a tensor's index: in each object, they become one tensor.

Before:

    memory = Memory()
    for x in xs:
        memory.rows.append(x)

After, with `memory.rows` carried by the loop:

    memory = Memory()
    memory.rows = tf.zeros([0, 2], tf.float32)
    ...
        memory.rows = tf.concat([memory.rows, [x]], 0)

What is done with such a tensor is decided in `stacks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast
from graphwright_analysis.values.domain import Object, Tensor, Value

from graphwright.eject import seeds
from graphwright.eject.bindings import named
from graphwright.eject.observations import FunctionObservations, Observations, StateObject
from graphwright.errors import ConversionError
from graphwright.libraries import is_library_value
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk
from graphwright.sources import source_of

HeldList = tuple[Any, str]
"""A class and an attribute of its objects."""


def prepare(style: Any, facts: Any) -> None:
    """Note the attributes in a function that are such tensors, by what they are called there."""
    if style.observations is None or style.known.seen is None:
        return
    needed = dict.fromkeys(held for seen in style.observations.functions.values() for held in _needed(seen))
    for part in facts.statements:
        held = _held(style.known.seen, part)
        if held in needed:
            element = element_of(style.observations, held, facts.node.lineno)
            style.stacks[f"{part.value.id}.{part.attr}"] = element
            _refuse_strangers(style, facts, part)
    for part in facts.statements:
        if not isinstance(part, gast.Call) or style.known.seen.classes.get(part) is not _class_called(style, part):
            continue
        kind = style.known.seen.classes[part]
        own = [attribute for owner, attribute in needed if owner is kind]
        if own:
            name = _name_for(facts, part)
            for attribute in own:
                style.stacks[f"{name}.{attribute}"] = element_of(style.observations, (kind, attribute), part.lineno)
            style.filled[part] = [attribute for attribute in own if not _is_set(facts, f"{name}.{attribute}")]


def _is_set(facts: Any, name: str) -> bool:
    """Whether a function gives an attribute of an object a list."""
    pairs = [pair for part in facts.statements for pair in seeds.assigned_pairs(part)]
    return any(named(target) == name and isinstance(value, gast.List) for target, value in pairs)


def creations(style: Any, node: Any) -> list[str]:
    """The lines after the statement that makes an object."""
    lines: list[str] = []
    for attribute in style.filled.get(node.value, ()):
        name = f"{node.targets[0].id}.{attribute}"
        dtype, shape = style.stacks[name]
        kind = style.known.seen.classes[node.value]
        is_empty = _begins_empty(kind, attribute, node.lineno)
        if is_empty and (shape is None or None in shape):
            raise _unlike(name, node.lineno)
        made = f"zeros({[0, *shape]}, " if is_empty else f"convert_to_tensor({name}, "
        lines.append(f"{name} = {style.tf}.{made}{style.tf}.{dtype})")
    return lines


def element_of(observations: Observations, held: HeldList, line: int) -> tuple[str, Any]:
    """The dtype and shape of the elements, which have to be the same everywhere."""
    values = [value for seen in observations.functions.values() for value in _elements(seen, held)]
    tensors = [value for value in values if isinstance(value, Tensor)]
    dtypes, shapes = {value.dtype for value in tensors}, {value.shape for value in tensors}
    if len(dtypes) != 1 or len(shapes) != 1 or any(isinstance(value, (Object,)) for value in values):
        raise _unlike(f"{held[0].__name__}.{held[1]}", line)
    return str(dtypes.pop()), shapes.pop()


def _unlike(name: str, line: int) -> ConversionError:
    return ConversionError(
        f"the elements of the list `{name}` have different dtypes or shapes, or they are unknown, but the list becomes "
        "one tensor in the graph: convert them to the same",
        line=line,
    )


def _held(seen: FunctionObservations, node: gast.AST) -> HeldList | None:
    """The list that an expression like `self.rows` is, by its class."""
    if not isinstance(node, gast.Attribute) or not isinstance(node.value, gast.Name):
        return None
    kind = seen.classes.get(node.value)
    return None if kind is None or kind.__module__ == "builtins" or is_library_value(kind) else (kind, node.attr)


def _is_list(value: Value | None) -> bool:
    return isinstance(value, Object) and value.kind == "list"


def _needed(seen: FunctionObservations) -> Iterator[HeldList]:
    """The lists that the graph had, or that are read or set at a tensor's index."""
    for part in walk(seen.source.node):
        owner = part.value if isinstance(part, gast.Subscript) else part
        held = _held(seen, owner)
        if held is None:
            continue
        value = seen.values.get(owner)
        if owner is part and _is_list(value) and not isinstance(value, StateObject):
            yield held
        is_known = _is_list(value) or (value is None and not isinstance(part.ctx, gast.Load))
        if owner is not part and is_known and isinstance(seen.values.get(part.slice), Tensor):
            yield held


def _elements(seen: FunctionObservations, held: HeldList) -> Iterator[Value]:
    """What is put into a list, and what comes out."""
    for part in walk(seen.source.node):
        if (
            isinstance(part, gast.Call)
            and isinstance(part.func, gast.Attribute)
            and _held(seen, part.func.value) == held
        ):
            if part.func.attr in ("append", "insert") and part.args[-1] in seen.values:
                yield seen.values[part.args[-1]]
        elif (
            isinstance(part, gast.Subscript)
            and _held(seen, part.value) == held
            and not isinstance(part.slice, gast.Slice)
        ):
            if part in seen.values:
                yield seen.values[part]
        elif isinstance(part, (gast.Assign, gast.AugAssign)):
            targets = part.targets if isinstance(part, gast.Assign) else [part.target]
            items = [each for each in targets if isinstance(each, gast.Subscript) and _held(seen, each.value) == held]
            if items and part.value in seen.values:
                yield seen.values[part.value]


def _class_called(style: Any, call: gast.Call) -> Any:
    """The class of the object that a call of that class gives; a marker for other calls."""
    kind = style.known.seen.classes.get(call)
    called = (dotted(call.func) or "").rpartition(".")[2]
    return kind if kind is not None and called == kind.__name__ else _class_called


def _name_for(facts: Any, call: Any) -> str:
    """The name that an object gets; anything else is refused."""
    for part in facts.statements:
        if isinstance(part, gast.Assign) and part.value is call and len(part.targets) == 1:
            target = part.targets[0]
            if isinstance(target, gast.Name):
                return str(target.id)
    raise ConversionError(
        "this object has a list that the graph changes: assign the object to a variable when it is created",
        line=call.lineno,
    )


def _refuse_strangers(style: Any, facts: Any, node: Any) -> None:
    """Refuse an object that the ejected function doesn't make, and whose lists are Python's when it begins."""
    made = any(
        isinstance(part, gast.Call) and seen.classes.get(part) is style.known.seen.classes[node.value]
        for seen in style.observations.functions.values()
        for part in walk(seen.source.node)
    )
    if not made:
        raise ConversionError(
            f"the list `{node.value.id}.{node.attr}` changes in the graph, and the object isn't created in this "
            "function: create it there, or keep a tensor in it",
            line=node.lineno,
        )


def _begins_empty(kind: type, attribute: str, line: int) -> bool:
    """Whether a new object has an empty list."""
    fields: dict[str, Any] = getattr(kind, "__dataclass_fields__", {})
    if attribute in fields:
        return fields[attribute].default_factory is list
    try:
        parts = walk(source_of(vars(kind)["__init__"]).node)
    except (KeyError, ConversionError):
        parts = []
    for part in parts:
        annotated = [(part.target, part.value)] if isinstance(part, gast.AnnAssign) else []
        for target, value in [*annotated, *seeds.assigned_pairs(part)]:
            if isinstance(target, gast.Attribute) and target.attr == attribute and _is_new(value):
                if isinstance(value, gast.Call):
                    return dotted(value.func) == "list" and not value.args
                return isinstance(value, gast.List) and not value.elts
    raise ConversionError(
        f"the list `{kind.__name__}.{attribute}` changes in the graph: create it in `__init__`", line=line
    )


def _is_new(value: Any) -> bool:
    """Whether an expression makes a list that nobody else has."""
    if isinstance(value, gast.BinOp):
        return _is_new(value.left) or _is_new(value.right)
    return isinstance(value, (gast.List, gast.ListComp)) or dotted(getattr(value, "func", None)) in ("list", "sorted")
