"""`graphwright mcp`: serve coding agents over the Model Context Protocol.

This is the only place in the command line that loads that server.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from graphwright_server.mcp.skill import skill_page

from . import exit_codes


def run(options: argparse.Namespace) -> int:
    """Serve until the client closes standard input, and return the exit code."""
    if options.skill:
        sys.stdout.write(skill_page())
        return exit_codes.CLEAN
    root = Path(options.root)
    if not root.is_dir():
        return _refuse(f"{root} isn't a folder")
    if importlib.util.find_spec("mcp") is None:
        return _refuse("this command needs the package mcp; install it with: pip install 'graphwright[mcp]'")
    from graphwright_server.mcp.server import serve

    serve(root.resolve(), options.allow_run)
    return exit_codes.CLEAN


def _refuse(message: str) -> int:
    sys.stderr.write(f"graphwright: {message}\n")
    return exit_codes.COULD_NOT_RUN
