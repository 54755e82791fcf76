"""Why a function that is to be ejected can't be traced, in the words of the error that `gw.function` raises.

Whether that is asked isn't decided here.
"""

from __future__ import annotations

import importlib
import inspect
import re
import traceback
import types
from collections.abc import Sequence
from typing import Any

from .errors import ConversionError
from .libraries import is_own_file, is_tensorflow_file
from .restoring import undisturbed

_PLACE = re.compile(r" \((?P<file>[^()\n]+\.py):(?P<line>\d+)\)")
_ORIGINAL = re.compile(r"\s*\(originally: .*\)\s*$", re.DOTALL)


def reason(function: types.FunctionType, owner: Sequence[Any], given: Sequence[Any]) -> ConversionError | None:
    """The refusal of a function whose trace fails on values or specs like these; None if it can be traced."""
    own: Any = importlib.import_module("graphwright")
    bound = types.MethodType(function, owner[0]) if owner else function
    try:
        inspect.signature(bound).bind(*given)
    except TypeError:
        return None
    with undisturbed(function, [*owner, *given]):
        try:
            own.function(bound).get_concrete_function(*given)
        except ConversionError as error:
            return error
        except Exception as error:
            return _refusal(error, function)
    return None


def _refusal(error: Exception, function: types.FunctionType) -> ConversionError:
    message = _ORIGINAL.sub("", str(error)) or type(error).__name__
    code, place = function.__code__, _PLACE.search(message)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_users(frame.filename)]
    file, line = (frames[-1].filename, frames[-1].lineno or 0) if frames else (code.co_filename, code.co_firstlineno)
    if place is not None:
        file, line = place["file"], int(place["line"])
    # What Graphwright says is a sentence or more; what TensorFlow says goes on with its own frames and shapes.
    text = _PLACE.sub("", message) if place is not None else message.strip().splitlines()[0]
    return ConversionError(f"tracing fails here: {text}", file, line)


def _is_users(file: str) -> bool:
    return not is_own_file(file) and not is_tensorflow_file(file)
