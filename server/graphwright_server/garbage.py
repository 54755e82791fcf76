"""When Python looks for garbage: between two pieces of work, and only once much has been made since it last looked.

It isn't looked for in an answer. What the analysis lets go of is mostly freed at once: a trace holds no cycles, only
the graphs of a file's control flow do. How many files are remembered is the project's concern.
"""

from __future__ import annotations

import gc

AT_REST = 50_000
"""How many objects more than at the last look are reason enough when there is nothing else to do."""
AT_LAST = 400_000
"""How many are, even if there is."""
BETWEEN_FILES = 4_000_000
"""How many are between two files of which nothing is kept that could be garbage later."""


def look_between() -> None:
    """From now on garbage is looked for when that is asked for, and in what is made from now on."""
    gc.disable()
    gc.freeze()


def look(objects: int) -> bool:
    """Look for garbage, if there are so many objects more than the last time; whether it was worth a look."""
    due = gc.get_count()[0] > objects
    if due:
        gc.collect()
    return due
