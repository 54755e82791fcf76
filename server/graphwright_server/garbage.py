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
AT_LAST = 100_000
"""The number that triggers it in any case."""
FEW = 2_000_000
"""The number of objects that may be added before the old ones are looked through for the first time."""
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

    It looks among the new ones alone, until so many have been added that old ones are likely to be garbage as well.
    """
    new = gc.get_count()[0]
    if new <= objects:
        return False
    _heap.added += new
    if _heap.added > _heap.bearable:
        collect()
    else:
        gc.collect(1)
    return True


def collect() -> None:
    """Collect garbage among all objects."""
    found, held = gc.collect(), len(gc.get_objects())
    _heap.bearable = held // 4 if found * 8 > _heap.added else held
    _heap.added = 0


@dataclass(slots=True)
class _Heap:
    """About how many objects were added since all were looked through, and how many may be until that is done again:
    a quarter of what was left, or as many again if next to no garbage was found."""

    added: int = 0
    bearable: int = FEW


_heap = _Heap()
