"""Where a trace failed: the user's line, and which expressions on it hold tensors. It writes no message.

A converted function keeps the user's file, lines and names, so that the source and the frame's values tell it.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import dis
import functools
import inspect
import linecache
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from graphwright.libraries import (
    is_generated_file,
    is_library_module,
    is_own_file,
    is_standard_file,
    is_tensorflow_file,
)
from graphwright.runtime.basis.tensorflow import EagerTensor, tf

UNKNOWN: Any = object()
"""What a name or an attribute holds where nothing but running the code could tell."""
LATER = "which is only known when the graph runs"

_HEADERS = ("body", "orelse", "finalbody", "handlers", "cases")
_COMPUTED = (
    *(ast.Call, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Compare, ast.Starred, ast.IfExp),
    *(ast.JoinedStr, ast.FormattedValue),
)
"""Expressions that are computed from their parts."""


@dataclass(frozen=True)
class Site:
    """A line of the user's on which a trace failed; `raised` leads from its frame to where the error was raised."""

    frame: types.FrameType
    line: int
    source: str
    raised: tuple[types.TracebackType, ...]
    expressions: tuple[ast.expr, ...]

    @property
    def place(self) -> str:
        return f"{self.frame.f_code.co_filename}:{self.line}"

    def named(self, node: ast.AST) -> str:
        """An expression as a message names it."""
        return f"`{self.text(node)}` ({self.place})"

    def text(self, node: ast.AST) -> str:
        """An expression as it is written, on one line."""
        written = ast.get_source_segment(self.source, node)
        return ast.unparse(node) if written is None or "\n" in written else written

    def value(self, node: ast.AST | None) -> Any:
        """What an expression holds, as far as that is known without running anything of the user's."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            scopes = (self.frame.f_locals, self.frame.f_globals, vars(builtins))
            return next((scope[node.id] for scope in scopes if node.id in scope), UNKNOWN)
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value)
            with contextlib.suppress(TypeError):
                attributes = cast("dict[str, Any]", vars(owner))
                return attributes.get(node.attr, UNKNOWN)
        return UNKNOWN

    def is_symbolic(self, node: ast.AST) -> bool:
        """Whether an expression is a symbolic tensor, or is computed from one."""
        value = self.value(node)
        if value is not UNKNOWN:
            return is_symbolic(value)
        if isinstance(node, ast.Attribute):
            return node.attr not in ("shape", "dtype", "name") and self.is_symbolic(node.value)
        if isinstance(node, _COMPUTED):
            return any(self.is_symbolic(child) for child in ast.iter_child_nodes(node))
        return False

    def is_element(self, key: ast.expr, node: ast.AST) -> bool:
        """Whether a comprehension computes its key from what it takes out of a symbolic tensor.

        Its names are gone once it has failed: from Python 3.12 on, it has no frame of its own.
        """
        generators: list[ast.comprehension] = getattr(node, "generators", [])
        targets = [each.target for each in generators if self.is_symbolic(each.iter)]
        bound = {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        is_value = isinstance(key, (ast.Name, *_COMPUTED))
        return is_value and any(isinstance(part, ast.Name) and part.id in bound for part in ast.walk(key))

    def tensors(self, node: ast.AST) -> dict[str, Any]:
        """The symbolic tensors that an expression reads, by the text that reads them."""
        found: dict[str, Any] = {}
        for each in ast.walk(node):
            value = self.value(each)
            if isinstance(each, (ast.Name, ast.Attribute)) and value is not UNKNOWN and is_symbolic(value):
                found[ast.unparse(each)] = value
        return found

    def first_tensor(self, node: ast.AST) -> str:
        """The text of the first symbolic tensor that an expression reads."""
        return next(iter(self.tensors(node)))

    def first(self, fits: Callable[[Any], bool]) -> ast.expr | None:
        """The outermost expression of the line that fits."""
        return next((node for node in self.expressions if fits(node)), None)

    def innermost(self, fits: Callable[[Any], bool]) -> ast.expr | None:
        """The smallest expression of the line that fits."""
        fitting = [node for node in self.expressions if fits(node)]
        return min(fitting, key=lambda node: len(ast.unparse(node)), default=None)


def site_of(trace: types.TracebackType | None) -> Site | None:
    """The user's innermost line in a traceback, or the one that called what the traceback begins with."""
    entries = list(entries_of(trace))
    users = [index for index, entry in enumerate(entries) if not is_foreign(entry.tb_frame)]
    if users:
        raised = tuple(entries[users[-1] :])
        frame, line, at = raised[0].tb_frame, raised[0].tb_lineno, raised[0].tb_lasti
    else:
        raised = tuple(entries)
        caller = _caller()
        if caller is None:
            return None
        frame, line, at = caller, caller.f_lineno, caller.f_lasti
    if is_generated_file(frame.f_code.co_filename):
        return None
    source = "".join(linecache.getlines(frame.f_code.co_filename))
    return Site(frame, line, source, raised, _of_running(_expressions(source, line), frame.f_code, at))


def _of_running(statements: tuple[tuple[ast.expr, ...], ...], code: types.CodeType, at: int) -> tuple[ast.expr, ...]:
    """The expressions of the statement that an instruction belongs to, of several on a line; of all if it isn't known.

    Columns don't tell it, since those of converted code are of its own text; the names that were read do.
    """
    if len(statements) > 1:
        read = _read_before(code, at)
        names = [{name for node in statement for name in _names_in(node)} for statement in statements]
        known = read & set[str]().union(*names)
        fitting = [each for each, own in zip(statements, names, strict=True) if known and known <= own]
        if len(fitting) == 1:
            return fitting[0]
    return tuple(node for statement in statements for node in statement)


def _read_before(code: types.CodeType, at: int) -> set[str]:
    """The names that the code has read since the statement that an instruction belongs to began."""
    read = set[str]()
    for instruction in dis.get_instructions(code):
        if instruction.offset > at:
            break
        name, value = instruction.opname, instruction.argval
        names = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
        if name.startswith(("STORE_", "POP_TOP")):
            read.clear()
            names = names[1:]
        if "LOAD_" in name:
            read.update(each for each in names if isinstance(each, str))
    return read


def _names_in(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def _caller() -> types.FrameType | None:
    frame = inspect.currentframe()
    while frame is not None and is_foreign(frame):
        frame = frame.f_back
    return frame


def is_foreign(frame: types.FrameType) -> bool:
    """Whether a frame runs code of Graphwright, TensorFlow, NumPy, Python or another library that isn't converted."""
    file = frame.f_code.co_filename
    if is_own_file(file) or is_tensorflow_file(file) or is_standard_file(file):
        return True
    return is_library_module(str(frame.f_globals.get("__name__") or ""))


def is_deliberate(trace: types.TracebackType) -> bool:
    """Whether the entry's own code raises, instead of something that it calls in C."""
    instruction = trace.tb_frame.f_code.co_code[trace.tb_lasti]
    return dis.opname[instruction] in ("RAISE_VARARGS", "RERAISE")


def is_symbolic(value: Any) -> bool:
    """Whether a value is a tensor that has no value before the graph runs, or a list, tuple or dict with one in it."""
    if isinstance(value, (list, tuple)):
        return any(is_symbolic(item) for item in cast("list[Any]", value))
    if isinstance(value, dict):
        return any(is_symbolic(item) for item in cast("dict[Any, Any]", value).values())
    return isinstance(value, tf.Tensor) and not isinstance(value, EagerTensor)


def written_type(tensor: Any) -> str:
    """A tensor's type, such as `float32[8, ?, 3]`."""
    if not isinstance(tensor, tf.Tensor):
        return f"a {type(tensor).__name__} of tensors"
    rank = tensor.shape.rank
    sizes = ["..."] if rank is None else ["?" if size is None else str(size) for size in tensor.shape]
    return f"{tensor.dtype.name}[{', '.join(sizes)}]"


def entries_of(trace: types.TracebackType | None) -> Iterator[types.TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


@functools.lru_cache(maxsize=128)
def _expressions(source: str, line: int) -> tuple[tuple[ast.expr, ...], ...]:
    """The expressions of each statement on a line, those that begin there first, the outermost first.

    An error that the user's code catches may be raised on the same line any number of times.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ()
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _covers(node, line)]
    if not statements:
        return ()
    shortest = min(map(_length, statements))
    # Several may stand on one line, such as `def f(x): return math.floor(x)`.
    found = [_on_line(node, line) for node in statements if _length(node) == shortest]
    return tuple(nodes for nodes in found if nodes)


def _on_line(statement: ast.stmt, line: int) -> tuple[ast.expr, ...]:
    nodes = [node for node in _of_header(statement) if isinstance(node, ast.expr) and _covers(node, line)]
    return tuple(sorted(nodes, key=lambda node: node.lineno != line))


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or 0) - node.lineno


def _covers(node: ast.stmt | ast.expr, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _of_header(statement: ast.stmt) -> Iterator[ast.AST]:
    """All nodes of a statement but the statements in it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop(0)
        yield node
        for name, value in ast.iter_fields(node):
            if node is statement and name in _HEADERS and isinstance(value, list):
                continue
            parts = cast("list[Any]", value if isinstance(value, list) else [value])
            waiting += [part for part in parts if isinstance(part, ast.AST)]
