"""Values that may be missing: undefined names, None where a tensor may come; how they are read. It merges nothing."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from graphwright.runtime.basis.births import changing
from graphwright.runtime.basis.context import is_doubting, is_for_xla, is_tensor, staged_depth
from graphwright.runtime.basis.grown_lists import all_current
from graphwright.runtime.basis.missing_keys import MissingKey, may_be_missing
from graphwright.runtime.basis.outcomes import Never
from graphwright.runtime.basis.python_values import counted, was_python
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors.failures import check
from graphwright.runtime.state.chosen_members import is_

_CONTAINERS: Any = (list, dict)
_SEED = "test it with `is None` before, or start with a number instead of None"
_SOMEONE = "the function"
_RETURN = (
    "returns None here and a value elsewhere: in a graph, every path must return a value. Return a number that stands "
    "for a missing one, such as -1, and a bool that says whether there is one"
)
_WITHOUT_KEY = (
    "returns a dict without {0!r} here and with it elsewhere: in a graph, every path must set the same keys, so set "
    "{0!r} before"
)
_RETURNED = ("the result", "the returned value")


@dataclass(frozen=True)
class Undefined:
    """A name without a value."""

    name: str


@dataclass(slots=True, eq=False)
class MaybeHeld:
    """What a `Maybe` holds."""

    defined: Any
    value: Any
    name: str
    none: bool
    checked: dict[int, Any] = field(default_factory=dict[int, Any], repr=False)
    """The value, asserted to be there, by graph."""

    def get(self) -> Any:
        """The value, asserted to be there."""
        graph = tf.compat.v1.get_default_graph()
        if id(graph) not in self.checked:
            self.checked[id(graph)] = (graph, _asserted(self))
        return self.checked[id(graph)][1]


class Maybe:
    """A value that is there if the graph says so when it runs; else the name is undefined, or None.

    All attributes are those of the value: what is known of it is in `held(maybe)`.
    """

    __slots__ = ("__weakref__", "graphwright_held")

    graphwright_held: MaybeHeld
    graphwright_stands_for_tensor: ClassVar[bool] = True

    def __init__(self, defined: Any, value: Any, name: str, none: bool) -> None:
        object.__setattr__(self, "graphwright_held", MaybeHeld(defined, value, name, none))
        may_be_missing.add(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "is_tensor_like":  # which TensorFlow asks of anything
            raise AttributeError(name)
        return getattr(changing(held(self).get(), held(self).name), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(held(self).get(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(held(self).get(), name)

    def __getitem__(self, index: Any) -> Any:
        return held(self).get()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        changing(held(self).get(), held(self).name)[index] = value

    def __delitem__(self, index: Any) -> None:
        del changing(held(self).get(), held(self).name)[index]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return held(self).get()(*args, **kwargs)

    def __iter__(self) -> Any:
        return iter(held(self).get())

    def __len__(self) -> int:
        return len(held(self).get())

    def graphwright_is(self, other: Any) -> Any:
        known = held(self)
        # Where it is missing, what is behind it may still be the other one.
        same = is_(known.value, other)
        return tf.logical_and(known.defined, same) if known.none else same

    def __bool__(self) -> bool:
        name = held(self).name
        raise TypeError(f"whether '{name}' is None is unknown until the graph runs: test it with `is None`")

    def __repr__(self) -> str:
        return f"Maybe({held(self)})"


def with_value(maybe: Maybe, value: Any) -> Maybe:
    """The same that may be missing, with another value."""
    known = held(maybe)
    return maybe if value is known.value else Maybe(known.defined, value, known.name, known.none)


def held(maybe: Maybe) -> MaybeHeld:
    """What is known of a value that may be missing."""
    return maybe.graphwright_held


def behind(value: Any) -> Any:
    """The object itself where it may be missing, for who only looks at what is set in it; any other value as it is."""
    return held(value).value if isinstance(value, Maybe) else value


def undefined(name: str) -> Undefined:
    """No value yet for a name."""
    return Undefined(name)


def bound(value: Callable[[], Any], name: str) -> Any:
    """The value of a name, or what says that it has none."""
    try:
        return value()
    except NameError:
        return Undefined(name)


def read(value: Any) -> Any:
    """The value of a name that may be undefined or, where it is a tensor in other cases, None."""
    # `isinstance` asks the user's objects for their `__class__`.
    kind = cast("Any", type(value))
    if issubclass(kind, Undefined):
        if staged_depth() > 0 and not is_doubting():
            # The branch may never run: only if it does, the name is missing.
            check(False, _missing(value.name), unbound(value.name))
            return Never()
        raise _missing(value.name)(unbound(value.name))
    if issubclass(kind, Maybe):
        return held(value).get()
    return value


def users_names(found: Any, names: Sequence[str] | None = None) -> Any:
    """What `locals()` or `dir()` found of the user's names, without those that have no value.

    Without `names` all that was found is the user's, apart from the operators' own name. What a comprehension runs over
    has a name that begins with a dot, and no name of ours does.
    """
    if names is None:
        names = [name for name in found if name != "gw"]
    if not isinstance(found, dict):
        frame = inspect.currentframe()
        values = frame.f_back.f_locals if frame is not None and frame.f_back is not None else {}
        return [name for name in found if _is_users(name, names) and not isinstance(values.get(name), Undefined)]
    known = cast("dict[str, Any]", found)
    return {name: value for name, value in known.items() if _is_users(name, names) and not isinstance(value, Undefined)}


def _is_users(name: str, names: Sequence[str]) -> bool:
    return name in names or name.startswith(".")


def without_maybes(result: Any, function: str, place: str = "") -> Any:
    """What a graph returns: what may be missing is asserted to be there; tuples, lists and dicts stay what they are."""
    result = all_current(result)
    if not any(isinstance(part, Maybe) for part in tf.nest.flatten(result)):
        return result

    returned: Any = result
    inside = [id(part) for part in returned.values()] if isinstance(result, dict) else []

    def without(part: Any) -> Any:
        return _asserted(held(part), f"'{function}'{place}", id(part) in inside) if isinstance(part, Maybe) else part

    return tf.nest.map_structure(without, result)


def is_none(value: Any) -> Any:
    """`value is None`, a tensor where it is only known when the graph runs."""
    kind = cast("type[Any]", type(value))
    if issubclass(kind, Undefined):
        raise UnboundLocalError(unbound(value.name))
    if issubclass(kind, Maybe):
        inside = held(value)
        return tf.logical_not(inside.defined) if inside.none else is_none(inside.get())
    return value is None


def unbound(name: str) -> str:
    """What Python says of a local name that is read before it has a value, or of an attribute that isn't there."""
    if "." in name:
        owner, _, attribute = name.rpartition(".")
        return f"`{owner}` has no attribute '{attribute}' here: a branch has deleted it, or hasn't set it"
    if sys.version_info < (3, 11):
        return f"local variable '{name}' referenced before assignment"
    return f"cannot access local variable '{name}' where it is not associated with a value"


def _whose(name: str, function: str) -> str:
    return f", and {function} returns it" if "." in name and function != _SOMEONE else ""


def _missing(name: str) -> type[Exception]:
    return AttributeError if "." in name else UnboundLocalError


def _asserted(maybe: MaybeHeld, function: str = _SOMEONE, in_result: bool = False) -> Any:
    key = maybe.name if isinstance(maybe.name, MissingKey) else None
    if key and key.default is not None and not in_result:
        value = tf.convert_to_tensor(maybe.value)
        return tf.where(maybe.defined, value, tf.cast(key.default, value.dtype))
    if (key and in_result) or (maybe.none and maybe.name.startswith(_RETURNED)):
        text = f"{function} " + (_WITHOUT_KEY.format(key.key) if key else _RETURN)
        if is_for_xla():
            # XLA drops assertions: it would go on with a value that isn't there.
            raise TypeError(text)
        checked = check(maybe.defined, TypeError, text)
    elif key:
        checked = check(maybe.defined, KeyError, repr(key.key))
    elif not maybe.none:
        checked = check(maybe.defined, _missing(maybe.name), unbound(maybe.name) + _whose(maybe.name, function))
    else:
        checked = check(maybe.defined, TypeError, f"'{maybe.name}' is None here: " + _SEED)
    if isinstance(maybe.value, _CONTAINERS):
        return maybe.value  # itself, which may be changed
    with tf.control_dependencies([] if checked is None else [checked]):
        return tf.nest.map_structure(_identity, maybe.value)


def _identity(value: Any) -> Any:
    if isinstance(value, tf.TensorArray):
        return value.identity()
    if not is_tensor(value):
        return value
    return counted(value) if was_python(value) else tf.identity(value)


def _operator(name: str) -> Callable[..., Any]:
    def apply(self: Maybe, *others: Any) -> Any:
        import operator

        plain = name.strip("_")
        values = [held(self).get(), *(read(other) for other in others)]
        if plain == "divmod":
            return divmod(*values)
        return getattr(operator, f"__{plain}__")(*values)

    return apply


def _reflected(name: str) -> Callable[..., Any]:
    def apply(self: Maybe, other: Any) -> Any:
        import operator

        return getattr(operator, f"__{name}__")(read(other), held(self).get())

    return apply


def _unset(self: Undefined, other: Any) -> Any:
    """What `total += x` gives of a name without a value: Python's error."""
    del other
    return read(self)


def _install_operators() -> None:
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
        setattr(Maybe, f"__{name}__", _operator(name))
        setattr(Maybe, f"__r{name}__", _reflected(name))
        for prefix in ("", "r", "i"):
            setattr(Undefined, f"__{prefix}{name}__", _unset)
    for name in ("lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs", "invert"):
        setattr(Maybe, f"__{name}__", _operator(name))
    Maybe.__hash__ = object.__hash__


def _convert(value: Maybe, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    del as_ref
    return tf.convert_to_tensor(held(value).get(), dtype=dtype, name=name)


_install_operators()
tf.register_tensor_conversion_function(Maybe, _convert)
