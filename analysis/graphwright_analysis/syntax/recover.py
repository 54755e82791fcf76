"""Makes a tree of a block that doesn't parse: what is broken is replaced by stand-ins, everything else is kept.

It doesn't go by Python's error positions: the block is taken apart along its indentation, each part is parsed on
its own, and only the parts that fail are taken apart further.
A stand-in carries what could be read from the text (which names are assigned and read) and lies in a range that
is listed as broken, so that nobody trusts its value.
"""

from __future__ import annotations

import re
from typing import Any

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.text import LineIndex, Range

from .blocks import CONFLICT_MARKER, clauses_of
from .headers import HEADERS, Header, decorator, handler, header_of, match_case, opening_statement, plain_header
from .line_trees import LineTree, lines_of, outline
from .repair import parts_of, without_comment
from .standins import (
    SyntaxProblem,
    Work,
    attempt,
    end_at_last,
    note_broken,
    parse_at,
    placed,
    repaired_statement,
    salvaged_expression,
    salvaged_statement,
)
from .too_deep import stand_in
from .tree import MAX_DEPTH, BeyondLimits, Unparsable, parse_source

# A longer statement is a table of data: parsing it would cost seconds and gigabytes.
LONGEST_STATEMENT = 200_000


@immutable
class RecoveredText:
    """The statements of a text and which stretches of it are only stood in for."""

    statements: tuple[gast.stmt, ...]
    broken: tuple[Range, ...] = ()
    problems: tuple[SyntaxProblem, ...] = ()


def parse_text(
    text: str, lines: LineIndex, longest: int = LONGEST_STATEMENT, indented: bool = False, base: int = 0
) -> RecoveredText:
    """The statements of any text whatever, or of a part of a body, which is indented; never raises.

    Lines are counted from `base`.
    """
    problems = [
        SyntaxProblem(Range(match.start(), match.end()), "source code cannot contain null bytes")
        for match in re.finditer("\0+", text)
    ]
    failure = None
    if len(text) <= longest:
        try:
            return RecoveredText(tuple(_parsed_whole(text, indented, base)), (), tuple(problems))
        except Unparsable as error:
            failure = error
    if failure is not None and failure.line:
        failure.line -= base
    work = Work(text, lines, longest, failure.line if failure else 0, problems=problems)
    _hide_conflict_markers(work)
    try:
        statements = _assemble(work, outline(work.text), int(indented))
    except RecursionError:
        work.broken[:] = [Range(0, len(text))]
        statements = []
    if failure is not None and not work.problems:
        work.failure = failure
        note_broken(work, Range(0, len(text)))
        work.broken.pop()
    for statement in statements if base else ():
        _count_from(statement, base)
    return RecoveredText(
        tuple(statements),
        tuple(sorted(set(work.broken))),
        tuple(sorted(work.problems, key=lambda problem: problem.range)),
    )


def _parsed_whole(text: str, indented: bool, base: int) -> list[gast.stmt]:
    if not indented:
        return parse_source(text, base)
    statements = parse_source("if 1:\n" + text, base - 1)
    only = statements[0] if len(statements) == 1 else None
    if not isinstance(only, gast.If) or only.orelse:
        raise Unparsable("unexpected indent", base + 1, 1)
    return only.body


def _count_from(statement: gast.stmt, base: int) -> None:
    for node in gast.walk(statement):
        if hasattr(node, "lineno"):
            located: Any = node
            located.lineno += base
            located.end_lineno += base


_MARKER_LINE = re.compile(r"(?m)^" + CONFLICT_MARKER.pattern)
_MATCH = re.compile(r"(?:match|case)[ \t]+[\w\"']")
_DEEPEST_NESTING = 60


def _hide_conflict_markers(work: Work) -> None:
    """Turn the marker lines into comments, so that the code of both sides is kept."""

    def hidden(match: re.Match[str]) -> str:
        work.problems.append(SyntaxProblem(Range(match.start(), match.end()), "merge conflict marker"))
        return "#" + match.group()[1:]

    work.text = _MARKER_LINE.sub(hidden, work.text)


def _assemble(work: Work, nodes: list[LineTree], depth: int) -> list[gast.stmt]:
    groups: list[list[LineTree]] = []
    index = 0
    while index < len(nodes):
        stop = _group_end(nodes, index)
        groups.append(nodes[index:stop])
        index = stop
    return _parsed_run(work, groups, depth)


def _group_end(nodes: list[LineTree], index: int) -> int:
    """After a statement with its decorators and clauses."""
    head = index
    while head < len(nodes) and nodes[head].word == "@":
        head += 1
    if head > index and (head == len(nodes) or nodes[head].word not in ("def", "class", "async def")):
        return index + 1
    allowed = clauses_of(nodes[head].word)
    stop = head + 1
    while stop < len(nodes) and nodes[stop].word in allowed:
        stop += 1
    return stop


def _parsed_run(work: Work, groups: list[list[LineTree]], depth: int) -> list[gast.stmt]:
    """Parse as many statements at once as possible: halves, where the whole fails.

    Where Python saw its first error the whole isn't tried: a failing parse is the dearest. Nothing else hangs on
    that line, so it may be wrong.
    """
    if not groups:
        return []
    first, end = groups[0][0], groups[-1][-1].last_end
    if not work.lines.line_of(first.start) < work.suspected_line <= work.lines.line_of(end) + 1:
        statements = _parsed_span(work, first, end, depth)
        if statements is not None:
            return statements
    if len(groups) == 1:
        return _parsed_group(work, groups[0], depth)
    middle = len(groups) // 2
    return _parsed_run(work, groups[:middle], depth) + _parsed_run(work, groups[middle:], depth)


def _parsed_span(work: Work, first: LineTree, end: int, depth: int) -> list[gast.stmt] | None:
    if end - first.start > work.longest:
        work.failure = BeyondLimits("too long to be analyzed")
        return None
    line = work.lines.line_of(first.start)
    source = work.text[first.start : end]
    if first.width == 0:
        return attempt(work, source, line, depth, False)
    return attempt(work, "if 1:\n" + source, line - 1, depth, True)


def _parsed_group(work: Work, group: list[LineTree], depth: int) -> list[gast.stmt]:
    """The statements of a group that doesn't parse as a whole."""
    decorators = [node for node in group if node.word == "@"]
    rest = group[len(decorators) :]
    if not rest:
        return _simple_statements(work, Range(group[0].code + 1, group[0].end), depth)
    head = rest[0]
    if depth > _DEEPEST_NESTING:
        return [_given_up(work, rest)]
    if not head.children and (
        head.word not in HEADERS or (head.word in ("match", "case") and not _is_match(work, head))
    ):
        return _simple_statements(work, head.line, depth)
    header = header_of(work, head.word, head.line)
    kind = head.word.removeprefix("async ")
    if kind == "if":
        return [_if_chain(work, rest, depth)]
    if kind == "try":
        return [_try_statement(work, rest, depth)]
    if kind in ("for", "while", "with", "def", "class"):
        statement = opening_statement(work, header, depth)
        if decorators:
            found = [decorator(work, node.line, depth) for node in decorators]
            statement.decorator_list = [node for node in found if node is not None]
        statement.body = _body(work, head, header, depth + 1)
        if len(rest) > 1:
            statement.orelse = _clause_body(work, rest[1:], depth + 1)
        end_at_last(statement, (statement.body, getattr(statement, "orelse", [])))
        return [statement]
    if kind == "match":
        return [_match_statement(work, head, header, depth)]
    return [_orphan(work, head, header, depth)]


def _simple_statements(work: Work, line: Range, depth: int) -> list[gast.stmt]:
    code = without_comment(work.text, line)
    if code.end - code.start > work.longest:
        note_broken(work, code)
        return [salvaged_statement(work, code, depth)]
    parts = parts_of(work.text, code)
    statements: list[gast.stmt] = []
    for part in parts:
        parsed = parse_at(work, part.start, work.text[part.start : part.end], depth)
        statements += repaired_statement(work, part, depth) if parsed is None else parsed
    return statements


def _is_match(work: Work, node: LineTree) -> bool:
    """Whether `match` or `case` begins a statement here rather than being a name."""
    return _MATCH.match(work.text, node.code) is not None


def _given_up(work: Work, nodes: list[LineTree]) -> gast.stmt:
    return stand_in(work, Range(nodes[0].code, nodes[-1].last_end), lines_of(work.text, nodes))


def _body(work: Work, node: LineTree, header: Header, depth: int) -> list[gast.stmt]:
    """The statements after the colon and those indented below; a stand-in if there are none."""
    statements: list[gast.stmt] = []
    if header.body is not None:
        inline = without_comment(work.text, Range(header.body, node.end))
        if work.text[inline.start : inline.end].strip():
            statements += _simple_statements(work, inline, depth)
    statements += _assemble(work, node.children, depth)
    if statements:
        return statements
    span = Range(header.body or header.span.end, header.body or header.span.end)
    work.failure = Unparsable(f"expected an indented block after '{header.word}'")
    note_broken(work, span)
    return [placed(work, gast.Pass(), span)]


def _clause_body(work: Work, nodes: list[LineTree], depth: int) -> list[gast.stmt]:
    """The body of an `else`, or of several where only one can be."""
    statements: list[gast.stmt] = []
    for node in nodes:
        header = header_of(work, node.word, node.line)
        plain_header(work, header)
        statements += _body(work, node, header, depth)
    return statements


def _if_chain(work: Work, nodes: list[LineTree], depth: int) -> Any:
    """An `if` with its `elif`s, each inside the `else` of the one before."""
    most = max(MAX_DEPTH - depth - 60, 1)
    orelse: list[gast.stmt] = []
    if len(nodes) > most:
        orelse = [_given_up(work, nodes[most:])]
        nodes = nodes[:most]
    for index in range(len(nodes) - 1, 0, -1):
        if nodes[index].word == "else":
            orelse = _clause_body(work, [nodes[index]], depth + index) + orelse
        else:
            orelse = [_if_statement(work, nodes[index], orelse, depth + index)]
    return _if_statement(work, nodes[0], orelse, depth)


def _if_statement(work: Work, node: LineTree, orelse: list[gast.stmt], depth: int) -> Any:
    header = header_of(work, node.word, node.line)
    statement = opening_statement(work, header, depth)
    statement.body = _body(work, node, header, depth + 1)
    statement.orelse = orelse
    end_at_last(statement, (statement.body, orelse))
    return statement


def _try_statement(work: Work, nodes: list[LineTree], depth: int) -> Any:
    header = header_of(work, "try", nodes[0].line)
    plain_header(work, header)
    body = _body(work, nodes[0], header, depth + 1)
    handlers: list[Any] = []
    orelse: list[gast.stmt] = []
    final: list[gast.stmt] = []
    starred = False
    for node in nodes[1:]:
        if node.word == "except":
            clause = header_of(work, "except", node.line)
            made, star = handler(work, clause, depth + 1)
            made.body = _body(work, node, clause, depth + 2)
            end_at_last(made, (made.body,))
            handlers.append(made)
            starred = starred or star
        elif node.word == "else":
            orelse += _clause_body(work, [node], depth + 1)
        else:
            final += _clause_body(work, [node], depth + 1)
    if not handlers and not final:
        work.failure = Unparsable("expected 'except' or 'finally' block")
        end = without_comment(work.text, Range(nodes[0].code, nodes[-1].last_end)).end
        note_broken(work, Range(end, end))
        final = [placed(work, gast.Pass(), Range(end, end))]
    statement: Any = (gast.TryStar if starred else gast.Try)(body, handlers, orelse, final)
    placed(work, statement, header.span)
    end_at_last(statement, (body, handlers, orelse, final))
    return statement


def _match_statement(work: Work, node: LineTree, header: Header, depth: int) -> Any:
    statement = opening_statement(work, header, depth)
    cases: list[Any] = []
    for child in node.children:
        if child.word != "case":
            statements = _assemble(work, [child], depth + 2)
            anything: Any = placed(work, gast.MatchAs(None, None), child.line)
            if statements:
                cases.append(gast.match_case(anything, None, statements))
            continue
        clause = header_of(work, "case", child.line)
        made = match_case(work, clause, depth + 1)
        made.body = _body(work, child, clause, depth + 2)
        cases.append(made)
    if not cases:
        end = Range(header.span.end, header.span.end)
        nothing: Any = placed(work, gast.MatchAs(None, None), end)
        unknown = placed(work, gast.Constant(..., None), end)
        cases.append(gast.match_case(nothing, unknown, [placed(work, gast.Pass(), end)]))
        work.failure = Unparsable("expected an indented block after 'match'")
        note_broken(work, end)
    statement.cases = cases
    end_at_last(statement, (cases,))
    return statement


def _orphan(work: Work, node: LineTree, header: Header, depth: int) -> Any:
    """A clause without its statement, or deeper lines under what is no header: run under an unknown condition."""
    work.failure = Unparsable("invalid syntax")
    note_broken(work, header.span)
    skipped = len(header.word) if header.word in HEADERS else 0
    test = salvaged_expression(work, Range(min(header.span.start + skipped, header.span.end), header.span.end))
    statement: Any = placed(work, gast.If(test, [], []), header.span)
    statement.body = _body(work, node, header, depth + 1)
    end_at_last(statement, (statement.body,))
    return statement
