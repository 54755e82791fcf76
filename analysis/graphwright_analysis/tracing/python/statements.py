"""What statements do to the state of a trace.

Control flow that becomes part of the graph is in `staging`; expressions are in `expressions`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from graphwright_analysis.imports import Import
from graphwright_analysis.tracing.facts import VariableReplaced
from graphwright_analysis.tracing.library import containers, keras_models, tapes
from graphwright_analysis.tracing.machine import allocation, journal
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import Outcome
from graphwright_analysis.tracing.noting import extended_classes, leaving, python_use, refused_operations, storing
from graphwright_analysis.tracing.noting.list_changes import list_changed
from graphwright_analysis.tracing.reading import held_values, name_lookup, narrowing
from graphwright_analysis.values import outside_names
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Api,
    ApiInstance,
    Array,
    Class,
    Constant,
    Entries,
    Items,
    KerasObject,
    Object,
    Value,
    Variable,
)

from . import (
    annotations,
    definitions,
    del_statements,
    expressions,
    loops,
    match_statements,
    objects,
    operators,
    special_methods,
    staging,
    try_statements,
)


def execute(run: Run, frame: Frame, statements: Sequence[gast.stmt]) -> Outcome:
    """Run statements from the run's current state; it is left at the state of the normal end, if there is one."""
    total = Outcome(None)
    for index, statement in enumerate(statements):
        around, run.statement = run.statement, statement
        run.step()
        run.statement = around
        outcome = _statement(run, frame, statement, statements[index + 1 :])
        if outcome is None:
            continue
        total.absorb(outcome)
        total.normal = outcome.normal
        if outcome.normal is not None:
            run.state = outcome.normal
        if outcome.normal is None or outcome.took_rest:
            return total
    total.normal = run.state
    return total


def _statement(run: Run, frame: Frame, node: gast.stmt, rest: Sequence[gast.stmt]) -> Outcome | None:
    """How a statement ended; None where what follows is run next, in the run's state."""
    if frame.block.is_broken(node) and not isinstance(node, (gast.If, gast.While, gast.For, gast.With)):
        _forget_targets(run, frame, node)
        return None
    if isinstance(node, gast.If):
        return staging.execute_if(run, frame, node, rest)
    handler = _HANDLERS.get(type(node).__name__)
    if handler is None:
        return None
    around, run.statement = run.statement, node
    outcome = handler(run, frame, node)
    run.statement = around
    return outcome


def _forget_targets(run: Run, frame: Frame, node: gast.stmt) -> None:
    for child in gast.walk(node):
        if isinstance(child, gast.Name) and isinstance(child.ctx, gast.Store):
            storing.bind_name(run, frame, child.id, UNKNOWN, child)


# Binding


def bind(run: Run, frame: Frame, target: gast.AST, value: Value, source: gast.AST | None = None) -> None:
    """Assign `value`, which the expression `source` gave, to a target expression."""
    match target:
        case gast.Name():
            storing.bind_name(run, frame, target.id, value, target, source)
            run.seen.saw(target, value)
        case gast.Tuple() | gast.List():
            python_use.iteration(run, frame, target, value, "unpacking", source)
            _unpack(run, frame, target.elts, value)
        case gast.Starred():
            bind(run, frame, target.value, UNKNOWN)
        case gast.Attribute():
            owner = expressions.evaluate(run, frame, target.value)
            if isinstance(owner, Object) and not objects.set_property(run, frame, owner, target.attr, value):
                storing.store_attribute(run, frame, owner, target.attr, value, place_of(frame, target, source), target)
            elif isinstance(owner, Class):
                journal.stored(run, frame, (owner.id, target.attr, None), target, value)
                run.state.set(owner.id, target.attr, value, place_of(frame, target, source))
            elif isinstance(owner, KerasObject):
                keras_models.set_attribute(run, owner, target.attr, value)
            else:
                extended_classes.note(run, frame, owner, Constant(target.attr), target)
        case gast.Subscript():
            _store_item(run, frame, target, value)
        case _:
            pass


def _unpack(run: Run, frame: Frame, targets: Sequence[gast.AST], value: Value) -> None:
    star = next((i for i, target in enumerate(targets) if isinstance(target, gast.Starred)), None)
    elements = held_values.elements_of(run, value)
    if elements is None or (star is None and len(elements) != len(targets)) or len(elements) < len(targets) - 1:
        element = held_values.element_of(run, value)
        for target in targets:
            bind(run, frame, target, UNKNOWN if isinstance(target, gast.Starred) else element)
        return
    if star is None:
        for target, element in zip(targets, elements, strict=True):
            bind(run, frame, target, element)
        return
    behind = len(targets) - star - 1
    for target, element in zip(targets[:star], elements, strict=False):
        bind(run, frame, target, element)
    starred = targets[star]
    assert isinstance(starred, gast.Starred)
    middle = elements[star : len(elements) - behind]
    bind(run, frame, starred.value, allocation.new_list(run, frame, tuple(middle), starred))
    for target, element in zip(targets[star + 1 :], elements[len(elements) - behind :], strict=True):
        bind(run, frame, target, element)


def _store_item(run: Run, frame: Frame, target: gast.Subscript, value: Value) -> None:
    owner = expressions.evaluate(run, frame, target.value)
    key = expressions.evaluate(run, frame, target.slice)
    python_use.index(run, frame, target, target.value, owner, key, "store")
    if isinstance(owner, Array) and not run.context.graph and isinstance(target.value, gast.Name):
        # An array is another one once an element is: whoever keeps it as it was is out of date.
        holder = name_lookup.owner_of_read(frame, target.value.id)
        if holder is not None:
            run.state.set(holder.id, target.value.id, owner, place_of(frame, target))
    if not isinstance(owner, Object):
        refused_operations.item_assignment(run, frame, owner, key, value, target)
        return
    journal.item_stored(run, frame, target, owner, key, value)
    items, entries = run.state.items(owner.id), run.state.entries(owner.id)
    if items is not None and isinstance(target.slice, gast.Slice):
        bounds, elements = expressions.slice_of(run, frame, target.slice), held_values.elements_of(run, value)
        run.state.set_content(owner.id, _with_slice(items, bounds, elements))
    elif items is not None:
        if items.known is not None and isinstance(key, Constant) and isinstance(key.value, int):
            if -len(items.known) <= key.value < len(items.known):
                known = list(items.known)
                known[key.value] = value
                run.state.set_content(owner.id, Items(tuple(known)))
            return
        length = None if items.known is None else len(items.known)
        run.state.set_content(owner.id, Items(None if length is None else (UNKNOWN,) * length))
    elif entries is not None:
        python_use.key(run, frame, target.slice, key, "dict")
        if isinstance(key, Constant) and isinstance(key.value, (str, int, bytes)):
            run.state.set_content(owner.id, entries.with_entry(key.value, value))
        else:
            run.state.set_content(owner.id, Entries(closed=False))


def _with_slice(items: Items, bounds: slice | None, elements: Sequence[Value] | None) -> Items:
    """What a list holds whose slice was set, which may have made it longer or shorter."""
    if items.known is None or bounds is None or elements is None:
        return Items(None)
    known = list(items.known)
    try:
        known[bounds] = elements
    except ValueError:
        return Items(None)
    return Items(tuple(known))


# Simple statements


def _expression(run: Run, frame: Frame, node: gast.Expr) -> None:
    expressions.evaluate(run, frame, node.value)


def _assign(run: Run, frame: Frame, node: gast.Assign) -> None:
    value = expressions.evaluate(run, frame, node.value)
    for target in node.targets:
        bind(run, frame, target, value, node.value)


def _annotated(run: Run, frame: Frame, node: gast.AnnAssign) -> None:
    if node.value is not None:
        bind(run, frame, node.target, expressions.evaluate(run, frame, node.value), node.value)
    elif isinstance(node.target, gast.Name) and frame.scope.kind == "class":
        storing.bind_name(run, frame, node.target.id, annotations.of_annotation(run, frame, node.annotation), node)


def _augmented(run: Run, frame: Frame, node: gast.AugAssign) -> None:
    before = expressions.evaluate(run, frame, node.target)
    operand = expressions.evaluate(run, frame, node.value)
    if isinstance(before, Object) and before.kind == "list" and isinstance(node.op, gast.Add):
        list_changed(run, frame, node, before, "+=", held_values.element_of(run, operand))
        containers.extend_list(run, before, operand)
        return
    if isinstance(before, Variable) and isinstance(node.op, tuple(journal.AUGMENTED)):
        sign = journal.AUGMENTED[type(node.op)]
        target, whole = place_of(frame, node.target), place_of(frame, node)
        text = target.block.text[target.range.start : target.range.end]
        run.note(VariableReplaced(target, whole, text, sign + "=", place_of(frame, node.value), None))
    bind(run, frame, node.target, operators.binary(run, frame, node.op, before, operand, node))


def _return(run: Run, frame: Frame, node: gast.Return) -> Outcome:
    value = NONE if node.value is None else expressions.evaluate(run, frame, node.value)
    return Outcome(None, returns=[(run.state, value)])


def _raise(run: Run, frame: Frame, node: gast.Raise) -> Outcome:
    for part in (node.exc, node.cause):
        if part is not None:
            expressions.evaluate(run, frame, part)
    leaving.note_raise(run, frame, node)
    return Outcome(None)


def _break(run: Run, frame: Frame, node: gast.Break) -> Outcome:
    return Outcome(None, breaks=[run.state])


def _continue(run: Run, frame: Frame, node: gast.Continue) -> Outcome:
    return Outcome(None, continues=[run.state])


def _assert(run: Run, frame: Frame, node: gast.Assert) -> None:
    value = expressions.evaluate(run, frame, node.test)
    python_use.truth(run, frame, node.test, value, "assert")
    run.state.cells.update(narrowing.told(run, frame, [node.test], True))
    if node.msg is not None:
        with run.doubting():
            expressions.evaluate(run, frame, node.msg)


def _import(run: Run, frame: Frame, node: gast.Import) -> None:
    for alias in node.names:
        # `import a.b` binds `a`.
        module = alias.name if alias.asname else alias.name.partition(".")[0]
        project = run.destination_in_project(name_lookup.module_frame(frame).file, Import(module, 0, None))
        value = Api(outside_names.canonical(module)) if project is None else project
        storing.bind_name(run, frame, alias.asname or module, value, node)


def _import_from(run: Run, frame: Frame, node: gast.ImportFrom) -> None:
    for alias in node.names:
        if alias.name == "*":
            continue
        known = node.module is not None and not node.level
        imported = Import(node.module or "", node.level or 0, alias.name)
        project = run.destination_in_project(name_lookup.module_frame(frame).file, imported)
        if project is not None:
            storing.bind_name(run, frame, alias.asname or alias.name, project, node)
            continue
        value = Api(outside_names.canonical(f"{node.module}.{alias.name}")) if known else UNKNOWN
        storing.bind_name(run, frame, alias.asname or alias.name, value, node)


def _define_function(run: Run, frame: Frame, node: gast.FunctionDef) -> None:
    storing.bind_name(run, frame, node.name, definitions.function(run, frame, node), node)


def _define_class(run: Run, frame: Frame, node: gast.ClassDef) -> None:
    whole = frame.block
    if whole.parts and node is whole.statements[0]:
        # What a class is known by stays the same when its members change.
        frame.block = whole.head
        header = whole.head.statements[0]
        assert isinstance(header, gast.ClassDef)
        storing.bind_name(run, frame, node.name, definitions.class_(run, frame, header, node, whole), header)
        frame.block = whole
    else:
        storing.bind_name(run, frame, node.name, definitions.class_(run, frame, node, node, whole), node)


# Compound statements that stay Python


def _with(run: Run, frame: Frame, node: gast.With) -> Outcome:
    managers = [expressions.evaluate(run, frame, item.context_expr) for item in node.items]
    for item, value in zip(node.items, managers, strict=True):
        held = special_methods.entered(run, frame, value)
        if item.optional_vars is not None:
            bind(run, frame, item.optional_vars, held)
    if ApiInstance("tf.init_scope") not in managers:
        guarded = any(refused_operations.expects_refusal(item.context_expr) for item in node.items)
        seen = len(run.seen.facts)
        with run.within(guarded=run.context.guarded + guarded):
            tapes.enter(run, frame, managers, node.body)
            outcome = execute(run, frame, node.body)
            tapes.leave(run, managers, node.body)
        if guarded:
            python_use.forgive(run, seen)
        if outcome.normal is not None:
            run.state = outcome.normal
            for manager in reversed(managers):
                special_methods.left(run, frame, manager)
            outcome.normal = run.state
        return outcome
    # What stands in there is lifted out of the graph and runs eagerly.
    with run.within(graph=False, constructs=()):
        return execute(run, frame, node.body)


_HANDLERS: dict[str, Callable[[Run, Frame, Any], Outcome | None]] = {
    "Expr": _expression,
    "Assign": _assign,
    "AnnAssign": _annotated,
    "AugAssign": _augmented,
    "Return": _return,
    "Raise": _raise,
    "Break": _break,
    "Continue": _continue,
    "Delete": del_statements.delete,
    "Assert": _assert,
    "Import": _import,
    "ImportFrom": _import_from,
    "FunctionDef": _define_function,
    "AsyncFunctionDef": _define_function,
    "ClassDef": _define_class,
    "With": _with,
    "AsyncWith": _with,
    "Try": try_statements.try_,
    "For": loops.for_,
    "AsyncFor": loops.async_for,
    "While": loops.while_,
    "Match": match_statements.match_,
    "TryStar": try_statements.try_,
}
