"""What happens once, while tracing, and never again when the graph runs."""

from __future__ import annotations

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable

from .fact import Fact
from .place import Place


@immutable
class TensorFormatted(Fact):
    """A symbolic tensor is formatted as a number: `f'{x:.3f}'`, `'%d' % x`, `'{:.2f}'.format(x)`."""

    place: Place
    how: str
    confidence: Confidence = Confidence.CERTAIN


@immutable
class TracingSwitchedOff(Fact):
    """`tf.config.run_functions_eagerly(True)` is called, and the file doesn't switch tracing on again."""

    place: Place
    statement: Place
    dropped: bool
    """Whether the call is a statement of its own."""
    confidence: Confidence = Confidence.CERTAIN


@immutable
class IteratorAdvanced(Fact):
    """`next` takes an element of a Python iterator that was made outside of the function being traced."""

    place: Place
    symbol: str
    made: Place | None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class ErrorAwaited(Fact):
    """An `except` clause in graph code names errors that TensorFlow's operations raise when the graph runs."""

    place: Place
    names: tuple[str, ...]
    body: Place
    confidence: Confidence = Confidence.CERTAIN
