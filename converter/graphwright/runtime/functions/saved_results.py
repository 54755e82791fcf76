"""What a traced function returns that a SavedModel can't store: dicts with keys that aren't texts.

It saves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

__all__ = ["refuse_unsaved_keys"]


def refuse_unsaved_keys(name: str, place: str, traces: Iterable[Any]) -> None:
    """Raise TypeError if a result holds such a dict: TensorFlow says `bad argument type for built-in operation`."""
    for trace in traces:
        key = _unsaved_key(trace.structured_outputs)
        if key is not None:
            raise TypeError(
                f"`{name}`{place} returns a dict with the key {key[0]!r}, but a SavedModel stores only dicts whose "
                "keys are texts. Return `{str(key): value for key, value in ...items()}`, or a list"
            )


def _unsaved_key(result: Any) -> tuple[Any] | None:
    """The first key that isn't a text, in a tuple of its own, since it may be None."""
    if isinstance(result, dict):
        items = cast("dict[Any, Any]", result)
        found: tuple[Any] | None = next(((key,) for key in items if not isinstance(key, str)), None)
        return found or next(filter(None, map(_unsaved_key, items.values())), None)
    if isinstance(result, (list, tuple)):
        return next(filter(None, map(_unsaved_key, cast("list[Any]", result))), None)
    return None
