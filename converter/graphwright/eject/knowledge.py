"""What the analysis knows of one function under assumptions: the value of each expression, what is staged.

Nothing of the user's is run. How the function is rewritten isn't decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import gast
from graphwright_analysis import Project, Settings
from graphwright_analysis.text import LineIndex
from graphwright_analysis.tracing.facts import OperationRefused, StagedBranch, StagedCondition, StagedLoop
from graphwright_analysis.values.domain import UNKNOWN, Dataset, Object, Tensor, Value, Variable, dtype_of

from graphwright.eject import assuming, mixed_values
from graphwright.eject.observations import FunctionObservations, facts_of, moved
from graphwright.errors import ConversionError
from graphwright.passes.unit import walk
from graphwright.pipeline import FunctionSource

if TYPE_CHECKING:
    from graphwright_analysis.syntax.block import Block, Module
    from graphwright_analysis.tracing.facts.operations import Operand

WITH_SIGNATURE = "pass `signature=[tf.TensorSpec(...)]`"
"""What to do where nothing is known of a parameter, for whoever calls `to_code`."""

_PATH = "ejected.py"
_GIVEN = "parameters given.py"


@dataclass(frozen=True, slots=True)
class FunctionSurroundings:
    """What stands around a function: the text of its file, and statements that say what is known besides.

    `tensorflow` is the file's name for TensorFlow, `operators` those for Graphwright.
    """

    text: str = ""
    bindings: str = ""
    tensorflow: str = "tf"
    operators: frozenset[str] = frozenset()
    imported: bool = True
    receiver: str = ""
    """The expression for what a method is bound to, where `bindings` make one."""

    memory: Project | None = field(default=None, compare=False, repr=False)
    """What is remembered of the file from one function to the next, by whoever asks for several, in one thread."""


@dataclass(frozen=True, slots=True)
class FunctionKnowledge:
    """A function, and what the analysis has found out about it.

    `source` is a copy whose nodes are those of `values`; `staged` are the facts by the place of a test or iterable.
    """

    source: FunctionSource
    values: Mapping[gast.AST, Value]
    staged: Mapping[tuple[int, int], StagedBranch | StagedLoop]
    functions: Mapping[str, FunctionSource]
    elsewhere: tuple[tuple[str, str, int], ...]
    """What else is staged when the function is called: the function or class at the top level, the method, the line."""

    seeds: Mapping[tuple[int, int], str]
    """Where a number stands that would have to be of a dtype, and which that is."""

    visits: tuple[StagedBranch | StagedLoop, ...]
    """Every fact, those of earlier iterations of a loop that Python runs included."""

    seen: FunctionObservations | None = None
    """What a trace has shown of it, by the nodes of `source`."""

    def value(self, node: gast.AST) -> Value:
        return self.values.get(node, UNKNOWN)

    def is_unreached(self, node: gast.AST) -> bool:
        """Whether a trace has shown that the function doesn't come to an expression with such arguments."""
        if self.seen is None:
            return False
        watched = [part for part in walk(node) if part in self.seen.watched]
        return bool(watched) and not any(part in self.seen.values for part in watched)


def with_observations(known: FunctionKnowledge, seen: FunctionObservations) -> FunctionKnowledge:
    """The same where a trace has shown more: what it has shown is so."""
    seen = moved(seen, known.source.node)
    values = {**known.values, **{node: value for node, value in seen.values.items() if value != UNKNOWN}}
    values |= _lists_that_are_set(known.source.node, values, seen)
    staged = dict(known.staged)
    constructs: list[gast.AST] = []
    for construct in walk(known.source.node):
        header: Any = _header_of(construct)
        if header is None:
            continue
        span = _span(known.source.text, header)
        value = values.get(header)
        if isinstance(value, (Tensor, Variable, Dataset)) or isinstance(header, gast.Constant):
            fact = facts_of(seen, construct, cast(Any, None))
            if fact is not None and known.source.text[slice(*span)] == assuming.TRUE:
                staged.setdefault(span, fact)
            if fact is not None and (fact.names or span not in staged) and (fact.names or value is not None):
                staged[span] = fact
            constructs.append(construct)
        elif header in seen.values and value is not None:
            staged.pop(span, None)
    values = mixed_values.settled(known.source.node, values, constructs)
    return replace(known, values=values, staged=staged, visits=tuple(staged.values()), seen=seen)


def _lists_that_are_set(
    function: gast.AST, values: Mapping[gast.AST, Value], seen: FunctionObservations
) -> dict[gast.AST, Value]:
    """The names that hold nothing but lists, where an item is set, which a trace doesn't show."""
    given: dict[str, list[Value]] = {}
    parts = walk(function)
    for part in parts:
        for target in part.targets if isinstance(part, gast.Assign) else ():
            if isinstance(target, gast.Name):
                given.setdefault(target.id, []).append(seen.values.get(part.value, UNKNOWN))
    lists = {
        name: held[0] for name, held in given.items() if all(isinstance(v, Object) and v.kind == "list" for v in held)
    }
    owners = [part.value for part in parts if isinstance(part, gast.Subscript) and isinstance(part.value, gast.Name)]
    return {
        owner: lists[owner.id]
        for owner in owners
        if owner.id in lists and owner not in seen.values and isinstance(values.get(owner), Tensor)
    }


def _header_of(construct: gast.AST) -> Any:
    return (
        construct.iter
        if isinstance(construct, gast.For)
        else construct.test
        if isinstance(construct, (gast.While, gast.If))
        else None
    )


def _span(text: str, node: gast.expr) -> tuple[int, int]:
    offset = LineIndex(text).offset_of_utf8
    return offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)


def surroundings_of(text: str, bindings: str = "", memory: Project | None = None) -> FunctionSurroundings:
    """What can be seen in the text of a file."""
    found = _TENSORFLOW.search(text)
    tensorflow = (found.group(1) or "tensorflow") if found else "tf"
    operators = frozenset(match.group(1) or "graphwright" for match in _GRAPHWRIGHT.finditer(text))
    return FunctionSurroundings(text, bindings, tensorflow, operators, found is not None, memory=memory)


def parameters_given(source: FunctionSource, around: FunctionSurroundings) -> dict[str, Value]:
    """What callers in the file, annotations, defaults and input signatures say of a function's parameters."""
    whole = assuming.PRELUDE + _without_decorators_of(around.text, around.operators)
    project = _project(whole, _GIVEN, around.memory)
    module, values = project.module(_GIVEN), project.trace(_GIVEN).values
    name: str = getattr(source.node, "name", "")
    line = source.first_line + getattr(source.node, "lineno", 1)
    for block in module.blocks:
        for statement in block.statements:
            for node in gast.walk(statement):
                if (
                    isinstance(node, gast.FunctionDef)
                    and getattr(node, "name", "") == name
                    and _line_of(module, block, node) == line
                ):
                    return {p.id: values.get(p, UNKNOWN) for p in assuming.parameters_in(node)}
    return {}


def known_of(source: FunctionSource, around: FunctionSurroundings, values: Mapping[str, Value]) -> FunctionKnowledge:
    """Have the analysis look at a copy of the function that is called with such values."""
    name: str = getattr(source.node, "name", "_lambda")
    copy = copy_of(source, name)
    bindings = "".join(assuming.operators_of(alias) for alias in sorted(around.operators)) + around.bindings
    head = "\n".join([assuming.PRELUDE + _without_decorators_of(around.text, around.operators), bindings])
    whole = f"{head}\n{copy}\n{assuming.call_of(name, source.node, values, around.receiver)}"
    # The tree of a copy in which `True` was put back isn't what its text says, and is of no use again.
    project = _project(whole, _PATH, around.memory if assuming.TRUE not in copy else None)
    start = len(head) + 1
    if _copy_in(project.module(_PATH), start + len(copy)).origin is not None:
        # Its tree would be that of a text with other comments: without the copy between, it is parsed.
        _project(head, _PATH, project).module(_PATH)
        _project(whole, _PATH, project)
    module, trace = project.module(_PATH), project.trace(_PATH)
    block = _copy_in(module, start + len(copy))
    node = function_in(block.statements, name)
    for part in gast.walk(node) if node is not None else ():
        _say_true(part)
    if node is None or block.problems:
        raise ConversionError("the analysis can't read its source", line=1)
    lines = module.text.count("\n", start, module.start_of(block))
    moved = replace(source, text=block.text, node=node, first_line=source.first_line + lines)
    # The last statement is the call; other starts call the function with what nobody assumes.
    called = trace.starts[len(module.blocks) - 1]
    facts = trace.facts_of(called)
    visits = [fact for fact in facts if isinstance(fact, (StagedBranch, StagedLoop)) and fact.place.block is block]
    staged = {(fact.place.range.start, fact.place.range.end): fact for fact in visits}
    return FunctionKnowledge(
        moved,
        trace.values_of(called),
        staged,
        _functions_in(module, source),
        _elsewhere(module, facts, block),
        _seeds_in(facts, block),
        tuple(visits),
    )


def _copy_in(module: Module, end: int) -> Block:
    """The block of the function that ends at an offset."""
    return module.blocks[max(n for n, offset in enumerate(module.starts) if offset <= end - 2)]


def _say_true(node: gast.AST) -> None:
    """Put `True` back where the analysis was told of a condition."""
    if isinstance(node, gast.While) and isinstance(node.test, gast.Name) and node.test.id == assuming.TRUE:
        test: Any = gast.Constant(True, None)
        for field in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            setattr(test, field, getattr(node.test, field))
        node.test = test


def _project(text: str, path: str, memory: Project | None) -> Project:
    project = Project(None, Settings()) if memory is None else memory
    project.set_text(path, text)
    return project


def copy_of(source: FunctionSource, name: str) -> str:
    """The function's text without its decorators, each node where it was; a lambda gets a name."""
    node: Any = source.node
    if isinstance(node, gast.Lambda):
        return f"{name} = {source.text.strip()}"
    lines = source.text.splitlines()
    for decorator in node.decorator_list:
        for number in range(decorator.lineno - 1, node.lineno - 1):
            lines[number] = ""
    return "\n".join(lines)


def function_in(statements: Any, name: str) -> Any:
    for statement in statements:
        if isinstance(statement, gast.If):
            return function_in(statement.body, name)
        if isinstance(statement, gast.FunctionDef) and statement.name == name:
            return statement
        if isinstance(statement, gast.Assign) and name == "_lambda":
            return statement.value
    return None


def _functions_in(module: Module, source: FunctionSource) -> dict[str, FunctionSource]:
    """The functions at the top level of the file that nothing decorates."""
    found: dict[str, FunctionSource] = {}
    for number, block in enumerate(module.blocks):
        for statement in block.statements:
            if (
                isinstance(statement, gast.FunctionDef)
                and not statement.decorator_list
                and statement.name != assuming.CALL
            ):
                line = module.text.count("\n", 0, module.starts[number])
                found[statement.name] = replace(
                    source, text=block.text, node=statement, first_line=line, class_name=None
                )
    return found


def _elsewhere(module: Module, facts: Iterable[Any], own: Block) -> tuple[tuple[str, str, int], ...]:
    found: dict[tuple[str, str, int], None] = {}
    for fact in facts:
        if not isinstance(fact, (StagedCondition, StagedLoop)) or fact.place.block not in module.blocks:
            continue
        block: Any = fact.place.block
        start, line = fact.place.range.start, 0
        around = [
            part
            for statement in block.statements
            for part in gast.walk(statement)
            if isinstance(part, (gast.FunctionDef, gast.ClassDef))
            and block.range_of(part).contains(start)
            and not _is_function_of_tensorflow(part)
        ]
        if around and (block is not own or any(isinstance(part, gast.ClassDef) for part in around)):
            names: list[Any] = around
            line = _line_of(module, block, names[-1]) - 1
            found[names[0].name, ".".join(part.name for part in names), line] = None
    return tuple(found)


def _line_of(module: Module, block: Block, node: gast.AST) -> int:
    """The line of a file that a node begins on, the first being 1."""
    return module.lines.line_of(module.range_of(block, node).start) + 1


def _is_function_of_tensorflow(node: Any) -> bool:
    """Whether TensorFlow converts a function by itself."""
    return any(gast.unparse(part).split("(")[0].endswith("function") for part in node.decorator_list)


def _seeds_in(facts: Iterable[Any], block: Block) -> dict[tuple[int, int], str]:
    """The numbers that operations are refused for, since they became tensors of another dtype by themselves."""
    found: dict[tuple[int, int], str] = {}
    for fact in facts:
        if not isinstance(fact, OperationRefused) or fact.kind != "dtype" or fact.second is None:
            continue
        for operand, other in ((fact.first, fact.second), (fact.second, fact.first)):
            bound, dtype = operand.bound, dtype_of(other.value)
            if bound is None or bound.value is None or bound.block is not block or dtype is None:
                continue
            text = block.text[bound.value.start : bound.value.end]
            if (
                _NUMBER.fullmatch(text)
                and ("." not in text or dtype.startswith("float"))
                and _is_default(text, operand)
            ):
                found[bound.value.start, bound.value.end] = dtype
    return found


def _is_default(text: str, operand: Operand) -> bool:
    return dtype_of(operand.value) == ("float32" if "." in text or "e" in text else "int32")


_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:e-?\d+)?")


def _without_decorators_of(text: str, operators: frozenset[str]) -> str:
    """The text with Graphwright's decorators blanked out, which change nothing of what is given to a function."""
    names = "|".join(sorted(operators | {"graphwright"}))
    decorator = re.compile(rf"^([ \t]*)@(?:{names})\.(?:convert|function)\b.*$", re.MULTILINE)
    return decorator.sub("", text)


_TENSORFLOW = re.compile(r"^[ \t]*import tensorflow(?: as (\w+))?[ \t]*(?:#.*)?$", re.MULTILINE)
_GRAPHWRIGHT = re.compile(r"^[ \t]*import graphwright(?: as (\w+))?[ \t]*(?:#.*)?$", re.MULTILINE)
