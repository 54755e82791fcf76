"""Extract loop state: attributes that a loop changes become local variables, read before it and written back after it.

The variables of a loop in the graph are then to be seen. Only loops that nothing else can look into are rewritten.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from graphwright_analysis.diagnostics import Edit
from graphwright_analysis.supposing import broken, new_findings
from graphwright_analysis.text import Range
from graphwright_analysis.values.domain import Api, Method, Tensor, Value, Variable

from . import loops, vocabulary
from .loops import Ancestry, Loop
from .rewrite import Offer, Rewrite, RewriteSite

_LEAVING = (gast.Return, gast.Yield, gast.YieldFrom, gast.Await, gast.Raise, gast.Assert, gast.Try)


def _expected(asked: RewriteSite) -> Offer | None:
    at = _loop_at(asked)
    attributes = _attributes(at) if at is not None else []
    return None if at is None or not attributes else Offer(_title(attributes), refused=_obstacle(asked, at, attributes))


def _made(asked: RewriteSite) -> tuple[Offer, ...]:
    at = _loop_at(asked)
    attributes = _attributes(at) if at is not None else []
    if at is None or not attributes:
        return ()
    refused = _obstacle(asked, at, attributes)
    edits = () if refused else _edits(at, attributes)
    if edits and broken(asked.project, asked.path, edits):
        refused = "The code around it can't be parsed."
    elif edits:
        new, _ = new_findings(asked.project, asked.path, edits)
        refused = f"{new[0].message} ({new[0].rule})" if new else None
    return (Offer(_title(attributes), () if refused else edits, refused),)


LOOP_STATE = Rewrite("loop-state", _expected, _made)


def _title(attributes: list[str]) -> str:
    shown = " and ".join(f"`{name}`" for name in attributes)
    return f"Extract loop state: keep {shown} in local variables"


def _loop_at(asked: RewriteSite) -> Ancestry | None:
    """The loop whose header is touched."""
    for at in loops.around(asked):
        if isinstance(at.node, (gast.For, gast.While)) and at.function is not None:
            body = at.place(at.node.body[0]).start
            return at if asked.anywhere or asked.range.start < body else None
    return None


def _attributes(at: Ancestry) -> list[str]:
    """The attributes of names that the loop sets, as they are written."""
    found: dict[str, None] = {}
    for part in gast.walk(at.node):
        if isinstance(part, gast.Attribute) and isinstance(part.ctx, gast.Store) and isinstance(part.value, gast.Name):
            found[f"{part.value.id}.{part.attr}"] = None
    return list(found)


def _obstacle(asked: RewriteSite, at: Ancestry, attributes: list[str]) -> str | None:
    loop, values = at.node, asked.trace.values
    assert isinstance(loop, (gast.For, gast.While))
    owners = {name.partition(".")[0] for name in attributes}
    if loops.stored(loop) & owners:
        return f"`{min(loops.stored(loop) & owners)}` is bound in the loop."
    for part in gast.walk(loop):
        if isinstance(part, (*_LEAVING, *loops.FUNCTIONS)):
            words = at.text(part).splitlines()[0][:30]
            return f"`{words}` (line {_line(at, part)}) may leave the loop or read its state too early."
        if isinstance(part, gast.Call) and not _is_closed(part, values):
            return f"`{at.text(part.func)}` (line {_line(at, part)}) may use the object while the loop runs."
        if isinstance(part, gast.Attribute) and isinstance(part.ctx, gast.Del):
            return f"`{at.text(part)}` is deleted in the loop."
    bare = _bare(loop, owners)
    if bare is not None:
        return f"`{bare}` is used as a whole in the loop."
    taken = {name for each in (at.function, loop) if each is not None for name in loops.names(each)}
    clash = [name for name in attributes if _local(name) in taken]
    if clash:
        return f"`{_local(clash[0])}` is a different variable."
    new = next((name for name in attributes if not _is_set_before(at, name)), None)
    if new is not None:
        return f"`{new}` may not exist before the loop."
    if at.indent(loop) is None:
        return "The loop isn't the first statement on its line."
    return None


def _is_set_before(at: Ancestry, name: str) -> bool:
    """Whether the attribute is surely there: it is set in front of the loop, or by the object's initializer."""
    owner, _, attribute = name.partition(".")
    class_ = next((each for each in reversed(at.around) if isinstance(each, gast.ClassDef)), None)
    members = class_.body if class_ is not None else []
    if any(isinstance(each, gast.FunctionDef) and each.name == attribute for each in members):
        return False
    initializers = [each for each in members if isinstance(each, gast.FunctionDef) and each.name == "__init__"]
    inside = [*initializers, *_in_front(at)]
    return any(
        isinstance(part, gast.Attribute)
        and isinstance(part.ctx, gast.Store)
        and part.attr == attribute
        and isinstance(part.value, gast.Name)
        and part.value.id == owner
        for statement in inside
        for part in gast.walk(statement)
        if not isinstance(statement, (gast.If, gast.For, gast.While, gast.Try))
    )


def _in_front(at: Ancestry) -> list[gast.stmt]:
    """The statements in front of the loop in the lists that it stands in, up to its function."""
    found: list[gast.stmt] = []
    inner = at.node
    for each in reversed(at.around):
        for field in ("body", "orelse"):
            statements: list[gast.stmt] = getattr(each, field, [])
            numbers = [number for number, statement in enumerate(statements) if statement is inner]
            found += statements[: numbers[0]] if numbers else []
        if each is at.function:
            break
        inner = each
    return found


def _is_closed(call: gast.Call, values: Mapping[gast.AST, Value]) -> bool:
    """Whether what is called can't get hold of the object: TensorFlow's operations, builtins, methods of tensors."""
    value = values.get(call.func)
    if isinstance(value, Api):
        known = value.name in vocabulary.BUILTINS or value.name == "print"
        return known or value.name.partition(".")[0] in vocabulary.PURE_MODULES
    receiver = values.get(call.func.value) if isinstance(call.func, gast.Attribute) else None
    return isinstance(value, Method) or isinstance(receiver, (Tensor, Variable))


def _bare(loop: Loop, owners: set[str]) -> str | None:
    """An owner that is used otherwise than for an attribute."""
    parts = {part.value for part in gast.walk(loop) if isinstance(part, gast.Attribute)}
    for part in gast.walk(loop):
        if isinstance(part, gast.Name) and part.id in owners and part not in parts:
            return part.id
    return None


def _edits(at: Ancestry, attributes: list[str]) -> tuple[Edit, ...]:
    end, indent = at.end_of_line, at.indent(at.node) or ""
    place = at.place(at.node)
    before = "".join(f"{_local(name)} = {name}{end}{indent}" for name in attributes)
    inside = [
        Edit(at.place(part), _local(f"{part.value.id}.{part.attr}"))
        for part in gast.walk(at.node)
        if isinstance(part, gast.Attribute)
        and isinstance(part.value, gast.Name)
        and f"{part.value.id}.{part.attr}" in attributes
    ]
    lines = at.module.lines
    stop = lines.line_range(lines.line_of(place.end)).end
    after = "".join(f"{end}{indent}{name} = {_local(name)}" for name in attributes)
    return (Edit(Range(place.start, place.start), before), *inside, Edit(Range(stop, stop), after))


def _local(name: str) -> str:
    return name.partition(".")[2].lstrip("_") or "state"


def _line(at: Ancestry, node: gast.AST) -> int:
    return at.module.lines.line_of(at.place(node).start) + 1
