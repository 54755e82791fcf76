"""What Python knows of the state of a turn that a tensor may have left out, in the lists and dicts of that state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphwright.runtime.basis.grown_lists import is_forwarded
from graphwright.runtime.basis.outcomes import ReturnOutcome, never
from graphwright.runtime.basis.plain_containers import refill
from graphwright.runtime.state.contents import as_it_is, insides
from graphwright.runtime.state.describing import describe
from graphwright.runtime.state.journal import current as current_journal
from graphwright.runtime.state.nodes import StateNode, originals
from graphwright.runtime.state.reachability import reaches


class KnownState:
    """What a turn has left (`live`), where that is Python's; elsewhere, what is merged of all turns before."""

    def __init__(self, live: tuple[Any, ...], merged: tuple[Any, ...]) -> None:
        self._live = live
        self._nodes = tuple(_known(*each) for each in zip(live, merged, strict=True))
        self.others = tuple(_to_come(one) for one, node in zip(merged, self._nodes, strict=True) if node is None)
        there = {id(one) for one, _ in insides(merged)}
        containers = [each.container for node in self._nodes if node for each in originals(node)]
        held = [one.value if isinstance(one, ReturnOutcome) else one for one in merged]
        self.filled = [one for one in containers if id(as_it_is(one)) in there or reaches(held, one)]
        """Those in what is merged, or among its choices: they hold what Python knows while the turn is traced."""
        self._state = there | set(map(id, self.filled))

    def beside(self, others: tuple[Any, ...]) -> tuple[Any, ...]:
        """The state as the turn has it, the `others` entered; lists and dicts hold what Python knows of them."""
        entered = iter(others)
        pairs = zip(self._nodes, self._live, strict=True)
        return tuple(next(entered) if node is None else self._held(node, raw) for node, raw in pairs)

    def _held(self, node: StateNode, raw: Any) -> Any:
        containers = [each.container for each in originals(node)]
        here = current_journal()
        for one in containers:
            if is_forwarded(one):
                refill(one, ())
            if here is not None and id(one) not in self._state:
                here.born[id(one)] = one
        return node.build(iter(())) if containers else raw


def _known(raw: Any, merged: Any) -> StateNode | None:
    """The node of a value that is Python's and differs from what is merged."""
    node = None if raw is merged else describe(raw)
    return None if node is None or node.invariants() else node


def _to_come(value: Any) -> Any:
    """What a function returns, in a turn that only comes if it hasn't returned; anything else as it is."""
    return replace(value, given=False, value=never) if isinstance(value, ReturnOutcome) else value
