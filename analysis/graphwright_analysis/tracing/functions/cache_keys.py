"""Notes calls of traced functions with what decides whether a call is traced again.

What the calls cost together is summed up in `retracing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import gast

from graphwright_analysis.tracing.facts import Given, Held, InstanceMade, TracedCalled
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import class_bases, name_lookup
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Api,
    Array,
    Bound,
    Class,
    Constant,
    Function,
    Method,
    Object,
    Partial,
    Spec,
    Tensor,
    Traced,
    Tuple,
    Unknown,
    Value,
    python_kind,
)
from graphwright_analysis.values.lineage import lineage


def note_call(run: Run, callee: Traced, call: Call, concrete: bool = False) -> TracedCalled:
    """Note that a traced function is called, with the arguments by parameter."""
    receiver = _receiver(callee, call.positional)
    place = call.place if isinstance(call.node, gast.Call) else None
    arguments = () if place is None else tuple(_given(run, callee, call))
    called = TracedCalled(
        run.fresh(),
        callee,
        receiver.id if isinstance(receiver, Object) else None,
        place,
        arguments,
        run.context.loops,
        run.context.widening > 0,
        run.context.graph,
        run.context.is_sure,
        concrete,
        run.context.batches,
    )
    run.note(called)
    return called


def note_instance(run: Run, class_: Class, made: Object, call: Call) -> None:
    """Note that an instance with traces of its own is made."""
    if call.node is None or run.context.uncertain or not run.context.loops:
        return
    for each in lineage(class_):
        if isinstance(each, Class) and run.state.owned(each.id, Traced):
            run.note(InstanceMade(made.id, call.place, class_.node.name, run.context.loops))
            return


def function_of(callee: Traced) -> Function | None:
    """The project's function that is traced."""
    target = callee.target.target if isinstance(callee.target, Bound) else callee.target
    return target if isinstance(target, Function) else None


def parameters_of(callee: Traced) -> list[str]:
    """The names of the positional parameters, without the receiver."""
    function = function_of(callee)
    if function is None:
        return []
    arguments = function.node.args
    names = [argument.id for argument in (*arguments.posonlyargs, *arguments.args)]
    return names[1:] if isinstance(callee.target, Bound) or has_receiver(callee) else names


def has_receiver(callee: Traced) -> bool:
    """Whether the first argument of a call is the instance that it's a method of."""
    function = callee.target
    if not isinstance(function, Function) or isinstance(function.node, gast.Lambda):
        return False
    if not isinstance(function.owner, Class) or function.owner.id != function.frame:
        # It stands in a method, not in the class.
        return False
    return not any(isinstance(each, gast.Name) and each.id == "staticmethod" for each in function.node.decorator_list)


def _receiver(callee: Traced, positional: Sequence[Value]) -> Value | None:
    return positional[0] if has_receiver(callee) and positional else None


def _given(run: Run, callee: Traced, call: Call) -> Iterator[Given]:
    values = call.positional[1:] if _receiver(callee, call.positional) is not None else call.positional
    written = call.node if isinstance(call.node, gast.Call) and _is_written(run, call.node) else None
    nodes: list[gast.AST] = list(written.args) if written is not None else []
    aligned = len(nodes) == len(values) and not any(isinstance(each, gast.Starred) for each in nodes)
    names = parameters_of(callee)
    given = set[str]()
    for index, value in enumerate(values):
        name = names[index] if index < len(names) else f"argument {index + 1}"
        given.add(name)
        yield _argument(run, call.frame, name, value, nodes[index] if aligned else None)
    keywords = {k.arg: k.value for k in written.keywords} if written is not None else {}
    for name, value in sorted(call.named.items()):
        given.add(name)
        yield _argument(run, call.frame, name, value, keywords.get(name))
    function = function_of(callee)
    for name, value in function.defaults if function is not None else ():
        if name not in given:
            yield Given(name, keyed(run, value))


def _is_written(run: Run, node: gast.Call) -> bool:
    """Whether the call is the function's own, not one of something that calls it."""
    return not isinstance(run.seen.values.get(node.func), (Api, Method, Unknown))


def _argument(run: Run, frame: Frame, name: str, value: Value, node: gast.AST | None) -> Given:
    if node is None:
        return Given(name, keyed(run, value))
    return Given(
        name, keyed(run, value), place_of(frame, node), _fresh(run, frame, value, node), _source(run, frame, node)
    )


def _source(run: Run, frame: Frame, node: gast.AST) -> tuple[int, str, Place] | None:
    """The name that an argument is given by, unless a loop around the call may bind it again."""
    owner = name_lookup.enclosing(frame, node.id) if isinstance(node, gast.Name) else None
    if owner is None or not isinstance(node, gast.Name):
        return None
    place = run.state.place((owner.id, node.id))
    if place is None or any(loop.holds(place) for loop in run.context.loops):
        return None
    return owner.id, node.id, place


def _fresh(run: Run, frame: Frame, value: Value, node: gast.AST) -> str | None:
    """What the expression makes again each time it is evaluated, if TensorFlow tells it from the last one."""
    if isinstance(value, Constant):
        return None
    match node:
        case gast.Lambda():
            return "lambda"
        case gast.GeneratorExp():
            return "generator"
        case gast.Attribute() if isinstance(value, Bound):
            return "bound method"
        case gast.Call() if isinstance(value, Partial) and not isinstance(value.target, Traced):
            return "functools.partial"
        case gast.Call() if isinstance(value, Object):
            made = isinstance(node.func, gast.Name) and run.interpreter.evaluate(run, frame, node.func) is value.type
            return "object" if made and _dies(run, value) else None
        case gast.Call(func=gast.Attribute(value=gast.Name()) as called) if isinstance(
            function := run.interpreter.evaluate(run, frame, called), Api
        ):
            return "number" if function.name in _NEVER_TWICE else None
        case gast.Call(func=gast.Name(id="float"), args=[shown]) if python_kind(value) is float:
            name = _shown(shown)
            return "number" if name is not None and bound_in_loop(run, frame, name, assigned=True) else None
        case gast.Call(func=gast.Attribute(attr="tolist" | "item", value=gast.Name(id=name))):
            unknown = value == UNKNOWN or isinstance(value, Object) or python_kind(value) is not None
            return "list of numbers" if unknown and bound_in_loop(run, frame, name) else None
        case gast.Name() if isinstance(value, Function) and bound_in_loop(run, frame, node.id):
            return "lambda" if isinstance(value.node, gast.Lambda) else "function"
        case gast.Name() if isinstance(value, (Bound, Partial)) and bound_in_loop(run, frame, node.id):
            return "bound method" if isinstance(value, Bound) else "functools.partial"
        case _:
            return None


_NEVER_TWICE = frozenset(
    {"time.time", "time.perf_counter", "time.monotonic", "random.random", "random.uniform", "random.gauss"}
)
"""Functions that give another Python number each time."""


def _shown(node: gast.AST) -> str | None:
    """The name of the tensor of which a number is taken."""
    while isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in ("numpy", "item"):
        node = node.func.value
    return node.id if isinstance(node, gast.Name) else None


def _dies(run: Run, instance: Object) -> bool:
    """Whether an instance that compares by value makes a trace of its own once nobody holds it any more."""
    class_ = instance.type
    if not isinstance(class_, Class) or class_bases.outside_base(class_) not in (None, "tf.Module"):
        return False
    frozen = any(
        isinstance(each, gast.Call) and any(k.arg == "frozen" for k in each.keywords)
        for each in class_.node.decorator_list
    )
    declared = any(class_bases.declares(run, instance, name) for name in _MANAGED)
    return not declared and (frozen if class_.dataclass else class_bases.declares(run, instance, "__hash__"))


_MANAGED = ("__new__", "__tf_tracing_type__", class_bases.OF_ATTRS)


def bound_in_loop(run: Run, frame: Frame, name: str, assigned: bool = False) -> bool:
    """Whether the innermost loop around binds the name again in each turn."""
    owner = name_lookup.enclosing(frame, name)
    place = run.state.place((owner.id, name)) if owner is not None else None
    if place is None or not run.context.loops:
        return False
    loop = run.context.loops[-1]
    if assigned and re.match(r"\s*for\b", place.block.text[place.block.text.rfind("\n", 0, place.range.start) + 1 :]):
        return False
    return loop.holds(place)


def keyed(run: Run, value: Value, depth: int = 3) -> Value:
    """The value as the cache key sees it: collections laid open, and unknown what compares in ways of its own."""
    match value:
        case Tuple():
            return Tuple(tuple(keyed(run, item, depth - 1) for item in value.items), value.fields) if depth else value
        case Array():
            return Tensor(value.dtype, value.shape)
        case Tensor():
            return replace(value, is_range=False)
        case Object(kind="instance", type=Class() as class_) if depth and _is_taken_apart(run, class_):
            fields = class_bases.fields_of(class_)
            items = tuple(keyed(run, run.state.value(value.id, name), depth - 1) for name in fields)
            return Held(f"instance {class_.id}", fields, items, class_.node.name)
        case Spec() if isinstance(value.means, Object):
            return keyed(run, value.means, depth)
        case Object(kind="instance"):
            return value if _compared_by_identity(run, value) else UNKNOWN
        case Object() if depth:
            items, entries = run.state.items(value.id), run.state.entries(value.id)
            if value.kind == "list" and items is not None and items.known is not None and len(items.known) <= 64:
                return Held("list", (), tuple(keyed(run, item, depth - 1) for item in items.known))
            if entries is not None and entries.closed:
                ordered = sorted(entries.known, key=lambda entry: str(entry[0]))
                keys = tuple(str(key) for key, _ in ordered)
                return Held("dict", keys, tuple(keyed(run, held, depth - 1) for _, held in ordered))
            return UNKNOWN
        case _:
            return value


def _is_taken_apart(run: Run, class_: Class) -> bool:
    """Whether TensorFlow looks at the fields of an instance, and not at the instance."""
    return class_bases.is_extension_type(class_) or class_bases.declared(run, class_, class_bases.OF_ATTRS) is not None


def _compared_by_identity(run: Run, instance: Object) -> bool:
    class_ = instance.type
    if not isinstance(class_, Class) or class_.dataclass or class_bases.outside_base(class_) not in (None, "tf.Module"):
        return False
    return not any(class_bases.declares(run, instance, name) for name in ("__eq__", "__hash__", "__tf_tracing_type__"))
