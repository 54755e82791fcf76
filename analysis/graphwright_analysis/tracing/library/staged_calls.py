"""Explicitly staged control flow: `tf.cond`, `tf.case`, `tf.while_loop`, `tf.scan` and similar functions.

The results of the functions passed to them must match like the branches of an `if` and the iterations of a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Literal

import gast

from graphwright_analysis.tracing.facts import RESULT, BranchName, LoopName, StagedBranch, StagedCondition, StagedLoop
from graphwright_analysis.tracing.facts.branches import BranchFunction
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.loops import LoopFunction
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.tracing.reading.nested_values import opened
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    UNDEFINED,
    UNKNOWN,
    Function,
    Object,
    StaticShape,
    Tensor,
    Tuple,
    Value,
    shape_of,
)
from graphwright_analysis.values.joining import join_staged, staged
from graphwright_analysis.values.structures import flat

from . import dataset_sources, structures, traced_callbacks

Named = dict[str, Value]
Handler = Callable[[Run, Call], Value]


def _by_hand(run: Run, call: Call, kind: ConstructKind) -> AbstractContextManager[None]:
    """Run what `tf.cond` and similar functions call: called eagerly, they call it as often as Python would."""
    if not run.context.graph:
        return nullcontext()
    return run.inside(run.construct(call.place, kind))


# Branches


def cond(run: Run, call: Call) -> Value:
    given = call.by_name("pred", "true_fn", "false_fn")
    node = call.node
    if run.context.graph and isinstance(node, gast.Call):
        pred = next((k.value for k in node.keywords if k.arg == "pred"), node.args[0] if node.args else node)
        run.note_of_tensorflow(StagedCondition(place_of(call.frame, pred), "tf.cond", given.get("pred", UNKNOWN)))
    return _branches(run, call, [given.get("true_fn", UNKNOWN), given.get("false_fn", UNKNOWN)], "tf.cond")


def case(run: Run, call: Call) -> Value:
    given = call.by_name("pred_fn_pairs", "default")
    pairs = held_values.elements_of(run, given.get("pred_fn_pairs", UNKNOWN)) or ()
    functions = [(held_values.elements_of(run, pair) or (UNKNOWN,))[-1] for pair in pairs]
    return _branches(run, call, [*functions, given.get("default", UNKNOWN)], "tf.case")


def switch_case(run: Run, call: Call) -> Value:
    given = call.by_name("branch_index", "branch_fns", "default")
    functions = list(held_values.elements_of(run, given.get("branch_fns", UNKNOWN)) or (UNKNOWN,))
    default = [given["default"]] if "default" in given else []
    return _branches(run, call, [*functions, *default], "tf.switch_case")


def _branches(run: Run, call: Call, functions: Sequence[Value], called: BranchFunction) -> Value:
    before = run.state
    results: list[Value] = []
    laid_open: list[Value] = []
    calling = conversion.calling_back(run, called, call.with_arguments([]))
    with _by_hand(run, call, ConstructKind.BRANCH):
        for function in functions:
            run.state = before.fork()
            results.append(run.interpreter.call_value(run, function, calling))
            laid_open.append(opened(run.state, results[-1]))
    run.state = before
    if run.context.graph and call.node is not None:
        place = call.place
        sides = [_place(each) for each in functions]
        names = tuple(
            BranchName(RESULT, UNDEFINED, laid_open[0], other, sides[0], side)
            for other, side in zip(laid_open[1:], sides[1:], strict=True)
        )
        run.note_of_tensorflow(
            StagedBranch(place, place, names[:1] if called == "tf.cond" else _first_of_each(names), kind=called)
        )
    result = results[0]
    for other in results[1:]:
        result = join_staged(result, other)
    return result


def _first_of_each(names: tuple[BranchName, ...]) -> tuple[BranchName, ...]:
    """The names, without those whose branches have the same values as an earlier name."""
    seen = {(name.body, name.orelse): name for name in reversed(names)}
    return tuple(seen.values())


def _place(function: Value) -> Place | None:
    """The place of a branch's function."""
    if not isinstance(function, Function):
        return None
    node = function.node.body if isinstance(function.node, gast.Lambda) else function.node
    return Place(function.block, function.block.range_of(node)) if isinstance(function.node, gast.Lambda) else None


# Loops


def while_loop(run: Run, call: Call) -> Value:
    given = call.by_name("cond", "body", "loop_vars", "shape_invariants")
    variables = held_values.elements_of(run, given.get("loop_vars", UNKNOWN))
    if variables is None:
        return UNKNOWN
    given_shapes = held_values.elements_of(run, given.get("shape_invariants", UNKNOWN)) or ()
    declared = list(given_shapes) if len(given_shapes) == len(variables) else [UNKNOWN] * len(variables)
    free = "shape_invariants" in given
    state = [_declared(staged(v), d) if free else staged(v) for v, d in zip(variables, declared, strict=True)]
    with _by_hand(run, call, ConstructKind.LOOP):
        calling = conversion.calling_back(run, "tf.while_loop", call.with_arguments(state))
        test = run.interpreter.call_value(run, given.get("cond", UNKNOWN), calling)
        after = run.interpreter.call_value(run, given.get("body", UNKNOWN), calling)
    if run.context.graph and call.node is not None:
        run.note_of_tensorflow(StagedCondition(call.place, "tf.while_loop", test, decides=False))
    behind = held_values.elements_of(run, after) if not isinstance(after, Tensor) else (after,)
    if behind is None or len(behind) != len(state):
        if run.context.graph and isinstance(after, Tuple):
            note_loop(run, call, "tf.while_loop", [("loop_vars", Tuple(tuple(state)), after, None)])
        return UNKNOWN
    if run.context.graph:
        names = _parameters(given.get("body", UNKNOWN), len(state))
        kept = declared if free else [None] * len(state)
        note_loop(run, call, "tf.while_loop", list(zip(names, state, behind, kept, strict=True)))
    return Tuple(tuple(join_staged(a, b) for a, b in zip(state, behind, strict=True)))


def _declared(value: Value, shape: Value) -> Value:
    if not isinstance(value, Tensor):
        return value
    return Tensor(value.dtype, shape.shape if isinstance(shape, StaticShape) else None)


def _parameters(function: Value, count: int) -> list[str]:
    """The names of the state: the parameters of the body's function."""
    arguments = function.node.args.args if isinstance(function, Function) else []
    names = [argument.id for argument in arguments][-count:] if count else []
    return names if len(names) == count else [f"loop variable {position}" for position in range(count)]


def note_loop(
    run: Run, call: Call, over: LoopFunction, changed: Sequence[tuple[str, Value, Value, Value | None]], start: str = ""
) -> None:
    """Record the names that a loop created by a call carries, with their values and declared shapes.

    `start` is the parameter for the value, if there is only one.
    """
    if call.node is None:
        return
    given = _written(call.frame, call.node, start)
    names = tuple(
        LoopName(name, before, after, given, invariant=declared)
        for name, before, after, declared in (
            (name, opened(run.state, before), opened(run.state, after), declared)
            for name, before, after, declared in changed
        )
        if UNKNOWN not in flat(before) or UNKNOWN not in flat(after)
    )
    run.note_of_tensorflow(StagedLoop(call.place, over, names))


def _written(frame: Frame, node: gast.AST, parameter: str) -> Place | None:
    """The place of an argument that is passed by name or comes first."""
    if not parameter or not isinstance(node, gast.Call):
        return None
    named = [each.value for each in node.keywords if each.arg == parameter]
    first = next(iter(named or (node.args[:1] if parameter == "initial_state" else ())), None)
    place = None if first is None or isinstance(first, gast.Starred) else place_of(frame, first)
    return None if place is None else place._replace(value=place.range)


def fold(name: Literal["tf.scan", "tf.foldl", "tf.foldr"]) -> Handler:
    """`tf.scan`, `tf.foldl` or `tf.foldr`."""

    def folded(run: Run, call: Call) -> Value:
        given = call.by_name("fn", "elems", "initializer")
        initial = staged(given["initializer"]) if "initializer" in given else UNKNOWN
        arguments = [initial, dataset_sources.sliced(run, _elements(run, given))]
        with _by_hand(run, call, ConstructKind.MAPPED_FUNCTION):
            after = _mapped(run, given.get("fn", UNKNOWN), call.with_arguments(arguments))
        if run.context.graph and "infer_shape" not in given:
            accumulator = _parameters(given.get("fn", UNKNOWN), 2)[0]
            accumulator = "the initializer" if accumulator.startswith("loop ") else accumulator
            note_loop(run, call, name, [(accumulator, initial, after, None)], "initializer")
        return UNKNOWN

    return folded


def map_fn(run: Run, call: Call) -> Value:
    argument, result, mapped = _mapping(run, call)
    if "fn_output_signature" in call.named or "dtype" in call.named or len(call.positional) > 2:
        return UNKNOWN
    made = staged(result)
    if run.context.graph and isinstance(argument, Tensor) and isinstance(made, Tensor) and argument.dtype != made.dtype:
        note_loop(run, call, "tf.map_fn", [("an element", argument, made, None)])
    return mapped


def vectorized_map(run: Run, call: Call) -> Value:
    return _mapping(run, call)[2]


def _mapping(run: Run, call: Call) -> tuple[Value, Value, Value]:
    """The parameters and the result of a function on elements, and all of those results."""
    given = call.by_name("fn", "elems")
    elems = _elements(run, given)
    argument = dataset_sources.sliced(run, elems)
    with _by_hand(run, call, ConstructKind.MAPPED_FUNCTION):
        result = _mapped(run, given.get("fn", UNKNOWN), call.with_arguments([argument]))
    first = next((shape for part in flat(elems) if (shape := shape_of(part))), (shapes.ANY,))
    return argument, result, _stacked(result, first[0])


def _mapped(run: Run, function: Value, call: Call) -> Value:
    """Call the mapped or folded function: traced in a graph, run eagerly for each element otherwise."""
    if run.context.graph:
        return traced_callbacks.converted(run, function, call)
    return run.interpreter.call_value(run, function, call.map_arguments(partial(structures.eager, run)))


def _elements(run: Run, given: Named) -> Value:
    """The elements that are mapped or folded over: a list is a structure of tensors, not one tensor."""
    elems = given.get("elems", UNKNOWN)
    if not isinstance(elems, Object) or run.state.entries(elems.id) is not None:
        return elems
    elements = held_values.elements_of(run, elems)
    return Tuple(tuple(elements)) if elements is not None else UNKNOWN


def _stacked(value: Value, size: int | None) -> Value:
    if isinstance(value, Tensor):
        return Tensor(value.dtype, None if value.shape is None else (size, *value.shape))
    if isinstance(value, Tuple):
        return Tuple(tuple(_stacked(item, size) for item in value.items), value.fields)
    return UNKNOWN
