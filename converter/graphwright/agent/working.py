"""What the agent does for a request, step by step: import, find, evaluate, then trace, time, run or verify.

Each step is told before it begins, so that whoever ends the agent can say where it was.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from . import arguments, enclosed, graphs, loading, measuring, subjects, tracing, verifying
from .arguments import EvaluatedArguments
from .verifying import Prepared
from .wire import RUN, TIME, TRACE, VERIFY, AgentReport, AgentRequest, ReportedEnvironment

SHARE = 0.25
"""The share of the allowed time that measuring takes, and the most seconds."""
LONGEST = 4.0


@dataclass
class StepReporter:
    """Tells the steps, and when the user's code begins; `last` is the step that is under way."""

    tell: Callable[[str], None]
    begun: Callable[[], None]
    last: str = "starting"
    tensorflow: str = ""
    notes: list[str] = field(default_factory=list[str])

    def __call__(self, step: str) -> None:
        self.last = step
        self.tell(step)


def work(request: AgentRequest, progress: StepReporter, began: float) -> AgentReport:
    """The report on a request; whatever goes wrong is raised."""
    tf = _tensorflow(progress)
    loading.prepare(request.texts, request.libraries)
    progress.begun()
    parts: dict[str, Any]
    if request.action == VERIFY:
        parts = {"ways": verifying.verify(request, progress, lambda: prepared(request, progress, tf), tf)}
    else:
        parts = _parts(request, progress, prepared(request, progress, tf), tf)
    return AgentReport(
        ok=True,
        function=request.function,
        file=request.file,
        action=request.action,
        environment=environment(progress.tensorflow),
        seconds=time.perf_counter() - began,
        notes=tuple(dict.fromkeys(progress.notes)),
        **parts,
    )


def prepared(request: AgentRequest, progress: StepReporter, tf: Any) -> Prepared:
    """The module, imported; the function in it; the values of its arguments."""
    module = _imported(request.file, progress)
    texts = arguments.sets(request.arguments)
    names = {"tf": tf, "np": importlib.import_module("numpy"), **vars(module)}
    given = [arguments.evaluate(text, names) for text in texts]
    progress(f"looking for {request.function}")
    is_enclosed = enclosed.is_enclosed(request.function)
    outer = _taken(given, enclosed.outer_names(module, request.function) if is_enclosed else ("self",))
    subject = subjects.find(module, request.function, outer.get("self", subjects.NO_RECEIVER), outer)
    if subject.note:
        progress.notes.append(subject.note)
    graph = subject.graph if subject.graph is not None else tf.function(subject.call)
    for each in given:
        signed = getattr(graph, "input_signature", None) is not None
        arguments.check(
            each, subject.graph.python_function if subject.graph else subject.call, request.function, signed
        )
    return Prepared(module, subject, graph, given)


def _imported(file: str, progress: StepReporter) -> ModuleType:
    """The module; if its own code raises, a note says that the function asked for wasn't reached."""
    name = os.path.basename(file)
    progress(f"importing {name}")
    try:
        return loading.import_module(file)
    except (ImportError, SyntaxError, loading.Missing):
        raise
    except Exception:
        progress.notes.append(
            f"{name} raised this while it was imported. "
            'Put calls that it should make only as a script under `if __name__ == "__main__":`.'
        )
        raise


def _parts(request: AgentRequest, progress: StepReporter, ready: Prepared, tf: Any) -> dict[str, Any]:
    subject, graph, given = ready.subject, ready.graph, ready.given
    if request.action == TRACE:
        progress(f"tracing {request.function}")
        traced = tracing.trace(subject, graph, given)
        progress("reading the graph")
        return {"traces": tuple(traced.traces), "graph": graphs.graph_of(traced.first.graph)}
    parameters = arguments.parameter_names(subject.call)
    concrete = arguments.all_made_up(arguments.signed(given[0], graph), parameters, tf, progress.notes)
    if request.action == TIME:
        progress(f"timing {request.function}")
        value, times = measuring.measured(graph, concrete, tf, min(LONGEST, request.timeout * SHARE))
        return {"times": times, "result": measuring.shown(value)}
    assert request.action == RUN
    progress(f"running {request.function}")
    call = subject.graph if subject.graph is not None else subject.call
    return {"result": measuring.shown(call(*concrete.positional, **concrete.named))}


def _taken(given: list[EvaluatedArguments], names: tuple[str, ...]) -> dict[str, Any]:
    """What is given that is no argument, but an instance or what a function reads of those around it."""
    return {name: each.named.pop(name) for each in reversed(given) for name in names if name in each.named}


def _tensorflow(progress: StepReporter) -> Any:
    progress("importing tensorflow")
    if importlib.util.find_spec("tensorflow") is None:
        raise loading.Missing(f"TensorFlow isn't installed in {sys.executable}.")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    tf: Any = importlib.import_module("tensorflow")
    progress.tensorflow = str(getattr(tf, "__version__", "?"))
    return tf


def environment(tensorflow: str) -> ReportedEnvironment:
    return ReportedEnvironment(platform.python_version(), tensorflow, sys.executable)
