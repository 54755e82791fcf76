"""The report for people with much to fix: one line per finding.

The calls that lead to findings from other files are on a line of their own, once for each outermost call.
"""

from __future__ import annotations

from graphwright_analysis import Diagnostic

from .findings import CheckedFile
from .terminal import TerminalStyle
from .text_report import CallSite, OtherFile, call_site, heading, position


def render(
    file: CheckedFile, diagnostic: Diagnostic, style: TerminalStyle, other_file: OtherFile, known_roots: set[CallSite]
) -> str:
    """One finding, ending with a line end; `known_roots` are outermost calls that need no line any more."""
    line = heading(file, diagnostic, style) + "\n"
    calls = [each for each in diagnostic.related if each.is_call]
    if not calls or call_site(file, calls[-1]) in known_roots:
        return line
    known_roots.add(call_site(file, calls[-1]))
    path = [where for each in reversed(calls) if (where := position(file, each, other_file)) is not None]
    return line + style(f"    called from {' -> '.join(path)}", "dim") + "\n" if path else line
