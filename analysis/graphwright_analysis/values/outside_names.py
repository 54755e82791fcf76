"""Names from outside the project: Python's builtins, and modules as the tables spell them.

What calling them gives is in `library`.
"""

from __future__ import annotations

import builtins

from . import dtypes
from .domain import Api, Constant, DType, Scalar, Value

BUILTINS = {name: Api(name) for name in dir(builtins) if not name.startswith("_")}


_ROOTS = {"tensorflow": "tf", "keras": "tf.keras", "tf_keras": "tf.keras", "numpy": "np"}


_SPELLINGS = {
    "tf.compat.v2": "tf",
    "tf.autograph.experimental.do_not_convert": "tf.autograph.experimental.do_not_convert",
    "tf.python.keras": "tf.keras",
}


def canonical(name: str) -> str:
    """A dotted name as the tables spell it: `tensorflow.math.abs` is `tf.math.abs`."""
    root, dot, rest = name.partition(".")
    name = _ROOTS.get(root, root) + dot + rest
    for spelling, meant in _SPELLINGS.items():
        if name.startswith(spelling) and name[len(spelling) :][:1] in ("", "."):
            return meant + name[len(spelling) :]
    return name


def api_attribute(owner: Api, name: str) -> Value:
    """An attribute of a module, class or function outside the project."""
    if owner.name in ("tf", "tf.dtypes", "np"):
        dtype = dtypes.named(name)
        if dtype is not None:
            return DType(dtype)
        if name == "newaxis" and owner.name != "tf.dtypes":
            return Constant(None)
    if owner.name in ("np", "math") and name in ("pi", "e", "inf", "nan"):
        return Constant(3.141592653589793) if name == "pi" else Scalar(float)
    return Api(canonical(f"{owner.name}.{name}"))
