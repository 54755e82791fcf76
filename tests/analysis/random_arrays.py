"""Random calls of NumPy on random arrays, as NumPy and the analysis see them, to be compared."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gast
from graphwright_analysis import Project, Settings
from graphwright_analysis.values.domain import Value

IMPORTS = "import numpy as np\nrng = np.random.default_rng(1)\n"
DTYPES = ("'float32'", "'float64'", "np.int32", "np.int64", "np.uint8", "bool", "np.float32")
MADE = (
    "np.zeros(({n}, {m}))", "np.ones(({n}, {m}), dtype={d})", "np.full(({n}, {m}), 2)", "np.eye({n}, {m})",
    "np.random.rand({n}, {m})", "np.random.randn({n}, {m})", "np.random.normal(size=({n}, {m}))",
    "np.random.randint(0, 9, ({n}, {m}))", "np.random.uniform(0, 1, ({n}, {m}))", "np.ones(({n}, {m})).astype({d})",
    "np.arange({n} * {m}).reshape({n}, {m})", "np.array([[1, 2, 3], [4, 5, 6]])", "np.array([[1.0, 2], [3, 4]])",
    "np.random.standard_normal(({n}, {m}))", "np.empty([{n}, {m}], {d})", "np.random.random(({n}, {m}))",
    "np.identity({n})", "np.asarray([[1, 2], [3, 4]], dtype={d})", "rng.normal(size=({n}, {m}))",
    "rng.integers(0, 5, ({n}, {m}))", "np.linspace(0, 1, {n} * {m}).reshape({n}, {m})",
)  # fmt: skip
UNARY = """abs sqrt square exp log sin cos tanh floor ceil sign negative isnan logical_not rint sort argsort round copy
zeros_like ones_like isfinite log1p fabs""".split()  # noqa: SIM905
BINARY = """add subtract multiply true_divide floor_divide maximum minimum equal less greater_equal logical_and
arctan2 hypot""".split()  # noqa: SIM905
REDUCING = "sum mean max min prod std var any all argmax argmin median count_nonzero".split()  # noqa: SIM905
OPERATORS = ("+", "-", "*", "/", "//", "%", "==", "<", "&")
USED = (
    *(f"np.{name}({{x}})" for name in UNARY),
    *(f"np.{name}({{x}}, {{o}})" for name in BINARY),
    *(f"np.{name}({{x}})" for name in REDUCING),
    *(f"np.{name}({{x}}, axis={{a}})" for name in REDUCING),
    *(f"np.{name}({{x}}, axis={{a}}, keepdims=True)" for name in ("sum", "mean", "max", "any")),
    *(f"{{x}} {op} {{o}}" for op in OPERATORS),
    *(f"{{s}} {op} {{x}}" for op in OPERATORS[:4]),
    "np.concatenate([{x}, {x}], axis={a})", "np.concatenate([{x}, {x}])", "np.stack([{x}, {x}])",
    "np.stack([{x}, {x}], axis={a})", "np.expand_dims({x}, {a})", "np.squeeze({x})", "np.transpose({x})",
    "np.transpose({x}, (1, 0))", "np.reshape({x}, (-1,))", "np.repeat({x}, 2, axis={a})", "np.repeat({x}, 2)",
    "np.clip({x}, 0, 1)", "np.pad({x}, [[1, 1], [0, 2]])", "np.matmul({x}, {x}.T)", "{x} @ {x}.T", "{x}.T",
    "np.einsum('ij->ji', {x})", "{x}.astype({d})", "{x}[0]", "{x}[:, None]", "{x}[..., 0]",
    "{x}.reshape(-1)",
    "{x}.sum()", "{x}.mean(axis={a})", "{x}.std()", "{x}.argmax({a})", "{x}.max(axis={a}, keepdims=True)",
    "{x}.flatten()",
    "{x}.transpose()", "{x}.transpose(1, 0)", "{x}.reshape({x}.shape[0], -1)", "{x}.reshape((1, -1, 1))",
    "{x}.round(2)",
    "{x}.clip(0, 1)", "{x}.copy()", "np.sum({x}, dtype={d})", "np.sin(0.5)",
    "np.sum([1, 2, 3])", "np.mean([1.0, 2.0])", "np.maximum({x}, [1])",
    "np.float32({x})", "np.arange({n})", "np.arange(0, {n}, 0.5)", "np.arange(2, 9, 2)", "np.linspace(0, 1, {n})",
)  # fmt: skip


def program(seed: int, count: int) -> list[tuple[str, str]]:
    """So many pairs of lines, of which the first makes an array and the second uses it."""
    draw = random.Random(seed)
    pairs: list[tuple[str, str]] = []
    for at in range(count):
        others = ("2", "2.5", f"x{max(at - 1, 0)}", f"x{at}", "np.ones(1)", "np.int64(3)")
        choices = {"n": (1, 2, 4), "m": (1, 3, 4), "d": DTYPES, "a": (0, 1, -1), "o": others, "s": ("2", "0.5")}
        values = {name: draw.choice(of) for name, of in choices.items()}
        used = USED[at % len(USED)]
        pairs.append(
            (f"x{at} = " + draw.choice(MADE).format(**values), f"y{at} = " + used.format(x=f"x{at}", **values))
        )
    return pairs


def inferred(lines: list[tuple[str, str]], folder: Path) -> dict[str, Value]:
    """What the analysis says of each name."""
    project = Project(folder, Settings())
    key = str(folder / "arrays.py")
    project.set_text(key, "import tensorflow as tf\n" + IMPORTS + "".join(f"{a}\n{b}\n" for a, b in lines))
    values = [item for stretch in project.trace(key).stretches for item in stretch.values.items()]
    return {node.id: value for node, value in values if isinstance(node, gast.Name) and node.id[0] in "xy"}


def given(lines: list[tuple[str, str]]) -> Iterator[tuple[str, str, Any]]:
    """What NumPy gives for each name that it can make."""
    scope: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(IMPORTS, scope)
        for pair in lines:
            for line in pair:
                name = line.partition(" ")[0]
                try:
                    exec(line, scope)
                except Exception:
                    scope.pop(name, None)
                    continue
                yield name, "; ".join(pair), scope[name]
