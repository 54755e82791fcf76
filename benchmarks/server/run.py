"""How long language servers take from an edit to fresh diagnostics, and what that costs, all in one run over stdio.

The servers live at the same time and take turns, because a busy machine slows whatever runs at that moment.
Generated files come first, where every edit changes what each server reports; then files of published packages, with
edits of many kinds; then a workspace that is checked while somebody types.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import real_edits
from contenders import Contender, contenders, of_workspace, prepare
from load import Loaded, under_load
from probe import Measured, Probe
from real_edits import Edit
from real_files import REAL_FILES, RealFile
from report import as_markdown, as_svg, as_text, load_as_text, real_as_text
from texts import edits_of, text_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
SIZES = (100, 500, 1500)
EDITS = 100
REAL_EDITS = 20
TURN = 10
"""How many edits a server gets before it is the next one's turn; half of them in a published file."""
WARM = 6
"""How many edits come before those that count."""
STARTS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, metavar="LINES")
    parser.add_argument(
        "--files", nargs="*", default=[""], metavar="PART", help="published files; all if none is named"
    )
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="servers whose name begins so (may be repeated)"
    )
    parser.add_argument("--edits", type=int, default=EDITS)
    parser.add_argument("--real-edits", type=int, default=REAL_EDITS, help="of each kind in a published file")
    parser.add_argument("--starts", type=int, default=STARTS)
    parser.add_argument("--no-load", action="store_true", help="leave the workspace out")
    parser.add_argument("--json", action="store_true", help="print the measurements as JSON instead of a table")
    parser.add_argument("--write", action="store_true", help="write the page and the plot in docs/")
    options = parser.parse_args()

    def chosen(servers: Iterator[Contender]) -> list[Contender]:
        return [each for each in servers if not options.only or each.name.startswith(tuple(options.only))]

    named = [each for each in REAL_FILES if any(part in each.name for part in options.files)]
    sized = {
        lines: dict(at_size(lines, chosen(contenders()), options.edits, options.starts)) for lines in options.sizes
    }
    pushing = [each for each in chosen(contenders()) if not each.pulls]
    real = {each: dict(in_file(each, pushing, options.real_edits)) for each in named}
    loaded: dict[str, Loaded] = {} if options.no_load else under_load(chosen(of_workspace()))
    if options.json:
        everything = {"generated": sized, "real": {each.name: found for each, found in real.items()}, "load": loaded}
        print(json.dumps(everything, indent=2, default=dataclasses.asdict))
    else:
        print("\n\n".join([as_text(sized), real_as_text(real), load_as_text(loaded)]))
    if options.write:
        page = as_markdown(sized, real, loaded, options.edits, options.starts, options.real_edits)
        (DOCS / "server-benchmarks.md").write_text(page, "utf-8")
        (DOCS / "server-benchmarks.svg").write_text(as_svg(sized), "utf-8")


def at_size(lines: int, servers: Sequence[Contender], edits: int, starts: int) -> Iterator[tuple[str, Measured]]:
    """Each server's figures for a generated file of so many lines."""
    text = text_of(lines)
    coming = list(edits_of(text, WARM + edits))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        prepare(folder)
        file = folder / "training.py"
        file.write_text(text.text, "utf-8")
        probes = [Probe(each, folder, file) for each in servers]
        take_turns(f"{lines} lines", probes, coming[:WARM], {"name": coming[WARM:]}, TURN, starts)
    for probe in probes:
        yield probe.contender.name, probe.measured


def in_file(real: RealFile, servers: Sequence[Contender], edits: int) -> Iterator[tuple[str, Measured]]:
    """Each server's figures for a published file, in a copy of its package."""
    text = real.file.read_text("utf-8")
    kinds = {kind: found for kind in real_edits.KINDS if (found := real_edits.edits_of(text, kind, edits))}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / real.package
        shutil.copytree(real.folder, folder)
        prepare(folder)
        probes = [Probe(each, folder, folder / real.path) for each in servers]
        take_turns(real.name, probes, real_edits.edits_of(text, real_edits.KINDS[0], WARM), kinds, TURN // 2, 1)
    for probe in probes:
        yield probe.contender.name, probe.measured


def take_turns(
    name: str,
    probes: Sequence[Probe],
    warm: Sequence[Edit],
    kinds: Mapping[str, Sequence[Edit]],
    turn: int,
    starts: int,
) -> None:
    """Start all servers, give each the same edits in turns, another server first in each, and weigh them."""
    for _ in range(starts - 1):
        for probe in probes:
            probe.start()
            probe.leave()
    for probe in probes:
        print(f"{name}: starting {probe.contender.name} ...", file=sys.stderr)
        probe.start()
        probe.settle()
        probe.warm_up(warm)
    turns = [(kind, edits[at : at + turn]) for kind, edits in kinds.items() for at in range(0, len(edits), turn)]
    for number, (kind, edits) in enumerate(turns):
        first = number % len(probes)
        for probe in [*probes[first:], *probes[:first]]:
            probe.take(kind, edits)
    for probe in probes:
        probe.settle()
        probe.weigh()
        probe.leave()


if __name__ == "__main__":
    main()
