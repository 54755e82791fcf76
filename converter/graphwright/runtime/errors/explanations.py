"""What happens at a line where a trace failed, and what to write: one function for each kind of mistake.

It changes no error.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from graphwright.libraries import is_own_file, is_standard_file
from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.basis.error_words import words_of
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import replacements
from graphwright.runtime.errors.index_explanations import (
    no_assignment,
    no_deletion,
    other_name_of_grown,
    tensor_as_index,
    unknown_size,
)
from graphwright.runtime.errors.key_explanations import (
    chosen_name,
    counter_arithmetic,
    left_out_keys,
    tensor_as_key,
)
from graphwright.runtime.errors.sites import LATER, UNKNOWN, Site, entries_of, is_foreign, written_type
from graphwright.twins import unconverted

Explanation = Callable[[Any, Site], str | None]
Kind = type[BaseException] | tuple[type[BaseException], ...]

_OF_OPERATIONS = (TypeError, ValueError, NotImplementedError)
_OPERATIONS = (ast.Call, ast.Subscript, ast.BinOp, ast.Compare)
_NUMBERS = (bool, int, float, complex)


def explained(error: BaseException, site: Site) -> str | None:
    """The message for an error, or None if its own words are all there is to say."""
    message = words_of(error)
    for kind, pattern, explanation in _EXPLANATIONS:
        if isinstance(error, kind) and re.search(pattern, message):
            text = explanation(error, site)
            if text is not None:
                return text
    return None


def held_inside(error: Any, site: Site) -> str:
    """A list or object that is another one in a branch or loop, and is asked for what that holds."""
    return (
        f"the statement in {site.place} needs what a list, dict or object holds in a branch or loop of the graph, and "
        "can't take it out of there: copy it before (`xs = list(xs)`), and change it under one name only"
    )


def missing_attribute(error: Any, site: Site) -> str | None:
    """`x.numpy()`, `x.append(1)`, `x.reshape(3)`."""
    found = re.search(r"has no attribute '(\w+)'", words_of(error))
    name = found[1] if found else "eval"
    node = site.innermost(lambda node: isinstance(node, ast.Attribute) and node.attr == name)
    if not isinstance(node, ast.Attribute):
        return _missing_by_name(name, site)
    owner = site.text(node.value)
    call = site.first(lambda each: isinstance(each, ast.Call) and each.func is node)
    value = site.value(node.value)
    is_text = is_tensor(value) and value.dtype == tf.string
    instead = replacements.of_method(name, owner, getattr(call, "args", []), is_text, getattr(call, "keywords", ()))
    named = site.named(call or node)
    if name in replacements.READS_VALUE:
        return f"{named} needs the value of `{owner}`, {LATER}. {instead}"
    return f"{named} fails because `{owner}` is a symbolic tensor, which has no `{name}`. {instead}"


def _missing_by_name(name: str, site: Site) -> str | None:
    """`getattr(x, "real")`."""
    node = site.innermost(lambda node: isinstance(node, ast.Call) and bool(site.tensors(node)))
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "getattr":
        return None
    owner = site.text(node.args[0])
    return (
        f"{site.named(node)} fails because `{owner}` is a symbolic tensor, which has no `{name}`. "
        f"{replacements.of_method(name, owner, [])}"
    )


def value_needed(error: Any, site: Site) -> str | None:
    """`np.sin(x)`, `math.floor(x)`, `"abc".startswith(x)`: Python's code, which runs once, while the graph is built."""
    node = _innermost_needing_value(site)
    if node is None:
        return None
    instead = replacements.of_call(site, node) if isinstance(node, ast.Call) else replacements.GENERAL
    return f"{site.named(node)} needs the value of `{site.first_tensor(node)}`, {LATER}. {instead}"


def _innermost_needing_value(site: Site) -> ast.expr | None:
    """The smallest operation that takes a tensor, but for what tensors do themselves: `x[0]` in `math.sqrt(x[0])`."""
    taking = [node for node in site.expressions if isinstance(node, _OPERATIONS) and _takes_tensor(site, node)]
    others = [node for node in taking if not _is_of_tensors(site, node)]
    return min(others or taking, key=lambda node: len(ast.unparse(node)), default=None)


def _takes_tensor(site: Site, node: Any) -> bool:
    if not isinstance(node, ast.Call):
        return bool(site.tensors(node))
    parts = [*node.args, *(keyword.value for keyword in node.keywords)]
    return replacements.library_of(site, node.func) != "tensorflow" and any(site.tensors(part) for part in parts)


def _is_of_tensors(site: Site, node: ast.expr) -> bool:
    """Whether TensorFlow computes an item or an operator, as far as is known."""
    if isinstance(node, ast.Subscript):
        return site.is_symbolic(node.value)
    operands = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    operands += [node.left, node.right] if isinstance(node, ast.BinOp) else []
    values = [site.value(operand) for operand in operands]
    return bool(operands) and all(value is UNKNOWN or isinstance(value, (*_NUMBERS, tf.Tensor)) for value in values)


def given_to_python(error: Any, site: Site) -> str | None:
    """`itertools.islice(xs, n)`, whose own words don't speak of tensors."""
    raisers = [entry.tb_frame.f_code.co_filename for entry in site.raised[1:]]
    node = _innermost_needing_value(site) if all(map(is_standard_file, raisers)) else None
    if not isinstance(node, ast.Call) or replacements.library_of(site, node.func) not in sys.stdlib_module_names:
        return None
    tensor = site.first_tensor(node)
    return (
        f"{site.named(node)} fails because `{tensor}` is a tensor, whose value is only known when the graph runs. "
        f"{replacements.of_call(site, node)}"
    )


def size_of_layer(error: Any, site: Site) -> str | None:
    """`tf.keras.layers.Dense(n)`."""
    node = _call_with_tensors(site)
    if node is None:
        return None
    return (
        f"{site.named(node)} needs the value of `{site.first_tensor(node)}`, {LATER}: the sizes of a layer are set "
        "when it is made. Pass a Python number, and create the layer outside of the function."
    )


def not_a_list(error: Any, site: Site) -> str | None:
    """`tf.stack(q)` of a deque, `tf.stack(d.values())`."""

    def is_tensorflow(node: Any) -> bool:
        return isinstance(node, ast.Call) and replacements.library_of(site, node.func) == "tensorflow"

    found = re.search(r"Expected list for .* not (\w+)|'(\w+)' object is not subscriptable", words_of(error))
    node = site.innermost(lambda node: is_tensorflow(node) and bool(node.args))
    if found is None or not isinstance(node, ast.Call) or not _raised_by_tensorflow(site):
        return None
    given, kind, value = site.text(node.args[0]), found[1] or found[2], site.value(node.args[0])
    if value is not UNKNOWN and type(value).__name__ != kind:
        return None
    return f"{site.named(node)} needs a list, but `{given}` is a {kind}. Write `list({given})`."


def comparison(error: Any, site: Site) -> str | None:
    """`[1, 2].index(x)`, `xs.sort()`: Python's own code that compares tensors."""
    node = _call_with_tensors(site)
    if node is None or site.frame.f_code in unconverted:
        return None
    name = next((each.value for each in getattr(node, "keywords", ()) if each.arg == "name"), None)
    if name is not None and site.tensors(name):
        tensor = site.first_tensor(name)
        return f"{site.named(node)} needs a Python string as its `name`, but `{tensor}` is a tensor, {LATER}."
    return f"{site.named(node)} compares `{site.first_tensor(node)}`, {LATER}. {replacements.GENERAL}"


def _call_with_tensors(site: Site) -> ast.expr | None:
    return site.innermost(lambda node: isinstance(node, ast.Call) and bool(site.tensors(node)))


def unpacked(error: Any, site: Site) -> str | None:
    """`f(*xs)`, `[*xs]`, `a, b = f(x)`."""
    node = site.first(lambda node: isinstance(node, ast.Starred) and bool(site.tensors(node)))
    if not isinstance(node, ast.Starred):
        return _unpacked_result(site)
    owner = site.text(node.value)
    return (
        f"{site.named(node)} unpacks a tensor whose length is only known when the graph runs. Pass `{owner}` itself, "
        f"or make its length static with `tf.ensure_shape({owner}, ...)`."
    )


def _unpacked_result(site: Site) -> str | None:
    """`a, b = f(x)`, where the function gives one tensor."""
    targets = [node for node in site.expressions if isinstance(getattr(node, "ctx", None), ast.Store)]
    target = next((node for node in targets if isinstance(node, (ast.Tuple, ast.List))), None)
    call = site.first(lambda node: isinstance(node, ast.Call))
    is_own = [each.tb_frame.f_code.co_name for each in site.raised[1:2]] == ["__iter__"]
    if target is None or call is None or not is_own:
        return None
    is_counted = not any(isinstance(part, ast.Starred) for part in target.elts)
    count = f", {len(target.elts)}" if is_counted else ""
    return f"{site.named(call)} gives one tensor, {LATER}. Write `tf.unstack({site.text(call)}{count})`."


def wrong_kind(error: Any, site: Site) -> str | None:
    """`x(3)`, `with x:`."""
    node = site.innermost(site.is_symbolic)
    if node is None:
        return None
    call = site.first(lambda each: isinstance(each, ast.Call) and each.func is node)
    return f"{site.named(call or node)} fails because `{site.text(node)}` is a symbolic tensor. {replacements.GENERAL}"


def no_operator(error: Any, site: Site) -> str | None:
    """`x << 2`, `x >>= 2`, which tensors don't have, outside of a graph either."""
    found = re.search(r"for ((<<|>>)=?):", words_of(error))
    node = site.first(lambda node: isinstance(node, ast.BinOp)) or site.first(site.is_symbolic)
    if found is None or node is None:
        return None
    if isinstance(node, ast.BinOp):
        target, right = site.text(node.left), site.text(node.right)
    else:
        other = next((one for one in site.expressions if one is not node), node)
        target, right = site.text(node), site.text(other)
    function = "left_shift" if found[2] == "<<" else "right_shift"
    given = next(iter(site.tensors(node).values()), None)
    integer = "" if given is None or given.dtype.is_integer else ", after a cast to an integer dtype"
    return (
        f"`{found[1]}` of {site.named(node)} fails because a tensor has no `{found[1]}`. "
        f"Write `tf.bitwise.{function}({target}, {right})`{integer}."
    )


def no_sign(error: Any, site: Site) -> str | None:
    """`+x`, which tensors don't have, outside of a graph either."""
    node = site.innermost(lambda node: isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd))
    if not isinstance(node, ast.UnaryOp):
        return None
    return f"{site.named(node)} fails because a tensor has no sign `+`. Write `{site.text(node.operand)}` itself."


def no_elements(error: Any, site: Site) -> str | None:
    """`len(x)`, `sum(x)` of a scalar."""
    node = _call_with_tensors(site)
    if node is None:
        return None
    text, tensor = next(iter(site.tensors(node).items()))
    if tensor.dtype == tf.string:
        return (
            f"{site.named(node)} fails because `{text}` is a text in a tensor, string[]. Use a function of tf.strings: "
            f"`tf.strings.length({text})` counts its bytes, `tf.strings.bytes_split({text})` is a vector of them."
        )
    return (
        f"{site.named(node)} fails because `{text}` is {written_type(tensor)}: a scalar has no elements. Use it as it "
        f"is, or make it a vector with `tf.reshape({text}, [1])`."
    )


def many_elements(error: Any, site: Site) -> str | None:
    """`max(x)` of a matrix."""
    node = _call_with_tensors(site)
    if node is None:
        return None
    return (
        f"{site.named(node)} compares rows, which Python can't order: {_types(site, node)}. Reduce them first, for "
        "example with tf.reduce_max, tf.reduce_any or `tf.reshape(..., [-1])`."
    )


def variable_per_call(error: Any, site: Site) -> str | None:
    """`tf.Variable(0)`, `tf.keras.layers.Dense(3)(x)`."""

    def is_call(node: Any) -> bool:
        return isinstance(node, ast.Call)

    node = site.innermost(lambda node: is_call(node) and "Variable" in ast.unparse(node.func)) or site.first(is_call)
    if node is None:
        return None
    return (
        f"{site.named(node)} creates a variable in every call, but a graph's variables are created once. Create it "
        "outside of the function, or once on an object: `if self.v is None: self.v = tf.Variable(...)`. For a value "
        "that changes inside of one call, use a tensor."
    )


def endless_recursion(error: Any, site: Site) -> str | None:
    """A function that calls itself in a branch of the graph."""
    frames = [entry.tb_frame for entry in entries_of(error.__traceback__)]
    if not any(map(_traces_for_graph, frames)):
        return None
    users = [frame.f_code for frame in frames if not is_foreign(frame) and not is_inner(frame.f_code)]
    repeated, count = Counter((code.co_filename, code.co_name) for code in users).most_common(1)[0]
    if count < 2:
        return None
    line = min(code.co_firstlineno for code in users if (code.co_filename, code.co_name) == repeated)
    return (
        f"`{repeated[1]}` ({repeated[0]}:{line}) calls itself in a branch that a tensor decides. A graph contains both "
        "branches, so tracing never ends. Write the recursion as a loop, such as `while` on the tensor, or pass a "
        "Python number, which decides while the function is traced."
    )


def _traces_for_graph(frame: Any) -> bool:
    """Whether a frame is of Graphwright's and traces a branch or an iteration that the graph decides."""
    code = frame.f_code
    return is_own_file(code.co_filename) and code.co_filename.endswith("journal.py") and code.co_name == "run"


def is_inner(code: Any) -> bool:
    """Whether code is a lambda, such as the branches of generated code."""
    return code.co_name == "<lambda>"


def not_returnable(error: Any, site: Site) -> str | None:
    """`return self`, `return (x for x in xs)`."""
    found = re.search(r"in compilation of <\w+ ([\w.<>]+).*return value of type ([\w.]+),", words_of(error))
    if found is None:
        return None
    name, kind = found[1].rpartition(".")[2], found[2]
    return (
        f"`{name}`, called at {site.place}, returns a value of type {kind}. A graph returns tensors, None, and lists, "
        f"tuples and dicts of these: return the tensors of the {kind}."
    )


def misfit(error: Any, site: Site) -> str | None:
    """An operation of TensorFlow's whose arguments don't fit each other."""
    found, node = _operation(site), _innermost_operation(site)
    instead = replacements.of_repetition(site, node) if isinstance(node, ast.BinOp) else None
    return found and f"{found} {instead or replacements.for_operands(words_of(error))}"


def any_operation(error: Any, site: Site) -> str | None:
    """An operation of TensorFlow's that fails for whatever reason: what it was called with."""
    return _operation(site) if "{{node" in words_of(error) or _raised_by_tensorflow(site) else None


def _raised_by_tensorflow(site: Site) -> bool:
    raisers = [str(entry.tb_frame.f_globals.get("__name__")) for entry in site.raised[1:]]
    return any(name.startswith("tensorflow.") for name in raisers)


def _operation(site: Site) -> str | None:
    node = _innermost_operation(site)
    return None if node is None else f"{site.named(node)} fails: {_types(site, node)}."


def named_operation(site: Site) -> str | None:
    """The innermost call, item or operator that is about a tensor, as a message names it."""
    node = _innermost_operation(site)
    return None if node is None else site.named(node)


def _innermost_operation(site: Site) -> ast.expr | None:
    return site.innermost(lambda node: isinstance(node, _OPERATIONS) and bool(site.tensors(node)))


def _types(site: Site, node: ast.AST) -> str:
    return " and ".join(f"`{text}` is {written_type(tensor)}" for text, tensor in site.tensors(node).items())


_EXPLANATIONS: tuple[tuple[Kind, str, Explanation], ...] = (
    (RecursionError, "", endless_recursion),
    ((TypeError, ValueError), r"dtype=variant> is out of scope|in (true|false)_fn is accessed from", held_inside),
    (AttributeError, r"SymbolicTensor'? object has no attribute", missing_attribute),
    (ValueError, r"Cannot evaluate tensor using `eval\(\)`", missing_attribute),
    (TypeError, r"Tensor is unhashable", tensor_as_key),
    (TypeError, r"Tensor is unhashable", value_needed),
    (TypeError, r"attribute name must be string", chosen_name),
    (TypeError, r"^unsupported operand type\(s\) for (<<|>>)", no_operator),
    (TypeError, r"^bad operand type for unary \+", no_sign),
    (IndexError, r"^list index out of range", other_name_of_grown),
    (ValueError, r"only supports singleton tf\.Variables", variable_per_call),
    (TypeError, r"functions must return zero or more Tensors", not_returnable),
    (ValueError, r"positive integer.*Received: .*Tensor\(", size_of_layer),
    (TypeError, r"Iterating over a symbolic", unpacked),
    (TypeError, r"slice indices must be|indices must be integers", tensor_as_index),
    (TypeError, r"Using a symbolic `tf\.Tensor` as a Python `bool`", left_out_keys),
    (TypeError, r"Using a symbolic `tf\.Tensor` as a Python `bool`", counter_arithmetic),
    (TypeError, r"Using a symbolic `tf\.Tensor` as a Python `bool`", comparison),
    (TypeError, r"Expected list for '\w+' argument|object is not subscriptable", not_a_list),
    (NotImplementedError, r"Cannot convert a symbolic", value_needed),
    (TypeError, r"item deletion", no_deletion),
    (TypeError, r"item assignment", no_assignment),
    (TypeError, r"SymbolicTensor|symbolic Tensor|<tf\.Tensor '", value_needed),
    (TypeError, r"SymbolicTensor", wrong_kind),
    (TypeError, r"NoneType", unknown_size),
    (ValueError, r"None values not supported", unknown_size),
    (TypeError, r"^Cannot iterate over a scalar|^Scalar tensor", no_elements),
    (ValueError, r"^The truth value of an array", many_elements),
    (_OF_OPERATIONS, r"that does not match type|must be equal|^Expected \w+, but got|[Ii]ncompatible shapes", misfit),
    (_OF_OPERATIONS, r"^(?!in user code:|Iterating over a symbolic|Using a symbolic)", any_operation),
    (_OF_OPERATIONS, "", given_to_python),
)
"""Kinds of errors, their words, and what explains them: the first explanation that finds its expression holds."""
