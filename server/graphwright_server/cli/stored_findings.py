"""The stored findings of a file: what they depend on besides its text, and whether that is still the same."""

from __future__ import annotations

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from graphwright_analysis import (
    Cache,
    Checked,
    FileDependency,
    Folder,
    Import,
    ImportDestination,
    Interest,
    Outline,
    PlacedSettings,
    Shown,
    Unreadable,
    digest_of,
    immutable,
    key_of,
    read_bytes,
)

from .targets import Target

if TYPE_CHECKING:
    from graphwright_analysis import Project, Range, RunReports


def forget() -> None:
    """Note that files may have changed."""
    digest_of.cache_clear()
    _outlined.clear()
    _destinations_digests.clear()


def placed_settings(targets: Iterable[Target]) -> str:
    """The settings of folders in projects, on which the reports of files about each other depend."""
    folders = {(id(each.folder), os.path.dirname(each.key)): each.folder for each in targets}
    placed = {repr(project.settings_in(folder)) for (_, folder), project in folders.items()}
    return repr(sorted(placed - {repr(PlacedSettings(each.settings, each.root)) for each in folders.values()}))


def cache_key(target: Target, placed: str) -> str | None:
    try:
        folder = target.folder
        key = folder.settings, placed, folder.keras_of(target.key), target.key, str(folder.root)
        return key_of(read_bytes(target.path), *key)
    except Unreadable:
        return None


def is_current(target: Target, found: Checked, cache: Cache) -> bool:
    """True if a check of the file, whose text is the same, would find the same."""
    folder = target.folder
    same = (folder.destination(target.key, Import(*each[:3])) == each[3:] for each in found.imports)
    now = _CurrentState(target, cache)
    return all(same) and all(map(now.matters_alike, found.dependencies)) and all(map(now.shows_the_same, found.shown))


def with_dependencies(project: Project, key: str, checked: Checked) -> tuple[Checked, tuple[tuple[str, Outline], ...]]:
    """What is stored of a file, and the outlines of the files that it uses, by digest, if not returned before."""
    found = project.sources.destinations(key)
    imports = tuple(ImportDestination(one.module, one.level, one.name, *where) for one, where in found)
    dependencies = tuple(_dependency(project, *each) for each in project.traced.file_dependencies(key))
    shown = tuple(_shown(project, key, checked.reports))
    outlines = tuple(_outlines(project, dependencies))
    return replace(checked, imports=imports, dependencies=dependencies, shown=shown), outlines


def _dependency(project: Project, interest: Interest, file: str, names: Set[str] | None) -> FileDependency:
    try:
        destinations = _destinations_digest(project.sources, file, digest_of(file), project.sources.outline(file))
    except Unreadable:
        destinations = ""
    about = None if names is None else tuple(sorted(names))
    return FileDependency(interest, file, about, digest_of(file), destinations)


def _shown(project: Project, key: str, run_reports: RunReports) -> Iterator[Shown]:
    """The other files that findings are in or refer to, with as much of their texts as the findings need."""
    ends = defaultdict[str, int](int)
    for file, range in _places(key, run_reports):
        ends[file] = max(ends[file], range.end)
    for file in ends.keys() - {key}:
        text = project.text(file)
        next_part = _PART.search(text, ends[file])
        length = len(text) if next_part is None else next_part.start()
        yield Shown(file, length, _digest_of_text(text, length))


def _places(key: str, run_reports: RunReports) -> Iterator[tuple[str, Range]]:
    """All places that findings are about, refer to or would edit, with their files."""
    for path, report in ((key, run_reports.own), *run_reports.others.items()):
        for each in report.possible:
            yield path, each.range
            yield from ((related.path or path, related.range) for related in each.related)
            yield from ((path, edit.range) for fix in each.fixes for edit in fix.edits)


_PART = re.compile(r"^(?:def|class|async|@)", re.MULTILINE)
_ALLOWED = re.compile(r"^.*graphwright:.*$", re.MULTILINE)


def _digest_of_text(text: str, length: int) -> str:
    """Return a digest of the beginning of a text, and of the suppression comments in the rest."""
    content = repr((text[:length], _ALLOWED.findall(text, length)))
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _destinations_digest(folder: Folder, file: str, digest: str, outline: Outline) -> str:
    """Return a digest of where the imports of a file lead."""
    key = file, digest
    if key not in _destinations_digests:
        found = (folder.destination(file, Import(module, level, name)) for _, module, level, name in outline.imports)
        content = repr([*found]).encode("utf-8", "surrogatepass")
        _destinations_digests[key] = hashlib.blake2b(content, digest_size=8).hexdigest()
    return _destinations_digests[key]


def _outlines(project: Project, dependencies: Iterable[FileDependency]) -> Iterator[tuple[str, Outline]]:
    for each in dependencies:
        if (each.file, each.digest) not in _outlined:
            _outlined.add((each.file, each.digest))
            with suppress(Unreadable):
                yield each.digest, project.sources.outline(each.file)


_outlined: set[tuple[str, str]] = set()
_destinations_digests: dict[tuple[str, str], str] = {}


@immutable
class _CurrentState:
    """The files as they are now, compared with what a stored result depends on."""

    target: Target
    cache: Cache

    def matters_alike(self, dependency: FileDependency) -> bool:
        """True if no change in the other file matters."""
        interest, file, names, digest, destinations = dependency
        before = self.cache.outline(digest)
        if before is None or _destinations_digest(self.target.folder, file, digest, before) != destinations:
            return before is None and digest_of(file) == digest == ""
        if digest_of(file) == digest:
            return True
        now, wanted = _outline(self.target.project, file, self.cache), None if names is None else frozenset(names)
        return now is not None and before.fingerprint(interest, wanted) == now.fingerprint(interest, wanted)

    def shows_the_same(self, shown: Shown) -> bool:
        """True if the findings in a file, or that refer to it, are still in the same places."""
        with suppress(Unreadable):
            return _digest_of_text(self.target.folder.text(shown.file), shown.length) == shown.digest
        return False


def _outline(project: Project, file: str, cache: Cache) -> Outline | None:
    digest = digest_of(file)
    found = cache.outline(digest)
    if found is None:
        try:
            found = project.sources.outline(file)
        except Unreadable:
            return None
        cache.put_outline(digest, found)
    return found
