"""Writes down how AutoGraph decides at each `if`, loop and conditional expression while a program runs.

    STAGING_RECORD=out.jsonl PYTHONPATH=tools python -m pytest -p staging_recorder PACKAGE

or `import staging_recorder` before anything else. Each line of the record is a file, a line, a kind and who decided.
`compare_staging.py` compares it with what the analysis says.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import tensorflow as tf
from tensorflow.python.autograph.impl import api
from tensorflow.python.autograph.operators import conditional_expressions, control_flow
from tensorflow.python.autograph.pyct import loader, origin_info
from tensorflow.python.autograph.utils import tensors

GRAPH, PYTHON = "graph", "python"
RECORD = os.environ.get("STAGING_RECORD", "staging.jsonl")

_seen: set[tuple[str, int, str, str]] = set()
_maps: dict[str, Any] = {}
"""Where the lines of each generated file come from."""


def _note(frame: FrameType, kind: str, staged: bool) -> None:
    generated = frame.f_code.co_filename
    origin = _maps.get(generated, {}).get(origin_info.LineLocation(generated, frame.f_lineno))
    if origin is not None:
        _seen.add((origin.loc.filename, origin.loc.lineno, kind, GRAPH if staged else PYTHON))


def _recording(kind: str, operator: Callable[..., Any], is_staged: Callable[[Any], bool]) -> Callable[..., Any]:
    @functools.wraps(operator)
    def recorded(first: Any, *others: Any, **named: Any) -> Any:
        _note(sys._getframe(1), kind, is_staged(first))
        return operator(first, *others, **named)

    return recorded


def _is_walked_in_graph(iterated: Any) -> bool:
    kinds = ("OwnedIterator", "DistributedIterator", "DistributedDataset")
    return tf.is_tensor(iterated) or isinstance(iterated, tf.data.Dataset) or type(iterated).__name__ in kinds


def _while(test: Any, body: Any, get_state: Any, set_state: Any, names: Any, options: Any) -> Any:
    """The loop tests its condition itself, and goes one of two ways."""
    frame, ways = sys._getframe(1), (control_flow._py_while_stmt, control_flow._tf_while_stmt)

    def way(number: int, *given: Any) -> Any:
        control_flow._py_while_stmt, control_flow._tf_while_stmt = ways
        _note(frame, "while", number == 1)
        return ways[number](*given)

    control_flow._py_while_stmt, control_flow._tf_while_stmt = (functools.partial(way, number) for number in (0, 1))
    try:
        return _loop(test, body, get_state, set_state, names, options)
    finally:
        control_flow._py_while_stmt, control_flow._tf_while_stmt = ways


def _loading(nodes: Any, indentation: str = "  ", include_source_map: bool = False, delete_on_exit: bool = True) -> Any:
    module, source, lines = _load(nodes, indentation, include_source_map=True, delete_on_exit=delete_on_exit)
    _maps[str(module.__file__)] = lines
    return module, source, lines


def _with_recorders(self: Any) -> dict[str, Any]:
    found: dict[str, Any] = _locals(self)
    for name, recorder in _RECORDERS.items():
        setattr(found["ag__"], name, recorder)
    return found


def _write() -> None:
    with open(RECORD, "a", encoding="utf-8") as record:
        record.writelines(json.dumps(each) + "\n" for each in sorted(_seen))


_loop = control_flow.while_stmt
_RECORDERS = {
    "if_stmt": _recording("if", control_flow.if_stmt, tensors.is_dense_tensor),
    "if_exp": _recording("ifexp", conditional_expressions.if_exp, tensors.is_dense_tensor),
    "for_stmt": _recording("for", control_flow.for_stmt, _is_walked_in_graph),
    "while_stmt": _while,
}
_load, loader.load_ast = loader.load_ast, _loading
_locals, api.PyToTF.get_extra_locals = api.PyToTF.get_extra_locals, _with_recorders
atexit.register(_write)
