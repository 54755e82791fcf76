"""Names that are None at first: they start with a tensor of zeros, and a flag says whether they are set.

Before:

    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best

After:

    best, has_best = 0.0, False
    for x in xs:
        if not has_best or x > best:
            best, has_best = x, True
    assert has_best, "`best` is None"
    return best

Where a name is read though it may be None, an assertion stands in front: nothing else may get the zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS, kind_of

from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.jumps import completes
from graphwright.passes.unit import parents_in, walk

FlaggedResults = tuple[frozenset[tuple[int, int]], Mapping[int, str]]
"""Where calls are that give a flag with their result, and the lines of the functions that return it, with zeros."""


class Flagged(Exception):
    """What is to get a flag: names, with what they start with, or a loop or condition in a line; else `refusal`.

    `following` are lines to write after a line: they set what an object has in an attribute that is None at first.
    `tuples` is a list of tuples that gets a list for each of so many parts, called by `words` if it's an attribute,
    and `dict_of_lists` a dict that gets a name for each item. `results` are the calls that give a flag, too.
    `order` is the place of a call that sorts.
    """

    def __init__(
        self,
        starts: Mapping[str, str],
        refusal: ConversionError,
        loop: int = 0,
        condition: int = 0,
        following: Mapping[int, Sequence[str]] | None = None,
        tuples: tuple[str, int] = ("", 0),
        dict_of_lists: str = "",
        tf: str = "tf",
        words: tuple[str, ...] = (),
        results: FlaggedResults | None = None,
        order: tuple[int, int] = (0, 0),
    ) -> None:
        super().__init__(starts, loop, condition, tuples, order)
        self.starts, self.refusal, self.loop, self.condition = starts, refusal, loop, condition
        self.tuples, self.dict_of_lists = tuples, dict_of_lists
        self.following, self.tf, self.words = following or {}, tf, words
        self.results, self.order = results or (frozenset(), {}), order
        self.function: Any = None
        """The function to write flags in, where it isn't the ejected one."""

    def concerns(self, reason: str) -> bool:
        """Whether a refusal is one of the flags."""
        own = [f"`{name}`" if self.loop else f"{flag_of(name)}`" for name in self.starts]
        own += [f"`{name}_" for name in (self.tuples[0], self.dict_of_lists) if name]
        own += ["`found", "`ordered"] if self.order[0] else []
        return bool(self.condition) or any(name in reason for name in own)


@dataclass(frozen=True, slots=True)
class FlaggedText:
    """The text, with the line of the text before for each of its lines."""

    text: str
    lines: tuple[int, ...]


def followed(text: FlaggedText, following: Mapping[int, Sequence[str]]) -> FlaggedText:
    """A text with lines after those of the text before."""
    whole: list[tuple[str, int]] = []
    pairs = list(zip(text.text.splitlines(), text.lines, strict=False))
    for place, (line, number) in enumerate(pairs):
        whole.append((line, number))
        is_last = place + 1 == len(pairs) or pairs[place + 1][1] != number
        whole += [(added, number) for added in following.get(number, ())] if is_last else []
    return FlaggedText("\n".join(line for line, _ in whole) + "\n", tuple(number for _, number in whole))


def flag_of(name: str) -> str:
    """What the flag of a name, or of an attribute like `self.best`, is called."""
    owner, dot, last = name.rpartition(".")
    return f"{owner}{dot}has_{last}"


def named(node: Any) -> str:
    """A name, or an attribute like `self.best`; empty for anything else."""
    return dotted(node) or ""


def bindings_of(statements: Any, name: str) -> list[tuple[Any, Any]]:
    """The assignments of a name, each with the expression that it gets; None where that has no node of its own."""
    found: list[tuple[Any, Any]] = []
    for part in statements:
        for target in getattr(part, "targets", ()) if kind_of(part) == "Assign" else ():
            if named(target) == name:
                found.append((part, part.value))
            elif kind_of(target) == "Tuple" and name in map(named, target.elts):
                position = [named(each) for each in target.elts].index(name)
                paired = kind_of(part.value) == "Tuple" and len(part.value.elts) == len(target.elts)
                found.append((part, part.value.elts[position] if paired else None))
    return found


def is_none(node: Any) -> bool:
    """Whether an expression is `None`."""
    return kind_of(node) == "Constant" and node.value is None


def returns_of(function: Any) -> list[Any]:
    """The `return` statements of a function, without those of functions in it."""
    parts = [part for each in function.body for part in walk(each, lambda inner: kind_of(inner) not in FUNCTIONS)]
    return [part for part in parts if kind_of(part) == "Return"]


def sides_of(value: Any) -> list[Any]:
    """The expressions that a value may come from: both sides of a conditional one."""
    if kind_of(value) == "IfExp":
        return [*sides_of(value.body), *sides_of(value.orelse)]
    return [] if value is None else [value]


def with_flags(text: str, node: Any, flagged: Flagged) -> FlaggedText | None:
    """The text of a function with flags for names; None where that can't be done."""
    editing = _Editing(text, node, flagged.starts, flagged.results)
    editing.after = dict(flagged.following)
    return editing.result() if editing.suits() else None


class _Editing:
    """What is replaced in the text of one function, by position, and what is written in front of its lines."""

    def __init__(self, text: str, node: Any, starts: Mapping[str, str], results: FlaggedResults) -> None:
        self.lines, self.node, self.starts = text.splitlines(), node, starts
        self.calls, self.definitions = results
        self.parents = parents_in(node)
        taken = set(map(named, walk(node)))
        self.flags = {name: flag_of(name) for name in starts}
        self.is_free = not taken & set(self.flags.values())
        self.edits: dict[tuple[int, int], tuple[int, str]] = {}
        self.before: dict[int, list[str]] = {}
        self.after: dict[int, Sequence[str]] = {}

    def suits(self) -> bool:
        """Collect the edits; False where one can't be written."""
        if not self.is_free or any("\t" in line or not line.isascii() for line in self.lines):
            return False
        functions = [part for part in walk(self.node) if kind_of(part) == "FunctionDef"]
        given = [(part, self.definitions.get(part.lineno)) for part in functions]
        return all(self._note(name) for name in self.starts) and all(
            self._return(part, start) for part, start in given if start is not None
        )

    def result(self) -> FlaggedText:
        """The text with all edits."""
        lines = list(self.lines)
        for (line, start), (end, text) in sorted(self.edits.items(), reverse=True):
            lines[line - 1] = lines[line - 1][:start] + text + lines[line - 1][end:]
        whole: list[tuple[str, int]] = []
        for number, line in enumerate(lines, 1):
            indent = line[: len(line) - len(line.lstrip())]
            whole += [(indent + added, number) for added in self.before.get(number, ())]
            whole.append((line, number))
            whole += [(added, number) for added in self.after.get(number, ())]
        return FlaggedText("\n".join(line for line, _ in whole) + "\n", tuple(number for _, number in whole))

    def _return(self, function: Any, start: str) -> bool:
        """Have a function return a flag with its result."""
        for part in returns_of(function):
            if part.lineno != part.end_lineno:
                return False
            is_bare = kind_of(part.value) == "Tuple" and self._at(part.value)[0] != "("
            text = "" if part.value is None or is_none(part.value) else self._at(part.value)
            text = f"{f'({text})' if is_bare else text}, True" if text else f"{start}, False"
            self.edits[part.lineno, part.col_offset] = part.end_col_offset, f"return {text}"
        if completes(function.body, ()):
            last = function.body[-1]
            self._follow(last, f"return {start}, False")
        return True

    def _note(self, name: str) -> bool:
        assigned = bindings_of(walk(self.node), name)
        stores = [part for part in self._named(name) if kind_of(part.ctx) != "Load"]
        if len(stores) != len(assigned) or any(kind_of(self.parents[part]) in ("AugAssign", "For") for part in stores):
            return False
        if not all(self._assign(name, statement, value) for statement, value in assigned):
            return False
        return all(self._read(name, part) for part in self._named(name) if kind_of(part.ctx) == "Load")

    def _named(self, name: str) -> list[Any]:
        return [part for part in walk(self.node) if named(part) == name]

    def _assign(self, name: str, statement: Any, value: Any) -> bool:
        if value is None or len(statement.targets) > 1 or statement.lineno != statement.end_lineno:
            return False
        flag = self._flag_for(value)
        if not flag or statement in self._inside_of_functions():
            return False
        if (value.lineno, value.col_offset) in self.calls:
            target = statement.targets[0]
            self._add((target.end_lineno, target.end_col_offset), target.end_col_offset, f", {self.flags[name]}")
            return True
        if flag == "True" and self._is_guarded(name, statement):
            return True
        target, whole = statement.targets[0], statement.value
        if kind_of(value) == "IfExp" and value is whole:
            self._follow(statement, f"{self.flags[name]} = {flag}")
            return True
        self._add((target.end_lineno, target.end_col_offset), target.end_col_offset, f", {self.flags[name]}")
        if is_none(value):
            self.edits[value.lineno, value.col_offset] = value.end_col_offset, self.starts[name]
        elif value is whole and kind_of(value) == "Tuple" and self._at(value)[0] != "(":
            return False
        self._add((whole.end_lineno, whole.end_col_offset), whole.end_col_offset, f", {flag}")
        return True

    def _flag_for(self, value: Any) -> str:
        """What a flag is after its name gets a value; empty where no simple expression says so."""
        if kind_of(value) == "IfExp":
            return "True" if all(map(self._is_set, sides_of(value))) else ""
        if kind_of(value) in ("BoolOp", "NamedExpr"):
            return ""
        return "False" if is_none(value) else self.flags.get(named(value), "True")

    def _is_set(self, value: Any) -> bool:
        """Whether a part of a conditional expression surely isn't None."""
        if (value.lineno, value.col_offset) in self.calls:
            return False
        flag = self._flag_for(value)
        return flag == "True" or (flag not in ("", "False") and self._is_guarded(named(value), value))

    def _add(self, place: tuple[int, int], end: int, text: str) -> None:
        self.edits[place] = end, self.edits.get(place, (end, ""))[1] + text

    def _follow(self, statement: Any, text: str) -> None:
        known = self.after.get(statement.end_lineno, ())
        self.after[statement.end_lineno] = [*known, " " * statement.col_offset + text]

    def _at(self, node: Any) -> str:
        return self.lines[int(node.lineno) - 1][node.col_offset : node.end_col_offset]

    def _inside_of_functions(self) -> set[Any]:
        inner = [part for part in walk(self.node) if kind_of(part) in FUNCTIONS and part is not self.node]
        return {below for part in inner for below in walk(part)}

    def _read(self, name: str, part: Any) -> bool:
        parent = self.parents[part]
        if kind_of(parent) == "Compare" and any(map(is_none, parent.comparators)):
            return self._test(name, part, parent)
        asked = kind_of(parent) in ("If", "While", "IfExp", "BoolOp", "UnaryOp") and part is not getattr(
            parent, "body", None
        )
        if asked and kind_of(parent) != "IfExp" and not (kind_of(parent) == "UnaryOp" and kind_of(parent.op) != "Not"):
            return False
        if part in self._inside_of_functions():
            return False
        if self._is_guarded(name, part):
            return True
        return self._assert_before(name, part)

    def _test(self, name: str, part: Any, test: Any) -> bool:
        kinds = [kind_of(operator) for operator in test.ops]
        if len(kinds) != 1 or kinds[0] not in ("Is", "IsNot") or test.left is not part:
            return False
        text = self.flags[name] if kinds[0] == "IsNot" else f"not {self.flags[name]}"
        self.edits[test.lineno, test.col_offset] = test.end_col_offset, text
        return test.lineno == test.end_lineno

    def _assert_before(self, name: str, part: Any) -> bool:
        statement, asked = part, self.flags[name]
        while not hasattr(statement, "lineno") or kind_of(self.parents[statement]) not in _COMPOUND:
            if kind_of(statement) in COMPREHENSIONS:
                text = self._of_all(name, statement, asked)
                if text is None:
                    return False
                asked = text
            if statement is self.node or self._is_in_suite(statement):
                break
            statement = self.parents[statement]
        if kind_of(statement) in ("While", "For") or not self._is_in_suite(statement):
            return False
        if self.lines[int(statement.lineno) - 1][: statement.col_offset].strip():
            return False
        text = f'assert {asked}, "`{name}` is None"'
        known = self.before.setdefault(statement.lineno, [])
        known += [text] if text not in known else []
        return True

    def _of_all(self, name: str, node: Any, asked: str) -> str | None:
        """What is asked of all elements of a comprehension; None where that isn't known beforehand."""
        generator = node.generators[0]
        own = {part.id for part in walk(generator.target) if kind_of(part) == "Name"}
        is_plain = (
            len(node.generators) == 1 and not generator.ifs and generator.iter.lineno == generator.iter.end_lineno
        )
        if not is_plain or name.partition(".")[0] not in own or asked != self.flags[name]:
            return None
        return f"all({asked} for {self._at(generator.target)} in {self._at(generator.iter)})"

    def _is_in_suite(self, statement: Any) -> bool:
        parent = self.parents.get(statement)
        return any(statement in (getattr(parent, field, None) or ()) for field in _SUITES if _is_suite(parent, field))

    def _is_guarded(self, name: str, part: Any) -> bool:
        """Whether tests, or assignments before it, show that a name isn't None."""
        below = part
        while below is not self.node:
            parent = self.parents[below]
            if self._guards(name, parent, below):
                return True
            for earlier in self._before_in_suite(parent, below):
                if self._sets(name, earlier):
                    return not self._is_unset_in(name, parent, below)
            below = parent
        return False

    def _sets(self, name: str, statement: Any) -> bool:
        """Whether a name surely isn't None after a statement."""
        if kind_of(statement) == "If":
            suites = [(statement.body, True), (statement.orelse, False)]
            return all(
                any(self._sets(name, each) for each in suite)
                or self._says(name, statement.test, is_set=is_set)
                or (suite and kind_of(suite[-1]) in ("Return", "Raise", "Continue", "Break"))
                for suite, is_set in suites
            )
        given = [value for _, value in bindings_of([statement], name)]
        if given and given[-1] is not None and (given[-1].lineno, given[-1].col_offset) in self.calls:
            return False
        return bool(given) and given[-1] is not None and self._flag_for(given[-1]) == "True"

    def _before_in_suite(self, parent: Any, below: Any) -> Iterator[Any]:
        for field in _SUITES:
            suite: Any = getattr(parent, field, None)
            if _is_suite(parent, field) and below in suite:
                yield from suite[: suite.index(below)]

    def _is_unset_in(self, name: str, parent: Any, below: Any) -> bool:
        """Whether something in these suites sets a name to None again."""
        parts = [part for each in [*self._before_in_suite(parent, below), below] for part in walk(each)]
        return any(is_none(value) for _, value in bindings_of(parts, name)[1:])

    def _guards(self, name: str, parent: Any, below: Any) -> bool:
        kind = kind_of(parent)
        if kind == "BoolOp":
            earlier = parent.values[: parent.values.index(below)]
            return any(self._says(name, value, is_set=kind_of(parent.op) == "And") for value in earlier)
        if kind not in ("If", "IfExp"):
            return False
        bodies = [parent.body, parent.orelse] if kind == "If" else [[parent.body], [parent.orelse]]
        for suite, is_set in zip(bodies, (True, False), strict=True):
            unset = any(is_none(value) for _, value in bindings_of((p for s in suite for p in walk(s)), name))
            if below in suite and not unset and self._says(name, parent.test, is_set=is_set):
                return True
        return False

    def _says(self, name: str, test: Any, *, is_set: bool) -> bool:
        """Whether a test that is true (or false, if not `is_set`) shows that a name isn't None."""
        if kind_of(test) == "BoolOp" and (kind_of(test.op) == "And") == is_set:
            return any(self._says(name, value, is_set=is_set) for value in test.values)
        compared = kind_of(test) == "Compare" and len(test.ops) == 1 and is_none(test.comparators[0])
        wanted = "IsNot" if is_set else "Is"
        return compared and named(test.left) == name and kind_of(test.ops[0]) == wanted


def _is_suite(node: Any, field: str) -> bool:
    return isinstance(getattr(node, field, None), list)


_SUITES = ("body", "orelse", "finalbody")
_COMPOUND = frozenset({"FunctionDef", "If", "For", "While", "With", "Try"})
