"""Finds by tracing examples what sizes and dtypes a TensorFlow function gives, for those whose arguments have to fit.

An example is a call in which `f[B, H, W, 3]` stands for a tensor: a letter of `FAMILIES` for its dtype, then its sizes.
Each letter of a size is tried as several numbers, and what comes back in the result is told by them; `...` is any
sizes before, `_12` a size that is needed for the example alone. A letter among the arguments is a size, too, and
`free(x, y)` an argument that may be anything else as well; what comes out is what is the same with each of these.
`sparse.f[B, C]` and `ragged.f[B, C]` are tensors of these kinds, `shape[B, C]` is an argument that says a shape.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).with_name("tensorflow_examples.txt")
FAMILIES = {
    "x": ("float32", "float64", "float16", "int32", "int64", "uint8", "bool", "string", "complex64"),
    "n": ("float32", "float64", "float16", "int32", "int64"),
    "f": ("float32", "float64", "float16"),
    "g": ("float32", "float64", "float16"),
    "i": ("int32", "int64"),
    "j": ("int32", "int64"),
    "u": ("uint8", "float32", "int32"),
    "c": ("complex64", "complex128"),
    "s": ("string",),
    "b": ("bool",),
    "F": ("float32",),
    "I": ("int32",),
    "L": ("int64",),
    "U": ("uint8",),
}
"""The dtypes that a letter is tried with; those that TensorFlow refuses are left out, but for the first."""
LARGE = ((17, 19, 23, 29, 31, 37), (46, 38, 34, 26, 22, 14))
SMALL = ((2, 3, 5, 7), (4, 6, 8, 9))
BEFORE = ((), ("<", "<<"))


@functools.cache
def examples() -> dict[str, list[str]]:
    """The examples of each function."""
    found: dict[str, list[str]] = {}
    for line in EXAMPLES.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            found.setdefault(line.partition("(")[0], []).append(line)
    return found


def entry(tf: Any, function: Any, written: Sequence[str]) -> dict[str, Any]:
    """What the table has of a function with these examples."""
    signature = inspect.signature(function)
    plain = {
        name: each.default
        for name, each in signature.parameters.items()
        if each.default is None or type(each.default) in (bool, int, float, str)
    }
    return {
        "params": [
            n for n, each in signature.parameters.items() if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        ],
        "defaults": plain,
        "forms": [form(tf, function, signature, line) for line in written],
    }


@dataclass
class Example:
    """An example taken apart: its operands by parameter, what letters are sizes, and all other arguments."""

    operands: dict[str, tuple[str, list[Any], str]] = field(default_factory=dict[str, "tuple[str, list[Any], str]"])
    sizes: dict[str, str] = field(default_factory=dict[str, str])
    given: dict[str, Any] = field(default_factory=dict[str, Any])
    free: dict[str, list[Any]] = field(default_factory=dict[str, "list[Any]"])
    choice: int = 0
    """Which of the values of free arguments is tried."""
    open: bool = False
    """Whether a number that comes out may be of one that is in the example alone."""

    def letters(self) -> list[str]:
        return list(dict.fromkeys(each for _, sizes, _ in self.operands.values() for each in sizes if is_letter(each)))

    def families(self) -> list[str]:
        return list(dict.fromkeys(family for family, _, _ in self.operands.values() if family))


def is_letter(size: Any) -> bool:
    return isinstance(size, str) and size != "..." and not size.startswith("_")


def taken_apart(names: Sequence[str], line: str) -> Example:
    """An example of a function with these parameters."""
    call = ast.parse(line, mode="eval").body
    assert isinstance(call, ast.Call), line
    arguments = [(names[at], node) for at, node in enumerate(call.args)]
    arguments += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
    found = Example()
    for name, node in arguments:
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            kind, _, family = ast.unparse(node.value).rpartition(".")
            kind, family = (family, "") if family in KINDS else (kind, family)
            sizes = [size(each) for each in (node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]
            found.operands[name] = family, sizes, kind
            found.open |= any(isinstance(each, str) and each.startswith("_") for each in sizes)
        elif isinstance(node, ast.Name):
            found.sizes[name] = node.id
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "free":
            found.free[name] = [ast.literal_eval(each) for each in node.args]
            found.open = True
        else:
            found.given[name] = ast.literal_eval(node)
    return found


def size(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return node.id
    return "..." if ast.unparse(node) == "..." else ast.literal_eval(node)


def form(tf: Any, function: Any, signature: inspect.Signature, line: str) -> dict[str, Any]:
    """What is seen of one example."""
    example = taken_apart(list(signature.parameters), line)
    choices = range(max(map(len, example.free.values()), default=1))
    gives, *others = [given(tf, function, replace(example, choice=choice), line) for choice in choices]
    for other in others:
        gives = common(gives, other)
    found: dict[str, Any] = {
        "of": {
            n: [f, pattern(sizes), *([KINDS[kind]] if kind else [])] for n, (f, sizes, kind) in example.operands.items()
        },
        "gives": gives,
    }
    for name, each in (("sizes", example.sizes), ("given", example.given), ("free", list(example.free))):
        if each:
            found[name] = each
    fields = list(getattr(made(tf, function, example, sizes_of(example, (), 0)), "_fields", ()))
    return {**found, "fields": fields} if fields else found


def given(tf: Any, function: Any, example: Example, line: str) -> Any:
    """What comes out, with sizes and dtypes by letters."""
    seen = [shaped(tf, function, example, before, line) for before in befores(example)]
    outputs = seen[-1]
    assert alike(seen[0], without_more(outputs)), (line, seen)
    return put_together(outputs, iter(typed(tf, function, example)))


def common(one: Any, other: Any) -> Any:
    """What is the same in two results."""
    if isinstance(one, list):
        return [one[0], *(common(*each) for each in zip(one[1:], other[1:], strict=True))]
    assert one.get("kind") == other.get("kind"), (one, other)
    sizes, others = one["shape"], other["shape"]
    shape = None
    if sizes is not None and others is not None and len(sizes) == len(others):
        shape = [a if a == b else "?" for a, b in zip(sizes, others, strict=True)]
    return {**one, "dtype": one["dtype"] if one["dtype"] == other["dtype"] else None, "shape": shape}


def alike(one: Any, other: Any) -> bool:
    """Whether two results are the same but for the sizes that have to be known."""
    return json.dumps(plainly(one)) == json.dumps(plainly(other))


def plainly(output: Any) -> Any:
    if isinstance(output, list):
        return [output[0], *map(plainly, output[1:])]
    sizes = output["shape"]
    return {**output, "shape": sizes and [each[0] if isinstance(each, list) else each for each in sizes]}


def without_more(output: Any) -> Any:
    """What comes out where there are no sizes before."""
    if isinstance(output, list):
        return [output[0], *map(without_more, output[1:])]
    if output["shape"] is None:
        return output
    return {**output, "shape": [each for each in output["shape"] if not is_more(each)]}


def is_more(size: Any) -> bool:
    return size == "..." or (isinstance(size, list) and size[0] == "...")


KINDS = {"sparse": "SparseTensor", "ragged": "RaggedTensor", "shape": "shape"}


def befores(example: Example) -> Sequence[tuple[str, ...]]:
    return BEFORE if any("..." in sizes for _, sizes, _ in example.operands.values()) else BEFORE[:1]


def pattern(sizes: list[Any]) -> list[Any]:
    return ["?" if isinstance(each, str) and each.startswith("_") else each for each in sizes]


def put_together(output: Any, dtypes: Iterator[Any]) -> Any:
    if isinstance(output, list):
        return [output[0], *(put_together(each, dtypes) for each in output[1:])]
    return {"dtype": next(dtypes), **output}


def shaped(tf: Any, function: Any, example: Example, before: tuple[str, ...], line: str) -> Any:
    """What comes out of an example, with sizes by their letters."""
    ways = [sizes_of(example, before, way) for way in (0, 1)]
    seen = [made(tf, function, example, letters) for letters in ways]
    places = [(name, at) for name, (_, sizes, kind) in example.operands.items() for at in range(len(sizes)) if not kind]
    hidden = {f"{name}.{at}": without(tf, function, example, ways[0], (name, at)) for name, at in places}

    def told(one: Any, other: Any, less: Mapping[str, Any]) -> Any:
        if isinstance(one, (list, tuple)):
            kind = "list" if isinstance(one, list) else "tuple"
            parts = [
                told(each, other[at], {place: found[at] for place, found in less.items()})
                for at, each in enumerate(one)
            ]
            assert kind == "tuple" or all(part == parts[0] for part in parts), line
            return [kind, parts[0]] if kind == "list" else [kind, *parts]
        assert tf.is_tensor(one), (line, one)
        if not isinstance(one, tf.Tensor):
            return {"kind": type(one).__name__, "shape": None}
        if one.shape.rank is None:
            return {"shape": None}
        found = [letter(example, ways, *each) for each in zip(one.shape, other.shape, strict=True)]
        needs = [[place for place, each in less.items() if forgets(one, each, at)] for at in range(one.shape.rank)]
        return {"shape": folded([needing(example, *each) for each in zip(found, needs, strict=True)], before)}

    return told(seen[0], seen[1], {place: each for place, each in hidden.items() if each is not None})


def without(tf: Any, function: Any, example: Example, letters: dict[str, int], place: tuple[str, int]) -> Any:
    """What comes out where one size isn't known, or None where it has to be."""
    try:
        return made(tf, function, example, letters, hidden=place)
    except (TypeError, ValueError):
        return None


def forgets(one: Any, other: Any, at: int) -> bool:
    """Whether a size is known of one result and not of the other."""
    return one.shape[at] is not None and (other.shape.rank != one.shape.rank or other.shape[at] is None)


def needing(example: Example, size: Any, needs: list[str]) -> Any:
    """A size of the result with the sizes that have to be known for it, where these aren't all that have its letter."""
    if size in (None, "?"):
        return size
    own = [
        f"{name}.{at}"
        for name, (_, sizes, _) in example.operands.items()
        for at, each in enumerate(sizes)
        if (each == size and not isinstance(each, int)) or (each == "..." and str(size).startswith("<"))
    ]
    return size if needs == [] or (needs == own and len(own) == 1) else [size, *needs]


def letter(example: Example, letters: list[dict[str, int]], one: Any, other: Any) -> Any:
    """What a size of the result is: that of a letter, a number, None or something else."""
    if one is None:
        return None
    for name, value in letters[0].items():
        if value == one and letters[1][name] == other:
            return name
    fixed = {each for _, sizes, _ in example.operands.values() for each in sizes if isinstance(each, int)}
    return one if one == other and (one in fixed or not example.open) else "?"


def folded(sizes: list[Any], before: tuple[str, ...]) -> list[Any]:
    """The same with the sizes before as `...`."""
    plain = [each[0] if isinstance(each, list) else each for each in sizes]
    if not before or not set(before) & set(plain):
        return sizes
    first, *others = sizes[: len(before)]
    assert tuple(plain[: len(before)]) == before, sizes
    assert all(
        (each[1:] if isinstance(each, list) else []) == (first[1:] if isinstance(first, list) else [])
        for each in others
    ), sizes
    return [["...", *first[1:]] if isinstance(first, list) else "...", *sizes[len(before) :]]


def sizes_of(example: Example, before: tuple[str, ...], way: int) -> dict[str, int]:
    """The numbers that the letters are."""
    large = [*before, *example.letters()]
    small = [each for each in example.sizes.values() if each not in large]
    return dict(zip(large, LARGE[way], strict=False)) | dict(zip(small, SMALL[way], strict=False))


def made(
    tf: Any,
    function: Any,
    example: Example,
    letters: Mapping[str, int],
    dtypes: Mapping[str, str] | None = None,
    *,
    hidden: tuple[str, int] | None = None,
) -> Any:
    """What the function gives in a graph; of one of its operands one size may not be known."""
    from tensorflow.python.framework import func_graph

    before = [each for each in letters if each.startswith("<")]
    with func_graph.FuncGraph("example").as_default():
        arguments: dict[str, Any] = dict(example.given)
        arguments |= {name: several[example.choice % len(several)] for name, several in example.free.items()}
        arguments |= {name: letters[each] for name, each in example.sizes.items()}
        for name, (family, sizes, kind) in example.operands.items():
            own = [part for each in sizes for part in (before if each == "..." else [each])]
            if kind == "shape":
                arguments[name] = [number(each, letters) for each in own]
                continue
            dtype = (dtypes or {}).get(family, FAMILIES[family][0])
            shape: list[int | None] = [number(each, letters) for each in own]
            if hidden is not None and hidden[0] == name:
                shape = list(forgotten(shape, sizes, hidden[1], len(before)))
            arguments[name] = placeholder(tf, kind, dtype, shape)
        ordered = inspect.signature(function).bind_partial(**arguments)
        return function(*ordered.args, **ordered.kwargs)


def forgotten(shape: list[int | None], sizes: list[Any], at: int, before: int) -> Iterator[int | None]:
    """A shape without what one of its letters stands for."""
    first = next((place for place, each in enumerate(sizes) if each == "..."), len(sizes))
    start = at + (before - 1 if at > first else 0)
    stop = start + (before if sizes[at] == "..." else 1)
    return (None if start <= place < stop else size for place, size in enumerate(shape))


def number(size: Any, letters: Mapping[str, int]) -> int:
    return size if isinstance(size, int) else int(size[1:]) if size.startswith("_") else letters[size]


def placeholder(tf: Any, kind: str, dtype: str, shape: list[Any]) -> Any:
    if kind == "sparse":
        return tf.compat.v1.sparse_placeholder(dtype, shape)
    if kind == "ragged":
        return tf.compat.v1.ragged.placeholder(dtype, 1, shape[2:])
    return tf.compat.v1.placeholder(dtype, shape)


def typed(tf: Any, function: Any, example: Example) -> list[Any]:
    """The dtypes of all that comes out, each by the family that it changes with."""
    sizes = sizes_of(example, befores(example)[-1], 0)
    first = flat(tf, made(tf, function, example, sizes))
    result: list[Any] = list(first)
    for family in example.families():
        seen: dict[str, list[str]] = {}
        for dtype in FAMILIES[family]:
            try:
                seen[dtype] = flat(tf, made(tf, function, example, sizes, {family: dtype}))
            except (TypeError, ValueError, tf.errors.OpError, AttributeError):
                continue
        for at, own in enumerate(first):
            cases = {dtype: found[at] for dtype, found in seen.items()}
            if set(cases.values()) != {own}:
                same = all(dtype == given for dtype, given in cases.items())
                result[at] = [family] if same else [family, cases]
            elif len(seen) == 1 and len(FAMILIES[family]) > 1 and own in seen:
                # Nothing else can be given, so that it follows by itself.
                result[at] = own
    return result


def flat(tf: Any, outputs: Any) -> list[str]:
    """The dtypes of what came out, one for all of a list."""
    if isinstance(outputs, list):
        return flat(tf, outputs[0])
    if isinstance(outputs, tuple):
        return [each for part in outputs for each in flat(tf, part)]
    return [outputs.dtype.name]
