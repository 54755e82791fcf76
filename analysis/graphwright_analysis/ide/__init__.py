"""What an editor asks about a place in a file, answered in plain data: offsets and Markdown.

Columns, protocols and editors are the server's.
"""

from .actions import Action, code_actions
from .hover import Hover, hover
from .specs import Parameter, Specs, function_names, parameter_specs, specs_by_name

__all__ = [
    "Action",
    "Hover",
    "Parameter",
    "Specs",
    "code_actions",
    "function_names",
    "hover",
    "parameter_specs",
    "specs_by_name",
]
