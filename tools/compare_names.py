"""Whether generated code binds and reads the names that its source does, apart from the converter's own helpers.

Names of variables go by `symtable`, attributes by `ast`: Python's own account of both texts. No code is run.
"""

from __future__ import annotations

import ast
import symtable
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from graphwright.passes.unit import mangled

HELPERS = frozenset(
    ("body", "broken", "held", "item", "middle", "other", "otherwise", "outcome", "part", "rest", "result", "skip")
    + ("stop", "subject", "test", "then", "turn")
)
"""What generated code calls its own functions and values, with `_` at the end where the user has such a name."""


@dataclass(frozen=True)
class Names:
    """What a function and all in it bind, what they take from outside, and the attributes that they read and set.

    `operators` are Graphwright's, which take the place of names: `gw.len` of `len`. What is `captured` by a pattern
    may be called by the subject's name instead.
    """

    bound: frozenset[str]
    outside: frozenset[str]
    read: frozenset[str]
    set: frozenset[str]
    operators: frozenset[str]
    captured: frozenset[str]


_WORDS = {"bound": "bound", "outside": "an outer name", "read": "read as an attribute", "set": "set as an attribute"}
BUILTINS = frozenset(("dict", "hasattr", "isinstance", "len", "list", "slice", "tuple"))
"""What generated code asks Python itself: of a slice, and of a pattern's subject."""

GONE = frozenset(("gw", "set_loop_options"))
"""What tells the converter something, and isn't in the generated code."""


def different_names(source: str, generated: str, alias: str, class_name: str | None) -> Iterator[str]:
    """What the generated code binds, reads or sets and its source doesn't, and the other way round."""
    before = names_of(source, class_name)
    after = names_of(generated, class_name, alias, before.bound | before.outside)
    for kind, words in _WORDS.items():
        own, others = getattr(before, kind), getattr(after, kind)
        lost = own - others - after.operators - before.captured - GONE - {alias}
        added = {name for name in others - own - BUILTINS if not is_helper(name, before.bound)}
        yield from (f"`{name}` is {words} in the source alone" for name in sorted(lost))
        yield from (f"`{name}` is {words} in the generated code alone" for name in sorted(added))


def is_helper(name: str, users: frozenset[str]) -> bool:
    """Whether a name is one of the converter's: `then`, `last_x` for the user's `x`, `x_` for a copy of it."""
    root = name.rstrip("_")
    return name not in users and (root in HELPERS or root.removeprefix("last_") in HELPERS | users)


def names_of(text: str, class_name: str | None, alias: str | None = None, users: frozenset[str] | None = None) -> Names:
    """The names of a function's text, private ones as Python has them inside of the class."""
    around = f"class {class_name}:\n{textwrap.indent(text, ' ')}" if class_name else text
    table = symtable.symtable(around, "<names>", "exec")
    symbols = list(_symbols_below(table.get_children()[0] if class_name else table))
    bound = frozenset(symbol.get_name() for symbol in symbols if symbol.is_local()) - {".0"}
    outside = frozenset(symbol.get_name() for symbol in symbols if symbol.is_global()) - {alias or ""}
    operators, captured, read, changed = set[str](), set[str](), set[str](), set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.MatchClass):
            read.update(node.kwd_attrs)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)):
            captured.add(node.name or "")
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            name = mangled(class_name, node.attr) or node.attr
            if owner == alias:
                operators.add(name.rstrip("_"))
            # The attributes that a pattern names are read of the subject.
            elif users is None or owner.rstrip("_") == "subject" or not is_helper(owner, users):
                (read if isinstance(node.ctx, ast.Load) else changed).add(name)
    return Names(bound, outside, frozenset(read), frozenset(changed), frozenset(operators), frozenset(captured))


def _symbols_below(table: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    for child in table.get_children():
        yield from child.get_symbols()
        yield from _symbols_below(child)
