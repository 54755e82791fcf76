"""Tells whether a piece of source is really what a code object was compiled from.

It compares what the two compile to, not when files were changed; names of files and columns don't count.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import hashlib
import types
from collections.abc import Generator
from typing import Any, cast

_FUTURE_FLAGS = 0x1FF0000
"""The flags of a code object that `from __future__ import` sets."""
_CLASS: Any = ast.parse("class Surroundings: pass").body[0]
_FACTORY: Any = ast.parse("def factory(): pass").body[0]


def compiled_alone(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
    like: types.CodeType,
    free: tuple[str, ...],
    class_name: str | None,
    imported: frozenset[str] = frozenset(),
) -> types.CodeType | None:
    """The code of one function in surroundings that have the same free names and the same class around it.

    Python compiles calls of what a module imports at its top, which is `imported`, in another way than other calls.
    """
    body: list[ast.stmt] = [node] if not isinstance(node, ast.Lambda) else [ast.copy_location(ast.Expr(node), node)]
    if class_name is not None:
        surroundings = copy.copy(_CLASS)
        surroundings.name, surroundings.body = class_name, body
        body = [surroundings]
    factory, factory.args = copy.copy(_FACTORY), copy.copy(_FACTORY.args)
    factory.args.args = [ast.arg(name) for name in free if name != "__class__" or class_name is None]
    own = class_name or getattr(node, "name", None)
    # What the module calls by its own name is global to it.
    factory.body = [] if own is None or own in free else [ast.Global([own])]
    module = ast.fix_missing_locations(ast.Module([*_imports(imported), factory], []))
    factory.body += body  # whose nodes have their places
    compiled = compile(module, like.co_filename, "exec", like.co_flags & _FUTURE_FLAGS, True)
    found: types.CodeType | None = compiled
    for name in ("factory", *([] if class_name is None else [class_name]), like.co_name):
        found = found and _inner(found, name, like)
    return found


def fingerprint(code: types.CodeType, line_shift: int = 0) -> str:
    """A digest that is the same for the same function compiled twice, in other processes as well.

    Lines count as if the code stood `line_shift` lines further down.
    """
    essence = repr(_essence(code, line_shift))
    return hashlib.blake2b(essence.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


@contextlib.contextmanager
def at_its_lines(node: ast.AST, code: types.CodeType, shift: int) -> Generator[int, None, None]:
    """Let a node stand at its lines in the file while it's compiled, if its code states lines; gives the shift left."""
    moved = shift if _states_lines(code) else 0
    ast.increment_lineno(node, moved)
    try:
        yield shift - moved
    finally:
        ast.increment_lineno(node, -moved)


def _states_lines(code: types.CodeType) -> bool:
    """Whether there are numbers of lines among the constants of code: from Python 3.13 on, a class has its first."""
    if "__firstlineno__" in code.co_names:
        return True
    return any(_states_lines(constant) for constant in code.co_consts if isinstance(constant, types.CodeType))


def without_defaults(node: Any) -> Any:
    """A copy of a function's node that shares its body, without what belongs to the place where it is made."""
    made = copy.copy(node)
    if not isinstance(node, ast.Lambda):
        made.decorator_list, made.returns = [], None
        if hasattr(node, "type_params"):
            made.type_params = []
    given: ast.arguments = node.args
    made.args = ast.arguments(
        posonlyargs=list(map(_without_annotation, given.posonlyargs)),
        args=list(map(_without_annotation, given.args)),
        vararg=given.vararg and _without_annotation(given.vararg),
        kwonlyargs=list(map(_without_annotation, given.kwonlyargs)),
        kw_defaults=[default and _none_at(default) for default in given.kw_defaults],
        kwarg=given.kwarg and _without_annotation(given.kwarg),
        defaults=list(map(_none_at, given.defaults)),
    )
    return made


def _without_annotation(argument: ast.arg) -> ast.arg:
    return ast.copy_location(ast.arg(argument.arg, None), argument) if argument.annotation else argument


def _none_at(default: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Constant(None), default)


def _imports(names: frozenset[str]) -> list[ast.stmt]:
    return [ast.Import([ast.alias(name) for name in sorted(names)])] if names else []


def _inner(code: types.CodeType, name: str, like: types.CodeType) -> types.CodeType | None:
    constants = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    inner = [constant for constant in constants if constant.co_name == name]
    if len(inner) > 1:
        return next((code for code in inner if code.co_firstlineno == like.co_firstlineno), None)
    return inner[0] if inner else None


def _essence(code: types.CodeType, line_shift: int) -> tuple[Any, ...]:
    return (
        code.co_name,
        code.co_firstlineno + line_shift,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_code,
        code.co_names,
        code.co_varnames,
        tuple(sorted(code.co_freevars)),
        tuple(sorted(code.co_cellvars)),
        tuple(_constant(constant, line_shift) for constant in _constants(code)),
    )


def _constants(code: types.CodeType) -> tuple[object, ...]:
    """The constants; the names of attributes that a class's methods set have any order in Python 3.13.0."""
    if "__static_attributes__" not in code.co_names:
        return code.co_consts
    return tuple(
        tuple(sorted(map(str, cast("tuple[object, ...]", each)))) if isinstance(each, tuple) else each
        for each in code.co_consts
    )


def _constant(value: object, line_shift: int) -> object:
    if isinstance(value, types.CodeType):
        return _essence(value, line_shift)
    if isinstance(value, str):
        # Qualified names are constants of the code around them.
        return value.rpartition("<locals>.")[2]
    if isinstance(value, tuple):
        return tuple(_constant(item, line_shift) for item in cast("tuple[object, ...]", value))
    if isinstance(value, frozenset):
        return ("frozenset", *sorted(repr(_constant(item, line_shift)) for item in cast("frozenset[object]", value)))
    return (type(value).__name__, repr(value))
