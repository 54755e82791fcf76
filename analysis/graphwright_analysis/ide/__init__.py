"""What an editor asks about a place in a file, answered in plain data: offsets and Markdown.

Columns, protocols and editors are the server's.
"""

from .actions import Action, code_actions
from .hover import Hover, hover
from .inlay_hints import InlayHint, inlay_hints

__all__ = ["Action", "Hover", "InlayHint", "code_actions", "hover", "inlay_hints"]
