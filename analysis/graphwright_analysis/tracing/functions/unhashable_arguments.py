"""Notes arguments of traced functions that Python can't hash: TensorFlow has no key for a trace then, and refuses.

What is hashed by the values of its fields is looked into; whether a class's own `__hash__` fails isn't known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from graphwright_analysis.tracing.facts import ArgumentUnhashable
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import class_bases
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    Api,
    Array,
    Class,
    Object,
    Tensor,
    Traced,
    Tuple,
    Value,
    Variable,
)
from graphwright_analysis.values.lineage import lineage

from .cache_keys import function_of, has_receiver, parameters_of

_OWN_WAYS = ("__tf_tracing_type__", "__tf_flatten__", "__new__", class_bases.OF_ATTRS)
_DEPTH = 3


def note_call(run: Run, callee: Traced, call: Call) -> None:
    """Note the first argument of a call for which there is no key."""
    if not isinstance(call.node, gast.Call) or run.context.attempts or run.context.guarded:
        return
    for parameter, value in _arguments(callee, call):
        found = unhashable(run, value)
        if found is not None:
            written = _written(callee, call.positional, parameter, call.node)
            called = getattr(getattr(function_of(callee), "node", None), "name", "")
            inside = not (isinstance(value, Object) and value.kind == "instance")
            run.note(ArgumentUnhashable(place_of(call.frame, written or call.node), parameter, called, *found, inside))
            return


def _arguments(callee: Traced, call: Call) -> Iterator[tuple[str, Value]]:
    names = [*(["self"] if has_receiver(callee) else []), *parameters_of(callee)]
    given = call.by_name(*names)
    function = function_of(callee)
    yield from given.items()
    yield from ((name, value) for name, value in (function.defaults if function else ()) if name not in given)


def _written(callee: Traced, positional: Sequence[Value], parameter: str, node: gast.Call) -> gast.AST | None:
    """The expression of an argument, where it is a plain one."""
    keyword = next((each.value for each in node.keywords if each.arg == parameter), None)
    values = len(positional) - has_receiver(callee)
    if keyword is not None or len(node.args) != values or parameter not in parameters_of(callee):
        return keyword
    index = parameters_of(callee).index(parameter)
    at = node.args[index] if index < values else None
    return None if isinstance(at, gast.Starred) else at


def unhashable(run: Run, value: Value, depth: int = _DEPTH) -> tuple[str, str] | None:
    """The class of an instance, in a collection or not, that has no hash; and what it is that has none."""
    if not depth:
        return None
    if isinstance(value, Tuple):
        parts = value.items
    elif isinstance(value, Object) and value.kind in ("list", "dict"):
        items, entries = run.state.items(value.id), run.state.entries(value.id)
        parts = items.known or () if items is not None else [v for _, v in entries.known] if entries is not None else ()
    elif isinstance(value, Object) and value.kind == "instance" and isinstance(value.type, Class):
        why = _why(run, value, value.type, depth)
        return None if why is None else (value.type.node.name, why)
    else:
        return None
    return next((found for part in parts if (found := unhashable(run, part, depth - 1)) is not None), None)


def _why(run: Run, instance: Object, class_: Class, depth: int) -> str | None:
    """What keeps an instance from being hashed: "" is that it compares by value, else a field is named."""
    known = not class_.doubted and class_bases.outside_base(class_) in (None, "tf.Module")
    own = any(class_bases.declares(run, instance, name) for name in _OWN_WAYS)
    if not known or own or Api("typing.NamedTuple") in lineage(class_):
        return None
    for each in lineage(class_):
        if not isinstance(each, Class):
            continue
        hashing = run.state.value(each.id, "__hash__")
        if hashing is not UNDEFINED:
            return "" if hashing == NONE else None
        if each.dataclass:
            options = _options(each)
            if options is None or options.get("eq", True) is False:
                return None
            if options.get("unsafe_hash") or options.get("frozen"):
                return _field_without_hash(run, instance, class_, depth)
            return ""
        if run.state.value(each.id, "__eq__") is not UNDEFINED:
            return ""
    return None


def _options(class_: Class) -> dict[str, object] | None:
    """What the one decorator `dataclass` of a class is told; None where that isn't plainly written."""
    for decorator in class_.node.decorator_list:
        called = decorator.func if isinstance(decorator, gast.Call) else decorator
        name = called.attr if isinstance(called, gast.Attribute) else getattr(called, "id", "")
        if name != "dataclass":
            continue
        given = {k.arg: k.value for k in decorator.keywords} if isinstance(decorator, gast.Call) else {}
        options = {name: value.value for name, value in given.items() if isinstance(value, gast.Constant)}
        return {name or "": value for name, value in options.items()} if len(options) == len(given) else None
    return None


def _field_without_hash(run: Run, instance: Object, class_: Class, depth: int) -> str | None:
    """A field of an instance that is hashed by its fields, and has something in it that isn't hashed."""
    if any(isinstance(each, gast.AnnAssign) and isinstance(each.value, gast.Call) for each in class_.node.body):
        # `field(...)` may leave it out.
        return None
    for name in class_bases.fields_of(class_):
        value = run.state.value(instance.id, name)
        collection = isinstance(value, Object) and value.kind in ("list", "dict", "set")
        if collection or isinstance(value, (Tensor, Variable, Array)) or unhashable(run, value, depth - 1) is not None:
            return name
    return None
