"""What a file stores on TensorFlow's own classes, by assignment or `setattr`: attributes that tensors then have.

They count wherever they stand in the file, since a function that stores them may be called by anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import gast

from graphwright_analysis.syntax import Module

_HINT = re.compile(r"Tensor\.\w+\s*[=,:]|setattr\s*\(|Variable\.\w+\s*=")
_CLASSES = frozenset({"EagerTensor", "RaggedTensor", "SparseTensor", "SymbolicTensor", "Tensor", "Variable"})


def patched_in(module: Module) -> frozenset[str]:
    """The names of the attributes that a file stores on a class of TensorFlow's."""
    blocks = [block for block in module.pieces if block.first(_HINT) is not None]
    nodes = (node for block in blocks for statement in block.statements for node in gast.walk(statement))
    return frozenset(name for node in nodes for name in _stored_by(node))


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
