"""dtypes by name, and the dtype that a Python value becomes in a graph.

A dtype is a plain string such as `float32`; an unknown one is None.
"""

from __future__ import annotations

FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
INTEGERS = frozenset({"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
COMPLEX = frozenset({"complex64", "complex128"})
NUMBERS = FLOATS | INTEGERS | COMPLEX
OTHERS = frozenset({"bool", "string", "resource", "variant", "qint8", "qint32", "quint8"})
ALL = NUMBERS | OTHERS

ALIASES = {"half": "float16", "double": "float64", "float": "float32", "int": "int32", "str": "string"}

_OF_PYTHON: dict[type, str] = {
    bool: "bool",
    int: "int32",
    float: "float32",
    complex: "complex128",
    str: "string",
    bytes: "string",
}


def of_python(kind: type) -> str | None:
    """The dtype of a Python scalar that is made a tensor with nothing to follow."""
    return _OF_PYTHON.get(kind)


def named(text: str) -> str | None:
    """The dtype that a name means (`float32`, `double`), or None."""
    text = ALIASES.get(text, text)
    return text if text in ALL else None


def joined(left: str | None, right: str | None) -> str | None:
    return left if left == right else None


def true_divided(dtype: str | None) -> str | None:
    """What `/` gives: integers become floats as TensorFlow's table has it."""
    if dtype in ("int8", "int16", "uint8", "uint16"):
        return "float32"
    if dtype in ("int32", "int64", "uint32", "uint64"):
        return "float64"
    return dtype


def with_article(name: str) -> str:
    """A type or dtype in a sentence: an int32, a float, a uint8."""
    return f"{'an' if name.startswith('int') else 'a'} {name}"
