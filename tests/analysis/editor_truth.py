"""Holds what the editor shows of a program against what TensorFlow does when the program is run.

The program is run with probes put into its text: at conditions and loops, after bindings and returns, and at calls.
Run as a script it does so for the files named on the command line, calling their `drive` if they have one.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import os
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gast
from graphwright_analysis import InlayHint, Project, Range, Settings, inlay_hints
from graphwright_analysis.values.domain import Constant, Scalar

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

Where = tuple[int, str]
"""A line, counted from 1, and what is meant on it: a name, a keyword, `return`, or a call by where it ends."""


@dataclass(slots=True)
class Seen:
    """What a run has met: who decided, what values were, and which traces calls have made."""

    decided: dict[Where, set[str]] = field(default_factory=lambda: defaultdict(set))
    values: dict[Where, set[str]] = field(default_factory=lambda: defaultdict(set))
    traces: dict[Where, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    names: dict[str, Any] = field(default_factory=dict[str, Any])
    """What the file's own names stood for in the end."""


def wrong(text: str, folder: Path, name: str) -> tuple[list[str], int]:
    """Where what is shown isn't what happened, and how many hints could be held against the run."""
    return held_against(text, run(text, folder, name), name)


def held_against(text: str, seen: Seen, name: str) -> tuple[list[str], int]:
    """The same, of a program that was run."""
    project = Project(None, Settings())
    project.set_text("program.py", text)
    lines = project.module("program.py").lines
    found: list[str] = []
    compared = 0
    for hint in inlay_hints(project, "program.py", Range(0, len(text))):
        line = lines.line_of(hint.offset) + 1
        if hint.kind == "traces":
            column = hint.offset - lines.starts[line - 1]
            told = _compare_traces(hint.label, seen.traces.get((line, f"call {column}")))
        else:
            told = _compare(hint, text, line, seen)
        compared += told is not None
        found += [f"{name}:{line}: {hint.label!r} is shown, but {told}"] if told else []
    return found, compared


def run(text: str, folder: Path, name: str) -> Seen:
    """Run a program with probes; what it raises ends it, and what it had met by then counts."""
    import tensorflow as tf

    seen = Seen()
    path = folder / f"{name}.py"
    path.write_text(_probed(text))
    spec = importlib.util.spec_from_file_location("__main__", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(_probes(tf, seen))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            spec.loader.exec_module(module)
            if hasattr(module, "drive"):
                module.drive()
        except (Exception, SystemExit):
            pass
    seen.names = dict(vars(module))
    return seen


def counted(text: str, folder: Path, name: str) -> Counter[int]:
    """How often each function of a program is traced, by the line of its `def`; what imports nothing can't be run."""
    import tensorflow as tf

    counts: Counter[int] = Counter()

    def traced(line: int) -> None:
        counts[line] += tf.inside_function()

    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            call = ast.Call(ast.Name("probe_traced", ast.Load()), [ast.Constant(node.lineno)], [])
            node.body.insert(0, ast.Expr(call))
    path = folder / f"{name}.py"
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)))
    spec = importlib.util.spec_from_file_location("__main__", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    module.__dict__["probe_traced"] = tf.autograph.experimental.do_not_convert(traced)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        spec.loader.exec_module(module)
    return counts


def wrong_constants(text: str, seen: Seen) -> tuple[list[str], int]:
    """Where what is known of the file's own Python values isn't so, of names bound once; and how many were held."""
    project = Project(None, Settings())
    project.set_text("program.py", text)
    statements = [statement for block in project.module("program.py").blocks for statement in block.statements]
    bound = [node for s in statements for node in gast.walk(s) if isinstance(node, gast.Name) and _is_store(node)]
    counts = Counter(node.id for node in bound)
    values = project.trace("program.py").values.together()
    found: list[str] = []
    held = 0
    for statement in statements:
        for node in statement.targets if isinstance(statement, gast.Assign) else ():
            value = values.get(node)
            if isinstance(value, (Constant, Scalar)) and counts[node.id] == 1 and node.id in seen.names:
                held += 1
                met = seen.names[node.id]
                right = type(met) is value.kind if isinstance(value, Scalar) else Constant(met) == value
                found += [] if right else [f"{node.id} is known as {value}, but it was {met!r}"]
    return found, held


def _is_store(node: gast.Name) -> bool:
    return isinstance(node.ctx, gast.Store)


# Comparing


def _compare(hint: InlayHint, text: str, line: int, seen: Seen) -> str | None:
    """What happened instead; empty where it's what is shown, None where the run says nothing of it."""
    if hint.kind == "control flow":
        word = _keyword(text, hint.offset, line)
        decided = seen.decided.get((line, word))
        if not decided:
            return None
        wanted = {"graph": {"graph"}, "graph or Python": {"graph", "Python"}}.get(hint.label, {"Python"})
        return "" if decided <= wanted else f"it was {sorted(decided)}"
    name = re.search(r"([\w.]+)(\s*:[^:\n]*)?$", text[: hint.offset])
    named = name is not None and "→" not in hint.label
    key = (line, name.group(1).split(":")[0]) if named else (line, "return")
    values = seen.values.get(key) or seen.values.get((line, "return"))
    if not values:
        return None
    missed = sorted(value for value in values if not _fits(value, hint.label.lstrip(":→ ")))
    return f"it was {missed}" if missed else ""


def _keyword(text: str, offset: int, line: int) -> str:
    stripped = text.splitlines()[line - 1].strip()
    word = re.match(r"(?:async )?(elif|if|for|while)\b", stripped)
    return "elif" if word and word.group(1) == "elif" else word.group(1) if word else "conditional"


def _compare_traces(label: str, met: list[tuple[int, int]] | None) -> str | None:
    if not met:
        return None
    made = [number for before, after in met for number in range(before + 1, after + 1)]
    numbers = [int(number) for number in re.findall(r"\d+", label.partition(":")[0])]
    if label.startswith("reuses"):
        right = not made
    elif label.startswith("several") or "each turn" in label:
        right = len(made) > 1 or len(met) < 2
    elif label == "traces twice":
        right = len(made) == 2
    elif not numbers:
        right = bool(made)
    else:
        right = made == list(range(numbers[0], numbers[-1] + 1))
    return "" if right else f"the calls made the traces {made}"


def _fits(value: str, shown: str) -> bool:
    """Whether a value is one of those that a text such as `float32[?, 3]` stands for."""
    pattern = re.escape(shown).replace(re.escape("..."), r"[^\[\]]*").replace(re.escape("?"), r"(?:\d+|\?)")
    unknown = pattern.replace(r"(?:\d+|\?)", r"(?:\d+|\?|\.\.\.)")
    return re.fullmatch(unknown, value) is not None


# Probes


def _probes(tf: Any, seen: Seen) -> dict[str, Any]:
    def decides(line: int, word: str, value: Any) -> Any:
        if not tf.executing_eagerly():
            kinds = (tf.Tensor, tf.Variable, tf.data.Dataset, tf.data.Iterator, tf.RaggedTensor)
            seen.decided[line, word].add("graph" if isinstance(value, kinds) else "Python")
        return value

    def sees(line: int, name: str, value: Any) -> Any:
        text = _text(tf, value)
        if text is not None:
            seen.values[line, name].add(text)
        return value

    def calls(line: int, where: str, function: Any) -> Any:
        if not hasattr(function, "experimental_get_tracing_count"):
            return function

        def call(*arguments: Any, **named: Any) -> Any:
            before = function.experimental_get_tracing_count()
            result = function(*arguments, **named)
            seen.traces[line, where].append((before, function.experimental_get_tracing_count()))
            return result

        return tf.autograph.experimental.do_not_convert(call)

    plain = tf.autograph.experimental.do_not_convert
    return {"probe_decides": plain(decides), "probe_sees": plain(sees), "probe_calls": plain(calls)}


def _text(tf: Any, value: Any) -> str | None:
    """A value as a hint would show it."""
    if isinstance(value, tf.Variable):
        return f"Variable[{_typed(value)}]"
    if isinstance(value, (tf.RaggedTensor, tf.SparseTensor)):
        return f"{type(value).__name__}[{value.dtype.name}]"
    if isinstance(value, tf.Tensor):
        return _typed(value)
    if isinstance(value, tf.data.Dataset):
        return f"Dataset[{_spec(tf, value.element_spec)}]"
    if isinstance(value, tf.data.Iterator):
        return f"Iterator[{_spec(tf, value.element_spec)}]"
    if isinstance(value, tf.TensorArray):
        shape = value.element_shape
        sizes = "..." if shape.rank is None else ", ".join("?" if size is None else str(size) for size in shape)
        return f"TensorArray[{value.dtype.name}[{sizes}]]"
    if isinstance(value, tuple):
        return f"({', '.join(_text(tf, item) or 'Python' for item in value)})"
    return None


def _spec(tf: Any, spec: Any) -> str:
    if isinstance(spec, tuple):
        return f"({', '.join(_spec(tf, each) for each in spec)})"
    return _typed(spec) if isinstance(spec, tf.TensorSpec) else type(spec).__name__


def _typed(value: Any) -> str:
    if value.shape.rank is None:
        return f"{value.dtype.name}[...]"
    return f"{value.dtype.name}[{', '.join('?' if size is None else str(size) for size in value.shape)}]"


def _probed(text: str) -> str:
    tree = _Prober(text).visit(ast.parse(text))
    return ast.unparse(ast.fix_missing_locations(tree))


class _Prober(ast.NodeTransformer):
    """Puts the probes in; what AutoGraph makes of the program stays the same."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()

    def visit_If(self, node: ast.If) -> Any:
        word = "elif" if self.lines[node.lineno - 1][node.col_offset :].startswith("elif") else "if"
        return self._tested(node, word)

    def visit_While(self, node: ast.While) -> Any:
        return self._tested(node, "while")

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self._tested(node, "conditional")

    def _tested(self, node: Any, word: str) -> Any:
        line = node.lineno
        plain = not any(isinstance(child, ast.NamedExpr) for child in ast.walk(node.test))
        self.generic_visit(node)
        if plain:
            node.test = _call("probe_decides", line, word, node.test)
        return node

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        node.iter = _call("probe_decides", node.lineno, "for", node.iter)
        first = 1 if "set_loop_options" in ast.unparse(node.body[0]) else 0
        node.body[first:first] = [*_seen(node.target, node.lineno)]
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        targets = node.targets
        self.generic_visit(node)
        return [node, *(probe for target in targets for probe in _seen(target, target.lineno))]

    def visit_Return(self, node: ast.Return) -> Any:
        line = node.value.end_lineno if node.value is not None else node.lineno
        self.generic_visit(node)
        if node.value is not None and line is not None:
            node.value = _call("probe_sees", line, "return", node.value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        probes = [_probe(each.lineno, each.arg, ast.Name(each.arg, ast.Load())) for each in parameters]
        node.body = [self.visit(statement) for statement in node.body]
        node.body = [each for one in node.body for each in (one if isinstance(one, list) else [one])]
        first = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body[first:first] = probes if parameters and parameters[0].arg != "cls" else []
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, (ast.Name, ast.Attribute)) and not _is_plain(node.func):
            node.func = _call("probe_calls", node.end_lineno or 0, f"call {node.end_col_offset}", node.func)
        return node


def _is_plain(function: ast.expr) -> bool:
    """Whether what is called is known not to be a traced function, or means something to AutoGraph or Python."""
    root = function
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and (root.id in ("tf", "np", "keras", "super") or root.id in dir(__builtins__))


def _seen(target: ast.expr, line: int) -> Iterator[ast.stmt]:
    match target:
        case ast.Name():
            yield _probe(target.lineno, target.id, ast.Name(target.id, ast.Load()))
        case ast.Attribute():
            name = ast.unparse(target)
            yield _probe(target.lineno, name, ast.parse(name, mode="eval").body)
        case ast.Tuple() | ast.List():
            for element in target.elts:
                yield from _seen(element, line)
        case _:
            pass


def _probe(line: int, name: str, value: ast.expr) -> ast.stmt:
    return ast.Expr(_call("probe_sees", line, name, value))


def _call(probe: str, line: int, word: str, value: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(probe, ast.Load()), [ast.Constant(line), ast.Constant(word), value], [])


def main(paths: list[str]) -> None:
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(paths):
            found, compared = wrong(Path(path).read_text("utf-8"), Path(folder), f"program{number}")
            total += compared
            for each in found:
                print(Path(path).name, each.partition(":")[2], flush=True)
    print(f"{total} hints compared")


if __name__ == "__main__":
    main(sys.argv[1:])
