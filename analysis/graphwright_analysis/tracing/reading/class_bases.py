"""What a class is by its bases: Keras', the project's alone, or one that declares a name.

Attributes of instances, which a property may compute, are the evaluator's.
"""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values.domain import UNDEFINED, Api, Class, Function, Object, Value
from graphwright_analysis.values.lineage import lineage


def outside_base(class_: Value) -> str | None:
    """The first base from outside the project that isn't `object`, by name; '' where it isn't even known."""
    for base in lineage(class_):
        if isinstance(base, Api) and base.name not in (
            "object",
            "typing.Generic",
            "abc.ABC",
            "typing.NamedTuple",
        ):
            return base.name
        if not isinstance(base, (Api, Class)):
            return ""
    return None


def is_keras(class_: Value) -> bool:
    return (outside_base(class_) or "").startswith("tf.keras.")


def is_layer(class_: Value) -> bool:
    """Whether it is a layer or model of Keras, and no loss, metric or schedule."""
    return (outside_base(class_) or "").startswith(_LAYERS)


def is_loss(class_: Value) -> bool:
    return (outside_base(class_) or "").startswith("tf.keras.losses.")


_LAYERS = ("tf.keras.layers.", "tf.keras.Layer", "tf.keras.Model", "tf.keras.models.", "tf.keras.Sequential")


def is_build(function: Function) -> bool:
    """Whether it's the `build` that Keras runs once for each layer, as far as the class is known."""
    if not isinstance(function.owner, Class) or getattr(function.node, "name", "") != "build":
        return False
    return outside_base(function.owner) == "" or is_keras(function.owner)


OF_ATTRS = "__attrs_attrs__"
"""What a class has that attrs made: TensorFlow takes its instances apart."""


def is_extension_type(class_: Value) -> bool:
    """Whether TensorFlow takes its instances apart."""
    return (outside_base(class_) or "").endswith("ExtensionType")


def fields_of(class_: Value) -> tuple[str, ...]:
    """The fields of a dataclass and its like: in the order of the bases, the class's own last."""
    bases = [base for base in lineage(class_) if isinstance(base, Class)]
    return tuple(dict.fromkeys(name for base in reversed(bases) for name in base.fields))


def declares(run: Run, instance: Object, name: str) -> bool:
    """Whether the instance's class or a base of it binds the name."""
    return instance.type is not None and declared(run, instance.type, name) is not None


def declared(run: Run, class_: Value, name: str) -> Value | None:
    """What the class or a base of it binds the name to."""
    for each in lineage(class_):
        if isinstance(each, Class):
            found = run.state.value(each.id, name)
            if found is not UNDEFINED:
                return found
    return None


def set_by_new(run: Run, class_: Value) -> frozenset[str]:
    """The attributes that a class's `__new__` sets: methods among them are something else in an instance."""
    made_by = declared(run, class_, "__new__")
    nodes = gast.walk(made_by.node) if isinstance(made_by, Function) else ()
    return frozenset(n.attr for n in nodes if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store))
