"""Places boxes in layers from top to bottom so that edges run downwards, cross seldom, and are short.

It knows sizes alone, not what is in the boxes. Longest-path layers of bounded width, bends of long edges as narrow
boxes of their own, barycentres for the order, and least squares under minimal distances for the places.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from graphwright_analysis import immutable

GAP, LAYER_GAP = 26.0, 40.0
WIDEST = 1100.0
_SWEEPS = 8
_BEND = 8.0

Edge = tuple[int, int]
Point = tuple[float, float]


@immutable
class Size:
    width: float
    height: float


@dataclass(slots=True)
class Layout:
    """The top left corners of the boxes, the points that each edge runs through, and the size of all."""

    places: list[Point]
    routes: dict[Edge, list[Point]]
    size: Size


@dataclass(slots=True)
class _Slots:
    """Boxes and bends together: widths, layers, and the pieces of edges between neighbouring layers."""

    widths: list[float]
    layers: list[list[int]] = field(default_factory=list[list[int]])
    above: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list[int]))
    below: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list[int]))
    chains: dict[Edge, list[int]] = field(default_factory=dict[Edge, list[int]])


def arranged(sizes: Sequence[Size], edges: Sequence[Edge], gap: float = LAYER_GAP, last: int = 0) -> Layout:
    """The layout of boxes that are given in an order in which most edges run forwards; the others are left out.

    So many at the end stand below all others.
    """
    if not sizes:
        return Layout([], {}, Size(0, 0))
    forward = sorted({edge for edge in edges if edge[0] < edge[1] and edge[0] < len(sizes) - last})
    slots = _with_bends([size.width for size in sizes], _layers(sizes, forward, last), forward)
    for sweep in range(_SWEEPS):
        _order(slots, downwards=sweep % 2 == 0)
    centres = _centres(slots)
    return _placed(sizes, slots, centres, gap)


def _layers(sizes: Sequence[Size], edges: Sequence[Edge], last: int) -> list[int]:
    """The layer of each box: below all that it needs, where there is room."""
    needs, needed = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for source, target in edges:
        needs[target].append(source)
        needed[source].append(target)
    found, used = [0] * len(sizes), defaultdict[int, float](float)
    for box, size in enumerate(sizes):
        layer = max((found[each] + 1 for each in needs[box]), default=0)
        while used[layer] and used[layer] + size.width > WIDEST:
            layer += 1
        found[box] = layer
        used[layer] += size.width + GAP
    for box in reversed(range(len(sizes))):
        # What needs nothing stands right above what needs it.
        if not needs[box] and needed[box]:
            layer = min(found[each] for each in needed[box]) - 1
            if layer > found[box] and used[layer] + sizes[box].width <= WIDEST:
                used[found[box]] -= sizes[box].width + GAP
                used[layer] += sizes[box].width + GAP
                found[box] = layer
    bottom = max(found[: len(found) - last], default=-1) + 1
    found[len(found) - last :] = [bottom] * last
    kept = {layer: index for index, layer in enumerate(sorted(set(found)))}
    return [kept[layer] for layer in found]


def _with_bends(widths: list[float], layer_of: list[int], edges: Sequence[Edge]) -> _Slots:
    slots = _Slots(widths, [[] for _ in range(max(layer_of) + 1)])
    for box, layer in enumerate(layer_of):
        slots.layers[layer].append(box)
    for source, target in edges:
        chain = [source]
        for layer in range(layer_of[source] + 1, layer_of[target]):
            slots.widths.append(_BEND)
            slots.layers[layer].append(len(slots.widths) - 1)
            chain.append(len(slots.widths) - 1)
        chain.append(target)
        for upper, lower in itertools.pairwise(chain):
            slots.below[upper].append(lower)
            slots.above[lower].append(upper)
        slots.chains[source, target] = chain
    return slots


def _order(slots: _Slots, downwards: bool) -> None:
    """Sort each layer by where its neighbours in the one before stand."""
    layers = slots.layers if downwards else slots.layers[::-1]
    neighbours = slots.above if downwards else slots.below
    rank = {slot: index / max(len(layers[0]), 1) for index, slot in enumerate(layers[0])}
    for layer in layers[1:]:
        own = {slot: index / max(len(layer), 1) for index, slot in enumerate(layer)}
        weights = {
            slot: sum(rank[each] for each in neighbours[slot]) / len(neighbours[slot])
            if neighbours[slot]
            else own[slot]
            for slot in layer
        }
        layer.sort(key=lambda slot: weights[slot])
        rank = {slot: index / max(len(layer), 1) for index, slot in enumerate(layer)}


def _centres(slots: _Slots) -> dict[int, float]:
    centres: dict[int, float] = {}
    for layer in slots.layers:
        edge = 0.0
        for slot in layer:
            centres[slot] = edge + slots.widths[slot] / 2
            edge += slots.widths[slot] + GAP
        for slot in layer:
            centres[slot] -= (edge - GAP) / 2
    for sweep in range(_SWEEPS):
        neighbours = slots.above if sweep % 2 == 0 else slots.below
        for layer in slots.layers if sweep % 2 == 0 else slots.layers[::-1]:
            wished = [
                sum(centres[each] for each in near) / len(near) if (near := neighbours[slot]) else centres[slot]
                for slot in layer
            ]
            weights = [4.0 if len(neighbours[slot]) == 1 else 1.0 for slot in layer]
            centres.update(zip(layer, _apart(wished, weights, [slots.widths[slot] for slot in layer]), strict=True))
    return centres


def _apart(wished: list[float], weights: list[float], widths: list[float]) -> list[float]:
    """The centres that are nearest to the wished ones with a gap between all: pooled where they'd overlap."""
    offsets = [0.0]
    for left, right in itertools.pairwise(widths):
        offsets.append(offsets[-1] + (left + right) / 2 + (GAP if min(left, right) > _BEND else GAP / 2))
    pools: list[tuple[float, float, int]] = []  # the sum of wishes, of weights, and how many
    for wish, weight, offset in zip(wished, weights, offsets, strict=True):
        pools.append(((wish - offset) * weight, weight, 1))
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            last, before = pools.pop(), pools.pop()
            pools.append((before[0] + last[0], before[1] + last[1], before[2] + last[2]))
    flat = [total / weight for total, weight, count in pools for _ in range(count)]
    return [place + offset for place, offset in zip(flat, offsets, strict=True)]


def _placed(sizes: Sequence[Size], slots: _Slots, centres: dict[int, float], gap: float) -> Layout:
    left = min(centres[slot] - slots.widths[slot] / 2 for layer in slots.layers for slot in layer)
    right = max(centres[slot] + slots.widths[slot] / 2 for layer in slots.layers for slot in layer)
    places, spans, top = [(0.0, 0.0)] * len(sizes), dict[int, tuple[float, float]](), 0.0
    for layer in slots.layers:
        height = max((sizes[slot].height for slot in layer if slot < len(sizes)), default=0.0)
        for slot in layer:
            own = sizes[slot].height if slot < len(sizes) else height
            start = top + (height - own) / 2
            spans[slot] = start, start + own
            if slot < len(sizes):
                places[slot] = centres[slot] - left - slots.widths[slot] / 2, start
        top += height + gap
    routes = {
        edge: [point for slot in chain for point in _through(slot, chain, centres[slot] - left, spans[slot])]
        for edge, chain in slots.chains.items()
    }
    return Layout(places, routes, Size(right - left, top - gap))


def _through(slot: int, chain: list[int], centre: float, span: tuple[float, float]) -> list[Point]:
    if slot == chain[0]:
        return [(centre, span[1])]
    if slot == chain[-1]:
        return [(centre, span[0])]
    return [(centre, span[0]), (centre, span[1])]
