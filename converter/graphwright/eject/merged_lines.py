"""Attributes that go into a generated function, or are read in front of a branch, on one line.

Before:

    stats.mean = mean
    stats.n = n

After:

    stats.mean, stats.n = mean, n

What is set isn't decided here, and the user's own lines stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import replace

from graphwright.passes.writing import WIDTH
from graphwright.pipeline import Generated


def merged(generated: Generated) -> Generated:
    """The same with one line for what comes from one line of the user's."""
    lines: list[tuple[str, int]] = []
    for text, number in zip(generated.text.splitlines(), generated.lines, strict=True):
        joined = _joined(lines[-1][0], text) if lines and lines[-1][1] == number else None
        if joined is None:
            lines.append((text, number))
        else:
            lines[-1] = joined, number
    whole = "\n".join(text for text, _ in lines) + "\n"
    return replace(generated, text=whole, lines=tuple(number for _, number in lines))


def _joined(first: str, second: str) -> str | None:
    """Two assignments as one; None where they aren't alike, or one needs what the other sets."""
    for pattern in (_SETS, _READS):
        one, other = pattern.fullmatch(first), pattern.fullmatch(second)
        if one is None or other is None or one.group(1) != other.group(1):
            continue
        names, values = one.group(2).split(", "), one.group(3).split(", ")
        if {re.split(r"[.\[]", value)[0] for value in other.group(3).split(", ")} & {*names}:
            return None
        names.append(other.group(2))
        values.append(other.group(3))
        text = f"{one.group(1)}{', '.join(names)} = {', '.join(values)}"
        return text if len(text) <= WIDTH else None
    return None


_NAME = r"[A-Za-z_]\w*"
_PLACE = rf"{_NAME}(?:\.{_NAME}|\[\"\w+\"\])+"
_SETS = re.compile(rf"(\s*)({_PLACE}(?:, {_PLACE})*) = ({_NAME}(?:, {_NAME})*)")
_READS = re.compile(rf"(\s*)({_NAME}(?:, {_NAME})*) = ({_PLACE}(?:, {_PLACE})*)")
