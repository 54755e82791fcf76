"""Snapshots: all that is told and known of an example, written down in full, to be reviewed and compared.

A *document* is a set of examples: a page of Markdown tests, the rules' pages, `examples/`. Here snapshots are made,
read and compared; `tools/update_snapshots.py` writes them, and `test_snapshots` fails where they differ.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from graphwright_analysis import Rule, all_rules
from graphwright_analysis.mdtest import Section, account, project_of, sections
from graphwright_server.cli.findings import CheckedFile
from graphwright_server.cli.terminal import Style
from graphwright_server.cli.text_report import render
from known_values import known
from pages import read_page

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
FOLDER = HERE / "snapshots"
HEAD = "Written by tools/update_snapshots.py. Review what has changed; edit nothing here.\n"

Document = Mapping[str, Section]
Texts = Mapping[str, str]
"""What a snapshot file holds under each heading."""


def documents() -> dict[str, Document]:
    """All documents by name; each example has a title of its own."""
    found = {"examples": _examples(), "rules": _rules()}
    for folder in ("mdtest", "catalogue", "fixes"):
        for path in sorted((HERE / folder).glob("*.md")):
            found[f"{folder}/{path.stem}"] = _page(path)
    return found


def findings(section: Section) -> str:
    """What is told of an example."""
    return account(section)


def values(section: Section) -> str:
    """What is known of an example's names, and who decides."""
    project, paths = project_of(section)
    lines: list[str] = []
    for path in paths:
        lines += [f"{path}:"] if len(paths) > 1 else []
        lines += known(project, path)
    return "".join(f"{line}\n" for line in lines) or "nothing\n"


KINDS: Mapping[str, Callable[[Section], str]] = {"findings": findings, "values": values}


def terminal(rule: Rule) -> str:
    """What `graphwright check` prints of the rule's own bad example, without colour."""
    section = Section(rule.name, (("python", read_page(rule).bad),))
    project, [path] = project_of(section)
    file = CheckedFile(path, "bad.py", project.text(path), project.check(path))
    return "\n".join(render(file, diagnostic, Style(False), lambda _: None) for diagnostic in file.diagnostics)


def all_snapshots() -> dict[str, str]:
    """The text of every snapshot file, by its name in the folder."""
    found = {"terminal.txt": written({rule.name: terminal(rule) for rule in all_rules()})}
    for name, document in documents().items():
        texts = {kind: {title: make(s) for title, s in document.items()} for kind, make in KINDS.items()}
        found.update({f"{name}.{kind}.txt": written(each) for kind, each in texts.items()})
    return found


def written(texts: Texts) -> str:
    """A snapshot file's text."""
    whole = HEAD + "".join(f"\n# {title}\n\n{text}" for title, text in texts.items())
    assert read(whole) == texts, "something in a snapshot looks like a heading, or ends in empty lines"
    return whole


def read(whole: str) -> dict[str, str]:
    """What `written` has written."""
    pieces = re.split(r"^# (.+)\n\n", whole, flags=re.MULTILINE)
    return {title: text.rstrip("\n") + "\n" for title, text in zip(pieces[1::2], pieces[2::2], strict=True)}


@functools.cache
def kept(name: str, folder: Path = FOLDER) -> Texts:
    """What was written down in a file; nothing where it isn't there."""
    path = folder / name
    return read(path.read_text("utf-8")) if path.exists() else {}


def difference(name: str, title: str, now: str, folder: Path = FOLDER) -> str:
    """What has changed since the snapshot was taken, as a diff; empty if nothing has."""
    before = kept(name, folder).get(title)
    if before == now:
        return ""
    if before is None:
        return f"{name} has nothing of {title!r}, which is to be reviewed: tools/update_snapshots.py\n\n{now}"
    lines = difflib.unified_diff(before.splitlines(), now.splitlines(), f"{name}: {title}", "now", lineterm="", n=2)
    return "\n".join([*lines, "", "If that is right: tools/update_snapshots.py"])


def left_over(wanted: Mapping[str, Iterable[str]], folder: Path = FOLDER) -> list[str]:
    """Snapshots of which no example is left, as `file` or `file: title`."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.txt"))
    files = [name for name in names if name not in wanted]
    titles = [f"{name}: {t}" for name in names if name in wanted for t in kept(name, folder) if t not in wanted[name]]
    return files + titles


def _examples() -> Document:
    paths = sorted(EXAMPLES.glob("*.py"))
    return {path.name: Section(path.name, (("python", path.read_text("utf-8")),)) for path in paths}


def _rules() -> Document:
    found: dict[str, Section] = {}
    for rule in all_rules():
        page = read_page(rule)
        for title, text in ((f"{rule.name}: bad", page.bad), (f"{rule.name}: good", page.good)):
            found[title] = Section(title, (("python", text),))
    return found


def _page(path: Path) -> Document:
    return dict(_numbered(sections(path.read_text("utf-8"))))


def _numbered(given: Iterable[Section]) -> Iterator[tuple[str, Section]]:
    """A heading that comes again gets a number."""
    seen: dict[str, int] = {}
    for section in given:
        seen[section.title] = seen.get(section.title, 0) + 1
        again = f" ({seen[section.title]})" if seen[section.title] > 1 else ""
        yield f"{section.title}{again}", section
