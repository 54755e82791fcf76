"""The operators that generated code calls, one namespace. What they do is in the modules."""

from builtins import super

from graphwright.runtime.arithmetic import absolute as abs
from graphwright.runtime.arithmetic import power as pow
from graphwright.runtime.arithmetic import quotient_and_remainder as divmod
from graphwright.runtime.arithmetic import rounded as round
from graphwright.runtime.arithmetic import to_bool as bool
from graphwright.runtime.arithmetic import to_float as float
from graphwright.runtime.arithmetic import to_int as int
from graphwright.runtime.extremes import maximum as max
from graphwright.runtime.extremes import minimum as min
from graphwright.runtime.failures import assert_, raise_, raise_if
from graphwright.runtime.membership import contains as in_
from graphwright.runtime.membership import lacks as not_in
from graphwright.runtime.ordering import in_order as sorted
from graphwright.runtime.reductions import all_of as all
from graphwright.runtime.reductions import any_of as any
from graphwright.runtime.reductions import total as sum
from graphwright.runtime.sizes import is_instance as isinstance
from graphwright.runtime.sizes import length as len
from graphwright.runtime.text import format_ as format
from graphwright.runtime.text import percent
from graphwright.runtime.text import print_ as print

__all__ = [
    "abs",
    "all",
    "any",
    "assert_",
    "bool",
    "divmod",
    "float",
    "format",
    "in_",
    "int",
    "isinstance",
    "len",
    "max",
    "min",
    "not_in",
    "percent",
    "pow",
    "print",
    "raise_",
    "raise_if",
    "round",
    "sorted",
    "sum",
    "super",
]
