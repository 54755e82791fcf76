"""Which files are our own: their frames are nobody's business but ours. It looks at names of files alone."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from graphwright import reporting

FOLDER = os.path.dirname(os.path.abspath(reporting.__file__)) + os.sep
"""All of the package, in whatever folder of it."""


@functools.cache
def own_files() -> frozenset[str]:
    return frozenset(str(path) for path in Path(reporting.__file__).resolve().parent.rglob("*.py"))
