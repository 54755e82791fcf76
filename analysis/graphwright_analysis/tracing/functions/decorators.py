"""What decorators make of functions and classes.

Those of the project are called; of those from outside some are known to keep what they decorate. What stands behind
another one is still known, but not how it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gast

from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Api,
    ApiInstance,
    Bound,
    Class,
    Function,
    Object,
    Partial,
    Traced,
    Value,
)

from . import conversion
from .traced_functions import MAKERS, make_traced

WRAPPED = "functools.lru_cache()"
"""What calls a function under a cache."""

CALLED_EAGERLY = frozenset({"tf.py_function", "tf.numpy_function"})
"""What calls a function when the graph runs."""

CUSTOM_GRADIENT = "tf.custom_gradient"

WITH_GRADIENT = "tf.custom_gradient()"
"""What calls a function that gives the function of its gradient as well."""

BEHIND = "a decorator"
"""What calls a function of whose decorator nothing is known."""

KEEPING = frozenset(
    {
        *("abc.abstractmethod", "contextlib.contextmanager", "functools.total_ordering", "functools.wraps"),
        *("dataclasses.dataclass", "enum.unique", "unittest.skip", "unittest.skipIf", "unittest.skipUnless"),
        *("attr.s", "attr.attrs", "attr.dataclass", "attr.define", "attr.frozen", "attr.mutable"),
        *("attrs.define", "attrs.frozen", "attrs.mutable"),
        *("gin.configurable", "gin.register", "gin.constants_from_enum"),
        *("six.add_metaclass", "six.python_2_unicode_compatible", "beartype.beartype", "typeguard.typechecked"),
        *("typing_extensions.final", "typing_extensions.override", "typing_extensions.runtime_checkable"),
        *("typing.final", "typing.no_type_check", "typing.overload", "typing.override", "typing.runtime_checkable"),
        *("overrides.override", "overrides.overrides", "jaxtyping.jaxtyped", "deprecated.deprecated"),
        *("tf.Module.with_name_scope", "tf.autograph.experimental.convert"),
        *("tf.keras.saving.register_keras_serializable", "tf.keras.utils.register_keras_serializable"),
        *("tf.keras.src.api_export.keras_export", "tf.keras.saving.serialization_lib.register_keras_serializable"),
        *("tf.python.util.tf_export.tf_export", "tf.python.util.tf_export.keras_export"),
        *("tf.python.util.deprecation.deprecated", "tf.python.util.dispatch.add_dispatch_support"),
        "tensorflow_addons.utils.types.typechecked",
    }
)
"""Decorators, and what gives decorators, that leave a function or class in its place."""

_KEEPING_BY_MODULE = ("pytest.mark.", "absl.testing.parameterized.", "hypothesis.")
"""Those that call a function as often as they like, which is what is supposed of one that nothing calls."""

AS_WRITTEN = " as written"
"""Behind the name of the cell that keeps a function of which its decorators have made something else."""

_CACHES = frozenset({"functools.lru_cache", "functools.cache"})
"""Functions under these run once for each key, so what one call gave says nothing of the next."""

WRAPPERS_OF_METHODS = frozenset({"property", "staticmethod", "classmethod", "functools.cached_property"})
"""What says how a method is looked up, and keeps it."""

_ACCESSORS = {"getter": "fget", "setter": "fset", "deleter": "fdel"}
"""What gives a property an accessor, and the name under which it has it."""


def keeps(decorator: Value) -> bool:
    """Whether a function or class under the decorator, or under what it gives when it is called, stays what it is."""
    name = decorator.name if isinstance(decorator, (Api, ApiInstance)) else ""
    return name in KEEPING or name.startswith(_KEEPING_BY_MODULE)


def decorate(
    run: Run, frame: Frame, decorator: Value, value: Value, node: gast.AST, definition: gast.FunctionDef
) -> Value:
    """What a decorator makes of a function."""
    if keeps(decorator):
        return value
    accessed = _with_accessor(run, node, value)
    if accessed is not None:
        return accessed
    target = decorator.target if isinstance(decorator, Partial) else None
    if isinstance(decorator, Partial) and isinstance(target, Api) and target.name in CALLED_EAGERLY:
        return Partial(target, (value,), decorator.named)
    found = UNKNOWN
    if isinstance(decorator, Api):
        found = _from_outside(run, frame, decorator, value, node, definition)
    elif isinstance(decorator, Partial) and isinstance(decorator.target, Api) and decorator.target.name in MAKERS:
        return make_traced(run, frame, value, decorator.target.name, dict(decorator.named), node, definition)
    elif isinstance(decorator, ApiInstance) and decorator.name in _CACHES:
        return Partial(Api(WRAPPED), (value,), ())
    elif isinstance(decorator, (Function, Traced, Bound, Partial, Class, Object)):
        found = run.interpreter.call_value(run, decorator, Call(frame, [value], node=node))
    return behind(value) if found == UNKNOWN else found


def behind(value: Value) -> Value:
    """What is called where nobody knows what a decorator makes of a function."""
    return Partial(Api(BEHIND), (value,), ())


def function_behind(value: Value) -> Function | None:
    """The project's function behind wrappers, if that is what the value is."""
    while isinstance(value, (Traced, Bound, Partial)):
        if isinstance(value, Partial):
            if not value.positional:
                return None
            value = value.positional[0]
        else:
            value = value.target
    return value if isinstance(value, Function) else None


def is_known(decorators: Sequence[Value]) -> bool:
    """Whether all decorators of a class are known to leave it as it is, or may be followed."""
    return all(keeps(each) or isinstance(each, (Function, Class, Object, Bound)) for each in decorators)


def _from_outside(
    run: Run, frame: Frame, decorator: Api, value: Value, node: gast.AST, definition: gast.FunctionDef
) -> Value:
    if decorator.name in _CACHES:
        return Partial(Api(WRAPPED), (value,), ())
    if decorator.name in MAKERS:
        return make_traced(run, frame, value, decorator.name, {}, node, definition)
    if decorator.name == "graphwright.convert":
        return conversion.converted_by(Converter.GRAPHWRIGHT, value)
    if decorator.name == "tf.autograph.to_graph":
        return conversion.converted_by(Converter.AUTOGRAPH, value)
    if decorator.name in conversion.SWITCHED_OFF_BY and isinstance(value, Function):
        return conversion.without(value, Cause.DO_NOT_CONVERT, place_of(frame, node))
    if decorator.name == CUSTOM_GRADIENT:
        return Partial(Api(WITH_GRADIENT), (value,), ())
    if decorator.name in WRAPPERS_OF_METHODS:
        return Partial(decorator, (value,), ())
    return UNKNOWN


def _with_accessor(run: Run, node: gast.AST, value: Value) -> Partial | None:
    """The property that `@name.setter` makes of the one it belongs to."""
    if not isinstance(node, gast.Attribute) or node.attr not in _ACCESSORS:
        return None
    owner = run.seen.values.get(node.value)
    if not isinstance(owner, Partial) or owner.target != Api("property"):
        return None
    return replace(owner, named=(*owner.named, (_ACCESSORS[node.attr], value)))
