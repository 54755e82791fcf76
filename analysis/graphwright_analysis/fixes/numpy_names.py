"""NumPy functions and the TensorFlow functions that compute the same of the same positional arguments."""

from __future__ import annotations

from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import OutsideCall
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Tensor, Variable, dtype_of

ELEMENTWISE = {
    "abs": "abs", "absolute": "abs", "negative": "negative", "sign": "sign", "square": "square", "sqrt": "sqrt",
    "exp": "exp", "expm1": "math.expm1", "log": "math.log", "log1p": "math.log1p", "sin": "sin", "cos": "cos",
    "tan": "tan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsin": "asin", "arccos": "acos",
    "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "floor": "floor",
    "ceil": "math.ceil", "rint": "math.rint", "reciprocal": "math.reciprocal", "isnan": "math.is_nan",
    "isinf": "math.is_inf", "isfinite": "math.is_finite", "zeros_like": "zeros_like", "ones_like": "ones_like",
}  # fmt: skip
PAIRWISE = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide", "true_divide": "truediv",
    "maximum": "maximum", "minimum": "minimum", "power": "pow", "arctan2": "atan2", "matmul": "matmul",
    "greater": "greater", "greater_equal": "greater_equal", "less": "less", "less_equal": "less_equal",
    "equal": "equal", "not_equal": "not_equal", "hypot": "experimental.numpy.hypot",
}  # fmt: skip
REDUCTIONS = {
    "sum": "reduce_sum", "mean": "reduce_mean", "max": "reduce_max", "amax": "reduce_max", "min": "reduce_min",
    "amin": "reduce_min", "prod": "reduce_prod", "std": "math.reduce_std", "var": "math.reduce_variance",
}  # fmt: skip
SHAPED = {
    "reshape": "reshape", "expand_dims": "expand_dims", "squeeze": "squeeze", "concatenate": "concat",
    "stack": "stack", "tile": "tile", "transpose": "transpose", "clip": "clip_by_value",
}  # fmt: skip
NEED_AXIS = frozenset({"concatenate", "expand_dims", "stack"})


def counterpart(call: OutsideCall, tensorflow: str | None) -> tuple[tuple[Place, str], ...] | None:
    """The edit that calls TensorFlow's function instead, where it gives the same."""
    name = call.name.removeprefix("np.")
    named = {argument.name for argument in call.arguments if argument.name is not None}
    positional = [argument.value for argument in call.arguments if argument.name is None]
    if tensorflow is None or not positional or not named <= {"axis", "keepdims"}:
        return None
    floats = all(dtype_of(v) in dtypes.FLOATS for v in positional if isinstance(v, (Tensor, Variable)))
    if name in ELEMENTWISE and len(positional) == 1 and not named and floats:
        return ((call.function, f"{tensorflow}.{ELEMENTWISE[name]}"),)
    if name in PAIRWISE and len(positional) == 2 and not named and floats:
        return ((call.function, f"{tensorflow}.{PAIRWISE[name]}"),)
    if name in REDUCTIONS and len(positional) <= 2 and floats:
        return ((call.function, f"{tensorflow}.{REDUCTIONS[name]}"),)
    if name == "where" and len(positional) == 3 and not named:
        return ((call.function, f"{tensorflow}.where"),)
    if name in SHAPED and "keepdims" not in named:
        wanted = 3 if name == "clip" else 2
        enough = len(positional) == wanted or (len(positional) == 1 and name in ("squeeze", "transpose"))
        with_axis = name in NEED_AXIS and len(positional) == 1 and named == {"axis"}
        if (enough and not named) or with_axis:
            return ((call.function, f"{tensorflow}.{SHAPED[name]}"),)
    return None
