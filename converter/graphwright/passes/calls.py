"""Calls: builtins that a tensor may be given to, and user code, which is converted when it is called.

Before:

    return dense(tf.matmul(x, w), len(x))

After:

    return gw.converted(dense)(tf.matmul(x, w), gw.len(x))

Calls of library functions stay as they are written, unless they are given functions to call.
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.syntax.names import symbol_of

from graphwright.passes import asked_classes, comprehensions, formatting, names
from graphwright.passes.name_kinds import filled_dicts
from graphwright.passes.surely_python import has_open_place, is_sure, is_sure_iterable
from graphwright.passes.unit import walk


def call(read: Any, node: gast.Call) -> str | None:
    function = node.func
    if isinstance(function, gast.Name) and function.id not in read.facts.bound and function.id not in read.unit.free:
        if function.id == "super" and not node.args and read.nested and read.facts.first_parameter:
            return f"super(__class__, {read.facts.first_parameter})"
        if names.asks_for_names(node):
            return names.users_names(read, node)
        if function.id in _OF_ATTRIBUTES and read.unit.pairs and len(node.args) > 1:
            return f"{read.gw}.{_OF_ATTRIBUTES[function.id]}({', '.join(map(read, node.args))})"
        if function.id in BUILTINS and function.id not in read.unit.library:
            return _builtin(read, node)
    text = formatting.formatted(read, node) or formatting.joined_by_text(read, node)
    if text is not None:
        return text
    if not needs_conversion(read, node):
        return _with_arguments(read, node, "", "")
    if read.unit.recursive:
        return _with_arguments(read, node, f"{read.gw}.converted(", ")")
    may_be_builtin = isinstance(function, gast.Name) and function.id in read.facts.bound
    return _with_arguments(read, node, *((f"{read.gw}.overloaded(", ")") if may_be_builtin else ("", "")))


def dotted(node: gast.AST | None) -> str | None:
    """`tf.math.abs` for such an expression, None for any other."""
    parts: list[str] = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, gast.Name) else None


def is_library(name: str, library: frozenset[str]) -> bool:
    """Whether a dotted name or something in front of one of its dots is known to need no conversion."""
    parts = name.split(".")
    return any(".".join(parts[:length]) in library for length in range(1, len(parts) + 1))


def _builtin(read: Any, node: Any) -> str | None:
    name = node.func.id
    if (not node.args and name != "print") or _is_plain(read, node):
        return None
    if name in ("list", "tuple", "set"):
        if isinstance(node.args[0], gast.GeneratorExp):
            return _with_arguments(read, node, "", "")
        if is_sure_iterable(node.args[0], read.facts) or len(node.args) != 1:
            return None
        if name != "set":
            return _with_arguments(read, node, f"{read.gw}.", "")
        return f"{name}({read.gw}.unrolled({read(node.args[0])}))"
    if name in ("isinstance", "type"):
        operator = asked_classes.operator_before(read, node)
        return None if operator is None else _with_arguments(read, node, operator, "")
    return _with_arguments(read, node, f"{read.gw}.", "")


def _is_plain(read: Any, node: Any) -> bool:
    """Whether all arguments are surely Python's own, so that the builtin itself is right."""
    if node.func.id == "print":
        return False
    if node.func.id in ("range", "enumerate", "zip", "reversed"):
        return is_sure_iterable(node, read.facts)
    return not node.keywords and all(
        isinstance(argument, gast.Constant) or (isinstance(argument, gast.Attribute) and argument.attr == "shape")
        for argument in node.args
    )


def _with_arguments(read: Any, node: gast.Call, before: str, behind: str) -> str:
    """The call, with text around its function; everything between the arguments stays as it is."""
    unit = read.unit
    start, position = unit.span(node.func)
    whole, end = unit.span(node)
    opened = unit.original(whole, start)
    closed = position + _closing(unit.text[position:end], opened.count("("))
    pieces = [before, opened, read(node.func), unit.original(position, closed), behind]
    position = closed
    parts = sorted(_given(node), key=lambda part: (part.lineno, part.col_offset))
    alone = len(parts) == 1
    for part in parts:
        start, part_end = unit.span(part)
        gap = unit.original(position, start)
        text = None
        if isinstance(part, gast.GeneratorExp):
            at_once = before.startswith(f"{read.gw}.") and getattr(node.func, "id", "") in _AT_ONCE
            text = (comprehensions.listed if at_once else comprehensions.generated)(read, part)
            if text is not None and alone and unit.text[start] == "(" and part_end == end:
                text = f"({text})"
        pieces += [gap, read(part) if text is None else text]
        position = part_end
    pieces.append(unit.original(position, end))
    return "".join(pieces)


def _closing(text: str, count: int) -> int:
    """How far the closing brackets of a function in brackets reach."""
    position = 0
    for _ in range(count):
        position = text.index(")", position) + 1
    return position


def needs_conversion(read: Any, node: gast.Call) -> bool:
    function = node.func
    if isinstance(function, gast.Lambda) or dotted(getattr(function, "func", None)) == "tf.function":
        return False
    name = dotted(function)
    root = name.split(".")[0] if name else ""
    if name and root not in read.hidden and root not in read.facts.bound and _is_known(read, name):
        last = name.split(".")[-1]
        may_call = last in _HIGHER_ORDER and any(_may_be_function(read, part) for part in _given(node))
        is_told = last in _TRACING_ONCE or name.startswith(_DRAWING) or formatting.has_message(node, last)
        may_call |= last in _LOOKING_AT_FRAMES or formatting.may_be_of_graph(node, last)
        return may_call or _may_change(read, name, node) or (read.unit.pairs and is_told)
    if isinstance(function, gast.Name):
        return function.id not in read.facts.own_functions and function.id not in _PYTHON
    if isinstance(function, gast.Attribute):
        if isinstance(function.value, (gast.Constant, gast.JoinedStr, gast.Dict)):
            return False
        if function.attr == "extend":
            return not all(is_sure_iterable(each, read.facts) for each in node.args)
        if isinstance(function.value, gast.List) or getattr(function.value, "id", None) in read.facts.lists:
            is_asked = function.attr in ("count", "index", "remove", "sort") or function.attr.startswith("__")
            return is_asked or has_open_place(node, function.attr)
        is_quiet = function.attr in _QUIET
        if function.attr in _OF_DICTS:
            is_left = read.unit.pairs and node in read.facts.once(_leavable)
            is_quiet = is_quiet and symbol_of(function.value) not in read.facts.once(filled_dicts) and not is_left
        is_formatted = function.attr in _OF_TEXTS and any(not isinstance(each, gast.Constant) for each in node.args)
        return is_formatted or not is_quiet
    return True


def _may_change(read: Any, name: str, node: gast.Call) -> bool:
    """Whether a library function may change what it is given. A third argument mostly isn't for NumPy's output."""
    root, _, last = name.rpartition(".")
    is_output = any(keyword.arg == "out" for keyword in node.keywords) or (read.unit.pairs and len(node.args) > 2)
    return last in _CHANGING or (is_output and root in ("np", "numpy"))


def _leavable(facts: Any) -> frozenset[Any]:
    """What loops go over that may be left: a generator of the user's has to tell what it changes."""
    loops = [part for part in facts.statements if isinstance(part, gast.For)]
    leaving = (gast.Break, gast.Return)
    return frozenset(loop.iter for loop in loops if any(isinstance(part, leaving) for part in walk(loop)))


def _is_known(read: Any, name: str) -> bool:
    return is_library(name, read.unit.library) or name.split(".")[0] == read.unit.alias


def _given(node: gast.Call) -> list[Any]:
    return [*node.args, *[keyword.value for keyword in node.keywords]]


def _may_be_function(read: Any, node: gast.AST) -> bool:
    """Whether an argument may be a function that isn't converted where it stands."""
    if isinstance(node, (gast.List, gast.Tuple)):
        return any(_may_be_function(read, part) for part in node.elts)
    if isinstance(node, gast.Dict):
        return any(_may_be_function(read, part) for part in node.values)
    if isinstance(node, gast.Name):
        return node.id not in read.facts.own_functions
    return isinstance(node, (gast.Attribute, gast.Call)) and not (is_sure(node, read.facts))


_BUILTIN_NAMES = """
range len int float bool abs min max sum any all sorted round pow divmod enumerate zip map filter reversed iter next
isinstance type print list tuple set str
"""
_PYTHON_NAMES = """
dict frozenset repr bytes bytearray id hash callable hasattr getattr setattr delattr issubclass super object
slice format ord chr hex bin oct vars dir locals globals complex input open staticmethod classmethod property
memoryview ValueError TypeError RuntimeError KeyError IndexError AssertionError Exception NotImplementedError
StopIteration AttributeError ZeroDivisionError ArithmeticError OverflowError LookupError
"""
_HIGHER_ORDER_NAMES = """
map_fn cond while_loop scan foldl foldr vectorized_map switch_case case custom_gradient recompute_grad map_structure
map_structure_up_to map_structure_with_paths reduce map filter sorted partial run batch_jacobian function Function
from_generator fixed_point minimize lbfgs_minimize bfgs_minimize nelder_mead_minimize execute_fn_for_device defun
wrap_function grad_pass_through init_scope experimental_run_v2 flat_map interleave take_while group_by_window apply
Lambda
"""
_QUIET_NAMES = """
append keys values items numpy assign assign_add assign_sub set_shape get_shape as_list watch gradient jacobian
apply_gradients startswith endswith join strip lstrip rstrip encode decode lower upper split astype reshape batch
prefetch shuffle repeat tolist item setdefault trainable_variables read_value with_values to_tensor row_lengths
from_tensor value_rowids nested_row_splits op name
"""
_TRACING_ONCE_NAMES = """
TensorArray accumulate_n add_n case cond copy deepcopy deque foldl foldr map_fn nlargest nsmallest replace scan
switch_case vectorized_map while_loop now today time time_ns perf_counter perf_counter_ns monotonic monotonic_ns
process_time process_time_ns accumulate chain combinations compress cycle dropwhile filterfalse groupby merge pairwise
permutations product starmap zip_longest
"""
_CHANGING_NAMES = """
heappush heappop heapify heapreplace heappushpop insort insort_left insort_right shuffle setitem delitem iadd isub imul
itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift iconcat at put place copyto putmask put_along_axis
fill_diagonal write writelines islice takewhile
"""
_AT_ONCE = frozenset({"list", "max", "min", "sorted", "sum", "tuple"})
BUILTINS = frozenset(_BUILTIN_NAMES.split())
"""The built-in functions that may be given tensors: each has an operator, and `eject` writes or refuses it."""
# Builtins that call nothing of the user's in a graph.
_PYTHON = BUILTINS | frozenset(_PYTHON_NAMES.split())
# Those that ask whether there is an attribute: there may be only if the graph says so.
_OF_ATTRIBUTES = {"hasattr": "has_attribute", "getattr": "get_attribute"}
# What depends on the keys of a dict.
_OF_DICTS = frozenset({"items", "keys", "setdefault", "values"})
# Those of texts; a decoder's own take tensors, not the name of an encoding, and what is joined may be the graph's.
_OF_TEXTS = frozenset({"decode", "encode", "join"})
# Library functions that call functions which they are given.
_HIGHER_ORDER = frozenset(_HIGHER_ORDER_NAMES.split())
# TensorFlow's that run others in a graph, where what those change is refused, and those the run time calls otherwise.
_TRACING_ONCE = frozenset(_TRACING_ONCE_NAMES.split())
# What draws random numbers once, which is told where it stands in a branch or loop of the graph.
_DRAWING = ("random.", "np.random.", "numpy.random.")
# Library functions that change what they are given; an iterator, by taking items.
_CHANGING = frozenset(_CHANGING_NAMES.split())
# Those that look for their caller's frame.
_LOOKING_AT_FRAMES = frozenset({"_getframe", "warn"})
# Methods of containers, texts, tensors, Variables and tapes, which nobody gives to own classes with control flow.
_QUIET = frozenset(_QUIET_NAMES.split())
