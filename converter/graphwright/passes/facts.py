"""What is known of one function before it is lowered: its flow, its names, and which constructs stay Python's.

The function is only looked at.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import gast
from graphwright_analysis.flow import build_cfg, build_scopes, liveness, reaching
from graphwright_analysis.flow.tree import FUNCTIONS, defaults_of, parameters_of

from graphwright.passes.closures import LocalClosure, closures_in, sharing
from graphwright.passes.jumps import blocks_of, jumps_out, lets_errors_pass
from graphwright.passes.name_kinds import kinds_of_names, set_places
from graphwright.passes.surely_python import is_sure, is_sure_iterable
from graphwright.passes.unit import Unit, last_part, walk

T = TypeVar("T")

LOOPS = (gast.For, gast.While)
CONSTRUCTS = (gast.If, *LOOPS)
_BRANCHING = (*CONSTRUCTS, gast.With, gast.Try, gast.TryStar, gast.Match)
_CLOSED = (*FUNCTIONS, gast.Lambda, gast.ClassDef)


class Facts:
    """The facts of one function or lambda; `outer` are those of the function around it in the same unit."""

    def __init__(self, unit: Unit, node: Any, outer: Facts | None = None) -> None:
        self.unit = unit
        self.node = node
        self.outer = outer
        scope = build_scopes(node).of(node)
        self.own: frozenset[str] = frozenset(scope.bound)
        self.bound: frozenset[str] = self.own | (outer.bound if outer else frozenset())
        self.declared = dict.fromkeys(scope.globals, "global") | dict.fromkeys(scope.nonlocals, "nonlocal")
        parameters = [parameter.id for parameter in parameters_of(node)]
        self.parameters = frozenset(parameters)
        self.first_parameter = parameters[0] if parameters else (outer.first_parameter if outer else None)
        body: list[Any] = [] if isinstance(node, gast.Lambda) else node.body
        self.statements = [part for statement in body for part in _run_with(statement)]
        leading = list(itertools.takewhile(lambda part: not isinstance(part, _BRANCHING), body))
        declarations = [part for part in self.statements if isinstance(part, (gast.Global, gast.Nonlocal))]
        if declarations:  # Those in the body of a class are its own.
            declarations = [part for part in walk(node, _is_open) if part in declarations]
        self.inner_declarations = [part for part in declarations if part not in leading]
        self._place_of = {part: place for place, part in enumerate(self.statements)}
        self.shared: frozenset[str] | None = None
        self.closures: list[LocalClosure] = []
        self.known: dict[tuple[Any, ...], Any] = {}
        self.set_places = set_places(self.statements)
        self._collect_kinds(outer)
        self.order = self._order(parameters)
        self.staged_names: frozenset[str] = frozenset()
        self.undefinable = self.deleted = frozenset[str]()
        self.undefined_at_start: tuple[str, ...] = ()
        self.undefined_before: dict[gast.AST, list[str]] = {}
        self.graph: Any = None
        if isinstance(node, gast.Lambda):
            return
        self.graph = build_cfg(node, lambda part: not lets_errors_pass(part, unit.library))
        self.closures = sharing(self.graph, closures_in(self.statements, self.own, unit.library))
        self.live = liveness(self.graph)
        self._reaching = reaching(self.graph)
        self._settle_staged_names()

    # Flow

    def live_in(self, statement: gast.AST) -> frozenset[str]:
        return self.once(_live_in, statement)

    def live_out(self, statement: gast.AST) -> frozenset[str]:
        return frozenset(symbol.root for symbol in self.live.live_out(statement))

    def is_undefined(self, statement: gast.AST, name: str) -> bool:
        """Whether a name surely has no value at a statement."""
        return self._reaching.definitely_undefined(statement, name)

    def is_never_defined(self, statement: gast.AST, name: str) -> bool:
        """Whether a name surely has no value at a statement, and isn't said to be undefined either."""
        return name not in self.undefinable and self.is_undefined(statement, name)

    def is_perhaps_undefined(self, statement: gast.AST, name: str) -> bool:
        """Whether a name may have no value at a statement."""
        return self._reaching.possibly_undefined(statement, name)

    def may_be_undefined(self, name: str, at: gast.AST | None) -> bool:
        """Whether a name that generated code may bind to `undefined` may have no value here."""
        return at is not None and name in self.undefinable and self._reaching.possibly_undefined(at, name)

    def may_be_undefined_outside(self, name: str) -> bool:
        """Whether a name of a function around may have no value whenever this one runs."""
        around = self.outer
        while around is not None and name not in self.own:
            if name in around.own:
                return name in around.undefinable
            around = around.outer
        return False

    def is_shared(self, name: str) -> bool:
        """Whether other functions may set what a name or a place holds."""
        if name in self.declared or not name.isidentifier() or name in (self.shared or ()):
            return True
        return any(name in closure.writes for closure in self.closures)

    # Which constructs stay as they are

    def is_native(self, statement: gast.AST) -> bool:
        """Whether a compound statement surely runs in Python and stays a statement of its kind."""
        return self.once(Facts._find_native, statement, self.staged_names)

    def has_staged_jump(self, statements: Iterable[Any]) -> bool:
        """Whether something in here that becomes a call may break, continue or return out of itself."""
        return any(
            not self.is_native(part) and jumps_out([part])
            for statement in statements
            for part in self.below(statement)
            if isinstance(part, (*CONSTRUCTS, gast.Match))
        )

    def _find_native(self, statement: gast.AST, _: frozenset[str]) -> bool:
        if isinstance(statement, (gast.If, gast.While)):
            if not is_sure(statement.test, self):
                return False
        elif isinstance(statement, gast.For):
            if not is_sure_iterable(statement.iter, self):
                return False
        else:
            return True
        return not self.has_staged_jump([*statement.body, *statement.orelse])

    def _settle_staged_names(self) -> None:
        """`x is None` is Python's own unless `x` is set by something that may be staged."""
        perhaps_none = {target.id for part in self.statements for target in _set_by_next(part)}
        while True:
            found = perhaps_none | {
                part.id
                for construct in self.constructs()
                for part in self.below(construct)
                if isinstance(part, gast.Name) and isinstance(part.ctx, (gast.Store, gast.Del))
            }
            found |= self._conditional_names()
            if found <= self.staged_names:
                return
            self.staged_names |= found

    def _conditional_names(self) -> set[str]:
        """Names that are bound to what a conditional expression or such a name gives."""
        found: set[str] = set()
        for part in self.statements:
            if not isinstance(part, gast.Assign):
                continue
            value = part.value
            staged = isinstance(value, gast.Name) and value.id in self.staged_names
            if staged or isinstance(value, (gast.IfExp, gast.BoolOp)):
                found |= {target.id for target in part.targets if isinstance(target, gast.Name)}
        return found

    def constructs(self) -> list[Any]:
        """The statements that become calls of operators."""
        return [part for part in self.statements if isinstance(part, CONSTRUCTS) and not self.is_native(part)]

    def generated_from(self) -> Iterator[Sequence[Any]]:
        """The statements that each become functions of our own: bodies, what follows an early end, or both as one."""
        for part in self.statements:
            if isinstance(part, _BRANCHING):
                yield from (*(parts := self.parts_generated(part)), [each for one in parts for each in one])

    def parts_generated(self, construct: gast.AST) -> list[list[Any]]:
        """The same of one statement, each by itself."""
        if self.is_native(construct) and not self.has_staged_jump([construct]):
            return []
        test = [construct.test] if isinstance(construct, gast.While) else []
        target = [construct.target] if isinstance(construct, gast.For) else []
        own = [*test, *target, *(part for block in blocks_of(construct) for part in block)]
        rest = self._following.get(construct) if jumps_out([construct]) else None
        return [own, rest] if rest else [own]

    @functools.cached_property
    def _following(self) -> dict[Any, list[Any]]:
        """The statements after each compound one, in the same block."""
        compound = [part for part in self.statements if isinstance(part, _BRANCHING)]
        blocks = [self.node.body, *(block for part in compound for block in blocks_of(part))]
        return {
            part: block[number + 1 :]
            for block in blocks
            for number, part in enumerate(block)
            if isinstance(part, _BRANCHING)
        }

    def below(self, statement: gast.AST) -> list[Any]:
        """A statement and all that is in it, without what inner functions hold."""
        place = self._place_of.get(statement)
        if place is None or not _is_open(statement):
            return _run_with(statement)
        return self.statements[place : self._place_of[last_part(statement, _is_open)] + 1]

    def once(self, find: Callable[..., T], *about: Any) -> T:
        """What a function finds for these facts and something in them; it is asked once."""
        key = find, *about
        if key not in self.known:
            self.known[key] = find(self, *about)
        return self.known[key]

    # Names

    def is_named_outside(self, name: str, nodes: Sequence[gast.AST]) -> bool:
        """Whether a name is read somewhere but in these statements."""
        inside = sum(self._count(name, self.below(node)) for node in nodes)
        return bool(name) and self._count(name, self.statements) > inside

    def _count(self, name: str, parts: Iterable[gast.AST]) -> int:
        reads = (part for part in parts if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load))
        return sum(part.id == name for part in reads)

    def _collect_kinds(self, outer: Facts | None) -> None:
        """Which names are only functions of ours, lists, containers, objects of a class of the user's."""
        kinds = kinds_of_names(self.statements, self.parameters, self.unit.templates)
        self.lists, self.objects = frozenset(kinds.lists), frozenset(kinds.objects)
        self.defaults = frozenset(kinds.defaults)
        self.containers = frozenset(kinds.containers | kinds.lists)
        self.sequences = frozenset((kinds.lists | kinds.tuples) - kinds.others)
        indexed, functions = (outer.indexed, outer.own_functions) if outer else (frozenset[str](), frozenset[str]())
        self.indexed: frozenset[str] = self.lists | self.sequences | (indexed - self.own)
        self.own_functions: frozenset[str] = kinds.only_functions() | (functions - self.own)

    def _order(self, parameters: Sequence[str]) -> dict[str, int]:
        order = {name: number for number, name in enumerate(parameters)}
        for part in self.statements:
            if isinstance(part, gast.Name):
                order.setdefault(part.id, len(order))
            elif isinstance(part, FUNCTIONS):
                order.setdefault(part.name, len(order))
        return order


def _run_with(statement: gast.AST) -> list[Any]:
    """A statement and all that is in it, without what inner functions hold; of their definitions, what runs there."""
    if not isinstance(statement, FUNCTIONS):
        return walk(statement, _is_open)
    heads = [*statement.decorator_list, *defaults_of(statement)]
    return [statement, *(part for head in heads for part in walk(head, _is_open))]


def _live_in(facts: Facts, statement: gast.AST) -> frozenset[str]:
    return frozenset(symbol.root for symbol in facts.live.live_in(statement))


def _set_by_next(part: gast.AST) -> list[Any]:
    """The names in `first = next(items, None)`."""
    match part:
        case gast.Assign(value=gast.Call(func=gast.Name(id="next"), args=[_, gast.Constant(value=None)])):
            return [target for target in part.targets if isinstance(target, gast.Name)]
        case _:
            return []


def _is_open(node: gast.AST) -> bool:
    return not isinstance(node, _CLOSED)
