"""Who imports whom among the files of a folder, by their texts alone.

So the callers of a file are known without analyzing every other one. What they call is found out by `callers`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Set
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from .imports import Import, leads_outside, written_in
from .notebooks import NOTEBOOK
from .project_files import SOURCES, destination_of
from .queries import question
from .sources import Sources
from .user_files import Unreadable

log = logging.getLogger(__name__)

MOST_FILES = 20_000
"""How many files of a folder are read for what they import."""


@dataclass(slots=True)
class _KnownImports:
    """A file's imports, as written, and the files to which they lead."""

    imports: tuple[Import, ...]
    imported: Set[str] | None = None


@dataclass(slots=True)
class Importers:
    """What is known of a folder since the last look."""

    sources: Sources
    _known: dict[str, _KnownImports] = field(default_factory=dict[str, _KnownImports])
    _importers: dict[str, list[str]] = field(default_factory=dict[str, "list[str]"])
    """The files that import a file."""
    _layout: int | None = None
    """The layout of the sources at the last look."""
    _listed: Set[str] = frozenset()
    """The files whose names were known when it was seen where imports lead."""

    def refresh(self) -> None:
        """Bring up to date what files came, went or changed; what ends that half-way keeps what was read."""
        folder = self.sources
        if folder.root is None:
            return
        found: dict[str, _KnownImports] = {}
        for path in folder.files([folder.root], (*SOURCES, NOTEBOOK)):
            folder.check_cancelled()
            if len(found) == MOST_FILES:
                log.info("%s has more than %d files; who imports whom isn't known of the rest", folder.root, MOST_FILES)
                break
            key = str(path)
            imports, known = _imports_of(folder, key), self._known.get(key)
            if known is None or known.imports != imports:
                known = self._known[key] = _KnownImports(imports)
            found[key] = known
        if found.keys() != self._listed:
            # Whatever came or went may be what others import.
            self._listed = frozenset(found)
            found = {key: _KnownImports(known.imports) for key, known in found.items()}
        self._known = found
        self._link(folder.root)
        self._layout = folder.layout

    def is_imported(self, path: str) -> bool:
        """True if any file of the project imports this one; looks again only if files may have come or gone."""
        if self._layout != self.sources.layout:
            with self.sources.recording():
                # Who asks depends on the layout, and not on all texts.
                self.refresh()
        return any(self.importers_of(path))

    def importers_of(self, path: str) -> Iterator[str]:
        """The files that import a file, be it by others, the nearest first."""
        pending, found = [path], {path}
        while pending:
            new = [file for each in pending for file in self._importers.get(each, ()) if file not in found]
            pending = [*dict.fromkeys(new)]
            found.update(pending)
            yield from pending

    def _link(self, root: Path) -> None:
        changed = False
        for key, known in self._known.items():
            if known.imported is None:
                self.sources.check_cancelled()
                found = (destination_of(key, imported, root, self._known.__contains__)[0] for imported in known.imports)
                known.imported, changed = frozenset(file for file in found if file is not None), True
        if changed:
            self._importers = {}
            for key, known in self._known.items():
                for file in sorted(known.imported or ()):
                    self._importers.setdefault(file, []).append(key)


@question()
def _imports_of(sources: Sources, path: str) -> tuple[Import, ...]:
    """The imports in a file's text that may lead into the project; none if it can't be read."""
    with suppress(Unreadable):
        return tuple(dict.fromkeys(each for each in written_in(sources.text(path)) if not leads_outside(each)))
    return ()
