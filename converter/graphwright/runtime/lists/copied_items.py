"""Lists and dicts that the graph has chosen among others: what is in them is known, but not which one it is.

They can be read like any other. Changing them would change a copy, so it is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from graphwright.runtime.basis.tensorflow import tf


class _Copied:
    """What the copies of lists and dicts have in common."""

    graphwright_name: str = ""
    """How it is called; empty for what TensorFlow makes of it again."""

    def graphwright_flatten(self) -> Any:
        values: Any = self
        name = self.graphwright_name
        if isinstance(self, CopiedDict):
            keys = list(cast("dict[Any, Any]", values))
            return list(values.values()), lambda items: copied(dict(zip(keys, items, strict=True)), name)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
        return list(values), lambda items: copied(list(items), name)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]

    def graphwright_adopt(self, value: Any) -> Any:
        is_alike = isinstance(value, dict) if isinstance(self, CopiedDict) else isinstance(value, list)
        return copied(value, self.graphwright_name) if is_alike else None


class CopiedList(_Copied, list[Any]):
    """What is in a list that the graph has chosen."""


class CopiedDict(_Copied, dict[Any, Any]):
    """What is in a dict that the graph has chosen."""


def copied(value: Any, name: str) -> Any:
    """What is in a list or dict, which isn't the one that the user has; anything else as it is."""
    kind = {list: CopiedList, dict: CopiedDict}.get(cast("Any", type(value)))
    if kind is None:
        return value
    made: Any = kind(value)
    made.graphwright_name = name
    return made


def _refusing(kind: Any, method: str) -> Callable[..., Any]:
    usual = getattr(kind, method)

    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.graphwright_name and tf.inside_function():
            raise TypeError(
                f"the graph chooses which {kind.__name__} {self.graphwright_name} is, so it can't be changed in place: "
                f"set the attribute to a new {kind.__name__}, or change it in an `if` for each one"
            )
        return usual(self, *args, **kwargs)

    return refuse


for _kind, _base, _methods in (
    (CopiedList, list, ("append", "extend", "insert", "remove", "reverse", "sort", "__iadd__", "__imul__")),
    (CopiedDict, dict, ("update", "setdefault", "popitem", "__ior__")),
):
    for _method in (*_methods, "pop", "clear", "__setitem__", "__delitem__"):
        setattr(_kind, _method, _refusing(_base, _method))
