"""Operators on lists that became tensors, for which they mean something else.

Before:

    both = evens + odds[1:]
    twice = evens * 2
    if evens == []: ...

After:

    both = tf.concat([evens, odds[1:]], 0)
    twice = tf.tile(evens, [2])
    tf.cond(tf.shape(evens)[0] == 0, ...)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.values.domain import Tensor, Variable

from graphwright.eject import lower_bounds, repeated_lists, stacks
from graphwright.errors import ConversionError

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow


def binary(read: Any, node: gast.BinOp) -> str | None:
    """`+` and `*` of such lists; None for anything else."""
    style = read.unit.style
    if (text := repeated_lists.written(read, node)) is not None or not _gives_list(style, node):
        return text
    if isinstance(node.op, gast.Add):
        return f"{style.tf}.concat([{read(node.left)}, {read(node.right)}], 0)"
    repeated, times = (node.left, node.right) if _is_list(style, node.left) else (node.right, node.left)
    shape = getattr(style.value(repeated), "shape", None)
    if shape is None:
        raise stacks.refuse(stacks.root_of(repeated), node)
    count = lower_bounds.as_count(read, times)
    return f"{style.tf}.tile({read(repeated)}, [{', '.join([count, *['1' for _ in shape[1:]]])}])"


def comparison(read: Any, node: gast.Compare) -> str | None:
    """Whether such a list is empty; None for what compares no such list. Any other comparison is refused."""
    style = read.unit.style
    operands = node.left, node.comparators[0]
    if not any(_is_list(style, operand) for operand in operands) or any(_is_tensor(style, each) for each in operands):
        return None
    for one, other in (operands, operands[::-1]):
        if isinstance(other, gast.List) and not other.elts and isinstance(node.ops[0], (gast.Eq, gast.NotEq)):
            sign = "==" if isinstance(node.ops[0], gast.Eq) else "!="
            return f"{style.tf}.shape({read(one)})[0] {sign} 0"
    raise ConversionError(
        "lists that change in the graph become tensors, and tensors are compared element by element: compare their "
        "lengths, and `tf.reduce_all(tf.equal(...))`",
        line=node.lineno,
    )


def _is_list(style: TensorFlow, node: Any) -> bool:
    """Whether an expression is a list of the user's, but a tensor in the text."""
    is_one = stacks.is_stack(style, node) or stacks.is_part(style, node) or repeated_lists.is_repeated(style, node)
    return is_one or (isinstance(node, gast.BinOp) and _gives_list(style, node))


def _gives_list(style: TensorFlow, node: gast.BinOp) -> bool:
    is_operator = isinstance(node.op, (gast.Add, gast.Mult))
    has_list = any(_is_list(style, side) for side in (node.left, node.right))
    # A list and a tensor give what the tensor does with each element, in Python, too.
    return is_operator and has_list and not isinstance(style.known.value(node), (Tensor, Variable))


def _is_tensor(style: TensorFlow, node: gast.AST) -> bool:
    return not _is_list(style, node) and isinstance(style.known.value(node), (Tensor, Variable))
