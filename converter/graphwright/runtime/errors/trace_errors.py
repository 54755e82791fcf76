"""What TensorFlow, NumPy and Python raise at a user's line while a graph is built, in the user's names.

An error keeps its type and, at the end, its own words. What the user or Graphwright raises stays as it is, and so do
errors of graphs that run, which are `graph_errors`'s.
"""

from __future__ import annotations

import re
from types import CodeType

from graphwright import reporting
from graphwright.libraries import is_own_file
from graphwright.runtime.basis.error_words import arguments_of, words_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import explanations, tracebacks
from graphwright.runtime.errors.sites import Site, entries_of, is_deliberate, is_foreign, site_of

_TRANSLATED = "_graphwright_translated"
_KINDS = (TypeError, ValueError, AttributeError, NotImplementedError, RecursionError, IndexError)
_BORROWED = re.compile(
    r"^The truth value of an array|^Cannot iterate over a scalar tensor|^Scalar tensor has no `len"
    r"|^Tensor is unhashable|indices must be integers"
)
"""Words of Python's and NumPy's that Graphwright raises itself."""
_OF_EXPRESSIONS = re.compile(
    r"^int\(\) of a tensor|^The index of a (list|tuple) is a tensor|^Python iterates over a tensor of unknown length"
)
"""Graphwright's own words that say nothing of the user's expression."""


def translate(error: BaseException) -> BaseException:
    """The error, whose message names the user's expression and says what to write; or the error that it hides."""
    if isinstance(error, AssertionError) and "Concurrent access?" in words_of(error):
        error = _hidden_recursion(error)
    if not isinstance(error, _KINDS) or isinstance(error, tf.errors.OpError) or reporting.full_tracebacks():
        return error
    if _TRANSLATED in vars(error):
        _shorten_recursion(error)
        return error
    arguments = arguments_of(error)
    if len(arguments) != 1 or not isinstance(arguments[0], str):
        return error
    site = site_of(error.__traceback__)
    if site is None or not site.raised:
        return error
    if _OF_EXPRESSIONS.search(arguments[0]):
        _name_expression(error, arguments[0], site)
        return error
    if _is_anothers(arguments[0], site):
        if _is_own(arguments[0], site):
            setattr(error, _TRANSLATED, True)  # Further out, nothing will tell who raised it.
        return error
    text = explanations.explained(error, site)
    if text is not None:
        error.args = (f"{text} (originally: {_own_words(arguments[0])})",)
        setattr(error, _TRANSLATED, True)
        if isinstance(error, AttributeError):
            error.name = None  # otherwise Python 3.12 adds what it guesses to what the message says to write
        error.__traceback__ = tracebacks.shown_until(error.__traceback__, site.raised[0])
        _shorten_recursion(error)
    return error


def _name_expression(error: BaseException, message: str, site: Site) -> None:
    """Begin Graphwright's own message with the user's expression."""
    named = explanations.named_operation(site)
    if named is not None:
        text = f"t{message[1:]}" if message.startswith("The ") else message
        error.args = (f"{named} fails: {text}",)
        setattr(error, _TRANSLATED, True)


def _shorten_recursion(error: BaseException) -> None:
    """Of a recursion, show no more than the way back to a line that was there before."""
    seen: set[tuple[CodeType, int]] = set()
    for entry in entries_of(error.__traceback__ if isinstance(error, RecursionError) else None):
        line = entry.tb_frame.f_code, entry.tb_lineno
        if line in seen and not is_foreign(entry.tb_frame):
            error.__traceback__ = tracebacks.shown_until(error.__traceback__, entry)
            break
        seen.add(line)


def _is_anothers(message: str, site: Site) -> bool:
    """Whether the user's own code or Graphwright's raises the error, in words of its own."""
    last = site.raised[-1]
    return is_deliberate(last) and (last.tb_frame is site.frame or _is_own(message, site))


def _is_own(message: str, site: Site) -> bool:
    return is_own_file(site.raised[-1].tb_frame.f_code.co_filename) and _BORROWED.search(message) is None


def _own_words(message: str) -> str:
    """What TensorFlow or Python said: its first sentence, without the attributes of a node."""
    ends = r" for '\{\{node|\n|\. |; | (?:in comparison|in __\w+__|while calling) ?"
    return re.split(ends, message, maxsplit=1)[0].rstrip(".")


def _hidden_recursion(error: BaseException) -> BaseException:
    """TensorFlow's own check fails where Python's stack ends: the error that it hides."""
    current = error.__context__
    while current is not None and not isinstance(current, RecursionError):
        current = current.__context__
    return error if current is None else current
