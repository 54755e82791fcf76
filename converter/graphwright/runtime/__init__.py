"""The operators that converted code calls. They decide at run time what becomes part of the graph; none of them converts."""

from graphwright.runtime.comprehensions import collect, unrolled
from graphwright.runtime.growable import GraphList, as_growable, as_result, lists_differ, merge_lists
from graphwright.runtime.iterables import enumerate, filter, iter, map, next, range, reversed, zip
from graphwright.runtime.lists import (
    append,
    clear,
    extend,
    insert,
    pop,
    remove,
    reverse,
    set_element_type,
    sort,
    stack,
)
from graphwright.runtime.subscripts import get_item, set_item

__all__ = [
    "GraphList",
    "append",
    "as_growable",
    "as_result",
    "clear",
    "collect",
    "enumerate",
    "extend",
    "filter",
    "get_item",
    "insert",
    "iter",
    "lists_differ",
    "map",
    "merge_lists",
    "next",
    "pop",
    "range",
    "remove",
    "reverse",
    "reversed",
    "set_element_type",
    "set_item",
    "sort",
    "stack",
    "unrolled",
    "zip",
]
