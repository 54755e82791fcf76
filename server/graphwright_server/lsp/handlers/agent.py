"""Tracing, timing and running on demand: the user's code runs in another process, and only in a trusted workspace.

How that process is started and bounded is in `graphwright_server.agent`.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import graphwright_analysis as analysis
from graphwright.agent import wire
from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams

from graphwright_server import agent, pictures
from graphwright_server.environments import Environment, environment_of
from graphwright_server.keepers import IDLE, Keepers
from graphwright_server.lsp import cell_runs
from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import offset_of, place_in
from graphwright_server.lsp.notebooks import CellView
from graphwright_server.lsp.output_log import OutputLog
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import LspConverter

SPECS, TRACE = "graphwright/specs", "graphwright/trace"

_log = logging.getLogger(__name__)

_UNTRUSTED = "Code runs only in trusted workspaces, and the client hasn't marked this one as trusted."
_NO_TENSORFLOW = "TensorFlow isn't installed for {}. Select an interpreter that has it."
_UNNAMED = "Graphwright traces, times and runs functions of files and notebooks only. Save this document first."
_NO_PYTHON = "This isn't Python: put the cursor in a function of a Python file or cell."
_NOT_OPEN = "The server doesn't know this document. Close and open it, or restart the server, then try again."


async def specs(session: Session, params: Any) -> dict[str, Any] | None:
    """What the function at a place is called with, and what is in the way; meanwhile TensorFlow is imported."""
    document = _file(session, params)
    found = await _specs(session, params)
    if found is None:
        return None
    environment = await session.worker.answer(partial(_environment, session, params, document))
    if environment.tensorflow and session.client.trusted and not session.agents.locked():
        _set_idle(session, session.agent_settings(document))
        _warm(session, environment.executable, _folder(session, document))
    parameters = [{"name": each.name, "spec": each.spec} for each in (*found.outer, *found.parameters)]
    missing = None if environment.tensorflow else _NO_TENSORFLOW.format(environment.executable)
    return {"function": found.function, "parameters": parameters, "arguments": found.arguments, "problem": missing}


async def trace(session: Session, params: Any) -> dict[str, Any]:
    """The report on a trace, a timing or a run."""
    if not session.client.trusted:
        raise JsonRpcInvalidParams(_UNTRUSTED)
    document = _file(session, params)
    found = await _specs(session, params)
    name = _text(params, "function") or (found.function if found else None)
    if name is None:
        raise JsonRpcInvalidParams("There's no function here.")
    job = _job(session, params, document, name, found)
    output = OutputLog(name)
    listener = agent.Listener(output=output.add)
    with _JobProgress(session, getattr(params, "workDoneToken", None), name, listener):
        async with session.agents:
            report = await _in_thread(job, listener, session.keepers)
            output.end()
    if isinstance(document, CellView):
        report = cell_runs.in_cells(report, document.program, document.program.line_of(_start(document, found)))
    return wire.as_json(await _with_picture(session, report))


def _start(document: Document, found: analysis.Specs | None) -> int:
    """Where the function is, or else where it was asked for."""
    return found.range.start if found is not None else document.lines.starts[0]


async def _with_picture(session: Session, report: wire.AgentReport) -> wire.AgentReport:
    texts = {each.key: each.text for each in session.snapshot.documents.values()}
    for notebook in session.snapshot.notebooks.values():
        texts |= cell_runs.cell_texts(notebook.program)
    return replace(report, svg=await session.worker.answer(partial(pictures.picture_of, report, texts)))


def after_crash(session: Session, params: Any) -> None:
    """Raise what a client shows its user, who waits for an answer."""
    raise JsonRpcInternalError("This failed because of a bug in Graphwright. Its log says where.")


async def _specs(session: Session, params: Any) -> analysis.Specs | None:
    place, name = place_in(params), _text(params, "function")

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> analysis.Specs | None:
        if name is not None:
            return analysis.specs_by_name(project, document.key, name)
        if place is None:
            return None
        return analysis.parameter_specs(
            project, document.key, offset_of(place[1], document.lines, session.client.encoding)
        )

    return await session.ask(_uri(params), question)


def _file(session: Session, params: Any) -> Document:
    """The open file or cell that a request is about; raises where it's about anything else."""
    uri = _uri(params)
    document = session.snapshot.document(uri)
    if document is None:
        others = (cell.uri for each in session.snapshot.notebooks.values() for cell in each.cells)
        raise JsonRpcInvalidParams(_NO_PYTHON if uri in others else _NOT_OPEN)
    if not document.is_file and not document.is_cell:
        raise JsonRpcInvalidParams(_UNNAMED)
    return document


def _uri(params: Any) -> str:
    uri = getattr(getattr(params, "textDocument", None), "uri", None)
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("There is no text document.")
    return uri


def _text(params: Any, name: str) -> str | None:
    """What is given under a name, if that is a text."""
    given = getattr(params, name, None)
    return given if isinstance(given, str) else None


def _number(params: Any, name: str) -> float | None:
    given = getattr(params, name, None)
    return given if isinstance(given, (int, float)) else None


def _job(session: Session, params: Any, document: Document, name: str, found: analysis.Specs | None) -> agent.Job:
    settings = session.agent_settings(document)
    given = _text(params, "arguments")
    arguments = given if given is not None else found.arguments if found else ""
    request = _request(session, params, wire.AgentRequest(document.key, name, arguments), settings)
    job = agent.Job(request, _environment(session, params, document).executable, _folder(session, document))
    if isinstance(document, CellView):
        text = cell_runs.text_up_to(document.program, found.range.start if found is not None else None)
        request = replace(request, texts={**request.texts, document.key: text})
        job = replace(job, request=request, line_words=partial(cell_runs.line_words, document.program))
    memory = int(_number(params, "memory") or settings.get("memory") or agent.MEMORY)
    _set_idle(session, settings)
    return replace(job, memory=memory)


def _folder(session: Session, document: Document) -> str:
    root = session.snapshot.root_of(document)
    return str(root) if root is not None else os.path.dirname(document.key) or os.path.expanduser("~")


def _environment(session: Session, params: Any, document: Document) -> Environment:
    """Return the environment that runs the code of a document."""
    chosen = _text(params, "interpreter") or session.interpreter or session.agent_settings(document).get("interpreter")
    return environment_of(session.snapshot.folders, str(chosen) if chosen else None)


def _set_idle(session: Session, settings: Mapping[str, Any]) -> None:
    """Set after how many minutes without a request a process ends; a change counts for the next one."""
    minutes = settings.get("keepWarm")
    session.keepers.idle = IDLE
    if isinstance(minutes, (int, float)) and minutes >= 0:
        session.keepers.idle = float(minutes) * 60


def _warm(session: Session, interpreter: str, folder: str) -> None:
    threading.Thread(target=session.keepers.warm, args=(interpreter, folder), daemon=True).start()


def _request(
    session: Session, params: Any, request: wire.AgentRequest, settings: Mapping[str, Any]
) -> wire.AgentRequest:
    """The request with what is to be done, how long, and on which texts."""
    action = _text(params, "action") or wire.TRACE
    if action not in wire.ACTIONS:
        raise JsonRpcInvalidParams(f"There is no action {action!r}: it is one of {', '.join(wire.ACTIONS)}.")
    return replace(
        request,
        action=action,
        timeout=float(_number(params, "timeout") or settings.get("timeout") or agent.TIMEOUT),
        texts={
            each.key: each.text
            for each in session.snapshot.documents.values()
            if (each.is_python or each.key == request.file) and _is_unsaved(each)
        },
    )


def _is_unsaved(document: Document) -> bool:
    """Whether Python would read something else on the disk, or nothing."""
    try:
        saved = analysis.decode_source(analysis.read_bytes(document.key)).text
        return _plain_ends(saved) != _plain_ends(document.text)
    except (analysis.Unreadable, SyntaxError, LookupError):
        return True


def _plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


async def _in_thread(job: agent.Job, listener: agent.Listener, keepers: Keepers) -> wire.AgentReport:
    """The report, made in a thread of its own; cancelling ends the process and waits for its end."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[wire.AgentReport] = loop.create_future()

    def finish(set_outcome: Callable[[Any], None], outcome: object) -> None:
        if not done.done():
            set_outcome(outcome)

    def work() -> None:
        try:
            report = agent.run(job, listener, keepers)
        except Exception as error:  # else the client would wait without end
            loop.call_soon_threadsafe(finish, done.set_exception, error)
        else:
            loop.call_soon_threadsafe(finish, done.set_result, report)

    threading.Thread(target=work, daemon=True).start()
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        listener.cancelled.set()
        await asyncio.wait([done], timeout=5)
        raise


class _JobProgress:
    """Tells a client that gave a token of the steps of a job, from where it begins until it ends for any reason.

    The client can cancel the job by the token as well.
    """

    def __init__(self, session: Session, token: Any, name: str, listener: agent.Listener) -> None:
        self._session = session
        self._token = token
        self._name = name
        self._listener = listener
        listener.progress, listener.waiting = self._step, self._waiting
        self._tokens: dict[Any, Any] = vars(session.server.work_done_progress)["tokens"]

    def __enter__(self) -> None:
        if self._token is not None:
            wish: concurrent.futures.Future[None] = concurrent.futures.Future()
            wish.add_done_callback(lambda wish: self._listener.cancelled.set())
            self._tokens[self._token] = wish
        self._send(types.WorkDoneProgressBegin(title=f"Graphwright: {self._name}", cancellable=True))

    def __exit__(self, *_: object) -> None:
        self._tokens.pop(self._token, None)
        self._send(types.WorkDoneProgressEnd())
        self._token = None

    def _step(self, step: str) -> None:
        """For the agent's thread."""
        _log.info("%s: %s", self._name, step)
        self._waiting(step)

    def _waiting(self, step: str) -> None:
        """The same for a step that is under way."""
        self._session.worker.in_loop(self._send, types.WorkDoneProgressReport(message=step, cancellable=True))

    def _send(self, value: Any) -> None:
        if self._token is not None:
            self._session.server.progress(types.ProgressParams(self._token, value))
