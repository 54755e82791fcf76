"""Rewrites that an editor offers at a function or a loop, each proved by analysing the text that it would leave.

Findings and their fixes are elsewhere: these are offered where nothing is wrong.
"""

from __future__ import annotations

from graphwright_analysis.project import Project
from graphwright_analysis.text import Range

from .functions import Target, target_at
from .graph import Offer, with_tf_function

KIND = "refactor.rewrite.graphwright"
"""The kind that those of all rewrites begin with."""

__all__ = ["KIND", "Offer", "Target", "offers", "target_at"]


def offers(project: Project, path: str, range: Range, in_body: bool) -> tuple[Offer, ...]:
    """What can be made of the function at a range, or why it can't; nothing in a file without TensorFlow."""
    text = project.text(path)
    if "tensorflow" not in text and "keras" not in text:
        return ()
    target = target_at(project, path, range, in_body)
    return () if target is None else with_tf_function(project, path, target)
