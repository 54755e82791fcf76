"""Sets, byte arrays and the like, which no graph can carry: what is traced may change them only where it always would.

Both sides of a branch start with what they held before it, and have to leave the same in them. If a loop surely has an
iteration, that may add to a set, since it adds the same each time it runs. Anything else is an error: a value would be
wrong without a word.
"""

from __future__ import annotations

import collections
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from graphwright.runtime.basis.births import ARRAYS
from graphwright.runtime.basis.tensorflow import NumpyArray

from .containers import is_module_dict, is_tracked
from .contents import SOMETHING, is_same, is_same_content, write_back

# Untyped, so that a value that was checked against one is still anything.
_LIST: Any = list
_DICT: Any = dict
ARRAY: Any = array


@dataclass(frozen=True)
class Changed:
    """A collection that may change, and how the user writes it."""

    container: Any
    text: str
    before: Any
    after: Any = None
    read: list[Any] = field(default_factory=list[Any])
    """What was in it whenever it was read."""

    @classmethod
    def from_now(cls, container: Any, text: str) -> Changed:
        """What may change from here on."""
        return cls(container, text, copy_of(container))

    def ended(self) -> Changed:
        """The same with what it has come to hold; what it held before is put back."""
        after = copy_of(self.container)
        fill(self.container, self.before)
        return Changed(self.container, self.text, self.before, after, self.read)

    @property
    def is_change(self) -> bool:
        """Whether it holds something else now."""
        return not is_equal(self.before, self.after)


Side = dict[int, Changed]
"""What a branch or an iteration has changed."""


def copy_of(container: Any) -> Any:
    """A collection that holds the same."""
    if isinstance(container, (_LIST, _DICT)):
        return list(container) if isinstance(container, _LIST) else dict(container)
    return container[:] if isinstance(container, ARRAY) else container.copy()


def fill(container: Any, content: Any) -> None:
    """Let a collection hold what another one holds."""
    if is_equal(container, content):
        return
    if is_tracked(cast("type[Any]", type(container))):
        write_back(container, content)
    elif isinstance(container, _LIST):
        _LIST.__setitem__(container, slice(None), content)
    elif issubclass(cast("type[Any]", type(container)), _DICT):  # Those of a module only say that they are dicts.
        kind: Any = collections.OrderedDict if isinstance(container, collections.OrderedDict) else dict
        kind.clear(container)
        kind.update(container, content)
    elif isinstance(container, ARRAYS):
        container[slice(None) if isinstance(container, ARRAY) else ...] = content
    else:
        container.clear()
        (container.update if hasattr(container, "update") else container.extend)(content)


def agreed(sides: Iterable[Side]) -> list[Changed]:
    """What all sides of a branch leave, which is an error where they differ."""
    sides = list(sides)
    found = {key: changed for side in sides for key, changed in side.items() if changed.is_change}
    for key, changed in found.items():
        for side in sides:
            if key not in side or not is_equal(side[key].after, changed.after):
                raise TypeError(
                    f"{_named(changed)} changes in a branch that the graph decides, and Python would have to know now "
                    f"whether it does: use {_instead(changed, 'a list or a dict')}"
                )
    return list(found.values())


def repeated(side: Side, begins: Callable[[], bool]) -> list[Changed]:
    """What an iteration leaves, which is an error where it would differ from one iteration to the next."""
    found = [changed for changed in side.values() if changed.is_change]
    for changed in found:
        if not isinstance(changed.container, set) or not changed.before <= changed.after:
            raise TypeError(
                f"{_named(changed)} changes in a loop that the graph runs, and Python would have to know now how "
                f"often: use {_instead(changed, 'a list, or a tensor of a fixed size')}"
            )
        if not all(is_equal(read, changed.after) for read in changed.read):
            raise TypeError(
                f"{_named(changed)} is read in a loop that the graph runs and changes after that, and Python would "
                "have to know now in which iteration it is read: use a list, or a tensor of a fixed size"
            )
    if found and not begins():
        raise TypeError(
            f"{_named(found[0])} changes in a loop that the graph runs, and Python would have to know now whether "
            "there is an iteration: add to it before the loop, or use a list or a dict"
        )
    return found


def _instead(changed: Changed, usual: str) -> str:
    if is_tracked(cast("type[Any]", type(changed.container))):
        return "a list that is in no module (`xs = list(self.xs)`), and set the attribute to it afterwards"
    if is_module_dict(changed.container):
        return "it by the module's attribute alone, as in `self.items[key] = x`, or a copy of it (`dict(self.items)`)"
    return "a tensor, and give its name a new one (`a = a + 1`)" if isinstance(changed.container, ARRAYS) else usual


def _named(changed: Changed) -> str:
    kind = cast("type[Any]", type(changed.container)).__name__
    kind = "array" if isinstance(changed.container, ARRAYS) else kind
    kind = "module's dict" if is_module_dict(changed.container) else kind
    kind = "module's list" if is_tracked(cast("type[Any]", type(changed.container))) else kind
    if changed.text == SOMETHING:
        return f"{'an' if kind == 'array' else 'a'} {kind}"
    return f"the {kind} {'in ' if '(' in changed.text else ''}`{changed.text}`"


def is_equal(one: Any, two: Any) -> bool:
    """Whether two collections hold the same."""
    if isinstance(one, collections.deque):
        return len(cast(Any, one)) == len(two) and all(map(is_same, cast(Any, one), two))
    if isinstance(one, (_LIST, _DICT)):
        return is_same_content(one, two)
    if isinstance(one, collections.UserList):
        return is_same_content(cast("Any", one).data, two.data)
    if isinstance(one, NumpyArray):
        return one.shape == two.shape and one.tobytes() == two.tobytes()
    return bool(one == two)
