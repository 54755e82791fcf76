"""Whether the user's code outside of the branch or iteration that is being traced can reach an object.

What that has made itself is reached from its own frames alone. It says nothing of what extensions in C keep.
"""

from __future__ import annotations

import dis
import inspect
import sys
import types
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any

from graphwright.libraries import is_library_module
from graphwright.runtime.basis.context import SIMPLE
from graphwright.runtime.basis.dead_names import may_be_read, stored_next
from graphwright.runtime.state.held_values import held_by
from graphwright.runtime.state.known_globals import LIMIT, KnownGlobals, Namespaces, known_globals

BOUNDARIES: set[types.CodeType] = set()
"""The code that traces a branch or iteration, a method of its notes."""

TRACE_BOUNDARIES: set[types.CodeType] = set()
"""The code that traces a function."""


def is_outside(wanted: Any, notes: Any) -> bool:
    """Whether a branch or iteration, which has these notes, hasn't made an object: others can reach it."""
    return reaches(_roots(notes), wanted, known=_globals())


def is_made_by_call_inside(container: Any, notes: Any) -> bool:
    """Whether a dict is the `**kwargs` of a call that runs inside of the branch or iteration with these notes."""
    for frame in _frames():
        code = frame.f_code
        if code.co_flags & inspect.CO_VARKEYWORDS:
            has_more = bool(code.co_flags & inspect.CO_VARARGS)
            name = code.co_varnames[code.co_argcount + code.co_kwonlyargcount + has_more]
            if frame.f_locals.get(name) is container:
                return not _stores(code, name)
        elif code in BOUNDARIES and frame.f_locals["self"] is notes:
            break
    return False


def _stores(code: types.CodeType, name: str) -> bool:
    """Whether a function, or one inside of it, may give a variable another value."""
    stores = (one for one in dis.get_instructions(code) if one.opname.startswith(("STORE_", "DELETE_")))
    stored: list[Any] = [one.argval for one in stores]
    if any(name in each if isinstance(each, tuple) else name == each for each in stored):
        return True
    inside = (each for each in code.co_consts if isinstance(each, types.CodeType) and name in each.co_freevars)
    return any(_stores(each, name) for each in inside)


def was_there(wanted: Any, known: Iterable[Any]) -> bool:
    """Whether an object is older than the trace: what is `known`, a caller's frame or a global holds it."""
    outside, roots = False, list(known)
    for frame in _frames():
        if outside and _is_users(frame):
            roots += frame.f_locals.values()
        outside = outside or frame.f_code in TRACE_BOUNDARIES
    return reaches(roots, wanted, known=_globals())


def is_reachable(wanted: Any) -> bool:
    """Whether the user's code has an object anywhere."""
    return reaches(_roots_but(()), wanted, known=_globals())


def is_named_otherwise(wanted: Any, path: str, together: Iterable[str] = ()) -> bool:
    """Whether the user's code has an object elsewhere than under this path, which a construct gives another value.

    A path is a name, or ends with an attribute or an item. Names that get their values `together` with it are elsewhere
    only if more than one of them has the object.
    """
    name, item = _parted(path)
    if item:
        return reaches(_roots_but(()), wanted, item, known=_globals())
    names = frozenset({name, *together})
    if reaches(_roots_but(names), wanted, variables=names, known=_globals()):
        return True
    return len({key for key, held in _held_under(names) if reaches([held], wanted)}) > 1


def reached_otherwise(names: Iterable[str], places: Sequence[Any]) -> set[int]:
    """The ids of what the user's code has elsewhere than under some names of the innermost function, and at places."""
    cut = {(id(place.owner), key) for place in places for key in (getattr(place, "name", ""), repr(place.text))}
    owners = {owner for owner, _ in cut}
    whole = {id(place.owner) for place in places if place.key[1:] == ("contents",)}
    cells = {id(place.owner): place.text for place in places if place.key[1:] == ("variable",)}
    hidden, shared = frozenset(names), frozenset(cells.values())
    roots, known = [*_roots_but_at(hidden, shared)], _globals()
    if owners.isdisjoint(known.ids | known.cells | known.namespaces.keys()):
        passed_over = known.ids
    else:
        passed_over = set[int]()
        roots += _globals_but(known.namespaces, cut)
    inside: Iterable[tuple[Any, Any]] = enumerate(roots)
    pending, found = deque[Any](), set[int]()
    for _ in range(LIMIT):
        for _, held in inside:
            if id(held) not in found and id(held) not in passed_over:
                found.add(id(held))
                if type(held) not in SIMPLE:
                    pending.append(held)
        if not pending:
            break
        value = pending.popleft()
        inside = () if id(value) in whole else held_by(value)
        if isinstance(value, types.FunctionType) and value.__closure__:
            inside = [(key, held) for key, held in inside if not _is_hidden(value, key, hidden, shared, cells)]
        if id(value) in owners:
            inside = [(key, held) for key, held in inside if (id(value), _text_of(key, value)) not in cut]
    return found | passed_over


def _is_hidden(
    function: types.FunctionType, name: str, names: frozenset[str], shared: frozenset[str], cells: Container[int]
) -> bool:
    """Whether a name in a function is a variable that the construct gives another value."""
    if name in shared:
        place = function.__code__.co_freevars.index(name) if name in function.__code__.co_freevars else -1
        return place >= 0 and id((function.__closure__ or ())[place]) in cells
    return name in names and _is_variable_here(function, name)


def _roots_but_at(names: frozenset[str], shared: frozenset[str]) -> Iterator[Any]:
    """What the user's frames hold, but for names of the innermost function and shared ones."""
    for frame, is_inner in _users_frames():
        hidden = shared.intersection((*frame.f_code.co_cellvars, *frame.f_code.co_freevars)) if shared else shared
        hidden = hidden | names if is_inner else hidden
        yield from [held for key, held in frame.f_locals.items() if key not in hidden]


def _globals_but(namespaces: Namespaces, cut: Container[tuple[int, str]]) -> Iterator[Any]:
    """What globals hold, but at places."""
    for known in namespaces.values():
        yield from [held for key, held in known.items() if not cut or (id(known), repr(key)) not in cut]


def live_places(of_interest: Callable[[Any], bool]) -> tuple[set[Place], bool]:
    """Where the user's names that may be read later lead to something of interest, and whether a name is set to it now.

    Names that get what their functions wait for don't count.
    """
    pending = deque(((id(names), name), held) for names in _namespaces().values() for name, held in [*names.items()])
    own, set_now = None, frozenset[str]()
    for frame, is_inner in _users_frames():
        code, next_ones = frame.f_code, stored_next(frame)
        shared = {*code.co_cellvars, *code.co_freevars}
        if own is None:
            own = frame
            set_now = {name for name in next_ones if of_interest(frame.f_locals.get(name))}
        for name, held in frame.f_locals.items():
            if type(held) in SIMPLE or name in next_ones or (is_inner and name in set_now):
                continue
            if may_be_read(frame, name):
                pending.append(((0 if is_inner or name in shared else id(frame), name), held))
            elif frame is own and not isinstance(held, tuple):
                pending.extend(_within(held))  # The statement that runs may change an item of it.
    places = _places(pending, of_interest)
    set_shared = set_now.intersection((*own.f_code.co_cellvars, *own.f_code.co_freevars)) if own is not None else ()
    return places - {(0, name) for name in set_shared}, bool(set_now)


Place = tuple[int, Any]
"""A name, attribute or item, and by id what it is in: 0 for the variables of the innermost function and shared ones."""


def _places(pending: deque[tuple[Place, Any]], of_interest: Callable[[Any], bool]) -> set[Place]:
    found, seen = set[Place](), set[int]()
    while pending and len(seen) < LIMIT:
        place, value = pending.popleft()
        if type(value) in SIMPLE:
            continue
        if of_interest(value):
            found.add(place)
        elif id(value) not in seen:
            seen.add(id(value))
            pending.extend(_within(value))
    return found


def _within(value: Any) -> Iterator[tuple[Place, Any]]:
    """What an object holds, with the place of each."""
    shared = value.__code__.co_freevars if isinstance(value, types.FunctionType) else ()
    for number, (key, held) in enumerate(held_by(value)):
        yield (0 if key in shared else id(value), key if key in shared else (number, str(key))), held


def is_read_later(wanted: Any) -> bool:
    """Whether the user's code has an object elsewhere than under names that it doesn't read any more."""
    roots: list[Any] = []
    for frame, _ in _users_frames():
        next_ones = stored_next(frame)
        for name, held in frame.f_locals.items():
            # An object under a name that isn't read may be somebody else's, too, and with it what is in it.
            holds_more = held is not wanted and not isinstance(held, types.FunctionType)
            if holds_more or (name not in next_ones and may_be_read(frame, name)):
                roots.append(held)
    return reaches(roots, wanted, known=_globals())


def is_read_again(wanted: Any) -> bool:
    """Whether a function that runs may read an object again: by a name, or in an object or function under a name.

    Lists, tuples and dicts hold it for who asks.
    """
    owners: dict[int, Any] = {}
    for frame, _ in _users_frames():
        for name, held in list(frame.f_locals.items()):
            if held is wanted and may_be_read(frame, name):
                return True
            if not isinstance(held, (list, tuple, dict)):
                owners[id(held)] = held
    return any(held is wanted for owner in owners.values() for _, held in held_by(owner))


def _parted(path: str) -> tuple[str, str]:
    """The last name, attribute or item of a path, and what is in front of it."""
    if path.endswith("]"):
        return path.rpartition("[")[0], path.rpartition("[")[2][:-1]
    return (path.rpartition(".")[0], path.rpartition(".")[2]) if "." in path else (path, "")


def reaches(
    roots: Iterable[Any],
    wanted: Any,
    but: str = "",
    variables: Container[str] = (),
    known: KnownGlobals | None = None,
) -> bool:
    """Whether an object is among these or in them: in containers, attributes, closures and defaults.

    The first owner that holds it under the name `but` doesn't count, nor do `variables` of the innermost function. It
    is also looked for in the globals that are `known`.
    """
    is_in_globals = known is not None and id(wanted) in known.ids
    if is_in_globals and not but and not variables:
        return True
    further: Iterable[Any] = _globals_but(known.namespaces, ()) if known is not None and is_in_globals else ()
    passed_over: Container[int] = () if known is None or is_in_globals else known.ids
    inside: Iterable[tuple[Any, Any]] = enumerate((*roots, *further))
    owner, passed = None, not but
    pending, seen = deque[Any](), set[int]()
    for _ in range(LIMIT):
        for key, held in inside:
            if held is wanted:
                if variables and isinstance(key, str) and key in variables and _is_variable_here(owner, key):
                    continue
                if passed or owner is None or _text_of(key, owner) != but:
                    return True
                passed = True
            elif type(held) not in SIMPLE and id(held) not in seen and id(held) not in passed_over:
                seen.add(id(held))
                pending.append(held)
        if not pending:
            break
        owner = pending.popleft()
        inside = held_by(owner)
    return False


def _is_variable_here(owner: Any, name: str) -> bool:
    """Whether a function was made by the innermost one, and a name in it is a variable of that."""
    if not isinstance(owner, types.FunctionType):
        return False
    return any(is_inner and _shares(owner.__code__, frame.f_code, name) for frame, is_inner in _users_frames())


def _shares(inner: types.CodeType, code: types.CodeType, name: str) -> bool:
    """Whether a name is one variable in a function and in one inside of it."""
    within = (each for each in code.co_consts if isinstance(each, types.CodeType) and name in each.co_freevars)
    return any(each is inner or _shares(inner, each, name) for each in within)


def _text_of(key: Any, owner: Any) -> str:
    """The name, or the item's text, under which an owner holds something."""
    return repr(key) if isinstance(owner, dict) else str(key)


def _roots(notes: Any) -> Iterator[Any]:
    """What the user's frames around the construct hold, and the globals of all."""
    outside = False
    for frame in _frames():
        outside = outside or (frame.f_code in BOUNDARIES and frame.f_locals["self"] is notes)
        if outside and _is_users(frame):
            yield from list(frame.f_locals.values())


def _roots_but(names: Container[str]) -> Iterator[Any]:
    """What the user's frames hold, but for some names of the innermost function."""
    for frame, is_inner in _users_frames():
        yield from [held for key, held in frame.f_locals.items() if not (is_inner and key in names)]


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
        is_inner = is_inner and (inner is None or is_part(inner, frame.f_code))
        inner = frame.f_code
        yield frame, is_inner


def is_part(inner: types.CodeType, code: types.CodeType) -> bool:
    """Whether it was generated for a part of a function, and is no function of the user's in it."""
    names = [(each.co_name, getattr(each, "co_qualname", "")) for each in (inner, code)]
    return names[0] == names[1] and inner in code.co_consts


def _globals() -> KnownGlobals:
    """What the globals of the user's functions that run lead to."""
    return known_globals(_namespaces())


def _namespaces() -> Namespaces:
    """The globals of the user's functions that run."""
    return {id(frame.f_globals): frame.f_globals for frame in filter(_is_users, _frames())}


def _frames() -> Iterator[types.FrameType]:
    """The frames that run, the innermost first."""
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_users(frame: types.FrameType) -> bool:
    return not is_library_module(frame.f_globals.get("__name__", ""))
