"""Which comments allow findings that aren't there, as facts for the rules.

Only code that the file's own run has followed with known values counts; what other files see there, it can't know.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

import gast

from .families import FAMILIES, rule_names
from .rule import all_rules
from .settings import Settings
from .syntax import Block, Module, RuleName, Suppression
from .text import Range
from .tracing import Place, Trace
from .tracing.facts import AllowUnused
from .values.domain import Unknown, Value

Function = gast.FunctionDef | gast.AsyncFunctionDef


def unused_allows(
    module: Module, trace: Trace, settings: Settings, idle: Sequence[tuple[Suppression, tuple[RuleName, ...]]]
) -> Iterator[AllowUnused]:
    """Of the comments that no finding needs those that are surely of no use.

    Silent where anything around the comment wasn't followed: a finding could be missing for that reason.
    """
    if module.errors or not trace.complete or not trace.starts:
        return
    values, called = trace.values.together(), trace.called
    for suppression, names in idle:
        written = {name.name for name in names} if names else set[str]()
        if not all(_applies(name, settings) for name in written or ("all",)):
            continue
        statements = [*_covered(module, suppression)]
        functions = {function for _, function in statements}
        if not statements or not functions - {None} <= called:
            continue
        if all(_is_known(statement, values) for statement, _ in statements):
            only = names if len(names) < len(suppression.rules) else ()
            for at, name in [(name.range, name.name) for name in only] or [(suppression.range, "")]:
                yield _fact(module, suppression, at, name)


def _applies(name: str, settings: Settings) -> bool:
    """Whether every rule that goes by a name speaks in the file."""
    rules = [rule for rule in all_rules() if name in ("all", rule.name, rule.family)]
    known = name == "all" or name in FAMILIES or name in rule_names()
    return known and all(settings.severity_of(rule, rule.severity) is not None for rule in rules)


def _covered(module: Module, suppression: Suppression) -> Iterator[tuple[gast.stmt, Function | None]]:
    """The outermost statements that begin where a comment applies, each with the function of the file around it."""
    covered = suppression.covered or Range(0, -1)
    for block in module.blocks:
        # The text of a piece may be an older one with the same code; the block knows where that is now.
        statements = [statement for piece in block.pieces for statement in piece.statements]
        pending: list[tuple[gast.AST, Function | None]] = [(each, None) for each in reversed(statements)]
        while pending:
            node, function = pending.pop()
            if isinstance(node, Function) and function is None:
                function = node
            if isinstance(node, gast.stmt) and covered.start <= module.range_of(block, node).start <= covered.end:
                yield node, function
            elif isinstance(node, (gast.stmt, gast.ExceptHandler, gast.match_case)):
                pending += [(each, function) for each in reversed([*gast.iter_child_nodes(node)])]


def _is_known(statement: gast.stmt, values: Mapping[gast.AST, Value]) -> bool:
    """Whether every name in a statement was evaluated or bound, and nothing in it is unknown."""
    pending: list[gast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(values.get(node), Unknown) or (isinstance(node, gast.Name) and node not in values):
            return False
        annotations = (getattr(node, "annotation", None), getattr(node, "returns", None))
        pending += [each for each in gast.iter_child_nodes(node) if each not in annotations]
    return True


def _fact(module: Module, suppression: Suppression, at: Range, name: str) -> AllowUnused:
    start = module.starts[bisect_right(module.starts, at.start) - 1]
    block = module.block_at(at.start)
    removed, text = _without(module.text, suppression, at) if name else _without_comment(module.text, suppression.range)
    written = name or ", ".join(each.name for each in suppression.rules)
    return AllowUnused(_place(block, start, at), written, _place(block, start, removed), text)


def _place(block: Block, start: int, span: Range) -> Place:
    return Place(block, span.shifted(-start))


def _without(text: str, suppression: Suppression, at: Range) -> tuple[Range, str]:
    """The edit that removes one of several names, with its comma."""
    index = next(index for index, name in enumerate(suppression.rules) if name.range == at)
    if index:
        return Range(suppression.rules[index - 1].range.end, at.end), ""
    return Range(at.start, suppression.rules[1].range.start), ""


def _without_comment(text: str, comment: Range) -> tuple[Range, str]:
    """The edit that removes a comment, and its line if it is alone there; other words of the comment stay."""
    line_start = text.rfind("\n", 0, comment.start) + 1
    line_end = text.find("\n", comment.end)
    line_end = len(text) if line_end < 0 else line_end + 1
    before, after = text[line_start : comment.start], text[comment.end : line_end]
    if after.lstrip().startswith("#"):
        return Range(comment.start, comment.end + len(after) - len(after.lstrip())), ""
    if after.strip():
        return comment, "#" if after.startswith((" ", "\t")) else "# "
    if not before.strip():
        return Range(line_start, line_end), ""
    return Range(line_start + len(before.rstrip()), comment.end), ""
