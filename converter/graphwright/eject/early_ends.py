"""Loops over Python values that the graph leaves early: a flag says whether they go on, and Python runs all of them.

Before:

    for place, word in enumerate(words):
        if word == wanted:
            return place
        seen += 1

After:

    returned, result = False, 0
    for place, word in enumerate(words):
        if not returned:
            if word == wanted:
                returned, result = True, place
            else:
                seen += 1
    if returned:
        return result

The `else` of a loop that a `break` leaves asks the flag, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS, children, kind_of

from graphwright.eject.flags import FlaggedText
from graphwright.eject.source_edits import Unsuited, free_name, is_weak
from graphwright.passes.jumps import jumps_out
from graphwright.passes.unit import walk

_Lines = list[tuple[str, int]]


def with_flag(text: str, function: gast.AST, line: int, starts: Mapping[str, str]) -> FlaggedText | None:
    """The text of a function with a flag for the loop in a line; None where that can't be done.

    `starts` says what the flag "going" starts with where it's asked alone, the "result", and names without a value.
    Where the loop only continues, it needs no flag: what follows a `continue` is in the other branch.
    """
    loop = next((part for part in walk(function) if isinstance(part, gast.For) and part.lineno == line), None)
    if loop is None or loop.body[0].lineno == loop.lineno:
        return None
    if jumps_out(loop.body) != frozenset({"continue"}) and _is_read_outside(function, loop):
        return None
    if any(part.lineno != part.end_lineno for part in walk(loop) if isinstance(part, (gast.Constant, gast.JoinedStr))):
        return None
    try:
        return _Leaving(text, function, loop, starts).result()
    except Unsuited:
        return None


class _Leaving:
    """The text of one function, in which a loop is written with flags."""

    def __init__(self, text: str, function: Any, loop: Any, starts: Mapping[str, str]) -> None:
        self.lines, self.loop, self.given = text.splitlines(), loop, starts
        inside = [part for statement in loop.body for part in walk(statement)]
        jumps = {kind_of(part) for part in inside if self._is_jump(part)}
        taken = {part.id for part in walk(function) if isinstance(part, gast.Name)}
        if not jumps or ("Return" in jumps and ("result" not in starts or "result" in taken)):
            raise Unsuited
        self.returned = free_name("returned", taken) if "Return" in jumps else ""
        self.going = free_name("going", taken) if "Break" in jumps else ""
        self.guard = self.going or (f"not {self.returned}" if self.returned else "")

    def result(self) -> FlaggedText:
        """The whole text, with the line that each of its lines comes from."""
        loop, indent = self.loop, " " * int(self.loop.col_offset)
        names = [name for name in (self.going, self.returned, "result") if name and (name != "result" or self.returned)]
        names += [name for name in self.given if name not in ("going", "result")]
        body = self._guarded(loop.body, 0)
        is_alone = any(text.strip() == f"if {self.going}:" for text, _ in body)
        going = self.given["going"] if is_alone else "True"
        starts = {"result": "", **self.given, self.going: going, self.returned: "False"}
        first, last = int(loop.lineno), int(loop.end_lineno)
        whole = [(text, number) for number, text in enumerate(self.lines[: first - 1], 1)]
        if names:
            whole.append((f"{indent}{', '.join(names)} = {', '.join(starts[name] for name in names)}", first))
        whole += self._raw(first, int(loop.body[0].lineno) - 1, 0)
        whole += body
        if self.returned:
            whole += [(f"{indent}if {self.returned}:", last), (f"{indent}    return result", last)]
        whole += self._else(indent)
        whole += self._raw(last + 1, len(self.lines), 0)
        return FlaggedText("\n".join(text for text, _ in whole) + "\n", tuple(number for _, number in whole))

    def _else(self, indent: str) -> _Lines:
        """The `else` of the loop, which Python comes to where nothing has left it; a `return` has returned by then."""
        suite = self.loop.orelse
        if not suite:
            return []
        first, last, deeper = int(suite[0].lineno), int(self.loop.end_lineno), int(suite[0].col_offset) - len(indent)
        if self.lines[first - 1].lstrip().startswith("else"):
            raise Unsuited
        if not self.going:
            return self._raw(first, last, -deeper)
        return [(f"{indent}if {self.going}:", first), *self._raw(first, last, 4 - deeper)]

    def _guarded(self, body: Sequence[gast.stmt], extra: int) -> _Lines:
        """The body of a loop, which does nothing once the loop has been left."""
        only = body[0]
        if not self.guard:
            return self._suite(body, extra)
        if len(body) == 1 and isinstance(only, gast.If) and not only.orelse and not is_weak(only.test):
            return self._choice(only, extra, f"{self.guard} and ")
        if len(body) == 1 and isinstance(only, gast.If) and not only.orelse:
            return self._choice(only, extra, f"{self.guard} and (", ")")
        line = (f"{self._indent(only, extra)}if {self.guard}:", int(only.lineno))
        return [line, *self._suite(body, extra + 4)]

    def _suite(self, statements: Sequence[gast.stmt], extra: int, before: int = 0) -> _Lines:
        found: _Lines = []
        end = before or int(statements[0].lineno) - 1
        for number, statement in enumerate(statements):
            if int(statement.lineno) <= end:
                raise Unsuited
            if not any(map(self._is_jump, walk(statement))):
                found += self._raw(end + 1, int(statement.end_lineno), extra)
                end = int(statement.end_lineno)
                continue
            rest = statements[number + 1 :]
            if rest and isinstance(statement, gast.If) and not statement.orelse and _is_skip(statement.body):
                found += [(self._unless(statement, extra), int(statement.lineno))]
                return [*found, *self._suite(rest, extra + 4, int(statement.end_lineno))]
            found += [] if found and isinstance(statement, gast.Continue) else self._jumping(statement, extra)
            if rest:
                leaves = isinstance(statement, gast.If) and not statement.orelse and self._is_jump(statement.body[-1])
                if not leaves and any(isinstance(part, gast.Continue) for part in walk(statement)):
                    raise Unsuited
                test = "else" if leaves else f"if {self.guard}"
                line = (f"{self._indent(statement, extra)}{test}:", int(rest[0].lineno))
                found += [line, *self._suite(rest, extra + 4, int(statement.end_lineno))]
            break
        return found

    def _jumping(self, node: Any, extra: int) -> _Lines:
        """A statement with a jump in it."""
        kind, indent, line = kind_of(node), self._indent(node, extra), int(node.lineno)
        if kind == "If":
            return self._choice(node, extra)
        if kind == "Return":
            names = [name for name in (self.going, self.returned) if name]
            values = ["False", "True"][-len(names) :]
            if node.value is None or node.lineno != node.end_lineno:
                raise Unsuited
            text = self.lines[line - 1][node.value.col_offset : node.value.end_col_offset]
            text = f"({text})" if isinstance(node.value, gast.Tuple) and text[0] != "(" else text
            return [(f"{indent}{', '.join(names)}, result = {', '.join(values)}, {text}", line)]
        if kind in ("Break", "Continue"):
            return [(f"{indent}{self.going} = False" if kind == "Break" else f"{indent}pass", line)]
        if kind == "For" and not node.orelse and node.body[0].lineno > node.lineno:
            return [*self._raw(line, int(node.body[0].lineno) - 1, extra), *self._guarded(node.body, extra)]
        raise Unsuited

    def _choice(self, node: Any, extra: int, before: str = "", after: str = "") -> _Lines:
        """An `if`, its condition between two texts."""
        test = node.test
        if test.lineno != test.end_lineno:
            raise Unsuited
        text = self.lines[int(test.lineno) - 1][test.col_offset : test.end_col_offset]
        found = [(f"{self._indent(node, extra)}if {before}{text}{after}:", int(test.lineno))]
        found += self._nested(node.body, node, extra)
        if node.orelse:
            found.append((f"{self._indent(node, extra)}else:", int(node.orelse[0].lineno)))
            found += self._nested(node.orelse, node, extra)
        return found

    def _unless(self, node: Any, extra: int) -> str:
        """What follows a `continue` under a condition happens without it."""
        text = self.lines[int(node.test.lineno) - 1][node.test.col_offset : node.test.end_col_offset]
        if node.test.lineno != node.test.end_lineno:
            raise Unsuited
        weak = is_weak(node.test) or isinstance(node.test, gast.BoolOp)
        return f"{self._indent(node, extra)}if not {f'({text})' if weak else text}:"

    def _nested(self, suite: Sequence[Any], node: gast.stmt, extra: int) -> _Lines:
        """A suite, four columns in from its statement."""
        return self._suite(suite, extra + int(node.col_offset) + 4 - int(suite[0].col_offset))

    def _raw(self, first: int, last: int, extra: int) -> _Lines:
        lines = [(self.lines[number - 1], number) for number in range(first, last + 1)]
        if any(text[: -min(extra, 0)].strip() for text, _ in lines):
            raise Unsuited
        return [((" " * extra + text)[-min(extra, 0) :] if text.strip() else text, number) for text, number in lines]

    def _indent(self, node: gast.stmt, extra: int) -> str:
        return " " * (int(node.col_offset) + extra)

    def _is_jump(self, node: gast.AST) -> bool:
        """Whether a node leaves the loop, or the rest of an iteration."""
        if isinstance(node, gast.Return):
            return True
        return isinstance(node, (gast.Break, gast.Continue)) and node in _own_parts(self.loop)


def _is_skip(suite: Sequence[Any]) -> bool:
    return len(suite) == 1 and isinstance(suite[0], gast.Continue)


def _is_read_outside(function: Any, loop: Any) -> bool:
    """Whether anything else reads what the loop goes by, which would be the last element then."""
    names = {part.id for part in walk(loop.target) if isinstance(part, gast.Name)}
    inside = {*walk(loop)}
    for part in walk(function):
        if isinstance(part, FUNCTIONS) and part is not function:
            own = {each.id for each in walk(part.args) if isinstance(each, gast.Name)} & names
            inside |= {each for each in walk(part) if isinstance(each, gast.Name) and each.id in own}
    named = [part for part in walk(function) if isinstance(part, gast.Name) and part.id in names]
    return any(part not in inside for part in named)


def _own_parts(loop: Any) -> list[Any]:
    """What is in a loop's body, but not in loops and functions there; the `else` of such a loop belongs to this one."""
    found: list[Any] = []
    waiting: list[Any] = [*loop.body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, _LOOPS):
            waiting += part.orelse
        elif not isinstance(part, FUNCTIONS):
            found.append(part)
            waiting += children(part)
    return found


_LOOPS = (gast.For, gast.While)
