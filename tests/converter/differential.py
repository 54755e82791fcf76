"""Judges whether a small program does the same eagerly, converted and run eagerly, and converted into a graph.

It knows nothing of how conversion works: a `Subject` says how a function is converted, and the programs of
`programs/` say with what they are called. Compared are results, gradients, printed text, what was changed outside
the program, and exceptions.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

FOLDER = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Program:
    """A function with the arguments it is called with; `build` makes it and what it changes outside of itself."""

    name: str
    family: str
    build: Callable[[], tuple[Callable[..., Any], Any]]
    calls: tuple[tuple[Any, ...], ...]
    unknown: bool = False
    refused: str = ""
    reference: Callable[..., Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.family}.{self.name}"


@dataclass(frozen=True)
class Subject:
    """A converter: how it makes a function that runs eagerly (if it does that at all), and one that is a graph."""

    graph: Callable[..., Callable[..., Any]]
    eager: Callable[..., Callable[..., Any]] | None = None


@dataclass(frozen=True)
class Outcome:
    """What one call did."""

    result: Any = None
    gradients: tuple[Any, ...] = ()
    printed: str = ""
    changed: Any = None
    error: BaseException | None = None


@dataclass(frozen=True)
class Python:
    """An argument that stays a Python value."""

    value: Any


_PROGRAMS: list[Program] = []


def program(
    *calls: Any, unknown: bool = False, refused: str = "", reference: Callable[..., Any] | None = None, **options: Any
) -> Callable[..., Any]:
    """The decorated function is a program, called once with each of `calls` (a tuple of arguments, or the only one).

    Numbers and lists become tensors, Python(...) stays as it is, a callable is called to make the argument.
    unknown: the graph is traced for unknown shapes, too. refused: type of the error and a piece of its message.
    reference: does what is meant where TensorFlow's eager tensors can't do what is written.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _register(function, lambda: (function, None), calls, unknown, refused, reference, options)
        return function

    return register


def built(*calls: Any, unknown: bool = False, refused: str = "", **options: Any) -> Callable[..., Any]:
    """Like `program` for a function that makes the program and what it changes: `return function, changed`."""

    def register(build: Callable[..., Any]) -> Callable[..., Any]:
        _register(build, build, calls, unknown, refused, None, options)
        return build

    return register


def _register(function: Any, build: Any, calls: Any, unknown: bool, refused: str, reference: Any, options: Any) -> None:
    family = function.__module__.rpartition(".")[2]
    each = tuple(call if isinstance(call, tuple) else (call,) for call in calls)
    each = tuple(tuple(map(_empty_like, call, each[0])) if len(call) == len(each[0]) else call for call in each)
    _PROGRAMS.append(Program(function.__name__, family, build, each or ((),), unknown, refused, reference, options))


def _empty_like(argument: Any, first: Any) -> Any:
    """An empty list has the type of the list that stands there in the first call."""
    return np.array(first)[:0] if isinstance(argument, list) and not argument and first else argument


def programs() -> list[Program]:
    """All programs of the folder, in the order of files and lines."""
    if not _PROGRAMS:
        for path in sorted(FOLDER.glob("*.py")):
            importlib.import_module(f"programs.{path.stem}")
    return list(_PROGRAMS)


def disagreements(program: Program, subject: Subject) -> list[str]:
    """What differs between the program run eagerly and the program converted, in words; empty if nothing does."""
    warnings.simplefilter("ignore")  # of traces that could be avoided
    found: list[str] = []
    expected = [as_written(program, call) for call in program.calls]
    if subject.eager is not None:
        for call, wanted in zip(program.calls, expected, strict=True):
            found += _judged("converted eager", call, program, wanted, lambda f: subject.eager(f, **program.options))
    effects = any(wanted.printed or wanted.changed is not None for wanted in expected)
    modes = [("graph", False)] + [("graph of unknown shapes", True)] * program.unknown
    for mode, unknown in modes:
        cached: dict[str, Any] = {}

        def make(function: Any, call: Any = program.calls[0], unknown: bool = unknown, cached: Any = cached) -> Any:
            if effects or "made" not in cached:
                options = dict(program.options)
                if unknown:
                    options["input_signature"] = [relaxed(argument) for argument in arguments(call)]
                cached["made"] = subject.graph(function, **options)
            return cached["made"]

        for call, wanted in zip(program.calls, expected, strict=True):
            found += _judged(mode, call, program, wanted, make)
    return found


def as_written(program: Program, call: Any) -> Outcome:
    """What the program does before it is converted."""
    function, changed = program.build()
    outcome = run(program.reference or function, changed, call)
    assert type(outcome.error) is not NameError, f"{program.name} isn't a program: {outcome.error}"
    return outcome


def _judged(mode: str, call: Any, program: Program, wanted: Outcome, make: Callable[..., Any]) -> list[str]:
    function, changed = program.build()
    try:
        made = make(function)
    except Exception as error:
        seen = Outcome(error=error)
    else:
        seen = run(made, changed, call)
    if program.refused and (mode != "converted eager" or seen.error is not None):
        differences = _differing_refusal(program.refused, seen)
    else:
        differences = differing(wanted, seen)
    return [f"{mode}, called with {call!r}: {difference}" for difference in differences]


def _differing_refusal(refused: str, seen: Outcome) -> list[str]:
    kind, _, piece = refused.partition(": ")
    if seen.error is None:
        return [f"should be refused with {refused}, gave {plain(seen.result)!r}"]
    names = [each.__name__ for each in type(seen.error).__mro__]
    if any(name.endswith(kind) for name in names) and piece in str(seen.error):
        return []
    return [f"should be refused with {refused}, raised {_short(seen.error)}"]


def run(function: Callable[..., Any], changed: Any, call: tuple[Any, ...]) -> Outcome:
    """Calls the function and notes all it does."""
    given = arguments(call)
    watched = [each for each in tf.nest.flatten(given) if tf.is_tensor(each) and each.dtype.is_floating]
    watched = [each for each in watched if isinstance(each, tf.Tensor)]
    result, error, gradients = None, None, ()
    with _captured() as printed:
        try:
            with tf.GradientTape() as tape:
                tape.watch(watched)
                result = function(*given)
                target = _target(result) if watched else None
            if target is not None:
                gradients = tuple(tape.gradient(target, watched))
        except Exception as raised:
            error = raised
    if error is None:
        result = plain(result)
    changed = changed() if isinstance(changed, type(plain)) else changed
    return Outcome(result, tuple(map(plain, gradients)), printed(), plain(changed), error)


def _target(result: Any) -> Any:
    leaves = [each for each in tf.nest.flatten(result) if isinstance(each, tf.Tensor) and each.dtype.is_floating]
    return tf.add_n([tf.reduce_sum(tf.cast(leaf, tf.float32)) for leaf in leaves]) if leaves else None


def arguments(call: Any) -> Any:
    """Fresh arguments for one call."""
    if isinstance(call, Python):
        return call.value
    if isinstance(call, bool):
        return tf.constant(call)
    if isinstance(call, int):
        return tf.constant(call, tf.int32)
    if isinstance(call, float):
        return tf.constant(call, tf.float32)
    if isinstance(call, (list, np.ndarray)):
        array = np.array(call)
        narrow = {"i": np.int32, "f": np.float32}.get(array.dtype.kind)
        return tf.constant(array if narrow is None else array.astype(narrow))
    if isinstance(call, tuple):
        made = [arguments(each) for each in call]
        return type(call)(*made) if hasattr(call, "_fields") else tuple(made)
    if isinstance(call, dict):
        return {key: arguments(value) for key, value in call.items()}
    return call() if callable(call) and not tf.is_tensor(call) else call


def relaxed(argument: Any) -> Any:
    """The specification that admits the argument and others of the same rank."""

    def relax(each: Any) -> Any:
        if isinstance(each, tf.Tensor):
            return tf.TensorSpec([None] * each.shape.rank, each.dtype)
        return tf.type_spec_from_value(each)

    return tf.nest.map_structure(relax, argument)


@contextmanager
def _captured() -> Iterator[Callable[[], str]]:
    """What is printed by Python and by TensorFlow's own threads, in the order in which it was printed."""
    text: list[str] = []
    python = sys.stdout
    sys.stdout.flush()
    kept = [(number, os.dup(number)) for number in (1, 2)]
    with tempfile.TemporaryFile("w+b") as file:
        for number, _ in kept:
            os.dup2(file.fileno(), number)
        sys.stdout = os.fdopen(os.dup(file.fileno()), "w", buffering=1, encoding="utf-8")
        try:
            yield lambda: text[0]
        finally:
            sys.stdout.close()
            sys.stdout = python
            for number, copy in kept:
                os.dup2(copy, number)
                os.close(copy)
            file.seek(0)
            text.append(_normalised(file.read().decode()))


_LOG = re.compile(
    r"^(WARNING|INFO|ERROR|[WIE]\d{4}\b|\d{4}-\d\d-\d\d |Cause: |To silence|Please report).*$", re.MULTILINE
)
_TENSOR = re.compile(r"<tf\.Tensor: shape=\(.*?\), dtype=\w+, numpy=(.*?)>", re.DOTALL)
_SHOWN = re.compile(r"tf\.Tensor\((.*?),?\s+shape=\(.*?\), dtype=\w+\)", re.DOTALL)
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")


def _normalised(text: str) -> str:
    text = _SHOWN.sub(r"\1", _TENSOR.sub(r"\1", _LOG.sub("", text)))
    text = re.sub(r"\barray\((.*?)(, dtype=\w+)?\)", r"\1", text)
    text = re.sub(r"\bb?(['\"])(.*?)\1", r"\2", text).replace(",", " ")
    text = _NUMBER.sub(lambda match: f"{float(match[0]):.5g}", text)
    return re.sub(r"\s*([\[\]()])\s*", r"\1", " ".join(text.split()))


class _Symbolic:
    """Stands for a symbolic tensor that was left in an object: nobody can read it, so it equals everything."""

    def __repr__(self) -> str:
        return "<symbolic>"


def plain(value: Any) -> Any:
    """The value as NumPy arrays, numbers, text, lists, tuples and dicts."""
    if isinstance(value, (tf.RaggedTensor, tf.SparseTensor)):
        value = value.to_list() if isinstance(value, tf.RaggedTensor) else tf.sparse.to_dense(value)
    if isinstance(value, tf.TensorArray):
        value = value.stack()
    if isinstance(value, tf.IndexedSlices):
        value = tf.convert_to_tensor(value)
    if tf.is_tensor(value) or isinstance(value, tf.Variable):
        return value.numpy() if hasattr(value, "numpy") else _Symbolic()
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"": type(value).__name__, **{name: plain(getattr(value, name)) for name in value._fields}}
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value)) if type(value) in (list, tuple) else list(map(plain, value))
    if value is None or isinstance(value, (str, bytes, int, float, complex, np.ndarray, np.generic, set)):
        return value
    if isinstance(value, (type, type(len), type(plain))):
        return value.__name__
    if is_dataclass(value) or hasattr(value, "__dict__"):
        return {"": type(value).__name__, **{name: plain(each) for name, each in vars(value).items()}}
    return value


def differing(wanted: Outcome, seen: Outcome) -> list[str]:
    """In what the second outcome differs from the first, which is that of the program as it was written."""
    if wanted.error is not None or seen.error is not None:
        return _differing_errors(wanted, seen)
    found = []
    if not same(wanted.result, seen.result):
        found.append(f"result {seen.result!r} instead of {wanted.result!r}")
    if not all(map(_same_gradient, wanted.gradients, seen.gradients)):
        found.append(f"gradients {seen.gradients!r} instead of {wanted.gradients!r}")
    if wanted.printed != seen.printed:
        found.append(f"printed {seen.printed!r} instead of {wanted.printed!r}")
    if not same(wanted.changed, seen.changed):
        found.append(f"left {seen.changed!r} instead of {wanted.changed!r}")
    return found


def _differing_errors(wanted: Outcome, seen: Outcome) -> list[str]:
    if wanted.error is None or seen.error is None:
        raised, instead = _short(seen.error), _short(wanted.error)
        return [f"raised {raised}" if wanted.error is None else f"gave {seen.result!r} instead of raising {instead}"]
    # A failing assertion of a graph is an error of TensorFlow's.
    kinds = {type(wanted.error).__name__}
    if isinstance(wanted.error, (AssertionError, UnboundLocalError, IndexError)):
        kinds.add("InvalidArgumentError")
    names = [each.__name__ for each in type(seen.error).__mro__]
    text = _words(str(wanted.error))
    if isinstance(wanted.error, (tf.errors.OpError, IndexError)):
        text = ""
    if kinds.isdisjoint(names) or text not in _words(str(seen.error)):
        return [f"raised {_short(seen.error)} instead of {_short(wanted.error)}"]
    return [] if wanted.printed == seen.printed else [f"printed {seen.printed!r} instead of {wanted.printed!r}"]


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


def _short(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {str(error)[:600]}"


def same(wanted: Any, seen: Any) -> bool:
    """Whether two plain values are equal, where a Python number equals a scalar of its kind."""
    if isinstance(wanted, _Symbolic) or isinstance(seen, _Symbolic):
        return True
    if isinstance(wanted, dict):
        return isinstance(seen, dict) and wanted.keys() == seen.keys() and all(same(wanted[k], seen[k]) for k in wanted)
    if isinstance(wanted, (list, tuple)) and isinstance(seen, (list, tuple)):
        return type(wanted) is type(seen) and len(wanted) == len(seen) and all(map(same, wanted, seen))
    if isinstance(wanted, list) and isinstance(seen, np.ndarray):  # grown in a loop of the graph
        return len(wanted) == len(seen) and all(map(same, wanted, seen))
    if wanted is None or seen is None or isinstance(wanted, set):
        return wanted is seen or (isinstance(seen, set) and wanted == seen)
    return _same_leaf(wanted, seen)


def _same_leaf(wanted: Any, seen: Any) -> bool:
    if isinstance(wanted, (str, bytes)) or isinstance(seen, (str, bytes)):
        return _text(wanted) == _text(seen)
    first, second = np.asarray(wanted), np.asarray(seen)
    typed = isinstance(wanted, (np.ndarray, np.generic)) and isinstance(seen, (np.ndarray, np.generic))
    alike = first.dtype == second.dtype if typed else first.dtype.kind == second.dtype.kind
    if not alike or first.shape != second.shape:
        return False
    if first.dtype.kind in "fc":
        return bool(np.allclose(first, second, rtol=1e-4, atol=1e-5, equal_nan=True))
    return bool(np.all(first == second))


def _text(value: Any) -> Any:
    value = value.item() if isinstance(value, np.ndarray) and value.shape == () else value
    return value.decode() if isinstance(value, bytes) else value


def _same_gradient(wanted: Any, seen: Any) -> bool:
    """No gradient and a gradient of zeros mean the same."""
    if wanted is None or seen is None:
        known = seen if wanted is None else wanted
        return known is None or not np.any(known)
    return bool(np.allclose(wanted, seen, rtol=1e-3, atol=1e-4, equal_nan=True))
