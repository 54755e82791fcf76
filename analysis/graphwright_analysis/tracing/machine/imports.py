"""What a file imports, and whether anything in it may be traced."""

from __future__ import annotations

import re
from collections.abc import Iterator

import gast

from graphwright_analysis.flow.tree import children
from graphwright_analysis.imports import Import
from graphwright_analysis.syntax import Block, Module, code_of

from .flow_cache import FlowCache

# Each alternative begins with a text or a set, which Python looks for at the speed of C; a \b in front of it would do
# away with that.
_BEGINS = re.compile(
    r"keras|@function\b|function(?<!\wfunction)\("
    r"|import(?<!\wimport)\s+(?:\([^)]*\bfunction\b|[^\n]*\bfunction\b)"
    r"|tensorflow(?<!\wtensorflow)(?:\.[\w.]+)?\s+import\s+\*"
    r"|[.\"'](?:function|map|flat_map|interleave|filter|reduce|scan|take_while|group_by_window|window|from_generator"
    r"|apply|rejection_resample|bucket_by_sequence_length)\b"
    r"|map_fn|vectorized_map|map_and_batch|autograph|to_graph|wrap_function|defun\b|get_concrete_function|saved_model"
    r"|functions_eagerly|GradientTape|tf(?<!\wtf)\.(?:cond|while_loop)\b"
)


def may_begin_a_graph(part: Module | Block, flow: FlowCache) -> bool:
    """Whether anything in a file or block may be traced on its own account, or be told of though it runs eagerly; False
    is sure."""
    if isinstance(part, Block) and part in flow.begins:
        return flow.begins[part]
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
        nodes: list[gast.AST] = [statement]
        for node in nodes:
            nodes += [child for child in children(node) if not isinstance(child, gast.expr)]
            if isinstance(node, gast.Import):
                for alias in node.names:
                    yield alias.asname or alias.name, Import(alias.name, 0, None)
            elif isinstance(node, gast.ImportFrom):
                for alias in node.names:
                    yield alias.asname or alias.name, Import(node.module or "", node.level or 0, alias.name)
