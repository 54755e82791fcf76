"""Hints in the user's code that mean something to the converter and nothing to Python.

Eagerly they do nothing; the passes turn them into arguments of the operators.
"""

from __future__ import annotations

from typing import Any

_OPTIONS = ("shape_invariants", "parallel_iterations", "maximum_iterations", "swap_memory")


def set_loop_options(**options: Any) -> None:
    """Options of the staged loop whose body this is the first statement of; a loop in Python ignores them."""
    unknown = sorted(options.keys() - set(_OPTIONS))
    if unknown:
        raise TypeError(f"set_loop_options() knows {', '.join(_OPTIONS)}; not {', '.join(unknown)}")
