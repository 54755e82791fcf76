"""Counts how many of the tests' programs Graphwright and TensorFlow's own AutoGraph get right, by family.

    python tools/compare_with_autograph.py [-v] [--only autograph|graphwright|eager] [family | family.program ...]

It is no test: nothing else in the repository calls AutoGraph. `--only eager` shows what the programs do as written.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "converter"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--only", choices=["autograph", "graphwright", "eager"])
    arguments = parser.parse_args()

    import differential

    chosen = [each for each in differential.programs() if _named(each, arguments.names)]
    if arguments.only == "eager":
        return _eagerly(chosen)
    names = [arguments.only] if arguments.only else ["autograph", "graphwright"]
    subjects = {name: _subject(name) for name in names}
    right: Counter[tuple[str, str]] = Counter()
    for program in chosen:
        for name, subject in subjects.items():
            try:
                found = differential.disagreements(program, subject)
            except Exception as error:  # the converter's own: one more program that it gets wrong
                found = [f"the judge stopped: {type(error).__name__}: {error}"]
            right[program.family, name] += not found
            if found and arguments.verbose:
                print(f"{name} {program}: {found[0]}", flush=True)
    _table(Counter(program.family for program in chosen), right, names)
    return 0


def _named(program: Any, names: list[str]) -> bool:
    return not names or program.family in names or str(program) in names


def _subject(name: str) -> Any:
    import differential
    import tensorflow as tf

    if name == "autograph":
        tf.autograph.set_verbosity(0)
        return differential.Subject(
            lambda function, input_signature=None, **_: tf.function(function, input_signature=input_signature)
        )
    import graphwright as gw

    return differential.Subject(gw.function, gw.to_graph)


def _eagerly(chosen: list[Any]) -> int:
    import differential

    for program in chosen:
        for call in program.calls:
            outcome = differential.as_written(program, call)
            said = f"{type(outcome.error).__name__}: {outcome.error}" if outcome.error else repr(outcome.result)
            print(f"{program} {call!r}: {' '.join(said.split())[:200]} {outcome.printed[:200]}", flush=True)
    return 0


def _table(totals: Counter[str], right: Counter[tuple[str, str]], names: list[str]) -> None:
    print("| family | programs | " + " | ".join(names) + " |")
    print("|---|---:|" + "---:|" * len(names))
    for family, total in totals.items():
        print(f"| {family} | {total} | " + " | ".join(str(right[family, name]) for name in names) + " |")
    sums = [str(sum(right[family, name] for family in totals)) for name in names]
    print(f"| all | {sum(totals.values())} | " + " | ".join(sums) + " |")


if __name__ == "__main__":
    sys.exit(main())
