"""Records what the pictures of the documentation are made from, so that a test can say which are out of date.

`make pictures` runs it after it has made them; it makes none itself.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import graphwright
import graphwright_analysis as analysis

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
RECORD = PICTURES / "made-from.json"
_DRAWN = ("server/graphwright_server/pictures/*.py", "server/graphwright_server/graph_lines.py")
_PAGE = ("vscode-extension/src/webview/*.ts", "vscode-extension/src/report.ts", "vscode-extension/media/results.css")


@dataclass(frozen=True, slots=True)
class PictureInputs:
    """The file that holds the program that a picture shows, and the sources that draw it."""

    scenario: str
    sources: tuple[str, ...] = ()
    graph_code_of: str = ""


def _scenario(name: str, *sources: str, graph_code_of: str = "") -> PictureInputs:
    return PictureInputs(f"vscode-extension/e2e/scenarios/{name}.mjs", sources, graph_code_of)


INPUTS = {
    "finding": _scenario("tour"),
    "graph": _scenario("trace", *_PAGE, *_DRAWN),
    "hints": _scenario("hints", "vscode-extension/src/features/tokens.ts"),
    "preview": _scenario("preview", "vscode-extension/src/preview/*.ts", graph_code_of="def step"),
    "quick-fixes": _scenario("tour"),
    "tour": _scenario("tour"),
    "trace": PictureInputs("docs/trace.md", _DRAWN),
}


def main() -> None:
    record = {name: digest(name) for name in INPUTS}
    RECORD.write_text(json.dumps(record, indent=2) + "\n", "utf-8")


def outdated() -> list[str]:
    """The pictures whose inputs aren't those that they were made from."""
    record = json.loads(RECORD.read_text("utf-8"))
    current = {name: digest(name) for name in INPUTS}
    return [picture for picture, name in pictures().items() if record.get(name) != current.get(name, "")]


def pictures() -> dict[str, str]:
    """The pictures' files, each with its name among the inputs: there is a dark and a light one of most."""
    files = sorted(path for path in PICTURES.iterdir() if path != RECORD)
    return {path.name: path.stem.removesuffix("-dark").removesuffix("-light") for path in files}


def digest(name: str) -> str:
    """A hash of all that decides how a picture looks, except for VS Code."""
    inputs = INPUTS[name]
    scenario = (ROOT / inputs.scenario).read_text("utf-8")
    parts = [scenario] if inputs.scenario.endswith(".mjs") else []
    parts += [path.read_text("utf-8") for pattern in inputs.sources for path in sorted(ROOT.glob(pattern))]
    for program in programs(scenario):
        parts += [program, *shown_of(program)]
        if inputs.graph_code_of and inputs.graph_code_of in program:
            made = graphwright.previews.preview_of_text(program, program.index(inputs.graph_code_of))
            parts.append(made.text if made is not None else "")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def programs(scenario: str) -> Iterator[str]:
    """The Python programs in a scenario or a page; one that is typed during the scenario is completed."""
    typed = re.search(r"const TYPED = \[(.+)\];", scenario)
    pieces = "".join(re.findall(r"'([^']*)'", typed[1])).replace("\\n", "\n") if typed else ""
    for program in re.findall(r"(?:= `|```python\n)(import .+?)`", scenario, re.DOTALL):
        yield program.replace("\n    \n", f"\n    {pieces}\n")


def shown_of(program: str) -> Iterator[str]:
    """What the editor shows of a program: findings with their fixes, lenses, hints and colors."""
    project, path = analysis.Project(), "program.py"
    project.set_text(path, program)
    yield from map(repr, project.check(path))
    yield from (f"{lens.kind} {lens.title}" for lens in analysis.code_lenses(project, path))
    hints = analysis.inlay_hints(project, path, analysis.Range(0, len(program)))
    yield from (f"{hint.offset} {hint.label}" for hint in hints)
    yield from map(repr, analysis.semantic_tokens(project, path))


if __name__ == "__main__":
    main()
