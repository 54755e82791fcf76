"""Writes the calls that tell the operators which attributes, items and outer variables a function sets.

What runs has them in every function, because any may be called from a branch. The shown text has them in the functions
inside, where its own operators need them. What generated functions carry as state needs none: operators know it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from .syntax_trees import children_of, walk

_DISPLAYS = (ast.List, ast.Dict, ast.ListComp, ast.DictComp)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class _Scope:
    """One function: what it binds, and which of that may have come from elsewhere."""

    bound: frozenset[str]
    foreign: frozenset[str]
    generated: bool
    around: _Scope | None
    passed: frozenset[str]
    """The names that are arguments of calls."""
    covered: frozenset[str]
    """What the operators around carry, by how it is written."""


def note_changes(function: ast.AST, alias: str) -> None:
    """Insert the notes into a function and all functions in it."""
    if isinstance(function, FunctionNode):
        _Notes(function, alias).function(function, None)


def notes_inside(function: ast.AST, alias: str) -> list[tuple[ast.AST, bool, list[str]]]:
    """The notes of all functions in a function, as text: each before or (True) after a statement, or in an expression.

    What the operators' own text says isn't said again.
    """
    found: list[tuple[ast.AST, bool, list[str]]] = []
    if isinstance(function, FunctionNode):
        _Notes(function, alias, found).function(function, None)
    return found


class _Notes:
    """Inserts the notes into a tree, or collects them in `shown` and leaves the tree as it is."""

    def __init__(self, root: ast.AST, alias: str, shown: list[tuple[ast.AST, bool, list[str]]] | None = None) -> None:
        self.alias = alias
        self.carried = carried_by_functions(root, alias)
        self.shown = shown

    def function(self, node: Any, around: _Scope | None) -> None:
        """Notes for one function."""
        scope = self._scope(node, around)
        if isinstance(node, ast.Lambda):
            self._say_what_is_own(node.body, scope)
            self._inner_functions(node.body, scope)
            notes = self._notes([node.body], [], scope, node)
            if notes and self.shown is not None:
                self._show(node.body, notes, False, scope)
            elif notes:
                several = ast.Tuple([note.value for note in notes] + [node.body], ast.Load())
                last = ast.Subscript(several, ast.UnaryOp(ast.USub(), ast.Constant(1)), ast.Load())
                node.body = _placed(last, node.body)
        else:
            node.body = self._block(node.body, scope)

    def _block(self, statements: list[Any], scope: _Scope) -> list[Any]:
        made: list[Any] = []
        for statement in statements:
            notes: list[Any] = []
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.function(statement, scope)
            elif not isinstance(statement, ast.ClassDef):
                expressions = [part for part in children_of(statement) if isinstance(part, ast.expr)]
                expressions += [item.context_expr for item in getattr(statement, "items", [])]
                for expression in expressions:
                    self._say_what_is_own(expression, scope)
                    self._inner_functions(expression, scope)
                notes = self._notes(expressions, _targets(statement), scope, statement)
                self._blocks_inside(statement, scope)
            births = self._births(statement, scope)
            if self.shown is not None:
                self._show(statement, notes, False, scope)
                self._show(statement, births, True, scope)
                notes = births = []
            made += [*notes, statement, *births]
        return made

    def _show(self, at: ast.AST, notes: list[Any], after: bool, scope: _Scope) -> None:
        if notes and scope.around is not None:
            assert self.shown is not None
            self.shown.append((at, after, [ast.unparse(note) for note in notes]))

    def _say_what_is_own(self, expression: ast.AST, scope: _Scope) -> None:
        """Tell a branch which lists and dicts nobody outside of the function has."""
        for call in _outside_lambdas(expression):
            is_if = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "if_"
            owner = cast(Any, call).func.value if is_if else None
            if not isinstance(owner, ast.Name) or owner.id != self.alias:
                continue
            places = [
                place
                for place, argument in enumerate(call.args[3:])
                if isinstance(argument, ast.Name) and _owner_of(argument.id, scope) == "own"
            ]
            if places and self.shown is None:
                own = ast.Tuple([ast.Constant(place) for place in places], ast.Load())
                call.keywords.append(_placed(ast.keyword("own", own), call))

    def _births(self, statement: Any, scope: _Scope) -> list[Any]:
        """A list or dict that is written out is new to the branch or turn that is being traced."""
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, _DISPLAYS):
            return []
        names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        if not names or (self.shown is not None and not (scope.generated and names[0] in scope.passed)):
            return []
        test = _parsed(f"{self.alias}.is_noting()")
        call = _parsed(f"{self.alias}.note_new({names[0]})")
        return [_placed(ast.Expr(ast.BoolOp(ast.And(), [test, call])), statement)]

    def _blocks_inside(self, statement: Any, scope: _Scope) -> None:
        for name in ("body", "orelse", "finalbody"):
            if getattr(statement, name, None):
                setattr(statement, name, self._block(getattr(statement, name), scope))
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            part.body = self._block(part.body, scope)

    def _inner_functions(self, expression: ast.AST, scope: _Scope) -> None:
        for part in _open_nodes(expression):
            if isinstance(part, ast.Lambda) and part is not expression:
                self.function(part, scope)
        if isinstance(expression, ast.Lambda):
            self.function(expression, scope)

    def _notes(self, expressions: Iterable[ast.AST], targets: Iterable[ast.AST], scope: _Scope, at: Any) -> list[Any]:
        calls: dict[str, ast.expr] = {}
        for target in targets:
            self._of_target(target, scope, calls)
        for expression in expressions:
            for part in _open_nodes(expression):
                if isinstance(part, ast.Call):
                    self._of_call(part, scope, calls)
                elif isinstance(part, ast.Attribute) and part.attr in _METHODS and not self._is_alias(part.value):
                    self._of_inside(part.value, scope, calls)
                elif isinstance(part, ast.NamedExpr):
                    self._of_target(part.target, scope, calls)
        test = f"{self.alias}.is_noting()"
        if self.shown is not None:
            calls = {text: call for text, call in calls.items() if text not in scope.covered}
        return [_placed(ast.Expr(ast.BoolOp(ast.And(), [_parsed(test), call])), at) for call in calls.values()]

    def _of_target(self, target: Any, scope: _Scope, calls: dict[str, ast.expr]) -> None:
        if isinstance(target, ast.Attribute):
            if _is_chain(target.value):
                self._call("changes", [target.value, ast.Constant(target.attr)], target, calls, False)
        elif isinstance(target, ast.Subscript):
            self._of_inside(target.value, scope, calls)
        elif isinstance(target, ast.Name) and _owner_of(target.id, scope) == "outer":
            self._variable(target, calls, False)

    def _of_call(self, call: ast.Call, scope: _Scope, calls: dict[str, ast.expr]) -> None:
        function, arguments = call.func, call.args
        if isinstance(function, ast.Attribute) and function.attr in ("__setattr__", "__delattr__"):
            if isinstance(function.value, ast.Name) and function.value.id == "object" and len(arguments) >= 2:
                self._dynamic(arguments, calls)
        elif isinstance(function, ast.Name) and function.id in ("setattr", "delattr") and len(arguments) >= 2:
            self._dynamic(arguments, calls)
        elif self._is_operator(function) and arguments:
            self._of_inside(arguments[0], scope, calls)

    def _dynamic(self, arguments: list[ast.expr], calls: dict[str, ast.expr]) -> None:
        if all(_is_chain(argument) or isinstance(argument, ast.Constant) for argument in arguments[:2]):
            self._call("changes", arguments[:2], ast.Tuple(arguments[:2], ast.Load()), calls, False)

    def _of_inside(self, base: Any, scope: _Scope, calls: dict[str, ast.expr]) -> None:
        """A list or dict is changed in place."""
        if isinstance(base, ast.Name):
            owner = _owner_of(base.id, scope)
            if owner == "outer":
                self._variable(base, calls, True)
            elif owner == "foreign":
                self._call("changes_inside", [base], base, calls, False)
        elif isinstance(base, ast.Attribute) and _is_chain(base.value) and base.attr != "__dict__":
            self._call("changes", [base.value, ast.Constant(base.attr)], base, calls, True)
        elif _is_chain(base) and not _is_own_inside(base, scope):
            self._call("changes_inside", [base], base, calls, False)

    def _variable(self, name: ast.Name, calls: dict[str, ast.expr], inside: bool) -> None:
        reader = _parsed(f"lambda: {name.id}")
        self._call("changes_variable", [reader, ast.Constant(name.id)], name, calls, inside)

    def _call(
        self, operator: str, arguments: list[Any], about: ast.AST, calls: dict[str, ast.expr], inside: bool
    ) -> None:
        text = ast.unparse(about)
        passed = [_parsed(ast.unparse(argument)) for argument in arguments]
        if operator != "changes_variable" and not isinstance(about, ast.Tuple):
            passed.append(ast.Constant(text))
        keywords = [ast.keyword("inside", ast.Constant(True))] if inside else []
        calls.setdefault(text, ast.Call(_parsed(f"{self.alias}.{operator}"), passed, keywords))

    def _is_operator(self, function: ast.AST) -> bool:
        return isinstance(function, ast.Attribute) and function.attr in _OPERATORS and self._is_alias(function.value)

    def _scope(self, node: Any, around: _Scope | None) -> _Scope:
        arguments: ast.arguments = node.args
        parameters = {argument.arg for argument in walk(arguments) if isinstance(argument, ast.arg)}
        bound, declared, fresh, other, passed = set(parameters), set[str](), set[str](), set[str](), set[str]()
        body: list[Any] = [node.body] if isinstance(node, ast.Lambda) else node.body
        for part in (part for statement in body for part in _open_nodes(statement)):
            kind = part.__class__
            if kind is ast.Name:
                if not isinstance(cast(ast.Name, part).ctx, ast.Load):
                    bound.add(cast(ast.Name, part).id)
            elif kind is ast.Assign:
                for target in cast(ast.Assign, part).targets:
                    names = {name.id for name in walk(target) if isinstance(name, ast.Name)}
                    (fresh if _is_fresh(cast(ast.Assign, part).value) else other).update(names)
            elif kind is ast.Call and not self._is_operator(cast(ast.Call, part).func):
                passed.update(each.id for each in cast(ast.Call, part).args if isinstance(each, ast.Name))
            elif isinstance(part, (ast.Global, ast.Nonlocal)):
                declared.update(part.names)
            elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                bound.add(part.name)
            elif isinstance(part, (ast.For, ast.AsyncFor)):
                other.update(name.id for name in walk(part.target) if isinstance(name, ast.Name))
        bound -= declared
        generated = node in self.carried
        foreign = frozenset[str]() if generated else frozenset((parameters | other) & bound)
        covered = self.carried.get(node, frozenset()) | (around.covered if generated and around else frozenset())
        return _Scope(frozenset(bound), foreign, generated, around, frozenset(passed), covered)

    def _is_alias(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.alias


def carried_by_functions(root: Any, alias: str) -> dict[ast.AST, frozenset[str]]:
    """The functions that were made for operators, and what the operator carries for each, by how it is written."""
    found: dict[ast.AST, frozenset[str]] = {}
    body = [root.body] if isinstance(root, ast.Lambda) else root.body
    _find_carried(body, {}, alias, found)
    return found


def _find_carried(body: Any, known: dict[str, ast.AST], alias: str, found: dict[ast.AST, frozenset[str]]) -> None:
    """`known` are the functions by their names, so far as they are defined before what is looked at."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            known[node.name] = node
            _find_carried(node.body, {}, alias, found)
            continue
        if isinstance(node, ast.Call):
            carried = _carried_by(node, alias)
            if carried is not None:
                for argument in (*node.args[:3], *(keyword.value for keyword in node.keywords)):
                    function = known.get(argument.id) if isinstance(argument, ast.Name) else argument
                    if isinstance(function, FunctionNode):
                        found[function] = carried
        _find_carried(children_of(node), known, alias, found)


def _carried_by(call: ast.Call, alias: str) -> frozenset[str] | None:
    """How the places are written that an operator's call carries; None if it isn't one with functions."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in _CONSTRUCTS:
        return None
    if function.attr != "or_else" and not (isinstance(function.value, ast.Name) and function.value.id == alias):
        return None
    places = next((keyword.value for keyword in call.keywords if keyword.arg == "places"), None)
    if not isinstance(places, ast.Lambda) or not isinstance(places.body, ast.List):
        return frozenset()
    texts: list[str] = []
    for place in cast("list[Any]", places.body.elts):
        owner, name = place.args[0], place.args[1].value
        texts.append(name if isinstance(owner, ast.Lambda) else f"{ast.unparse(owner)}.{name}")
    return frozenset(texts)


def _owner_of(name: str, scope: _Scope | None) -> str:
    """Whose a name is: "own", "foreign" (own, but what it holds may come from elsewhere), "outer"."""
    while scope is not None:
        if name in scope.bound:
            return "foreign" if name in scope.foreign else "own"
        if not scope.generated:
            return "outer"
        scope = scope.around
    return "outer"


def _is_own_inside(base: Any, scope: _Scope) -> bool:
    """Whether a list or dict is inside one that belongs to the function."""
    while isinstance(base, ast.Subscript):
        base = base.value
    return isinstance(base, ast.Name) and _owner_of(base.id, scope) == "own"


def _outside_lambdas(expression: ast.AST) -> Iterator[Any]:
    """An expression and all in it, without what is inside lambdas."""
    pending: list[ast.AST] = [expression]
    while pending:
        part = pending.pop()
        yield part
        if not isinstance(part, ast.Lambda):
            pending += children_of(part)


def _targets(statement: Any) -> list[Any]:
    kind = cast(Any, type(statement))
    if kind in (ast.Assign, ast.Delete):
        targets = list(statement.targets)
    elif kind in (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor):
        targets = [statement.target] if getattr(statement, "value", True) is not None else []
    else:
        targets = [item.optional_vars for item in getattr(statement, "items", []) if item.optional_vars]
    flat: list[Any] = []
    while targets:
        target = targets.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            targets += target.elts
        else:
            flat.append(target.value if isinstance(target, ast.Starred) else target)
    return flat


def _open_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is below it, functions inside without what is in them."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        if not isinstance(current, _CLOSED):
            pending.extend(children_of(current))


def _is_fresh(value: ast.AST) -> bool:
    if isinstance(value, (ast.List, ast.Dict, ast.ListComp, ast.DictComp, ast.Constant, ast.Tuple)):
        return True
    if not isinstance(value, ast.Call):
        return isinstance(value, (ast.BinOp, ast.Compare))
    function = value.func
    if isinstance(function, ast.Attribute):
        return function.attr in _CONSTRUCTS or function.attr in _OPERATORS
    return isinstance(function, ast.Name) and function.id in ("list", "dict", "sorted")


def _is_chain(node: ast.AST) -> bool:
    """Whether an expression only looks something up: a name, attributes, items under constants or names."""
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.Subscript):
        return _is_chain(node.value) and isinstance(node.slice, (ast.Name, ast.Constant))
    return isinstance(node, ast.Attribute) and _is_chain(node.value)


def _parsed(text: str) -> Any:
    return cast(Any, ast.parse(text, mode="eval").body)


def _placed(node: Any, at: Any) -> Any:
    for part in walk(node):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, at)
    for part in walk(node):
        if "lineno" in part._attributes:
            cast(Any, part).lineno = cast(Any, part).end_lineno = at.lineno
    return node


_CLOSED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_CONSTRUCTS = frozenset({"if_", "while_", "for_", "rest_of_for", "rest_of_while", "or_else"})
_OPERATORS = frozenset({"append", "clear", "extend", "insert", "pop", "remove", "reverse", "set_item", "sort"})
_METHODS = _OPERATORS | {"add", "discard", "update", "setdefault", "popitem"}
