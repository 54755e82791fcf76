"""What `tf.function` makes: its signature, and tracing once for each key.

How a function is called is in `python.calls`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import gast

from graphwright_analysis.tracing.facts import TracedCalled, TracedMade, Unconverted, VariablesMade
from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.tracing.machine import allocation, summaries
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, Within, place_of
from graphwright_analysis.tracing.machine.surroundings import Past, TraceKey
from graphwright_analysis.tracing.noting import captures, made_variables, refused_calls, trace_effects
from graphwright_analysis.tracing.noting.passing_arguments import passing_arguments
from graphwright_analysis.tracing.reading import held_values, name_lookup
from graphwright_analysis.values import shapes
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    UNKNOWN,
    ApiInstance,
    Array,
    Bound,
    Class,
    Constant,
    Entries,
    Function,
    Object,
    Scalar,
    Spec,
    Tensor,
    TensorArray,
    Traced,
    Tuple,
    Unknown,
    Value,
    Variable,
)
from graphwright_analysis.values.joining import staged
from graphwright_analysis.values.lineage import lineage

from . import cache_keys, conversion, recursion, signatures, unhashable_arguments

Named = dict[str, Value]


def make_traced(
    run: Run,
    frame: Frame,
    target: Value,
    maker: str,
    options: Named,
    node: gast.AST | None,
    definition: gast.FunctionDef | None = None,
) -> Value:
    """What `tf.function`, or another of the `MAKERS`, makes of a callable."""
    signature = options.get("input_signature", NONE)
    specs: tuple[Value, ...] | None = None
    if signature != NONE:
        elements = held_values.elements_of(run, signature)
        specs = tuple(spec_value(run, e) for e in elements) if elements is not None else None
    switch = None if node is None else place_of(frame, node)
    conversion.note_never(run, target)
    relaxed = any(options.get(name, NONE) not in (NONE, Constant(False)) for name in _RELAXING)
    compiled = any(options.get(name, NONE) not in (NONE, Constant(False)) for name in _COMPILING)
    converts = options.get("autograph") != Constant(False)
    converter = MAKERS[maker]
    if converter is Converter.GRAPHWRIGHT and options.get("promote", NONE) not in (NONE, Constant(False)):
        converter = Converter.PROMOTING
    result = Traced(target, specs, converts, run.fresh(), switch, relaxed, compiled, converter)
    if not run.context.graph and cache_keys.function_of(result) is not None:
        run.hand_over(frame, result)
    if node is not None and not run.context.graph:
        subject = target.target if isinstance(target, Bound) else target
        name = definition.name if definition is not None else getattr(getattr(subject, "node", None), "name", "")
        statement = place_of(frame, definition if definition is not None else node)
        if not run.context.uncertain:
            decorated = definition is not None
            place, loops = place_of(frame, node), run.context.loops
            inside = run.context.calls[-1] if run.context.calls else None
            captured, widened = _captured(run, result), run.context.widening > 0
            run.note(TracedMade(result.id, place, statement, name, decorated, loops, inside, captured, widened))
        signatures.note_declared(run, result, place_of(frame, node))
    return result


def _captured(run: Run, traced: Traced) -> tuple[Value, ...] | None:
    """What a function that is made in a loop captures, None where a turn may give it something else."""
    function = cache_keys.function_of(traced)
    if not run.context.loops:
        return ()
    if function is None:
        return None if isinstance(traced.target, (Unknown, *_NOT_TOLD_APART)) else (traced.target,)
    around, found = run.frame(function.frame), [*_receivers(traced)]
    for name in sorted(run.flow.scopes_of(function.block, function.node).free):
        owner = None if around is None else name_lookup.enclosing(around, name)
        if around is None or owner is None:
            continue
        value = run.state.value(owner.id, name)
        other = isinstance(value, (Unknown, *_NOT_TOLD_APART)) or (isinstance(value, Scalar) and value.turn)
        varies = value is UNDEFINED or other
        if varies and (owner.in_function or cache_keys.bound_in_loop(run, around, name)):
            return None
        found.append(value)
    return tuple(found)


_NOT_TOLD_APART = (Variable, ApiInstance)
"""Of these nobody knows whether two are the same."""


def _receivers(value: Value) -> Iterator[Value]:
    """What the methods belong to that it is made of."""
    while isinstance(value, (Bound, Traced)):
        if isinstance(value, Bound):
            yield value.receiver
        value = value.target


MAKERS = {"tf.function": Converter.AUTOGRAPH, "graphwright.function": Converter.GRAPHWRIGHT}
"""What makes graph functions, and who converts what they are made of."""

_COMPILING = ("jit_compile", "experimental_compile")
_RELAXING = ("reduce_retracing", "experimental_relax_shapes")


def owned_by(run: Run, value: Value) -> Iterator[tuple[int | None, Traced]]:
    """The traced functions that an object has, as methods or attributes, and those of the objects that it has."""
    pending, seen = [value], set[Value]()
    while pending:
        owner = pending.pop()
        if not isinstance(owner, Object) or owner in seen or len(seen) == _MOST_OWNED:
            continue
        seen.add(owner)
        pending += held_values.elements_of(run, owner) or ()
        held = [*run.state.owned(owner.id, (Traced, Object)).values()]
        for each in lineage(owner.type) if owner.type is not None else ():
            methods = run.state.owned(each.id, Traced).values() if isinstance(each, Class) else ()
            yield from ((owner.id, method) for method in methods if isinstance(method, Traced))
        yield from ((None, function) for function in held if isinstance(function, Traced))
        pending += [part for part in held if isinstance(part, Object)]


_MOST_OWNED = 100
"""How many objects are looked through for what they own."""


def spec_value(run: Run, spec: Value) -> Value:
    """The value that an `input_signature` entry stands for."""
    if isinstance(spec, Spec):
        return spec.means
    if isinstance(spec, Object) and (items := run.state.items(spec.id)) is not None and items.known is not None:
        return Tuple(tuple(spec_value(run, item) for item in items.known))
    if isinstance(spec, Object) and (entries := run.state.entries(spec.id)) is not None:
        rows = tuple((key, spec_value(run, held)) for key, held in entries.known)
        return allocation.new_dict(run, Entries(rows, entries.closed))
    if isinstance(spec, Tuple):
        return Tuple(tuple(spec_value(run, item) for item in spec.items), spec.fields)
    return UNKNOWN


def trace(run: Run, callee: Traced, call: Call) -> Value:
    """Call what `tf.function` made: its body is traced once for each key."""
    if run.is_untraced and not run.context.graph:
        return run.interpreter.call_value(run, callee.target, call)
    called = cache_keys.note_call(run, callee, call)
    signatures.note_call(run, callee, call)
    unhashable_arguments.note_call(run, callee, call)
    recursion.note_call(run, callee, call)
    if callee.signature is None:
        refused_calls.note_weights_passed(run, call)
    return _result(run, called, call)


def concrete(run: Run, callee: Traced, call: Call) -> Value:
    """`get_concrete_function`: the trace for these arguments, where specs stand for tensors."""
    if run.context.graph:
        return UNKNOWN
    called = cache_keys.note_call(run, callee, call, concrete=True)
    unhashable_arguments.note_call(run, callee, call)
    _result(run, called, call.map_arguments(partial(_standing_for, run)))
    return ApiInstance(CONCRETE)


CONCRETE = "tf.types.experimental.ConcreteFunction"


def _standing_for(run: Run, value: Value) -> Value:
    """What a trace is given for a spec, or for a list of them."""
    if isinstance(value, Spec):
        return value.means
    elements = held_values.elements_of(run, value) if isinstance(value, (Tuple, Object)) else None
    specs = elements is not None and any(isinstance(element, Spec) for element in elements)
    return spec_value(run, value) if specs else value


def _result(run: Run, called: TracedCalled, call: Call) -> Value:
    """What a call gives: from the trace for its arguments, or from the code itself where it is inside a graph."""
    callee = called.traced
    call = _by_signature(callee, call)
    if run.context.graph:
        return _in_graph(run, called, call)
    traced = call if callee.signature is not None else call.map_arguments(traced_argument)
    key = (callee, (*traced.positional, *(Tuple((Constant(n), v)) for n, v in sorted(traced.named.items()))))
    past = run.known_trace(key)
    if past is not None:
        captures.again(run, callee, key, past, anew=any(given.fresh is not None for given in called.arguments))
        return past.result
    subject = (callee, tuple(call.positional), tuple(call.named.items()), called.place is None, call.frame.unconverted)
    function = cache_keys.function_of(callee)
    body = partial(_first_trace, run, called, key, traced)
    # What else is traced depends on the place of the call.
    past = body() if function is None else summaries.remembered(run, function, subject, body)
    captures.remember(run, callee, key, past)
    return past.result


def _in_graph(run: Run, called: TracedCalled, call: Call) -> Value:
    callee, before = called.traced, (run.seen.opaque, run.seen.makings)
    # What Graphwright converts calls nothing that AutoGraph converts.
    converter = run.context.converter if run.context.by_graphwright else callee.converter
    functions = (*run.context.functions, callee.id)
    with run.within(compiled=run.context.compiled or callee.compiled, converter=converter, functions=functions):
        inner = run.interpreter.call_value(run, callee.target, call.from_frame(_converting(call.frame, callee)))
    _note_variables(run, called, before)
    return _arrays_crossed(inner)


def _first_trace(run: Run, called: TracedCalled, key: TraceKey, call: Call) -> Past:
    callee = called.traced
    before = run.seen.opaque, run.seen.makings
    run.state.outside = dict(run.state.cells)
    entry = made_variables.entered(run, called)
    in_trace = run.context.in_trace(entry, callee.compiled, callee.converter)
    passing = passing_arguments(call)
    try:
        with (
            run.in_full(),
            Within(run, in_trace),
            trace_effects.recorded(run, callee, call.positional, call.named, passing) as found,
        ):
            result = run.interpreter.call_value(run, callee.target, call.from_frame(_converting(call.frame, callee)))
    finally:
        run.state.outside = None
    _note_variables(run, called, before)
    made_variables.left(run, called)
    past = replace(found[0] if found else Past(result), result=returned(result))
    run.seen.traces[key] = past
    return past


def _note_variables(run: Run, called: TracedCalled, before: tuple[int, int]) -> None:
    """Note a trace that makes variables, or that may."""
    opaque, makings = before
    sure = run.seen.makings > makings
    if sure or run.seen.opaque > opaque:
        run.note(VariablesMade(run.fresh(), called.traced.id, called.receiver, sure))


def _converting(frame: Frame, callee: Traced) -> Frame:
    """The frame to call from: `tf.function` switches AutoGraph on or off for what it traces."""
    if callee.autograph:
        return replace(frame, unconverted=None)
    target = callee.target.target if isinstance(callee.target, Bound) else callee.target
    if not isinstance(target, Function):
        return replace(frame, unconverted=Unconverted(Cause.AUTOGRAPH_OFF, "", place_of(frame, frame.node)))
    why = Unconverted(Cause.AUTOGRAPH_OFF, conversion.name_of(target), conversion.defined(target), callee.made)
    return replace(frame, unconverted=why)


def _by_signature(callee: Traced, call: Call) -> Call:
    """The call with its arguments as the signature casts them; a receiver in front isn't part of it."""
    if callee.signature is None:
        return call
    receiver = call.positional[:1] if cache_keys.has_receiver(callee) else ()
    return call.with_arguments([*receiver, *callee.signature])


def traced_argument(value: Value) -> Value:
    """What an argument is inside the trace: arrays become tensors, Python values stay what they are."""
    match value:
        case Tensor():
            return eager(value)
        case Tuple():
            return Tuple(tuple(traced_argument(item) for item in value.items), value.fields)
        case Array():
            return eager(staged(value))
        case _:
            return value


def eager(value: Value) -> Value:
    """The value as an eager caller holds it: there every size is a number."""
    if isinstance(value, Tensor):
        return Tensor(value.dtype, shapes.known_eagerly(value.shape))
    if isinstance(value, Tuple):
        return Tuple(tuple(eager(item) for item in value.items), value.fields)
    return value


def returned(value: Value) -> Value:
    """What a trace's result is to its eager caller: Python numbers come back as tensors."""
    value = _arrays_crossed(value)
    return eager(staged(value) if isinstance(value, (Tuple, Constant, Scalar)) and value != NONE else value)


def _arrays_crossed(value: Value) -> Value:
    """The value as the caller of a traced function gets it: a TensorArray is a bare tensor there."""
    if isinstance(value, TensorArray):
        return replace(value, crossed=True)
    if isinstance(value, Tuple) and any(isinstance(item, (TensorArray, Tuple)) for item in value.items):
        return Tuple(tuple(_arrays_crossed(item) for item in value.items), value.fields)
    return value
