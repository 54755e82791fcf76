"""Sets, deques and byte arrays, which no graph can carry: what is traced may change them only where it always would.

Both sides of a branch start with what they held before it, and have to leave the same in them. An iteration may add to
a set, since it adds the same each time it runs. Anything else is an error: a value would be wrong without a word.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from .contents import SOMETHING, is_same


@dataclass(frozen=True)
class Changed:
    """A collection that may change, and how the user writes it."""

    container: Any
    text: str
    before: Any
    after: Any = None

    @classmethod
    def from_now(cls, container: Any, text: str) -> Changed:
        """What may change from here on."""
        return cls(container, text, container.copy())

    def ended(self) -> Changed:
        """The same with what it has come to hold; what it held before is put back."""
        after = self.container.copy()
        fill(self.container, self.before)
        return Changed(self.container, self.text, self.before, after)

    @property
    def is_change(self) -> bool:
        """Whether it holds something else now."""
        return not _is_equal(self.before, self.after)


Side = dict[int, Changed]
"""What a branch or an iteration has changed."""


def fill(container: Any, content: Any) -> None:
    """Let a collection hold what another one holds."""
    if not _is_equal(container, content):
        container.clear()
        (container.update if hasattr(container, "update") else container.extend)(content)


def agreed(sides: Iterable[Side]) -> list[Changed]:
    """What all sides of a branch leave, which is an error where they differ."""
    sides = list(sides)
    found = {key: changed for side in sides for key, changed in side.items() if changed.is_change}
    for key, changed in found.items():
        for side in sides:
            if key not in side or not _is_equal(side[key].after, changed.after):
                raise TypeError(
                    f"{_named(changed)} changes in a branch that the graph decides, and Python would have to know now "
                    "whether it does: use a list or a dict"
                )
    return list(found.values())


def repeated(side: Side) -> list[Changed]:
    """What an iteration leaves, which is an error where it would differ from one iteration to the next."""
    found = [changed for changed in side.values() if changed.is_change]
    for changed in found:
        if not isinstance(changed.container, set) or not changed.before <= changed.after:
            raise TypeError(
                f"{_named(changed)} changes in a loop that the graph runs, and Python would have to know now how "
                "often: use a list, or a tensor of a fixed size"
            )
    return found


def _named(changed: Changed) -> str:
    kind = cast("type[Any]", type(changed.container)).__name__
    return f"a {kind}" if changed.text == SOMETHING else f"the {kind} `{changed.text}`"


def _is_equal(one: Any, two: Any) -> bool:
    if isinstance(one, collections.deque):
        return len(cast(Any, one)) == len(two) and all(map(is_same, cast(Any, one), two))
    return bool(one == two)
