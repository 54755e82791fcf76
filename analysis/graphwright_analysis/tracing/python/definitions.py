"""Functions and classes as values: what a `def`, a `lambda` or a `class` gives.

Calling them is in `calls`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing.functions import decorators
from graphwright_analysis.tracing.library import extension_types
from graphwright_analysis.tracing.machine import allocation, marks
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import class_bases
from graphwright_analysis.values.domain import UNKNOWN, Api, ApiInstance, Class, Function, Unknown, Value

from . import annotations, expressions, statements


def function(run: Run, frame: Frame, node: gast.FunctionDef) -> Value:
    """What a `def` binds its name to, decorators applied."""
    value: Value = _closure(run, frame, node)
    own = value
    for decorator in reversed(node.decorator_list):
        decorated_by = expressions.evaluate(run, frame, decorator)
        value = decorators.decorate(run, frame, decorated_by, value, decorator, node)
        function = decorators.function_behind(value)
        own = value if function is not None and function.node is node else own
    if own is not value and not frame.in_function:
        run.state.set(frame.id, node.name + decorators.AS_WRITTEN, own)
    return value


def lambda_(run: Run, frame: Frame, node: gast.Lambda) -> Value:
    return _closure(run, frame, node)


def _closure(run: Run, frame: Frame, node: gast.FunctionDef | gast.Lambda) -> Function:
    around: Frame | None = frame
    while around is not None and around.id not in run.seen.captured:
        run.seen.captured.add(around.id)
        around = around.parent
    defaults = _defaults(run, frame, node.args)
    return Function(node, frame.block, frame.id, defaults, frame.owner, native=run.context.graph and frame.converted)


def _defaults(run: Run, frame: Frame, arguments: gast.arguments) -> tuple[tuple[str, Value], ...]:
    names = [argument.id for argument in (*arguments.posonlyargs, *arguments.args)]
    found: list[tuple[str, Value]] = []
    tail = names[len(names) - len(arguments.defaults) :]
    for name, default in zip(tail, arguments.defaults, strict=False):
        found.append((name, expressions.evaluate(run, frame, default)))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=False):
        if default is not None:
            found.append((argument.id, expressions.evaluate(run, frame, default)))
    return tuple(found)


def class_(run: Run, frame: Frame, header: gast.ClassDef, node: gast.ClassDef, block: Block) -> Value:
    """What a `class` statement binds its name to; `block` has its body, `header` what stands before that."""
    bases = tuple(expressions.evaluate(run, frame, base) for base in header.bases)
    decorated_by = [expressions.evaluate(run, frame, decorator) for decorator in header.decorator_list]
    named_tuple = Api("typing.NamedTuple") in bases
    names = {each.name for each in decorated_by if isinstance(each, (Api, ApiInstance))}
    attrs = any(name.startswith(("attr.", "attrs.")) for name in names)
    data = named_tuple or attrs or "dataclasses.dataclass" in names
    bodies = _bodies(node, block)
    special = _special(statement for _, body in bodies for statement in body)
    doubted = not decorators.is_known(decorated_by)
    taken_apart = any(map(class_bases.is_extension_type, bases))
    fields = _fields(node.body) if data or taken_apart else ()
    result = Class(header, frame.block, run.fresh(), bases, data, fields, special, doubted=doubted)
    inner = allocation.new_frame(run, node, frame, owner=result, id_=result.id, block=block)
    for inner.block, body in bodies:
        statements.execute(run, inner, body)
        if taken_apart:
            _declare_fields(run, inner, result, body)
    run.state.set(result.id, marks.CREATED, UNKNOWN, place_of(frame, header))
    if attrs:
        for name in (*fields, class_bases.OF_ATTRS):
            run.state.set(result.id, name, UNKNOWN)
    for decorator in reversed(decorated_by):
        if not isinstance(decorator, (Unknown, Api, ApiInstance)):
            given = run.interpreter.call_value(run, decorator, Call(frame, [result]))
            result = given if isinstance(given, Class) else result
    run.hand_over(frame, result)
    return result


def _special(body: Iterable[gast.stmt]) -> frozenset[str]:
    names = (statement.name for statement in body if isinstance(statement, gast.FunctionDef))
    return frozenset(name for name in names if name.startswith("__") and name.endswith("__"))


def _bodies(node: gast.ClassDef, block: Block) -> Sequence[tuple[Block, Sequence[gast.stmt]]]:
    """The statements of a class with the blocks that they stand in."""
    if node not in block.statements or not block.parts:
        return [(block, node.body)]
    return [(member, member.statements) for member in block.pieces[1:]]


def _declare_fields(run: Run, frame: Frame, class_: Class, body: Sequence[gast.stmt]) -> None:
    for statement in body:
        if isinstance(statement, gast.AnnAssign) and isinstance(statement.target, gast.Name):
            promised = annotations.of_field(run, frame, statement.annotation)
            extension_types.declare(run, class_, statement.target.id, promised)


def _fields(body: Sequence[gast.stmt]) -> tuple[str, ...]:
    """The names that are annotated, or bound to what `attr.ib()` and the like give."""
    targets = (_field(statement) for statement in body)
    return tuple(target.id for target in targets if isinstance(target, gast.Name))


def _field(statement: gast.stmt) -> gast.AST | None:
    if isinstance(statement, gast.AnnAssign):
        return statement.target
    if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Call):
        maker = statement.value.func
        name = maker.attr if isinstance(maker, gast.Attribute) else getattr(maker, "id", "")
        return statement.targets[0] if name in ("ib", "attrib", "field") else None
    return None
