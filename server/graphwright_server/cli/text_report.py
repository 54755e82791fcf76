"""The report for people: each finding with its source line underlined, related places, and the fix offered.

It only turns plain data into text; where the text goes is the caller's business.
"""

from __future__ import annotations

import functools
import itertools
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from graphwright_analysis import Diagnostic, LineIndex, Range, Related, Severity, immutable

from graphwright_server.wording import plural

from .findings import CheckedFile, CheckRun, is_fixable, is_fixable_unsafely
from .terminal import TerminalStyle, cells, printable

_WIDEST = 140
_COLOURS = {
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFORMATION: "blue",
    Severity.HINT: "cyan",
}

# Gives the text and shown name of another file that a finding points into; None where it can't be read.
OtherFile = Callable[[str], "tuple[str, LineIndex] | None"]
CallSite = tuple[str, Range]


def render(
    file: CheckedFile,
    diagnostic: Diagnostic,
    style: TerminalStyle,
    other_file: OtherFile,
    known_calls: set[CallSite] | None = None,
) -> str:
    """One finding, ending with a line end; it names calls that lead to it unless they are known, and adds them."""
    known = set[CallSite]() if known_calls is None else known_calls
    shown, root = _without_known_calls(file, diagnostic, known)
    places = list(_places(file, shown, other_file))
    gutter = max(len(str(place.last_line + 1)) for place in places)
    output = [heading(file, diagnostic, style)]
    for place in places:
        if place.elsewhere:
            output.append(style(" " * gutter + "--> ", "blue") + printable(place.elsewhere))
        output.append(_gutter("", gutter, style))
        paint = (_COLOURS[diagnostic.severity],) if place.primary else ("blue",)
        output += _snippet(place, gutter, style, paint)
    where = None if root is None else position(file, root, other_file)
    if where is not None:
        output.append(style(" " * gutter + " = ", "blue") + f"called from {where}, as shown above")
    for fix in diagnostic.fixes[:1]:
        unsafe = " (unsafe: needs --unsafe-fixes)" if fix.applies(unsafe=True) and not fix.certain else ""
        note = " (offered in the editor)" if fix.incomplete else unsafe
        output.append(f"{style('help', 'bold', 'green')}: {printable(fix.title)}{note}")
    return "\n".join(output) + "\n"


def heading(file: CheckedFile, diagnostic: Diagnostic, style: TerminalStyle) -> str:
    """The line that says what is wrong, and where."""
    colour = _COLOURS[diagnostic.severity]
    line, column = file.lines.line_column(diagnostic.range.start)
    where = f"{printable(file.where)}:{line + 1}:{column + 1}"
    kind = style(diagnostic.severity.label, "bold", colour) + style(f"[{diagnostic.rule}]", colour)
    return f"{style(where, 'bold')}: {kind} {printable(diagnostic.message)}"


def call_site(file: CheckedFile, related: Related) -> CallSite:
    """What tells a call from any other."""
    return related.path or (file.path if file.cell is None else f"{file.path}\0cell {file.cell}"), related.range


def position(file: CheckedFile, related: Related, other_file: OtherFile) -> str | None:
    """Where a related place is, as people read it; None where its file can't be read."""
    if related.path is None or related.path == file.path:
        shown, lines = file.where, file.lines
    elif (other := other_file(related.path)) is not None:
        shown, lines = other
    else:
        return None
    line, column = lines.line_column(related.range.start)
    return f"{printable(shown)}:{line + 1}:{column + 1}"


def _without_known_calls(
    file: CheckedFile, diagnostic: Diagnostic, known: set[CallSite]
) -> tuple[Diagnostic, Related | None]:
    """The finding without the calls that are known, and the outermost one of these."""
    left = tuple(each for each in diagnostic.related if not each.is_call or call_site(file, each) not in known)
    root = next((each for each in reversed(diagnostic.related) if each not in left), None)
    known |= {call_site(file, each) for each in left if each.is_call}
    return replace(diagnostic, related=left), root


def _count(files: Sequence[CheckedFile]) -> int:
    """How many files these are, the cells of one notebook together."""
    return sum(file.cell is None for file in files) + len({file.shown for file in files if file.cell is not None})


def summary(run: CheckRun, hidden: int = 0) -> str:
    """The last line of a report, and one on what can be fixed; `hidden` findings are in the baseline."""
    files = plural(_count(run.files), "file")
    lead = f"Fixed {plural(run.fixed, 'problem')}. " if run.fixed else ""
    diagnostics = run.diagnostics
    part = f"; {plural(len(run.unparsed), 'file')} couldn't be fully parsed" if run.unparsed else ""
    for kind in ("file", "folder"):
        unread = sum(failure.folder == (kind == "folder") for failure in run.unread)
        part += f"; {plural(unread, kind)} couldn't be read" if unread else ""
    part += f"; {hidden} more in the baseline" if hidden else ""
    if not diagnostics:
        return f"{lead}No {'new ' if hidden else ''}problems in {files}{part.replace(' more', '')}."
    counts = Counter(diagnostic.severity for diagnostic in diagnostics)
    found = _listing([plural(counts[severity], _NOUNS[severity]) for severity in Severity if counts[severity]])
    affected = _count([file for file in run.files if file.diagnostics])
    where = f"in {files}" if len(run.files) == 1 else f"in {affected} of {files}"
    return f"{lead}Found {found} {where}{part}.{_fixable(diagnostics)}"


def _fixable(diagnostics: Sequence[Diagnostic]) -> str:
    """A line on how many of the findings can be fixed, if any can."""
    safe, unsafe = (sum(map(kind, diagnostics)) for kind in (is_fixable, is_fixable_unsafely))
    if safe:
        more = f", {unsafe} more with --unsafe-fixes" if unsafe else ""
        return f"\n{safe} fixable with --fix{more}."
    return f"\n{unsafe} fixable with --fix --unsafe-fixes." if unsafe else ""


def unfollowed(run: CheckRun) -> str:
    """A line on what was followed only in part; empty where everything was followed."""
    if not run.unfollowed:
        return ""
    first = [f"{printable(each.where)}: {printable(each.message)}" for each in run.unfollowed[:_NAMED]]
    more = len(run.unfollowed) - len(first)
    rest = f"; {more} more (`graphwright coverage` lists them)" if more else ""
    return f"{'; '.join(first)}{rest}.\n"


_NAMED = 2
"""How many of those that were followed only in part are named."""


def statistics(run: CheckRun) -> str:
    """A table of how often each rule spoke, the most frequent first."""
    counts = Counter(diagnostic.rule for diagnostic in run.diagnostics)
    fixable = Counter(diagnostic.rule for diagnostic in run.diagnostics if is_fixable(diagnostic))
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    width = max((len(str(count)) for _, count in rows), default=1)
    lines: list[str] = []
    for rule, count in rows:
        cure = f" ({fixable[rule]} can be fixed)" if fixable[rule] else ""
        lines.append(f"{count:>{width}}  {rule}{cure}\n")
    return "".join(lines)


_NOUNS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "remark",
    Severity.HINT: "hint",
}


@immutable
class _Place:
    lines: LineIndex
    range: Range
    label: str
    primary: bool
    elsewhere: str | None = None

    @property
    def last_line(self) -> int:
        return self.lines.line_of(max(self.range.start, self.range.end - 1))


def _places(file: CheckedFile, diagnostic: Diagnostic, other_file: OtherFile) -> Iterator[_Place]:
    yield _Place(file.lines, diagnostic.range, "", True)
    for related in diagnostic.related:
        if related.path is None or related.path == file.path:
            yield _Place(file.lines, related.range, related.message, False)
            continue
        other = other_file(related.path)
        if other is not None:
            shown, lines = other
            line, column = lines.line_column(related.range.start)
            yield _Place(lines, related.range, related.message, False, f"{shown}:{line + 1}:{column + 1}")


def _snippet(place: _Place, gutter: int, style: TerminalStyle, paint: tuple[str, ...]) -> Iterator[str]:
    first, last = place.lines.line_of(place.range.start), place.last_line
    numbers = range(first, last + 1) if last - first < 3 else (first, last)
    for number in numbers:
        if number == last and last - first >= 3:
            yield style(" " * (gutter - 1) + "...", "blue")
        source, underline = _line(place, number)
        label = f" {printable(place.label)}" if place.label and number == last else ""
        yield _gutter(str(number + 1), gutter, style) + f" {source}".rstrip()
        mark = underline.replace("^", "-") if not place.primary else underline
        yield _gutter("", gutter, style) + " " + style(mark + label, *paint)


def _line(place: _Place, number: int) -> tuple[str, str]:
    """A line as printed, and what goes under it; both cut to a readable width."""
    span = place.lines.line_range(number)
    text = place.lines.text[span.start : span.end]
    indent = len(text) - len(text.lstrip())
    start = max(place.range.start - span.start, 0)
    if span.start > place.range.start:
        start = indent
    end = max(min(place.range.end - span.start, len(text)), start)
    shown, columns = _measured(text)
    start, end = min(start, len(text)), min(end, len(text))
    low, high = _window(columns, start, end)
    before, after = ("…" if low else ""), ("…" if high < len(text) else "")
    source = before + "".join(piece for piece, _ in shown[low:high]) + after
    offset = len(before) + columns[start] - columns[low]
    return source, " " * offset + "^" * max(columns[min(end, high)] - columns[start], 1)


@functools.lru_cache(maxsize=16)
def _measured(text: str) -> tuple[Sequence[tuple[str, int]], list[int]]:
    """A line's characters as they are shown, and the column at which each begins: once for all findings in it."""
    shown = cells(text)
    return shown, [0, *itertools.accumulate(width for _, width in shown)]


def _window(columns: list[int], start: int, end: int) -> tuple[int, int]:
    """Which characters of a long line to show so that the marked ones are among them."""
    if columns[-1] <= _WIDEST:
        return 0, len(columns) - 1
    left = max(0, min(columns[start] - 20, columns[-1] - _WIDEST)) if columns[end] > _WIDEST else 0
    low = bisect_left(columns, left)
    high = bisect_right(columns, left + _WIDEST) - 1
    return low, high


def _gutter(number: str, width: int, style: TerminalStyle) -> str:
    return style(f"{number:>{width}} |", "blue")


def _listing(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
