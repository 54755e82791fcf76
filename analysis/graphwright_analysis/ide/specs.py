"""What a function is called with: a spec for each parameter, from its signature, the calls that are seen, annotations.

It guesses nothing: what isn't known of a parameter is None, and `...` where a text needs something in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Trace
from graphwright_analysis.tracing.facts import Given, Held, TracedCalled
from graphwright_analysis.tracing.functions.cache_keys import function_of
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    Array,
    Class,
    Constant,
    Object,
    Scalar,
    Tensor,
    Traced,
    Tuple,
    Unknown,
    Value,
    Variable,
)
from graphwright_analysis.values.joining import join

from .receivers import instance_text, outer_names, receiver_text

Definition = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda


@immutable
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


@immutable
class Specs:
    """A function and its parameters without the receiver.

    `range` is that of its name; `source` says where the specs come from: "signature", "calls", "annotations" or "".
    `outer` is what it reads of the functions around it and, of a method, an instance that the code has to make.
    """

    function: str
    range: Range
    parameters: tuple[Parameter, ...]
    source: str = ""
    nested: bool = False
    outer: tuple[Parameter, ...] = ()

    @property
    def asked(self) -> tuple[Parameter, ...]:
        """All that has to be given when it is asked for by itself."""
        return (*self.outer, *(each for each in self.parameters if each.needed))

    @property
    def arguments(self) -> str:
        """The arguments as they are written in a call; `...` stands for what isn't known."""
        return ", ".join(f"{each.name}={each.spec or '...'}" for each in self.asked)

    @property
    def complete(self) -> bool:
        return all(each.spec is not None and "..." not in each.spec for each in self.asked)


@immutable
class _FoundFunction:
    """A function in a block: its definition, the names that lead to it, and the span of its own."""

    node: Definition
    names: tuple[str, ...]
    span: Range
    owner: gast.ClassDef | None = None
    nested: bool = False


def parameter_specs(project: Project, path: str, offset: int) -> Specs | None:
    """The function at a place and what its parameters are; None where there is no function."""
    module = project.module(path)
    if not module.blocks:
        return None
    block = module.block_at(offset)
    trace = project.trace_with_callers(path)
    inside = offset - module.start_of(block)
    found = [each for each in _functions(module, block, trace) if _whole(block, each.node, each.span).contains(inside)]
    return _specs(module, block, trace, found[-1]) if found else None


def specs_by_name(project: Project, path: str, name: str) -> Specs | None:
    """The same for a function by its qualified name."""
    module, trace = project.module(path), project.trace_with_callers(path)
    for block in reversed(module.blocks):
        for found in _functions(module, block, trace):
            if ".".join(found.names) == name:
                return _specs(module, block, trace, found)
    return None


def function_names(project: Project, path: str) -> tuple[str, ...]:
    """The qualified names of the functions that can be asked for by name, in the order of the text."""
    module, trace = project.module(path), project.trace_with_callers(path)
    found = [each for block in module.blocks for each in _functions(module, block, trace) if not each.nested]
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


def _functions(module: Module, block: Block, trace: Trace) -> Iterator[_FoundFunction]:
    """The functions of a block, outer ones first."""
    pending = [(statement, _Around()) for statement in reversed(block.statements)]
    lambdas = dict[int, int]()
    assigned = set[gast.AST]()
    while pending:
        node, around = pending.pop()
        if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
            name = (*around.names, node.name)
            yield _FoundFunction(node, name, _name_span(block, node), around.owner, around.nested)
            around = _Around((*name, "<locals>"), nested=True)
        elif isinstance(node, gast.Lambda) and node not in assigned:
            span = block.range_of(node)
            name = _lambda_name(module.lines.line_of(module.start_of(block) + span.start) + 1, lambdas)
            yield _FoundFunction(node, (name,), Range(span.start, span.start + len("lambda")), nested=True)
            around = _Around(around.names, nested=True)
        elif isinstance(node, gast.ClassDef):
            around = _Around((*around.names, node.name), node, around.nested)
        elif isinstance(node, gast.Assign) and not around.names:
            for found in _assigned(block, trace, node):
                assigned.add(found.node)
                yield found
        pending += [(child, around) for child in reversed([*gast.iter_child_nodes(node)])]


@immutable
class _Around:
    """What is around a node: the names that lead there, the class whose body it is in, whether there is a function."""

    names: tuple[str, ...] = ()
    owner: gast.ClassDef | None = None
    nested: bool = False


def _lambda_name(line: int, seen: dict[int, int]) -> str:
    """A lambda by its line, counted from 1, and its number there, as the agent finds it again."""
    seen[line] = seen.get(line, 0) + 1
    return f"<lambda>@{line}" if seen[line] == 1 else f"<lambda>@{line}.{seen[line]}"


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
    if not own.contains(span.start):
        line = block.lines.line_range(block.lines.line_column(span.start)[0])
        return Range(line.start, max(own.end, line.end) if own.contains(line.end) else line.end)
    decorators = [block.range_of(each).start - 1 for each in getattr(node, "decorator_list", ())]
    return Range(min([own.start, *decorators]), own.end)


def _specs(module: Module, block: Block, trace: Trace, found: _FoundFunction) -> Specs:
    calls = [call for call in _calls(trace) if _is_of(call, found.node)]
    written = _signature(block, found.node)
    given: dict[str, list[Given]] = {}
    for call in calls:
        for argument in call.arguments:
            given.setdefault(argument.parameter, []).append(argument)
    parameters = tuple(
        _parameter(node, default, given.get(node.id, []), index, written, found.node, trace.values)
        for index, (node, default) in enumerate(_parameters(found))
    )
    source = "signature" if written else "calls" if calls else _source(found, parameters)
    name = ".".join(found.names)
    outer = _outer(module, block, trace, found)
    return Specs(name, found.span.shifted(module.start_of(block)), parameters, source, found.nested, outer)


def _outer(module: Module, block: Block, trace: Trace, found: _FoundFunction) -> tuple[Parameter, ...]:
    """What a function needs besides its arguments when it is asked for by itself."""
    if found.nested:
        pairs = outer_names(block, found.node, trace)
        return tuple(Parameter(name, value, _outer_text(module, trace, value)) for name, value in pairs)
    text = receiver_text(module, trace, found.owner.name) if found.owner is not None and _has_receiver(found) else None
    return (Parameter("self", None, text),) if text is not None else ()


def _outer_text(module: Module, trace: Trace, value: Value | None) -> str | None:
    if isinstance(value, Object) and isinstance(value.type, Class):
        return instance_text(module, trace, value.type.node.name)
    return spec_text(value) if isinstance(value, Constant) else None


def _has_receiver(found: _FoundFunction) -> bool:
    names = {each.id for each in getattr(found.node, "decorator_list", ()) if isinstance(each, gast.Name)}
    return not names & {"staticmethod", "classmethod", "property"} and found.names[-1] != "__init__"


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
    body: gast.AST,
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
    return Parameter(node.id, value, spec_text(shown) or _entries(node, body, values), needed)


def _entries(parameter: gast.Name, body: gast.AST, values: Mapping[gast.AST, Value]) -> str | None:
    """A dict with the entries that the function reads of it, as far as all of these are known."""
    value = values.get(parameter)
    if not isinstance(value, Object) or value.kind != "dict":
        return None
    found = dict[str, str | None]()
    for node in gast.walk(body):
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == parameter.id:
            key = node.slice.value if isinstance(node.slice, gast.Constant) else None
            found[repr(key)] = spec_text(values.get(node)) if isinstance(node.ctx, gast.Load) and key else None
    rows = [f"{key}: {text}" for key, text in sorted(found.items()) if text is not None]
    return f"{{{', '.join(rows)}}}" if rows and len(rows) == len(found) else None


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
