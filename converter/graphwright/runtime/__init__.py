"""The operators that generated code calls, one namespace. What they do is in the modules."""

from graphwright.runtime.conditionals import and_, if_, not_, or_
from graphwright.runtime.context import is_staging, is_symbolic
from graphwright.runtime.loops import for_, loop_options, while_
from graphwright.runtime.results import Never, Result, Turn, last, more, pending, returned, unchanged
from graphwright.runtime.undefined import Maybe, Undefined, get_attribute, is_none, read, set_attribute, undefined

__all__ = [
    "Maybe",
    "Never",
    "Result",
    "Turn",
    "Undefined",
    "and_",
    "for_",
    "get_attribute",
    "if_",
    "is_none",
    "is_staging",
    "is_symbolic",
    "last",
    "loop_options",
    "more",
    "not_",
    "or_",
    "pending",
    "read",
    "returned",
    "set_attribute",
    "unchanged",
    "undefined",
    "while_",
]
