"""Python lists and dicts that branches of the graph change: each branch changes a copy of its own.

Before:

    if x > 0:
        d["a"] = x

After:

    def then(d):
        d["a"] = x
        return d
    d = tf.cond(x > 0, lambda: then(dict(d)), lambda: d)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast
from graphwright_analysis.values.domain import Object

from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts
    from graphwright.passes.state import Slot

_SHALLOW = ("list", "dict", "set")


def copied(style: TensorFlow, facts: Facts, slot: Slot) -> str:
    """What a branch is called with for a name: a copy, where it is a container of Python's."""
    if slot.declare or style.holds_list(slot.text):
        return str(slot.text)
    parts = walk(facts.node)
    held = [style.value(part) for part in parts if isinstance(part, gast.Name) and part.id == slot.text]
    kinds = {value.kind for value in held if isinstance(value, Object)}
    if not kinds & {*_SHALLOW, "deque", "defaultdict", "OrderedDict"}:
        return str(slot.text)
    if len(kinds) == 1 and kinds <= {*_SHALLOW} and not any(_is_deep(part, slot.text) for part in parts):
        return f"{kinds.pop()}({slot.text})"
    return f"{style.tf}.nest.map_structure(lambda part: part, {slot.text})"


def _is_deep(node: gast.AST, name: str) -> bool:
    """Whether something is done with an item of the container, which may be one, too."""
    return (
        isinstance(node, (gast.Subscript, gast.Attribute))
        and isinstance(node.value, gast.Subscript)
        and isinstance(node.value.value, gast.Name)
        and node.value.value.id == name
    )
