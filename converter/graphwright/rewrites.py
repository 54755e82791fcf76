"""Rewrites of a function that take the converter: put under `@gw.function`, or made plain TensorFlow in its place.

Text in, edits out; which function is meant, and what of it a graph wouldn't do again, the analysis finds out.
"""

from __future__ import annotations

import ast
import re

from graphwright_analysis.diagnostics import Edit, apply_edits
from graphwright_analysis.ide.refactoring import Offer, Rewrite, RewriteSite
from graphwright_analysis.ide.refactoring.functions import TargetFunction, target_at
from graphwright_analysis.ide.refactoring.graph import fitness, objection
from graphwright_analysis.ide.refactoring.imports import importing, spelling
from graphwright_analysis.syntax.blocks import logical_lines
from graphwright_analysis.text import Range

from .previews import PreviewRefusal, preview_of_text

__all__ = ["REWRITES"]

_GRAPHWRIGHT = "Convert to graph with Graphwright: add @{}.function"
_PLAIN = "Rewrite as plain TensorFlow"


def _expected_under_graphwright(asked: RewriteSite) -> Offer | None:
    fit = fitness(asked, "graphwright", printing=False)
    return None if fit is None else Offer(_GRAPHWRIGHT.format(fit.package), (), fit.refused, fit.doubt)


def _under_graphwright(asked: RewriteSite) -> tuple[Offer, ...]:
    """The function under `@gw.function`, where the converter takes it and what it converts to computes the same."""
    fit = fitness(asked, "graphwright", printing=False)
    if fit is None:
        return ()
    title, target = _GRAPHWRIGHT.format(fit.package), fit.target
    refused = fit.refused
    if refused is None:
        made = preview_of_text(target.module.text, target.range.start)
        refused = _said(made.refused) if made is not None else None
    edits = fit.decorated(f"@{fit.package}.function")
    if refused is None:
        refused = objection(asked, target, edits)
    edits = () if refused else edits
    return (Offer(title, edits, refused, None if refused else fit.doubt),)


def _expected_as_tensorflow(asked: RewriteSite) -> Offer | None:
    target = target_at(asked.project, asked.path, asked.range, asked.anywhere)
    return None if target is None or not _has_control_flow(target) else Offer(_PLAIN)


def _as_tensorflow(asked: RewriteSite) -> tuple[Offer, ...]:
    """The function with `tf.cond` and `tf.while_loop` in place of what is staged, under the decorators that it has."""
    target = target_at(asked.project, asked.path, asked.range, asked.anywhere)
    if target is None or not _has_control_flow(target):
        return ()
    made = preview_of_text(target.module.text, target.range.start, "tensorflow")
    if made is None:
        return ()
    if made.refused is not None:
        return (Offer(_PLAIN, refused=_said(made.refused)),)
    found = importing(target.module, "tensorflow", target.header.start)
    text = re.sub(r"\Aimport tensorflow as \w+\n\s*", "", made.text)
    others = [name for name in _defined_in(text) if name != target.node.name]
    if others:
        words = f"`{others[0]}`, which `{target.node.name}` calls, must be rewritten first."
        return (Offer(_PLAIN, refused=words),)
    if found is None:
        return (Offer(_PLAIN, refused="`tf` isn't TensorFlow in this file."),)
    body = _replaced(target, text)
    if body is None:
        return (
            Offer(
                _PLAIN,
                refused=f"`{target.node.name}` is already plain TensorFlow: nothing in it becomes graph control flow.",
            ),
        )
    edits = (body, *_decorators(target, found[0]), *found[1])
    if not _holds(target, text, edits):
        words = f"`{target.node.name}` contains a multi-line string that can't be reindented."
        return (Offer(_PLAIN, refused=words),)
    refused = objection(asked, target, edits)
    return (Offer(_PLAIN, () if refused else edits, refused),)


REWRITES = (
    Rewrite("gw-function", _expected_under_graphwright, _under_graphwright),
    Rewrite("plain-tensorflow", _expected_as_tensorflow, _as_tensorflow, is_slow=True),
)


def _said(refusal: PreviewRefusal | None) -> str | None:
    if refusal is None:
        return None
    words = refusal.message[:1].upper() + refusal.message[1:] if refusal.message[:1].isalpha() else refusal.message
    return f"{words.rstrip('.')} (line {refusal.line + 1})."


def _has_control_flow(target: TargetFunction) -> bool:
    """Whether anything stands in the function that may become control flow of a graph."""
    return _CONTROL_FLOW.search(target.module.text, target.range.start, target.range.end) is not None


_CONTROL_FLOW = re.compile(r"\b(?:if|for|while|and|or|not|in|assert|match|print|min|max|sum|any|all|len|append)\b")


def _defined_in(text: str) -> list[str]:
    return [each.name for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)]


def _replaced(target: TargetFunction, text: str) -> Edit | None:
    """The lines of the function that change; None where none does."""
    whole, indent, end = target.module.text, target.indent, target.end_of_line
    start, stop = target.range.start - len(indent), target.range.end
    header = _first_line(whole[start:stop])
    if _is_short(target, start + len(header)):
        header = ""
    body = text[len(_first_line(text)) :] if header else text
    after = header.splitlines() + [f"{indent}{line}" if line.strip() else line for line in body.rstrip().splitlines()]
    before = whole[start:stop].splitlines(keepends=True)
    head = _alike(before, after)
    tail = min(_alike(before[::-1], after[::-1]), len(before) - head, len(after) - head)
    if head + tail >= max(len(before), len(after)):
        return None
    at = start + sum(map(len, before[:head]))
    last = start + sum(map(len, before[: len(before) - tail]))
    return Edit(Range(at, last), end.join(after[head : len(after) - tail]) + (end if tail else ""))


def _alike(before: list[str], after: list[str]) -> int:
    """How many lines in front are the same."""
    pairs = [one.rstrip() == other.rstrip() for one, other in zip(before, after, strict=False)]
    return pairs.index(False) if False in pairs else len(pairs)


def _first_line(text: str) -> str:
    """The header of a function, over as many lines as it has."""
    return text[: next(line.end for line in logical_lines(text))]


def _is_short(target: TargetFunction, end: int) -> bool:
    """Whether the body stands on the header's line."""
    return target.place(target.node.body[0]).start < end


def _decorators(target: TargetFunction, tensorflow: str) -> tuple[Edit, ...]:
    """Graphwright's decorators give way to TensorFlow's, without AutoGraph, for which nothing is left to do."""
    alias = spelling(target.module, "graphwright", target.header.start)
    edits: list[Edit] = []
    for decorator in target.node.decorator_list if alias else ():
        place = target.place(decorator)
        text = target.module.text[place.start : place.end]
        if text == f"{alias}.function":
            edits.append(Edit(place, f"{tensorflow}.function(autograph=False)"))
    return tuple(edits)


def _holds(target: TargetFunction, text: str, edits: tuple[Edit, ...]) -> bool:
    """Whether the function in the edited file is what the text says."""
    wanted = ast.dump(ast.Module(_function(ast.parse(text), target.node.name)[0].body, []))
    try:
        edited = ast.parse(apply_edits(target.module.text, edits))
    except (SyntaxError, ValueError):
        return False
    return any(ast.dump(ast.Module(each.body, [])) == wanted for each in _function(edited, target.node.name))


def _function(tree: ast.Module, name: str) -> list[ast.FunctionDef]:
    return [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == name]
