"""Comprehensions and generator expressions over what may be a tensor.

Before:

    squares = [x * x for x in xs if x > 0]

After:

    squares = gw.collect(lambda x: x * x, xs, lambda x: x > 0)

Over what is surely Python's own they stay as they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes.closures import CLOSURES, closures_in
from graphwright.passes.logic import binds
from graphwright.passes.surely_python import is_sure, is_sure_iterable
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.passes.expressions import ExpressionRenderer


def listed(read: ExpressionRenderer, node: gast.AST) -> str | None:
    """A list comprehension, or a generator expression that is used up at once."""
    return _written(read, node, "collect")


def generated(read: ExpressionRenderer, node: gast.AST) -> str | None:
    """A generator expression that is passed to something."""
    return _written(read, node, "generate")


def kept(read: ExpressionRenderer, node: gast.AST) -> str | None:
    """A generator expression that nothing goes over where it stands."""
    return _written(read, node, "generate_later")


def _written(read: Any, node: Any, operator: str) -> str | None:
    if _stays(read, node):
        return None
    if binds(node) or _shares_its_variables(read, node):
        return unrolled(read, node)
    return _collected(read, node.elt, node.generators, operator)


def unrolled(read: Any, node: gast.DictComp | gast.ListComp | gast.SetComp) -> str | None:
    """A set or dictionary, or one that binds names: what it runs over must have a length that is known."""
    if _stays(read, node):
        return None
    text = read.unit.splice(node, read)
    for generator in node.generators:
        if not is_sure_iterable(generator.iter, read.facts):
            iterable = read(generator.iter)
            text = text.replace(f" in {iterable}", f" in {read.gw}.unrolled({iterable})", 1)
    return text


def spread(read: Any, node: gast.Starred) -> str | None:
    """`*xs` in a call or display, which Python unpacks: a tensor must have a length that is known."""
    value, facts = node.value, read.facts
    if not isinstance(node.ctx, gast.Load) or is_sure_iterable(value, facts):
        return None
    arguments = getattr(facts.node, "args", None)
    if isinstance(value, gast.Name) and getattr(getattr(arguments, "vararg", None), "id", None) == value.id:
        return None
    return f"*{read.gw}.spread({read(value)})"


def _shares_its_variables(read: ExpressionRenderer, node: gast.GeneratorExp | gast.ListComp) -> bool:
    """Whether functions are made that all see the variables' last values, as they do in Python."""
    names = frozenset(name for generator in node.generators for name in _target_names(generator.target))
    closures = closures_in(walk(node, lambda part: not isinstance(part, CLOSURES)), names, read.unit.library)
    return any(closure.kept for closure in closures)


def _stays(read: Any, node: Any) -> bool:
    return any(generator.is_async or not _has_plain_target(generator.target) for generator in node.generators) or all(
        is_sure_iterable(generator.iter, read.facts) and all(is_sure(test, read.facts) for test in generator.ifs)
        for generator in node.generators
    )


def _collected(read: Any, element: gast.expr, generators: list[gast.comprehension], operator: str) -> str:
    generator = generators[0]
    inner = read.within(frozenset(_target_names(generator.target))).inside()
    nested = len(generators) > 1
    body = _collected(inner, element, generators[1:], operator) if nested else inner(element)
    text = f"{read.gw}.{operator}({_function(read, generator.target, body)}, {read(generator.iter)}"
    if generator.ifs:
        tests = [inner(test) for test in generator.ifs]
        condition = tests[-1]
        for test in reversed(tests[:-1]):
            condition = f"{read.gw}.{'both' if read.unit.pairs else 'and_'}({test}, lambda: {condition})"
        text += f", {_function(read, generator.target, condition)}"
    return text + (", flat=True)" if nested else ")")


def _function(read: Any, target: Any, body: str) -> str:
    """The text of a function of an item, or of the parts of one, that binds what a target does."""
    parameters: list[str] = []
    parts: list[Any] = [target] if isinstance(target, gast.Name) else target.elts
    for place, part in enumerate(parts):
        if isinstance(part, gast.Name) and part.id not in _names_of(parts[place + 1 :]):
            parameters.append(part.id)
            continue
        parameters.append(read.unit.fresh("part"))
        read.unit.names.add(parameters[-1])
        if not isinstance(part, gast.Name):
            body = f"({_function(read, part, body)})(*{read.gw}.unrolled({parameters[-1]}, {len(part.elts)}))"
    return f"lambda {', '.join(parameters)}: {body}"


def _has_plain_target(target: gast.AST) -> bool:
    """Whether it is a name or a tuple of several, in which may be other such tuples."""
    if isinstance(target, gast.Name):
        return True
    return isinstance(target, gast.Tuple) and len(target.elts) > 1 and all(map(_has_plain_target, target.elts))


def _target_names(target: Any) -> list[str]:
    return [target.id] if isinstance(target, gast.Name) else _names_of(target.elts)


def _names_of(targets: Any) -> list[str]:
    return [name for target in targets for name in _target_names(target)]
