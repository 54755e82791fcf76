"""Comprehensions that give a tensor: those over tensors of unknown length, and those whose elements the graph selects.

Before:

    len([x for x in xs if x > 0])
    sum(score(i) for i in kept)
    queue = [i for i in range(n) if degree[i] == 0]

After:

    tf.shape(tf.boolean_mask(xs, xs > 0))[0]
    tf.reduce_sum(tf.map_fn(lambda i: score(i), kept), axis=0)
    queue = tf.boolean_mask([i for i in range(n)], [degree[i] == 0 for i in range(n)])
"""

from __future__ import annotations

import functools
from typing import Any

import gast
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Value, Variable, dtype_of

from graphwright.eject.source_edits import with_texts
from graphwright.passes.unit import walk

CONSUMERS = frozenset({"len", "sum", "any", "all"})
"""The built-in functions that may be given such a tensor: an empty one is nothing special to them."""


def as_comprehension(node: Any) -> Any:
    """`map` and `filter` with a lambda, alone or in `list`, as the comprehension that they are; others as they are."""
    called = _name_of(node.func) if isinstance(node, gast.Call) and not node.keywords else ""
    if called == "list" and len(node.args) == 1 and isinstance(node.args[0], gast.Call):
        inner = as_comprehension(node.args[0])
        return inner if inner is not node.args[0] else node
    function = node.args[0] if called in ("map", "filter") and len(node.args) == 2 else None
    if not isinstance(function, gast.Lambda) or len(function.args.args) != 1 or function.args.defaults:
        return node
    name = function.args.args[0]
    tests = [function.body] if called == "filter" else []
    generator = gast.comprehension(name, node.args[1], tests, 0)
    return gast.GeneratorExp(name if tests else function.body, [generator])


def selects(style: Any, node: gast.AST) -> bool:
    """Whether the graph decides which elements a comprehension has."""
    node = as_comprehension(node)
    if not isinstance(node, (gast.ListComp, gast.GeneratorExp)):
        return False
    return any(style.is_tensor(test) for generator in node.generators for test in generator.ifs)


def has_unknown_length(style: Any, node: gast.expr) -> bool:
    """Whether a comprehension goes over tensors whose length only the graph knows."""
    whole = as_comprehension(node)
    node = gast.ListComp(whole.elt, whole.generators) if whole is not node else node
    if not isinstance(node, gast.ListComp) or len(node.generators) > 1:
        return False
    iterated, target = node.generators[0].iter, node.generators[0].target
    zipped = iterated.args if isinstance(iterated, gast.Call) and _is_zip(iterated) else []
    parts = zipped or [iterated]
    held = [style.value(part) for part in parts]
    if not held or not all(isinstance(value, Tensor) and not value.is_range for value in held):
        return False
    is_plain = isinstance(target, gast.Name) or (bool(zipped) and all(map(_name_of, getattr(target, "elts", [None]))))
    return is_plain and any(not value.shape or value.shape[0] is None for value in held)


def _is_zip(node: gast.AST) -> bool:
    return isinstance(node, gast.Call) and _name_of(node.func) == "zip" and not node.keywords


def _name_of(node: gast.AST) -> str:
    return str(node.id) if isinstance(node, gast.Name) else ""


def as_tensor(read: Any, node: gast.expr) -> str | None:
    """A comprehension as one tensor; None where it can't be or needn't be."""
    style, node = read.unit.style, as_comprehension(node)
    if not isinstance(node, (gast.ListComp, gast.GeneratorExp)) or len(node.generators) > 1 or style.known.seen is None:
        return None
    generator = node.generators[0]
    if (text := _zipped(read, node, generator)) is not None:
        return text
    held = style.value(generator.iter)
    if not isinstance(held, Tensor) or _goes_over_known(style, generator.iter):
        return _of_python(read, node, generator) if selects(style, node) else None
    if not isinstance(generator.target, gast.Name) or held.is_range or (has_known_length(held) and not generator.ifs):
        return None
    of_each = functools.partial(over, read, generator.target.id, generator.iter, held)
    values = of_each(node.elt)
    tests = [of_each(test) for test in generator.ifs]
    return None if values is None or None in tests else _masked(style, values, [str(test) for test in tests])


def element(style: Any, node: Any) -> Value:
    """What an element of a comprehension is; `filter` gives those of the tensor that it goes over."""
    generator, held = node.generators[0], style.value(node.generators[0].iter)
    same = isinstance(generator.target, gast.Name) and _name_of(node.elt) == generator.target.id
    if same and isinstance(held, Tensor) and held.shape:
        return Tensor(held.dtype, held.shape[1:])
    return style.value(node.elt)


def _zipped(read: Any, node: gast.GeneratorExp | gast.ListComp, generator: Any) -> str | None:
    """A comprehension over several tensors at once, one of which has no known length."""
    style, iterated, target = read.unit.style, generator.iter, generator.target
    if not _is_zip(iterated) or generator.ifs:
        return None
    held = [style.value(part) for part in iterated.args]
    names = list(map(_name_of, getattr(target, "elts", ())))
    known = all(isinstance(value, Tensor) and value.shape and value.shape[0] is not None for value in held)
    if known or not all(isinstance(value, Tensor) for value in held) or len(names) != len(held) or not all(names):
        return None
    after = getattr(style.value(node.elt), "dtype", None)
    if after is None:
        return None
    tf, index = style.tf, read.unit.fresh("index")
    text, items = str(read.within(frozenset(names))(node.elt)), [str(read(part)) for part in iterated.args]
    text = with_texts(text, {name: f"{item}[{index}]" for name, item in zip(names, items, strict=True)})
    lengths = [f"{tf}.shape({item})[0]" for item in items]
    length = functools.reduce(lambda first, second: f"{tf}.minimum({first}, {second})", lengths)
    return f"{tf}.map_fn(lambda {index}: {text}, {tf}.range({length}), fn_output_signature={tf}.{after})"


def _goes_over_known(style: Any, node: Any) -> bool:
    """Whether `zip` or `enumerate` goes over tensors of known length, which Python can take apart."""
    called = _name_of(node.func) if isinstance(node, gast.Call) else ""
    if called not in ("zip", "enumerate") or node.keywords or (called == "enumerate" and len(node.args) > 1):
        return False
    return bool(node.args) and all(has_known_length(style.value(part)) for part in node.args)


def _of_python(read: Any, node: Any, generator: gast.comprehension) -> str | None:
    """What the graph selects of elements that Python has."""
    style = read.unit.style
    if not _goes_over_known(style, generator.iter) and not style.is_python(generator.iter, read.facts):
        return None
    around = read.within(frozenset(part.id for part in walk(generator.target) if isinstance(part, gast.Name)))
    text = f"for {read.unit.original(*read.unit.span(generator.target))} in {read(generator.iter)}"
    return _masked(
        style,
        f"[{around(node.elt)} {text}]",
        [f"[{around(test)} {text}]" for test in generator.ifs],
    )


def _masked(style: Any, values: str, tests: list[str]) -> str:
    if not tests:
        return values
    chosen = functools.reduce(lambda first, second: f"{style.tf}.logical_and({first}, {second})", tests)
    return f"{style.tf}.boolean_mask({values}, {chosen})"


def over(read: Any, name: str, iterated: gast.expr, held: Tensor, node: gast.expr) -> str | None:
    """The tensor of what an expression is for each element of a tensor, which has a name in it."""
    style = read.unit.style
    items = str(read(iterated))
    if isinstance(node, gast.Name) and node.id == name:
        return items
    text = str(read.within(frozenset({name}))(node))
    is_read = any(isinstance(part, gast.Name) and part.id == name for part in walk(node))
    is_vector = held.shape is not None and len(held.shape) == 1
    if is_vector and is_read and items.isidentifier() and _is_by_element(style, node, name):
        return with_texts(text, {name: items})
    after = dtype_of(style.value(node))
    if after is None:
        return None
    signature = "" if after == held.dtype else f", fn_output_signature={style.tf}.{after}"
    return f"{style.tf}.map_fn(lambda {name}: {text}, {items}{signature})"


def scores(read: Any, items: Any, key: Any) -> str | None:
    """What a key gives for each element of a tensor; None where only Python could say."""
    style, held = read.unit.style, read.unit.style.value(items)
    name, text = "key", ""
    if isinstance(key, gast.Lambda) and len(key.args.args) == 1:
        name = key.args.args[0].id
        if getattr(style.value(key.body), "shape", None) != ():
            return None
        if not has_known_length(held) or _is_by_element(style, key.body, name):
            return over(read, name, items, held, key.body)
        text = str(read.within(frozenset({name}))(key.body))
    elif _name_of(key) == "abs" and len(held.shape) == 1:
        return f"{style.tf}.abs({read(items)})"
    if not has_known_length(held):
        return None
    return f"[{text or f'{read(key)}({name})'} for {name} in {style.tf}.unstack({read(items)})]"


def has_known_length(held: Any) -> bool:
    """Whether Python knows how many elements a tensor has."""
    return isinstance(held, Tensor) and bool(held.shape) and held.shape[0] is not None and held.shape[0] >= 0


def counted(read: Any, node: Any) -> str | None:
    """`sum(1 for x in xs if x > 0)`: how many elements the graph selects; None for anything else."""
    is_one = isinstance(node, gast.GeneratorExp) and isinstance(node.elt, gast.Constant) and node.elt.value in (1, True)
    if not is_one or len(node.generators) > 1 or not node.generators[0].ifs or read.unit.style.known.seen is None:
        return None
    generator, held = node.generators[0], read.unit.style.value(node.generators[0].iter)
    if not isinstance(held, Tensor) or not isinstance(generator.target, gast.Name) or held.is_range:
        return None
    tests = [over(read, generator.target.id, generator.iter, held, test) for test in generator.ifs]
    if None in tests:
        return None
    tf = read.unit.style.tf
    chosen = functools.reduce(lambda first, second: f"{tf}.logical_and({first}, {second})", map(str, tests))
    is_float = isinstance(node.elt, gast.Constant) and isinstance(node.elt.value, float)
    return f"{tf}.math.count_nonzero({chosen}, dtype={tf}.{'float32' if is_float else 'int32'})"


def _is_by_element(style: Any, node: gast.AST, name: str) -> bool:
    """Whether an expression does with a vector what it does with each of its elements."""
    if isinstance(node, gast.Name) and node.id == name:
        return True
    if isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _COMPARED):
        return _is_by_element(style, node.left, name) and _is_by_element(style, node.comparators[0], name)
    if isinstance(node, gast.BinOp) and isinstance(node.op, _COMPUTED):
        return _is_by_element(style, node.left, name) and _is_by_element(style, node.right, name)
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        return _is_by_element(style, node.operand, name)
    held = style.value(node)
    plain = isinstance(held, (Constant, Scalar)) or (isinstance(held, (Tensor, Variable)) and held.shape == ())
    return isinstance(node, (gast.Name, gast.Constant)) and plain


_COMPARED = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_COMPUTED = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod, gast.Pow)
