"""From a function's source and what stands around it to its text in plain TensorFlow.

Only text is looked at: an editor can ask for what isn't imported.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast
from graphwright_analysis.syntax.tree import parse_source
from graphwright_analysis.values.domain import Unknown, Value

from graphwright.eject import assuming, generators, knowledge, long_lines, merged_lines, seeds
from graphwright.eject.flags import Flagged
from graphwright.eject.knowledge import FunctionKnowledge, FunctionSurroundings
from graphwright.eject.loops import Restated
from graphwright.eject.observations import CalledFunction, FunctionObservations, Observations, Restaged
from graphwright.eject.setters import setter_of
from graphwright.eject.style import TensorFlow
from graphwright.errors import ConversionError
from graphwright.libraries import is_library_function
from graphwright.passes.unit import walk
from graphwright.pipeline import FunctionSource, Generated, generate
from graphwright.sources import source_of

_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Observed:
    """What a trace of `function` has shown, and how to find what stands around another function."""

    function: Any
    observations: Observations
    surroundings: Callable[..., FunctionSurroundings]


@dataclass(slots=True)
class _Ejection:
    """What comes into one text: the functions, by name, those that are called first."""

    around: FunctionSurroundings
    observed: Observed | None = None
    names: dict[Any, str | None] = field(default_factory=dict[Any, "str | None"])
    """What observed functions are called in the text, by their code; None for those that stay as they are."""
    texts: dict[str, Generated] = field(default_factory=dict[str, Generated])
    begun: list[str] = field(default_factory=list[str])
    elsewhere: list[tuple[tuple[str, str, int], FunctionSource]] = field(
        default_factory=list[tuple[tuple[str, str, int], FunctionSource]]
    )


def ejected(source: FunctionSource, around: FunctionSurroundings, values: Mapping[str, Value] | None = None) -> str:
    """The function as plain TensorFlow, and with it what it calls of its file that has to be another there.

    `values` are what its parameters are assumed to be given. Raises ConversionError with the construct and its line
    where it can't be said, or isn't known.
    """
    return ejected_with_lines(source, around, values).text


def ejected_with_lines(
    source: FunctionSource,
    around: FunctionSurroundings,
    values: Mapping[str, Value] | None = None,
    observed: Observed | None = None,
) -> Generated:
    """The same, with the user's line for every line; what belongs to none has that of the line after it."""
    given = dict(values or {})
    parameters = assuming.parameters_in(source.node)
    if around.text and any(isinstance(given.get(parameter.id, Unknown()), Unknown) for parameter in parameters):
        for name, value in knowledge.parameters_given(source, around).items():
            if isinstance(given.get(name, Unknown()), Unknown):
                given[name] = value
    ejection = _Ejection(around, observed)
    name: str = getattr(source.node, "name", "")
    ejection.begun.append(name)
    if observed is not None:
        code = observed.function.__code__
        ejection.names[code] = name
        _add(ejection, name, source, given, observed.observations.functions.get(code))
        _refuse_unwritten(ejection)
    else:
        _add(ejection, name, source, given)
        _refuse_others(ejection)
    parts = list(ejection.texts.values())
    if not around.imported:
        parts.insert(0, Generated(f"import tensorflow as {around.tensorflow}\n", parts[0].lines[:1]))
    return _together(parts)


def _together(parts: list[Generated]) -> Generated:
    lines: list[int] = []
    for part in parts:
        lines += [*part.lines[:1], *part.lines[:1], *part.lines] if lines else part.lines
    return Generated("\n\n".join(part.text for part in parts), tuple(lines), parts[0].alias)


def _add(
    ejection: _Ejection,
    name: str,
    source: FunctionSource,
    values: Mapping[str, Value],
    seen: FunctionObservations | None = None,
) -> None:
    around = ejection.around
    known = _seeded(source, around, values)
    if seen is not None:
        known = knowledge.with_observations(known, seen)
    observations = ejection.observed.observations if ejection.observed is not None else None
    names = around.tensorflow, around.operators
    style = TensorFlow(known, *names, functools.partial(_written, ejection), observations)
    try:
        generated = generate(replace(known.source, recursive=False), style)
    except Restated as restated:
        if known.source.text[slice(*restated.span)] == assuming.TRUE:
            reason = "the graph decides when this loop ends: write its condition in the `while`"
            raise ConversionError(reason, source.file, source.first_line) from None
        _add(ejection, name, _restated(known.source, restated.span), values, seen)
        return
    except (Restaged, Flagged) as request:
        raise _placed(request, known, source, seen) from None
    generated = long_lines.wrapped(merged_lines.merged(_without_operators(generated, source)), known.source.text)
    if seen is not None:
        if observations is not None and name != ejection.begun[0]:
            generated = _at_user_lines(generated, source, observations)
        ejection.texts[name] = _named(generated, getattr(source.node, "name", name), name)
        return
    text = generated.text
    ejection.elsewhere += [(place, source) for place in known.elsewhere]
    for called in style.called:
        if called not in ejection.begun:
            ejection.begun.append(called)
            callee = known.functions[called]
            given = {part.id: known.value(part) for part in assuming.parameters_in(callee.node)}
            _add(ejection, called, callee, given)
    if name == ejection.begun[0] or not _is_same(text, source):
        ejection.texts[name] = generated


def _at_user_lines(generated: Generated, source: FunctionSource, observations: Observations) -> Generated:
    """The same with the lines of the user's file, where the function stands for another one."""
    return replace(generated, lines=observations.replacements.user_lines(source.file, generated.lines))


def _placed(
    request: Restaged | Flagged, known: FunctionKnowledge, source: FunctionSource, seen: FunctionObservations | None
) -> Exception:
    """What a function needs to be ejected, its refusal with the line in the file."""
    if request.refusal.file:
        return request
    line = known.source.first_line + request.refusal.line - 1
    refusal = ConversionError(request.refusal.reason, source.file, line)
    if isinstance(request, Restaged):
        return Restaged(request.place, refusal)
    # Where a loop had no condition, `source` is a copy that begins elsewhere.
    moved = known.source.first_line - (source if seen is None else seen.source).first_line
    flagged = request.moved(refusal, moved)
    flagged.function = None if seen is None else seen.function
    return flagged


def _written(ejection: _Ejection, callee: CalledFunction, given: Mapping[str, Value]) -> str | None:
    """The name of a called function in the text; None if it is called as it is."""
    observed = ejection.observed
    code = callee.function.__code__
    if code in ejection.names:
        return ejection.names[code]
    if is_library_function(callee.function):
        # `contextlib.contextmanager` and its like wrap functions of the user's in their own.
        return None
    if observed is not None and code.co_flags & inspect.CO_GENERATOR:
        return _written_generator(ejection, observed, callee, given)
    if observed is None or code not in observed.observations.functions:
        return None
    seen = observed.observations.functions[code]
    name = ejection.names[code] = _free_name(ejection, callee)
    outer, ejection.around = ejection.around, observed.surroundings(callee.function)
    try:
        _add(ejection, name, seen.source, {}, seen)
    finally:
        ejection.around = outer
    # What a getter reads is state of the loops and branches around it, as in a call, but an attribute looks like none.
    is_getter = callee.by_attribute and isinstance(callee.receiver, type)
    is_other = (
        is_getter or _is_setter(ejection, callee) or observed.observations.replacements.is_replaced(seen.function)
    )
    if not is_other and _is_same(ejection.texts[name].text, seen.source):
        del ejection.texts[name]
        ejection.names[code] = None
    else:
        _refuse_foreign(observed, callee, seen.source)
    return ejection.names[code]


def _written_generator(
    ejection: _Ejection, observed: Observed, callee: CalledFunction, given: Mapping[str, Value]
) -> str | None:
    """The same for a generator, which isn't traced, but looked at for what it is given."""
    receiver = callee.receiver if callee.by_attribute else None
    ejection.names[callee.function.__code__] = None
    try:
        around = observed.surroundings(callee.function, receiver)
        source = source_of(callee.function, of_any_kind=True)
        known = knowledge.known_of(source, around, given)
    except ConversionError:
        return None
    generated = generators.written(known, source, ejection.around.tensorflow)
    if generated is not None:
        name = ejection.names[callee.function.__code__] = _free_name(ejection, callee)
        ejection.texts[name] = _named(generated, callee.function.__name__, name)
        _refuse_foreign(observed, callee, source)
    return ejection.names[callee.function.__code__]


def _free_name(ejection: _Ejection, callee: CalledFunction) -> str:
    """What a called function is called in the text: as the user calls it, unless that is something else there."""
    assert ejection.observed is not None
    function, own = callee.function, ejection.observed.function.__globals__
    plain: str = f"set_{function.__name__}" if _is_setter(ejection, callee) else function.__name__
    if plain == "<lambda>":
        plain = next((name for name, held in own.items() if held is function), "function")
    known = own.get(plain)
    if plain.isidentifier() and isinstance(known, types.FunctionType) and _current(ejection, known) is function:
        return plain
    taken = {name for name in ejection.names.values() if name} | set(own)
    for seen in ejection.observed.observations.functions.values():
        parts = walk(seen.source.node)
        taken |= {part.id for part in parts if isinstance(part, gast.Name)}
    owner = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", _class_of(callee)).lower()
    both = f"{owner}_{plain.strip('_')}"
    is_other = plain.startswith("__") or plain in dir(builtins)
    names = (owner, both) if plain == "__call__" else (both,) if is_other else (plain, owner, both)
    for name in names:
        if name and name.isidentifier() and name not in taken:
            return name
    number = 2
    while f"{plain.strip('_')}_{number}" in taken:
        number += 1
    return f"{plain.strip('_')}_{number}"


def _is_setter(ejection: _Ejection, callee: CalledFunction) -> bool:
    """Whether a function sets a property."""
    assert ejection.observed is not None
    owner = ejection.observed.function.__globals__.get(_class_of(callee))
    return setter_of(owner, callee.function.__name__) is callee.function


def _current(ejection: _Ejection, function: types.FunctionType) -> types.FunctionType:
    """The function that was traced instead of a function."""
    assert ejection.observed is not None
    return ejection.observed.observations.replacements.current(function)


def _class_of(callee: CalledFunction) -> str:
    """The name of the class that a method belongs to."""
    return callee.function.__qualname__.rpartition(".")[0].rpartition(".")[2].strip("<>")


def _refuse_foreign(observed: Observed, callee: CalledFunction, source: FunctionSource) -> None:
    """Refuse a called function that reads what the text has no name for."""
    function = callee.function
    if function.__closure__ and set(function.__code__.co_freevars) - {"__class__"}:
        raise ConversionError(
            f"`{function.__name__}` is called in the graph and reads variables of the function around it "
            f"(`{function.__code__.co_freevars[0]}`): pass them as arguments",
            source.file,
            function.__code__.co_firstlineno,
        )
    own = observed.function.__globals__
    if function.__globals__ is own:
        return
    for name in function.__code__.co_names:
        if name in function.__globals__ and own.get(name) is not function.__globals__[name]:
            raise ConversionError(
                f"`{function.__name__}` is called in the graph and reads `{name}` of its own file: import `{name}` "
                "where it is called, too",
                source.file,
                function.__code__.co_firstlineno,
            )


def _refuse_unwritten(ejection: _Ejection) -> None:
    """Refuse a text that calls what the graph decides in and that isn't in it."""
    assert ejection.observed is not None
    for code, seen in ejection.observed.observations.functions.items():
        if code not in ejection.names and any(kind in ("If", "For", "While") for kind, _ in seen.carried):
            name: str = seen.function.__qualname__
            raise ConversionError(
                f"Keras calls `{name}`, in which the graph decides something: eject the method of the layer by "
                "itself, with what the layer is called with as `signature`, and put the result in its class"
                if _is_of_keras(seen.function)
                else f"`{name}` is called in the graph in a way that isn't seen as a call of it: call it by name",
                seen.source.file,
                seen.source.first_line,
            )


def _is_of_keras(function: types.FunctionType) -> bool:
    """Whether a function is a method of a Keras layer or model."""
    owner = function.__globals__.get(function.__qualname__.partition(".")[0])
    bases = owner.__mro__ if isinstance(owner, type) else ()
    return any(base.__module__.partition(".")[0] == "keras" for base in bases)


def _named(generated: Generated, old: str, new: str) -> Generated:
    """A function's text under another name; a lambda gets one."""
    if generated.text.startswith("lambda"):
        return replace(generated, text=f"{new} = {generated.text}")
    return replace(generated, text=re.sub(rf"^def {re.escape(old)}\b", f"def {new}", generated.text, count=1))


def _refuse_others(ejection: _Ejection) -> None:
    """Refuse a text that calls what is staged and isn't in it."""
    for (top, name, line), source in ejection.elsewhere:
        if top not in ejection.begun:
            raise ConversionError(
                f"`{name}` is called in the graph, but only undecorated module-level functions are rewritten along "
                "with their callers. Make it one, or rewrite it separately and wrap it in `tf.function`",
                source.file,
                line,
            )


def _restated(source: FunctionSource, span: tuple[int, int]) -> FunctionSource:
    """The source with a condition that the graph decides, where it said `True`."""
    start, end = span
    if end - start != len(assuming.TRUE):
        line = source.text.count("\n", 0, start) + source.first_line
        raise ConversionError("write `while True`", source.file, line)
    text = source.text[:start] + assuming.TRUE + source.text[end:]
    node = knowledge.function_in(parse_source(text), getattr(source.node, "name", "_lambda"))
    return replace(source, text=text, node=node)


def _without_operators(generated: Generated, source: FunctionSource) -> Generated:
    """The same; what came out with a call of Graphwright's in it is refused."""
    for part in ast.walk(ast.parse(generated.text)):
        if isinstance(part, ast.Name) and part.id == generated.alias:
            line = generated.lines[part.lineno - 1]
            raise ConversionError("plain TensorFlow has no simple equivalent", source.file, line)
    return generated


def _seeded(source: FunctionSource, around: FunctionSurroundings, values: Mapping[str, Value]) -> FunctionKnowledge:
    """What is known of the function, its numbers written as tensors of the dtypes that they must have."""
    known = _known(source, around, values)
    for _ in range(_ROUNDS):
        if not known.seeds:
            break
        text = known.source.text
        for (start, end), dtype in sorted(known.seeds.items(), reverse=True):
            text = text[:start] + seeds.written(around.tensorflow, text[start:end], dtype) + text[end:]
        node = knowledge.function_in(parse_source(text), getattr(source.node, "name", "_lambda"))
        known = _known(replace(known.source, text=text, node=node), around, values)
    return known


def _known(source: FunctionSource, around: FunctionSurroundings, values: Mapping[str, Value]) -> FunctionKnowledge:
    try:
        return knowledge.known_of(source, around, values)
    except ConversionError as error:
        raise ConversionError(error.reason, source.file, source.first_line) from None


def _is_same(text: str, source: FunctionSource) -> bool:
    """Whether a function comes out as it went in, under whatever name."""
    return _dumped(text) == _dumped(knowledge.copy_of(source, "_lambda"))


def _dumped(text: str) -> str:
    """The tree of a function's text without its name; a method stands in an `if`."""
    made = ast.parse(text).body[0]
    function = made.body[0] if isinstance(made, ast.If) else made
    if isinstance(function, ast.FunctionDef):
        function.name = ""
    return ast.dump(function.value if isinstance(function, ast.Assign) else function)
