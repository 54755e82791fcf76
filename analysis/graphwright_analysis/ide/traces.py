"""The traces that the calls in a file cause: which call makes one, which uses one that is there, and what differs.

Where a call can't be compared for sure with those before it, nothing is said of it and of those after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import gast

from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Module
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place, Trace
from graphwright_analysis.tracing.facts import (
    Given,
    Held,
    TracedCalled,
    TracedEscaped,
    TracedOpaquely,
    Varying,
)
from graphwright_analysis.tracing.facts.retracing import Difference
from graphwright_analysis.tracing.functions.cache_keys import function_of, has_receiver
from graphwright_analysis.tracing.functions.retracing import MOST_CALLS, differences
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Tuple, Value, Variable, python_kind

from . import markdown
from .nodes import Function, path_to
from .values import shown

Group = tuple[int, "int | None"]


@dataclass(frozen=True, slots=True)
class TraceMade:
    """One trace: the function's signature as the cache sees it, the calls that use it, and why it is a new one."""

    signature: str
    calls: tuple[Range, ...]
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Traces:
    """What the calls in a file make of a function; `complete` says that they can all be told, and counted."""

    function: str
    made: tuple[TraceMade, ...]
    complete: bool


@dataclass(slots=True)
class Site:
    """The calls of one function at one place: the traces they use, and those among them that they make.

    `endless` says that each turn of a loop makes another.
    """

    used: list[int] = field(default_factory=list[int])
    made: list[int] = field(default_factory=list[int])
    cause: str = ""
    change: str = ""
    """The cause in a few characters."""
    endless: bool = False


@dataclass(slots=True)
class Account:
    """The cache of one traced function (of one instance, where it is a method), as far as it is known.

    `counted` is False where the first call may make more than one trace, `complete` where not all calls are told.
    """

    function: gast.AST
    name: str
    first: list[TracedCalled] = field(default_factory=list[TracedCalled])
    causes: list[str] = field(default_factory=list[str])
    sites: dict[Place, Site] = field(default_factory=dict[Place, Site])
    counted: bool = True
    complete: bool = True


def traces_of(project: Project, path: str, offset: int) -> Traces | None:
    """The traces of the function at a place that the calls in its file cause; None where no call is seen."""
    module, trace = project.module(path), project.trace(path)
    block = module.block_at(offset) if module.blocks else None
    around = path_to(block, offset - module.start_of(block)) if block is not None else []
    function = next((node for node in reversed(around) if isinstance(node, Function)), None)
    found = [account for account in accounts(trace) if account.function is function]
    if not found:
        return None
    made = tuple(each for account in found for each in _made(module, account))
    return Traces(found[0].name, made, all(account.complete and account.counted for account in found))


def accounts(trace: Trace) -> tuple[Account, ...]:
    """What the calls of traced functions make of their caches."""
    if not trace.complete:
        return ()
    calls, opaque = _events(trace)
    found: list[Account] = []
    for (traced, _), group in calls.items():
        account = _account(group)
        if account is not None:
            account.counted = traced not in opaque
            found.append(account)
    return tuple(found)


def sites(trace: Trace) -> dict[Place, tuple[Account, Site]]:
    """What is known of each call; nothing of a place where functions of different kinds are called."""
    found: dict[Place, tuple[Account, Site]] = {}
    several: set[Place] = set()
    for account in accounts(trace):
        for place, site in account.sites.items():
            if place in found and found[place][1] != site:
                several.add(place)
            found.setdefault(place, (account, site))
    return {place: known for place, known in found.items() if place not in several}


def calls_of(trace: Trace, function: gast.AST) -> Iterator[TracedCalled]:
    """The calls of a traced function that are seen."""
    for fact in trace.facts:
        if isinstance(fact, TracedCalled) and fact.place is not None:
            own = function_of(fact.traced)
            if own is not None and own.node is function:
                yield fact


# Calls


def _events(trace: Trace) -> tuple[dict[Group, list[TracedCalled | None]], set[int]]:
    """The calls of each traced function in the order of the program; None stands for those that aren't known."""
    calls: dict[Group, list[TracedCalled | None]] = defaultdict(list)
    opaque: set[int] = set()
    later: dict[Group, object] = {}
    for seen in trace.starts:
        for event in trace.facts_of(seen):
            if isinstance(event, TracedOpaquely):
                opaque.add(event.traced)
            elif isinstance(event, TracedEscaped):
                for group in [group for group in calls if group[0] == event.traced]:
                    calls[group].append(None)
                calls[event.traced, None].append(None)
            elif isinstance(event, TracedCalled) and event.place is not None:
                group = event.traced.id, event.receiver
                # Functions that nothing calls run in an order of their own.
                elsewhere = not seen.at_top and later.setdefault(group, seen.together) != seen.together
                calls[group].append(None if elsewhere else event)
    return calls, opaque


def _account(calls: Sequence[TracedCalled | None]) -> Account | None:
    known = next((call for call in calls if call is not None), None)
    function = function_of(known.traced) if known is not None else None
    if known is None or function is None:
        return None
    account = Account(function.node, getattr(function.node, "name", "lambda"))
    for call in calls[:MOST_CALLS]:
        if call is None or call.place is None or not _enter(account, call):
            account.complete = False
            break
    return account


def _enter(account: Account, call: TracedCalled) -> bool:
    """Put a call to the account; False where it isn't known what it does."""
    assert call.place is not None
    site = account.sites.pop(call.place, Site())
    if not call.sure or (call.receiver is None and has_receiver(call.traced)):
        return False
    known = _known(account, call)
    if known is None:
        differing = [differences(earlier, call) for earlier in account.first]
        if not all(differing) or not _is_fit(account, call):
            return False
        known = len(account.first)
        account.first.append(call)
        nearest = min(reversed(differing), key=len, default=())
        account.causes.append(" and ".join(map(_change, nearest)))
        # A value that stays the same in the inner loop makes a trace for itself, not one in each turn.
        site.endless = call.widened and bool(site.made) and len(site.used) == len(site.made)
        site.made.append(known)
        site.cause = site.cause or account.causes[known]
        site.change = site.change or _short(nearest)
    site.used.append(known)
    account.sites[call.place] = site
    return not site.endless


def _known(account: Account, call: TracedCalled) -> int | None:
    """The trace that a call surely uses."""
    if call.traced.signature is not None:
        return 0 if account.first else None
    if not all(_is_exact(given.value) and given.fresh is None for given in call.arguments):
        return None
    own = _key(call)
    return next((number for number, first in enumerate(account.first) if _key(first) == own), None)


def _key(call: TracedCalled) -> dict[str, Value]:
    return {given.parameter: given.value for given in call.arguments}


def _is_fit(account: Account, call: TracedCalled) -> bool:
    """Whether a call that differs from all before surely makes a trace: one that is relaxed may fit other shapes."""
    return not (call.traced.relaxed and account.first) and (call.traced.signature is None or not account.first)


def _is_exact(value: Value) -> bool:
    """Whether all is known that the cache's key is made of."""
    match value:
        case Constant():
            return True
        case Tensor() | Variable():
            return value.dtype is not None and value.shape is not None and shapes.ANY not in value.shape
        case Tuple() | Held():
            return all(map(_is_exact, value.items))
        case _:
            return False


# Words


def told(account: Account, site: Site) -> tuple[str, str]:
    """What a call does, in a few characters and in sentences."""
    name = f"`{account.name}`"
    because = f": {site.change}" if site.change else ""
    if site.endless:
        return f"new trace each turn{because}", f"Each turn of the loop traces {name} again, because {site.cause}."
    numbers = [f" {number + 1}" if account.counted else "" for number in site.made or site.used[:1]]
    listed = "\n".join(
        f"{number + 1}. {markdown.code(signature(c, account.name))}" for number, c in enumerate(account.first)
    )
    listed = f"\n\nAs far as the calls in this file tell, the traces of {name} are:\n\n{listed}"
    if not site.made:
        return f"reuses trace{numbers[0]}", f"The trace of {name} for these arguments is there already.{listed}"
    if len(site.made) > 1:
        several = f"traces{numbers[0]}–{site.made[-1] + 1}" if account.counted else "several traces"
        return several, f"The calls here make {len(site.made)} traces of {name}.{listed}"
    if not site.made[0]:
        return f"trace{numbers[0]}" if account.counted else "traces", f"{name} is traced here first.{listed}"
    return f"new trace{numbers[0]}{because}", f"{name} is traced again, because {site.cause}.{listed}"


def signature(call: TracedCalled, name: str) -> str:
    """A call's key in words: `step(x: float32[3], n=2)`."""
    return f"{name}({', '.join(_argument(given) for given in call.arguments)})"


def _argument(given: Given) -> str:
    text = shown(given.value)
    if text is not None:
        return f"{given.parameter}: {text}"
    return f"{given.parameter}={_plain(given.value)}"


def _plain(value: Value) -> str:
    match value:
        case Constant():
            text = repr(value.value)
            return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        case Scalar():
            return f"<{value.kind.__name__}>"
        case Held(kind="list"):
            return f"[{', '.join(shown(item) or _plain(item) for item in value.items)}]"
        case Held():
            rows = zip(value.keys, value.items, strict=True)
            return f"{{{', '.join(f'{key}: {shown(item) or _plain(item)}' for key, item in rows)}}}"
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
        return text if before != after and len(text) <= _SHORT else names
    return names


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


def _change(varying: Varying) -> str:
    name = f"`{varying.parameter}`"
    match varying.how:
        case Difference.FRESH:
            what = varying.fresh or "object"
            return f"{name} is a new {what} each time"
        case Difference.STRUCTURE:
            return f"{name} has another structure"
        case Difference.KIND:
            return f"{name} is a list once and a tuple once"
        case Difference.OBJECT:
            return f"{name} is another function"
        case _ if len(varying.seen) == 2:
            before, after = (shown(value) or _plain(value) for value in varying.seen)
            kind = python_kind(varying.seen[1])
            if before == after and kind is not None:
                return f"{name} is another {kind.__name__} in each turn"
            return (
                f"{name} changed from {_quoted(before)} to {_quoted(after)}" if before != after else f"{name} changed"
            )
        case _:
            return f"{name} changed"


def _quoted(text: str) -> str:
    """A value among words, as code where it would be taken for Markdown."""
    return markdown.code(text) if any(sign in text for sign in "`*_<\\") else text


def _made(module: Module, account: Account) -> Iterator[TraceMade]:
    for number, call in enumerate(account.first):
        calls = [place for place, site in account.sites.items() if number in site.used]
        spans = [
            place.range.shifted(module.start_of(place.block)) for place in calls if place.block in module.starts_of
        ]
        yield TraceMade(signature(call, account.name), tuple(sorted(spans)), account.causes[number])
