"""Lists, dicts and objects of which the graph holds two, or may, where the program has one: changes are refused.

Where a branch or loop makes two of one isn't found out here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

from graphwright.runtime.basis.attributes import attributes_of, chosen_from, has_member
from graphwright.runtime.basis.graph_notes import GraphNotes, outermost_graph
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.plain_containers import DEQUE, DICTS, PLAIN, form_of

_REFUSAL = (
    "{0} and {1} may be the same {2} here, which only the graph knows: it holds one for each, and a change in place "
    "would be missing in the other. Copy it where it gets its second name (`{3}(...)`), or change it before"
)
_REFUSAL_TO_COMPARE = (
    "whether {0} and {1} are the same {2} is known only when the graph runs: compare what is in them, or "
    "note in a variable which one was assigned"
)


@dataclass(frozen=True)
class Separation:
    """How the user writes the two, and the lists, dicts and objects that were there before."""

    one: str = field(compare=False)
    other: str = field(compare=False)
    construct: Any = field(compare=False, repr=False)
    """The branch or loop that makes two of one."""
    path: tuple[Any, ...] = ()
    others: frozenset[tuple[Any, ...]] = frozenset()
    """Where in its results the others are."""
    before: tuple[Any, ...] = field(default=(), compare=False)
    keys: frozenset[int] = frozenset()
    """The ids of those that were there before."""

    def concerns(self, other: Separation) -> bool:
        """Whether two lists, dicts or objects with these words may be the same."""
        if self.construct is not other.construct:
            return False
        return self.path == other.path or self.path in other.others or other.path in self.others


@dataclass
class _Separated:
    """A list, dict or object, with what was in it when it was last the graph's to fill."""

    container: Any
    held: Any
    words: Separation


_Frame = dict[tuple[int, int], _Separated]
_frame: ContextVar[_Frame | None] = ContextVar("graphwright_separated", default=None)
_frames_of_functions = GraphNotes()
_has_begun: list[bool] = []
"""Not empty once anything was noted in this process; until then there is nothing to look for."""
is_reachable: Callable[[Any], bool] = lambda value: True  # noqa: E731
"""Whether the user's code has a list, dict or object; set by `separations`."""


def _here() -> _Frame:
    frame = _frame.get()
    return _frames_of_functions.setdefault(outermost_graph(), {}) if frame is None else frame


def has_separated() -> bool:
    """Whether there are any in what is being traced."""
    frame = _frame.get()
    if frame is not None:
        return bool(frame)
    return bool(_has_begun and _frames_of_functions.get(outermost_graph()))


@contextlib.contextmanager
def apart() -> Generator[None, None, None]:
    """What is noted in here is forgotten at the end."""
    inside = {key: _Separated(each.container, _held(each.container), each.words) for key, each in _here().items()}
    token = _frame.set(inside)
    try:
        yield
    finally:
        _frame.reset(token)


@contextlib.contextmanager
def watching_separated(found: dict[int, Separation]) -> Generator[None, None, None]:
    """Raise the error for those that change in what is traced here; `found` gets the words about each, by id."""
    with apart():
        yield
        refuse_changed()
        found.update((id(each.container), each.words) for each in _here().values())


def refuse_changed() -> None:
    """Raise the error for those that have changed."""
    for each in _here().values():
        now = _held(each.container)
        if now is not None and not _is_same(now, each.held) and _has_partner(each):
            raise TypeError(_text(_REFUSAL, each))


def _has_partner(each: _Separated) -> bool:
    """Whether the user's code still has another that may be the same."""
    others = [other for other in _here().values() if other.words.concerns(each.words)]
    wanted = [other.container for other in others if current(other.container) is not current(each.container)]
    return any(is_reachable(one) or (_now(one) is not one and is_reachable(_now(one))) for one in wanted)


def _now(container: Any) -> Any:
    """What names inside of a branch or iteration have: a list of the graph is another object there."""
    now: Any = current(container)
    return now.last() if _is_of_graph(now) else now


def note_separated(value: Any, words: Separation | None) -> Any:
    """What a branch or loop has left is one of two, and so are those that were there before."""
    if words is not None:
        made = (chosen_from(value) or (value,))[-1]
        for each in (made, *words.before):
            _has_begun[:] = [True]
            _here()[id(each), id(words.construct)] = _Separated(each, _held(each), words)
    return value


def separation_of(container: Any) -> Separation | None:
    """What is noted of a list, dict or object, if anything is."""
    known = _known(container) if has_separated() else ()
    return known[0].words if known else None


def filled(container: Any) -> None:
    """The graph has filled a list, dict or object, which is no change of the user's."""
    if has_separated():
        for known in [each for each in _here().values() if each.container is container]:
            known.held = _held(container)


def refuse_separated(containers: Sequence[Any]) -> None:
    """Raise the error for lists, dicts and objects that are about to change in place."""
    for container in containers if has_separated() else ():
        for known in filter(_has_partner, _all_known((container, *chosen_from(container)))):
            raise TypeError(_text(_REFUSAL, known))


def refuse_changed_inside(container: Any) -> None:
    """The same for what has methods as lists and dicts have: objects tell of their changes themselves."""
    if has_separated() and (isinstance(container, (list, dict, DEQUE)) or _is_of_graph(container)):
        refuse_separated([container])


def refuse_comparing(left: Any, right: Any) -> None:
    """Raise the error for `left is right` where only the program knows."""
    if has_separated():
        sides = [_all_known(chosen_from(each) or (each,)) for each in (left, right)]
        for found in [one for one in sides[0] if any(one.words.concerns(other.words) for other in sides[1])]:
            raise TypeError(_text(_REFUSAL_TO_COMPARE, found))


def _all_known(containers: Sequence[Any]) -> list[_Separated]:
    return [known for one in containers for known in _known(one)]


def _known(container: Any) -> list[_Separated]:
    ones, now = (container, current(container)), _now(container)
    return [
        each
        for each in _here().values()
        if any(each.container is one for one in ones) or (_is_of_graph(now) and _now(each.container) is now)
    ]


def _held(container: Any) -> Any:
    """What is in one of Python's; None for a list of the graph, whose changes are all seen when they are made."""
    if type(container) in DICTS:
        return dict(cast("dict[Any, Any]", container))
    if isinstance(container, (list, DEQUE)):
        return dict(enumerate(cast("list[Any]", container)))
    return None if _is_of_graph(container) else attributes_of(container)


def _is_of_graph(container: Any) -> bool:
    """Whether it is a list of the graph."""
    return has_member(cast("Any", type(container)), "last")


def _is_same(now: dict[Any, Any], before: dict[Any, Any]) -> bool:
    return list(now) == list(before) and all(now[key] is before[key] for key in now)


def _text(refusal: str, each: _Separated) -> str:
    kind, copy = _kind(each.container)
    other = each.words.other
    one = f"`{each.words.one}`" if each.words.one else f"a {kind} of the result"
    return refusal.format(one, f"`{other}`" if other else f"another name of the {kind}", kind, copy)


def _kind(container: Any) -> tuple[str, str]:
    """What the user calls such a thing, and the function that copies it."""
    if has_separated() and (isinstance(container, (list, dict, DEQUE)) or _is_of_graph(container)):
        form = form_of(container)
        kind = type(container).__name__ if type(container) in PLAIN else "dict" if form is None else form.kind.__name__
        return kind, kind
    return f"`{type(container).__name__}`", "copy.copy"
