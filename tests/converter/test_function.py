"""`gw.function` takes and gives what tf.function does, wherever TensorFlow meets one."""

from __future__ import annotations

import copy
import functools
import gc
import inspect
import pickle
import subprocess
import sys
import warnings
import weakref

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf
from graphwright import ConversionError, function, graph_functions
from graphwright.runtime.functions.graph_function import GraphFunction
from tensorflow.python.eager.polymorphic_function import polymorphic_function
from tensorflow.python.util import tf_decorator

plain = functools.partial(function, autograph=False)


def double(x):
    """Twice x."""
    return x + x


@pytest.fixture
def conversions(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, bool]]:
    """What was converted; the converted function adds 100."""
    done: list[tuple[object, bool]] = []

    def converted(func, promote):
        done.append((func, promote))
        return lambda *args, **kwargs: func(*args, **kwargs) + 100

    monkeypatch.setattr(graph_functions, "converted", converted)
    return done


def test_importing_it_loads_no_tensorflow():
    code = "import graphwright.graph_functions, graphwright.explaining, sys; assert 'tensorflow' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


# Conversion


def test_converted_code_is_traced_and_converted_once(conversions: list):
    f = function(double)
    assert conversions == []
    assert f(tf.constant(1)).numpy() == 102
    assert f(tf.constant(1.0)).numpy() == 102
    assert conversions == [(double, False)]


def test_promote_is_passed_on(conversions: list):
    function(promote=True)(double)(tf.constant(1))
    assert conversions == [(double, True)]


def test_without_conversion_the_function_itself_is_traced(conversions: list):
    assert function(autograph=False)(double)(tf.constant(1)).numpy() == 2
    assert conversions == []


def counted(x):
    while x < 10.0:
        x += 1.0
    return x


@pytest.mark.parametrize("decorate", [function, tf.function])
def test_without_conversion_what_was_decorated_before_stays_converted(decorate):
    assert function(decorate(counted), autograph=False)(tf.constant(1.0)).numpy() == 10.0


def test_a_method_is_converted_once_for_all_instances(conversions: list):
    class Model:
        @function
        def call(self, x):
            return x

    assert Model().call(tf.constant(1)).numpy() == 101
    assert Model().call(tf.constant(1)).numpy() == 101
    assert len(conversions) == 1


def test_run_eagerly_runs_the_users_own_code(conversions: list):
    f = function(double)
    tf.config.run_functions_eagerly(True)
    try:
        assert f(tf.constant(1)).numpy() == 2
    finally:
        tf.config.run_functions_eagerly(False)
    assert conversions == []


def test_autograph_is_off_while_tracing():
    from tensorflow.python.autograph.core import ag_ctx

    seen = []
    plain(lambda: seen.append(ag_ctx.control_status_ctx().status))()
    assert seen == [ag_ctx.Status.DISABLED]


# How it is made


def test_with_and_without_parentheses():
    for f in (plain(double), plain()(double), plain(reduce_retracing=True)(double)):
        assert f(tf.constant(2)).numpy() == 4


def test_it_is_a_tf_function_that_looks_like_the_users():
    double.tag = "mine"
    f = plain(double)
    assert isinstance(f, polymorphic_function.Function) and isinstance(f, tf.types.experimental.PolymorphicFunction)
    assert (f.__name__, f.__doc__, f.__module__, f.tag) == ("double", "Twice x.", __name__, "mine")
    assert f.__wrapped__ is double and f.python_function is double
    assert inspect.signature(f) == inspect.signature(double)
    assert f.function_spec.arg_names == ["x"]


def test_what_has_no_use_is_ignored_aloud():
    name = "experimental_follow_type_hints"
    with pytest.warns(UserWarning, match=name) as caught:
        f = plain(double, **{name: True})
    assert caught[0].filename == __file__
    assert f(tf.constant(1)).numpy() == 2


def test_old_names_of_parameters_count():
    assert plain(double, experimental_relax_shapes=True)._reduce_retracing
    assert plain(double, experimental_compile=True)._jit_compile


def test_implements_is_passed_on():
    f = plain(double, experimental_implements="mine")
    assert f.get_concrete_function(tf.constant(1)).function_def.attr["_implements"].s == b"mine"


def test_unknown_parameters_are_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        function(double, nonsense=1)


def test_lambdas_partials_and_callables():
    class Adder:
        def __init__(self, n):
            self.n = n

        def __call__(self, x):
            return x + self.n

    assert plain(lambda x: x * 3)(tf.constant(2)).numpy() == 6
    assert plain(functools.partial(lambda x, y: x * y, y=4))(tf.constant(2)).numpy() == 8
    assert plain(Adder(5))(tf.constant(2)).numpy() == 7
    assert plain(Adder(5).__call__)(tf.constant(2)).numpy() == 7


def test_decorated_twice():
    f = plain(plain(double, jit_compile=True), reduce_retracing=True)
    assert f._jit_compile and f._reduce_retracing and f.python_function is double
    assert f(tf.constant(2)).numpy() == 4


def test_a_tf_function_is_taken_over_with_its_options(conversions: list):
    signature = [tf.TensorSpec([None], tf.float32)]
    f = function(tf.function(double, input_signature=signature))
    assert f.input_signature == tuple(signature)
    assert f([1.0, 2.0]).numpy().tolist() == [102.0, 104.0]
    assert conversions == [(double, False)]


# The methods of a tf.function


def test_concrete_functions_and_printed_signatures():
    f = plain(double)
    f(tf.constant(1))
    f(tf.constant(1.1))
    f(tf.constant("a"))
    assert f.experimental_get_tracing_count() == 3
    shown = f.pretty_printed_concrete_signatures()
    assert all(dtype in shown for dtype in ("int32", "float32", "string"))
    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert concrete(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    assert f.get_concrete_function(tf.TensorSpec([None], tf.float32)) is concrete


def test_input_signature():
    f = plain(double, input_signature=[tf.TensorSpec([None], tf.float32)])
    assert f([1.0]).numpy().tolist() == f(np.array([1.0, 2.0], np.float32)).numpy().tolist()[:1] == [2.0]
    assert f.experimental_get_tracing_count() == 1
    assert f.get_concrete_function().structured_input_signature[0][0].shape.as_list() == [None]
    with pytest.raises((TypeError, ValueError)):
        f(tf.constant([[1.0]]))


def test_reduce_retracing():
    f = plain(double, reduce_retracing=True)
    for size in range(1, 6):
        f(tf.ones([size]))
    assert f.experimental_get_tracing_count() == 2


def test_compiler_ir():
    f = plain(double, jit_compile=True)
    assert "HloModule" in f.experimental_get_compiler_ir(tf.constant(1))(stage="hlo")


def test_initialization_function():
    made = []

    @plain
    def f(x):
        if not made:
            made.append(tf.Variable(3.0))
        return made[0] * x

    f.get_initialization_function(tf.constant(1.0))()
    assert made[0].numpy() == 3.0


def test_pickling_and_copying():
    f = plain(double)
    g = pickle.loads(pickle.dumps(f))
    assert type(g) is GraphFunction and g(tf.constant(2)).numpy() == 4 and len(g.traces) == 1
    assert copy.copy(f)(tf.constant(2)).numpy() == 4


def test_the_type_of_a_number_is_kept():
    """tf.function gives all of these the trace of the first."""
    f = plain(lambda x: tf.constant(x))
    found = [f(x) for x in (1, 1.0, True, 0.0, -0.0, 1, 1.0)]
    assert [x.dtype.name for x in found] == ["int32", "float32", "bool", "float32", "float32", "int32", "float32"]
    assert np.signbit(found[4].numpy()) and not np.signbit(found[3].numpy())
    assert f.experimental_get_tracing_count() == 5
    g = plain(lambda xs, k: tf.constant(xs[0] * k["a"]))
    assert g([1], {"a": 1}).dtype == tf.int32
    assert g([1.0], {"a": 1}).dtype == g([1], {"a": 1.0}).dtype == tf.float32
    assert g.experimental_get_tracing_count() == 3


def test_equal_numbers_under_reduce_retracing():
    f = plain(lambda x, k: x * tf.cast(tf.constant(k), x.dtype) + tf.constant(k).dtype.size, reduce_retracing=True)
    for size in range(1, 5):
        assert f(tf.zeros([size]), True).numpy()[0] == 1.0
        assert f(tf.zeros([size]), 1).numpy()[0] == 4.0
    assert f.experimental_get_tracing_count() == 4


# Methods


class Counter:
    def __init__(self, start=1.0):
        self.value = tf.Variable(start)

    @plain
    def add(self, x):
        """Adds."""
        return self.value.assign_add(x)

    @plain(input_signature=[tf.TensorSpec([], tf.float32)])
    def signed(self, x):
        return self.value + x

    @staticmethod
    @plain
    def static(x):
        return x + 1

    @classmethod
    @plain
    def of_class(cls, x):
        return x + len(cls.__name__)


def test_methods_have_their_traces_by_instance():
    a, b = Counter(), Counter(10.0)
    assert a.add(tf.constant(1.0)).numpy() == 2.0
    assert b.add(tf.constant(1.0)).numpy() == 11.0
    assert a.add(tf.constant(1.0)).numpy() == 3.0
    assert a.add.experimental_get_tracing_count() == b.add.experimental_get_tracing_count() == 1
    assert a.add == a.add != b.add
    assert hash(a.add) == hash(a.add)
    assert isinstance(a.add, polymorphic_function.Function)
    assert (a.add.__name__, a.add.__doc__) == ("add", "Adds.")
    assert list(inspect.signature(a.add).parameters) == ["x"]
    a.add.note = 1
    assert a.add.note == 1 and not hasattr(b.add, "note")


def test_methods_with_a_signature():
    assert Counter().signed(2).numpy() == 3.0
    assert Counter().signed.get_concrete_function()(tf.constant(2.0)).numpy() == 3.0
    assert Counter().signed.input_signature == (tf.TensorSpec([], tf.float32),)


def test_static_and_class_methods():
    assert Counter.static(tf.constant(1)).numpy() == Counter().static(tf.constant(1)).numpy() == 2
    assert Counter.of_class(tf.constant(1)).numpy() == Counter().of_class(tf.constant(1)).numpy() == 8


def test_a_temporary_lives_during_its_call():
    assert Counter().add(tf.constant(1.0)).numpy() == 2.0
    method = Counter(5.0).add
    gc.collect()
    assert method(tf.constant(1.0)).numpy() == 6.0


def test_instances_and_functions_are_freed():
    counter = Counter()
    counter.add(tf.constant(1.0))
    f = plain(lambda x: x)
    f(tf.constant(1.0))
    kept = weakref.ref(counter), weakref.ref(Counter.add._methods[id(counter)][1]), weakref.ref(f)
    del counter, f
    gc.collect()
    assert [reference() for reference in kept] == [None, None, None]


def _sums(n):
    part, best, total = [0], [0], 0
    for k in range(n):
        part[0] += k
        if k == 2:
            best = part
            part = [0]
    for item in iter([n, n + 1]):
        total += item
        if total > 3:
            break
    return part, best, total


def test_graphs_are_freed_with_their_functions():
    kept = []

    def sums(n):
        kept.append(weakref.ref(tf.compat.v1.get_default_graph()))
        return _sums(n)

    for _ in range(4):
        function(sums)(tf.constant(4))
    gc.collect()
    alive = {id(reference()) for reference in kept if reference() is not None}
    assert len(kept) >= 4 and len(alive) <= 1, "the last graph may be somebody's still, no others"


def test_instances_that_tf_function_refuses():
    class Slotted:
        __slots__ = ("n",)

        def __init__(self, n):
            self.n = n

        @plain
        def add(self, x):
            return x + self.n

    class Equal:
        def __init__(self, n):
            self.n = n

        def __eq__(self, other):
            return True

        @plain
        def add(self, x):
            return x + self.n

    one, two = Slotted(1), Slotted(2)
    assert [one.add(tf.constant(1)).numpy(), two.add(tf.constant(1)).numpy()] == [2, 3]
    one, two = Equal(1), Equal(2)
    assert [one.add(tf.constant(1)).numpy(), two.add(tf.constant(1)).numpy()] == [2, 3]


def test_a_method_as_an_argument_is_the_same_each_time():
    counter = Counter()
    apply = plain(lambda f, x: f(x))
    for _ in range(3):
        apply(counter.add, tf.constant(1.0))
    assert counter.value.numpy() == 4.0
    assert apply.experimental_get_tracing_count() == 1


def test_inherited_and_overridden_methods():
    class Loud(Counter):
        @plain
        def add(self, x):
            return super().add(x) * 10

    assert Loud().add(tf.constant(1.0)).numpy() == 20.0


def test_module_name_scopes():
    class Named(tf.Module):
        @plain
        @tf.Module.with_name_scope
        def call(self, x):
            return tf.identity(x, name="here")

    named = Named(name="mine")
    assert named.call(tf.constant(1)).numpy() == 1
    assert "mine/here" in [op.name for op in named.call.get_concrete_function(tf.constant(1)).graph.get_operations()]


def test_decorations_that_tensorflow_pushes_in(conversions: list):
    def tenfold(f):
        def decorated(*args):
            return decorated.__wrapped__(*args) * 10

        return tf_decorator.make_decorator(f, decorated)

    f = function(double)
    f._decorate(tenfold)
    assert f(tf.constant(1)).numpy() == 1020
    assert f._clone(None)(tf.constant(1)).numpy() == 1020
    assert f._clone(lambda x: x)(tf.constant(1)).numpy() == 101


def test_decorations_that_keep_no_trace_of_what_they_decorate(conversions: list):
    f = function(double)
    f._decorate(lambda inner: lambda *args: inner(*args) * 10)
    f._decorate(lambda inner: lambda *args: inner(*args) + 7)
    assert f(tf.constant(1)).numpy() == 1027
    assert f._clone(None)(tf.constant(1)).numpy() == 1027


# Where TensorFlow meets it


def shows(x):
    print("x is", x)
    label = f"{x} " + "in %s" % (x,)  # noqa: UP031
    assert x > 0, f"{x} is too small"
    if x > 1:
        print(label)
    return x * 2


@pytest.mark.parametrize(
    "compiled",
    [
        lambda f: gw.function(f, jit_compile=True),
        lambda f: gw.function(gw.function(f, jit_compile=True)),
        lambda f: gw.function(lambda x: gw.function(f)(x), jit_compile=True),
        lambda f: tf.function(gw.to_graph(f), jit_compile=True),
        lambda f: gw.function(f, jit_compile=True).get_concrete_function(tf.TensorSpec([])),
    ],
)
def test_text_in_what_is_compiled(compiled, capfd: pytest.CaptureFixture[str]):
    f = compiled(shows)
    assert [f(tf.constant(value)).numpy() for value in (3.0, 2.0)] == [6.0, 4.0]
    assert capfd.readouterr().out.count("x is Tensor(") == 1
    assert gw.function(shows)(tf.constant(3.0)).numpy() == 6.0
    assert "x is 3.0" in capfd.readouterr().out


def test_gradients_go_through():
    w = tf.Variable(3.0)
    f = plain(lambda x: w * x * x)
    with tf.GradientTape() as tape:
        y = f(tf.constant(2.0))
    assert tape.gradient(y, w).numpy() == 4.0

    @plain
    def step(x):
        with tf.GradientTape() as tape:
            y = f(x)
        return tape.gradient(y, w)

    assert step(tf.constant(3.0)).numpy() == 9.0


@pytest.mark.parametrize("outer", [plain, tf.function])
def test_called_in_another_function(outer):
    inner = plain(double)
    assert outer(lambda x: inner(x) + 1)(tf.constant(2)).numpy() == 5
    assert inner.experimental_get_tracing_count() == 1


def test_in_datasets_maps_and_conds():
    f = plain(double)
    assert [x.numpy() for x in tf.data.Dataset.range(3).map(f)] == [0, 2, 4]
    assert [x.numpy() for x in tf.data.Dataset.range(3).map(lambda x: f(x))] == [0, 2, 4]
    assert tf.map_fn(f, tf.constant([1, 2])).numpy().tolist() == [2, 4]
    assert tf.cond(tf.constant(True), lambda: f(tf.constant(1)), lambda: tf.constant(0)).numpy() == 2
    g = plain(lambda x: tf.while_loop(lambda x: x < 100, lambda x: (f(x),), (x,))[0])
    assert g(tf.constant(1)).numpy() == 128


def test_under_a_strategy():
    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    with strategy.scope():
        w = tf.Variable(2.0)
    f = plain(lambda x: w * x)
    outer = plain(lambda x: strategy.run(f, (x,)))
    assert strategy.experimental_local_results(outer(tf.constant(3.0)))[0].numpy() == 6.0
    assert strategy.experimental_local_results(strategy.run(f, (tf.constant(4.0),)))[0].numpy() == 8.0


def test_in_a_graph_with_a_session():
    f = plain(double)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.float32)
        assert session.run(f(x), {x: 2.0}) == 4.0
    assert f(tf.constant(2.0)).numpy() == 4.0


def test_variables_made_on_the_first_call():
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = None

        @plain
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones_like(x) * 2)
            return self.w * x

    model = Model()
    assert model(tf.constant(3.0)).numpy() == model(tf.constant(3.0)).numpy() == 6.0
    assert len(model.trainable_variables) == 1


def test_composite_tensors_as_self():
    class Pair(tf.experimental.ExtensionType):
        a: tf.Tensor
        b: tf.Tensor

        @plain
        def total(self):
            return self.a + self.b

    assert Pair(1, 2).total().numpy() == Pair(3, 4).total().numpy() - 4 == 3


def test_errors_keep_their_type_and_leave_it_usable():
    @plain
    def f(x):
        if x.shape.rank:
            raise ValueError("no vectors")
        return x

    with pytest.raises(ValueError, match="no vectors"):
        f(tf.constant([1.0]))
    assert f(tf.constant(1.0)).numpy() == 1.0
    assert len(f.traces) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="nothing"):
        plain(lambda x: tf.debugging.check_numerics(x, "nothing"))(tf.constant(float("nan")))


def test_no_warning_in_ordinary_use():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = plain(double)
        for value in (1, 1.1, "a"):
            f(tf.constant(value))
        for training in (True, False, None):
            plain(lambda x, training: x)(tf.constant(1), training)


# Converted code


@function
def halved_until_small(x):
    turns = 0
    while x > 1:
        x = x // 2
        turns += 1
    return turns


@function
def refused_if_negative(x):
    if x < 0:
        raise ValueError("negative")
    return tf.sqrt(x)


def test_control_flow_is_staged():
    assert halved_until_small(tf.constant(9)).numpy() == 3
    assert any(
        "While" in op.type for op in halved_until_small.get_concrete_function(tf.constant(9)).graph.get_operations()
    )


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there, a bare `raise` brings back a frame of ours")
def test_what_the_graph_raises_is_the_users_and_so_are_the_frames():
    assert refused_if_negative(tf.constant(4.0)).numpy() == 2.0
    with pytest.raises(ValueError, match="negative") as caught:
        refused_if_negative(tf.constant(-4.0))
    assert {entry.path.name for entry in caught.traceback} == {"test_function.py"}
    assert caught.traceback[-1].lineno + 1 == refused_if_negative.python_function.__code__.co_firstlineno + 3
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there, a bare `raise` brings back a frame of ours")
def test_an_error_of_conversion_names_the_call():
    @function
    def numbers(x):
        yield x

    with pytest.raises(ConversionError, match="generator") as caught:
        numbers(tf.constant(1))
    assert {entry.path.name for entry in caught.traceback} == {"test_function.py"}


def test_an_error_in_a_called_function_shows_the_way_there():
    def helper(x):
        return x + tf.constant("text")

    @function
    def calling(x):
        return helper(x)

    with pytest.raises((TypeError, ValueError)) as caught:
        calling(tf.constant(1))
    names = [entry.name for entry in caught.traceback if entry.path.name == "test_function.py"]
    assert names[1:3] == ["calling", "helper"]


def test_converted_before_or_after():
    def sign(x):
        if x > 0:
            return 1
        return -1

    for f in (
        function(gw.convert()(sign)),
        function(gw.to_graph(sign)),
        gw.convert()(function(sign)),
        function(function(sign)),
    ):
        assert f(tf.constant(-3)).numpy() == -1
    assert "if_(" in gw.to_code(function(sign))


def test_methods_call_each_other_and_their_parents():
    class Account:
        def __init__(self):
            self.total = tf.Variable(0)

        @function
        def add(self, x):
            if x > 0:
                self.total.assign_add(x)
            return self.total.read_value()

        @function
        def add_twice(self, x):
            self.add(x)
            return self.add(x)

    class Doubled(Account):
        @function
        def add(self, x):
            if x > 5:
                return super().add(x) * 10
            return super().add(x)

    assert Account().add_twice(tf.constant(2)).numpy() == 4
    assert Doubled().add(tf.constant(6)).numpy() == 60
    assert Doubled().add(tf.constant(-6)).numpy() == 0
    account = Account()
    assert account.add.python_function(tf.constant(3)).numpy() == 3
    assert "if_(" in gw.to_code(account.add)


def test_promote_goes_on_where_eager_code_would():
    f = function(lambda x: 1 if x > 0 else 2.5, promote=True)
    assert [f(tf.constant(1)).numpy(), f(tf.constant(-1)).numpy()] == [1.0, 2.5]


def _pair_in_a_loop(n):  # noqa: RET503
    for i in tf.range(n):
        if i > 2:
            return i, tf.cast(i, tf.float32)


def _pair_under_an_if(n):  # noqa: RET503
    if n > 2:
        return n, n


def _dict_in_a_while(n):  # noqa: RET503
    while n > 0:
        if n == 3:
            return {"n": n}
        n -= 1


def _list_before_none(n):
    for i in tf.range(n):
        if i > 2:
            return [i, n]
    return None


def _pair_in_a_pair(n):
    if n > 2:
        return n, (n, 1.0)
    return None


@pytest.mark.parametrize(
    "written", [_pair_in_a_loop, _pair_under_an_if, _dict_in_a_while, _list_before_none, _pair_in_a_pair]
)
def test_a_structure_that_is_returned_on_some_paths_only(written):
    f = function(written)
    tf.nest.assert_same_structure(f(tf.constant(5)), written(tf.constant(5)))
    for mine, eager in zip(tf.nest.flatten(f(tf.constant(5))), tf.nest.flatten(written(tf.constant(5))), strict=True):
        assert mine.numpy() == eager
    with pytest.raises(TypeError, match=rf"'{written.__name__}' .*returns None here and a value elsewhere"):
        f(tf.constant(1))
