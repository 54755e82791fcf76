"""Applies fixes to the files of a run, in passes: a fix in one file can change the findings in another.

How a single text is fixed is in `fixing` and `notebooks`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from graphwright_analysis import is_notebook

from . import fixing, notebooks
from .findings import CheckedFile, Failure
from .invocation import Invocation
from .sharing import FileOutcome
from .targets import Target

MOST_PASSES = 10


def fix_files(
    invocation: Invocation,
    targets: Sequence[Target],
    outcomes: Sequence[FileOutcome],
    check_again: Callable[[], Sequence[FileOutcome]],
) -> Sequence[FileOutcome]:
    """Fix the files, or print what would change; return what is left, with the number of fixes in each file."""
    counts, failures = Counter[str](), dict[str, Failure]()
    for _ in range(MOST_PASSES):
        before = counts.total()
        for project in {id(target.project): target.project for target in targets}.values():
            project.refresh_importers()
        for target, outcome in zip(targets, outcomes, strict=True):
            if target.key in failures or not _is_fixable(invocation, outcome):
                continue
            try:
                counts[target.key] += _fix_file(invocation, target)
            except fixing.CannotFix as error:
                failures[target.key] = Failure(target.shown, str(error), crashed=True)
        if counts.total() == before or invocation.options.diff:
            break
        outcomes = check_again()
    invocation.changed += sum(count > 0 for count in counts.values())
    return [_with_count(*each, counts, failures) for each in zip(targets, outcomes, strict=True)]


def _is_fixable(invocation: Invocation, outcome: FileOutcome) -> bool:
    found = outcome.result.diagnostics if isinstance(outcome.result, CheckedFile) else ()
    return any(fix.applies(invocation.unsafe) for diagnostic in found for fix in diagnostic.fixes)


def _fix_file(invocation: Invocation, target: Target) -> int:
    """Apply fixes to a file, or print what they would change, and return how many there are."""
    if is_notebook(target.key):
        return _fix_notebook(invocation, target)
    try:
        data = fixing.read(target.path)
        source = fixing.decode(data)
        wanted = partial(invocation.known.new, target)
        fixed = fixing.fix(target.project, target.key, source.text, invocation.unsafe, wanted)
        if invocation.options.diff:
            sys.stdout.write(fixing.unified_diff(target.shown, source.text, fixed.text))
        elif fixed.text != source.text:
            fixing.write(target.path, fixed.text, source.encoding, data)
    finally:
        target.project.forget(target.key)
    return fixed.count


def _fix_notebook(invocation: Invocation, target: Target) -> int:
    """The same for a notebook, cell by cell."""
    try:
        wanted = partial(invocation.known.new, target)
        fixed = notebooks.fix(target.project, target.key, invocation.unsafe, wanted)
        if invocation.options.diff:
            for cell in fixed.cells:
                sys.stdout.write(fixing.unified_diff(f"{target.shown}:cell {cell.number}", cell.before, cell.after))
        elif fixed.count:
            fixing.replace_file(target.path, fixed.raw, fixed.before)
    finally:
        target.project.forget(target.key)
    return fixed.count


def _with_count(
    target: Target, outcome: FileOutcome, counts: Counter[str], failures: dict[str, Failure]
) -> FileOutcome:
    if target.key in failures:
        return FileOutcome(failures[target.key])
    if counts[target.key] and isinstance(outcome.result, CheckedFile):
        return replace(outcome, result=replace(outcome.result, fixed=counts[target.key]))
    return outcome
