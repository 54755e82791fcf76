"""Errors of graphs that run, as their user is to see them: where in the program the failing operation is from.

Which exception of Python's such an error stands for is said in `failures`.
"""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from graphwright import reporting
from graphwright.runtime.basis.error_words import words_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import failures, tracebacks
from graphwright.runtime.errors.refusals import explain_refusal
from graphwright.runtime.errors.trace_errors import translate
from graphwright.runtime.errors.xla_errors import explain_xla

_DETECTED = re.compile(
    r"Detected at node (?P<node>\S+) defined at \(most recent call last\):\n(?:<stack traces unavailable>\n)?"
)
_NODE = re.compile(r"\{\{node (?P<node>[^}\s]+)\}\}")
_FUNCTION = re.compile(r"\{\{function_node [^}]*\}\} ")
_INLINED = re.compile(r"(?:.*/)?(?:_\d+|(?:Stateful)?PartitionedCall(?:_\d+)?)/")
"""Where the optimizer put what an operation is from: `while/body/_1/while/MatMul`, `PartitionedCall/MatMul`."""
_FRAME = re.compile(r'  File "(?P<file>[^"\n]+)", line (?P<line>\d+), in (?P<name>[^\n]+)\n')


@dataclass(frozen=True)
class SourceLine:
    """A line of the user's program that an operation comes from."""

    file: str
    line: int
    name: str


def as_users(
    error: Any,
    entry: Callable[..., Any] | None = None,
    traces: Callable[[], Iterable[Any]] = tuple,
) -> BaseException:
    """The exception to be raised instead; its traceback ends at the user's line that failed when the graph ran.

    With `entry`, the function that the graph was made from, the traceback shows the way from there. `traces` are its
    concrete functions: they know where an operation is from that TensorFlow doesn't know any more.
    """
    error = translate(error)
    explain_refusal(error)
    _explain_leak(error)
    _explain_changed_argument(error, entry)
    _explain_unhashable_argument(error, entry)
    if reporting.full_tracebacks() or not isinstance(error, tf.errors.OpError):
        return failures.translated(error)
    if explain_xla(error, entry):
        return error
    node, places = origin_of(str(error.message))
    places = places or _made_at(node, _graph_in(str(error.message), traces))
    shown: Any = failures.translated(error)
    if shown is not error:
        shown.__traceback__, shown.__cause__ = error.__traceback__, None
        shown.__context__, shown.__suppress_context__ = error, True
        line = None if places else failures.line_of(error)
        places = [SourceLine(*line)] if line else places
    if places:
        if shown is error:
            _shorten(error, node, places[-1])
        inner = _trace_of(_inside(places, entry))
        shown.__traceback__ = tracebacks.joined(tracebacks.users_part(error.__traceback__), inner)
    return shown


def origin_of(message: str) -> tuple[str, list[SourceLine]]:
    """The operation that failed, and the user's lines that made it, the outermost first."""
    detected = _DETECTED.search(message)
    if detected is None:
        named = _NODE.search(message)
        return named["node"] if named else "", []
    following = _DETECTED.search(message, detected.end())
    text = message[detected.end() : following.start() if following else None]
    frames = (SourceLine(each["file"], int(each["line"]), each["name"]) for each in _FRAME.finditer(text))
    return detected["node"], _shown(frames)


def _shown(places: Iterable[SourceLine]) -> list[SourceLine]:
    return [place for place in places if not tracebacks.is_hidden(place.file)]


def _graph_in(message: str, traces: Callable[[], Iterable[Any]]) -> Any:
    """The graph of the concrete function that a message names; asked for otherwise, `traces` may trace again."""
    if "[Op:" not in message:
        return None
    return next((each.graph for each in traces() if f"[Op:{each.name.decode()}]" in message), None)


def _made_at(node: str, graph: Any) -> list[SourceLine]:
    """The user's lines that made an operation, by the name that the optimizer gave it, if all of that name agree."""
    inlined = _INLINED.match(node)
    name = node[inlined.end() :] if inlined else node
    found = [_shown(_lines_of(operation)) for each in _graphs_in(graph) for operation in _named(each, name)]
    return found[0] if found and found.count(found[0]) == len(found) else []


def _graphs_in(graph: Any) -> Iterator[Any]:
    """A graph, and those of its branches and bodies."""
    pending, seen = [graph], set[int]()
    while pending:
        each = pending.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            yield each
            pending += (getattr(function, "graph", None) for function in getattr(each, "_functions", {}).values())


def _named(graph: Any, name: str) -> list[Any]:
    with suppress(KeyError, ValueError):
        return [graph.get_operation_by_name(name)]
    return []


def _lines_of(operation: Any) -> Iterator[SourceLine]:
    return (SourceLine(each.filename, each.lineno, each.name) for each in operation.traceback or ())


def _explain_leak(error: Any) -> None:
    """Say of a tensor that is used outside of the graph it belongs to where it is from."""
    if "is out of scope and cannot be used here" not in words_of(error) or reporting.full_tracebacks():
        return
    lines = words_of(error).splitlines(keepends=True)
    frames = [_FRAME.fullmatch(line[2:] if line.startswith("    File") else line) for line in lines]
    shown = [frame for frame in frames if frame and not tracebacks.is_hidden(frame["file"])]
    if shown:
        place = f"{shown[-1]['file']}:{shown[-1]['line']}"
        error.args = (
            f"a tensor that was made at {place} is out of scope here: it belongs to a loop, a branch or a function "
            "that the graph runs by itself. Return it from there, or assign it to a name of that loop's or branch's "
            "own function",
        )


def _explain_changed_argument(error: Any, entry: Any) -> None:
    """Say of an argument that a function changes in place what to write instead."""
    changed = _CHANGED.search(words_of(error)) if type(error) is ValueError else None
    code = _code_of(entry)
    if changed is None or code is None or reporting.full_tracebacks():
        return
    names = changed["names"].split(", ")
    several = " and ".join(f"`{name}`" for name in names)
    error.args = (
        f"`{code.co_name}` ({code.co_filename}:{code.co_firstlineno}) changes {several} in place, with which it is "
        "called, and a graph's caller wouldn't see that: change a copy "
        f"(`{names[0]} = {names[0]}.copy()`) and return it",
    )


_CHANGED = re.compile(r"should not modify its Python input arguments.* were modified: (?P<names>.+)", re.DOTALL)


def _explain_unhashable_argument(error: Any, entry: Any) -> None:
    """Say of an object that can't be hashed what to write so that it can be an argument."""
    unhashable = _UNHASHABLE.search(words_of(error)) if type(error) is TypeError else None
    code = _code_of(entry)
    if unhashable is None or code is None or reporting.full_tracebacks():
        return
    error.args = (
        f"`{code.co_name}` ({code.co_filename}:{code.co_firstlineno}) is called with {unhashable['value']}, which "
        "can't be hashed, so TensorFlow can't find the trace for it. If its class is a dataclass, write "
        "`@dataclass(eq=False)`; else define `__hash__`",
    )


def _code_of(entry: Any) -> Any:
    """The code of the user's function, also where it is a method that doesn't keep its instance alive."""
    return getattr(inspect.unwrap(entry), "__code__", None) if callable(entry) else None


_UNHASHABLE = re.compile(r"Could not generate a generic TraceType for (?P<value>.+)\. ?Please verify", re.DOTALL)


def _shorten(error: Any, node: str, place: SourceLine) -> None:
    """The message without the stack, which the traceback shows."""
    ends = [each.end() for pattern in (_DETECTED, _FRAME) for each in pattern.finditer(error.message)]
    rest = _FUNCTION.sub("", error.message[max(ends, default=0) :]).strip("\n")
    error._message = f"{rest}\nraised when the graph ran, by the operation '{node}' from {place.file}:{place.line}"


def _inside(places: list[SourceLine], entry: Callable[..., Any] | None) -> list[SourceLine]:
    code = getattr(entry, "__code__", None)
    if code is not None:
        for index, place in enumerate(places):
            if (place.file, place.name) == (code.co_filename, code.co_name) and place.line >= code.co_firstlineno:
                return places[index:]
    return places[-1:]


def _trace_of(places: list[SourceLine]) -> types.TracebackType | None:
    """Entries that stand for lines which ran when the graph was built."""
    trace = None
    for place in reversed(places):
        frame, position = _frame_of(place)
        trace = types.TracebackType(trace, frame, position, place.line)
    return trace


def _frame_of(place: SourceLine) -> tuple[types.FrameType, int]:
    changes: dict[str, Any] = {"co_qualname": place.name} if hasattr(_FAILING, "co_qualname") else {}
    code = _FAILING.replace(co_filename=place.file, co_name=place.name, co_firstlineno=place.line, **changes)
    try:
        exec(code, {})
    except ZeroDivisionError as error:
        trace = error.__traceback__
        assert trace is not None and trace.tb_next is not None
        return trace.tb_next.tb_frame, trace.tb_next.tb_lasti
    raise AssertionError("unreachable")


def _failing_code() -> types.CodeType:
    """Code that fails in its first line; that it has no columns keeps carets out of tracebacks."""
    tree = ast.parse("a = 0\na / 0")
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.expr)):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = -1
    return compile(tree, "graph", "exec")


_FAILING = _failing_code()
