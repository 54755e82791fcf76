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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gast
from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS, kind_of

from graphwright.eject.bindings import bindings_of, is_none, named, returns_of, sides_of
from graphwright.eject.none_guards import SUITES, NoneGuards, is_suite
from graphwright.errors import ConversionError
from graphwright.passes.jumps import completes
from graphwright.passes.unit import parents_in, walk

FlaggedResults = tuple[frozenset[tuple[int, int]], Mapping[int, str]]
"""Where calls are that give a flag with their result, and the lines of the functions that return it, with zeros."""


class Flagged(Exception):
    """What is to get a flag: names, with what they start with, or a loop or condition in a line; else `refusal`.

    `following` are lines to write after a line: they set what an object has in an attribute that is None at first.
    `tuples` is a list of tuples that gets a list for each of so many parts, called by `words` if it's an attribute,
    and `dict_of_lists` a dict that gets a name for each item. `results` are the calls that give a flag, too.
    `texts` are texts by position, each with the column that it goes to.
    `order` is the place of a call that sorts, `branch` that of an `if` that assigns items of attributes, and
    `comprehension` that of one to write as a loop. `deque` is the name of one to write as a list.
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
        branch: tuple[int, int] = (0, 0),
        texts: Mapping[tuple[int, int], tuple[int, str]] | None = None,
        comprehension: tuple[int, int] = (0, 0),
        deque: str = "",
    ) -> None:
        super().__init__(starts, loop, condition, tuples, order, branch, comprehension, deque)
        self.starts, self.refusal, self.loop, self.condition = starts, refusal, loop, condition
        self.tuples, self.dict_of_lists = tuples, dict_of_lists
        self.following, self.tf, self.words = following or {}, tf, words
        self.results, self.order, self.branch = results or (frozenset(), {}), order, branch
        self.texts, self.comprehension, self.deque = texts or {}, comprehension, deque
        self.function: Any = None
        """The function to write flags in, where it isn't the ejected one."""

    def moved(self, refusal: ConversionError, lines: int) -> Flagged:
        """The same request so many lines further down, with its refusal there."""
        line, column = self.comprehension
        self.loop, self.condition, line = (each and each + lines for each in (self.loop, self.condition, line))
        self.refusal, self.comprehension = refusal, (line, column)
        return self

    def concerns(self, reason: str, line: int) -> bool:
        """Whether a refusal is one of the flags, or of the condition; the line is one of the text without them."""
        own = [f"`{name}`" if self.loop else f"{flag_of(name)}`" for name in self.starts]
        own += [f"`{name}_" for name in (self.tuples[0], self.dict_of_lists) if name]
        own += ["`found", "`ordered"] if self.order[0] else ["_item`"] if self.branch[0] else []
        own += ["`condition", "`subject"] if self.condition else []
        return 0 < line in (self.condition, self.comprehension[0]) or any(name in reason for name in own)


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


def with_flags(text: str, node: gast.AST, flagged: Flagged) -> FlaggedText | None:
    """The text of a function with flags for names; None where that can't be done."""
    editing = _Editing(text, node, flagged.starts, flagged.results)
    editing.after = dict(flagged.following)
    editing.edits = dict(flagged.texts)
    editing.given = frozenset(flagged.texts)
    return editing.result() if editing.suits() else None


class _Editing:
    """What is replaced in the text of one function, by position, and what is written in front of its lines."""

    def __init__(self, text: str, node: Any, starts: Mapping[str, str], results: FlaggedResults) -> None:
        self.lines, self.node, self.starts = text.splitlines(), node, starts
        self.calls, self.definitions = results
        self.parents = parents_in(node)
        taken = set(map(named, walk(node)))
        self.flags = {name: flag_of(name) for name in starts}
        self.guards = NoneGuards(node, self.parents, results[0], self.flags)
        self.is_free = not taken & set(self.flags.values())
        self.edits: dict[tuple[int, int], tuple[int, str]] = {}
        self.given = frozenset[tuple[int, int]]()
        """Where something is written already: names that are passed on with their flags end there."""
        self.before: dict[int, list[str]] = {}
        self.after: dict[int, Sequence[str]] = {}
        self.copied = set[Any]()
        """Names whose values go into others with their flags."""

    def suits(self) -> bool:
        """Collect the edits; False where one can't be written."""
        if not self.is_free or any("\t" in line or not line.isascii() for line in self.lines):
            return False
        functions = [part for part in walk(self.node) if isinstance(part, gast.FunctionDef)]
        given = [(part, self.definitions.get(part.lineno)) for part in functions]
        bound = all(map(self._bind, self.starts)) and all(map(self._read_all, self.starts))
        return bound and all(self._return(part, start) for part, start in given if start is not None)

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
            is_bare = isinstance(part.value, gast.Tuple) and self._at(part.value)[0] != "("
            text = "" if part.value is None or is_none(part.value) else self._at(part.value)
            text = f"{f'({text})' if is_bare else text}, True" if text else f"{start}, False"
            self.edits[part.lineno, part.col_offset] = part.end_col_offset, f"return {text}"
        if completes(function.body, ()):
            last = function.body[-1]
            self._follow(last, f"return {start}, False")
        return True

    def _bind(self, name: str) -> bool:
        assigned = bindings_of(walk(self.node), name)
        stores = [part for part in self._named(name) if not isinstance(part.ctx, (gast.Load, gast.Param))]
        if len(stores) != len(assigned) or any(
            isinstance(self.parents[part], (gast.AugAssign, gast.For)) for part in stores
        ):
            return False
        return all(self._assign(name, statement, value) for statement, value in assigned)

    def _read_all(self, name: str) -> bool:
        return all(self._read(name, part) for part in self._named(name) if isinstance(part.ctx, gast.Load))

    def _named(self, name: str) -> list[Any]:
        return [part for part in walk(self.node) if named(part) == name]

    def _assign(self, name: str, statement: Any, value: Any) -> bool:
        if value is None or statement.lineno != statement.end_lineno:
            return False
        if isinstance(statement, gast.AnnAssign):
            return self._assign_annotated(name, statement)
        if len(statement.targets) > 1:
            return is_none(value) and self._assign_several(statement)
        flag = self.guards.flag_for(value)
        if not flag and isinstance(value, gast.IfExp) and value is statement.value:
            return statement not in self._inside_of_functions() and self._choose(name, statement)
        if not flag or statement in self._inside_of_functions():
            return False
        if (value.lineno, value.col_offset) in self.calls:
            target = statement.targets[0]
            self._add((target.end_lineno, target.end_col_offset), target.end_col_offset, f", {self.flags[name]}")
            return True
        if flag == "True" and self.guards.is_guarded(name, statement):
            return True
        if named(value) in self.flags:
            self.copied.add(value)
        target, whole = statement.targets[0], statement.value
        if isinstance(value, gast.IfExp) and value is whole:
            self._follow(statement, f"{self.flags[name]} = {flag}")
            return True
        self._add((target.end_lineno, target.end_col_offset), target.end_col_offset, f", {self.flags[name]}")
        if is_none(value):
            self.edits[value.lineno, value.col_offset] = value.end_col_offset, self.starts[name]
        elif value is whole and isinstance(value, gast.Tuple) and self._at(value)[0] != "(":
            return False
        self._add((whole.end_lineno, whole.end_col_offset), whole.end_col_offset, f", {flag}")
        return True

    def _assign_annotated(self, name: str, statement: Any) -> bool:
        """Write `best: tf.Tensor | None = None` without the annotation, which wouldn't be true any more."""
        if not is_none(statement.value) or statement in self._inside_of_functions():
            return False
        text = f"{name}, {self.flags[name]} = {self.starts[name]}, False"
        self.edits[statement.lineno, statement.col_offset] = statement.end_col_offset, text
        return True

    def _assign_several(self, statement: Any) -> bool:
        """Write `first = last = None` as one assignment of all values and flags."""
        names = [named(target) for target in statement.targets]
        if not all(names):
            return False
        pairs = [(name, self.starts.get(name, "None")) for name in names]
        pairs += [(self.flags[name], "False") for name in names if name in self.flags]
        text = f"{', '.join(name for name, _ in pairs)} = {', '.join(value for _, value in pairs)}"
        self.edits[statement.lineno, statement.col_offset] = statement.end_col_offset, text
        return True

    def _choose(self, name: str, statement: Any) -> bool:
        """Write a choice of values as one of values and flags."""
        sides = sides_of(statement.value)
        flags = [self.guards.flag_for(side) for side in sides]
        compared = [part for side in sides for part in walk(side) if isinstance(part, gast.Compare)]
        if not all(flags) or any(is_none(each) for part in compared for each in part.comparators):
            return False
        for side, flag in zip(sides, flags, strict=True):
            start, end = (side.lineno, side.col_offset), (side.end_lineno, side.end_col_offset)
            if is_none(side):
                self.edits[start] = side.end_col_offset, f"({self.starts[name]}, False)"
            elif start not in self.calls:
                self.edits[start] = side.col_offset, "("
                self._add(end, side.end_col_offset, f", {flag})")
        target = statement.targets[0]
        self._add((target.end_lineno, target.end_col_offset), target.end_col_offset, f", {self.flags[name]}")
        self.copied.update(sides)
        return True

    def _add(self, place: tuple[int, int], end: int, text: str) -> None:
        self.edits[place] = end, self.edits.get(place, (end, ""))[1] + text

    def _follow(self, statement: Any, text: str) -> None:
        known = self.after.get(statement.end_lineno, ())
        self.after[statement.end_lineno] = [*known, " " * statement.col_offset + text]

    def _at(self, node: gast.expr) -> str:
        return self.lines[int(node.lineno) - 1][node.col_offset : node.end_col_offset]

    def _inside_of_functions(self) -> set[Any]:
        inner = [part for part in walk(self.node) if isinstance(part, FUNCTIONS) and part is not self.node]
        return {below for part in inner for below in walk(part)}

    def _read(self, name: str, part: Any) -> bool:
        parent = self.parents[part]
        if (part.end_lineno, part.end_col_offset) in self.given:
            return True
        if isinstance(parent, gast.Compare) and any(map(is_none, parent.comparators)):
            return self._test(name, part, parent)
        asked = isinstance(
            parent, (gast.If, gast.While, gast.IfExp, gast.BoolOp, gast.UnaryOp)
        ) and part is not getattr(parent, "body", None)
        if (
            asked
            and not isinstance(parent, gast.IfExp)
            and not (isinstance(parent, gast.UnaryOp) and not isinstance(parent.op, gast.Not))
        ):
            return False
        if part in self._inside_of_functions():
            return False
        if part in self.copied:
            return True
        if self.guards.is_guarded(name, part):
            return True
        return not self._is_asked_under_another_name(part) and self._assert_before(name, part)

    def _is_asked_under_another_name(self, part: Any) -> bool:
        """Whether a value goes into a name without a flag that is asked whether it is None."""
        statement = self.parents[part]
        is_copy = isinstance(statement, gast.Assign) and statement.value is part
        names = {named(target) for target in statement.targets} if is_copy else set[str]()
        tests = [each for each in walk(self.node) if isinstance(each, gast.Compare)]
        return any(named(test.left) in names and any(map(is_none, test.comparators)) for test in tests)

    def _test(self, name: str, part: Any, test: gast.Compare) -> bool:
        kinds = [kind_of(operator) for operator in test.ops]
        if len(kinds) != 1 or kinds[0] not in ("Is", "IsNot") or test.left is not part:
            return False
        text = self.flags[name] if kinds[0] == "IsNot" else f"not {self.flags[name]}"
        self.edits[test.lineno, test.col_offset] = test.end_col_offset, text
        return test.lineno == test.end_lineno

    def _assert_before(self, name: str, part: Any) -> bool:
        statement, asked = part, self.flags[name]
        while not hasattr(statement, "lineno") or not isinstance(self.parents[statement], _COMPOUND):
            if isinstance(statement, COMPREHENSIONS):
                text = self._of_all(name, statement, asked)
                if text is None:
                    return False
                asked = text
            if statement is self.node or self._is_in_suite(statement):
                break
            statement = self.parents[statement]
        if isinstance(statement, (gast.While, gast.For)) or not self._is_in_suite(statement):
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
        own = {part.id for part in walk(generator.target) if isinstance(part, gast.Name)}
        is_plain = (
            len(node.generators) == 1 and not generator.ifs and generator.iter.lineno == generator.iter.end_lineno
        )
        if not is_plain or name.partition(".")[0] not in own or asked != self.flags[name]:
            return None
        return f"all({asked} for {self._at(generator.target)} in {self._at(generator.iter)})"

    def _is_in_suite(self, statement: gast.AST) -> bool:
        parent = self.parents.get(statement)
        return any(statement in (getattr(parent, field, None) or ()) for field in SUITES if is_suite(parent, field))


_COMPOUND = (gast.FunctionDef, gast.If, gast.For, gast.While, gast.With, gast.Try)
