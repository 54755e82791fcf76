"""Comprehensions whose elements the graph selects, written as the loops that they are.

Before:

    first = next((i for i, x in enumerate(xs) if x > limit), -1)
    return [v for row in grid for v in row if v > 0]

After:

    first = -1
    for i, x in enumerate(xs):
        if x > limit:
            first = i
            break
    items = []
    for row in grid:
        for v in row:
            if v > 0:
                items.append(v)
    return items

A comprehension that may not run, or that runs after something with effects in its statement, stays as it is.
"""

from __future__ import annotations

import itertools
from typing import Any

import gast
from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS

from graphwright.eject.flags import Flagged, FlaggedText
from graphwright.eject.source_edits import SourceEdits, Unsuited, free_name, is_weak, with_texts
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk


def request(read: Any, node: Any, refusal: ConversionError) -> Exception:
    """Return the request to write a comprehension as a loop, or the refusal where no trace has shown its values."""
    if read.unit.style.known.seen is None or read.facts.outer is not None:
        return refusal
    return Flagged({}, refusal, comprehension=(node.lineno, node.col_offset), tf=read.unit.style.tf)


def ask(read: Any, node: Any) -> None:
    """Ask for a comprehension to be a loop, or refuse it, where the graph decides which elements it has."""
    for test in [test for generator in node.generators for test in generator.ifs]:
        if not read.unit.style.is_python(test, read.facts):
            reason = "the graph decides which elements this selects: use `tf.boolean_mask`"
            raise request(read, node, ConversionError(reason, line=test.lineno))


def with_loop(text: str, function: Any, place: tuple[int, int], tf: str) -> FlaggedText | None:
    """The text of a function with the comprehension at a place as a loop; None where that can't be done."""
    found = [part for part in walk(function) if isinstance(part, COMPREHENSIONS)]
    node = next((part for part in found if (part.lineno, part.col_offset) == place), None)
    if node is None:
        return None
    try:
        return _LoopWriting(text, function, node, tf).result()
    except Unsuited:
        return None


class _LoopWriting(SourceEdits):
    """One comprehension in the text of one function, the outermost of those around it."""

    def __init__(self, text: str, function: Any, node: Any, tf: str) -> None:
        super().__init__(text, function)
        around = [part for part in self._above(node) if isinstance(part, COMPREHENSIONS)]
        self.tf = tf
        self.node: Any = around[-1] if around else node
        self.statement = next(part for part in self._above(self.node) if isinstance(part, gast.stmt))
        parent: Any = self.parents[self.node]
        is_consumed = isinstance(self.node, gast.GeneratorExp) and isinstance(parent, gast.Call)
        self.consumer = dotted(parent.func) or "" if is_consumed and parent.args[:1] == [self.node] else ""
        self.whole: Any = parent if self.consumer in _FOLDED and not parent.keywords else self.node
        self.names = {part.id for part in walk(function) if isinstance(part, gast.Name)}
        self._refuse()
        self.renamed = self._renamed()
        self.result_name = self._result_name()

    def replaced(self, node: Any) -> str | None:
        """The name of what the loop leaves, in place of the comprehension."""
        if node is not self.whole:
            return None
        # The span of a generator that is the only argument has the brackets of the call.
        parent: Any = self.parents[node]
        is_only = isinstance(node, gast.GeneratorExp) and self.span(parent)[1] == self.span(node)[1]
        return f"({self.result_name})" if is_only else self.result_name

    def edits(self, node: Any) -> list[tuple[int, int, str]]:
        """The loop in front of the statement, or instead of an assignment to the name that the loop fills."""
        if node is not self.statement:
            return super().edits(node)
        start, end = self.span(node)
        line_start = self.text.rfind("\n", 0, start) + 1
        indent = self.text[line_start:start]
        if indent.strip() or "\t" in indent or self.text[start:].startswith("elif"):
            raise Unsuited
        loop = f"\n{indent}".join(self._lines())
        if self._is_own_target():
            return [(start, end, loop)]
        return [(start, start, f"{loop}\n{indent}"), *super().edits(node)]

    def _above(self, node: Any) -> list[Any]:
        found: list[Any] = []
        while node is not self.function:
            node = self.parents[node]
            found.append(node)
        return found

    def _refuse(self) -> None:
        """Refuse what may not run, what runs at another time, and what a loop can't say."""
        statement = self.statement
        within = [self.node, *self._above(self.node)]
        within = within[: within.index(statement) + 1]
        for part, parent in itertools.pairwise(within):
            is_first = isinstance(parent, gast.BoolOp) and parent.values[0] is part
            is_test = isinstance(parent, gast.IfExp) and parent.test is part
            if isinstance(parent, (gast.BoolOp, gast.IfExp)) and not is_first and not is_test:
                raise Unsuited
            if isinstance(parent, gast.Compare) and parent.left is not part and len(parent.ops) > 1:
                raise Unsuited
            if isinstance(parent, FUNCTIONS):
                raise Unsuited
        is_header = (isinstance(statement, gast.If) and within[-2] is statement.test) or (
            isinstance(statement, gast.For) and within[-2] is statement.iter
        )
        if not is_header and not isinstance(
            statement, (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Return, gast.Expr)
        ):
            raise Unsuited
        if not isinstance(self.node, (gast.ListComp, gast.GeneratorExp)):
            raise Unsuited
        if isinstance(self.node, gast.GeneratorExp) and self.consumer not in {*_FOLDED, *_LISTED}:
            raise Unsuited
        kinds = (*FUNCTIONS, gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)
        if any(isinstance(part, kinds) for part in walk(self.node)) or any(
            each.is_async for each in self.node.generators
        ):
            raise Unsuited
        if any(self._has_effects(part) for part in self._parts_before(within)):
            raise Unsuited

    def _parts_before(self, within: list[Any]) -> list[Any]:
        """What the statement evaluates before the comprehension, which the loop now comes before."""
        start, _ = self.span(self.node)
        header = [part for part in walk(within[-2]) if hasattr(part, "lineno") and part not in within]
        inside = set(walk(self.node))
        return [part for part in header if part not in inside and self.span(part)[0] < start]

    def _has_effects(self, node: Any) -> bool:
        """Whether something may change what the comprehension reads."""
        name = dotted(node.func) or "" if isinstance(node, gast.Call) else ""
        is_plain = name in _HARMLESS or name.startswith((f"{self.tf}.", "math."))
        return isinstance(node, gast.NamedExpr) or (isinstance(node, gast.Call) and not is_plain)

    def _renamed(self) -> dict[str, str]:
        """Other names for those that the comprehension binds, where the function has the same ones."""
        inside = set(walk(self.node))
        own = {part.id for each in self.node.generators for part in walk(each.target) if isinstance(part, gast.Name)}
        outside = [part for part in walk(self.function) if isinstance(part, gast.Name) and part not in inside]
        taken = own & {part.id for part in outside if not self._is_bound_in_comprehension(part)}
        # The first iterable is evaluated outside.
        taken |= own & {part.id for part in walk(self.node.generators[0].iter) if isinstance(part, gast.Name)}
        if taken and any(isinstance(part, gast.JoinedStr) for part in inside):
            raise Unsuited
        renamed = dict[str, str]()
        for name in sorted(taken):
            renamed[name] = free_name(name, self.names)
            self.names.add(renamed[name])
        return renamed

    def _is_bound_in_comprehension(self, name: Any) -> bool:
        around = [part for part in self._above(name) if isinstance(part, COMPREHENSIONS)]
        targets = [each.target for part in around for each in part.generators]
        return any(isinstance(part, gast.Name) and part.id == name.id for each in targets for part in walk(each))

    def _is_own_target(self) -> bool:
        """Whether the statement assigns what the loop leaves, and nothing else, to the name that the loop fills."""
        statement = self.statement
        return (
            isinstance(statement, gast.Assign)
            and statement.value is self.whole
            and len(statement.targets) == 1
            and getattr(statement.targets[0], "id", "") == self.result_name
        )

    def _result_name(self) -> str:
        """What the loop fills: the name that is assigned, if nothing reads it while the loop fills it."""
        statement = self.statement
        if isinstance(statement, gast.Assign) and statement.value is self.whole and len(statement.targets) == 1:
            target = getattr(statement.targets[0], "id", "")
            outside = walk(self.node.generators[0].iter) if target in self.renamed else walk(self.whole)
            if target and target not in {part.id for part in outside if isinstance(part, gast.Name)}:
                return str(target)
        return free_name(_FOLDED.get(self.consumer, "items") if self.whole is not self.node else "items", self.names)

    def _part(self, node: Any, is_outside: bool = False) -> str:
        """The text of an expression on one line, with the names of the loop."""
        start, end = self.span(node)
        text = self.text[start:end]
        if "\n" in text:
            if "#" in text or any(
                isinstance(part, gast.Constant) and isinstance(part.value, str) for part in walk(node)
            ):
                raise Unsuited
            text = " ".join(text.split())
        return text if is_outside else with_texts(text, self.renamed)

    def _lines(self) -> list[str]:
        """The loop."""
        name, element = self.result_name, self._part(self.node.elt)
        stops = self.whole is not self.node and self.consumer in ("any", "all", "next")
        lines, depth = [f"{name} = {self._start()}"], 0
        for number, generator in enumerate(self.node.generators):
            iterated = self._part(generator.iter, is_outside=number == 0)
            lines.append(f"{_INDENT * depth}for {self._part(generator.target)} in {iterated}:")
            depth += 1
            if tests := self._tests(generator):
                lines.append(f"{_INDENT * depth}if {tests}:")
                depth += 1
        if self.whole is not self.node and self.consumer in ("any", "all"):
            bracketed = f"({element})" if is_weak(self.node.elt) or isinstance(self.node.elt, gast.BoolOp) else element
            lines.append(f"{_INDENT * depth}if {element if self.consumer == 'any' else f'not {bracketed}'}:")
            depth += 1
        lines.append(_INDENT * depth + self._step(element))
        if stops and len(self.node.generators) > 1:
            raise Unsuited
        return [*lines, f"{_INDENT * depth}break"] if stops else lines

    def _tests(self, generator: Any) -> str:
        parts = [(test, self._part(test)) for test in generator.ifs]
        return " and ".join(f"({text})" if is_weak(test) and len(parts) > 1 else text for test, text in parts)

    def _start(self) -> str:
        if self.whole is self.node or self.consumer == "list":
            return "[]"
        if self.consumer in ("any", "all"):
            return str(self.consumer == "all")
        if len(self.whole.args) == 2:
            return self._part(self.whole.args[1], is_outside=True)
        if self.consumer == "next":
            raise Unsuited
        return "0"

    def _step(self, element: str) -> str:
        if self.whole is self.node or self.consumer == "list":
            return f"{self.result_name}.append({element})"
        if self.consumer == "sum":
            return f"{self.result_name} += {element}"
        return f"{self.result_name} = {element if self.consumer == 'next' else self.consumer == 'any'}"


_INDENT = "    "
_FOLDED = {"any": "found", "all": "holds", "next": "found", "sum": "total", "list": "items"}
"""The functions that a loop does the work of, with the name of what it leaves."""
_LISTED = frozenset({"max", "min", "sorted", "tuple"})
"""Those that may be given a list instead of the generator."""
_HARMLESS = frozenset(
    {"abs", "any", "all", "bool", "enumerate", "float", "int", "len", "list", "max", "min", "next"}
) | {"range", "reversed", "sorted", "sum", "tuple", "zip"}
