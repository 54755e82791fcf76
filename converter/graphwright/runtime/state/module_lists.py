"""Lists and dicts of a `tf.Module`, in whose place TensorFlow puts its own: only their attribute sees a graph's change.

What is changed by another name is refused here. How an attribute's list is carried is said in `places` and `contents`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.containers import is_module_dict, is_of_module
from graphwright.runtime.state.contents import is_same_content, the_same_before
from graphwright.runtime.state.reachability import is_named_otherwise

_REFUSAL = (
    "`{0}` is a {2} of a tf.Module, and changes in a branch or loop of the graph, where only its attribute sees that: "
    "use it by the attribute alone (`{3}`), or copy it first (`{1} = {2}({0})`)"
)


def refuse_attributes_with_names(values: Sequence[Any], paths: Sequence[str]) -> None:
    """Raise the error for such lists in attributes that a construct changes, if they have other names."""
    for path, value in zip(paths, values, strict=False):
        if "." in path and is_of_module(value) and is_named_otherwise(value, path):
            raise TypeError(_refusal(value, path))


def contents_of_dicts(values: Sequence[Any]) -> list[Any]:
    """What is in each value that is such a dict."""
    return [dict(value) if is_module_dict(value) else None for value in values]


def refuse_names(
    given: Sequence[Any], entered: Sequence[Any], held: Sequence[Any], left: Sequence[Any], names: Sequence[str]
) -> None:
    """Raise the error for such lists and dicts that have been given by a name, and were changed by that.

    `entered` is what was made of them for what is traced, `held` what was in the dicts, and `left` what there is of
    them at its end.
    """
    for name, before, value, content, after in zip(names, given, entered, held, left, strict=False):
        if "." in name or not is_of_module(before):
            continue
        if content is not None:
            is_changed = after is value and not is_same_content(dict(after), content)
        else:
            now = current(after)
            is_same_list = the_same_before(after) is value
            is_changed = is_same_list and (isinstance(now, GraphList) or not is_same_content(now, list(value)))
        if is_changed:
            raise TypeError(_refusal(before, name))


def _refusal(value: Any, path: str) -> str:
    kind, change = ("dict", "self.items[key] = x") if is_module_dict(value) else ("list", "self.items.append(x)")
    return _REFUSAL.format(path, path.rpartition(".")[2], kind, change)
