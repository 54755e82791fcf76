"""Notes where `return`, `break` and `raise` meet the graph, following how AutoGraph rewrites them.

AutoGraph makes variables of a `return` and a `break`. A staged branch that may set them makes tensors of them,
whether it comes to them or not; that is why much here asks what is written rather than what is run.
"""

from __future__ import annotations

import builtins
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import gast

from graphwright_analysis.tracing.facts import ErrorAwaited, PythonLoopLeft, RaiseTraced, ReturnInLoop, ReturnMissing
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.loops import LoopControl
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.context import Frame, Handlers, StagedConstruct
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import Outcome
from graphwright_analysis.tracing.reading import conditions, name_lookup
from graphwright_analysis.values.domain import Array, Constant, Object, Scalar, StaticShape, Tuple, Value
from graphwright_analysis.values.domain import Sequence as Elements

from . import unbound_names
from .python_use import names_of_errors

Loop = gast.For | gast.While
_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def way_of(outcome: Outcome) -> str:
    """How a side of a branch ends, as far as its function's value goes."""
    goes_on = outcome.normal is not None or bool(outcome.breaks or outcome.continues)
    if outcome.returns:
        return "either" if goes_on else "returns"
    return "goes on" if goes_on else "raises"


# Branches


def note_branch(
    run: Run,
    frame: Frame,
    node: gast.If,
    rest: Sequence[gast.stmt],
    sides: tuple[str, str],
    outcomes: tuple[Outcome, Outcome],
) -> None:
    """Note what a staged `if` does to the ways out around it; `sides` is how they ended before the rest was run."""
    around = run.flow.loops_around(name_lookup.frame_function(frame), node)
    inner = around[-1] if around else None
    if inner is not None and inner in frame.python_loops:
        _note_python_loop(run, frame, node, rest, inner)
        return
    moved = _surely_returns(node.body) or _surely_returns(node.orelse)
    inside = [*node.body, *node.orelse, *(rest if moved else ())]
    returned = next(written(inside, gast.Return), None)
    if returned is None:
        return
    if moved:
        sides = way_of(outcomes[0]), way_of(outcomes[1])
    if sides == ("returns", "goes on"):
        side = "orelse"
    elif sides == ("goes on", "returns"):
        side = "body"
    elif sides == ("goes on", "goes on") and run.context.uncertain == _uncertain_at(run):
        side = "both"
    else:
        return
    place, condition = place_of(frame, returned), place_of(frame, node.test)
    if inner is None:
        run.note(ReturnMissing(condition, place_of(frame, node), side, place, _given_back(outcomes)))
        return
    staged = _staged(run, frame, inner)
    if staged is not None and staged.over in ("tensor", "range", "condition"):
        run.note(ReturnInLoop(place, staged.place, staged.over, condition, value=_given_back(outcomes)))


def _given_back(outcomes: Sequence[Outcome]) -> Value | None:
    """The one value that these ends return."""
    values = {value for outcome in outcomes for _, value in outcome.returns}
    return values.pop() if len(values) == 1 else None


def _uncertain_at(run: Run) -> int:
    return run.context.constructs[-1].uncertain if run.context.constructs else run.context.uncertain


def _note_python_loop(run: Run, frame: Frame, node: gast.If, rest: Sequence[gast.stmt], loop: Loop) -> None:
    inside = [*node.body, *node.orelse]
    if next(written(inside, gast.Continue), None) is not None:
        # What follows a `continue` is put under a condition that depends on it.
        inside += rest
    found = next(written(inside, gast.Break), None) or next(written(inside, gast.Return), None)
    if found is not None:
        how = "break" if isinstance(found, gast.Break) else "return"
        run.note(PythonLoopLeft(_header(frame, loop), _kind(loop), how, place_of(frame, found)))


def _surely_returns(statements: Sequence[gast.stmt]) -> bool:
    """Whether AutoGraph sees that statements return: it looks into `with` and two-sided `if`, nothing else."""
    for statement in statements:
        if isinstance(statement, gast.Return):
            return True
        if isinstance(statement, gast.With) and _surely_returns(statement.body):
            return True
        if isinstance(statement, gast.If):
            body, orelse = _surely_returns(statement.body), _surely_returns(statement.orelse)
            if body and orelse:
                return True
            # What follows moves into the side that goes on.
            if body or orelse:
                return _surely_returns(statements[statements.index(statement) + 1 :])
    return False


def written(statements: Sequence[gast.AST], kind: type[gast.AST]) -> Iterator[gast.AST]:
    """The statements of a kind, in order, without those of inner functions; a `break` of an inner loop is its own."""
    for statement in statements:
        if isinstance(statement, kind):
            yield statement
        if isinstance(statement, _FUNCTIONS) or (kind is not gast.Return and isinstance(statement, Loop)):
            continue
        yield from written([n for n in gast.iter_child_nodes(statement) if not isinstance(n, gast.expr)], kind)


# Loops


@contextmanager
def python_loop(run: Run, frame: Frame, node: Loop, value: Value) -> Generator[None]:
    """Around a loop that is run as Python; `value` is what it iterates, or its condition."""
    before = frame.python_loops
    sure = run.context.graph and frame.converted and _is_python(run, node, value)
    frame.python_loops = (*before, node) if sure else before
    try:
        yield
    finally:
        frame.python_loops = before


def note_test(run: Run, frame: Frame, node: gast.While, test: Value) -> None:
    """A Python loop's condition, evaluated again after a turn, may have become a tensor."""
    if node in frame.python_loops and conditions.condition_in_graph(run, frame, test):
        run.note(PythonLoopLeft(_header(frame, node), "while", "test", _header(frame, node)))


def note_staged_loop(run: Run, frame: Frame, node: Loop, over: LoopControl, outcome: Outcome) -> None:
    """Note a `return` in a staged loop that can't be, whatever the branches around it do."""
    returned = next(written(node.body, gast.Return), None)
    if returned is None:
        return
    never = not outcome.returns and outcome.normal is not None and run.context.uncertain == _uncertain_at(run)
    by_tensor = over in ("tensor", "range", "condition")
    if over in ("dataset", "iterator") or (never and by_tensor):
        value = _given_back((outcome,))
        run.note(ReturnInLoop(place_of(frame, returned), _header(frame, node), over, None, value=value))
        return
    fits = any(unbound_names.can_stand_in(state, value) for state, value in outcome.returns)
    if by_tensor and way_of(outcome) == "returns" and not fits:
        run.note(ReturnInLoop(place_of(frame, returned), _header(frame, node), over, None, unfit=True))


def _is_python(run: Run, node: Loop, value: Value) -> bool:
    if isinstance(node, gast.While):
        return isinstance(value, (Constant, Scalar))
    if isinstance(value, Object):
        return value.kind != "instance"
    if isinstance(value, Elements) and isinstance(node.iter, gast.Call):
        # `range` of a number that isn't known may be one of a tensor.
        return all(isinstance(_seen(run, argument), (Constant, Scalar)) for argument in node.iter.args)
    return isinstance(value, (Tuple, Constant, Array, StaticShape))


def _seen(run: Run, node: gast.AST) -> Value | None:
    return Constant(node.value) if isinstance(node, gast.Constant) else run.seen.values.get(node)


def _staged(run: Run, frame: Frame, loop: Loop) -> StagedConstruct | None:
    header = _header(frame, loop)
    return next(
        (c for c in reversed(run.context.constructs) if c.kind is ConstructKind.LOOP and c.place == header), None
    )


def _header(frame: Frame, loop: Loop) -> Place:
    return place_of(frame, loop.iter if isinstance(loop, gast.For) else loop.test)


def _kind(loop: Loop) -> Literal["for", "while"]:
    return "for" if isinstance(loop, gast.For) else "while"


# Raising


def note_raise(run: Run, frame: Frame, node: gast.Raise) -> None:
    """Note a `raise` that tracing surely comes to, though it stands in a staged branch or loop of its function."""
    if not (run.context.graph and frame.converted and run.context.constructs):
        return
    caught = _caught(run, node)
    if caught is not None and (caught.constructs is None or caught.constructs >= len(run.context.constructs)):
        return
    around = run.context.constructs[-1]
    if around.kind not in (ConstructKind.BRANCH, ConstructKind.LOOP) or around.uncertain != run.context.uncertain:
        return
    function = frame.block.range_of(name_lookup.frame_function(frame))
    if around.place.block is not frame.block or not function.start <= around.place.range.start < function.end:
        return
    statement = _branch_at(frame, around.place)
    alone = statement is not None and statement.body == [node] and not statement.orelse
    if caught is not None and run.context.by_graphwright:
        run.note(ErrorAwaited(caught.place, caught.names, place_of(frame, node)))
    run.note(
        RaiseTraced(
            place_of(frame, node),
            around.place,
            None if statement is None else place_of(frame, statement),
            alone,
            _message(frame, node),
            None if caught is None else caught.place,
        )
    )


def handlers_of(run: Run, frame: Frame, node: gast.Try) -> Iterator[Handlers]:
    """The handlers of a `try`, if it has any."""
    if node.handlers:
        names = tuple(name for handler in node.handlers for name in names_of_errors(handler.type))
        first = node.handlers[0]
        constructs = len(run.context.constructs) if run.context.graph else None
        yield Handlers(place_of(frame, first.type or first.body[0]), names, constructs)


def _caught(run: Run, node: gast.Raise) -> Handlers | None:
    """The handlers around a `raise` that may get what it raises."""
    raised = node.exc.func if isinstance(node.exc, gast.Call) else node.exc
    name = names_of_errors(raised)[0]
    return next((each for each in reversed(run.context.handlers) if _may_be_for(each, name)), None)


def _may_be_for(handlers: Handlers, raised: str) -> bool:
    kind = getattr(builtins, raised, None)
    for name in handlers.names:
        wanted = getattr(builtins, name, None)
        if not (isinstance(kind, type) and isinstance(wanted, type)) or issubclass(kind, wanted):
            return True
    return False


def _branch_at(frame: Frame, test: Place) -> gast.If | None:
    for statement in gast.walk(name_lookup.frame_function(frame)):
        if isinstance(statement, gast.If) and place_of(frame, statement.test) == test:
            return statement
    return None


def _message(frame: Frame, node: gast.Raise) -> Place | None:
    if isinstance(node.exc, gast.Call) and len(node.exc.args) == 1 and not node.exc.keywords:
        argument = node.exc.args[0]
        return place_of(frame, argument) if isinstance(argument, gast.Constant) else None
    return None
