"""Lists of numbers that a loop replaces by a tensor: they are one from the beginning.

Before:

    y = [1.0, 0.0]
    for _ in range(n):
        y = y + step * slope(y)

After, with `y` carried by the loop:

    y = tf.constant([1.0, 0.0])

Where something else reads the list before the loop, it becomes a tensor in front of the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import gast
from graphwright_analysis.tracing.facts import StagedLoop
from graphwright_analysis.values.domain import Tensor
from graphwright_analysis.values.joining import staged

from graphwright.eject import seeds
from graphwright.eject.observations import StateObject, facts_of
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.facts import Facts


def created(style: Any, lowering: Lowering, node: gast.Assign) -> str | None:
    """The list that an assignment gives a name, as a tensor, if only a loop reads it that replaces it by one."""
    target: Any = node.targets[0] if len(node.targets) == 1 else None
    if not isinstance(target, gast.Name) or not isinstance(node.value, gast.List) or lowering.nested:
        return None
    loops = [each for each in lowering.facts.constructs() if target.id in replaced_by(style, lowering.facts, each)]
    if len(loops) != 1 or not _is_read_from(lowering.facts, node, loops[0], target.id):
        return None
    dtype = replaced_by(style, lowering.facts, loops[0])[target.id]
    for element in node.value.elts:
        seeds.wrap(style, element, dtype)
    text = lowering.read(node)(node.value)
    numbers = [getattr(each, "operand", each) for each in node.value.elts]
    is_plain = dtype == "float32" and all(isinstance(each, gast.Constant) for each in numbers)
    return f"{style.tf}.constant({text})" if is_plain else _as_tensor(style, text, dtype)


def set_before(style: Any, lowering: Lowering, loop: Any) -> None:
    """Write the lines that make tensors of the lists that a loop replaces."""
    for name, dtype in replaced_by(style, lowering.facts, loop).items():
        parts = [part for part in lowering.facts.statements if isinstance(part, gast.Assign)]
        made = [part for part in parts if any(getattr(target, "id", "") == name for target in part.targets)]
        if not any(created(style, lowering, part) for part in made):
            lowering.line(f"{name} = {_as_tensor(style, name, dtype)}", loop)


def replaced_by(style: TensorFlow, facts: Facts, loop: Any) -> dict[str, str]:
    """The lists that a loop replaces by tensors of the same shape, with the dtypes of those."""
    seen = style.known.seen
    fact = facts_of(seen, loop, cast(Any, None)) if seen is not None and not isinstance(loop, gast.If) else None
    found: dict[str, str] = {}
    for name in fact.names if isinstance(fact, StagedLoop) else ():
        before, after = name.before, staged(name.after)
        is_list = isinstance(before, StateObject) and before.kind == "list" and not style.holds_list(name.symbol)
        held = seeds.stacked(before) if is_list and name.symbol in facts.own else None
        if isinstance(held, Tensor) and isinstance(after, Tensor) and after.dtype and held.shape == after.shape:
            found[name.symbol] = after.dtype
    return found


def _as_tensor(style: TensorFlow, text: str, dtype: str) -> str:
    return f"{style.tf}.convert_to_tensor({text}, {style.tf}.{dtype})"


def _is_read_from(facts: Facts, node: gast.AST, loop: Any, name: str) -> bool:
    """Whether a name is used nowhere before a loop but where it is bound."""
    inside = {*walk(node), *walk(loop)}
    named = [part for part in facts.statements if isinstance(part, gast.Name) and part.id == name]
    return all(part in inside or part.lineno > loop.end_lineno for part in named)
