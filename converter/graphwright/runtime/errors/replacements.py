"""What to write instead of Python's and NumPy's functions and methods where a tensor's value isn't known yet."""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Sequence
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors.sites import UNKNOWN, Site

GENERAL = "Use a TensorFlow function, or run this code when the graph runs with tf.py_function."
READS_VALUE = frozenset({"numpy", "item", "tolist", "cpu", "eval", "__array__"})
"""Attributes by which eager code reads a tensor's value."""

_METHODS = {
    "T": "tf.transpose({0})",
    "astype": "tf.cast({0}, {1})",
    "append": "tf.concat([{0}, [{1}]], 0)",
    "extend": "tf.concat([{0}, {1}], 0)",
    "startswith": 'tf.strings.regex_full_match({0}, "prefix.*")',
    "endswith": 'tf.strings.regex_full_match({0}, ".*suffix")',
    "replace": "tf.strings.regex_replace({0}, ...)",
    "decode": "{0}",
    "join": "tf.strings.reduce_join({1}, separator={0})",
    "copy": "tf.identity({0})",
    "detach": "tf.stop_gradient({0})",
    "view": "tf.reshape({0}, {sizes})",
    "reshape": "tf.reshape({0}, {sizes})",
    "transpose": "tf.transpose({0}, {sizes})",
    "permute": "tf.transpose({0}, {sizes})",
    "unsqueeze": "tf.expand_dims({0}, {1})",
    "add": "tf.add({0}, {1})",
}
"""Methods of arrays, texts and lists whose TensorFlow functions are called otherwise."""

_FUNCTIONS = {
    "random.choice": "{0}[tf.random.uniform([], 0, tf.shape({0})[0], tf.int32)]",
    "random.shuffle": "tf.random.shuffle({0})",
    "random.randint": "tf.random.uniform([], {0}, {1} + 1, tf.int32)",
    "random.uniform": "tf.random.uniform([], {0}, {1})",
    "numpy.array": "tf.convert_to_tensor({0})",
    "numpy.asarray": "tf.convert_to_tensor({0})",
    "io.open": "tf.io.read_file({0})",  # before Python 3.12
    "_io.open": "tf.io.read_file({0})",
    "copy.copy": "tf.identity({0})",
    **{
        f"{library}.{name}": f"tf.math.{instead}({{0}})"
        for library in ("math", "numpy")
        for name, instead in (("isnan", "is_nan"), ("isinf", "is_inf"), ("isfinite", "is_finite"))
    },
}
"""Functions of Python and NumPy whose TensorFlow functions are called otherwise."""

_TEXT_METHODS = ("startswith", "endswith", "join", "split", "format", "replace")


_REDUCTIONS = {**{name: name for name in ("sum", "mean", "max", "min", "prod", "any", "all", "std")}, "var": "variance"}
"""Methods of arrays that reduce, and what TensorFlow calls that."""


def of_method(
    name: str, owner: str, arguments: list[ast.expr], is_text: bool = False, named: Sequence[ast.keyword] = ()
) -> str:
    """What to write instead of a method that a symbolic tensor doesn't have; `is_text` says that it holds texts."""
    if name in ("numpy", "item", "cpu", "eval"):
        return f"Use `{owner}` itself: TensorFlow functions take tensors. For other code, use tf.py_function."
    if name in READS_VALUE:
        return GENERAL
    first = ast.unparse(arguments[0]) if arguments else "..."
    if name in _METHODS:
        sizes = first if len(arguments) < 2 else f"[{', '.join(map(ast.unparse, arguments))}]"
        return f"Write `{_METHODS[name].format(owner, first, sizes=sizes)}`."
    called = f"reduce_{_REDUCTIONS[name]}" if name in _REDUCTIONS else name
    function = f"tf.strings.{name}" if is_text and name in dir(tf.strings) else _function_of_tensorflow(called)
    if function is None:
        return "Call a TensorFlow function on it."
    known = [each for each in named if each.arg in ("axis", "keepdims")]
    more = "".join(f", {ast.unparse(argument)}" for argument in (*arguments, *known))
    return f"Write `{function}({owner}{more})`."


def of_call(site: Site, node: ast.Call) -> str:
    """What to write instead of a call that needs a tensor's value."""
    library, name = library_of(site, node.func), ast.unparse(node.func).rpartition(".")[2]
    given = [ast.unparse(part) for part in (*node.args, *node.keywords)]
    exact = _FUNCTIONS.get(f"{library}.{name}", "")
    if exact and f"{{{len(given)}}}" not in exact:
        return f"Write `{exact.format(*given)}`."
    if library == "numpy" and isinstance(getattr(tf, name, None), tf.DType):
        return f"Write `tf.cast({given[0]}, tf.{name})`."
    function = _function_of_tensorflow(name) if library in ("numpy", "math") else None
    if function is not None:
        return f"Write `{function}({', '.join(given)})`."
    if name in _TEXT_METHODS and isinstance(node.func, ast.Attribute):
        return "Use a function of tf.strings, which work on text tensors, or tf.py_function."
    return GENERAL


def library_of(site: Site, function: ast.expr) -> str:
    """The top package that a called function belongs to; "" where that isn't known."""
    value = site.value(function)
    while value is UNKNOWN and isinstance(function, ast.Attribute):
        function = function.value
        value = site.value(function)
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return str(name or "").partition(".")[0]


def of_repetition(site: Site, node: ast.BinOp) -> str | None:
    """What to write instead of `"ab" * n` and `["a"] * n`; None for other products."""
    sides = (node.left, node.right)
    repeated = next((side for side in sides if isinstance(side, (ast.List, ast.Constant, ast.JoinedStr))), None)
    if not isinstance(node.op, ast.Mult) or repeated is None:
        return None
    count = site.text(sides[1] if repeated is sides[0] else sides[0])
    if isinstance(repeated, ast.List):
        return f"A tensor multiplies a list, it doesn't repeat it: write `tf.tile({site.text(repeated)}, [{count}])`."
    if isinstance(repeated, ast.Constant) and not isinstance(repeated.value, str):
        return None
    return f"To repeat a text, write `tf.strings.reduce_join(tf.fill([{count}], {site.text(repeated)}))`."


def for_operands(message: str) -> str:
    """How to make the arguments of an operation fit."""
    dtypes = re.search(r"has type (\w+) that does not match type (\w+)", message)
    constant = re.search(r"^Expected (\w+), but got .+ of type '(\w+)'", message, re.DOTALL)
    if (dtypes and "string" in dtypes.groups()) or (constant and constant[2] == "str"):
        return "Write `tf.strings.as_string(...)` around the number to join texts, or `int(...)` around the text."
    if dtypes is not None:
        wider = next((name for name in dtypes.groups() if name.startswith("float")), dtypes[2])
        return f"Cast the other one, for example `tf.cast(..., tf.{wider})`."
    if constant is not None:
        return f"Cast the tensor first, for example `tf.cast(..., tf.{_DTYPES.get(constant[2], 'float32')})`."
    return "Make their dtypes and shapes fit, for example with tf.cast, tf.reshape or tf.transpose."


_DTYPES = {"bool": "bool", "int": "int32", "complex": "complex64"}


def _function_of_tensorflow(name: str) -> str | None:
    """TensorFlow's function of a name that NumPy, Python or Python's texts have."""
    spaces: dict[str, Any] = {
        "tf": tf, "tf.math": tf.math, "tf.strings": tf.strings, "tf.linalg": tf.linalg,
        "tf.experimental.numpy": tf.experimental.numpy,
    }  # fmt: skip
    if name.startswith("_"):
        return None
    return next((f"{space}.{name}" for space, module in spaces.items() if callable(getattr(module, name, None))), None)
