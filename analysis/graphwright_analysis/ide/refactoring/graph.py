"""Convert to graph: a function put under `@tf.function`, where that keeps what it computes.

Where it doesn't, the offer says why not instead.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from graphwright_analysis.diagnostics import Edit, apply_edits
from graphwright_analysis.immutability import immutable
from graphwright_analysis.supposing import broken, new_findings
from graphwright_analysis.text import LineIndex, Range
from graphwright_analysis.tracing.facts import TracedMade
from graphwright_analysis.values.domain import Api, Array, Composite, Dataset, Tensor, Tuple, Value, Variable

from . import imports, signatures, vocabulary
from .effects import effects_of
from .functions import TargetFunction, own_nodes, parameters_of, target_at
from .rewrite import Offer, Rewrite, RewriteSite

_TITLE = "Convert to graph: add @{}.function"
_WITHOUT_SIGNATURE = "Convert to graph: add @{}.function without an input_signature"

Values = Mapping[gast.AST, Value]


@immutable
class Fitness:
    """Whether a function can be put under a decorator of a package, by what is known without trying."""

    target: TargetFunction
    package: str
    edits: tuple[Edit, ...]
    refused: str | None
    doubt: str | None

    def decorated(self, decorator: str) -> tuple[Edit, ...]:
        start = self.target.range.start
        text = f"{decorator}{self.target.end_of_line}{self.target.indent}"
        if any(edit.range.start == start for edit in self.edits):
            # Which of two insertions at one place comes first isn't the same for all who make edits.
            return (Edit(Range(start, start), f"{self.edits[0].text}{self.target.end_of_line}{text}"),)
        return (*self.edits, Edit(Range(start, start), text))


def fitness(asked: RewriteSite, package: str, printing: bool) -> Fitness | None:
    """How the function at a place fits under a decorator; None where there is none that isn't traced already."""
    target = target_at(asked.project, asked.path, asked.range, asked.anywhere)
    if target is None or is_traced(asked, target):
        return None
    values = asked.trace.values
    found = imports.importing(target.module, package, target.header.start)
    alias, edits = found if found is not None else (imports.ALIASES[package], ())
    refusal = _unfit(target) or ("" if found is not None else f"`{alias}` means something else in this file")
    effects = effects_of(target, values, printing) if not refusal else None
    if effects is not None and effects.reasons:
        first = effects.reasons[0]
        refusal = f"`{target.node.name}` {first.words} (line {first.line})"
    if not refusal and not has_tensor(target, values):
        refusal = f"no argument of `{target.node.name}` is known to be a tensor: annotate one (`x: tf.Tensor`)"
    doubts = effects.doubts[:2] if effects is not None else []
    doubt = f"The code of {' and '.join(doubts)} isn't available here" if doubts else None
    return Fitness(target, alias, edits, f"{refusal}." if refusal else None, doubt)


def _expected(asked: RewriteSite) -> Offer | None:
    fit = fitness(asked, "tensorflow", printing=True)
    return None if fit is None else Offer(_TITLE.format(fit.package), (), fit.refused, fit.doubt)


def _made(asked: RewriteSite) -> tuple[Offer, ...]:
    fit = fitness(asked, "tensorflow", printing=True)
    if fit is None:
        return ()
    target, tensorflow = fit.target, fit.package
    title = _TITLE.format(tensorflow)
    if fit.refused is not None:
        return (Offer(title, refused=fit.refused),)
    plain = fit.decorated(f"@{tensorflow}.function")
    refusal = objection(asked, target, plain)
    values = asked.trace.values
    specs = signatures.specs(target, values, receivers(target), tensorflow)
    if specs is not None:
        declared = fit.decorated(signatures.decorator(tensorflow, specs, target.indent, target.end_of_line))
        if objection(asked, target, declared) is None:
            without = Offer(_WITHOUT_SIGNATURE.format(tensorflow), plain, doubt=fit.doubt)
            return (Offer(title, declared, doubt=fit.doubt), *([without] if refusal is None else []))
    return (Offer(title, () if refusal else plain, refusal, None if refusal else fit.doubt),)


TF_FUNCTION = Rewrite("tf-function", _expected, _made)


def _unfit(target: TargetFunction) -> str | None:
    """What in a function's kind keeps it from being decorated, in words."""
    node, name, class_ = target.node, target.node.name, target.class_
    if target.line is None:
        return f"`{name}` isn't the first statement on its line"
    for decorator in node.decorator_list:
        if gast.unparse(decorator).strip() not in ("staticmethod", "classmethod"):
            text = target.module.text[target.place(decorator).start : target.place(decorator).end]
            return f"`@{text.splitlines()[0]}` may need the plain function (line {target.line_of(decorator)})"
    if class_ is not None and name.startswith("__") and name.endswith("__") and name != "__call__":
        return f"Python calls `{name}` directly, outside any graph"
    if class_ is not None and name in vocabulary.SPECIAL_OF_KERAS and class_.bases:
        return f"Keras calls `{name}` itself, in its own graphs"
    if any(isinstance(each, (gast.FunctionDef, gast.AsyncFunctionDef)) for each in target.around):
        return f"`{name}` is defined on each call of the enclosing function, and would be traced each time"
    return None


def is_traced(asked: RewriteSite, target: TargetFunction) -> bool:
    """Whether the function is under `tf.function` or a decorator of Graphwright's already, or given to one."""
    for decorator in target.node.decorator_list:
        function = decorator.func if isinstance(decorator, gast.Call) else decorator
        text = gast.unparse(function).strip()
        if text.endswith((".function", "_function", ".convert")) or text in ("function", "convert"):
            return True
    return any(
        isinstance(fact, TracedMade) and fact.name == target.node.name and not fact.decorated
        for fact in asked.trace.facts
    )


def receivers(target: TargetFunction) -> int:
    """How many parameters in front are the object or class that a method is called on."""
    static = any(gast.unparse(each).strip() == "staticmethod" for each in target.node.decorator_list)
    return int(target.class_ is not None and not static)


def has_tensor(target: TargetFunction, values: Values) -> bool:
    """Whether an argument is a tensor, by calls, annotations, or by being given to TensorFlow's operations."""
    given = parameters_of(target.node)[receivers(target) :]
    if any(_holds_tensor(values.get(parameter)) for parameter in given):
        return True
    names = {parameter.id for parameter in given}
    for node in own_nodes(target.node):
        if isinstance(node, gast.Call) and _is_operation(values.get(node.func)):
            if any(isinstance(part, gast.Name) and part.id in names for part in node.args):
                return True
        elif isinstance(node, gast.BinOp):
            sides = (node.left, node.right)
            if any(isinstance(values.get(side), (Tensor, Variable)) for side in sides):
                return any(isinstance(side, gast.Name) and side.id in names for side in sides)
    return False


def objection(asked: RewriteSite, target: TargetFunction, edits: tuple[Edit, ...]) -> str | None:
    """What the analysis has against the edits, in words."""
    if broken(asked.project, asked.path, edits):
        return "The code around it can't be parsed."
    found, longer = new_findings(asked.project, asked.path, edits)
    if not found:
        return None
    first = found[0]
    text = apply_edits(asked.project.text(asked.path), edits)
    line = LineIndex(text).line_of(first.range.start) + 1
    line -= longer if first.range.start >= target.header.start else 0
    return f"{first.message} (line {line}, {first.rule})"


def _holds_tensor(value: Value | None) -> bool:
    if isinstance(value, Tuple):
        return any(map(_holds_tensor, value.items))
    return isinstance(value, (Tensor, Variable, Array, Composite, Dataset))


def _is_operation(value: Value | None) -> bool:
    return isinstance(value, Api) and value.name.startswith("tf.") and not value.name.startswith("tf.keras.")
