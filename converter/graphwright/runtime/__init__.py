"""The operators that generated code calls, one namespace; what they do is in the rooms below.

They need TensorFlow and know nothing of the conversion.
"""

import builtins as python
import functools
from collections import deque

from .basis import array_tensors, births
from .basis.births import changing, note_new, read_from
from .basis.context import by_graph, is_staging, is_symbolic, text_while_tracing
from .basis.grown_lists import with_current
from .basis.older_iterators import readable_here as readable
from .basis.outcomes import Never, Turn, last, more, never, unchanged
from .basis.python_values import factor
from .builtins import default_items, heaps
from .builtins.arithmetic import absolute as abs
from .builtins.arithmetic import power as pow
from .builtins.arithmetic import quotient_and_remainder as divmod
from .builtins.arithmetic import rounded as round
from .builtins.arithmetic import to_bool as bool
from .builtins.arithmetic import to_float as float
from .builtins.arithmetic import to_int as int
from .builtins.attributes import get_attribute, has_attribute
from .builtins.chosen_functions import FUNCTIONS
from .builtins.comparisons import compared
from .builtins.extremes import maximum as max
from .builtins.extremes import minimum as min
from .builtins.folding import folded
from .builtins.iterables import enumerate, filter, iter, map, next, range, reversed, zip
from .builtins.lengths import length as len
from .builtins.membership import contains as in_
from .builtins.membership import lacks as not_in
from .builtins.ordering import in_order as sorted
from .builtins.reductions import all_of as all
from .builtins.reductions import any_of as any
from .builtins.reductions import total as sum
from .control import match_patterns as patterns
from .control.conditionals import and_, asked, both, either, if_, not_, or_
from .control.loops import WhileTest as tests
from .control.loops import for_, loop_options, rest_of_for, rest_of_while, walked, walked_by_graph, while_
from .control.match_patterns import at_position, has_position, is_mapping, is_sequence, rest_of
from .control.results import Result, pending, returned
from .errors.failures import assert_, raise_, raise_if, raises_later
from .errors.tracebacks import caught
from .functions.builtin_values import builtin_operators, overloaded
from .functions.calls import converted
from .functions.frozen_state import changes_state
from .functions.special_methods import (
    attribute_of,
    changed_of,
    get_item_of,
    iterated,
    managed,
    operated,
    read_item_of,
    set_attribute,
    set_inside_of,
    set_item_of,
    set_special_item,
    update_inside_of,
    update_item_of,
)
from .functions.updated_places import updated, updated_item
from .lists.comprehensions import as_list as list
from .lists.comprehensions import as_tuple as tuple
from .lists.comprehensions import collect, for_python, spread, unrolled
from .lists.generators import generate, generate_later
from .lists.graph_lists import GraphList, as_growable, lists_differ, merge_lists
from .lists.joined_texts import join
from .lists.list_methods import (
    append,
    clear,
    extend,
    insert,
    made_deque,
    pop,
    remove,
    reverse,
    set_element_type,
    sort,
    stack,
)
from .lists.subscripts import (
    changed,
    delete_item,
    delete_slice,
    get_item,
    read_item,
    read_slice,
    set_inside,
    set_item,
    update_inside,
    update_item,
)
from .lists.whole_lists import as_result
from .state import array_names, choices, chosen_lists, chosen_objects
from .state.chosen_members import is_
from .state.noting import attribute, changes, changes_variable, is_noting, sets_in, variable
from .state.python_classes import class_of as type
from .state.python_classes import is_instance as isinstance
from .state.python_classes import known_instance as known_isinstance
from .state.python_classes import read_class
from .state.renewed import renewed
from .state.undefined import (
    Maybe,
    Undefined,
    bound,
    is_none,
    read,
    undefined,
    users_names,
)
from .text.printing import format_ as format
from .text.printing import percent
from .text.printing import print_ as print
from .text.printing import str_ as str

super = python.super
patterns.read_attribute = attribute_of
choices.renew = renewed
choices.kinds += [chosen_lists.LISTS, chosen_lists.DICTS, chosen_objects.OBJECTS, FUNCTIONS]

builtin_operators.update(
    {
        getattr(python, operator): globals()[operator]
        for operator in (
            ["abs", "all", "any", "bool", "divmod", "enumerate", "filter", "float", "int", "isinstance", "iter", "len"]
            + [
                "list",
                "map",
                "max",
                "min",
                "next",
                "pow",
                "print",
                "range",
                "reversed",
                "round",
                "sorted",
                "str",
                "sum",
            ]
            + ["tuple", "type", "zip"]
        )
    }
)
builtin_operators[functools.reduce] = folded
builtin_operators.update(heaps.OPERATORS)
array_tensors.check_array = array_names.refuse_with_names
births.default_items = default_items.as_read
builtin_operators[deque] = made_deque

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
    "asked",
    "assert_",
    "at_position",
    "attribute",
    "attribute_of",
    "bool",
    "both",
    "bound",
    "by_graph",
    "caught",
    "changed",
    "changed_of",
    "changes",
    "changes_state",
    "changes_variable",
    "changing",
    "clear",
    "collect",
    "compared",
    "converted",
    "delete_item",
    "delete_slice",
    "divmod",
    "either",
    "enumerate",
    "extend",
    "factor",
    "filter",
    "float",
    "for_",
    "for_python",
    "format",
    "generate",
    "generate_later",
    "get_attribute",
    "get_item",
    "get_item_of",
    "has_attribute",
    "has_position",
    "if_",
    "in_",
    "insert",
    "int",
    "is_",
    "is_mapping",
    "is_none",
    "is_noting",
    "is_sequence",
    "is_staging",
    "is_symbolic",
    "isinstance",
    "iter",
    "iterated",
    "join",
    "known_isinstance",
    "last",
    "len",
    "list",
    "lists_differ",
    "loop_options",
    "managed",
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
    "operated",
    "or_",
    "overloaded",
    "patterns",
    "pending",
    "percent",
    "pop",
    "pow",
    "print",
    "raise_",
    "raise_if",
    "raises_later",
    "range",
    "read",
    "read_class",
    "read_from",
    "read_item",
    "read_item_of",
    "read_slice",
    "readable",
    "remove",
    "rest_of",
    "rest_of_for",
    "rest_of_while",
    "returned",
    "reverse",
    "reversed",
    "round",
    "set_attribute",
    "set_element_type",
    "set_inside",
    "set_inside_of",
    "set_item",
    "set_item_of",
    "set_special_item",
    "sets_in",
    "sort",
    "sorted",
    "spread",
    "stack",
    "str",
    "sum",
    "tests",
    "text_while_tracing",
    "tuple",
    "type",
    "unchanged",
    "undefined",
    "unrolled",
    "update_inside",
    "update_inside_of",
    "update_item",
    "update_item_of",
    "updated",
    "updated_item",
    "users_names",
    "variable",
    "walked",
    "walked_by_graph",
    "while_",
    "with_current",
    "zip",
]
