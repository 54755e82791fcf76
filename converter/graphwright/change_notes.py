"""Writes the calls that tell the operators which attributes, items and outer variables a function sets.

What runs has them in every function, because any may be called from a branch. The shown text has them in the functions
inside, where its own operators need them. What generated functions carry as state needs none: operators know it.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from .name_owners import CHANGING, OwnedNames, given_names, is_stored, stored_names, targets_of
from .operator_functions import FunctionNode, OperatorState, carried_by_functions
from .syntax_trees import children_of, is_chain, loaded, walk

_DISPLAYS = (ast.List, ast.Dict, ast.ListComp, ast.DictComp)


def note_changes(function: ast.AST, alias: str) -> None:
    """Insert the notes into a function and all functions in it."""
    if isinstance(function, FunctionNode):
        _Notes(alias).function(function, None)


@dataclass(frozen=True)
class ShownNotes:
    """The notes of the functions inside of a function, as text."""

    statements: list[tuple[ast.AST, bool, list[str]]] = field(default_factory=list[Any])
    """Each before or (True) after a statement, or in an expression."""
    changed: dict[ast.expr, str] = field(default_factory=dict[ast.expr, str])
    """Lists and dicts that are changed, with how the user writes them."""


def notes_inside(function: ast.AST, alias: str) -> ShownNotes:
    """The notes of all functions in a function; what the operators' own text says isn't said again."""
    found = ShownNotes()
    if isinstance(function, FunctionNode):
        _Notes(alias, found).function(function, None)
    return found


class _Notes:
    """Inserts the notes into a tree, or collects them in `shown` and leaves the tree as it is."""

    def __init__(self, alias: str, shown: ShownNotes | None = None) -> None:
        self.alias = alias
        self.shown = shown
        self.carried: dict[ast.AST, OperatorState] = {}
        """What operators carry for the functions that have been read so far, or are called in those."""
        self.parts: dict[ast.AST, list[ast.AST]] = {}
        """What is in each statement's or lambda's own expressions, without what is in lambdas there."""

    def function(self, node: Any, around: OwnedNames | None) -> None:
        """Notes for one function."""
        scope = self._scope(node, around)
        if isinstance(node, ast.Lambda):
            notes = self._of_expressions(node, [], scope)
            if notes and self.shown is not None:
                self._show(node.body, notes, False, scope)
            elif notes:
                several = ast.Tuple([note.value for note in notes] + [node.body], ast.Load())
                last = ast.Subscript(several, ast.UnaryOp(ast.USub(), ast.Constant(1)), ast.Load())
                node.body = _placed(last, node.body)
        else:
            node.body = self._block(node.body, scope)

    def _block(self, statements: list[Any], scope: OwnedNames) -> list[Any]:
        made: list[Any] = []
        for statement in statements:
            notes: list[Any] = []
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.function(statement, scope)
            elif not isinstance(statement, ast.ClassDef):
                notes = self._of_expressions(statement, targets_of(statement), scope)
                self._blocks_inside(statement, scope)
            births = self._births(statement, scope)
            if self.shown is not None:
                self._show(statement, notes, False, scope)
                self._show(statement, births, True, scope)
                notes = births = []
            made += [*notes, statement, *births]
        return made

    def _show(self, at: ast.AST, notes: list[Any], after: bool, scope: OwnedNames) -> None:
        if notes and scope.around is not None:
            assert self.shown is not None
            self.shown.statements.append((at, after, [ast.unparse(note) for note in notes]))

    def _of_expressions(self, at: Any, targets: list[Any], scope: OwnedNames) -> list[Any]:
        """The notes that belong before a statement, or before what a lambda gives; those inside are made as well."""
        parts = self.parts[at]
        for part in parts:
            if part.__class__ is ast.Lambda:
                self.function(part, scope)
        return self._notes(parts, targets, scope, at)

    def _births(self, statement: Any, scope: OwnedNames) -> list[Any]:
        """A collection that is written out is new to the branch or turn that is being traced."""
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or not _is_collection(statement.value):
            return []
        made = next((target for target in targets_of(statement) if is_chain(target)), None)
        if made is None or isinstance(made, ast.Subscript) or not self._concerns(made, statement.value, scope):
            return []
        return [self._guarded(self._called("note_new", loaded(made)), statement)]

    def _concerns(self, made: Any, value: Any, scope: OwnedNames) -> bool:
        """Whether somebody has to know that a collection is new: of lists and dicts, the shown text mostly knows."""
        if not isinstance(value, _DISPLAYS):
            return self.shown is None or scope.generated
        shown = scope.generated and isinstance(made, ast.Name) and made.id in scope.passed
        return isinstance(made, ast.Name) and (self.shown is None or shown)

    def _blocks_inside(self, statement: Any, scope: OwnedNames) -> None:
        for name in ("body", "orelse", "finalbody"):
            if getattr(statement, name, None):
                setattr(statement, name, self._block(getattr(statement, name), scope))
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            part.body = self._block(part.body, scope)

    def _notes(self, parts: list[ast.AST], targets: Iterable[ast.AST], scope: OwnedNames, at: Any) -> list[Any]:
        calls: dict[str, ast.expr] = {}
        for target in targets:
            self._of_target(target, scope, calls)
        for part in parts:
            if part.__class__ is ast.Call:
                self._of_call(cast(ast.Call, part), scope, calls)
            elif part.__class__ is ast.Attribute:
                attribute = cast(ast.Attribute, part)
                if attribute.attr in _METHODS and not self._is_alias(attribute.value):
                    attribute.value = self._of_inside(attribute.value, scope, calls)
            elif part.__class__ is ast.NamedExpr:
                self._of_target(cast(ast.NamedExpr, part).target, scope, calls)
        if self.shown is not None:
            calls = {text: call for text, call in calls.items() if text not in scope.covered}
        elif isinstance(at, ast.AugAssign) and self._is_foreign(at.target, scope):
            # Of a collection that somebody else has, `+=` and the like change what is in it.
            calls[ast.unparse(at.target)] = self._changing(loaded(at.target), scope)
        return [self._guarded(call, at) for call in calls.values()]

    def _is_foreign(self, target: ast.expr, scope: OwnedNames) -> bool:
        return isinstance(target, ast.Name) and self._owner_of(target.id, scope) == "foreign"

    def _called(self, operator: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(ast.Attribute(ast.Name(self.alias, ast.Load()), operator, ast.Load()), list(arguments), [])

    def _guarded(self, call: ast.expr, at: Any) -> Any:
        """What is reached by a note is read only if somebody listens."""
        return _placed(ast.Expr(ast.BoolOp(ast.And(), [self._called("is_noting"), call])), at)

    def _of_target(self, target: Any, scope: OwnedNames, calls: dict[str, ast.expr]) -> None:
        if isinstance(target, ast.Attribute):
            if is_chain(target.value):
                self._call("changes", [target.value, ast.Constant(target.attr)], target, calls, False)
            elif self.shown is None:
                called = self._called("sets_in", target.value, ast.Constant(target.attr))
                target.value = _placed(called, target.value)
        elif isinstance(target, ast.Subscript):
            target.value = self._of_inside(target.value, scope, calls)
        elif isinstance(target, ast.Name) and self._owner_of(target.id, scope) == "outer":
            self._variable(target, calls, False)

    def _of_call(self, call: ast.Call, scope: OwnedNames, calls: dict[str, ast.expr]) -> None:
        function, arguments = call.func, call.args
        if self._sets_by_name(function):
            self._dynamic(call, calls)
        elif self._is_operator(function) and arguments:
            arguments[0] = self._of_inside(arguments[0], scope, calls)

    def _sets_by_name(self, function: Any) -> bool:
        """Whether it is `setattr` or the like."""
        if isinstance(function, ast.Call) and self._is_operator(function.func, ("converted",)):
            function = function.args[0]
        if isinstance(function, ast.Attribute):
            is_object = isinstance(function.value, ast.Name) and function.value.id == "object"
            return is_object and function.attr in _SETTERS
        return isinstance(function, ast.Name) and function.id in ("setattr", "delattr")

    def _dynamic(self, call: ast.Call, calls: dict[str, ast.expr]) -> None:
        named = call.args[:2]
        if len(named) == 2 and all(is_chain(argument) or isinstance(argument, ast.Constant) for argument in named):
            self._call("changes", named, ast.Tuple(named, ast.Load()), calls, False)
        elif self.shown is None and isinstance(call.func, ast.Name):
            call.func = _placed(self._called("converted", call.func), call)

    def _of_inside(self, base: Any, scope: OwnedNames, calls: dict[str, ast.expr]) -> Any:
        """A list or dict is changed in place; gives what stands there instead of it."""
        if isinstance(base, ast.Name):
            owner = self._owner_of(base.id, scope)
            if owner == "outer":
                self._variable(base, calls, True)
            elif owner == "foreign" or base.id not in scope.bound:
                # What a generated function reads from around it, no operator carries.
                return self._changing(base, scope)
        elif isinstance(base, ast.Attribute) and is_chain(base.value):
            if base.attr != "__dict__":
                self._call("changes", [base.value, ast.Constant(base.attr)], base, calls, True)
        elif isinstance(base, (ast.Call, ast.Subscript)) and (
            self.shown is None or not self._is_own_inside(base, scope)
        ):
            return self._changing(base, scope)
        return base

    def _changing(self, base: Any, scope: OwnedNames) -> Any:
        """What is about to be changed, which is noted where somebody listens."""
        text = ast.unparse(base) if is_chain(base) else ""
        if self.shown is None:
            return _placed(self._called("changing", base, *[ast.Constant(text)][: len(text)]), base)
        if scope.around is not None and text not in scope.covered:
            self.shown.changed[base] = text
        return base

    def _owner_of(self, name: str, scope: OwnedNames) -> str:
        return scope.owner_of(name, called=self.shown is None)

    def _is_own_inside(self, base: Any, scope: OwnedNames) -> bool:
        """Whether a list or dict is inside one that belongs to the function, and that operators carry."""
        while isinstance(base, ast.Subscript):
            base = base.value
        return isinstance(base, ast.Name) and base.id in scope.bound and self._owner_of(base.id, scope) == "own"

    def _variable(self, name: ast.Name, calls: dict[str, ast.expr], inside: bool) -> None:
        none = ast.arguments([], [], None, [], [], None, [])
        reader = ast.Lambda(none, ast.Name(name.id, ast.Load()))
        self._call("changes_variable", [reader, ast.Constant(name.id)], name, calls, inside)

    def _call(
        self, operator: str, arguments: list[Any], about: ast.AST, calls: dict[str, ast.expr], inside: bool
    ) -> None:
        text = ast.unparse(about)
        if text in calls:
            return
        call = self._called(operator, *map(loaded, arguments))
        if operator != "changes_variable" and not isinstance(about, ast.Tuple):
            call.args.append(ast.Constant(text))
        if inside:
            call.keywords.append(ast.keyword("inside", ast.Constant(True)))
        calls[text] = call

    def _is_operator(self, function: ast.AST, among: Container[str] = CHANGING) -> bool:
        return isinstance(function, ast.Attribute) and function.attr in among and self._is_alias(function.value)

    def _read(self, function: Any) -> list[ast.AST]:
        """All that is in a function, without what is in functions inside; `parts` are known from then on.

        It is read in the order of the text: an operator's function is the last one of its name before the call.
        """
        if isinstance(function, ast.Lambda):
            if function not in self.parts:
                self.parts[function] = self._read_expressions([function.body], {})
            return self.parts[function]
        found: list[ast.AST] = []
        known: dict[str, ast.AST] = {}
        waiting: list[Any] = [*reversed(function.body)]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.expr):
                found += self._read_expressions([node], known)
                continue
            found.append(node)
            if isinstance(node, _CLOSED):
                known[getattr(node, "name", "")] = node
                continue
            below: list[Any] = children_of(node)
            if isinstance(node, ast.stmt):
                items: list[Any] = getattr(node, "items", [])
                own = [part for part in below if isinstance(part, ast.expr)] + [item.context_expr for item in items]
                self.parts[node] = parts = self._read_expressions(own, known)
                found += parts
                below = [part for part in below if not isinstance(part, (ast.expr, ast.withitem))]
                below += [item.optional_vars for item in items if item.optional_vars]
            waiting += reversed(below)
        return found

    def _read_expressions(self, roots: list[Any], known: dict[str, ast.AST]) -> list[ast.AST]:
        """What is in expressions, without what is in lambdas, which are read as well."""
        found = list(roots)
        for node in found:  # which grows
            kind = node.__class__
            if kind is ast.Lambda:
                self.parts[node] = self._read_expressions([node.body], known)
            elif kind is not ast.Name and kind is not ast.Constant:
                found += children_of(node)
                if kind is ast.Call:
                    self.carried.update(carried_by_functions(node, known, self.alias))
        return found

    def _scope(self, node: Any, around: OwnedNames | None) -> OwnedNames:
        parameters = {argument.arg for argument in children_of(node.args) if isinstance(argument, ast.arg)}
        bound, declared, other, passed = set(parameters), set[str](), set[str](), set[str]()
        for part in self._read(node):
            kind = part.__class__
            if kind is ast.Name:
                if is_stored(cast(ast.Name, part)):
                    bound.add(cast(ast.Name, part).id)
            elif kind is ast.Call:
                if not self._is_operator(cast(ast.Call, part).func):
                    passed.update(each.id for each in cast(ast.Call, part).args if isinstance(each, ast.Name))
            elif kind is ast.Assign:
                other.update(given_names(cast(ast.Assign, part)))
            elif isinstance(part, ast.stmt):
                if isinstance(part, (ast.For, ast.AsyncFor)):
                    other.update(stored_names(part.target))
                elif isinstance(part, (ast.Global, ast.Nonlocal)):
                    declared.update(part.names)
                elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    bound.add(part.name)
        bound -= declared
        carried = self.carried.get(node)
        if carried is None:
            foreign = frozenset((parameters | other) & bound)
            return OwnedNames(frozenset(bound), foreign, False, around, frozenset(passed), frozenset())
        items = {argument.arg for argument in node.args.args[:1]} if carried.item else set[str]()
        foreign = frozenset((items | other) & bound)
        covered = carried.places | around.covered if around else carried.places
        given = frozenset(parameters) - foreign
        return OwnedNames(frozenset(bound), foreign, True, around, frozenset(passed), covered, given)

    def _is_alias(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.alias


def _is_collection(value: Any) -> bool:
    """Whether an expression makes a new collection."""
    if isinstance(value, ast.Call):
        name = getattr(value.func, "attr", None) or getattr(value.func, "id", None)
        return name in ("set", "deque", "bytearray")
    return isinstance(value, (*_DISPLAYS, ast.Set, ast.SetComp))


def _placed(node: Any, at: Any) -> Any:
    for part in walk(node):
        if "lineno" in part._attributes:
            place = cast(Any, part)
            if not hasattr(place, "lineno"):
                ast.copy_location(place, at)
            place.lineno = place.end_lineno = at.lineno
    return node


_CLOSED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_SETTERS = ("__setattr__", "__delattr__")
_METHODS = CHANGING | {
    *("add", "discard", "update", "setdefault", "popitem"),
    *("difference_update", "intersection_update", "symmetric_difference_update"),
    *("appendleft", "extendleft", "popleft", "rotate"),
}
