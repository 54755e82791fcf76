"""What an edit costs the analysis, in CPU time, from the new text to fresh findings; `ast.parse` of it for comparison.

It takes the examples, put together until there are 100, 500 and 2,000 lines, and files of published packages, which
are edited in many ways: `real_edits` says how. Named files are edited like those. No protocol is in it.
"""

from __future__ import annotations

import argparse
import ast
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from graphwright_analysis import Project, Settings
from real_edits import KINDS, edits_of
from real_files import REAL_FILES

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
EDITS = 60
REAL_EDITS = 6
"""How many edits of each kind a real file gets."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--only", metavar="PART", default="", help="texts whose name has this in it")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only edits of this kind (may be repeated)")
    parser.add_argument("--edits", type=int, default=REAL_EDITS, help="of each kind in a real file")
    options = parser.parse_args()
    print(f"{'CPU milliseconds':36} {'median':>8} {'most':>8} {'of ast.parse':>13}")
    for lines in (100, 500, 2000) if not options.files and not options.kind else ():
        if options.only in (name := f"examples, {lines} lines"):
            text = repeated(lines)
            measure(name, Path("benchmark.py"), None, text, {"digit": list(digits_changed(text))})
    files = [(str(path), path, path.resolve().parent) for path in options.files] or [
        (each.name, each.file, each.folder) for each in REAL_FILES if options.only in each.name
    ]
    for name, path, folder in files:
        text = path.read_text("utf-8")
        kinds = {kind: [edit.text for edit in edits_of(text, kind, options.edits)] for kind in options.kind or KINDS}
        measure(name, path.resolve(), folder, text, kinds)


def repeated(lines: int) -> str:
    """The examples one after the other, each copy's names made its own, cut at a number of lines."""
    sources = [path.read_text("utf-8") for path in sorted(EXAMPLES.glob("*.py"))]
    text, copy = "", 0
    while text.count("\n") < lines:
        source = sources[copy % len(sources)].partition("if __name__")[0]
        for name in ("scaled_loss", "pick_action", "penalty", "rollout", "WarmupCosine", "Evaluator"):
            source = source.replace(name, f"{name}{copy}")
        text += source
        copy += 1
    return text


def digits_changed(text: str) -> Iterator[str]:
    dice = random.Random(0)
    digits = [i for i, character in enumerate(text) if character.isdigit() and text[i - 1] == " "]
    for number in range(EDITS):
        at = dice.choice(digits)
        text = text[:at] + str(number % 10) + text[at + 1 :]
        yield text


def measure(name: str, path: Path, folder: Path | None, text: str, kinds: Mapping[str, Sequence[str]]) -> None:
    """Edits of every kind, one after the other, in one project."""
    project = Project(folder, Settings())
    first = seconds(lambda: checked(project, path, text))
    parse = statistics.median(seconds(lambda: ast.parse(text)) for _ in range(5))
    print(f"\n{name}: {text.count(chr(10)):,} lines, first {first * 1000:.0f}, ast.parse {parse * 1000:.1f}")
    for kind, edits in kinds.items():
        took = [seconds(lambda edit=edit: checked(project, path, edit)) for edit in edits]
        if took:
            median = statistics.median(took)
            print(f"  {kind:34} {median * 1000:8.1f} {max(took) * 1000:8.1f} {median / parse:12.1f}x", flush=True)


def checked(project: Project, path: Path, text: str) -> None:
    project.set_text(str(path), text)
    project.check(str(path))


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


if __name__ == "__main__":
    main()
