"""Which frame a name belongs to, and what it holds there.

Attributes and items are looked up elsewhere; here are bare names, and the cells that symbols stand for.
"""

from __future__ import annotations

import gast

from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import State
from graphwright_analysis.values import outside_names
from graphwright_analysis.values.domain import UNDEFINED, UNKNOWN, Constant, Object, Value
from graphwright_analysis.values.joining import may_be_unbound


def owner_of(run: Run, frame: Frame, name: str) -> Frame:
    """The frame that a store to `name` in `frame` goes to."""
    if name in frame.scope.globals:
        return module_frame(frame)
    if name in frame.scope.nonlocals:
        return enclosing(frame.parent, name) or frame
    if frame.scope.kind == "comprehension" and name not in frame.scope.bound and frame.parent is not None:
        return owner_of(run, frame.parent, name)
    return frame


def module_frame(frame: Frame) -> Frame:
    while frame.parent is not None:
        frame = frame.parent
    return frame


def enclosing(frame: Frame | None, name: str) -> Frame | None:
    """The function frame around, from `frame` outwards, that binds the name."""
    if frame is None or name in frame.scope.bound:
        return frame
    while (frame := frame.parent) is not None:
        if name in frame.scope.bound and frame.scope.kind != "class":
            return frame
    return None


def owner_of_read(frame: Frame, name: str) -> Frame | None:
    return module_frame(frame) if name in frame.scope.globals else enclosing(frame, name)


def lookup(run: Run, frame: Frame, name: str) -> Value:
    return value_in(run, frame, owner_of_read(frame, name), name)


def value_in(run: Run, frame: Frame, owner: Frame | None, name: str) -> Value:
    """What a name that is read in `frame` holds; `owner` is the frame that it belongs to, if there is one."""
    if owner is not None:
        found = run.resolved(run.state.value(owner.id, name))
        if found is not UNDEFINED or owner.scope.kind in ("function", "lambda", "comprehension"):
            return UNKNOWN if may_be_unbound(found) else found
    if name == "__name__" and owner is None and not run.for_importers:
        return Constant("__main__")
    if owner is None or owner.parent is None:
        brought = run.starred(module_frame(frame), name)
        if brought is not UNDEFINED:
            return brought
    return UNKNOWN if run.star_import else outside_names.BUILTINS.get(name, UNKNOWN)


def frame_function(frame: Frame) -> gast.AST:
    """The function (or module) whose control flow a frame runs."""
    while frame.scope.kind == "comprehension" and frame.parent is not None:
        frame = frame.parent
    return frame.node


def cell_of(run: Run, frame: Frame, symbol: Symbol, state: State) -> tuple[int, str] | None:
    """Where a symbol's value is kept; None for an entry of a collection or an unknown owner."""
    owner = owner_of(run, frame, symbol.root)
    if not symbol.path:
        return owner.id, symbol.root
    holder = state.value(owner.id, symbol.root)
    for step in symbol.path[:-1]:
        holder = state.value(holder.id, step[1:]) if isinstance(holder, Object) and step.startswith(".") else UNKNOWN
    if isinstance(holder, Object) and symbol.path[-1].startswith("."):
        return holder.id, symbol.path[-1][1:]
    return None
