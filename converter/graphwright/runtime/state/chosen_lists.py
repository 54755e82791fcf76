"""Lists and dicts of which the graph chooses one.

They hold what is in the one that is chosen, as it is now. What is changed in them is changed in each that may be
chosen, to what it was or to what it is then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, cast

from graphwright.runtime.basis.births import SOMETHING, changes_inside
from graphwright.runtime.basis.context import is_symbolic
from graphwright.runtime.basis.grown_lists import Grown, current
from graphwright.runtime.basis.separated_lists import refuse_separated
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists import list_methods, subscripts
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.choices import Choice, Kind, made, merged, select
from graphwright.runtime.state.contents import as_it_is, content, is_same_content, let_grow, write_back
from graphwright.runtime.state.describing import describe, take_apart
from graphwright.runtime.state.nodes import StateNode

_being_held: ContextVar[tuple[frozenset[int], ...]] = ContextVar("graphwright_being_held", default=())
"""The ids of the options of what is finding out what it holds, and of what that is in."""
# Untyped, so that what was checked against them is still anything.
LIST: Any = list
DICT: Any = dict


class ChosenContents(Choice):
    """What lists and dicts that are chosen have in common."""

    graphwright_base: Any
    """What they are to the user."""
    graphwright_grown: ChosenGraphList | None = None
    """What is in a list if only the graph knows how long it is."""
    graphwright_seen: Any = None
    """What was in the options when it was looked at."""
    __hash__ = None  # type: ignore[assignment]

    graphwright_is_copy = False
    """Whether it only says what was in it."""

    def graphwright_copied(self, copy_of: Callable[[Any], Any]) -> Any:
        now = contents_of(self)
        copied: Any = made(type(self), self.graphwright_place, looks=False)
        copied.graphwright_is_copy = True
        copied.graphwright_sides = self.graphwright_sides
        if isinstance(now, GraphList):
            copied.graphwright_grown = GraphList(now.store, now.element, now.name)
        elif isinstance(copied, DICT):
            DICT.update(copied, {key: copy_of(value) for key, value in now.items()})
        else:
            LIST.extend(copied, map(copy_of, now))
        return copied

    def graphwright_look(self) -> None:
        if self.graphwright_is_copy:
            return
        options = [as_it_is(option) for option in type(self).graphwright_options]
        seen = [tf.compat.v1.get_default_graph(), *map(content, options)]
        before = self.graphwright_seen
        if before is None or before[0] is not seen[0] or not all(map(_is_as_seen, options, before[1:])):
            self.graphwright_seen = seen
            self._hold_once(options)

    def _hold_once(self, options: list[Any]) -> None:
        kinds, whole = _being_held.get(), frozenset(map(id, type(self).graphwright_options))
        if whole in kinds:
            raise TypeError("lists and dicts that hold each other can't be chosen by the graph: use objects or tensors")
        token = _being_held.set((*kinds, whole))
        try:
            self.graphwright_hold(options)
        finally:
            _being_held.reset(token)

    def graphwright_hold(self, options: list[Any]) -> None:
        """Hold what is in one of these."""
        raise NotImplementedError

    def graphwright_now(self) -> Any:
        """The list of the graph with what is in it, if there is one."""
        self.graphwright_look()
        return self if self.graphwright_grown is None else self.graphwright_grown

    def graphwright_contents(self) -> Any:
        return contents_of(self)

    def graphwright_taken_apart(self) -> StateNode:
        now = contents_of(self)
        return describe(now) if isinstance(now, GraphList) else take_apart(now)


class ChosenList(ChosenContents, LIST):
    """A list that the graph chooses."""

    graphwright_base = LIST

    def __new__(cls, *items: Any) -> Any:
        # TensorFlow makes lists of the class of those that it is given.
        return LIST(*items)

    def graphwright_hold(self, options: list[Any]) -> None:
        place = tf.convert_to_tensor(self.graphwright_place)
        self.graphwright_grown = None
        if not any(isinstance(option, GraphList) for option in options) and len(set(map(len, options))) == 1:
            LIST.__setitem__(self, slice(None), [_item(place, column) for column in zip(*options, strict=True)])
            return
        chosen = merged(place, options, "the list")
        self.graphwright_grown = grown = ChosenGraphList(chosen.store, chosen.element, chosen.name)
        grown.graphwright_whole = self
        LIST.__setitem__(self, slice(None), [Grown(grown, 1)])


class ChosenDict(ChosenContents, DICT):
    """A dict that the graph chooses."""

    graphwright_base = DICT

    def __new__(cls, *items: Any) -> Any:
        return DICT(*items)

    def graphwright_hold(self, options: list[Any]) -> None:
        place = tf.convert_to_tensor(self.graphwright_place)
        if any(option.keys() != options[0].keys() for option in options):
            raise TypeError("the graph chooses which dict it is, but they don't have the same keys")
        inside = {key: _item(place, [option[key] for option in options]) for key in options[0]}
        DICT.clear(self)
        DICT.update(self, inside)


class ChosenGraphList(GraphList):
    """What is in a list that the graph chooses, where that has another length than others or grows."""

    graphwright_whole: Any = None
    """The list that is chosen."""

    def graphwright_flatten(self) -> Any:
        return self.graphwright_whole.graphwright_flatten()

    def graphwright_copied(self, copy_of: Callable[[Any], Any]) -> Any:
        return self.graphwright_whole.graphwright_copied(copy_of)

    def _replace(self, store: Callable[[], Any]) -> None:
        self.store = store()
        set_contents(self.graphwright_whole, self.copy())


def contents_of(whole: Any) -> Any:
    """What is in a list or dict that is chosen: a list or dict, or a list of the graph."""
    whole.graphwright_look()
    if whole.graphwright_grown is not None:
        return whole.graphwright_grown
    if isinstance(whole, DICT):
        return dict(zip(DICT.keys(whole), DICT.values(whole), strict=True))
    return list(LIST.__iter__(whole))


def set_contents(whole: Any, after: Any) -> None:
    """Let each list or dict that may be chosen hold this, if it is chosen, and otherwise what it held."""
    for place, option in enumerate(cast("type[Choice]", type(whole)).graphwright_options):
        is_it = tf.cast(tf.equal(whole.graphwright_place, place), tf.int32)
        now = as_it_is(option)
        inside: Any
        if isinstance(now, DICT):
            inside = {key: select(is_it, [old, after[key]], str(key)) for key, old in now.items()}
        elif any(isinstance(one, GraphList) for one in (now, after)) or len(now) != len(after):
            inside = merged(is_it, [now, after], "the list")
        else:
            inside = [select(is_it, pair, "an item") for pair in zip(now, after, strict=True)]
        _set_option(option, inside)
    whole.graphwright_look()


def _set_option(option: Any, inside: Any) -> None:
    now = current(option)
    if not isinstance(inside, GraphList) and is_same_content(now, inside):
        return
    changes_inside(option, SOMETHING)
    if isinstance(now, GraphList):
        now.last().changes()
    if isinstance(inside, GraphList):
        let_grow(option, inside)
    else:
        write_back(option, inside)


def _is_as_seen(now: Any, before: Any) -> bool:
    return isinstance(now, GraphList) == isinstance(before, tuple) and is_same_content(now, before)


def _item(place: Any, values: Sequence[Any]) -> Any:
    """The item at one position of what is chosen."""
    if all(isinstance(value, (bool, int, float, tf.Tensor)) for value in values):
        return subscripts.chosen_item(list(values), place)
    return select(place, values, "an item")


def _reading(base: Any, method: str) -> Callable[..., Any]:
    usual = getattr(base, method)

    def read(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        now = self.graphwright_now()
        if now is not self:
            return getattr(now, method)(*args, **kwargs)
        if method == "__getitem__" and is_symbolic(args[0]):
            return subscripts.get_item(contents_of(self), args[0])
        if args and isinstance(args[0], ChosenContents):
            args = (contents_of(args[0]), *args[1:])
        return usual(self, *args, **kwargs)

    return read


def _changing(method: str, functional: Callable[..., Any], gives_itself: bool) -> Callable[..., Any]:
    """A method that changes what is in it; `functional` gives what is in it then, and the method's result."""

    def change(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        refuse_separated(cast("type[Choice]", type(self)).graphwright_options)
        now = contents_of(self)
        if isinstance(now, GraphList):
            result: Any = getattr(now, method)(*args, **kwargs)
            return self if gives_itself else result
        keys = set(now) if isinstance(now, DICT) else None
        after, result = functional(now, *args, **kwargs)
        if keys is not None and set(after) != keys:
            raise TypeError(
                "the graph chooses which dict it is, so it can't get or lose keys: set all keys before, or change each "
                "dict in an `if`"
            )
        set_contents(self, after)
        return self if gives_itself else result

    return change


def _in_place(base: Any, method: str) -> Callable[..., Any]:
    usual = getattr(base, method)

    def change(now: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        result = usual(now, *args, **kwargs)
        return now, result

    return change


def _without_result(operator: Callable[..., Any]) -> Callable[..., Any]:
    def change(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        return operator(*args, **kwargs), None

    return change


def _set_item(now: Any, index: Any, value: Any) -> Any:
    return subscripts.set_item(now, index, value), None


_READ = ("__getitem__", "__len__", "__iter__", "__contains__", "__eq__", "__ne__", "__repr__", "copy", "__reversed__")
_READ_LISTS = ("__add__", "__mul__", "__rmul__", "index", "count", "__lt__", "__le__", "__gt__", "__ge__")
_IN_PLACE = ("__iadd__", "__imul__", "__ior__")
for _kind, _reads, _changes in (
    (ChosenList, _READ_LISTS, ("__delitem__", "__iadd__", "__imul__")),
    (
        ChosenDict,
        ("get", "keys", "values", "items"),
        ("pop", "clear", "update", "setdefault", "popitem", "__delitem__", "__ior__"),
    ),
):
    for _method in (*_READ, *_reads):
        setattr(_kind, _method, _reading(_kind.graphwright_base, _method))
    for _method in _changes:
        setattr(_kind, _method, _changing(_method, _in_place(_kind.graphwright_base, _method), _method in _IN_PLACE))
    _kind.__setitem__ = _changing("__setitem__", _set_item, False)
for _method in ("append", "clear", "extend", "insert", "remove", "reverse", "sort"):
    setattr(ChosenList, _method, _changing(_method, _without_result(getattr(list_methods, _method)), False))
ChosenList.pop = _changing("pop", list_methods.pop, False)


def _derived(options: Sequence[Any]) -> type[Choice]:
    base = ChosenDict if isinstance(options[0], DICT) else ChosenList
    return cast("type[Choice]", type(base.graphwright_base.__name__, (base,), {"graphwright_options": options}))


def _is_grown_list(value: Any) -> bool:
    return isinstance(value, GraphList) and value.form.kind is LIST


LISTS = Kind(lambda value: LIST if type(value) is LIST or _is_grown_list(value) else None, _derived)
DICTS = Kind(lambda value: tuple(value) if type(value) is DICT else None, _derived)
