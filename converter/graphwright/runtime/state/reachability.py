"""Whether the user's code outside of the branch or iteration that is being traced can reach an object.

What that has made itself is reached from its own frames alone. It says nothing of what extensions in C keep.
"""

from __future__ import annotations

import functools
import sys
import types
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, cast

from graphwright.closures import closure_of
from graphwright.libraries import is_library_module
from graphwright.runtime.basis.attributes import has_member, held_attributes
from graphwright.runtime.basis.context import SIMPLE
from graphwright.runtime.basis.dead_names import may_be_read, stored_next
from graphwright.runtime.basis.tensorflow import tf

BOUNDARIES: set[types.CodeType] = set()
"""The code that traces a branch or iteration, a method of its notes."""

TRACE_BOUNDARIES: set[types.CodeType] = set()
"""The code that traces a function."""

# Untyped, as what is in it is anything.
_DICT: Any = dict
_LIMIT = 100_000
"""How many objects are searched at most."""


def is_outside(wanted: Any, notes: Any) -> bool:
    """Whether a branch or iteration, which has these notes, hasn't made an object: others can reach it."""
    return reaches(_roots(notes), wanted)


def was_there(wanted: Any, known: Iterable[Any]) -> bool:
    """Whether an object is older than the trace: what is `known`, a caller's frame or a global holds it."""
    outside, roots = False, list(known)
    for frame in _frames():
        if outside and _is_users(frame):
            roots += frame.f_locals.values()
        outside = outside or frame.f_code in TRACE_BOUNDARIES
    return reaches([*roots, *_globals()], wanted)


def is_reachable(wanted: Any) -> bool:
    """Whether the user's code has an object anywhere."""
    return reaches(_roots_but(()), wanted)


def is_named_otherwise(wanted: Any, path: str, together: Iterable[str] = ()) -> bool:
    """Whether the user's code has an object elsewhere than under this path, which a construct gives another value.

    A path is a name, or ends with an attribute or an item. Names that get their values `together` with it are elsewhere
    only if more than one of them has the object.
    """
    name, item = _parted(path)
    if item:
        return reaches(_roots_but(()), wanted, item)
    names = {name, *together}
    if reaches(_roots_but(names), wanted, name):
        return True
    return len({key for key, held in _held_under(names) if reaches([held], wanted)}) > 1


def reached_otherwise(names: Iterable[str], places: Iterable[Any]) -> set[int]:
    """The ids of what the user's code has elsewhere than under some names of the innermost function, and at places."""
    cut = {(id(place.owner), key) for place in places for key in (getattr(place, "name", ""), repr(place.text))}
    whole = {id(place.owner) for place in places if place.key[1:] == ("contents",)}
    shared = {place.text for place in places if place.key[1:] == ("variable",)}
    pending, seen = deque(_roots_but_at(set(names), shared, cut)), set[int]()
    found = set[int]()
    while pending and len(seen) < _LIMIT:
        value = pending.popleft()
        found.add(id(value))
        if type(value) not in SIMPLE and id(value) not in seen:
            seen.add(id(value))
            own = shared if isinstance(value, types.FunctionType) else ()
            inside = () if id(value) in whole else _within(value)
            pending.extend(held for name, held in inside if (id(value), name) not in cut and name not in own)
    return found


def _roots_but_at(names: set[str], shared: set[str], cut: Container[tuple[int, str]]) -> Iterator[Any]:
    """What the user's frames and globals hold, but for names of the innermost function, shared ones, and places."""
    for frame, is_inner in _users_frames():
        hidden = shared | names if is_inner else shared
        yield from [held for key, held in frame.f_locals.items() if key not in hidden]
    for known in {id(frame.f_globals): frame.f_globals for frame in filter(_is_users, _frames())}.values():
        yield from [held for key, held in known.items() if (id(known), repr(key)) not in cut]


def innermost_users_frame() -> types.FrameType | None:
    """The frame of the user's function that runs, or of one that was generated for a part of it."""
    return next(filter(_is_users, _frames()), None)


def reached_by_live_names(of_interest: Callable[[Any], bool]) -> tuple[Any, ...]:
    """What the user's names that may be read later lead to, as far as it is of interest.

    Names that get what the innermost function waits for lead to it only if two of them do.
    """
    roots: list[Any] = list(_globals())
    together: list[Any] = []
    for frame, is_inner in _users_frames():
        next_ones = stored_next(frame)
        live = [(name, held) for name, held in frame.f_locals.items() if type(held) not in SIMPLE]
        roots += [held for name, held in live if name not in next_ones and may_be_read(frame, name)]
        together += [held for name, held in live if is_inner and name in next_ones]
    found = [list(_reached([root], of_interest)) for root in together]
    several = [each for index, one in enumerate(found) for each in one if any(found[index + 1 :])]
    return (*_reached(roots, of_interest), *several)


def _reached(roots: Iterable[Any], of_interest: Callable[[Any], bool]) -> Iterator[Any]:
    pending, seen = deque(roots), set[int]()
    while pending and len(seen) < _LIMIT:
        value = pending.popleft()
        if type(value) in SIMPLE or id(value) in seen:
            continue
        seen.add(id(value))
        if of_interest(value):
            yield value
        pending.extend(held for _, held in _within(value))


def _parted(path: str) -> tuple[str, str]:
    """The last name, attribute or item of a path, and what is in front of it."""
    if path.endswith("]"):
        return path.rpartition("[")[0], path.rpartition("[")[2][:-1]
    return (path.rpartition(".")[0], path.rpartition(".")[2]) if "." in path else (path, "")


def reaches(roots: Iterable[Any], wanted: Any, but: str = "") -> bool:
    """Whether an object is among these or in them: in containers, attributes, closures and defaults.

    The first owner that holds it under the name `but` doesn't count.
    """
    pending, seen = deque(("", root) for root in roots), set[int]()
    passed = False
    while pending and len(seen) < _LIMIT:
        name, value = pending.popleft()
        if value is wanted:
            if passed or not but or name != but:
                return True
            passed = True
        elif type(value) not in SIMPLE and id(value) not in seen:
            seen.add(id(value))
            pending.extend(_within(value))
    return False


def _roots(notes: Any) -> Iterator[Any]:
    """What the user's frames around the construct hold, and the globals of all."""
    outside = False
    for frame in _frames():
        outside = outside or (frame.f_code in BOUNDARIES and frame.f_locals["self"] is notes)
        if outside and _is_users(frame):
            yield from list(frame.f_locals.values())
    yield from _globals()


def _roots_but(names: Container[str]) -> Iterator[Any]:
    """What the user's frames hold, but for some names of the innermost function."""
    for frame, is_inner in _users_frames():
        yield from [held for key, held in frame.f_locals.items() if not (is_inner and key in names)]
    yield from _globals()


def _held_under(names: Container[str]) -> Iterator[tuple[str, Any]]:
    """What the innermost function of the user's has under some names."""
    for frame, is_inner in _users_frames():
        if is_inner:
            yield from [(key, held) for key, held in frame.f_locals.items() if key in names]


def _users_frames() -> Iterator[tuple[types.FrameType, bool]]:
    """The user's frames, and whether each is of the innermost function, with the functions generated for its parts."""
    inner: types.CodeType | None = None
    is_inner = True
    for frame in filter(_is_users, _frames()):
        is_inner = is_inner and (inner is None or inner in frame.f_code.co_consts)
        inner = frame.f_code
        yield frame, is_inner


def _globals() -> Iterator[Any]:
    """The globals of the user's functions that run."""
    for names in {id(frame.f_globals): frame.f_globals for frame in filter(_is_users, _frames())}.values():
        yield from list(names.values())


def _frames() -> Iterator[types.FrameType]:
    """The frames that run, the innermost first."""
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_users(frame: types.FrameType) -> bool:
    return not is_library_module(frame.f_globals.get("__name__", ""))


def _within(value: Any) -> Iterable[tuple[str, Any]]:
    """What an object holds, as far as the user's code has put it there, with the name under which it does."""
    if has_member(cast("Any", type(value)), "graphwright_options"):
        return _unnamed(cast("Any", type(value)).graphwright_options)
    if isinstance(value, (list, tuple)):
        kind: Any = list if isinstance(value, list) else tuple
        return [(str(place), item) for place, item in enumerate(kind.__iter__(value))]
    if isinstance(value, dict):
        known = cast("Any", value)
        is_own = issubclass(cast("Any", type)(known), _DICT)  # Those of a module only say that they are dicts.
        return [(repr(key), item) for key, item in (_DICT.items(known) if is_own else known.items())]
    if isinstance(value, types.FunctionType):
        return [*closure_of(value).items(), *_unnamed(value.__defaults__ or (), (value.__kwdefaults__ or {}).values())]
    if isinstance(value, types.MethodType):
        return _unnamed((value.__self__, value.__func__))
    if isinstance(value, types.BuiltinMethodType):
        return [] if isinstance(value.__self__, types.ModuleType) else _unnamed((value.__self__,))
    if isinstance(value, functools.partial):
        part = cast("functools.partial[Any]", value)
        return _unnamed((part.func,), part.args, part.keywords.values())
    if isinstance(value, (set, frozenset, deque)):
        return _unnamed(cast("Iterable[Any]", value))
    return _attributes(value)


def _unnamed(*held: Iterable[Any]) -> list[tuple[str, Any]]:
    return [("", each) for several in held for each in several]


def _attributes(value: Any) -> Iterable[tuple[str, Any]]:
    if tf.is_tensor(value) or isinstance(value, types.ModuleType):
        return []
    kind = cast("type[Any]", type(value))
    owner = cast("type[Any]", value) if isinstance(value, type) else kind
    if is_library_module(owner.__module__ or ""):
        return []
    own = held_attributes(value) or {}
    slots = [(name, getattr(value, name)) for base in kind.__mro__ for name in _slots(base) if hasattr(value, name)]
    own = {name: held for name, held in own.items() if not name.startswith("_self_")}  # TensorFlow's notes in modules.
    return [*own.items(), *slots, *([] if isinstance(value, type) else _unnamed((kind,)))]


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
