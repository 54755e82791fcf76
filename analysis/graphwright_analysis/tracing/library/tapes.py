"""Gradient tapes: what they watch, when they record, and how often a gradient is asked of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.tracing.facts import GradientEnded, SourceUnwatched, TapeUsed
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.marks import (
    TAPE_BODY,
    TAPE_EMPTY,
    TAPE_FOUND,
    TAPE_MADE,
    TAPE_PERSISTENT,
    TAPE_RECORDS,
    TAPE_USED,
    TAPE_WATCHES,
    TAPE_WATCHES_MORE,
)
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import gradient_cuts, name_lookup
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    UNKNOWN,
    Constant,
    Object,
    Tensor,
    Value,
    Variable,
    is_likely,
)

from .recorded_names import recorded_nothing

KIND = "tape"
_GRADIENTS = frozenset({"gradient", "jacobian", "batch_jacobian"})


def make(run: Run, call: Call) -> Value:
    """`tf.GradientTape(...)`."""
    tape = run.allocate(KIND)
    persistent = call.argument(0, "persistent", Constant(False))
    run.state.set(tape.id, TAPE_PERSISTENT, persistent)
    run.state.set(tape.id, TAPE_MADE, Constant(call.frame.id), call.place)
    return tape


def is_tape(value: Value) -> bool:
    return isinstance(value, Object) and value.kind == KIND


def enter(run: Run, frame: Frame, managers: list[Value], body: list[gast.stmt]) -> None:
    """A `with` statement over these begins."""
    for tape in managers:
        if isinstance(tape, Object) and tape.kind == KIND:
            run.state.set(tape.id, TAPE_RECORDS, NONE)
            if run.state.value(tape.id, TAPE_BODY) is not UNDEFINED:
                # A tape that records again: which part it saw isn't told apart.
                run.state.set(tape.id, TAPE_WATCHES_MORE, NONE)
            run.state.set(tape.id, TAPE_BODY, NONE, place_of(frame, body[0]))
            _keep_bindings(run, frame, tape, body)
            run.state.delete(tape.id, TAPE_USED)


def _keep_bindings(run: Run, frame: Frame, tape: Object, body: list[gast.stmt]) -> None:
    """Where the names that a script reads while the tape records were bound: later statements may bind them again."""
    if frame is not name_lookup.module_frame(frame):
        return
    for name in {node.id for statement in body for node in gast.walk(statement) if isinstance(node, gast.Name)}:
        bound = run.state.place((frame.id, name))
        if bound is not None:
            run.state.set(tape.id, TAPE_FOUND + name, NONE, bound)


def leave(run: Run, managers: list[Value], body: list[gast.stmt]) -> None:
    for tape in managers:
        if isinstance(tape, Object) and tape.kind == KIND:
            run.state.delete(tape.id, TAPE_RECORDS)
            run.state.set(tape.id, TAPE_EMPTY, Constant(recorded_nothing(run, body)))


def method(run: Run, tape: Object, name: str, call: Call) -> Value:
    """What a method of a tape gives and changes."""
    node = call.node
    if name == "watch" and isinstance(node, gast.Call):
        _watch(run, tape, [*node.args, *(keyword.value for keyword in node.keywords)])
    elif name == "reset":
        run.state.delete(tape.id, TAPE_USED)
    elif name in _GRADIENTS and isinstance(node, gast.Call):
        _gradient(run, call, tape, node)
        if name == "gradient" and run.context.graph:
            return _given(call)
    elif name not in ("stop_recording", "watched_variables"):
        run.state.set(tape.id, TAPE_WATCHES_MORE, NONE)
    return UNKNOWN


def _given(call: Call) -> Value:
    """The gradient with respect to one tensor or Variable; it may be None, as tensors of no known shape may."""
    source = call.argument(1, "sources")
    return Tensor(source.dtype) if isinstance(source, (Tensor, Variable)) else UNKNOWN


def _watch(run: Run, tape: Object, arguments: Sequence[gast.AST]) -> None:
    for argument in arguments:
        if isinstance(argument, gast.Name):
            run.state.set(tape.id, TAPE_WATCHES + argument.id, NONE)
        elif isinstance(argument, (gast.List, gast.Tuple)):
            _watch(run, tape, argument.elts)
        else:
            run.state.set(tape.id, TAPE_WATCHES_MORE, NONE)


def _gradient(run: Run, call: Call, tape: Object, node: gast.Call) -> None:
    made = run.state.place((tape.id, TAPE_MADE))
    if made is None or not (run.context.graph or run.context.is_sure):
        return
    persistent = run.state.value(tape.id, TAPE_PERSISTENT)
    used, inside = run.state.value(tape.id, TAPE_USED) == NONE, run.state.value(tape.id, TAPE_RECORDS) == NONE
    place = call.place
    if persistent in (Constant(False), Constant(True)):
        earlier = run.state.place((tape.id, TAPE_USED)) if used else None
        run.note(TapeUsed(place, made, persistent == Constant(True), earlier, inside))
    run.state.set(tape.id, TAPE_USED, NONE, place)
    plain = "unconnected_gradients" not in call.named and len(node.args) < 4
    if plain and run.state.value(tape.id, TAPE_MADE) == Constant(call.frame.id):
        given = {k.arg: k.value for k in node.keywords}
        sources = node.args[1] if len(node.args) > 1 else given.get("sources", given.get("source"))
        for source in _names(sources):
            _judge_source(run, call.frame, tape, source, made)
        if sources is not None and run.state.value(tape.id, TAPE_EMPTY) == Constant(True):
            _judge_variables(run, call.frame, tape, sources, made)
        _judge_target(run, call.frame, tape, node.args[0] if node.args else given.get("target"), place)


def _judge_target(run: Run, frame: Frame, tape: Object, target: gast.AST | None, used: Place) -> None:
    """Note that what a gradient is computed of surely has none."""
    watches = _watches(run, tape)
    cut = None if target is None else gradient_cuts.of_expression(run, frame, target, watches=watches)
    if cut is not None:
        run.note(GradientEnded(cut.place, cut.operation, cut.result, used, taped=True))


def _names(node: gast.AST | None) -> Iterator[gast.Name]:
    if isinstance(node, gast.Name):
        yield node
    elif isinstance(node, (gast.List, gast.Tuple)):
        for element in node.elts:
            yield from _names(element)


def _judge_source(run: Run, frame: Frame, tape: Object, source: gast.Name, made: Place) -> None:
    """Note a source that was a tensor before the tape began to record and isn't watched, or a Variable of integers."""
    value = name_lookup.lookup(run, frame, source.id)
    around = name_lookup.enclosing(frame, source.id)
    if isinstance(value, Variable) and value.dtype in dtypes.INTEGERS:
        name, place = _tape_name(run, frame, tape), place_of(frame, source)
        run.note(SourceUnwatched(place, source.id, name, "integer variable", value.dtype, made, None))
        return
    if not (isinstance(value, Tensor) or is_likely(value)) or around is None:
        return
    if around is not frame and around is not name_lookup.module_frame(frame):
        return
    body = run.state.place((tape.id, TAPE_BODY))
    bound = run.state.place((around.id, source.id))
    if run.state.value(tape.id, TAPE_WATCHES_MORE) is not UNDEFINED or body is None:
        return
    earlier = bound is not None and bound.block is made.block and bound.range.start < made.range.start
    earlier = earlier or bound == run.state.place((tape.id, TAPE_FOUND + source.id))
    if around is frame and bound is not None and not earlier:
        return
    watched = run.state.value(tape.id, TAPE_WATCHES + source.id) is not UNDEFINED
    integer = isinstance(value, Tensor) and value.dtype in dtypes.INTEGERS
    if (watched and not integer) or (not watched and _has_aliases(run, frame, tape, bound)):
        return
    confidence = Confidence.LIKELY if is_likely(value) else Confidence.CERTAIN
    why, dtype = ("integer", value.dtype) if integer and isinstance(value, Tensor) else ("unwatched", None)
    name = _tape_name(run, frame, tape)
    run.note(SourceUnwatched(place_of(frame, source), source.id, name, why, dtype, made, body, confidence))


def _judge_variables(run: Run, frame: Frame, tape: Object, sources: gast.AST, made: Place) -> None:
    """Note Variables as sources of a tape that recorded nothing which uses any."""
    if _watches(run, tape) or run.state.value(tape.id, TAPE_RECORDS) == NONE or not _are_variables(run, sources):
        return
    place = place_of(frame, sources)
    text = place.block.text[place.range.start : place.range.end]
    run.note(SourceUnwatched(place, text, _tape_name(run, frame, tape), "empty", None, made, None))


def _watches(run: Run, tape: Object) -> bool:
    """Whether the tape may watch a tensor."""
    named = any(name.startswith(TAPE_WATCHES) for name in run.state.owned(tape.id))
    return named or run.state.value(tape.id, TAPE_WATCHES_MORE) is not UNDEFINED


def _are_variables(run: Run, sources: gast.AST) -> bool:
    if isinstance(sources, (gast.List, gast.Tuple)):
        return bool(sources.elts) and all(_are_variables(run, each) for each in sources.elts)
    if isinstance(sources, gast.Attribute) and sources.attr in ("trainable_variables", "trainable_weights"):
        return True
    return isinstance(run.seen.values.get(sources), Variable)


def _has_aliases(run: Run, frame: Frame, tape: Object, bound: Place | None) -> bool:
    """Whether something else is watched that may be the same tensor."""
    names = [name[len(TAPE_WATCHES) :] for name in run.state.owned(tape.id) if name.startswith(TAPE_WATCHES)]
    places = [run.state.place((frame.id, name)) for name in names]
    return bool(names) and any(place is not None and not _is_made(place) for place in (*places, bound))


def _is_made(place: Place) -> bool:
    """Whether the name is bound to the result of a call, not to something that has a name already."""
    span = place.value
    return span is not None and "(" in place.block.text[span.start : span.end]


def _tape_name(run: Run, frame: Frame, tape: Object) -> str:
    names = (name for name, value in run.state.owned(frame.id).items() if value == tape)
    return next(names, "tape")
