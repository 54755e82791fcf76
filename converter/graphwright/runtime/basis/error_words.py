"""What an error says. It runs no code of the user's, whose `__str__` may fail, count or remember."""

from __future__ import annotations

from typing import Any, cast

from graphwright.runtime.basis.tensorflow import tf


def words_of(error: BaseException) -> str:
    """Return the words that an error of Python's, NumPy's or TensorFlow's was raised with."""
    if isinstance(error, tf.errors.OpError):
        return str(cast("Any", error).message)
    return " ".join(argument for argument in arguments_of(error) if isinstance(argument, str))


def arguments_of(error: BaseException) -> tuple[object, ...]:
    """Return what an error was created with, whatever its class says of its `args`."""
    return _ARGUMENTS.__get__(error)


_ARGUMENTS = BaseException.__dict__["args"]
