"""`graphwright server`: start the language server.

This is the only place in the command line that loads it.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys

from graphwright_server import garbage

from . import exit_codes

_NEEDED = ("pygls", "lsprotocol")


def run(options: argparse.Namespace) -> int:
    """Serve until the client says goodbye, and return the exit code."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        sys.stderr.write(
            f"graphwright: the language server needs {' and '.join(missing)}; "
            "install them with: pip install 'graphwright[server]'\n"
        )
        return exit_codes.COULD_NOT_RUN
    garbage.look_between()
    from graphwright_server.lsp.server import serve

    return serve(options.log_file, options.log_level)
