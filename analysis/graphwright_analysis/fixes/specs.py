"""The specs of an `input_signature`, as they are written at a decorator."""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import SignatureArgument
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import Tensor

from .parsed import BlockTree, parsed


def widened(given: SignatureArgument, made: Place | None) -> tuple[Repair, ...]:
    """None in the spec for each axis that doesn't fit, where nothing in the function asks for a size in Python."""
    value, spec = given.value, given.spec
    tree = None if made is None else parsed(made)
    if tree is None or made is None or not isinstance(value, Tensor) or not isinstance(spec, Tensor):
        return ()
    if value.shape is None or spec.shape is None or len(value.shape) != len(spec.shape) or value.dtype != spec.dtype:
        return ()
    if {None, shapes.ANY} & set(value.shape):
        return ()
    sizes = _sizes(tree, tree.at(made), given.parameter)
    if sizes is None or len(sizes) != len(value.shape):
        return ()
    pairs = zip(sizes, value.shape, spec.shape, strict=True)
    edits = tuple((Place(made.block, tree.span(at)), "None") for at, size, wanted in pairs if size != wanted)
    return (Repair(f"Accept any size of `{given.parameter}` in the signature", edits),) if edits else ()


def _sizes(tree: BlockTree, decorator: ast.AST | None, parameter: str) -> list[ast.expr] | None:
    """The sizes in the spec of a parameter of the decorated function."""
    function = None if decorator is None else tree.parents.get(decorator)
    if not isinstance(decorator, ast.Call) or not isinstance(function, ast.FunctionDef):
        return None
    if any(isinstance(n, ast.Attribute) and n.attr == "shape" for each in function.body for n in ast.walk(each)):
        return None
    if any(isinstance(n, ast.Name) and n.id in ("len", "range") for each in function.body for n in ast.walk(each)):
        return None
    specs = next((keyword.value for keyword in decorator.keywords if keyword.arg == "input_signature"), None)
    parameters = [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]
    if not isinstance(specs, (ast.List, ast.Tuple)) or parameter not in parameters:
        return None
    index = parameters.index(parameter)
    spec = specs.elts[index] if index < len(specs.elts) else None
    if not isinstance(spec, ast.Call):
        return None
    shape = [*spec.args[:1], *(keyword.value for keyword in spec.keywords if keyword.arg == "shape")]
    return shape[0].elts if len(shape) == 1 and isinstance(shape[0], (ast.List, ast.Tuple)) else None
