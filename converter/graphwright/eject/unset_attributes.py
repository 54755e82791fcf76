"""Attributes that are None at first: a new object gets a tensor of zeros in each, and a flag for whether it's set.

Before:

    tracker = Tracker()
    ...
        if self.best is None or x > self.best:
            self.best = x

After:

    tracker = Tracker()
    tracker.best, tracker.has_best = 0.0, False
    ...
        if not self.has_best or x > self.best:
            self.best, self.has_best = x, True

What is written in a function is decided in `flags`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.values.domain import UNKNOWN, Constant, Value

from graphwright.eject import seeds
from graphwright.eject.assuming import parameter_names
from graphwright.eject.bindings import is_none, named, sides_of, with_copied
from graphwright.eject.flags import Flagged, flag_of
from graphwright.eject.observations import FunctionObservations, Observations
from graphwright.errors import ConversionError
from graphwright.libraries import is_library_value
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk
from graphwright.sources import source_of

UnsetAttribute = tuple[type, str]
"""A class and an attribute of its objects."""


@dataclass(frozen=True, slots=True)
class Tensors:
    """How TensorFlow is called in the texts."""

    tf: str


def find(observations: Observations, refusal: ConversionError, tf: str) -> list[Flagged]:
    """What has to be written in which functions; nothing if there are no such attributes, or they aren't known well."""
    functions = list(observations.functions.values())
    starts = {
        held: start
        for held, values in _given_values(functions).items()
        if values and (start := seeds.zero_of(Tensors(tf), values)) is not None
    }
    made = {seen.function: _lines_after(seen, starts) for seen in functions}
    created = {held for lines in made.values() for held, _ in lines}
    starts = {held: start for held, start in starts.items() if held in created}
    if any(_is_foreign(seen, starts) for seen in functions):
        return []
    return [request for seen in functions if (request := _request(seen, starts, made[seen.function], refusal))]


def _given_values(functions: Sequence[FunctionObservations]) -> dict[UnsetAttribute, list[Value]]:
    """What attributes that are None at first are set to."""
    sides = [
        (seen, held, side)
        for seen in functions
        for held, value in _assigned(seen)
        for side in sides_of(value)
        if not is_none(side)
    ]
    unset = {held for held in {held for _, held, _ in sides} if _begins_unset(*held)}
    given: dict[UnsetAttribute, list[Value]] = {held: [] for _, held, _ in sides if held in unset}
    copies: dict[UnsetAttribute, set[UnsetAttribute]] = {held: set() for held in given}
    for seen, held, side in sides:
        read = _read_by(seen, side)
        if held in unset and read in unset:
            copies[held].add(read)
        elif held in unset:
            given[held].append(seen.values.get(side) or seeds.value_of(Reading(seen), side))
    return with_copied(given, copies)


def _read_by(seen: FunctionObservations, node: Any) -> Any:
    """The class and attribute that an expression reads; None for any other."""
    return (owners_in(seen).get(named(node.value)), node.attr) if isinstance(node, gast.Attribute) else None


class Reading:
    """What a trace has shown, as the values of a style."""

    def __init__(self, seen: FunctionObservations) -> None:
        self._seen = seen

    def value(self, node: Any) -> Value:
        """What an expression gives."""
        return Constant(node.value) if isinstance(node, gast.Constant) else self._seen.values.get(node, UNKNOWN)


def _request(seen: FunctionObservations, starts: Any, lines: Any, refusal: ConversionError) -> Flagged | None:
    owners = owners_in(seen)
    found = {
        named(part): starts[owners[named(part.value)], part.attr]
        for part in walk(seen.source.node)
        if isinstance(part, gast.Attribute) and (owners.get(named(part.value)), part.attr) in starts
    }
    following: dict[int, list[str]] = {}
    for held, made in lines:
        if held in starts:
            both = f"{made.name}.{held[1]}, {flag_of(f'{made.name}.{held[1]}')} = {starts[held]}, False"
            known = following.setdefault(made.line, [])
            wanted = [" " * made.indent + each for each in ((made.loop, f"    {both}") if made.loop else (both,))]
            known += [each for each in wanted if each not in known]
    if not found and not following:
        return None
    request = Flagged(found, refusal, following=following)
    request.function = seen.function
    return request


def owners_in(seen: FunctionObservations) -> dict[str, Any]:
    """The class of the objects that names and attributes hold, by what they are called; None for several."""
    found: dict[str, Any] = {}
    for node, kind in seen.classes.items():
        if name := named(node):
            found[name] = kind if found.get(name, kind) is kind else None
    return found


def _assigned(seen: FunctionObservations) -> Iterator[tuple[UnsetAttribute, Any]]:
    """The attributes that are set to something but None, with that."""
    owners = owners_in(seen)
    for part in walk(seen.source.node):
        for target, value in seeds.assigned_pairs(part):
            kind = owners.get(named(target.value)) if isinstance(target, gast.Attribute) else None
            if kind is not None and not is_none(value) and not is_library_value(kind):
                yield (kind, target.attr), value


@dataclass(frozen=True, slots=True)
class _NewObject:
    """An object that a function makes: the call, the line that it ends in, what it's called in lines after that.

    `loop` is the head of the loop over several of them.
    """

    call: Any
    line: int
    name: str
    indent: int
    loop: str = ""


def _lines_after(seen: FunctionObservations, starts: Any) -> list[tuple[UnsetAttribute, _NewObject]]:
    """The attributes of the objects that a function makes."""
    found: list[tuple[UnsetAttribute, _NewObject]] = []
    for made in _made_in(seen):
        kind = seen.classes.get(made.call)
        called = (dotted(made.call.func) or "").rpartition(".")[2]
        if kind is not None and called == kind.__name__:
            found += [(held, made) for held in starts if held[0] is kind and not _is_given(kind, held[1], made.call)]
    return found


def _made_in(seen: FunctionObservations) -> Iterator[_NewObject]:
    """The calls that may make an object which a name, an attribute or a list holds."""
    parts = walk(seen.source.node)
    loops = [part.target for part in parts if isinstance(part, (gast.For, gast.comprehension))]
    targets = {part for target in loops for part in walk(target)}
    # What only loops give a value may have one before them, too.
    stored = {
        part.id
        for part in parts
        if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load) and part not in targets
    }
    taken = stored.union(parameter_names(seen.source.node))
    taken |= {part.id for part in parts if isinstance(part, gast.Name)} - {
        part.id for part in targets if isinstance(part, gast.Name)
    }
    for part in parts:
        for target, value in seeds.assigned_pairs(part):
            if not named(target) or (isinstance(part, gast.Assign) and isinstance(part.targets[0], gast.Tuple)):
                continue
            line, indent = part.end_lineno, part.col_offset
            if isinstance(value, gast.Call):
                yield _NewObject(value, line, named(target), indent)
                continue
            several, values = _several(value)
            name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", dotted(several[0].func) or "").lower() if several else ""
            for call in several if name.isidentifier() and name not in taken else ():
                yield _NewObject(call, line, name, indent, f"for {name} in {named(target)}{values}:")
        if (
            isinstance(part, gast.Expr)
            and isinstance(part.value, gast.Call)
            and isinstance(part.value.func, gast.Attribute)
        ):
            owner, given = named(part.value.func.value), part.value.args
            if owner and part.value.func.attr == "append" and [kind_of(each) for each in given] == ["Call"]:
                yield _NewObject(given[0], part.end_lineno, f"{owner}[-1]", part.col_offset)


def _several(value: Any) -> tuple[list[Any], str]:
    """The calls that make the objects in a list or dict, and how a loop goes over that."""
    elements = value.elts if isinstance(value, gast.List) else [value.elt] if isinstance(value, gast.ListComp) else []
    elements = (
        value.values
        if isinstance(value, gast.Dict)
        else [value.value]
        if isinstance(value, gast.DictComp)
        else elements
    )
    is_same = len({dotted(getattr(each, "func", None)) for each in elements}) == 1
    calls = elements if is_same and all(isinstance(each, gast.Call) for each in elements) else []
    return calls, ".values()" if isinstance(value, (gast.Dict, gast.DictComp)) else ""


def _is_given(kind: Any, attribute: str, call: Any) -> bool:
    """Whether a call of a dataclass gives the attribute a value."""
    fields = list[str](getattr(kind, "__dataclass_fields__", ()))
    given = attribute in fields[: len(call.args)] or any(keyword.arg in (attribute, None) for keyword in call.keywords)
    return attribute in fields and (given or any(isinstance(each, gast.Starred) for each in call.args))


def _is_foreign(seen: FunctionObservations, starts: Any) -> bool:
    """Whether a function makes such an object, or reads such an attribute, in a way that can't be written."""
    kinds = {kind for kind, _ in starts}
    attributes = {attribute for _, attribute in starts}
    owners, known = owners_in(seen), [made.call for _, made in _lines_after(seen, starts)]
    for part in walk(seen.source.node):
        is_made = isinstance(part, gast.Call) and seen.classes.get(part) in kinds
        called = (dotted(part.func) or "").rpartition(".")[2] if is_made else ""
        if is_made and called == seen.classes[part].__name__ and part not in known:
            return True
        if isinstance(part, gast.Attribute) and part.attr in attributes:
            name = named(part.value)
            if owners.get(name) is None and (part in seen.values or part.value in seen.values):
                return True
    return False


def _begins_unset(kind: Any, attribute: str) -> bool:
    """Whether a new object has None in an attribute."""
    fields: dict[str, Any] = getattr(kind, "__dataclass_fields__", {})
    if hasattr(kind, "__slots__"):
        return False
    if attribute in fields:
        return fields[attribute].init and fields[attribute].default is None and not hasattr(kind, "__post_init__")
    try:
        node = source_of(cast(Any, vars(kind)["__init__"])).node
    except (KeyError, TypeError, ConversionError):
        return False
    values = [
        value
        for part in walk(node)
        for target, value in [*seeds.assigned_pairs(part), *_annotated(part)]
        if isinstance(target, gast.Attribute) and target.attr == attribute
    ]
    return bool(values) and all(map(is_none, values))


def _annotated(part: Any) -> list[tuple[Any, Any]]:
    return [(part.target, part.value)] if isinstance(part, gast.AnnAssign) and part.value is not None else []
