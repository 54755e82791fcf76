"""Calls: which function is meant, what its parameters get, and what it gives.

Functions of the project are run; TensorFlow's and Python's are asked of `library`.
"""

from __future__ import annotations

from functools import partial

import gast

from graphwright_analysis.flow.tree import parameters_of
from graphwright_analysis.tracing.facts import Unconverted
from graphwright_analysis.tracing.functions import cache_keys, conversion, recursion, traced_functions
from graphwright_analysis.tracing.library import (
    builtin_calls,
    keras_code,
    keras_models,
    keras_objects,
    library_calls,
    unknown_receivers,
)
from graphwright_analysis.tracing.machine import allocation, journal, summaries
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.imports import may_begin_a_graph
from graphwright_analysis.tracing.machine.run import DEPTH, Run
from graphwright_analysis.tracing.machine.state import joined
from graphwright_analysis.tracing.machine.surroundings import Surroundings
from graphwright_analysis.tracing.noting import (
    escapes,
    keras_leaks,
    lazy_variables,
    leaks,
    outdated_lambdas,
    outside_calls,
    python_use,
    refused_calls,
    temporary_receivers,
    unbuilt_models,
)
from graphwright_analysis.tracing.reading import class_bases, held_values, name_lookup
from graphwright_analysis.values.domain import (
    NONE,
    STATIC,
    UNDEFINED,
    UNKNOWN,
    Api,
    ApiInstance,
    Array,
    Bound,
    Class,
    DType,
    Entries,
    Function,
    KerasObject,
    Method,
    Object,
    Partial,
    Super,
    Traced,
    Tuple,
    Unknown,
    Value,
)
from graphwright_analysis.values.domain import Sequence as Elements
from graphwright_analysis.values.joining import join
from graphwright_analysis.values.kinds import is_static
from graphwright_analysis.values.optional import or_none

from . import annotations, expressions, generators, objects, statements, visits

Named = dict[str, Value]


def evaluate(run: Run, frame: Frame, node: gast.Call) -> Value:
    """The value of a call expression."""
    callee = _callee(run, frame, node.func)
    positional, named, given = _arguments(run, frame, node)
    if isinstance(callee, Api) and callee.name == "super":
        return _super(frame, positional)
    outside_calls.note_call(run, frame, callee, given, node)
    unbuilt_models.note_call(run, frame, callee, given, node)
    if refused_calls.noted(run, frame, callee, given, node):
        return UNKNOWN
    if isinstance(callee, Api) and callee.name.startswith(("tf.", "np.")):
        for value, at, _ in given:
            leaks.leaks_read(run, frame, at, value)
    temporary = temporary_receivers.receiver(run, callee, node)
    if positional is None or named is None:
        return _with_unknown_arguments(run, frame, callee, node)
    call = Call(frame, positional, named, node)
    if isinstance(callee, Unknown) and (told := unknown_receivers.evaluate(run, call)) is not None:
        return told
    if isinstance(callee, Api):
        return call_value(run, callee, call)
    with run.within(sites=(*run.context.sites, (frame.block, node))):
        result = call_value(run, callee, call)
    if temporary is not None:
        temporary_receivers.note_call(run, frame, temporary, node)
    return result


def _arguments(
    run: Run, frame: Frame, node: gast.Call
) -> tuple[list[Value] | None, Named | None, list[outside_calls.Given]]:
    """What a call gives by position and by name, None where not all of it is known, and each with its expression."""
    positional: list[Value] | None = []
    given: list[outside_calls.Given] = []
    for argument in node.args:
        if isinstance(argument, gast.Starred):
            starred = expressions.evaluate(run, frame, argument.value)
            python_use.iteration(run, frame, argument, starred, "star", argument.value)
            elements = held_values.elements_of(run, starred)
            positional = None if elements is None or positional is None else [*positional, *elements]
            given += [(element, argument, None) for element in elements or ()]
        else:
            value = expressions.evaluate(run, frame, argument)
            given.append((value, argument, None))
            if positional is not None:
                positional.append(value)
    named: Named | None = {}
    for keyword in node.keywords:
        value = expressions.evaluate(run, frame, keyword.value)
        given.append((value, keyword.value, keyword.arg))
        if keyword.arg is not None:
            if named is not None:
                named[keyword.arg] = value
            continue
        entries = run.state.entries(value.id) if isinstance(value, Object) else None
        known = entries is not None and entries.closed and named is not None
        named = {**(named or {}), **{str(k): v for k, v in entries.known}} if entries is not None and known else None
    return positional, named, given


def _callee(run: Run, frame: Frame, node: gast.AST) -> Value:
    if not isinstance(node, gast.Attribute):
        return expressions.evaluate(run, frame, node)
    owner = expressions.evaluate(run, frame, node.value)
    callee = expressions.attribute(run, frame, owner, node.attr)
    run.seen.saw(node, callee)
    journal.attribute_read(run, frame, node, owner, callee)
    if isinstance(owner, Object) and isinstance(callee, Unknown) and class_bases.declares(run, owner, node.attr):
        # A method under a decorator that isn't known may do to its instance what it likes.
        escapes.forget(run, owner)
    return callee


def _super(frame: Frame, positional: list[Value] | None) -> Value:
    if positional and len(positional) == 2:
        return Super(*positional)
    around: Frame | None = frame
    while around is not None and around.receiver is None:
        around = around.parent
    if around is None or around.owner is None or around.receiver is None:
        return UNKNOWN
    return Super(around.owner, around.receiver)


def _with_unknown_arguments(run: Run, frame: Frame, callee: Value, node: gast.AST) -> Value:
    if isinstance(callee, Class):
        made = run.allocate("instance", callee)
        initializer = objects.attribute(run, frame, made, "__init__", UNDEFINED)
        if isinstance(initializer, Bound) and isinstance(initializer.target, Function):
            parameters = unknown_arguments(run, frame, initializer.target)
            invoke(run, initializer.target, Call(frame, [made], parameters, node))
        return made
    target = callee.target if isinstance(callee, Bound) else callee
    if isinstance(target, Function):
        receiver = [callee.receiver] if isinstance(callee, Bound) else []
        return invoke(run, target, Call(frame, receiver, unknown_arguments(run, frame, target), node))
    if isinstance(callee, Traced) and (function := cache_keys.function_of(callee)) is not None:
        skip = 1 if isinstance(callee.target, Bound) else 0
        return call_value(run, callee, Call(frame, [], unknown_arguments(run, frame, function, skip), node))
    run.seen.opaque += 1
    escapes.forget(run, callee)
    return UNKNOWN


def call_value(run: Run, callee: Value, call: Call) -> Value:
    """What calling a value gives."""
    run.step()
    match callee:
        case Api():
            return library_calls.call_api(run, callee, call)
        case Function():
            return invoke(run, callee, call)
        case Bound():
            return call_value(run, callee.target, call.with_arguments([callee.receiver, *call.positional], call.named))
        case Traced():
            return traced_functions.trace(run, callee, call)
        case Class():
            return objects.instantiate(run, callee, call)
        case Partial(target=Api(name=maker)) if call.positional and maker in traced_functions.MAKERS:
            return traced_functions.make_traced(
                run, call.frame, call.positional[0], maker, dict(callee.named), call.node
            )
        case Partial():
            named = {**dict(callee.named), **call.named}
            return call_value(run, callee.target, call.with_arguments([*callee.positional, *call.positional], named))
        case DType():  # `np.float64(x)`
            return Array(callee.name, held_values.as_tensor(run, call.positional[0]).shape if call.positional else ())
        case Object():
            return _call_instance(run, callee, call)
        case Method():
            return _method(run, callee, call)
        case KerasObject() if run.context.graph and call.positional and keras_models.holds_code(run, callee):
            lazy_variables.called(run, callee, call)
            return keras_models.through(run, call.frame, callee, call.positional[0], call.named)
        case ApiInstance():
            lazy_variables.called(run, callee, call)
            keras_models.built(run, call.frame, callee, call.positional)
            return keras_objects.called(run, callee, call)
        case _:
            run.seen.opaque += 1
            keras_leaks.doubt(run)
            escapes.forget(run, *call.values)
            return STATIC if is_static(callee) else UNKNOWN


def _method(run: Run, callee: Method, call: Call) -> Value:
    if callee.name == "get_concrete_function":
        owner = [callee.receiver.receiver] if isinstance(callee.receiver, Bound) else []
        traced = callee.receiver.target if isinstance(callee.receiver, Bound) else callee.receiver
        if isinstance(traced, Traced):
            return traced_functions.concrete(run, traced, call.with_arguments([*owner, *call.positional], call.named))
    lazy_variables.method_called(run, callee.receiver, callee.name, call)
    return builtin_calls.method(run, callee, call)


def _call_instance(run: Run, callee: Object, call: Call) -> Value:
    method = objects.attribute(run, call.frame, callee, "__call__", UNDEFINED)
    if isinstance(method, Bound):
        return call_value(run, method, call)
    if callee.type is None or not class_bases.is_keras(callee.type):
        run.seen.opaque += 1
        return UNKNOWN
    lazy_variables.layer_called(run, callee, call)
    inner = objects.attribute(run, call.frame, callee, "call", UNDEFINED)
    if not isinstance(inner, Bound):
        run.seen.opaque += 1
        return UNKNOWN
    if class_bases.is_loss(callee.type):
        return keras_code.call_loss(run, inner, call)
    return keras_code.call_layer(run, inner, call)


# Functions of the project


def invoke(run: Run, function: Function, call: Call) -> Value:
    """Run a function of the project on these arguments."""
    if function.converter is not None and function.converter is not run.context.converter:
        with run.within(converter=function.converter):
            return invoke(run, function, call)
    if isinstance(function.owner, Class) and function.owner.doubted and not run.context.doubted:
        with run.within(doubted=True):
            return invoke(run, function, call)
    if not run.context.building and class_bases.is_build(function):
        with run.within(building=True):
            return invoke(run, function, call)
    if (limit := visits.limit_of(run, function, call.frame)) is not None:
        return visits.visit(run, function, call, limit)
    run.seen.visited.add(function.node)
    if run.context.graph:
        run.seen.in_graph.add(function.node)
    depth = len(run.context.calls)
    too_deep = depth >= DEPTH or recursion.is_endless(run.context, function.node, call.values)
    if not too_deep and run.context.depth is not None and depth >= run.context.depth and not run.context.graph:
        too_deep = not may_begin_a_graph(function.block, run.flow)
    if too_deep or isinstance(function.node, gast.AsyncFunctionDef):
        run.seen.opaque += 1
        escapes.forget(run, function, *call.values)
        return UNKNOWN
    why = conversion.of_call(run, call.frame, function)
    shape = run.flow.shape_of(function.block, function.node)
    body = partial(_run, run, function, why, call)
    if shape.statements < REMEMBERED:
        result = body()
    else:
        result = summaries.remembered(run, function, (why, tuple(call.positional), tuple(call.named.items())), body)
    run.start.finished.add(function.node)
    return result


REMEMBERED = 5
"""How many statements a function has at least whose calls are remembered; others are run as quickly as looked up."""


def _run(run: Run, function: Function, why: Unconverted | None, call: Call) -> Value:
    """What a function gives, converted unless there is a reason why not."""
    generator = run.flow.shape_of(function.block, function.node).generator
    before_generator = run.state.fork() if generator else run.state
    around = run.frame(function.frame)
    if around is not None and (module := name_lookup.module_frame(around)) is not run.flow.memory.frame:
        run.surroundings.ask(Surroundings.names_of, module.file)
    inner = allocation.new_frame(run, function.node, around, function.owner, block=function.block)
    inner.unconverted = why
    inner.receiver = call.positional[0] if call.positional and function.owner is not None else None
    inner.in_graph = run.context.graph
    if not _bind_parameters(run, inner, function, call):
        escapes.forget(run, function, *call.values)
        return UNKNOWN
    try:
        with run.calling(function.node, call.values):
            if isinstance(function.node, gast.Lambda):
                outdated_lambdas.note_outdated(run, function)
                return expressions.evaluate(run, inner, function.node.body)
            assert isinstance(function.node, gast.FunctionDef)
            return _body(run, inner, function.node)
    finally:
        run.leave(inner)
        if generator:
            # When its body runs isn't known: what it would do is seen, what it did is forgotten.
            run.state = before_generator
            escapes.forget(run, function, *call.values)


def _body(run: Run, inner: Frame, node: gast.FunctionDef) -> Value:
    outcome = statements.execute(run, inner, node.body)
    if run.flow.shape_of(inner.block, node).generator:
        return generators.given(inner)
    ends = list(outcome.returns)
    if outcome.normal is not None:
        ends.append((outcome.normal, NONE))
    if not ends:
        # Every way out raises: the caller goes on as if with an unknown value.
        return UNKNOWN
    run.state = joined(state for state, _ in ends) or run.state
    value = ends[0][1]
    for _, other in ends[1:]:
        value = join(value, other)
    return value


def _bind_parameters(run: Run, inner: Frame, function: Function, call: Call) -> bool:
    """Set every parameter; False where the call doesn't fit the signature."""
    arguments = function.node.args
    defaults = dict(function.defaults)
    names = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    given = dict(zip(names, call.positional, strict=False))
    extra = list(call.positional[len(names) :])
    rest = {name: value for name, value in call.named.items() if name not in names and name != OTHERS}
    given.update({name: value for name, value in call.named.items() if name in names})
    keyword_only = [a.id for a in arguments.kwonlyargs]
    given.update({name: rest.pop(name) for name in keyword_only if name in rest})
    if (extra and arguments.vararg is None) or (rest and arguments.kwarg is None):
        return False
    for name in (*names, *keyword_only):
        value = given.get(name, defaults.get(name))
        if value is None:
            return False
        run.state.set(inner.id, name, value)
    if isinstance(arguments.vararg, gast.Name):
        run.state.set(inner.id, arguments.vararg.id, Elements(UNKNOWN) if OTHERS in call.named else Tuple(tuple(extra)))
    if isinstance(arguments.kwarg, gast.Name):
        entries = Entries(tuple(rest.items()), OTHERS not in call.named)
        run.state.set(inner.id, arguments.kwarg.id, allocation.new_dict(run, entries))
    for parameter in parameters_of(function.node):
        run.seen.saw(parameter, run.state.value(inner.id, parameter.id))
    return True


OTHERS = "*"
"""Stands, among the arguments by name, for those that nobody knows of."""


def unknown_arguments(run: Run, frame: Frame, function: Function, skip: int = 0) -> Named:
    """What is known of a function's parameters without any call: annotations and the types of defaults."""
    arguments = function.node.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs][skip:]
    inner, defaults = run.frame(function.frame) or frame, dict(function.defaults)
    stars = (arguments.vararg, arguments.kwarg)
    others: Named = {OTHERS: UNKNOWN} if any(star is not None for star in stars) else {}

    def known(parameter: gast.Name) -> Value:
        default, assumed = defaults.get(parameter.id), keras_objects.assumed(function, parameter.id)
        if parameter.annotation is None:
            return annotations.of_default(function, default, assumed)
        promised = annotations.of_annotation(run, inner, parameter.annotation)
        if default != NONE:
            return promised
        return or_none(promised) if promised != UNKNOWN else annotations.of_default(function, default, assumed)

    return others | {parameter.id: known(parameter) for parameter in parameters}
