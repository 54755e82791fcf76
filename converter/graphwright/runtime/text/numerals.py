"""Writes tensors as strings when the graph runs, letter for letter as Python and NumPy write the values eagerly."""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.python_values import was_python
from graphwright.runtime.basis.tensorflow import tf

_BYTE_TEXTS = [repr(bytes([byte]))[2:-1] for byte in range(256)]
_MOST_ELEMENTS = 1000
_DIGITS = {tf.float32: (6, 7, 8, 9), tf.float16: (3, 4, 5), tf.bfloat16: (2, 3, 4)}


def written(tensor: Any) -> Any:
    """What an f-string gives: a Python number for a scalar, NumPy's brackets around others."""
    if was_python(tensor) and tensor.dtype == tf.string:
        return tensor
    if was_python(tensor) and tensor.dtype.is_floating:
        return own_digits(tensor)
    return _element(tensor) if tensor.shape.rank == 0 else bracketed(tensor)


def own(tensor: Any) -> Any:
    """The same, but a float has the digits of its own dtype."""
    return own_digits(tensor) if tensor.dtype.is_floating and tensor.shape.rank == 0 else written(tensor)


def bracketed(tensor: Any, separator: str = "", indent: int = 0) -> Any:
    """NumPy's layout of an array; `repr` separates by commas and moves the lines to the right."""
    if tensor.shape.rank is None or (tensor.shape.num_elements() or 0) > _MOST_ELEMENTS:
        return tf.strings.format("{}", tensor, summarize=3)
    return _array(tensor, separator, indent)


def shape_written(tensor: Any) -> Any:
    """`(2, 3)`: the shape of a tensor, text if it is known while tracing."""
    if tensor.shape.is_fully_defined():
        return str(tuple(tensor.shape.as_list()))
    sizes = tf.strings.as_string(tf.shape(tensor))
    joined = tf.strings.reduce_join(sizes, separator=", ")
    return tf.strings.join(["(", joined, ",)" if tensor.shape.rank == 1 else ")"])


def shortest(number: Any) -> Any:
    """`repr` of Python floats: the fewest digits that give the same number back."""
    number = tf.cast(number, tf.float64)
    text = _shortest_of(number, (15, 16, 17))
    large = tf.abs(number) >= 1e16
    exponent = tf.strings.regex_full_match(text, ".*e[+].*")
    text = tf.where(tf.logical_and(exponent, tf.logical_not(large)), tf.strings.as_string(number, precision=1), text)
    bare = tf.logical_and(large, tf.strings.regex_full_match(text, "-?[0-9]+"))
    text = tf.where(bare, tf.strings.as_string(number, precision=16, scientific=True), text)
    return tf.strings.regex_replace(text, "^(-?[0-9]+)$", r"\1.0")


def own_digits(number: Any) -> Any:
    """The fewest digits that give the number back in its own dtype: 0.1 stays 0.1 in float32."""
    precisions = _DIGITS.get(number.dtype)
    if precisions is None:
        return shortest(number)
    text = _shortest_of(tf.cast(number, tf.float32), precisions, number.dtype)
    return tf.strings.regex_replace(text, "^(-?[0-9]+)$", r"\1.0")


def bytes_written(text: Any) -> Any:
    """`b'...'` with Python's escapes, for a scalar."""
    codes = tf.cast(tf.io.decode_raw(text, tf.uint8), tf.int32)
    inside = tf.strings.reduce_join(tf.gather(tf.constant(_BYTE_TEXTS), codes))
    return tf.strings.join(["b", _quoted(text, inside)])


def text_quoted(text: Any) -> Any:
    """`'...'` as Python's `repr` of a str, for a scalar."""
    inside = tf.strings.regex_replace(text, r"\\", r"\\\\")
    for letter in "ntr":
        inside = tf.strings.regex_replace(inside, rf"\{letter}", rf"\\{letter}")
    return _quoted(text, inside)


def _quoted(text: Any, inside: Any) -> Any:
    """The escaped text in the quotes that Python chooses."""
    single = tf.strings.regex_full_match(text, "(?s)[^']*")
    double = tf.logical_and(tf.logical_not(single), tf.strings.regex_full_match(text, '(?s)[^"]*'))
    escaped = tf.strings.regex_replace(inside, "'", r"\\'")
    quote = tf.where(double, '"', "'")
    return tf.strings.join([quote, tf.where(tf.logical_or(single, double), inside, escaped), quote])


def padded(text: Any, width: int, align: str, fill: str = " ") -> Any:
    """The text filled up to the width: `<`, `>` or `^`."""
    missing = tf.maximum(width - tf.strings.length(text, unit="UTF8_CHAR"), 0)
    filling = tf.zeros_like(text) + fill * width if text.shape.rank != 0 else tf.constant(fill * width)
    before = {"<": tf.zeros_like(missing), ">": missing, "^": missing // 2}[align]
    left = tf.strings.substr(filling, tf.zeros_like(missing), before, unit="UTF8_CHAR")
    right = tf.strings.substr(filling, tf.zeros_like(missing), missing - before, unit="UTF8_CHAR")
    return tf.strings.join([left, text, right])


def _element(tensor: Any) -> Any:
    if tensor.dtype == tf.string:
        return bytes_written(tensor)
    if tensor.dtype == tf.bool:
        return tf.where(tensor, "True", "False")
    if tensor.dtype.is_integer:
        return tf.strings.as_string(tensor)
    if tensor.dtype.is_floating:
        return shortest(tensor)
    return tf.strings.format("{}", tensor)


def _shortest_of(number: Any, precisions: tuple[int, ...], dtype: Any = None) -> Any:
    dtype = dtype or number.dtype

    text = tf.strings.as_string(number, precision=precisions[-1], shortest=True)
    for precision in reversed(precisions[:-1]):
        shorter = tf.strings.as_string(number, precision=precision, shortest=True)
        back = tf.cast(tf.strings.to_number(shorter, number.dtype), dtype)
        text = tf.where(tf.equal(back, tf.cast(number, dtype)), shorter, text)
    return text


def _array(tensor: Any, comma: str, indent: int) -> Any:
    """Columns of one width, a blank line more between blocks for each further dimension."""
    rank = tensor.shape.rank
    text = _cells(tensor)
    text = text if tensor.dtype == tf.string else _aligned(text)
    for depth in range(rank - 1, -1, -1):
        inner = rank - 1 - depth
        separator = comma + (" " if inner == 0 else "\n" * inner + " " * (depth + 1 + indent))
        text = tf.strings.join(["[", tf.strings.reduce_join(text, axis=-1, separator=separator), "]"])
    return text


def _cells(tensor: Any) -> Any:
    if tensor.dtype == tf.string:
        flat = tf.map_fn(bytes_written, tf.reshape(tensor, [-1]))
        return tf.reshape(flat, tf.shape(tensor))
    if tensor.dtype == tf.bool:
        return tf.where(tensor, "True", "False")
    if tensor.dtype.is_integer:
        return tf.strings.as_string(tensor)
    if tensor.dtype.is_floating:
        return _float_cells(tensor)
    return tf.strings.as_string(tensor)


def _float_cells(tensor: Any) -> Any:
    """NumPy's two notations: plain, or with exponents when the numbers are very large, small or far apart."""
    size = tf.abs(tf.cast(tensor, tf.float64))
    proper = tf.logical_and(tf.math.is_finite(size), size > 0)
    largest = tf.reduce_max(tf.where(proper, size, tf.zeros_like(size)))
    least = tf.reduce_min(tf.where(proper, size, tf.fill(tf.shape(size), tf.constant(float("inf"), tf.float64))))
    some = tf.reduce_any(proper)
    apart = tf.logical_or(tf.logical_or(largest >= 1e8, least < 1e-4), largest / least > 1000.0)
    return tf.cond(tf.logical_and(some, apart), lambda: _with_exponents(tensor), lambda: _without_exponents(tensor))


def _without_exponents(tensor: Any) -> Any:
    texts = _fewest(tensor, 8, {})
    texts = tf.strings.regex_replace(texts, "^(-?[0-9]+)$", r"\1.")
    fraction = tf.strings.regex_replace(texts, "^[^.]*[.]?", "")
    whole = tf.strings.regex_replace(texts, "[.].*$", ".")
    return tf.where(tf.math.is_finite(tensor), tf.strings.join([whole, padded_right(fraction)]), texts)


def _with_exponents(tensor: Any) -> Any:
    texts = _fewest(tensor, 8, {"scientific": True})
    mantissa = tf.strings.regex_replace(tf.strings.regex_replace(texts, "e.*$", ""), "^(-?[0-9]+)$", r"\1.")
    exponent = tf.strings.regex_replace(texts, "^[^e]*", "")
    fraction = tf.strings.regex_replace(mantissa, "^[^.]*[.]?", "")
    whole = tf.strings.regex_replace(mantissa, "[.].*$", ".")
    zeros = tf.strings.regex_replace(padded_right(fraction), " ", "0")
    return tf.where(tf.math.is_finite(tensor), tf.strings.join([whole, zeros, exponent]), texts)


def _fewest(tensor: Any, most: int, notation: dict[str, bool]) -> Any:
    """The text with the fewest digits (at most so many) that gives the same number back."""
    text = tf.strings.as_string(tensor, precision=most, **notation)
    number = tf.strings.to_number(text, tf.float64)
    best = text
    for digits in range(most - 1, -1, -1):
        shorter = tf.strings.as_string(tensor, precision=digits, **notation)
        value = tf.strings.to_number(shorter, tf.float64)
        alike = tf.equal(tf.cast(value, tensor.dtype), tf.cast(number, tensor.dtype))
        best = tf.where(alike, shorter, best)
    return best


def _aligned(texts: Any) -> Any:
    """All texts as wide as the widest, numbers at the right."""
    return tf.strings.join([_blanks(texts), texts])


def padded_right(texts: Any) -> Any:
    """All texts as wide as the widest, filled at the right."""
    return tf.strings.join([texts, _blanks(texts)])


def _blanks(texts: Any) -> Any:
    lengths = tf.strings.length(texts, unit="UTF8_CHAR")
    missing = tf.reduce_max(lengths) - lengths
    widest = tf.strings.reduce_join(tf.fill([tf.maximum(tf.reduce_max(lengths), 0)], " "))
    return tf.strings.substr(tf.fill(tf.shape(texts), widest), tf.zeros_like(missing), missing)
