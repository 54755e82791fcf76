"""What other files of the project define, as far as a trace may use it.

Finding the files is the project's; here is what they export and which names a file asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

import gast

from graphwright_analysis.imports import Import
from graphwright_analysis.syntax import Block, Module, code_of
from graphwright_analysis.values.domain import NONE, UNDEFINED, UNKNOWN, Constant, Object, Value

from .context import Frame
from .flow_cache import FlowCache
from .state import Content


@dataclass(frozen=True, slots=True, eq=False)
class Exports:
    """What the top level of a file has left behind; its own imports aren't followed."""

    frame: Frame
    cells: Mapping[int, Mapping[str, Content]]
    frames: Mapping[int, Frame]
    blocks: Set[Block]
    patched: frozenset[str] = frozenset()
    """The attributes that it stores on TensorFlow's classes."""

    def value(self, name: str) -> Value:
        """What a name stands for; a switch may be set to something else before it is read."""
        found = self.cells.get(self.frame.id, {}).get(name, UNDEFINED)
        if found == NONE or (isinstance(found, Constant) and isinstance(found.value, bool)):
            return UNKNOWN
        return found if isinstance(found, Value) else UNKNOWN


@dataclass(frozen=True, slots=True)
class Imported:
    """Where an import leads: a name of a file, or the file itself."""

    exports: Exports
    name: str | None

    @property
    def value(self) -> Value:
        return Object(self.exports.frame.id, "module") if self.name is None else self.exports.value(self.name)


Imports = Mapping[Import, Imported]

_BEGINS = re.compile(
    r"keras|@function\b|\bfunction\(|\bimport\s+(?:\([^)]*\bfunction\b|[^\n]*\bfunction\b)"
    r"|\btensorflow(?:\.[\w.]+)?\s+import\s+\*"
    r"|[.\"'](?:function|map|flat_map|interleave|filter|reduce|scan|take_while|group_by_window|window|from_generator"
    r"|apply|rejection_resample|bucket_by_sequence_length)\b"
    r"|map_fn|vectorized_map|map_and_batch|autograph|to_graph|wrap_function|defun\b|get_concrete_function|saved_model"
    r"|functions_eagerly"
)


def may_begin_a_graph(part: Module | Block, flow: FlowCache) -> bool:
    """Whether anything in a file or block may be traced on its own account; False is sure."""
    for piece in part.pieces:
        if piece not in flow.begins:
            found = piece.first(_BEGINS) is not None
            flow.begins[piece] = found and _BEGINS.search(code_of(piece.text).bare) is not None
    return any(flow.begins[piece] for piece in part.pieces)


def imports_in(module: Module, flow: FlowCache) -> Iterator[tuple[str, Import]]:
    """Every import of a module with the name that it binds."""
    for block in module.pieces:
        if "import" in block.text:
            if block not in flow.imports:
                flow.imports[block] = tuple(_imports_of(block))
            yield from flow.imports[block]


def _imports_of(block: Block) -> Iterator[tuple[str, Import]]:
    for statement in block.statements:
        for node in gast.walk(statement):
            if isinstance(node, gast.Import):
                for alias in node.names:
                    yield alias.asname or alias.name, Import(alias.name, 0, None)
            elif isinstance(node, gast.ImportFrom):
                for alias in node.names:
                    yield alias.asname or alias.name, Import(node.module or "", node.level or 0, alias.name)
