"""Hoist out of the loop: what every turn makes again and alike is made once, in front of it.

Constants, conversions of lists and what `tf.function` makes; variables have a state, and stay where they are.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from graphwright_analysis.diagnostics import Edit
from graphwright_analysis.immutability import immutable
from graphwright_analysis.supposing import broken, new_findings
from graphwright_analysis.text import Range
from graphwright_analysis.values.domain import Api, DType, Value

from . import loops
from .loops import Ancestry, Loop
from .rewrite import Offer, Rewrite, RewriteSite

_MADE_ALIKE = frozenset(
    {
        *("tf.constant", "tf.convert_to_tensor", "tf.zeros", "tf.ones", "tf.fill", "tf.eye", "tf.range", "tf.linspace"),
        *("tf.cast", "tf.one_hot", "tf.stack", "tf.function", "tf.TensorSpec", "tf.TensorShape"),
    }
)
_UNSURE = (gast.If, gast.IfExp, gast.BoolOp, gast.Try, gast.ListComp, gast.DictComp, gast.SetComp, gast.GeneratorExp)


@immutable
class _Hoisted:
    at: Ancestry
    loop: Loop
    call: gast.Call

    @property
    def title(self) -> str:
        return f"Hoist `{self.at.text(self.call.func)}(...)` out of the loop"


def _expected(asked: RewriteSite) -> Offer | None:
    found = _found(asked)
    return None if found is None else Offer(found.title, refused=_obstacle(asked, found))


def _made(asked: RewriteSite) -> tuple[Offer, ...]:
    found = _found(asked)
    if found is None:
        return ()
    refused = _obstacle(asked, found)
    edits = () if refused else _edits(found)
    if edits and broken(asked.project, asked.path, edits):
        refused = "The code around it can't be parsed."
    elif edits:
        new, _ = new_findings(asked.project, asked.path, edits)
        refused = f"{new[0].message} ({new[0].rule})" if new else None
    return (Offer(found.title, () if refused else edits, refused),)


HOIST = Rewrite("hoist", _expected, _made)


def _found(asked: RewriteSite) -> _Hoisted | None:
    """The outermost call under the cursor that makes the same in each turn of the loop around it."""
    values = asked.trace.values
    best: _Hoisted | None = None
    for at in loops.around(asked):
        called = values.get(at.node.func) if isinstance(at.node, gast.Call) else None
        if isinstance(at.node, gast.Call) and isinstance(called, Api) and called.name in _MADE_ALIKE:
            loop = at.loop
            best = _Hoisted(at, loop, at.node) if loop is not None else best
    return best


def _obstacle(asked: RewriteSite, found: _Hoisted) -> str | None:
    """Why the call has to stay in the loop, in words."""
    at, loop, values = found.at, found.loop, asked.trace.values
    bound = loops.stored(loop)
    own = _assignment(found)
    name = own.targets[0].id if own is not None and isinstance(own.targets[0], gast.Name) else None
    used = sorted((loops.names(found.call) & bound) - ({name} if name else set()))
    if used:
        return f"`{used[0]}` is bound in the loop."
    part = next((each for each in gast.walk(found.call) if not _is_plain(each, values)), None)
    if part is not None:
        return f"`{at.text(part)}` may differ in each iteration."
    inside = at.around[at.around.index(loop) :]
    if any(isinstance(each, _UNSURE) for each in inside):
        return "It isn't created in every iteration."
    if at.indent(loop) is None:
        return "The loop isn't the first statement on its line."
    changed = _changed_in(loop, found.call)
    return f"`{changed}` may be changed in the loop." if changed else None


def _edits(found: _Hoisted) -> tuple[Edit, ...]:
    at, end = found.at, found.at.end_of_line
    start = at.place(found.loop).start
    indent = at.indent(found.loop) or ""
    own = _assignment(found)
    line = at.own_line(own) if own is not None else None
    if own is not None and line is not None and _is_only_binding(found, own):
        moved = at.module.text[line.start : line.end].strip()
        return Edit(Range(start, start), f"{moved}{end}{indent}"), Edit(line, "")
    name = _fresh(found)
    made = Edit(Range(start, start), f"{name} = {at.text(found.call)}{end}{indent}")
    return made, Edit(at.place(found.call), name)


def _assignment(found: _Hoisted) -> gast.Assign | None:
    """The statement `name = call` of the loop's body, where there is more in it than that."""
    statement = found.at.around[-1]
    plain = isinstance(statement, gast.Assign) and statement.value is found.call and len(statement.targets) == 1
    if not isinstance(statement, gast.Assign) or not plain or not isinstance(statement.targets[0], gast.Name):
        return None
    return statement if statement in found.loop.body and len(found.loop.body) > 1 else None


def _is_only_binding(found: _Hoisted, own: gast.Assign) -> bool:
    """Whether nothing else in the function binds the name."""
    scope = found.at.function or gast.Module(list(found.at.block.statements), [])
    name = own.targets[0].id if isinstance(own.targets[0], gast.Name) else ""
    bound = [part for part in gast.walk(scope) if isinstance(part, gast.Name) and part.id == name]
    return found.at.function is not None and sum(not isinstance(part.ctx, gast.Load) for part in bound) == 1


def _fresh(found: _Hoisted) -> str:
    """A name that the file doesn't use."""
    base = found.at.text(found.call.func).rpartition(".")[2]
    taken = {name for statement in found.at.block.statements for name in loops.names(statement)}
    candidates = (base if number == 1 else f"{base}_{number}" for number in range(1, 100))
    return next(name for name in candidates if name not in taken and name not in ("range", "function"))


def _is_plain(node: gast.AST, values: Mapping[gast.AST, Value]) -> bool:
    """Whether a part of the call makes nothing that could differ from turn to turn."""
    if isinstance(node, gast.Call):
        value = values.get(node.func)
        return isinstance(value, Api) and value.name in _MADE_ALIKE
    if isinstance(node, (gast.Attribute, gast.Subscript)):
        return isinstance(values.get(node), (Api, DType)) and isinstance(node, gast.Attribute)
    plain = (gast.Constant, gast.Name, gast.List, gast.Tuple, gast.UnaryOp, gast.BinOp, gast.keyword)
    return isinstance(node, (*plain, gast.expr_context, gast.operator, gast.unaryop))


def _changed_in(loop: Loop, call: gast.Call) -> str | None:
    """A name in the call that something else in the loop may change in place: a list, by its methods or its parts."""
    own = set(gast.walk(call))
    used = loops.names(call)
    for part in gast.walk(loop):
        if part in own:
            continue
        inner = part.value if isinstance(part, (gast.Attribute, gast.Subscript)) else None
        if isinstance(inner, gast.Name) and inner.id in used and inner not in own and _may_change(part):
            return inner.id
        given = part.args if isinstance(part, gast.Call) else []
        for each in given:
            if isinstance(each, gast.Name) and each.id in used and each not in own and not _is_operation(part):
                return each.id
    return None


def _may_change(part: gast.AST) -> bool:
    if isinstance(part, gast.Subscript):
        return not isinstance(part.ctx, gast.Load)
    return isinstance(part, gast.Attribute) and (not isinstance(part.ctx, gast.Load) or part.attr in _CHANGING)


def _is_operation(call: gast.AST) -> bool:
    """Whether what is called is a function of a module, by its looks: those of TensorFlow change no argument."""
    return isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)


_CHANGING = frozenset({"append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "update"})
