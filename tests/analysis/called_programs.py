"""The converter's programs as somebody would write and call them: traced by `tf.function`, with tensors.

Programs that this can't be said of, because they are given something else, are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from graphwright_analysis.mdtest import Section

PROGRAMS = Path(__file__).parent.parent / "converter/programs"


def documents() -> Iterator[tuple[str, dict[str, Section]]]:
    """Each file of programs, with its programs by name."""
    for path in sorted(PROGRAMS.glob("*.py")):
        text = path.read_text("utf-8")
        found = {name: Section(name, (("python", each),)) for name, each in _called(text)}
        if found:
            yield path.stem, found


def _called(text: str) -> Iterator[tuple[str, str]]:
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _is_program(node):
            calls = [call for decorator in node.decorator_list if (call := _arguments(decorator)) is not None]
            if calls:
                yield node.name, f"{_around(tree, node)}\n\n{_traced(node, text)}\n\n{_calls(node, calls[0])}"


def _around(tree: ast.Module, program: ast.FunctionDef) -> str:
    """The imports of the file, and what else of it a program needs."""
    needed, missing = [], {each.id for each in ast.walk(program) if isinstance(each, ast.Name)}
    for each in reversed([each for each in tree.body if not _is_program(each) and not _is_left_out(each)]):
        if isinstance(each, (ast.Import, ast.ImportFrom)) or missing & _bound(each):
            needed.append(ast.unparse(each))
            missing |= {inner.id for inner in ast.walk(each) if isinstance(inner, ast.Name)}
    return "\n".join(reversed(needed))


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _is_left_out(node: ast.stmt) -> bool:
    ours = isinstance(node, ast.ImportFrom) and node.module in ("differential", "__future__")
    return ours or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _is_program(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(_maker(each) for each in node.decorator_list)


def _maker(decorator: ast.expr) -> str:
    """`program`, or `built` where the function makes the program."""
    name = decorator.func.id if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) else ""
    return name if name in ("program", "built") else ""


def _traced(node: ast.FunctionDef, text: str) -> str:
    """The function as it is written, with `tf.function` in the place of its decorators."""
    lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
    return "\n".join([*["@tf.function"] * (_maker(node.decorator_list[0]) == "program"), *lines])


def _calls(node: ast.FunctionDef, calls: list[str]) -> str:
    if _maker(node.decorator_list[0]) == "program":
        return "".join(f"{node.name}({arguments})\n" for arguments in calls)
    return f"made, changed = {node.name}()\ntraced = tf.function(made)\n" + "".join(f"traced({c})\n" for c in calls)


def _arguments(decorator: ast.expr) -> list[str] | None:
    """The arguments of each call in words; None where one isn't a number, a list or a Python value."""
    assert isinstance(decorator, ast.Call)
    found: list[str] = []
    for call in decorator.args:
        each = [_argument(part) for part in (call.elts if isinstance(call, ast.Tuple) else [call])]
        if None in each:
            return None
        found.append(", ".join(map(str, each)))
    return found or [""]


def _argument(node: ast.expr) -> str | None:
    match node:
        case ast.Call(func=ast.Name(id="Python"), args=[value]):
            return ast.unparse(value)
        case ast.Constant() | ast.List() | ast.UnaryOp():
            return f"tf.constant({ast.unparse(node)})"
        case _:
            return None
