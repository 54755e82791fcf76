"""From the text of a call's arguments to values: specs for tracing, made-up tensors of these for running.

The text is Python, evaluated in the user's module with `tf` and `np` added.
"""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .loading import Missing

_SIZES = (2, 2, 3)
"""What a size becomes in a made-up tensor that its spec leaves open, in the first draw and those after it."""


@dataclass
class EvaluatedArguments:
    """The arguments of one call."""

    positional: list[Any] = field(default_factory=list[Any])
    named: dict[str, Any] = field(default_factory=dict[str, Any])


def sets(text: str) -> list[str]:
    """The sets of arguments in a text: on lines of their own, or between semicolons."""
    found, start, lines = list[str](), (1, 0), text.splitlines(keepends=True)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            ends = token.type in (tokenize.NEWLINE, tokenize.ENDMARKER)
            if ends or (token.type == tokenize.OP and token.string == ";"):
                found.append(_between(lines, start, token.start))
                start = token.end
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return [text.strip()]
    return [each for each in found if each] or [""]


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]].strip() if start[0] <= len(lines) else ""
    middle = lines[start[0] : end[0] - 1]
    last = lines[end[0] - 1][: end[1]] if end[0] <= len(lines) else ""
    return "".join([lines[start[0] - 1][start[1] :] if start[0] <= len(lines) else "", *middle, last]).strip()


def evaluate(text: str, names: Mapping[str, Any]) -> EvaluatedArguments:
    """The values of one set; raises `Missing` with what is wrong."""
    try:
        call = ast.parse(f"_({text}\n)", mode="eval").body
    except SyntaxError as error:
        raise Missing(f"Not valid call arguments: {text} ({error.msg}).") from None
    if not isinstance(call, ast.Call):
        raise Missing(f"These aren't arguments of a call: {text}")
    known, result = dict(names), EvaluatedArguments()
    for index, node in enumerate(call.args):
        if isinstance(node, ast.Starred):
            result.positional += _value(node.value, f"argument {index + 1}", known)
        else:
            result.positional.append(_value(node, f"argument {index + 1}", known))
    for keyword in call.keywords:
        value = _value(keyword.value, keyword.arg or "the arguments after **", known)
        result.named.update({keyword.arg: value} if keyword.arg else value)
    return result


def _value(node: ast.expr, name: str, known: dict[str, Any]) -> Any:
    if isinstance(node, ast.Constant) and node.value is Ellipsis:
        raise Missing(f"{name} needs a value, such as {name}=tf.TensorSpec([None, 3], tf.float32).")
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "<arguments>", "eval")
    try:
        return eval(code, known)
    except Exception as error:
        raise Missing(f"{name}={ast.unparse(node)} can't be evaluated: {type(error).__name__}: {error}") from error


def check(arguments: EvaluatedArguments, function: Callable[..., Any], name: str, has_signature: bool) -> None:
    """Raise `Missing` where the arguments don't fit the function; with a signature of its own it may have none."""
    if has_signature and not arguments.positional and not arguments.named:
        return
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    missing: list[str] = []
    try:
        signature.bind_partial(*arguments.positional, **arguments.named)
        missing = _missing(signature, arguments)
        signature.bind(*arguments.positional, **arguments.named)
    except TypeError as error:
        if not missing:
            raise Missing(f"The arguments don't fit {name}{signature}: {error}.") from None
        example = ", ".join(f"{each}=tf.TensorSpec([None, 3], tf.float32)" for each in missing)
        raise Missing(f"{name} also needs {_listed(missing)}, for example {example}.") from None


def _missing(signature: inspect.Signature, arguments: EvaluatedArguments) -> list[str]:
    needed = [
        each.name
        for each in signature.parameters.values()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    return [each for each in needed[len(arguments.positional) :] if each not in arguments.named]


def signed(given: EvaluatedArguments, graph: Any) -> EvaluatedArguments:
    """The arguments, or the specs of the function's own signature where there are none."""
    signature = getattr(graph, "input_signature", None)
    return EvaluatedArguments(list(signature)) if signature and not given.positional and not given.named else given


def made_up(value: Any, tf: Any, name: str, notes: list[str], draw: int = 0) -> Any:
    """The value with a tensor in the place of every spec in it; the notes say how each was filled.

    Each `draw` has other numbers and sizes.
    """
    if not holds_spec(value, tf):
        return value
    flat: list[Any] = tf.nest.flatten(value)
    made = [_tensor(each, tf, name, notes, draw) if isinstance(each, tf.TensorSpec) else each for each in flat]
    return tf.nest.pack_sequence_as(value, made)


def holds_spec(value: Any, tf: Any) -> bool:
    """Whether a value has a spec in it; what has none stays the very object."""
    return any(isinstance(each, tf.TensorSpec) for each in tf.nest.flatten(value))


def all_made_up(
    arguments: EvaluatedArguments, names: list[str], tf: Any, notes: list[str], draw: int = 0
) -> EvaluatedArguments:
    positional = [
        made_up(value, tf, names[index] if index < len(names) else f"argument {index + 1}", notes, draw)
        for index, value in enumerate(arguments.positional)
    ]
    named = {name: made_up(value, tf, name, notes, draw) for name, value in arguments.named.items()}
    return EvaluatedArguments(positional, named)


def _tensor(spec: Any, tf: Any, name: str, notes: list[str], draw: int) -> Any:
    unknown_rank, open_size = spec.shape.rank is None, _SIZES[draw % len(_SIZES)]
    shape = [] if unknown_rank else [open_size if size is None else size for size in spec.shape]
    tensor, how = _filled(spec.dtype, shape, tf, len(notes), draw)
    opened = unknown_rank or None in list(spec.shape)
    sizes = ", a scalar because its rank is unknown" if unknown_rank else f", size {open_size} for each None"
    notes.append(f"{name}: {spec.dtype.name}{list(tensor.shape)} filled with {how}{sizes if opened else ''}.")
    return tensor


def _filled(dtype: Any, shape: list[int], tf: Any, seed: int, draw: int) -> tuple[Any, str]:
    """A tensor, and what it holds in words; the first draw's numbers are the simplest."""
    if dtype.is_floating or dtype.is_complex:
        return tf.cast(tf.random.stateless_normal(shape, [draw, seed]), dtype), "random numbers"
    if dtype == tf.string:
        return tf.fill(shape, "text" if not draw else f"text {draw}"), "strings" if draw else "the string 'text'"
    if not draw:
        return tf.ones(shape, dtype), "True" if dtype == tf.bool else "ones"
    numbers = tf.random.stateless_uniform(shape, [draw, seed], 0, 5, tf.int32)
    if dtype == tf.bool:
        return tf.equal((numbers + draw) % 2, 0), "True and False"
    return tf.cast(numbers, dtype), "numbers from 0 to 4"


def parameter_names(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
