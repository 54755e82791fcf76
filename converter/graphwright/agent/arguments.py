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

UNKNOWN_SIZE = 2
"""What a size becomes in a made-up tensor that its spec leaves open."""


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
    try:
        signature.bind(*arguments.positional, **arguments.named)
    except TypeError as error:
        needed = [
            each.name
            for each in signature.parameters.values()
            if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        ]
        missing = [each for each in needed[len(arguments.positional) :] if each not in arguments.named]
        if not missing:
            raise Missing(f"The arguments don't fit {name}{signature}: {error}.") from None
        example = ", ".join(f"{each}=tf.TensorSpec([None, 3], tf.float32)" for each in missing)
        raise Missing(f"{name} also needs {_listed(missing)}, for example {example}.") from None


def made_up(value: Any, tf: Any, name: str, notes: list[str]) -> Any:
    """The value with a tensor in the place of every spec in it; what was made up is told in the notes."""
    flat: list[Any] = tf.nest.flatten(value)
    made = [_tensor(each, tf, name, notes) if isinstance(each, tf.TensorSpec) else each for each in flat]
    return tf.nest.pack_sequence_as(value, made)


def all_made_up(arguments: EvaluatedArguments, names: list[str], tf: Any, notes: list[str]) -> EvaluatedArguments:
    positional = [
        made_up(value, tf, names[index] if index < len(names) else f"argument {index + 1}", notes)
        for index, value in enumerate(arguments.positional)
    ]
    named = {name: made_up(value, tf, name, notes) for name, value in arguments.named.items()}
    return EvaluatedArguments(positional, named)


def _tensor(spec: Any, tf: Any, name: str, notes: list[str]) -> Any:
    unknown_rank = spec.shape.rank is None
    shape = [] if unknown_rank else [UNKNOWN_SIZE if size is None else size for size in spec.shape]
    if spec.dtype.is_floating or spec.dtype.is_complex:
        tensor, how = tf.cast(tf.random.stateless_normal(shape, [0, len(notes)]), spec.dtype), "random numbers"
    elif spec.dtype == tf.string:
        tensor, how = tf.fill(shape, "text"), "the string 'text'"
    elif spec.dtype == tf.bool:
        tensor, how = tf.ones(shape, tf.bool), "True"
    else:
        tensor, how = tf.ones(shape, spec.dtype), "ones"
    opened = unknown_rank or None in list(spec.shape)
    sizes = (
        (", a scalar because its rank is unknown" if unknown_rank else f", size {UNKNOWN_SIZE} for each None")
        if opened
        else ""
    )
    notes.append(f"{name}: {spec.dtype.name}{list(tensor.shape)} filled with {how}{sizes}.")
    return tensor


def parameter_names(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
