"""The families of rules and the names of all rules, for whoever needs no rule itself."""

from __future__ import annotations

import functools
from pathlib import Path

FAMILIES = {
    "undefined": "Names that aren't bound, or are None, on some way through the graph.",
    "consistency": "dtypes, shapes and structures that differ where a graph wants one.",
    "collections": "Lists, dicts and other Python objects that meet tensors in code that becomes part of the graph.",
    "retracing": "Functions that are traced again and again, and calls that don't fit a signature.",
    "effects": "What happens once, while tracing, and what can't happen in a graph at all.",
    "conversion": "Code that AutoGraph leaves as it is, and the control flow that fails in it.",
    "state": "Variables and what owns them, TensorArrays and gradient tapes.",
    "comments": "Comments for Graphwright that have no effect.",
}


@functools.cache
def rule_names() -> tuple[str, ...]:
    """The names of all rules, which are those of their modules with hyphens."""
    modules = sorted(path.stem for path in (Path(__file__).parent / "rules").glob("*.py"))
    return tuple(name.replace("_", "-") for name in modules if name != "__init__")
