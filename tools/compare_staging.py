"""Compares who decides at control flow, as hovers say it, with what AutoGraph did when the code ran.

    python tools/compare_staging.py FOLDER RECORD [RECORD ...] [--told WORD ...]

Records come from `staging_recorder`; of them counts what stands in the folder, a project. Each place is `right`,
`half` (one of two answers), `wrong`, `open`, `plain` (nothing makes a graph), `refused` or `never` (not run at all).
`--told` lists the places of such kinds. The exit code is 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.ide import control_flow
from graphwright_analysis.project import Project

Places = dict[tuple[int, str], set[str]]
KINDS = {"If": "if", "IfExp": "ifexp", "For": "for", "While": "while"}
HEADS = {
    "**Decided by Python.**": {"python"},
    "**Part of the graph.**": {"graph"},
    "**Depends on the call.**": {"graph", "python"},
}
OTHERS = {"**Open.**": "open", "**Plain Python.**": "plain", "**Fails while tracing.**": "refused"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORD")
    parser.add_argument("--told", nargs="*", default=["wrong", "half"], metavar="WORD", help="which places to list")
    options = parser.parse_args()
    folder = options.folder.resolve()
    project, counts = Project(folder), Counter[str]()
    project.refresh_importers()
    for path, places in sorted(recorded(folder, options.records).items()):
        for line, kind, word in compared(project, path, places):
            counts[word] += 1
            if word in options.told:
                print(f"{word} {Path(path).relative_to(folder)}:{line} {kind}: {'/'.join(sorted(places[line, kind]))}")
    total = sum(counts.values())
    print(
        f"{total} places: " + ", ".join(f"{count} {word} ({count / total:.1%})" for word, count in counts.most_common())
    )
    return 1 if counts["wrong"] else 0


def recorded(folder: Path, records: list[Path]) -> dict[str, Places]:
    """Who decided where, file by file; tests aside, which are the callers."""
    found: dict[str, Places] = defaultdict(lambda: defaultdict(set))
    for record in records:
        for entry in record.read_text("utf-8").splitlines():
            file, line, kind, decided = json.loads(entry)
            path = Path(file)
            if path.is_relative_to(folder) and path.is_file() and "test" not in path.stem and "tests" not in path.parts:
                found[file][line, kind].add(decided)
    return found


def compared(project: Project, path: str, places: Places) -> Iterator[tuple[int, str, str]]:
    """What is said of each place, in a word, as an editor says it that has the file open."""
    project.set_text(path, Path(path).read_text("utf-8"))
    project.refresh_callers(path)
    module, trace = project.module(path), project.trace_with_callers(path, shown=True)
    for block in module.blocks:
        for node in (each for statement in block.statements for each in gast.walk(statement) if kind_of(each) in KINDS):
            line = module.lines.line_of(module.start_of(block) + block.range_of(node).start) + 1
            kind = KINDS[kind_of(node)]
            if (line, kind) in places:
                yield line, kind, word_for(control_flow.in_words(trace, block, node) or "", places[line, kind])
    project.forget(path)


def word_for(said: str, truth: set[str]) -> str:
    """How what a hover says compares with what was the case."""
    for head, meant in HEADS.items():
        if said.startswith(head):
            return "right" if meant == truth else "half" if meant & truth else "wrong"
    return next((word for head, word in OTHERS.items() if said.startswith(head)), "never")


if __name__ == "__main__":
    sys.exit(main())
