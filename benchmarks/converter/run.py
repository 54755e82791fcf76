"""How fast converted programs are: eager, handwritten graph code, TensorFlow's AutoGraph and Graphwright in one run.

Each program is a file in `programs`; it asserts nothing itself, this script checks that all four give the same numbers.
Times are medians of interleaved repetitions, because a busy machine slows everything that runs at that moment.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from report import SHOWN, Measured, as_markdown, as_svg, as_text

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
VARIANTS = ("eager", "handwritten", "autograph", "graphwright")
TRACED = VARIANTS[1:]
CALLS = 10
"""How often each traced function is called after its first call, in each repetition."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few repetitions, in this process alone; docs stay")
    parser.add_argument("--only", metavar="NAME", action="append", help="this program alone (may be repeated)")
    parser.add_argument("--json", action="store_true", help="print the measurements as JSON instead of a table")
    parser.add_argument("--first-in-process", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    names: list[str] = options.only or sorted(path.stem for path in (HERE / "programs").glob("*.py"))
    if options.first_in_process:
        print(json.dumps(first_in_process(names)))
        return
    repetitions = 3 if options.quick else 9
    processes = 5
    measured = {name: in_this_process(name, repetitions) for name in names}
    if not options.quick:
        in_new_processes(measured, processes)
    if options.json:
        print(json.dumps(measured, indent=2))
    else:
        print(as_text(measured))
    if not options.quick and not options.only:
        (DOCS / "converter-benchmarks.md").write_text(as_markdown(measured, repetitions, processes), "utf-8")
        (DOCS / "converter-benchmarks.svg").write_text(as_svg(measured), "utf-8")


def in_this_process(name: str, repetitions: int) -> Measured:
    """First calls, each of a fresh function object, and calls after them; the variants take turns."""
    print(f"measuring {name} ...", file=sys.stderr)
    program = load(name)
    first: dict[str, list[float]] = {variant: [] for variant in TRACED}
    steady: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
    dice = random.Random(0)
    for repetition in range(-1, repetitions):
        calls = {variant: made(program, variant) for variant in TRACED}
        given = {variant: program.arguments() for variant in VARIANTS}
        # The first round, in which whatever is loaded on demand gets loaded, is only there to compare numbers.
        if repetition < 0:
            check(
                name, {variant: calls[variant](*given[variant]) for variant in TRACED}, program.plain(*given["eager"])
            )
            continue
        gc.collect()
        gc.freeze()
        for variant in dice.sample(TRACED, len(TRACED)):
            first[variant].append(seconds(calls[variant], given[variant]))
        for _ in range(CALLS):
            for variant in dice.sample(TRACED, len(TRACED)):
                steady[variant].append(seconds(calls[variant], given[variant]))
        if repetition % 4 == 0:
            steady["eager"].append(seconds(program.plain, given["eager"]))
        gc.unfreeze()
    return {
        "first": {variant: statistics.median(times) for variant, times in first.items()},
        "steady": {variant: statistics.median(times) for variant, times in steady.items()},
        "lines": {function: lines_of(program, function) for function in ("plain", "handwritten")},
    }


def in_new_processes(measured: dict[str, Measured], processes: int) -> None:
    """The very first call in a new process, before and after the cache on disk knows the program."""
    cold: list[dict[str, dict[str, float]]] = []
    warm: list[dict[str, dict[str, float]]] = []
    for _ in range(processes):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(run_again(list(measured), folder))
            warm.append(run_again(list(measured), folder))
    for name, result in measured.items():
        for kind, runs in (("cold", cold), ("warm", warm)):
            result[kind] = {variant: statistics.median(run[name][variant] for run in runs) for variant in TRACED}


def run_again(names: list[str], cache: str) -> dict[str, dict[str, float]]:
    command = [sys.executable, str(Path(__file__).resolve()), "--first-in-process"]
    for name in names:
        command += ["--only", name]
    environment = {**os.environ, "GRAPHWRIGHT_CACHE_DIR": cache}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def first_in_process(names: list[str]) -> dict[str, dict[str, float]]:
    """One first call of each; what TensorFlow itself does only once is done before by tracing something else."""
    warm_up()
    times: dict[str, dict[str, float]] = {}
    for name in names:
        program = load(name)
        seconds(made(program, "handwritten"), program.arguments())
        times[name] = {
            variant: seconds(made(program, variant), program.arguments())
            for variant in random.sample(TRACED, len(TRACED))
        }
    return times


def warm_up() -> None:
    """Loads what each way of tracing loads on first use, with a function that no program contains."""
    import graphwright
    import tensorflow as tf

    def doubled(x):
        if x > 0:
            x = 2 * x
        for _ in tf.range(2):
            x += 1
        return x

    for make in (tf.function, graphwright.function):
        make(doubled)(tf.constant(1))


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"program_{name}", HERE / "programs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def made(program: ModuleType, variant: str) -> Callable[..., Any]:
    """The program's function as this variant calls it: a new object, so that its first call traces."""
    import tensorflow as tf

    if variant == "eager":
        return program.plain
    if variant == "handwritten":
        return tf.function(program.handwritten, autograph=False)
    if variant == "autograph":
        return tf.function(getattr(program, "for_autograph", program.plain))
    import graphwright

    return graphwright.function(program.plain)


def check(name: str, results: dict[str, Any], eager: Any) -> None:
    """All variants compute the same numbers, up to the order in which floats are added."""
    import numpy as np
    import tensorflow as tf

    wanted = tf.nest.flatten(eager)
    for variant, result in results.items():
        got = tf.nest.flatten(result)
        assert len(got) == len(wanted), (name, variant)
        for one, other in zip(got, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), 1e-3, 1e-4, err_msg=f"{name}: {variant}")


def seconds(call: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """From the call until its numbers are there."""
    import tensorflow as tf

    gc.disable()
    try:
        start = time.perf_counter()
        for value in tf.nest.flatten(call(*arguments)):
            if tf.is_tensor(value):
                value.numpy()
        return time.perf_counter() - start
    finally:
        gc.enable()


def lines_of(program: ModuleType, function: str) -> int:
    import inspect

    return len(inspect.getsource(getattr(program, function)).splitlines())


if __name__ == "__main__":
    assert set(SHOWN) == set(TRACED[1:])
    main()
