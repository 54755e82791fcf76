"""What an editor asks about a place in a file, answered in plain data: offsets and Markdown.

Columns, protocols and editors are the server's.
"""

from .actions import Action, code_actions
from .hover import Hover, hover
from .live_traces import LiveFinding, LiveRun, live_calls, live_findings, live_run

__all__ = [
    "Action",
    "Hover",
    "LiveFinding",
    "LiveRun",
    "code_actions",
    "hover",
    "live_calls",
    "live_findings",
    "live_run",
]
