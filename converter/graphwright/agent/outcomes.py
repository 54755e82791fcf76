"""Calls a function and notes what came of it: its result, what it printed and changed, its gradients, or its error."""

from __future__ import annotations

import contextlib
import os
import random
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from .arguments import EvaluatedArguments
from .differences import GRADIENTS, Found, differences, printed_differences
from .failures import failure
from .places import is_users
from .snapshots import copied

_LOGGED = re.compile(r"^(?:[IWEF]\d{4} |\d{4}-\d\d-\d\d .*: [IWEF] |WARNING: All log messages|WARNING:tensorflow:)")
_AROUND = re.compile(r"Exception encountered when calling|Arguments received by|in user code:")
_LONGEST = 300


@dataclass
class CallOutcome:
    """What came of a call."""

    result: Any = None
    gradients: dict[str, Any] = field(default_factory=dict[str, Any])
    state: Any = None
    printed: str = ""
    error: BaseException | None = None


def called(
    call: Callable[..., Any],
    given: EvaluatedArguments,
    tf: Any,
    variables: Callable[[], list[tuple[str, Any]]] | None,
) -> CallOutcome:
    """The outcome of a call, without the state; with `variables`, the gradients of floats in its result as well."""
    outcome = CallOutcome()
    with _printed() as printed, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if variables is None:
                outcome.result = copied(call(*given.positional, **given.named), tf)
            else:
                _with_gradients(outcome, call, given, tf, variables)
        except (Exception, SystemExit) as error:
            outcome.error = error
    outcome.printed = "".join(printed)
    return outcome


def compared(eager: CallOutcome, other: CallOutcome) -> Iterator[Found]:
    """Each difference of another outcome from eager code's; both have an error, or neither."""
    if eager.error is None:
        yield from differences(eager.result, other.result, "result")
        yield from differences(eager.gradients, other.gradients, "gradients", slack=GRADIENTS)
    yield from differences(eager.state, other.state, "")
    yield from printed_differences(eager.printed, other.printed)


def seed(number: int, tf: Any) -> None:
    """Let random numbers begin again."""
    random.seed(number)
    sys.modules["numpy"].random.seed(number)
    tf.random.set_seed(number)


def reason_of(error: BaseException) -> str:
    """The type and the message of an error, without what Keras and TensorFlow add to it."""
    shown = failure(error, "running")
    refused = getattr(error, "reason", None)  # a ConversionError's, without the place
    if isinstance(refused, str):
        return f"{shown.type}: {refused}"
    paragraphs = [" ".join(each.split()) for each in re.split(r"\n\s*\n", shown.message)]
    told = [each for each in paragraphs if each and not _AROUND.match(each)]
    text = f"{shown.type}: {told[0] if told else shown.message}"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def place_of(error: BaseException) -> tuple[str, int | None]:
    """The user's line that an error comes from, from 0; where the converter refuses, that line."""
    frames = [frame for frame in failure(error, "running").frames if is_users(frame.file)]
    if frames:
        return frames[-1].file, frames[-1].line
    file, line = getattr(error, "file", None), getattr(error, "line", None)
    return (file, line - 1) if isinstance(file, str) and file and isinstance(line, int) and line else ("", None)


def _with_gradients(
    outcome: CallOutcome,
    call: Callable[..., Any],
    given: EvaluatedArguments,
    tf: Any,
    variables: Callable[[], list[tuple[str, Any]]],
) -> None:
    named = {f"argument {index + 1}": value for index, value in enumerate(given.positional)} | given.named
    watched = {
        f"{name}{f'[{at}]' if len(leaves) > 1 else ''}": leaf
        for name, value in named.items()
        if (leaves := tf.nest.flatten(value))
        for at, leaf in enumerate(leaves)
        if tf.is_tensor(leaf) and not isinstance(leaf, tf.Variable) and leaf.dtype.is_floating
    }
    with tf.GradientTape() as tape:
        tape.watch(list(watched.values()))
        value = call(*given.positional, **given.named)
        floats = [leaf for leaf in tf.nest.flatten(value) if tf.is_tensor(leaf) and leaf.dtype.is_floating]
        target = [tf.cast(tf.reduce_sum(leaf), floats[0].dtype) for leaf in floats]
    outcome.result = copied(value, tf)
    sources = {**watched, **dict(variables())}
    if target and sources:
        found = tape.gradient(target, list(sources.values()), unconnected_gradients="zero")
        outcome.gradients = {name: copied(each, tf) for name, each in zip(sources, found, strict=True)}


@contextlib.contextmanager
def _printed() -> Generator[list[str], None, None]:
    """What Python and TensorFlow's kernels print meanwhile, without what they log."""
    found = list[str]()
    with tempfile.TemporaryFile() as file:
        kept = [os.dup(1), os.dup(2)]
        _flush()
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            with (
                open(file.fileno(), "w", buffering=1, encoding="utf-8", errors="replace", closefd=False) as stream,
                contextlib.redirect_stdout(stream),
                contextlib.redirect_stderr(stream),
            ):
                yield found
        finally:
            for number, descriptor in enumerate(kept, 1):
                os.dup2(descriptor, number)
                os.close(descriptor)
            file.seek(0)
            lines = file.read().decode("utf-8", "replace").splitlines(keepends=True)
            found += [line for line in lines if not _LOGGED.match(line)]


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
