"""The graph code of the function around a place in a file that is being edited, or why there is none.

It is the very code that would run, had from the text alone: nothing of the user's is imported or run, and TensorFlow
isn't needed.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import gast
from graphwright_analysis.syntax import parse_module
from graphwright_analysis.syntax.tree import BeyondLimits, Unparsable, parse_source

from .errors import ConversionError
from .locating import OPENING, FunctionHeader, LibraryNames, Located, function_at, header_at, library_names
from .pipeline import FunctionSource, Generated, generate
from .sources import refusal_of

__all__ = [
    "FunctionHeader",
    "Located",
    "Preview",
    "PreviewRefusal",
    "PreviewStyle",
    "function_at",
    "header_at",
    "library_names",
    "preview",
    "preview_of_text",
]

PreviewStyle = Literal["graphwright", "tensorflow"]


@dataclass(frozen=True, slots=True)
class PreviewRefusal:
    """Why there is no graph code, and at which line of the file (from 0).

    `half_typed` tells a function that can't be parsed, which the next keystroke may mend.
    """

    message: str
    line: int
    half_typed: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """Generated code; `lines[i]` is the line of the file (from 0) that line i of the text comes from."""

    text: str
    lines: tuple[int, ...]
    refused: PreviewRefusal | None = None


def preview(located: Located, style: PreviewStyle = "graphwright", file: str = "") -> Preview:
    """The graph code of a function; plain TensorFlow depends on what the rest of the file says, which is `file`."""
    if located.left_alone:
        words = f"`{located.name.rpartition('.')[2]}` is decorated with `do_not_convert`, so it isn't converted"
        return Preview("", (), PreviewRefusal(words, located.first_line + located.text.startswith(OPENING)))
    key = located.text, located.class_name, located.free, located.library
    if style == "tensorflow":
        # Where the function stands counts: the analysis is asked about it by its line.
        return _shifted(_ejected(*key, located.first_line, file), -1)
    return _shifted(_generated(*key), located.first_line - 1)


def preview_of_text(text: str, offset: int, style: PreviewStyle = "graphwright") -> Preview | None:
    """The graph code of the function around an offset of a file's text; None outside of any function."""
    located = function_at(parse_module(text), offset)
    return None if located is None else preview(located, style, text)


@functools.lru_cache(maxsize=256)
def _generated(text: str, class_name: str | None, free: frozenset[str], library: LibraryNames) -> Preview:
    """The code of a piece of text whose first line is line 1."""
    return _made(text, class_name, free, library, 1, generate)


@functools.lru_cache(maxsize=32)
def _ejected(
    text: str, class_name: str | None, free: frozenset[str], library: LibraryNames, first_line: int, file: str
) -> Preview:
    # What ejecting needs of the analysis is loaded when it is first asked for.
    from .eject import knowledge, texts

    around = knowledge.surroundings_of(file, memory=_memory())

    def make(source: FunctionSource) -> Generated:
        try:
            return texts.ejected_with_lines(source, around)
        except ConversionError as error:
            reason = error.reason.replace(knowledge.WITH_SIGNATURE, "add an `input_signature` to `tf.function`")
            raise ConversionError(reason, error.file, error.line) from None

    return _made(text, class_name, free, library, first_line + 1, make)


_of_thread = threading.local()


def _memory() -> Any:
    """What the analysis remembers from one preview to the next, in this thread."""
    from graphwright_analysis import Project, Settings

    if not hasattr(_of_thread, "memory"):
        _of_thread.memory = Project(None, Settings())
    return _of_thread.memory


def _made(
    text: str,
    class_name: str | None,
    free: frozenset[str],
    library: LibraryNames,
    first_line: int,
    make: Callable[[FunctionSource], Generated],
) -> Preview:
    try:
        node = _node_in(parse_source(text))
        if (refusal := refusal_of(node)) is not None:
            return Preview("", (), PreviewRefusal(refusal.reason, first_line + refusal.line - 1))
        made = make(FunctionSource(text, node, first_line, "the file", class_name, free, library.used_in(node)))
    except ConversionError as error:
        return Preview("", (), PreviewRefusal(error.reason, error.line))
    except BeyondLimits as error:
        return Preview("", (), PreviewRefusal(f"the function is {error.message}", first_line))
    except Unparsable as error:
        words = f"it doesn't parse yet: {error.message}"
        return Preview("", (), PreviewRefusal(words, first_line + max(error.line - 1, 0), half_typed=True))
    return Preview(made.text, made.lines)


def _node_in(statements: list[gast.stmt]) -> Any:
    """The function that a piece of text holds alone, under `if 1:`, or in brackets."""
    top: Any = statements[0]
    if isinstance(top, gast.Expr):
        return top.value
    return top.body[0] if isinstance(top, gast.If) else top


def _shifted(made: Preview, by: int) -> Preview:
    refused = made.refused
    if refused is not None:
        refused = PreviewRefusal(refused.message, max(refused.line + by, 0), refused.half_typed)
    return Preview(made.text, tuple(line + by for line in made.lines), refused)
