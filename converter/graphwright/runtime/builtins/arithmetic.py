"""Python's numeric built-ins for tensors: int, float, bool, abs, round, pow, divmod. Python values get Python's own."""

from __future__ import annotations

import builtins
from typing import Any

from graphwright.runtime.basis.context import is_staging, is_tensor
from graphwright.runtime.basis.notation import type_text
from graphwright.runtime.basis.python_values import counted, is_number
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, dense, truth
from graphwright.runtime.builtins.given_functions import own_method
from graphwright.runtime.errors import failures

pow_of_numbers: Any = builtins.pow


def to_int(value: Any = 0, *base: Any, **named: Any) -> Any:
    """`int(value)`: truncates toward zero, parses strings; int32 unless the tensor holds 64-bit integers."""
    if not acts_as_tensor(value):
        return _special(value, "__int__", lambda: builtins.int(value, *base, **named))
    tensor = _scalar(dense(value))
    if base or named:
        raise TypeError("int() of a tensor supports only base 10; omit the base, or convert outside the graph")
    if tensor.dtype == tf.string:
        return tf.strings.to_number(_stripped(tensor), tf.int32)
    if tensor.dtype.is_complex:
        raise TypeError("int() argument must be a real number, not a complex tensor; write int(tf.math.real(x))")
    if tensor.dtype == tf.uint64:
        return tensor
    return counted(tf.cast(tensor, tf.int64 if tensor.dtype in (tf.int64, tf.uint32) else tf.int32))


def to_float(value: Any = 0.0, /) -> Any:
    """`float(value)`: float32, or float64 for a float64 tensor. As from a Python number, no gradient comes back."""
    if not acts_as_tensor(value):
        return _special(value, "__float__", lambda: builtins.float(value))
    tensor = _scalar(dense(value))
    if tensor.dtype == tf.string:
        return tf.strings.to_number(_stripped(tensor), tf.float32)
    if tensor.dtype.is_complex:
        raise TypeError("float() argument must be a real number, not a complex tensor; write float(tf.math.real(x))")
    number = tf.cast(tensor, tf.float64 if tensor.dtype == tf.float64 else tf.float32)
    return counted(tf.stop_gradient(number) if tensor.dtype.is_floating else number)


def to_bool(value: Any = False, /) -> Any:
    """`bool(value)`: whether a number isn't zero, a string not empty."""
    if not acts_as_tensor(value):
        return _special(value, "__bool__", lambda: builtins.bool(value))
    return counted(truth(value))


def absolute(value: Any, /) -> Any:
    """`abs(value)`."""
    return _special(value, "__abs__", lambda: builtins.abs(value))


def rounded(number: Any, ndigits: Any = None) -> Any:
    """`round(number, ndigits)`: halves go to the even neighbour; without digits the result is an integer."""
    result = _rounded(number, ndigits)
    return counted(result) if is_number(number) else result


def _rounded(number: Any, ndigits: Any) -> Any:
    if not is_tensor(number) and not acts_as_tensor(number):
        return _special(number, "__round__", lambda: builtins.round(number, ndigits), ndigits)
    tensor = dense(number)
    if tensor.dtype.is_integer or tensor.dtype == tf.bool:
        return _round_integer(tensor, ndigits)
    if ndigits is None:
        return tf.cast(tf.round(tensor), tf.int64 if tensor.dtype == tf.float64 else tf.int32)
    scale = tf.cast(10.0, tf.float64) ** tf.cast(ndigits, tf.float64)
    return tf.cast(tf.round(tf.cast(tensor, tf.float64) * scale) / scale, tensor.dtype)


def power(base: Any, exp: Any, mod: Any = None) -> Any:
    """`pow(base, exp, mod)`."""
    tensors = [value for value in (base, exp, mod) if is_tensor(value) or acts_as_tensor(value)]
    if mod is None or not tensors:
        return pow_of_numbers(base, exp) if mod is None else pow_of_numbers(base, exp, mod)
    dtypes = [dense(value).dtype for value in tensors]
    if not all(dtype.is_integer for dtype in dtypes) or any(type(value) is float for value in (base, exp, mod)):
        raise TypeError("pow() 3rd argument not allowed unless all arguments are integers")
    if type(mod) is int and mod == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    return tf.cast(_modular_power(base, exp, mod), dtypes[0])


def quotient_and_remainder(left: Any, right: Any, /) -> Any:
    """`divmod(left, right)`."""
    if any(is_tensor(value) or acts_as_tensor(value) for value in (left, right)):
        return left // right, left % right
    return builtins.divmod(left, right)


def _scalar(tensor: Any) -> Any:
    if tensor.shape.rank is None:
        return tf.ensure_shape(tensor, [])
    if tensor.shape.rank:
        raise TypeError(
            f"only a scalar can be converted to a Python number, not {type_text(tensor.dtype, tensor.shape)}"
        )
    return tensor


def _stripped(text: Any) -> Any:
    """Python's int and float allow blanks around a number and underscores inside."""
    return tf.strings.regex_replace(tf.strings.strip(text), "([0-9])_([0-9])", r"\1\2")


def _special(value: Any, method: str, otherwise: Any, *arguments: Any) -> Any:
    """Call a user's special method, converted, while a graph is built: it may return a tensor, which Python refuses."""
    if is_staging():
        function = own_method(value, method)
        if function is not None:
            return function(value, *(given for given in arguments if given is not None))
    return otherwise()


def _round_integer(tensor: Any, ndigits: Any) -> Any:
    if tensor.dtype == tf.bool:
        tensor = tf.cast(tensor, tf.int32)
    if ndigits is None or (not is_tensor(ndigits) and ndigits >= 0):
        return tensor
    scale = tf.cast(tf.pow(10, -tf.minimum(ndigits, 0)), tensor.dtype)
    quotient, remainder = tensor // scale, tensor % scale
    odd = quotient % 2 == 1
    up = tf.logical_or(remainder * 2 > scale, tf.logical_and(tf.equal(remainder * 2, scale), odd))
    return (quotient + tf.cast(up, tensor.dtype)) * scale


def _modular_power(base: Any, exponent: Any, modulus: Any) -> Any:
    """Square and multiply in 64 bits, so that no intermediate overflows for moduli below 2**31."""
    base, exponent, modulus = (tf.cast(value, tf.int64) for value in (base, exponent, modulus))
    check = failures.check(
        tf.reduce_all(exponent >= 0), ValueError, "pow() with a modulus requires a non-negative exponent"
    )
    with tf.control_dependencies([] if check is None else [check]):
        result = tf.ones_like(base) % modulus

    def unfinished(_result: Any, _square: Any, left: Any) -> Any:
        return tf.reduce_any(left > 0)

    def turn(result: Any, square: Any, left: Any) -> Any:
        taken = tf.where(left % 2 == 1, result * square % modulus, result)
        return taken, square * square % modulus, left // 2

    return tf.while_loop(unfinished, turn, (result, base % modulus, exponent))[0]
