"""The object that `gw.function` makes: a tf.function that runs converted code and accounts for its traces.

It is a subclass of TensorFlow's own class, not a wrapper: saving, Keras, tf.distribute, tf.cond and checkpoints ask
`isinstance`, and whatever TensorFlow does with a tf.function it then does with this. It converts nothing itself.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from graphwright import reporting
from graphwright.errors import ConversionError
from graphwright.explaining import explain
from graphwright.runtime.basis.equality import compares_by_value
from graphwright.runtime.basis.grown_lists import returned
from graphwright.runtime.basis.held_items import watching_items
from graphwright.runtime.basis.separated_lists import refuse_changed
from graphwright.runtime.basis.tensorflow_internals import decorators, polymorphic_function, tf
from graphwright.runtime.errors import tracebacks
from graphwright.runtime.errors.branch_errors import traced_code
from graphwright.runtime.errors.graph_errors import as_users
from graphwright.runtime.errors.operation_stacks import OwnFramesFilter
from graphwright.runtime.errors.xla_errors import refuse_texts_from_outside
from graphwright.runtime.functions.accounts import Account, AccountedCache, caller, is_called_by_library, timed
from graphwright.runtime.functions.frozen_state import TracedCall, known_before, traced_call
from graphwright.runtime.functions.saved_results import refuse_unsaved_keys
from graphwright.runtime.functions.session_graphs import is_session_graph
from graphwright.runtime.functions.signatures import variadic_names
from graphwright.runtime.lists.dynamic_sizes import count_from_true_end
from graphwright.runtime.lists.repeated_results import without_repeated
from graphwright.runtime.state.known_globals import forget_globals
from graphwright.runtime.state.mismatches import place
from graphwright.runtime.state.reachability import TRACE_BOUNDARIES
from graphwright.runtime.state.undefined import without_maybes
from graphwright.traces import FunctionTrace

Conversion = Callable[[Callable[..., Any]], Callable[..., Any]]


def decorated(function: Callable[..., Any], conversion: Conversion, options: dict[str, Any]) -> GraphFunction:
    """`function` as a GraphFunction that has its name, signature and attributes."""
    keeps = conversion is unconverted  # What has been decorated before stays converted, as with tf.function.
    if type(function) is GraphFunction or (type(function) is polymorphic_function.Function and not keeps):
        graph_function: Any = function
        conversion = graph_function._conversion if keeps else conversion
        options = {**options_of(function), **{name: value for name, value in options.items() if value}}
        function = graph_function.python_function
    made = GraphFunction(function, getattr(function, "__name__", "function"), conversion=conversion, **options)
    frame, _ = caller()
    if frame is not None:
        made.account.made_at = frame.f_code.co_filename, frame.f_lineno
    made.account.is_of_library = is_called_by_library()
    return decorators.make_decorator(function, made, decorator_name="gw.function")


def options_of(function: Any) -> dict[str, Any]:
    return {
        "input_signature": function.input_signature,
        "jit_compile": function._jit_compile,
        "reduce_retracing": function._reduce_retracing,
        "experimental_attributes": function._attributes,
    }


def unconverted(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


TensorFlowFunction: Any = polymorphic_function.Function


class GraphFunction(TensorFlowFunction):
    """A tf.function whose traces run what `conversion` makes of the user's function."""

    autograph_info__ = None  # AutoGraph, in whose code it may be called, leaves alone what has this attribute.

    def __init__(
        self,
        python_function: Callable[..., Any],
        name: str,
        conversion: Conversion = unconverted,
        autograph: bool = False,
        max_traces: int | None = None,
        **options: Any,
    ) -> None:
        TensorFlowFunction.__init__(self, python_function, name, autograph=False, **options)
        self._conversion = conversion
        self._decorations: tuple[Callable[..., Any], ...] = ()
        self._undecorated = python_function
        self._traceable_code: Callable[..., Any] | None = None
        self._methods: dict[int, tuple[weakref.ref[Any], GraphFunction]] = {}
        self._omit_frequent_tracing_warning = True
        reduces = bool(options.get("reduce_retracing"))
        shown = getattr(python_function, "__qualname__", name).rpartition("<locals>.")[2]
        self.account = Account(shown, reduces, variadic_names(self._function_type), code=self._key_for_call_stats)
        self.account.max_traces = max_traces
        self._function_cache = AccountedCache(self.account)

    def __call__(self, *args: Any, **kwds: Any) -> Any:
        try:
            try:
                if is_keras_substituting():
                    return self._traceable()(*args, **kwds)
                if self._conversion is not unconverted and is_session_graph():
                    with compares_by_value(tf.compat.v1.get_default_graph()):
                        return TensorFlowFunction.__call__(self, *args, **kwds)
                return TensorFlowFunction.__call__(self, *args, **kwds)
            except Exception as error:
                shown = as_users(error, self._python_function, self._list_all_concrete_functions)
                if shown is not error:
                    raise shown from None
                raise
        except Exception as error:
            without_own_frames(error)
            raise  # Bare, which alone adds no frame of ours.

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return TensorFlowFunction.get_concrete_function(self, *args, **kwargs)
            except Exception as error:
                shown = as_users(error, self._python_function, self._list_all_concrete_functions)
                if shown is not error:
                    raise shown from None
                raise
        except Exception as error:
            without_own_frames(error)
            raise

    def _list_all_concrete_functions_for_serialization(self) -> Any:
        functions = TensorFlowFunction._list_all_concrete_functions_for_serialization(self)
        refuse_unsaved_keys(self.account.name, _place(self._undecorated), functions)
        return functions

    @property
    def traces(self) -> tuple[FunctionTrace, ...]:
        """What it was traced for, and why, in the order of the traces; on a class, those of all its instances."""
        return tuple(self.account.traces)

    def explain(self) -> str:
        """The traces in words, each with what to write to avoid it."""
        return explain(self.account.name, self.account.traces)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        known = self._methods.get(id(instance))
        if known is None or known[0]() is not instance:
            if isinstance(instance, tf.__internal__.CompositeTensor) or not is_weakly_referable(instance):
                return types.MethodType(self, instance)
            known = self._add_method(instance)
        return bound(known[1], instance)

    def __getstate__(self) -> dict[str, Any]:
        return {**TensorFlowFunction.__getstate__(self), "_methods": {}, "_traceable_code": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        TensorFlowFunction.__setstate__(self, state)
        self.account.code = self._key_for_call_stats

    def _add_method(self, instance: Any) -> tuple[weakref.ref[Any], GraphFunction]:
        methods, key = self._methods, id(instance)
        reference = weakref.ref(instance, lambda _: methods.pop(key, None))
        function = weakly_bound(self._python_function, reference, instance)
        made = GraphFunction(function, self._name, max_traces=self.account.max_traces, **options_of(self))
        traceable = self._traceable()
        made._traceable_code = weakly_bound(traceable, reference, instance)
        made.account.family, made.account.instance = self.account, reference
        made.account.is_of_library = self.account.is_of_library
        methods[key] = reference, decorators.make_decorator(function, made, decorator_name="gw.function")
        return methods[key]

    def _traceable(self) -> Callable[..., Any]:
        """What is traced: the converted code, under AutoGraph's off switch and the decorations that TensorFlow adds."""
        if self._traceable_code is None:
            converting = converted_when_called(self._undecorated, self._conversion)
            for decorate in self._decorations:
                converting = decorate(converting)
            self._traceable_code = converting
            return converting
        return self._traceable_code

    def _decorate(self, decorator: Callable[..., Any]) -> None:
        TensorFlowFunction._decorate(self, decorator)
        self._decorations = (*self._decorations, decorator)
        self._traceable_code = None

    def _clone(self, python_function: Callable[..., Any] | None) -> GraphFunction:
        given = self._python_function if python_function is None else python_function
        limit = self.account.max_traces
        clone = GraphFunction(given, self._name, conversion=self._conversion, max_traces=limit, **options_of(self))
        clone.account.is_of_library = self.account.is_of_library
        clone.__dict__["_shared_rendezvous"] = self.__dict__["_shared_rendezvous"]
        if python_function is None:
            clone._decorations, clone._traceable_code = self._decorations, self._traceable_code
            clone._undecorated = self._undecorated
        return clone

    def _generate_tracing_options(self, fn: Any, scope_type: Any) -> Any:
        """TensorFlow traces `fn`, which runs its `__wrapped__`: there AutoGraph puts its code, and here we ours."""
        fn.__wrapped__ = traced(self._traceable())
        return TensorFlowFunction._generate_tracing_options(self, fn, scope_type)


class BoundFunction(GraphFunction):
    """A method's GraphFunction as it is had from an instance, which it keeps alive as a bound method does.

    Everything but the instance it shares with the GraphFunction that is kept for that instance, traces and all.
    """

    __slots__ = ("held",)
    held: tuple[Any, GraphFunction]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphFunction) and self.__dict__ is other.__dict__

    def __hash__(self) -> int:
        return id(self.__dict__)

    def __tf_tracing_type__(self, context: Any) -> Any:
        return self._kept.__tf_tracing_type__(context)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    @property
    def python_function(self) -> Any:
        return types.MethodType(unbound(self._python_function), self.held[0])

    @property
    def _kept(self) -> GraphFunction:
        return self.held[1]


def bound(function: GraphFunction, instance: Any) -> BoundFunction:
    made = object.__new__(BoundFunction)
    made.__dict__ = function.__dict__
    made.held = (instance, function)
    return made


def weakly_bound(function: Callable[..., Any], reference: weakref.ref[Any], instance: Any) -> Callable[..., Any]:
    """`function` as a method of an instance that it doesn't keep alive."""

    def method(*args: Any, **kwargs: Any) -> Any:
        return function(reference(), *args, **kwargs)

    functools.update_wrapper(method, function)
    parameters = inspect.signature(function)
    named: Any = method
    named.__signature__ = parameters.replace(parameters=list(parameters.parameters.values())[1:])
    return method


def unbound(method: Any) -> Any:
    return method.__wrapped__


def converted_when_called(function: Callable[..., Any], conversion: Conversion) -> Callable[..., Any]:
    """The converted function, which is asked for when it is first traced, or the user's own when nothing is staged."""
    made: list[Callable[..., Any]] = []

    @functools.wraps(function, updated=())
    def converting(*args: Any, **kwargs: Any) -> Any:
        if not made:
            inner = function if isinstance(function, polymorphic_function.Function) else conversion(function)
            made.append(tf.autograph.experimental.do_not_convert(inner))
        return without_maybes(made[0](*args, **kwargs), getattr(function, "__name__", "the function"), _place(function))

    return converting


def _place(function: Callable[..., Any]) -> str:
    known = place(function)
    return f" ({known})" if known else ""


def traced(function: Callable[..., Any]) -> Callable[..., Any]:
    def tracing(*args: Any, **kwargs: Any) -> Any:
        call = TracedCall(known_before(function, *args, *kwargs.values()))
        token = traced_call.set(call)
        try:
            with timed(), OwnFramesFilter(), watching_items(), tf.variable_creator_scope(call.creator):
                result = traced_code(lambda: function(*args, **kwargs))
                refuse_changed()
                result = without_repeated(returned(result))
                count_from_true_end()
                refuse_texts_from_outside(getattr(function, "__name__", "the function"))
                call.warn()
                return result
        finally:
            traced_call.reset(token)
            if traced_call.get() is None:
                forget_globals()

    TRACE_BOUNDARIES.add(tracing.__code__)
    return tracing


def is_keras_substituting() -> bool:
    """Whether Keras stands other values in for its variables, as it does to build a model and in stateless calls.

    A trace that is made then holds those values, and a tf.function goes on using it: its weights never change again.
    """
    scopes = sys.modules.get("keras.src.backend.common.stateless_scope")
    return scopes is not None and scopes.in_stateless_scope()


def is_weakly_referable(instance: Any) -> bool:
    try:
        weakref.ref(instance)
    except TypeError:
        return False
    return True


def without_own_frames(error: Exception) -> None:
    """Only the user's frames stay; of an error of conversion, the caller's alone."""
    tracebacks.strip(error)
    if isinstance(error, ConversionError) and not reporting.full_tracebacks():
        error.__traceback__ = None
