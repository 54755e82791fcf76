"""Edits of each kind that a text allows: at places spread over it, each undone again once the next one is made.

Nothing is measured here. A broken name is one that nothing binds, so that a name checker has to report it.
"""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

KINDS = ("name in a method", "name in what is called", "import", "constant", "blank line", "comment")
PLACES = 8
"""At how many places of a file edits of a kind are made, at most."""

Position = tuple[int, int]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Edit:
    """What is put in the place of a range, by line and column; `text` is the file after it, `hover` a name there."""

    start: Position
    end: Position
    new: str
    text: str
    hover: Position


@dataclass(frozen=True, slots=True)
class Change:
    """A change that can be made and undone, by its offset in the text as it was."""

    at: int
    old: str
    new: str


def edits_of(text: str, kind: str, count: int) -> list[Edit]:
    """About so many edits of a kind, the last of which leaves the text as it was; none if it has no such place.

    Each change is made before the one ahead of it is undone: so no edit leads back to a text that was there just now.
    """
    changes = changes_of(text, kind)
    if not changes:
        return []
    hover = _hover(text)
    made: list[Change] = []
    edits: list[Edit] = []
    for number, change in enumerate(itertools.cycle(changes)):
        if change not in made:
            edits.append(_edit(text, made, change, hover))
            made.append(change)
        while len(made) > (1 if len(changes) > 1 and number + 1 < count // 2 else 0):
            undone = made.pop(0)
            edits.append(_edit(text, [*made, undone], undone, hover, undo=True))
        if number + 1 >= count // 2:
            return edits
    raise AssertionError("changes come round without end")


def changes_of(text: str, kind: str) -> Sequence[Change]:
    """The places of a kind, at most so many, spread evenly."""
    module = ast.parse(text)
    found = sorted({change.at: change for change in _FINDERS[kind](text, module)}.values(), key=lambda each: each.at)
    count = min(PLACES, len(found))
    return [found[(2 * number + 1) * len(found) // (2 * count)] for number in range(count)]


def _edit(text: str, made: Sequence[Change], change: Change, hover: int, undo: bool = False) -> Edit:
    """The edit that makes a change, or undoes it, in a text in which others are made."""
    before = _with(text, made)
    after = _with(text, [each for each in made if each != change] if undo else [*made, change])
    old, new = (change.new, change.old) if undo else (change.old, change.new)
    at = _moved(change.at, made)
    now = [each for each in made if each != change] if undo else [*made, change]
    return Edit(
        _position(before, at), _position(before, at + len(old)), new, after, _position(after, _moved(hover, now))
    )


def _with(text: str, made: Sequence[Change]) -> str:
    for change in sorted(made, key=lambda each: -each.at):
        text = text[: change.at] + change.new + text[change.at + len(change.old) :]
    return text


def _moved(at: int, made: Sequence[Change]) -> int:
    return at + sum(len(each.new) - len(each.old) for each in made if each.at < at)


def _position(text: str, at: int) -> Position:
    return text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)


def _hover(text: str) -> int:
    """The start of a name in the middle of what a function does."""
    names = sorted(offset for function in _functions(ast.parse(text)) for offset, _ in _locals_read(text, function))
    return names[len(names) // 2]


# The places of each kind


def _in_methods(text: str, module: ast.Module) -> Iterator[Change]:
    """Names in methods; in functions, where there is no class."""
    methods = [
        each
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, Function)
    ]
    yield from _broken_names(text, methods or [each for each in module.body if isinstance(each, Function)])


def _in_what_is_called(text: str, module: ast.Module) -> Iterator[Change]:
    """Names in those functions of the file that its `main` leads to, or else the function that leads to most lines."""
    defined = {each.name: each for each in _functions(module)}
    named = {name: _names_in(function) & defined.keys() for name, function in defined.items()}
    leads = {name: _reached(name, named) for name in defined}

    def lines(name: str) -> int:
        return sum((defined[each].end_lineno or 0) - defined[each].lineno for each in leads[name])

    if leads:
        first = "main" if "main" in leads else max(leads, key=lines)
        yield from _broken_names(text, [defined[each] for each in sorted(leads[first] - {first})])


def _names_in(function: Function) -> set[str]:
    nodes = list(ast.walk(function))
    return {each.id for each in nodes if isinstance(each, ast.Name)} | {
        each.attr for each in nodes if isinstance(each, ast.Attribute) and _is_self(each.value)
    }


def _reached(name: str, named: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += named[name]
    return seen


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _imports(text: str, module: ast.Module) -> Iterator[Change]:
    offsets = _offsets(text)
    for node in module.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", None) != "__future__":
            for alias in node.names:
                yield Change(offsets.end(alias), "", "x")


def _constants(text: str, module: ast.Module) -> Iterator[Change]:
    """Numbers, strings and truth values in what module-level names are set to."""
    offsets = _offsets(text)
    for node in module.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for each in ast.walk(node.value):
                if isinstance(each, ast.Constant):
                    yield from _changed_constant(text, offsets.start(each), offsets.end(each), each.value)


def _changed_constant(text: str, start: int, end: int, value: object) -> Iterator[Change]:
    if isinstance(value, bool):
        yield Change(start, str(value), str(not value))
    elif isinstance(value, (int, float)):
        yield Change(start, "", "1")
    elif isinstance(value, str) and text[start] in "'\"" and not text.startswith(text[start] * 3, start):
        yield Change(end - 1, "", "x")


def _blank_lines(text: str, module: ast.Module) -> Iterator[Change]:
    """Above the last imports and the first statements after them."""
    offsets = _offsets(text)
    imports = [number for number, node in enumerate(module.body) if isinstance(node, (ast.Import, ast.ImportFrom))]
    last = imports[-1] if imports else 0
    for node in module.body[max(1, last - 3) : last + 5]:
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        yield Change(offsets.line(first), "", "\n")


def _comments(text: str, module: ast.Module) -> Iterator[Change]:
    """Comments, other than those at the head of the file."""
    offsets = _offsets(text)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.start[0] > module.body[0].lineno:
            yield Change(offsets.line(token.end[0]) + token.end[1], "", "x")


_FINDERS = dict(
    zip(KINDS, (_in_methods, _in_what_is_called, _imports, _constants, _blank_lines, _comments), strict=True)
)


# Names


def _functions(module: ast.Module) -> Iterator[Function]:
    """The functions and methods of a module, without those in them."""
    for node in module.body:
        for each in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(each, Function):
                yield each


def _broken_names(text: str, functions: Sequence[Function]) -> Iterator[Change]:
    taken = set(re.findall(r"\w+", text))
    for function in functions:
        for offset, name in _locals_read(text, function):
            if f"{name}x" not in taken:
                yield Change(offset + len(name), "", "x")


def _locals_read(text: str, function: Function) -> Iterator[tuple[int, str]]:
    """Where a function's body reads what it binds."""
    offsets = _offsets(text)
    names = [each for statement in function.body for each in ast.walk(statement) if isinstance(each, ast.Name)]
    bound = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
    bound |= {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)} - {"self", "cls"}
    for name in names:
        # Up to Python 3.11, what stands in an f-string is said to be elsewhere.
        if isinstance(name.ctx, ast.Load) and name.id in bound and text.startswith(name.id, offsets.start(name)):
            yield offsets.start(name), name.id


class _Offsets:
    """Where a tree's nodes are in the text: the tree counts lines and bytes."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines(keepends=True)
        self._starts = [0, *itertools.accumulate(map(len, self._lines))]

    def line(self, number: int) -> int:
        return self._starts[number - 1]

    def start(self, node: ast.expr | ast.alias) -> int:
        return self._at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.alias) -> int:
        return self._at(node.end_lineno or 0, node.end_col_offset or 0)

    def _at(self, number: int, column: int) -> int:
        return self.line(number) + len(self._lines[number - 1].encode()[:column].decode())


@lru_cache(4)
def _offsets(text: str) -> _Offsets:
    return _Offsets(text)
