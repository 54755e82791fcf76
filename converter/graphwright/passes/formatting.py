"""Text made of values: f-strings, `"...".format(...)`, `"..." % ...` and `", ".join(...)`.

Before:

    message = f"loss {loss:.3f}"

After:

    message = gw.format("loss {:.3f}", loss)

Text is only rewritten where a value in it might be a tensor.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes import comprehensions
from graphwright.passes.surely_python import is_sure
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.passes.expressions import ExpressionRenderer


def joined(read: ExpressionRenderer, node: gast.AST) -> str | None:
    pieces: list[str] = []
    values: list[str] = []
    _collect(read, node, pieces, values)
    if not values:
        return None
    return f"{read.gw}.format({_quoted(''.join(pieces))}, {', '.join(values)})"


def percent(read: Any, node: gast.BinOp) -> str | None:
    left = node.left
    if not isinstance(node.op, gast.Mod) or not isinstance(left, gast.Constant) or not isinstance(left.value, str):
        return None
    return f"{read.gw}.percent({read(left)}, {read(node.right)})"


def formatted(read: ExpressionRenderer, node: gast.Call) -> str | None:
    """A call of `format` on a string that stands there."""
    function = node.func
    if (
        not isinstance(function, gast.Attribute)
        or function.attr != "format"
        or not isinstance(function.value, gast.Constant)
    ):
        return None
    if not isinstance(function.value.value, str) or not (node.args or node.keywords):
        return None
    text = read.unit.splice(node, read)
    opening = text.index("(", len(read(function)))
    return f"{read.gw}.format({read(function.value)}, {text[opening + 1 :].lstrip()}"


def joined_by_text(read: Any, node: gast.Call) -> str | None:
    """A call of `join` on a string that stands there."""
    function, texts = node.func, node.args
    if not isinstance(function, gast.Attribute) or function.attr != "join" or len(texts) != 1 or node.keywords:
        return None
    separator, parts = function.value, texts[0]
    is_text = isinstance(separator, gast.Constant) and isinstance(separator.value, str)
    if not is_text or isinstance(parts, gast.Constant) or is_sure(parts, read.facts):
        return None
    made = comprehensions.listed(read, parts) if isinstance(parts, gast.GeneratorExp) else None
    return f"{read.gw}.join({read(separator)}, {read(parts) if made is None else made})"


def may_be_of_graph(node: gast.Call, name: str) -> bool:
    """Whether `tf.constant`, which requires a value of Python's, may be called with one of the graph."""
    values = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg in (None, "value"))]
    parts = [part for value in values for part in walk(value)] if name == "constant" else []
    return any(isinstance(part, (gast.Name, gast.Call, gast.JoinedStr)) for part in parts)


def has_message(node: gast.Call, name: str) -> bool:
    """Whether a check of TensorFlow's of this name may be given a text of the graph as its message."""
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg in (None, "message"))]
    return name.startswith(_CHECKS) and any(not isinstance(part, gast.Constant) for part in given)


def _collect(read: Any, node: Any, pieces: list[str], values: list[str]) -> None:
    for part in node.values:
        if isinstance(part, gast.Constant):
            pieces.append(str(part.value).replace("{", "{{").replace("}", "}}"))
            continue
        specification: list[str] = []
        nested: list[str] = []
        if part.format_spec is not None:
            _collect(read, part.format_spec, specification, nested)
        conversion = f"!{chr(part.conversion)}" if part.conversion not in (-1, None) else ""
        colon = ":" if specification else ""
        pieces.append(f"{{{conversion}{colon}{''.join(specification)}}}")
        values += [_value(read, part.value), *nested]


def _value(read: ExpressionRenderer, node: gast.AST) -> str:
    """An expression in an f-string; before Python 3.12 its place in the text isn't told right."""
    if isinstance(node, gast.Constant) or is_sure(node, read.facts):
        return ast.unparse(gast.gast_to_ast(node))
    text = ast.unparse(gast.gast_to_ast(node))
    return str(read.unit.style.noted(read, node, read.reread(text)))


def _quoted(text: str) -> str:
    quoted = repr(text)
    return f'"{quoted[1:-1]}"' if quoted[0] == "'" and '"' not in quoted else quoted


# The run time knows exactly which of these functions require a Python string.
_CHECKS = ("assert_", "check_numerics", "verify_tensor_all_finite", "Print")
