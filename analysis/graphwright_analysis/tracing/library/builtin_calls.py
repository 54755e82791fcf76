"""Python's builtins and the methods of builtin and TensorFlow values.

What they return and what they change; collections live in the run's state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import reduce
from typing import Any

import gast

from graphwright_analysis.tracing.machine import allocation, journal
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import CONTENT
from graphwright_analysis.tracing.noting import escapes, extended_classes, formatting, python_use, storing
from graphwright_analysis.tracing.reading import class_bases, held_values
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    EACH_TURN,
    LISTS,
    NONE,
    UNKNOWN,
    ApiInstance,
    Array,
    Composite,
    Constant,
    Dataset,
    Entries,
    KerasObject,
    Method,
    Object,
    Scalar,
    Sequence,
    StaticShape,
    Super,
    Tensor,
    TensorArray,
    Tuple,
    Unknown,
    Value,
    Variable,
    dtype_of,
    is_tensor_like,
    python_kind,
    shape_of,
)
from graphwright_analysis.values.joining import join
from graphwright_analysis.values.kinds import is_no_tensor
from graphwright_analysis.values.python_numbers import is_number

from . import (
    builtin_uses,
    collection_methods,
    datasets,
    distribution,
    exec_and_eval,
    instance_checks,
    keras_code,
    keras_models,
    keras_objects,
    known_arrays,
    numpy_calls,
    operator_results,
    structures,
    tapes,
    tensor_methods,
)

_FOLDED: dict[str, Callable[..., object]] = {
    "abs": abs, "round": round, "min": min, "max": max, "int": int, "float": float, "bool": bool, "str": str,
    "divmod": divmod, "len": len, "repr": repr, "chr": chr, "ord": ord,
}  # fmt: skip
_KINDS: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}


def builtin(run: Run, name: str, call: Call) -> Value:
    """What a call of a Python builtin gives."""
    builtin_uses.note(run, name, call)
    if name in ("int", "float", "bool") and len(call.positional) == 1:
        call = call.with_arguments([known_arrays.python_number(call.positional[0])], call.named)
    arguments = call.positional
    if name in _FOLDED and arguments and not call.named and all(isinstance(a, Constant) for a in arguments):
        return _folded(name, [a.value for a in arguments if isinstance(a, Constant)])
    if name == "pow" and len(arguments) == 2 and not call.named:
        return operator_results.of_numbers(gast.Pow(), *arguments)
    if name == "set" and not arguments:
        return ApiInstance("set")
    if name == "eval":
        return exec_and_eval.evaluate(run, call)
    if name == "dict":
        return _dict(run, call)
    handler = _BUILTINS.get(name)
    if handler is not None:
        return UNKNOWN if call.named and name not in _PLAIN else handler(run, call)
    if name in _KINDS:
        first = call.argument(0)
        if name != "str" and run.context.graph and is_tensor_like(first):
            dtype = {"int": "int32", "float": "float32", "bool": "bool"}[name]
            cast = Tensor(dtype, shape_of(first), number=True)
            return cast if call.frame.converted or not python_use.is_symbolic(run, first) else UNKNOWN
        turn = first.turn if isinstance(first, Scalar) and name != "bool" else 0
        return formatting.shown(first) if name == "str" and run.context.graph else Scalar(_KINDS[name], turn)
    if name == "hasattr" and run.context.graph and len(arguments) == 2 and isinstance(arguments[0], Tensor):
        asked = arguments[1].value if isinstance(arguments[1], Constant) else ""
        return Constant(False) if asked == "numpy" else Constant(True) if asked in _OF_TENSORS else Scalar(bool)
    if name == "type" and len(arguments) == 1 and isinstance(arguments[0], Object) and arguments[0].kind == "instance":
        return arguments[0].type or UNKNOWN
    tests = name in ("any", "all") and _tests_python(run, call)
    if tests or name in ("hasattr", "callable", "issubclass"):
        return Scalar(bool)
    if name not in _PLAIN:
        escapes.forget(run, *call.values)
    if name == "exec" and arguments:
        exec_and_eval.execute(run, call)
    return UNKNOWN


def _folded(name: str, arguments: list[Any]) -> Value:
    """What a builtin gives for values that are all known."""
    try:
        made: Any = _FOLDED[name](*arguments)
    except Exception:
        return UNKNOWN
    return Tuple((Constant(made[0]), Constant(made[1]))) if name == "divmod" else Constant(made)


def _tests_python(run: Run, call: Call) -> bool:
    """Whether Python itself decides `any` or `all`: TensorFlow reduces a Dataset, Graphwright tensors as well."""
    first, node = call.argument(0), call.node
    written = isinstance(node, gast.Call) and node.args and isinstance(node.args[0], (gast.GeneratorExp, gast.ListComp))
    element = held_values.element_of(run, first)
    if is_tensor_like(element) or (run.context.by_graphwright and not is_no_tensor(element)):
        return False
    return bool(written) or isinstance(first, (Object, Tuple, Sequence))


_OF_TENSORS = frozenset({"shape", "dtype", "name", "graph", "op", "device", "get_shape", "set_shape", "ref"})
"""What every symbolic tensor has."""
_PLAIN = frozenset({"print", "len", "isinstance", "repr", "id", "dir", "type", "format", "hash"})
"""Builtins that neither change nor call what they are given."""


def _len(run: Run, call: Call) -> Value:
    value = call.argument(0)
    if isinstance(value, (Tensor, Variable, Array)):
        if value.shape:
            size = value.shape[0]
            if size is not None:
                return UNKNOWN if size == shapes.ANY else Constant(size)
            return Tensor("int32", (), number=True) if run.context.graph and call.frame.converted else Scalar(int)
        return UNKNOWN
    elements = held_values.elements_of(run, value)
    return Constant(len(elements)) if elements is not None else Scalar(int)


def _range(run: Run, call: Call) -> Value:
    arguments = call.positional
    if any(is_tensor_like(argument) for argument in arguments):
        kind = next((dtype_of(a) for a in arguments if is_tensor_like(a)), None)
        staged = run.context.graph and call.frame.converted
        return Tensor(kind, (shapes.ANY,), is_range=True, number=True) if staged else Sequence(Tensor(kind, ()))
    if arguments and all(isinstance(a, Constant) and isinstance(a.value, int) for a in arguments):
        try:
            numbers = range(*(a.value for a in arguments if isinstance(a, Constant)))
            length = len(numbers)
        except (TypeError, ValueError, OverflowError):
            return UNKNOWN
        if length <= 256:
            return Tuple(tuple(Constant(number) for number in numbers))
        return Sequence(Scalar(int, EACH_TURN), length, first=numbers)
    return Sequence(Scalar(int, EACH_TURN), first=_first_numbers(arguments))


def _first_numbers(arguments: Collection[Value]) -> range | None:
    """The numbers with which a `range` begins of which nobody knows where it ends."""
    if len(arguments) not in (1, 2, 3):
        return None
    start, step = (Constant(0), Constant(1)) if len(arguments) == 1 else (*arguments, Constant(1))[0:3:2]
    numbers = [each.value for each in (start, step) if isinstance(each, Constant) and type(each.value) is int]
    if len(numbers) < 2 or not numbers[1]:
        return None
    return range(numbers[0], numbers[0] + _SHOWN * numbers[1], numbers[1])


_SHOWN = 64
"""How many numbers are shown of a `range` without a known end."""


def _enumerate(run: Run, call: Call) -> Value:
    value = call.argument(0)
    if isinstance(value, Dataset) and run.context.graph:
        return Dataset(Tuple((Tensor("int64", ()), value.element)))
    elements = held_values.elements_of(run, value)
    if elements is not None and len(call.positional) == 1:
        return Tuple(tuple(Tuple((Constant(i), e)) for i, e in enumerate(elements)))
    length = value.length if isinstance(value, Sequence) else None
    rows = value.rows if isinstance(value, (Dataset, Sequence)) else None
    element = structures.eager(run, held_values.element_of(run, value))
    first = call.argument(1, missing=Constant(0))
    counted = Sequence(Scalar(int, EACH_TURN), first=_first_numbers([first, UNKNOWN]))
    return Sequence(Tuple((Scalar(int, EACH_TURN), element)), length, rows=rows, first=(counted, value))


def _zip(run: Run, call: Call) -> Value:
    arguments = call.positional
    if arguments and all(isinstance(a, Dataset) for a in arguments) and run.context.graph:
        return Dataset(Tuple(tuple(a.element for a in arguments if isinstance(a, Dataset))))
    parts = [held_values.elements_of(run, argument) for argument in arguments]
    known = [part for part in parts if part is not None]
    if len(known) == len(parts):
        return Tuple(tuple(Tuple(row) for row in zip(*known, strict=False)))
    lengths = [a.length for a in arguments if isinstance(a, Sequence) and a.length is not None]
    lengths += [len(part) for part in known]
    length = min(lengths) if len(lengths) == len(arguments) > 0 else None
    element = Tuple(tuple(held_values.element_of(run, argument) for argument in arguments))
    return Sequence(element, length, first=tuple(arguments))


def _list(run: Run, call: Call) -> Value:
    if not call.positional:
        return allocation.new_list(run, call.frame, (), call.anchor)
    elements = held_values.elements_of(run, call.positional[0])
    element = held_values.element_of(run, call.positional[0])
    return allocation.new_list(run, call.frame, elements, call.anchor, element)


def _tuple(run: Run, call: Call) -> Value:
    if not call.positional:
        return Tuple(())
    elements = held_values.elements_of(run, call.positional[0])
    return Sequence(held_values.element_of(run, call.positional[0])) if elements is None else Tuple(elements)


def _dict(run: Run, call: Call) -> Value:
    first = call.argument(0)
    source = run.state.entries(first.id) if isinstance(first, Object) else None
    entries = source or Entries(closed=not call.positional)
    for name, value in call.named.items():
        entries = entries.with_entry(name, value)
    return allocation.new_dict(run, entries)


def _setattr(run: Run, call: Call) -> Value:
    owner, name, value = (*call.positional, UNKNOWN, UNKNOWN, UNKNOWN)[:3]
    if isinstance(owner, Object) and isinstance(name, Constant) and isinstance(name.value, str):
        storing.store_attribute(run, call.frame, owner, name.value, value)
    else:
        if call.node is not None:
            extended_classes.note(run, call.frame, owner, name, call.node)
        escapes.forget(run, owner)
    return NONE


def _getattr(run: Run, call: Call) -> Value:
    owner, name, missing = (call.argument(position) for position in range(3))
    if isinstance(name, Constant) and isinstance(name.value, str):
        return run.interpreter.attribute(run, call.frame, owner, name.value, missing)
    return UNKNOWN


def _iter(run: Run, call: Call) -> Value:
    value = call.argument(0)
    if isinstance(value, Dataset):
        return Dataset(value.element, iterator=True, rows=value.rows)
    if isinstance(value, (Unknown, ApiInstance)) or (isinstance(value, Object) and value.type is not None):
        return UNKNOWN  # It may well be an iterator that TensorFlow advances, over a distributed dataset for one.
    return Sequence(held_values.element_of(run, value))


def _next(run: Run, call: Call) -> Value:
    iterator = call.argument(0)
    element = held_values.element_of(run, iterator) if len(call.positional) == 1 else UNKNOWN
    if run.context.graph:
        return structures.repacked(run, element)
    element = structures.eager(run, element)
    rows = iterator.rows if isinstance(iterator, Dataset) else None
    return datasets.with_rows(run, element, rows[0]) if rows is not None and rows[0] == rows[1] else element


def _reduce(run: Run, call: Call) -> Value:
    elements = held_values.elements_of(run, call.positional[0]) if len(call.positional) == 1 else call.positional
    folded = _folded_over(call.node, elements or ())
    if folded is not None:
        return folded
    if elements is not None and elements and all(is_tensor_like(e) or python_kind(e) for e in elements):
        kinds = {dtype_of(e) for e in elements if is_tensor_like(e)}
        if kinds:
            return Tensor(next(iter(kinds)) if len(kinds) == 1 else None, number=all(map(is_number, elements)))
    return reduce(join, elements) if elements else UNKNOWN


def _folded_over(node: gast.AST | None, elements: Iterable[Value]) -> Value | None:
    """`min`, `max` or `sum` of numbers that are all known."""
    numbers = [element.value for element in elements if isinstance(element, Constant)]
    name = node.func.id if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) else ""
    if name not in _OVER_NUMBERS or not numbers or len(numbers) < len(list(elements)):
        return None
    try:
        return Constant(_OVER_NUMBERS[name](numbers))
    except TypeError:
        return None


_OVER_NUMBERS: dict[str, Callable[[list[Any]], Any]] = {"min": min, "max": max, "sum": sum}


def _sum(run: Run, call: Call) -> Value:
    return _reduce(run, call.with_arguments(call.positional[:1]))


def _reversed(run: Run, call: Call) -> Value:
    elements = held_values.elements_of(run, call.positional[0]) if call.positional else None
    return Sequence(UNKNOWN) if elements is None else Tuple(tuple(reversed(elements)))


def _print(run: Run, call: Call) -> Value:
    return NONE


_BUILTINS: dict[str, Callable[[Run, Call], Value]] = {
    "len": _len, "range": _range, "enumerate": _enumerate, "zip": _zip, "list": _list, "tuple": _tuple,
    "isinstance": instance_checks.isinstance_, "setattr": _setattr, "getattr": _getattr, "iter": _iter,
    "next": _next,
    "sum": _sum, "min": _reduce, "max": _reduce, "reversed": _reversed, "print": _print,
}  # fmt: skip


# Methods


def method(run: Run, callee: Method, call: Call) -> Value:
    """What calling a method of a builtin or TensorFlow value gives and changes."""
    receiver, name = callee.receiver, callee.name
    builtin_uses.note_method(run, receiver, name, call)
    if isinstance(receiver, Object) and receiver.type is not None and class_bases.is_keras(receiver.type):
        found = keras_code.method(run, receiver, name, call)
        if found is not None:
            return found
    if isinstance(receiver, ApiInstance):
        return _of_outside_object(run, receiver, name, call)
    if isinstance(receiver, Object) and receiver.kind in LISTS:
        return collection_methods.list_method(run, receiver, name, call)
    if isinstance(receiver, Object) and receiver.kind == "dict":
        if name in ("update", "pop", "popitem", "clear", "setdefault"):
            slot = (receiver.id, CONTENT, journal.WHOLE)
            journal.stored(run, call.frame, slot, call.anchor, UNKNOWN, name)
            for key, value in collection_methods.tensors_put(run, name, call):
                journal.stored(run, call.frame, (receiver.id, CONTENT, key), call.anchor, value, name, True)
        found = collection_methods.dict_method(run, receiver, name, call)
        if name == "get" and call.positional and isinstance(call.node, gast.Call):
            journal.key_read(run, call.frame, call.node, receiver, call.positional[0], found)
        return found
    if isinstance(receiver, (Dataset, TensorArray, Tensor, Variable, Array, Composite, StaticShape)):
        return tensor_methods.of_any(run, receiver, name, call)
    if isinstance(receiver, Object) and receiver.kind == tapes.KIND:
        return tapes.method(run, receiver, name, call)
    if isinstance(receiver, Constant) and isinstance(receiver.value, str):
        if name == "format" and run.context.graph:
            return formatting.format_(run, call.frame, call.node, receiver.value, call.values)
        return collection_methods.string_method(receiver.value, name, call.positional)
    if isinstance(receiver, Super):
        return keras_code.constructed(run, receiver.receiver, call) if name == "__init__" else UNKNOWN
    if name.startswith("experimental_get"):
        return UNKNOWN
    if isinstance(receiver, Unknown) and name in held_values.VIEWS and not call.positional:
        return held_values.VIEWS[name]
    escapes.forget(run, *call.values)
    return UNKNOWN


def _of_outside_object(run: Run, receiver: ApiInstance, name: str, call: Call) -> Value:
    """A method of an object whose class is somebody else's."""
    if receiver.name.startswith(distribution.STRATEGIES):
        return distribution.method(run, receiver, name, call)
    if isinstance(receiver, KerasObject) and keras_models.method(run, receiver, name, call):
        return NONE
    node = call.node
    if (
        receiver == ApiInstance("set")
        and name in ("add", "discard", "remove")
        and call.positional
        and isinstance(node, gast.Call)
        and node.args
    ):
        python_use.key(run, call.frame, node.args[0], call.positional[0], "set")
    if name in ("apply_gradients", "apply", "minimize"):
        keras_code.apply(run, call.frame, receiver)
    if name == "result":
        return keras_objects.result_of(receiver, name)
    if receiver.name in numpy_calls.GENERATORS:
        return numpy_calls.drawn(run, name, call)
    if isinstance(receiver, KerasObject) and receiver.name.endswith("Sequential") and name in ("add", "pop"):
        added = call.positional[0] if call.positional and name == "add" else None
        keras_objects.outgrown(run, receiver, added, call)
        return NONE
    escapes.forget(run, *call.values)
    return UNKNOWN
