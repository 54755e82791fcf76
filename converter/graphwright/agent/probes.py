"""Puts probes into a function's source, which record the value of a name after each line that assigns it.

In a graph a probe is an operation, so that the values are those of the graph's run; in code that XLA compiles, where no
such operation can run, the values outside of branches and loops are returned next to the result.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from .snapshots import copied

PROBE, RETURNED = "graphwright_probe", "graphwright_returned"
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

Key = tuple[int, str, str]
"""A line, from 1; the name; "" or "after" for what a branch or loop has left."""


@dataclass
class ProbeRecorder:
    """What the probes of a function have seen, in order; with `as_results`, tensors that are still to be returned."""

    tf: Any
    as_results: bool = False
    seen: list[tuple[Key, Any]] = field(default_factory=list[tuple[Key, Any]])
    pending: list[tuple[Key, Any]] = field(default_factory=list[tuple[Key, Any]])
    graph: Any = None

    def names(self) -> dict[str, Any]:
        """What the probed source calls."""
        unconverted = self.tf.autograph.experimental.do_not_convert

        def probe(line: int, name: str, when: str, value: Any) -> None:
            self._record((line, name, when), value)

        def returned(line: int, value: Any) -> Any:
            self._record((line, "the result", ""), value)
            return value

        return {PROBE: unconverted(probe), RETURNED: unconverted(returned)}

    def returning(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """A function that also returns what was recorded."""

        def function(*args: Any, **kwargs: Any) -> Any:
            self.graph, self.pending = self.tf.compat.v1.get_default_graph(), []
            value = call(*args, **kwargs)
            return value, [each for _, each in self.pending]

        return function

    def take(self, values: list[Any]) -> None:
        """Note the values of what was pending."""
        self.seen += [(key, copied(value, self.tf)) for (key, _), value in zip(self.pending, values, strict=True)]

    def _record(self, key: Key, value: Any) -> None:
        tf = self.tf
        if tf.executing_eagerly():
            if _can_be_compared(value, tf):
                self.seen.append((key, copied(value, tf)))
            return
        if not _can_be_compared(value, tf):
            return
        if self.as_results:
            if tf.compat.v1.get_default_graph() is self.graph:
                self.pending.append((key, value))
            return
        leaves = [tf.convert_to_tensor(each) for each in tf.nest.flatten(value)]

        def note(*found: Any) -> None:
            self.seen.append((key, copied(tf.nest.pack_sequence_as(value, list(found)), tf)))

        tf.py_function(note, leaves, [])


def _can_be_compared(value: Any, tf: Any) -> bool:
    leaves: list[Any] = tf.nest.flatten(value)
    kinds = (bool, int, float, str)
    return bool(leaves) and all(
        isinstance(leaf, (*kinds, tf.Variable)) or ((tf.is_tensor(leaf) and hasattr(leaf, "op")) or _is_eager(leaf, tf))
        for leaf in leaves
    )


def _is_eager(leaf: Any, tf: Any) -> bool:
    return tf.is_tensor(leaf) and hasattr(leaf, "numpy") and leaf.dtype not in (tf.variant, tf.resource)


def source_with_probes(function: types.FunctionType, after_blocks: bool) -> str:
    """The function's source with a probe after each assignment, and if asked for after branches and loops."""
    lines, first = inspect.getsourcelines(function.__code__)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    node = cast("ast.FunctionDef", tree.body[0])
    node.decorator_list = []
    node.returns = None
    parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    for parameter in parameters:
        parameter.annotation = None
    node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    node.args.kw_defaults = [each and ast.Constant(None) for each in node.args.kw_defaults]
    writer = _ProbeWriter(first - 1, after_blocks)
    if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
        node.body = node.body[1:] or [ast.Pass()]
    node.body = writer.block(node.body, {each.arg for each in parameters})
    return ast.unparse(ast.fix_missing_locations(tree))


@dataclass(frozen=True)
class _ProbeWriter:
    """Writes probes; `shift` is what is added to the lines of the parsed text."""

    shift: int
    after_blocks: bool

    def block(self, statements: list[ast.stmt], bound: set[str]) -> list[ast.stmt]:
        """The statements of a block with their probes; `bound` are the names that surely have a value."""
        return [each for statement in statements for each in self._statement(statement, bound)]

    def _statement(self, statement: ast.stmt, bound: set[str]) -> Iterator[ast.stmt]:
        if isinstance(statement, ast.Return) and statement.value is not None:
            line = ast.Constant(statement.lineno + self.shift)
            statement.value = ast.Call(ast.Name(RETURNED, ast.Load()), [line, statement.value], [])
            yield statement
            return
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            yield statement
            if getattr(statement, "value", None) is not None:
                yield from self._probes(statement, "", _targets(statement), bound)
            return
        if isinstance(statement, _NESTED):
            bound.add(getattr(statement, "name", ""))
            yield statement
            return
        before = set(bound)
        self._inner(statement, bound)
        yield statement
        if self.after_blocks and isinstance(statement, (ast.If, ast.For, ast.While)):
            changed = [name for name in _assigned(statement) if name in before]
            names: list[ast.expr] = [ast.Name(name, ast.Store()) for name in changed]
            yield from self._probes(statement, "after", names, set())

    def _inner(self, statement: ast.stmt, bound: set[str]) -> None:
        """Put probes into the blocks of a statement."""
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(statement, name, None)
            if inner:
                known = set(bound)
                start: list[ast.stmt] = []
                if isinstance(statement, ast.For) and name == "body":
                    start = [*self._probes(statement, "", _targets(statement), known)]
                setattr(statement, name, [*start, *self.block(inner, known)])
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            part.body = self.block(part.body, set(bound))

    def _probes(self, statement: ast.stmt, when: str, targets: list[ast.expr], bound: set[str]) -> Iterator[ast.stmt]:
        for target in targets:
            if isinstance(target, ast.Name):
                bound.add(target.id)
            text = ast.unparse(target)
            value = ast.parse(text, mode="eval").body
            arguments = [ast.Constant(statement.lineno + self.shift), ast.Constant(text), ast.Constant(when), value]
            yield ast.Expr(ast.Call(ast.Name(PROBE, ast.Load()), arguments, []))


def _targets(statement: Any) -> list[ast.expr]:
    """The names that a statement assigns, and the attributes and items that can be read again without a call."""
    pending: list[Any] = list(statement.targets) if isinstance(statement, ast.Assign) else [statement.target]
    found: list[ast.expr] = []
    while pending:
        target = pending.pop(0)
        if isinstance(target, (ast.Tuple, ast.List)):
            pending[:0] = target.elts
        elif isinstance(target, ast.Starred):
            pending.insert(0, target.value)
        elif not any(isinstance(part, (ast.Call, ast.NamedExpr, ast.Slice)) for part in ast.walk(target)):
            found.append(target)
    return found


def _assigned(statement: ast.stmt) -> list[str]:
    """The local names that are assigned somewhere in a statement."""
    found = dict[str, None]()
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        if not isinstance(node, (*_NESTED, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            pending += ast.iter_child_nodes(node)
    return list(found)
