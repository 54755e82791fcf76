"""Which parts of a file count for those that import it: an outline of what `exports_of` runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence, Set

import gast

from graphwright_analysis.flow.tree import annotations_of, children, defaults_of, walk
from graphwright_analysis.imports import leads_outside
from graphwright_analysis.outlines import Outline, Part, names_among, words_in
from graphwright_analysis.syntax import Block, Module, code_of
from graphwright_analysis.tracing.machine.flow_cache import FlowCache, stored_in
from graphwright_analysis.tracing.machine.imports import imports_in, may_begin_a_graph

from .library_changes import changes_in


def outline_of(module: Module, flow: FlowCache) -> Outline:
    """What of a file counts for whom."""
    # `import a.b` binds `a`, and functions have imports of their own.
    imports = dict.fromkeys((name.partition(".")[0], imported) for name, imported in imports_in(module, flow))
    bound = [_bound_in(block, flow) for block in module.blocks]
    own = frozenset[str]().union(
        *[names for names, block in zip(bound, module.blocks, strict=True) if not _only_imports(block)]
    )
    names = stored_in(module.pieces, flow.stores).union(*bound, (name for name, _ in imports))
    outside = ({name for name, imported in imports if leads_outside(imported)} | _DECORATORS) - own
    codes = [code_of(block.text) for block in module.blocks]
    mentions = [names_among(words_in(code.bare), names) for code in codes]
    unchanging = _unchanging(module.blocks, bound, mentions, own)
    changeable = own - unchanging
    effects = [
        bool(block.broken) or not all(_only_binds(each, changeable, outside) for each in block.statements)
        for block in module.blocks
    ]
    only_called = unchanging - {
        name for block, has in zip(module.blocks, effects, strict=True) if has for name in _handed_on(block)
    }
    parts = (
        Part(
            tuple(sorted(names)),
            mentioning,
            *_used_by(block, mentioning),
            _digest(code.whole),
            has_effects,
            may_begin_a_graph(block, flow),
            _only_imports(block) or (bool(names) and names <= only_called),
        )
        for block, code, names, mentioning, has_effects in zip(
            module.blocks, codes, bound, mentions, effects, strict=True
        )
    )
    return Outline(
        tuple(sorted(changes_in(module, flow))),
        tuple((name, imported.module, imported.level, imported.name) for name, imported in imports),
        tuple(parts),
    )


def _bound_in(block: Block, flow: FlowCache) -> frozenset[str]:
    """The names that a block binds, `*` for those that it has from another file by a star."""
    imports = [each for each in block.statements if isinstance(each, gast.ImportFrom)]
    stars = (alias.name for each in imports for alias in each.names if alias.name == "*")
    return frozenset(stars).union(*[flow.names_in(piece) for piece in block.pieces])


def _only_imports(block: Block) -> bool:
    """Whether a block has names from elsewhere, or takes them away, and does nothing else."""
    return all(isinstance(each, (gast.Import, gast.ImportFrom)) or _is_plain_del(each) for each in block.statements)


def _is_plain_del(statement: gast.AST) -> bool:
    return isinstance(statement, gast.Delete) and all(isinstance(each, gast.Name) for each in statement.targets)


def _used_by(block: Block, mentioned: tuple[str, ...] | None) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """The names that are used when a part is run, None for any, and those of the bases of a class."""
    statement = block.statements[0] if len(block.statements) == 1 and not block.broken else None
    definition = isinstance(statement, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef))
    if statement is None or not definition or any(hook in block.text for hook in _HOOKS):
        return mentioned, ()
    bases = statement.bases if isinstance(statement, gast.ClassDef) else ()
    return _in_order(_evaluated(statement)), _in_order(bases)


_HOOKS = ("__init_subclass__", "__set_name__", "__class_getitem__", "metaclass")
"""Words in whose classes methods are called while a file is run."""


def _evaluated(statement: gast.AST) -> Iterator[gast.AST]:
    """What of a statement is evaluated when it's run, without what a function does when it's called, and bases."""
    match statement:
        case gast.FunctionDef() | gast.AsyncFunctionDef():
            yield from (*statement.decorator_list, *defaults_of(statement), *annotations_of(statement))
        case gast.ClassDef():
            yield from (*statement.decorator_list, *(keyword.value for keyword in statement.keywords))
            for each in statement.body:
                yield from _evaluated(each)
                yield from each.bases if isinstance(each, gast.ClassDef) else ()
        case _:
            yield statement


def _in_order(expressions: Iterable[gast.AST]) -> tuple[str, ...]:
    """The names in expressions."""
    return tuple(sorted({node.id for node in walk(*expressions) if isinstance(node, gast.Name)}))


def _digest(code: str) -> str:
    return hashlib.blake2b(code.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


# Functions that change nothing of the file's, however they are called


def _unchanging(
    blocks: Sequence[Block],
    bound: Sequence[Set[str]],
    mentions: Sequence[tuple[str, ...] | None],
    own: Set[str],
) -> Set[str]:
    """The functions that get at nothing of the file's own but one another, and keep nothing between two calls."""
    found: dict[str, Set[str]] = {}
    several: set[str] = set()
    for block, names, mentioned in zip(blocks, bound, mentions, strict=True):
        several |= names & found.keys()
        plain = mentioned is not None and len(block.statements) == 1 and _keeps_nothing(block.statements[0], own)
        found |= {name: own & set(mentioned or ()) if plain else {""} for name in names}
    unchanging = found.keys() - several
    while changing := {name for name in unchanging if not found[name] <= unchanging}:
        unchanging -= changing
    return unchanging


def _keeps_nothing(statement: gast.AST, own: Set[str]) -> bool:
    if not isinstance(statement, gast.FunctionDef) or statement.decorator_list:
        return False
    plain = (gast.Constant, gast.Name, gast.Attribute)
    return all(isinstance(default, plain) for default in defaults_of(statement)) and not any(
        isinstance(node, gast.Global)
        or (
            isinstance(node, (gast.Attribute, gast.Subscript))
            and isinstance(node.value, gast.Name)
            and node.value.id in own
        )
        for node in walk(statement)
    )


def _handed_on(block: Block) -> Iterator[str]:
    """The names in a block that are used otherwise than by a call."""
    pending: list[gast.AST] = list(block.statements)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name):
            yield node.id
        called = node.func if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) else None
        pending += [child for child in children(node) if child is not called]


# Statements that bind their names and do nothing else


def _only_binds(statement: gast.AST, own: Set[str], outside: Set[str]) -> bool:
    """Whether running a statement binds names and does nothing else."""
    match statement:
        case gast.Import() | gast.Pass():
            return True
        case gast.ImportFrom():
            return all(alias.name != "*" for alias in statement.names)
        case gast.FunctionDef() | gast.AsyncFunctionDef():
            evaluated = [*statement.decorator_list, *defaults_of(statement)]
            return _keep(statement.decorator_list, outside) and _only_give(evaluated, own)
        case gast.ClassDef():
            keywords = [keyword.value for keyword in statement.keywords]
            evaluated = [*statement.decorator_list, *statement.bases, *keywords]
            body = all(_only_binds(each, own, outside) for each in statement.body)
            return body and _keep(statement.decorator_list, outside) and _only_give(evaluated, own)
        case gast.Assign():
            return all(isinstance(target, gast.Name) for target in statement.targets) and _only_give(
                [statement.value], own
            )
        case gast.AnnAssign():
            plain = isinstance(statement.target, gast.Name)
            return plain and (statement.value is None or _only_give([statement.value], own))
        case gast.Expr():
            return isinstance(statement.value, gast.Constant)
        case _:
            return _is_plain_del(statement)


_DECORATORS = frozenset({"classmethod", "property", "staticmethod"})


def _keep(decorators: Iterable[gast.AST], outside: Set[str]) -> bool:
    """Whether decorators call none of what they are given."""
    return all(_root(decorator) in outside or _is_of_property(decorator) for decorator in decorators)


def _is_of_property(decorator: gast.AST) -> bool:
    return isinstance(decorator, gast.Attribute) and decorator.attr in ("setter", "deleter", "getter")


def _only_give(expressions: Iterable[gast.AST], own: Set[str]) -> bool:
    """Whether evaluating expressions changes nothing: no call in them gets at what is the file's own."""
    return all(_gives(node, own) for node in walk(*expressions))


def _gives(node: gast.AST, own: Set[str]) -> bool:
    if isinstance(node, gast.Call):
        return not any(isinstance(inner, gast.Name) and inner.id in own for inner in walk(node))
    return not isinstance(node, (gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom))


def _root(expression: gast.AST) -> str:
    """The name that an expression of attributes and calls begins with."""
    while isinstance(expression, (gast.Attribute, gast.Call)):
        expression = expression.value if isinstance(expression, gast.Attribute) else expression.func
    return expression.id if isinstance(expression, gast.Name) else ""
