"""What the calls in a file make of the caches of traced functions: which call makes a trace, which uses one.

Where a call can't be compared for sure with those before it, nothing is said of it and of those after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import gast

from graphwright_analysis.tracing import Place, Trace
from graphwright_analysis.tracing.facts import Given, TracedCalled, TracedEscaped, TracedSaved, VariablesMade, Varying
from graphwright_analysis.tracing.facts.retracing import Difference
from graphwright_analysis.tracing.functions.cache_keys import function_of, has_receiver, parameters_of
from graphwright_analysis.tracing.functions.key_differences import is_exact, is_partial_batch, relaxed, takes
from graphwright_analysis.tracing.functions.retracing import MOST_CALLS, differences
from graphwright_analysis.values.domain import Value

Group = tuple[int, "int | None"]
_Event = TracedCalled | VariablesMade | TracedSaved | str
"""A call, the making of variables, a saving, or why what is called from there on isn't known."""


@dataclass(slots=True)
class CallSite:
    """The calls of one function at one place: the traces they use, and those among them that they make.

    `endless` says that each turn of a loop makes another.
    """

    used: list[int] = field(default_factory=list[int])
    made: list[int] = field(default_factory=list[int])
    change: tuple[Varying, ...] = ()
    """Why they make another one."""
    endless: bool = False


@dataclass(slots=True)
class PredictedTraces:
    """The cache of one traced function (of one instance, where it is a method), as far as it is known."""

    traced: int
    function: gast.AST | None
    name: str
    first: list[TracedCalled] = field(default_factory=list[TracedCalled])
    """The call that makes each trace."""
    fits: list[dict[str, Value]] = field(default_factory=list["dict[str, Value]"])
    """What each trace takes."""
    users: list[list[TracedCalled]] = field(default_factory=list["list[TracedCalled]"])
    """The calls that use each trace."""
    changes: list[tuple[Varying, ...]] = field(default_factory=list[tuple[Varying, ...]])
    """In what each differs from the nearest one before it."""
    sites: dict[Place, CallSite] = field(default_factory=dict[Place, CallSite])
    twice: bool | None = False
    """Whether the first call traces twice, because it makes variables; None where nobody knows."""
    saved: int = 0
    """How many traces `tf.saved_model.save` has made, which makes its own of each."""
    open: str = ""
    """Why not all calls are told."""

    @property
    def complete(self) -> bool:
        return not self.open

    @property
    def counted(self) -> bool:
        return self.twice is not None

    @property
    def count(self) -> int:
        """How many traces there are, at the least."""
        return len(self.first) + self.saved + (1 if self.twice and self.first else 0)

    def number(self, trace: int) -> int:
        """A trace's number as people count: that of the first call is its second one where it traces twice."""
        return trace + (2 if self.twice else 1)


def accounts(trace: Trace) -> tuple[PredictedTraces, ...]:
    """What the calls of traced functions make of their caches."""
    if not trace.complete:
        return ()
    if _ACCOUNTS not in trace.memo:
        events = _events(trace).items()
        trace.memo[_ACCOUNTS] = tuple(_account(traced, group) for (traced, _), group in events)
    found: tuple[PredictedTraces, ...] = trace.memo[_ACCOUNTS]
    return found


_ACCOUNTS = "accounts"


def sites(trace: Trace) -> dict[Place, tuple[PredictedTraces, CallSite]]:
    """What is known of each call; nothing of a place where functions of different kinds are called."""
    found: dict[Place, tuple[PredictedTraces, CallSite]] = {}
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


def _events(trace: Trace) -> dict[Group, list[_Event]]:
    """What happens to each traced function in the order of the program."""
    found: dict[Group, list[_Event]] = defaultdict(list)
    later: dict[Group, object] = {}
    for seen in trace.starts:
        for event in trace.facts_of(seen):
            if isinstance(event, TracedSaved):
                found[event.traced.id, event.receiver].append(event)
            elif isinstance(event, VariablesMade):
                found[event.traced, event.receiver].append(event)
            elif isinstance(event, TracedEscaped):
                for group in [group for group in found if group[0] == event.traced]:
                    found[group].append(_HANDED_OVER)
                if not any(group[0] == event.traced for group in found):
                    found[event.traced, None].append(_HANDED_OVER)
            elif isinstance(event, TracedCalled) and event.place is not None:
                group = event.traced.id, event.receiver
                # Functions that nothing calls run in an order of their own.
                elsewhere = not seen.at_top and later.setdefault(group, seen.together) != seen.together
                found[group].append(_OF_OTHERS if elsewhere else event)
    return found


_HANDED_OVER = "other code may call it"
_OF_OTHERS = "functions that are never called may call it"
_UNSURE = "some calls may not happen"
_UNTOLD = "some arguments unknown"
_MANY = "there are many calls"


def _account(traced: int, events: Sequence[_Event]) -> PredictedTraces:
    calls = [event for event in events if isinstance(event, TracedCalled)]
    function = function_of(calls[0].traced) if calls else None
    node = function.node if function is not None else None
    account = PredictedTraces(traced, node, getattr(node, "name", "lambda") if node is not None else "")
    for event in events:
        if isinstance(event, TracedSaved):
            own = event.traced.signature is not None or not parameters_of(event.traced)
            account.saved = max(account.saved, len(account.first), int(own))
        elif isinstance(event, VariablesMade):
            if len(account.first) == 1 and account.twice is False:
                account.twice = True if event.sure else None
            elif account.first and event.sure:
                account.open = account.open or _UNTOLD
        elif isinstance(event, str):
            account.open = event
        elif sum(len(site.used) for site in account.sites.values()) == MOST_CALLS:
            account.open = _MANY
        else:
            account.open = _entered(account, event)
        if account.open:
            if isinstance(event, TracedCalled) and event.place is not None and account.open != _ENDLESS:
                account.sites.pop(event.place, None)
            break
    return account


def _entered(account: PredictedTraces, call: TracedCalled) -> str:
    """Put a call to the account; why it isn't known what it does, if it isn't."""
    assert call.place is not None
    if not call.sure:
        # Whether it happens or not, it makes no trace where there is one for what it is given.
        return _UNSURE if _known(account, call) is None else ""
    if call.receiver is None and has_receiver(call.traced):
        return _UNTOLD
    site = account.sites.get(call.place, CallSite())
    known = _known(account, call)
    if known is None:
        differing = [differences(earlier, call, relaxing=False) for earlier in account.first]
        if not all(differing) or (call.traced.signature is not None and account.first):
            return _UNTOLD
        fits = _fitting(account, call)
        if fits is None:
            return _UNTOLD
        known = len(account.first)
        account.first.append(call)
        account.fits.append(fits)
        account.users.append([])
        nearest = min(reversed(differing), key=len, default=())
        account.changes.append(nearest)
        # A value that stays the same in the inner loop makes a trace for itself, not one in each turn.
        each_turn = bool(site.made) and (call.cut or (call.widened and len(site.used) == len(site.made)))
        site.endless = each_turn and not (call.batches and all(map(_is_last_batch, nearest)))
        site.made.append(known)
        site.change = site.change or nearest
    site.used.append(known)
    account.users[known].append(call)
    account.sites[call.place] = site
    return _ENDLESS if site.endless else ""


_ENDLESS = "a loop adds one per iteration"


def _is_last_batch(varying: Varying) -> bool:
    return varying.how is Difference.SHAPE and is_partial_batch(*varying.seen)


def _known(account: PredictedTraces, call: TracedCalled) -> int | None:
    """The trace that a call surely uses: of those that take what it is given, the first."""
    if call.traced.signature is not None:
        return 0 if account.first else None
    if any(given.fresh is not None for given in call.arguments):
        return None
    return next((number for number in range(len(account.first)) if _takes(account, number, call)), None)


def _takes(account: PredictedTraces, number: int, call: TracedCalled) -> bool:
    """Whether a trace surely takes what a call gives: things of such a kind, or the very things that it has taken."""
    fits, users = account.fits[number], account.users[number]
    return fits.keys() == _key(call).keys() and all(
        takes(fits[given.parameter], given.value) or any(_is_same(given, user) for user in users)
        for given in call.arguments
    )


def _is_same(given: Given, user: TracedCalled) -> bool:
    """Whether an earlier call was surely given the same."""
    return given.source is not None and any(
        (given.parameter, given.source, given.value) == (other.parameter, other.source, other.value)
        for other in user.arguments
    )


def _fitting(account: PredictedTraces, call: TracedCalled) -> dict[str, Value] | None:
    """What the trace takes that a call makes: one that is relaxed takes more; None where that isn't known."""
    own = _key(call)
    if not call.traced.relaxed or not account.first:
        return own
    for earlier in account.fits:
        if not all(map(is_exact, (*own.values(), *earlier.values()))):
            return None
        own = relaxed(own, earlier) or own
    return own


def _key(call: TracedCalled) -> dict[str, Value]:
    return {given.parameter: given.value for given in call.arguments}
