"""Reads TensorFlow's key of a trace (the types of the arguments and the surroundings) into plain data.

It compares nothing and keeps no argument alive.
"""

from __future__ import annotations

import functools
import inspect
import math
import types
from collections.abc import Callable, Iterable
from typing import Any

from graphwright.runtime.basis.notation import article, container_text, type_text
from graphwright.runtime.basis.tensorflow_internals import default_types, tensors, type_specs, variables
from graphwright.traces import TracedArgument

LONGEST = 60


def signature(function_type: Any, variadic: tuple[str, str]) -> tuple[TracedArgument, ...]:
    """The arguments by the names that the user knows; `variadic` names the `*args` and `**kwargs` of the function."""
    found: list[TracedArgument] = []
    for name, parameter in function_type.parameters.items():
        if parameter.type_constraint is not None:
            found.append(argument(shown_name(name, variadic[0]), parameter.type_constraint))
    return tuple(found)


def variadic_names(function_type: Any) -> tuple[str, str]:
    kinds = {parameter.kind: name for name, parameter in function_type.parameters.items()}
    return kinds.get(inspect.Parameter.VAR_POSITIONAL, ""), kinds.get(inspect.Parameter.VAR_KEYWORD, "")


def shown_name(name: str, variadic: str) -> str:
    head, _, index = name.rpartition("_")
    return f"{variadic}[{index}]" if variadic and head == variadic and index.isdigit() else name


def literal_types(function_type: Any) -> tuple[Any, ...]:
    """What tells 1, 1.0 and True apart, which are equal in Python but make different graphs; empty without any."""
    found: list[Any] = []
    for parameter in function_type.parameters.values():
        add_literal_types(parameter.type_constraint, found)
    return tuple(found)


def add_literal_types(kind: Any, found: list[Any]) -> None:
    if kind.__class__ is tensors.TensorSpec:
        return  # Asking what else it is takes longer, and this is asked at each call.
    if isinstance(kind, default_types.Literal):
        value: Any = kind.value
        found.append((float, "-") if value.__class__ is float and is_minus_zero(value) else value.__class__)
    else:
        for _, part in parts(kind):
            add_literal_types(part, found)


def is_minus_zero(value: float) -> bool:
    return value == 0 and math.copysign(1.0, value) < 0


def parts(kind: Any) -> Iterable[tuple[str, Any]]:
    """What a container holds, each with what is written after the container's name to reach it."""
    if isinstance(kind, default_types.List):
        return ((f"[{i}]", part) for i, part in enumerate(kind.components_tuple.components))
    if isinstance(kind, default_types.Tuple):
        return ((f"[{i}]", part) for i, part in enumerate(kind.components))
    if isinstance(kind, default_types.Dict):
        return ((f"[{key!r}]", part) for key, part in sorted(kind.mapping.items(), key=lambda item: repr(item[0])))
    if isinstance(kind, default_types.NamedTuple):
        return ((f".{name}", part) for name, part in zip(kind.attribute_names, kind.attributes.components, strict=True))
    if isinstance(kind, default_types.Attrs):
        return parts(kind.named_attributes)
    if type(kind).__name__ == "CustomNestTraceType":
        return ((f".part{i}", part) for i, part in enumerate(getattr(kind, "components", ())))
    return ()


def argument(name: str, kind: Any) -> TracedArgument:
    for known, read in READERS.items():
        if isinstance(kind, known):
            return read(name, kind)
    return container(name, kind) or TracedArgument(name, type(kind).__name__, clipped(repr(kind)), detail=repr(kind))


def container(name: str, kind: Any) -> TracedArgument | None:
    held = tuple(argument(name + path, part) for path, part in parts(kind))
    shown = container_name(kind)
    if not shown and not held:
        return None
    names = [labels(shown, path) for path, _ in parts(kind)]
    words = container_text(shown, [label + part.words for label, part in zip(names, held, strict=True)])
    return TracedArgument(name, shown, words, shown, parts=held, detail=str(getattr(kind, "metadata", "")))


def labels(container: str, path: str) -> str:
    """What is written before a part in its container: `'x': ` in a dict, `x=` in a named tuple."""
    return f"{path[1:-1]}: " if container == "dict" else f"{path[1:]}=" if path.startswith(".") else ""


def container_name(kind: Any) -> str:
    for known, shown in CONTAINERS.items():
        if isinstance(kind, known):
            return shown
    fields: Any = getattr(kind, "named_attributes", kind)
    value_type: Any = getattr(kind, "value_type", None)
    return str(getattr(fields, "type_name", None) or getattr(value_type, "__name__", ""))


CONTAINERS: dict[Any, str] = {default_types.List: "list", default_types.Tuple: "tuple", default_types.Dict: "dict"}


def tensor(name: str, spec: Any) -> TracedArgument:
    words = type_text(spec.dtype, spec.shape)
    return TracedArgument(name, "tensor", words, dtype=spec.dtype.name, shape=dimensions(spec.shape))


def variable(name: str, spec: Any) -> TracedArgument:
    words, alias = f"Variable[{type_text(spec.dtype, spec.shape)}]", str(getattr(spec, "alias_id", ""))
    return TracedArgument(name, "variable", words, "", spec.dtype.name, dimensions(spec.shape), detail=alias)


def other_spec(name: str, spec: Any) -> TracedArgument:
    """Ragged and sparse tensors, datasets, iterators, extension types."""
    kind = getattr(spec.value_type, "__name__", type(spec).__name__)
    dtype, shape = getattr(spec, "dtype", None), getattr(spec, "shape", None)
    words = f"{kind}[{type_text(dtype, shape)}]" if hasattr(dtype, "name") else clipped(f"{kind} {spec}")
    dtype_name = getattr(dtype, "name", "")
    return TracedArgument(name, kind, words, type(spec).__name__, dtype_name, dimensions(shape), detail=str(spec))


def literal(name: str, kind: Any) -> TracedArgument:
    value: Any = kind.value
    value = float("nan") if value is default_types.NanMarker else value
    shown = type(value).__name__
    written = shown_value(value)
    words = "None" if value is None else clipped(f"{shown} {written}")
    return TracedArgument(name, "value", words, shown, detail=written)


def shown_value(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # A user's __repr__ must not fail a call that only gets written down here.
        return f"<{id(value):#x}>"


def instance(name: str, kind: Any) -> TracedArgument:
    ref: Any = kind._ref
    value: Any = ref()
    sort = "callable" if is_function(value) else "object"
    return TracedArgument(name, sort, object_words(value), type(value).__name__, referent=ref)


READERS: dict[Any, Callable[[str, Any], TracedArgument]] = {
    tensors.TensorSpec: tensor,
    variables.VariableSpec: variable,
    type_specs.TypeSpec: other_spec,
    default_types.Literal: literal,
    default_types.Weakref: instance,
}


def is_function(value: Any) -> bool:
    return isinstance(value, (types.FunctionType, types.MethodType, types.BuiltinMethodType, functools.partial))


def object_words(value: Any) -> str:
    inner = value.func if isinstance(value, functools.partial) else value
    shown = getattr(inner, "__name__", type(inner).__name__)
    code = getattr(inner, "__code__", None)
    place = f" (line {code.co_firstlineno})" if code is not None else ""
    if isinstance(value, functools.partial):
        return f"a partial of {shown}{place}"
    if isinstance(value, types.MethodType):
        return f"the bound method {type(value.__self__).__name__}.{shown}"
    if code is not None:
        return f"a lambda{place}" if shown == "<lambda>" else f"the function {shown}{place}"
    kind = type(value).__name__
    return f"{article(kind)} {kind} object"


def dimensions(shape: Any) -> tuple[int | None, ...] | None:
    return None if shape is None or shape.rank is None else tuple(shape.as_list())


def clipped(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
