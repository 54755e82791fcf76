"""What an editor asks about a place in a file, answered in plain data: offsets and Markdown.

Columns, protocols and editors are the server's.
"""

from .actions import Action, Proof, code_actions
from .constructs import Construct, constructs_in
from .hover import Hover, hover
from .inlay_hints import InlayHint, inlay_hints
from .live_traces import LiveFinding, LiveRun, live_findings, live_hints, live_run
from .specs import Parameter, Specs, function_names, parameter_specs, specs_by_name

__all__ = [
    "Action",
    "Construct",
    "Hover",
    "InlayHint",
    "LiveFinding",
    "LiveRun",
    "Parameter",
    "Proof",
    "Specs",
    "code_actions",
    "constructs_in",
    "function_names",
    "hover",
    "inlay_hints",
    "live_findings",
    "live_hints",
    "live_run",
    "parameter_specs",
    "specs_by_name",
]
