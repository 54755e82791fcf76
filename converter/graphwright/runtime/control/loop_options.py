"""What `set_loop_options` says of a loop; what it means for the loop is not decided here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LoopOptions", "loop_options"]


@dataclass(frozen=True)
class LoopOptions:
    """What `set_loop_options` says."""

    shape_invariants: Mapping[str, Any] = field(default_factory=dict[str, Any])
    parallel_iterations: int | None = None
    maximum_iterations: Any = None
    swap_memory: bool | None = None

    def passed(self) -> dict[str, Any]:
        """What `tf.while_loop` is called with."""
        return {name: value for name in _PASSED if (value := getattr(self, name)) is not None}


def loop_options(**options: Any) -> LoopOptions:
    """Options of a loop."""
    from graphwright.directives import set_loop_options

    set_loop_options(**options)
    return LoopOptions(**{name: value for name, value in options.items() if value is not None})


_PASSED = ("parallel_iterations", "maximum_iterations", "swap_memory")
