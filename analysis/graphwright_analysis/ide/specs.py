"""What a function is called with: a spec for each parameter, from its signature, the calls that are seen, annotations.

It guesses nothing: what isn't known of a parameter is None, and `...` where a text needs something in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import gast

from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Trace
from graphwright_analysis.tracing.facts import Given, Held, TracedCalled
from graphwright_analysis.tracing.functions.cache_keys import function_of
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import Array, Constant, Scalar, Tensor, Traced, Tuple, Unknown, Value, Variable
from graphwright_analysis.values.joining import join

Definition = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, what is known of its values over all calls, and how to write that down; None where nothing is.

    `needed` is False where it has a default that every call leaves as it is.
    """

    name: str
    value: Value | None
    spec: str | None
    needed: bool = True

    @property
    def is_tensor(self) -> bool:
        return isinstance(self.value, (Tensor, Array))


@dataclass(frozen=True, slots=True)
class Specs:
    """A function and its parameters without the receiver.

    `range` is that of its name; `source` says where the specs come from: "signature", "calls", "annotations" or "".
    """

    function: str
    range: Range
    parameters: tuple[Parameter, ...]
    source: str = ""
    nested: bool = False

    @property
    def arguments(self) -> str:
        """The arguments as they are written in a call; `...` stands for what isn't known."""
        return ", ".join(f"{each.name}={each.spec or '...'}" for each in self.parameters if each.needed)

    @property
    def complete(self) -> bool:
        return all(each.spec is not None for each in self.parameters if each.needed)


@dataclass(frozen=True, slots=True)
class _FoundFunction:
    """A function in a block: its definition, the names that lead to it, and the span of its own."""

    node: Definition
    names: tuple[str, ...]
    span: Range
    owner: gast.AST | None = None
    nested: bool = False


def parameter_specs(project: Project, path: str, offset: int) -> Specs | None:
    """The function at a place and what its parameters are; None where there is no function."""
    module = project.module(path)
    if not module.blocks:
        return None
    block = module.block_at(offset)
    trace = project.whole(path)
    inside = offset - module.start_of(block)
    found = [each for each in _functions(block, trace) if _whole(block, each.node, each.span).contains(inside)]
    return _specs(module, block, trace, found[-1]) if found else None


def specs_by_name(project: Project, path: str, name: str) -> Specs | None:
    """The same for a function by its qualified name."""
    module, trace = project.module(path), project.whole(path)
    for block in reversed(module.blocks):
        for found in _functions(block, trace):
            if ".".join(found.names) == name:
                return _specs(module, block, trace, found)
    return None


def function_names(project: Project, path: str) -> tuple[str, ...]:
    """The qualified names of the functions that can be asked for by name, in the order of the text."""
    module, trace = project.module(path), project.whole(path)
    found = [each for block in module.blocks for each in _functions(block, trace) if not each.nested]
    return tuple(dict.fromkeys(".".join(each.names) for each in found))


def spec_text(value: Value | None, tensorflow: str = "tf") -> str | None:
    """A value as it is written among the arguments of a call."""
    match value:
        case Tensor() | Array():
            return tensor_spec(value, tensorflow)
        case Variable():
            inner = tensor_spec(value, tensorflow)
            return f"{tensorflow}.Variable({inner})" if inner else None
        case Constant():
            return repr(value.value)
        case Tuple(items=items):
            parts = [spec_text(item, tensorflow) for item in items]
            return None if None in parts else f"({', '.join(map(str, parts))}{',' if len(parts) == 1 else ''})"
        case Held(kind="list", items=items):
            parts = [spec_text(item, tensorflow) for item in items]
            return None if None in parts else f"[{', '.join(map(str, parts))}]"
        case Held(kind="dict", keys=keys, items=items):
            parts = [spec_text(item, tensorflow) for item in items]
            rows = (f"{key!r}: {part}" for key, part in zip(keys, parts, strict=True))
            return None if None in parts else f"{{{', '.join(rows)}}}"
        case _:
            return None


def tensor_spec(value: Tensor | Array | Variable, tensorflow: str) -> str | None:
    """The `TensorSpec` that a tensor fits, if its dtype is known."""
    if value.dtype is None:
        return None
    shape: object = None
    if value.shape is not None:
        shape = [size if shapes.is_number(size) else None for size in value.shape]
    return f"{tensorflow}.TensorSpec({shape}, {tensorflow}.{value.dtype})"


def _functions(block: Block, trace: Trace) -> Iterator[_FoundFunction]:
    """The functions of a block, outer ones first."""
    pending: list[tuple[gast.AST, tuple[str, ...], gast.AST | None, bool]] = [
        (statement, (), None, False) for statement in reversed(block.statements)
    ]
    while pending:
        node, names, owner, nested = pending.pop()
        if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
            yield _FoundFunction(node, (*names, node.name), _name_span(block, node), owner, nested)
            names, owner, nested = (*names, node.name, "<locals>"), None, True
        elif isinstance(node, gast.ClassDef):
            names, owner = (*names, node.name), node
        elif isinstance(node, gast.Assign) and not names:
            yield from _assigned(block, trace, node)
        elif not isinstance(node, (gast.stmt, gast.ExceptHandler)):
            continue
        pending += [(child, names, owner, nested) for child in reversed([*gast.iter_child_nodes(node)])]


def _assigned(block: Block, trace: Trace, node: gast.Assign) -> Iterator[_FoundFunction]:
    """What `name = tf.function(...)` makes."""
    target = node.targets[0]
    value = trace.values.get(target) if isinstance(target, gast.Name) else None
    function = function_of(value) if isinstance(value, Traced) else None
    if isinstance(target, gast.Name) and function is not None:
        start = block.range_of(target).start
        yield _FoundFunction(function.node, (target.id,), Range(start, start + len(target.id)))


def _name_span(block: Block, node: gast.FunctionDef | gast.AsyncFunctionDef) -> Range:
    start = block.text.find(node.name, block.text.find("def", block.range_of(node).start) + 3)
    return Range(start, start + len(node.name))


def _whole(block: Block, node: Definition, span: Range) -> Range:
    """The text of a function with its decorators."""
    own = block.range_of(node)
    if isinstance(node, gast.Lambda) or not own.contains(span.start):
        line = block.lines.line_range(block.lines.line_column(span.start)[0])
        return Range(line.start, max(own.end, line.end) if own.contains(line.end) else line.end)
    decorators = [block.range_of(each).start - 1 for each in node.decorator_list]
    return Range(min([own.start, *decorators]), own.end)


def _specs(module: Module, block: Block, trace: Trace, found: _FoundFunction) -> Specs:
    calls = [call for call in _calls(trace) if _is_of(call, found.node)]
    written = _signature(block, found.node)
    given: dict[str, list[Given]] = {}
    for call in calls:
        for argument in call.arguments:
            given.setdefault(argument.parameter, []).append(argument)
    parameters = tuple(
        _parameter(node, default, given.get(node.id, []), index, written, trace.values)
        for index, (node, default) in enumerate(_parameters(found))
    )
    source = "signature" if written else "calls" if calls else _source(found, parameters)
    name = ".".join(found.names)
    return Specs(name, found.span.shifted(module.start_of(block)), parameters, source, found.nested)


def _source(found: _FoundFunction, parameters: tuple[Parameter, ...]) -> str:
    """Where the specs of a function come from that no traced call was seen of."""
    annotated = {node.id for node, _ in _parameters(found) if node.annotation is not None}
    known = {each.name for each in parameters if each.spec is not None and each.needed}
    return "" if not known else "annotations" if known <= annotated else "calls"


def _calls(trace: Trace) -> Iterator[TracedCalled]:
    return (fact for fact in trace.facts if isinstance(fact, TracedCalled) and fact.place)


def _is_of(call: TracedCalled, node: Definition) -> bool:
    function = function_of(call.traced)
    return function is not None and function.node is node


def _parameters(found: _FoundFunction) -> Iterator[tuple[gast.Name, gast.AST | None]]:
    """The parameters without the receiver, each with its default."""
    arguments = found.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + [*arguments.defaults]
    pairs = [*zip(positional, defaults, strict=True)]
    decorators = getattr(found.node, "decorator_list", ())
    if found.owner is not None and not any(isinstance(d, gast.Name) and d.id == "staticmethod" for d in decorators):
        pairs = pairs[1:]
    return iter([*pairs, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)])


def _parameter(
    node: gast.Name,
    default: gast.AST | None,
    given: list[Given],
    index: int,
    written: list[str],
    values: Mapping[gast.AST, Value],
) -> Parameter:
    if index < len(written):
        return Parameter(node.id, values.get(node), written[index])
    needed = default is None or any(argument.place is not None for argument in given)
    value = _over_all([argument.value for argument in given]) if given else values.get(node)
    shown = value
    if isinstance(value, (Unknown, Scalar)):
        # Of a number that changes from call to call, one is as good as another.
        shown = next((each.value for each in given if isinstance(each.value, Constant)), None)
    return Parameter(node.id, value, spec_text(shown), needed)


def _over_all(values: list[Value]) -> Value:
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def _signature(block: Block, node: Definition) -> list[str]:
    """The specs of an `input_signature` as they are written at the decorator."""
    for decorator in getattr(node, "decorator_list", ()):
        for keyword in decorator.keywords if isinstance(decorator, gast.Call) else ():
            if keyword.arg == "input_signature" and isinstance(keyword.value, (gast.List, gast.Tuple)):
                spans = [block.range_of(each) for each in keyword.value.elts]
                return [" ".join(block.text[span.start : span.end].split()) for span in spans]
    return []
