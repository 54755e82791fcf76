"""Makes a function that is only there while another one runs, and any lambda, from the text of its module.

What it reads of the functions around it has to be given, but for those of their functions that can be made as well.
"""

from __future__ import annotations

import ast
import linecache
import types
from collections.abc import Iterator, Mapping
from typing import Any

from .loading import Missing

LAMBDA = "<lambda>@"
"""Before the line of a lambda, counted from 1, and after a dot its number there: `<lambda>@17`, `<lambda>@17.2`."""

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def is_enclosed(name: str) -> bool:
    """Whether no name of the module leads to the function."""
    return "<locals>" in name or name.startswith(LAMBDA)


def outer_names(module: types.ModuleType, name: str) -> tuple[str, ...]:
    """The names that a function, and those that it calls there, read of the functions around it."""
    chain = _chain(module, name)
    found, pending, done = dict[str, None](), [chain[-1]], set[types.CodeType]()
    while pending:
        code = pending.pop()
        done.add(code)
        for each in code.co_freevars:
            inner = _beside(each, chain)
            if inner is None:
                found[each] = None
            elif inner not in done:
                pending.append(inner)
    return tuple(found)


def made(module: types.ModuleType, name: str, given: Mapping[str, Any]) -> types.FunctionType:
    """The function, with values for the names from outside; raises `Missing` for those that have none."""
    missing = [each for each in outer_names(module, name) if each not in given]
    if missing:
        listed = ", ".join(f"{each}=..." for each in missing)
        outer = "another function" if name.startswith(LAMBDA) else name.partition(".<locals>")[0]
        raise Missing(f"{name.rpartition('.')[2]} reads variables of {outer}. Add {listed} to the arguments.")
    chain = _chain(module, name)
    cells = {each: types.CellType(value) for each, value in given.items()}
    return _function(chain[-1], chain, module, cells)


def _function(
    code: types.CodeType, chain: list[types.CodeType], module: types.ModuleType, cells: dict[str, types.CellType]
) -> types.FunctionType:
    for each in code.co_freevars:
        if each not in cells:
            cells[each] = types.CellType()
            inner = _beside(each, chain)
            assert inner is not None
            cells[each].cell_contents = _function(inner, chain, module, cells)
    closure = tuple(cells[each] for each in code.co_freevars)
    function = types.FunctionType(code, vars(module), code.co_name, None, closure)
    _set_defaults(function, module)
    return function


def _chain(module: types.ModuleType, name: str) -> list[types.CodeType]:
    """The code of a function, after that of those around it, the outermost first."""
    whole = compile(_text(module), _file(module), "exec", dont_inherit=True)
    if name.startswith(LAMBDA):
        line, _, number = name.removeprefix(LAMBDA).partition(".")
        found = [chain for chain in _lambdas([whole]) if str(chain[-1].co_firstlineno) == line]
        if not 0 < int(number or 1) <= len(found):
            raise Missing(f"Line {line} no longer has this lambda. Request the trace again.")
        return found[int(number or 1) - 1]
    chain = [whole]
    for part in name.split("."):
        if part != "<locals>":
            inner = [each for each in _inside(chain[-1]) if each.co_name == part]
            if not inner:
                raise Missing(f"{_file(module)} no longer has {name}. Request the trace again.")
            chain.append(inner[-1])
    return chain


def _lambdas(chain: list[types.CodeType]) -> Iterator[list[types.CodeType]]:
    """The lambdas in the order of the text, outer ones first."""
    for each in _inside(chain[-1]):
        inner = [*chain, each]
        if each.co_name == "<lambda>":
            yield inner
        yield from _lambdas(inner)


def _beside(name: str, chain: list[types.CodeType]) -> types.CodeType | None:
    """The function of a name that one of those around defines."""
    for around in reversed(chain[:-1]):
        found = [each for each in _inside(around) if each.co_name == name]
        if found:
            return found[-1]
    return None


def _inside(code: types.CodeType) -> Iterator[types.CodeType]:
    return (each for each in code.co_consts if isinstance(each, types.CodeType))


def _set_defaults(function: types.FunctionType, module: types.ModuleType) -> None:
    """Defaults that can be evaluated in the module; with others, all have to be given."""
    nodes = (node for node in ast.walk(ast.parse(_text(module))) if isinstance(node, _DEFINITIONS))
    arguments = next((node.args for node in nodes if _is_of(node, function)), None)
    if arguments is None:
        return
    names = vars(module)
    try:
        function.__defaults__ = tuple(_value(each, names) for each in arguments.defaults)
        pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        function.__kwdefaults__ = {each.arg: _value(value, names) for each, value in pairs if value is not None}
    except Exception:
        function.__defaults__ = None


def _is_of(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, function: types.FunctionType) -> bool:
    arguments = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    code = function.__code__
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    count = code.co_argcount + code.co_kwonlyargcount
    return first == code.co_firstlineno and list(code.co_varnames[:count]) == arguments


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<default>", "eval"), dict(names))


def _file(module: types.ModuleType) -> str:
    return str(module.__file__)


def _text(module: types.ModuleType) -> str:
    return "".join(linecache.getlines(_file(module)))
