"""The tools that run the user's code, if allowed: they trace or verify a function in a process of its own."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

import graphwright_analysis as analysis
from graphwright.agent import wire
from graphwright_analysis import immutable

from graphwright_server import agent, verification
from graphwright_server.environments import environment_of
from graphwright_server.graph_lines import size_text

from .results import shortened
from .workspace import RefusedRequest, Workspace

MOST_OPERATIONS = 30


@immutable(slots=False)
class TracedByTensorFlow:
    """What TensorFlow did: the traces with the cause of each, the graph's operations, times, or the error."""

    ok: bool
    path: str
    function: str
    arguments: str
    environment: str
    error: str | None
    error_places: tuple[str, ...]
    traces: tuple[str, ...]
    graph: str | None
    operations: dict[str, int]
    eager_seconds: float | None
    graph_seconds: float | None
    result: str | None
    output: str
    notes: tuple[str, ...]


@immutable(slots=False)
class TraceRequest:
    """A function, its arguments, and whether to trace, time or run it."""

    path: str
    function: str
    specs: str | None
    action: wire.AgentAction
    timeout: float


def trace(workspace: Workspace, request: TraceRequest, listener: agent.Listener) -> TracedByTensorFlow:
    """Trace a function in the user's Python."""
    arguments = request.specs if request.specs is not None else _inferred(workspace, request)
    interpreter = environment_of([workspace.root]).executable
    work = wire.AgentRequest(request.path, request.function, arguments, request.action, request.timeout)
    report = agent.run(agent.Job(work, interpreter, str(workspace.root)), listener)
    return result_of(workspace, report, arguments)


@immutable(slots=False)
class VerifyRequest:
    """A function, its arguments, and what to compare."""

    path: str
    function: str
    specs: str | None
    ways: tuple[wire.Way, ...]
    gradients: bool
    timeout: float


@immutable(slots=False)
class ComparedWay:
    """A way to run a function, and in words where its results differ from eager code's, or why it can't run."""

    way: str
    agreement: str
    details: tuple[str, ...]


@immutable(slots=False)
class VerifiedFunction:
    """Whether the ways to run a function give what eager code gives."""

    ok: bool
    path: str
    function: str
    arguments: str
    error: str | None
    ways: tuple[ComparedWay, ...]
    notes: tuple[str, ...]


def verify(workspace: Workspace, request: VerifyRequest, listener: agent.Listener) -> VerifiedFunction:
    """Compare the ways to run a function in the user's Python; `ok` if none differs."""
    arguments = request.specs if request.specs is not None else _inferred(workspace, request)
    work = wire.AgentRequest(
        request.path,
        request.function,
        arguments,
        wire.VERIFY,
        request.timeout,
        ways=request.ways or wire.COMPARED,
        gradients=request.gradients,
    )
    interpreter = environment_of([workspace.root]).executable
    report = verification.verify(agent.Job(work, interpreter, str(workspace.root)), listener)
    return VerifiedFunction(
        ok=verification.is_equal(report, request.ways),
        path=workspace.shown(report.file),
        function=report.function,
        arguments=arguments,
        error=report.error and shortened(f"{report.error.type}: {report.error.message}"),
        ways=tuple(
            ComparedWay(each.way, each.agreement, tuple(verification.way_lines(each, report.file)))
            for each in report.ways
        ),
        notes=report.notes,
    )


def verify_text(result: VerifiedFunction) -> str:
    """The comparison as text."""
    lines = [f"{result.path}::{result.function}({result.arguments})", *filter(None, [result.error])]
    for each in result.ways:
        lines.append(f"{each.way}: {each.agreement}")
        lines += [f"  {line}" for line in each.details]
    return "\n".join([*lines, *result.notes])


def trace_text(result: TracedByTensorFlow) -> str:
    """The result as text."""
    return "\n".join(_parts(result))


def _inferred(workspace: Workspace, request: TraceRequest | VerifyRequest) -> str:
    found = analysis.specs_by_name(workspace.project, request.path, request.function)
    if found is None:
        names = ", ".join(analysis.function_names(workspace.project, request.path)) or "none"
        raise RefusedRequest(f"{workspace.shown(request.path)} has no function {request.function}. Functions: {names}.")
    if not found.complete:
        raise RefusedRequest(
            f"The arguments aren't all known. Pass specs, with a value for each `...`: {found.arguments!r}; "
            "for example x=tf.TensorSpec([None, 3], tf.float32)."
        )
    return found.arguments


def result_of(workspace: Workspace, report: wire.AgentReport, arguments: str) -> TracedByTensorFlow:
    """A report as the agent's client is answered."""
    error, graph, times, known = report.error, report.graph, report.times, report.environment
    prefix = f"{workspace.root}/"
    frames = () if error is None else tuple(reversed(error.frames))
    return TracedByTensorFlow(
        ok=report.ok,
        path=workspace.shown(report.file),
        function=report.function,
        arguments=arguments,
        environment=f"TensorFlow {known.tensorflow}, Python {known.python}" if known.tensorflow else known.executable,
        error=None if error is None else shortened(f"{error.type}: {error.message}"),
        error_places=tuple(f"{each.file.removeprefix(prefix)}:{each.line + 1}: {each.text}" for each in frames),
        traces=tuple(": ".join(filter(None, [each.signature, each.cause])) for each in report.traces),
        graph=None if graph is None else size_text(graph),
        operations={each.type: each.count for each in (graph.operations if graph else ())[:MOST_OPERATIONS]},
        eager_seconds=statistics.median(times.eager) if times and times.eager else None,
        graph_seconds=statistics.median(times.graph) if times and times.graph else None,
        result=report.result and shortened(f"{report.result.spec}\n{report.result.text}".strip()),
        output=shortened(report.output),
        notes=report.notes,
    )


def _parts(result: TracedByTensorFlow) -> Iterator[str]:
    yield f"{result.path}::{result.function}({result.arguments})  {result.environment}"
    if result.error is not None:
        yield result.error
        yield from (f"  {place}" for place in result.error_places)
    yield from (f"trace {number}: {each}" for number, each in enumerate(result.traces, 1))
    if result.graph is not None:
        yield f"graph{' of trace 1' * (len(result.traces) > 1)}: {result.graph}"
    if result.operations:
        yield "operations: " + ", ".join(f"{kind} {count}" for kind, count in result.operations.items())
    if result.eager_seconds is not None and result.graph_seconds is not None:
        yield f"eager {result.eager_seconds:.3g} s, graph {result.graph_seconds:.3g} s (medians)"
    if result.result is not None:
        yield f"result: {result.result}"
    if result.output:
        yield f"printed:\n{result.output}"
    yield from result.notes
