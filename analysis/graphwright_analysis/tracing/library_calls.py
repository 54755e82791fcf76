"""Calls of what lies outside the project: TensorFlow, Keras, NumPy and the standard library.

Plain functions are asked of the tables; here are those that call back, keep state or make objects.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import gast

from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Api,
    ApiInstance,
    Array,
    Composite,
    Constant,
    Function,
    Object,
    Partial,
    Scalar,
    Spec,
    StaticShape,
    Tensor,
    Traced,
    Tuple,
    Value,
    Variable,
    dtype_of,
    join_staged,
    shape_of,
    staged,
)
from graphwright_analysis.values.tensorflow import functions, indexing

from . import builtin_calls, calls, datasets, displays, escapes, expressions, tapes, tensor_arrays, traced
from .run import Frame, Run, place_of

Named = dict[str, Value]
Handler = Callable[[Run, Frame, list[Value], Named, "gast.AST | None"], Value]


def call(run: Run, frame: Frame, callee: Api, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    """What calling a function or class from outside gives."""
    handler = _HANDLERS.get(callee.name)
    if handler is not None:
        return handler(run, frame, positional, named, node)
    if callee.name.startswith("tf."):
        return _tensorflow(run, frame, callee.name[3:], positional, named, node)
    if callee.name in PYTHON_GENERATORS:
        # One that a trace seeds anew draws what it would draw eagerly.
        return UNKNOWN if run.graph and (positional or named) else ApiInstance(callee.name)
    if "." not in callee.name:
        return builtin_calls.builtin(run, frame, callee.name, positional, named, node)
    if callee.name.startswith("np."):
        return _numpy(run, callee.name[3:], positional, named)
    if callee.name.startswith("math."):
        return _standard_math(callee.name[5:], positional)
    escapes.forget(run, *positional, *named.values())
    return UNKNOWN


PYTHON_GENERATORS = frozenset(
    {"random.Random", "random.SystemRandom", "np.random.RandomState", "np.random.default_rng", "np.random.Generator"}
)
"""What makes a generator of random numbers outside of TensorFlow."""


def call_instance(run: Run, callee: ApiInstance, positional: list[Value]) -> Value:
    """Calling an object from outside: a layer or model gives a tensor of unknown dtype and shape."""
    if callee.name.startswith(("tf.keras.layers.", "tf.keras.losses.")):
        return Tensor() if callee.name.startswith("tf.keras.losses.") or callee.name in _PLAIN_LAYERS else UNKNOWN
    return UNKNOWN


_PLAIN_LAYERS = frozenset(
    f"tf.keras.layers.{name}"
    for name in ["Dense", "Conv1D", "Conv2D", "Conv3D", "Dropout", "Flatten", "LayerNormalization"]
)


def _tensorflow(
    run: Run, frame: Frame, name: str, positional: list[Value], named: Named, node: gast.AST | None
) -> Value:
    found = functions.call(name, positional, named, lambda value: expressions.elements_of(run, value))
    if isinstance(found, functions.ListOf):
        return displays.new_list(run, frame, found.elements, node or frame.node, found.element)
    if found is not None:
        return found
    for value in (*positional, *named.values()):
        # TensorFlow may call what it is given; it leaves other objects alone.
        if isinstance(value, (Function, Traced, Partial)):
            escapes.forget(run, value)
    escapes.lose(run, *positional, *named.values())
    last = name.rpartition(".")[2]
    if last[:1].isupper():
        return ApiInstance(f"tf.{name}")
    if name.startswith("data.Dataset."):
        return datasets.make(run, frame, last, positional, named)
    return UNKNOWN


# tf.function and staging by hand


def _function(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    target = positional[0] if positional else named.get("func")
    options = {name: value for name, value in named.items() if name != "func"}
    if len(positional) > 1:
        options["input_signature"] = positional[1]
    if target is None or target == NONE:
        return Partial(Api("tf.function"), (), tuple(sorted(options.items())))
    return traced.make_traced(run, frame, target, options, node)


def _cond(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    given = {**dict(zip(("pred", "true_fn", "false_fn"), positional, strict=False)), **named}
    true, false = given.get("true_fn", UNKNOWN), given.get("false_fn", UNKNOWN)
    before = run.state
    with _staged_by_hand(run, frame, node, "branch"):
        run.state = before.fork()
        first = calls.call(run, frame, true, [], {}, node)
        run.state = before.fork()
        second = calls.call(run, frame, false, [], {}, node)
    run.state = before
    return join_staged(first, second)


def _staged_by_hand(run: Run, frame: Frame, node: gast.AST | None, kind: str) -> AbstractContextManager[None]:
    """Around what `tf.cond` and the like call: called eagerly, they call it as often as Python would."""
    if not run.graph:
        return nullcontext()
    return run.inside(run.construct(place_of(frame, node or frame.node), kind))


def _while_loop(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    given = {**dict(zip(("cond", "body", "loop_vars"), positional, strict=False)), **named}
    variables = expressions.elements_of(run, given.get("loop_vars", UNKNOWN))
    if variables is None:
        return UNKNOWN
    state = [staged(variable) for variable in variables]
    with _staged_by_hand(run, frame, node, "loop"):
        calls.call(run, frame, given.get("cond", UNKNOWN), list(state), {}, node)
        after = calls.call(run, frame, given.get("body", UNKNOWN), list(state), {}, node)
    behind = expressions.elements_of(run, after)
    if behind is None or len(behind) != len(state):
        return UNKNOWN
    return Tuple(tuple(join_staged(a, b) for a, b in zip(state, behind, strict=True)))


def _map_fn(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    given = {**dict(zip(("fn", "elems"), positional, strict=False)), **named}
    elems = given.get("elems", UNKNOWN)
    if isinstance(elems, Object):
        elements = expressions.elements_of(run, elems)
        elems = Tuple(elements) if elements is not None else UNKNOWN
    argument = datasets.sliced(run, elems)
    with _staged_by_hand(run, frame, node, "mapped function"):
        result = datasets.converted(run, frame, given.get("fn", UNKNOWN), [argument], node)
    return _stacked(result) if "fn_output_signature" not in given and "dtype" not in given else UNKNOWN


def _scan(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    given = {**dict(zip(("fn", "elems", "initializer"), positional, strict=False)), **named}
    arguments = [staged(given["initializer"]) if "initializer" in given else UNKNOWN]
    arguments.append(datasets.sliced(run, given.get("elems", UNKNOWN)))
    with _staged_by_hand(run, frame, node, "mapped function"):
        datasets.converted(run, frame, given.get("fn", UNKNOWN), arguments, node)
    return UNKNOWN


def _stacked(value: Value) -> Value:
    if isinstance(value, Tensor):
        return Tensor(value.dtype, None if value.shape is None else (None, *value.shape))
    if isinstance(value, Tuple):
        return Tuple(tuple(_stacked(item) for item in value.items), value.fields)
    return UNKNOWN


def _do_not_convert(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    target = positional[0] if positional else UNKNOWN
    if isinstance(target, Function):
        return calls.unconverted(target)
    return target if isinstance(target, Traced) else UNKNOWN


# Objects


def _variable(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    value = positional[0] if positional else named.get("initial_value", UNKNOWN)
    made = expressions.as_tensor(run, value)
    dtype, shape = named.get("dtype", NONE), named.get("shape", NONE)
    if isinstance(value, (Function,)) or value == UNKNOWN:
        made = Tensor()
    given = made.shape
    if shape != NONE:
        given = shape.shape if isinstance(shape, StaticShape) else None
        elements = expressions.elements_of(run, shape)
        given = indexing.given(shape, elements) if elements is not None else given
    return Variable(made.dtype if dtype == NONE else functions.named_dtype(dtype), given)


def _tensor_spec(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    given = {**dict(zip(("shape", "dtype", "name"), positional, strict=False)), **named}
    shape = given.get("shape", UNKNOWN)
    dtype = functions.named_dtype(given["dtype"]) if "dtype" in given else "float32"
    static = shape.shape if isinstance(shape, StaticShape) else None
    elements = expressions.elements_of(run, shape)
    return Spec(Tensor(dtype, indexing.given(shape, elements) if elements is not None else static))


def _tensor_shape(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    shape = positional[0] if positional else UNKNOWN
    elements = expressions.elements_of(run, shape)
    return StaticShape(None if elements is None else indexing.given(shape, elements))


def _composite(kind: str) -> Handler:
    def make(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
        values = positional[0] if positional else UNKNOWN
        dtype = expressions.as_tensor(run, values).dtype
        return Composite(kind, dtype if kind == "RaggedTensor" else None)

    return make


def _is_tensor(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    value = positional[0] if positional else UNKNOWN
    if isinstance(value, (Tensor, Variable, Composite)):
        return Constant(True)
    return Scalar(bool) if value == UNKNOWN else Constant(False)


def _executing_eagerly(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    return Constant(not run.graph)


def _partial(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    return Partial(positional[0], tuple(positional[1:]), tuple(named.items())) if positional else UNKNOWN


def _copy(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    value = positional[0] if positional else UNKNOWN
    items = run.state.items(value.id) if isinstance(value, Object) else None
    if items is not None:
        return displays.new_list(run, frame, items.known, node or frame.node, items.element)
    return UNKNOWN if isinstance(value, Object) else value


def _decorator(name: str) -> Handler:
    def make(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
        return ApiInstance(name)

    return make


def _wrapper(name: str) -> Handler:
    def make(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
        return Partial(Api(name), tuple(positional), ())

    return make


def _nothing(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    return NONE


def _deque(run: Run, frame: Frame, positional: list[Value], named: Named, node: gast.AST | None) -> Value:
    if named or len(positional) > 1:
        return UNKNOWN
    elements = expressions.elements_of(run, positional[0]) if positional else ()
    return displays.new_list(run, frame, elements, node or frame.node, kind="deque")


_HANDLERS: dict[str, Handler] = {
    "tf.function": _function,
    "tf.cond": _cond,
    "tf.while_loop": _while_loop,
    "tf.map_fn": _map_fn,
    "tf.vectorized_map": _map_fn,
    "tf.scan": _scan,
    "tf.foldl": _scan,
    "tf.foldr": _scan,
    "tf.init_scope": _decorator("tf.init_scope"),
    "tf.executing_eagerly": _executing_eagerly,
    "tf.autograph.experimental.do_not_convert": _do_not_convert,
    "tf.Variable": _variable,
    "tf.TensorArray": tensor_arrays.make,
    "tf.TensorSpec": _tensor_spec,
    "tf.TensorShape": _tensor_shape,
    "tf.ragged.constant": _composite("RaggedTensor"),
    "tf.RaggedTensor.from_row_lengths": _composite("RaggedTensor"),
    "tf.RaggedTensor.from_tensor": _composite("RaggedTensor"),
    "tf.SparseTensor": _composite("SparseTensor"),
    "tf.sparse.from_dense": _composite("SparseTensor"),
    "tf.GradientTape": tapes.make,
    "tf.is_tensor": _is_tensor,
    "tf.print": _nothing,
    "tf.config.run_functions_eagerly": _nothing,
    "functools.partial": _partial,
    "functools.lru_cache": _decorator("functools.lru_cache"),
    "functools.wraps": _decorator("functools.wraps"),
    "dataclasses.dataclass": _decorator("dataclasses.dataclass"),
    "tf.autograph.experimental.convert": _decorator("tf.autograph.experimental.convert"),
    "property": _wrapper("property"),
    "staticmethod": _wrapper("staticmethod"),
    "classmethod": _wrapper("classmethod"),
    "collections.deque": _deque,
    "copy.copy": _copy,
}


# NumPy and the standard library


def _numpy(run: Run, name: str, positional: list[Value], named: Named) -> Value:
    first = positional[0] if positional else UNKNOWN
    if name in ("array", "asarray", "ascontiguousarray"):
        dtype = named.get("dtype", positional[1] if len(positional) > 1 else NONE)
        made = expressions.as_tensor(run, first)
        if dtype != NONE:
            return Array(functions.numpy_dtype(dtype), made.shape)
        return Array(_numpy_default(run, first, made.dtype), made.shape)
    if name in ("zeros", "ones", "empty", "linspace", "arange"):
        at = 1 if name in ("zeros", "ones", "empty") else 5
        dtype = named.get("dtype", positional[at] if len(positional) > at else NONE)
        shape = indexing.given(first, expressions.elements_of(run, first)) if at == 1 else None
        if dtype != NONE:
            return Array(functions.numpy_dtype(dtype), shape)
        if name != "arange":
            return Array("float64", shape)
        return Array("int64" if {dtype_of(value) for value in positional} <= {"int32"} else None)
    if dtypes.named(name) is not None:
        return Array(dtypes.named(name), shape_of(first))
    if name in ("random.rand", "random.randn"):
        return Array("float64") if positional else Scalar(float)
    if name in ("random.normal", "random.uniform"):
        return Array("float64") if "size" in named or len(positional) > 2 else Scalar(float)
    return UNKNOWN


def _numpy_default(run: Run, value: Value, dtype: str | None) -> str | None:
    """The dtype of an array made of a value: NumPy's for Python numbers, its own for what has one."""
    elements = expressions.elements_of(run, value)
    if elements is None or isinstance(value, (Array, Tensor, Variable)):
        has_one = isinstance(value, (Array, Tensor, Variable))
        return dtype if has_one else functions.numpy_default(dtype)
    found = {_numpy_default(run, e, expressions.as_tensor(run, e).dtype) for e in elements}
    if found == {"int64", "float64"}:
        return "float64"
    return next(iter(found)) if len(found) == 1 else None


def _standard_math(name: str, positional: list[Value]) -> Value:
    if name in ("sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "atan", "atan2", "radians"):
        return Scalar(float)
    return Scalar(int) if name in ("ceil", "floor", "trunc", "gcd", "isqrt") else UNKNOWN
