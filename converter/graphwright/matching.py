"""Tells whether a piece of source is really what a code object was compiled from.

It compares what the two compile to, not when files were changed; names of files and columns don't count.
"""

from __future__ import annotations

import ast
import hashlib
import types
from typing import Any, cast

_FUTURE_FLAGS = 0x1FF0000
"""The flags of a code object that `from __future__ import` sets."""


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
        surroundings: Any = ast.parse("class Surroundings: pass").body[0]
        surroundings.name, surroundings.body = class_name, body
        body = [surroundings]
    factory: Any = ast.parse("def factory(): pass").body[0]
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


def fingerprint(code: types.CodeType) -> str:
    """A digest that is the same for the same function compiled twice, in other processes as well."""
    return hashlib.blake2b(repr(_essence(code)).encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def without_defaults(node: Any) -> Any:
    """What belongs to the place where a function is made, not to its code, is taken off the node."""
    if not isinstance(node, ast.Lambda):
        node.decorator_list, node.returns = [], None
        if hasattr(node, "type_params"):
            node.type_params = []
    arguments: ast.arguments = node.args
    arguments.defaults = [ast.copy_location(ast.Constant(None), default) for default in arguments.defaults]
    arguments.kw_defaults = [
        default and ast.copy_location(ast.Constant(None), default) for default in arguments.kw_defaults
    ]
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return node


def _imports(names: frozenset[str]) -> list[ast.stmt]:
    return [ast.Import([ast.alias(name) for name in sorted(names)])] if names else []


def _inner(code: types.CodeType, name: str, like: types.CodeType) -> types.CodeType | None:
    constants = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    inner = [constant for constant in constants if constant.co_name == name]
    if len(inner) > 1:
        return next((code for code in inner if code.co_firstlineno == like.co_firstlineno), None)
    return inner[0] if inner else None


def _essence(code: types.CodeType) -> tuple[Any, ...]:
    return (
        code.co_name,
        code.co_firstlineno,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_code,
        code.co_names,
        code.co_varnames,
        tuple(sorted(code.co_freevars)),
        tuple(sorted(code.co_cellvars)),
        tuple(_constant(constant) for constant in code.co_consts),
    )


def _constant(value: object) -> object:
    if isinstance(value, types.CodeType):
        return _essence(value)
    if isinstance(value, str):
        # Qualified names are constants of the code around them.
        return value.rpartition("<locals>.")[2]
    if isinstance(value, tuple):
        return tuple(_constant(item) for item in cast("tuple[object, ...]", value))
    if isinstance(value, frozenset):
        return ("frozenset", *sorted(repr(_constant(item)) for item in cast("frozenset[object]", value)))
    return (type(value).__name__, repr(value))
