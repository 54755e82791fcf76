"""The operators that generated code calls, one namespace; what they do is in the modules.

They need TensorFlow and know nothing of the conversion.
"""

import builtins

from .arithmetic import absolute as abs
from .arithmetic import power as pow
from .arithmetic import quotient_and_remainder as divmod
from .arithmetic import rounded as round
from .arithmetic import to_bool as bool
from .arithmetic import to_float as float
from .arithmetic import to_int as int
from .calls import builtin_operators, converted
from .comprehensions import as_list as list
from .comprehensions import as_tuple as tuple
from .comprehensions import collect, generate, unrolled
from .conditionals import and_, if_, not_, or_
from .context import is_staging, is_symbolic
from .extremes import maximum as max
from .extremes import minimum as min
from .failures import assert_, raise_, raise_if
from .growable import GraphList, as_growable, as_result, lists_differ, merge_lists
from .iterables import enumerate, filter, iter, map, next, range, reversed, zip
from .journal import carries, carries_variable, changes, changes_inside, changes_variable, is_noting, note_new
from .lists import append, clear, extend, insert, pop, remove, reverse, set_element_type, sort, stack
from .loops import for_, loop_options, while_
from .membership import contains as in_
from .membership import lacks as not_in
from .ordering import in_order as sorted
from .patterns import at_position, has_position, is_mapping, is_sequence, rest_of
from .reductions import all_of as all
from .reductions import any_of as any
from .reductions import total as sum
from .results import Never, Result, Turn, last, more, never, pending, returned, unchanged
from .sizes import is_instance as isinstance
from .sizes import length as len
from .subscripts import get_item, set_item
from .text import format_ as format
from .text import percent
from .text import print_ as print
from .undefined import Maybe, Undefined, get_attribute, get_global, is_none, read, set_attribute, set_global, undefined

super = builtins.super

builtin_operators.update(
    {
        getattr(builtins, operator): globals()[operator]
        for operator in (
            ["abs", "all", "any", "bool", "divmod", "enumerate", "filter", "float", "int", "isinstance", "iter", "len"]
            + ["list", "map", "max", "min", "next", "pow", "print", "range", "reversed", "round", "sorted", "sum"]
            + ["tuple", "zip"]
        )
    }
)

__all__ = [
    "GraphList",
    "Maybe",
    "Never",
    "Result",
    "Turn",
    "Undefined",
    "abs",
    "all",
    "and_",
    "any",
    "append",
    "as_growable",
    "as_result",
    "assert_",
    "at_position",
    "bool",
    "carries",
    "carries_variable",
    "changes",
    "changes_inside",
    "changes_variable",
    "clear",
    "collect",
    "converted",
    "divmod",
    "enumerate",
    "extend",
    "filter",
    "float",
    "for_",
    "format",
    "generate",
    "get_attribute",
    "get_global",
    "get_item",
    "has_position",
    "if_",
    "in_",
    "insert",
    "int",
    "is_mapping",
    "is_none",
    "is_noting",
    "is_sequence",
    "is_staging",
    "is_symbolic",
    "isinstance",
    "iter",
    "last",
    "len",
    "list",
    "lists_differ",
    "loop_options",
    "map",
    "max",
    "merge_lists",
    "min",
    "more",
    "never",
    "next",
    "not_",
    "not_in",
    "note_new",
    "or_",
    "pending",
    "percent",
    "pop",
    "pow",
    "print",
    "raise_",
    "raise_if",
    "range",
    "read",
    "remove",
    "rest_of",
    "returned",
    "reverse",
    "reversed",
    "round",
    "set_attribute",
    "set_element_type",
    "set_global",
    "set_item",
    "sort",
    "sorted",
    "stack",
    "sum",
    "tuple",
    "unchanged",
    "undefined",
    "unrolled",
    "while_",
    "zip",
]
