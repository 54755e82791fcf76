"""Lists of a `tf.Module`, in whose place TensorFlow puts its own: a graph changes them by their attribute alone.

What is changed by another name is refused here. How an attribute's list is carried is said in `places` and `contents`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.containers import is_tracked
from graphwright.runtime.state.contents import is_same_content, the_same_before
from graphwright.runtime.state.reachability import is_named_otherwise

_REFUSAL = (
    "`{0}` is a list of a tf.Module, and changes in a branch or loop of the graph, where only its attribute sees that: "
    "use it by the attribute alone (`self.items.append(x)`), or copy it first (`{1} = list({0})`)"
)


def refuse_attributes_with_names(values: Sequence[Any], paths: Sequence[str]) -> None:
    """Raise the error for such lists in attributes that a construct changes, if they have other names."""
    for path, value in zip(paths, values, strict=False):
        if "." in path and is_tracked(cast("Any", type(value))) and is_named_otherwise(value, path):
            raise TypeError(_REFUSAL.format(path, path.rpartition(".")[2]))


def refuse_names(given: Sequence[Any], entered: Sequence[Any], left: Sequence[Any], names: Sequence[str]) -> None:
    """Raise the error for such lists that have been given by a name, and were changed by that.

    `entered` is what was made of them for what is traced, and `left` what there is of it at its end.
    """
    for name, before, value, after in zip(names, given, entered, left, strict=False):
        if "." in name or not is_tracked(cast("Any", type(before))) or the_same_before(after) is not value:
            continue
        now = current(after)
        if isinstance(now, GraphList) or not is_same_content(now, list(value)):
            raise TypeError(_REFUSAL.format(name, name))
