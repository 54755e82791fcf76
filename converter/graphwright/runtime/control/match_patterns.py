"""What the structure of a value is, as `match` asks it, and descriptions of patterns that are tested as Python does.

Values are compared by generated code, and may be tensors: then the graph decides whether a case matches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from graphwright.runtime.basis.attributes import is_of
from graphwright.runtime.basis.context import by_graph, is_symbolic
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.outcomes import never
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.conditionals import and_, asked, condition, if_, or_
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.subscripts import get_item
from graphwright.runtime.state.python_classes import is_instance
from graphwright.runtime.state.undefined import Maybe, behind, held

MISSING: Any = object()
_MATCHES_ITSELF = 1 << 22  # Python's flag of `int`, `str` and the like, of which `int(x)` binds the number itself.


def is_sequence(value: Any, length: int, or_more: bool = False) -> bool:
    """Whether a value is what a sequence pattern takes, of this length."""
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes, bytearray)):
        return False
    actual = len(cast("Sequence[Any]", value))
    return actual >= length if or_more else actual == length


def is_mapping(value: Any, keys: tuple[Any, ...]) -> bool:
    """Whether a value is a mapping that has these keys."""
    return isinstance(value, Mapping) and all(key in value for key in keys)


def rest_of(value: Mapping[Any, Any], keys: tuple[Any, ...]) -> dict[Any, Any]:
    """What a mapping holds besides some keys."""
    return {key: item for key, item in value.items() if key not in keys}


def has_position(value: Any, number: int) -> bool:
    """Whether an object has an attribute for the position in a class pattern."""
    names: tuple[str, ...] = getattr(cast(Any, type(value)), "__match_args__", ())
    return number < len(names) and hasattr(value, names[number])


def at_position(value: Any, number: int) -> Any:
    """The attribute for a position in a class pattern."""
    return getattr(value, cast(Any, type(value)).__match_args__[number])


# --- Descriptions of patterns


@dataclass(slots=True)
class TestedCase:
    """How a value has fared with a pattern: the `tests` that only the graph can decide, and what is bound."""

    matches: bool = True
    tests: list[Any] = field(default_factory=list[Any])
    bound: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def decided_by_python(self) -> bool:
        """Whether the pattern surely matches."""
        return self.matches and not self.tests

    @property
    def test(self) -> Any:
        """Whether the pattern matches."""
        if not self.matches or not self.tests:
            return self.matches
        test = self.tests[-1]
        for earlier in reversed(self.tests[:-1]):
            test = and_(earlier, lambda test=test: test)
        return test


Pattern = Callable[[Any, TestedCase], bool]
"""Notes what it asks the graph and what it binds; False if it surely doesn't match."""


def match(subject: Any, pattern: Pattern) -> TestedCase:
    """Test a value as a `case` does."""
    case = TestedCase()
    case.matches = pattern(subject, case)
    return case


def ANYTHING(item: Any, case: TestedCase) -> bool:
    """The pattern `_`."""
    del item, case
    return True


@dataclass(frozen=True, slots=True)
class Rest:
    """The pattern `*name` in a sequence; `*_` has no name."""

    name: str | None


def value(compare: Callable[[Any], Any]) -> Pattern:
    """A value that an item is compared with."""

    def test(item: Any, case: TestedCase) -> bool:
        held = asked(compare(item))
        if not by_graph(held):
            return bool(held)
        case.tests.append(condition(held))
        return True

    return test


def capture(name: str, pattern: Pattern = ANYTHING) -> Pattern:
    """A name for what a pattern matches."""

    def test(item: Any, case: TestedCase) -> bool:
        if not pattern(item, case):
            return False
        case.bound[name] = item
        return True

    return test


def one_of(patterns: tuple[Pattern, ...]) -> Pattern:
    """The first of several patterns that matches."""

    def test(item: Any, case: TestedCase) -> bool:
        perhaps: list[TestedCase] = []
        for pattern in patterns:
            found = match(item, pattern)
            if found.matches:
                perhaps.append(found)
            if found.decided_by_python:
                break
        if not perhaps:
            return False
        whole, bound = _first_of(perhaps)
        if is_symbolic(whole):
            case.tests.append(whole)
        case.bound.update(bound)
        return True

    return test


def _first_of(cases: list[TestedCase]) -> tuple[Any, dict[str, Any]]:
    """Whether one of several cases matches, and what the first that does binds."""
    whole, bound = cases[-1].test, cases[-1].bound
    for case in reversed(cases[:-1]):
        whole, bound = _either(case, whole, bound)
    return whole, bound


def _either(case: TestedCase, otherwise: Any, bound: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    test = case.test

    def chosen(name: str) -> Any:
        return if_(test, lambda: case.bound[name], lambda: bound[name])

    return or_(test, lambda: otherwise), {name: chosen(name) for name in case.bound}


def sequence(patterns: tuple[Any, ...]) -> Pattern:
    """A sequence of items; one of the patterns may be a `Rest`."""
    stars = [number for number, pattern in enumerate(patterns) if isinstance(pattern, Rest)]
    star = stars[0] if stars else None

    def test(item: Any, case: TestedCase) -> bool:
        count = len(patterns)
        item = current(_present(item, case))
        if isinstance(item, GraphList):
            return _in_list(item, patterns, star, case)
        if not isinstance(item, Sequence) or isinstance(item, (str, bytes, bytearray)):
            return False
        items = cast("Sequence[Any]", item)
        if star is None:
            if len(items) != count:
                return False
        elif count > 1 and len(items) < count - 1:
            return False
        if all(pattern is ANYTHING or pattern == Rest(None) for pattern in patterns):
            return True
        if star is not None and patterns[star].name is None:
            return _by_position(items, patterns, star, case)
        parts: list[Any] = []
        if star is None:
            parts = _unpacked(items, count)
        else:
            every = list(items)
            after = len(every) - (count - star - 1)
            parts = [*every[:star], every[star:after], *every[after:]]
        return all(_tested(pattern, part, case) for pattern, part in zip(patterns, parts, strict=True))

    return test


def _in_list(items: GraphList, patterns: tuple[Any, ...], star: int | None, case: TestedCase) -> bool:
    """A list that grows in the graph, which knows how many items there are: they are read only if that fits."""
    length, count = items.length(), len(patterns)
    fits = tf.equal(length, count) if star is None else length >= count - 1
    case.tests.append(fits)
    places = [number for number in range(count) if number != star]
    parts = dict.fromkeys(places)
    if places:
        ends = [place - count if star is not None and place > star else place for place in places]
        read = if_(fits, lambda: tuple(get_item(items, end) for end in ends), lambda: never)
        parts = dict(zip(places, read, strict=True))
    if star is not None:
        parts[star] = items[star : length - (count - star - 1)]
    return all(_tested(pattern, parts[number], case) for number, pattern in enumerate(patterns))


def _present(item: Any, case: TestedCase) -> Any:
    """What matches only where it isn't None, as the graph knows."""
    if not is_of(item, Maybe) or not held(item).none:
        return item
    case.tests.append(held(item).defined)
    return held(item).value


def _unpacked(items: Any, count: int) -> list[Any]:
    """The items, as many as there are to be."""
    parts: list[Any] = []
    for part in items:
        if len(parts) == count:
            raise ValueError(f"too many values to unpack (expected {count})")
        parts.append(part)
    if len(parts) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(parts)})")
    return parts


def _tested(pattern: Any, part: Any, case: TestedCase) -> bool:
    if isinstance(pattern, Rest):
        case.bound[str(pattern.name)] = part
        return True
    return pattern(part, case)


def _by_position(items: Sequence[Any], patterns: tuple[Any, ...], star: int, case: TestedCase) -> bool:
    """With `*_`, only the items are read that are asked for."""
    for number, pattern in enumerate(patterns):
        if pattern is ANYTHING or number == star:
            continue
        place = number if number < star else len(items) - (len(patterns) - number)
        if not pattern(items[place], case):
            return False
    return True


def mapping(keys: Callable[[], tuple[Any, ...]], patterns: tuple[Pattern, ...], rest: str | None) -> Pattern:
    """A mapping that has keys; `rest` is a name for what else it holds."""

    def test(item: Any, case: TestedCase) -> bool:
        item = _present(item, case)
        if not isinstance(item, Mapping):
            return False
        held = cast("Mapping[Any, Any]", item)
        if patterns and len(held) < len(patterns):
            return False
        wanted = keys()
        for number, key in enumerate(wanted):
            if key in wanted[:number]:
                raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        values: list[Any] = []
        for key in wanted:
            found = held.get(key, MISSING)
            if found is MISSING:
                return False
            values.append(found)
        if not all(pattern(value, case) for pattern, value in zip(patterns, values, strict=True)):
            return False
        if rest is not None:
            case.bound[rest] = rest_of(held, wanted)
        return True

    return test


_CLASS = "class" if sys.version_info >= (3, 12) else "type"


def of_class(
    kind: Callable[[], Any], patterns: tuple[Pattern, ...], names: tuple[str, ...], named: tuple[Pattern, ...]
) -> Pattern:
    """An object of a class, with `patterns` for attributes by position and `named` ones by their names."""

    def test(item: Any, case: TestedCase) -> bool:
        cls = kind()
        if not isinstance(cls, type):
            raise TypeError(f"called match pattern must be a {_CLASS}")
        found = is_instance(item, cls)
        if by_graph(found):
            case.tests.append(found)
        elif not found:
            return False
        values = _attributes(behind(item), cls, len(patterns), names)
        if values is None:
            return False
        return all(pattern(each, case) for pattern, each in zip((*patterns, *named), values, strict=True))

    return test


def _attributes(item: Any, kind: type[Any], count: int, names: tuple[str, ...]) -> list[Any] | None:
    """What the attributes in a class pattern hold, each read once; None if there is one that the object hasn't."""
    itself, positions = _positions(kind, count)
    values: list[Any] = [item] if itself else []
    seen: set[str] = set()
    wanted: list[Any] = [*positions, *names]
    for name in wanted:
        if not isinstance(name, str):
            raise TypeError(f"__match_args__ elements must be strings (got {type(name).__name__})")
        if name in seen:
            raise TypeError(f"{kind.__name__}() got multiple sub-patterns for attribute {name!r}")
        seen.add(name)
        try:
            values.append(read_attribute(item, name))
        except AttributeError:
            return None
    return values


def _positions(kind: type[Any], count: int) -> tuple[bool, Sequence[Any]]:
    """Whether the first position is the object itself, and else the attributes by position."""
    if not count:
        return False, ()
    names = getattr(kind, "__match_args__", MISSING)
    itself = names is MISSING and bool(kind.__flags__ & _MATCHES_ITSELF)
    if names is not MISSING and not isinstance(names, tuple):
        raise TypeError(f"{kind.__name__}.__match_args__ must be a tuple (got {type(names).__name__})")
    allowed = 1 if itself else 0 if names is MISSING else len(cast("tuple[Any, ...]", names))
    if allowed < count:
        plural = "" if allowed == 1 else "s"
        raise TypeError(f"{kind.__name__}() accepts {allowed} positional sub-pattern{plural} ({count} given)")
    return itself, () if itself else cast("tuple[Any, ...]", names)[:count]


read_attribute: Callable[[Any, str], Any] = getattr
"""Reads an attribute, which may be a property of a class of the user's; set by the package."""
