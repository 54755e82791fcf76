"""The analysis' door: open a project, check a file, ask about a place in it; plain data out.

TensorFlow is known here by tables alone and never imported, and nothing the user wrote is ever run.
"""

from __future__ import annotations

from .diagnostics import (
    Confidence,
    Diagnostic,
    Edit,
    Fix,
    Related,
    Severity,
    Tag,
    apply_edits,
)
from .ide import Action, Hover, code_actions, hover
from .project import Project, Settings, SettingsError, Unreadable
from .rule import Rule, all_rules, find_rule
from .text import LineIndex, Range
from .version import __version__

__all__ = [
    "Action",
    "Confidence",
    "Diagnostic",
    "Edit",
    "Fix",
    "Hover",
    "LineIndex",
    "Project",
    "Range",
    "Related",
    "Rule",
    "Settings",
    "SettingsError",
    "Severity",
    "Tag",
    "Unreadable",
    "__version__",
    "all_rules",
    "apply_edits",
    "code_actions",
    "find_rule",
    "hover",
]
