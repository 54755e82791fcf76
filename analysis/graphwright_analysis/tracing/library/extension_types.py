"""`tf.experimental.ExtensionType`: objects with typed fields, which TensorFlow takes apart as it does tuples.

What a field is declared to be decides what is made of the value that it is given.
"""

from __future__ import annotations

from graphwright_analysis.tracing.machine import allocation, marks
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import class_bases, held_values
from graphwright_analysis.values.domain import (
    UNDEFINED,
    UNKNOWN,
    Api,
    Array,
    Class,
    Constant,
    Entries,
    Object,
    Partial,
    Scalar,
    Spec,
    Tensor,
    Value,
    Variable,
)
from graphwright_analysis.values.domain import Sequence as Elements

SPEC = "tf.experimental.ExtensionType.Spec"


def declare(run: Run, class_: Class, name: str, promised: Value) -> None:
    """Note what a field is declared to be."""
    run.state.set(class_.id, marks.DECLARED + name, promised)


def convert_fields(run: Run, made: Object) -> None:
    """What an instance's fields become once it is made."""
    for name in class_bases.fields_of(made.type or UNKNOWN):
        held = run.state.value(made.id, name)
        promised = class_bases.declared(run, made.type or UNKNOWN, marks.DECLARED + name) or UNKNOWN
        run.state.set(made.id, name, UNKNOWN if held is UNDEFINED else _converted(run, held, promised))


def _converted(run: Run, value: Value, promised: Value) -> Value:
    entries = run.state.entries(value.id) if isinstance(value, Object) else None
    if isinstance(promised, Elements):
        if entries is None:
            return UNKNOWN
        known = tuple((key, _converted(run, held, promised.element)) for key, held in entries.known)
        return allocation.new_dict(run, Entries(known, entries.closed))
    if isinstance(value, Spec):
        return value.means
    if not isinstance(promised, Tensor):
        return value
    plain = isinstance(value, (Tensor, Array, Variable, Constant, Scalar))
    listed = entries is None and held_values.elements_of(run, value) is not None
    return held_values.as_tensor(run, value) if plain or listed else promised


def spec_of(class_: Class) -> Partial:
    """`Masked.Spec`"""
    return Partial(Api(SPEC), (class_,), ())


def make_spec(run: Run, call: Call) -> Value:
    """`Masked.Spec(tf.TensorSpec([2]), ...)`: what stands for all instances whose fields are of such kinds."""
    class_ = call.argument(0)
    if not isinstance(class_, Class):
        return UNKNOWN
    made = run.allocate("instance", class_)
    given = {**dict(zip(class_bases.fields_of(class_), call.positional[1:], strict=False)), **call.named}
    for name, value in given.items():
        run.state.set(made.id, name, value)
    convert_fields(run, made)
    return Spec(made)
