"""Summarizes events as facts: how often `tf.function` was applied, and which calls retrace.

Works on the records of a whole file's trace after it has ended; `cache_keys` records the events.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import gast

from graphwright_analysis.tracing.facts import (
    CalledOnlyInGraph,
    Event,
    Fact,
    FunctionMade,
    InstanceEscaped,
    InstanceMade,
    InstancesTraced,
    Retraced,
    TracedCalled,
    TracedEscaped,
    TracedExamined,
    TracedMade,
    Varying,
)
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.facts.retracing import Difference, TraceCount
from graphwright_analysis.tracing.machine.recordings import Values
from graphwright_analysis.tracing.machine.starts import StartRecording
from graphwright_analysis.values.domain import (
    NONE,
    Constant,
    Object,
    Scalar,
    Tensor,
    Traced,
    Value,
    dtype_of,
)
from graphwright_analysis.values.shapes import ANY

from .cache_keys import function_of, parameters_of
from .key_differences import difference, exact_key, is_partial_batch
from .parameter_uses import takes_tensor
from .varying_values import is_counted, is_option, is_switch, is_text

MOST_CALLS = 200
"""The maximum number of calls of one function that are compared with each other, except fully known ones."""
MANY_TRACES = 5
"""The number of traces for numbers that is always reported, however many calls share them."""
MANY_OTHERS = 10
"""The same for strings, shapes and the like, which often have only a few values."""
MANY = 100
"""The assumed number of calls by code that isn't analyzed, and of a call in an inner loop."""


def summed_up(starts: Sequence[StartRecording]) -> tuple[Fact, ...]:
    """The events of all starts, as facts for rules to judge."""
    events = [fact for seen in starts for fact in seen.facts if isinstance(fact, Event) and not fact.doubted]
    if not events:
        return ()
    made_in = {fact.traced: seen for seen in starts for fact in seen.facts if isinstance(fact, TracedMade)}
    found = (*_functions_made(events, made_in), *_instances_traced(events), *_retraced(events, Values(starts)))
    return (*found, *_called_only_in_graph(events))


# Makings


def _functions_made(events: Sequence[Event], made_in: Mapping[int, StartRecording]) -> Iterator[FunctionMade]:
    made: dict[int, TracedMade] = {}
    calls: dict[int, int] = {}
    for event in events:
        match event:
            case TracedMade():
                made[event.traced], calls[event.traced] = event, 0
            case TracedCalled() if event.traced.id in made:
                deeper = len(event.loops) > len(made[event.traced.id].loops)
                # One that nobody is seen to make may be made at any time.
                often = event.in_graph or event.concrete or deeper or event.place is None
                calls[event.traced.id] += MANY if often else 1
            case TracedEscaped() if event.traced in made:
                calls[event.traced] += MANY
            case _:
                pass
    makings: dict[tuple[Place, Place | None], list[TracedMade]] = defaultdict(list)
    for each in made.values():
        makings[each.place, each.loops[-1] if each.loops else None].append(each)
    for (place, loop), together in makings.items():
        first = together[0]
        captured = {each.captured for each in together}
        if loop is not None and (None in captured or len(captured) > 1):
            # Each is for another value, and would be traced for it all the same.
            continue
        counts = tuple(calls[each.traced] for each in together)
        makers = [made_in[each.traced] for each in together]
        own = all(each.called is first.maker for each in makers) and len(set(makers)) == len(makers)
        within = _made_anew(first) if own and loop is None else ""
        many = loop is not None and _are_many_alike(together)
        yield FunctionMade(place, first.statement, first.name, counts, loop, first.decorated, within=within, many=many)


def _are_many_alike(together: Sequence[TracedMade]) -> bool:
    """True if a loop creates many functions that always capture the same; an instance may change."""
    held = together[0].captured or ()
    instances = any(isinstance(value, Object) and value.kind == "instance" for value in held)
    return (together[-1].widened or len(together) >= MANY_TRACES) and not instances


def _made_anew(made: TracedMade) -> str:
    """The name of the function that creates it in each call, if that has parameters and isn't a test."""
    function = made.maker
    if not isinstance(function, gast.FunctionDef) or function.decorator_list or function.name.startswith("test"):
        return ""
    arguments = function.args
    given = [each.id for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    at = made.statement if made.decorated else made.place
    around = next((each for each in function.body if at.block.range_of(each).contains(at.range.start)), None)
    directly = isinstance(around, (gast.FunctionDef, gast.Assign, gast.Expr, gast.Return))
    return function.name if directly and given not in ([], ["self"], ["cls"]) else ""


def _instances_traced(events: Sequence[Event]) -> Iterator[InstancesTraced]:
    """Instances created in a loop, each called once."""
    made = {event.instance: event for event in events if isinstance(event, InstanceMade)}
    escaped = {event.instance for event in events if isinstance(event, InstanceEscaped)}
    calls: dict[int, list[TracedCalled]] = defaultdict(list)
    for event in events:
        if isinstance(event, TracedCalled) and event.receiver in made and event.place is not None:
            calls[event.receiver].append(event)
    groups: dict[Place, list[InstanceMade]] = defaultdict(list)
    for event in made.values():
        groups[event.place].append(event)
    for place, together in groups.items():
        called = [calls[each.instance] for each in together]
        once = all(
            len(found) == 1 and found[0].loops == each.loops for each, found in zip(together, called, strict=True)
        )
        widened = bool(called[0]) and called[0][0].widened
        if not once or len(together) < (2 if widened else 4) or any(each.instance in escaped for each in together):
            continue
        first = called[0][0]
        function = function_of(first.traced)
        method = getattr(function.node, "name", "") if function is not None else ""
        yield InstancesTraced(place, together[0].name, method, first.place, len(together))


def _called_only_in_graph(events: Sequence[Event]) -> Iterator[CalledOnlyInGraph]:
    calls: dict[int, list[TracedCalled]] = defaultdict(list)
    for event in events:
        if isinstance(event, TracedCalled):
            calls[event.traced.id].append(event)
    wanted = {event.traced for event in events if isinstance(event, (TracedEscaped, TracedExamined))}
    for event in events:
        if not isinstance(event, TracedMade) or not event.decorated or event.traced in wanted:
            continue
        found = calls[event.traced]
        own = function_of(found[0].traced) if found else None
        seen = [call for call in found if call.place is not None]
        inner = [call.place for call in seen if call.place is not None and call.in_graph]
        bare = "(" not in event.place.block.text[event.place.range.start : event.place.range.end]
        if own is None or own.owner is not None or not bare or not inner or len(inner) < len(seen):
            continue
        yield CalledOnlyInGraph(event.place, event.name, inner[0])


# Calls


@dataclass(slots=True)
class _CallsAtPlace:
    """The calls at one place: their number, which of them added a trace, and what differed then.

    `apart` are those that may differ from all earlier ones. `keyed` is True if everything about them is known, `exact`
    if it is known for each call whether it adds a trace.
    """

    calls: list[TracedCalled] = field(default_factory=list[TracedCalled])
    new: list[TracedCalled] = field(default_factory=list[TracedCalled])
    varying: list[tuple[Varying, ...]] = field(default_factory=list[tuple[Varying, ...]])
    apart: list[TracedCalled] = field(default_factory=list[TracedCalled])
    keyed: bool = True
    exact: bool = True


def _retraced(events: Sequence[Event], values: Mapping[gast.AST, Value]) -> Iterator[Retraced]:
    made = {event.traced: event for event in events if isinstance(event, TracedMade)}
    groups: dict[tuple[int, int | None], list[TracedCalled]] = defaultdict(list)
    for event in events:
        if not isinstance(event, TracedCalled) or event.place is None or event.concrete:
            continue
        if event.traced.signature is None:
            groups[event.traced.id, event.receiver].append(event)
    for (traced, _), calls in groups.items():
        for fact in _judged_together(calls):
            at = made[traced].place if traced in made and made[traced].decorated else None
            yield replace(fact, made=at, varying=tuple(_with_use(v, calls[0].traced, values) for v in fact.varying))


def _with_use(varying: Varying, traced: Traced, values: Mapping[gast.AST, Value]) -> Varying:
    """Return the same, with whether the function also works with a tensor."""
    function = function_of(traced)
    dtypes = {dtype_of(value) for value in varying.seen}
    if varying.how is not Difference.VALUE or function is None or len(dtypes) != 1:
        return varying
    dtype = dtypes.pop()
    takes = dtype in ("int32", "float32") and takes_tensor(function, varying.parameter, dtype, values)
    return replace(varying, takes_tensor=takes)


def _judged_together(calls: Sequence[TracedCalled]) -> Iterator[Retraced]:
    sites: dict[Place, _CallsAtPlace] = {}
    traces: list[TracedCalled] = []
    seen = set[object]()
    for call in calls:
        assert call.place is not None
        site = sites.setdefault(call.place, _CallsAtPlace())
        site.calls.append(call)
        site.exact = site.exact and call.sure and not (call.widened or call.cut or call.alike)
        key = _key_of(call)
        if key is not None and key in seen:
            continue
        others = site.apart if call.loops else traces
        differing = _differing(others, call, site.keyed and key is not None)
        if differing is not None:
            traces.append(call)
            site.new.append(call)
            site.varying.append(min(differing, key=len, default=()))
        sure = differing is not None and (len(sites) == 1 or any(given.fresh for given in call.arguments))
        site.exact = site.exact and (key is not None or sure)
        site.keyed = site.keyed and key is not None
        site.apart.append(call)
        seen.add(key)
    for place, site in sites.items():
        found = _retraces(site, len(traces))
        if found is not None:
            others = tuple(other for other, at in sites.items() if other != place and at.new)[:3]
            counts = (len(site.new), len(site.calls)) if site.calls[0].loops else (len(traces), len(calls))
            yield _fact(place, site, found, _specs(calls), counts, others)


def _differing(others: Sequence[TracedCalled], call: TracedCalled, keyed: bool) -> list[tuple[Varying, ...]] | None:
    """How a call differs from each other one, or from its neighbors if all have keys; None if it may be the same."""
    if keyed and not call.traced.relaxed:
        return [differences(earlier, call) for earlier in others[-_NEAREST:]]
    if len(others) > MOST_CALLS:
        return None
    found = [differences(earlier, call) for earlier in others]
    return found if all(found) else None


_NEAREST = 3


def _key_of(call: TracedCalled) -> object:
    """What distinguishes the call for TensorFlow, if everything about it is known."""
    if not call.arguments or any(given.fresh is not None for given in call.arguments):
        return None
    keys = [(given.parameter, exact_key(given.value)) for given in call.arguments]
    return tuple(keys) if all(key is not None for _, key in keys) else None


def _specs(calls: Sequence[TracedCalled]) -> tuple[Value, ...] | None:
    """The specs, by position, that all calls match, if they only pass tensors."""
    function = function_of(calls[0].traced)
    names = parameters_of(calls[0].traced)
    if function is None or function.defaults or function.node.args.vararg or function.node.args.kwonlyargs:
        return None
    specs: list[Value] = []
    for name in names:
        seen = [given.value for call in calls for given in call.arguments if given.parameter == name]
        tensors = [value for value in seen if isinstance(value, Tensor)]
        ranks = {None if value.shape is None else len(value.shape) for value in tensors}
        if not tensors or len(tensors) != len(calls) or len({t.dtype for t in tensors}) != 1 or len(ranks) != 1:
            return None
        if tensors[0].dtype is None or None in ranks:
            return None
        columns = zip(*(value.shape or () for value in tensors), strict=True)
        sizes = tuple(next(iter(set(c))) if len(set(c)) == 1 and ANY not in c else None for c in columns)
        specs.append(Tensor(tensors[0].dtype, sizes))
    return tuple(specs)


def differences(earlier: TracedCalled, later: TracedCalled, relaxing: bool = True) -> tuple[Varying, ...]:
    """The arguments in which two calls always differ; if `relaxing`, except those for which a trace may be relaxed."""
    before = {given.parameter: given for given in earlier.arguments}
    after = {given.parameter: given for given in later.arguments}
    found: list[Varying] = []
    more = [given for given in later.arguments + earlier.arguments if given.parameter in before.keys() ^ after.keys()]
    if more:
        # What `*` or `**` of the function takes is another number of values, or has other names.
        found.append(Varying(more[0].parameter, Difference.STRUCTURE, (), more[0].place))
    for name, given in after.items():
        other = before.get(name)
        if other is None:
            continue
        # What a loop makes again in each turn isn't what its first turn found either.
        made = given.fresh is not None and (other.fresh is not None or (earlier.place == later.place and later.loops))
        how = Difference.FRESH if made else difference(other.value, given.value)
        if how is None and earlier.place == later.place and _counted(other.value, given.value):
            how = Difference.VALUE
        if how is not None:
            found.append(Varying(name, how, (other.value, given.value), given.place, given.fresh))
    if relaxing and later.traced.relaxed and all(varying.how is Difference.SHAPE for varying in found):
        return ()
    return tuple(found)


def _counted(before: Value, after: Value) -> bool:
    """True if a number that was known in the first iteration has changed in this one."""
    return isinstance(before, Constant) and isinstance(after, Scalar) and after.turn > 0


def _retraces(site: _CallsAtPlace, total: int) -> tuple[Varying, ...] | None:
    """What causes the calls at a place to retrace; None if they don't."""
    last = site.varying[-1] if site.varying else ()
    if not last or any(v.how is Difference.OBJECT for v in last):
        return None
    first = site.calls[0]
    if not first.loops:
        mixed = any(v.how is Difference.KIND for v in last) and len(site.new) == 1
        return last if not first.in_graph and (mixed or (total >= 5 and len(site.new) >= 2)) else None
    if first.widened and len(site.new) >= 2 and all(v.how is Difference.FRESH or is_counted(v) for v in last):
        return last
    frequent = len(site.new) * 2 >= len(site.calls) and len(site.new) >= _enough(last, site)
    return last if frequent or _are_many(site, last) else _partial(site)


def _enough(last: tuple[Varying, ...], site: _CallsAtPlace) -> int:
    """The number of traces that is reported."""
    varying = {v.parameter: v for new in site.varying for v in new}.values()
    seen = [_seen_in_all(each, site).seen if each.seen else () for each in varying]
    if all(is_switch(values) for values in seen):
        return MANY_TRACES
    return 4 if all(is_text(v.seen) for v in last) or all(is_option(values) for values in seen) else 3


def _are_many(site: _CallsAtPlace, last: tuple[Varying, ...]) -> bool:
    """True if there are many traces, even if more calls reuse one: numbers keep changing, other values repeat."""
    numbers = any(v.how is Difference.VALUE for v in last) and not all(is_text(v.seen) for v in last)
    few = numbers or len(site.new) * 4 >= len(site.calls)
    return len(site.new) >= (MANY_TRACES if few else MANY_OTHERS)


def _partial(site: _CallsAtPlace) -> tuple[Varying, ...] | None:
    """A last batch that is smaller than those before."""
    if len(site.new) > 2 or not (len(site.calls) >= 3 or site.calls[0].widened):
        return None
    *before, last = site.calls
    found = differences(before[-1], last) if before else ()
    if not found or not all(v.how is Difference.SHAPE and is_partial_batch(*v.seen) for v in found):
        return None
    return None if any(differences(before[0], each) for each in before[1:]) else found


_CAUSES = tuple(Difference)
"""In the order in which they are reported: the easiest to fix comes first."""


def _fact(
    place: Place,
    site: _CallsAtPlace,
    varying: tuple[Varying, ...],
    specs: tuple[Value, ...] | None,
    counts: tuple[int, int],
    others: tuple[Place, ...],
) -> Retraced:
    call = site.calls[0]
    name = getattr(getattr(function_of(call.traced), "node", None), "name", "")
    loop = next((each for each in reversed(call.loops) if each.holds(place)), None)
    causes = sorted((_seen_in_all(v, site) for v in varying), key=lambda v: _CAUSES.index(v.how))
    sure = all(new.sure and not new.widened for new in site.new)
    # Of a loop over batches the two that are followed may each stand for several that are alike.
    every = counts[0] == counts[1] and not any(each.batches for each in site.calls)
    unsure = TraceCount.EVERY if every else TraceCount.UNKNOWN
    count = TraceCount.EXACT if site.exact else TraceCount.AT_LEAST if sure else unsure
    return Retraced(place, name, None, loop, tuple(causes), specs, *counts, call.widened, others, count)


def _seen_in_all(varying: Varying, site: _CallsAtPlace) -> Varying:
    given = (each.value for call in site.new for each in call.arguments if each.parameter == varying.parameter)
    seen = tuple(dict.fromkeys(given))
    others = [value for value in seen if value != NONE]
    values = len(others) > 1 and all(isinstance(value, Constant) for value in others)
    how = Difference.VALUE if varying.how is Difference.STRUCTURE and values else varying.how
    return replace(varying, how=how, seen=seen)
