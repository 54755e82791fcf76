"""Text that explains why a function was traced and how to avoid the next trace.

It reads the trace history and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from graphwright.traces import Change, ChangeKind, FunctionTrace, without_article


class RetracingWarning(UserWarning):
    """A function is retraced repeatedly for an avoidable cause."""


def explain(name: str, traces: Sequence[FunctionTrace]) -> str:
    """Return a summary and one paragraph for every trace."""
    if not traces:
        return f"{name} hasn't been traced yet."
    seconds = sum(trace.seconds for trace in traces)
    avoidable = sum(trace.avoidable for trace in traces)
    head = f"{name} was traced {times(len(traces))} in {seconds:.3g} s"
    head += f" ({avoidable} avoidable)." if avoidable else "."
    explained: dict[tuple[ChangeKind, str], int] = {}
    return "\n\n".join([head, *(paragraph(trace, explained) for trace in traces)])


def paragraph(trace: FunctionTrace, explained: dict[tuple[ChangeKind, str], int]) -> str:
    """Return the cause of a trace and how to fix it, or the number of the earlier trace whose fix is the same."""
    where = f"{short(trace.file)}:{trace.line}" if trace.file else "unknown location"
    head = f"{trace.number}. {trace}\n   {where}, {trace.seconds:.3g} s, {counted(trace.operations, 'operation')}."
    changes = [f"   {sentence(change, trace)}" for change in trace.cause.changes]
    remedies: list[str] = []
    for change in trace.cause.changes:
        words = remedy(change)
        first = explained.setdefault((change.kind, change.argument), trace.number)
        if words:
            remedies.append(f"   {words}" if first == trace.number else f"   How to fix it: see trace {first}.")
    return "\n".join([head, *changes, *dict.fromkeys(remedies)])


def warning(trace: FunctionTrace, count: int) -> str:
    """Return the text of the warning at the caller's line."""
    changes = " ".join(sentence(change, trace) for change in trace.cause.changes)
    remedies = " ".join(remedies_of([change for change in trace.cause.changes if change.avoidable]))
    return (
        f"`{trace.function}` was traced {times(trace.number)}, and {count} of these traces were avoidable. "
        f"{changes} {remedies} {explaining(trace.function)} lists every trace."
    )


def refusal(trace: FunctionTrace, how: str) -> str:
    """Return the text of the RetraceError for a trace."""
    head = f"`{trace.function}` was {how}."
    changes = trace.cause.changes
    lines = [*(sentence(change, trace) for change in changes), *remedies_of(changes)]
    return "\n".join([head, *(f"  {line}" for line in lines)]).replace("@gw.function", f"@{trace.decorator}")


def explaining(name: str) -> str:
    return f"`{name}.explain()`" if name.replace(".", "").isidentifier() else "Its `explain()`"


def made_again(trace: FunctionTrace) -> str:
    """Return the text of the warning about a function that is created in a loop or in a function called often."""
    return f"`{trace.function}` is created repeatedly. {MADE_AGAIN.format(times=trace.cause.before)}"


MADE_AGAIN = (
    "The same line has created this function {times} before, and each one had to be traced. "
    "Create it once, outside the loop or function, and reuse it."
)
SENTENCES: dict[ChangeKind, str] = {
    "first": "The first call.",
    "variables": "The first call created variables, so TensorFlow traces it again without creating them.",
    "instance": "A different instance: a method is traced separately for each one.",
    "instance died": "A new instance; the instance of the earlier trace no longer exists.",
    "same": "The arguments match an earlier trace, which couldn't be reused.",
}
CONTEXTS = {
    "graph": "Called in a different tf.Graph.",
    "device": "Called on a different device.",
    "strategy": "Called in a different tf.distribute context.",
    "saving": "Traced for saving.",
    "other": "Called in a different context (colocation, XLA).",
}


def sentence(change: Change, trace: FunctionTrace) -> str:
    if change.now == "made again":
        return f"{SENTENCES['first']} {MADE_AGAIN.format(times=change.before)}"
    if change.kind == "context":
        return CONTEXTS.get(change.now, CONTEXTS["other"])
    if change.kind in SENTENCES:
        return SENTENCES[change.kind]
    earlier = f"in trace {trace.cause.earlier}" if trace.cause.earlier else "before"
    if change.kind == "alias":
        return f"`{change.argument}` is the same variable as another argument, or no longer is."
    text = f"`{change.argument}` was {change.before} {earlier} and is {change.now} now"
    if change.kind == "died" and change.before == change.now:
        return f"`{change.argument}` is a new {without_article(change.now)}; the one {earlier} no longer exists."
    if change.kind == "died":
        return f"{text}; the earlier one no longer exists."
    if change.kind in ("object", "callable") and change.before == change.now:
        return f"`{change.argument}` is a different {without_article(change.now)} from the one {earlier}."
    return f"{text}."


def remedies_of(changes: Sequence[Change]) -> list[str]:
    return [words for words in dict.fromkeys(remedy(change) for change in changes) if words]


def remedy(change: Change) -> str:
    """Return how to avoid the change; empty if there is nothing to fix."""
    if change.kind == "value" and change.now.startswith(("str ", "bytes ")):
        return STRING_REMEDY.format(tensor=as_tensor(change))
    root = change.argument.split("[", 1)[0].split(".", 1)[0]
    return REMEDIES.get(change.kind, "").format(argument=change.argument, root=root, tensor=as_tensor(change))


def as_tensor(change: Change) -> str:
    value = change.now.partition(" ")[2]
    inner = change.argument if not value or value.endswith("...") or change.kind != "value" else value
    if change.argument.isidentifier():
        return f"`{change.argument}=tf.constant({inner})`"
    return f"`tf.constant({inner})` for `{change.argument}`"


STRING_REMEDY = (
    "A Python string is a constant in the graph, so every new value needs a new trace. "
    "If it's data, pass a tensor: {tensor}. If it selects what to do, a few values are fine."
)
REMEDIES: dict[ChangeKind, str] = {
    "value": (
        "A Python value is a constant in the graph, so every new value needs a new trace. "
        "Pass a tensor: {tensor}. If it shapes the graph (a number of layers, an axis), a few values are fine."
    ),
    "type": (
        "Each Python type needs a separate trace; even 1 and 1.0 differ in dtype. "
        "Always pass the same type, preferably a tensor: {tensor}."
    ),
    "dtype": "Each dtype needs a separate trace. If one is enough, cast in the caller: `tf.cast({argument}, ...)`.",
    "shape": (
        "Each shape needs a separate trace. Write `@gw.function(reduce_retracing=True)`, or an `input_signature` "
        "with None for the size that changes, or pad to one shape."
    ),
    "rank": (
        "Each rank needs a separate trace. With `@gw.function(reduce_retracing=True)`, or `tf.TensorSpec(None, ...)` "
        "in an `input_signature`, one trace covers all of them."
    ),
    "length": (
        "Each length needs a separate trace. Pass one tensor, `{root}=tf.stack({root})`, with "
        "`reduce_retracing=True`, or pad to one length."
    ),
    "arguments": "Each number of arguments needs a separate trace. Always pass the same number, or stack them.",
    "keys": "Each set of keys needs a separate trace. Always pass the same keys.",
    "structure": "Each structure needs a separate trace, even a list and a tuple. Always pass the same one.",
    "kind": "Tensors, variables and Python values need separate traces. Always pass the same, preferably a tensor.",
    "none": "None and a value need a trace each, which is fine if there are only these two.",
    "object": (
        "Python objects are compared by identity, so every other object needs a new trace. "
        "Pass the same object, or the tensors that it holds."
    ),
    "died": (
        "Python objects are compared by identity, so a new object needs a new trace even if it equals one that no "
        "longer exists. Create it once and reuse it, or pass the tensors that it holds."
    ),
    "callable": (
        "A lambda, a partial or a bound method is a new object each time it is evaluated. "
        "Create it once, before the calls, and pass that."
    ),
    "instance died": "Create the instance once and reuse it: each new one is traced again.",
}


def counted(count: int, noun: str) -> str:
    """Return "1 trace" or "3 traces"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def short(file: str) -> str:
    """Return a path relative to the working directory if it is inside."""
    try:
        relative = os.path.relpath(file)
    except ValueError:
        return file
    return file if relative.startswith("..") else relative
