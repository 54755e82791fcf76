"""`isinstance`: which answers are known of abstract values."""

from __future__ import annotations

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import class_bases
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Api,
    Class,
    Composite,
    Constant,
    Object,
    Scalar,
    Tensor,
    Tuple,
    Value,
    Variable,
    python_kind,
)
from graphwright_analysis.values.lineage import lineage

_KINDS: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}


def isinstance_(run: Run, call: Call) -> Value:
    """What `isinstance(value, kind)` gives."""
    if len(call.positional) != 2:
        return UNKNOWN
    value, wanted = call.positional
    kinds = wanted.items if isinstance(wanted, Tuple) else (wanted,)
    answers = [is_instance(value, kind) for kind in kinds]
    if True in answers:
        return Constant(True)
    return Scalar(bool) if None in answers else Constant(False)


def is_instance(value: Value, kind: Value) -> bool | None:
    """Whether it surely is one or surely isn't; None where either may be."""
    if isinstance(value, Object) and value.kind == "instance" and isinstance(kind, Class):
        if value.type is not None and kind in lineage(value.type):
            return True
        return False if value.type is not None and class_bases.outside_base(value.type) is None else None
    if not isinstance(kind, Api):
        return False if isinstance(kind, Class) and value != UNKNOWN and not isinstance(value, Object) else None
    wanted = kind.name
    if isinstance(value, (Tensor, Variable)):
        if wanted in ("tf.RaggedTensor", "tf.SparseTensor", *_KINDS, "list", "tuple", "dict", "np.ndarray"):
            return False
        name = "tf.Tensor" if isinstance(value, Tensor) else "tf.Variable"
        return wanted == name if wanted in ("tf.Tensor", "tf.Variable") else None
    if isinstance(value, Composite):
        return wanted == f"tf.{value.kind}" if wanted.startswith("tf.") or wanted in _KINDS else None
    python = python_kind(value)
    if python is not None:
        if wanted in (
            "tf.Tensor",
            "tf.RaggedTensor",
            "tf.SparseTensor",
            "tf.Variable",
            "list",
            "tuple",
            "dict",
        ):
            return False
        return issubclass(python, _KINDS[wanted]) if wanted in _KINDS else None
    builtin_kind = value.kind if isinstance(value, Object) else "tuple" if isinstance(value, Tuple) else None
    if builtin_kind in ("instance", "deque"):
        return None
    if builtin_kind in ("list", "dict", "tuple") and (wanted in _KINDS or wanted.startswith("tf.")):
        return False
    return wanted == builtin_kind if builtin_kind and wanted in ("list", "dict", "tuple") else None
