"""The shape of gast nodes as the flow analyses need it: kinds, children, parameters.

Nothing here looks at names or control flow.
Where many kinds are told apart, it is by the name of their class, in a table.
"""

from __future__ import annotations

from typing import Any

import gast

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)

# Fields that hold no nodes, or nodes without any meaning of their own.
_BARREN = frozenset(
    {"ctx", "op", "ops", "type_comment", "type_ignores", "id", "attr", "arg", "kind", "conversion", "level"}
)
_child_fields: dict[type, tuple[str, ...]] = {}
_NODE = gast.AST


def kind_of(node: object) -> str:
    return type(node).__name__


def children(node: gast.AST) -> list[gast.AST]:
    """The child nodes in the order of their fields, without contexts and operators."""
    kind = type(node)
    fields = _child_fields.get(kind)
    if fields is None:
        barren = _BARREN | {"value"} if kind.__name__ == "Constant" else _BARREN
        fields = _child_fields[kind] = tuple(field for field in node._fields if field not in barren)
    found: list[gast.AST] = []
    for field in fields:
        value: Any = getattr(node, field, None)
        if not value:  # nothing or an empty list; no node is false
            continue
        if type(value) is list:
            found += [item for item in value if isinstance(item, _NODE)]  # pyright: ignore[reportUnknownVariableType]
        elif isinstance(value, _NODE):
            found.append(value)
    return found


def walk(*roots: gast.AST) -> list[gast.AST]:
    """The nodes with all that is below them, level by level, as `gast.walk` has them but for contexts and operators."""
    found = list(roots)
    for node in found:
        if type(node).__name__ != "Constant":
            found += children(node)
    return found


def bodies_below(node: gast.AST) -> list[gast.AST]:
    """The child nodes that are statements or hold some: bodies, handlers and cases."""
    found: list[gast.AST] = []
    for field in _BODIES:
        body: Any = getattr(node, field, None)
        if type(body) is list:
            found += body
    return found


_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")


def nodes_in(values: Any) -> list[gast.AST]:
    """The nodes of a list field; such lists may hold None and, in odd trees, be missing."""
    return [value for value in values or () if isinstance(value, gast.AST)]


def parameters_of(function: gast.AST) -> list[Any]:
    """The parameters of a function or lambda, each a Name, in the order of their declaration."""
    arguments: Any = getattr(function, "args", None)
    if arguments is None:
        return []
    starred = [arguments.vararg] if arguments.vararg is not None else []
    keywords = [arguments.kwarg] if arguments.kwarg is not None else []
    listed = [*(arguments.posonlyargs or ()), *(arguments.args or ()), *starred]
    return [*listed, *(arguments.kwonlyargs or ()), *keywords]


def defaults_of(function: gast.AST) -> list[gast.AST]:
    """The default values of a function's parameters."""
    arguments: Any = getattr(function, "args", None)
    if arguments is None:
        return []
    return nodes_in(arguments.defaults) + nodes_in(arguments.kw_defaults)


def annotations_of(function: gast.AST) -> list[gast.AST]:
    """The annotations of a function's parameters and of what it returns."""
    annotations = [getattr(parameter, "annotation", None) for parameter in parameters_of(function)]
    annotations.append(getattr(function, "returns", None))
    return nodes_in(annotations)
