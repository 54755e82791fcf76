"""Whole functions: the one that is converted, and those that are defined in it.

Before:

    @gw.convert()
    def f(x, n=2): ...

After:

    def f(x, n=2): ...

Decorators of the function that is converted are gone; those of functions inside it stay.
"""

from __future__ import annotations

from typing import Any

import gast

from graphwright.passes.blocks import Lowering, lower_function
from graphwright.passes.brackets import is_broken
from graphwright.passes.definitions import refuse_what_cannot_be
from graphwright.passes.desugaring import desugared
from graphwright.passes.exits import ExitFrame
from graphwright.passes.facts import Facts
from graphwright.passes.logic import tests_in
from graphwright.passes.unit import Unit
from graphwright.passes.writing import Writer


def lower_entity(unit: Unit) -> list[tuple[str, int]]:
    """The generated lines of the unit's function or lambda, each with its line in the unit's text."""
    node: Any = unit.node
    refuse_what_cannot_be(node)
    writer = Writer()
    if isinstance(node, gast.Lambda):
        unit.tests = tests_in(node)
        lowering = Lowering(unit, Facts(unit, node), writer, ExitFrame("function", unit.alias))
        unit.style.begin(lowering)
        lowering.frame = unit.style.frame(lowering, "function")
        text = lowering.read(None)(node)
        writer.add(f"({text})" if is_broken(text) else text, node.lineno, unit.indent_of(node))
    else:
        node = desugared(unit, node)
        unit.tests = tests_in(node)
        lower_function(unit, node, None, writer)
    return writer.lines
