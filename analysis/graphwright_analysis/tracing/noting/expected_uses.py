"""Whether the code may well be meant for another kind of value than the one that it was followed with.

A Python condition of which nobody knows the outcome may ask for that very kind: what stands under it is then right
wherever it is run. Nothing here knows what is wrong with a use.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from graphwright_analysis.tracing.facts import Fact
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values.domain import Value


def note(run: Run, frame: Frame, fact: Fact, node: gast.AST, value: Value) -> None:
    """Note a use of a value that fails for the kind that it is of, unless it may be meant for another one; whether
    what the function made of its arguments is of that kind is all that is left to doubt."""
    if not is_meant_for_others(run, frame, node, value):
        run.note(replace(fact, doubted=True) if run.context.conditions else fact)


def is_meant_for_others(run: Run, frame: Frame, node: gast.AST, value: Value) -> bool:
    """Whether a condition that nobody knows may have asked for another kind of what was given."""
    return run.context.conditions > 0 and _is_given(run, frame, node, value)


def _is_given(run: Run, frame: Frame, node: gast.AST, value: Value) -> bool:
    """Whether a function has a value from outside, as it came or under another name."""
    root = node
    while isinstance(root, (gast.Attribute, gast.Subscript, gast.Starred)):
        root = root.value
    if isinstance(root, gast.Name) and (root.id not in frame.scope.bound or _is_as_given(run, frame, root.id)):
        return True
    return any(
        _is_as_given(run, frame, name) and run.state.value(frame.id, name) is value for name in frame.scope.parameters
    )


def _is_as_given(run: Run, frame: Frame, name: str) -> bool:
    """Whether a parameter was never bound again."""
    return name in frame.scope.parameters and (frame.id, name) not in run.state.written
