"""Random programs of several files, and edits that concern more than one of them.

A program is its files' texts by their paths. Programs are pieces of the tests' own examples, spread over files that
import from each other in every way that Python has, in circles as well. What happens to them is for others to say.
"""

from __future__ import annotations

import ast
import functools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from graphwright_analysis.mdtest import sections
from random_edits import DTYPES, LITERALS, edited

Program = Mapping[str, str]

_HERE = Path(__file__).parent
_LAYOUTS = [
    ("one.py", "two.py"),
    ("one.py", "two.py", "three.py"),
    ("one.py", "two.py", "three.py", "four.py"),
    ("main.py", "parts/__init__.py", "parts/one.py", "parts/two.py"),
    ("parts/__init__.py", "parts/one.py", "parts/two.py", "parts/inner/__init__.py", "parts/inner/three.py"),
    ("main.py", "src/one.py", "src/two.py"),
]
_CALLS = ["{}()", "{}(1)", "{}(2.5)", "{}(tf.constant(1.0))", "{}(tf.constant([1, 2]))", "{}(tf.ones([2, 3]), True)"]
_IMPORT = re.compile(r"(?m)^(?:from|import) .*\n")
_VALUE = re.compile(rf"\b({'|'.join(DTYPES)})\b|(?<![\w.])\d+(?:\.\d*)?(?!\w)")
_DEFINED = re.compile(r"(?m)^(?:def|class) (\w+)|^([A-Za-z_]\w*) = ")


@functools.cache
def seeds() -> Mapping[str, Program]:
    """What programs are made of, by name: the tests in Markdown and the converter's programs."""
    found = dict(WRITTEN)
    for page in sorted((_HERE / "mdtest").glob("*.md")):
        for section in sections(page.read_text("utf-8")):
            texts = [text for language, text in section.blocks if language == "python"]
            found[f"{page.stem}: {section.title}"] = {f"block{n}.py": text for n, text in enumerate(texts, 1)}
    for path in sorted((_HERE.parent / "converter/programs").glob("*.py")):
        found[path.name] = {path.name: path.read_text("utf-8")}
    return found


def drawn(dice: random.Random) -> tuple[str, Program]:
    """A program and what it was made of."""
    several = [name for name, program in seeds().items() if len(program) > 1]
    name = dice.choice(dice.choice((several, sorted(WRITTEN), sorted(seeds()), sorted(seeds()))))
    program = seeds()[name]
    if len(program) > 1:
        return name, program
    text = next(iter(program.values()))
    if dice.random() < 0.3:
        other = dice.choice(sorted(seeds()))
        name, text = f"{name} + {other}", text + "\n\n" + "\n".join(seeds()[other].values())
    return name, spread(text, dice)


def spread(text: str, dice: random.Random) -> Program:
    """The statements of one file in several, each of which imports what it needs of the others."""
    try:
        statements = [*_statements(text)]
    except (SyntaxError, ValueError):
        return {"main.py": text}
    paths = dice.choice(_LAYOUTS)
    imports = "".join(each for each, _, is_import in statements if is_import)
    parts: dict[str, list[str]] = {path: [] for path in paths}
    home: dict[str, str] = {}
    at = dice.randrange(len(paths))
    for statement, names, is_import in statements[:80]:
        if not is_import:
            at = dice.randrange(len(paths)) if dice.random() < 0.5 else at
            parts[paths[at]].append(statement)
            home.update((each, paths[at]) for each in names)
    bodies = {path: "\n".join(found) for path, found in parts.items()}
    return {path: imports + _linked(path, body, home, dice) for path, body in bodies.items()}


def _statements(text: str) -> Iterator[tuple[str, list[str], bool]]:
    """The top-level statements, with the names that they define, and whether they import."""
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
        is_import = isinstance(node, (ast.Import, ast.ImportFrom))
        name = [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
        stored = [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        names = name or (stored if isinstance(node, ast.Assign) else [])
        yield "".join(lines[first - 1 : node.end_lineno]).rstrip("\n") + "\n", names, is_import


def _linked(path: str, body: str, home: Mapping[str, str], dice: random.Random) -> str:
    """A file's own part behind imports of what it uses."""
    used = [name for name in home if home[name] != path and re.search(rf"\b{name}\b", body)]
    lines: list[str] = []
    for other in dict.fromkeys(home[name] for name in used):
        names = [name for name in used if home[name] == other]
        line, prefix = imported(path, other, names, dice)
        lines.append(line)
        if prefix:
            for name in names:
                body = re.sub(rf"(?<![\w.'\"]){name}\b(?!\s*=[^=])", f"{prefix}.{name}", body)
    return "".join(lines) + "\n" + body


def imported(path: str, other: str, names: Sequence[str], dice: random.Random) -> tuple[str, str]:
    """A line that imports names of another file, and what is written before the names then."""
    module = other.removesuffix(".py").removesuffix("/__init__").removeprefix("src/").replace("/", ".")
    package, _, last = module.rpartition(".")
    if "/" in path and dice.random() < 0.5:
        up = "." * (path.count("/") + (1 if "/" in other else 2) - (other.count("/") if "/" in other else 0))
        inside = last if other.count("/") else module
        module = f"{up or '.'}{inside}" if not other.endswith("__init__.py") else up or "."
        package, last = up or ".", inside
    listed = ", ".join(names)
    chance = dice.random()
    if chance < 0.5:
        return f"from {module} import {listed}\n", ""
    if chance < 0.7:
        return f"from {module} import *\n", ""
    if chance < 0.85 and not module.startswith("."):
        return f"import {module} as {last}_\n", f"{last}_"
    if package and last:
        return f"from {package} import {last}\n", last
    return f"from {module} import {listed}\n", ""


# Edits


def changed(program: Program, written: Program, dice: random.Random) -> Program:
    """The program after one edit, of one file or of several; None of what is deleted stays.

    Mistakes are often taken back, to what was `written` first, so that the files have something to do with each other.
    """
    if not program:
        return dict(written)
    damaged = [path for path, text in written.items() if program.get(path) != text]
    if damaged and dice.random() < 0.4:
        path = dice.choice(damaged)
        return {**program, path: written[path]}
    return dice.choice(_CHANGES)(program, dice)


def _text(program: Program, dice: random.Random) -> Program:
    path = dice.choice(sorted(program))
    return {**program, path: edited(program[path], dice)}


def _values(program: Program, dice: random.Random) -> Program:
    """A dtype or a number is another one, which those that use the file will see."""
    path = dice.choice([each for each in sorted(program) if _VALUE.search(program[each])] or sorted(program))
    found = [*_VALUE.finditer(program[path])]
    if not found:
        return program
    match = dice.choice(found)
    new = dice.choice(DTYPES if match.group(1) else LITERALS)
    return {**program, path: program[path][: match.start()] + new + program[path][match.end() :]}


def _names(program: Program, dice: random.Random) -> Program:
    """A name is another one in all files, or in some."""
    names = defined(program)
    if not names:
        return program
    old = dice.choice(names)
    new = f"{old}_x" if dice.random() < 0.6 else dice.choice(names)
    share = dice.choice((1.0, 1.0, 0.5))
    renamed = (path for path in sorted(program) if dice.random() < share)
    return {**program, **{path: re.sub(rf"\b{old}\b", new, program[path]) for path in renamed}}


def defined(program: Program) -> list[str]:
    """The names that the files' top levels define."""
    found = (match for text in program.values() for match in _DEFINED.finditer(text))
    return sorted({match.group(1) or match.group(2) for match in found})


def _moved(program: Program, dice: random.Random) -> Program:
    """A statement moves to another file, with the imports of it or without, or stands in both."""
    source, target = dice.choice(sorted(program)), dice.choice(sorted(program))
    try:
        statements = [each for each in _statements(program[source]) if not each[2]]
    except (SyntaxError, ValueError):
        return program
    if not statements:
        return program
    text, names, _ = dice.choice(statements)
    after = {**program, source: program[source].replace(text, "", 1) if dice.random() < 0.8 else program[source]}
    after[target] = after[target] + "\n" + text if dice.random() < 0.9 else after[target]
    if names and dice.random() < 0.7:
        for path in sorted(after):
            if path != target and re.search(rf"\b{names[0]}\b", after[path]):
                after[path] = imported(path, target, names[:1], dice)[0] + after[path]
    return after


def _imports(program: Program, dice: random.Random) -> Program:
    """An import comes, goes, or is written otherwise; circles of files come about by it."""
    path, other = dice.choice(sorted(program)), dice.choice(sorted(program))
    text, lines = program[path], _IMPORT.findall(program[path])
    if lines and dice.random() < 0.3:
        return {**program, path: text.replace(dice.choice(lines), "", 1)}
    names = defined({other: program[other]}) or ["nothing"]
    new, _ = imported(path, other, [dice.choice(names)], dice)
    if lines and dice.random() < 0.3:
        return {**program, path: text.replace(dice.choice(lines), new, 1)}
    return {**program, path: new + text if dice.random() < 0.7 else f"{text}\n{new}"}


def _calls(program: Program, dice: random.Random) -> Program:
    """A function is called, at the end of a file that imports it, or of its own."""
    names, path = defined(program), dice.choice(sorted(program))
    if not names:
        return program
    call = dice.choice(_CALLS).format(dice.choice(names))
    line = dice.choice((f"{call}\n", f"result = {call}\n", f"def caller(x=0):\n    return {call}\n"))
    return {**program, path: f"{program[path].rstrip()}\n\n\n{line}"}


def _comments(program: Program, dice: random.Random) -> Program:
    """A comment allows what is found in a line, if anything is."""
    path = dice.choice(sorted(program))
    lines = program[path].split("\n")
    code = [number for number, line in enumerate(lines) if line.strip() and "#" not in line and "\\" not in line]
    if code:
        lines[dice.choice(code)] += "  # graphwright: allow"
    return {**program, path: "\n".join(lines)}


def _renamed_file(program: Program, dice: random.Random) -> Program:
    """A file has another name; those that import it follow, or don't."""
    old = dice.choice(sorted(program))
    folder, _, name = old.rpartition("/")
    word = name.removesuffix(".py")
    new = dice.choice((f"{word}_x", "other", "main"))
    path = f"{folder}/{new}.py" if folder else f"{new}.py"
    after = {other: text for other, text in program.items() if other != old} | {path: program[old]}
    if dice.random() < 0.6 and word != "__init__":
        after = {path: _IMPORT.sub(lambda m: re.sub(rf"\b{word}\b", new, m.group()), t) for path, t in after.items()}
    return after


def _deleted_file(program: Program, dice: random.Random) -> Program:
    gone = dice.choice(sorted(program))
    return {path: text for path, text in program.items() if path != gone or len(program) == 1}


def _new_file(program: Program, dice: random.Random) -> Program:
    """A file comes: a copy, a package's, or one that stands before another where an import leads."""
    source = dice.choice(sorted(program))
    word = source.removesuffix(".py")
    path = dice.choice(("new.py", "__init__.py", "parts/__init__.py", f"{word}/__init__.py", f"src/{source}"))
    return {**program, path: dice.choice((program[source], "", WRITTEN["patches"]["patches.py"]))}


_CHANGES: list[Callable[[Program, random.Random], Program]] = [
    *[_text] * 6, *[_values] * 4, *[_names] * 2, *[_moved] * 2, *[_imports] * 3, *[_calls] * 2,
    *[_comments] * 2, _renamed_file, _deleted_file, _new_file,
]  # fmt: skip

_TF = "import tensorflow as tf\n"
WRITTEN: dict[str, Program] = {
    "circle": {
        "one.py": _TF + "from two import half\n\n\n@tf.function\ndef f(x):\n    if tf.reduce_sum(x) > 0:\n"
        "        y = half(x)\n    else:\n        y = tf.constant(1.0)\n    return y\n\n\nKIND = tf.float16\n",
        "two.py": _TF + "import one\n\n\ndef half(x):\n    return tf.cast(x, one.KIND)\n",
        "three.py": _TF + "from one import f\nfrom two import half\n\nf(tf.ones([2]))\nhalved = half(tf.ones([3]))\n",
    },
    "stars": {
        "parts/__init__.py": "from .one import *\nfrom .two import *\n",
        "parts/one.py": _TF + "SCALE = 2\n\n\ndef half(x):\n    return tf.cast(x, tf.float16)\n",
        "parts/two.py": _TF + "from . import one\n\n\ndef twice(x):\n    return x * one.SCALE\n",
        "main.py": _TF + "from parts import *\n\n\n@tf.function\ndef f(x: tf.Tensor):\n"
        "    if x > 0:\n        y = half(x)\n    else:\n        y = twice(x)\n    return y\n\n\nf(tf.constant(1.0))\n",
    },
    "patches": {
        "patches.py": _TF + "tf.Tensor.mean = tf.reduce_mean\n",
        "one.py": _TF + "import patches\n\n\n@tf.function\ndef f(x: tf.Tensor):\n    return x.mean()\n",
        "two.py": _TF + "from one import f\n\nprint(f(tf.ones([2])))\n",
    },
    "shared": {
        "shared.py": _TF + "SCALE = tf.constant(1.0)\nTABLE = [tf.constant(1)]\n",
        "one.py": _TF
        + "import shared\n\nBEFORE = shared.SCALE\nshared.SCALE = shared.TABLE[0]\nAFTER = shared.SCALE\n",
        "two.py": _TF + "import shared\n\nshared.TABLE.append(tf.constant([1.0, 2.0]))\nLAST = shared.TABLE[-1]\n",
        "three.py": _TF + "import shared\nfrom one import AFTER\nfrom two import LAST\n\n\n@tf.function\ndef f(x):\n"
        "    if x > 0:\n        y = x * shared.SCALE\n    else:\n        y = LAST\n    return y\n\n\nf(AFTER)\n",
    },
}
