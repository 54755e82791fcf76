"""From generated text to a function that passes for the user's own: its file, lines, names, cells and defaults.

It converts nothing. The text is compiled once for each code object; each function that shares the code gets a copy
with its own closure.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator, Sequence
from typing import Any, cast

from .calls_later import convert_calls_that_run_later, generated_parts, runs_later
from .caught_errors import clean_in_handlers
from .change_notes import note_changes
from .iterator_reads import check_iterator_reads
from .matching import compiled_alone, without_defaults
from .pipeline import Generated
from .special_methods import call_special_methods
from .state_notes import note_state
from .syntax_trees import children_of, is_operator, walk
from .twins import codes_below
from .value_reads import ask_values, compare_values

OPERATORS_WITH_NAMES = {"if_": 0, "while_": 2, "for_": 2, "rest_of_for": 3, "rest_of_while": 4}
"""Operators that are told the names of their results, and where the state begins among their arguments."""

_OPERATORS = "\0operators"
"""A constant of compiled code, in place of the operators until `with_operators` puts them there."""

_KEPT_FLAGS = inspect.CO_ITERABLE_COROUTINE
"""Flags that a decorator gives to the code of a function: `types.coroutine` says that a generator can be awaited."""


def compiled(
    generated: Generated, code: types.CodeType, class_name: str | None, special: frozenset[str] = frozenset()
) -> types.CodeType:
    """The code that takes the place of a function's code, without the operators that it calls.

    `special` are the special methods of the user's classes that it may call by an operator or the like.
    """
    parsed = ast.parse(generated.text).body[0]
    node = parsed.value if isinstance(parsed, ast.Expr) else parsed
    return compiled_node(node, generated.lines, generated.alias, code, class_name, special)


def compiled_node(
    definition: ast.AST,
    lines: tuple[int, ...],
    alias: str,
    code: types.CodeType,
    class_name: str | None,
    special: frozenset[str],
) -> types.CodeType:
    """The same for the tree of a definition, each line of which comes from the user's line in `lines`."""
    node = without_defaults(definition)
    parts = walk(node)
    _move_to_user_lines(parts, lines)
    if any(isinstance(part, ast.ClassDef) for part in parts):
        parts = generated_parts(node)
    if not isinstance(node, ast.Lambda):
        _name_results(node.body, alias)
    has_generators = runs_later(code)
    if not has_generators:
        note_state(node, parts, alias)
    note_changes(node, alias)
    if has_generators:
        convert_calls_that_run_later(node, alias)
    clean_in_handlers([part for part in parts if isinstance(part, ast.ExceptHandler)], alias)
    check_iterator_reads(parts, alias, has_generators)
    ask_values(node, alias)
    call_special_methods(node, alias, special)
    compare_values(node, alias)
    node.lineno = node.end_lineno = code.co_firstlineno
    if not isinstance(node, ast.Lambda):
        node.name = code.co_name
    for part in walk(node):
        if is_operator(part, alias):
            cast(Any, part).value = ast.copy_location(ast.Constant(_OPERATORS), part)
    made = compiled_alone(node, code, code.co_freevars, class_name)
    assert made is not None, "the factory holds exactly one function"
    return _renamed(made, code).replace(co_flags=made.co_flags | code.co_flags & _KEPT_FLAGS)


def with_operators(code: types.CodeType, operators: object) -> types.CodeType:
    """Compiled code with the operators as a constant: a function that it defines has no more variables than written."""
    constants = tuple(_with_operators(constant, operators) for constant in code.co_consts)
    return code.replace(co_consts=constants)


def _with_operators(constant: Any, operators: object) -> Any:
    if isinstance(constant, types.CodeType):
        return with_operators(constant, operators)
    return operators if constant == _OPERATORS else constant


def function_from(code: types.CodeType, original: types.FunctionType) -> types.FunctionType:
    """A function with other code that shares everything else with the original, cells included."""
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in code.co_freevars)
    function = types.FunctionType(code, original.__globals__, original.__name__, original.__defaults__, closure)
    function.__kwdefaults__ = original.__kwdefaults__
    function.__doc__ = original.__doc__
    function.__qualname__ = original.__qualname__
    function.__module__ = original.__module__
    function.__annotations__ = original.__annotations__
    type_parameters = getattr(original, "__type_params__", ())
    if type_parameters:
        cast(Any, function).__type_params__ = type_parameters
    function.__dict__.update(original.__dict__)
    return function


def _name_results(statements: Sequence[ast.AST], alias: str, given: Sequence[str] = ()) -> None:
    """Tell the operators what the user calls their results: `x, y = gw.if_(...)` gets `names=("x", "y")`.

    `given` is what the user calls the results of the function that this is; its branches have the same.
    """
    inner: dict[str, ast.FunctionDef] = {}
    known: dict[ast.FunctionDef, list[str]] = {}
    for node in _own_statements(statements):
        if isinstance(node, ast.FunctionDef):
            inner[node.name] = node
            known[node] = []
            continue
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            call, target = node.value, node.targets[0]
            items = target.elts if isinstance(target, ast.Tuple) else [target]
        elif isinstance(node, (ast.Return, ast.Expr)) and isinstance(node.value, ast.Call):
            call, items = node.value, []
        else:
            continue
        if not _is_operator(call, alias):
            continue
        names = list(given) if isinstance(node, ast.Return) else list(map(ast.unparse, items))
        begin = OPERATORS_WITH_NAMES[cast(Any, call).func.attr]
        arguments = cast(ast.Call, call).args
        if begin and (not names or isinstance(node, ast.Return)):
            names = list(map(ast.unparse, arguments[begin:]))
        called = {argument.id for argument in arguments[1 : 2 if begin else 3] if isinstance(argument, ast.Name)}
        for function in [inner[name] for name in called & inner.keys()]:
            known[function] = [] if begin and _may_leave(function) else names
        _name_result(cast(ast.Call, call), names, alias)
    for function, names in known.items():
        _name_results(function.body, alias, names)


def _may_leave(turn: ast.FunctionDef) -> bool:
    """Whether a turn of a loop gives back more than the state."""
    return any(isinstance(node, ast.Attribute) and node.attr in ("more", "last") for node in walk(turn))


def _own_statements(statements: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The statements in the order of the text, without those in functions inside."""
    waiting = list(reversed(statements))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.expr)):
            waiting += reversed([part for part in children_of(node) if not isinstance(part, ast.expr)])


def _name_result(call: ast.Call, names: list[str], alias: str) -> None:
    """A call's names, which are those of the calls that its branches or turns end with as well."""
    if not names or any(keyword.arg == "names" for keyword in call.keywords):
        return
    value = ast.Tuple([ast.Constant(name) for name in names], ast.Load())
    for made in walk(value):
        ast.copy_location(made, call)
    call.keywords.append(ast.copy_location(ast.keyword("names", value), call))
    for argument in call.args:
        if isinstance(argument, ast.Lambda) and _is_operator(argument.body, alias):
            inner = cast(ast.Call, argument.body)
            if cast(ast.Attribute, inner.func).attr == "if_":
                _name_result(inner, names, alias)


def _is_operator(call: ast.expr, alias: str) -> bool:
    function: Any = call.func if isinstance(call, ast.Call) else None
    return is_operator(function, alias) and function.attr in OPERATORS_WITH_NAMES


def _move_to_user_lines(nodes: Sequence[ast.AST], lines: tuple[int, ...]) -> None:
    """Give each node the user's line. Columns are unknown there: -1 keeps carets out of tracebacks."""
    for node in nodes:
        place = node.__dict__
        line = place.get("lineno")
        if line is not None:
            place["lineno"] = place["end_lineno"] = lines[line - 1]
            place["col_offset"] = place["end_col_offset"] = -1


def _renamed(made: types.CodeType, original: types.CodeType) -> types.CodeType:
    """Functions that only the generated text has are called like the user's function around them."""
    changes: dict[str, Any] = {}
    qualified = getattr(original, "co_qualname", None)
    if qualified is not None:
        changes["co_qualname"] = qualified
    return made.replace(co_name=original.co_name, co_consts=_renamed_constants(made, original, qualified), **changes)


def _renamed_constants(made: types.CodeType, original: types.CodeType, qualified: str | None) -> tuple[Any, ...]:
    # The nearest counts, where functions inside each other look alike.
    own = {_looks(inner): inner for inner in reversed(codes_below(original))}
    constants: list[Any] = []
    for constant in made.co_consts:
        if isinstance(constant, types.CodeType):
            like = own.get(_looks(constant))
            name = original.co_name if like is None else like.co_name
            outer = qualified if like is None else getattr(like, "co_qualname", None)
            changes: dict[str, Any] = {} if outer is None else {"co_qualname": outer}
            inside = _renamed_constants(constant, original if like is None else like, outer)
            constant = constant.replace(co_name=name, co_consts=inside, **changes)
        constants.append(constant)
    return tuple(constants)


def _looks(code: types.CodeType) -> tuple[object, ...]:
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return code.co_name, code.co_firstlineno, parameters


def set_code_docstring(function: types.FunctionType, text: str | None) -> None:
    """Replace the docstring in the code of a function that has one: a copy made from the code has that docstring."""
    function.__code__ = function.__code__.replace(co_consts=(text, *function.__code__.co_consts[1:]))
    function.__doc__ = text
