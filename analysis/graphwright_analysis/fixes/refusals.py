"""How rules speak of a tensor that Python tests or iterates in a function that isn't converted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from graphwright_analysis.findings import Finding, Repair
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause, NumberUse
from graphwright_analysis.values.domain import KerasTensor

from .sources import quoted, sentence

Refusal = PythonTruth | PythonIteration


_OF_NUMBERS = frozenset(get_args(NumberUse))


def told(
    use: Refusal, reason: str, cure: str, blamed: str | None = None, repairs: tuple[Repair, ...] = ()
) -> Iterator[Finding]:
    """The finding at the use; `blamed` says what stands at the place that is to blame."""
    related = [] if use.why is None or use.why.place is None or blamed is None else [(use.why.place, blamed)]
    if isinstance(use, PythonTruth) and use.how in _OF_NUMBERS:
        what, cure = "converts it to a number", "Use tf.cast."
    else:
        what = "iterates over it" if isinstance(use, PythonIteration) else "evaluates it as a bool"
    tensor = "Keras tensor" if isinstance(use.value, KerasTensor) else "tensor"
    message = (
        f"{sentence(quoted(use.place))} is a {tensor}, and Python {what} here: {reason}. "
        f"TensorFlow raises an error while tracing. {cure}"
    )
    yield Finding(use.place, message, tuple(related), repairs, use.confidence)


def is_for(use: Refusal, *causes: Cause) -> bool:
    return use.why is not None and use.why.cause in causes
