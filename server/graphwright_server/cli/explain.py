"""`graphwright explain`: a rule's page, or a table of all rules or of a family.

The pages come from the rules themselves; here they are only laid out for a terminal.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from graphwright_analysis import FAMILIES, Rule, Severity, all_rules, find_rule

from . import exit_codes
from .terminal import TerminalStyle, style_for

_COLOURS = {
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFORMATION: "blue",
    Severity.HINT: "cyan",
}
_INLINE = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")


def run(options: argparse.Namespace) -> int:
    """Print what was asked for and return the exit code."""
    style = style_for(sys.stdout, options.color)
    wanted = None if options.rule is None else options.rule.lower()
    if wanted is None or wanted in FAMILIES:
        rules = [rule for rule in all_rules() if wanted in (None, rule.family)]
        head = f"{style(wanted, 'bold')}: {FAMILIES[wanted]}\n\n" if wanted else ""
        text = _as_json([_entry(rule) for rule in rules]) if options.format == "json" else head + _table(rules, style)
        sys.stdout.write(text)
        return exit_codes.CLEAN
    rule = find_rule(wanted)
    if rule is None:
        sys.stderr.write(f"graphwright: unknown rule or family {options.rule!r}{_did_you_mean(wanted)}\n")
        return exit_codes.COULD_NOT_RUN
    if options.format == "json":
        sys.stdout.write(_as_json(_entry(rule) | {"page": rule.page}))
    else:
        sys.stdout.write(_heading(rule, style) + _laid_out(rule.page, style))
    return exit_codes.CLEAN


def _did_you_mean(name: str) -> str:
    close = difflib.get_close_matches(name, [*FAMILIES, *(rule.name for rule in all_rules())], n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{hint} ('graphwright explain' lists all rules)"


def _entry(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.name,
        "family": rule.family,
        "severity": rule.severity.label,
        "fixable": rule.fixable,
        "summary": rule.summary,
    }


def _as_json(value: Any) -> str:
    return json.dumps(value, indent=2) + "\n"


def _table(rules: Sequence[Rule], style: TerminalStyle) -> str:
    name_width = max((len(rule.name) for rule in rules), default=4)
    family_width = max((len(rule.family) for rule in rules), default=6)
    lines = [
        f"{style(f'{rule.name:<{name_width}}', 'bold')}  {rule.family:<{family_width}}  "
        f"{style(f'{rule.severity.label:<11}', _COLOURS[rule.severity])}  "
        f"{'fix' if rule.fixable else '   '}  {rule.summary}\n"
        for rule in sorted(rules, key=lambda rule: (rule.family, rule.name))
    ]
    return "".join(lines)


def _heading(rule: Rule, style: TerminalStyle) -> str:
    fixable = ", has a fix" if rule.fixable else ""
    severity = style(rule.severity.label, _COLOURS[rule.severity])
    return f"{style(rule.name, 'bold')} ({rule.family}, {severity}{fixable})\n\n"


def _laid_out(page: str, style: TerminalStyle) -> str:
    return "\n".join(_laid_out_lines(page, style)).strip("\n") + "\n"


def _laid_out_lines(page: str, style: TerminalStyle) -> Iterator[str]:
    in_code = False
    for line in page.splitlines():
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif in_code:
            yield style(f"    {line}", "cyan") if line else ""
        elif line.startswith("# "):
            continue  # the heading already names the rule
        elif line.startswith("#"):
            yield style(line.lstrip("#").strip(), "bold")
        else:
            yield _INLINE.sub(lambda match: _inline(match, style), line)


def _inline(match: re.Match[str], style: TerminalStyle) -> str:
    if match[1] is not None:
        return style(match[1], "cyan") if style.colour else match[0]
    return style(match[2], "bold")
