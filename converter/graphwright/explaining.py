"""Says in words why a function was traced and what to write so that it isn't traced again.

It reads the account of traces and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from graphwright.traces import Change, ChangeKind, FunctionTrace


class RetracingWarning(UserWarning):
    """A function is traced again and again for a cause that can be avoided."""


def explain(name: str, traces: Sequence[FunctionTrace]) -> str:
    """A paragraph for every trace."""
    if not traces:
        return f"{name} hasn't been traced yet."
    seconds = sum(trace.seconds for trace in traces)
    avoidable = sum(trace.avoidable for trace in traces)
    head = f"{name} was traced {times(len(traces))} in {seconds:.3g} s"
    head += f", {times(avoidable)} avoidably." if avoidable else "."
    told: dict[tuple[ChangeKind, str], int] = {}
    return "\n\n".join([head, *(paragraph(trace, told) for trace in traces)])


def paragraph(trace: FunctionTrace, told: dict[tuple[ChangeKind, str], int]) -> str:
    """What the trace was made for; a remedy that was told, by the trace of that number, isn't told again."""
    where = f"{short(trace.file)}:{trace.line}" if trace.file else "an unknown place"
    head = f"{trace.number}. {trace}\n   {where}, {trace.seconds:.3g} s, {trace.operations} operations."
    changes = [f"   {sentence(change, trace)}" for change in trace.cause.changes]
    remedies: list[str] = []
    for change in trace.cause.changes:
        words = remedy(change)
        first = told.setdefault((change.kind, change.argument), trace.number)
        if words:
            remedies.append(f"   {words}" if first == trace.number else f"   What to write: see trace {first}.")
    return "\n".join([head, *changes, *dict.fromkeys(remedies)])


def warning(trace: FunctionTrace, count: int) -> str:
    """What the warning at the caller's line says."""
    changes = " ".join(sentence(change, trace) for change in trace.cause.changes)
    remedies = " ".join(remedies_of([change for change in trace.cause.changes if change.avoidable]))
    return (
        f"{trace.function} is traced again: this is trace {trace.number}, and {count} of them could be avoided. "
        f"{changes} {remedies} {explaining(trace.function)} lists every trace."
    )


def refusal(trace: FunctionTrace, how: str) -> str:
    """What RetraceError says of a trace that isn't allowed."""
    head = f"`{trace.function}` is traced {how}."
    changes = trace.cause.changes
    lines = [*(sentence(change, trace) for change in changes), *remedies_of(changes)]
    return "\n".join([head, *(f"  {line}" for line in lines)]).replace("@gw.function", f"@{trace.decorator}")


def explaining(name: str) -> str:
    return f"`{name}.explain()`" if name.replace(".", "").isidentifier() else "Its `explain()`"


def made_again(trace: FunctionTrace) -> str:
    """What the warning says of a function that is made in a loop, or in a function that is called often."""
    return f"{trace.function} is created repeatedly. {MADE_AGAIN.format(times=trace.cause.before)}"


MADE_AGAIN = (
    "The same line has made this function {times} before, and each of them had to be traced. "
    "Make it once, outside the loop or function that makes it, and keep it."
)
SENTENCES: dict[ChangeKind, str] = {
    "first": "The first call.",
    "variables": "The first call created variables, so TensorFlow traces it again without creating them.",
    "instance": "Another instance: a method has its own traces for every instance.",
    "instance died": "The instance is new, and the one that the earlier trace was made for is gone.",
    "same": "The arguments are those of an earlier trace, which could not be used.",
}
CONTEXTS = {
    "graph": "It is called in another tf.Graph.",
    "device": "It is called on another device.",
    "strategy": "It is called in another context of tf.distribute.",
    "saving": "It is traced for saving.",
    "other": "The surroundings of the call (colocation, XLA) are others.",
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
    if change.kind == "died":
        return f"{text}; the earlier one is gone."
    if change.kind in ("object", "callable") and change.before == change.now:
        return f"`{change.argument}` is another {without_article(change.now)} than {earlier}."
    return f"{text}."


def remedies_of(changes: Sequence[Change]) -> list[str]:
    return [words for words in dict.fromkeys(remedy(change) for change in changes) if words]


def remedy(change: Change) -> str:
    """What to write instead; empty if there is nothing to do about it."""
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
    "A Python string is a constant of the graph, and every value makes a graph of its own. "
    "If it is data, pass a tensor: {tensor}; if it chooses what to do, few values are fine."
)
REMEDIES: dict[ChangeKind, str] = {
    "value": (
        "A Python value is a constant of the graph, and every other value makes a graph of its own. "
        "Pass a tensor: {tensor}; if it shapes the graph (a number of layers, an axis), few values are fine."
    ),
    "type": (
        "Values of different Python types make graphs of their own, 1 and 1.0 too, because their dtypes differ. "
        "Pass one type, best a tensor: {tensor}."
    ),
    "dtype": "Every dtype makes a graph of its own. If one will do, cast at the caller: `tf.cast({argument}, ...)`.",
    "shape": (
        "Every shape makes a graph of its own. Write `@gw.function(reduce_retracing=True)`, or an "
        "`input_signature` with None for the size that changes, or pad to one shape."
    ),
    "rank": (
        "Every rank makes a graph of its own. `@gw.function(reduce_retracing=True)` or `tf.TensorSpec(None, ...)` in "
        "an `input_signature` makes one graph for all of them."
    ),
    "length": (
        "Every number of elements makes a graph of its own. Pass one tensor, `{root}=tf.stack({root})`, with "
        "`reduce_retracing=True`, or pad to one length."
    ),
    "arguments": "Every number of arguments makes a graph of its own. Always pass as many, or one tensor of them all.",
    "keys": "Every set of keys makes a graph of its own. Always pass the same keys.",
    "structure": "Every structure makes a graph of its own, a list and a tuple too. Always pass the same.",
    "kind": "Tensors, variables and Python values make graphs of their own. Always pass the same, best a tensor.",
    "none": "None and a value make a graph each, which is fine if there are no more than two.",
    "object": (
        "A Python object is known by its identity, and every other one makes a graph of its own. "
        "Pass the tensors that it holds, or pass the same object."
    ),
    "died": (
        "A Python object is known by its identity, and a new one makes a graph of its own even if it is equal to one "
        "that is gone. Make it once, keep it and pass that, or pass the tensors that it holds."
    ),
    "callable": (
        "A lambda, a partial or a bound method is a new object each time that it is written. Make it once, before the "
        "calls, keep it in a name and pass that."
    ),
    "instance died": "Make the instance once, keep it and call its method: each new one is traced again.",
}


def without_article(words: str) -> str:
    return words.removeprefix("the ").removeprefix("an ").removeprefix("a ")


def counted(count: int, noun: str) -> str:
    """Return "1 trace" or "3 traces"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def short(file: str) -> str:
    """Relative to where the program runs if it is below that, which is how people name their files."""
    try:
        relative = os.path.relpath(file)
    except ValueError:
        return file
    return file if relative.startswith("..") else relative
