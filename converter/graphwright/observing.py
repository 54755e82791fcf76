"""Traces a function with probes at its expressions, for ejecting: each reports the value that it had.

The function is converted as for a trace, so what is seen is what Graphwright does. What is written with that is
decided in `eject`.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import threading
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import gast
from graphwright_analysis.values.domain import Value

from . import failed_traces
from .compiling import compiled, function_from, with_operators
from .conversion import load_runtime
from .eject.assuming import parameter_names
from .eject.flagged_functions import Replacements
from .eject.live_values import special_function, value_of
from .eject.observations import CalledFunction, FunctionObservations, Observations, Place, joined
from .ejected_checks import check
from .errors import ConversionError
from .libraries import is_library_value
from .passes.effects import CONTAINER_METHODS, LIST_METHODS
from .passes.unit import walk
from .pipeline import FunctionSource, generate
from .probing import Probing
from .restoring import undisturbed
from .sources import REFUSED_FLAGS, source_of
from .special_methods import special_names
from .twins import Twin, entered_by, is_left_alone, mark_origin, note_generated

_METHODS = LIST_METHODS | CONTAINER_METHODS
_lock = threading.Lock()


def observe(
    function: types.FunctionType,
    receiver: Any,
    given: Sequence[Any],
    staged: frozenset[Place] = frozenset(),
    replacements: Replacements | None = None,
) -> Observations:
    """What a trace of the function on values or specs like these shows; nothing if it can't be traced.

    `staged` are loops that are to be the graph's, though Python could count their iterations, and `replacements` the
    functions with other texts.
    """
    session = _Session(staged=staged, replacements=replacements or Replacements())
    operators: Any = _Operators(session)
    session.operators = operators
    runtime = load_runtime()
    tf = _tensorflow()
    parts = [spec_of(tf, part) for part in given]
    owner = () if receiver is None else (receiver,)
    graph: Any = None
    with _lock, undisturbed(function, [*owner, *given]), runtime.observing_calls(session.callee):
        try:
            probed = session.probed(function)
            traced = functools.partial(_traced, runtime, probed, owner)
            graph = tf.function(traced, autograph=False).get_concrete_function(*parts)
        except Exception:
            session = _Session(replacements=session.replacements)
    found = session.observations()
    failure = functools.partial(failed_traces.reason, session.replacements.original_of(function), owner, parts)

    def check_text(text: str, lines: Sequence[int]) -> None:
        try:
            check(text, lines, function, given, (owner, parts), graph)
        except ConversionError as error:
            # What `gw.function` refuses is said in its words, and not in those of a text that can't be right.
            raise failure() or error from None
        if graph is None and (refused := failure()) is not None:
            raise refused  # Nothing says what the text has to give.

    return replace(found, check=check_text, failure=failure if graph is None else None)


def _tensorflow() -> Any:
    return importlib.import_module("graphwright.runtime.basis.tensorflow").tf


def _traced(runtime: Any, function: Any, owner: tuple[Any, ...], *arguments: Any) -> Any:
    lists: Any = importlib.import_module("graphwright.runtime.basis.grown_lists")
    return lists.returned(runtime.run_without_autograph(function, (*owner, *arguments), {}))


def spec_of(tf: Any, part: Any) -> Any:
    """What stands for a value in a trace: a spec for each tensor in it, everything else as it is."""
    if isinstance(part, tf.Variable) or hasattr(part, "element_spec"):
        return part
    return tf.nest.map_structure(functools.partial(_spec_of_one, tf), part)


def _spec_of_one(tf: Any, part: Any) -> Any:
    if isinstance(part, (tf.Tensor, tf.RaggedTensor, tf.SparseTensor)):
        return tf.type_spec_from_value(part)
    if type(part).__module__ == "numpy" and hasattr(part, "shape"):
        return tf.TensorSpec(part.shape, tf.as_dtype(part.dtype))
    return part


@dataclass
class _Session:
    """One trace: the functions in it, and what the probes have reported, by probe and iteration that was traced."""

    operators: Any = None
    staged: frozenset[Place] = frozenset()
    replacements: Replacements = field(default_factory=Replacements)
    places: list[tuple[Any, Any]] = field(default_factory=list[Any])
    sources: dict[Any, tuple[Any, FunctionSource, frozenset[gast.AST]]] = field(default_factory=dict[Any, Any])
    made: dict[int, tuple[Any, Any]] = field(default_factory=dict[int, Any])
    seen: dict[tuple[int, int], Value] = field(default_factory=dict[tuple[int, int], Value])
    called: dict[tuple[int, int], list[CalledFunction]] = field(default_factory=dict[Any, Any])
    foreign: set[int] = field(default_factory=set[int])
    """The probes that have seen a callable that isn't a function of the user's."""
    classes: dict[int, set[Any]] = field(default_factory=dict[int, set[Any]])
    receivers: dict[Any, set[Any]] = field(default_factory=dict[Any, "set[Any]"])
    """The classes of the objects that a function was called on, by its code."""
    carried: dict[tuple[int, str, str, int], dict[str, list[Value]]] = field(default_factory=dict[Any, Any])
    around: dict[int, int] = field(default_factory=lambda: {0: -1})
    void: set[int] = field(default_factory=set[int])
    current: int = 0

    # The functions

    def probed(self, function: types.FunctionType) -> Any:
        """The function as it is traced, with probes."""
        function = self.replacements.current(function)
        known = self.made.get(id(function))
        if known is not None:
            return known[1]
        code = function.__code__
        source = source_of(function)
        style = Probing(self, code, source)
        generated = generate(source, style, pairs=True)
        made_code = with_operators(
            compiled(generated, code, source.class_name, special_names(function)), self.operators
        )
        made = function_from(made_code, function)
        made.__dict__.pop(Twin.KEY, None)
        made.__dict__["autograph_info__"] = {}
        mark_origin(made, function)
        note_generated(made_code)
        self.sources[code] = function, source, style.watched
        self.made[id(function)] = function, made
        return made

    def callee(self, entity: Any) -> Any:
        """What is called instead of a callable: with probes where it is a function or method of the user's."""
        found = _callee_of(entity)
        if found is None or (found.receiver is entity and is_left_alone(entity)):
            return None
        inner = self.callee_function(found.function)
        return inner if inner is None or found.receiver is None else types.MethodType(inner, found.receiver)

    def callee_function(self, function: types.FunctionType) -> Any:
        function = self.replacements.current(entered_by(function) or function)
        if is_left_alone(function) or is_library_value(function) or function.__code__.co_flags & REFUSED_FLAGS:
            return None
        try:
            return self.probed(function)
        except ConversionError:
            return None

    def special(self, owner: Any, name: str) -> Any:
        """The method or getter of the user's for a special name or property, with probes; None for any other."""
        found = special_function(cast(Any, type(owner)), name)
        if found is not None:
            found = self.replacements.current(found)
            self.receivers.setdefault(found.__code__, set()).add(type(owner))
        return None if found is None else self.callee_function(found)

    # What probes report

    def report(self, number: int, held: Any) -> Any:
        """Note the value that an expression had."""
        key = number, self.current
        code, node = self.places[number]
        if self.staged and (code, node.lineno, node.col_offset) in self.staged:
            held = _of_the_graph(held)
        value = value_of(held)
        earlier = self.seen.get(key)
        self.seen[key] = value if earlier is None else joined(earlier, value)
        self.classes.setdefault(number, set()).add(type(held))
        callee = _callee_of(held) if callable(held) else None
        if callee is None and callable(held):
            self.foreign.add(number)
        if callee is not None:
            callee = replace(callee, function=self.replacements.current(callee.function))
            if callee.receiver is not None:
                self.receivers.setdefault(callee.function.__code__, set()).add(type(callee.receiver))
            known = self.called.setdefault(key, [])
            if not any(each.function is callee.function for each in known):
                known.append(callee)
        return held

    def iteration(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that is traced for a loop: if it is traced again, what the earlier trace has shown is void."""
        graph, earlier = _graph(), list[int]()

        @functools.wraps(function)
        def iterate(*state: Any) -> Any:
            if _graph() is graph:
                return function(*state)
            self.void.update(earlier)
            before, self.current = self.current, len(self.around)
            self.around[self.current] = before
            earlier[:] = [self.current]
            try:
                return function(*state)
            finally:
                self.current = before

        return iterate

    def carry(self, kind: str, names: Sequence[str], both: Sequence[Sequence[Value]], frame: Any) -> None:
        """Note what names are before and after a construct, or on its two sides."""
        held = self.carried.setdefault((self.current, kind, frame.f_code.co_filename, frame.f_lineno), {})
        for name, *values in zip(names, *both, strict=False):
            earlier = held.get(name, values)
            held[name] = [joined(a, b) for a, b in zip(earlier, values, strict=True)]

    def is_void(self, iteration: int) -> bool:
        while iteration >= 0:
            if iteration in self.void:
                return True
            iteration = self.around[iteration]
        return False

    def observations(self) -> Observations:
        """What was seen, but for what was traced again."""
        functions: dict[Any, FunctionObservations] = {}
        for code, (function, source, watched) in self.sources.items():
            own = {n for n, (owner, _) in enumerate(self.places) if owner is code}
            values: dict[gast.AST, Value] = {}
            callees: dict[gast.AST, tuple[CalledFunction, ...]] = {}
            for (number, iteration), value in self.seen.items():
                if number not in own or self.is_void(iteration):
                    continue
                node = self.places[number][1]
                values[node] = joined(values[node], value) if node in values else value
                for callee in self.called.get((number, iteration), ()):
                    known = callees.get(node, ())
                    if not any(each.function is callee.function for each in known):
                        callees[node] = (*known, callee)
            classes = self._classes_in(source, code, own)
            carried = self._carried_in(code, source)
            seen = FunctionObservations(function, source, values, watched, carried, callees, classes)
            foreign = (self.places[number][1] for number in self.foreign & own)
            functions[code] = replace(seen, mixed=frozenset(node for node in foreign if node in callees))
        return Observations(functions, self.replacements)

    def _classes_in(self, source: FunctionSource, code: Any, own: set[int]) -> dict[gast.AST, type]:
        """The classes of objects, also where a method changes something in its own."""
        found = {self.places[n][1]: next(iter(self.classes[n])) for n in own if len(self.classes.get(n, ())) == 1}
        kinds, names = self.receivers.get(code, set[Any]()), parameter_names(source.node)
        for part in walk(source.node) if len(kinds) == 1 and names else ():
            if isinstance(part, gast.Name) and part.id == names[0]:
                found.setdefault(part, next(iter(kinds)))
        return found

    def _carried_in(
        self, code: types.CodeType, source: FunctionSource
    ) -> dict[tuple[str, int], dict[str, tuple[Value, Value]]]:
        own = range(source.first_line, source.first_line + len(source.text.splitlines()))
        found: dict[tuple[str, int], dict[str, tuple[Value, Value]]] = {}
        for (iteration, kind, file, line), names in self.carried.items():
            if file != code.co_filename or line not in own or self.is_void(iteration):
                continue
            held = found.setdefault((kind, line), {})
            for name, (first, second) in names.items():
                earlier = held.get(name, (first, second))
                held[name] = joined(earlier[0], first), joined(earlier[1], second)
        return found


def _of_the_graph(held: Any) -> Any:
    """A range or condition of Python's as one that only the graph knows."""
    tf = _tensorflow()
    if isinstance(held, range):
        sequences: Any = importlib.import_module("graphwright.runtime.lists.staged_sequences")
        return sequences.StagedRange(*(tf.constant(bound) for bound in (held.start, held.stop)), held.step)
    return tf.constant(held) if isinstance(held, bool) else held


def _values(held: Any, count: int) -> tuple[Any, ...]:
    if not isinstance(held, tuple) or hasattr(cast(Any, held), "_fields"):
        return (cast(Any, held),)
    values = cast("tuple[Any, ...]", held)
    return values if len(values) == count else (values,)


def _seen_of(held: Any, names: Sequence[str]) -> list[Value]:
    """What names hold that a construct carries."""
    return [value_of(each) for each in _values(held, len(names))]


def _graph() -> Any:
    return _tensorflow().compat.v1.get_default_graph()


def _callee_of(held: Any) -> CalledFunction | None:
    """The function of the user's that a call of an object reaches."""
    if isinstance(held, types.MethodType):
        function = held.__func__
        plain = entered_by(function) or function if isinstance(function, types.FunctionType) else None
        return None if plain is None or is_library_value(plain) else CalledFunction(plain, held.__self__, True)
    if type(held) is types.FunctionType:  # What the graph has chosen is an instance, too, but has nothing of one.
        plain = entered_by(held) or held
        return None if is_library_value(plain) else CalledFunction(plain)
    call = _call_of(held)
    if isinstance(call, types.FunctionType) and not is_library_value(call):
        return CalledFunction(call, held)
    return None


def _call_of(held: Any) -> Any:
    """What runs when an object is called."""
    return None if isinstance(held, type) else getattr(cast(Any, type(held)), "__call__", None)  # noqa: B004


def _caller() -> Any:
    """The frame of the generated code that has called an operator."""
    frame: Any = inspect.currentframe()
    return frame.f_back.f_back


class _Operators:
    """Graphwright's operators, those of loops and branches with a report of what they carry."""

    def __init__(self, session: _Session) -> None:
        self._session = session
        self._own: Any = importlib.import_module("graphwright")
        self._read: tuple[Any, str, Any] | None = None
        """The attribute that was read last: a method that changes a list is looked up on it next."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def seen(self, number: int, held: Any) -> Any:
        return self._session.report(number, held)

    def member(self, number: int, owner: Any, name: str) -> Any:
        getter = self._session.special(owner, name)
        if name in _METHODS and self._read is not None and self._read[2] is owner and self.is_noting():
            holder, attribute, _ = self._read
            self.changes(holder, attribute, attribute, True)
            owner = getattr(holder, attribute)
        held = getattr(owner, name) if getter is None else getter(owner)
        self._read = owner, name, held
        return self._session.report(number, held)

    def len(self, held: Any, /) -> Any:
        method = self._session.special(held, "__len__")
        return self._own.len(held) if method is None else method(held)

    def converted(self, function: Any) -> Any:
        callee = self._session.callee(function)
        return self._own.converted(function) if callee is None else callee

    def while_(self, test: Any, turn: Any, *state: Any, **options: Any) -> Any:
        iteration = self._session.iteration
        result = self._own.while_(iteration(test), iteration(turn), *state, **options)
        self._note_state("While", options, state, result, _caller())
        return result

    def for_(self, iterable: Any, turn: Any, *state: Any, **options: Any) -> Any:
        result = self._own.for_(iterable, self._session.iteration(turn), *state, **options)
        self._note_state("For", options, state, result, _caller())
        return result

    def _note_state(self, kind: str, options: Mapping[str, Any], state: Any, result: Any, frame: Any) -> None:
        names = options.get("names") or ()
        self._session.carry(kind, names, (_seen_of(state, names), _seen_of(result, names)), frame)

    def if_(self, test: Any, then: Any, otherwise: Any, *state: Any, **options: Any) -> Any:
        session, sides, names = self._session, list[list[Value]](), options.get("names") or ()

        def noting(branch: Any) -> Any:
            @functools.wraps(branch)
            def side(*given: Any) -> Any:
                result = branch(*given)
                # A list is a branch's own as long as nobody else holds it.
                sides.append(_seen_of(result, names))
                return result

            return side

        result = self._own.if_(test, noting(then), noting(otherwise), *state, **options)
        if len(sides) >= 2:
            session.carry("If", names, sides[-2:], _caller())
        return result
