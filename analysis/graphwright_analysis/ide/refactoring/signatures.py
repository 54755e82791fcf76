"""The `input_signature` that fits every call of a function in its file, as it is written at the decorator.

Calls from other files aren't seen.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from graphwright_analysis.ide.specs import tensor_spec
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Array, Tensor, Value

from .functions import TargetFunction, parameters_of

WIDTH = 120
_DECLARED = dtypes.NUMBERS | {"bool", "string"}


def specs(target: TargetFunction, values: Mapping[gast.AST, Value], skipped: int, tensorflow: str) -> list[str] | None:
    """A spec for each parameter; None where one isn't always a tensor of one dtype, or none may be declared."""
    arguments = target.node.args
    plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults)
    found = [_spec(values.get(name), tensorflow) for name in parameters_of(target.node)[skipped:]] if plain else []
    written = [spec for spec in found if spec is not None]
    return written if written and len(written) == len(found) else None


def decorator(tensorflow: str, specs: list[str], indent: str, end: str) -> str:
    """`@tf.function(input_signature=[...])`, on several lines where it is long."""
    line = f"@{tensorflow}.function(input_signature=[{', '.join(specs)}])"
    if len(indent) + len(line) <= WIDTH:
        return line
    rows = "".join(f"{indent}        {spec},{end}" for spec in specs)
    return f"@{tensorflow}.function({end}{indent}    input_signature=[{end}{rows}{indent}    ]{end}{indent})"


def _spec(value: Value | None, tensorflow: str) -> str | None:
    if not isinstance(value, (Tensor, Array)) or value.dtype not in _DECLARED:
        return None
    return tensor_spec(value, tensorflow)
