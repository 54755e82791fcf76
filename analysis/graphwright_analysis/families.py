"""The families of rules and the names of all rules, for whoever needs no rule itself."""

from __future__ import annotations

import functools
from pathlib import Path

FAMILIES = {
    "undefined": "Names that are unbound or None on some path through the graph.",
    "consistency": "Dtypes, shapes and structures that differ where a graph requires them to match.",
    "collections": "Lists, dicts and other Python objects mixed with tensors in graph code.",
    "retracing": "Functions that are retraced repeatedly, and calls that don't match a signature.",
    "effects": "Side effects that happen only while tracing, and operations that can't run in a graph.",
    "conversion": "Code that AutoGraph leaves unconverted, and the control flow that fails in it.",
    "state": "Variables and the objects that own them, TensorArrays and gradient tapes.",
    "comments": "Graphwright comments that have no effect.",
}


@functools.cache
def rule_names() -> tuple[str, ...]:
    """The names of all rules, which are those of their modules with hyphens."""
    modules = sorted(path.stem for path in (Path(__file__).parent / "rules").glob("*.py"))
    return tuple(name.replace("_", "-") for name in modules if name != "__init__")
