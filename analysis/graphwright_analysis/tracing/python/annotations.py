"""What an annotation or a default promises of a value: tensors of a dtype and shape, arrays, Python scalars, tuples.

Of what may be of several types, what these have in common is known.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence

import gast

from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import annotated_types
from graphwright_analysis.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Api,
    Function,
    Items,
    Scalar,
    Spec,
    Tuple,
    Value,
    python_kind,
)
from graphwright_analysis.values.domain import Sequence as Elements
from graphwright_analysis.values.joining import join
from graphwright_analysis.values.kinds import is_static

from . import expressions


def of_annotation(run: Run, frame: Frame, node: gast.AST | None) -> Value:
    """What an annotation promises of a value."""
    if isinstance(node, gast.Constant) and isinstance(node.value, str):
        return _of_text(run, frame, node.value)
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.BitOr):
        return _one_of(run, frame, (node.left, node.right))
    if isinstance(node, gast.Constant) and node.value is None:
        return NONE
    if isinstance(node, gast.Call):
        value = expressions.evaluate(run, frame, node)
        return value.means if isinstance(value, Spec) else UNKNOWN
    if isinstance(node, gast.Subscript):
        return _of_subscript(run, frame, node)
    if not isinstance(node, (gast.Name, gast.Attribute)):
        return UNKNOWN
    value = expressions.evaluate(run, frame, node)
    if isinstance(value, Spec):
        return value.means
    return annotated_types.BY_NAME.get(value.name, UNKNOWN) if isinstance(value, Api) else UNKNOWN


def of_field(run: Run, frame: Frame, node: gast.AST) -> Value:
    """What a field's annotation promises; of a mapping what its values are."""
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Tuple) and len(node.slice.elts) == 2:
        mapping = expressions.evaluate(run, frame, node.value)
        if isinstance(mapping, Api) and mapping.name in ("typing.Mapping", "collections.abc.Mapping"):
            return Elements(of_annotation(run, frame, node.slice.elts[1]))
    return of_annotation(run, frame, node)


def of_default(function: Function, default: Value | None, assumed: Value) -> Value:
    """What its default says of a parameter that has no annotation, or may be None; `assumed` is what is known of it."""
    if default == NONE:
        return assumed if is_static(assumed) else UNKNOWN
    kind = None if default is None else python_kind(default)
    if kind in (bool, str):
        return Scalar(kind)
    # A number may as well be a tensor, but for what is told when something is made.
    return STATIC if kind is not None and getattr(function.node, "name", "") == "__init__" else assumed


def _of_text(run: Run, frame: Frame, text: str) -> Value:
    """An annotation in quotes, unless it makes something by a call."""
    try:
        parsed = gast.ast_to_gast(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ValueError):
        return UNKNOWN
    node: gast.AST = getattr(parsed, "body", parsed)
    called = any(isinstance(inner, gast.Call) for inner in gast.walk(node))
    return UNKNOWN if called else of_annotation(run, frame, node)


def _of_subscript(run: Run, frame: Frame, node: gast.Subscript) -> Value:
    owner = expressions.evaluate(run, frame, node.value)
    if not isinstance(owner, Api):
        return UNKNOWN
    name = owner.name
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    if name in ("tuple", "typing.Tuple"):
        if any(isinstance(part, gast.Constant) and part.value is Ellipsis for part in parts):
            return UNKNOWN
        return Tuple(tuple(of_annotation(run, frame, part) for part in parts))
    if name in ("list", "typing.List") and len(parts) == 1:
        made = run.allocate("list")
        run.state.set_content(made.id, Items(None, of_annotation(run, frame, parts[0])))
        return made
    if name in ("typing.Optional", "typing.Union"):
        none = (gast.Constant(None, None),) if name == "typing.Optional" else ()
        return _one_of(run, frame, (*parts, *none))
    if name in ("typing.Annotated", "typing_extensions.Annotated"):
        return of_annotation(run, frame, parts[0])
    if name.startswith("jaxtyping.") and len(parts) == 2:
        return annotated_types.of_jaxtyping(name.rpartition(".")[2], of_annotation(run, frame, parts[0]), parts[1])
    return UNKNOWN


def _one_of(run: Run, frame: Frame, nodes: Sequence[gast.AST]) -> Value:
    """A union: what all of its types have in common, or None."""
    found = [of_annotation(run, frame, node) for node in nodes]
    return functools.reduce(join, found)
