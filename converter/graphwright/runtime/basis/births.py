"""What the branch or iteration that is being traced has made, and what it is about to change.

Nothing outside of it sees what it has made change.
"""

from __future__ import annotations

from array import array
from collections import UserList, deque
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Protocol, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.plain_containers import DEFAULT, PLAIN
from graphwright.runtime.basis.separated_lists import refuse_changed_inside
from graphwright.runtime.basis.tensorflow import NumpyArray, tf

SOMETHING = "it"
"""How the user writes a list or dict that was found in another, which nobody knows."""

ARRAYS: tuple[type, ...] = (array, NumpyArray)
COLLECTIONS: tuple[type, ...] = (set, deque, UserList, bytearray, *ARRAYS)
"""Collections of Python's and NumPy's that no graph can carry, but for deques that aren't of a derived class."""
_LIST_OR_DICT: Any = (list, dict)


def is_uncarried(value: Any) -> bool:
    """Whether it is a set or the like."""
    return isinstance(value, COLLECTIONS) and type(value) not in PLAIN


def is_collection(value: Any) -> bool:
    """Whether no graph can carry a collection in place: a set or the like, or a list or dict of a class of its own."""
    if isinstance(value, _LIST_OR_DICT):
        kind = cast("Any", type(value))
        return kind not in PLAIN and not has_member(kind, "graphwright_options") and kind.__name__ != "TypedList"
    return value.flags.writeable if isinstance(value, NumpyArray) else is_uncarried(value)


default_items: Callable[[Any], Any] = lambda container: container  # noqa: E731
"""Gives a `defaultdict` as who reads an item sees it; set to what `default_items` says."""


class Tracing(Protocol):
    """The notes of the branch or iteration that is being traced."""

    born: dict[int, Any]
    state: dict[int, Any]
    """The lists and dicts that it was given."""
    around: Tracing | None
    advances: bool
    """Whether it is only an iterator that gives an item, and no branch or iteration."""

    def note_inside(self, container: Any, text: str) -> None: ...

    def note_collection(self, container: Any, text: str) -> None: ...

    def note_read(self, container: Any) -> None: ...

    def will_carry(self, grown: Any) -> bool: ...


tracing: ContextVar[Tracing | None] = ContextVar("graphwright_tracing", default=None)
"""None outside of any branch or iteration."""


def is_in_construct() -> bool:
    """Whether a branch or iteration is being traced."""
    here = tracing.get()
    while here is not None and here.advances:
        here = here.around
    return here is not None


def is_around(notes: Tracing | None, found: Tracing) -> bool:
    """Whether notes are those of what is being traced, or of a construct around it."""
    while notes is not None and notes is not found:
        notes = notes.around
    return notes is not None


def note_new(*made: Any) -> None:
    """Objects were made by, or for, the branch or iteration that is being traced."""
    here = tracing.get()
    if here is not None:
        here.born.update((id(one), one) for one in made if not isinstance(one, tf.Tensor))


def is_given(container: Any) -> bool:
    """Whether a list or dict was given to what is being traced, or to a construct around it."""
    here = tracing.get()
    while here is not None and id(container) not in here.state:
        here = here.around
    return here is not None


def is_born(value: Any) -> bool:
    """Whether something was made by, or for, what is being traced, or a construct around it."""
    here = tracing.get()
    while here is not None and id(value) not in here.born:
        here = here.around
    return here is not None


def changes_inside(container: Any, text: str) -> None:
    """A list, a dict or another collection is about to be changed in place."""
    here = tracing.get()
    if here is not None and type(container) in PLAIN:
        here.note_inside(container, text)
    elif here is not None and is_collection(container):
        while here is not None and id(container) not in here.born:
            here.note_collection(container, text)
            here = here.around


def reads_collection(container: Any) -> None:
    """What is in a set or the like is about to be read."""
    here = tracing.get()
    while here is not None and is_uncarried(container) and id(container) not in here.born:
        here.note_read(container)
        here = here.around


def changing(container: Any, text: str = SOMETHING) -> Any:
    """What is about to be changed in place: a list, a dict, or anything else that has such methods."""
    if has_member(cast("Any", type(container)), "graphwright_held"):
        changes_inside(container.graphwright_held.value, text)
    changes_inside(container, text)
    refuse_changed_inside(container)
    return current(container)


def read_from(container: Any, text: str = SOMETHING) -> Any:
    """What is about to be asked for an item: a defaultdict sets a key that it doesn't have."""
    kind = cast("Any", type(container))
    if kind is dict:  # Said at once: every item that is read asks.
        return container
    return default_items(changing(container, text)) if kind is DEFAULT else current(container)


def changes_list(grown: Any) -> bool:
    """A list of the graph is about to be changed in another graph than its own; gives whether that will carry it."""
    here = tracing.get()
    return here is not None and here.will_carry(grown)


def born(kind: Any) -> Callable[..., Any]:
    """What is called instead of a class while a branch or an iteration is traced: what it makes is known to be new."""

    def make(*args: Any, **kwargs: Any) -> Any:
        made = kind(*args, **kwargs)
        note_new(made)
        return made

    return make
