"""Whether what is reported of a random program is what happens in a graph: it fails, gives other values, or neither.

Many are judged, and those printed for which it isn't, by

    PYTHONPATH=tests/converter python tests/analysis/random_verdicts.py --from 0 --count 500

and with `--decorator gw.function` as Graphwright converts them. Eager code isn't judged here.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import differential
import random_features
import random_programs
import random_sources
from graphwright_analysis import Project, Settings
from graphwright_analysis.diagnostics import Severity

Verdict = Literal["invalid", "right", "missed", "false"]
Decorator = Literal["tf.function", "gw.function"]

_ARGUMENTS = {"v": "tf.constant({}, tf.int32)"}
SILENT_AT_TIMES = frozenset(
    {
        "list-append-in-graph-control-flow", "hidden-mutation-through-call", "loop-variable-lost",
        "raise-under-tensor-condition",
    }
)  # fmt: skip
"""Rules about values that are wrong for some arguments only."""


def judged(seed: int, folder: Path, decorator: Decorator = "tf.function") -> tuple[Verdict, str]:
    """What the reports of a program are, and the program."""
    text = program(seed, decorator)
    wanted = _result(text.replace(f"@{decorator}\n", ""), folder, f"plain_{seed}")
    if isinstance(wanted, Exception):
        return "invalid", text
    seen = _result(text, folder, f"traced_{seed}")
    fails = isinstance(seen, Exception) or not _same(wanted, seen)
    project = Project(None, Settings())
    project.set_text("program.py", text)
    found = [each for each in project.check("program.py") if each.severity <= Severity.WARNING]
    if fails:
        return "right" if found else "missed", f"{text}\n# {type(seen).__name__}: {seen}"
    errors = [each for each in found if each.severity is Severity.ERROR and each.rule not in SILENT_AT_TIMES]
    return "false" if errors else "right", f"{text}\n# {[each.message for each in errors]}"


def program(seed: int, decorator: Decorator) -> str:
    """The seed's program as a file that traces it, and calls it several times."""
    drawn = random_features.draw(seed)
    given = [name for name in random_sources.PARAMETERS if name not in drawn.python]
    calls: list[str] = []
    for call in random_programs.CALLS:
        values = dict(zip(random_sources.PARAMETERS, call, strict=True))
        written = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        arguments = [_ARGUMENTS.get(name, "tf.constant({})").format(written[name]) for name in given]
        calls.append(f"    program({', '.join(arguments)}),\n")
    text = random_sources.source(drawn).replace("def program(", f"@{decorator}\ndef program(")
    return f"import graphwright as gw\n{text}\n\nRESULTS = [\n{''.join(calls)}]\n"


def _result(text: str, folder: Path, name: str) -> Any:
    try:
        return differential.plain(vars(random_programs.module_of(text, folder, name))["RESULTS"])
    except Exception as error:
        return error


def _same(wanted: Any, seen: Any) -> bool:
    """Whether they hold the same values, of Python or of TensorFlow."""
    return _flat(wanted) == _flat(seen)


def _flat(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _flat(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_flat(each) for each in value]
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list):
        return _flat(value)
    if isinstance(value, bytes):
        return value.decode()
    return round(float(value), 4) if isinstance(value, (bool, int, float)) else value


def main(first: int, count: int, decorator: Decorator) -> None:
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            verdict, text = judged(seed, Path(folder), decorator)
            tally[verdict] += 1
            if verdict in ("missed", "false"):
                print(f"seed {seed}: {verdict}\n{text}", flush=True)
    print(dict(tally))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--decorator", choices=("tf.function", "gw.function"), default="tf.function")
    given = parser.parse_args()
    main(given.first, given.count, given.decorator)
