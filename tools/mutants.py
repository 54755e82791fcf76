"""Mutants: small changes to a module's text that its tests should notice, found by walking its tree.

Each operator looks at one node and says which text it would put in the place of which. Nothing is run here, and what
is to be run for a mutant is `mutate.py`'s to know.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

Change = tuple[ast.AST, str]
"""A node, and what stands there instead."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: `start` and `end` count the bytes of its UTF-8 text."""

    path: str
    operator: str
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """The file's text with the change made."""
        data = source.encode()
        return (data[: self.start] + self.text.encode() + data[self.end :]).decode()


def mutants(path: str, source: str) -> list[Mutant]:
    """Every change of a file; a few leave what isn't Python any more (see `is_sound`)."""
    text = _Text(source)
    found = dict.fromkeys(
        Mutant(path, name, getattr(node, "lineno", 1), *text.span(node), new)
        for each in _judged(ast.parse(source))
        for name, operator in OPERATORS.items()
        for node, new in operator(each)
    )
    return list(found)


def is_sound(mutant: Mutant, source: str) -> bool:
    """Whether the changed text still is a module, and another one."""
    changed = mutant.applied(source)
    try:
        compile(changed, mutant.path, "exec")
    except SyntaxError:
        return False
    return ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))


def sample(files: dict[str, str], count: int, seed: int) -> list[Mutant]:
    """So many mutants of the files: by their lines, then by operator, so that no frequent one crowds out the rest."""
    chance = random.Random(seed)
    paths = sorted(files)
    weights = [files[path].count("\n") for path in paths]
    groups: dict[str, dict[str, list[Mutant]]] = {}
    chosen: dict[Mutant, None] = {}
    for _ in range(20 * count):
        [path] = chance.choices(paths, weights)
        if path not in groups:
            groups[path] = _by_operator(mutants(path, files[path]))
        if groups[path] and len(chosen) < count:
            mutant = chance.choice(groups[path][chance.choice(sorted(groups[path]))])
            if mutant not in chosen and is_sound(mutant, files[path]):
                chosen[mutant] = None
    return list(chosen)


def _by_operator(found: Sequence[Mutant]) -> dict[str, list[Mutant]]:
    groups: dict[str, list[Mutant]] = {}
    for mutant in found:
        groups.setdefault(mutant.operator, []).append(mutant)
    return groups


class _Text:
    """Where the nodes of a text stand, in bytes."""

    def __init__(self, source: str) -> None:
        self._lines = source.encode().splitlines(keepends=True)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self._lines:
            starts.append(starts[-1] + len(line))
        return starts

    def span(self, node: ast.AST) -> tuple[int, int]:
        start = self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]


def _judged(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes whose change may be seen: no annotations, decorators, docstrings, imports or words for a log."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        for name, field in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
                continue
            pending += [child for child in (field if isinstance(field, list) else [field]) if _counts(child)]


def _counts(node: object) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
            return False
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return False
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log")))):
            return False
        case ast.Assign(targets=[ast.Name(id=name)]) if name == "__all__":
            return False
        case ast.keyword(arg="strict" | "maxsize"):
            return False
        case ast.Call(func=ast.Name(id="field" | "TypeVar" | "cast")):
            return False
        case _:
            return isinstance(node, ast.AST)


# Operators


def _negated(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    if isinstance(node, ast.comprehension):
        yield from ((test, f"(not ({ast.unparse(test)}))") for test in node.ifs)


def _and_or(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, f"({ast.unparse(ast.BoolOp(other, node.values))})"


def _without_operand(node: ast.AST) -> Iterator[Change]:
    """`a and b` is one of them; `a | b` and `a + b` of what is no number, too."""
    if isinstance(node, ast.BoolOp):
        for k in range(len(node.values)):
            rest = [*node.values[:k], *node.values[k + 1 :]]
            yield node, f"({ast.unparse(rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))})"
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.BitAnd)):
        yield node, f"({ast.unparse(node.left)})"
        yield node, f"({ast.unparse(node.right)})"


def _without_statement(node: ast.AST) -> Iterator[Change]:
    for body in _bodies(node):
        for statement in body:
            if isinstance(statement, (ast.AugAssign, ast.Break, ast.Continue, ast.Delete)) or _is_effect(statement):
                yield statement, "pass"


def _is_effect(statement: ast.stmt) -> bool:
    """Whether a statement is there for what it changes: dropping a name's binding would be noticed by anything."""
    match statement:
        case ast.Expr(value=ast.Call()):
            return _counts(statement)
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            return True
        case ast.Assign(targets=targets):
            return not any(isinstance(target, (ast.Name, ast.Tuple)) for target in targets)
        case _:
            return False


JOINS = (
    "join",
    "fork",
    "def joined(states",
    "merge",
    "combine",
    "union",
    "intersection",
    "relaxed",
    "common",
    "widen",
    "agree",
)


def _one_side(node: ast.AST) -> Iterator[Change]:
    """A join is one of its sides, a fork the thing itself."""
    if not isinstance(node, ast.Call):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if not any(word in name for word in JOINS) or (name == "join" and _is_text(node.func)):
        return
    plain = [each for each in node.args if not isinstance(each, ast.Starred)]
    if isinstance(node.func, ast.Attribute) and len(plain) < 2:
        plain.insert(0, node.func.value)
    for each in plain[:2]:
        yield node, ast.unparse(each)


def _is_text(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and isinstance(function.value, (ast.Constant, ast.JoinedStr))


def _other_constant(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, str(node.value + 1)
        yield node, f"({node.value - 1})" if node.value < 1 else str(node.value - 1)


def _returning_early(node: ast.AST) -> Iterator[Change]:
    """A function that gives nothing back, or yields, ends before one of its statements."""
    if not isinstance(node, ast.FunctionDef):
        return
    gives_nothing = isinstance(node.returns, ast.Constant) and node.returns.value is None
    if gives_nothing or any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node)):
        for statement in node.body:
            if _counts(statement):
                yield statement, f"if True: return\n{' ' * statement.col_offset}{ast.unparse(statement)}"


def _without_element(node: ast.AST) -> Iterator[Change]:
    """A loop, or a star, leaves out the first or the last of what it goes over."""
    if isinstance(node, (ast.For, ast.comprehension)):
        written = ast.unparse(node.iter)
        yield node.iter, f"[*{_bracketed(node.iter, written)}][1:]"
        yield node.iter, f"[*{_bracketed(node.iter, written)}][:-1]"


def _bracketed(node: ast.expr, written: str) -> str:
    return f"({written})" if isinstance(node, (ast.IfExp, ast.Lambda, ast.BoolOp, ast.Compare)) else written


def _swapped_arguments(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Call) and len(node.args) >= 2 and not _is_vain(node.func):
        first, second, *more = node.args
        if not any(isinstance(each, ast.Starred) for each in (first, second)):
            yield node, ast.unparse(ast.Call(node.func, [second, first, *more], node.keywords))


def _is_vain(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id in _SWAPPED_IN_VAIN


_SWAPPED_IN_VAIN = ("isinstance", "issubclass", "getattr", "hasattr", "zip", "max", "min")
"""Calls that fail at once, or are the same, with their arguments swapped."""

OPPOSITES: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
}


def _other_comparison(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        changed = ast.Compare(node.left, [OPPOSITES[type(node.ops[0])]], node.comparators)
        yield node, f"({ast.unparse(changed)})"


def _emptied(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Return(value=ast.List() | ast.ListComp() as value) if getattr(value, "elts", True):
            yield value, "[]"
        case ast.Return(value=ast.Call(func=ast.Name(id="tuple"), args=[_]) as value):
            yield value, "()"
        case ast.Return(value=ast.DictComp() as value):
            yield value, "{}"
        case _:
            return


def _without_case(node: ast.AST) -> Iterator[Change]:
    """A `case` is never taken, unless it is the one that takes everything."""
    if isinstance(node, ast.Match):
        for case in node.cases:
            if not (isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None) and case.guard is None:
                yield case.pattern, f"{ast.unparse(case.pattern)} if False"
            if case.guard is not None:
                yield case.guard, "True"
                yield case.guard, "False"


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            yield body


OPERATORS: dict[str, Callable[[ast.AST], Iterator[Change]]] = {
    "negate a condition": _negated,
    "and for or": _and_or,
    "drop an operand": _without_operand,
    "drop a statement": _without_statement,
    "one side of a join": _one_side,
    "another constant": _other_constant,
    "return early": _returning_early,
    "drop an element": _without_element,
    "swap arguments": _swapped_arguments,
    "another comparison": _other_comparison,
    "nothing returned": _emptied,
    "drop a case": _without_case,
}


# Sets: changes that must be noticed everywhere


@dataclass(frozen=True, slots=True)
class SetMutant:
    """A change of all that a function gives: what is put after it in its module, and how many tests must fail.

    `definition` is how its `def` begins, which is found wherever it stands.
    """

    name: str
    definition: str
    text: str
    least: int


def _of_reports(name: str, one: str, least: int) -> SetMutant:
    """A change of each finding `d`, which becomes those in `one`."""
    text = f"""

_report_before = report


def report(*given):
    from dataclasses import replace

    return Report(tuple(new for d in _report_before(*given).diagnostics for new in [{one}]))
"""
    return SetMutant(name, "def report(\n    module: Module", text, least)


SETS = (
    _of_reports("every message's case swapped", "replace(d, message=d.message.swapcase())", 300),
    _of_reports("every range one character longer", "replace(d, range=d.range._replace(end=d.range.end + 1))", 300),
    _of_reports("each finding told twice", "d, d", 300),
    _of_reports("no related places", "replace(d, related=())", 200),
    _of_reports("no fixes", "replace(d, fixes=())", 200),
    SetMutant(
        "values are joined to the first", "def join(left: Value", "\n\ndef join(left, right):\n    return left\n", 100
    ),
    SetMutant(
        "staged values are joined to the first",
        "def join_staged(left",
        "\n\ndef join_staged(left, right):\n    return left\n",
        100,
    ),
    SetMutant(
        "states are joined to the first",
        "def joined(states",
        "\n\ndef joined(states, how=join):\n    return next((state.fork() for state in states), None)\n",
        50,
    ),
)
