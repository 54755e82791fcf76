"""State of Python that a trace changes and reads: the graph keeps what the trace has read, with a warning.

Which code does so is found where it is compiled (`state_notes`).
"""

from __future__ import annotations

import functools
import sys
import types
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

from graphwright.errors import FrozenStateWarning
from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.context import is_symbolic, is_tensor
from graphwright.runtime.basis.graph_inputs import depends_on_inputs
from graphwright.runtime.basis.python_values import was_python
from graphwright.runtime.basis.tensorflow import NumpyArray, tf
from graphwright.runtime.functions.callers_frames import visible, warn_at_line
from graphwright.runtime.functions.state_resets import is_reset, running_codes
from graphwright.runtime.lists.moving_lists import MovingList
from graphwright.runtime.state.reachability import was_there


@dataclass(frozen=True)
class _State:
    """A piece of state before the first change, and where that is."""

    read: Callable[[], Any]
    before: Any
    content: Any
    owner: Any
    text: str
    mode: str
    place: tuple[dict[str, Any], str, int]
    codes: frozenset[types.CodeType]


@dataclass
class TracedCall:
    """A trace that runs: what was there before, and the state that it changes."""

    known: tuple[Any, ...]
    states: dict[tuple[str, int], _State | None] = field(default_factory=dict[tuple[str, int], "_State | None"])
    searches: Counter[str] = field(default_factory=Counter[str])
    makes_variables: bool = False

    def creator(self, make: Callable[..., Any], **options: Any) -> Any:
        """Make a variable, and note that."""
        self.makes_variables = True
        return make(**options)

    def warn(self) -> None:
        """Warn of the state that isn't what it was; not where variables are made: that is traced again."""
        if self.makes_variables:
            return
        warned = set[str]()
        for state in self.states.values():
            if state is None or state.text in warned or not (message := _message(state)):
                continue
            warned.add(state.text)
            warn_at_line(*state.place, message.format(state.text), FrozenStateWarning)


traced_call: ContextVar[TracedCall | None] = ContextVar("graphwright_traced_call", default=None)


def changes_state(read: Callable[..., Any], owner: Any, text: str, mode: str, is_item: bool = False) -> None:
    """State is about to be changed, and is read elsewhere; `owner` has it, or nobody if it is a variable."""
    call = None if tf.executing_eagerly() else traced_call.get()
    if call is None or (text, id(owner)) in call.states or call.searches[text] >= _SEARCHES:
        return
    if is_item:
        read = functools.partial(_item, read)
    try:
        value = read()
    except Exception:  # It reads what the user's own code reads, or is about to set.
        value = _MISSING
    if not _KINDS[mode](value):
        return
    call.searches[text] += 1
    call.states[text, id(owner)] = None
    holder = value if mode in ("grown", "advanced") else owner
    frame = visible(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
    if frame is None or (holder is not None and not was_there(holder, call.known)):
        return
    place = frame.f_globals, frame.f_code.co_filename, frame.f_lineno
    content = _content(value) if _is_container(value) else None
    call.states[text, id(owner)] = _State(read, value, content, owner, text, mode, place, running_codes())


def _item(place: Callable[[], tuple[Any, Any]]) -> Any:
    """An item of a list or dict, read without any effect; nothing is known of the user's own containers."""
    holder, key = place()
    holder = _unwrapped(holder)
    if _is_pythons(holder, (dict,)):
        return _DICT.get(holder, key, _MISSING)
    return _LIST.__getitem__(holder, key) if _is_pythons(holder, (list,)) else _UNREADABLE


def _unwrapped(value: Any) -> Any:
    """The list or dict that TensorFlow has wrapped for an attribute of a module."""
    if not _module_of(value).startswith("tensorflow"):
        return value
    return getattr(value, "_storage", None) or getattr(value, "__wrapped__", value)


def known_before(function: Any, *given: Any) -> tuple[Any, ...]:
    """What may hold state that is older than the trace of a call: not the lists and dicts made for the trace."""
    return (function, *_leaves(given))


def _leaves(given: Any) -> Iterator[Any]:
    held: Iterable[Any] = cast("dict[Any, Any]", given).values() if isinstance(given, dict) else given
    for each in held:
        if _is_pythons(each, (list, tuple, dict)):
            yield from _leaves(each)
        else:
            yield each


def _message(state: _State) -> str:
    """The warning about state that the next call would find changed; no text if it wouldn't."""
    try:
        now = state.read()
    except Exception:
        return ""
    if state.mode == "advanced":
        return "" if is_reset(state.owner, state.text, state.codes) else _ADVANCED
    if state.content is not None:
        if _is_container(now) and _is_same(state.content, _content(now)):
            return ""
        return "" if is_reset(state.owner, state.text, state.codes) else _CHANGED.format("{0}", _kind_of(state.before))
    if state.mode == "counted":
        is_same = type(now) is type(state.before) and not is_tensor(now) and now == state.before
        return "" if is_same else _CHANGED.format("{0}", _kind_of(state.before))
    return _message_of_set(state, now)


def _message_of_set(state: _State, now: Any) -> str:
    leaves = list(_leaves([now]))
    depends = any(is_symbolic(leaf) and depends_on_inputs(leaf) for leaf in leaves)
    if state.mode == "kept":
        return _KEPT if depends and not is_reset(state.owner, state.text, state.codes) else ""
    is_new = depends or (
        state.mode == "set" and type(now) in _SCALARS and not (type(now) is type(state.before) and now == state.before)
    )
    if not is_new or is_reset(state.owner, state.text, state.codes):
        return ""
    return _CHANGED.format("{0}", _kind_of(state.before)) if type(state.before) in _SCALARS else _REPLACED


def _is_same(before: list[Any], now: list[Any]) -> bool:
    return len(before) == len(now) and all(one is other for one, other in zip(before, now, strict=True))


def _content(value: Any) -> list[Any]:
    value = _unwrapped(value)
    if isinstance(value, _DICT):
        return [each for item in _DICT.items(value) for each in item]
    kind: Any = next(kind for kind in _CONTAINERS if isinstance(value, kind))
    return list(kind.__iter__(value))


def _kind_of(value: Any) -> str:
    if _is_container(value):
        return next(kind.__name__ for kind in _CONTAINERS if isinstance(value, kind))
    return "text" if isinstance(value, str) else "value" if isinstance(value, bool) else "number"


def _is_container(value: Any) -> bool:
    return _is_pythons(value, _CONTAINERS)


def _is_pythons(value: Any, kinds: tuple[type, ...]) -> bool:
    """Whether a value is a container that no graph has made or chosen."""
    kind = cast("type[Any]", type(_unwrapped(value)))
    return issubclass(kind, kinds) and not issubclass(kind, MovingList) and not has_member(kind, "graphwright_options")


def _module_of(value: Any) -> str:
    return cast("type[Any]", type(value)).__module__


def _is_counted(value: Any) -> bool:
    if value is _MISSING or type(value) in (int, float, str) or (isinstance(value, list) and _is_container(value)):
        return True
    return is_tensor(value) and was_python(value)


def _is_set(value: Any) -> bool:
    leaves = list(_leaves([value]))
    return value is not _MISSING and all(
        leaf is None or type(leaf) in _SCALARS or isinstance(leaf, (NumpyArray, tf.__internal__.EagerTensor))
        for leaf in leaves
    )


# Untyped, as what is in them is anything.
_DICT: Any = dict
_LIST: Any = list
_MISSING, _UNREADABLE = object(), object()
_CONTAINERS: tuple[type, ...] = (list, dict, set, deque)
_SCALARS = frozenset({bool, int, float, str})
_SEARCHES = 8
"""Of how many objects a trace asks whether they were there, for each piece of state."""
_KINDS: dict[str, Callable[[Any], bool]] = {
    "counted": _is_counted,
    "grown": _is_container,
    "set": _is_set,
    "ordered": _is_set,
    "kept": lambda value: value is None or value is _MISSING,
    "advanced": lambda value: isinstance(value, Iterator) and _module_of(value) in ("builtins", "itertools"),
}
_CHANGED = (
    "`{0}` is a Python {1} that changes while this function is traced, and is read: the graph uses the {1} of its "
    "trace in every call. Use a tf.Variable for `{0}`, or pass it as an argument."
)
_REPLACED = (
    "`{0}` is read and then set while this function is traced: every call of the graph reads the value from before "
    "the trace. Use a tf.Variable for `{0}`, or pass it as an argument."
)
_KEPT = (
    "`{0}` is set only if it isn't set yet, which this function asks while it is traced: the graph computes it in "
    "every call. Use a tf.Variable for `{0}`, or pass it as an argument."
)
_ADVANCED = (
    "`next({0})` runs only while this function is traced: every call of the graph uses the same item. Pass the item "
    "as an argument, or use a tf.Variable or a tf.data.Dataset."
)
