"""Statements in plain TensorFlow; branches and jumps are those of the passes, loops have a module of their own.

Before:

    assert x > 0, "too small"
    x[i] = v

After:

    tf.debugging.Assert(x > 0, ["too small"])
    x = tf.tensor_scatter_nd_update(x, [[i]], [v])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import kind_of

from graphwright.eject import (
    arrays,
    condition_steps,
    conditions,
    expressions,
    failures,
    harmless,
    held_lists,
    loops,
    numbers,
    replaced_lists,
    returned_records,
    seeds,
    setters,
    shared_values,
    sorting,
    stacks,
)
from graphwright.errors import ConversionError
from graphwright.passes import branches, compound_statements, simple_statements, splitting, unpacking
from graphwright.passes.calls import dotted
from graphwright.passes.clauses import add_block, clauses_of
from graphwright.passes.jumps import completes, jumps_out
from graphwright.passes.simple_statements import rendered, unpack
from graphwright.passes.slots import written_slots

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering


def choice(lowering: Any, node: Any, rest: Sequence[gast.stmt], tail: bool) -> bool:
    expressions.negate_as_python(lowering, node.test)
    condition_steps.ask(lowering, node)
    shared_values.check_calls(lowering, node.test)
    if lowering.facts.is_native(node):
        return branches.branch(lowering, node, rest, tail)
    return failures.choice(lowering, node, rest, tail)


def assertion(lowering: Any, node: gast.Assert, rest: Sequence[gast.stmt], tail: bool) -> bool:
    read = lowering.read(node)
    if lowering.unit.style.is_python(node.test, lowering.facts):
        rendered(lowering, node)
        return False
    message = read(node.msg) if node.msg is not None else repr("assertion failed").replace("'", '"')
    failures.assert_that(lowering, node, conditions.condition(read, node.test), message)
    return False


def assign(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    shared_values.check(lowering, node)
    style = lowering.unit.style
    read = lowering.read(node)
    target = node.targets[0]
    setters.refuse(lowering, target)
    if _is_sorted(lowering, node):
        return False
    if len(node.targets) == 1 and stacks.is_stack(style, target):
        name = stacks.name_of(target)
        if (text := stacks.creation(style, read, name, node.value)) != name:
            rendered(lowering, node, f"{name} = {text}")
        return False
    if len(node.targets) == 1 and stacks.is_within(style, target):
        seeds.wrap(style, node.value, style.stacks[stacks.root_of(target)][0])
        rendered(lowering, node, stacks.set_item(style, read, target, read(node.value)))
        return False
    if splitting.is_exchange(node) and (stacks.is_item(style, target.elts[0]) or style.is_tensor(target.elts[0].value)):
        rendered(lowering, node, stacks.exchanged(style, read, target.elts))
        return False
    if _with_pops(lowering, node):
        return False
    if len(node.targets) == 1 and arrays.is_array(style, target):
        rendered(lowering, node, f"{target.id} = {arrays.creation(style, read, target.id, node.value)}")
    elif len(node.targets) == 1 and _pairs_with_lists(style, target, node.value):
        pairs = zip(target.elts, node.value.elts, strict=True)
        texts = [_created(style, read, part, value) for part, value in pairs]
        rendered(lowering, node, f"{lowering.unit.original(*lowering.unit.span(target))} = {', '.join(texts)}")
    elif whole := replaced_lists.created(style, lowering, node) or stacks.with_length(style, read, target, node.value):
        rendered(lowering, node, f"{target.id} = {whole}")
    elif (lines := unpacking.assigned(lowering, node, _unpacking(style))) is not None:
        unpack(lowering, node, lines)
    elif len(node.targets) == 1 and _is_item_of_tensor(lowering, target):
        _set_item(lowering, node, target, read(node.value))
    else:
        rendered(lowering, node)
        for text in held_lists.creations(style, node):
            lowering.line(text, node)
    return False


def _unpacking(style: Any) -> unpacking.Unpacking:
    return unpacking.Unpacking(style.is_tensor, lambda text, _: f"{style.tf}.unstack({text})")


def augmented(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    shared_values.check(lowering, node)
    style = lowering.unit.style
    target = node.target
    setters.refuse(lowering, target)
    if arrays.is_array(style, target):
        raise arrays.refuse(target)
    if stacks.is_stack(style, target):
        rendered(lowering, node, stacks.extended(style, lowering.read(node), node))
        return False
    if stacks.is_within(style, target):
        read, unit = lowering.read(node), lowering.unit
        indices = [target.slice, *([] if stacks.is_item(style, target) else [target.value.slice])]
        if not all(harmless.is_repeatable(read, index) for index in indices):
            raise ConversionError("part of a list is updated in place: write `x[i] = x[i] + ...`", line=node.lineno)
        start, end = unit.span(target)[1], unit.span(node.value)[0]
        sign = unit.original(start, end).strip().rstrip("=")
        before = stacks.root_of(target) + "".join(f"[{read(index)}]" for index in reversed(indices))
        rendered(lowering, node, stacks.set_item(style, read, target, f"{before} {sign} {read(node.value)}"))
        return False
    if _with_pops(lowering, node):
        return False
    text = _with_cast(lowering, node)
    if text is not None:
        rendered(lowering, node, text)
        return False
    if _is_item_of_tensor(lowering, node.target):
        raise ConversionError("part of a tensor is updated in place: write `x[i] = x[i] + ...`", line=node.lineno)
    rendered(lowering, node)
    return False


def expression(lowering: Lowering, node: gast.Expr, rest: Sequence[gast.stmt], tail: bool) -> bool:
    shared_values.check(lowering, node)
    style = lowering.unit.style
    value = node.value
    if _is_sorted(lowering, node):
        return False
    if isinstance(value, gast.Call):
        called = dotted(value.func) or ""
        if called.split(".")[-1] == "set_element_type":
            arrays.check_type(style, value)
            return False
        if called in ("setattr", "delattr") and lowering.nested:
            raise ConversionError(
                "`setattr` runs under a graph condition: assign the attribute directly", line=node.lineno
            )
        if isinstance(value.func, gast.Attribute) and arrays.is_array(style, value.func.value):
            if value.func.attr != "append":
                raise arrays.refuse(value.func.value)
            write = partial(arrays.append, style, lowering.read(node), value)
            if not _with_pops(lowering, node, write):
                rendered(lowering, node, write())
            return False
        if (
            isinstance(value.func, gast.Attribute)
            and stacks.is_stack(style, value.func.value)
            and value.func.attr != "pop"
        ):
            first, *others = stacks.changed(style, lowering.read(node), value)
            rendered(lowering, node, first)
            for text in others:
                lowering.line(text, node)
            return False
        if isinstance(value.func, gast.Attribute) and stacks.is_stack(style, value.func.value):
            for text in stacks.after_pops(style, node):
                lowering.line(text, node)
            return False
    if not _with_pops(lowering, node):
        rendered(lowering, node)
    return False


def returned(lowering: Any, node: gast.Return, rest: Sequence[Any], tail: bool) -> bool:
    """`return items.pop()` takes the element off before it returns it."""
    style, unit = lowering.unit.style, lowering.unit
    stacks.note_returned(style, node.value)
    returned_records.note(style, lowering, node.value)
    pops = stacks.pops_in(style, node)
    lines = stacks.after_pops(style, node) if pops else []
    for call in pops:
        name = unit.fresh("taken")
        unit.names.add(name)
        lowering.line(f"{name} = {style.popped[call]}", node)
        style.popped[call] = name
    for text in lines:
        lowering.line(text, node)
    return simple_statements.statement(lowering, node)


def compound(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    kind = kind_of(node)
    staged = _returning_parts(lowering, node)
    if staged is not None:
        for header, part, body in clauses_of(lowering, node):
            if header:
                lowering.line(header, part)
            inner = lowering.in_block()
            inner.block(body, tail=body in staged)
            add_block(lowering, inner, part)
        return False
    if not isinstance(node, gast.With) and jumps_out([node]) and lowering.facts.has_staged_jump([node]):
        raise ConversionError(
            f"`{kind.lower()}` contains a jump that the graph decides on: set a variable, and jump after it",
            line=node.lineno,
        )
    if lowering.nested and jumps_out([node]) and written_slots(lowering.facts, getattr(node, "finalbody", ())):
        raise ConversionError(
            "`finally` assigns after a jump has passed the values on: set a variable, and jump after the `try`",
            line=node.lineno,
        )
    return compound_statements.compound(lowering, node, rest, tail)


def _returning_parts(lowering: Any, node: Any) -> list[list[Any]] | None:
    """The parts of a `try` or `with` in which the graph decides what is returned, but not whether something is.

    None for any other statement.
    """
    if not isinstance(node, (gast.Try, gast.With)) or jumps_out([node]) != frozenset({"return"}) or lowering.nested:
        return None
    parts = [node.body, *[handler.body for handler in getattr(node, "handlers", ())]]
    staged = [part for part in parts if lowering.facts.has_staged_jump(part)]
    leaves = jumps_out([*getattr(node, "orelse", ()), *getattr(node, "finalbody", ())])
    decides = leaves or any(completes(part, lowering.unit.library) for part in staged)
    return None if decides or not staged else staged


def nothing(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    """`pass`, where something follows it: the next statement, or what a branch or iteration gives back."""
    return False if rest or lowering.nested else simple_statements.statement(lowering, node)


def deletion(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    if lowering.nested:
        return False
    rendered(lowering, node)
    return False


def _with_cast(lowering: Any, node: gast.AugAssign) -> str | None:
    """`total += count`, where the count has to be cast."""
    style, unit, read = lowering.unit.style, lowering.unit, lowering.read(node)
    if (
        style.known.seen is None
        or not isinstance(node.target, gast.Name)
        or not isinstance(node.op, (gast.Add, gast.Sub, gast.Mult))
    ):
        return None
    held = seeds.read_as(style, lowering.facts, node.target.id)
    if held is None or (text := numbers.added(read, held, node.value)) == read(node.value):
        return None
    sign = unit.original(unit.span(node.target)[1], unit.span(node.value)[0]).strip()
    return f"{node.target.id} {sign} {text}"


def annotated(lowering: Any, node: Any, rest: Sequence[gast.stmt], tail: bool) -> bool:
    """`xs: list[tf.Tensor] = []`."""
    style, target = lowering.unit.style, node.target
    if node.value is not None and _is_list(style, target):
        rendered(lowering, node, f"{target.id} = {_created(style, lowering.read(node), target, node.value)}")
    else:
        rendered(lowering, node)
    return False


def _is_sorted(lowering: Lowering, node: gast.AST) -> bool:
    """Write a statement that sorts a list by a tensor; False if it's another."""
    lines = sorting.sorted_lines(lowering, node)
    for text in lines or ():
        lowering.line(text, node)
    return lines is not None


def _with_pops(lowering: Lowering, node: gast.AST, write: Callable[[], str] | None = None) -> bool:
    """Write a statement that takes elements off lists; False if it takes none."""
    style = lowering.unit.style
    if not stacks.pops_in(style, node):
        return False
    lines = stacks.after_pops(style, node)
    rendered(lowering, node, None if write is None else write())
    for text in lines:
        lowering.line(text, node)
    return True


def _is_item_of_tensor(lowering: Any, target: gast.expr) -> bool:
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return False
    return bool(lowering.unit.style.is_tensor(target.value))


def _pairs_with_lists(style: Any, target: gast.AST, value: gast.AST) -> bool:
    """True for `a, b = x, []` where one of the names is a list that the graph has as an array or a tensor."""
    return (
        isinstance(target, gast.Tuple)
        and isinstance(value, gast.Tuple)
        and len(target.elts) == len(value.elts)
        and any(_is_list(style, part) for part in target.elts)
    )


def _is_list(style: Any, node: gast.AST) -> bool:
    return isinstance(node, gast.Name) and bool(style.holds_list(node.id))


def _created(style: Any, read: Any, target: Any, value: Any) -> str:
    """What a name is bound to."""
    if arrays.is_array(style, target):
        return arrays.creation(style, read, target.id, value)
    return stacks.creation(style, read, target.id, value) if stacks.is_stack(style, target) else str(read(value))


def _set_item(lowering: Any, node: Any, target: Any, value: str) -> None:
    if isinstance(target.slice, (gast.Slice, gast.Tuple)):
        raise ConversionError(
            "plain TensorFlow can't assign to a slice of a tensor: build it with `tf.concat`", line=node.lineno
        )
    name, tf = target.value.id, lowering.unit.style.tf
    key = lowering.read(node)(target.slice)
    rendered(lowering, node, f"{name} = {tf}.tensor_scatter_nd_update({name}, [[{key}]], [{value}])")


HANDLERS = {
    "If": choice,
    "For": loops.loop,
    "While": loops.loop,
    "Raise": failures.raised,
    "Return": returned,
    "Assert": assertion,
    "Assign": assign,
    "AnnAssign": annotated,
    "AugAssign": augmented,
    "Expr": expression,
    "With": compound,
    "Try": compound,
    "TryStar": compound,
    "Match": compound,
    "Delete": deletion,
    "Pass": nothing,
}
