"""`graphwright check --watch`: checks again whenever a file changes that a run has looked at, or one comes or goes.

It asks the disk again and again, which works everywhere and needs no other package; how a run is made isn't known here.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from graphwright_analysis import NOTEBOOK, SOURCES, Folder, Settings, SettingsError, stamp_of

from graphwright_server.wording import plural

from . import exit_codes, streams
from .invocation import Invocation, say
from .targets import project_root
from .terminal import is_terminal

INTERVAL = 0.4
"""The seconds between two looks at the disk."""
_SETTLED = 0.05
"""How long a change is left to be finished."""
_LISTED = (*SOURCES, NOTEBOOK, ".toml", ".cfg", "requirements.txt", "baseline.json")

Stamps = Mapping[str, "tuple[int, int] | None"]


def watch(options: argparse.Namespace, check: Callable[[Invocation], object]) -> int:
    """Check until the user interrupts it; return the exit code."""
    paths = [Path(os.path.abspath(path)) for path in options.paths or ["."]]
    depended = set[str]()
    try:
        while True:
            listed, earlier = _stamps(paths, ()), _stamps((), depended)
            depended, found = _checked_once(options, check)
            # What --fix has written is no change to look at, and neither is a file that nothing depends on any more.
            still = {path: stamp for path, stamp in earlier.items() if path in depended}
            before = _stamps(paths, depended) if options.fix else {**_stamps((), depended), **still, **listed}
            if not options.quiet:
                sys.stdout.write(f"Watching {found}. Press Ctrl+C to stop.\n")
            sys.stdout.flush()
            if not streams.has_reader():
                return exit_codes.CLEAN
            while _stamps(paths, depended) == before:
                time.sleep(INTERVAL)
            time.sleep(_SETTLED)
    except KeyboardInterrupt:
        sys.stdout.write("\n" if is_terminal(sys.stdout) else "")
        return exit_codes.CLEAN


def _checked_once(options: argparse.Namespace, check: Callable[[Invocation], object]) -> tuple[set[str], str]:
    """Check once and report; return the files that the check depends on, and in words what is watched."""
    invocation = Invocation(options)
    if is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb":
        sys.stdout.write("\033[2J\033[3J\033[H")
    try:
        check(invocation)
    except SettingsError as error:
        # It is half typed, maybe, and is looked at again when it's saved.
        say(str(error))
        return invocation.depended, "for changes; nothing was checked"
    files, findings = len({each.path for each in invocation.run.files}), len(invocation.run.diagnostics)
    return invocation.depended, f"{plural(files, 'file')}; found {plural(findings, 'finding')}"


def _stamps(paths: Sequence[Path], depended: Iterable[str]) -> Stamps:
    """The state of the files under the paths, of those that settings are read from, and of others."""
    listed = (str(path) for path in Folder(None, Settings()).files(paths, _LISTED))
    settings = (str(project_root(path) / "pyproject.toml") for path in paths)
    return {path: stamp_of(path) for path in (*listed, *settings, *depended)}
