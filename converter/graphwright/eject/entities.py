"""Ejecting a live function: its source, its file, and what its closure and its object hold.

Whoever calls this may trace the function and say what was seen; it isn't called here.
"""

from __future__ import annotations

import functools
import linecache
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from graphwright_analysis.values.domain import Value

from graphwright.closures import closure_of
from graphwright.eject import (
    assuming,
    chosen_functions,
    knowledge,
    none_arguments,
    none_results,
    returned_changes,
    separate_items,
    setters,
    shared_values,
    sorting,
    tuple_attributes,
    unset_attributes,
)
from graphwright.eject.flagged_functions import Replacements
from graphwright.eject.flags import Flagged
from graphwright.eject.knowledge import FunctionSurroundings
from graphwright.eject.observations import Observations, Place, Restaged
from graphwright.eject.texts import Observed, ejected_with_lines
from graphwright.errors import ConversionError
from graphwright.libraries import is_library_value
from graphwright.pipeline import FunctionSource
from graphwright.sources import source_of
from graphwright.twins import original_of

Observe = Callable[[types.FunctionType, Any, list[Any], frozenset[Place], Replacements], Observations]
"""Traces a function on values, with loops that are to be the graph's and functions that stand for others."""


def to_tensorflow(
    entity: Any,
    signature: Iterable[Any] | None = None,
    observe: Observe | None = None,
) -> str:
    """The function as plain TensorFlow source; `signature` are values or specs like those it will be given.

    `observe` traces the function on such values, where they are given, and returns what was seen.
    """
    function, receiver = _function_of(entity)
    if not isinstance(function, types.FunctionType):
        raise ConversionError(f"{entity!r} isn't a function or method written in Python")
    source = source_of(function)
    names = [parameter.id for parameter in assuming.parameters_in(source.node)]
    if receiver is not None:
        names = names[1:]
    given = list(signature) if signature is not None else list(_declared(entity))
    if len(given) > len(names):
        raise ConversionError(
            f"the signature has {len(given)} parts, but `{function.__name__}` has {len(names)} parameters"
        )
    given_is_known = signature is not None or bool(given)
    values: dict[str, Value] = {name: assuming.value_like(part) for name, part in zip(names, given, strict=False)}
    around = _surroundings(function, source, receiver)
    if observe is None or not given_is_known:
        return ejected_with_lines(source, around, values).text
    return _with_flags(function, functools.partial(_traced, observe, receiver, given), receiver, values)


def _traced(observe: Observe, receiver: Any, given: list[Any], *rest: Any) -> Observations:
    function, staged, replacements = rest
    return observe(function, receiver, given, staged, replacements)


def _with_flags(
    function: types.FunctionType,
    observe: Callable[[types.FunctionType, frozenset[Place], Replacements], Observations],
    receiver: Any,
    values: Mapping[str, Value],
) -> str:
    """The text of a function, with the flags in it and in what it calls that plain TensorFlow needs."""
    replacements = Replacements()
    try:
        return _with_replacements(function, observe, receiver, values, replacements)
    except ConversionError as error:
        raise replacements.original(error) from None
    finally:
        replacements.forget()


def _with_replacements(
    function: types.FunctionType,
    observe: Callable[[types.FunctionType, frozenset[Place], Replacements], Observations],
    receiver: Any,
    values: Mapping[str, Value],
    replacements: Replacements,
) -> str:
    first: ConversionError | None = None
    tf = _surroundings(function, source_of(function), receiver).tensorflow
    found_by = (
        functools.partial(each.find, tf=tf)
        for each in (none_arguments, unset_attributes, tuple_attributes, none_results, setters)
    )
    ways = iter((*found_by, _dicts_of_lists, chosen_functions.find))
    while True:
        current = replacements.current(function)
        source = source_of(current)
        around, seen = _surroundings(current, source, receiver), list[Observations]()
        try:
            return _observed(current, functools.partial(observe, current), source, (around, values, replacements), seen)
        except Flagged as flagged:
            replacements.add(flagged.function or current, flagged)
        except ConversionError as refusal:
            first = first or replacements.original(refusal)
            requests = sorting.find(seen[-1], first) if seen else []
            if seen and not requests:
                requests = returned_changes.find(seen[-1], first)
            if seen and shared_values.HELD_ELSEWHERE in refusal.reason:
                requests = requests or shared_values.find(seen[-1], first)
            latest = None if requests else first
            requests = requests or next((found for way in ways if seen and (found := way(seen[-1], first))), requests)
            if not requests:
                raise first from None
            first = latest
            for request in requests:
                replacements.add(replacements.current(request.function), request)


def _dicts_of_lists(seen: Observations, refusal: ConversionError) -> list[Flagged]:
    functions = seen.functions.values()
    return [request for each in functions for request in separate_items.find(each.function, each.source, refusal)]


def _observed(
    function: types.FunctionType,
    observe: Callable[[frozenset[Place], Replacements], Observations],
    source: FunctionSource,
    given: tuple[FunctionSurroundings, Mapping[str, Value], Replacements],
    traces: list[Observations],
) -> str:
    """The text, by what a trace has shown; loops that can't be Python's are the graph's in another trace."""
    around, values, replacements = given
    staged, refusal = frozenset[Place](), None
    while True:
        seen = observe(staged, replacements)
        traces.append(seen)
        if refusal is not None and not seen.functions:
            raise refusal
        try:
            observed = Observed(function, seen, _around_callee) if seen.functions else None
            made = ejected_with_lines(source, around, values, observed)
            if seen.check is not None:
                seen.check(made.text, made.lines)
            return made.text
        except Restaged as restaged:
            refusal = restaged.refusal
            if restaged.place in staged:
                raise refusal from None
            staged |= {restaged.place}
        except ConversionError as error:
            raise (seen.failure and seen.failure()) or error from None


def _around_callee(function: types.FunctionType, receiver: Any = None) -> FunctionSurroundings:
    return _surroundings(function, source_of(function, of_any_kind=True), receiver)


def _function_of(entity: Any) -> tuple[Any, Any]:
    """The plain function in a method, a `tf.function` or a decorator of ours, and the object that it is bound to."""
    receiver = None
    for _ in range(8):
        entity = original_of(entity)
        if isinstance(entity, types.FunctionType):
            break
        if isinstance(entity, types.MethodType):
            entity, receiver = entity.__func__, entity.__self__
            continue
        found = [getattr(entity, name) for name in ("python_function", "func", "__func__") if hasattr(entity, name)]
        inner = found[0] if found else None
        if inner is None:
            call: Any = cast(Any, type(entity)).__call__ if callable(entity) else None
            return (call, entity) if isinstance(call, types.FunctionType) else (entity, receiver)
        entity = inner
    return entity, receiver


def _declared(entity: Any) -> Iterable[Any]:
    """The input signature of a `tf.function`."""
    return getattr(entity, "input_signature", None) or ()


def _surroundings(function: types.FunctionType, source: FunctionSource, receiver: Any) -> FunctionSurroundings:
    text = "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))
    seen = knowledge.surroundings_of(text)
    scope = _scope_of(function)
    bindings = _bindings(scope if not text else {name: scope[name] for name in source.free if name in scope})
    if receiver is not None:
        bindings += _receiver(receiver, source, scope)
    tensorflow = next((name for name, held in scope.items() if _is_module(held, "tensorflow")), None)
    ours = frozenset(name for name, held in scope.items() if _is_module(held, "graphwright"))
    return FunctionSurroundings(
        text,
        bindings,
        tensorflow or seen.tensorflow,
        ours | seen.operators,
        tensorflow is not None or seen.imported,
        "" if receiver is None else "_receiver",
    )


def _scope_of(function: types.FunctionType) -> dict[str, Any]:
    """The names that the function finds outside of itself."""
    code = function.__code__
    scope = {name: function.__globals__[name] for name in sorted(_names_in(code)) if name in function.__globals__}
    return scope | closure_of(function)


def _names_in(code: types.CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return set(code.co_names).union(*[_names_in(part) for part in inner])


def _bindings(scope: Mapping[str, Any]) -> str:
    texts: list[str] = []
    for name, held in scope.items():
        plain = original_of(held) if callable(held) else held
        if isinstance(plain, types.FunctionType) and not is_library_value(plain):
            try:
                texts.append(_definition(source_of(plain)))
                texts.append(f"{name} = {plain.__name__}\n" if name != plain.__name__ else "")
            except ConversionError:
                continue
        elif not _is_module(held, "graphwright"):
            texts.append(assuming.binding_of(name, held))
    return "".join(texts)


def _definition(source: FunctionSource) -> str:
    return knowledge.copy_of(source, "_lambda") + "\n"


def _receiver(receiver: Any, source: FunctionSource, scope: Mapping[str, Any]) -> str:
    """An object with attributes like those of the one that a method is bound to."""
    attributes = "".join(
        f"_receiver.{line}"
        for name, held in sorted(getattr(receiver, "__dict__", {}).items())
        if name.isidentifier() and (line := assuming.binding_of(name, held)) and not line.startswith("import ")
    )
    base = f"({type(receiver).__name__})" if type(receiver).__qualname__.isidentifier() else ""
    return f"class _Receiver{base}:\n    def __init__(self):\n        pass\n_receiver = _Receiver()\n{attributes}"


def _is_module(held: Any, name: str) -> bool:
    return isinstance(held, types.ModuleType) and held.__name__ == name
