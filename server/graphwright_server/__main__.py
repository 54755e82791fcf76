"""Lets `python -m graphwright_server` be the same as the `graphwright` command; nothing else is here."""

from __future__ import annotations

import sys

from graphwright_server.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
