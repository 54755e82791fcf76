"""What runs in a trace: each construct as a pair, the operator's call for the graph and the user's own statement.

Before:

    if x > 0:
        y = x
    else:
        y = -x

After:

    if gw.by_graph(held := gw.asked(x > 0)):
        y = gw.if_(held, lambda: x, lambda: -x)
    elif held:
        del held
        y = x
    else:
        del held
        y = -x

Where Python decides, names, frames, order and what is read are Python's own. The functions of an operator's call hold
no pairs, and the text that is shown has none at all.

A tensor may decide whether a loop of Python's, or a `with` or `try`, is left. Then the rest of its body runs as a
function whose outcome says how it was left, and so does what follows: see `leaving`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes import branches, calls, loops, unpacking
from graphwright.passes.body_places import PythonLoop, reserved
from graphwright.passes.clauses import add_block
from graphwright.passes.jumps import completes, jumps_out
from graphwright.passes.leaving import (
    after,
    end_here,
    in_graph_block,
    leave,
    leave_by_flags,
    mark_undefined,
    rest_call,
    rest_unless_done,
    staged_jumps,
)
from graphwright.passes.slots import written_slots
from graphwright.passes.surely_python import is_sure, is_sure_iterable
from graphwright.passes.undefined import undefined_at
from graphwright.passes.unit import as_alone

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.unit import Unit


def branch(lowering: Any, node: Any, rest: Sequence[Any]) -> bool:
    """Write an `if` and its pair; True if what follows it has been written with it, or can't be reached."""
    sure = is_sure(node.test, lowering.facts)
    test = as_alone(lowering.read(node.test)(node.test), node.test)
    word, held = "if", ""
    if not sure:
        held = lowering.unit.fresh("held")
        lowering.line(f"if {lowering.gw}.by_graph({held} := {lowering.gw}.asked({test})):", node)
        with _known_as(lowering.unit, node.test, held):
            _staged_branch(lowering, node, rest)
        word, test = "elif", held
    lowering.line(f"{word} {test}:", node)
    _block(lowering, node.body, rest, node, held)
    if node.orelse or held:
        lowering.line("else:", node.orelse[0].lineno if node.orelse else node.lineno)
        _block(lowering, node.orelse, rest, node, held)
    return not completes([node], lowering.unit.library) or rest_unless_done(lowering, node, rest)


def _staged_branch(lowering: Any, node: gast.stmt, rest: Sequence[Any]) -> None:
    inner = in_graph_block(lowering, node)
    after = lowering.place.after(rest)
    if not jumps_out([node]):
        branches.branch(inner, node, [], tail=False)
    elif lowering.place.around is None:
        branches.branch(inner, node, after, tail=True)
        end_here(inner, node)
    else:
        outcome = rest_call(inner, [node, *after], lowering.place.around)
        leave(inner, lowering.place, outcome, node.lineno)
    add_block(lowering, inner, node)


def _block(lowering: Any, statements: Sequence[Any], rest: Sequence[Any], node: gast.stmt, held: str) -> None:
    """A branch that Python has taken; the value that was tested ends as early as Python's own would."""
    inner = lowering.in_block()
    if held:
        inner.line(f"del {held}", node.lineno)
    inner.place = lowering.place.inside(rest)
    inner.block(statements, tail=False)
    add_block(lowering, inner, node)


def loop(lowering: Any, node: Any, rest: Sequence[gast.stmt]) -> bool:
    """Write a loop and its pair; True if what follows it has been written with it, or can't be reached."""
    if isinstance(node, gast.For):
        done = _for(lowering, node, rest)
    elif written_slots(lowering.facts, [node.test]):
        return _while_in_turns(lowering, node, rest)
    else:
        done = _while(lowering, node, rest)
    return done or not completes([node], lowering.unit.library)


def _for(lowering: Any, node: Any, rest: Sequence[Any]) -> bool:
    unit, facts = lowering.unit, lowering.facts
    sure, is_left = is_sure_iterable(node.iter, facts), bool(staged_jumps(facts, node.body))
    if sure and not is_left:
        loops.native(lowering, node)
        return False
    items = reserved(unit, "items")
    staged = loops.staged_loop(lowering.without_pairs(), node, reserved(unit, "turn"))
    iterable = staged.pieces[0].text
    if is_left:
        _not_left(lowering, staged)
    if sure:
        lowering.line(f"{items} = iter({iterable})", node)
        _python_for(lowering, node, staged, items, rest, source=items)
        lowering.line(f"{items} = None", node)
        return rest_unless_done(lowering, node, rest)
    # The loop alone holds what it walks over, so that a generator is closed when the loop is left.
    lowering.line(f"if {lowering.gw}.walked_by_graph({items} := [{lowering.gw}.walked({iterable})]):", node)
    inner = in_graph_block(lowering, node)
    staged.write(inner, (replace(staged.pieces[0], text=f"{items}.pop()"), *staged.pieces[1:]))
    if staged.result:
        leave_by_flags(inner, lowering.place, ["return"], [staged.result], lowering.place.after(rest), node)
    lowering.writer.extend(inner.writer)
    lowering.line("else:", node)
    inner = lowering.in_block()
    if is_left:
        inner.line(f"{items} = iter({items}.pop())", node)
    _python_for(inner, node, staged, items, rest, source=items if is_left else f"{items}.pop()")
    if is_left:
        inner.line(f"{items} = None", node)
    lowering.writer.extend(inner.writer)
    return rest_unless_done(lowering, node, rest)


def _python_for(
    lowering: Any, node: gast.For, staged: loops.LoopCall, items: str, rest: Sequence[Any], source: str
) -> None:
    target = lowering.unit.original(*lowering.unit.span(node.target))
    before: list[str] = []
    if loops.may_hold_tensors(node):
        item = lowering.unit.fresh("item")
        before = unpacking.from_item(lowering, node.target, item, is_tensor=True)
        target = item
    lowering.line(f"for {target} in {source}:", node)
    inner = lowering.in_native_loop()
    for text in before:
        inner.line(text, node.lineno)
    place = lowering.place
    around = PythonLoop(staged, items, place.after(rest), place)
    inner.place = replace(place, following=(), around=around, told=place.in_loop())
    inner.block(loops.without_options(lowering, node.body)[0], tail=False)
    add_block(lowering, inner, node)


def _while(lowering: Any, node: gast.While, rest: Sequence[Any]) -> bool:
    unit, gw, place = lowering.unit, lowering.gw, lowering.place
    tests = reserved(unit, "tests")
    is_left = bool(staged_jumps(lowering.facts, node.body))
    staged = loops.staged_loop(lowering.without_pairs(), node, reserved(unit, "turn"))
    given = f"lambda: {lowering.read(node.test).later()(node.test)}"
    if is_left:
        _not_left(lowering, staged)
        again = "" if _may_have_effects(lowering, node) else ", again=True"
        given += f", lambda: ({''.join(f'{text}, ' for text in _as_bound(lowering, node, staged.arguments))}){again}"
    lowering.line(f"{tests} = {gw}.tests({given})", node)
    lowering.line(f"while {tests}.hold():", node)
    inner = lowering.in_native_loop()
    around = PythonLoop(staged, tests, place.after(rest), place) if is_left else place.around
    inner.place = replace(place, following=(), around=around, told=place.in_loop())
    inner.block(loops.without_options(lowering, node.body)[0], tail=False)
    add_block(lowering, inner, node)
    lowering.line(f"if {tests}.by_graph:", node)
    inner = in_graph_block(lowering, node)
    staged.write(inner)
    if staged.result:
        leave_by_flags(inner, place, ["return"], [staged.result], place.after(rest), node)
    lowering.writer.extend(inner.writer)
    return rest_unless_done(lowering, node, rest)


def _as_bound(lowering: Lowering, node: gast.AST, arguments: Sequence[str]) -> list[str]:
    """What a loop carries, read where names may have no value."""
    unset = undefined_at(lowering.facts, node)
    return [f'{lowering.gw}.bound(lambda: {text}, "{text}")' if text in unset else text for text in arguments]


def _may_have_effects(lowering: Lowering, node: gast.While) -> bool:
    """Whether a turn may do what can't be done twice: call the user's code, or set what others see."""
    facts = lowering.facts
    if any(slot.place or slot.always for slot in written_slots(facts, node.body)):
        return True
    if any(isinstance(part, gast.Attribute) and not isinstance(part.ctx, gast.Load) for part in facts.below(node)):
        return True
    called = (part for part in facts.below(node) if isinstance(part, gast.Call))
    return any(calls.needs_conversion(lowering.read(node), part) for part in called)


def _while_in_turns(lowering: Any, node: Any, rest: Sequence[Any]) -> bool:
    """A `while` whose test sets something: the test is part of a turn, which is a function for Python, too."""
    plain = lowering.without_pairs()
    mark_undefined(plain, node)
    staged = loops.staged_loop(plain, node, "turn")
    staged.write(plain)
    if not staged.result:
        return False
    if "break" not in staged.jumps and not completes([node], lowering.unit.library):
        if told := lowering.place.telling("return"):
            lowering.line(f"{told}{staged.result}", node.lineno)
        lowering.line(f"return {staged.result}.value", node.lineno)
        return True
    return after(lowering, ["return"], [staged.result], rest, node)


def _not_left(lowering: Lowering, staged: loops.LoopCall) -> None:
    if staged.result:
        lowering.line(f"{staged.result} = {lowering.gw}.pending", staged.node)


@contextmanager
def _known_as(unit: Unit, node: gast.AST, name: str) -> Generator[None, None, None]:
    """An expression has been evaluated: its value has a name."""
    before = unit.templates.get(node)
    unit.templates[node] = (name, {})
    try:
        yield
    finally:
        if before is None:
            del unit.templates[node]
        else:
            unit.templates[node] = before
