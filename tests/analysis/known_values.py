"""Writes down what is known of a file line by line: what names and expressions are, and who decides at control flow.

It says what the editor shows, with its hints in the line, and more: of lists, dicts and instances, too, what they are.
Nothing is judged here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import gast
from graphwright_analysis import Project, Range, inlay_hints
from graphwright_analysis.ide import control_flow, staging
from graphwright_analysis.ide.values import describe
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.tracing import Trace
from graphwright_analysis.values import domain
from graphwright_analysis.values.domain import Value


def known(project: Project, path: str) -> Iterator[str]:
    """The lines of a file of which something is known, with their hints, and under each what that is.

    What a name or expression is said to be holds for the lines below, until it is said to be something else.
    """
    module, trace = project.module(path), project.trace(path)
    decided: dict[int, list[str]] = defaultdict(list)
    values: dict[int, dict[str, None]] = defaultdict(dict)
    together = trace.values.together()
    for block, node in _nodes(module):
        line = module.lines.line_of(module.range_of(block, node).start)
        decided[line] += _decision(trace, block, node)
        values[line].update(dict.fromkeys(_value(block, node, together.get(node))))
    said: dict[str, str] = {}
    for number, text in enumerate(_with_hints(project, path).splitlines()):
        new = [f"{name}: {value}" for name, value in values[number] if said.get(name) != value]
        said.update(values[number])
        if new or decided[number] or "«" in text:
            yield f"{number + 1:3} | {text}"
            yield from (f"      {each}" for each in (*decided[number], *["; ".join(new)] * bool(new)))


def _nodes(module: Module) -> Iterator[tuple[Block, gast.AST]]:
    for block in module.blocks:
        for statement in block.statements:
            yield from ((block, node) for node in gast.walk(statement) if isinstance(node, (gast.stmt, gast.expr)))


def _with_hints(project: Project, path: str) -> str:
    text = project.text(path)
    for hint in reversed(inlay_hints(project, path, Range(0, len(text)))):
        text = f"{text[: hint.offset]}«{hint.label.strip()}»{text[hint.offset :]}"
    return text


def _decision(trace: Trace, block: Block, node: gast.AST) -> Iterator[str]:
    """Who decides, and what goes through."""
    if not isinstance(node, (gast.If, gast.For, gast.While, gast.IfExp)):
        return
    words = control_flow.in_words(trace, block, node)
    if words is not None:
        yield words
        yield from (line for part in staging.state_through(trace, block, node) for line in part.splitlines()[2:])


def _value(block: Block, node: gast.AST, value: Value | None) -> Iterator[tuple[str, str]]:
    if isinstance(node, _TOLD) and value is not None:
        words = in_words(value)
        name = node.id if isinstance(node, gast.Name) else control_flow.source(block, node)
        if words is not None and words != name:
            yield name, words


_TOLD = (gast.Name, gast.Attribute, gast.Call, gast.Subscript, gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp)


def in_words(value: Value) -> str | None:
    """What a value is; None of functions, classes and modules, which are what they say."""
    match value:
        case (
            domain.Function()
            | domain.Traced()
            | domain.Class()
            | domain.Api()
            | domain.Method()
            | domain.Bound()
            | domain.Spec()
            | domain.Partial()
        ):
            return None
        case domain.Tensor(is_range=True):
            return f"range of {describe(value)}"
        case domain.Unknown():
            return "?" if value.bound else "maybe unbound"
        case domain.Unbound():
            return "unbound"
        case domain.Object():
            return f"a {value.kind}"
        case domain.Sequence():
            length = "" if value.length is None else f" of {value.length}"
            return f"iterable{length} over {in_words(value.element)}"
        case domain.Tuple() if value.fields:
            return f"{', '.join(value.fields)} = {describe(value)}"
        case domain.ApiInstance():
            return f"a {value.name}"
        case domain.StaticShape():
            return f"{type(value).__name__} {value.shape}"
        case _:
            return describe(value) or type(value).__name__
