"""What the tables say of TensorFlow's functions is what the installed TensorFlow gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import example_forms
import pytest
import random_calls
from count_coverage import counted_functions
from graphwright_analysis.values.domain import Constant, Tensor
from graphwright_analysis.values.tensorflow import functions, result_shapes, tables
from random_calls import Outcome, elements

ROOT = Path(__file__).resolve().parents[2]
TABLE = json.loads((ROOT / "analysis/graphwright_analysis/values/tensorflow/table.json").read_text("utf-8"))
SEED = int(os.environ.get("GRAPHWRIGHT_SEED", "0"))
CALLS = int(os.environ.get("GRAPHWRIGHT_CALLS", "8"))


def installed() -> str:
    for name in ("tensorflow-cpu", "tensorflow"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    pytest.fail("TensorFlow isn't installed")


def calls(test: Callable[..., None]) -> Callable[..., None]:
    """What calls TensorFlow's functions; the calls are made once, in one process."""
    return pytest.mark.truth(pytest.mark.xdist_group("calls")(test))


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(random_calls.outcomes(SEED, CALLS))


@pytest.mark.truth
def test_the_table_is_what_tensorflow_gives():
    assert installed().startswith(TABLE["tensorflow"] + "."), "the table was asked of another minor version"
    command = [sys.executable, str(ROOT / "tools/generate_tensorflow_table.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_table_is_not_empty():
    assert len(TABLE["functions"]) > 300


def test_every_shape_of_the_table_has_a_rule():
    named = {shape for entry in TABLE["functions"].values() for shape in _shapes(entry.get("shape"))}
    assert named <= result_shapes.RESULT_SHAPES.keys()


def _shapes(shape: Any) -> list[str]:
    return [] if shape is None else [shape] if isinstance(shape, str) else [s for part in shape for s in _shapes(part)]


@calls
def test_nothing_inferred_contradicts_tensorflow(outcomes: list[Outcome]):
    for outcome in outcomes:
        if outcome.error is None:
            for given, inferred in random_calls.pairs(outcome.given, outcome.inferred):
                assert random_calls.contradiction(given, inferred) is None, outcome.call


@calls
def test_what_is_refused_tensorflow_refuses(outcomes: list[Outcome]):
    refused = [outcome for outcome in outcomes if outcome.refusal is not None]
    assert len(refused) > 100
    for outcome in refused:
        assert outcome.error is not None, (outcome.call, outcome.refusal)


@calls
def test_what_is_refused_eagerly_tensorflow_refuses_eagerly():
    told = [(call, *random_calls.eager_error(call)) for call in random_calls.eager_calls(SEED, 4 * CALLS)]
    refused = [(call, error, refusal) for call, error, refusal in told if refusal is not None]
    assert len(refused) > 100
    assert [call for call, error, _ in refused if error is None] == []


@calls
def test_most_is_exact(outcomes: list[Outcome]):
    known = _known(outcome for outcome in outcomes if outcome.call.name not in example_forms.examples())
    assert known["dtype"] > 0.98 * known["tensors"]
    assert known["rank"] > 0.96 * known["tensors"]
    assert known["shape"] > 0.85 * known["tensors"]
    assert known["foreseen"] > 0.6 * known["raised"]


@calls
def test_forms_tell_dtype_and_rank(outcomes: list[Outcome]):
    known = _known(outcome for outcome in outcomes if outcome.call.name in example_forms.examples())
    assert known["tensors"] > 1000
    assert known["dtype"] > 0.97 * known["tensors"]
    assert known["rank"] > 0.98 * known["tensors"]
    assert known["shape"] > 0.75 * known["tensors"]


def _known(outcomes: Iterable[Outcome]) -> Counter[str]:
    """How much of what came out is known."""
    counts: Counter[str] = Counter()
    for outcome in outcomes:
        if outcome.error is not None:
            # What Keras refuses isn't foreseen.
            if not outcome.call.name.startswith("keras."):
                counts["foreseen"] += outcome.refusal is not None
                counts["raised"] += 1
            continue
        for given, inferred in random_calls.pairs(outcome.given, outcome.inferred):
            counts["tensors"] += 1
            for name, exact in zip(("dtype", "rank", "shape"), random_calls.exactness(given, inferred), strict=True):
                counts[name] += exact
    return counts


def test_entries_follow_the_version():
    assert tables.entry("reduce_sum", (2, 16)) is not None
    newer = [name for name, entry in TABLE["functions"].items() if "since" in entry]
    for name in newer:
        since = tuple(map(int, TABLE["functions"][name]["since"].split(".")))
        assert tables.entry(name, (since[0], since[1] - 1)) is None
    changed = [(name, older) for name, entry in TABLE["functions"].items() for older in entry.get("before", ())]
    assert changed
    for name, older in changed:
        major, minor = map(int, older["until"].split("."))
        then, later = tables.entry(name, (major, minor)), tables.entry(name, (major, minor + 1))
        assert then is not None, name
        assert then != later, name


def test_a_parameter_that_came_later_makes_a_call_unknown_before():
    tensor = Tensor("float32", (2, 3))
    tried = 0
    for name, found in TABLE["functions"].items():
        for older in found.get("before", ()):
            major, minor = map(int, older["until"].split("."))
            new = sorted(set(found["params"]) - set(older.get("params", found["params"])))
            first, *_ = found["params"]
            if new and functions.call(name, [], {first: tensor}, elements, (major, minor)) is not None:
                tried += 1
                later = {first: tensor, new[0]: Constant(None)}
                assert functions.call(name, [], later, elements, (major, minor)) is None, name
                assert functions.call(name, [], later, elements, (major, minor + 1)) is not None, name
    assert tried


def test_few_public_functions_are_unknown():
    counted = {module: (total, missing) for module, total, missing in counted_functions()}
    for module in ("math", "nn", "image", "linalg", "signal", "strings", "keras.activations", "keras.metrics"):
        total, missing = counted[module]
        assert len(missing) < 0.15 * total, (module, missing)
    assert sum(len(missing) for _, missing in counted.values()) < 0.12 * sum(total for total, _ in counted.values())


def test_most_calls_in_traced_functions_are_covered():
    command = [sys.executable, str(ROOT / "tools/count_coverage.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    methods, calls = (float(part.split("%")[0]) for part in done.stdout.split("covered: ")[1:])
    assert methods > 95, done.stdout
    assert calls > 99, done.stdout
