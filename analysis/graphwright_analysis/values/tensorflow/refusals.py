"""Where TensorFlow surely refuses, while tracing, to put operands together: their dtypes or their shapes don't fit.

Nothing is said where a dtype or size that matters isn't known. In a graph the first operand of an operation decides:
what follows must have its dtype, except that NumPy arrays are cast and Python numbers follow where they fit.
`operands` has how values are read and compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from graphwright_analysis.values.domain import NONE, Constant, Tensor, Value, Variable, dtype_of, is_tensor_like
from graphwright_analysis.values.shapes import is_number, position_of, unequal

from . import functions, operand_checks, operands
from .checked_calls import At, Check, CheckedCall, Elements, Refusal


def refusal(
    name: str, positional: Sequence[Value], named: Mapping[str, Value], elements: Elements, eager: bool
) -> Refusal | None:
    """Why `tf.<name>(...)` is refused, while a graph is traced or eagerly, or None where that isn't sure."""
    name = functions.canonical(name)
    found = functions.entry(name)
    if found is None or found.promotes:
        return None
    given = dict(zip(found.parameters, positional, strict=False))
    at: dict[str, At] = {parameter: index for index, parameter in enumerate(given)}
    places = {**at, **{key: key for key in named}}
    call = CheckedCall({**given, **named}, places, elements, eager, positional[len(found.parameters) :])
    check = _CHECKS.get(name)
    if check is None and found.shape == "broadcast" and len(found.deciding) == 2:
        check = _pair(*found.deciding)
    if check is None and found.shape == "reduce" and "axis" in found.parameters:
        check = operand_checks.axis_in(found.deciding[0])
    return _unfit(call, found) or (check(call) if check is not None else None)


def _unfit(call: CheckedCall, found: functions.FunctionEntry) -> Refusal | None:
    """An operand of a dtype that the function doesn't take at all."""
    for name in found.deciding:
        value = call.get(name)
        if is_tensor_like(value) and operands.own_dtype(value, call.elements) in found.refuses:
            dtype = operands.own_dtype(value, call.elements)
            return call.refusal("dtype", name, None, dtype or "this dtype")
    return None


# Operands that must agree


def _follow_tensor(call: CheckedCall) -> Refusal | None:
    """Of `divide` and its like a tensor decides, on whichever side."""
    tensor, other = ("x", "y") if is_tensor_like(call.get("x")) else ("y", "x")
    if not is_tensor_like(call.get(tensor)) or other not in call.at:
        return None
    wanted = dtype_of(call.get(tensor))
    if wanted is not None and operands.follows(call.get(other), wanted, call.elements) is False:
        words = operands.dtypes_text(call.get("x"), call.get("y"), call.elements)
        return call.refusal("dtype", "x", "y", words)
    return _fitting(call, "x", "y")


def _alike(call: CheckedCall, first: str, second: str) -> Refusal | None:
    """Two arguments that must have one dtype, the first deciding."""
    if first not in call.at or second not in call.at:
        return None
    if call.eager and is_tensor_like(call.get(second)) and not is_tensor_like(call.get(first)):
        # Without a graph the first tensor decides, wherever it stands.
        return None
    words = operands.disagreement(call.get(first), call.get(second), call.elements)
    return None if words is None else call.refusal("dtype", first, second, words)


def _fitting(call: CheckedCall, first: str, second: str) -> Refusal | None:
    """Two arguments whose shapes must broadcast."""
    if first not in call.at or second not in call.at:
        return None
    left, right = call.shape(first), call.shape(second)
    if left is None or right is None:
        return None
    for back in range(1, min(len(left), len(right)) + 1):
        a, b = left[-back], right[-back]
        if unequal(a, b) and 1 not in (a, b):
            axes = _axis(len(left) - back, len(left)), _axis(len(right) - back, len(right))
            return call.refusal("shape", first, second, _sizes(a, b, *axes))
    return None


def _sizes(a: int | None, b: int | None, first: str, second: str) -> str:
    """Two sizes that differ, and the axes that have them, in words."""
    if first == second:
        return f"sizes {a} and {b} don't match ({first})"
    return f"sizes {a} ({first}) and {b} ({second}) don't match"


def _axis(position: int, rank: int) -> str:
    if rank == 1:
        return "only axis"
    return "first axis" if position == 0 else "last axis" if position == rank - 1 else f"axis {position}"


def _pair(first: str, second: str) -> Check:
    return lambda call: _alike(call, first, second) or _fitting(call, first, second)


def _where(call: CheckedCall) -> Refusal | None:
    if NONE in (call.get("x"), call.get("y")):
        return None
    condition = call.get("condition")
    if is_tensor_like(condition) and operands.own_dtype(condition, call.elements) not in (None, "bool"):
        dtype = operands.own_dtype(condition, call.elements)
        return call.refusal("dtype", "condition", None, f"{dtype} as the condition")
    pairs = (("x", "y"), ("condition", "x"), ("condition", "y"))
    return _alike(call, "x", "y") or next((r for a, b in pairs if (r := _fitting(call, a, b)) is not None), None)


def _clip(call: CheckedCall) -> Refusal | None:
    found = (_alike(call, "t", name) for name in ("clip_value_max", "clip_value_min"))
    return next((each for each in found if each is not None), None)


def _matmul(call: CheckedCall) -> Refusal | None:
    alike = _alike(call, "a", "b") if "output_type" not in call.arguments else None
    if alike is not None:
        return alike
    for name in ("a", "b"):
        shape = call.shape(name)
        if shape is not None and len(shape) < 2:
            return call.refusal("shape", name, None, f"`{name}` has rank {len(shape)}, but must be a matrix")
    left, right = call.shape("a"), call.shape("b")
    turned = [call.arguments.get(f"{how}_{name}") for name in "ab" for how in ("transpose", "adjoint")]
    if left is None or right is None or any(t is not None and not isinstance(t, Constant) for t in turned):
        return None
    flags = [isinstance(t, Constant) and bool(t.value) for t in turned]
    inner, outer = (-2 if flags[0] or flags[1] else -1), (-1 if flags[2] or flags[3] else -2)
    if unequal(left[inner], right[outer]):
        a, b = _axis(len(left) + inner, len(left)), _axis(len(right) + outer, len(right))
        return call.refusal("shape", "a", "b", _sizes(left[inner], right[outer], a, b))
    for back in range(3, min(len(left), len(right)) + 1):
        a, b = left[-back], right[-back]
        if unequal(a, b) and 1 not in (a, b):
            return call.refusal("shape", "a", "b", f"batch sizes {a} and {b} don't match")
    return None


def _einsum(call: CheckedCall) -> Refusal | None:
    """Axes of one label that differ in length; with an ellipsis, or a label twice in a term, nothing is said."""
    equation = call.get("equation")
    text = equation.value if isinstance(equation, Constant) and isinstance(equation.value, str) else "..."
    terms = text.replace(" ", "").partition("->")[0].split(",")
    given = [(str(at), value) for at, value in enumerate(call.more, 1)]
    if "..." in text or len(terms) != len(given):
        return None
    seen: dict[str, tuple[int, int | None]] = {}
    for at, (term, (_, value)) in enumerate(zip(terms, given, strict=True)):
        shape = operands.static_shape(value, call.elements)
        if shape is None or len(set(term)) < len(term):
            continue
        if len(shape) != len(term):
            words = f"an operand has rank {len(shape)}, but `{term}` has {len(term)} labels"
            return Refusal("shape", value, None, at + 1, at + 1, words)
        for label, size in zip(term, shape, strict=True):
            other, known = seen.setdefault(label, (at, size))
            if unequal(known, size):
                words = f"sizes {known} and {size} don't match (`{label}`)"
                return Refusal("shape", call.more[other], value, other + 1, at + 1, words)
    return None


def _gray(call: CheckedCall) -> Refusal | None:
    shape = call.shape("images")
    if not shape or not is_number(shape[-1]) or shape[-1] == 1:
        return None
    return call.refusal("shape", "images", None, f"the last axis has size {shape[-1]}, but must be one channel")


def _bias_add(call: CheckedCall) -> Refusal | None:
    value, bias, alike = call.shape("value"), call.shape("bias"), _alike(call, "value", "bias")
    last = call.get("data_format") in (NONE, Constant("NHWC"), Constant("N...C"))
    if alike is None and last and value is not None and bias is not None and len(bias) == 1 and len(value) >= 2:
        words = _sizes(value[-1], bias[0], "last axis", "only axis")
        return call.refusal("shape", "value", "bias", words) if unequal(value[-1], bias[0]) else None
    return alike


def _same_shape(first: str, second: str) -> Check:
    def check(call: CheckedCall) -> Refusal | None:
        left, right = call.shape(first), call.shape(second)
        if left is not None and right is not None:
            if len(left) != len(right):
                return call.refusal("shape", first, second, f"ranks {len(left)} and {len(right)} don't match")
            for axis, (a, b) in enumerate(zip(left, right, strict=True)):
                if unequal(a, b):
                    where = _axis(axis, len(left))
                    return call.refusal("shape", first, second, _sizes(a, b, where, where))
        tensors = is_tensor_like(call.get(first)) and is_tensor_like(call.get(second))
        return _alike(call, first, second) if tensors else None

    return check


def _sparse_cross_entropy(call: CheckedCall) -> Refusal | None:
    labels, logits = call.shape("labels"), call.shape("logits")
    if labels is None or not logits:
        return None
    if len(labels) != len(logits) - 1:
        words = f"the labels have rank {len(labels)}, but need one axis less than the logits (rank {len(logits)})"
        return call.refusal("shape", "labels", "logits", words)
    for axis, (a, b) in enumerate(zip(labels, logits[:-1], strict=True)):
        if unequal(a, b):
            return call.refusal("shape", "labels", "logits", _sizes(a, b, f"axis {axis}", f"axis {axis}"))
    return None


# Lists of operands


def _parts(call: CheckedCall, name: str) -> tuple[Value, ...] | None:
    value = call.get(name)
    if isinstance(value, (Tensor, Variable)) or not operands.is_collection(value):
        return None
    return call.elements(value)


def _in_list(
    call: CheckedCall, name: str, kind: Literal["dtype", "shape"], parts: Sequence[Value], i: int, j: int, words: str
) -> Refusal:
    return Refusal(kind, parts[i], parts[j], call.at[name], call.at[name], words)


def _same_dtypes(call: CheckedCall, name: str, parts: Sequence[Value], literals: bool = True) -> Refusal | None:
    """The first tensor of a list decides, wherever it stands."""
    deciding = next((i for i, part in enumerate(parts) if isinstance(part, Tensor)), None)
    if deciding is None:
        return None
    for i, part in enumerate(parts):
        if not (literals or is_tensor_like(part)):
            continue
        words = operands.disagreement(parts[deciding], part, call.elements)
        if words is not None:
            first, second = sorted((deciding, i))
            words = operands.dtypes_text(parts[first], parts[second], call.elements)
            return _in_list(call, name, "dtype", parts, first, second, words)
    return None


def _same_shapes(call: CheckedCall, name: str, parts: Sequence[Value], free: int | None = None) -> Refusal | None:
    shapes = [operands.static_shape(part, call.elements) for part in parts]
    known = [(i, shape) for i, shape in enumerate(shapes) if shape is not None]
    for i, shape in known:
        for j, other in known:
            if j <= i:
                continue
            if len(shape) != len(other):
                words = f"ranks {len(shape)} and {len(other)} don't match"
                return _in_list(call, name, "shape", parts, i, j, words)
            for axis, (a, b) in enumerate(zip(shape, other, strict=True)):
                if unequal(a, b) and axis != free:
                    words = _sizes(a, b, _axis(axis, len(shape)), _axis(axis, len(shape)))
                    return _in_list(call, name, "shape", parts, i, j, words)
    return None


def _concat(call: CheckedCall) -> Refusal | None:
    parts = _parts(call, "values")
    if parts is None or len(parts) < 2:
        return None
    shapes = [operands.static_shape(part, call.elements) for part in parts]
    known = next((shape for shape in shapes if shape is not None), None)
    axis = call.integer("axis")
    dtypes = _same_dtypes(call, "values", parts)
    if dtypes is not None or known is None or axis is None:
        return dtypes
    i = shapes.index(known)
    if not known:
        return _in_list(call, "values", "shape", parts, i, i, "scalars have no axis to concatenate; use tf.stack")
    at = position_of(axis, len(known))
    ranks = _same_shapes(call, "values", parts, at)
    if ranks is None and at is None:
        return call.refusal("shape", "values", "axis", f"tensors of rank {len(known)} have no axis {axis}")
    return ranks


def _stack(call: CheckedCall) -> Refusal | None:
    parts = _parts(call, "values")
    if parts is None:
        return None
    return _same_dtypes(call, "values", parts) or _same_shapes(call, "values", parts)


def _add_n(call: CheckedCall) -> Refusal | None:
    parts = _parts(call, "inputs")
    if parts is None or not all(isinstance(part, Tensor) for part in parts):
        return None
    return _same_dtypes(call, "inputs", parts) or _same_shapes(call, "inputs", parts)


_CHECKS: dict[str, Check] = {
    "where": _where,
    "divide": _follow_tensor,
    "math.divide_no_nan": _follow_tensor,
    "clip_by_value": _clip,
    "matmul": _matmul,
    "einsum": _einsum,
    "image.grayscale_to_rgb": _gray,
    "nn.bias_add": _bias_add,
    "nn.sigmoid_cross_entropy_with_logits": _same_shape("logits", "labels"),
    "nn.sparse_softmax_cross_entropy_with_logits": _sparse_cross_entropy,
    "concat": _concat,
    "stack": _stack,
    "add_n": _add_n,
    "reshape": operand_checks.reshape,
    "expand_dims": operand_checks.axis_in("input", more=1),
    "squeeze": operand_checks.squeeze,
    "transpose": operand_checks.long_as_rank("a", "perm"),
    "tile": operand_checks.long_as_rank("input", "multiples"),
    "pad": operand_checks.long_as_rank("tensor", "paddings"),
    "split": operand_checks.split,
    "boolean_mask": operand_checks.boolean_mask,
    "argmax": operand_checks.axis_in("input", least=2),
    "argmin": operand_checks.axis_in("input", least=2),
    "tensor_scatter_nd_update": lambda call: _alike(call, "tensor", "updates"),
    "tensor_scatter_nd_add": lambda call: _alike(call, "tensor", "updates"),
}
