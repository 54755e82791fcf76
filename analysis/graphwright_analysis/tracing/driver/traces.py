"""What a trace of a module has seen, for those who ask: facts, values and decisions, in the text as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block, Moves
from graphwright_analysis.tracing.facts import Fact, TracedCalled
from graphwright_analysis.tracing.facts.decisions import Decision, Decisions
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.functions.cache_keys import function_of
from graphwright_analysis.tracing.machine.links import ToldIn
from graphwright_analysis.tracing.machine.recordings import Recording, Values, stretches
from graphwright_analysis.tracing.machine.starts import StartRecording

from .relocating import blocks_in, relocated


@immutable(slots=False)
class Trace:
    """What one module's trace saw: the facts start by start, and what names and expressions were."""

    starts: tuple[StartRecording, ...]
    of_all_starts: tuple[Fact, ...]
    """The facts that take more than one start to see, with their places as traced."""
    report_blocks: ToldIn = field(default_factory=dict[Block, "tuple[Block, Moves, int]"])
    """The blocks of the text, and of other files, in which to tell of those that were traced, where these aren't the
    same."""

    memo: dict[str, Any] = field(default_factory=dict[str, Any], init=False, compare=False, repr=False)
    """What is worked out of it, by whoever asks for it more than once."""

    @property
    def facts(self) -> Iterator[Fact]:
        return (fact for facts in (*map(self.facts_of, self.starts), self.gathered) for fact in facts)

    @property
    def gathered(self) -> tuple[Fact, ...]:
        """The facts that take more than one start to see, told of the text as it is."""
        if self.report_blocks.keys().isdisjoint(self._blocks_of_all_starts):
            return self.of_all_starts
        return tuple(relocated(fact, self.moved) for fact in self.of_all_starts)

    @cached_property
    def _blocks_of_all_starts(self) -> frozenset[Block]:
        return blocks_in(self.of_all_starts)

    def told_of(self, seen: StartRecording) -> tuple[Block, ...]:
        """The other blocks on whose text hangs what is told of a start."""
        return tuple(
            dict.fromkeys(self.report_blocks[block][0] for block in seen.blocks if block in self.report_blocks)
        )

    def facts_of(self, seen: StartRecording) -> Iterable[Fact]:
        """The facts of one start, told of the text as it is and of whole classes."""
        others = self.told_of(seen)
        if not others:
            return seen.facts
        if seen.told is None or seen.told[0] != others:
            seen.told = others, tuple(relocated(fact, self.moved) for fact in seen.facts)
        return seen.told[1]

    def moved(self, place: Place) -> Place:
        """A place in what was traced as one in the text as it is."""
        told = self.report_blocks.get(place.block)
        if told is None:
            return place
        block, moves, by = told
        value = None if place.value is None else moves.range(place.value).shifted(by)
        return Place(block, moves.range(place.range).shifted(by), value)

    @cached_property
    def stretches(self) -> tuple[Recording, ...]:
        """The starts and the calls in them that are remembered, each once."""
        return stretches(self.starts)

    @cached_property
    def followed(self) -> tuple[Recording, ...]:
        """The same without what is only shown of functions that are called outside of a graph."""
        return stretches(seen for seen in self.starts if not seen.silent)

    @cached_property
    def values(self) -> Values:
        return Values(self.followed)

    def values_of(self, seen: StartRecording) -> Values:
        """What they were in one start."""
        return Values((seen,))

    def decisions(self, node: gast.AST) -> tuple[Decision, ...]:
        """How the visits of an `if`, loop or conditional expression were decided."""
        return _decided(self.followed, node)

    def supposed_decisions(self, node: gast.AST) -> tuple[Decision, ...]:
        """How they would be decided where nothing is known of the arguments: in a graph of Keras', where the calls that
        are seen make none, and where these don't come to."""
        return _decided((each for each in self.stretches if each not in self.followed), node)

    def inside(self, nodes: Set[gast.AST], blocks: Set[Block]) -> StartRecording:
        """What of it was seen in some nodes and blocks, those of another file."""
        found, starts = StartRecording(0), [start for start in self.starts if start.supposes_no_more_than_a_receiver]
        for start in starts:
            found.facts |= {fact: () for fact in start.facts if _is_inside(fact, nodes, blocks)}
        found.blocks = blocks_in(found.facts)
        for stretch in stretches(starts):
            for node in stretch.values.keys() & nodes:
                found.saw(node, stretch.values[node])
            for node in stretch.decided.keys() & nodes:
                decisions = found.decided.setdefault(node, Decisions(stretch.decided[node].block))
                decisions.seen |= stretch.decided[node].seen
            found.visited |= stretch.visited & nodes
            found.in_graph |= stretch.in_graph & nodes
        return found

    def with_others(self, others: Sequence[StartRecording]) -> Trace:
        """With what other runs saw: of the functions that they call, nothing need be supposed any more; but it is
        shown where those runs didn't come to."""
        called = frozenset[gast.AST]().union(*(seen.visited for seen in others))
        own = (_shown_alone(seen) if seen.supposed in called else seen for seen in self.starts)
        return replace(self, starts=(*own, *others))

    @property
    def called(self) -> Set[gast.AST]:
        """The functions that are surely called, and not only by one of which nobody knows whether it is."""
        none = frozenset[gast.AST]()
        return none.union(*(seen.visited for seen in self.starts if seen.is_surely_run))

    @property
    def complete(self) -> bool:
        return all(seen.complete and not seen.shortened for seen in self.starts)

    @property
    def shortened(self) -> Set[str]:
        """The functions of other files that were followed only in part."""
        return frozenset[str]().union(*(seen.shortened for seen in self.starts))


def _shown_alone(seen: StartRecording) -> StartRecording:
    """A start of which nothing is told any more."""
    return replace(seen, silent=True, facts={}, blocks=frozenset(), told=None, judged={})


def _decided(seen: Iterable[Recording], node: gast.AST) -> tuple[Decision, ...]:
    found = (each.decided.get(node) for each in seen)
    return tuple(dict.fromkeys(each for decisions in found if decisions is not None for each in decisions))


def _is_inside(fact: Fact, nodes: Set[gast.AST], blocks: Set[Block]) -> bool:
    if not blocks.isdisjoint(blocks_in([fact])):
        return True
    called = function_of(fact.traced) if isinstance(fact, TracedCalled) else None
    return called is not None and called.node in nodes
