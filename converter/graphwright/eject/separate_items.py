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

import gast
from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS

from graphwright.eject.flags import Flagged, FlaggedText
from graphwright.eject.source_edits import SourceEdits, Unsuited, with_texts
from graphwright.errors import ConversionError
from graphwright.passes.effects import LIST_METHODS
from graphwright.passes.facts import CONSTRUCTS
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
    made: dict[str, Any] = {
        target.id: part.value
        for part in parts
        for target in (part.targets if isinstance(part, gast.Assign) and _is_dict_display(part.value) else ())
        if isinstance(target, gast.Name)
    }
    for construct in parts:
        for part in walk(construct) if isinstance(construct, CONSTRUCTS) else ():
            method = part.func if isinstance(part, gast.Call) else None
            owner = method.value if isinstance(method, gast.Attribute) and method.attr in LIST_METHODS else None
            name = getattr(owner.value, "id", "") if isinstance(owner, gast.Subscript) else ""
            if name in made and any(map(_is_list, made[name].values)):
                yield name
            item = part if isinstance(part, gast.Subscript) and isinstance(part.ctx, gast.Store) else None
            name = getattr(item.value, "id", "") if item is not None else ""
            if item is not None and name in made and _key_of(item.slice) not in _keys_in(made[name]):
                yield name


def _is_dict_display(node: Any) -> bool:
    return isinstance(node, gast.Dict) and all(_key_of(key) is not None for key in node.keys)


def _keys_in(display: Any) -> list[Any]:
    return [_key_of(key) for key in display.keys]


def _key_of(node: Any) -> Any:
    """A constant key; None for any other."""
    return node.value if isinstance(node, gast.Constant) else None


def _is_literal(node: Any) -> bool:
    return isinstance(node.operand if isinstance(node, gast.UnaryOp) else node, gast.Constant)


def _is_list(node: Any) -> bool:
    return isinstance(node, gast.List)


class _ItemEditing(SourceEdits):
    """The text of one function, and what is written instead of what is said of a dict."""

    def __init__(self, text: str, function: Any, name: str) -> None:
        super().__init__(text, function)
        self.name = name
        stored = [part for part in walk(function) if self._is_dict(part) and isinstance(part.ctx, gast.Store)]
        bound: list[Any] = [self.parents[part] for part in stored]
        if len(bound) != 1 or not isinstance(bound[0], gast.Assign) or not isinstance(bound[0].value, gast.Dict):
            raise Unsuited
        first = _keys_in(bound[0].value)
        items = [part for part in walk(function) if isinstance(part, gast.Subscript) and self._is_dict(part.value)]
        added = [_key_of(part.slice) for part in items if isinstance(part.ctx, gast.Store)]
        self.keys = [*dict.fromkeys([*first, *added])]
        self.first = len(first)
        words = [f"{name}_{key}" for key in self.keys]
        taken = {part.id for part in walk(function) if isinstance(part, gast.Name)}
        if not all(isinstance(key, (str, int)) for key in self.keys) or not all(map(str.isidentifier, words)):
            raise Unsuited
        if taken & set(words) or len(set(words)) < len(words) or len(bound[0].targets) != 1:
            raise Unsuited
        self.names = dict(zip(self.keys, words, strict=True))
        defaults = {key: self._default_of(key) for key in added if key not in first}
        self.defaults = {key: text for key, text in defaults.items() if text is not None}

    def _default_of(self, key: Any) -> str | None:
        """What `d.get(key, 0)` gives before anything else has set the key; None where it isn't read in that way."""
        calls = [
            part for part in map(self._get, walk(self.function)) if part is not None and _key_of(part.args[0]) == key
        ]
        texts = {self.read(call.args[1]) if _is_literal(call.args[1]) else "" for call in calls}
        for part in walk(self.function) if texts else ():
            is_item = isinstance(part, gast.Subscript) and self._is_dict(part.value) and _key_of(part.slice) == key
            parent = self.parents.get(part)
            is_set = is_item and isinstance(part.ctx, gast.Store) and isinstance(parent, gast.Assign)
            is_whole = self._is_dict(part) and not isinstance(parent, (gast.Subscript, gast.Attribute, gast.Assign))
            if is_whole or (is_item and not is_set):
                raise Unsuited
        if len(texts) > 1 or "" in texts:
            raise Unsuited
        return texts.pop() if texts else None

    def _get(self, node: Any) -> Any:
        """The node, if it is `d.get(key, default)`; None for any other."""
        method = node.func if isinstance(node, gast.Call) and len(node.args) == 2 and not node.keywords else None
        is_get = isinstance(method, gast.Attribute) and method.attr == "get" and self._is_dict(method.value)
        return node if is_get else None

    def _read_with_default(self, call: Any) -> str:
        key = _key_of(call.args[0])
        if key is None or (key in self.names and key not in [*self.keys[: self.first], *self.defaults]):
            raise Unsuited
        return self.names.get(key) or self.read(call.args[1])

    def replaced(self, node: Any) -> str | None:
        """What is written instead of a node that says something of the dict."""
        if (call := self._get(node)) is not None:
            return self._read_with_default(call)
        if isinstance(node, gast.JoinedStr) and any(map(self._is_dict, walk(node))):
            raise Unsuited
        if isinstance(node, gast.Assign) and self._is_dict(node.targets[0]):
            if any(map(self._is_dict, walk(node.value))):
                raise Unsuited
            names = [*[*self.names.values()][: self.first], *(self.names[key] for key in self.defaults)]
            values = ", ".join([*map(self.read, getattr(node.value, "values", ())), *self.defaults.values()])
            return f"{', '.join(names)} = {values}" if values else "pass"
        if isinstance(node, gast.Subscript) and self._is_dict(node.value):
            key = getattr(node.slice, "value", None)
            if not isinstance(node.slice, gast.Constant) or key not in self.names:
                raise Unsuited
            return self.names[key]
        if isinstance(node, COMPREHENSIONS) and self._walked(node.generators[0].iter) is not None:
            return self._unrolled(node)
        if self._is_dict(node):
            if any(isinstance(each, FUNCTIONS) for each in self._around(node)):
                raise Unsuited
            if not isinstance(self.parents[node], (gast.Return, gast.Tuple, gast.Dict)):
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
        method = node.func if isinstance(node, gast.Call) and not node.args else None
        if isinstance(method, gast.Attribute) and method.attr in ("items", "values", "keys"):
            return method.attr if self._is_dict(method.value) else None
        return None

    def _unrolled(self, node: Any) -> str:
        """A comprehension over the dict, its elements one by one."""
        generator, walked = node.generators[0], self._walked(node.generators[0].iter)
        targets = generator.target.elts if walked == "items" else [generator.target]
        plain = all(isinstance(each, gast.Name) for each in targets) and len(targets) == 1 + (walked == "items")
        if not plain or len(node.generators) > 1 or generator.ifs or isinstance(node, gast.GeneratorExp):
            raise Unsuited
        elements = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        if any(
            isinstance(part, (gast.Lambda, gast.JoinedStr, *COMPREHENSIONS)) for each in elements for part in walk(each)
        ):
            raise Unsuited
        written: list[str] = []
        for key, name in self.names.items():
            given = {"items": [_written(key), name], "values": [name], "keys": [_written(key)]}[str(walked)]
            values = dict(zip([each.id for each in targets], given, strict=True))
            texts = [with_texts(self.read(each), values) for each in elements]
            written.append(": ".join(texts))
        opening, closing = ("[", "]") if isinstance(node, gast.ListComp) else ("{", "}")
        return f"{opening}{', '.join(written)}{closing}"

    def _is_dict(self, node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id == self.name


def _written(key: Any) -> str:
    """A key as it is written."""
    return f'"{key}"' if isinstance(key, str) else str(key)
