"""What can be converted: functions, methods, classes and other callables, decorated or not, and what they call."""

from __future__ import annotations

import functools
import inspect
import logging
import pickle
import subprocess
import sys
import traceback
import types
import weakref

import graphwright as gw
import pytest
import tensorflow as tf
from graphwright.conversion import converted_function
from graphwright.runtime.functions.calls import converted


def sign(x):
    if x > 0:
        return 1
    return -1


def calls_sign(x, scale=2):
    return sign(x) * scale


def in_graph(function, *args, **kwargs):
    """What a function gives in a graph that AutoGraph never sees."""
    return tf.function(lambda: function(*args, **kwargs), autograph=False)().numpy()


def staged(function):
    """The function applied to a tensor in a graph: without conversion this fails."""
    return tf.function(function, autograph=False)(tf.constant(3)).numpy()


def test_convert_with_and_without_brackets():
    for decorated in (gw.convert(sign), gw.convert()(sign), gw.convert(recursive=True)(sign)):
        assert decorated(3) == 1
        assert staged(decorated) == 1
        assert decorated.__name__ == "sign"
        assert inspect.signature(decorated) == inspect.signature(sign)
        assert inspect.getsource(decorated) == inspect.getsource(sign)


def test_what_is_called_is_converted_too_or_not():
    assert staged(gw.convert(calls_sign)) == 2
    assert staged(gw.to_graph(calls_sign)) == 2
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        staged(gw.convert(recursive=False)(calls_sign))


def test_a_converted_function_in_tf_function():
    assert tf.function(gw.convert(calls_sign))(tf.constant(-3)).numpy() == -2
    assert tf.function(gw.to_graph(calls_sign))(tf.constant(-3)).numpy() == -2


def test_autograph_is_never_called(monkeypatch):
    from tensorflow.python.autograph.impl import api

    def forbidden(*args, **kwargs):
        raise AssertionError("AutoGraph was asked to convert")

    monkeypatch.setattr(api, "_convert_actual", forbidden)

    def pipeline(x):
        return tf.data.Dataset.range(3).map(lambda v: sign(v - 1)).reduce(tf.constant(0), lambda a, b: a + b) + sign(x)

    assert tf.function(gw.convert(pipeline))(tf.constant(3)).numpy() == 0


class Base:
    def inherited(self, x):
        return sign(x)


class Model(Base):
    def __init__(self, scale=3):
        self.scale = scale

    def __call__(self, x):
        return sign(x) * self.scale

    @gw.convert
    def decorated(self, x):
        return self.__private(x)

    def __private(self, x):
        return sign(x) + self.scale

    @gw.convert()
    @staticmethod
    def fixed(x):
        return sign(x)

    @classmethod
    def made(cls, x):
        return sign(x) * 5, cls

    @property
    def sign(self):
        return sign(tf.constant(self.scale))

    def parent(self, x):
        return super().inherited(x)

    def items(self):
        yield from [1, 2]


def test_methods():
    model = Model()
    assert staged(model.decorated) == 4
    assert staged(Model.fixed) == staged(model.fixed) == 1
    bound = gw.to_graph(model.inherited)
    assert bound.__self__ is model
    assert staged(bound) == 1
    assert staged(lambda x: gw.to_graph(Model.made)(x)[0]) == 5
    assert gw.to_graph(Model.made)(1)[1] is Model


def test_classes():
    converted_class = gw.to_graph(Model)
    model = converted_class(7)
    assert isinstance(model, Model)
    assert (converted_class.__name__, converted_class.__module__) == ("Model", __name__)
    assert staged(model) == 7
    assert staged(model.inherited) == staged(model.parent) == 1
    assert staged(model.decorated) == 8
    assert in_graph(lambda: model.sign) == 1
    assert list(model.items()) == [1, 2]
    assert staged(lambda x: converted_class.made(x)[0]) == 5


class Measured:
    def __init__(self, size):
        self.size = size

    def described(self):
        return "size " + str(self.size)

    def __repr__(self):
        return self.described()

    def __format__(self, specification):
        return f"{specification} {self.size}"

    def __hash__(self):
        return hash(str(self.size))


def texts_of(kind, x):
    return f"{kind(x):of}", f"{[kind(x)]}", str(kind(x)), isinstance(hash(kind(x)), int)


def test_python_receives_texts_from_converted_classes_in_a_trace():
    def in_graphs(kind):
        tf.function(lambda x: shown.append(texts_of(kind, x)), autograph=False)(tf.constant(2.5))
        return [text.numpy() for text in gw.function(lambda x: texts_of(kind, x))(tf.constant(2.5))], shown.pop()

    shown = []
    converted_class = gw.convert(Measured)
    assert in_graphs(converted_class) == in_graphs(Measured)
    assert in_graphs(Measured)[1][1] == '[size Tensor("x:0", shape=(), dtype=float32)]'
    # What is called by name is converted like other methods, also after a text has been made.
    assert (
        gw.function(lambda x: converted_class(x).described())(tf.constant(2.5))
        == b"size tf.Tensor(2.5, shape=(), dtype=float32)"
    )


def test_methods_of_classes_inside_converted_functions_are_converted_whatever_they_change(caplog):
    def counted(x):
        class Counter:
            count = 0

            def add(self, x):
                if x > 0:
                    self.count += 1
                return self.count

            def try_next(self, x):
                values = iter([x, x + 1])
                try:
                    first = next(values)
                    return first if x > 0 else x
                except StopIteration as error:
                    raise ValueError(x) from error

            def inner(self, x):
                def doubled():
                    yield sign(x)

                first = next(doubled())
                return first if x > 0 else x

            def each(self, x):
                yield sign(x) * 2

        counter = Counter()
        return counter.add(x) + counter.try_next(x) + counter.inner(x) + sum(counter.each(x))

    with caplog.at_level(logging.WARNING):
        assert gw.function(counted)(tf.constant(3)) == counted(3) == 1 + 3 + 1 + 2
    assert not caplog.messages


def test_callable_objects_partials_and_lambdas():
    assert staged(gw.convert(Model())) == 3
    assert staged(gw.to_graph(Model())) == 3
    assert staged(gw.to_graph(functools.partial(calls_sign, scale=5))) == 5
    assert staged(gw.convert(lambda x: 1 if x > 0 else 2)) == 1


def test_closures_are_shared():
    total = 0

    def add(x):
        nonlocal total
        total += 1
        return sign(x)

    assert staged(gw.convert(add)) == 1
    assert total == 1


def twice(function):
    @functools.wraps(function)
    def wrapper(x):
        if x > 100:
            return 0
        return function(x) * 2

    return wrapper


@twice
@twice
def decorated(x):
    if x > 0:
        return 1
    return -1


def test_a_users_decorators_are_converted_and_kept():
    assert staged(gw.convert(decorated)) == 4
    assert staged(gw.convert(lambda x: decorated(x))) == 4
    assert converted_function(decorated) is not converted_function(decorated.__wrapped__)


def test_functions_that_call_themselves():
    def factorial(n):
        return 1 if n == 0 else n * factorial(n - 1)

    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    assert gw.convert(factorial)(5) == 120
    assert gw.convert(even)(10) is True
    assert converted_function(factorial) is converted_function(factorial)


def test_library_code_is_given_back():
    for entity in (len, tf.add, tf.reduce_sum, functools.reduce, int, tf.keras.layers.Dense, dict.get):
        assert gw.to_graph(entity) is entity
    with pytest.raises(gw.ConversionError, match="isn't callable"):
        gw.convert(3)


def generator(n):
    for i in range(n):
        n += 1
        yield i


async def coroutine():
    return 1


@pytest.mark.parametrize("function", [generator, coroutine])
@pytest.mark.parametrize("convert", [gw.convert, gw.convert(), gw.to_graph, gw.to_code])
def test_what_runs_later_is_refused(function, convert):
    with pytest.raises(gw.ConversionError, match=f"`{function.__name__}` is a "):
        convert(function)


def test_generators_may_be_called():
    assert gw.convert(lambda: list(generator(3)))() == [0, 1, 2]


HIDDEN = """
import graphwright as gw
import tensorflow as tf

def hidden(x):
    return x + 1

def deciding(x):
    if x > 0:
        return x
    return -x

@gw.function
def graph(x):
    return hidden(x) * 2
"""


@pytest.mark.parametrize("door", [gw.convert, gw.to_graph, gw.function, lambda f: lambda x: gw.to_graph(calls)(f, x)])
def test_what_has_no_source_runs_as_it_is(door, caplog):
    names = {}
    exec(HIDDEN, names)
    with caplog.at_level(logging.WARNING, "graphwright"):
        assert int(door(names["hidden"])(1)) == 2
        assert staged(door(names["hidden"])) == 4
        assert int(door(names["deciding"])(tf.constant(-3))) == 3 if door is not gw.function else True
    assert not [record for record in caplog.records if record.name == "graphwright"]
    reason = r"`deciding` \(<string>:8\) isn't converted, but runs as plain Python: .* created from a string"
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=reason):
        staged(door(names["deciding"]))
    assert names["graph"](tf.constant(3)).numpy() == 8
    with pytest.raises(gw.ConversionError, match="created from a string"):
        gw.to_code(names["hidden"])


@pytest.mark.parametrize("how", ["-c", "-"])
def test_a_program_that_python_keeps_no_text_of(how):
    program = HIDDEN + "\nprint(graph(tf.constant(3)).numpy(), gw.to_graph(deciding)(-4))\n"
    command, given = ([how, program], None) if how == "-c" else ([how], program)
    done = subprocess.run([sys.executable, *command], input=given, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("8 4\n", 0), done.stderr


def calls(function, x):
    return function(x)


@functools.singledispatch
def by_kind(x):
    return x - 1


@by_kind.register(tf.Tensor)
def _(x):
    if x > 0:
        return x * 2
    return x


class ByKind:
    @functools.singledispatchmethod
    def of(self, x):
        return x - 1

    @of.register(tf.Tensor)
    def _(self, x):
        if x > 0:
            return x * 2
        return x


@pytest.mark.parametrize("function", [by_kind, ByKind().of])
def test_single_dispatch(function):
    assert staged(gw.to_graph(lambda x: function(x) + function(5))) == 10
    assert gw.function(lambda x: function(x))(tf.constant(3)).numpy() == 6
    assert gw.to_graph(function)(5) == 4


def test_single_dispatch_as_a_graph_function():
    assert gw.function(by_kind)(tf.constant(3)).numpy() == 6
    assert staged(gw.convert(by_kind)) == 6


@pytest.mark.parametrize(
    "door",
    [
        "gw.function(f)",
        "gw.function(f, input_signature=[tf.TensorSpec([], tf.int32)])",
        "gw.convert(f)",
        "gw.to_graph(f)",
        "gw.to_code(f) and f",
        "gw.stack and f",
    ],
)
def test_no_door_starts_tensorflow(door, tmp_path):
    (tmp_path / "doors.py").write_text(f"""
import graphwright as gw
import tensorflow as tf

def f(x):
    if x > 0:
        return x
    return -x

g = {door}

class Model:
    @gw.function
    def call(self, x):
        return g(x)

model = Model()
model.call
[cpu] = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
assert len(tf.config.list_logical_devices("CPU")) == 2
tf.distribute.MultiWorkerMirroredStrategy()
print(model.call(tf.constant(3)).numpy())
""")
    done = subprocess.run([sys.executable, "doors.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("3\n", 0), done.stderr


@gw.do_not_convert
def left_alone(x):
    if isinstance(x, tf.Tensor) and tf.is_symbolic_tensor(x):
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
            bool(x > 0)
    return x


@tf.autograph.experimental.do_not_convert
def left_alone_by_tensorflow(x):
    return "a" if x is None else x


def test_do_not_convert():
    assert converted(left_alone) is left_alone
    assert converted(left_alone_by_tensorflow) is left_alone_by_tensorflow
    assert staged(gw.convert(lambda x: left_alone(x))) == 3
    assert staged(tf.function(left_alone)) == 3
    assert left_alone.__name__ == "left_alone"
    assert converted(twice(left_alone)) is not twice(left_alone)


def test_tf_functions_are_converted_with_their_options():
    traces = []

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)], reduce_retracing=True)
    def inner(x):
        traces.append(tf.autograph.experimental)
        if x > 0:
            return x
        return -x

    outer = gw.convert(lambda x: inner(x) + inner(x))
    assert staged(outer) == 6
    twin = converted(inner)
    assert twin is converted(inner)
    assert twin.input_signature == inner.input_signature
    assert len(traces) == 1
    assert converted(tf.function(sign, autograph=False))._autograph is False


class Module(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(2)

    @tf.function
    def method(self, x):
        if x > 0:
            return self.v * x
        return self.v


def test_tf_function_methods_do_not_keep_their_instance():
    module = Module()
    assert staged(gw.convert(lambda x, module=module: module.method(x))) == 6
    assert converted(module.method) is converted(module.method)
    gone = weakref.ref(module)
    del module
    import gc

    gc.collect()
    assert gone() is None


class Scoped(tf.Module):
    @tf.Module.with_name_scope
    def __call__(self, x):
        if x > 0:
            return x
        return -x


def test_library_decorators_around_user_code():
    assert staged(gw.convert(Scoped())) == 3
    assert staged(gw.convert(lambda x: Scoped()(x))) == 3
    assert gw.to_code(Scoped.__call__).startswith("def __call__(self, x):")


@tf.custom_gradient
def halved(x):
    def gradient(dy):
        return dy * 100.0

    if x > 0.0:
        y = x / 2.0
    else:
        y = x
    return y, gradient


def test_custom_gradients():
    @tf.function(autograph=False)
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = gw.convert(lambda x: halved(x))(x)
        return y, tape.gradient(y, x)

    assert [float(value) for value in gradient(tf.constant(4.0))] == [2.0, 100.0]


def branching(x, *_):
    if x > 1:
        return x * 10
    return x


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.map_fn(branching, tf.range(x)),
        lambda x: tf.map_fn(fn=branching, elems=tf.range(x)),
        lambda x: tf.stack(tf.nest.map_structure(branching, [tf.constant(0), tf.constant(1), tf.constant(2)])),
        lambda x: tf.scan(lambda a, v: branching(v), tf.range(x)),
        lambda x: tf.vectorized_map(lambda v: v * 10 if tf.rank(v) > 5 else v, tf.range(x)) + tf.constant([0, 0, 18]),
        lambda x: tf.stack([tf.cond(x > v, lambda v=v: branching(x - 3 + v), lambda: x) for v in range(3)]),
        lambda x: tf.stack(
            [tf.switch_case(tf.constant(v), [lambda v=v: branching(v + tf.constant(0))] * 4) for v in range(3)]
        ),
        lambda x: tf.stack([tf.case([(x > 1, lambda v=v: branching(tf.constant(v)))]) for v in range(3)]),
        lambda x: tf.stack(list(map(branching, [tf.constant(0), tf.constant(1), tf.constant(2)]))),
        lambda x: tf.stack([functools.reduce(lambda a, b: branching(b), [x, tf.constant(v)]) for v in range(3)]),
        lambda x: tf.distribute.get_strategy().run(branching, (tf.constant(2),)) + tf.constant([-20, -19, 0]),
    ],
)
def test_functions_given_to_library_functions(function):
    assert staged(gw.convert(function)).tolist() == [0, 1, 20]


def test_datasets():
    def total(x):
        data = tf.data.Dataset.range(6).map(branching).filter(lambda v: v > 10 and v > 1)
        data = data.flat_map(lambda v: tf.data.Dataset.from_tensors(v)).take_while(lambda v: v < 50)
        return data.reduce(tf.constant(0, tf.int64), lambda a, v: a + branching(v)) + tf.cast(x, tf.int64) * 0

    assert staged(gw.convert(total)) == (20 + 30 + 40) * 10


def test_python_functions_stay_python():
    def outer(x):
        return tf.py_function(lambda v: v if bool(v > 0) else -v, [x], tf.int32) + tf.numpy_function(abs, [x], tf.int32)

    assert staged(gw.convert(outer)) == 6


class Gate(tf.keras.layers.Layer):
    def call(self, x):
        if tf.reduce_mean(x) > 0:
            return x
        return -x


def test_layers_that_the_user_wrote():
    layer, model = Gate(), tf.keras.Sequential([Gate(), Gate()])
    x = tf.constant([[-1.0, -2.0]])
    for entity in (layer, model):
        found = tf.function(gw.convert(lambda x, entity=entity: entity(x)), autograph=False)(x)
        assert found.numpy().tolist() == [[1.0, 2.0]]
        assert "call" not in vars(entity)
    assert tf.function(gw.convert(layer), autograph=False)(x).numpy().tolist() == [[1.0, 2.0]]


def failing(x):
    raise ValueError("too big")


def test_tracebacks_show_the_users_frames():
    with pytest.raises(ValueError, match="too big") as caught:
        gw.convert(lambda x: failing(x))(1)
    frames = traceback.extract_tb(caught.value.__traceback__)
    ours = [frame.name for frame in frames if frame.filename != __file__]
    assert ours == ([] if sys.version_info >= (3, 11) else ["wrapper"])
    assert frames[-1].name == "failing"
    assert frames[-1].line == 'raise ValueError("too big")'


def test_to_code():
    text = gw.to_code(calls_sign)
    assert text.startswith("def calls_sign(x, scale=2):")
    assert "gw.converted(sign)(x)" in text
    assert gw.to_code(gw.convert(calls_sign)) == gw.to_code(converted_function(calls_sign)) == text
    assert gw.to_code(tf.function(calls_sign)) == text
    assert "converted" not in gw.to_code(calls_sign, recursive=False)
    assert gw.to_code(Model).startswith("class Model:\n    def __init__(self")
    with pytest.raises(gw.ConversionError, match="no Python source"):
        gw.to_code(len)
    with pytest.raises(ValueError, match="style"):
        gw.to_code(calls_sign, style="other")


def test_functions_can_still_be_pickled():
    gw.convert(sign)(1)
    assert pickle.loads(pickle.dumps(sign)) is sign


def test_set_loop_options_does_nothing_eagerly():
    assert gw.set_loop_options(parallel_iterations=3) is None
    with pytest.raises(TypeError, match="not nonsense"):
        gw.set_loop_options(nonsense=1)


def test_the_door_gives_what_it_says():
    for name in gw.__all__:
        assert getattr(gw, name) is not None
    assert dir(gw) == sorted(gw.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        gw.nonsense  # noqa: B018


def test_a_builtin_under_another_name_works_on_tensors_without_recursion():
    def sizes(xs):
        size = len
        return size(xs) + size([1, 2])

    unknown = tf.TensorSpec([None], tf.int32)
    converted = tf.function(gw.to_graph(sizes, recursive=False), autograph=False).get_concrete_function(unknown)
    assert int(converted(tf.constant([1, 2, 3]))) == 5


def test_what_cant_be_hashed_is_called_as_it_is_without_recursion():
    class Doubler:
        __hash__ = None  # pyright: ignore[reportAssignmentType]

        def __call__(self, x):
            return x * 2

    def doubled(make, x):
        double = make()
        return double(x)

    converted = tf.function(gw.to_graph(doubled, recursive=False), autograph=False)
    assert int(converted(Doubler, tf.constant(2))) == 4


def test_a_copy_made_from_the_code_has_the_docstring():
    def documented(x):
        """Add one."""
        return x + 1

    for function in (documented, sign):
        converted = gw.convert(function)
        copy = types.FunctionType(
            converted.__code__, converted.__globals__, "copy", converted.__defaults__, converted.__closure__
        )
        assert copy.__doc__ == converted.__doc__ == function.__doc__
        assert copy(2) == function(2)


class Kind(type):
    pass


class OfKind(metaclass=Kind):
    def __init__(self, x, kind=1):
        if x > 0:
            self.x = x
        else:
            self.x = -x * kind


def test_init_of_a_class_with_a_metaclass_is_converted():
    assert in_graph(gw.convert(lambda: OfKind(tf.constant(-3), kind=2).x)) == 6
