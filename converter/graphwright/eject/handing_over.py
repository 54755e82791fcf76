"""Lists that one iteration or branch has for itself, and that it hands over under another name.

Before, in a loop of the graph:

    current = []
    for _ in range(3):
        current.append(x)
    previous = current

`current` stays a list of Python's, and nothing changes it once `previous` has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes.jumps import is_set_first
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.passes.facts import Facts


def is_own(facts: Facts, construct: gast.AST, name: str) -> bool:
    """Whether a name is only used in one suite of a construct, or of one in it, which makes it before anything else."""
    within = {*walk(construct)}
    for each in facts.constructs():
        for suite in (each.body, each.orelse) if each in within else ():
            inside = {part for statement in suite for part in walk(statement)}
            if all(part in inside for part in _uses(facts, name)) and is_set_first(suite, name):
                return True
    return False


def is_given_away(facts: Facts, alias: gast.AST, name: str, changes: list[gast.expr]) -> bool:
    """Whether a statement gives a name's list to others at the end of its use in an iteration that has made it."""
    for construct in facts.constructs():
        if alias not in construct.body:
            continue
        earlier = construct.body[: construct.body.index(alias)]
        before = {part for statement in earlier for part in walk(statement)}
        return is_set_first(earlier, name) and all(change in before for change in changes)
    return False


def pairs(facts: Facts) -> list[tuple[str, str]]:
    """The names that get another one's value, with that."""
    found: list[tuple[str, str]] = []
    for part in facts.statements:
        if isinstance(part, gast.Assign) and isinstance(part.value, gast.Name):
            found += [(target.id, part.value.id) for target in part.targets if isinstance(target, gast.Name)]
    return found


def _uses(facts: Facts, name: str) -> list[Any]:
    return [part for part in facts.statements if isinstance(part, gast.Name) and part.id == name]
