"""What code that isn't converted changes in place while a branch or loop of the graph is traced.

Lists, dicts and sets among what it is given count as changed, as by code of the user's. What no graph can carry, such
as an array, is refused if it is there outside of the branch or iteration as well.
"""

from __future__ import annotations

import collections
import csv
import functools
import io
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, cast

from graphwright.libraries import is_library_class, is_library_function, is_library_module
from graphwright.runtime.basis.attributes import attributes_of, chosen_from, held_attributes
from graphwright.runtime.basis.births import changes_inside, is_collection
from graphwright.runtime.basis.context import staged_depth
from graphwright.runtime.basis.grown_lists import is_forwarded
from graphwright.runtime.basis.plain_containers import PLAIN
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.functions.builtin_values import notes_itself
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.chosen_objects import set_in_each
from graphwright.runtime.state.containers import is_tracked
from graphwright.runtime.state.contents import content, is_same_content, write_back
from graphwright.runtime.state.journal import current
from graphwright.runtime.state.noting import changes, is_noting
from graphwright.runtime.state.places import Attribute
from graphwright.runtime.state.python_collections import copy_of, fill, is_equal
from graphwright.runtime.state.reachability import is_outside
from graphwright.runtime.state.undefined import Undefined

_UNCHANGING = ("tensorflow", "keras", "tf_keras", "tensorflow_probability", "graphwright", "logging", "absl")
"""Packages whose functions leave what they are given as it is."""


class _Uncarried(NamedTuple):
    """How a kind of objects is compared with what it was, and what to use instead where the graph decides."""

    name: str
    content: Callable[[Any], Any]
    instead: str


def is_foreign(function: Any) -> bool:
    """Whether a function is a library's, and may change what it is given."""
    kind = cast("Any", type(function))
    if kind is types.FunctionType:
        return is_library_function(function) and not _is_unchanging(function.__globals__["__name__"])
    if kind is types.MethodType:
        owner = cast("Any", type(function.__self__))
        return is_foreign(function.__func__) and not _is_unchanging(owner.__module__)
    if kind is types.BuiltinFunctionType:
        return not notes_itself(function) and not _is_unchanging(type(function.__self__).__module__)
    return not isinstance(function, type) and is_library_module(kind.__module__) and not _is_unchanging(kind.__module__)


def _is_unchanging(module: Any) -> bool:
    return str(module).partition(".")[0] in _UNCHANGING


def reaches_attributes(function: Any) -> bool:
    """Whether a function is one of Python's own that goes past what an object's class says of its attributes."""
    is_own = type(function) in (types.WrapperDescriptorType, types.MethodWrapperType)
    return is_own and function.__name__ in _REACHING


def watched(function: Any, callee: Any) -> Any:
    """The callee, with what it changes noted as of this function; outside of constructs, in what the graph chooses."""
    if is_noting():
        return functools.partial(_called, function, callee) if is_foreign(function) else callee

    def call(*args: Any) -> Any:
        is_chosen = any(map(chosen_from, (getattr(function, "__self__", None), *args)))
        return _called(function, callee, *args) if is_chosen else callee(*args)

    return call if reaches_attributes(function) else callee


def _called(function: Any, callee: Any, /, *args: Any, **kwargs: Any) -> Any:
    given = [one for one in (getattr(function, "__self__", None), *args, *kwargs.values()) if one is not None]
    held = [(one, content(one)) for one in given if type(one) in PLAIN]
    collected = [(one, copy_of(one)) for one in given if is_collection(one) and not is_tracked(cast("Any", type(one)))]
    stored = [(one, _stored(one)) for one in given if _stores(one)]
    others = list(_others(given)) if staged_depth() else []
    try:
        result = callee(*args, **kwargs)
    except TypeError as error:
        if any(isinstance(one, GraphList) or is_forwarded(one) for one in given):
            raise TypeError(_LONGER.format(_name_of(function))) from error
        raise
    except AttributeError as error:
        if reaches_attributes(function) and (found := [one for one in given if chosen_from(one)]):
            raise TypeError(_OF_CHOSEN.format(found[0].__class__.__name__, _name_of(function))) from error
        raise
    for container, before in held:
        if not is_same_content(container, before):
            _note(function, container, before)
    for container, before in collected:
        if not is_equal(container, before):
            _note_collection(function, container, before)
    for owner, before in stored:
        _note_attributes(owner, before)
    for value, kind, before in others:
        if kind.content(value) != before and is_outside(value, current()):
            raise TypeError(_REFUSAL.format(_name_of(function), kind.name, kind.instead))
    return result


def _note(function: Any, container: Any, before: Any) -> None:
    if type(before) is list and before and is_forwarded(before):
        raise TypeError(_LONGER.format(_name_of(function)))
    now = content(container)
    write_back(container, before)
    changes_inside(container, f"the {type(container).__name__} that `{_name_of(function)}` changes")
    write_back(container, now)


def _note_collection(function: Any, container: Any, before: Any) -> None:
    now = copy_of(container)
    fill(container, before)
    changes_inside(container, f"{_name_of(function)}(...)")
    fill(container, now)


def _stores(value: Any) -> bool:
    """Whether a value is of a class of the user's whose objects hold attributes."""
    kind = cast("Any", type(value))
    return not is_library_class(kind) and not issubclass(kind, (type, tf.Tensor))


def _stored(value: Any) -> dict[str, Any]:
    """What an object itself holds; one that the graph chooses holds nothing, unless it was just put there."""
    held = attributes_of(value, itself=True)
    return {name: each for name, each in held.items() if not name.startswith("graphwright_")}


def _note_attributes(owner: Any, before: dict[str, Any]) -> None:
    after = _stored(owner)
    for name in [name for name in before | after if before.get(name, owner) is not after.get(name, owner)]:
        place = Attribute(owner, name)
        if chosen_from(owner):
            object.__delattr__(owner, name)
            set_in_each(owner, object.__setattr__, name, after[name])
            continue
        place.put(before.get(name, Undefined(name)))
        changes(owner, name)
        place.put(after.get(name, Undefined(name)))


def _others(given: list[Any]) -> Iterator[tuple[Any, _Uncarried, Any]]:
    """What no graph can carry, with what is in it."""
    for position, value in enumerate(given):
        kind = _kind_of(value, position == 0)
        if kind is not None:
            yield value, kind, kind.content(value)


def _kind_of(value: Any, may_be_owner: bool) -> _Uncarried | None:
    cls = cast("Any", type(value))
    if cls in _KINDS:
        return _KINDS[cls]
    is_object = may_be_owner and held_attributes(value) is not None and not isinstance(value, (type, types.ModuleType))
    if is_object and is_library_module(cls.__module__) and not _is_unchanging(cls.__module__):
        return _Uncarried(f"a {cls.__name__}", _attributes, "use a list, a dict or a tensor")
    return None


def _attributes(value: Any) -> dict[str, Any]:
    """What is in an object's attributes: which objects, and what those hold."""
    attributes = cast("dict[str, Any]", vars(value))
    return {name: (id(held), _held_in(held)) for name, held in attributes.items()}


def _held_in(value: Any) -> Any:
    if isinstance(value, (list, tuple, collections.deque)):
        return [id(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        known = cast("dict[Any, Any]", value)
        return {id(key): id(item) for key, item in known.items()}
    return len(cast("set[Any]", value)) if isinstance(value, set) else None


def _unknown(_: Any) -> Any:
    """What nobody can look at may have changed."""
    return object()


def _name_of(function: Any) -> str:
    return getattr(function, "__name__", None) or cast("Any", type(function)).__name__


_REACHING = ("__get__", "__getattribute__", "__set__", "__setattr__", "__delete__", "__delattr__")
_KINDS: dict[type, _Uncarried] = {
    io.StringIO: _Uncarried("a StringIO", io.StringIO.getvalue, "add to a string (`text += ...`)"),
    type(csv.writer(io.StringIO())): _Uncarried("a CSV file", _unknown, "collect the rows in a list"),
    io.BytesIO: _Uncarried("a BytesIO", io.BytesIO.getvalue, "collect the parts in a list"),
}
_REFUSAL = (
    "`{0}` changes {1} while a branch or loop of the graph is traced, which happens once and not whenever it runs: {2}"
)
_LONGER = (
    "`{0}` isn't converted, so it can't change a list that the graph makes longer: write what it does with `for` and "
    "`if`, or use a tensor of a fixed size"
)
_OF_CHOSEN = "the graph chooses which {0} it is, so `{1}` can't find its attributes: read and set them as in `x.name`"
