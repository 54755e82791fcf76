"""Convert to graph: a function put under `@tf.function`, where that keeps what it computes.

Where it doesn't, the offer says why not instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import gast

from graphwright_analysis.diagnostics import Edit, apply_edits
from graphwright_analysis.project import Project
from graphwright_analysis.text import LineIndex, Range
from graphwright_analysis.tracing.facts import TracedMade
from graphwright_analysis.values.domain import Api, Array, Composite, Dataset, Tensor, Tuple, Value, Variable

from . import imports, signatures, supposing, vocabulary
from .effects import effects_of
from .functions import Target, own_nodes, parameters_of

TITLE = "Convert to graph: add @{}.function"
WITHOUT_SIGNATURE = "Convert to graph: add @{}.function without an input_signature"
KIND = "refactor.rewrite.graphwright.tf-function"

Values = Mapping[gast.AST, Value]


@dataclass(frozen=True, slots=True)
class Offer:
    """A rewrite: what it is called and the edits, or why it isn't possible; `doubt` is to be confirmed first."""

    title: str
    kind: str
    edits: tuple[Edit, ...] = ()
    refused: str | None = None
    doubt: str | None = None


def with_tf_function(project: Project, path: str, target: Target) -> tuple[Offer, ...]:
    """The offers to decorate a function; none where it is part of a graph already."""
    values = project.trace(path).values
    if is_traced(project, path, target):
        return ()
    found = imports.importing(target.module, "tensorflow", target.header.start)
    tensorflow = found[0] if found is not None else "tf"
    title = TITLE.format(tensorflow)
    refusal = unfit(target) or ("`tf` means something else in this file" if found is None else None)
    effects = None if refusal else effects_of(target, values, printing=True)
    if effects is not None and effects.reasons:
        first = effects.reasons[0]
        refusal = f"`{target.node.name}` {first.words} (line {first.line})"
    if not refusal and not has_tensor(target, values):
        refusal = f"no argument of `{target.node.name}` is known to be a tensor: annotate one (`x: tf.Tensor`)"
    if refusal or found is None or effects is None:
        return (Offer(title, KIND, refused=f"{refusal}."),)
    doubt = f"What {' and '.join(effects.doubts[:2])} does can't be seen here" if effects.doubts else None
    specs = signatures.specs(target, values, receivers(target), tensorflow)
    plain = (_decorated(target, f"@{tensorflow}.function"), *found[1])
    if specs is not None:
        written = signatures.decorator(tensorflow, specs, _indent(target), target.end_of_line)
        declared = (_decorated(target, written), *found[1])
        if objection(project, path, target, declared) is None:
            offers = [Offer(title, KIND, declared, doubt=doubt)]
            if objection(project, path, target, plain) is None:
                offers.append(Offer(WITHOUT_SIGNATURE.format(tensorflow), KIND, plain, doubt=doubt))
            return tuple(offers)
    refusal = objection(project, path, target, plain)
    return (Offer(title, KIND, () if refusal else plain, refusal, None if refusal else doubt),)


def unfit(target: Target) -> str | None:
    """What in a function's kind keeps it from being decorated, in words."""
    node, name, class_ = target.node, target.node.name, target.class_
    if target.line is None:
        return f"`{name}` doesn't begin its line"
    for decorator in node.decorator_list:
        if gast.unparse(decorator).strip() not in ("staticmethod", "classmethod"):
            text = target.module.text[target.place(decorator).start : target.place(decorator).end]
            return f"`@{text.splitlines()[0]}` may need the plain function (line {target.line_of(decorator)})"
    if class_ is not None and name.startswith("__") and name.endswith("__") and name != "__call__":
        return f"Python calls `{name}` by itself, and wants no graph"
    if class_ is not None and name in vocabulary.SPECIAL_OF_KERAS and class_.bases:
        return f"Keras calls `{name}` by itself, in graphs of its own"
    if any(isinstance(each, (gast.FunctionDef, gast.AsyncFunctionDef)) for each in target.around):
        return f"`{name}` is made anew by each call of the function around it, and would be traced each time"
    return None


def is_traced(project: Project, path: str, target: Target) -> bool:
    """Whether the function is under `tf.function` or a decorator of Graphwright's already, or given to one."""
    for decorator in target.node.decorator_list:
        function = decorator.func if isinstance(decorator, gast.Call) else decorator
        text = gast.unparse(function).strip()
        if text.endswith((".function", "_function", ".convert")) or text in ("function", "convert"):
            return True
    return any(
        isinstance(fact, TracedMade) and fact.name == target.node.name and not fact.decorated
        for fact in project.trace(path).facts
    )


def receivers(target: Target) -> int:
    """How many parameters in front are the object or class that a method is called on."""
    static = any(gast.unparse(each).strip() == "staticmethod" for each in target.node.decorator_list)
    return int(target.class_ is not None and not static)


def has_tensor(target: Target, values: Values) -> bool:
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


def objection(project: Project, path: str, target: Target, edits: tuple[Edit, ...]) -> str | None:
    """What the analysis has against the edits, in words."""
    if supposing.broken(project, path, edits):
        return "the code around it can't be parsed."
    found, longer = supposing.new_findings(project, path, edits)
    if not found:
        return None
    text = apply_edits(project.text(path), edits)
    line = LineIndex(text).line_of(found[0].range.start) + 1
    line -= longer if found[0].range.start >= target.header.start else 0
    return f"{found[0].message} (line {line}, {found[0].rule})"


def _decorated(target: Target, decorator: str) -> Edit:
    start = target.range.start
    return Edit(Range(start, start), f"{decorator}{target.end_of_line}{_indent(target)}")


def _indent(target: Target) -> str:
    line = target.line
    return "" if line is None else target.module.text[line.start : line.end]


def _holds_tensor(value: Value | None) -> bool:
    if isinstance(value, Tuple):
        return any(map(_holds_tensor, value.items))
    return isinstance(value, (Tensor, Variable, Array, Composite, Dataset))


def _is_operation(value: Value | None) -> bool:
    return isinstance(value, Api) and value.name.startswith("tf.") and not value.name.startswith("tf.keras.")
