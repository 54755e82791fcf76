"""Random calls of TensorFlow functions, traced by TensorFlow and inferred by the analysis, to be compared.

Run as a script, with `PYTHONPATH=tools`, it prints how often what is inferred is exact, and how often refusals are
foreseen, by function.
"""

from __future__ import annotations

import functools
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import example_forms
from graphwright_analysis.values.domain import Array, Composite, Constant, DType, Tensor, Tuple, Value, Variable
from graphwright_analysis.values.shapes import ANY
from graphwright_analysis.values.tensorflow import functions, refusals
from graphwright_analysis.values.tensorflow.checked_calls import Refusal

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


@dataclass(frozen=True)
class Spec:
    """A symbolic tensor among a call's arguments."""

    shape: tuple[int | None, ...]
    dtype: str = "float32"
    kind: str = "Tensor"


@dataclass(frozen=True)
class Call:
    name: str
    positional: tuple[Any, ...] = ()
    named: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Outcome:
    """What TensorFlow and the analysis say of one call; exactly one of `given` and `error` is there."""

    call: Call
    given: Any
    error: Exception | None
    inferred: Any
    refusal: Refusal | None


# Drawing calls

NUMBERS = ("float32", "float32", "float32", "int32", "float64", "int64")
ALL = ("float32", "int32", "float64", "int64", "bool", "string", "uint8", "complex64")
SIZES = (1, 2, 3, 4, 6, None, None, 3, 2, 0)


class Draw(random.Random):
    """A source of operands."""

    def shape(self, *ranks: int) -> tuple[int | None, ...]:
        sizes = SIZES if self.random() < 0.5 else (2, 3, None)
        return tuple(self.choice(sizes) for _ in range(self.choice(ranks or (0, 1, 2, 2, 3, 3))))

    def tensor(self, *ranks: int, of: Sequence[str] = NUMBERS) -> Spec:
        return Spec(self.shape(*ranks), self.choice(of))

    def same(self, spec: Spec, *, changed: float = 0.3) -> Spec:
        """Another tensor that mostly fits, with sizes forgotten or new here and there."""
        shape = tuple(self.choice((size, None, 1, 3)) if self.random() < changed else size for size in spec.shape)
        return Spec(shape, spec.dtype if self.random() < 0.9 else self.choice(NUMBERS))

    def operand(self, *ranks: int) -> Any:
        import numpy as np

        if self.random() < 0.6:
            return self.tensor(*ranks)
        literals = (1, 0.5, True, "a", 2**40, [1, 2, 3], [1.0, 2.0, 3.0], [1, 0.5], [Spec((), "float32"), 1.0])
        arrays = (np.float64(1.5), np.ones(3), np.ones((2, 3), int), np.float32(2), np.int32(3))
        return self.choice((*literals, *arrays, *variables()))

    def axis(self) -> int:
        return self.choice((0, 0, 1, -1, 1, 2, -2, 3, -4))


def variables() -> tuple[Variable, ...]:
    """What stands for a Variable and for a dtype is a value of ours, so that drawing needs no TensorFlow."""
    return Variable("float32", (3,)), Variable("int32", (1, 3))


def options(draw: Draw, **choices: Sequence[Any]) -> dict[str, Any]:
    return {name: draw.choice(values) for name, values in choices.items() if draw.random() < 0.5}


def drawn(draw: Draw, name: str) -> Call:
    """A random call of a function."""
    if name in example_forms.examples():
        return _like_an_example(draw, name)
    maker = _CALLS.get(name)
    if maker is not None:
        positional, named = maker(draw)
        return Call(name, tuple(positional), named)
    found = functions.entry(name)
    assert found is not None, name
    if found.shape in ("broadcast", "added"):
        first = draw.operand()
        second = draw.same(first) if isinstance(first, Spec) and draw.random() < 0.6 else draw.operand()
        return Call(name, (first, second), {})
    if found.shape == "reduce":
        axis = draw.choice((draw.axis(), [0, draw.axis()], None, [], (-1,), Spec((), "int32")))
        return Call(name, (draw.tensor(of=(*NUMBERS, *ALL)),), options(draw, axis=[axis], keepdims=[True, False]))
    return Call(name, (draw.tensor(of=(*NUMBERS, *NUMBERS, *ALL)),), {})


def _like_an_example(draw: Draw, name: str) -> Call:
    """A call as one of those that the table was told by, with other dtypes and sizes, and with some forgotten."""
    found = functions.entry(name)
    assert found is not None, name
    line = draw.choice(example_forms.examples()[name])
    example = example_forms.taken_apart(found.parameters, line)
    before = draw.choice(((), (), ("<",), ("<", "<<"))) if "..." in line else ()
    sizes = example_forms.sizes_of(example, before, draw.choice((0, 1)))
    dtypes = {family: draw.choice(example_forms.FAMILIES[family]) for family in example.families()}
    named: dict[str, Any] = {**example.given, **{name: sizes[each] for name, each in example.sizes.items()}}
    named |= {name: draw.choice(several) for name, several in example.free.items()}
    for parameter, (family, pattern, kind) in example.operands.items():
        parts = [part for each in pattern for part in (before if each == "..." else [each])]
        numbers = [example_forms.number(each, sizes) for each in parts]
        if kind == "shape":
            named[parameter] = numbers
        else:
            other = (None, 1) if "_" not in str(pattern) else (None,)
            changed = tuple(draw.choice(other) if draw.random() < 0.15 else number for number in numbers)
            named[parameter] = Spec(changed, dtypes[family], example_forms.KINDS.get(kind, "Tensor"))
    return Call(name, (), named)


def resolved(name: str) -> Any:
    """One of TensorFlow's functions by its name."""
    import tensorflow as tf

    return functools.reduce(getattr, name.split("."), tf)


def _joined(draw: Draw, *ranks: int) -> list[Any]:
    first = draw.tensor(draw.choice(ranks))
    rest = [draw.same(first) for _ in range(draw.choice((0, 1, 1, 2)))]
    return draw.choice(([first, *rest], [first, *rest], [first, *rest], [draw.operand(*ranks) for _ in range(2)]))


def _matrices(draw: Draw) -> tuple[list[Any], dict[str, Any]]:
    inner = draw.choice((2, 3, None))
    left = Spec((*draw.shape(0, 0, 1, 2), draw.choice(SIZES), inner), draw.choice(NUMBERS))
    right = Spec((*draw.shape(0, 0, 1), draw.choice((inner, inner, 3)), draw.choice(SIZES)), left.dtype)
    named = options(draw, transpose_b=[True, False, False], transpose_a=[True, False, False])
    return [left, draw.choice((right, right, right, draw.operand(1, 2)))], named


def _sizes(draw: Draw) -> Any:
    sizes = [draw.choice((-1, 1, 2, 3, 4, 6, 0, Spec((), "int32"))) for _ in range(draw.choice((1, 2, 2, 3)))]
    return draw.choice((sizes, sizes, tuple(sizes), Spec((2,), "int32"), [-1], -1))


def _made(draw: Draw) -> Any:
    return draw.choice(([2, 3], (4,), [], 5, [Spec((), "int32"), 3], Spec((2,), "int32")))


def _conv(draw: Draw) -> tuple[list[Any], dict[str, Any]]:
    image = Spec((None, draw.choice((8, 9, None)), draw.choice((8, 7)), 3))
    filters = Spec((draw.choice((1, 2, 3)), 3, draw.choice((3, 3, 4)), 5))
    return [image, filters, draw.choice((1, 2, [1, 2, 2, 1], [2, 1])), draw.choice(("SAME", "VALID"))], {}


def _pool(draw: Draw) -> tuple[list[Any], dict[str, Any]]:
    image = Spec((None, draw.choice((8, 9, None)), draw.choice((8, 7)), 3))
    return [
        image,
        draw.choice((2, 3, [1, 2, 2, 1])),
        draw.choice((1, 2, [1, 2, 2, 1])),
        draw.choice(("SAME", "VALID")),
    ], {}


def _einsum(draw: Draw) -> tuple[list[Any], dict[str, Any]]:
    equation, ranks = draw.choice(
        (("ij,jk->ik", (2, 2)), ("ij,jk", (2, 2)), ("bij,bjk->bik", (3, 3)), ("...ij,jk->...ik", (3, 2)),
         ("ii->i", (2,)), ("ij->ji", (2,)), ("bhd,bkd->bhk", (3, 3)), ("i j, k j -> i k", (2, 2)), ("ij->", (2,)))
    )  # fmt: skip
    known = draw.choice(((3,), (3, None), (2, 3)))
    return [equation, *(Spec(tuple(draw.choice(known) for _ in range(rank))) for rank in ranks)], {}


def _losses(labels: Sequence[str], rank: int) -> Any:
    def make(draw: Draw) -> tuple[list[Any], dict[str, Any]]:
        logits = draw.tensor(1, 2, 3, of=("float32", "float32", "float64"))
        same = draw.same(Spec(logits.shape[: len(logits.shape) - rank], draw.choice(labels)), changed=0.15)
        return [], {"labels": Spec(same.shape, draw.choice(labels)), "logits": logits}

    return make


_CALLS: dict[str, Any] = {
    "cast": lambda d: ([d.operand(), _dtype(d)], {}),
    "constant": lambda d: ([d.choice((1, 2.0, [1, 2], [[1.0, 2.0]], "a", True))], {}),
    "convert_to_tensor": lambda d: ([d.operand()], {}),
    "zeros_like": lambda d: ([d.operand()], {}),
    "shape": lambda d: ([d.operand()], {}),
    "where": lambda d: (_where(d), {}),
    "clip_by_value": lambda d: ([d.operand(), d.operand(0), d.operand(0)], {}),
    "matmul": _matrices,
    "linalg.matvec": lambda d: ([d.tensor(2, 3), d.tensor(1, 2)], {}),
    "tensordot": lambda d: ([d.tensor(2, 3), d.tensor(2), d.choice((1, 2, 0))], {}),
    "einsum": _einsum,
    "concat": lambda d: ([_joined(d, 1, 2, 2, 3), d.axis()], {}),
    "stack": lambda d: ([_joined(d, 0, 1, 2)], options(d, axis=[d.axis()])),
    "add_n": lambda d: ([_joined(d, 0, 1, 2)], {}),
    "unstack": lambda d: ([d.tensor(1, 2, 3)], options(d, axis=[d.axis()])),
    "split": lambda d: ([d.tensor(1, 2, 3), d.choice((1, 2, 3, [1, 2], [2, -1], [3], [1, 1]))],
                        options(d, axis=[d.axis()])),
    "meshgrid": lambda d: ([d.tensor(1), d.tensor(1)], options(d, indexing=["ij", "xy"])),
    "expand_dims": lambda d: ([d.operand(), d.axis()], {}),
    "squeeze": lambda d: ([d.tensor()], options(d, axis=[d.axis(), [0], [0, -1]])),
    "transpose": lambda d: ([d.tensor()], options(d, perm=[[0, 1], [1, 0], [0, 2, 1], [0], [2, 1, 0], [0, -1]])),
    "reshape": lambda d: ([d.tensor(), _sizes(d)], {}),
    "pad": lambda d: ([d.tensor(1, 2), [[1, 1] for _ in range(d.choice((1, 2, 2)))]], {}),
    "tile": lambda d: ([d.tensor(1, 2), [d.choice((1, 2, 3)) for _ in range(d.choice((1, 2, 2)))]], {}),
    "repeat": lambda d: ([d.tensor(1, 2), d.choice((2, 3, [1, 2]))], options(d, axis=[d.axis()])),
    "slice": lambda d: ([d.tensor(2, 2, 3), [0, d.choice((0, 1))], [d.choice((-1, 1, 2)), -1]], {}),
    "broadcast_to": lambda d: ([d.tensor(0, 1, 2), d.choice(([2, 3], [4, 2, 3], [3]))], {}),
    "gather": lambda d: ([d.tensor(1, 2, 3), d.tensor(0, 1, 2, of=("int32", "int32", "int64", "float32"))],
                         options(d, axis=[0, 1, -1, 2], batch_dims=[0, 1])),
    "gather_nd": lambda d: ([d.tensor(2, 3), Spec((*d.shape(0, 1, 2), d.choice((1, 2, None))), "int32")],
                            options(d, batch_dims=[0, 0, 1])),
    "boolean_mask": lambda d: (_mask(d), {}),
    "one_hot": lambda d: ([d.tensor(of=("int32", "int64", "uint8", "float32")), d.choice((3, Spec((), "int32")))],
                          options(d, axis=[0, 1, -1])),
    "argmax": lambda d: ([d.tensor(1, 2, 3)], options(d, axis=[d.axis()])),
    "argmin": lambda d: ([d.tensor(1, 2, 3)], options(d, axis=[d.axis()])),
    "math.top_k": lambda d: ([d.tensor(1, 2, 3)], options(d, k=[1, 2, Spec((), "int32")])),
    "range": lambda d: (d.choice(([3], [1, 7], [0, 9, 2], [0.0, 1.0, 0.1], [Spec((), "int32")], [0, Spec((), "int64")],
                                  [0, Spec((), "float32")])), {}),
    "linspace": lambda d: ([d.tensor(0, 1, of=("float32",)), 1.0, d.choice((5, Spec((), "int32")))], {}),
    "fill": lambda d: ([_made(d), d.choice((1, 0.5, Spec((), "int32")))], {}),
    "zeros": lambda d: ([_made(d)], {}),
    "ones": lambda d: ([_made(d)], {}),
    "random.uniform": lambda d: ([_made(d)], {}),
    "random.normal": lambda d: ([_made(d)], {}),
    "eye": lambda d: ([d.choice((3, Spec((), "int32")))], options(d, num_columns=[4], batch_shape=[[2], [2, 3]])),
    "sequence_mask": lambda d: ([d.tensor(0, 1, 2, of=("int32", "int64"))], options(d, maxlen=[5, Spec((), "int32")])),
    "norm": lambda d: ([d.tensor(of=("float32", "float64"))], options(d, axis=[d.axis(), (0, 1)], keepdims=[True])),
    "linalg.normalize": lambda d: ([d.tensor(of=("float32",))], options(d, axis=[d.axis()])),
    "nn.moments": lambda d: ([d.tensor(of=("float32",)), [0]], options(d, keepdims=[True, False])),
    "nn.bias_add": lambda d: ([d.tensor(1, 2, 3), d.tensor(1)], {}),
    "nn.embedding_lookup": lambda d: ([d.tensor(2), d.tensor(0, 1, 2, of=("int32", "int64"))], {}),
    "nn.sigmoid_cross_entropy_with_logits": _losses(("float32", "float32", "float64"), 0),
    "nn.softmax_cross_entropy_with_logits": _losses(("float32", "float32", "int32"), 0),
    "nn.sparse_softmax_cross_entropy_with_logits": _losses(("int32", "int64", "int32", "float32"), 1),
    "nn.conv2d": _conv,
    "nn.max_pool2d": _pool,
    "nn.avg_pool2d": _pool,
    "ensure_shape": lambda d: ([d.tensor(2), d.choice(([2, 3], [None, 3], [None, None]))], {}),
    "scatter_nd": lambda d: ([Spec((d.choice((2, None)), 1), "int32"), d.tensor(2), [8, 3]], {}),
    "tensor_scatter_nd_update": lambda d: ([d.tensor(2), Spec((2, 1), "int32"), d.tensor(2)], {}),
    "math.segment_sum": lambda d: ([d.tensor(1, 2), d.tensor(1, of=("int32",))], {}),
    "math.unsorted_segment_sum": lambda d: (
        [d.tensor(1, 2), d.tensor(1, of=("int32",)), d.choice((7, Spec((), "int32")))], {}),
    "random.categorical": lambda d: ([d.tensor(2, of=("float32",)), d.choice((3, Spec((), "int32")))], {}),
    "image.resize": lambda d: ([Spec((*d.shape(0, 1), None, 7, 3), d.choice(("float32", "uint8"))),
                                d.choice(([4, 5], Spec((2,), "int32")))],
                               options(d, method=["nearest", "bicubic"])),
    "image.crop_to_bounding_box": lambda d: (
        [Spec((*d.shape(0, 1), 9, 9, 3)), 0, 0, 4, d.choice((5, Spec((), "int32")))], {}),
    "image.rgb_to_grayscale": lambda d: ([Spec((*d.shape(0, 1), 7, None, 3))], {}),
    "image.flip_left_right": lambda d: ([Spec((*d.shape(0, 1), 7, None, 3))], {}),
    "strings.join": lambda d: ([[Spec((3,), "string"), "a"]], {}),
    "linalg.global_norm": lambda d: ([[d.tensor(of=("float32",)), d.tensor(of=("float32",))]], {}),
    "reverse": lambda d: ([d.tensor(1, 2), [0]], {}),
    "roll": lambda d: ([d.tensor(1, 2), 1, 0], {}),
    "searchsorted": lambda d: ([Spec((5,)), Spec((3,))], {}),
}  # fmt: skip
PLAIN = """
add subtract multiply divide truediv maximum minimum pow equal not_equal less greater_equal math.divide_no_nan
math.floordiv math.floormod math.squared_difference math.atan2 logical_and complex reduce_sum reduce_mean reduce_max
reduce_any reduce_all reduce_prod reduce_logsumexp math.reduce_std math.count_nonzero abs square sqrt exp math.log
sigmoid tanh floor sign round negative identity stop_gradient cumsum nn.relu nn.softmax nn.log_softmax nn.gelu
nn.l2_loss sort argsort size rank unique logical_not math.is_nan math.l2_normalize linalg.diag linalg.diag_part
linalg.band_part linalg.matrix_transpose random.shuffle strings.length strings.lower""".split()  # noqa: SIM905
KERAS_PLAIN = """
abs argmax cos exp expm1 floor isnan log logical_not max mean prod relu round sigmoid softmax sqrt square std sum tanh
transpose var add divide equal floor_divide less logical_and maximum mod multiply power subtract true_divide
fmax hypot logaddexp isclose nancumsum rad2deg nanmax count_nonzero array""".split()  # noqa: SIM905
PLAIN += [f"keras.ops.{name}" for name in KERAS_PLAIN]
_CALLS |= {
    "keras.ops.cast": lambda d: ([d.operand(), d.choice(("float32", "int64", "bool"))], {}),
    "keras.ops.concatenate": lambda d: ([_joined(d, 1, 2, 2, 3), d.axis()], {}),
    "keras.ops.expand_dims": lambda d: ([d.tensor(1, 2), d.axis()], {}),
    "keras.ops.einsum": _einsum,
    "keras.ops.pad": lambda d: ([d.tensor(1, 2), [[1, 1] for _ in range(d.choice((1, 2, 2)))]], {}),
    "keras.ops.repeat": lambda d: ([d.tensor(1, 2), d.choice((2, 3, [1, 2]))], options(d, axis=[d.axis()])),
    "keras.ops.tensordot": lambda d: ([d.tensor(2, 3), d.tensor(2), d.choice((1, 2, 0))], {}),
    "keras.ops.tile": lambda d: ([d.tensor(1, 2), [d.choice((1, 2, 3)) for _ in range(d.choice((1, 2, 2)))]], {}),
    "keras.ops.matmul": lambda d: (_matrices(d)[0], {}),
    "keras.ops.reshape": lambda d: ([d.tensor(), _sizes(d)], {}),
    "keras.ops.squeeze": lambda d: ([d.tensor()], options(d, axis=[d.axis()])),
    "keras.ops.stack": lambda d: ([_joined(d, 0, 1, 2)], options(d, axis=[d.axis()])),
}
DRAWN = (*PLAIN, *_CALLS)
"""The functions whose calls are made up here; the others' are like an example."""
NAMES = (*DRAWN, *example_forms.examples())
_NEEDS_MORE = frozenset({"linalg.band_part"})


def _dtype(draw: Draw) -> Any:
    return draw.choice((DType("float32"), DType("int32"), "int64", DType("bool")))


def _where(draw: Draw) -> list[Any]:
    first = draw.operand()
    second = draw.same(first) if isinstance(first, Spec) and draw.random() < 0.6 else draw.operand()
    condition = draw.tensor(of=("bool", "bool", "bool", "int32"))
    return draw.choice(([condition, first, second], [condition, first, second], [condition]))


def _mask(draw: Draw) -> list[Any]:
    tensor = draw.tensor(1, 2, 3)
    return [tensor, draw.same(Spec(tensor.shape[: draw.choice((1, 1, 2))], "bool"), changed=0.1)]


# Tracing and inferring


def outcome(call: Call) -> Outcome:
    """What TensorFlow makes of a call in a graph, and what the analysis says of it."""
    from tensorflow.python.framework import func_graph

    function = resolved(call.name)
    named = call.named or {}
    given, error = None, None
    with func_graph.FuncGraph("call").as_default():
        try:
            given = function(
                *map(symbolic, call.positional), **{name: symbolic(value) for name, value in named.items()}
            )
        except Exception as raised:
            error = raised
    return Outcome(call, given, error, *told(call))


def eager_error(call: Call) -> tuple[Exception | None, Refusal | None]:
    """What TensorFlow raises where a call is computed without a graph, and why the analysis says that it does."""
    error = None
    try:
        resolved(call.name)(*map(_filled, call.positional), **{n: _filled(v) for n, v in (call.named or {}).items()})
    except Exception as raised:
        error = raised
    return error, _refusal(call, eager=True)


def eager_calls(seed: int, count: int) -> Iterator[Call]:
    """The random calls of which all sizes are known."""
    for name in DRAWN:
        yield from (call for call in calls(seed, count, name) if _is_complete([*call.positional, call.named or {}]))


def _is_complete(value: Any) -> bool:
    if isinstance(value, (list, tuple, dict)):
        return all(map(_is_complete, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, Spec) or (value.kind == "Tensor" and None not in value.shape)


def _filled(value: Any) -> Any:
    """The argument with tensors that hold something for specs."""
    import tensorflow as tf

    if isinstance(value, Spec):
        return tf.fill(value.shape, "1") if value.dtype == "string" else tf.cast(tf.ones(value.shape), value.dtype)
    return type(value)(map(_filled, value)) if isinstance(value, (list, tuple)) else symbolic(value)


def told(call: Call) -> tuple[Any, Refusal | None]:
    """What the analysis says of a call: what it gives, and why TensorFlow refuses it."""
    positional = [abstract(value) for value in call.positional]
    named = {name: abstract(value) for name, value in (call.named or {}).items()}
    return functions.call(call.name, positional, named, elements), _refusal(call, eager=False)


def _refusal(call: Call, eager: bool) -> Refusal | None:
    positional = [abstract(value) for value in call.positional]
    named = {name: abstract(value) for name, value in (call.named or {}).items()}
    return refusals.refusal(call.name, positional, named, elements, eager)


def symbolic(value: Any) -> Any:
    """The argument with placeholders for specs."""
    import tensorflow as tf

    if isinstance(value, Spec):
        make = tf.compat.v1.sparse_placeholder if value.kind == "SparseTensor" else tf.compat.v1.placeholder
        return make(value.dtype, value.shape)
    if isinstance(value, DType):
        return tf.as_dtype(value.name)
    if isinstance(value, Variable):
        return _variable(value)
    return type(value)(map(symbolic, value)) if isinstance(value, (list, tuple)) else value


@functools.cache
def _variable(value: Variable) -> Any:
    import tensorflow as tf

    return tf.Variable({"float32": [1.0, 2.0, 3.0], "int32": [[1, 2, 3]]}[str(value.dtype)])


def abstract(value: Any) -> Value:
    import numpy as np

    if isinstance(value, Spec):
        composite = value.kind != "Tensor"
        return Composite(value.kind, value.dtype) if composite else Tensor(value.dtype, value.shape)
    if isinstance(value, (Variable, DType)):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return Array(value.dtype.name, value.shape)
    return Tuple(tuple(map(abstract, value))) if isinstance(value, (list, tuple)) else Constant(value)


def elements(value: Value) -> tuple[Value, ...] | None:
    return value.items if isinstance(value, Tuple) else None


# Comparing


def pairs(given: Any, inferred: Any) -> Iterator[tuple[Any, Any]]:
    """Each tensor that TensorFlow gave with what was inferred of it."""
    if isinstance(inferred, functions.ListOf):
        assert isinstance(given, list), "not a list"
        if inferred.elements is not None:
            assert len(given) == len(inferred.elements), "another length"
        yield from zip(given, inferred.elements or [inferred.element] * len(given), strict=True)
    elif isinstance(inferred, Tuple):
        assert len(given) == len(inferred.items), "another length"
        for part, value in zip(given, inferred.items, strict=True):
            yield from pairs(part, value)
    elif isinstance(inferred, (Tensor, Composite)):
        yield given, inferred


def contradiction(given: Any, inferred: Any) -> str | None:
    """What is inferred of a result that isn't so."""
    import tensorflow as tf

    if isinstance(inferred, Composite):
        same = type(given).__name__ == inferred.kind and inferred.dtype in (None, given.dtype.name)
        return None if same else f"{inferred} for {given}"
    if not isinstance(given, tf.Tensor):
        return f"{inferred} for {given}"
    if inferred.dtype not in (None, given.dtype.name):
        return f"dtype {inferred.dtype} for {given.dtype.name}"
    if inferred.shape is None:
        return None
    wrong = given.shape.rank != len(inferred.shape) or any(
        size not in (ANY, true) for size, true in zip(inferred.shape, given.shape, strict=True)
    )
    return f"shape {inferred.shape} for {given.shape}" if wrong else None


def exactness(given: Any, inferred: Tensor | Composite) -> tuple[bool, bool, bool]:
    """Whether dtype, rank and shape are known as well as TensorFlow knows them."""
    if isinstance(inferred, Composite):
        return inferred.dtype is not None, True, True
    rank = inferred.shape is not None or given.shape.rank is None
    return inferred.dtype is not None, rank, rank and (inferred.shape is None or ANY not in inferred.shape)


def calls(seed: int, count: int, name: str) -> Iterator[Call]:
    """So many random calls of a function; more of them begin with the same."""
    draw = Draw(f"{seed}-{name}")
    for _ in range(count):
        call = drawn(draw, name)
        yield Call(name, (*call.positional, 0, -1), {}) if name in _NEEDS_MORE else call


def outcomes(seed: int, count: int, names: Sequence[str] = NAMES) -> Iterator[Outcome]:
    """What comes of so many random calls of each function."""
    return (outcome(call) for name in names for call in calls(seed, count, name))


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    results: defaultdict[str, Counter[str]] = defaultdict(Counter)
    missed: dict[str, str] = {}
    for result in outcomes(int(sys.argv[2]) if len(sys.argv) > 2 else 0, count):
        counts = results[result.call.name]
        if result.error is not None:
            counts["foreseen" if result.refusal else "missed"] += 1
            if result.refusal is None:
                missed[result.call.name] = f"{result.call.positional} {result.call.named}: {str(result.error)[:90]}"
            continue
        if result.refusal is not None:
            print("NOT REFUSED", result.call, result.refusal.words)
        try:
            for given, inferred in pairs(result.given, result.inferred):
                wrong = contradiction(given, inferred)
                if wrong:
                    print("WRONG", result.call, wrong)
                    continue
                counts["tensors"] += 1
                counts.update(
                    word
                    for word, exact in zip(("dtype", "rank", "shape"), exactness(given, inferred), strict=True)
                    if exact
                )
        except AssertionError as wrong:
            print("WRONG", result.call, wrong)
    columns = ("tensors", "dtype", "rank", "shape", "foreseen", "missed")
    total: Counter[str] = Counter()
    print(f"{'function':46}", *(f"{column:>9}" for column in columns))
    for name, counts in results.items():
        total += counts
        print(f"{name:46}", *(f"{counts[column]:9}" for column in columns))
    print(f"{'all':46}", *(f"{total[column]:9}" for column in columns))
    print(
        *(f"{100 * total[word] / max(total['tensors'], 1):.1f}% {word}" for word in ("dtype", "rank", "shape")),
        sep=", ",
    )
    if "-v" in sys.argv:
        print(*(f"{name} {text}" for name, text in missed.items()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
