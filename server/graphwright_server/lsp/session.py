"""The state of one client's connection: its documents, its capabilities, and access to the analysis.

Lives in the message loop's thread; the handlers are in `handlers/`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import graphwright_analysis as analysis
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from graphwright_server.environments import packages_of
from graphwright_server.keepers import IDLE, Keepers

from .changes import ChangeCounter
from .checking_process import CheckingProcess
from .client import Client
from .documents import Document
from .live_traces import LiveTraces
from .notebooks import Notebook
from .preferences import Preferences, preferences_of
from .projects import Projects, other_file
from .snapshots import Snapshot
from .to_lsp import LspConverter
from .worker import Worker
from .workspace_files import WorkspaceFiles

_log = logging.getLogger(__name__)

Result = TypeVar("Result")

# How long the first answers wait for the client's configuration.
_PATIENCE = 2.0
# How long something else has the thread before an interrupted question is asked again.
_AGAIN = 0.1


class Session:
    """One connection."""

    def __init__(self, server: LanguageServer, leave: Callable[[], None]) -> None:
        self.server = server
        self.leave = leave
        self.client = Client()
        self.snapshot = Snapshot()
        # The Python that the client's user chose for their code, if they chose one.
        self.interpreter: str | None = None
        self.agents = asyncio.Lock()  # one agent at a time: each may take gigabytes
        self.keepers = Keepers(IDLE)
        self.worker = Worker("analysis")
        # Waits for the process that checks what nobody has open.
        self.apart = Worker("apart")
        self.checking = CheckingProcess()
        # What needs text alone, and may take long, doesn't keep the analysis waiting.
        self.previews = Worker("previews")
        self.live_traces = LiveTraces()
        self.reports: dict[str, tuple[str, list[types.Diagnostic]]] = {}
        # What was pushed last for each cell of a notebook, with its version.
        self.published: dict[str, tuple[int, list[types.Diagnostic]]] = {}
        self.workspace_files = WorkspaceFiles()
        # Whether the client was told of the whole workspace at least once.
        self.told_workspace = False
        # Whether diagnostics are registered with those of the whole workspace; None before they are at all.
        self.registered_whole: bool | None = None
        self.registering = asyncio.Lock()
        self.changes = ChangeCounter()
        # By folder the file with settings that was told of because they cannot be used.
        self.bad_settings: dict[Path | None, str] = {}
        # What the client says has changed on the disk, until that is looked at.
        self.changed_on_disk: dict[str, types.FileChangeType] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        # Called with a folder and what is wrong with its settings, if anything is.
        self.judge_settings: Callable[[Path | None, analysis.SettingsError | None], None] = lambda root, error: None
        self._projects = Projects(self.packages_of, partial(self.worker.in_loop, self.complain), self._judge)
        self._configured = asyncio.Event()
        self._complaints: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, document: Document) -> None:
        """Store a new document, or a new version of one."""
        self._set_documents({**self.snapshot.documents, document.uri: document})

    def drop(self, uri: str) -> None:
        """Remove a closed document."""
        self.reports.pop(uri, None)
        self._set_documents({key: value for key, value in self.snapshot.documents.items() if key != uri})

    def put_notebook(self, notebook: Notebook) -> None:
        """Store a new notebook, or a new version of one."""
        self._set_notebooks({**self.snapshot.notebooks, notebook.uri: notebook})

    def drop_notebook(self, uri: str) -> None:
        """Remove a closed notebook."""
        for cell in self.snapshot.notebooks[uri].cells:
            self.reports.pop(cell.uri, None)
        self._set_notebooks({key: value for key, value in self.snapshot.notebooks.items() if key != uri})

    def set_folders(self, folders: tuple[Path, ...]) -> None:
        self.snapshot = dataclasses.replace(self.snapshot, folders=folders)
        self.files_came_or_went()

    def set_configuration(self, configuration: Mapping[Path | None, Mapping[str, Any]]) -> None:
        """Store the client's configuration, by folder."""
        self.snapshot = dataclasses.replace(self.snapshot, configuration=configuration)
        self.forget_settings()

    def agent_settings(self, document: Document) -> Mapping[str, Any]:
        """The client's configuration of the agent for a document, and the interpreter."""
        configured, root = self.snapshot.configuration, self.snapshot.root_of(document)
        tables = [configured.get(None) or {}, (configured.get(root) if root else None) or {}]
        settings: dict[str, Any] = {}
        for table in tables:
            settings |= {"interpreter": table["interpreter"]} if table.get("interpreter") else {}
            settings |= table.get("agent") or {}
        return settings

    def forget_settings(self) -> None:
        """Read all settings again before the next answer."""
        self._complaints.clear()
        generation = self.snapshot.settings_generation + 1
        self.snapshot = dataclasses.replace(self.snapshot, settings_generation=generation)
        self.changes.note()

    def files_came_or_went(self) -> None:
        """List the workspace's files again, and resolve imports again."""
        self.workspace_files.listings += 1
        self.changes.note()

    @property
    def checks_open_files_only(self) -> bool:
        """True unless the user, or the client itself, requests findings for closed files."""
        mode = self.snapshot.configuration.get(None, {}).get("diagnosticMode")
        return mode != "workspace" if self.client.registers_diagnostics else mode == "openFilesOnly"

    def preferences(self, uri: str) -> Preferences:
        """The user's preferences for a document."""
        document, configured = self.snapshot.document(uri), self.snapshot.configuration
        root = self.snapshot.root_of(document) if document is not None else None
        return preferences_of(configured.get(None, {}), configured.get(root, {}) if root is not None else {})

    async def ask(
        self, uri: str, question: Callable[[analysis.Project, Document, LspConverter], Result]
    ) -> Result | None:
        """Return the worker's answer about the current text of an open Python document or cell; None for any other.

        Also None for a document that is too long to analyze.
        """
        snapshot = self.snapshot
        document = snapshot.document(uri)
        if document is None or not document.is_python:
            return None

        def answer() -> Result | None:
            try:
                return self.look(snapshot, document, question)
            except analysis.Unreadable:
                return None

        return await self.worker.answer(answer)

    def look(
        self,
        snapshot: Snapshot,
        document: Document,
        question: Callable[[analysis.Project, Document, LspConverter], Result],
    ) -> Result:
        """Query the analysis; for the worker thread."""
        project = self._projects.at(snapshot, document)
        converter = LspConverter(document, self.client, partial(other_file, project, snapshot))
        return question(project, document, converter)

    def packages_of(self, folder: Path | None) -> tuple[Path, ...]:
        """The folders of installed packages in the environment for a folder."""
        return packages_of(folder, self.interpreter)

    def settings_of(self, snapshot: Snapshot) -> dict[Path, tuple[analysis.Settings, analysis.Overrides]]:
        """The settings of each folder, and the editor's overrides; for the worker thread."""
        projects = self.projects_of(snapshot).items()
        return {folder: (project.sources.settings, project.sources.overrides) for folder, project in projects}

    def baselines_of(self, snapshot: Snapshot, keys: Iterable[str]) -> dict[str, str]:
        """The baselines of the files that have one; for the worker thread."""
        projects, found = self.projects_of(snapshot), dict[str, str]()
        for key in keys:
            folder = snapshot.folder_of(Path(key))
            baseline = None if folder is None else projects[folder].sources.settings_of(key).baseline
            found |= {key: baseline} if baseline is not None else {}
        return found

    def projects_of(self, snapshot: Snapshot) -> dict[Path, analysis.Project]:
        """The project of each folder; for the worker thread."""
        return {folder: self._projects.of(snapshot, folder) for folder in snapshot.folders}

    async def ask_projects(self, question: Callable[[analysis.Project], Result]) -> list[Result]:
        """The answers of all folders' projects, once nothing else has to be done; other work interrupts them."""

        def answers(snapshot: Snapshot) -> list[Result] | None:
            found = list[Result]()
            for project in self.projects_of(snapshot).values():
                with project.sources.cancelled_when(lambda: self.worker.is_wanted):
                    try:
                        found.append(question(project))
                    except analysis.Cancelled:
                        return None
            return found

        while (found := await self.worker.idle(partial(answers, self.snapshot))) is None:
            await asyncio.sleep(_AGAIN)
        return found

    async def configured(self) -> None:
        """Wait until the client's configuration is known, or long enough."""
        if self.is_configured:
            return  # Before Python 3.12, wait_for may swallow a cancellation that meets its end.
        try:
            await asyncio.wait_for(self._configured.wait(), _PATIENCE)
        except asyncio.TimeoutError:
            self._configured.set()

    @property
    def is_configured(self) -> bool:
        return self._configured.is_set()

    def set_configured(self) -> None:
        self._configured.set()

    def stop(self) -> None:
        """Start no further work."""
        self.worker.stop()
        self.previews.stop()
        self.apart.stop()
        self.checking.end()
        self.keepers.end()

    def start(self, task: Any) -> None:
        """Run a coroutine concurrently with the messages; a failure is logged."""
        running: asyncio.Task[None] = asyncio.ensure_future(task)
        self._tasks.add(running)
        running.add_done_callback(self._ended)

    def soon(self, name: str, seconds: float, action: Callable[[Session], None]) -> None:
        """Run an action once it hasn't been requested again for so many seconds."""
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, action, self)

    def complain(self, message: str) -> None:
        """Show the user an error in their settings, once."""
        if message in self._complaints:
            return
        self._complaints.add(message)
        _log.warning(message)
        self.server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))

    def _judge(self, root: Path | None, error: analysis.SettingsError | None) -> None:
        self.worker.in_loop(lambda: self.judge_settings(root, error))

    def _set_documents(self, documents: Mapping[str, Document]) -> None:
        self.snapshot = dataclasses.replace(self.snapshot, documents=documents)
        self.changes.note()

    def _set_notebooks(self, notebooks: Mapping[str, Notebook]) -> None:
        self.snapshot = dataclasses.replace(self.snapshot, notebooks=notebooks)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("A background task failed", exc_info=error)
