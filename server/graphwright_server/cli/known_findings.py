"""The baselines of a run: which findings they hide, which of their entries are gone, and writing them.

What a baseline is and how a finding is recognized is the analysis' business.
"""

from __future__ import annotations

import argparse
import errno
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphwright_analysis import (
    BASELINE_NAME,
    Baseline,
    Diagnostic,
    Fingerprint,
    Settings,
    SettingsError,
    baseline_text,
    fingerprints,
    immutable,
    latest_baseline,
    relative_to_baseline,
)

from graphwright_server.wording import plural

from .findings import CheckedFile
from .sharing import FileOutcome
from .targets import Target


@dataclass
class KnownFindings:
    """The baselines of a run, and what of each was found."""

    options: argparse.Namespace
    hidden: int = 0
    """How many findings they hide."""
    _baselines: dict[Path, Baseline | None] = field(default_factory=dict[Path, "Baseline | None"])
    _found: dict[Path, Counter[Fingerprint]] = field(default_factory=lambda: defaultdict(Counter[Fingerprint]))
    _checked: dict[Path, dict[str, Settings]] = field(default_factory=lambda: defaultdict(dict[str, Settings]))
    """The files that were checked for each, with their settings."""

    def new(self, target: Target, text: str, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings in a file that its baseline doesn't have."""
        baseline = self._baseline(target)
        return tuple(diagnostics) if baseline is None else baseline.new(target.key, text, diagnostics)

    def without_known(self, target: Target, outcome: FileOutcome) -> FileOutcome:
        """The outcome without the findings that the file's baseline has."""
        path, result = self._path(target), outcome.result
        if path is None or not isinstance(result, CheckedFile):
            return outcome
        self._add(path, target, result)
        new = self.new(target, result.text, result.diagnostics)
        self.hidden += len(result.diagnostics) - len(new)
        return replace(outcome, result=replace(result, diagnostics=new))

    def gone(self) -> int:
        """The number of entries whose findings were looked for and not found."""
        return sum(
            baseline.gone(self._found[path], self._concerns(path))
            for path, baseline in self._baselines.items()
            if baseline is not None
        )

    def missing(self) -> list[str]:
        """The baselines that aren't there."""
        return [os.path.relpath(path) for path, baseline in self._baselines.items() if baseline is None]

    def write(self, targets: Sequence[Target], outcomes: Sequence[FileOutcome]) -> Iterator[str]:
        """Write what was found into the baselines; return what to say of each.

        Entries about files and rules that this run didn't check stay.
        """
        for target, outcome in zip(targets, outcomes, strict=True):
            path = self._path(target)
            if path is not None and isinstance(outcome.result, CheckedFile):
                self._baseline(target)
                self._add(path, target, outcome.result)
        for path, found in self._found.items():
            before, concerns = self._baselines.get(path), self._concerns(path)
            kept = {} if before is None else {each: n for each, n in before.counts.items() if not concerns(each)}
            counts = {**kept, **found}
            try:
                _write(path, baseline_text(counts).encode("utf-8", "backslashreplace"))
            except OSError as error:
                raise SettingsError(f"can't be written: {error.strerror or error}", str(path)) from None
            self._baselines[path] = Baseline(path, counts)
            yield f"wrote {plural(sum(counts.values()), 'finding')} to {os.path.relpath(path)}"
            if not self.options.baseline and not any(each.baseline for each in self._checked[path].values()):
                yield f'to use it, set baseline = "{path.name}" in [tool.graphwright], or run with --baseline'
        self._found.clear()

    def _add(self, path: Path, target: Target, file: CheckedFile) -> None:
        self._found[path].update(fingerprints(path, target.key, file.text, file.diagnostics))
        self._checked[path][relative_to_baseline(path, target.key)] = target.folder.settings_of(target.key)

    def _concerns(self, path: Path) -> _Concerns:
        return _Concerns(path.parent, self._checked[path])

    def _baseline(self, target: Target) -> Baseline | None:
        path = self._path(target)
        if path is None:
            return None
        if path not in self._baselines:
            self._baselines[path] = latest_baseline(path)
            if self._baselines[path] is None and self.options.baseline and not self.options.write_baseline:
                raise SettingsError("no such baseline; create it with --write-baseline", self.options.baseline)
        return self._baselines[path]

    def _path(self, target: Target) -> Path | None:
        """The baseline of a file: the one that the command line names, or else the settings."""
        if self.options.no_baseline:
            return None
        named = self.options.baseline or target.folder.settings_of(target.key).baseline
        if named is None and self.options.write_baseline:
            named = BASELINE_NAME if target.folder.root is None else target.folder.root / BASELINE_NAME
        return None if named is None else Path(os.path.abspath(named))


@immutable
class _Concerns:
    """Whether a run looked for the findings of an entry: in a file that it checked or that is gone, by its rule."""

    folder: Path
    checked: dict[str, Settings]

    def __call__(self, entry: Fingerprint) -> bool:
        from graphwright_analysis import find_rule  # it loads the analysis

        settings, rule = self.checked.get(entry.file), find_rule(entry.rule)
        if settings is None:
            return not os.path.exists(self.folder / entry.file)
        return rule is None or settings.severity_of(rule, rule.severity) is not None


def _write(path: Path, data: bytes) -> None:
    """Write a file in one step: if the disk is full, the earlier baseline stays."""
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        temporary.write_bytes(data)
        if target.exists():
            os.chmod(temporary, target.stat().st_mode & 0o7777)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
