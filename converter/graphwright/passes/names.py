"""Names, attributes, lambdas: what is read without a value, private names, what `locals` finds.

Before (in class `Model`):

    return self.__scale * y      # where y may have no value

After:

    return self._Model__scale * gw.read(y)
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import COMPREHENSIONS, parameters_of

from graphwright.passes.unit import mangled, walk

if TYPE_CHECKING:
    from graphwright.passes.expressions import ExpressionRenderer


def name(read: Any, node: gast.Name) -> str | None:
    mangled = private(read, node.id)
    if not isinstance(node.ctx, gast.Load):
        return mangled
    unset = read.facts.may_be_undefined(node.id, read.at) or read.facts.may_be_undefined_outside(node.id)
    if node.id in read.hidden or not unset:
        return mangled
    text = mangled or node.id
    if read.deferred and read.unit.pairs:
        # Python's own error for a lambda would be that of another function's variable.
        text = f'{read.gw}.bound(lambda: {text}, "{node.id}")'
    return f"{read.gw}.read({text})"


def attribute(read: Any, node: gast.Attribute) -> str | None:
    mangled = private(read, node.attr)
    if mangled is None:
        return None
    text = read.unit.splice(node, read)
    return text[: len(text) - len(node.attr)] + mangled


def function(read: Any, node: Any) -> str | None:
    """A lambda: its body is read with its parameters hiding what is around."""
    inner = read.within(frozenset(parameter.id for parameter in parameters_of(node)))
    start, end = read.unit.span(node)
    body_start, body_end = read.unit.span(node.body)
    head = _head(read, node, start, body_start)
    return head + inner(node.body) + read.unit.original(body_end, end)


def private(read: ExpressionRenderer, text: str) -> str | None:
    """What Python makes of a name like `__scale` inside a class; None if it stays as it is."""
    return mangled(read.unit.class_name, text)


def _head(read: Any, node: gast.Lambda, start: int, body_start: int) -> str:
    pieces: list[str] = []
    position = start
    for default in [*node.args.defaults, *[value for value in node.args.kw_defaults if value is not None]]:
        default_start, default_end = read.unit.span(default)
        pieces += [read.unit.original(position, default_start), read(default)]
        position = default_end
    return "".join([*pieces, read.unit.original(position, body_start)])


def asks_for_names(call: gast.Call) -> bool:
    """Whether a call is `locals()`, `vars()` or `dir()`."""
    named = isinstance(call.func, gast.Name) and call.func.id in ("locals", "vars", "dir")
    return named and not call.args and not call.keywords


def users_names(read: Any, call: Any) -> str:
    """What `locals` and the like find of the user's names; where a function begins, there's only `gw` besides."""
    unit, facts, function = read.unit, read.facts, call.func.id
    if unit.alias == "gw" and not read.hidden and _begins_function(read.at, facts):
        return f"{read.gw}.users_names({function}())"
    names = (facts.bound - (unit.names - unit.users_names)) | unit.free | read.hidden | _comprehended(facts.node, call)
    listed = ", ".join(f'"{each}"' for each in sorted(mangled(unit.class_name, each) or each for each in names))
    return f"{read.gw}.users_names({function}(), [{listed}])"


def _begins_function(statement: Any, facts: Any) -> bool:
    """Whether nothing but a docstring or imports comes before a statement."""
    body: list[Any] = [] if isinstance(facts.node, gast.Lambda) or facts.outer else facts.node.body
    before = itertools.takewhile(lambda each: each is not statement, body)
    return statement in body and all(
        isinstance(each, (gast.Import, gast.ImportFrom)) or isinstance(getattr(each, "value", None), gast.Constant)
        for each in before
    )


def _comprehended(function: gast.AST, node: gast.AST) -> frozenset[str]:
    """The names that comprehensions around a node set, which are theirs."""
    around = [part for part in walk(function) if isinstance(part, COMPREHENSIONS) and node in walk(part)]
    targets = [part for each in around for generator in each.generators for part in walk(generator.target)]
    return frozenset(part.id for part in targets if isinstance(part, gast.Name))
