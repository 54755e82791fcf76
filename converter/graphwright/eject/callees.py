"""Calls of functions and methods that are written along: a method becomes a function that is given its object.

Before:

    h = self.cell(x, h)

After, with `def cell(self, x, h)` in front of the function:

    h = cell(self, x, h)
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

import gast

from graphwright.eject import dispatching, shared_values
from graphwright.eject.changes import changes_of
from graphwright.eject.live_values import special_function
from graphwright.eject.observations import CalledFunction
from graphwright.errors import ConversionError
from graphwright.passes import names
from graphwright.passes.calls import dotted

if TYPE_CHECKING:
    pass


def call(read: Any, node: gast.Call) -> str | None:
    """A call of what has to be another function in plain TensorFlow; None if it can stay."""
    style = read.unit.style
    seen = style.known.seen
    if seen is None or style.written is None:
        return None
    found = seen.callees.get(node.func, ())
    if not found:
        return None
    shared_values.check_call(read, node)
    names = [style.written(callee, _given(style, node, callee)) for callee in found]
    if all(name is None for name in names):
        return None
    if len(found) > 1 or node.func in seen.mixed:
        if all(map(functools.partial(_is_named, style), found, names)):
            return None
        if (text := dispatching.by_class(read, node, found, names)) is not None:
            return text
        raise ConversionError(
            f"`{_text(read, node.func)}` calls a different function each time, and the graph decides something in "
            "them: write a separate call for each",
            line=node.lineno,
        )
    name, callee = names[0], found[0]
    if callee.receiver is None:
        return None if dotted(node.func) == name else dispatching.with_arguments(read, node, str(name), "")
    if not callee.by_attribute:
        return dispatching.with_arguments(read, node, str(name), read(node.func))
    if not isinstance(node.func, gast.Attribute):
        raise ConversionError(
            f"`{_text(read, node.func)}` is a method in which the graph decides something: call it on its object",
            line=node.lineno,
        )
    return dispatching.with_arguments(read, node, str(name), dispatching.receiver_of(read, node.func.value))


def passed(read: Any, node: Any) -> str | None:
    """A function that is given to another one, which calls it, by its name in the text; None where it can stay."""
    style = read.unit.style
    seen = style.known.seen
    if seen is None or style.written is None:
        return None
    found = seen.callees.get(node, ())
    if len(found) != 1 or node in seen.mixed or (found[0].receiver is not None and not found[0].by_attribute):
        return None
    callee = found[0]
    name = style.written(callee, {})
    if name is None or callee.receiver is None:
        return None if name == dotted(node) else name
    code = callee.function.__code__
    if code.co_flags & _WITH_REST or code.co_kwonlyargcount or not isinstance(node, gast.Attribute):
        return None
    parameters = ", ".join(code.co_varnames[1 : code.co_argcount - len(callee.function.__defaults__ or ())])
    return f"lambda {parameters}: {name}({dispatching.receiver_of(read, node.value)}, {parameters})"


def _is_named(style: Any, callee: CalledFunction, name: str | None) -> bool:
    """Whether a function is called by the same name in the text, where the text reads it by that name."""
    if name is None:
        return True
    if name != callee.function.__name__ or callee.receiver is not None:
        return False
    read = (pair for seen in style.observations.functions.values() for pair in seen.callees.items())
    return any(
        isinstance(node, gast.Name) and node.id == name and any(each.function is callee.function for each in found)
        for node, found in read
    )


def _given(style: Any, node: gast.Call, callee: CalledFunction) -> dict[str, Any]:
    """What the parameters of a called function are given."""
    code = callee.function.__code__
    names = code.co_varnames[: code.co_argcount][callee.receiver is not None :]
    given = dict(zip(names, node.args, strict=False)) | {word.arg: word.value for word in node.keywords if word.arg}
    return {name: style.value(value) for name, value in given.items() if not isinstance(value, gast.Starred)}


def special(read: Any, owner: gast.expr, name: str) -> str | None:
    """A call of what Python runs for a property or for `len`, where that has to be another function."""
    style = read.unit.style
    kind = style.known.seen.classes.get(owner) if style.known.seen is not None else None
    function = None if kind is None else special_function(kind, name)
    if function is None or style.written is None:
        return None
    if style.observations is not None:
        function = style.observations.replacements.current(function)
    callee = CalledFunction(function, kind, by_attribute=True)
    if style.observations is not None and changes_of(style.observations, callee):
        raise ConversionError(
            f"`{name}` changes its object when it is read, and plain TensorFlow would do that once, while the graph is "
            "made: make it a method, and call it",
            line=owner.lineno,
        )
    written = style.written(callee, {})
    return None if written is None else f"{written}({read(owner)})"


def attribute(read: Any, node: gast.Attribute) -> str | None:
    """`stats.variance`, which may be a property."""
    is_read = isinstance(node.ctx, gast.Load)
    text = (special(read, node.value, node.attr) or passed(read, node)) if is_read else None
    return text or names.attribute(read, node)


def _text(read: Any, node: Any) -> str:
    return str(read.unit.original(*read.unit.span(node)))


_WITH_REST = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
