"""Lists that another function has filled in the graph: they come back as tensors, and so do those that are passed on.

Before:

    tokens, score = decode(model, start)
    if len(tokens) > 3: ...

After:

    tokens, score = decode(model, start)
    ... tf.shape(tokens)[0] > 3 ...
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.values.domain import Tensor, Tuple

from graphwright.eject.observations import GrownList

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts


def given(style: TensorFlow, facts: Facts) -> dict[str, Tensor]:
    """The names that get such a list from a call or as a parameter, with what its elements are."""
    found: dict[str, Tensor] = {}
    for part in facts.statements if style.known.seen is not None else ():
        for name, value in _assigned(style, part):
            found[name] = Tensor(value.dtype, value.shape)
    for part in facts.statements if style.known.seen is not None else ():
        value = style.known.value(part)
        is_read = isinstance(part, gast.Name) and part.id in facts.parameters and isinstance(part.ctx, gast.Load)
        if is_read and isinstance(value, GrownList) and facts.outer is None:
            found.setdefault(part.id, Tensor(value.dtype, value.shape))
    return found


def _assigned(style: TensorFlow, statement: Any) -> Iterator[tuple[str, GrownList]]:
    if kind_of(statement) != "Assign" or not isinstance(statement.value, gast.Call):
        return
    held: Any = style.known.value(statement.value)
    for target in statement.targets:
        is_several = isinstance(target, gast.Tuple) and isinstance(held, Tuple) and len(target.elts) == len(held.items)
        pairs: Any = zip(target.elts, held.items, strict=True) if is_several else [(target, held)]
        for part, value in pairs:
            if isinstance(part, gast.Name) and isinstance(value, GrownList):
                yield part.id, value
