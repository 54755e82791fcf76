"""What `tf.map_fn` is told of the dtype that its function gives."""

from __future__ import annotations

from graphwright_analysis.findings import Finding, Repair
from graphwright_analysis.tracing.facts import StagedLoop

from . import replacing


def told(loop: StagedLoop, before: str, after: str, tensorflow: str | None) -> Finding:
    """What is said where a function makes another dtype of its elements, with the fix that declares it."""
    signature = f"fn_output_signature={tensorflow or 'tf'}.{after}"
    message = (
        f"`tf.map_fn` maps {before} here and expects {before} back, but its function returns {after}, which fails at "
        f"run time. Pass `{signature}`."
    )
    edits = None if tensorflow is None else replacing.with_argument(loop.place, signature)
    repairs = () if edits is None else (Repair(f"Pass {signature}", edits),)
    return Finding(loop.place, message, (), repairs, loop.confidence)
