"""The `else` of a loop that nothing breaks out of, written after the loop."""

from __future__ import annotations

import re
import textwrap

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place


def repairs(loop: Place | None) -> tuple[Repair, ...]:
    """Dedent what stands under the `else`, where there is no `break`."""
    if loop is None:
        return ()
    text, start, end = loop.block.text, loop.range.start, loop.range.end
    begin = text.rfind("\n", 0, start) + 1
    indent = text[begin:start]
    if indent.strip() or re.search(r"\bbreak\b", text[start:end]):
        return ()
    heads = [*re.finditer(rf"^{indent}else[ \t]*:[ \t]*", text[start:end], re.MULTILINE)]
    if not heads:
        return ()
    head = heads[-1]
    body_start = start + head.end()
    body = text[body_start:end]
    if body.startswith(("\n", "\r\n", "#")):
        comment, _, lines = body.partition("\n")
        moved = f"{indent}{comment.rstrip()}\n" if comment.startswith("#") else ""
        moved += textwrap.indent(textwrap.dedent(lines), indent, lambda line: bool(line.strip()))
    else:
        moved = indent + body
    if '"""' in moved or "'''" in moved:
        return ()
    return (
        Repair("Move the `else` block after the loop", ((Place(loop.block, Range(start + head.start(), end)), moved),)),
    )
