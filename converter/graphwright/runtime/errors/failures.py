"""Python's `assert` and `raise` in graphs, and the way from TensorFlow's error to the user's. It strips no frames."""

from __future__ import annotations

import builtins
import inspect
import os
import re
import traceback
import types
from collections.abc import Callable
from typing import Any, cast

from graphwright.libraries import is_own_file, is_tensorflow_file
from graphwright.runtime.basis.context import is_for_xla, is_staging, is_tensor, staged_depth
from graphwright.runtime.basis.outcomes import Never
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, holds_tensor, truth
from graphwright.runtime.errors.branch_errors import refusal_of_handler
from graphwright.runtime.errors.handlers import handler_of
from graphwright.runtime.text.printing import format_

_FAILURE = re.compile(
    r"assertion failed: \[(?P<kind>[^\W\d][\w.]*)(?:: (?P<message>.*?))?(?P<parts>\])? \[?\((?P<place>[^()\n]*:\d+)\)\]"
    r"(?: \[(?P<advice>The `[^\n]*?)\])?(?=\n|$| \[Op:)",
    re.DOTALL,
)

_OPERATIONS: dict[re.Pattern[str], tuple[str, str]] = {
    re.compile(r"Expected begin\[0\] in \[0, 1\], but got -2147483648"): ("IndexError", "pop from empty list"),
    re.compile(r"Trying to access element (-?\d+) in a list with (\d+) elements"): (
        "IndexError",
        r"list index out of range: index \1 of \2",
    ),
    re.compile(r"Trying to pop from an empty list"): ("IndexError", "pop from empty list"),
    re.compile(r"StringToNumberOp could not correctly convert string: ([^\n]*)"): (
        "ValueError",
        r"could not convert string to a number: '\1'",
    ),
}
"""What TensorFlow says where Python raises something else than it does."""

_ESCAPE = re.compile(r"""\\(n|t|r|\\|'|"|[0-7]{3}|x[0-9a-f]{2})""")

_PLACE = "graphwright_place"
"""The attribute of an exception with the place where the user raised it."""
_known: dict[tuple[str, str], type[BaseException]] = {}
_contents: dict[tuple[str, str], tuple[tuple[Any, ...], dict[str, Any]]] = {}
_lines: dict[str, tuple[str, int, str]] = {}
_INSTEAD = "Write what it does in an `if` instead"
_combined: dict[type[BaseException], type[BaseException]] = {}


def assert_(test: Any, message: Callable[[], Any] | None = None) -> Any:
    """`assert test, message`."""
    if not __debug__:
        return None
    return raise_if(_negated(test), lambda: AssertionError(message()) if message else AssertionError())


def raise_(error: Any, *cause: Any) -> Any:
    """`raise error from cause`: where no `except` of a staged branch catches it, it is raised when the branch runs."""
    if raises_later():
        error = error() if isinstance(error, type) else error
        error.__dict__[_PLACE] = _place()
    _raise_now(error, cause)


def failing_later(action: Callable[[], Any]) -> Any:
    """What a branch or an iteration gives; what the user raises in it is raised when the graph runs that."""
    try:
        return action()
    except BaseException as error:
        if _PLACE not in error.__dict__:
            raise
        _fail(error)
        return Never()


def fails_when_run(error: Exception) -> Any:
    """What a branch gives that takes an item of a list that is empty for sure: it fails only if the graph runs it.

    A branch that pops where another one pushes is built for a list that is still empty, too.
    """
    lines = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    users = [(code, line) for code, line in lines if not _is_inner(code.co_filename)]
    if type(error) is not IndexError or str(error) != "pop from empty list" or not users or is_for_xla():
        raise error
    error.__dict__[_PLACE] = _place_of(*users[-1])
    _fail(error)
    return Never()


def raises_later() -> bool:
    """Whether what is raised here is raised when a branch of the graph runs."""
    return is_staging() and staged_depth() > 0


def raise_if(test: Any, make: Callable[[], Any]) -> Any:
    """`if test: raise make()`; the operation that checks, if the test is a tensor."""
    if not acts_as_tensor(test):
        return raise_(make()) if test else None
    error = make()
    error = error() if isinstance(error, type) else error
    test = truth(test)
    if not holds_tensor(list(error.args)):
        operation = _checked(tf.logical_not(test), error)
        _goes_first(operation)
        return operation
    return tf.cond(test, lambda: _failing(make()), list)


def _goes_first(operation: Any) -> None:
    """All that is built from here on runs after a check of the user's, as it does eagerly.

    At the bottom of the graph's stack it stays in force to the graph's end, whatever contexts are open now.
    """
    graph = tf.compat.v1.get_default_graph()
    stack = getattr(graph, "_control_dependencies_stack", None)
    if stack is not None and isinstance(operation, tf.Operation):
        stack.insert(0, graph._ControlDependenciesController(graph, [operation]))


def check(test: Any, kind: type[BaseException], *parts: Any) -> Any:
    """The operation that raises an exception if the test fails; the parts of its message may be tensors."""
    place = _place()
    _known[kind.__name__, place] = kind
    advice = _advice_about_handler(kind, place)
    if len(parts) == 1:
        return tf.debugging.Assert(test, [f"{kind.__name__}: {parts[0]} ({place})", *advice])
    return tf.debugging.Assert(test, [f"{kind.__name__}: {parts[0]}", *parts[1:], f"({place})", *advice])


def translated(error: BaseException) -> BaseException:
    """The user's exception that TensorFlow's error stands for, with that error as its cause; else the error itself."""
    if not isinstance(error, tf.errors.InvalidArgumentError) or type(error) in _combined.values():
        return error
    text = str(cast(Any, error).message)
    found = _FAILURE.search(text)
    if found is None:
        return _translated_operation(error, text)
    message = _unescaped(found["message"] or "")
    if found["parts"]:
        message = message.replace("] [", " ")
    kind = _known.get((found["kind"], found["place"])) or getattr(builtins, found["kind"], None)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        return error
    given = (message,) if message else ()
    arguments, attributes = _contents.get((found["kind"], found["place"] + message), (given, {}))
    result = _rebuilt(kind, arguments, error, {**attributes, "_message": message})
    if hasattr(result, "add_note"):
        advice = "; give it a value on every path before" if kind is UnboundLocalError else ""
        advice = f". {_unescaped(found['advice'])}" if found["advice"] else advice
        result.add_note(f"raised when the graph ran, at {found['place']}{advice}")
    result.__cause__ = error
    return result


def line_of(error: BaseException) -> tuple[str, int, str] | None:
    """The file, line and function of the user's that a graph's failure is from, if it was built in this process."""
    found = _FAILURE.search(str(cast(Any, error).message))
    return _lines.get(found["place"]) if found else None


def _translated_operation(error: BaseException, text: str) -> BaseException:
    for pattern, (kind, message) in _OPERATIONS.items():
        found = pattern.search(text)
        if found is not None:
            said = found.expand(message)
            result = _rebuilt(getattr(builtins, kind), (said,), error, {"_message": said})
            result.add_note("raised when the graph ran")
            return result
    return error


def _advice_about_handler(kind: type[BaseException], place: str) -> list[str]:
    """What the message says of the user's handler of what the running graph raises, which has run by then.

    XLA drops what raises, so that the code would go on as if all were well.
    """
    handler = handler_of(kind)
    if handler is not None and is_for_xla():
        text = f"{handler} can't handle `{kind.__name__}` ({place}): XLA raises nothing when the graph runs"
        raise refusal_of_handler(text, _INSTEAD)
    return [] if handler is None else [f"{handler} handles only what is raised while tracing. {_INSTEAD}"]


def _negated(test: Any) -> Any:
    return tf.logical_not(truth(test)) if acts_as_tensor(test) else not test


def _raise_now(error: Any, cause: tuple[Any, ...]) -> None:
    if cause:
        raise error from cause[0]
    raise error


def _fail(error: BaseException) -> Any:
    return _checked(tf.constant(False), error)


def _failing(error: Any) -> list[Any]:
    """A branch that fails, and has no result."""
    _fail(error)
    return []


def _checked(test: Any, error: BaseException) -> Any:
    check = tf.debugging.Assert(test, _noted(error))
    if hasattr(check, "mark_used"):
        check.mark_used()
    return check


def _noted(error: BaseException) -> list[Any]:
    """`ValueError: negative input (file.py:12)`, with advice if any, and a note of the type for this process."""
    kind, place = type(error).__name__, error.__dict__.pop(_PLACE, None) or _place()
    _known[kind, place] = type(error)
    advice = _advice_about_handler(type(error), place)
    if not holds_tensor(list(error.args)):
        message = str(error)
        attributes = {name: value for name, value in vars(error).items() if not holds_tensor(value)}
        _contents[kind, place + message] = error.args, attributes
    else:
        message = _message(error.args[0]) if len(error.args) == 1 else format_("{}", error.args)
    if isinstance(message, str):
        return [f"{kind}: {message} ({place})" if message else f"{kind} ({place})", *advice]
    return [tf.strings.join([f"{kind}: ", message, f" ({place})"]), *advice]


def _message(argument: Any) -> Any:
    """A text that was formatted in the graph stays as it is."""
    if is_tensor(argument) and argument.dtype == tf.string and argument.shape.rank == 0:
        return argument
    return format_("{}", argument)


def _place() -> str:
    """File and line of the user's statement that we were called from."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_back is not None and _is_inner(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return "unknown:0"
    return _place_of(frame.f_code, frame.f_lineno)


def _place_of(code: types.CodeType, line: int) -> str:
    place = f"{os.path.basename(code.co_filename)}:{line}"
    _lines[place] = code.co_filename, line, code.co_name
    return place


def _is_inner(file: str) -> bool:
    return is_own_file(file) or is_tensorflow_file(file)


def _unescaped(text: str) -> str:
    """TensorFlow writes strings into messages with C's escapes."""
    letters = {"n": "\n", "t": "\t", "r": "\r"}

    def plain(match: re.Match[str]) -> str:
        code = match[1]
        if len(code) == 3:
            return chr(int(code[1:], 16) if code[0] == "x" else int(code, 8))
        return letters.get(code, code)

    return _ESCAPE.sub(plain, text)


def _rebuilt(kind: type[BaseException], arguments: tuple[Any, ...], error: Any, attributes: dict[str, Any]) -> Any:
    """An exception of the user's type that is TensorFlow's as well, so that either `except` catches it."""
    try:
        combined = _combined.get(kind) or _combined.setdefault(kind, _combination(kind))
        result: Any = combined.__new__(combined, *arguments)
    except TypeError:
        return error
    result.args = arguments
    result.__dict__.update(error.__dict__)
    result.__dict__.update(attributes)
    return result


def _combination(kind: type[BaseException]) -> type[BaseException]:
    errors: Any = tf.errors.InvalidArgumentError
    parents: Any = (kind,) if issubclass(kind, errors) else (kind, errors)
    write = kind.__str__ if kind.__str__ is not object.__str__ else BaseException.__str__

    def written(self: BaseException) -> str:
        return write(self)

    def represented(self: BaseException) -> str:
        return kind.__repr__(self)

    def reduced(self: BaseException) -> tuple[type[BaseException], tuple[Any, ...]]:
        return kind, self.args

    members: dict[str, Any] = {
        "__str__": written,
        "__repr__": represented,
        "__reduce__": reduced,
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__doc__": kind.__doc__,
    }
    make: Any = type(kind)
    return make(kind.__name__, parents, members)
