"""One run of `graphwright check`: its options, what it has found so far, and how it speaks on standard error."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field

from graphwright_server import analysis_log

from .findings import CheckRun, Failure
from .known_findings import KnownFindings
from .terminal import TerminalStyle, printable, style_for
from .text_report import CallSite

STDIN = "-"


@dataclass
class Invocation:
    """The options, and what follows from them."""

    options: argparse.Namespace
    run: CheckRun = field(default_factory=CheckRun)
    log: analysis_log.AnalysisLog = field(default_factory=analysis_log.listen)
    style: TerminalStyle = field(init=False)
    known: KnownFindings = field(init=False)
    changed: int = 0
    depended: set[str] = field(default_factory=set[str])
    """The files that the outcome depends on."""
    known_calls: set[CallSite] = field(default_factory=set[CallSite])
    """The calls that lead to findings and have been printed already."""

    def __post_init__(self) -> None:
        self.style = style_for(sys.stdout, self.options.color)
        self.known = KnownFindings(self.options)

    @property
    def prints_for_people(self) -> bool:
        return self.options.format in ("text", "concise")

    @property
    def streams_findings(self) -> bool:
        """Whether findings are printed as they come."""
        return self.prints_for_people and not self.options.diff

    @property
    def changes_files(self) -> bool:
        return self.options.fix or self.options.diff

    @property
    def unsafe(self) -> bool:
        """Whether fixes that may change what the code does are applied too."""
        return self.options.unsafe_fixes

    def fail(self, failure: Failure) -> None:
        """Record a failure, and report it."""
        self.run.failures.append(failure)
        say(str(failure))


def say(message: str) -> None:
    """Print a line on standard error, after all that was printed before."""
    sys.stdout.flush()
    sys.stderr.write(f"graphwright: {printable(message)}\n")
    sys.stderr.flush()
