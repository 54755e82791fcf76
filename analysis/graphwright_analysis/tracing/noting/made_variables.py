"""Variables, and objects that own some, made while tracing.

`tf.function` traces twice on the first call, and what is made in the second of these traces, or in any later one, is
refused: so is everything that isn't kept behind a guard such as `if self.v is None`.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import gast

from graphwright_analysis.flow.tree import walk
from graphwright_analysis.text import Range
from graphwright_analysis.tracing.facts import StateMade, TracedCalled
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine import marks
from graphwright_analysis.tracing.machine.context import Frame, TraceUnderWay
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import NONE, Constant, Value

from . import lazy_variables
from .lazy_variables import Making

_LAYERS = frozenset(
    {
        "Dense", "EinsumDense", "Embedding", "PReLU", "MultiHeadAttention", "GroupQueryAttention", "Bidirectional",
        "BatchNormalization", "LayerNormalization", "GroupNormalization", "TimeDistributed",
        "Dropout", "AlphaDropout", "GaussianDropout", "GaussianNoise",
        "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D",
        "LSTM", "GRU", "SimpleRNN", "LSTMCell", "GRUCell", "SimpleRNNCell", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D",
        "Conv1D", "Conv2D", "Conv3D", "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose",
        "DepthwiseConv1D", "DepthwiseConv2D", "SeparableConv1D", "SeparableConv2D",
        "RandomFlip", "RandomRotation", "RandomZoom", "RandomTranslation", "RandomCrop", "RandomContrast",
        "RandomBrightness",
    }
)  # fmt: skip
_OWNERS = ("tf.keras.optimizers.", "tf.keras.metrics.", "tf.keras.applications.")
_GENERATORS = frozenset(
    {
        "tf.random.Generator",
        "tf.random.Generator.from_seed",
        "tf.random.Generator.from_state",
        "tf.random.Generator.from_non_deterministic_state",
        "tf.random.Generator.from_key_counter",
        "tf.keras.random.SeedGenerator",
    }
)
_CONDITIONAL = (
    gast.If, gast.IfExp, gast.While, gast.For, gast.Try, gast.BoolOp,
    gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp,
)  # fmt: skip


def entered(run: Run, called: TracedCalled) -> TraceUnderWay:
    """How the trace stands that begins now: whether the same function was traced before."""
    again = run.state.value(called.traced.id, _key(called)) == NONE
    return TraceUnderWay(called, len(run.context.calls), again)


def left(run: Run, called: TracedCalled) -> None:
    run.state.set(called.traced.id, _key(called), NONE)


def _key(called: TracedCalled) -> str:
    return marks.TRACED if called.receiver is None else f"{marks.TRACED} {called.receiver}"


def note_made(run: Run, frame: Frame, name: str, given: Sequence[Value], node: gast.AST) -> None:
    """Note that a call makes a variable or an object with some, if every trace makes a new one."""
    if not owns_variables(name, given):
        return
    entry = run.context.entry or TraceUnderWay(None, depth=0, again=False)
    functions = run.context.calls[entry.depth :]
    kept = run.context.building or (not entry.again and _is_guarded(run, functions, node))
    surely = kept and (name == "tf.Variable" or name in _GENERATORS) and not run.context.constructs
    lazy_variables.note(run, Making.SURELY if surely else Making.PERHAPS)
    if kept or not run.context.graph or run.context.uncertain:
        return
    in_loop = any(construct.kind is ConstructKind.LOOP for construct in run.context.constructs)
    site = _made_for(run, entry)
    if site is not None:
        maker = site.block.text[site.range.start : site.range.end].partition("(")[0].strip()
        what = name if name == "tf.Variable" or name in _GENERATORS else maker
        run.note(StateMade(site, site, what, entry.again, in_loop, None, maker))
        return
    statement = place_of(frame, run.statement or node)
    hoist = _hoisted_to(run, frame, node)
    run.note(StateMade(place_of(frame, node), statement, name, entry.again, in_loop, hoist))


def _made_for(run: Run, entry: TraceUnderWay) -> Place | None:
    """The call in the trace that asks for an object which a constructor, or a function that returns it, makes."""
    found = None
    functions, sites = run.context.calls[entry.depth :][::-1], run.context.sites[::-1]
    for function, caller, (block, site) in zip(functions, functions[1:], sites, strict=False):
        if not _is_maker(function) or not any(node is site for node in walk(caller)):
            break
        found = Place(block, block.range_of(site))
    return found


def _is_maker(function: gast.AST) -> bool:
    """Whether a function is there to make objects: a constructor, or one that returns what a class makes."""
    if not isinstance(function, gast.FunctionDef):
        return False
    if function.name == "__init__":
        return True
    nodes = [*walk(function)]
    made = {
        target.id
        for node in nodes
        if isinstance(node, gast.Assign) and _is_making(node.value)
        for target in node.targets
        if isinstance(target, gast.Name)
    }
    returned = [node.value for node in nodes if isinstance(node, gast.Return)]
    return any(_is_making(value) or (isinstance(value, gast.Name) and value.id in made) for value in returned)


def _is_making(node: gast.AST | None) -> bool:
    """Whether an expression calls what is named like a class."""
    callee = node.func if isinstance(node, gast.Call) else None
    name = callee.attr if isinstance(callee, gast.Attribute) else getattr(callee, "id", "")
    return name[:1].isupper()


def owns_variables(name: str, given: Sequence[Value] = ()) -> bool:
    """Whether calling this makes variables, now or when the result is called."""
    if name == "tf.Variable" or name in _GENERATORS:
        return True
    last = name.rpartition(".")[2]
    if name.startswith("tf.keras.layers."):
        idle = "Dropout" in last and bool(given) and given[0] in (Constant(0), Constant(0.0))
        return last in _LAYERS and not idle
    return name.startswith(_OWNERS) and name.count(".") == 3 and last[:1].isupper() and not last.endswith("Schedule")


def _is_guarded(run: Run, functions: Sequence[gast.AST], node: gast.AST) -> bool:
    """Whether one of these functions, each called by the one before, may run a node only if something isn't there yet.

    The node is in the last of them.
    """
    reached: gast.AST | None = node
    sites = iter(run.context.sites[::-1])
    for function in reversed(functions):
        if _may_decide(run, function, reached):
            return True
        reached = next(sites, (None, None))[1]
    return False


def _may_decide(run: Run, function: gast.AST, node: gast.AST | None) -> bool:
    """Whether something that a function asks may decide if a node in it runs."""
    if function not in run.flow.surely_run:
        run.flow.surely_run[function] = _surely_run(function)
    surely = run.flow.surely_run[function]
    return surely is not None and node not in surely


def _surely_run(function: gast.AST) -> Set[gast.AST] | None:
    """The nodes of a function that run whatever it finds if something already exists; None if it never asks."""
    nodes = walk(function)
    questions = [node for node in nodes if _is_question(node)]
    if not questions:
        return None
    if any(map(_leaves, questions)):
        return frozenset()
    return {*nodes} - {*walk(*(node for node in nodes if isinstance(node, _CONDITIONAL)))}


def _is_question(node: gast.AST) -> bool:
    if isinstance(node, (gast.If, gast.IfExp, gast.While)):
        return _asks(node.test)
    return isinstance(node, gast.Try) or (isinstance(node, gast.BoolOp) and isinstance(node.op, gast.Or))


def _leaves(question: gast.AST) -> bool:
    """Whether a statement may leave the code around it, so that what follows runs in some cases only."""
    return any(isinstance(node, (gast.Return, gast.Raise, gast.Break, gast.Continue)) for node in walk(question))


def _asks(test: gast.AST) -> bool:
    for node in walk(test):
        if isinstance(node, gast.Compare) and any(
            isinstance(operator, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for operator in node.ops
        ):
            return True
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            return True
        if isinstance(node, gast.Name) and node.id in ("hasattr", "getattr", "len"):
            return True
        if isinstance(node, gast.Attribute) and (_root(node) in ("self", "cls") or "built" in node.attr):
            return True
    return False


def _root(node: gast.AST) -> str:
    while isinstance(node, gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else ""


def _hoisted_to(run: Run, frame: Frame, node: gast.AST) -> Place | None:
    """The line in front of a function of the module that a simple assignment can be moved to."""
    function, statement = frame.node, run.statement
    if not isinstance(function, gast.FunctionDef) or frame.parent is not name_lookup.module_frame(frame):
        return None
    if not isinstance(statement, gast.Assign) or statement.value is not node or statement not in function.body:
        return None
    target = statement.targets[0]
    if len(statement.targets) != 1 or not isinstance(target, gast.Name):
        return None
    names = {child.id for child in walk(statement.value) if isinstance(child, gast.Name)}
    if any(name in frame.scope.bound for name in names):
        return None
    if any(_keeps(child, target) for child in walk(function)):
        return None
    text = frame.block.text
    heads = [frame.block.range_of(each).start for each in (function, *function.decorator_list)]
    line = text.rfind("\n", 0, min(heads)) + 1
    return Place(frame.block, Range(line, line))


def _keeps(node: gast.AST, target: gast.Name) -> bool:
    """Whether a node binds the name again, or does something to its value that would outlast the call."""
    if isinstance(node, gast.Name):
        return node.id == target.id and node is not target and not isinstance(node.ctx, gast.Load)
    if not isinstance(node, gast.Attribute) or _root(node) != target.id:
        return False
    return node.attr not in ("read_value", "value", "shape", "dtype", "trainable_variables")
