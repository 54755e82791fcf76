"""Generators that plain TensorFlow runs while it traces: as they are written, but for what Python can't ask of tensors.

Before:

    def batches(xs, size):
        for start in range(0, len(xs), size):
            yield xs[start : start + size]

After:

    def batches(xs, size):
        for start in range(0, xs.shape[0], size):
            yield xs[start : start + size]

What a generator is given is known where it is called.
"""

from __future__ import annotations

import textwrap
from typing import Any

import gast
from graphwright_analysis.values.domain import Tensor

from graphwright.eject.knowledge import FunctionKnowledge
from graphwright.eject.source_edits import SourceEdits, Unsuited
from graphwright.errors import ConversionError
from graphwright.pipeline import FunctionSource, Generated


def written(known: FunctionKnowledge, source: FunctionSource, tf: str) -> Generated | None:
    """The text of a generator; None where it stays as it is."""
    try:
        text = _GeneratorEditing(known, tf).result()
    except Unsuited:
        return None
    except ConversionError as error:
        raise ConversionError(error.reason, source.file, source.first_line + error.line - 1) from None
    if text.text.rstrip() == known.source.text.rstrip():
        return None
    lines = tuple(source.first_line + line - 1 for line in text.lines)
    # What is in a class or function stands in an `if`, so that it can be parsed by itself.
    head, _, rest = text.text.partition("\n")
    return Generated(textwrap.dedent(rest), lines[1:], "") if head == "if 1:" else Generated(text.text, lines, "")


class _GeneratorEditing(SourceEdits):
    """The text of one generator, and what is written where it asks something of a tensor."""

    def __init__(self, known: FunctionKnowledge, tf: str) -> None:
        super().__init__(known.source.text, known.source.node)
        self.known, self.tf = known, tf

    def edits(self, node: Any) -> list[tuple[int, int, str]]:
        """What is replaced in a node."""
        if isinstance(node, gast.FunctionDef) and node is self.function:
            return [edit for part in node.body for edit in self.edits(part)]
        return super().edits(node)

    def replaced(self, node: Any) -> str | None:
        """What is written instead of a node."""
        if isinstance(node, (gast.If, gast.While, gast.IfExp)) and self._is_tensor(node.test):
            raise ConversionError(
                "a tensor decides something in this generator, and a graph can't pause and resume: collect the values "
                "in a list, and return that",
                line=node.lineno,
            )
        if self._is_tensor(node) and self._is_iterated(node):
            start, end = self.span(node)
            return f"{self.tf}.unstack({self.text[start:end]})" if self._length_is_known(node) else None
        return self._called(node, _function_of(node))

    def _called(self, node: Any, function: str) -> str | None:
        if function == "len" and len(node.args) == 1 and self._is_tensor(node.args[0]):
            return f"{self.read(node.args[0])}.shape[0]" if self._length_is_known(node.args[0]) else None
        if function == "print" and any(map(self._is_tensor, node.args)):
            return f"{self.tf}.print({', '.join(map(self.read, node.args))})"
        return None

    def _is_tensor(self, node: Any) -> bool:
        value = self.known.values.get(node)
        return isinstance(value, Tensor) and not value.is_range

    def _length_is_known(self, node: Any) -> bool:
        shape = getattr(self.known.values.get(node), "shape", None)
        return bool(shape) and shape[0] is not None

    def _is_iterated(self, node: Any) -> bool:
        """Whether Python goes over it."""
        parent: Any = self.parents.get(node)
        if isinstance(parent, (gast.For, gast.comprehension)):
            return parent.iter is node
        return _function_of(parent) in ("zip", "enumerate", "reversed", "list", "tuple") and node in parent.args


def _function_of(node: Any) -> str:
    """The name of the function that is called."""
    return node.func.id if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) else ""
