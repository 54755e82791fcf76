"""`del`: names, attributes, and items of lists and dicts."""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.machine import journal
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import CONTENT
from graphwright_analysis.tracing.noting.list_changes import list_changed
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import UNKNOWN, Constant, Entries, Items, Object

from . import expressions


def delete(run: Run, frame: Frame, node: gast.Delete) -> None:
    """Run a `del`."""
    for target in node.targets:
        match target:
            case gast.Name():
                owner = name_lookup.owner_of(run, frame, target.id)
                run.seen.saw(target, run.state.value(owner.id, target.id))
                run.state.delete(owner.id, target.id, place_of(frame, target))
            case gast.Attribute():
                holder = expressions.evaluate(run, frame, target.value)
                if isinstance(holder, Object):
                    run.state.delete(holder.id, target.attr)
            case gast.Subscript():
                _delete_item(run, frame, target)
            case _:
                pass


def _delete_item(run: Run, frame: Frame, target: gast.Subscript) -> None:
    owner = expressions.evaluate(run, frame, target.value)
    key = expressions.evaluate(run, frame, target.slice)
    if not isinstance(owner, Object):
        return
    entries = run.state.entries(owner.id)
    if entries is not None:
        journal.stored(run, frame, (owner.id, CONTENT, journal.WHOLE), target, UNKNOWN, "del")
        known = isinstance(key, Constant)
        run.state.set_content(owner.id, entries.without(key.value) if known else Entries(closed=False))
    elif run.state.items(owner.id) is not None:
        list_changed(run, frame, target, owner, "del")
        run.state.set_content(owner.id, Items(None))
