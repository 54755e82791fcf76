"""Which `except` or `contextlib.suppress` of the user's is around what is being traced.

It runs nothing of the user's: handlers are found in the source, by the lines that the frames are in.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import linecache
import os
from types import FrameType
from typing import Any, cast

from graphwright.runtime.basis.graph_notes import outermost_graph
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensorflow_internals import func_graph_from_py_func
from graphwright.runtime.errors.sites import is_foreign


def handler_of(kind: type[BaseException]) -> str | None:
    """The innermost that goes on after an exception of this kind, as a message names it; None if there is none."""
    frame, outermost = inspect.currentframe(), outermost_graph()
    if not isinstance(outermost, tf.__internal__.FuncGraph):
        return None
    while frame is not None and not _begins(frame, outermost):
        if not is_foreign(frame):
            source = "".join(linecache.getlines(frame.f_code.co_filename))
            for word, line, kinds in _handlers(source, frame.f_lineno):
                if any(_may_be_caught(kind, each, frame) for each in kinds):
                    return f"The `{word}` ({os.path.basename(frame.f_code.co_filename)}:{line})"
        frame = frame.f_back
    return None


def _begins(frame: FrameType, graph: Any) -> bool:
    """Whether the tracing of a graph begins there: handlers around that get what the running graph raises."""
    return frame.f_code is func_graph_from_py_func.__code__ and frame.f_locals.get("func_graph") is graph


_Handler = tuple[str, int, tuple[ast.expr | None, ...]]


@functools.lru_cache(maxsize=256)
def _handlers(source: str, line: int) -> tuple[_Handler, ...]:
    """The handlers around a line, the innermost first, up to the function that the line is in."""
    found: list[_Handler] = []
    for statement in _statements(source):
        if not any(_covers(part, line) for part in statement.body):
            continue
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.clear()
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            calls = [item.context_expr for item in statement.items if isinstance(item.context_expr, ast.Call)]
            suppressed = [call for call in calls if ast.unparse(call.func).rpartition(".")[2] == "suppress"]
            found[:0] = [("contextlib.suppress", call.lineno, tuple(call.args)) for call in suppressed]
        else:
            handlers = [handler for handler in statement.handlers if not isinstance(handler.body[-1], ast.Raise)]
            found[:0] = [("except", handler.lineno, _kinds(handler)) for handler in handlers]
    return tuple(found)


@functools.lru_cache(maxsize=64)
def _statements(source: str) -> tuple[Any, ...]:
    """The functions of a file and the statements that may handle exceptions, the outer ones first."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, _AROUND))


def _covers(part: ast.stmt, line: int) -> bool:
    return part.lineno <= line <= (part.end_lineno or part.lineno)


def _kinds(handler: ast.ExceptHandler) -> tuple[ast.expr | None, ...]:
    """What it catches; None for everything."""
    return tuple(handler.type.elts) if isinstance(handler.type, ast.Tuple) else (handler.type,)


def _may_be_caught(kind: type[BaseException], written: ast.expr | None, frame: FrameType) -> bool:
    """Whether a handler for what is written there gets an exception of this kind; also if that isn't known."""
    if written is None:
        return True
    name, *path = ast.unparse(written).split(".")
    scopes = (frame.f_locals, frame.f_globals, vars(builtins))
    caught = next((scope[name] for scope in scopes if name in scope), kind)
    for attribute in path:
        caught = getattr(caught, attribute, kind)
    kinds = cast("tuple[Any, ...]", caught) if isinstance(caught, tuple) else (caught,)
    return any(not isinstance(each, type) or issubclass(kind, each) for each in kinds)


_AROUND = (ast.FunctionDef, ast.AsyncFunctionDef, ast.With, ast.AsyncWith, ast.Try, getattr(ast, "TryStar", ast.Try))
