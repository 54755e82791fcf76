"""Calls of what lies outside the project: TensorFlow, Keras, NumPy and the standard library.

Plain functions are asked of the tables; here are those that call back, keep state or make objects.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import gast

from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.tracing.functions import conversion, decorators, traced_functions
from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import escapes, outside_calls, python_use
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Api,
    ApiInstance,
    Class,
    Composite,
    Constant,
    Function,
    KerasTensor,
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
)
from graphwright_analysis.values.tensorflow import functions

from . import (
    builtin_calls,
    callers,
    containers,
    dataset_sources,
    exec_and_eval,
    extension_types,
    graphwright_calls,
    itertools_calls,
    keras_arguments,
    keras_code,
    keras_objects,
    numpy_calls,
    published_data,
    ragged_and_sparse,
    staged_calls,
    standard_math,
    static_shapes,
    tapes,
    tensor_arrays,
)
from .ragged_and_sparse import COMPOSITES

Handler = Callable[[Run, Call], Value]


def call_api(run: Run, callee: Api, call: Call) -> Value:
    """What calling a function or class from outside gives."""
    handler = _HANDLERS.get(callee.name)
    if handler is not None:
        return handler(run, call)
    if decorators.keeps(callee):
        kept = call.positional[0] if len(call.positional) == 1 and not call.named else None
        return kept if isinstance(kept, (Function, Traced, Class)) else ApiInstance(callee.name)
    if callee.name.startswith("tf."):
        return _tensorflow(run, callee.name[3:], call)
    if callee.name in PYTHON_GENERATORS:
        # One that a trace seeds again draws what it would draw eagerly.
        return UNKNOWN if run.context.graph and (call.positional or call.named) else ApiInstance(callee.name)
    if callee.name.startswith("itertools."):
        return itertools_calls.made(run, callee.name, call.positional)
    if "." not in callee.name:
        return builtin_calls.builtin(run, callee.name, call)
    if callee.name.startswith("np."):
        return numpy_calls.call_function(run, callee.name[3:], call)
    if callee.name.startswith("math."):
        return standard_math.call(callee.name[5:], call.positional)
    run.seen.opaque += 1
    escapes.forget(run, *call.values)
    return UNKNOWN


def handled() -> frozenset[str]:
    """The functions and classes that are handled here by name."""
    return frozenset(_HANDLERS)


PYTHON_GENERATORS = frozenset(
    {"random.Random", "random.SystemRandom", "np.random.RandomState", "np.random.default_rng", "np.random.Generator"}
)
"""What makes a generator of random numbers outside of TensorFlow."""


def _of_symbols(run: Run, name: str, call: Call) -> Value:
    """What a function gives for placeholders of Keras': of `keras.ops`, or any under Keras 2."""
    tensors = call.map_arguments(partial(keras_arguments.as_tensors, run))
    found = _by_table(run, name, tensors)
    layers = keras_arguments.layers_of(run, *call.values)
    if isinstance(found, functions.ListOf):
        found = allocation.new_list(run, call.frame, found.elements, call.anchor, found.element)
    if found is None or found == UNKNOWN:
        # Keras 2 may have made a list or a tuple of placeholders.
        return UNKNOWN if run.keras_converts else KerasTensor(layers=layers)
    return keras_arguments.as_placeholders(run, found, layers)


def _by_table(run: Run, name: str, call: Call) -> Value | functions.ListOf | None:
    return functions.call(name, call.positional, call.named, partial(held_values.elements_of, run), run.tensorflow)


def _tensorflow(run: Run, name: str, call: Call) -> Value:
    computes = functions.is_known(name) or name.startswith("keras.ops.")
    if computes and keras_arguments.has_placeholder(run, *call.values):
        return _of_symbols(run, name, call)
    alone = name == "stack" and len(call.positional) == 1 and not call.named
    if alone and (stacked := held_values.stacked_list(run, call.positional[0])):
        return stacked
    found = _by_table(run, name, call)
    if isinstance(found, functions.ListOf):
        return allocation.new_list(run, call.frame, found.elements, call.anchor, found.element)
    if found is not None:
        return found if run.context.graph else traced_functions.eager(found)
    for value in call.values:
        # TensorFlow may call what it is given; it leaves other objects alone.
        if isinstance(value, (Function, Traced, Partial)):
            escapes.forget(run, value)
    held_values.lose(run, *call.values)
    last = name.rpartition(".")[2]
    if name in _GENERATORS:
        return ApiInstance("tf.random.Generator", made=0 if last == "get_global_generator" else run.fresh())
    if keras_code.is_input(f"tf.{name}"):
        return keras_objects.entered(run, call)
    if name.startswith("keras.") and last[:1].isupper() and not name.startswith("keras.optimizers."):
        return keras_objects.made(run, f"tf.{name}", call)
    if last[:1].isupper():
        return keras_code.holding(run, f"tf.{name}", call)
    if name.startswith("data.Dataset."):
        return dataset_sources.make(run, last, call)
    return UNKNOWN


_GENERATORS = frozenset(
    {
        "random.Generator.from_seed", "random.Generator.from_state", "random.Generator.from_non_deterministic_state",
        "random.Generator.from_key_counter", "random.get_global_generator",
    }
)  # fmt: skip
"""What gives a generator of random numbers, besides its class."""


# tf.function


def _py_function(name: str) -> Handler:
    def make(run: Run, call: Call) -> Value:
        return static_shapes.py_function(run, name, call)

    return make


def _function(maker: str) -> Handler:
    def make(run: Run, call: Call) -> Value:
        target = call.positional[0] if call.positional else call.named.get("func")
        options = {name: value for name, value in call.named.items() if name != "func"}
        if len(call.positional) > 1:
            options["input_signature"] = call.positional[1]
        if target is None or target == NONE:
            return Partial(Api(maker), (), tuple(sorted(options.items())))
        return traced_functions.make_traced(run, call.frame, target, maker, options, call.node)

    return make


def _do_not_convert(run: Run, call: Call) -> Value:
    target = call.argument(0)
    if isinstance(target, Function):
        return conversion.without(target, Cause.DO_NOT_CONVERT)
    return target if isinstance(target, Traced) else UNKNOWN


# Objects


def _variable(run: Run, call: Call) -> Value:
    value = call.argument(0, "initial_value")
    made = held_values.as_tensor(run, value)
    dtype, shape = call.named.get("dtype", NONE), call.named.get("shape", NONE)
    if isinstance(value, (Function,)) or value == UNKNOWN:
        made = Tensor()
    given = made.shape
    if shape != NONE:
        given = held_values.shape_given(run, shape)
    return Variable(made.dtype if dtype == NONE else functions.named_dtype(dtype), given)


def _tensor_spec(run: Run, call: Call) -> Value:
    given = call.by_name("shape", "dtype", "name")
    shape = given.get("shape", UNKNOWN)
    dtype = functions.named_dtype(given["dtype"]) if "dtype" in given else "float32"
    return Spec(Tensor(dtype, held_values.shape_given(run, shape)), unranked=shape == NONE)


def _tensor_shape(run: Run, call: Call) -> Value:
    return StaticShape(held_values.shape_given(run, call.argument(0)))


def _composite(name: str) -> Handler:
    def make(run: Run, call: Call) -> Value:
        return ragged_and_sparse.make(run, name, call)

    return make


def _is_tensor(run: Run, call: Call) -> Value:
    value = call.argument(0)
    if isinstance(value, (Tensor, Variable, Composite)):
        return Constant(True)
    return Scalar(bool) if value == UNKNOWN else Constant(False)


def _executing_eagerly(run: Run, call: Call) -> Value:
    return Constant(not run.context.graph)


def _partial(run: Run, call: Call) -> Value:
    if not call.positional:
        return UNKNOWN
    target, *arguments = call.positional
    return Partial(target, tuple(arguments), tuple(call.named.items()))


def _logger(run: Run, call: Call) -> Value:
    return ApiInstance("logging.Logger")


def _copy(run: Run, call: Call) -> Value:
    value = call.argument(0)
    items = run.state.items(value.id) if isinstance(value, Object) else None
    if items is not None:
        return allocation.new_list(run, call.frame, items.known, call.anchor, items.element)
    return UNKNOWN if isinstance(value, Object) else value


def _decorator(name: str) -> Handler:
    def make(run: Run, call: Call) -> Value:
        return ApiInstance(name)

    return make


def _wrapper(name: str) -> Handler:
    def make(run: Run, call: Call) -> Value:
        return Partial(Api(name), tuple(call.positional), ())

    return make


def _wrapped(run: Run, call: Call) -> Value:
    """A function under a cache runs once for each key: what it would do is seen, what it gives is unknown."""
    target, *arguments = call.positional
    hashed = next((v for v in arguments if isinstance(v, (Tensor, Variable))), None)
    if isinstance(target, Function) and run.context.graph and hashed is not None and call.node is not None:
        python_use.key(run, call.frame, call.node, hashed, "cache")
    elif isinstance(target, Function) and run.context.graph:
        with run.beside(), run.within(uncertain=run.context.uncertain + 1):
            target = conversion.without(target, Cause.WRAPPER)
            run.interpreter.call_value(run, target, call.with_arguments(arguments, call.named))
    escapes.forget(run, *call.values)
    return UNKNOWN


def _behind(run: Run, call: Call) -> Value:
    """A function behind a decorator of which nothing is known: it may well be called, with what is given or more."""
    target, *arguments = call.positional
    with run.beside(), run.within(doubted=True):
        run.interpreter.call_value(run, target, call.with_arguments(arguments, call.named))
    escapes.forget(run, *call.values)
    return UNKNOWN


def _custom_gradient(run: Run, call: Call) -> Value:
    """`tf.custom_gradient(f)`; without a function it's a decorator."""
    target = call.argument(0, "f", NONE)
    made = Api(decorators.CUSTOM_GRADIENT) if target == NONE else Partial(Api(decorators.WITH_GRADIENT), (target,), ())
    return UNKNOWN if target == UNKNOWN else made


def _with_gradient(run: Run, call: Call) -> Value:
    """A call of a function that returns its result and the function of its gradient, which TensorFlow calls later."""
    target, *arguments = call.positional
    result = run.interpreter.call_value(run, target, call.with_arguments(arguments, call.named))
    if not isinstance(result, Tuple) or len(result.items) != 2:
        return UNKNOWN
    escapes.forget(run, result.items[1])
    return result.items[0]


def _run_eagerly(run: Run, call: Call) -> Value:
    """`tf.config.run_functions_eagerly`: from here on nothing is traced, or is again."""
    if not run.context.graph:
        run.switch_tracing(call.argument(0, "run_eagerly"))
    return NONE


def _nothing(run: Run, call: Call) -> Value:
    return NONE


def _named_tuple(run: Run, call: Call) -> Value:
    """`collections.namedtuple('Point', 'x y')`: a class as `typing.NamedTuple` makes it."""
    given = call.by_name("typename", "field_names")
    fields = given.get("field_names", UNKNOWN)
    listed = held_values.elements_of(run, fields) or ()
    if isinstance(fields, Constant) and isinstance(fields.value, str):
        listed = tuple(Constant(name) for name in fields.value.replace(",", " ").split())
    names = tuple(part.value for part in listed if isinstance(part, Constant) and isinstance(part.value, str))
    if not names or len(names) != len(listed) or {"rename", "defaults"} & set(call.named) or len(call.positional) > 2:
        return UNKNOWN
    typename = given.get("typename", UNKNOWN)
    called = typename.value if isinstance(typename, Constant) else "namedtuple"
    made = gast.ClassDef(str(called), [], [], [], [], [])
    return Class(made, call.frame.block, run.fresh(), (Api("typing.NamedTuple"),), True, names)


def _to_dense(run: Run, call: Call) -> Value:
    value = call.argument(0, "sp_input")
    return Tensor(value.dtype if isinstance(value, Composite) else None)


_HANDLERS: dict[str, Handler] = {
    "collections.namedtuple": _named_tuple,
    extension_types.SPEC: extension_types.make_spec,
    "tf.sparse.to_dense": _to_dense,
    **{name: _function(name) for name in traced_functions.MAKERS},
    **graphwright_calls.HANDLERS,
    "tf.cond": staged_calls.cond,
    "tf.case": staged_calls.case,
    "tf.switch_case": staged_calls.switch_case,
    "tf.while_loop": staged_calls.while_loop,
    "tf.map_fn": staged_calls.map_fn,
    "tf.vectorized_map": staged_calls.vectorized_map,
    "tf.scan": staged_calls.fold("tf.scan"),
    "tf.foldl": staged_calls.fold("tf.foldl"),
    "tf.foldr": staged_calls.fold("tf.foldr"),
    "tf.init_scope": _decorator("tf.init_scope"),
    "tf.executing_eagerly": _executing_eagerly,
    **dict.fromkeys(conversion.SWITCHED_OFF_BY, _do_not_convert),
    "tf.Variable": _variable,
    "tf.TensorArray": tensor_arrays.make,
    "tf.TensorSpec": _tensor_spec,
    "tf.TensorShape": _tensor_shape,
    **{name: _composite(name) for name in COMPOSITES},
    "tf.ensure_shape": static_shapes.ensure_shape,
    **{name: _py_function(name) for name in decorators.CALLED_EAGERLY},
    "tf.data.TextLineDataset": dataset_sources.files,
    "tf.data.TFRecordDataset": dataset_sources.files,
    "tf.data.FixedLengthRecordDataset": dataset_sources.files,
    "tf.GradientTape": tapes.make,
    "tf.is_tensor": _is_tensor,
    "tf.print": _nothing,
    **callers.HANDLERS,
    **published_data.HANDLERS,
    "tf.autograph.experimental.set_loop_options": _nothing,
    **dict.fromkeys(outside_calls.WATCHED_EAGERLY, _run_eagerly),
    "functools.partial": _partial,
    "functools.lru_cache": _decorator("functools.lru_cache"),
    decorators.WRAPPED: _wrapped,
    decorators.BEHIND: _behind,
    decorators.CUSTOM_GRADIENT: _custom_gradient,
    decorators.WITH_GRADIENT: _with_gradient,
    exec_and_eval.CALLED: exec_and_eval.call_made,
    "functools.wraps": _decorator("functools.wraps"),
    "property": _wrapper("property"),
    "staticmethod": _wrapper("staticmethod"),
    "classmethod": _wrapper("classmethod"),
    "collections.deque": containers.deque,
    "collections.defaultdict": containers.default_dict,
    "collections.Counter": containers.counter,
    "logging.getLogger": _logger,
    "copy.copy": _copy,
}
