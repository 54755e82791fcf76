"""Which collections that a call is given nobody has any more once it is over, so that changing a copy is as good."""

from __future__ import annotations

from collections.abc import Set

import gast

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.values.domain import Object


def passing_arguments(call: Call) -> Set[int]:
    """The collections that are made for a call, or are what the loop around it walks through and nothing else uses."""
    node, named = call.node, call.named
    if not isinstance(node, gast.Call) or len(node.args) != len(call.positional):
        return frozenset()
    given = [*zip(node.args, call.positional, strict=True)]
    given += [(each.value, named[each.arg]) for each in node.keywords if each.arg is not None and each.arg in named]
    return {value.id for at, value in given if isinstance(value, Object) and _is_nobodys(call.frame, at)}


def _is_nobodys(frame: Frame, node: gast.AST) -> bool:
    if not isinstance(node, gast.Name):
        return isinstance(node, (gast.List, gast.Dict, gast.ListComp, gast.DictComp))
    loop = frame.python_loops[-1] if frame.python_loops else None
    bound = gast.walk(loop.target) if isinstance(loop, gast.For) else ()
    uses = [each for each in gast.walk(loop) if isinstance(each, gast.Name) and each.id == node.id] if loop else []
    return any(each in uses for each in bound) and sum(isinstance(each.ctx, gast.Load) for each in uses) == 1
