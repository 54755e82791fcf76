"""Refuses what staged code would change for everybody: containers and objects that its branches and turns share.

A branch gets copies of the lists and dicts that it changes by the name that they were made under, and gives attributes
back. What it changes otherwise (an item of an attribute, what a loop goes over, the arguments of a called function)
would change while the graph is made, once, and in branches that aren't taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow import closure_reads
from graphwright_analysis.syntax.names import Symbol, symbol_of
from graphwright_analysis.values.domain import NONE, Object, Tensor, Tuple, Value, python_kind

from graphwright.eject import handing_over, stacks
from graphwright.eject.assuming import parameter_names
from graphwright.eject.bindings import sides_of
from graphwright.eject.changes import CHANGED_IN_PLACE, CHANGING, given_to
from graphwright.eject.flags import Flagged
from graphwright.eject.given_back import is_assigned_back, is_given_back, parts_of
from graphwright.eject.held_items import assigned_in, is_item, is_same, with_names
from graphwright.eject.observations import FunctionObservations, Observations, StateObject
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts

HELD_ELSEWHERE = "this changes in place what is held elsewhere"


def check(lowering: Any, node: Any) -> None:
    """Refuse a statement that changes in place what staged code doesn't have for itself."""
    if not lowering.nested:
        return
    for changed in changed_in([node]):
        if stacks.is_stack(lowering.unit.style, changed.value):
            continue
        _check_length(lowering, changed)
        if isinstance(changed, _Method) and isinstance(changed.value, gast.Name):
            _check_early_end(lowering, changed.value)
        else:
            _check_owner(lowering, changed)
    check_calls(lowering, node)


def check_calls(lowering: Any, node: Any) -> None:
    """Refuse the calls in a statement or test that change in place what staged code doesn't have for itself."""
    for call in walk(node) if lowering.nested else ():
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Name):
            _check_callee(lowering, call)


def _check_length(lowering: Any, changed: Any) -> None:
    """Refuse a list inside a list, dict or object whose length changes."""
    style, owner = lowering.unit.style, changed.value
    held = (
        style.value(owner)
        if isinstance(changed, _Method) and isinstance(owner, (gast.Subscript, gast.Attribute))
        else None
    )
    if style.known.seen is not None and isinstance(held, Object) and held.kind in ("list", "deque"):
        raise ConversionError(
            f"the list `{lowering.unit.original(*lowering.unit.span(owner))}` grows in the graph, but only a list "
            "with a name of its own can: assign it to a variable before",
            line=changed.lineno,
        )


def _check_early_end(lowering: Any, owner: gast.Name) -> None:
    """Refuse what a caller has, in a function that the graph may leave: only what is returned comes out of it."""
    facts, style = lowering.facts, lowering.unit.style
    returns = [part for construct in facts.constructs() for part in walk(construct) if isinstance(part, gast.Return)]
    if not returns or owner.id not in parameter_names(facts.node) or owner.id not in _taken_names(style, facts.node):
        return
    if not all(owner.id in {getattr(part, "id", "") for part in parts_of(each.value)} for each in returns):
        raise ConversionError(
            f"{HELD_ELSEWHERE}, and `return` may have left the function before: return `{owner.id}` as well, and "
            "assign it where the function is called",
            line=owner.lineno,
        )


def _check_owner(lowering: Any, changed: Any) -> None:
    """`changed` is an item, an attribute, or what a method that changes its object is called on."""
    owner = changed.value
    symbol = symbol_of(changed) if isinstance(changed, gast.Subscript) else None
    if symbol is not None and carries_item(lowering.unit.style, lowering.facts, symbol):
        return
    taken = _taken_names(lowering.unit.style, lowering.facts.node)
    if isinstance(changed, gast.Attribute) and isinstance(owner, gast.Name):
        shared = owner.id in taken and not _is_fixed(lowering.facts, owner)
    else:
        shared = _root(owner) in taken or (
            isinstance(owner, gast.Attribute) and not isinstance(changed, gast.Attribute)
        )
    if shared and not lowering.unit.style.is_tensor(owner):
        raise ConversionError(
            f"{HELD_ELSEWHERE}, and plain TensorFlow would change it once, while the graph is made: assign the whole "
            "value to a variable or attribute",
            line=changed.lineno,
        )


def carries_item(style: Any, facts: Facts, symbol: Symbol) -> bool:
    """Whether an item goes into staged code and comes out by itself: what is in a dict or list that others hold, too.

    It is under the same keys whenever the function comes there, so that it can be assigned where it is.
    """
    keys = [part for part in symbol.path if part.startswith("[")]
    attributes = symbol.path[: len(symbol.path) - len(keys)]
    owner = Symbol(symbol.root, attributes)
    if style.known.seen is None or style.holds_list(str(owner)) or not keys:
        return False
    if any(part.startswith("[") for part in attributes) or not (
        len(symbol.path) > 1 or symbol.root in _taken_names(style, facts.node)
    ):
        return False
    named = [part for part in walk(facts.node) if isinstance(part, gast.Name) and part.id == symbol.root]
    held = _containers(style, facts, owner, named)
    return bool(held) and all(has_item(each, keys) for each in held) and not _is_bound(facts, named)


def _containers(style: Any, facts: Any, owner: Symbol, named: Sequence[Any]) -> list[StateObject]:
    """What has been seen of a list or dict, here or in a method of the object that holds it."""
    parts = named if not owner.path else [part for part in walk(facts.node) if isinstance(part, gast.Attribute)]
    values = [style.value(part) for part in parts if not owner.path or symbol_of(part) == owner]
    kinds = {style.known.seen.classes[part] for part in named if part in style.known.seen.classes}
    if len(owner.path) == 1 and len(kinds) == 1:
        values += _in_methods(style, kinds.pop(), owner.path[0].removeprefix("."))
    if not owner.path and style.observations is not None:
        values += given_to(style.observations, style.known.seen.function, owner.root)
    return [value for value in values if isinstance(value, StateObject)]


def _in_methods(style: Any, kind: Any, attribute: str) -> list[Value]:
    """What functions have seen in an attribute of the objects of a class."""
    return [
        value
        for seen in style.observations.functions.values()
        for part, value in seen.values.items()
        if isinstance(part, gast.Attribute) and part.attr == attribute and seen.classes.get(part.value) is kind
    ]


def has_item(held: Value, path: Sequence[str]) -> bool:
    """Whether there is a tensor or number under keys."""
    for key in path:
        items = [f"[{name!r}]" for name in held.names] if isinstance(held, StateObject) else []
        if not isinstance(held, StateObject) or held.kind not in ("list", "dict") or key not in items:
            return False
        held = held.items[items.index(key)]
    return not isinstance(held, (Object, Tuple)) and held != NONE


def _is_bound(facts: Any, named: Sequence[Any]) -> bool:
    """Whether a name is bound within a construct of the graph that reads it."""
    inside = [{*walk(construct)} for construct in facts.constructs()]
    return any(isinstance(part.ctx, gast.Store) and any(part in each for each in inside) for part in named)


def refuse_aliases(style: Any, facts: Facts) -> None:
    """Refuse a list or dict that staged code changes in place and that has two names: each would have its own."""
    if style.known.seen is None:
        return
    bodies = [part for construct in facts.constructs() for part in (*construct.body, *construct.orelse)]
    changes = [part for part in changed_in(bodies) if not isinstance(part, gast.Attribute)]
    changed = {_root(part.value) for part in changes}
    for part in facts.statements:
        if not isinstance(part, gast.Assign):
            continue
        values = part.value.elts if isinstance(part.value, (gast.Tuple, gast.List)) else [part.value]
        targets = [name.id for target in part.targets for name in walk(target) if isinstance(name, gast.Name)]
        for value in (side for each in values for side in sides_of(each)):
            if not isinstance(value, gast.Name):
                continue
            held = style.value(value)
            mutable = isinstance(held, Object) and held.kind in _MUTABLE
            mutable = mutable or (held is not None and style.holds_list(value.id))
            own = [part.value for part in changes if mutable and _root(part.value) == value.id]
            if mutable and not changed & set(targets) and handing_over.is_given_away(facts, part, value.id, own):
                continue
            if mutable and changed & {value.id, *targets}:
                raise ConversionError(
                    f"`{value.id}` has another name here and is changed in place in the graph, where each name would "
                    "have its own copy: use one name",
                    line=part.lineno,
                )


def refuse_closures(style: TensorFlow, facts: Facts) -> None:
    """Refuse a list or dict that a loop or branch changes while a function made outside of it reads it there."""
    makers = [part for part in walk(facts.node)[1:] if isinstance(part, (gast.FunctionDef, gast.Lambda))]
    for construct in facts.constructs() if makers and style.known.seen is not None else ():
        inside = {*walk(construct)}
        named = {part.id for part in inside if isinstance(part, gast.Name)}
        for changed in changed_in([*construct.body, *construct.orelse]):
            owner = changed.value
            if isinstance(changed, gast.Attribute) or not isinstance(owner, gast.Name) or owner.id not in facts.own:
                continue
            symbol = symbol_of(changed) if isinstance(changed, gast.Subscript) else None
            if symbol is not None and carries_item(style, facts, symbol):
                continue
            for maker in makers:
                if maker not in inside and _names_of(facts, maker) & named and owner.id in closure_reads(maker):
                    raise ConversionError(
                        f"`{owner.id}` is changed in place in the graph, and a function made outside reads it there: "
                        "give it to the function as an argument",
                        line=changed.lineno,
                    )


def _names_of(facts: Facts, maker: gast.AST) -> set[str]:
    """What a nested function is called."""
    if isinstance(maker, gast.FunctionDef):
        return {maker.name}
    assigned = [part for part in facts.statements if isinstance(part, gast.Assign) and part.value is maker]
    return {name.id for part in assigned for name in part.targets if isinstance(name, gast.Name)}


def check_call(read: Any, call: gast.Call) -> None:
    """Refuse a call of a function that changes what staged code can't carry."""
    style, facts = read.unit.style, read.facts
    for symbol, change in style.changes_in(call) or ():
        held = "" if symbol is None else symbol.root
        if symbol is not None and change.how == "item":
            if carries_item(style, facts, symbol):
                continue
            symbol = _container_of(symbol)
        if symbol is not None and symbol.path and style.holds_list(str(symbol)):
            continue
        if symbol is not None and not symbol.path and is_assigned_back(style, call, change):
            continue
        shared = symbol is None or change.how == "length" or (change.how == "item" and symbol.path)
        if change.how == "item" and not shared and held not in facts.own:
            shared = True
        if style.holds_list(held) or (read.nested and shared):
            raise ConversionError(
                f"`{read.unit.original(*read.unit.span(call.func))}` {CHANGED_IN_PLACE}, and plain TensorFlow would "
                "do that once, while the graph is made: return the new value",
                line=call.lineno,
            )


def find(observations: Observations, refusal: ConversionError) -> list[Flagged]:
    """The first branch of each function that assigns items of attributes, where it can have names for them."""
    found: list[Flagged] = []
    for seen in observations.functions.values():
        branches = [part for part in walk(seen.source.node) if isinstance(part, gast.If) and _is_suited(seen, part)]
        places = [(part.lineno, part.col_offset) for part in branches]
        place = next((each for each in places if with_names(seen.source.text, seen.source.node, each)), None)
        if place is not None:
            found.append(Flagged({}, refusal, branch=place))
            found[-1].function = seen.function
    return found


def _is_suited(seen: FunctionObservations, branch: Any) -> bool:
    """Whether the items are tensors or numbers under known keys, and the branch calls no function of the user's."""
    items = assigned_in(branch)
    known = (python_kind(seen.values[part.slice]) for part in items if part.slice in seen.values)
    read = [part for part in walk(branch) if is_item(part) and part in seen.values]
    held = (seen.values[part] for part in read if any(is_same(part, item) for item in items))
    plain = all(isinstance(value, Tensor) or python_kind(value) in (int, float, bool) for value in held)
    called = any(part.func in seen.callees for part in walk(branch) if isinstance(part, gast.Call))
    owners = {dotted(item.value) for item in items}
    lists = [part for part in walk(branch) if getattr(seen.values.get(part), "kind", "") in ("list", "dict")]
    named = all(dotted(part) in owners for part in lists)
    return bool(items) and all(kind in (int, str) for kind in known) and plain and named and not called


def _container_of(symbol: Symbol) -> Symbol:
    """What an item is in."""
    path = symbol.path
    return Symbol(symbol.root, path[:-1]) if path and path[-1].startswith("[") else symbol


def _check_callee(lowering: Any, call: Any) -> None:
    name = call.func.id
    inner = next((each for each in walk(lowering.facts.node) if _is_named(each, name)), None)
    source = lowering.unit.style.known.functions.get(name)
    callee = inner or (None if source is None else source.node)
    if callee is None or callee is lowering.facts.node:
        return
    if inner is None and lowering.unit.style.known.seen is not None:
        return
    own = {part.id for part in walk(callee) if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store)}
    if any(_root(changed.value) not in own for changed in changed_in(callee.body)):
        raise ConversionError(
            f"`{name}` {CHANGED_IN_PLACE}, and plain TensorFlow would do that once, while the graph is made: return "
            "the new value",
            line=call.lineno,
        )


def changed_in(statements: list[Any]) -> Iterator[Any]:
    """The items and attributes that are set, and the methods that change what they are called on."""
    for statement in statements:
        for part in walk(statement):
            if isinstance(part, gast.Call) and isinstance(part.func, gast.Attribute) and part.func.attr in CHANGING:
                yield _Method(part.func)
            elif isinstance(part, (gast.Subscript, gast.Attribute)) and isinstance(part.ctx, gast.Store):
                yield part


class _Method:
    """A method that changes the object that it is looked up on, as an item of that."""

    def __init__(self, function: gast.Attribute) -> None:
        self.value = function.value
        self.lineno = function.lineno


def _taken_names(style: Any, function: Any) -> set[str]:
    """The names of what others hold: of parameters, and those that a loop sets, or an item or attribute goes to."""
    body: list[Any] = function.body if isinstance(function, gast.FunctionDef) else []
    replaced = {target.id for part in body for target in _targets(part)}
    parameters = {*parameter_names(function)} - replaced
    seen = style.known.seen
    found = {name for name in parameters if seen is None or not is_given_back(style.observations, seen.function, name)}
    for part in walk(function):
        if isinstance(part, gast.For):
            found |= {name.id for name in walk(part.target) if isinstance(name, gast.Name)}
        elif isinstance(part, gast.Assign) and any(map(_is_part, sides_of(part.value))):
            found |= {target.id for target in _targets(part)}
    return found


def _is_part(node: gast.AST) -> bool:
    """Whether an expression is an item or attribute of something."""
    return isinstance(node, (gast.Subscript, gast.Attribute))


def _targets(statement: Any) -> list[Any]:
    """The names that a statement assigns one value to."""
    targets = statement.targets if isinstance(statement, gast.Assign) else []
    return [target for target in targets if isinstance(target, gast.Name)]


def _is_fixed(facts: Any, owner: Any) -> bool:
    """Whether a name holds one object of Python's while the graph's constructs around its use are traced."""
    staged = [construct for construct in facts.constructs() if owner in walk(construct)]
    inside = {part for construct in staged for part in walk(construct)}
    stores = [part for part in walk(facts.node) if isinstance(part, gast.Name) and part.id == owner.id]
    return not any(part in inside for part in stores if isinstance(part.ctx, gast.Store))


def _is_named(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.FunctionDef) and node.name == name


def _root(node: gast.AST) -> str | None:
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


_MUTABLE = frozenset({"list", "dict", "set", "deque", "Counter", "defaultdict"})
