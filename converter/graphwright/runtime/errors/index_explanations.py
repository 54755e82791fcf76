"""What happens where a tensor is an index, or something can't be indexed in a graph, and what to write."""

from __future__ import annotations

import ast
from typing import Any

from graphwright.runtime.basis.grown_lists import is_forwarded
from graphwright.runtime.errors.sites import LATER, UNKNOWN, Site


def tensor_as_index(error: Any, site: Site) -> str | None:
    """`xs[:n]`, `xs[n]`, `del xs[n]` of a list, a tuple or a text."""

    def fits(node: Any) -> bool:
        return isinstance(node, ast.Subscript) and bool(site.tensors(node.slice)) and not site.is_symbolic(node.value)

    node = site.innermost(fits)
    if not isinstance(node, ast.Subscript):
        return None
    owner, value = site.text(node.value), site.value(node.value)
    index = site.text(node.slice) if site.is_symbolic(node.slice) else site.first_tensor(node.slice)
    kind = "Python sequence" if value is UNKNOWN else type(value).__name__
    if " not a bool tensor" in str(error):
        instead = "Write `if`, with the item of its own in each branch, or pass a Python bool."
    elif kind == "str":
        instead = f"Index a tensor, as in `tf.strings.substr({owner}, 0, {index})`, or pass a Python int."
    else:
        made = "tf.stack" if site.tensors(node.value) else "tf.constant"
        instead = f"Index a tensor, as in `{made}({owner})[{_index(node)}]`, or pass a Python int."
    return f"{site.named(node)} indexes a {kind} with the tensor `{index}`, {LATER}. {instead}"


def other_name_of_grown(error: Any, site: Site) -> str | None:
    """`rows[1]`, where the graph has made the list longer under another name."""
    node = site.first(lambda node: isinstance(node, ast.Subscript) and is_forwarded(site.value(node.value)))
    if not isinstance(node, ast.Subscript):
        return None
    owner = site.text(node.value)
    return (
        f"{site.named(node)} reads `{owner}` by a number, but the graph makes this list longer under another name. "
        f"Use the name under which it gets longer, or return the list from the function that does it: "
        f"`{owner} = ...({owner})`."
    )


def no_deletion(error: Any, site: Site) -> str | None:
    """`del x[0]` of a tensor."""
    node = site.first(lambda node: isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Del))
    if not isinstance(node, ast.Subscript):
        return None
    owner, index = site.text(node.value), _index(node)
    instead = f"Write `{owner} = tf.concat([{owner}[:{index}], {owner}[{index} + 1:]], 0)`."
    if isinstance(node.slice, (ast.Slice, ast.Tuple, ast.UnaryOp)):
        instead = "Keep the others, for example with tf.boolean_mask."
    return f"`del {site.text(node)}` ({site.place}) fails because a tensor loses no elements in place. {instead}"


def no_assignment(error: Any, site: Site) -> str | None:
    """`rows[1][0] = 5` where a row is a tensor, `self.x[0] = 5`."""

    def fits(node: Any) -> bool:
        is_item = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        return is_item and (site.is_symbolic(node.value) or isinstance(node.value, ast.Subscript))

    node = site.first(fits)
    if not isinstance(node, ast.Subscript):
        return None
    owner = site.text(node.value)
    places = [_index(node)] if isinstance(node.slice, ast.Constant | ast.Name) else ["..."]
    return (
        f"`{site.text(node)} = ...` ({site.place}) fails because `{owner}` is a tensor, which doesn't change in place. "
        f"Write `{owner} = tf.tensor_scatter_nd_update({owner}, [[{places[0]}]], [...])`."
    )


def unknown_size(error: Any, site: Site) -> str | None:
    """`x.shape[0] * 2` or `min(x.shape)` where such a size is None."""
    node = site.innermost(lambda node: isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(".shape"))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        owner = ast.unparse(node.value.value)
        return (
            f"{site.named(node)} is None: this size of `{owner}` isn't known while the graph is built. "
            f"Write `tf.shape({owner})[{_index(node)}]`, the size when the graph runs."
        )
    node = site.innermost(lambda node: isinstance(node, ast.Attribute) and node.attr == "shape")
    if not isinstance(node, ast.Attribute):
        return None
    owner = ast.unparse(node.value)
    return (
        f"{site.named(node)} has sizes that are None: they aren't known while the graph is built. "
        f"Write `tf.shape({owner})`, the sizes when the graph runs."
    )


def _index(node: ast.Subscript) -> str:
    return ast.unparse(node)[len(ast.unparse(node.value)) + 1 : -1]
