"""What an editor asks about a place in a file, answered in plain data: offsets and Markdown.

Columns, protocols and editors are the server's.
"""

from . import markdown
from .actions import Action, Proof, code_actions
from .constructs import Construct, constructs_in
from .coverage import (
    FunctionCoverage,
    Survey,
    coverage_words,
    file_coverage,
    file_cuts,
    file_shortened,
    shortened_words,
)
from .hover import Hover, hover
from .inlay_hints import HintKind, InlayHint, inlay_hints
from .lenses import Lens, code_lenses
from .live_traces import LiveFinding, LiveRun, live_findings, live_hints, live_run
from .semantic_tokens import SemanticToken, semantic_tokens
from .specs import Specs, function_names, parameter_specs, specs_by_name
from .traces import TraceMade, Traces, traces_of

__all__ = [
    "Action",
    "Construct",
    "FunctionCoverage",
    "HintKind",
    "Hover",
    "InlayHint",
    "Lens",
    "LiveFinding",
    "LiveRun",
    "Proof",
    "SemanticToken",
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
]
