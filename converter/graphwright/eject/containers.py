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

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import gast
from graphwright_analysis.values.domain import Object

from graphwright.eject import collapsing, shared_values, stacks
from graphwright.eject.flags import Flagged
from graphwright.eject.observations import GROWN_DEQUE
from graphwright.errors import ConversionError
from graphwright.passes.operators import Piece
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts
    from graphwright.passes.state import Slot

_SHALLOW = ("list", "dict", "set")
_DEQUES = ("deque", GROWN_DEQUE)
_COPY = re.compile(r"(?:list|dict|set|\w+\.nest\.map_structure)\((?:lambda part: part, )?(\w+)\)")


def copied(style: TensorFlow, facts: Facts, slot: Slot) -> str:
    """What a branch is called with for a name: a copy, where it is a container of Python's."""
    if slot.declare or style.holds_list(slot.text):
        return str(slot.text)
    parts = walk(facts.node)
    held = [style.value(part) for part in parts if isinstance(part, gast.Name) and part.id == slot.text]
    kinds = {value.kind for value in held if isinstance(value, Object)}
    if not kinds & {*_SHALLOW, *_DEQUES, "defaultdict", "OrderedDict"}:
        return str(slot.text)
    if len(kinds) == 1 and kinds <= {*_SHALLOW} and not any(_is_deep(part, slot.text) for part in parts):
        return f"{kinds.pop()}({slot.text})"
    return f"{style.tf}.nest.map_structure(lambda part: part, {slot.text})"


def refuse_deques(style: TensorFlow, facts: Facts) -> None:
    """Refuse a deque that staged code changes, or whose length only the graph knows."""
    values = [(part, style.value(part)) for part in facts.statements if isinstance(part, gast.expr)]
    deques = [(part, value.kind) for part, value in values if isinstance(value, Object) and value.kind in _DEQUES]
    grown = sorted((part for part, kind in deques if kind == GROWN_DEQUE), key=lambda part: not stacks.name_of(part))
    if grown:
        raise _no_deques(style, facts, grown[0])
    names = {stacks.name_of(part) or part for part, _ in deques}
    for part in shared_values.changed_in(facts.constructs()) if deques else ():
        if (stacks.name_of(part.value) or part.value) in names:
            raise _no_deques(style, facts, part.value)


def _no_deques(style: TensorFlow, facts: Facts, node: gast.expr) -> Exception:
    """The request to write a deque as a list, where a trace has shown what the graph changes; else a refusal."""
    name = stacks.name_of(node)
    text = name or " ".join(facts.unit.original(*facts.unit.span(node)).split())
    refusal = ConversionError(
        f"the graph changes the deque `{text}`, and plain TensorFlow has none: use a list (`xs.pop(0)`, "
        "`xs.insert(0, x)`), or a tensor",
        line=node.lineno,
    )
    is_own = bool(name) and style.known.seen is not None and facts.outer is None
    return Flagged({}, refusal, deque=name) if is_own else refusal


def with_copies(piece: Piece, arguments: Sequence[str]) -> Piece:
    """A branch that is one expression, in which functions get copies of the containers that they may change."""
    expression = piece.expression
    for copy in (found for each in arguments if (found := _COPY.fullmatch(each))):
        if expression is not None and re.search(rf"\w\((?:[^()]*, )?{copy.group(1)}\b", expression):
            expression = collapsing.with_dotted(expression, {copy.group(1): copy.group()})
    return piece if expression is piece.expression else replace(piece, expression=expression)


def _is_deep(node: gast.AST, name: str) -> bool:
    """Whether something is done with an item of the container, which may be one, too."""
    return (
        isinstance(node, (gast.Subscript, gast.Attribute))
        and isinstance(node.value, gast.Subscript)
        and isinstance(node.value.value, gast.Name)
        and node.value.value.id == name
    )
