"""What types promise of a value, where they stand in an annotation.

The annotation itself is evaluated in `python.annotations`.
"""

from __future__ import annotations

import re

import gast

from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Array,
    Composite,
    Dataset,
    Scalar,
    Tensor,
    TensorArray,
    Value,
    Variable,
)
from graphwright_analysis.values.shapes import Shape


def of_jaxtyping(name: str, kind: Value, axes: gast.AST) -> Value:
    """`Float[tf.Tensor, "batch 3"]`: a size that is a name is a number of which nothing is known."""
    if not isinstance(kind, (Tensor, Array)) or not isinstance(axes, gast.Constant) or not isinstance(axes.value, str):
        return UNKNOWN
    dtype = dtypes.named(name.lower()) if re.search(r"\d$", name) or name == "Bool" else None
    return type(kind)(dtype, _axes(axes.value))


def _axes(text: str) -> Shape:
    names = text.split()
    if any(name.startswith(("*", "...", "#*")) for name in names):
        return None
    return tuple(int(name) if name.isdigit() else shapes.ANY for name in names)


BY_NAME: dict[str, Value] = {
    "tf.Tensor": Tensor(),
    "tf.Variable": Variable(),
    "tf.RaggedTensor": Composite("RaggedTensor"),
    "tf.SparseTensor": Composite("SparseTensor"),
    "tf.TensorArray": TensorArray(),
    "tf.data.Dataset": Dataset(),
    "np.ndarray": Array(),
    "int": Scalar(int),
    "bool": Scalar(bool),
    "str": Scalar(str),
}
