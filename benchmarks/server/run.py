"""How long language servers take from an edit to fresh diagnostics, and what that costs, all in one run over stdio.

The servers live at the same time and take turns, because a busy machine slows whatever runs at that moment.
Every edit changes what each of them reports, so that an old answer can't pass for a new one.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from contenders import Contender, contenders, prepare
from probe import Measured, Probe
from report import as_markdown, as_svg, as_text
from texts import edits_of, text_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
SIZES = (100, 500, 1500)
EDITS = 100
TURN = 10
"""How many edits a server gets before it is the next one's turn."""
WARM = 6
"""How many edits come before those that count."""
STARTS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, metavar="LINES")
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="servers whose name begins so (may be repeated)"
    )
    parser.add_argument("--edits", type=int, default=EDITS)
    parser.add_argument("--starts", type=int, default=STARTS)
    parser.add_argument("--json", action="store_true", help="print the measurements as JSON instead of a table")
    parser.add_argument("--write", action="store_true", help="write the page and the plot in docs/")
    options = parser.parse_args()
    chosen = [each for each in contenders() if not options.only or each.name.startswith(tuple(options.only))]
    measured = {lines: dict(at_size(lines, chosen, options.edits, options.starts)) for lines in options.sizes}
    print(json.dumps(measured, indent=2, default=dataclasses.asdict) if options.json else as_text(measured))
    if options.write:
        (DOCS / "server-benchmarks.md").write_text(as_markdown(measured, options.edits, options.starts), "utf-8")
        (DOCS / "server-benchmarks.svg").write_text(as_svg(measured), "utf-8")


def at_size(lines: int, chosen: Sequence[Contender], edits: int, starts: int) -> Iterator[tuple[str, Measured]]:
    """Each server's figures for a file of so many lines."""
    text = text_of(lines)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        prepare(folder)
        (folder / "training.py").write_text(text.text, "utf-8")
        probes = [Probe(each, folder, text.text) for each in chosen]
        for _ in range(starts - 1):
            for probe in probes:
                probe.start()
                probe.leave()
        for probe in probes:
            print(f"{lines} lines: starting {probe.contender.name} ...", file=sys.stderr)
            probe.start()
            probe.settle()
        coming = list(edits_of(text, WARM + edits))
        for probe in probes:
            probe.warm_up(coming[:WARM])
        for first in range(WARM, len(coming), TURN):
            for probe in probes:
                probe.take(coming[first : first + TURN])
        for probe in probes:
            probe.settle()
            probe.weigh()
            probe.leave()
    for probe in probes:
        yield probe.contender.name, probe.measured


if __name__ == "__main__":
    main()
