"""New activations, lists and dicts of a run.

Instances are made where classes are called, in `python`.
"""

from __future__ import annotations

from typing import Any

import gast

from graphwright_analysis.values.domain import UNKNOWN, Entries, Items, Object, Value

from . import marks
from .context import Frame
from .run import Run, place_of


def new_list(
    run: Run,
    frame: Frame,
    known: tuple[Value, ...] | None,
    node: gast.AST,
    element: Value = UNKNOWN,
    kind: str = "list",
) -> Object:
    """A fresh list or deque in the state."""
    made = run.allocate(kind)
    run.state.set_content(made.id, Items(known, element))
    run.state.set(made.id, marks.CREATED, UNKNOWN, place_of(frame, node))
    return made


def new_dict(run: Run, entries: Entries) -> Object:
    made = run.allocate("dict")
    run.state.set_content(made.id, entries)
    return made


def new_frame(
    run: Run,
    node: gast.AST,
    parent: Frame | None,
    owner: Value | None = None,
    id_: int | None = None,
    block: Any = None,
) -> Frame:
    """An activation of a function, class body, comprehension or module."""
    from_block = block if block is not None else parent.block if parent is not None else None
    assert from_block is not None
    scope = run.flow.scopes_of(from_block, node)
    unconverted = parent.unconverted if parent is not None else None
    frame = Frame(run.fresh() if id_ is None else id_, scope, from_block, parent, node, unconverted, owner)
    run.frames[frame.id] = run.seen.frames[frame.id] = frame
    return frame
