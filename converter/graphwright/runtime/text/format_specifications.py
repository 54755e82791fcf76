"""Python's format specifications for scalar tensors, applied when the graph runs. Templates are parsed elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from graphwright.runtime.basis.notation import type_text
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.text.numerals import padded, shortest, written

_SPECIFICATION = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ])?(?P<alternate>#)?(?P<zero>0)?(?P<width>\d+)?"
    r"(?P<grouping>[,_])?(?:\.(?P<precision>\d+))?(?P<kind>[a-zA-Z%])?",
    re.DOTALL,
)


@dataclass(frozen=True)
class Specification:
    """`[[fill]align][sign][0][width][grouping][.precision][kind]`."""

    fill: str
    align: str
    sign: str
    width: int
    grouping: str
    precision: int | None
    kind: str


def formatted(tensor: Any, text: str) -> Any:
    """What `format(value, text)` gives, as a string tensor."""
    if not text:
        return written(tensor)
    if tensor.dtype == tf.string:
        raise TypeError(f"unsupported format string passed to bytes.__format__: {text!r}")
    if tensor.shape.rank is None:
        tensor = tf.ensure_shape(tensor, [])
    if tensor.shape.rank:
        raise TypeError(
            f"unsupported format string passed to numpy.ndarray.__format__: {text!r} applies to scalars, "
            f"not to {type_text(tensor.dtype, tensor.shape)}"
        )
    specification = parsed(text)
    return _laid_out(_digits(tensor, specification), specification)


def parsed(text: str) -> Specification:
    """The parts of a format specification."""
    match = _SPECIFICATION.fullmatch(text)
    if match is None or match["alternate"]:
        raise _unsupported(text)
    zero = match["zero"] and not match["align"]
    return Specification(
        fill=match["fill"] or ("0" if match["zero"] else " "),
        align=match["align"] or ("=" if zero else ">"),
        sign=match["sign"] or "-",
        width=int(match["width"] or 0),
        grouping=match["grouping"] or "",
        precision=None if match["precision"] is None else int(match["precision"]),
        kind=match["kind"] or "",
    )


def _unsupported(text: str) -> ValueError:
    return ValueError(
        f"format specification {text!r} can't be applied to a tensor when the graph runs; "
        "supported: fill, align, sign, 0, width, ',' or '_', .precision and d, f, e, g, % (F, E, G)"
    )


def _digits(tensor: Any, specification: Specification) -> Any:
    kind, precision = specification.kind, specification.precision
    whole = tensor.dtype.is_integer or tensor.dtype == tf.bool
    if whole and kind in ("", "d"):
        if precision is not None:
            raise ValueError("Precision not allowed in integer format specifier")
        return tf.strings.as_string(tf.cast(tensor, tf.int32) if tensor.dtype == tf.bool else tensor)
    if not whole and not tensor.dtype.is_floating:
        raise TypeError(f"a format specification can't be applied to {tensor.dtype.name} tensors")
    if kind == "" and precision is None:
        return shortest(tensor)
    if kind == "":
        return _general(tf.cast(tensor, tf.float64), max(precision or 0, 1))
    if kind.lower() not in ("f", "e", "g", "%"):
        if kind == "d":
            raise ValueError("Unknown format code 'd' for object of type 'float'; write int(x)")
        raise _unsupported(kind)
    return _float_digits(tf.cast(tensor, tf.float64), kind, 6 if precision is None else precision)


def _float_digits(number: Any, kind: str, precision: int) -> Any:
    if kind == "%":
        return tf.strings.join([tf.strings.as_string(number * 100.0, precision=precision), "%"])
    notation = {"f": {}, "e": {"scientific": True}, "g": {"shortest": True}}[kind.lower()]
    if kind.lower() == "g":
        precision = max(precision, 1)
    text = tf.strings.as_string(number, precision=precision, **notation)
    return tf.strings.upper(text) if kind.isupper() else text


def _general(number: Any, precision: int) -> Any:
    """Without a kind: as g, but a number in full keeps a digit after the point."""
    text = tf.strings.as_string(number, precision=precision, shortest=True)
    exponent = tf.strings.as_string(number, precision=precision - 1, scientific=True)
    exponent = tf.strings.regex_replace(exponent, "([.][0-9]*?)0+e", r"\1e")
    exponent = tf.strings.regex_replace(exponent, "[.]e", "e")
    text = tf.where(tf.strings.regex_full_match(text, f"-?[0-9]{{{precision}}}"), exponent, text)
    return tf.strings.regex_replace(text, "^(-?[0-9]+)$", r"\1.0")


def _laid_out(text: Any, specification: Specification) -> Any:
    if specification.grouping:
        for _ in range(8):
            text = tf.strings.regex_replace(
                text, "^(-?[0-9]+)([0-9]{3})", rf"\1{specification.grouping}\2", replace_global=False
            )
    if specification.sign != "-":
        text = tf.strings.regex_replace(text, "^([^-])", rf"{specification.sign}\1")
    if not specification.width:
        return text
    if specification.align != "=":
        return padded(text, specification.width, specification.align, specification.fill)
    if specification.grouping and specification.fill == "0":
        raise _unsupported("0 with grouping")
    sign = tf.strings.regex_replace(text, "^([-+ ]?).*$", r"\1")
    body = tf.strings.regex_replace(text, "^[-+ ]", "")
    signed = tf.strings.regex_full_match(text, "[-+ ].*")
    narrow = padded(body, max(specification.width - 1, 0), ">", specification.fill)
    wide = padded(body, specification.width, ">", specification.fill)
    return tf.strings.join([sign, tf.where(signed, narrow, wide)])
