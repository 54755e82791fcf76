"""Decides when Python collects garbage: between two pieces of work, and only after many new objects.

It doesn't while a request is answered. Most objects of the analysis are freed at once: traces contain no cycles, only
the control-flow graphs of files do. How many files are cached is up to the project.
"""

from __future__ import annotations

import atexit
import gc

AT_REST = 50_000
"""The number of new objects that triggers a collection if there is nothing else to do."""
AT_LAST = 400_000
"""The number that triggers it in any case."""
BETWEEN_FILES = 4_000_000
"""The number between two files if nothing of the first is stored that could become garbage later."""


def look_between() -> None:
    """Stop automatic collection: from now on, garbage is collected only on request, among new objects.

    When the process ends, nothing is freed one by one: Python would look through all objects twice.
    """
    gc.disable()
    gc.freeze()
    atexit.register(gc.freeze)


def look(objects: int) -> bool:
    """Collect garbage if there are this many new objects; return True if it did."""
    due = gc.get_count()[0] > objects
    if due:
        gc.collect()
    return due
