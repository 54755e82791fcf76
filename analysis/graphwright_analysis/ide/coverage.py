"""How much of traced functions is analyzed, and what is known of the names in them.

The traced functions are also determined from the text, so that functions which the analysis doesn't see are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

import gast

from graphwright_analysis.checking import cut_runs
from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.reports import CutRun
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Trace
from graphwright_analysis.tracing.facts import TracedMade
from graphwright_analysis.values.domain import (
    Api,
    Array,
    Class,
    Composite,
    Constant,
    KerasTensor,
    Tensor,
    Unknown,
    Value,
    Variable,
)
from graphwright_analysis.values.lineage import lineage

from .nodes import name_span


class Knowledge(Enum):
    """How much is known of a name, in descending order."""

    SHAPED = "shaped"
    TYPED = "typed"
    TENSOR = "tensor"
    PYTHON = "python"
    UNKNOWN = "unknown"
    NEVER = "never"


class Status(Enum):
    """How much of a function is analyzed."""

    FOLLOWED = "followed"
    PARTLY = "partly"
    NOT_ENTERED = "not entered"


@immutable
class Reason:
    """Why code isn't analyzed, at a place of the function's file.

    `decided` is True if Python never runs it there, as far as is known; then nothing is missed.
    """

    range: Range
    why: str
    decided: bool = False


TracedAs = Literal["traced", "keras", "called"]
"""Traced by its own `tf.function`, by Keras, or because a traced function calls it."""


@immutable
class FunctionCoverage:
    """A traced function; `range` is that of its name, `kind` says what traces it."""

    range: Range
    name: str
    kind: TracedAs
    status: Status
    reasons: tuple[Reason, ...]
    names: Mapping[Knowledge, int]

    @property
    def blind(self) -> tuple[Reason, ...]:
        """The reasons why findings may be missing."""
        return tuple(reason for reason in self.reasons if not reason.decided)


def knowledge_of(value: Value) -> Knowledge:
    match value:
        case Tensor() | Variable() | Array() | Composite() | KerasTensor():
            shape = () if isinstance(value, Composite) else value.shape
            if value.dtype is None:
                return Knowledge.TENSOR
            return Knowledge.TYPED if shape is None else Knowledge.SHAPED
        case Unknown():
            return Knowledge.TENSOR if value.likely else Knowledge.UNKNOWN
        case _:
            return Knowledge.PYTHON


def file_coverage(project: Project, path: str) -> tuple[FunctionCoverage, ...]:
    """The traced functions of one file, as its own run and those of the files that use it see them."""
    survey = Survey(project)
    survey.see(path, project.trace_with_callers(path))
    return tuple(survey.functions(path))


def file_cuts(project: Project, path: str) -> tuple[CutRun, ...]:
    """The code of one file that is analyzed only in part; calls from other files are not assumed."""
    return cut_runs(project.module(path), project.trace_with_callers(path))


def file_shortened(project: Project, path: str) -> Set[str]:
    """The functions of other files that the calls in a file followed only in part."""
    return project.trace_with_callers(path).shortened


def shortened_words(names: Set[str]) -> str:
    """Return one line on the functions of other files that are followed only in part."""
    if not names:
        return ""
    first = [f"`{name}`" for name in sorted(names)[:_SHOWN_NAMES]]
    more = [f"{len(names) - _SHOWN_NAMES} more"] if len(names) > _SHOWN_NAMES else []
    return f"calls into other files that take too many steps are analyzed only in part: {', '.join([*first, *more])}"


_SHOWN_NAMES = 3


@dataclass(slots=True)
class Survey:
    """What the runs of files saw of each other's functions; query it after adding all of them."""

    project: Project
    known: dict[gast.AST, Knowledge] = field(default_factory=dict[gast.AST, Knowledge])
    truths: dict[gast.AST, bool | None] = field(default_factory=dict[gast.AST, "bool | None"])
    """The outcomes of conditions, if Python decides them; None if an outcome varies."""
    visited: set[gast.AST] = field(default_factory=set[gast.AST])
    in_graph: set[gast.AST] = field(default_factory=set[gast.AST])
    made: set[tuple[Block, Range]] = field(default_factory=set["tuple[Block, Range]"])
    """The functions to which something that traces is applied."""
    keras: dict[gast.AST, str] = field(default_factory=dict[gast.AST, str])
    """The Keras base class of each class that has one."""
    cut_short: set[str] = field(default_factory=set[str])
    cut: dict[str, tuple[CutRun, ...]] = field(default_factory=dict[str, "tuple[CutRun, ...]"])
    shortened: dict[str, Set[str]] = field(default_factory=dict[str, "Set[str]"])
    """For each file, the functions of other files that its calls followed only in part."""

    def add(self, path: str) -> None:
        """Add what the run of a file saw of its own and of others' functions."""
        self.project.sources.pin(path)
        self.see(path, self.project.trace(path))

    def see(self, path: str, trace: Trace) -> None:
        """Add what such a run saw."""
        for stretch in trace.stretches:
            self.visited |= stretch.visited
            self.in_graph |= stretch.in_graph
            for node, value in stretch.values.items():
                self._look(node, value)
        for fact in trace.facts:
            if isinstance(fact, TracedMade) and fact.decorated:
                self.made.add((fact.statement.block, fact.statement.range))
        if not trace.complete:
            self.cut_short.add(path)
        self.cut[path] = cut_runs(self.project.module(path), trace)
        self.shortened[path] = trace.shortened

    def functions(self, path: str) -> Iterator[FunctionCoverage]:
        """The traced functions of a file, in the order of the text."""
        module = self.project.module(path)
        for block in module.blocks:
            start = module.start_of(block)
            for function in _functions(block):
                kind = self._kind(block, function)
                if kind is not None:
                    names = Counter(self.known.get(name, Knowledge.NEVER) for name in _names(function.node))
                    found = self._reasons(path, block, function, names)
                    why_not = [Reason(block.range_of(node).shifted(start), why, why in _DECIDED) for node, why in found]
                    reasons = _one_a_line(module, why_not)
                    status = self._status(function.node, names)
                    range = name_span(block, function.node).shifted(start)
                    yield FunctionCoverage(range, function.name, kind, status, reasons, names)

    def _look(self, node: gast.AST, value: Value) -> None:
        if isinstance(node, gast.Name):
            found, before = knowledge_of(value), self.known.get(node, Knowledge.NEVER)
            self.known[node] = min(found, before, key=_ORDER.__getitem__)
        if isinstance(value, Constant) or node in self.truths:
            truth = bool(value.value) if isinstance(value, Constant) else None
            self.truths[node] = truth if self.truths.get(node, truth) == truth else None
        if isinstance(value, Class) and value.node not in self.keras:
            base = next((base.name for base in lineage(value) if isinstance(base, Api)), "")
            if base.startswith("tf.keras."):
                self.keras[value.node] = base

    def _kind(self, block: Block, function: _FunctionDefinition) -> TracedAs | None:
        node = function.node
        if (block, block.range_of(node)) in self.made or any(map(_is_tracing, node.decorator_list)):
            return "traced"
        if function.class_ is not None and node.name in _KERAS_METHODS.get(self._keras_kind(function.class_), ()):
            return "keras"
        if node in self.in_graph:
            return "called"
        around = None if function.around is None else self._kind(block, function.around)
        return "called" if around is not None else None

    def _keras_kind(self, class_: gast.ClassDef) -> str:
        """The kind of a Keras class, by its base classes or, if these are unknown, by how they are written."""
        bases = [self.keras.get(class_, "")] if class_ in self.keras else [gast.unparse(base) for base in class_.bases]
        last = [base.strip().rpartition(".")[2] for base in bases]
        return next(
            (kind for base in last for kind in _KERAS_METHODS if base.endswith(kind)),
            "Layer" if class_ in self.keras else "",
        )

    def _status(self, node: gast.FunctionDef, names: Mapping[Knowledge, int]) -> Status:
        if node not in self.visited:
            return Status.NOT_ENTERED
        return Status.PARTLY if names.get(Knowledge.NEVER) else Status.FOLLOWED

    def _reasons(
        self, path: str, block: Block, function: _FunctionDefinition, names: Mapping[Knowledge, int]
    ) -> Iterator[tuple[gast.AST, str]]:
        if function.node in self.visited:
            found = _missing(function.node.body, self.known)
            for node, parent, before in found if names.get(Knowledge.NEVER) else ():
                yield node, _SYNTAX if block.is_broken(node) else self._why_missing(path, node, parent, before)
        elif function.around is not None:
            yield function.node, f"not called where `{function.around.node.name}` defines it"
        elif path in self.cut_short:
            yield function.node, "the file's step limit was reached before it"
        elif function.class_ is not None:
            yield function.node, f"not called in the analyzed code, and no `{function.class_.name}` could be created"
        else:
            yield function.node, "not called in the analyzed code"

    def _why_missing(self, path: str, node: gast.AST, parent: gast.AST | None, before: gast.stmt | None) -> str:
        if isinstance(parent, (gast.If, gast.While, gast.IfExp)):
            truth = self.truths.get(parent.test)
            if truth is not None:
                return _TRUE if truth else _FALSE
        if isinstance(parent, gast.ExceptHandler):
            return _HANDLER
        if before is not None and not _goes_on(before, self.truths):
            return _BEHIND_END
        if path in self.cut_short:
            return "its step limit was reached before this"
        if isinstance(node, (gast.FunctionDef, gast.Lambda)):
            return "not called in the analyzed code"
        return "unreachable in the analyzed calls"


_TRUE = "its condition is true in all analyzed calls"
_FALSE = "its condition is false in all analyzed calls"
_HANDLER = "runs only after an exception"
_BEHIND_END = "the code before it never continues"
_SYNTAX = "syntax error"
_DECIDED = frozenset({_TRUE, _FALSE, _HANDLER, _BEHIND_END})


def coverage_words(functions: Sequence[FunctionCoverage]) -> str:
    """Return one line on how much of a file's traced functions is analyzed and known."""
    if not functions:
        return ""
    names: Counter[Knowledge] = Counter()
    for function in functions:
        names.update(function.names)
    followed = sum(not function.blind for function in functions)
    shaped, total = names[Knowledge.SHAPED], sum(names.values())
    known = f"; dtype and rank known for {100 * shaped // total}% of their names" if total else ""
    return f"{followed} of {len(functions)} traced functions analyzed{known}"


def _one_a_line(module: Module, found: Sequence[Reason]) -> tuple[Reason, ...]:
    """The reasons in the order of the text, without repetitions on a line."""
    told = {(module.lines.line_of(reason.range.start), reason.why): reason for reason in reversed(found)}
    return tuple(sorted(told.values(), key=lambda reason: reason.range))


_ORDER = {knowledge: position for position, knowledge in enumerate(Knowledge)}

_KERAS_METHODS = {
    "Model": ("call", "train_step", "test_step", "predict_step", "compute_loss", "compute_metrics"),
    "Layer": ("call", "train_step", "test_step", "predict_step"),
    "Loss": ("call",),
    "Metric": ("update_state", "result"),
    "LearningRateSchedule": ("__call__",),
}
"""The methods that Keras calls while it traces, by the end of the base class's name."""


@immutable
class _FunctionDefinition:
    node: gast.FunctionDef
    name: str
    class_: gast.ClassDef | None
    around: _FunctionDefinition | None


def _functions(block: Block) -> Iterator[_FunctionDefinition]:
    """The functions and methods of a block, outer ones first."""
    pending: list[tuple[gast.AST, str, gast.ClassDef | None, _FunctionDefinition | None]] = [
        (statement, "", None, None) for statement in reversed(block.statements)
    ]
    while pending:
        node, prefix, class_, around = pending.pop()
        if isinstance(node, gast.FunctionDef):
            around = _FunctionDefinition(node, prefix + node.name, class_, around)
            yield around
            prefix, class_ = f"{prefix}{node.name}.", None
        elif isinstance(node, gast.ClassDef):
            prefix, class_ = f"{prefix}{node.name}.", node
        inside = [child for child in gast.iter_child_nodes(node) if isinstance(child, (gast.stmt, gast.ExceptHandler))]
        pending += [(child, prefix, class_, around) for child in reversed(inside)]


def _is_tracing(decorator: gast.expr) -> bool:
    """True if a decorator is written as one that traces."""
    written = decorator.func if isinstance(decorator, gast.Call) else decorator
    if isinstance(decorator, gast.Call) and gast.unparse(written).strip().endswith("partial") and decorator.args:
        written = decorator.args[0]
    return gast.unparse(written).strip() in (
        "tf.function",
        "tensorflow.function",
        "gw.function",
        "tf.compat.v2.function",
    )


def _names(function: gast.FunctionDef) -> Iterator[gast.Name]:
    """The names that are evaluated or bound in a function itself."""
    arguments = function.args
    several = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    yield from (each for each in several if isinstance(each, gast.Name))
    for statement in function.body:
        yield from _names_in(statement)


def _names_in(node: gast.AST) -> Iterator[gast.Name]:
    pending: list[gast.AST] = [node]
    while pending:
        each = pending.pop()
        if isinstance(each, gast.Name):
            yield each
        elif not isinstance(each, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            annotation = each.annotation if isinstance(each, gast.AnnAssign) else None
            pending += [child for child in gast.iter_child_nodes(each) if child is not annotation]


Missing = tuple[gast.AST, "gast.AST | None", "gast.stmt | None"]


def _missing(body: Sequence[gast.stmt], known: Mapping[gast.AST, Knowledge]) -> Iterator[Missing]:
    """The outermost code without any evaluated name, with its parent and the statement before it."""
    pending: list[Missing] = [(each, None, before) for each, before in _in_a_row(body)]
    while pending:
        node, parent, before = pending.pop(0)
        names = [*_names_in(node)]
        if not names or all(name in known for name in names):
            continue
        if not any(name in known for name in names):
            yield node, parent, before
            continue
        inside = [child for child in gast.iter_child_nodes(node) if not isinstance(child, gast.stmt)]
        pending += [(child, node, None) for child in inside]
        for field_name in ("body", "orelse", "finalbody"):
            statements: list[gast.stmt] = getattr(node, field_name, [])
            if not isinstance(node, (gast.Lambda, gast.IfExp)):
                pending += [(each, node, earlier) for each, earlier in _in_a_row(statements)]


def _in_a_row(body: Sequence[gast.stmt]) -> Iterable[tuple[gast.stmt, gast.stmt | None]]:
    return zip(body, (None, *body), strict=False)


def _goes_on(statement: gast.stmt, truths: Mapping[gast.AST, bool | None]) -> bool:
    """True if the code after a statement may run, by the kind of statement and the outcome of its condition."""
    if isinstance(statement, gast.If):
        truth = truths.get(statement.test)
        sides = [body for body, taken in ((statement.body, True), (statement.orelse, False)) if truth in (None, taken)]
        return any(_ends_open(side, truths) for side in sides)
    return not isinstance(statement, (gast.Return, gast.Raise, gast.Break, gast.Continue))


def _ends_open(body: Sequence[gast.stmt], truths: Mapping[gast.AST, bool | None]) -> bool:
    return not body or _goes_on(body[-1], truths)
