"""What it costs a server to open a file inside of a folder: CPU until the first diagnostics and until it rests, memory.

open.py FOLDER FILE [FILE ...]    # all servers that are installed, one fresh process per file
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from client import Unanswered
from contenders import Contender, contenders
from probe import Probe
from process import cpu_seconds, memory

STILL = 3.0
"""A server that takes less than a fiftieth of this in CPU for so many seconds rests."""
MEGABYTE = 1 << 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--only", metavar="NAME", help="this server alone")
    parser.add_argument("--most", type=float, default=180.0, help="seconds to wait until it rests")
    options = parser.parse_args()
    print(f"{'':52} {'first':>8} {'rests':>8} {'CPU':>8} {'memory':>8}")
    for file in options.files:
        for contender in contenders():
            if not contender.pulls and options.only in (None, contender.name):
                _open(contender, options.folder.resolve(), file.resolve(), options.most)


def _open(contender: Contender, folder: Path, file: Path, most: float) -> None:
    probe, told = Probe(contender, folder, file), "never"
    began = time.perf_counter()
    with suppress(Unanswered):
        probe.start()
        told = f"{cpu_seconds(probe.client.process.pid):.2f}"
    process, resting, spent = probe.client.process.pid, time.perf_counter(), 0.0
    while (now := time.perf_counter()) - began < most and now - resting < STILL:
        with suppress(Unanswered):
            probe.client.wait(lambda message: True, STILL / 30)
        if cpu_seconds(process) - spent > STILL / 50:
            resting, spent = time.perf_counter(), cpu_seconds(process)
    text = file.read_text("utf-8")
    name = f"{file.name}, {text.count(chr(10)):,} lines, {contender.name}"
    rests = f"{resting - began:.1f}" if time.perf_counter() - began < most else "never"
    print(f"{name:52} {told:>8} {rests:>8} {spent:>8.2f} {memory(process).resident / MEGABYTE:>6.0f}MB", flush=True)
    probe.leave()


if __name__ == "__main__":
    main()
