"""Which objects the branch or iteration that is being traced has made: nothing outside of it sees them change."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from graphwright.runtime.basis.tensorflow import tf

born_here: ContextVar[dict[int, Any] | None] = ContextVar("graphwright_born", default=None)
"""These objects by their ids; None outside of any branch or iteration."""


def note_new(*made: Any) -> None:
    """Objects were made by, or for, the branch or iteration that is being traced."""
    here = born_here.get()
    if here is not None:
        here.update((id(one), one) for one in made if not isinstance(one, tf.Tensor))


def born(kind: Any) -> Callable[..., Any]:
    """What is called instead of a class while a branch or an iteration is traced: what it makes is known to be new."""

    def make(*args: Any, **kwargs: Any) -> Any:
        made = kind(*args, **kwargs)
        note_new(made)
        return made

    return make
