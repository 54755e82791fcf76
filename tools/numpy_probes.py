"""Asks NumPy what its functions return, for the same table as TensorFlow's.

Their names begin with `np.` there. What is beside the table is in `tracing/library/numpy_calls.py`.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

DTYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "bool", "complex64")
UNARY = """
abs absolute sqrt square exp exp2 log log2 log10 log1p expm1 sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh
arccosh arctanh floor ceil rint trunc sign negative isnan isinf isfinite logical_not deg2rad rad2deg degrees radians
cbrt reciprocal fabs conj conjugate sort argsort round around copy zeros_like ones_like empty_like flip nan_to_num
signbit sinc
""".split()  # noqa: SIM905
BINARY = """
add subtract multiply divide true_divide floor_divide mod remainder power maximum minimum fmax fmin arctan2 hypot
equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor logaddexp bitwise_and
bitwise_or bitwise_xor isclose
""".split()  # noqa: SIM905
REDUCING = """
sum mean max min amax amin prod std var median any all nansum nanmean nanmax nanmin nanstd argmax argmin count_nonzero
""".split()  # noqa: SIM905
SHAPED: dict[str, tuple[str, list[str], str]] = {
    "concatenate": ("concat", ["arrays", "axis"], "np.concatenate([x, x])"),
    "stack": ("stack", ["arrays", "axis"], "np.stack([x, x])"),
    "expand_dims": ("expand", ["a", "axis"], "np.expand_dims(x, 0)"),
    "squeeze": ("squeeze", ["a", "axis"], "np.squeeze(x)"),
    "transpose": ("transpose", ["a", "axes"], "np.transpose(x)"),
    "reshape": ("reshape", ["a", "shape"], "np.reshape(x, [-1])"),
    "repeat": ("repeat", ["a", "repeats", "axis"], "np.repeat(x, 2)"),
    "pad": ("pad", ["array", "pad_width"], "np.pad(x, [[1, 1], [1, 1]])"),
    "clip": ("same", ["a", "a_min", "a_max"], "np.clip(x, x, x)"),
    "matmul": ("matmul", ["a", "b"], "np.matmul(x, x.T)"),
    "einsum": ("einsum", ["subscripts"], "np.einsum('ij->ji', x)"),
}
"""Functions whose shapes are told by a family, with their parameters and a call."""
LATER = frozenset(
    {"where", "casting", "order", "initial", "kind", "subok", "copy", "mean", "overwrite_input", "stable"}
)
"""Nobody gives these parameters, nor those behind them, by their places; NumPy's versions differ in them."""
KINDS = {"int": 1, "float": 1.0}


def functions() -> dict[str, dict[str, Any]]:
    """What the table has of NumPy."""
    import numpy as np

    found: dict[str, dict[str, Any]] = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name in UNARY:
            function = getattr(np, name)
            found[name] = {"params": parameters(function, "x"), "dtypes": seen(function), "shape": "same"}
        for name in REDUCING:
            function = getattr(np, name)
            found[name] = {"params": parameters(function, "a"), "dtypes": seen(function), "shape": "reduce"}
        for name in BINARY:
            function = getattr(np, name)
            dtypes = seen(lambda x, function=function: function(x, x))
            pairs_agree(np, function, dtypes)
            found[name] = {"params": ["x1", "x2"], "of": ["x1", "x2"], "dtypes": dtypes, "shape": "broadcast"}
            found[name]["promotes"] = "numpy"
        for name, (shape, params, call) in SHAPED.items():
            dtypes = seen(lambda x, call=call: eval(call, {"np": np, "x": x}))
            found[name] = {"params": params, "dtypes": dtypes, "shape": shape, "promotes": "numpy"}
        found["einsum"]["of"] = ["*"]
        found["matmul"]["of"] = ["a", "b"]
        found["clip"]["of"] = ["a", "a_min", "a_max"]
    return {f"np.{name}": {**entry, "dtypes": compressed(entry["dtypes"])} for name, entry in found.items()}


def promotions() -> dict[str, str]:
    """The dtype of two arrays of others, or of one and a Python number."""
    import numpy as np

    pairs = {f"{a} {b}": np.result_type(np.dtype(a), np.dtype(b)).name for a in DTYPES for b in DTYPES}
    return pairs | {f"{a} {kind}": (np.ones(1, a) + one).dtype.name for a in DTYPES for kind, one in KINDS.items()}


def parameters(function: Any, first: str) -> list[str]:
    """The parameters in their order; of a ufunc the operand alone."""
    try:
        names = list(inspect.signature(function).parameters)
        return names[: next((at for at, name in enumerate(names) if name in LATER), len(names))]
    except ValueError:
        return [first]


def seen(function: Callable[[Any], Any]) -> dict[str, str]:
    """The dtype of the result for each dtype that is taken."""
    import numpy as np

    found: dict[str, str] = {}
    for dtype in DTYPES:
        try:
            found[dtype] = np.asarray(function(np.ones((2, 3), dtype))).dtype.name
        except TypeError:
            continue
    return found


def pairs_agree(np: Any, function: Any, dtypes: dict[str, str]) -> None:
    """Whether a function of two operands first brings them to one dtype."""
    for first in dtypes:
        for second in dtypes:
            one = np.result_type(np.dtype(first), np.dtype(second)).name
            if one in dtypes:
                given = function(np.ones(2, first), np.ones(2, second)).dtype.name
                assert given == dtypes[one], (function, first, second, given)


def compressed(dtypes: dict[str, str]) -> Any:
    if all(dtype == given for dtype, given in dtypes.items()):
        return "same"
    return next(iter(dtypes.values())) if len(set(dtypes.values())) == 1 else dtypes
