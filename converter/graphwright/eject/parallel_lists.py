"""Lists of tuples that the graph changes: a list for each part of the tuples, which can become a tensor.

Before:

    queue = [(y, x)]
    while queue:
        y, x = queue.pop(0)
        queue.append((y + 1, x))

After:

    queue_y, queue_x = [y], [x]
    while queue_y:
        y, x = queue_y.pop(0), queue_x.pop(0)
        queue_y.append(y + 1)
        queue_x.append(x)

What becomes of these lists isn't decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
from graphwright_analysis.flow.tree import children

from graphwright.eject.bindings import named
from graphwright.eject.flags import FlaggedText
from graphwright.eject.source_edits import SourceEdits, Unsuited
from graphwright.passes.unit import walk


def with_parts(
    text: str, function: Any, name: str, count: int, tf: str, words: Sequence[str] = ()
) -> FlaggedText | None:
    """The text of a function with lists for the parts of the tuples in a list; None where that can't be done.

    `words` say what the parts are called where the list is an attribute that other functions use, too.
    """
    try:
        return _TupleEditing(text, function, name, count, tf, words).result()
    except Unsuited:
        return None


def words_in(text: str, function: Any, name: str, count: int) -> list[str]:
    """What the parts of the tuples in a list are called in a function; empty where they have no names."""
    return _TupleEditing(text, function, name, count, "", list(map(str, range(count)))).words()


class _TupleEditing(SourceEdits):
    """The text of one function, and what is written instead of what is said of the list."""

    def __init__(self, text: str, function: Any, name: str, count: int, tf: str, words: Sequence[str]) -> None:
        super().__init__(text, function)
        self.name, self.count, self.tf = name, count, tf
        self.names = [f"{name}_{word}" for word in words] or self._names()

    def words(self) -> list[str]:
        """What the parts of the elements are called where they are taken out or put in."""
        found: list[str] = []
        for number in range(self.count):
            known = [named(each.elts[number]).rpartition(".")[2] for each in self._tuples()]
            found.append(next((word for word in known if word.strip("_") and word not in found), ""))
        return found

    def _names(self) -> list[str]:
        """What the lists are called."""
        taken = {part.id for part in walk(self.function) if isinstance(part, gast.Name)}
        found: list[str] = []
        for number, word in enumerate(self.words()):
            free = [f"{self.name}_{each}" for each in (word, number) if each != ""]
            found.append(next((each for each in free if each not in taken and each not in found), ""))
        if not all(found):
            raise Unsuited
        return found

    def _tuples(self) -> list[Any]:
        """The tuples that elements are taken apart into, and those that they are made as."""
        targets: list[Any] = []
        values: list[Any] = []
        for part in walk(self.function):
            if isinstance(part, (gast.For, gast.comprehension)):
                target = part.target
                if self._calls(part.iter) == "enumerate" and isinstance(target, gast.Tuple):
                    target = target.elts[-1]
                targets += [target] if self._is_whole(part.iter) else []
            elif isinstance(part, gast.Assign) and self._element_of(part.value) is not None:
                targets += part.targets[:1]
            elif isinstance(part, gast.Call) and self._method(part) in ("append", "insert"):
                values += part.args[-1:]
        return [each for each in [*targets, *values] if isinstance(each, gast.Tuple) and len(each.elts) == self.count]

    # What is replaced

    def edits(self, node: Any) -> list[tuple[int, int, str]]:
        """What is replaced in a node."""
        if isinstance(node, gast.JoinedStr) and any(map(self._is_list, walk(node))):
            raise Unsuited
        if isinstance(node, (gast.For, gast.comprehension)) and self._is_whole(node.iter):
            return self._walks(node)
        return super().edits(node)

    def replaced(self, node: Any) -> str | None:
        """What is written instead of a node that says something of the list."""
        if isinstance(node, gast.Expr) and (method := self._method(node.value)) is not None:
            return self._changed(node, method)
        if isinstance(node, (gast.Assign, gast.AnnAssign)):
            return self._assigned(node)
        if isinstance(node, gast.Call) and self._calls(node) == "len" and self._is_list(node.args[0]):
            return f"len({self.names[0]})"
        if (
            isinstance(node, gast.Subscript)
            and isinstance(node.slice, gast.Constant)
            and self._element_of(node.value) is not None
        ):
            number = node.slice.value
            if not isinstance(number, int) or not -self.count <= number < self.count:
                raise Unsuited
            return self._elements(node.value)[number]
        if self._element_of(node) is not None:
            return f"({', '.join(self._elements(node))})"
        if self._is_list(node):
            if self._is_asked(node):
                return self.names[0]
            if self._is_returned(node):
                return f"{self.tf}.stack([{', '.join(self.names)}], axis=1)"
            raise Unsuited
        return None

    def _changed(self, node: Any, method: str) -> str:
        """A statement that calls a method of the list."""
        call = node.value
        before = self.text[self.starts[int(node.lineno) - 1] :][: int(node.col_offset)]
        if call.keywords or node.lineno != node.end_lineno or any(map(self._is_list, self._below(call.args))):
            raise Unsuited
        if method in ("append", "insert") and len(call.args) == 1 + (method == "insert"):
            first = [self.read(each) for each in call.args[:-1]]
            arguments = [[*first, part] for part in self._parts(call.args[-1])]
        elif method in ("clear", "reverse", "pop"):
            arguments = [[self.read(each) for each in call.args]] * self.count
        else:
            raise Unsuited
        pairs = zip(self.names, arguments, strict=True)
        between = "; " if before.strip() else f"\n{before}"
        return between.join(f"{name}.{method}({', '.join(given)})" for name, given in pairs)

    def _assigned(self, node: Any) -> str | None:
        target = node.targets[0] if isinstance(node, gast.Assign) else node.target
        if self._element_of(node.value) is not None and isinstance(target, gast.Tuple):
            if len(target.elts) != self.count or len(node.targets) != 1 or any(map(self._is_list, walk(target))):
                raise Unsuited
            return f"{self.read(target)} = {', '.join(self._elements(node.value))}"
        if isinstance(target, gast.Subscript) and self._is_list(target.value):
            index, parts = self.read(target.slice), self._parts(node.value)
            return f"{', '.join(f'{name}[{index}]' for name in self.names)} = {', '.join(parts)}"
        together = target.elts if isinstance(target, gast.Tuple) and isinstance(node.value, gast.Tuple) else []
        if any(map(self._is_list, together)):
            return self._assigned_together(node, target)
        if not self._is_list(target):
            return None
        if isinstance(node, gast.Assign) and len(node.targets) != 1:
            raise Unsuited
        return f"{', '.join(self.names)} = {', '.join(self._lists(node.value))}"

    def _assigned_together(self, node: Any, target: Any) -> str:
        """`names, pairs = [], []`."""
        pairs = list(zip(target.elts, node.value.elts, strict=False))
        if len(node.targets) != 1 or len(target.elts) != len(node.value.elts):
            raise Unsuited
        targets = [", ".join(self.names) if self._is_list(each) else self.read(each) for each, _ in pairs]
        values = [", ".join(self._lists(value)) if self._is_list(each) else self.read(value) for each, value in pairs]
        return f"{', '.join(targets)} = {', '.join(values)}"

    def _lists(self, value: Any) -> list[str]:
        """What the lists are, where the list is assigned something."""
        if isinstance(value, gast.List):
            columns = [self._parts(element) for element in value.elts]
            return [f"[{', '.join(column[number] for column in columns)}]" for number in range(self.count)]
        if isinstance(value, gast.Call) and self._calls(value) == "list" and not value.args:
            return ["[]"] * self.count
        if isinstance(value, gast.Subscript) and self._is_list(value.value) and isinstance(value.slice, gast.Slice):
            start, end = self.span(value.value)[1], self.span(value)[1]
            return [name + self.text[start:end] for name in self.names]
        raise Unsuited

    def _walks(self, node: Any) -> list[tuple[int, int, str]]:
        """A loop or comprehension over the list; a comprehension that uses one part goes over the list of that."""
        rest = [child for child in children(node) if child not in (node.iter, node.target)]
        edits = [edit for child in rest for edit in self.edits(child)]
        only = self._only_part(node) if isinstance(node, gast.comprehension) else None
        names = self.names
        if only is not None:
            number, target = only
            edits.append((*self.span(node.target), self.read(target)))
            names = [self.names[number]]
        return [*edits, (*self.span(node.iter), self._walked(node.iter, names))]

    def _only_part(self, node: Any) -> tuple[int, Any] | None:
        """The part of each element that a comprehension uses, if it's one: its number, and its target."""
        if not isinstance(node.target, gast.Tuple) or self._calls(node.iter) == "enumerate":
            return None
        inside = [
            part for part in walk(self.parents[node]) if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load)
        ]
        used = {part.id for part in inside}
        read = [number for number, each in enumerate(node.target.elts) if getattr(each, "id", "") in used]
        plain = all(isinstance(each, gast.Name) for each in node.target.elts)
        return (read[0], node.target.elts[read[0]]) if plain and len(read) == 1 else None

    def _walked(self, node: Any, names: Sequence[str]) -> str:
        """What a loop goes over."""
        if isinstance(node, gast.Subscript):
            rest = self.text[self.span(node.value)[1] : self.span(node)[1]]
            return self._walked(node.value, [name + rest for name in names])
        if self._is_list(node):
            return names[0] if len(names) == 1 else f"zip({', '.join(names)})"
        called = self._calls(node)
        inner = node.args[0]
        if called == "enumerate":
            rest = "".join(f", {self.read(each)}" for each in node.args[1:])
            rest += "".join(f", {each.arg}={self.read(each.value)}" for each in node.keywords)
            return f"enumerate({self._walked(inner, names)}{rest})"
        return self._walked(inner, [f"reversed({name})" for name in names])

    # What is recognized

    def _is_list(self, node: Any) -> bool:
        return isinstance(node, (gast.Name, gast.Attribute)) and named(node) == self.name

    def _calls(self, node: Any) -> str:
        """The name of the function that is called with something."""
        return str(node.func.id) if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) else ""

    def _method(self, node: Any) -> str | None:
        function = node.func if isinstance(node, gast.Call) else None
        return function.attr if isinstance(function, gast.Attribute) and self._is_list(function.value) else None

    def _is_whole(self, node: Any) -> bool:
        """Whether a loop goes over the list, in one order or the other."""
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice):
            return self._is_list(node.value) and not any(map(self._is_list, walk(node.slice)))
        if self._is_list(node):
            return True
        given = node.args if isinstance(node, gast.Call) else []
        return self._calls(node) in ("enumerate", "reversed") and bool(given) and self._is_whole(given[0])

    def _is_asked(self, node: Any) -> bool:
        """Whether it only counts whether the list has elements."""
        parent = self.parents[node]
        if isinstance(parent, gast.BoolOp):
            return self._is_asked(parent)
        is_not = isinstance(parent, gast.UnaryOp) and isinstance(parent.op, gast.Not)
        return is_not or (isinstance(parent, (gast.If, gast.While, gast.IfExp)) and parent.test is node)

    def _is_returned(self, node: Any) -> bool:
        """Whether it comes back as a whole: then as one tensor, a row for each tuple."""
        parent = self.parents[node]
        return isinstance(parent, gast.Return) or (
            isinstance(parent, (gast.Tuple, gast.Dict)) and self._is_returned(parent)
        )

    def _element_of(self, node: Any) -> Any:
        """The index or call by which an element is read; None for anything else."""
        if isinstance(node, gast.Subscript) and self._is_list(node.value) and not isinstance(node.slice, gast.Slice):
            return node if isinstance(node.ctx, gast.Load) else None
        is_pop = isinstance(node, gast.Call) and self._method(node) == "pop"
        return node if is_pop else None

    def _elements(self, node: Any) -> list[str]:
        """The parts of an element."""
        start = self.span(node.value if isinstance(node, gast.Subscript) else node.func.value)[1]
        parts = [node.slice] if isinstance(node, gast.Subscript) else node.args
        if any(isinstance(each, (gast.Call, gast.Lambda, gast.NamedExpr)) for part in parts for each in walk(part)):
            raise Unsuited
        rest = self.text[start : self.span(node)[1]]
        if any(map(self._is_list, self._below(parts))):
            raise Unsuited
        return [name + rest for name in self.names]

    def _parts(self, node: Any) -> list[str]:
        """What each list gets of a new element."""
        if isinstance(node, gast.Tuple) and len(node.elts) == self.count:
            if any(isinstance(each, gast.Starred) for each in node.elts):
                raise Unsuited
            return [self.read(each) for each in node.elts]
        if isinstance(node, gast.Name) and not self._is_list(node):
            return [f"{node.id}[{number}]" for number in range(self.count)]
        raise Unsuited

    def _below(self, nodes: Sequence[Any]) -> list[Any]:
        return [part for node in nodes for part in walk(node)]
