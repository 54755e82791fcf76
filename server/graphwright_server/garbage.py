"""Decides when Python collects garbage: between two pieces of work, and only after many new objects.

It doesn't while a request is answered. Most objects of the analysis are freed at once: traces contain no cycles, only
the control-flow graphs of files do. How many files are cached is up to the project.
"""

from __future__ import annotations

import atexit
import gc
from dataclasses import dataclass

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
    """Collect garbage if there are this many new objects; return True if it did.

    Usually it looks among the new ones alone. All are looked through once an eighth was added to what they were.
    """
    new = gc.get_count()[0]
    if new <= objects:
        return False
    _heap.added += new
    if _heap.added * 8 > _heap.held:
        collect()
    else:
        gc.collect(1)
    return True


def collect() -> None:
    """Collect garbage among all objects."""
    gc.collect()
    _heap.held, _heap.added = len(gc.get_objects()), 0


@dataclass(slots=True)
class _Heap:
    """How many objects were left when all were looked through, and about how many were added since."""

    held: int = 0
    added: int = 0


_heap = _Heap()
