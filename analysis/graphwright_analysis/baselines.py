"""Baselines: files with the findings that a project had when it began to use Graphwright, which aren't reported again.

A finding is identified by its file, its rule, the function around it and the text of its line, so edits elsewhere in
the file don't affect the baseline. This module doesn't find anything itself.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from .diagnostics import Diagnostic
from .immutability import immutable
from .settings import SettingsError
from .text import LineIndex
from .user_files import Unreadable, read_text, stamp_of

BASELINE_NAME = "graphwright-baseline.json"
_VERSION = 1
_REPLACE = "name another file, or delete this one and run --write-baseline"


class Fingerprint(NamedTuple):
    """What identifies a finding; `file` is relative to the baseline, with forward slashes."""

    file: str
    function: str
    rule: str
    line: str


@immutable
class Baseline:
    """The fingerprints of known findings, with how many findings have each."""

    path: Path
    counts: Mapping[Fingerprint, int]

    def new(self, file: str, text: str, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings that the baseline doesn't have; of several with the same fingerprint, the last ones are new."""
        left = Counter(self.counts)
        found: list[Diagnostic] = []
        for known, diagnostic in zip(fingerprints(self.path, file, text, diagnostics), diagnostics, strict=True):
            left[known] -= 1
            found += [diagnostic] if left[known] < 0 else []
        return tuple(found)

    def gone(self, found: Mapping[Fingerprint, int], concerns: Callable[[Fingerprint], bool]) -> int:
        """The number of entries that concern a run and whose findings no longer exist."""
        return sum(found.get(known, 0) < count and concerns(known) for known, count in self.counts.items())


def fingerprints(baseline: Path, file: str, text: str, diagnostics: Sequence[Diagnostic]) -> Iterator[Fingerprint]:
    """The fingerprints of the findings in one file."""
    lines = LineIndex(text)
    where = relative_to_baseline(baseline, file)
    for diagnostic in diagnostics:
        number = lines.line_of(diagnostic.range.start)
        line = " ".join(_line(lines, number).split())
        yield Fingerprint(where, _function_around(lines, number), diagnostic.rule, line)


def relative_to_baseline(baseline: Path, file: str) -> str:
    """The path of a file as the baseline writes it."""
    try:
        return os.path.relpath(file, baseline.parent).replace(os.sep, "/")
    except ValueError:  # on another drive
        return Path(file).as_posix()


def read_baseline(path: Path) -> Baseline:
    """Read a baseline; raise `SettingsError`."""
    try:
        content: Any = json.loads(read_text(str(path)))
    except Unreadable as problem:
        raise SettingsError(f"the baseline can't be read: it {problem.reason}", str(path)) from None
    except (ValueError, RecursionError):
        raise SettingsError(f"the baseline isn't JSON; {_REPLACE}", str(path)) from None
    if not isinstance(content, dict) or cast("dict[str, Any]", content).get("version") != _VERSION:
        raise SettingsError(f"this isn't a baseline of version {_VERSION}; {_REPLACE}", str(path))
    try:
        counts = Counter[Fingerprint]()
        for entry in cast("list[dict[str, Any]]", content["findings"]):
            # A merge can leave an entry twice.
            counts |= _entry(entry)
    except (KeyError, TypeError, ValueError, AttributeError):
        problem = f"an entry of the baseline is incomplete; {_REPLACE}"
        raise SettingsError(problem, str(path)) from None
    return Baseline(path, counts)


def latest_baseline(path: Path) -> Baseline | None:
    """The baseline on the disk, read again only if it has changed; None if it doesn't exist."""
    stamp = stamp_of(str(path))
    if stamp is None:
        return None
    if path not in _read or _read[path][0] != stamp:
        _read[path] = stamp, read_baseline(path)
    return _read[path][1]


_read: dict[Path, tuple[tuple[int, int], Baseline]] = {}


def baseline_text(counts: Mapping[Fingerprint, int]) -> str:
    """The text of a baseline file: one sorted entry per line, so version control shows what changed."""
    entries = [{**known._asdict(), "count": count} for known, count in sorted(counts.items())]
    listed = ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
    findings = f"[\n{listed}\n  ]" if entries else "[]"
    return f'{{\n  "version": {_VERSION},\n  "findings": {findings}\n}}\n'


def _entry(entry: Mapping[str, Any]) -> Counter[Fingerprint]:
    return Counter({Fingerprint(*(str(entry[name]) for name in Fingerprint._fields)): int(entry["count"])})


_DEFINITION = re.compile(r"\s*(?:async\s+def|def|class)\s+(\w+)")


def _function_around(lines: LineIndex, number: int) -> str:
    """The qualified name of the function or class around a line, by indentation; also in code that can't be parsed."""
    indent = _indent(_line(lines, number))
    names: list[str] = []
    for above in range(number - 1, -1, -1):
        if indent == 0:
            break
        text = _line(lines, above)
        match = _DEFINITION.match(text)
        if match is not None and _indent(text) < indent:
            names.insert(0, match[1])
            indent = _indent(text)
    return ".".join(names)


def _line(lines: LineIndex, number: int) -> str:
    span = lines.line_range(number)
    return lines.text[span.start : span.end]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
