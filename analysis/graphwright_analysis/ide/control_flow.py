"""Control flow in graph code: whether an `if` or loop becomes part of the graph or is decided by Python, and why.

Says nothing where the trace isn't sure; what fails is the rules' to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing import Decided, Decision, Trace
from graphwright_analysis.tracing.facts import Unconverted
from graphwright_analysis.tracing.facts.decisions import EAGER, GRAPH, OPEN, PYTHON, REFUSED
from graphwright_analysis.tracing.facts.loops import LoopControl
from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.tracing.reading.conditions import walked_as
from graphwright_analysis.values.domain import (
    Array,
    Constant,
    Object,
    Tensor,
    Tuple,
    Value,
    Variable,
    python_kind,
)
from graphwright_analysis.values.kinds import is_no_tensor

from . import markdown
from .nodes import function_in, path_to
from .values import shown

BOTH: Final = "both"
Decider = Literal["graph", "Python", "both"]
_HEADS = {GRAPH: "Part of the graph.", PYTHON: "Decided by Python.", BOTH: "Depends on the call."}


@immutable
class Verdict:
    """Who decides, or `both`, where calls differ; `why` says it in a sentence or two.

    `turns` is how many copies of a Python loop's body the graph gets, where that is known.
    """

    decided_by: Decider
    why: str
    turns: int | None = None


def verdict(trace: Trace, block: Block, node: Decided) -> Verdict | None:
    """Who decides at an `if`, loop or conditional expression; None where that isn't known, or no graph is made."""
    return _verdict(block, node, trace.decisions(node))


def _verdict(block: Block, node: Decided, decisions: Sequence[Decision]) -> Verdict | None:
    seen = [decision for decision in decisions if decision.verdict != EAGER]
    kinds = {decision.verdict for decision in seen}
    if not kinds or kinds & {OPEN, REFUSED}:
        return None
    sentences = list(dict.fromkeys(_why(block, node, decision) for decision in seen))
    if kinds == {GRAPH, PYTHON}:
        return Verdict(BOTH, " In other calls: ".join(sentences[:2]))
    turns = {decision.turns for decision in seen}
    return Verdict(GRAPH if GRAPH in kinds else PYTHON, _combined(sentences), turns.pop() if len(turns) == 1 else None)


def in_words(trace: Trace, block: Block, node: Decided) -> str | None:
    """Who decides, in a paragraph, also where that is open; None where the code was never seen to run."""
    found = verdict(trace, block, node)
    if found is not None:
        return _headed(found)
    seen, supposed = trace.decisions(node), trace.supposed_decisions(node)
    if any(each.verdict != EAGER for each in seen):
        return _undecided(block, node, seen)
    if any(each.verdict != EAGER for each in supposed):
        found = _verdict(block, node, supposed)
        told = _undecided(block, node, supposed) if found is None else _headed(found)
        return f"{told} The visible calls don't put it in a graph." if seen else told
    plain = seen or supposed
    return _outside(block, node, plain) if plain else None


def _headed(found: Verdict) -> str:
    return f"**{_HEADS[found.decided_by]}** {found.why}"


def _undecided(block: Block, node: Decided, seen: Sequence[Decision]) -> str:
    tested = markdown.code(source(block, node.iter if isinstance(node, gast.For) else node.test))
    refused = next((each for each in seen if each.verdict == REFUSED), None)
    if refused is not None and refused.why is not None:
        what = f"{tested} is a tensor{_detail(refused.value)}, but {unconverted(refused.why)}"
        return f"**Fails while tracing.** {what}: Python would need its value."
    for each in seen:
        if each.why is not None and each.why.cause is Cause.GENERATOR and isinstance(each.value, (Tensor, Variable)):
            return (
                f"**Open.** {tested} is a tensor{_detail(each.value)}: part of the graph if Graphwright can call the "
                f"body of the loop over `{each.why.name}` in it."
            )
    return f"**Open.** {tested} is unknown: if it's a tensor, this becomes part of the graph; otherwise Python decides."


def _outside(block: Block, node: Decided, seen: Sequence[Decision]) -> str:
    """Of code that is run outside of any graph; in a function also who would decide in one, if all calls agree."""
    inside = function_in(path_to(block, block.range_of(node).start)) is not None
    supposed = [_converted(node, decision.value) for decision in seen] if inside else [None]
    found = None if None in supposed else _verdict(block, node, [each for each in supposed if each is not None])
    if found is None or found.decided_by == BOTH:
        return f"{_PLAIN} {_NO_GRAPH}"
    return f"{_PLAIN if found.decided_by == GRAPH else _BY_PYTHON} {_NO_GRAPH} In a graph: {found.why}"


_PLAIN = "**Plain Python.**"
_BY_PYTHON = f"**{_HEADS[PYTHON]}**"
_NO_GRAPH = "No call in this file runs this code in a graph."


def _converted(node: Decided, value: Value) -> Decision | None:
    over = walked_as(value) if isinstance(node, gast.For) else None
    if over is not None or (isinstance(value, (Tensor, Variable)) and not isinstance(node, gast.For)):
        return Decision(GRAPH, value, over)
    return Decision(PYTHON, value) if is_no_tensor(value) else None


def may_end_early(node: gast.For | gast.While) -> bool:
    """Whether a turn may be the last one before its time."""
    pending: list[gast.AST] = [*node.body]
    while pending:
        child = pending.pop()
        if isinstance(child, (gast.Break, gast.Return, gast.Raise)):
            return True
        if not isinstance(child, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.expr)):
            pending += gast.iter_child_nodes(child)
    return False


def unconverted(why: Unconverted) -> str:
    """Why AutoGraph leaves a function as it is, as the rest of a sentence that begins with `because`."""
    return _UNCONVERTED.get(why.cause, "AutoGraph doesn't convert `{}`").format(why.name)


def source(block: Block, node: gast.AST) -> str:
    """An expression as it is written, on one line and cut where it is long."""
    span = block.range_of(node)
    text = " ".join(block.text[span.start : span.end].split())
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


_LONG = 60

_UNCONVERTED = {
    Cause.AUTOGRAPH_OFF: "AutoGraph is switched off for `{}`",
    Cause.DO_NOT_CONVERT: "`{}` is marked `do_not_convert`",
    Cause.KERAS: "Keras traces `{}` with AutoGraph off",
    Cause.WALRUS: "`{}` contains a walrus (`:=`), so AutoGraph leaves the whole function unconverted",
    Cause.MATCH: "`{}` contains a `match`, so AutoGraph leaves the whole function unconverted",
    Cause.ASYNC: "`{}` contains an `async def`, so AutoGraph leaves the whole function unconverted",
    Cause.PRIVATE_NAME: "`{}` uses a private name (`__x`), so AutoGraph leaves the whole function unconverted",
    Cause.LOOP_ELSE: "`{}` contains a loop with an `else`, so AutoGraph leaves the whole function unconverted",
    Cause.GENERATOR: "`{}` is a generator, which AutoGraph never converts",
    Cause.SPECIAL_METHOD: "Python calls `{}` directly, so AutoGraph never converts it",
    Cause.WRAPPER: "`{}` is wrapped by a decorator that AutoGraph can't see through",
    Cause.TWIN_LAMBDA: "AutoGraph can't tell it apart from another lambda on the same line",
    Cause.NO_SOURCE: "AutoGraph can't find the source of `{}`",
    Cause.CALLBACK: "`{}` calls it without converting it",
}


def _combined(sentences: Sequence[str]) -> str:
    if len(sentences) <= 2:
        return " In other calls: ".join(sentences)
    return f"{sentences[0]} (Values differ in other calls.)"


def _why(block: Block, node: Decided, decision: Decision) -> str:
    if isinstance(node, gast.For):
        tested = source(block, node.iter)
        return _staged_for(tested, decision) if decision.verdict == GRAPH else _python_for(tested, node, decision)
    tested = markdown.code(source(block, node.test))
    if decision.verdict == GRAPH:
        what = f"{tested} is a tensor{_detail(decision.value)}: "
        if isinstance(node, gast.While):
            return f"{what}becomes one `tf.while_loop`; its body is traced once, whatever the number of iterations."
        return f"{what}becomes `tf.cond`; both branches are traced, and the graph picks one each time it runs."
    what = f"{tested} is {_python(decision.value)}: "
    if isinstance(node, gast.While):
        text = f"{what}Python runs this loop while tracing, and each iteration adds a copy of the body to the graph."
    else:
        text = f"{what}decided once, while tracing; only the branch taken is in the graph."
    return text + _because(decision)


def _staged_for(iterated: str, decision: Decision) -> str:
    what = f"{markdown.code(iterated)} is {_OVER.get(decision.over, 'a tensor')}{_detail(decision.value)}: "
    if decision.over in ("dataset", "iterator"):
        return f"{what}the graph iterates over its elements; the body is traced once."
    return f"{what}becomes one `tf.while_loop`; the body is traced once, whatever the number of iterations."


_OVER: dict[LoopControl | None, str] = {
    "range": "a tensor range",
    "dataset": "a Dataset",
    "iterator": "an iterator over a Dataset",
}


def _python_for(iterated: str, node: gast.For, decision: Decision) -> str:
    what = (
        f"{markdown.code(iterated)} is {'a Python range' if iterated.startswith('range(') else _python(decision.value)}"
    )
    if decision.turns is None:
        text = f"{what}: Python runs this loop while tracing, and each iteration adds a copy of the body to the graph."
    elif decision.turns == 0:
        text = f"{what} has no elements: the graph doesn't contain the loop."
    else:
        most = "at most " if may_end_early(node) else ""
        copies = "one copy" if decision.turns == 1 else f"{decision.turns} copies"
        text = f"{what}: unrolled while tracing, {most}{copies} of the body in the graph."
    return text + _because(decision)


def _because(decision: Decision) -> str:
    return "" if decision.why is None else f" AutoGraph doesn't apply here: {unconverted(decision.why)}."


def _detail(value: Value) -> str:
    text = shown(value)
    return f" ({markdown.code(text)})" if text else ""


def _python(value: Value) -> str:
    if isinstance(value, Constant):
        if value.value is None or isinstance(value.value, bool):
            return f"`{value.value}` in Python"
        return f"a Python {type(value.value).__name__}"
    if isinstance(value, Array):
        return "a NumPy array"
    if isinstance(value, Object) and value.kind in ("list", "dict", "set", "deque"):
        return f"a Python {value.kind}"
    if isinstance(value, Tuple):
        return "a Python tuple"
    kind = python_kind(value)
    return f"a Python {kind.__name__}" if kind is not None else "a Python value"
