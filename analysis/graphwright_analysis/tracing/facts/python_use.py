"""Tensors used where Python, not the graph, decides: as a bool, as an iterable, as an index, as a key."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import Value

from .fact import Fact
from .place import Place

ConvertedTest = Literal["if", "while", "not", "and", "or", "match", "comparison chain"]
"""What AutoGraph converts that tests a value, in code that it converts."""
NumberUse = Literal["int()", "float()"]
"""What AutoGraph converts that asks for a value's number."""
BuiltinTest = Literal["bool()", "filter", "any", "all", "min", "max"]
PythonTest = Literal["assert", "comprehension filter", "nested conditional", "tuple comparison", "list search"]
TruthUse = Literal[ConvertedTest, NumberUse, BuiltinTest, PythonTest]

Constructor = Literal["list", "tuple", "set", "frozenset", "dict"]
ReadWhole = Literal[Constructor, "enumerate", "zip", "sum", "any", "all", "min", "max", "iter", "reversed"]
"""Python's functions that iterate what they are called with."""
IterationUse = Literal[
    ReadWhole, "for", "comprehension", "star", "unpacking", "map", "filter", "range", "extend", "sort", "sorted"
]
IndexUse = Literal["index", "slice", "store", "insert", "pop"]
KeyUse = Literal["dict", "set", "in", "cache"]


class Cause(Enum):
    """Why control flow isn't converted."""

    AUTOGRAPH_OFF = "autograph=False"
    DO_NOT_CONVERT = "do_not_convert"
    KERAS = "keras"
    WALRUS = "walrus"
    MATCH = "match"
    ASYNC = "async"
    PRIVATE_NAME = "private name"
    LOOP_ELSE = "loop else"
    GENERATOR = "generator"
    SPECIAL_METHOD = "special method"
    WRAPPER = "wrapper"
    TWIN_LAMBDA = "twin lambda"
    NO_SOURCE = "no source"
    CALLBACK = "callback"


@immutable
class Unconverted:
    """Why the control flow of a function stays Python.

    `place` is the construct or decorator to blame, `function` the place of the function that isn't converted, and
    `name` what it is called.
    """

    cause: Cause
    name: str
    function: Place
    place: Place | None = None


@immutable
class PythonTruth(Fact):
    """A tensor of the graph is used as a Python bool or number; `why` is None where no conversion would help."""

    place: Place
    statement: Place
    how: TruthUse
    value: Value
    why: Unconverted | None = None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class PythonIteration(Fact):
    """A tensor of the graph is iterated in Python; `iterated` is its expression."""

    place: Place
    statement: Place
    how: IterationUse
    value: Value
    iterated: Place | None = None
    why: Unconverted | None = None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class PythonIndex(Fact):
    """A tensor of the graph takes the place of a Python number: it indexes or slices."""

    place: Place
    owner: Place
    how: IndexUse
    value: Value
    indexed: Value
    defined: Place | None = None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class PythonKey(Fact):
    """A tensor of the graph is hashed or looked for among Python values."""

    place: Place
    how: KeyUse
    value: Value
    key: Place | None = None
    among: Value | None = None
    among_place: Place | None = None
    negated: bool = False
    confidence: Confidence = Confidence.CERTAIN


@immutable
class SymbolGiven(Fact):
    """A placeholder of Keras' functional models is given to a function of TensorFlow's or NumPy's; `place` is where."""

    place: Place
    function: str
    call: Place
    confidence: Confidence = Confidence.CERTAIN


@immutable
class NeverAFunction(Fact):
    """`tf.function` is applied to something whose result TensorFlow never takes: a generator or a coroutine."""

    place: Place
    name: str
    cause: Cause
    confidence: Confidence = Confidence.CERTAIN
