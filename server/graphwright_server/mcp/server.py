"""The tools that the server offers: their descriptions, arguments and results, and the thread that answers.

What they return is made by `results`, `places` and `tracing`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
import graphwright_analysis as analysis
from graphwright.agent import wire
from graphwright_analysis import immutable
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from graphwright_server import agent, analysis_log, garbage

from . import places, results, tracing
from .results import ChangesResult, CheckResult, Page
from .skill import tool_descriptions
from .workspace import FileFinding, RefusedRequest, Workspace

INSTRUCTIONS = (
    "Graphwright analyzes TensorFlow code without running it: what happens to Python inside tf.function, which "
    "branches and loops become part of the graph, what raises while tracing, what retraces. Call check once, and "
    "check_changes after each edit. Paths are relative to {root}."
)
MOST_FINDINGS = 200
_PROGRESS_EVERY = 0.5

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_RUNS = ToolAnnotations(read_only_hint=False, open_world_hint=True)
_Answer = TypeVar("_Answer")
_Paths = Annotated[list[str], Field(description="Files and folders, relative to the root", max_length=1000)]
_File = Annotated[str, Field(description="A Python file, relative to the root")]
_Function = Annotated[str, Field(description="A function, such as `train_step` or `Model.call`")]
_Specs = Annotated[
    str | None,
    Field(
        description="Arguments, such as 'x=tf.TensorSpec([None, 3], tf.float32), n=3'; ';' separates calls. "
        "Without it, the arguments that the analysis infers"
    ),
]
_Limit = Annotated[int, Field(ge=1, le=MOST_FINDINGS)]
_Offset = Annotated[int, Field(ge=0)]
_Lowest = Annotated[
    Literal["error", "warning", "information", "hint"], Field(description="Leave out findings that matter less")
]
_SEVERITIES = {each.label: each for each in analysis.Severity}


@dataclass
class _Work:
    """A request in the thread that answers it; `cancelled` is set when nobody waits any more."""

    context: Context[Any, Any]
    cancelled: threading.Event = field(default_factory=threading.Event)
    _reported: float = field(default_factory=time.monotonic)
    _steps: int = 0

    def progress(self, done: int, total: int) -> None:
        """Tell the client how many files are done, twice a second at most."""
        if self.cancelled.is_set():
            raise analysis.Cancelled
        if time.monotonic() - self._reported > _PROGRESS_EVERY:
            self._reported = time.monotonic()
            anyio.from_thread.run(self.context.report_progress, done, total, f"{done} of {total} files")

    def step(self, step: str) -> None:
        """Tell the client what the agent does."""
        self._steps += 1
        anyio.from_thread.run(self.context.report_progress, self._steps, None, step)


@dataclass
class Tools:
    """The functions behind the tools; one request at a time uses the workspace."""

    root: Path
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _workspace: Workspace | None = None

    async def check(
        self,
        context: Context[Any, Any],
        paths: _Paths = ["."],  # noqa: B006
        lowest: _Lowest = "warning",
        fixes: Annotated[bool, Field(description="Include fixes as lines to replace")] = True,
        limit: _Limit = 30,
        offset: _Offset = 0,
    ) -> Annotated[CallToolResult, CheckResult]:
        def answer(workspace: Workspace, work: _Work) -> CheckResult:
            files = workspace.check([workspace.checkable(path) for path in paths], work.progress)
            found = _at_least(lowest, workspace.findings(files))
            page = Page(offset, limit)
            shown = tuple(results.finding_of(workspace, each, fixes) for each in page.of(found))
            problems = tuple(results.problems_of(workspace, files))
            checked = sum(path not in workspace.unreadable for path in files)
            return CheckResult(shown, len(found), page.following(found), checked, problems)

        return await self._answer(context, answer, results.check_text)

    async def check_changes(
        self,
        context: Context[Any, Any],
        lowest: _Lowest = "warning",
        fixes: Annotated[bool, Field(description="Include fixes as lines to replace")] = True,
        limit: _Limit = 30,
        wait: Annotated[bool, Field(description="Also check every file that imports changed ones")] = False,
    ) -> Annotated[CallToolResult, ChangesResult]:
        def answer(workspace: Workspace, work: _Work) -> ChangesResult:
            changes = workspace.check_changed(work.progress, wait)
            before, after = _at_least(lowest, changes.before), _at_least(lowest, changes.after)
            return results.changes_of(workspace, replace(changes, before=before, after=after), fixes, limit)

        return await self._answer(context, answer, results.changes_text)

    async def explain(
        self,
        context: Context[Any, Any],
        rule: Annotated[str, Field(description="A rule or a family; empty lists all rules")] = "",
    ) -> Annotated[CallToolResult, places.Explanation]:
        return await self._answer(context, lambda workspace, work: places.explanation_of(rule), places.explanation_text)

    async def coverage(
        self,
        context: Context[Any, Any],
        paths: _Paths = ["."],  # noqa: B006
        limit: _Limit = 30,
        offset: _Offset = 0,
    ) -> Annotated[CallToolResult, places.CoverageResult]:
        def answer(workspace: Workspace, work: _Work) -> places.CoverageResult:
            files = [workspace.checkable(path) for path in paths]
            return places.coverage_of(workspace, files, Page(offset, limit), work.progress)

        return await self._answer(context, answer, places.coverage_text)

    async def facts(
        self,
        context: Context[Any, Any],
        path: _File,
        line: Annotated[int, Field(ge=1, description="From 1")],
        name: Annotated[str | None, Field(description="Only this name or keyword on the line")] = None,
        limit: _Limit = 30,
        offset: _Offset = 0,
    ) -> Annotated[CallToolResult, places.FactsResult]:
        def answer(workspace: Workspace, work: _Work) -> places.FactsResult:
            return places.facts_of_line(workspace, workspace.file(path), line, name, Page(offset, limit))

        return await self._answer(context, answer, places.facts_text)

    async def convert(
        self, context: Context[Any, Any], path: _File, function: _Function
    ) -> Annotated[CallToolResult, places.GraphCode]:
        def answer(workspace: Workspace, work: _Work) -> places.GraphCode:
            return places.graph_code(workspace, workspace.file(path), function, "graphwright")

        return await self._answer(context, answer, places.graph_code_text)

    async def eject(
        self, context: Context[Any, Any], path: _File, function: _Function
    ) -> Annotated[CallToolResult, places.GraphCode]:
        def answer(workspace: Workspace, work: _Work) -> places.GraphCode:
            return places.graph_code(workspace, workspace.file(path), function, "tensorflow")

        return await self._answer(context, answer, places.graph_code_text)

    async def trace(
        self,
        context: Context[Any, Any],
        path: _File,
        function: _Function,
        specs: _Specs = None,
        action: Annotated[
            Literal["trace", "time", "run"], Field(description="Trace only, time eager against graph, or run once")
        ] = "trace",
        timeout: Annotated[float, Field(gt=0, le=600, description="Seconds")] = 60.0,
    ) -> Annotated[CallToolResult, tracing.TracedByTensorFlow]:
        actions: dict[str, wire.AgentAction] = {"trace": wire.TRACE, "time": wire.TIME, "run": wire.RUN}

        def answer(workspace: Workspace, work: _Work) -> tracing.TracedByTensorFlow:
            request = tracing.TraceRequest(workspace.file(path), function, specs, actions[action], timeout)
            listener = agent.Listener(work.step, cancelled=work.cancelled, waiting=work.step)
            return tracing.trace(workspace, request, listener)

        return await self._answer(context, answer, tracing.trace_text)

    async def verify(
        self,
        context: Context[Any, Any],
        path: _File,
        function: _Function,
        specs: _Specs = None,
        ways: Annotated[
            list[wire.Way], Field(description="Only these ways; each of them then has to run", max_length=5)
        ] = [],  # noqa: B006
        gradients: Annotated[bool, Field(description="Also compare the gradients of floats in the result")] = False,
        timeout: Annotated[float, Field(gt=0, le=600, description="Seconds")] = 60.0,
    ) -> Annotated[CallToolResult, tracing.VerifiedFunction]:
        def answer(workspace: Workspace, work: _Work) -> tracing.VerifiedFunction:
            compared: tuple[wire.Way, ...] = tuple(each for each in dict.fromkeys(ways) if each != wire.EAGER)
            request = tracing.VerifyRequest(workspace.file(path), function, specs, compared, gradients, timeout)
            return tracing.verify(workspace, request, agent.Listener(cancelled=work.cancelled))

        return await self._answer(context, answer, tracing.verify_text)

    async def _answer(
        self,
        context: Context[Any, Any],
        answer: Callable[[Workspace, _Work], _Answer],
        text: Callable[[_Answer], str],
    ) -> CallToolResult:
        """Answer in a thread, so that a cancellation is heard; errors become text that says what to do."""
        work = _Work(context)
        try:
            found = await anyio.to_thread.run_sync(self._locked, answer, work, abandon_on_cancel=True)
        finally:
            work.cancelled.set()
        if isinstance(found, _Failed):
            raise ToolError(found.message)
        plain = asdict(found)  # pyright: ignore[reportArgumentType]
        return CallToolResult(content=[TextContent(type="text", text=text(found))], structured_content=plain)

    def _locked(self, answer: Callable[[Workspace, _Work], _Answer], work: _Work) -> _Answer | _Failed:
        with self._lock:
            try:
                if self._workspace is None:
                    self._workspace = Workspace(self.root)
                self._workspace.refresh_settings()
                with self._workspace.project.sources.cancelled_when(work.cancelled.is_set):
                    return answer(self._workspace, work)
            except analysis.Cancelled:
                return _Failed("cancelled")
            except RefusedRequest as error:
                return _Failed(str(error))
            except analysis.Unreadable as error:
                return _Failed(f"{Path(error.path).name} {error.reason}")
            except analysis.SettingsError as error:
                return _Failed(f"Correct the settings first: {error}")
            finally:
                garbage.look(garbage.AT_LAST)


@immutable(slots=False)
class _Failed:
    """Why a request has no result."""

    message: str


def _at_least(lowest: str, found: Iterable[FileFinding]) -> tuple[FileFinding, ...]:
    return tuple(each for each in found if each.diagnostic.severity <= _SEVERITIES[lowest])


def server_of(root: Path, allow_run: bool) -> MCPServer[Any]:
    """The server with its tools; those that run code are among them only if that is allowed."""
    tools = Tools(root)
    server = MCPServer(
        "graphwright", instructions=INSTRUCTIONS.format(root=root), version=analysis.__version__, log_level="WARNING"
    )
    texts = tool_descriptions()
    for function in (
        *(tools.check, tools.check_changes, tools.explain, tools.coverage, tools.facts, tools.convert, tools.eject),
        *(running := [tools.trace, tools.verify] if allow_run else []),
    ):
        runs = function in running
        server.add_tool(function, description=texts[function.__name__], annotations=_RUNS if runs else _READS)
    return server


def serve(root: Path, allow_run: bool) -> None:
    """Answer over standard input and output until the client closes them."""
    analysis_log.listen()
    garbage.look_between()
    server_of(root, allow_run).run("stdio")
