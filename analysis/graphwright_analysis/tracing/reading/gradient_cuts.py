"""Where the gradient of a result surely ends: at a function that has none, on each way from the result to a variable.

By the expressions of the code and the values that they had; whatever isn't known to end a gradient passes it on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import gast

from graphwright_analysis.flow import Reaching, build_cfg, reaching
from graphwright_analysis.flow.tree import bodies_below, parameters_of, walk
from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block
from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.recordings import stretches
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Api,
    ApiInstance,
    Array,
    Bound,
    Constant,
    DType,
    Function,
    Method,
    Scalar,
    Tensor,
    Value,
)
from graphwright_analysis.values.tensorflow import functions


@immutable
class Cut:
    """An operation that ends a gradient, and where it is."""

    place: Place
    operation: str
    result: Value = UNKNOWN
    """What it gives, if that is what ends the gradient: integers, or an array of NumPy's."""


class Open(Enum):
    """What becomes of a gradient that nothing ends."""

    PASSES = 1
    """It may go on to a variable."""
    CONSTANT = 2
    """There is none: the value depends on no variable."""


PASSES: Final = Open.PASSES
CONSTANT: Final = Open.CONSTANT
Way = Cut | Open
_DEEPEST = 3

_WITHOUT_GRADIENT = frozenset(
    {
        "round", "floor", "ceil", "rint", "one_hot", "floordiv", "floor_divide", "histogram_fixed_width",
    }
)  # fmt: skip
"""The functions that give floats and have no gradient, by the last part of their names."""
_CONSTANTS = frozenset({"tf.keras.backend.epsilon", "tf.keras.config.epsilon"})
_OF_NUMBERS = frozenset({"abs", "sum", "min", "max"})
_STATIC = frozenset({"shape", "dtype", "ndim"})


def of_function(run: Run, function: Function, given: Mapping[str, Way]) -> Cut | None:
    """Where the gradient ends of all that a function returns, by what its parameters are; None if it may pass."""
    way = _Body(run, function.node, function.block, {**_defaults(function), **given}).returned()
    return way if isinstance(way, Cut) else None


def of_expression(run: Run, frame: Frame, expression: gast.AST, *, watches: bool) -> Cut | None:
    """Where the gradient of an expression in the current statement ends; None if it may pass.

    Tensors among the parameters are older than the tape of the function, which may watch them only if it `watches` any.
    """
    node = frame.node if frame.in_function else gast.Module(list(frame.block.statements), [])
    if run.statement is None or all(each is not expression for each in walk(run.statement)):
        return None
    names = () if watches else (parameter.id for parameter in parameters_of(node))
    given = {name: CONSTANT for name in names if isinstance(run.state.value(frame.id, name), Tensor)}
    way = _Body(run, node, frame.block, given).way(expression, run.statement)
    return way if isinstance(way, Cut) else None


def _defaults(function: Function) -> dict[str, Way]:
    return {name: CONSTANT for name, value in function.defaults if isinstance(value, (Constant, Scalar))}


def _together(ways: Iterable[Way]) -> Way:
    """What depends on several values: its gradient passes where one of theirs does."""
    found: Way = CONSTANT
    for way in ways:
        if way is PASSES:
            return PASSES
        found = way if found is CONSTANT else found
    return found


@dataclass(slots=True, eq=False)
class _Body:
    """The code of one function, or of one block of the top level."""

    run: Run
    node: gast.AST
    block: Block
    given: Mapping[str, Way]
    depth: int = 0
    solved: Reaching | None = None
    open: set[gast.AST] = field(default_factory=set[gast.AST])
    """The definitions that are being followed."""
    known: dict[gast.AST, Way] = field(default_factory=dict[gast.AST, Way])
    """What was found out about definitions on which none of those depends."""
    circles: int = 0

    def returned(self) -> Way:
        if isinstance(self.node, gast.Lambda):
            return PASSES
        if self.run.flow.shape_of(self.block, self.node).generator:
            return PASSES
        returns = [each for each in _statements(self.node) if isinstance(each, gast.Return)]
        ways = [self.way(each.value, each) for each in returns if each.value is not None]
        return _together(ways) if ways else PASSES

    def value(self, node: gast.AST) -> Value | None:
        known = self.run.seen.values.get(node)
        if known is not None:
            return known
        return next((each.values[node] for each in stretches([self.run.seen]) if node in each.values), None)

    def way(self, node: gast.AST, statement: gast.AST) -> Way:
        """What becomes of the gradient of an expression in a statement."""
        way = self._followed(node, statement)
        return self._ended(node, way) if way is PASSES else way

    def _ended(self, node: gast.AST, way: Way) -> Way:
        """Integers and bools have no gradient, whatever gave them."""
        value = self.value(node)
        if not isinstance(value, Tensor) or value.dtype is None or value.dtype in dtypes.FLOATS | dtypes.COMPLEX:
            return way
        name = node.func if isinstance(node, gast.Call) else node
        if not isinstance(node, (gast.Call, gast.Compare)):
            return CONSTANT
        return Cut(self._place(node), self._text(name), value)

    def _followed(self, node: gast.AST, statement: gast.AST) -> Way:
        match node:
            case gast.Constant():
                return CONSTANT
            case gast.Name():
                return self._named(node, statement)
            case gast.BinOp():
                return _together((self.way(node.left, statement), self.way(node.right, statement)))
            case gast.UnaryOp():
                return self.way(node.operand, statement)
            case gast.IfExp():
                return _together((self.way(node.body, statement), self.way(node.orelse, statement)))
            case gast.Tuple() | gast.List():
                return _together(self.way(each, statement) for each in node.elts)
            case gast.Subscript():
                return self.way(node.value, statement)
            case gast.Compare():
                return _together(self.way(each, statement) for each in (node.left, *node.comparators))
            case gast.Call():
                return self._called(node, statement)
            case gast.Attribute() if node.attr in _STATIC:
                return CONSTANT
            case _:
                return self._from_outside(node)

    def _from_outside(self, node: gast.AST) -> Way:
        return CONSTANT if isinstance(self.value(node), (Constant, Scalar, DType, Api)) else PASSES

    def _named(self, node: gast.Name, statement: gast.AST) -> Way:
        if self.solved is None:
            module = isinstance(self.node, gast.Module)
            self.solved = reaching(build_cfg(self.node) if module else self.run.flow.liveness_of(self.node).graph)
        found = self.solved.definitions_at(statement, Symbol(node.id))
        if not found:
            return self._from_outside(node)
        return _together(self._bound(each, node.id) for each in found)

    def _bound(self, definition: gast.AST, name: str) -> Way:
        """What a definition of a name binds it to; one that is being followed adds nothing."""
        if definition in self.open:
            self.circles += 1
            return CONSTANT
        if definition in self.known:
            return self.known[definition]
        self.open.add(definition)
        circles, way = self.circles, self._defined(definition, name)
        self.open.discard(definition)
        if self.circles == circles:
            self.known[definition] = way
        return way

    def _defined(self, definition: gast.AST, name: str) -> Way:
        match definition:
            case gast.Name():
                return self.given.get(name, PASSES)
            case gast.Assign() | gast.AnnAssign() if definition.value is not None:
                return self.way(definition.value, definition)
            case gast.AugAssign() if isinstance(definition.target, gast.Name):
                before = self._named(definition.target, definition)
                return _together((before, self.way(definition.value, definition)))
            case _:
                return PASSES

    def _called(self, node: gast.Call, statement: gast.AST) -> Way:
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        callee = self.value(node.func)
        if isinstance(callee, Method) and isinstance(node.func, gast.Attribute):
            way = self.way(node.func.value, statement)
            if not isinstance(callee.receiver, (Tensor, Array)):
                return PASSES
            return self._cut(node) if way is PASSES and callee.name == "numpy" else way
        ways = (self.way(each, statement) for each in arguments)
        if isinstance(callee, Api):
            return self._by_library(callee.name, node, ways)
        if isinstance(callee, ApiInstance) and callee.name.startswith("tf.keras.losses."):
            return _together(ways)
        if isinstance(callee, Bound) and isinstance(callee.target, Function):
            return self._in_project(callee.target, node, statement, bound=True)
        return self._in_project(callee, node, statement) if isinstance(callee, Function) else PASSES

    def _by_library(self, name: str, node: gast.Call, ways: Iterator[Way]) -> Way:
        if name.startswith("np."):
            way = _together(ways)
            return self._cut(node) if way is PASSES else way
        if name in _CONSTANTS:
            return CONSTANT
        if "." not in name:
            return _together(ways) if name in _OF_NUMBERS else PASSES
        table = name.removeprefix("tf.")
        if not name.startswith("tf.") or not (functions.is_known(table) or table.startswith("keras.ops.")):
            return PASSES
        last = table.rpartition(".")[2]
        if last == "where" and len(node.args) == 3:
            # The gradient goes through what is chosen, not through the condition.
            condition, *chosen = ways
            way = _together(chosen)
            return condition if way is CONSTANT and condition is not PASSES else way
        way = _together(ways)
        return self._cut(node) if way is PASSES and last in _WITHOUT_GRADIENT else way

    def _in_project(self, function: Function, node: gast.Call, statement: gast.AST, *, bound: bool = False) -> Way:
        """What a function of the project gives for these arguments; others may pass a gradient on."""
        names = [parameter.id for parameter in parameters_of(function.node)]
        keywords = [keyword.arg for keyword in node.keywords]
        if self.depth == _DEEPEST or None in keywords or any(isinstance(each, gast.Starred) for each in node.args):
            return PASSES
        own = names[1:] if bound else names
        given = _defaults(function)
        given.update(zip(own, (self.way(each, statement) for each in node.args), strict=False))
        given |= {keyword.arg: self.way(keyword.value, statement) for keyword in node.keywords if keyword.arg}
        inside = _Body(self.run, function.node, function.block, given, self.depth + 1)
        return inside.returned()

    def _cut(self, node: gast.Call) -> Cut:
        return Cut(self._place(node), self._text(node.func))

    def _place(self, node: gast.AST) -> Place:
        return Place(self.block, self.block.range_of(node))

    def _text(self, node: gast.AST) -> str:
        span = self.block.range_of(node)
        return self.block.text[span.start : span.end]


def _statements(function: gast.AST) -> Iterator[gast.AST]:
    """The statements of a function, without those of functions and classes in it."""
    for each in bodies_below(function):
        yield each
        if not isinstance(each, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            yield from _statements(each)
