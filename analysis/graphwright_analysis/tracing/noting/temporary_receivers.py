"""Notes traced methods that are called on an instance which nothing else holds."""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.facts import InstanceEscaped, TemporaryReceiver
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.recordings import Values
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import class_bases
from graphwright_analysis.values.domain import Bound, Class, Function, Items, Object, Traced, Value


def receiver(run: Run, callee: Value, node: gast.Call) -> Bound | None:
    """The traced method that is called on an instance made in the call itself and held by nothing else."""
    func = node.func
    if not isinstance(func, gast.Attribute) or not isinstance(func.value, gast.Call) or not isinstance(callee, Bound):
        return None
    instance, target = callee.receiver, callee.target
    if not isinstance(target, Traced) or not isinstance(target.target, Function) or not isinstance(instance, Object):
        return None
    class_ = instance.type
    if not isinstance(class_, Class) or class_bases.outside_base(class_) not in (None, "tf.Module"):
        return None
    return None if run.seen.values.get(func.value.func) != class_ or _is_held(run, instance) else callee


def note_call(run: Run, frame: Frame, callee: Bound, node: gast.Call) -> None:
    """`Temporary().method(x)`: TensorFlow holds the instance weakly, so it is gone when the method is traced."""
    func, instance, target = node.func, callee.receiver, callee.target
    assert isinstance(func, gast.Attribute) and isinstance(instance, Object) and isinstance(instance.type, Class)
    assert isinstance(target, Traced) and isinstance(target.target, Function)
    used = _first_use(run, target.target)
    if used is not None:
        made = place_of(frame, func.value)
        run.note(TemporaryReceiver(place_of(frame, node), made, func.attr, instance.type.node.name, used))


def _is_held(run: Run, instance: Object) -> bool:
    """Whether a name, attribute or list has the instance, or code that isn't followed."""
    if InstanceEscaped(instance.id) in run.seen.facts:
        return True
    for content in run.state.cells.values():
        held = content.known or () if isinstance(content, Items) else (content,)
        for value in held:
            if value == instance or (isinstance(value, Bound) and value.receiver == instance):
                return True
            if isinstance(value, Traced) and isinstance(value.target, Bound) and value.target.receiver == instance:
                return True
    return False


def _first_use(run: Run, function: Function) -> Place | None:
    """Where a method that was traced has first used an attribute of its receiver."""
    names = [argument.id for argument in function.node.args.args]
    body = function.node.body
    values = Values((run.seen,))
    for statement in body if isinstance(body, list) and names else ():
        for child in gast.walk(statement):
            if not isinstance(child, gast.Attribute) or not isinstance(child.value, gast.Name):
                continue
            if child.value.id == names[0] and child.value in values:
                return Place(function.block, function.block.range_of(child))
    return None
