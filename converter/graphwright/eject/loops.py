"""Loops in plain TensorFlow: `tf.while_loop` with a counter for tensors and ranges, `reduce` for whole datasets.

Before:

    for x in xs:
        if x < 0:
            break
        total += x

After:

    def turn(index, going, total):
        x = xs[index]
        return tf.cond(x < 0, lambda: (index + 1, False, total), lambda: (index + 1, True, total + x))
    _, _, total = tf.while_loop(
        lambda index, going, total: tf.logical_and(going, index < tf.shape(xs)[0]),
        turn,
        (0, True, total),
    )
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.values.domain import Constant, Dataset, Object, Tuple

from graphwright.eject import (
    collapsing,
    conditions,
    counting,
    failures,
    first_values,
    harmless,
    records,
    replaced_lists,
    seeds,
    widening,
)
from graphwright.eject.flags import Flagged
from graphwright.eject.layout import write_call
from graphwright.eject.observations import Restaged
from graphwright.errors import ConversionError
from graphwright.passes import loops, operators
from graphwright.passes.calls import BUILTINS, dotted
from graphwright.passes.jumps import completes, jumps_out
from graphwright.passes.operators import Piece
from graphwright.passes.state import Slot

if TYPE_CHECKING:
    from graphwright.eject.counting import Plan


@dataclass(frozen=True, slots=True)
class _Carried:
    """What a loop carries in front of the user's state: names, what they start with, how the test asks for them."""

    names: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    going: str = ""
    returned: str = ""
    result: str = ""
    shapes: tuple[str, ...] = ()
    varies: bool = False


def loop(lowering: Any, node: Any, rest: Sequence[gast.stmt], tail: bool) -> bool:
    """Write a loop; True if what follows it has been written with it."""
    if lowering.facts.is_native(node) or _has_only_inner_jumps(lowering, node):
        loops.native(lowering, node)
        return not completes([node], lowering.unit.library)
    _refuse_python(lowering, node)
    statements, _ = loops.without_options(lowering, node.body)
    slots = loops.state_of(lowering, node)
    _refuse_none(lowering, node, slots)
    _restate_endless(lowering, node)
    held = lowering.unit.style.value(node.iter) if isinstance(node, gast.For) else None
    is_whole = isinstance(held, Dataset) and not held.iterator and not jumps_out(statements) & {"break", "return"}
    if is_whole and counting.called(lowering, node.iter) == "":
        _reduction(lowering, node, statements, slots)
        return False
    plan = counting.plan_of(lowering, node, slots) if isinstance(node, gast.For) else None
    for text in plan.setup if plan else ():
        lowering.line(text, node)
    _set_before(lowering, node, slots, plan)
    carried = _carried(lowering, node, statements, plan)
    with lowering.unit.style.around(plan.setup if plan else ()):
        _write(lowering, node, statements, slots, carried, plan)
    if not carried.returned or not tail:
        return False
    if _is_endless(node) and not carried.going and lowering.frame.kind == "function" and not lowering.frame.extra:
        lowering.line(f"return {carried.result}", node)
        return True
    if failures.after_loop(lowering, rest, carried.returned, carried.result):
        return True
    operators.after_flags(lowering, ["return"], [f"{carried.returned}, {carried.result}"], rest, node)
    return True


def _set_before(lowering: Any, node: Any, slots: Sequence[Slot], plan: Any) -> None:
    """Give the names that have no value before a loop one, and have the graph fail if no iteration gives another."""
    style, facts = lowering.unit.style, lowering.facts
    replaced_lists.set_before(style, lowering, node)
    unset = [slot.text for slot in slots if slot.text in style.unset and facts.is_perhaps_undefined(node, slot.text)]
    names = [name for name in unset if first_values.sets_surely(node, name)]
    for name in unset:
        is_set = name in names or first_values.is_set_when_left(facts, node, name)
        if is_set or not first_values.is_read_after(facts, node, name):
            lowering.line(f"{name} = {style.unset[name]}", node)
    names = [name for name in names if not first_values.is_set_in_else(facts, node, name)]
    if names and plan is None and not _is_endless(node):
        _assert_begins(lowering, names[0], conditions.condition(lowering.read(node.test), node.test), node)
    if names and plan is not None and not (plan.start.isdigit() and _is_positive(plan)):
        _assert_begins(lowering, names[0], plan.test.replace(plan.name, plan.start, 1), node)


def _assert_begins(lowering: Any, name: str, test: str, node: Any) -> None:
    message = f'"`{name}` has no value: the loop has no iterations"'
    if test.startswith("0 < ") and test.endswith(".shape[0]"):
        # The example had elements, but the text may be called with a tensor that has none.
        lowering.line(f"assert {test.removeprefix('0 < ')} > 0, {message}", node)
        return
    lowering.line(f"{lowering.unit.style.tf}.debugging.Assert({test}, [{message}])", node)


def _is_positive(plan: Plan) -> bool:
    """Whether a loop surely has an iteration."""
    limit = plan.test.rpartition(" < ")[2]
    return limit.isdigit() and int(limit) > int(plan.start)


class Restated(Exception):
    """The loop at a span of the text has no condition, but is part of the graph: the analysis has to be told so."""

    def __init__(self, span: tuple[int, int]) -> None:
        super().__init__(span)
        self.span = span


def _has_only_inner_jumps(lowering: Any, node: gast.For | gast.While) -> bool:
    """Whether Python runs a loop of which the graph leaves no more than loops in it."""
    header = node.iter if isinstance(node, gast.For) else node.test
    if jumps_out([*node.body, *node.orelse]) or _is_endless(node):
        return False
    return bool(lowering.unit.style.is_python(header, lowering.facts))


def _refuse_python(lowering: Any, node: gast.For | gast.While) -> None:
    header = node.iter if isinstance(node, gast.For) else node.test
    if not lowering.unit.style.is_python(header, lowering.facts) or _is_endless(node):
        return
    what = "over Python values" if isinstance(node, gast.For) else "on a Python condition"
    refusal = ConversionError(
        f"the graph decides on a `break`, `continue` or `return` in this loop {what}: loop over `tf.range(...)` or "
        "a tensor, or make the condition a tensor",
        line=node.lineno,
    )
    seen = lowering.unit.style.known.seen
    counted = isinstance(node, gast.While) or counting.called(lowering, node.iter) == "range"
    if seen is not None and counted and header in seen.values:
        raise Restaged(seen.place_of(header), refusal)
    at_top = seen is not None and isinstance(node, gast.For) and lowering.facts.outer is None
    if at_top and (jumps_out(node.body) == frozenset({"continue"}) or _is_repeatable(lowering.unit.style, header)):
        raise Flagged(_starts(lowering, node), refusal, node.lineno)
    raise refusal


def _starts(lowering: Any, node: Any) -> dict[str, str]:
    """What a loop's flag and names without a value start with, and the result of a function that hasn't returned."""
    style, facts = lowering.unit.style, lowering.facts
    unset = {name: text for name, text in style.unset.items() if first_values.is_set_by(style, facts, node, name)}
    starts = {**unset, "going": f"{style.tf}.constant(True)"}
    if "return" not in jumps_out(node.body):
        return starts
    try:
        return {**starts, "result": seeds.zero(lowering.unit.style, lowering)}
    except ConversionError:
        return starts


def _is_repeatable(style: Any, node: gast.AST) -> bool:
    """Whether nobody notices how far a loop goes over something."""
    if isinstance(node, gast.Call) and dotted(node.func) in ("range", "enumerate", "zip", "reversed"):
        return all(_is_repeatable(style, part) for part in node.args)
    if (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Attribute)
        and node.func.attr in ("items", "keys", "values")
    ):
        return not node.args and _is_repeatable(style, node.func.value)
    called = style.known.seen.callees.get(node.func, ()) if isinstance(node, gast.Call) and style.known.seen else ()
    if called and all(each.function.__code__.co_flags & inspect.CO_GENERATOR for each in called):
        return True
    held = style.value(node)
    held_by = isinstance(held, Object) and held.kind in ("list", "dict", "set", "deque")
    return held_by or isinstance(held, (Constant, Tuple)) or isinstance(node, (gast.Tuple, gast.List, gast.Constant))


def _refuse_none(lowering: Any, node: gast.For | gast.While, slots: Sequence[Slot]) -> None:
    """Refuse names that the loop carries as None, of which the analysis knows no other value."""
    header = node.iter if isinstance(node, gast.For) else node.test
    fact = lowering.unit.style.known.staged.get(lowering.unit.span(header))
    carried = {slot.text for slot in slots} - {name.symbol for name in getattr(fact, "names", ())}
    for part in lowering.facts.statements:
        is_none = isinstance(part, gast.Assign) and isinstance(part.value, gast.Constant) and part.value.value is None
        for target in part.targets if is_none else ():
            if isinstance(target, gast.Name) and target.id in carried:
                raise seeds.none_at_first(target.id, node.lineno)


def _restate_endless(lowering: Any, node: Any) -> None:
    if _is_endless(node) and (test := lowering.unit.span(node.test)) not in lowering.unit.style.known.staged:
        raise Restated(test)


def _is_endless(node: gast.AST) -> bool:
    return isinstance(node, gast.While) and isinstance(node.test, gast.Constant) and bool(node.test.value)


def _carried(lowering: Any, node: gast.stmt, statements: Sequence[Any], plan: Any) -> _Carried:
    jumps = jumps_out(statements)
    unit = lowering.unit
    names, starts = ([plan.name], [plan.start]) if plan else ([], [])
    going = unit.fresh("going") if "break" in jumps else ""
    returned, _, result = unit.style.flag(unit, "return").partition(", ") if "return" in jumps else ("", "", "")
    if going:
        names, starts = [*names, going], [*starts, "True"]
    if returned:
        frame = unit.style.frame(lowering, "turn", returned=returned)
        names, starts = [*names, returned, result], [*starts, "False", frame.zero]
    shapes = [f"{unit.style.tf}.TensorShape([])" for _ in names]
    if plan and plan.shape:
        shapes[0] = plan.shape
    values = [part.value for part in unit.style.returns_in(lowering) if part.value is not None] if returned else []
    varies = False
    if values:
        shapes[-1], varies = widening.of_results(unit.style, [seeds.value_of(unit.style, each) for each in values])
    return _Carried(tuple(names), tuple(starts), going, returned, result, tuple(shapes), varies)


def _write(
    lowering: Any, node: gast.stmt, statements: Sequence[gast.stmt], slots: Sequence[Slot], carried: _Carried, plan: Any
) -> None:
    style = lowering.unit.style
    before, slots = slots, [records.entering(style, slot) for slot in slots]
    frame = style.frame(
        lowering,
        "turn",
        tuple(slot.text for slot in slots),
        result=carried.result,
        steps=(plan.step,) if plan else (),
        going=bool(carried.going),
        **({"returned": carried.returned} if carried.returned else {}),
    )
    parameters = ", ".join([*carried.names, *[slot.parameter for slot in slots]])
    test = _test(lowering, node, slots, parameters, carried, plan)
    turn = operators.body_function(
        lowering,
        lowering.unit.fresh("turn"),
        slots,
        statements,
        frame,
        node.lineno,
        leading=", ".join(carried.names),
        before=[(text, node.lineno) for text in (plan.before if plan else ())],
    )
    if turn.expression is not None:
        turn = Piece(f"lambda {parameters}: {turn.expression}", turn.line)
    start = [*carried.starts, *[records.packed(style, slot.text) for slot in before]]
    pieces = [test, turn, Piece(f"[{start[0]}]" if len(start) == 1 else f"({', '.join(start)})", node.lineno)]
    pieces += [Piece(text, node.lineno) for text in _options(lowering, node, carried, slots)]
    kept = ["_" if name not in (carried.returned, carried.result) else name for name in carried.names]
    targets = [*kept, *[slot.text for slot in slots]]
    whole = ", ".join(targets) if len(targets) > 1 else f"[{''.join(targets)}]"
    head = "" if set(targets) == {"_"} else f"{whole} = "
    write_call(lowering, f"{head}{style.tf}.while_loop(", pieces, node.lineno)
    records.after(lowering, targets, node.lineno)


def _test(lowering: Any, node: Any, slots: Sequence[Slot], parameters: str, carried: _Carried, plan: Any) -> Piece:
    tf = lowering.unit.style.tf
    read = lowering.read(node.test) if plan is None else None
    endless = plan is None and _is_endless(node)
    own = "" if endless else plan.test if plan else conditions.condition(read, node.test)
    flags = [carried.going] if carried.going else []
    flags += [f"{tf}.logical_not({carried.returned})"] if carried.returned else []
    text = own or flags.pop()
    is_safe = plan is not None or endless or harmless.is_harmless(read, node.test)
    for flag in reversed(flags):
        text = f"{tf}.logical_and({flag}, {text})" if is_safe else f"{tf}.cond({flag}, lambda: {text}, lambda: False)"
    places = [slot for slot in slots if slot.prologue and _may_read(text, slot, tf)]
    if plan is not None or not places:
        return Piece(f"lambda {parameters}: {text}", node.lineno)
    beginning = [line for slot in places for line in slot.prologue]
    expression = collapsing.collapsed([*beginning, f"return {text}"], tf)
    if expression is not None:
        return Piece(f"lambda {parameters}: {expression}", node.lineno)
    name = lowering.unit.fresh("test")
    inner = lowering.inside(lowering.frame)
    for line in beginning:
        inner.line(line, node.lineno)
    inner.line(f"return {text}", node.lineno)
    lowering.line(f"def {name}({parameters}):", node.lineno)
    lowering.writer.extend(inner.writer)
    return Piece(name, node.lineno)


def _may_read(text: str, slot: Slot, tf: str) -> bool:
    """Whether a condition may read a place: by its name, or in a function or property."""
    if re.search(rf"\b({re.escape(slot.parameter)}|{re.escape(slot.root)})\b", text):
        return True
    called = re.findall(r"([A-Za-z_][\w.]*)\(", text)
    return not all(name.startswith(f"{tf}.") or name in BUILTINS for name in called)


def _reduction(lowering: Any, node: Any, statements: Sequence[gast.stmt], slots: Sequence[Slot]) -> None:
    """A loop over a dataset, to its end."""
    unit, style = lowering.unit, lowering.unit.style
    simple = isinstance(node.target, gast.Name) and node.target.id not in {slot.text for slot in slots}
    item = node.target.id if simple else unit.fresh("item")
    before = [] if simple else [f"{unit.original(*unit.span(node.target))} = {item}"]
    state = slots[0].parameter if len(slots) == 1 else unit.fresh("state") if slots else unit.fresh("count")
    if len(slots) > 1:
        before = [f"{', '.join(slot.parameter for slot in slots)} = {state}", *before]
    before = [*before[: len(slots) > 1], *[text for slot in slots for text in slot.prologue], *before[len(slots) > 1 :]]
    results = tuple(slot.text for slot in slots) or (f"{state} + 1",)
    frame = style.frame(lowering, "turn", results, is_reduction=True)
    turn = operators.body_function(
        lowering,
        unit.fresh("turn"),
        [],
        statements,
        frame,
        node.lineno,
        leading=f"{state}, {item}",
        before=[(text, node.lineno) for text in before],
    )
    text = turn.text if turn.expression is None else f"lambda {state}, {item}: {turn.expression}"
    start = ", ".join(slot.text for slot in slots) or "0"
    targets = ", ".join(slot.text for slot in slots)
    head = f"{targets} = " if targets else ""
    iterated = lowering.read(node)(node.iter)
    pieces = [Piece(f"({start})" if len(slots) > 1 else start, node.lineno), Piece(text, turn.line)]
    write_call(lowering, f"{head}{iterated}.reduce(", pieces, node.lineno)


def _options(lowering: Any, node: Any, carried: _Carried, slots: Sequence[Slot]) -> list[str]:
    """The arguments of `set_loop_options` at the beginning of the body."""
    first = node.body[0]
    if len(loops.without_options(lowering, node.body)[0]) == len(node.body):
        return widening.invariants(lowering, node, carried.shapes, slots, carried.varies)
    read = lowering.read(first)
    found: list[str] = []
    for keyword in first.value.keywords:
        if keyword.arg == "shape_invariants":
            found.append(f"shape_invariants={_shapes(lowering, read, keyword.value, carried, slots)}")
        else:
            found.append(f"{keyword.arg}={read(keyword.value)}")
    return found


def _shapes(lowering: Any, read: Any, value: Any, carried: _Carried, slots: Sequence[Slot]) -> str:
    tf = lowering.unit.style.tf
    named: dict[str, str] = {}
    for pair in getattr(value, "elts", ()):
        if not isinstance(pair, gast.Tuple):
            raise ConversionError("each shape invariant must be a pair of a variable and a shape", line=value.lineno)
        named[lowering.unit.original(*lowering.unit.span(pair.elts[0]))] = read(pair.elts[1])
    texts = [*carried.shapes]
    texts += [named.get(slot.text, f"{tf}.convert_to_tensor({slot.text}).shape") for slot in slots]
    return f"[{texts[0]}]" if len(texts) == 1 else f"({', '.join(texts)})"
