"""Which collections that a call is given nobody has any more once it is over, so that changing a copy is as good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import gast

from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.values.domain import Object, Value


def passing_arguments(
    frame: Frame, call: gast.AST | None, arguments: Sequence[Value], named: Mapping[str, Value]
) -> Set[int]:
    """The collections that are made for a call, or are what the loop around it walks through and nothing else uses."""
    if not isinstance(call, gast.Call) or len(call.args) != len(arguments):
        return frozenset()
    given = [*zip(call.args, arguments, strict=True)]
    given += [(each.value, named[each.arg]) for each in call.keywords if each.arg is not None and each.arg in named]
    return {value.id for node, value in given if isinstance(value, Object) and _is_nobodys(frame, node)}


def _is_nobodys(frame: Frame, node: gast.AST) -> bool:
    if not isinstance(node, gast.Name):
        return isinstance(node, (gast.List, gast.Dict, gast.ListComp, gast.DictComp))
    loop = frame.python_loops[-1] if frame.python_loops else None
    bound = gast.walk(loop.target) if isinstance(loop, gast.For) else ()
    uses = [each for each in gast.walk(loop) if isinstance(each, gast.Name) and each.id == node.id] if loop else []
    return any(each in uses for each in bound) and sum(isinstance(each.ctx, gast.Load) for each in uses) == 1
