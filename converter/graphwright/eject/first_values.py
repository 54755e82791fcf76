"""Names that have no value before a loop of the graph: what they hold there, where nobody can see it.

Before:

    while True:
        step = n / 2
        ...

After:

    step = 0.0
    step = tf.while_loop(...)

A name that may be read without a value is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import children
from graphwright_analysis.values.domain import Tensor

from graphwright.eject import seeds
from graphwright.eject.observations import joined
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.jumps import blocks_of, is_set_first, jumps_out
from graphwright.passes.undefined import taken_by
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts


def prepare(style: TensorFlow, facts: Facts) -> None:
    """Note what names hold before a loop that have no value there; refuse those that may be read without one."""
    if isinstance(facts.node, gast.Lambda):
        return
    loops: dict[str, gast.stmt] = {}
    for construct in _in_order(facts.constructs()):
        for name in sorted(facts.undefinable & taken_by(facts, construct)):
            if not facts.is_perhaps_undefined(construct, name):
                continue
            if name in loops and _gets_value_inside(facts, construct, name, loops[name]):
                continue
            text = _first_value(style, facts, construct, name)
            if text is not None:
                style.unset[name], loops[name] = text, construct
                continue
            kind = "if" if isinstance(construct, gast.If) else "loop"
            raise ConversionError(
                f"`{name}` may be undefined before this {kind}, which becomes part of the graph: set `{name}` "
                "before it",
                line=construct.lineno,
            )
    facts.undefinable -= style.unset.keys()


def _in_order(constructs: Sequence[Any]) -> list[Any]:
    """Loops from the inside out, then branches: an outer one needs no value for what an inner loop sets."""
    loops = [each for each in constructs if not isinstance(each, gast.If)]
    found: list[Any] = []

    def visit(loop: Any) -> None:
        inside = {*walk(loop)} - {loop}
        for each in loops:
            if each in inside and each not in found:
                visit(each)
        found.append(loop)

    for loop in loops:
        if loop not in found:
            visit(loop)
    return found + [each for each in constructs if isinstance(each, gast.If)]


def _gets_value_inside(facts: Facts, construct: gast.stmt, name: str, loop: gast.stmt) -> bool:
    """Whether a construct needs no value for a name that gets one in front of a loop."""
    if construct.lineno > loop.lineno or construct in walk(loop):
        return True
    is_set = any(_is_name(part, name) and isinstance(part.ctx, gast.Store) for part in walk(construct))
    return not is_set or (loop in walk(construct) and not is_read_after(facts, construct, name))


def is_read_after(facts: Facts, construct: gast.AST, name: str) -> bool:
    """Whether anybody reads what a construct leaves in a name."""
    return name in facts.live_out(construct)


def _first_value(style: Any, facts: Any, construct: gast.stmt, name: str) -> str | None:
    """What a name holds before a loop that sets it in each iteration before anything else can happen."""
    if style.known.seen is None or isinstance(construct, gast.If):
        return None
    if is_set_when_left(facts, construct, name):
        given = [
            value for part in facts.statements for target, value in seeds.assigned_pairs(part) if _is_name(target, name)
        ]
        return seeds.zero_of(style, [style.value(value) for value in given]) if given else None
    has_iterations = _is_endless(construct) or _has_iterations(style, construct)
    if not sets_surely(construct, name) or not (has_iterations or _is_read_plainly(facts, construct, name)):
        return None
    parts = walk(construct)
    pairs = [pair for part in parts for pair in seeds.assigned_pairs(part)]
    pairs += [(part.target, part.value) for part in parts if isinstance(part, gast.NamedExpr)]
    given = [value for target, value in pairs if getattr(target, "id", "") == name]
    values = [style.value(value) for value in given] or [seeds.read_as(style, facts, name)]
    held = functools.reduce(joined, values)
    return None if not isinstance(held, Tensor) or held.dtype is None else seeds.zeros(style, held.dtype, held.shape)


def _is_read_plainly(facts: Any, loop: Any, name: str) -> bool:
    """Whether a name is surely read where it is read outside of a loop, so that it's an error if it has no value."""
    plain = [
        each for each in facts.node.body if isinstance(each, (gast.Assign, gast.AugAssign, gast.Expr, gast.Return))
    ]
    known = {
        part for each in plain for part in walk(each, lambda inner: not isinstance(inner, (gast.IfExp, gast.BoolOp)))
    }
    known |= {*walk(loop)}
    named = [part for part in facts.statements if _is_name(part, name)]
    return loop in facts.node.body and all(part in known for part in named)


def is_set_when_left(facts: Facts, loop: gast.AST, name: str) -> bool:
    """Whether a name is surely set after a loop, though not in each iteration."""
    return is_set_with_else(facts, loop, name) or _is_set_by_breaks(loop, name)


def is_set_with_else(facts: Facts, loop: gast.AST, name: str) -> bool:
    """Whether a name is set before each `break` of a loop and in its `else`, which is an `if` after it by now."""
    if not is_set_in_else(facts, loop, name):
        return False
    if any(_is_name(part, name) and isinstance(part.ctx, gast.Load) for part in walk(loop)):
        return sets_surely(loop, name)
    leaving = _leaving_blocks(loop)
    return all(is_set_first(block, name) for block in leaving) and bool(leaving)


def _is_set_by_breaks(loop: Any, name: str) -> bool:
    """Whether a loop without a condition sets a name before each `break`, and sees it nowhere else."""
    leaving = _leaving_blocks(loop)
    inside = {part for block in leaving for statement in block for part in walk(statement)}
    named = [part for part in walk(loop) if _is_name(part, name)]
    is_set = all(is_set_first(block, name) for block in leaving) and all(part in inside for part in named)
    return _is_endless(loop) and bool(leaving) and is_set


def is_set_in_else(facts: Any, loop: Any, name: str) -> bool:
    """Whether a name is set in the `else` of a loop, which is an `if` after it by now."""
    blocks = [block for part in [facts.node, *facts.statements] for block in _blocks_of(part) if loop in block]
    following = blocks[0][blocks[0].index(loop) + 1 :] if blocks else []
    if not following or not isinstance(following[0], gast.If) or not is_set_first(following[0].body, name):
        return False
    test = following[0].test
    flag = getattr(test.operand, "id", "") if isinstance(test, gast.UnaryOp) else ""
    return all(is_set_first(block, flag) for block in _leaving_blocks(loop))


def is_set_by(style: TensorFlow, facts: Facts, loop: gast.AST, name: str) -> bool:
    """Whether a loop that Python runs, or its `else`, surely sets a name."""
    begins = sets_surely(loop, name) and _has_iterations(style, loop)
    return name in taken_by(facts, loop) and (begins or is_set_with_else(facts, loop, name))


def _leaving_blocks(loop: Any) -> list[list[Any]]:
    """The blocks in a loop that end with a `break`."""
    return [block for part in [loop, *walk(loop)] for block in _blocks_of(part) if any(map(_is_break, block))]


def _blocks_of(part: gast.AST) -> list[list[Any]]:
    """The lists of statements in a statement; the body of a lambda is none."""
    return blocks_of(part) if isinstance(part, gast.stmt) else []


def _is_break(statement: Any) -> bool:
    return isinstance(statement, gast.Break)


def _is_name(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def sets_surely(loop: Any, name: str) -> bool:
    """Whether each iteration of a loop sets a name before it can be left."""
    if isinstance(loop, gast.While) and not _is_endless(loop) and not _is_repeatable(loop.test):
        return False
    if isinstance(loop, gast.For) and any(_is_name(part, name) for part in walk(loop.target)):
        return True
    for statement in loop.body:
        if isinstance(statement, (gast.Assign, gast.AnnAssign, gast.With)) and any(
            _is_name(part, name) and isinstance(part.ctx, gast.Store) for part in walk(statement)
        ):
            return True
        if isinstance(statement, gast.If) and _binds(statement.test, name):
            return True
        if jumps_out([statement]):
            return False
    return False


def _is_endless(loop: gast.AST) -> bool:
    return isinstance(loop, gast.While) and isinstance(loop.test, gast.Constant)


def _has_iterations(style: TensorFlow, loop: gast.AST) -> bool:
    """Whether a loop surely has an iteration: over what is written here, or a tensor of known length."""
    if not isinstance(loop, gast.For):
        return False
    header = loop.iter
    while isinstance(header, gast.Call) and dotted(header.func) in ("enumerate", "reversed") and header.args:
        header = header.args[0]
    if isinstance(header, (gast.List, gast.Tuple)):
        return any(not isinstance(part, gast.Starred) for part in header.elts)
    if isinstance(header, gast.Call) and dotted(header.func) == "range":
        bounds: list[Any] = [getattr(part, "value", None) for part in header.args]
        is_known = 0 < len(bounds) < 3 and all(type(bound) is int for bound in bounds)
        return is_known and len(range(*bounds)) > 0
    held = style.value(loop.iter)
    return isinstance(held, Tensor) and not held.is_range and bool(held.shape and held.shape[0])


def _binds(test: Any, name: str) -> bool:
    """Whether evaluating an expression always assigns a name with `:=`."""
    match test:
        case gast.NamedExpr() if test.target.id == name:
            return True
        case gast.Lambda() | gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            parts: list[Any] = []
        case gast.BoolOp():
            parts = test.values[:1]
        case gast.IfExp():
            parts = [test.test]
        case gast.Compare():
            parts = [test.left, *test.comparators[:1]]
        case _:
            parts = children(test)
    return any(_binds(part, name) for part in parts)


def _is_repeatable(test: Any) -> bool:
    """Whether a condition may be evaluated once more: it calls nothing but TensorFlow and functions without effects."""
    calls = [part for part in walk(test) if isinstance(part, gast.Call)]
    names = [(dotted(call.func) or "").split(".") for call in calls]
    plain = all(name[0] in _WITHOUT_EFFECTS and not _STATEFUL & {*name} for name in names)
    return plain and not any(isinstance(part, (gast.NamedExpr, gast.Await, gast.Yield)) for part in walk(test))


_WITHOUT_EFFECTS = frozenset({"tf", "tensorflow", "abs", "len", "max", "min", "sum", "float", "int", "bool"})
_STATEFUL = frozenset({"random", "print", "io", "keras", "py_function", "numpy_function"})
