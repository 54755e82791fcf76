"""What a file stores on TensorFlow's own classes, by assignment or `setattr`: attributes that tensors then have.

They count wherever they stand in the file, since a function that stores them may be called by anybody. So does Keras 2,
which an importer may have from a file that takes it where it is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import gast

from graphwright_analysis.syntax import Module

_HINT = re.compile(r"Tensor\.\w+\s*[=,:]|setattr\s*\(|Variable\.\w+\s*=")
_CLASSES = frozenset({"EagerTensor", "RaggedTensor", "SparseTensor", "SymbolicTensor", "Tensor", "Variable"})


KERAS_2 = "Keras 2"
"""Stands among the names for the Keras that has AutoGraph convert what it calls."""
_NAMES_OF_KERAS_2 = ("tf_keras", "TF_USE_LEGACY_KERAS")


def patched_in(module: Module) -> frozenset[str]:
    """The names of the attributes that a file stores on a class of TensorFlow's, and `KERAS_2` where it has that."""
    keras = {KERAS_2} if any(name in module.text for name in _NAMES_OF_KERAS_2) else set[str]()
    blocks = [block for block in module.pieces if block.first(_HINT) is not None]
    nodes = (node for block in blocks for statement in block.statements for node in gast.walk(statement))
    return frozenset(name for node in nodes for name in _stored_by(node)) | keras


def _stored_by(node: gast.AST) -> Iterator[str]:
    match node:
        case gast.Attribute(value=owner, ctx=gast.Store()) if _is_class(owner):
            yield node.attr
        case gast.Call(func=gast.Name(id="setattr"), args=[owner, gast.Constant(value=str(name)), _]):
            if _is_class(owner):
                yield name
        case _:
            pass


def _is_class(node: gast.AST) -> bool:
    name = node.attr if isinstance(node, gast.Attribute) else node.id if isinstance(node, gast.Name) else ""
    return name in _CLASSES
