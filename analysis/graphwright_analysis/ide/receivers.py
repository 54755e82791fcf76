"""What a function needs besides its arguments: an instance, and what it reads of the functions around it.

Which function it is, and what it is called with, is for `specs`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

import gast

from graphwright_analysis.flow.scopes import Scope, build_scopes, resolve
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.tracing import Trace
from graphwright_analysis.values.domain import Class, Constant, Object, Value
from graphwright_analysis.values.lineage import lineage


def receiver_text(module: Module, trace: Trace, class_: str) -> str | None:
    """The call that makes an instance; None where the module has one, nobody makes one, or that takes no arguments."""
    text = instance_text(module, trace, class_)
    return None if text is None or text.isidentifier() or text.endswith("()") else text


def instance_text(module: Module, trace: Trace, class_: str) -> str | None:
    """How to write an instance of a class: the name of the module's own, or the call that makes one somewhere.

    An argument that only means something where it stands is written as `...`, unless it's known.
    """
    own = next((name for name, value in _assigned(module) if _is_instance(module, trace, value, class_)), None)
    if own is not None:
        return own
    known = _names(module)
    calls = (_as_written(block, trace, call, known) for block, call in _makers(module, trace, class_))
    return min((each for each in calls if each is not None), key=lambda text: text.count("..."), default=None)


def outer_names(block: Block, function: gast.AST, trace: Trace) -> tuple[tuple[str, Value | None], ...]:
    """What a function, and those that it calls there, read of the functions around, with what is known of it."""
    scopes = build_scopes(gast.Module(list(block.statements), []))
    found, pending, done = dict[str, Value | None](), [scopes.of(function)], set[Scope]()
    while pending:
        scope = pending.pop()
        done.add(scope)
        for name in sorted(scope.free):
            home = resolve(scope, name)
            if home is None or home.kind not in ("function", "lambda"):
                continue
            inner = [each for each in home.children if getattr(each.node, "name", None) == name]
            pending += [each for each in inner[-1:] if each not in done]
            if not inner:
                found.setdefault(name, _value_of(name, scope.node, trace))
    return tuple(found.items())


def _value_of(name: str, within: gast.AST, trace: Trace) -> Value | None:
    reads = (node for node in gast.walk(within) if isinstance(node, gast.Name) and node.id == name)
    return next((value for node in reads if (value := trace.values.get(node)) is not None), None)


def _makers(module: Module, trace: Trace, name: str) -> Iterator[tuple[Block, gast.Call]]:
    """The calls that make an instance of a class or its heirs, in the order of the text."""
    for block in module.blocks:
        for statement in block.statements:
            for node in gast.walk(statement):
                if isinstance(node, gast.Call) and isinstance(node.func, (gast.Name, gast.Attribute)):
                    class_ = trace.values.get(node.func)
                    if isinstance(class_, Class) and _inherits(module, class_, name):
                        yield block, node


def _as_written(block: Block, trace: Trace, call: gast.Call, known: frozenset[str]) -> str | None:
    """The text of a call that means the same wherever it stands in the module."""
    if not _reads(call.func, known) or any(isinstance(each, gast.Starred) for each in call.args):
        return None
    texts = [_argument(block, trace, each, known) for each in call.args]
    for keyword in call.keywords:
        if keyword.arg is None:
            return None
        texts.append(f"{keyword.arg}={_argument(block, trace, keyword.value, known)}")
    return f"{_text(block, call.func)}({', '.join(texts)})"


def _argument(block: Block, trace: Trace, node: gast.AST, known: frozenset[str]) -> str:
    if _reads(node, known):
        return _text(block, node)
    value = trace.values.get(node)
    return repr(value.value) if isinstance(value, Constant) and _is_plain(value.value) else "..."


def _reads(node: gast.AST, known: frozenset[str]) -> bool:
    """Whether an expression reads names that the module has, and calls nothing that it defines in itself."""
    names = [each for each in gast.walk(node) if isinstance(each, gast.Name)]
    bound = {each.id for each in names if not isinstance(each.ctx, gast.Load)}
    return all(each.id in known or each.id in bound for each in names)


def _is_plain(value: object) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError):
        return False


def _text(block: Block, node: gast.AST) -> str:
    span = block.range_of(node)
    return " ".join(block.text[span.start : span.end].split())


def _inherits(module: Module, class_: Class, name: str) -> bool:
    """Whether a class is the module's own of that name, or inherits from it."""
    own = (each for each in lineage(class_) if isinstance(each, Class) and each.block in module.starts_of)
    return any(each.node.name == name for each in own)


def _is_instance(module: Module, trace: Trace, node: gast.AST, name: str) -> bool:
    value = trace.values.get(node)
    return isinstance(value, Object) and isinstance(value.type, Class) and _inherits(module, value.type, name)


def _assigned(module: Module) -> Iterator[tuple[str, gast.AST]]:
    """The names that the module binds when it is imported, each with what it gives it."""
    for block in module.blocks:
        for statement in block.statements:
            if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
                yield statement.targets[0].id, statement.value


def _names(module: Module) -> frozenset[str]:
    """The names that a module has once it is imported, as far as its own statements bind them."""
    found = {*dir(builtins)}
    pending = [statement for block in module.blocks for statement in block.statements]
    while pending:
        statement = pending.pop()
        if isinstance(statement, (gast.Import, gast.ImportFrom)):
            found |= {(each.asname or each.name).partition(".")[0] for each in statement.names}
        elif isinstance(statement, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            found.add(statement.name)
        elif isinstance(statement, (gast.Assign, gast.AnnAssign)):
            targets = statement.targets if isinstance(statement, gast.Assign) else [statement.target]
            found |= {each.id for target in targets for each in gast.walk(target) if isinstance(each, gast.Name)}
        elif isinstance(statement, (gast.Try, gast.With)):
            pending += [each for each in gast.iter_child_nodes(statement) if isinstance(each, gast.stmt)]
    return frozenset(found)
