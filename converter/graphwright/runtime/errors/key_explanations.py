"""What happens where Python hashes a tensor or looks up a name that the graph chooses, and what to write."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from graphwright.runtime.errors.sites import LATER, UNKNOWN, Site


def tensor_as_key(error: Any, site: Site) -> str | None:
    """`table[x]`, `{x: 1}`, `{x}`, `table.get(x)`."""
    # A call may hash its arguments, but what surely hashes is asked first: `counts[name_of(x)]`.
    node = site.innermost(lambda node: not isinstance(node, ast.Call) and bool(_keys_in(node, site)))
    node = node or site.innermost(lambda node: bool(_keys_in(node, site)))
    if node is None:
        return None
    found = _keys_in(node, site)[0]
    key = site.text(found)
    if isinstance(node, ast.Call) and not _is_lookup(node, site):
        return _text_in_call(node, found, site) if isinstance(found, ast.JoinedStr) else None
    if isinstance(found, ast.IfExp):
        return (
            f"{site.named(node)} uses `{key}` as a key, but the graph decides which of the two it is. Write `if` with "
            f"one key in each branch: `if {site.text(found.test)}:`, then `{_with_key(node, found, found.body)}`, "
            f"else `{_with_key(node, found, found.orelse)}`."
        )
    if isinstance(found, ast.JoinedStr):
        tensor = next(iter(site.tensors(found)))
        return (
            f"{site.named(node)} uses a text with `{tensor}` in it as a key, but the text is only known when the graph "
            f"runs. Look it up in a tf.lookup table, or pass `{tensor}` as a Python value."
        )
    return (
        f"{site.named(node)} uses the tensor `{key}` as a key, but its value is only known when the graph runs. "
        f"Look it up in a tensor with `tf.gather(values, {key})` or in a tf.lookup table, or use "
        f"`{key if _is_closed(found) else f'({key})'}.ref()` as the "
        "key if you mean the tensor itself."
    )


def _is_closed(node: ast.expr) -> bool:
    """Whether an attribute can be written behind an expression without brackets around it."""
    return isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))


def _with_key(node: ast.AST, key: ast.AST, instead: ast.AST) -> str:
    """An expression with one of the keys that its conditional key chooses from."""
    return ast.unparse(node).replace(ast.unparse(key), ast.unparse(instead))


def _keys_in(node: ast.AST, site: Site) -> list[ast.expr]:
    """The symbolic tensors that an expression hashes."""
    found: list[ast.expr | None] = []
    if isinstance(node, ast.Subscript):
        found = [node.slice]
    elif isinstance(node, (ast.Dict, ast.Set)):
        found = list(node.keys if isinstance(node, ast.Dict) else node.elts)
    elif isinstance(node, ast.SetComp):
        found = [node.elt]
    elif isinstance(node, ast.DictComp):
        found = [node.key]
    elif isinstance(node, ast.Call):
        found = list(node.args)
    return [key for key in found if key is not None and (site.is_symbolic(key) or site.is_element(key, node))]


def _is_lookup(call: ast.Call, site: Site) -> bool:
    """Whether a call is of a method of a dict, a set or the like, which takes a key."""
    if not isinstance(call.func, ast.Attribute):
        return False
    owner = site.value(call.func.value)
    return call.func.attr in _LOOKUPS if owner is UNKNOWN else hasattr(owner, "__contains__")


_LOOKUPS = ("add", "discard", "get", "pop", "remove", "setdefault")


def _text_in_call(call: ast.Call, text: ast.expr, site: Site) -> str:
    """`tf.device(f"/CPU:{n}")`."""
    tensor = next(iter(site.tensors(text)))
    return (
        f"{site.named(call)} needs a Python string, but the text has `{tensor}` in it, which is only known when the "
        f"graph runs. Pass `{tensor}` as a Python value."
    )


def chosen_name(error: Any, site: Site) -> str | None:
    """`getattr(tf, "add" if n > 1 else "subtract")`."""
    node = site.innermost(lambda node: isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr")
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return None
    owner, name = node.args[:2]
    if isinstance(name, ast.IfExp):
        return (
            f"{site.named(node)} needs a name while the graph is built, but the graph decides which of the two it is. "
            f"Write `if` with one name in each branch: `if {site.text(name.test)}:`, then "
            f"`getattr({ast.unparse(owner)}, {ast.unparse(name.body)})`, else "
            f"`getattr({ast.unparse(owner)}, {ast.unparse(name.orelse)})`, and use its result in the branch."
        )
    return (
        f"{site.named(node)} needs a name while the graph is built, but `{site.text(name)}` is a tensor, which is only "
        "known when the graph runs. Write `if` with one name in each branch."
    )


def left_out_keys(error: Any, site: Site) -> str | None:
    """`{name: x for name, x in items if x > 0}`."""
    node = site.first(lambda node: isinstance(node, (ast.DictComp, ast.SetComp)))
    if not isinstance(node, (ast.DictComp, ast.SetComp)) or not any(part.ifs for part in node.generators):
        return None
    test = next(site.text(test) for part in node.generators for test in part.ifs)
    kind, parts = ("dict", "keys") if isinstance(node, ast.DictComp) else ("set", "items")
    return (
        f"{site.named(node)} leaves {parts} out where `{test}` is false, which is only known when the graph runs, but "
        f"the graph must know the {parts} of a {kind} before. Keep all of them, and choose their values: "
        f"`... if {test} else ...`."
    )


def counter_arithmetic(error: Any, site: Site) -> str | None:
    """`a + b` of two Counters, which leaves out what isn't positive."""
    node = site.innermost(lambda node: isinstance(node, ast.BinOp) and isinstance(site.value(node.left), Counter))
    if not isinstance(node, ast.BinOp):
        return None
    instead = "update" if isinstance(node.op, ast.Add) else "subtract" if isinstance(node.op, ast.Sub) else None
    left, right = site.text(node.left), site.text(node.right)
    call = f"`{left}.{instead}({right})`, which keeps" if instead else "what it does for each key, and keep"
    return f"{site.named(node)} keeps the keys whose count is positive, {LATER}. Write {call} all keys."
