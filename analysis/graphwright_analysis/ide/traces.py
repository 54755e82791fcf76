"""The traces that the calls in a file cause, in words: which call makes one, which uses one, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Module
from graphwright_analysis.text import Range
from graphwright_analysis.tracing.facts import (
    Given,
    Held,
    TracedCalled,
    Varying,
)
from graphwright_analysis.tracing.facts.retracing import Difference
from graphwright_analysis.tracing.functions.key_differences import difference
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Tuple, Value, Variable, python_kind

from . import markdown, trace_counts
from .accounts import CallSite, PredictedTraces, accounts
from .nodes import Function, path_to
from .values import shown


@immutable
class TraceMade:
    """One trace: the function's signature as the cache sees it, the calls that use it, and why it is a new one."""

    signature: str
    calls: tuple[Range, ...]
    cause: str = ""


@immutable
class Traces:
    """What the calls in a file make of a function; `count` says how many that are, there and in other files."""

    function: str
    made: tuple[TraceMade, ...]
    count: str


def traces_of(project: Project, path: str, offset: int) -> Traces | None:
    """The traces of the function at a place that the calls in its file cause; None where no call is seen."""
    module, trace = project.module(path), project.trace(path)
    block = module.block_at(offset) if module.blocks else None
    around = path_to(block, offset - module.start_of(block)) if block is not None else []
    function = next((node for node in reversed(around) if isinstance(node, Function)), None)
    found = [account for account in accounts(trace) if account.function is function]
    if not found or function is None:
        return None
    made = tuple(each for account in found for each in _made(module, account))
    return Traces(found[0].name, made, trace_counts.told(found, function, trace_counts.elsewhere(project, path)))


# Words


def told(account: PredictedTraces, site: CallSite) -> tuple[str, str]:
    """What a call does, in a few characters and in sentences."""
    name = f"`{account.name}`"
    because = f": {_short(site.change)}" if site.change else ""
    if site.endless:
        return (
            f"new trace each iteration{because}",
            f"Each iteration traces {name} again, because {_cause(site.change)}.",
        )
    numbers = [f" {account.number(trace)}" if account.counted else "" for trace in site.made or site.used[:1]]
    listed = "\n".join(
        f"{account.number(trace)}. {markdown.code(signature(c, account.name))}" for trace, c in enumerate(account.first)
    )
    listed = f"\n\nTraces of {name}, from the calls in this file:\n\n{listed}"
    if not site.made:
        return f"reuses trace{numbers[0]}", f"{name} already has a trace for these arguments.{listed}"
    if len(site.made) > 1:
        several = f"traces{numbers[0]}–{account.number(site.made[-1])}" if account.counted else "several traces"
        return several, f"The calls here add {len(site.made)} traces of {name}.{listed}"
    if not site.made[0] and account.twice:
        return "traces twice", f"{name} is traced here first, and twice: the first trace creates variables.{listed}"
    if not site.made[0]:
        return f"trace{numbers[0]}" if account.counted else "traces", f"{name} is traced here first.{listed}"
    return f"new trace{numbers[0]}{because}", f"{name} is traced again, because {_cause(site.change)}.{listed}"


def signature(call: TracedCalled, name: str) -> str:
    """A call's key in words: `step(x: float32[3], n=2)`."""
    return f"{name}({', '.join(_argument(given) for given in call.arguments)})"


def _argument(given: Given) -> str:
    return _named(given.parameter, given.value)


def _named(name: str, value: Value) -> str:
    text = shown(value)
    return f"{name}={_plain(value)}" if text is None else f"{name}: {text}"


def _plain(value: Value) -> str:
    match value:
        case Constant():
            text = repr(value.value)
            return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        case Scalar():
            return f"<{value.kind.__name__}>"
        case Held(kind="list"):
            return f"[{', '.join(shown(item) or _plain(item) for item in value.items)}]"
        case Held(kind="dict"):
            rows = zip(value.keys, value.items, strict=True)
            return f"{{{', '.join(f'{key}: {shown(item) or _plain(item)}' for key, item in rows)}}}"
        case Held():
            rows = zip(value.keys, value.items, strict=True)
            return f"{value.name}({', '.join(_named(key, item) for key, item in rows)})"
        case Tuple():
            return f"({', '.join(shown(item) or _plain(item) for item in value.items)})"
        case _:
            return "…"


_LONGEST = 24


def _short(varying: Sequence[Varying]) -> str:
    """What has changed, as short as a hint must be."""
    names = ", ".join(each.parameter for each in varying)
    if len(varying) == 1 and len(varying[0].seen) == 2 and varying[0].how in _TOLD:
        before, after = (_aspect(value, varying[0].how) for value in varying[0].seen)
        text = f"{names} {before} → {after}"
        if before == after or len(text) > _SHORT:
            text = _inner(names, *varying[0].seen, varying[0].how)
        return text if len(text) <= _SHORT else names
    return names


def _inner(name: str, before: Value, after: Value, how: Difference) -> str:
    """The first part of a collection that has changed, and how; dots say that others have as well."""
    others = ""
    while isinstance(before, (Tuple, Held)) and isinstance(after, (Tuple, Held)):
        pairs = zip(before.items, after.items, strict=False)
        changed = [index for index, (a, b) in enumerate(pairs) if difference(a, b) is not None]
        if not changed:
            return name
        index = changed[0]
        name, others = f"{name}{_step(before, index)}", others if len(changed) == 1 else ", …"
        before, after = before.items[index], after.items[index]
    first, second = _aspect(before, how), _aspect(after, how)
    return name if first == second else f"{name} {first} → {second}{others}"


def _step(owner: Tuple | Held, index: int) -> str:
    """How a part of a collection is reached."""
    if isinstance(owner, Tuple):
        return f".{owner.fields[index]}" if owner.fields else f"[{index}]"
    if owner.kind in ("list", "dict"):
        return f"[{owner.keys[index]!r}]" if owner.keys else f"[{index}]"
    return f".{owner.keys[index]}"


_SHORT = 28
_TOLD = (Difference.VALUE, Difference.DTYPE, Difference.SHAPE)
"""The differences of which both sides are told."""


def _aspect(value: Value, how: Difference) -> str:
    """What of a value has changed: of a tensor its dtype or its shape."""
    text = shown(value)
    if text is None or not isinstance(value, (Tensor, Variable)):
        return text or _plain(value)
    dtype, _, sizes = text.partition("[")
    return dtype if how is Difference.DTYPE else f"[{sizes}" if isinstance(value, Tensor) else text


def _cause(varying: Sequence[Varying]) -> str:
    return " and ".join(map(_change, varying))


def _change(varying: Varying) -> str:
    name = f"`{varying.parameter}`"
    match varying.how:
        case Difference.FRESH:
            what = varying.fresh or "object"
            return f"{name} is a new {what} on every call"
        case Difference.STRUCTURE:
            return f"{name} has a different structure"
        case Difference.KIND:
            return f"{name} is a list in one call and a tuple in another"
        case Difference.OBJECT:
            return f"{name} is a different function"
        case _ if len(varying.seen) == 2:
            before, after = (shown(value) or _plain(value) for value in varying.seen)
            kind = python_kind(varying.seen[1])
            if before == after and kind is not None:
                return f"{name} is a different {kind.__name__} in each iteration"
            return (
                f"{name} changed from {_quoted(before)} to {_quoted(after)}" if before != after else f"{name} changed"
            )
        case _:
            return f"{name} changed"


def _quoted(text: str) -> str:
    """A value among words, as code where it would be taken for Markdown."""
    return markdown.code(text) if any(sign in text for sign in "`*_<\\") else text


def _made(module: Module, account: PredictedTraces) -> Iterator[TraceMade]:
    for number, call in enumerate(account.first):
        calls = [place for place, site in account.sites.items() if number in site.used]
        spans = [
            place.range.shifted(module.start_of(place.block)) for place in calls if place.block in module.starts_of
        ]
        yield TraceMade(signature(call, account.name), tuple(sorted(spans)), _cause(account.changes[number]))
