"""Python's `separator.join(texts)` where the graph writes some of the texts. What writes them is in `text`."""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.context import is_staging
from graphwright.runtime.basis.python_values import as_python
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, dense
from graphwright.runtime.lists.comprehensions import as_list
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.whole_lists import stacked

__all__ = ["is_join", "join"]


def join(separator: str, texts: Any, /) -> Any:
    """`separator.join(texts)`: a string tensor if one of the texts is one."""
    if not is_staging() or isinstance(texts, str):
        return separator.join(texts)
    parts: Any = as_list(texts)
    if isinstance(parts, GraphList) and parts.element.simple and parts.element.leaves[0].dtype == tf.string:
        return as_python(tf.strings.reduce_join(stacked(parts), 0, separator=separator))
    if not all(isinstance(part, str) or _is_text(part) for part in parts) or not any(map(acts_as_tensor, parts)):
        return separator.join(parts)
    return as_python(tf.strings.join(parts, separator) if len(parts) > 1 else tf.identity(parts[0]))


def is_join(method: Any) -> bool:
    """Whether a method is `join` of a text."""
    return method.__name__ == "join" and isinstance(method.__self__, str)


def _is_text(value: Any) -> bool:
    return acts_as_tensor(value) and dense(value).dtype == tf.string
