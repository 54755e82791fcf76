"""Why a function had better stay eager: what it does in Python that a graph does once, while tracing, or not at all.

Judged by words and by what the trace knows of them; calls of the project's functions are followed. What TensorFlow
itself would refuse is found by analysing the converted text instead.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block
from graphwright_analysis.values.domain import (
    Api,
    ApiInstance,
    Array,
    Bound,
    Class,
    Constant,
    Dataset,
    Function,
    Method,
    Partial,
    Scalar,
    StaticShape,
    Tensor,
    Traced,
    Tuple,
    Unknown,
    Value,
    Variable,
    python_kind,
)

from . import vocabulary
from .functions import Definition, TargetFunction, own_nodes, parameters_of

Values = Mapping[gast.AST, Value]


@immutable
class Obstacle:
    """Something in the way, in words that go on from "it" or the function's name."""

    words: str
    line: int


@dataclass(slots=True)
class Obstacles:
    """What stands in the way, in the order of the text, and what of the calls can't be looked into."""

    reasons: list[Obstacle] = field(default_factory=list["Obstacle"])
    doubts: list[str] = field(default_factory=list[str])


@immutable
class Walk:
    """The walk through one function; `changed` are the attributes and globals that other functions of the file set."""

    values: Values
    block: Block
    shift: int
    node: Definition
    locals: frozenset[str]
    changed: frozenset[str]
    printing: bool
    """Whether printing a tensor is in the way, which it isn't where a converter makes it part of the graph."""

    found: Obstacles
    visited: set[gast.AST]
    stack: tuple[gast.AST, ...]
    """The functions that are being followed, the innermost last."""

    def note(self, node: gast.AST, words: str) -> None:
        line = self.block.lines.line_of(self.block.range_of(node).start) + 1 + self.shift
        self.found.reasons.append(Obstacle(words, line))

    def value(self, node: gast.AST | None) -> Value | None:
        return None if node is None else self.values.get(node)

    def is_python(self, node: gast.AST) -> bool:
        """Whether an expression surely gives no tensor."""
        return isinstance(node, gast.Constant) or _is_python(self.value(node))


def effects_of(target: TargetFunction, values: Values, printing: bool) -> Obstacles:
    """What a function does that a graph wouldn't do again, and what of it isn't known."""
    shift = target.module.lines.line_of(target.module.start_of(target.block))
    walk = Walk(
        values,
        target.block,
        shift,
        target.node,
        _locals(target.node),
        _changed_elsewhere(target),
        printing,
        Obstacles(),
        {target.node},
        (target.node,),
    )
    _follow(walk)
    walk.found.reasons.sort(key=lambda reason: reason.line)
    return walk.found


def _follow(walk: Walk) -> None:
    if isinstance(walk.node, gast.AsyncFunctionDef):
        walk.note(walk.node, "is a coroutine")
    for node in gast.walk(gast.Module(walk.node.body, [])):
        handler = _HANDLERS.get(type(node).__name__)
        if handler is not None:
            handler(walk, node)
    own = [*own_nodes(walk.node)]
    generating = next((node for node in own if isinstance(node, (gast.Yield, gast.YieldFrom))), None)
    if generating is not None:
        walk.note(generating, "is a generator, which TensorFlow can't trace")
    for node in own if len(walk.stack) == 1 else ():
        if isinstance(node, gast.Return) and node.value is not None:
            _returned(walk, node.value)


def _returned(walk: Walk, node: gast.AST) -> None:
    value = walk.value(node)
    is_text = isinstance(node, gast.JoinedStr) or (value is not None and python_kind(value) in (str, bytes))
    if is_text or isinstance(node, gast.Lambda) or isinstance(value, (Function, Bound, Partial, Class, Api)):
        walk.note(node, f"returns {_shown(node)}, which a graph can't return")


def _scope(walk: Walk, node: gast.Global | gast.Nonlocal) -> None:
    if type(node).__name__ == "Global" or not set(node.names) <= walk.locals:
        names = ", ".join(f"`{name}`" for name in node.names)
        walk.note(node, f"binds {names} outside itself, which happens only during tracing")


def _stored(walk: Walk, node: gast.Attribute | gast.Subscript) -> None:
    root = _root(node)
    if isinstance(node.ctx, gast.Load):
        _read(walk, node)
    elif root is None or root not in walk.locals:
        verb = "deletes" if isinstance(node.ctx, gast.Del) else "sets"
        walk.note(node, f"{verb} {_shown(node)}, which happens only during tracing")


def _read(walk: Walk, node: gast.Attribute | gast.Subscript) -> None:
    if not isinstance(node, gast.Attribute) or node.attr not in walk.changed or _root(node) in walk.locals:
        return
    value = walk.value(node)
    if not isinstance(value, (Variable, Function, Bound, Method)):
        walk.note(node, f"reads {_shown(node)}, which other code in the file sets: a graph keeps the first value")


def _name(walk: Walk, node: gast.Name) -> None:
    if f"global {node.id}" in walk.changed and isinstance(node.ctx, gast.Load) and node.id not in walk.locals:
        walk.note(node, f"reads `{node.id}`, which other code in the file sets: a graph keeps the first value")


def _call(walk: Walk, node: gast.Call) -> None:
    value = walk.value(node.func)
    if isinstance(node.func, gast.Attribute) and _called_attribute(walk, node.func, value):
        return
    while isinstance(value, (Bound, Partial, Traced)):
        value = value.target
    match value:
        case Function():
            _called_function(walk, node, value)
        case Api():
            _called_api(walk, node, value.name)
        case Class() | ApiInstance() | Method() | Tensor() | Variable():
            pass
        case _ if isinstance(node.func, gast.Name) and node.func.id in vocabulary.BUILTINS:
            _called_api(walk, node, node.func.id)
        case _ if isinstance(node.func, gast.Attribute) and node.func.attr in vocabulary.OF_TENSORS:
            pass
        case _:
            _doubt(walk, node)


def _called_attribute(walk: Walk, function: gast.Attribute, value: Value | None) -> bool:
    """Judge a method by its name; whether that was enough."""
    name, receiver = function.attr, walk.value(function.value)
    if isinstance(value, (Function, Bound, Traced)):
        return False
    if name in vocabulary.EAGER_METHODS and not isinstance(value, Api):
        walk.note(function, f"calls {_shown(function)}, which works only in eager code")
    elif isinstance(receiver, Array):
        walk.note(function, f"calls {_shown(function)} of a NumPy array, but a graph has a tensor there")
    elif name in vocabulary.MUTATORS and not isinstance(value, Api) and _is_outer(walk, function.value, receiver):
        walk.note(function, f"changes {_shown(function.value)}, which happens only during tracing")
    elif name in vocabulary.TRAINING and isinstance(receiver, (ApiInstance, Unknown)):
        walk.note(function, f"calls {_shown(function)}, which trains, saves or reports in Python")
    else:
        return False
    return True


def _is_outer(walk: Walk, receiver: gast.AST, value: Value | None) -> bool:
    return _root(receiver) not in walk.locals and not isinstance(value, (Tensor, Variable, Dataset, ApiInstance))


def _called_function(walk: Walk, node: gast.Call, function: Function) -> None:
    inner = function.node
    if inner in walk.stack:
        walk.note(node, "calls itself, so tracing would never end")
    if inner in walk.visited or not isinstance(inner, gast.FunctionDef):
        return
    walk.visited.add(inner)
    before = len(walk.found.reasons)
    stack = (*walk.stack, inner)
    _follow(replace(walk, block=function.block, shift=0, node=inner, locals=_locals(inner), stack=stack))
    reasons = walk.found.reasons[before:]
    del walk.found.reasons[before:]
    if reasons:
        walk.note(node, f"calls `{inner.name}`, which {reasons[0].words}")


def _called_api(walk: Walk, node: gast.Call, name: str) -> None:
    root = name.partition(".")[0]
    if name == "print" and not walk.printing and not all(walk.is_python(part) for part in node.args):
        return
    if name in vocabulary.CONVERSIONS:
        if node.args and not walk.is_python(node.args[0]):
            walk.note(node, f"calls {name}() on a possible tensor, which works only in eager code")
    elif root == "np" and all(walk.is_python(part) for part in node.args) and ".random" not in name:
        return
    elif root == "np":
        walk.note(node, f"calls {_shown(node.func)}: NumPy works only with eager tensors")
    elif name in vocabulary.EFFECTS:
        walk.note(node, f"calls {_shown(node.func)}, which {vocabulary.EFFECTS[name]}")
    elif name.startswith(vocabulary.EAGER_TENSORFLOW):
        walk.note(node, f"calls {_shown(node.func)}, which belongs outside a graph")
    elif root in sys.stdlib_module_names and root not in vocabulary.PURE_MODULES:
        walk.note(node, f"calls {_shown(node.func)}, which runs only during tracing")
    elif root not in vocabulary.PURE_MODULES and name not in vocabulary.BUILTINS:
        _doubt(walk, node)


def _doubt(walk: Walk, node: gast.Call) -> None:
    shown = _shown(node.func)
    if shown not in walk.found.doubts:
        walk.found.doubts.append(shown)


def _is_python(value: Value | None) -> bool:
    """Whether something is surely no tensor."""
    if isinstance(value, Tuple):
        return all(map(_is_python, value.items))
    return isinstance(value, (Constant, Scalar, StaticShape))


def _root(node: gast.AST) -> str | None:
    while isinstance(node, (gast.Attribute, gast.Subscript)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def _shown(node: gast.AST) -> str:
    text = gast.unparse(node).strip()
    return f"`{text}`" if len(text) <= 40 and "\n" not in text else "something"


def _locals(node: Definition) -> frozenset[str]:
    """The names that a function binds to what it makes itself: neither its parameters nor names from outside."""
    given = {parameter.id for parameter in parameters_of(node)}
    outer: set[str] = set()
    bound: set[str] = set()
    for part in gast.walk(gast.Module(node.body, [])):
        if isinstance(part, gast.Global):
            outer |= set(part.names)
        elif isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store):
            bound.add(part.id)
        elif isinstance(part, (gast.FunctionDef, gast.Lambda)):
            bound |= {name.id for name in parameters_of(part)}  # pyright: ignore[reportArgumentType]
    return frozenset(bound - given - outer)


def _changed_elsewhere(target: TargetFunction) -> frozenset[str]:
    """The attributes that the file sets outside of initializers, and as `global x` the globals that functions bind."""
    found = (change for block in target.module.blocks for change in _changes_in(block))
    return frozenset(name for name, around in found if target.node not in around)


@functools.lru_cache(maxsize=512)
def _changes_in(block: Block) -> tuple[tuple[str, tuple[gast.AST, ...]], ...]:
    """What a block sets, each with the functions that it stands in."""
    found: list[tuple[str, tuple[gast.AST, ...]]] = []
    pending: list[tuple[gast.AST, tuple[gast.AST, ...]]] = [(each, ()) for each in block.statements]
    while pending:
        node, around = pending.pop()
        if isinstance(node, gast.FunctionDef):
            if node.name in ("__init__", "build"):
                continue
            around = (*around, node)
        if isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load):
            found.append((node.attr, around))
        elif isinstance(node, gast.Global):
            found += [(f"global {name}", around) for name in node.names]
        pending += [(child, around) for child in gast.iter_child_nodes(node)]
    return tuple(found)


_HANDLERS: dict[str, Callable[[Walk, Any], None]] = {
    "Attribute": _stored,
    "Call": _call,
    "Global": _scope,
    "Name": _name,
    "Nonlocal": _scope,
    "Subscript": _stored,
}
