"""Dicts of lists that the graph changes, or that get keys in it: a name for each item, which the graph can carry.

Before:

    log = {"loss": [], "clipped": []}
    for x in xs:
        if x > 1.0:
            log["clipped"].append(x)
    return {name: tf.stack(values) for name, values in log.items()}

After:

    log_loss, log_clipped = [], []
    for x in xs:
        if x > 1.0:
            log_clipped.append(x)
    return {"loss": tf.stack(log_loss), "clipped": tf.stack(log_clipped)}

What becomes of these lists isn't decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS, kind_of

from graphwright.eject.flags import Flagged, FlaggedText
from graphwright.eject.source_edits import SourceEdits, Unsuited, with_texts
from graphwright.errors import ConversionError
from graphwright.passes.slots import LIST_METHODS
from graphwright.passes.unit import walk
from graphwright.pipeline import FunctionSource


def find(function: Any, source: FunctionSource, refusal: ConversionError) -> list[Flagged]:
    """What has to be written in a function with dicts that branches or loops change so."""
    found: list[Flagged] = []
    for name in dict.fromkeys(_changed_in(source.node)):
        if with_items(source.text, source.node, name) is not None:
            found.append(Flagged({}, refusal, dict_of_lists=name))
            found[-1].function = function
    return found


def with_items(text: str, function: Any, name: str) -> FlaggedText | None:
    """The text of a function with a name for each item of a dict; None where that can't be done."""
    try:
        return _ItemEditing(text, function, name).result()
    except Unsuited:
        return None


def _changed_in(function: Any) -> Iterator[str]:
    """The names of the dicts, made here, in which a branch or loop sets new keys or changes the length of a list."""
    parts: list[Any] = walk(function)
    made = {
        target.id: part.value
        for part in parts
        for target in (part.targets if kind_of(part) == "Assign" and _is_dict_display(part.value) else ())
        if kind_of(target) == "Name"
    }
    for construct in parts:
        for part in walk(construct) if kind_of(construct) in ("If", "For", "While") else ():
            owner: Any = part.func.value if kind_of(part) == "Call" and kind_of(part.func) == "Attribute" else None
            is_item = kind_of(owner) == "Subscript" and kind_of(owner.value) == "Name" and owner.value.id in made
            if is_item and part.func.attr in LIST_METHODS and any(map(_is_list, made[owner.value.id].values)):
                yield owner.value.id
            name = getattr(part.value, "id", "") if kind_of(part) == "Subscript" else ""
            if name in made and kind_of(part.ctx) == "Store" and _key_of(part.slice) not in _keys_in(made[name]):
                yield name


def _is_dict_display(node: Any) -> bool:
    return kind_of(node) == "Dict" and all(_key_of(key) is not None for key in node.keys)


def _keys_in(display: Any) -> list[Any]:
    return [_key_of(key) for key in display.keys]


def _key_of(node: Any) -> Any:
    """A constant key; None for any other."""
    return node.value if kind_of(node) == "Constant" else None


def _is_list(node: Any) -> bool:
    return kind_of(node) == "List"


class _ItemEditing(SourceEdits):
    """The text of one function, and what is written instead of what is said of a dict."""

    def __init__(self, text: str, function: Any, name: str) -> None:
        super().__init__(text, function)
        self.name = name
        stored = [part for part in walk(function) if self._is_dict(part) and kind_of(part.ctx) == "Store"]
        bound: list[Any] = [self.parents[part] for part in stored]
        if len(bound) != 1 or kind_of(bound[0]) != "Assign" or kind_of(bound[0].value) != "Dict":
            raise Unsuited
        first = _keys_in(bound[0].value)
        items = [part for part in walk(function) if kind_of(part) == "Subscript" and self._is_dict(part.value)]
        added = [_key_of(part.slice) for part in items if kind_of(part.ctx) == "Store"]
        self.keys = [*dict.fromkeys([*first, *added])]
        self.first = len(first)
        words = [f"{name}_{key}" for key in self.keys]
        taken = {part.id for part in walk(function) if kind_of(part) == "Name"}
        if not all(isinstance(key, (str, int)) for key in self.keys) or not all(map(str.isidentifier, words)):
            raise Unsuited
        if taken & set(words) or len(set(words)) < len(words) or len(bound[0].targets) != 1:
            raise Unsuited
        self.names = dict(zip(self.keys, words, strict=True))

    def replaced(self, node: Any) -> str | None:
        """What is written instead of a node that says something of the dict."""
        kind = kind_of(node)
        if kind == "JoinedStr" and any(map(self._is_dict, walk(node))):
            raise Unsuited
        if kind == "Assign" and self._is_dict(node.targets[0]):
            if any(map(self._is_dict, walk(node.value))):
                raise Unsuited
            values = ", ".join(map(self.read, node.value.values))
            return f"{', '.join([*self.names.values()][: self.first])} = {values}" if values else "pass"
        if kind == "Subscript" and self._is_dict(node.value):
            key = getattr(node.slice, "value", None)
            if kind_of(node.slice) != "Constant" or key not in self.names:
                raise Unsuited
            return self.names[key]
        if kind in COMPREHENSIONS and self._walked(node.generators[0].iter) is not None:
            return self._unrolled(node)
        if self._is_dict(node):
            if any(kind_of(each) in FUNCTIONS for each in self._around(node)):
                raise Unsuited
            if kind_of(self.parents[node]) not in ("Return", "Tuple", "Dict"):
                raise Unsuited
            return "{" + ", ".join(f"{_written(key)}: {name}" for key, name in self.names.items()) + "}"
        return None

    def _around(self, node: Any) -> Iterator[Any]:
        while node in self.parents and self.parents[node] is not self.function:
            node = self.parents[node]
            yield node

    def _walked(self, node: Any) -> str | None:
        """What a comprehension goes over: the "items", "values" or "keys" of the dict; None for anything else."""
        if self._is_dict(node):
            return "keys"
        is_method = kind_of(node) == "Call" and kind_of(node.func) == "Attribute" and self._is_dict(node.func.value)
        named = is_method and node.func.attr in ("items", "values", "keys") and not node.args
        return str(node.func.attr) if named else None

    def _unrolled(self, node: Any) -> str:
        """A comprehension over the dict, its elements one by one."""
        generator, walked = node.generators[0], self._walked(node.generators[0].iter)
        targets = generator.target.elts if walked == "items" else [generator.target]
        plain = all(kind_of(each) == "Name" for each in targets) and len(targets) == 1 + (walked == "items")
        if not plain or len(node.generators) > 1 or generator.ifs or kind_of(node) == "GeneratorExp":
            raise Unsuited
        elements = [node.key, node.value] if kind_of(node) == "DictComp" else [node.elt]
        if any(kind_of(part) in ("Lambda", "JoinedStr", *COMPREHENSIONS) for each in elements for part in walk(each)):
            raise Unsuited
        written: list[str] = []
        for key, name in self.names.items():
            given = {"items": [_written(key), name], "values": [name], "keys": [_written(key)]}[str(walked)]
            values = dict(zip([each.id for each in targets], given, strict=True))
            texts = [with_texts(self.read(each), values) for each in elements]
            written.append(": ".join(texts))
        opening, closing = ("[", "]") if kind_of(node) == "ListComp" else ("{", "}")
        return f"{opening}{', '.join(written)}{closing}"

    def _is_dict(self, node: Any) -> bool:
        return kind_of(node) == "Name" and node.id == self.name


def _written(key: Any) -> str:
    """A key as it is written."""
    return f'"{key}"' if isinstance(key, str) else str(key)
