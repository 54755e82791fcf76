"""The piece of source that is being converted: its text by nodes, the names in it, and fresh names.

What becomes of it isn't decided here.

Text that is rendered from it marks each line end with the user's line that follows, so that every line of the
result is known to come from one: see `line_end`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gast
from graphwright_analysis.flow.tree import children, kind_of
from graphwright_analysis.text import LineIndex

from graphwright.passes.brackets import is_enclosed
from graphwright.passes.style import GRAPHWRIGHT, Style

# A line end inside rendered text: the user's line that follows; `!` if the line is inside a string and must
# stay as it is; `>n` if the line was made here and stands n columns in from its statement.
LINE_END = re.compile(r"\0(\d+)(!|>\d+)?\n")


class Unit:
    """One function or lambda, as text and as a tree; changed only by noting what a synthetic node looks like."""

    def __init__(
        self,
        text: str,
        node: gast.AST,
        class_name: str | None,
        free: frozenset[str],
        library: frozenset[str],
        recursive: bool,
        style: Style = GRAPHWRIGHT,
        pairs: bool = False,
    ) -> None:
        self.text = text
        self.node = node
        self.class_name = class_name
        self.free = free
        self.library = library
        self.recursive = recursive
        self.style = style
        self.pairs = pairs
        self.lines = LineIndex(text)
        self.tests: frozenset[gast.AST] = frozenset()
        """The expressions that are only asked for their truth."""
        self.templates: dict[gast.AST, tuple[str, dict[str, gast.AST]]] = {}
        self.names, self._fixed = _names_and_lines_inside_strings(node)
        self.users_names = frozenset(self.names)
        self.alias = _alias(self.names, library)
        self._spans: dict[gast.AST, tuple[int, int]] = {}
        self._children: dict[gast.AST, list[Any]] = {}

    def span(self, node: Any) -> tuple[int, int]:
        """The offsets of a node that was parsed from the text."""
        known = self._spans.get(node)
        if known is None:
            offset = self.lines.offset_of_utf8
            known = offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)
            self._spans[node] = known
        return known

    def original(self, start: int, end: int) -> str:
        """A stretch of the text, its line ends marked."""
        piece = self.text[start:end]
        if "\n" not in piece:
            return piece
        first = self.lines.line_of(start) + 1
        parts = piece.split("\n")
        marked = [parts[0]]
        for number, part in enumerate(parts[1:], first + 1):
            marked.append(f"\0{number}{'!' if number in self._fixed else ''}\n{part}")
        return "".join(marked).replace("\r", "")

    def splice(self, node: gast.AST, render: Callable[[gast.AST], str]) -> str:
        """The text of a node with that of its children rendered."""
        start, end = self.span(node)
        below = self._children.get(node)
        if below is None:
            below = self._children[node] = placed_children(node)
        if not below:
            return self.original(start, end)
        pieces: list[str] = []
        position = start
        for child in below:
            child_start, child_end = self.span(child)
            if child_start < position or child_end > end:
                continue
            pieces.append(self.original(position, child_start))
            pieces.append(render(child))
            position = child_end
        pieces.append(self.original(position, end))
        return "".join(pieces)

    def fresh(self, wanted: str) -> str:
        """A name like `wanted` that the user's code doesn't use."""
        name = wanted
        while name in self.names:
            name += "_"
        return name

    def indent_of(self, node: Any) -> int:
        """The column at which the line of a statement begins."""
        line: int = node.lineno
        start = self.lines.starts[line - 1]
        blank = _INDENT.match(self.text, start)
        return blank.end() - start if blank is not None else 0


_INDENT = re.compile(r"[ \t]*")
_LOOSE = (gast.IfExp, gast.BoolOp, gast.Compare, gast.Lambda, gast.NamedExpr, gast.Yield, gast.Await)


def line_end(line: int, extra: int) -> str:
    """A line end made here: the user's line that follows, and how far it stands in from its statement."""
    return f"\0{line}>{extra}\n"


def flat(text: str) -> bool:
    """Whether rendered text is one line."""
    return "\n" not in text


def as_operand(text: str, node: gast.AST, tight: bool = False) -> str:
    """The text of an expression as an operand of a comparison, or (`tight`) of arithmetic."""
    loose = isinstance(node, _LOOSE) or (tight and isinstance(node, (gast.BinOp, gast.UnaryOp)))
    loose = loose or (isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not))
    return f"({text})" if loose and not _is_call(text) else text


def as_alone(text: str, node: gast.AST | None = None) -> str:
    """The text of an expression where no bracket is around it."""
    loose = node is not None and isinstance(node, (gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await))
    bare = not is_enclosed(text)
    is_tuple = node is not None and isinstance(node, gast.Tuple)
    return f"({text})" if loose or (bare and (is_tuple or not flat(text))) else text


def _is_call(text: str) -> bool:
    return re.match(r"[A-Za-z_.]+\(", text) is not None and is_enclosed(text[text.index("(") :])


def mangled(class_name: str | None, text: str) -> str | None:
    """What Python makes of a private name inside a class; None if it stays as it is."""
    owner = (class_name or "").lstrip("_")
    if not owner or not text.startswith("__") or text.endswith("__") or "." in text:
        return None
    return f"_{owner}{text}"


def placed_children(node: gast.AST) -> list[Any]:
    """The nearest nodes below that have a position, in the order of the text."""
    found: list[Any] = []
    stack = list(children(node))
    while stack:
        current: Any = stack.pop()
        if getattr(current, "lineno", None) is None:
            stack.extend(children(current))
        else:
            found.append(current)
    found.sort(key=lambda child: (child.lineno, child.col_offset))
    return found


def walk(node: gast.AST, into: Callable[[gast.AST], bool] | None = None) -> list[Any]:
    """A node and everything below it, without what is inside the nodes that `into` keeps shut."""
    found: list[Any] = []
    stack = [node]
    while stack:
        current = stack.pop()
        found.append(current)
        if current is node or into is None or into(current):
            below = children(current)
            if below:
                below.reverse()
                stack += below
    return found


def last_part(node: gast.AST, into: Callable[[gast.AST], bool]) -> gast.AST:
    """The last one that `walk` gives."""
    last = node
    while (last is node or into(last)) and (below := children(last)):
        last = below[-1]
    return last


def parents_in(node: gast.AST) -> dict[Any, Any]:
    """What each node below a node is directly in."""
    return {child: parent for parent in walk(node) for child in children(parent)}


def ancestors(node: gast.AST, parents: Mapping[Any, Any]) -> Iterator[Any]:
    """What a node is in, from the inside out."""
    while node in parents:
        node = parents[node]
        yield node


def _names_and_lines_inside_strings(node: gast.AST) -> tuple[set[str], frozenset[int]]:
    """All names in a function but those of its decorators, and the lines that begin inside a string."""
    names: set[str] = set()
    lines: set[int] = set()
    outside = {part for decorator in getattr(node, "decorator_list", ()) for part in walk(decorator)}
    for part in walk(node):
        if part not in outside:
            names.update(name for field in _NAMING if isinstance(name := getattr(part, field, None), str))
        kind = kind_of(part)
        if kind == "JoinedStr" or (kind == "Constant" and isinstance(part.value, str | bytes)):
            lines.update(range(part.lineno + 1, part.end_lineno + 1))
    return names, frozenset(lines)


_NAMING = ("id", "name", "arg", "asname")


def _alias(names: set[str], library: frozenset[str]) -> str:
    """The name for Graphwright: `gw`, unless the user means something else by it."""
    if "gw" not in names or "gw" in library:
        return "gw"
    alias = "graphwright"
    while alias in names and alias not in library:
        alias += "_"
    return alias
