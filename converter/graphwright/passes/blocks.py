"""Statements: a block of the user's becomes the body of a function, or of a statement that stays Python's.

How branches, loops and jumps are written is in the modules of those names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS, kind_of

from graphwright.passes import branches, compound_statements, definitions, loops, pairs, simple_statements
from graphwright.passes.body_places import BodyPlace, place_in
from graphwright.passes.exits import ExitFrame, Jump
from graphwright.passes.expressions import ExpressionRenderer
from graphwright.passes.facts import CONSTRUCTS, Facts
from graphwright.passes.undefined import note_undefined
from graphwright.passes.unit import Unit
from graphwright.passes.writing import Writer


class Lowering:
    """Writes one generated function: `frame` says how it ends, `nested` whether it was made for a construct."""

    def __init__(self, unit: Unit, facts: Facts, writer: Writer, frame: ExitFrame, nested: bool = False) -> None:
        self.unit = unit
        self.facts = facts
        self.writer = writer
        self.frame = frame
        self.nested = nested
        self.place: BodyPlace | None = None
        """Where in the user's function it writes, as long as constructs are written as pairs."""

    @property
    def gw(self) -> str:
        return self.unit.alias

    def read(self, at: gast.AST | None) -> ExpressionRenderer:
        """Renders expressions that are evaluated at a place that the flow analyses know."""
        return ExpressionRenderer(self.unit, self.facts, at, self.nested)

    @property
    def _says_undefined(self) -> bool:
        return self.place is None and self.unit.style.says_undefined

    def inside(self, frame: ExitFrame) -> Lowering:
        """For the body of a function that is generated inside this one."""
        return Lowering(self.unit, self.facts, self.writer.inner(), frame, nested=True)

    def function_body(self, node: Any) -> None:
        """The body of a function of the user's."""
        statements: list[Any] = node.body
        if statements and _is_text(statements[0]):
            self.statement(statements[0], [], tail=False)
            statements = statements[1:]
        for part in self.facts.inner_declarations:
            self.line(f"{kind_of(part).lower()} {', '.join(part.names)}", node)
        self.place = place_in(self.unit, self.facts)
        for name in self.facts.undefined_at_start if self._says_undefined else ():
            self.line(f'{name} = {self.gw}.undefined("{name}")', node)
        self.block(statements, tail=True)
        if not self.writer.lines:
            self.line("pass", node)

    def block(self, statements: Sequence[gast.stmt], tail: bool) -> None:
        """Statements one after the other; `tail` says that the generated function ends after them."""
        split = compound_statements.place_to_split(self.facts, statements) if tail and self.place is None else 0
        if split:
            compound_statements.in_parts(self, statements[:split], statements[split:])
            return
        for number, statement in enumerate(statements):
            self.comments_before(statement, first=number == 0)
            for name in self.facts.undefined_before.get(statement, ()) if self._says_undefined else ():
                self.line(f'{name} = {self.gw}.undefined("{name}")', statement)
            if self.statement(statement, statements[number + 1 :], tail):
                return
        if tail:
            self.end("end", line=statements[-1].end_lineno if statements else None)

    def statement(self, statement: gast.AST, rest: Sequence[gast.stmt], tail: bool) -> bool:
        """Write one statement; True if what follows it has been written with it, or can't be reached."""
        kind = kind_of(statement)
        other = self.unit.style.statements.get(kind)
        if other is not None:
            return other(self, statement, rest, tail)
        if isinstance(statement, CONSTRUCTS):
            return self.construct(statement, rest, tail)
        if isinstance(statement, (gast.With, gast.AsyncWith, gast.Try, gast.TryStar, gast.Match)):
            return compound_statements.compound(self, statement, rest, tail)
        if isinstance(statement, FUNCTIONS):
            self.definition(statement)
            return False
        if isinstance(statement, gast.ClassDef):
            # Its methods are converted when they are called.
            simple_statements.verbatim(self, statement)
            return False
        return simple_statements.statement(self, statement)

    def construct(self, node: gast.AST, rest: Sequence[gast.stmt], tail: bool) -> bool:
        """Write an `if` or a loop; True as `statement` says."""
        if self.place is None or self.facts.is_native(node):
            write = branches.branch if isinstance(node, gast.If) else loops.loop
            return write(self, node, rest, tail)
        write_pair = pairs.branch if isinstance(node, gast.If) else pairs.loop
        return write_pair(self, node, rest)

    def definition(self, node: gast.AST) -> None:
        """A function that is defined inside the one that is converted."""
        if not isinstance(node, gast.FunctionDef) or definitions.is_generator(node):
            simple_statements.verbatim(self, node)
            return
        for decorator in node.decorator_list:
            self.writer.add("@" + self.read(node)(decorator), decorator.lineno, self.unit.indent_of(node))
        lower_function(self.unit, node, self.facts, self.writer)

    def line(self, text: str, origin: Any) -> None:
        """One line that comes from a node of the user's."""
        line = origin if isinstance(origin, int) else origin.lineno
        came_from = None if isinstance(origin, int) else self.unit.indent_of(origin)
        self.writer.add(text, line, came_from)

    def end(self, jump: Jump, value: str = "", line: int | None = None) -> None:
        """Leave the generated function."""
        if self.frame.kind == "function" and jump == "end" and not self.frame.extra:
            self.unit.style.at_end(self, line)
            if not self.writer.lines:
                self.line("pass", line or 1)
            return
        text = self.frame.leaving(jump, value)
        if text == "None" and jump == "end" and self.writer.lines and self.writer.lines[-1][0].strip() != "pass":
            return
        self.line(f"return {text}", line or (self.writer.lines[-1][1] if self.writer.lines else 1))

    def comments_before(self, statement: gast.stmt, first: bool) -> None:
        """The comments, and the blank lines, that stand right in front of a statement."""
        if statement in self.unit.templates:
            return
        lines = self.unit.lines
        top = min([statement.lineno, *[part.lineno for part in getattr(statement, "decorator_list", [])]])
        found: list[tuple[str, int]] = []
        number = top - 1
        while number >= 1:
            span = lines.line_range(number - 1)
            text = self.unit.text[span.start : span.end].strip()
            if text and not text.startswith("#"):
                break
            found.append((text, number))
            number -= 1
        found.reverse()
        while first and found and not found[0][0]:
            found.pop(0)
        if first and all(not text for text, _ in found):
            return
        for text, number in found:
            self.writer.lines.append((" " * self.writer.column + text if text else "", number))

    def in_native_loop(self) -> Lowering:
        """For the body of a loop that stays one: `break` and `continue` in it stay, too."""
        made = self._like(self.writer.inner(), replace(self.frame, in_native_loop=True))
        if made.place is not None:
            made.place = replace(made.place, told=made.place.in_loop())
        return made

    def in_block(self) -> Lowering:
        """For the body of a statement that stays one."""
        return self._like(self.writer.inner(), self.frame)

    def without_pairs(self) -> Lowering:
        """For more of the same lines, with operators alone."""
        made = self._like(self.writer, replace(self.frame, in_native_loop=False))
        made.place = None
        return made

    def _like(self, writer: Writer, frame: ExitFrame) -> Lowering:
        made = Lowering(self.unit, self.facts, writer, frame, self.nested)
        made.place = self.place
        return made


def lower_function(unit: Unit, node: gast.stmt, outer: Facts | None, writer: Writer) -> None:
    """Write a function definition, its body converted."""
    facts = Facts(unit, node, outer)
    note_undefined(facts)
    read = ExpressionRenderer(unit, outer or facts)
    writer.add(definitions.header(unit, node, read), node.lineno, unit.indent_of(node))
    body = writer.inner()
    lowering = Lowering(unit, facts, body, ExitFrame("function", unit.alias))
    unit.style.begin(lowering)
    lowering.frame = unit.style.frame(lowering, "function")
    lowering.function_body(node)
    writer.extend(body)


def _is_text(statement: gast.AST) -> bool:
    return (
        isinstance(statement, gast.Expr)
        and isinstance(statement.value, gast.Constant)
        and isinstance(statement.value.value, str)
    )
