"""The exit codes of the `graphwright` command."""

from __future__ import annotations

CLEAN = 0
FINDINGS = 1
"""There are findings of severity error or warning, or a file can't be parsed whole."""
COULD_NOT_RUN = 2
INTERRUPTED = 130
"""What a shell reports of a command that Ctrl-C ended."""
