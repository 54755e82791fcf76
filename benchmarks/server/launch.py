"""Starts Graphwright's server from the checkout as the extension starts its bundle: in isolated mode, by its `run.py`.

It measures nothing.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / name) for name in ("analysis", "converter", "server")]

if __name__ == "__main__":
    from graphwright_server.cli.main import main

    sys.exit(main())
