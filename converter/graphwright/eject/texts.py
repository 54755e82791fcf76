"""From a function's source and what stands around it to its text in plain TensorFlow.

Only text is looked at: an editor can ask for what isn't imported.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from graphwright_analysis.syntax.tree import parse_source
from graphwright_analysis.values.domain import Unknown, Value

from graphwright.eject import assuming, knowledge, seeds
from graphwright.eject.knowledge import FunctionKnowledge, FunctionSurroundings
from graphwright.eject.loops import Restated
from graphwright.eject.style import TensorFlow
from graphwright.errors import ConversionError
from graphwright.pipeline import FunctionSource, Generated, generate

_ROUNDS = 4


@dataclass(slots=True)
class _Ejection:
    """What comes into one text: the functions, by name, those that are called first."""

    around: FunctionSurroundings
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
    source: FunctionSource, around: FunctionSurroundings, values: Mapping[str, Value] | None = None
) -> Generated:
    """The same, with the user's line for every line; what belongs to none has that of the line after it."""
    given = dict(values or {})
    parameters = assuming.parameters_in(source.node)
    if around.text and any(isinstance(given.get(parameter.id, Unknown()), Unknown) for parameter in parameters):
        for name, value in knowledge.parameters_given(source, around).items():
            if isinstance(given.get(name, Unknown()), Unknown):
                given[name] = value
    ejection = _Ejection(around)
    name: str = getattr(source.node, "name", "")
    ejection.begun.append(name)
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


def _add(ejection: _Ejection, name: str, source: FunctionSource, values: Mapping[str, Value]) -> None:
    around = ejection.around
    known = _seeded(source, around, values)
    style = TensorFlow(known, around.tensorflow, around.operators)
    try:
        generated = generate(replace(known.source, recursive=False), style)
    except Restated as restated:
        _add(ejection, name, _restated(known.source, restated.span), values)
        return
    text = generated.text
    ejection.elsewhere += [(place, source) for place in known.elsewhere]
    _refuse_operators(generated, source)
    for called in style.called:
        if called not in ejection.begun:
            ejection.begun.append(called)
            callee = known.functions[called]
            given = {part.id: known.value(part) for part in assuming.parameters_in(callee.node)}
            _add(ejection, called, callee, given)
    if name == ejection.begun[0] or not _is_same(text, source):
        ejection.texts[name] = generated


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


def _refuse_operators(generated: Generated, source: FunctionSource) -> None:
    """Refuse what came out with a call of Graphwright's in it."""
    for part in ast.walk(ast.parse(generated.text)):
        if isinstance(part, ast.Name) and part.id == generated.alias:
            line = generated.lines[part.lineno - 1]
            raise ConversionError("plain TensorFlow has no simple equivalent", source.file, line)


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
    """Whether a function comes out as it went in."""
    return ast.dump(ast.parse(text)) == ast.dump(ast.parse(knowledge.copy_of(source, "")))
