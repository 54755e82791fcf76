"""What converted code changes where its text doesn't show it: attributes, items and variables of called functions.

While a branch or a turn is traced, a journal notes the places that are set in it. Those that aren't state of the
construct yet make it be traced again with them as state. How state goes through the graph isn't decided here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from graphwright.runtime.basis.attributes import chosen_from
from graphwright.runtime.basis.births import ARRAYS, changes_inside, is_around, is_uncarried, tracing
from graphwright.runtime.basis.grown_lists import current as current_list
from graphwright.runtime.basis.grown_lists import is_forwarded
from graphwright.runtime.basis.held_items import refuse_changing, watching_items
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.separated_lists import apart, watching_separated
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import UnsettledError
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.containers import is_container, is_tracked, parts
from graphwright.runtime.state.contents import (
    SOMETHING,
    Copies,
    Insides,
    as_it_is,
    collections_in,
    content,
    enter,
    first_of,
    insides,
    is_plain,
    is_same_content,
    put_back,
    put_entered,
    write_back,
)
from graphwright.runtime.state.joining import MismatchError
from graphwright.runtime.state.nodes import NotChosenError, StateNode, originals
from graphwright.runtime.state.places import (
    Contents,
    Places,
    StatePlace,
    found_places,
    is_reference,
)
from graphwright.runtime.state.python_collections import Changed, Side, agreed, copy_of, fill, repeated
from graphwright.runtime.state.reachability import BOUNDARIES, is_made_by_call_inside, is_outside, is_read_later


class ChangedError(Exception):
    """A branch or a turn has set places that weren't its state."""

    def __init__(self, journal: StateJournal, places: tuple[StatePlace, ...], local: frozenset[str]) -> None:
        super().__init__("the construct is traced again")
        self.journal, self.places, self.local = journal, places, local


@dataclass
class StateJournal:
    """The notes of one staged construct. `places` are state already, `local` names what is born in each trace."""

    places: tuple[StatePlace, ...] = ()
    local: frozenset[str] = frozenset()
    held: dict[int, Any] = field(default_factory=dict[int, Any])
    """Objects that are state by their places, so that they stay the objects that they are."""
    found: dict[Any, tuple[StatePlace, Any]] = field(default_factory=dict[Any, "tuple[StatePlace, Any]"])
    fresh: dict[Any, tuple[StatePlace, Any]] = field(default_factory=dict[Any, "tuple[StatePlace, Any]"])
    """What is noted in the trace that goes on; it is `found` if it turns out to be a change."""
    carried: dict[Any, tuple[StatePlace, Any]] = field(default_factory=dict[Any, "tuple[StatePlace, Any]"])
    """The places that loops carry, with what they held before."""
    touched: set[Any] = field(default_factory=set[Any])
    born: dict[int, Any] = field(default_factory=dict[int, Any])
    given_back: list[Any] = field(default_factory=list[Any])
    """Lists and dicts that were changed, and are among what was given back."""
    changed: set[int] = field(default_factory=set[int])
    """The ids of the lists and dicts that the last trace has changed."""
    state: dict[int, Any] = field(default_factory=dict[int, Any])
    """The lists and dicts that were given: they are state already."""
    around: Any = None
    separated: dict[int, Any] = field(default_factory=dict[int, Any])
    """What constructs inside have made two of, by id, with the words about it."""
    before: dict[int, Any] = field(default_factory=dict[int, Any])
    """What the lists and dicts of a loop's state hold before the loop."""
    stand_ins: dict[int, tuple[Any, Any]] = field(default_factory=dict[int, "tuple[Any, Any]"])
    kept: dict[Any, Any] = field(default_factory=dict[Any, Any])
    also_held: dict[int, Any] = field(default_factory=dict[int, Any])
    collections: Side = field(default_factory=Side)
    """The sets and the like that what is being traced changes."""
    sides: list[Side] = field(default_factory=list[Side])
    """The same of what has been traced; the collections hold again what they held before."""
    refers: bool = True
    """Whether the graph may choose between lists and dicts; else what they hold is merged."""
    referred: list[Any] = field(default_factory=list[Any])
    """The lists and dicts between which it chooses."""
    advances: bool = False
    """Whether it only notes what an iterator sets while an item is taken."""
    known: frozenset[Any] = frozenset()
    """The keys of the places that the user's text shows, which therefore are no others' by the same name."""

    def __post_init__(self) -> None:
        self.kept = {place.key: place.snapshot() for place in self.places}

    @classmethod
    def of_places(cls, places: Places | None) -> StateJournal:
        """Notes that begin with the places that the user's text shows."""
        found = found_places(places)
        return cls(found, known=frozenset(place.key for place in found))

    def again(self, changed: ChangedError) -> StateJournal:
        """The notes of the next attempt; the error is raised if it is for a construct around."""
        if changed.journal is not self:
            raise changed
        held = self.held | self.also_held
        return StateJournal(changed.places, changed.local, held, known=self.known, refers=self.refers)

    def by_contents(self, failure: NotChosenError | MismatchError | UnsettledError) -> StateJournal:
        """The notes of an attempt that merges what lists and dicts hold; the failure is raised if that changes nothing.

        It changes something where this attempt has chosen between lists or dicts.
        """
        if not isinstance(failure, NotChosenError) and not (self.refers and self.referred):
            raise failure
        if not self.refers:
            raise TypeError("only the graph knows which of a few lists or dicts this is: copy them, as in `list(xs)`")
        return StateJournal(self.places, self.local, self.held, known=self.known, refers=False)

    def entry(self) -> tuple[Any, ...]:
        """What is at the places before the construct."""
        return tuple(place.get() for place in self.places)

    def run(
        self, action: Callable[[], Any], values: Iterable[Any], state: Iterable[Any] = (), iterates: bool = False
    ) -> tuple[Any, tuple[Any, ...]]:
        """Trace something from what is at the places; gives its result and what is there then.

        It works on the lists and dicts of the `state` that it is given.
        """
        values = tuple(values)
        with self.at_work((*values, *state)) as inside:
            enter(inside)
            try:
                for place, value in zip(self.places, values, strict=True):
                    self.born.update(put_entered(place, value))
                self._watch_all(values, state)
                began = [(one, content(one)) for one, _ in inside if not isinstance(one, GraphList)]
                with watching_items() as added, watching_separated(self.separated):
                    result = action()
                outcome = (copies := Copies()).of(result), tuple(map(copies.of, self.entry()))
                changed = [(one, before) for one, before in began if not is_same_content(one, before)]
                self.changed = {id(one) for one, _ in changed}
                self.given_back += [one for one, _ in changed if copies.has(one) or copies.has(as_it_is(one))]
                if iterates:
                    pairs = zip(self.places, values, strict=True)
                    set_in = [place.owner for place, value in pairs if place.get() is not value]
                    refuse_changing([*(one for one, _ in changed if copies.has(one)), *set_in], added)
                self._note_lost([each for each in changed if not copies.has(each[0])], copies)
                self._note_lost_grown(inside, copies)
                self._sift()
                return outcome
            finally:
                self.sides.append({key: changed.ended() for key, changed in self.collections.items()})
                self.collections.clear()
                for place, snapshot in (*reversed(self.fresh.values()), *reversed(self.found.values())):
                    place.restore(snapshot)
                self.fresh.clear()
                for place in reversed(self.places):
                    place.restore(self.kept[place.key])

    def _watch_all(self, values: Sequence[Any], state: Iterable[Any]) -> None:
        """Sets and the like may change; lists of modules that are the `values` of attributes are carried."""
        carried = {id(value) for value in values if is_tracked(cast("Any", type(value)))}
        for one in collections_in((*values, *state)):
            if id(one) not in carried:
                self._watch(one, SOMETHING)
                changes_inside(one, SOMETHING)

    @contextlib.contextmanager
    def at_work(self, values: Iterable[Any], carried: Container[int] | None = None) -> Generator[Insides, None, None]:
        """What happens is noted here; the lists and dicts in these values may change, and are put back.

        Those that are `carried` are state already (all of them, if it is None).
        """
        inside, around = insides(values), tracing.get()
        if not is_around(around, self):
            self.around = around
        state = ((id(container), container) for container, _ in inside)
        self.state.update(one for one in state if carried is None or one[0] in carried)
        token = tracing.set(self)
        try:
            with apart():
                yield inside
        finally:
            tracing.reset(token)
            put_back(inside)

    def _note_lost(self, lost: Insides, copies: Copies) -> None:
        """Lists and dicts that were changed and aren't given back are changed for all who have them."""
        for container, before in lost:
            now = content(container)
            if id(container) not in copies.referred and is_forwarded(container):
                continue
            is_read = id(container) in copies.referred or is_read_later(container)
            if id(container) in self.born or (len(now) != len(before) and not is_read):
                continue
            self.state.pop(id(container), None)
            write_back(container, before)
            self.note_inside(container, SOMETHING)
            write_back(container, now)

    def _note_lost_grown(self, inside: Insides, copies: Copies) -> None:
        """The same for lists of the graph, which a branch or iteration has as other objects."""
        for grown, before in inside:
            changed: Any = grown.stand_ins() if isinstance(grown, GraphList) else []
            if any(map(copies.has, changed)):
                self.given_back.append(grown)
            elif changed:
                now, grown.state = grown.state, before
                self.state.pop(id(grown), None)
                self.note(Contents(grown, grown.name))
                grown.state = now

    def note(self, place: StatePlace) -> None:
        """A place is about to be set."""
        stand_in = self.stand_ins.get(id(place.owner))
        if stand_in is not None:
            original = stand_in[1]
            if id(original) in self.held:
                return
            self.also_held[id(original)] = original
            place = place.of(original)
            if place.key not in self.kept and place.key not in self.carried:
                self.found.setdefault(place.key, (place, place.snapshot()))
        if place.key in self.kept:
            self.touched.add(place.key)
        elif not self._knows(place):
            self.fresh[place.key] = place, place.snapshot()

    def note_inside(self, container: Any, text: str) -> None:
        """A list or dict is about to be changed in place."""
        if cast("Any", type(container)) is dict and is_made_by_call_inside(container, self):
            self.born[id(container)] = container
        self.note(Contents(container, text))

    def will_carry(self, grown: Any) -> bool:
        """Whether a list of the graph that is about to be changed in here will be state in the next attempt."""
        place = Contents(grown, grown.name)
        if any(current_list(known.get()) is grown for known in self.places):
            return False
        noted = (known for known, _ in (*self.found.values(), *self.fresh.values()))
        if not any(current_list(known.get()) is grown for known in noted):
            self.note(place)
        return True

    def note_collection(self, container: Any, text: str) -> None:
        """A set or the like is about to be changed, or (`SOMETHING`) may be."""
        is_sure = is_uncarried(container) and not isinstance(container, ARRAYS)
        if is_sure or id(container) in self.collections or is_outside(container, self):
            self._watch(container, text)
        else:
            self.born[id(container)] = container

    def note_read(self, container: Any) -> None:
        """What is in a set or the like is about to be read: it has to be the same in each iteration."""
        self.note_collection(container, SOMETHING)
        if id(container) in self.collections:
            self.collections[id(container)].read.append(copy_of(container))

    def _watch(self, container: Any, text: str) -> None:
        known = self.collections.get(id(container))
        if known is None:
            self.collections[id(container)] = Changed.from_now(container, text)
        elif known.text == SOMETHING:
            self.collections[id(container)] = replace(known, text=text)

    def _knows(self, place: StatePlace) -> bool:
        known = place.key in self.found or place.key in self.fresh or place.key in self.carried
        return known or id(place.owner) in self.born or id(place.owner) in self.state or place.text in self.local

    def stand_for(self, copy: Any, original: Any) -> None:
        """An object that was made again for a turn is one that was there before."""
        pending, seen = [(copy, original)], set[int]()
        while pending:
            copy, original = pending.pop()
            if id(copy) in seen or isinstance(copy, (tf.Tensor, tf.Variable)) or not _may_stand(copy, original):
                continue
            seen.add(id(copy))
            if not isinstance(copy, (list, tuple, dict, DEQUE)):
                self.stand_ins[id(copy)] = copy, original
            before = self.before.get(id(original), original)
            if chosen_from(copy) or any(isinstance(as_it_is(each), GraphList) for each in (copy, before)):
                continue  # What is in it stays what it was, or is tensors.
            inside = dict(parts(before))
            pending += [(part, inside[key]) for key, part in parts(copy) if key in inside]

    def adopt(self, notes: dict[Any, tuple[StatePlace, Any]]) -> None:
        """Take over what was noted elsewhere."""
        for key, note in notes.items():
            if key not in self.kept and not self._knows(note[0]):
                self.fresh[key] = note

    def places_set(self) -> tuple[StatePlace, ...]:
        """The places that were set, those that loops carry included."""
        return tuple({key: place for key, (place, _) in (*self.carried.items(), *self.fresh.items())}.values())

    def put_back_carried(self) -> None:
        """Let the places that loops carry hold what they held, before all is traced again.

        What is in lists and dicts is back already.
        """
        for place, (value, _) in reversed(self.carried.values()):
            place.restore((value, ()))
        self.carried.clear()

    def check_filled(self, node: StateNode) -> None:
        """Have the construct traced again if lists or dicts were changed that its results don't fill."""
        filled = {id(original.container) for original in originals(node)}
        for container in self.given_back:
            place = Contents(container, SOMETHING)
            first = first_of(container).container if isinstance(container, GraphList) else container
            if id(first) not in filled and place.key not in self.kept:
                self.found[place.key] = place, place.snapshot()
        self.check()

    def check(self) -> None:
        """Have the construct traced again if places were set that it doesn't carry."""
        if not self.found and not self.also_held:
            return
        found = [place for place, _ in self.found.values()]
        used = self.touched | self.known
        # What was changed the last time and isn't any more has been made anew.
        lost = {place.text for place in self.places if place.key not in used}
        local = self.local | {place.text for place in found if place.text in lost}
        kept = (place for place in self.places if place.key in used)
        raise ChangedError(self, (*kept, *(place for place in found if place.text not in local)), local)

    def check_sides(self) -> None:
        """Raise the error for sets and the like that the sides of a branch leave different."""
        agreed(self.sides)

    def check_iteration(self, begins: Callable[[], bool]) -> None:
        """Raise the error for sets and the like that iterations change; what the first one adds to a set stays there.

        `begins` says whether there surely is one.
        """
        for changed in repeated(self.sides.pop(), begins):
            fill(changed.container, changed.after)

    def settle_sides(self) -> None:
        """What the sides of a branch leave in sets and the like is there after it."""
        for changed in agreed(self.sides):
            fill(changed.container, changed.after)

    def announce(self, nodes: Iterable[StateNode]) -> None:
        """Tell the construct around that the places are about to be set, and what is in them and the state changed."""
        outer = current()
        for original in (each for node in nodes for each in originals(node)):
            original.changes()
        if outer is not None:
            for place in self.places:
                if not _is_at_home(place):
                    outer.note(place)
                held = [container for container, _ in insides([place.get()]) if id(container) not in outer.born]
                outer.state.update((id(container), container) for container in held)

    def settle(self, values: Sequence[Any]) -> None:
        """Set the places to what they have after the construct."""
        for place, value in zip(self.places, values, strict=True):
            place.settle(value)

    def _sift(self) -> None:
        """Of what has been noted, keep what is state: what graphs only refer to stays set."""
        self.found.update({key: note for key, note in self.fresh.items() if not is_reference(*note)})
        self.fresh.clear()


BOUNDARIES.add(StateJournal.run.__code__)


def _is_at_home(place: StatePlace) -> bool:
    """Whether it is a list that the graph which is being traced has made: what is around hasn't got it."""
    return isinstance(owner := place.owner, GraphList) and owner.last().graph is tf.compat.v1.get_default_graph()


def _may_stand(copy: Any, original: Any) -> bool:
    return type(copy) is type(original) and is_container(copy) and (copy is not original or is_plain(copy))


def current() -> StateJournal | None:
    """The journal of the branch or turn that is being traced."""
    return cast("StateJournal | None", tracing.get())
