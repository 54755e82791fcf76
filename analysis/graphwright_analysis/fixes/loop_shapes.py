"""What `set_loop_options` says of the shapes in a loop: of each name one, or as many as it has parts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import LoopName, StagedLoop
from graphwright_analysis.values import shapes, structures
from graphwright_analysis.values.domain import UNKNOWN, StaticShape, Tuple, Value, shape_of
from graphwright_analysis.values.structures import Structure

from . import insertion
from .sources import text_of


def declared(loop: StagedLoop, changing: Sequence[LoopName], tensorflow: str | None) -> tuple[Repair, ...]:
    """Declare the shapes of all names that change theirs, where the loop declares none yet."""
    if loop.first is None or tensorflow is None or any(name.invariant is not None for name in loop.names):
        return ()
    pairs: list[str] = []
    for name in changing:
        shape = _invariant(name.before, name.after, name.before_place, tensorflow)
        if shape is None or not name.symbol.isidentifier():
            return ()
        pairs.append(f"({name.symbol}, {shape})")
    call = f"{tensorflow}.autograph.experimental.set_loop_options(shape_invariants=[{', '.join(pairs)}])"
    edit = insertion.line_before(loop.first, call)
    names = " and ".join(f"`{name.symbol}`" for name in changing)
    title = f"the shape of {names} changes" if len(changing) == 1 else f"the shapes of {names} change"
    return () if edit is None else (Repair(f"Declare that {title}", (edit,)),)


def _invariant(before: Value, after: Value, made: Place | None, tensorflow: str) -> str | None:
    """Source of the shape that a value keeps, in the structure that it has."""
    if isinstance(before, (Tuple, Structure)) and isinstance(after, (Tuple, Structure)):
        parts = [_invariant(*pair, None, tensorflow) for pair in zip(before.items, after.items, strict=True)]
        known = [part for part in parts if part is not None]
        return _like(before, known, made) if len(known) == len(parts) else None
    first, second = shape_of(before), shape_of(after)
    if first is None or second is None or len(first) != len(second):
        return None
    sizes = (str(b if a == b and a != shapes.ANY else None) for a, b in zip(second, first, strict=True))
    return f"{tensorflow}.TensorShape([{', '.join(sizes)}])"


def _like(value: Tuple | Structure, parts: list[str], made: Place | None) -> str | None:
    """Source of parts in the same structure; a namedtuple's class is read where it is made."""
    listed = ", ".join(parts)
    if isinstance(value, Structure):
        pairs = zip(value.keys, parts, strict=False)
        return f"[{listed}]" if value.kind == "list" else f"{{{', '.join(f'{key}: {part}' for key, part in pairs)}}}"
    if not value.fields:
        return f"({listed},)" if len(parts) == 1 else f"({listed})"
    call = (
        None
        if made is None or made.value is None
        else re.match(r"[\w.]+(?=\()", text_of(Place(made.block, made.value)))
    )
    return None if call is None else f"{call[0]}({listed})"


def misfit(name: LoopName) -> tuple[str, tuple[tuple[Place, str], ...]] | None:
    """What doesn't conform to the shape that is declared for it, and where it is bound."""
    before, after = (name.before, name.before_place), (name.after, name.after_place)
    for (value, place), when in ((before, "before this loop"), (after, "after one iteration")):
        for part, declared in structures.leaves(value, name.invariant or UNKNOWN):
            if isinstance(declared, StaticShape) and not shapes.conforms(shape_of(part), declared.shape):
                given = shapes.text(shape_of(part))
                related = () if place is None else ((place, f"shape {given} here"),)
                return f"has shape {given} {when}, but {shapes.text(declared.shape)} is declared for it", related
    return None
