"""Attributes that a program stores on TensorFlow's own classes, under any name: all tensors have those."""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.facts import ClassExtended
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.values.domain import Api, Constant, Method, Value

TENSOR_CLASSES = frozenset({"EagerTensor", "RaggedTensor", "SparseTensor", "SymbolicTensor", "Tensor", "Variable"})

ANY = "*"
"""Stands for attributes whose names aren't known."""


def note(run: Run, frame: Frame, owner: Value, name: Value, node: gast.AST) -> None:
    """Note that an attribute is stored, if that is on a class of TensorFlow's."""
    if isinstance(owner, Api) and owner.name.rpartition(".")[2] in TENSOR_CLASSES:
        known = name.value if isinstance(name, Constant) and isinstance(name.value, str) else ANY
        run.note(ClassExtended(place_of(frame, node), known))


def may_have(run: Run, name: str, found: Value) -> bool:
    """Whether something may be stored under a name that stands for `found` otherwise."""
    return name in run.patched or (ANY in run.patched and isinstance(found, Method) and name != "numpy")
