"""What a class of the project inherits from."""

from __future__ import annotations

from collections.abc import Iterator

from .domain import Class, Value


def lineage(class_: Value) -> Iterator[Value]:
    """The class and everything it inherits from, each once, in the order in which Python looks there."""
    each = class_
    while isinstance(each, Class) and len(each.bases) == 1:
        yield each
        each = each.bases[0]
    yield from _several(each) if isinstance(each, Class) else (each,)


def _several(class_: Class) -> Iterator[Value]:
    """The same where there are several bases: heirs before what they inherit from, bases from left to right."""
    done: list[Value] = []
    seen: set[int] = set()
    pending: list[tuple[Value, bool]] = [(class_, False)]
    while pending:
        each, entered = pending.pop()
        if entered or not isinstance(each, Class):
            done.append(each)
        elif each.id not in seen:
            seen.add(each.id)
            pending.append((each, True))
            pending += [(base, False) for base in each.bases]
    return reversed(done)
