"""The parts of a page as HTML: source, traces with what changed between them, bars. Every text is escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from graphwright_analysis import immutable

from graphwright_server.graph_lines import operations_text

from .highlighting import highlighted
from .style import STYLE


@immutable
class ShownTrace:
    """A trace as a page shows it; `caller` is empty where nobody's line called."""

    signature: str
    cause: str
    remedy: str = ""
    seconds: float = 0.0
    operations: int = 0
    caller: str = ""
    text: str = ""
    avoidable: bool = False


def document(title: str, subtitle: str, body: Iterable[str]) -> str:
    """A whole page in one file: no script, nothing from the network."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<header><h1>{escape(title)}</h1><p>{escape(subtitle)}</p></header>
{"".join(body)}
<footer>Written by Graphwright.</footer>
</main>
</body>
</html>
"""


def figures(values: Iterable[tuple[str, str, bool]]) -> str:
    """Numbers with their names; those that need attention in another color."""
    cells = (
        f"<div{' class=warn' * warn}><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
        for name, value, warn in values
    )
    return f'<dl class="figures">{"".join(cells)}</dl>'


def source_table(source: str, first: int, last: int, notes: Mapping[int, tuple[str, str]]) -> str:
    """Lines `first` to `last` (from 0) with what is noted beside each: a class and a text."""
    lines = highlighted(source)
    rows: list[str] = []
    for number in range(first, min(last + 1, len(lines))):
        kind, text = notes.get(number, ("", ""))
        row = f' class="{kind}"' if kind else ""
        cells = f'<td class="at">{number + 1}</td><td>{lines[number]}</td><td class="made">{escape(text)}</td>'
        rows.append(f"<tr{row}>{cells}</tr>")
    return scrollable("Source", f'<table class="source">{"".join(rows)}</table>')


def scrollable(name: str, content: str, kind: str = "") -> str:
    """What may be wider than the page, in a box that a keyboard can scroll."""
    return f'<div class="scroll {kind}" tabindex="0" role="region" aria-label="{name}">{content}</div>'


def trace_list(traces: Sequence[ShownTrace], left_out: int = 0) -> str:
    items = [
        _trace(number, trace, traces[number - 2] if number > 1 else None) for number, trace in enumerate(traces, 1)
    ]
    more = f'<p class="quiet">and {left_out} more</p>' if left_out else ""
    return f'<ol class="traces">{"".join(items)}</ol>{more}'


def _trace(number: int, trace: ShownTrace, before: ShownTrace | None) -> str:
    badge = '<span class="badge warn">avoidable</span>' if trace.avoidable else ""
    facts = [seconds(trace.seconds)] if trace.seconds else []
    facts += [operations_text(trace.operations)] if trace.operations else []
    caller = (
        f'<p class="place">{escape(trace.caller)}{"  " + escape(trace.text) if trace.text else ""}</p>'
        if trace.caller
        else ""
    )
    remedy = f'<p class="remedy">{code_marked(trace.remedy)}</p>' if trace.remedy else ""
    return (
        f'<li{" class=avoidable" * trace.avoidable}><div class="head"><span class="badge">{number}</span>'
        f'<span class="signature">{signature(trace.signature, before.signature if before else "")}</span>{badge}'
        f'<span class="quiet">{escape(", ".join(facts))}</span></div>'
        f"<p>{code_marked(trace.cause)}</p>{remedy}{caller}</li>"
    )


def signature(now: str, before: str) -> str:
    """A signature with the arguments marked that differ from those of the trace before."""
    name, arguments = split_signature(now)
    earlier = {key: value for key, _, value in map(_parted, split_signature(before)[1])}
    shown: list[str] = []
    for argument in arguments:
        key, sign, value = _parted(argument)
        if not before or earlier.get(key) == value:
            shown.append(escape(argument))
        else:
            gone = f"<del>{escape(earlier[key])}</del> " if key in earlier else ""
            shown.append(f"{escape(key + sign)}{gone}<mark>{escape(value)}</mark>")
    return f"{escape(name)}({', '.join(shown)})" if now.endswith(")") else escape(now)


def _parted(argument: str) -> tuple[str, str, str]:
    """The name, the sign after it and the value of `x: float32[2]` or `n=3`."""
    found = re.match(r"([^:=]*)(: |=)(.*)", argument, re.DOTALL)
    return (found[1], found[2], found[3]) if found else (argument, "", "")


def split_signature(text: str) -> tuple[str, list[str]]:
    """The name and the arguments of `f(a: int 1, b: float32[2, 3])`."""
    name, opened, inside = text.partition("(")
    if not opened or not inside.endswith(")"):
        return text, []
    return name, [*_split(inside[:-1])]


def _split(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for index, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            yield text[start:index].strip()
            start = index + 1
    if text[start:].strip():
        yield text[start:].strip()


def code_marked(text: str) -> str:
    """Text with what stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join(
        f"<code>{part}</code>" if index % 2 and index < len(parts) - 1 else part for index, part in enumerate(parts)
    )


def bars(values: Sequence[tuple[str, float, str]]) -> str:
    """Named values with bars as long as they are large."""
    most = max((value for _, value, _ in values), default=0.0) or 1.0
    rows = (
        f'<span class="mono">{escape(name)}</span>'
        f'<span class="bar"><i style="width:{100 * value / most:.1f}%"></i></span>'
        f'<span class="value">{escape(shown)}</span>'
        for name, value, shown in values
    )
    return f'<div class="bars">{"".join(rows)}</div>'


def seconds(value: float) -> str:
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1000:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"
