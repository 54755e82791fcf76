"""Runs a function in several ways on the same arguments, and finds where they first differ from eager code.

Each way begins anew: the module is imported again, random numbers begin again, the arguments are evaluated again. So no
way sees what another one has changed.
"""

from __future__ import annotations

import inspect
import sys
import time
import types
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from typing import Any

from . import arguments, outcomes, probes, snapshots, ways
from .arguments import EvaluatedArguments
from .differences import Found, differences
from .outcomes import CallOutcome
from .places import is_users, line_text
from .subjects import Subject
from .wire import (
    CANT_RUN,
    DIFFERS,
    EAGER,
    EJECTED,
    EQUAL,
    NOT_COMPARED,
    XLA,
    AgentRequest,
    DifferentLine,
    ReportedDifference,
    VerifiedWay,
    Way,
)

_MOST_EVENTS = 20_000
_RESULTS = ("result", "len(result", "gradients", "printed")


@dataclass(frozen=True)
class Prepared:
    """The user's module, the function in it, as a tf.function as well, and the arguments of each call."""

    module: types.ModuleType
    subject: Subject
    graph: Any
    given: list[EvaluatedArguments]


@dataclass(frozen=True)
class _Verification:
    request: AgentRequest
    progress: Callable[[str], None]
    notes: list[str]
    prepare: Callable[[], Prepared]
    tf: Any
    imported: frozenset[str]

    def start(self) -> Prepared:
        """The module as it is right after its import, whatever was done with it before."""
        _forget(self.imported)
        outcomes.seed(0, self.tf)
        return self.prepare()


def verify(request: AgentRequest, progress: Any, prepare: Callable[[], Prepared], tf: Any) -> tuple[VerifiedWay, ...]:
    """What each way gave, eager code first; an error of eager code's is raised only where it can't be called."""
    work = _Verification(request, progress, progress.notes, prepare, tf, frozenset(sys.modules))
    began = time.perf_counter()
    eager = _run(work, EAGER, noting=True)
    assert isinstance(eager, list)
    again = _run(work, EAGER, other_seed=True)
    assert isinstance(again, list)
    unstable = {(call, path) for call, path, *_ in _all(eager, again)}
    first = VerifiedWay(EAGER, EQUAL, _raised(eager), seconds=time.perf_counter() - began)
    return (first, *(_verified(work, way, eager, unstable) for way in request.ways))


def _verified(work: _Verification, way: Way, eager: list[CallOutcome], unstable: set[tuple[int, str]]) -> VerifiedWay:
    began = time.perf_counter()
    other = _run(work, way)
    if isinstance(other, VerifiedWay):
        return replace(other, seconds=time.perf_counter() - began)
    result = _judged(work, way, eager, other, unstable)
    return replace(result, seconds=time.perf_counter() - began)


def _judged(
    work: _Verification, way: Way, eager: list[CallOutcome], other: list[CallOutcome], unstable: set[tuple[int, str]]
) -> VerifiedWay:
    for number, (first, second) in enumerate(zip(eager, other, strict=True), 1):
        if (first.error is None) != (second.error is None):
            return _failed(way, first, second, number)
    found = list(_all(eager, other))
    stable = [each for each in found if (each[0], each[1]) not in unstable]
    if stable:
        call, path, value, instead = stable[0]
        difference = ReportedDifference(path, value, instead, call)
        line = None if path.startswith("printed") else _first_line(work, way, difference)
        return VerifiedWay(way, DIFFERS, difference=difference, first_line=line)
    if found:
        # What differs is no argument for a difference; all else of the result may still be equal.
        path = next((each[1] for each in found if each[1].startswith(_RESULTS)), found[0][1])
        agreement = NOT_COMPARED if path.startswith(_RESULTS) else EQUAL
        reason = f"{path} changes between eager calls (random numbers, the time)"
        return VerifiedWay(way, agreement, reason if agreement == NOT_COMPARED else f"{reason} and isn't compared")
    return VerifiedWay(way, EQUAL, _raised(other))


def _failed(way: Way, eager: CallOutcome, other: CallOutcome, call: int) -> VerifiedWay:
    """One of the two has raised, and the other hasn't."""
    if other.error is None:
        assert eager.error is not None
        words = f"raises {type(eager.error).__name__}"
        return VerifiedWay(way, DIFFERS, difference=ReportedDifference("the call", words, "returns", call))
    return VerifiedWay(way, CANT_RUN, outcomes.reason_of(other.error), *outcomes.place_of(other.error))


def _raised(found: list[CallOutcome]) -> str:
    error = next((each.error for each in found if each.error is not None), None)
    return "" if error is None else f"raises {outcomes.reason_of(error)}"


def _all(eager: list[CallOutcome], other: list[CallOutcome]) -> Iterator[tuple[int, str, str, str]]:
    for call, (first, second) in enumerate(zip(eager, other, strict=True), 1):
        if (first.error is None) == (second.error is None):
            yield from ((call, *each) for each in outcomes.compared(first, second))


# Running


def _forget(imported: Container[str]) -> None:
    """Have the user's modules that were imported since then be imported again."""
    for name, module in list(sys.modules.items()):
        if name not in imported and is_users(str(getattr(module, "__file__", None) or "")):
            del sys.modules[name]


def _run(
    work: _Verification, way: Way, noting: bool = False, other_seed: bool = False
) -> list[CallOutcome] | VerifiedWay:
    """The outcomes of all calls; a way that can't be made instead, if it isn't eager code."""
    ready = work.start()
    callee = ways.callee_of(ready.subject)
    work.progress(f"running {work.request.function} as {way}")
    try:
        call = ways.made(way, ready.subject, callee, _specs(ready), work.tf)
    except Exception as error:
        if way == EAGER:
            raise
        return _failed(way, CallOutcome(), CallOutcome(error=error), 1)
    _build(work, ready, callee)
    found = list[CallOutcome]()
    for given in _calls(work, ready, noting):
        outcomes.seed(len(found) + (1000 if other_seed else 0), work.tf)
        found.append(_called(work, ready, callee, call, given))
    return found


def _build(work: _Verification, ready: Prepared, callee: ways.Callee) -> None:
    """Have a Keras layer make its weights, which are random, in the same way for all."""
    if callee.is_layer and not getattr(callee.receiver, "built", True):
        given = next(_calls(work, ready))
        outcomes.called(callee.call, given, work.tf, None)


def _called(
    work: _Verification, ready: Prepared, callee: ways.Callee, call: Callable[..., Any], given: EvaluatedArguments
) -> CallOutcome:
    named = _named(callee.call, given)

    def variables() -> list[tuple[str, Any]]:
        return snapshots.variables_of(ready.module, callee.function, callee.receiver, named, work.tf)

    outcome = outcomes.called(call, given, work.tf, variables if work.request.gradients else None)
    outcome.state = snapshots.state_of(ready.module, callee.function, callee.receiver, named, work.tf)
    return outcome


def _calls(work: _Verification, ready: Prepared, noting: bool = False) -> Iterator[EvaluatedArguments]:
    """The arguments of each call: each set so many times, with other numbers in the place of specs."""
    names = arguments.parameter_names(ready.subject.call)
    for given in ready.given:
        signed = arguments.signed(given, ready.graph)
        for draw in range(work.request.calls):
            notes = list[str]()
            yield arguments.all_made_up(signed, names, work.tf, notes, draw)
            work.notes.extend(notes if noting and not draw else ())


def _named(call: Callable[..., Any], given: EvaluatedArguments) -> dict[str, Any]:
    try:
        return dict(inspect.signature(call).bind(*given.positional, **given.named).arguments)
    except (TypeError, ValueError):
        return {f"argument {index + 1}": value for index, value in enumerate(given.positional)} | given.named


def _specs(ready: Prepared) -> list[Any]:
    """What the function receives, by the places of its parameters."""
    given = arguments.signed(ready.given[0], ready.graph)
    call = ready.subject.call
    try:
        signature = inspect.signature(call)
        bound = signature.bind(*given.positional, **given.named)
    except (TypeError, ValueError):
        return given.positional
    bound.apply_defaults()
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [bound.arguments[name] for name, each in signature.parameters.items() if each.kind not in kinds]


# The first line


def _first_line(work: _Verification, way: Way, difference: ReportedDifference) -> DifferentLine | None:
    """The first line that leaves another value, if the function differs in the same way while that is recorded."""
    for after_blocks in (True, False):
        try:
            eager = _recorded(work, EAGER, way, difference, after_blocks)
            other = _recorded(work, way, way, difference, after_blocks)
        except Exception:  # it can't be recorded; the difference is reported without a line
            continue
        if eager and other and _shows(eager[0], other[0], difference):
            return _first_difference(eager[1], other[1], work.request.file)
    return None


def _shows(eager: CallOutcome, other: CallOutcome, difference: ReportedDifference) -> bool:
    return any(path == difference.path for path, *_ in outcomes.compared(eager, other))


def _recorded(
    work: _Verification, way: Way, compared: Way, difference: ReportedDifference, after_blocks: bool
) -> tuple[CallOutcome, list[tuple[probes.Key, Any]]] | None:
    """The outcome of the call that differs, and what the probes saw during it."""
    ready = work.start()
    callee = ways.callee_of(ready.subject)
    if callee.function is None:
        return None
    work.progress(f"looking for the line at which {compared} differs")
    recorder = probes.ProbeRecorder(work.tf, as_results=way == XLA)
    text = probes.source_with_probes(callee.function, after_blocks)
    file = f"<{work.request.function} with probes>"
    function = ways.function_from(text, callee.function, file, recorder.names())
    callee = replace(callee, call=callee.with_function(function), function=function)
    if way == EJECTED:
        call = ways.made(way, ready.subject, callee, _specs(ready), work.tf)
    else:
        inner = recorder.returning(callee.call) if way == XLA else callee.call
        call = ways.made(way, ready.subject, replace(callee, call=inner), [], work.tf)
    _build(work, ready, callee)
    for number, given in enumerate(_calls(work, ready), 1):
        recorder.seen.clear()
        outcomes.seed(number - 1, work.tf)
        outcome = _called(work, ready, callee, call, given)
        if way == XLA and outcome.error is None:
            outcome.result, values = outcome.result
            recorder.take(values)
        if number == difference.call:
            return outcome, recorder.seen[:_MOST_EVENTS]
    return None


def _first_difference(
    eager: list[tuple[probes.Key, Any]], other: list[tuple[probes.Key, Any]], file: str
) -> DifferentLine | None:
    common = {key for key, _ in eager} & {key for key, _ in other}
    ours = [each for each in eager if each[0] in common]
    theirs = [each for each in other if each[0] in common]
    visits = dict[probes.Key, int]()
    for (key, value), (other_key, instead) in zip(ours, theirs, strict=False):
        visits[key] = visits.get(key, 0) + 1
        if key != other_key:
            return None
        found = next(differences(value, instead, key[1]), None)
        if found is not None:
            return _different_line(key, found, visits[key], file)
    return None


def _different_line(key: probes.Key, found: Found, visit: int, file: str) -> DifferentLine:
    line, _, when = key
    path, value, instead = found
    text = line_text(file, line)
    name = f"{path} after it" if when else path
    return DifferentLine(line - 1, text, name, value, instead, visit)
