"""How long the analysis takes from a one-character edit to fresh findings, against `ast.parse` of the same text.

Without a file it puts the examples together until there are 100, 500 and 2,000 lines.
"""

from __future__ import annotations

import argparse
import ast
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from graphwright_analysis import Project, Settings

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
EDITS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options = parser.parse_args()
    texts = [(str(path), path.read_text("utf-8")) for path in options.files] or [
        (f"examples, {lines} lines", repeated(lines)) for lines in (100, 500, 2000)
    ]
    print(f"{'text':32} {'lines':>6} {'ast.parse':>10} {'first':>9} {'edit median':>12} {'95th':>9} {'ratio':>7}")
    for name, text in texts:
        measure(name, text)


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


def measure(name: str, text: str) -> None:
    project = Project(None, Settings())
    dice = random.Random(0)
    digits = [i for i, character in enumerate(text) if character.isdigit() and text[i - 1] == " "]
    first = seconds(lambda: checked(project, text))
    edits: list[float] = []
    parses: list[float] = []
    for number in range(EDITS):
        at = dice.choice(digits)
        text = text[:at] + str(number % 10) + text[at + 1 :]
        edits.append(seconds(lambda text=text: checked(project, text)))
        parses.append(seconds(lambda text=text: ast.parse(text)))
    parse, edit = statistics.median(parses), statistics.median(edits)
    late = statistics.quantiles(edits, n=20)[-1]
    lines = text.count("\n")
    print(f"{name[-32:]:32} {lines:6} {ms(parse)} {ms(first)} {ms(edit):>12} {ms(late)} {edit / parse:6.1f}x")


def checked(project: Project, text: str) -> None:
    project.set_text("benchmark.py", text)
    project.check("benchmark.py")


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def ms(value: float) -> str:
    return f"{value * 1000:7.1f}ms"


if __name__ == "__main__":
    main()
