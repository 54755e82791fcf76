"""Holds a random program, as it is written and converted into a graph, against each other, and shrinks a wrong one.

One seed is run again, shrunk, by

    python tests/converter/random_programs.py SEED [SEED ...]

Many are run, and counted, by

    python tests/converter/random_programs.py --from 0 --count 20000
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import differential
import graphwright as gw
import numpy as np
import tensorflow as tf
from graphwright.conversion import converted_function
from graphwright.errors import ConversionError
from random_sources import PARAMETERS, Block, Compound, Drawn, draw, source

_SPECS = {
    "n": tf.TensorSpec([], tf.int32),
    "m": tf.TensorSpec([], tf.int32),
    "x": tf.TensorSpec([], tf.float32),
    "y": tf.TensorSpec([], tf.float32),
    "v": tf.TensorSpec([None], tf.int32),
}
CALLS = ((3, 5, 1.5, -0.25, (2, 7, 4)), (4, 0, -2.0, 3.0, ()), (-3, 9, 0.5, 0.5, (6,)), (0, 1, 0.25, 2.0, (1, 0)))


def disagreement(
    drawn: Drawn, subject: differential.Subject, folder: Path, name: str, gradients: bool = False
) -> str | None:
    """What the converted program does differently, or None. A program that fails as written raises."""
    function = load(source(drawn), folder, name)
    wanted = [_run(function, call, drawn, gradients) for call in CALLS]
    specs = [_SPECS[name] for name in _given(drawn)]
    ways = [("graph", lambda: subject.graph(function, input_signature=specs))]
    if subject.eager is not None:
        ways.insert(0, ("converted eager", lambda: subject.eager(function)))
    for way, convert in ways:
        found = _differing(way, convert, drawn, wanted, gradients)
        if found:
            return found
    return None


def ejected_disagreement(drawn: Drawn, folder: Path, name: str) -> str | None:
    """What the ejected program does differently, "" where there is none, None where it does the same.

    There is none where ejecting is refused, or where TensorFlow refuses to ask a symbolic tensor for a Python bool: of
    some numbers that a loop counts, the analysis thinks that they stay Python's.
    """
    function = load(source(drawn), folder, name)
    specs = [_SPECS[name] for name in _given(drawn)]
    try:
        text = gw.to_code(function, style="tensorflow", signature=[*specs, *map(eval, drawn.python.values())])
    except ConversionError as error:
        return "" if error.line else f"ejected: refused without a line: {error}"
    wanted = [_run(function, call, drawn, False) for call in CALLS]
    made = load(text if text.startswith("import") else f"{drawn.preamble}\n\n{text}", folder, f"{name}_ejected")
    graph = tf.function(made, autograph=False, input_signature=specs)
    found = _differing("ejected", lambda: graph, drawn, wanted, False)
    return "" if found and found.startswith("ejected: OperatorNotAllowedInGraphError") else found


def compiled_disagreement(drawn: Drawn, folder: Path, name: str) -> str | None:
    """What XLA makes of the program that differs, "" where it can't compile it, None where it does the same."""
    function = load(source(drawn), folder, name)
    wanted = [_run(function, call, drawn, False) for call in CALLS]
    compiled = gw.function(function, jit_compile=True)
    for call, expected in zip(CALLS, wanted, strict=True):
        try:
            seen = _run(compiled, call, drawn, False)
        except (
            tf.errors.InvalidArgumentError,
            tf.errors.UnimplementedError,
            ValueError,
            TypeError,
            NotImplementedError,
        ):
            return ""
        if not differential.same(expected, seen):
            return f"XLA, called with {call}: {seen!r} instead of {expected!r}"
    return None


def _differing(
    way: str, convert: Callable[[], Callable[..., Any]], drawn: Drawn, wanted: list[Any], gradients: bool
) -> str | None:
    try:
        converted = convert()
        for call, expected in zip(CALLS, wanted, strict=True):
            seen = _run(converted, call, drawn, gradients)
            if not differential.same(expected, seen):
                return f"{way}, called with {call}: {seen!r} instead of {expected!r}"
    except Exception as error:
        return f"{way}: {type(error).__name__}: {error}"
    return None


def load(text: str, folder: Path, name: str) -> Callable[..., Any]:
    return module_of(text, folder, name).program


def module_of(text: str, folder: Path, name: str) -> Any:
    """The module that a text makes, as a file in a folder."""
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def _given(drawn: Drawn) -> list[str]:
    return [name for name in PARAMETERS if name not in drawn.python]


def _run(function: Callable[..., Any], call: Any, drawn: Drawn, gradients: bool) -> Any:
    """The result, and how its floats depend on the floats given."""
    values = dict(zip(PARAMETERS, call, strict=True))
    given = [tf.constant(np.array(values[name], _SPECS[name].dtype.as_numpy_dtype)) for name in _given(drawn)]
    watched = [each for each in given if each.dtype.is_floating]
    if not gradients or not watched:
        return differential.plain(function(*given))
    with tf.GradientTape() as tape:
        tape.watch(watched)
        result = function(*given)
        floats = [each for each in tf.nest.flatten(result) if tf.is_tensor(each) and each.dtype.is_floating]
        target = tf.add_n(floats) if floats else None
    found = tape.gradient(target, watched, unconnected_gradients="zero") if floats else [tf.zeros([])] * len(watched)
    return differential.plain(result), differential.plain(found)


def shrunk(drawn: Drawn, subject: differential.Subject, folder: Path, gradients: bool = False) -> Drawn:
    """The program with everything left out that isn't needed for it to be converted wrong."""
    tried = 0
    smaller = True
    kind = _kind(disagreement(drawn, subject, folder, "shrunk_0", gradients))
    while smaller:
        smaller = False
        for candidate in _smaller(drawn.body):
            tried += 1
            if tried > 400:
                return drawn
            try:
                failing = disagreement(replace(drawn, body=candidate), subject, folder, f"shrunk_{tried}", gradients)
            except Exception:
                continue
            if failing and _kind(failing) == kind:
                drawn, smaller = replace(drawn, body=candidate), True
                break
    return drawn


def _kind(found: str | None) -> str:
    """What stays the same of a failure while its program is made smaller."""
    if found is None or " instead of " in found:
        return "another result"
    return re.sub(r"[^a-z ]|\b\w\b", "", found.partition(": ")[2].lower())[:45]


def _smaller(block: Block) -> Iterator[Block]:
    for at, statement in enumerate(block):
        before, after = block[:at], block[at + 1 :]
        yield before + after
        if isinstance(statement, str):
            continue
        for _, body in statement.parts:
            yield before + body + after
        if len(statement.parts) > 1:
            yield (*before, Compound(statement.parts[:-1]), *after)
        for number, (head, body) in enumerate(statement.parts):
            for less in _smaller(body):
                parts = (*statement.parts[:number], (head, less), *statement.parts[number + 1 :])
                yield (*before, Compound(parts), *after)


def with_gradients(seed: int) -> bool:
    """Gradients cost as much as all else; they are compared for some programs."""
    return seed % 10 == 0


def main(seeds: list[int], subject: differential.Subject) -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            drawn, gradients = draw(seed), with_gradients(seed)
            found = disagreement(drawn, subject, Path(folder), f"program_{seed}", gradients)
            if found:
                wrong += 1
                small = shrunk(drawn, subject, Path(folder), gradients)
                said = disagreement(small, subject, Path(folder), "smallest", gradients)
                print(f"seed {seed}: {found}\n{source(drawn)}\nshrunk: {said}\n{source(small)}", flush=True)
            elif len(seeds) == 1:
                print(source(drawn))
    print(f"{wrong} of {len(seeds)} programs are converted wrong")
    return 1 if wrong else 0


def count(first: int, number: int, subject: differential.Subject, compiled_every: int) -> int:
    """Run so many programs in all ways, print those that differ and how many were refused, and return an exit code."""
    wrong, refused, compiled, uncompiled = 0, 0, 0, 0
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + number):
            drawn, path = draw(seed), Path(folder)
            name = f"program_{seed}"
            found = [
                disagreement(drawn, subject, path, name, with_gradients(seed)),
                ejected_disagreement(drawn, path, f"{name}_to_eject"),
            ]
            refused += found[1] == ""
            if seed % compiled_every == 0:
                found.append(compiled_disagreement(drawn, path, f"{name}_to_compile"))
                compiled, uncompiled = compiled + 1, uncompiled + (found[2] == "")
            told = [each for each in found if each]
            wrong += bool(told)
            if told:
                print(f"seed {seed}: {told[0]}\n{source(drawn)}", flush=True)
            for file in path.glob("*.py"):
                file.unlink()
    print(f"{wrong} of {number} programs differ; {refused} aren't ejected")
    print(f"XLA compiles {compiled - uncompiled} of {compiled}")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("seeds", nargs="*", type=int)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--compiled-every", type=int, default=10, help="XLA takes longer than all else")
    given = parser.parse_args()
    judged = differential.Subject(gw.function, converted_function)
    if given.count:
        sys.exit(count(given.first, given.count, judged, given.compiled_every))
    sys.exit(main(given.seeds, judged))
