"""Where on the user's disk things are kept between two runs.

It makes no folder and looks into none.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def default_folder() -> Path:
    """Where the user's caches are, by GRAPHWRIGHT_CACHE_DIR or the system's custom."""
    chosen = os.environ.get("GRAPHWRIGHT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "graphwright/cache"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/graphwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphwright"
