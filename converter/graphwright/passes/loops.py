"""`while` and `for`.

Before:

    for x in xs:
        if x < 0:
            break
        total += x

After:

    def turn(x, total):
        def otherwise(total):
            total += x
            return gw.more(total)
        return gw.if_(x < 0, gw.last, otherwise, total)
    total = gw.for_(xs, turn, total)

The state of a loop is what its body changes and what is read in a later turn or after the loop.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import nodes_in

from graphwright.passes import calls, comprehensions, operators, unpacking
from graphwright.passes.exits import ExitFrame
from graphwright.passes.jumps import completes, jumps_out
from graphwright.passes.slots import written_slots
from graphwright.passes.state import Slot, places_argument, prologue
from graphwright.passes.synthesis import choice, constant, negated, synthetic
from graphwright.passes.tensor_values import may_be_tensor
from graphwright.passes.unit import as_alone

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering


@dataclass(frozen=True, slots=True)
class LoopCall:
    """A loop as an operator gets it: `result` names the flag that holds what the function returns in it, if it may.

    `state` is what it carries, the flag included; `arguments` follow the functions in the operator's call.
    """

    node: Any
    jumps: frozenset[str]
    state: tuple[Slot, ...]
    frame: ExitFrame
    result: str
    pieces: tuple[operators.Piece, ...]
    arguments: tuple[str, ...]
    extras: tuple[str, ...]

    def write(self, lowering: Lowering, pieces: Sequence[operators.Piece] = ()) -> None:
        """Write the call of the operator, and assign what it gives."""
        operator = "while_" if isinstance(self.node, gast.While) else "for_"
        arguments = [*self.arguments, *self.extras]

        def write_call(targets: str) -> None:
            operators.call(lowering, targets, operator, pieces or self.pieces, arguments, self.node.lineno)

        operators.assigned([], self.state, write_call)


def loop(lowering: Lowering, node: Any, rest: Sequence[gast.stmt], tail: bool) -> bool:
    """Write a loop; True if what follows it has been written with it."""
    if lowering.facts.is_native(node):
        native(lowering, node)
        return not completes([node], lowering.unit.library)
    staged = staged_loop(lowering, node, "turn")
    staged.write(lowering)
    if not staged.result or not tail:
        return False
    if isinstance(node, gast.While) and "break" not in staged.jumps and not completes([node], lowering.unit.library):
        value = lowering.unit.style.flag_value(staged.result, lowering.frame)
        lowering.line(f"return {lowering.frame.leaving('return', value)}", node.lineno)
        return True
    operators.after_flags(lowering, ["return"], [staged.result], rest, node)
    return True


def staged_loop(lowering: Any, node: Any, turn: str) -> LoopCall:
    """Write the functions of a loop, and return them with what it carries."""
    statements, options = without_options(lowering, node.body)
    slots = state_of(lowering, node)
    places = places_argument(_set_in(lowering, node))
    if isinstance(node, gast.While) and written_slots(lowering.facts, [node.test]):
        node, statements = _with_test_inside(lowering, node, statements)
    jumps = jumps_out(statements)
    result = operators.flag_names(lowering, ["return"])[0] if "return" in jumps else ""
    state = ([Slot(result, result)] if result else []) + slots
    leaves = bool(jumps & {"break", "return"})
    frame = ExitFrame("turn", lowering.gw, tuple(slot.text for slot in state), result, leaves)
    write = _while if isinstance(node, gast.While) else _for
    pieces = write(lowering, node, statements, state, frame, turn)
    arguments = [f"{lowering.gw}.pending" if slot.text == result else slot.text for slot in state]
    extras = (*places, *options)
    return LoopCall(node, jumps, tuple(state), frame, result, tuple(pieces), tuple(arguments), extras)


def _with_test_inside(lowering: Lowering, node: gast.While, statements: Sequence[gast.stmt]) -> tuple[Any, list[Any]]:
    """A test that changes state is part of the turn: a loop of the graph forgets what its test has done."""
    unit = lowering.unit
    stop = synthetic(unit, node.test, gast.Break(), "break")
    leave = choice(unit, node.test, negated(unit, node.test, node.test), [stop], [])
    result = copy.copy(node)
    result.test = constant(unit, node.test, True)
    return result, [leave, *statements]


def native(lowering: Any, node: Any) -> None:
    read = lowering.read(node)
    if isinstance(node, gast.While):
        lowering.line(f"while {as_alone(lowering.read(node.test)(node.test))}:", node)
    else:
        target = lowering.unit.original(*lowering.unit.span(node.target))
        lowering.line(f"for {target} in {as_alone(read(node.iter))}:", node)
    inner = lowering.in_native_loop()
    inner.block(node.body, tail=False)
    if not inner.writer.lines:
        inner.line("pass", node)
    lowering.writer.extend(inner.writer)
    if node.orelse:
        lowering.line("else:", node.orelse[0].lineno - 1)
        behind = lowering.in_block()
        behind.block(node.orelse, tail=False)
        lowering.writer.extend(behind.writer)


def _while(
    lowering: Any, node: gast.While, statements: Sequence[Any], state: Sequence[Slot], frame: ExitFrame, turn: str
) -> list[Any]:
    parameters = ", ".join(slot.parameter for slot in state)
    test = lowering.read(node.test).inside()(node.test)
    head = f"lambda {parameters}: " if parameters else "lambda: "
    beginning = prologue(state)
    piece = operators.Piece(head + test, node.lineno)
    if beginning:
        name = lowering.unit.fresh("test")
        inner = lowering.inside(frame)
        for text in beginning:
            inner.line(text, node.lineno)
        inner.line(f"return {test}", node.lineno)
        lowering.line(f"def {name}({parameters}):", node.lineno)
        lowering.writer.extend(inner.writer)
        piece = operators.Piece(name, node.lineno)
    body = operators.body_function(
        lowering,
        lowering.unit.fresh(turn),
        state,
        statements,
        frame,
        statements[0].lineno if statements else node.lineno,
    )
    return [piece, body]


def _for(
    lowering: Any, node: Any, statements: Sequence[Any], state: Sequence[Slot], frame: ExitFrame, turn: str
) -> list[Any]:
    read = lowering.read(node)
    target = node.target
    names = {slot.text for slot in [*state, *(slot for slot in _set_in(lowering, node) if slot.place)]}
    if isinstance(target, gast.Name) and target.id not in names:
        leading, before = target.id, []
    else:
        leading = lowering.unit.fresh("item")
        lines = unpacking.from_item(lowering, target, leading, may_hold_tensors(node))
        before = [(text, node.lineno) for text in lines]
    body = operators.body_function(
        lowering,
        lowering.unit.fresh(turn),
        state,
        statements,
        frame,
        node.lineno,
        leading=leading,
        before=before,
        targets=nodes_in([target]) if before else (),
    )
    is_generator = isinstance(node.iter, gast.GeneratorExp)
    iterable = (comprehensions.generated(read, node.iter) if is_generator else None) or read(node.iter)
    if isinstance(node.iter, gast.Tuple):
        iterable = as_alone(iterable, node.iter)
    return [operators.Piece(iterable, node.lineno), body]


def may_hold_tensors(node: gast.For) -> bool:
    """Whether what a loop unpacks may be tensors."""
    return isinstance(node.target, gast.Tuple) and may_be_tensor(node.iter)


def state_of(lowering: Lowering, node: gast.For | gast.While) -> list[Slot]:
    """What a loop carries: changed in its body, and read in a later turn or after the loop."""
    facts = lowering.facts
    slots = [slot for slot in _set_in(lowering, node) if not slot.place]
    live = facts.live_out(node) | facts.live_in(node.target if isinstance(node, gast.For) else node.test)
    return [slot for slot in slots if (slot.always and not slot.is_local) or slot.text in live]


def _set_in(lowering: Any, node: gast.For | gast.While) -> Sequence[Slot]:
    parts = nodes_in([node.target] if isinstance(node, gast.For) else [node.test])
    return written_slots(lowering.facts, [*parts, *node.body])


def without_options(lowering: Lowering, statements: Sequence[gast.stmt]) -> tuple[list[Any], list[str]]:
    """The body without a call of `set_loop_options` at its beginning, and that as an argument."""
    kept: list[Any] = []
    options: list[str] = []
    for number, statement in enumerate(statements):
        call: Any = getattr(statement, "value", None)
        name = calls.dotted(call.func) if isinstance(statement, gast.Expr) and isinstance(call, gast.Call) else None
        if not name or name.split(".")[-1] != "set_loop_options" or number > 0:
            kept.append(statement)
            continue
        read = lowering.read(statement)
        given = [f"{keyword.arg}={_option(read, keyword)}" for keyword in call.keywords if keyword.arg]
        options.append(f"options={lowering.gw}.loop_options({', '.join(given)})")
    return kept, options


def _option(read: Any, keyword: gast.keyword) -> str:
    """Shape invariants name variables; all other options are values."""
    value = keyword.value
    if keyword.arg != "shape_invariants" or not isinstance(value, (gast.List, gast.Tuple)):
        return read(value)
    pairs = [part for part in value.elts if isinstance(part, gast.Tuple) and len(part.elts) == 2]
    if len(pairs) != len(value.elts):
        return read(value)
    texts = [f'"{read.unit.original(*read.unit.span(pair.elts[0]))}": {read(pair.elts[1])}' for pair in pairs]
    return "{" + ", ".join(texts) + "}"
