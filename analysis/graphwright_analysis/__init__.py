"""The analysis' door: open a project, check a file, ask about a place in it; plain data out.

TensorFlow is known here by tables alone and never imported, and nothing the user wrote is ever run.
What stands behind the door is loaded when it is first asked for: whoever only explains a rule pays for no tracing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .addresses import DOCUMENTATION, REPOSITORY
    from .assumed_keras import says_which_keras
    from .baselines import (
        BASELINE_NAME,
        Baseline,
        Fingerprint,
        baseline_text,
        fingerprints,
        latest_baseline,
        relative_to_baseline,
    )
    from .cache import Cache, Checked, FileDependency, ImportDestination, Shown, digest_of, key_of
    from .decoding import Source, decode_source
    from .diagnostics import Diagnostic, Edit, Fix, Related, Severity, Tag, apply_edits
    from .families import FAMILIES
    from .folders import default_folder
    from .ide import (
        Action,
        Construct,
        FunctionCoverage,
        HintKind,
        Hover,
        InlayHint,
        Lens,
        LiveFinding,
        LiveRun,
        Proof,
        SemanticToken,
        Specs,
        Survey,
        TraceMade,
        Traces,
        code_actions,
        code_lenses,
        constructs_in,
        coverage_words,
        file_coverage,
        file_cuts,
        file_shortened,
        function_names,
        hover,
        inlay_hints,
        live_findings,
        live_hints,
        live_run,
        markdown,
        parameter_specs,
        semantic_tokens,
        shortened_words,
        specs_by_name,
        traces_of,
    )
    from .immutability import immutable
    from .imports import Import
    from .known_runs import KnownRun, KnownRuns
    from .notebooks import CELL_SEAM, NOTEBOOK, Cell, is_notebook, notebook_with
    from .outlines import Interest, Outline, Text
    from .project import Project
    from .project_files import SOURCES, Cancelled, Folder, cells_in
    from .proving import applicable_edits, proved
    from .reports import CutRun, Report, RunReports
    from .rule import Rule, all_rules, find_rule
    from .settings import NO_OVERRIDES, Overrides, Settings, SettingsError, place_of
    from .settings_files import PlacedSettings, load_settings
    from .syntax import code_for_cell, python_of_cell
    from .text import LineIndex, Range
    from .user_files import Unreadable, read_bytes, read_stream, read_text, stamp_of

_HOMES = {
    "addresses": ("DOCUMENTATION", "REPOSITORY"),
    "assumed_keras": ("says_which_keras",),
    "baselines": (
        "BASELINE_NAME",
        "Baseline",
        "Fingerprint",
        "baseline_text",
        "fingerprints",
        "latest_baseline",
        "relative_to_baseline",
    ),
    "cache": ("FileDependency", "Cache", "Checked", "ImportDestination", "Shown", "digest_of", "key_of"),
    "decoding": ("Source", "decode_source"),
    "diagnostics": (
        "Diagnostic",
        "Edit",
        "Fix",
        "Related",
        "Severity",
        "Tag",
        "apply_edits",
    ),
    "folders": ("default_folder",),
    "ide": (
        "Action",
        "Construct",
        "FunctionCoverage",
        "HintKind",
        "Hover",
        "InlayHint",
        "Lens",
        "Proof",
        "SemanticToken",
        "LiveFinding",
        "LiveRun",
        "Specs",
        "Survey",
        "TraceMade",
        "Traces",
        "code_actions",
        "code_lenses",
        "constructs_in",
        "coverage_words",
        "file_coverage",
        "file_cuts",
        "file_shortened",
        "function_names",
        "hover",
        "inlay_hints",
        "live_findings",
        "live_hints",
        "live_run",
        "markdown",
        "parameter_specs",
        "semantic_tokens",
        "shortened_words",
        "specs_by_name",
        "traces_of",
    ),
    "families": ("FAMILIES",),
    "immutability": ("immutable",),
    "imports": ("Import",),
    "known_runs": ("KnownRun", "KnownRuns"),
    "notebooks": ("CELL_SEAM", "NOTEBOOK", "Cell", "is_notebook", "notebook_with"),
    "outlines": ("Interest", "Outline", "Text"),
    "project": ("Project",),
    "project_files": ("SOURCES", "Cancelled", "Folder", "cells_in"),
    "proving": ("applicable_edits", "proved"),
    "reports": ("CutRun", "Report", "RunReports"),
    "rule": ("Rule", "all_rules", "find_rule"),
    "settings": ("NO_OVERRIDES", "Overrides", "Settings", "SettingsError", "place_of"),
    "settings_files": ("PlacedSettings", "load_settings"),
    "syntax": ("code_for_cell", "python_of_cell"),
    "text": ("LineIndex", "Range"),
    "user_files": ("Unreadable", "read_bytes", "read_stream", "read_text", "stamp_of"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BASELINE_NAME",
    "CELL_SEAM",
    "DOCUMENTATION",
    "FAMILIES",
    "NOTEBOOK",
    "NO_OVERRIDES",
    "REPOSITORY",
    "SOURCES",
    "Action",
    "Baseline",
    "Cache",
    "Cancelled",
    "Cell",
    "Checked",
    "Construct",
    "CutRun",
    "Diagnostic",
    "Edit",
    "FileDependency",
    "Fingerprint",
    "Fix",
    "Folder",
    "FunctionCoverage",
    "HintKind",
    "Hover",
    "Import",
    "ImportDestination",
    "InlayHint",
    "Interest",
    "KnownRun",
    "KnownRuns",
    "Lens",
    "LineIndex",
    "LiveFinding",
    "LiveRun",
    "Outline",
    "Overrides",
    "PlacedSettings",
    "Project",
    "Proof",
    "Range",
    "Related",
    "Report",
    "Rule",
    "RunReports",
    "SemanticToken",
    "Settings",
    "SettingsError",
    "Severity",
    "Shown",
    "Source",
    "Specs",
    "Survey",
    "Tag",
    "Text",
    "TraceMade",
    "Traces",
    "Unreadable",
    "__version__",
    "all_rules",
    "applicable_edits",
    "apply_edits",
    "baseline_text",
    "cells_in",
    "code_actions",
    "code_for_cell",
    "code_lenses",
    "constructs_in",
    "coverage_words",
    "decode_source",
    "default_folder",
    "digest_of",
    "file_coverage",
    "file_cuts",
    "file_shortened",
    "find_rule",
    "fingerprints",
    "function_names",
    "hover",
    "immutable",
    "inlay_hints",
    "is_notebook",
    "key_of",
    "latest_baseline",
    "live_findings",
    "live_hints",
    "live_run",
    "load_settings",
    "markdown",
    "notebook_with",
    "parameter_specs",
    "place_of",
    "proved",
    "python_of_cell",
    "read_bytes",
    "read_stream",
    "read_text",
    "relative_to_baseline",
    "says_which_keras",
    "semantic_tokens",
    "shortened_words",
    "specs_by_name",
    "stamp_of",
    "traces_of",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
