"""Which function a cursor means, and where things go around it.

What the function does isn't looked at here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range

Definition = gast.FunctionDef | gast.AsyncFunctionDef
_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


@immutable
class TargetFunction:
    """A function in a file; `around` are the definitions that it stands in, the innermost last."""

    module: Module
    block: Block
    node: Definition
    around: tuple[gast.AST, ...]

    @property
    def name(self) -> str:
        return ".".join([*(getattr(each, "name", "") for each in self.around), self.node.name])

    @property
    def class_(self) -> gast.ClassDef | None:
        """The class whose method it is."""
        last = self.around[-1] if self.around else None
        return last if isinstance(last, gast.ClassDef) else None

    @property
    def range(self) -> Range:
        """From `def` to its end."""
        return self.place(self.node)

    @property
    def header(self) -> Range:
        """From its first decorator to where its body begins."""
        starts = [self.place(part).start for part in (*self.node.decorator_list, self.node)]
        return Range(min(starts), self.place(self.node.body[0]).start)

    @property
    def line(self) -> Range | None:
        """The blank text in front of its `def`; None where something else stands there."""
        start = self.range.start
        head = max(self.module.text.rfind(end, 0, start) for end in "\r\n") + 1
        return Range(head, start) if not self.module.text[head:start].strip(" \t") else None

    @property
    def indent(self) -> str:
        line = self.line
        return "" if line is None else self.module.text[line.start : line.end]

    @property
    def end_of_line(self) -> str:
        return line_end(self.module.text)

    def place(self, node: gast.AST) -> Range:
        return self.module.range_of(self.block, node)

    def line_of(self, node: gast.AST) -> int:
        """The line of a node as an editor counts, from 1."""
        return self.module.lines.line_of(self.place(node).start) + 1


def target_at(project: Project, path: str, range: Range, in_body: bool) -> TargetFunction | None:
    """The innermost function whose header the range begins in, or whose body where that is wanted."""
    module = project.module(path)
    if not module.blocks:
        return None
    block = module.block_at(range.start)
    best: TargetFunction | None = None
    for node, around in _definitions(block):
        target = TargetFunction(module, block, node, around)
        header = target.header
        lines = module.lines
        on_header = header.start <= range.start < header.end or (
            lines.line_of(header.start) <= lines.line_of(range.start) < lines.line_of(header.end)
        )
        if on_header or (in_body and target.range.contains(range.start)):
            best = target
    return None if best is None or best.block.is_broken(best.node) or _is_half_typed(best) else best


def line_end(text: str) -> str:
    """The line end that a text uses."""
    return "\r\n" if "\r\n" in text else "\n"


def parameters_of(node: Definition) -> list[gast.Name]:
    """The parameters that have names of their own, without the stars."""
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def own_nodes(node: Definition) -> Iterator[gast.AST]:
    """What stands in a function and not in a function, lambda or class inside it."""
    pending: list[gast.AST] = [*reversed(node.body)]
    while pending:
        part = pending.pop()
        yield part
        if not isinstance(part, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)):
            pending += reversed([*gast.iter_child_nodes(part)])


def _definitions(block: Block) -> Iterator[tuple[Definition, tuple[gast.AST, ...]]]:
    """Functions with what they stand in, the outer before the inner."""
    pending: list[tuple[gast.AST, tuple[gast.AST, ...]]] = [(each, ()) for each in reversed(block.statements)]
    while pending:
        node, around = pending.pop()
        if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
            yield node, around
        inner = (*around, node) if isinstance(node, _SCOPES) else around
        pending += [(child, inner) for child in reversed([*gast.iter_child_nodes(node)])]


def _is_half_typed(target: TargetFunction) -> bool:
    """Whether code in the function or at its edges can't be parsed."""
    span = Range(target.header.start, target.range.end)
    return any(problem.range.overlaps(span) for problem in target.module.errors) or not _DEF.match(
        target.module.text, target.range.start
    )


_DEF = re.compile(r"(?:async\s+)?def\b")
