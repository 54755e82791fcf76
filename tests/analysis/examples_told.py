"""The examples of the analysis, and all that is told and known of each, to be compared with its snapshot.

A *document* is a set of examples: a page of Markdown tests, the rules' pages, `examples/`. Nothing is compared here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import called_programs
import random_calls
import snapshots
from graphwright_analysis import Rule, all_rules
from graphwright_analysis.mdtest import Section, account, project_of, sections
from graphwright_analysis.values.tensorflow import functions
from graphwright_analysis.values.tensorflow.checked_calls import Refusal
from graphwright_server.cli.findings import CheckedFile
from graphwright_server.cli.terminal import TerminalStyle
from graphwright_server.cli.text_report import render
from known_values import in_words, known
from pages import CATALOGUE, read_entries, read_page

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
FOLDER = HERE / "snapshots"

Document = Mapping[str, Section]


def documents() -> dict[str, Document]:
    """All documents by name; each example has a title of its own."""
    found = {"examples": _files(EXAMPLES), "rules": _rules(), "judged": _files(HERE / "judged")}
    found.update((f"catalogue/{path.stem}", _catalogue(path)) for path in CATALOGUE)
    for folder in ("mdtest", "fixes"):
        for path in sorted((HERE / folder).glob("*.md")):
            found[f"{folder}/{path.stem}"] = _page(path)
    found.update((f"programs/{name}", document) for name, document in called_programs.documents())
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
    return "\n".join(render(file, diagnostic, TerminalStyle(False), lambda _: None) for diagnostic in file.diagnostics)


def calls(name: str) -> str:
    """What is foreseen of some random calls of a function of TensorFlow; TensorFlow is asked about the same ones."""
    return "".join(f"{in_code(call)} -> {_foreseen(*random_calls.told(call))}\n" for call in _calls(name))


def _calls(name: str) -> Iterator[random_calls.Call]:
    return random_calls.calls(0, CALLS, name)


def _foreseen(result: Any, refusal: Refusal | None) -> str:
    if refusal is not None:
        return f"refused, {refusal.kind} of {refusal.first_at} and {refusal.second_at}: {refusal.words}"
    if isinstance(result, functions.ListOf):
        known = None if result.elements is None else [in_words(each) for each in result.elements]
        return f"list of {in_words(result.element) if known is None else known}"
    return "?" if result is None else in_words(result) or "?"


CALLS = 24


def in_code(call: random_calls.Call) -> str:
    """A call as it would be written, but for tensors, which are their dtypes and shapes."""
    named = (f"{name}={_argument(value)}" for name, value in (call.named or {}).items())
    return f"tf.{call.name}({', '.join([*map(_argument, call.positional), *named])})"


def _argument(value: Any) -> str:
    match value:
        case random_calls.Spec():
            return f"{value.dtype}{list(value.shape)}"
        case list():
            return f"[{', '.join(map(_argument, value))}]"
        case tuple():
            return f"({', '.join(map(_argument, value))},)"
        case bool() | int() | float() | str() | None:
            return repr(value)
        case _:
            return in_words(random_calls.abstract(value)) or "?"


def all_snapshots(only: str = "") -> dict[str, str]:
    """The text of every snapshot file whose name contains `only`, by its name in the folder."""
    makers: dict[str, Callable[[], dict[str, str]]] = {
        "terminal.txt": lambda: {rule.name: terminal(rule) for rule in all_rules()},
        "calls.txt": lambda: {name: calls(name) for name in random_calls.DRAWN},
    }
    for name, document in documents().items():
        for kind, make in KINDS.items():
            makers[f"{name}.{kind}.txt"] = partial(_made, document, make)
    return {name: snapshots.written(make()) for name, make in makers.items() if only in name}


def _made(document: Document, make: Callable[[Section], str]) -> dict[str, str]:
    return {title: make(section) for title, section in document.items()}


def _files(folder: Path) -> Document:
    paths = sorted(folder.glob("*.py"))
    return {path.name: Section(path.name, (("python", path.read_text("utf-8")),)) for path in paths}


def _rules() -> Document:
    return dict(each for rule in all_rules() for each in _pair(rule.name, read_page(rule).bad, read_page(rule).good))


def _catalogue(path: Path) -> Document:
    return dict(each for entry in read_entries(path) for each in _pair(entry.rule, entry.bad, entry.cured))


def _pair(rule: str, bad: str, good: str) -> Iterator[tuple[str, Section]]:
    for title, text in ((f"{rule}: bad", bad), (f"{rule}: good", good)):
        yield title, Section(title, (("python", text),))


def _page(path: Path) -> Document:
    return dict(_numbered(sections(path.read_text("utf-8"))))


def _numbered(given: Iterable[Section]) -> Iterator[tuple[str, Section]]:
    """A heading that comes again gets a number."""
    seen: dict[str, int] = {}
    for section in given:
        seen[section.title] = seen.get(section.title, 0) + 1
        again = f" ({seen[section.title]})" if seen[section.title] > 1 else ""
        yield f"{section.title}{again}", section
